"""Algorithms as Python runs them, the peer of benchmarks/ours/algorithms.py.

    algorithms.py SIZE
"""
import sys

import algorithms_in_python

if __name__ == "__main__":
    algorithms_in_python.measure(int(sys.argv[1]), lambda function: function)
