"""Algorithms in plain Python, compiled by lt.function, for run.py to time.

    algorithms.py SIZE
"""
import sys

import algorithms_in_python
import lantern as lt

if __name__ == "__main__":
    algorithms_in_python.measure(int(sys.argv[1]), lt.function)
