"""NumPy's functions as they are, the peer of benchmarks/ours/functions.py.

    functions.py SIZE
"""
import sys

import functions_of_numpy

if __name__ == "__main__":
    functions_of_numpy.measure(int(sys.argv[1]), lambda function: function)
