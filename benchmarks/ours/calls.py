"""How many microseconds a call of a compiled function takes that has next to nothing to do.

    calls.py CALLS      CALLS: how many are timed together
"""
import sys
import time

import numpy as np
from timing import line

import lantern as lt


class Model(lt.Module):
    def __init__(self):
        self.weight = lt.Parameter(4)

    @lt.function
    def score(self, x: float):
        return self.weight[0] * x


@lt.function
def number(x: float):
    return x * 2.0 + 1.0


@lt.function
def arrays(a, b, c, d, e, f, g, h, i, j):
    return a[0] + b[0] + c[0] + d[0] + e[0] + f[0] + g[0] + h[0] + i[0] + j[0]


@lt.function
def words(weights, words):
    return weights["scale"] * words[0]


def microseconds(calls, function, *arguments):
    quickest = float("inf")
    for _ in range(20):
        begun = time.perf_counter()
        for _ in range(calls):
            function(*arguments)
        quickest = min(quickest, (time.perf_counter() - begun) / calls)
    return 1e6 * quickest


def main():
    calls = int(sys.argv[1])
    ten = [np.full(4, float(i)) for i in range(10)]
    for case, function, arguments in (
            ("a number", number, (1.5,)), ("ten arrays", arrays, ten), ("a method, a number and a parameter", Model().score, (1.5,)),
            ("a dict and a list of twenty words", words, ({"scale": 2.0}, list(range(20))))):
        function(*arguments)
        line("rate", case, microseconds(calls, function, *arguments))


if __name__ == "__main__":
    main()
