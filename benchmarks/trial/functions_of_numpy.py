"""Functions of NumPy's, as users write them, and what they are measured on, for benchmarks/ours/functions.py and benchmarks/plain/functions.py."""
import numpy as np
from fixed import fixed
from timing import Memory, rate, sample


def exp(x, y):
    return np.exp(x)


def where(x, y):
    return np.where(x > 0, x, np.expm1(x))


def floor(x, y):
    return np.floor(x)


def sum_of_columns(x, y):
    return np.sum(x, axis=0)


def max_of_rows(x, y):
    return np.max(x, axis=1)


def max_of_columns(x, y):
    return np.max(x, axis=0)


def argmax_of_rows(x, y):
    return np.argmax(x, axis=1)


def softmax(x, y):
    weights = np.exp(x - np.max(x, axis=1, keepdims=True))
    return weights / np.sum(weights, axis=1, keepdims=True)


def logsumexp(x, y):
    most = np.max(x, axis=1)
    return most + np.log(np.sum(np.exp(x - most[:, None]), axis=1))


def variance(x, y):
    return np.var(x, axis=0)


def turned(x, y):
    return x.T.copy()


def rolled(x, y):
    return np.roll(x, 3, axis=1)


def sorted_row(x, y):
    return np.sort(x[0])


def product(x, y):
    return x @ y


def product_with_transposed(x, y):
    return x @ y.T


FUNCTIONS = [exp, where, floor, sum_of_columns, max_of_rows, max_of_columns, argmax_of_rows, softmax, logsumexp, variance, turned, rolled, sorted_row,
             product, product_with_transposed]


def measure(size, as_compiled):
    """Prints how many calls a second there are of as_compiled(f), of matrices [size, size], for each function f."""
    x, y = (fixed(seed, size, size, low=-2, high=2) for seed in (1, 2))
    memory = Memory()
    for function in FUNCTIONS:
        name = function.__name__.replace("_", " ")
        run = as_compiled(function)
        sample(name, run(x, y).ravel()[::7])
        rate(name, 1, lambda: run(x, y))
    memory.print()
