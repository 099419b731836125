"""How a parameter begins: `lt.init.uniform(-0.05, 0.05)`, `normal(0, 1)`, `fill(0)`, `zeros()`.

An initialiser draws from the program's stream, in the order in which the parameters are made.
"""
from __future__ import annotations

import dataclasses

LARGEST = 10_000         # elements of an array that stands in a program's text; what is larger belongs into a parameter or an argument
LARGEST_TABLE = 100_000  # of one that was there before the program, which stands there as data


@dataclasses.dataclass(frozen=True)
class Initializer:
    """`kind` is the INIT of the S-expression language: fill, uniform or normal; `numbers` are its operands."""
    kind: str
    numbers: tuple

    def __str__(self):
        return f"({self.kind} {' '.join(map(repr, self.numbers))})"

    def __call__(self, shape, dtype):
        """A new NumPy array of `shape` (ints) and `dtype` ('f32', …)."""
        import numpy as np
        from lantern import philox, types
        if self.kind == "fill":
            return np.full(shape, self.numbers[0], types.numpy_dtype(dtype))
        draw = philox.uniform if self.kind == "uniform" else philox.normal
        return draw(*self.numbers, shape, dtype)


def uniform(low=-0.05, high=0.05):
    return Initializer("uniform", (float(low), float(high)))


def normal(mean=0.0, std=1.0):
    return Initializer("normal", (float(mean), float(std)))


def fill(value):
    return Initializer("fill", (float(value),))


def zeros():
    return fill(0.0)


def ones():
    return fill(1.0)
