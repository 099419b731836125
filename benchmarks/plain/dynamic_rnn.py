"""The forward sweep of the minibatched RNN in NumPy, the peer of benchmarks/ours/dynamic_rnn.py.

    dynamic_rnn.py HIDDEN BATCHES LENGTHS        numbers with commas between them
"""
import itertools
import sys

import numpy as np
from fixed import fixed
from timing import Memory, rate, sample


def state(sequences, of_input, recurrent, bias):
    h = np.zeros((sequences.shape[1], bias.shape[0]), np.float32)
    for x in sequences:
        h = np.tanh(x @ of_input + h @ recurrent + bias)
    return h


def main():
    (hidden,), batches, lengths = (list(map(int, word.split(","))) for word in sys.argv[1:])
    bound = hidden**-0.5
    weights = (fixed(1, hidden, hidden, low=-bound, high=bound), fixed(2, hidden, hidden, low=-bound, high=bound),
               fixed(3, hidden, low=-bound, high=bound))
    memory = Memory()
    for batch, length in itertools.product(batches, lengths):
        sequences = fixed(4, length, batch, hidden)
        case = f"batch {batch}, length {length}"
        sample(f"{case}: state", state(sequences, *weights).ravel())
        rate(f"{case}, forward", batch, lambda: state(sequences, *weights))
    memory.print()


if __name__ == "__main__":
    main()
