"""Iterators of the user's, objects with `__next__`, of which only the program knows when they end.

    for token in Lexer(text): …

CPython asks such an object for one element after the other, and its StopIteration ends the loop. Here a generator does, in Python: so that whoever goes
through generators goes through these.
"""
from __future__ import annotations

from lantern.staging import library
from lantern.staging.convert import INLINED, REQUESTED
from lantern.staging.generator_functions import FunctionGenerator


def elements_of(values):
    while True:
        try:
            element = next(values)
        except StopIteration:
            break
        yield element


def next_or(values, default):
    try:
        return next(values)
    except StopIteration:
        return default


for _mark in (REQUESTED, INLINED):
    setattr(elements_of, _mark, True)
element_or = library.define(next_or)


class Elements(FunctionGenerator):
    """What goes through an iterator of the user's, which no variable need have: a snapshot (snapshots.py) finds it in `gone_through`."""

    def __init__(self, trace, value):
        trace.ages.young(value)
        super().__init__(trace, elements_of, (value,), {}, trace.at)

    def _hand_on(self, into):
        gone_through = self.trace.generators.gone_through
        gone_through.append(self.arguments[0])
        try:
            super()._hand_on(into)
        finally:
            gone_through.pop()


def elements(trace, value):
    """What goes through an iterator of the user's; None where nothing that only the program knows is reached by it, so that Python may ask."""
    made = Elements(trace, value)
    return None if made.is_python else made
