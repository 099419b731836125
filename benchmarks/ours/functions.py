"""NumPy's functions, compiled by lt.function, for run.py to time.

    functions.py SIZE
"""
import sys

import lantern as lt
import functions_of_numpy

if __name__ == "__main__":
    functions_of_numpy.measure(int(sys.argv[1]), lt.function)
