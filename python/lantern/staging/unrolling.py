"""How often a loop over Python values may be unrolled."""
from __future__ import annotations

import itertools
import operator
import os

from lantern.staging.errors import StagingError
from lantern.staging.values import StagedRange

# LANTERN_UNROLL sets other limits.
MOST_TURNS = 10_000     # of a loop
# Of a loop that is left under a staged condition, whose turns are unrolled one within the other:
MOST_NESTED = 300
MOST_NESTED_OF_RANGE = 64   # of a range, which is a staged loop where more are left


class Turns:
    """Counts the turns of a loop over Python values that put something into the program: each is unrolled."""

    def __init__(self, trace, at):
        self.trace, self.at = trace, at
        self.block = trace.block
        self.number, self.first, self.size = 0, len(self.block.entries), len(self.block.entries)
        self.most = _most(MOST_TURNS)

    def count(self):
        if len(self.block.entries) == self.size:
            return
        self.number, self.size = self.number + 1, len(self.block.entries)
        if self.number > self.most:
            raise _too_often(self.trace, self.most, self.at)

    def bindings(self):
        """How much they have put into it, nested blocks apart."""
        return len(self.block.entries) - self.first


def long_range(iterable, elements):
    """What is left of a long `range`, or of `itertools.count`, as a staged range; None of anything else. elements: an iterator of `iterable`."""
    if isinstance(iterable, range):
        rest = iterable[len(iterable) - operator.length_hint(elements):]
        return StagedRange(rest.start, rest.stop, rest.step) if len(rest) > _most(MOST_NESTED_OF_RANGE) else None
    if isinstance(iterable, itertools.count):
        first, second = next(elements), next(elements)
        if type(first) is type(second) is int and second != first:
            return counted(first, second - first)
    return None


def counted(start, step):
    """`itertools.count(start, step)`, as far as numbers go."""
    return StagedRange(start, 2**63 - 1 if step > 0 else -2**63, step)


def rest_to_nest(trace, elements, at):
    """The elements that are left of an iterator, each to be unrolled within the turn of the one before."""
    most = _most(MOST_NESTED)
    remaining = list(itertools.islice(elements, most + 1))
    if len(remaining) > most:
        raise _too_often(trace, most, at)
    return remaining


def _most(otherwise):
    return int(os.environ.get("LANTERN_UNROLL", otherwise))


def _too_often(trace, most, at):
    return StagingError("LT0315", f"the loop is unrolled more than {most} times: what it goes over is known while staging", trace.place(at),
                        "go over lt.range(n), an array or a staged value, or set LANTERN_UNROLL")
