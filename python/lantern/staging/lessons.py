"""What a trace learns of how something is to be staged: that a dict is one of the program, say. It was traced in another way by then, so that
all is traced again.

Where that can be, the trace goes on from there, to learn what else there is: a program of thirty dicts would be traced thirty times otherwise.
It is no program any more, and what it comes to is dropped. A container of Python's that has met what only the program knows is unsettled from
there on: what is put into it is left out, and what is read of it is a value of which nothing is known.
"""
from __future__ import annotations

import contextlib

from lantern import types
from lantern.staging.empties import ANYTHING
from lantern.staging.text import Symbol
from lantern.staging.values import Staged

_CHANGES = frozenset((
    "__setitem__", "__delitem__", "add", "append", "appendleft", "clear", "difference_update", "discard", "extend", "extendleft", "insert",
    "intersection_update", "move_to_end", "remove", "rotate", "subtract", "symmetric_difference_update", "update"))
_TRUTHS = frozenset((
    "__bool__", "__contains__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "isdisjoint", "issubset", "issuperset"))
_IN_PLACE = frozenset(("__ior__", "__iand__", "__ixor__", "__isub__", "__iadd__", "__imul__"))


class Lessons:
    """Those of one trace, by all that learn."""

    def __init__(self, trace):
        self._trace = trace
        self.are_new = False    # whether something has been learned since the trace began
        self._are_left = False  # whether an error is one only where somebody reads a variable

    def begin(self):
        self.are_new, self._trace.choices = False, {}
        self._trace.lists.boxes.begin()
        self._trace.lists.remade.begin()

    def learn(self, error):
        """Whether an error is not there any more in a trace that begins again."""
        trace = self._trace
        learned = any([each.learn(error) for each in (trace.lists.boxes, trace.lists.remade, trace.views, trace.unbound, trace.caches, trace.specialisations)])
        learned = learned or trace.unchanged.learn(error) or trace.numbered.learn(error)
        self.are_new = self.are_new or learned
        return learned

    def take(self, error):
        """The trace goes on behind an error that is not there any more once it begins again; any other is raised."""
        if self._are_left or not self.learn(error):
            raise error

    def are_open(self, operands):
        """Whether one of these may be what an unsettled container has given, or made of that."""
        return self.are_new and any(isinstance(each, Staged) and each.type is None or isinstance(each, tuple) and self.are_open(each)
                                    for each in operands)

    @contextlib.contextmanager
    def left(self):
        """Meanwhile errors are raised, and whoever catches them may keep them."""
        before, self._are_left = self._are_left, True
        try:
            yield
        finally:
            self._are_left = before

    def anything(self, type_=ANYTHING):
        """A value of which nothing is known, or its type alone."""
        return self._trace.bind((Symbol("undefined"), Symbol("f64")), type_)

    def asked(self, container, name):
        """What a method of an unsettled container gives."""
        if name in _CHANGES:
            return None
        if name in _IN_PLACE:
            return container
        return self.anything(types.bool_ if name in _TRUTHS else types.i64 if name == "__len__" else ANYTHING)
