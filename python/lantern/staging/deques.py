"""`collections.deque` of what is known only when the program runs: a queue of a search, the stack of a parser.

A deque stays Python's, unless it changes under a staged condition or in a staged loop: then the trace begins again, and the call that made it gives a
StagedDeque, whose methods are converted. It is a list, and the place in it where the deque begins.
"""
from __future__ import annotations

import collections

from lantern.staging.convert import REQUESTED
from lantern.staging.errors import StagingError
from lantern.staging.iterables import is_staged
from lantern.staging.values import Staged

_MANY = 1000        # elements in front of a deque that are not given back


class StagedDeque:
    def __init__(self, iterable=(), maxlen=None):
        if maxlen is not None and maxlen < 0:
            raise ValueError("maxlen must be non-negative")
        self.items, self.first, self.maxlen = list(iterable), [0], maxlen
        while maxlen is not None and len(self.items) - self.first[0] > maxlen:
            self.first[0] += 1

    def append(self, x):
        self.items.append(x)
        if self.maxlen is not None and len(self) > self.maxlen:
            self.first[0] += 1

    def appendleft(self, x):
        if self.first[0] > 0:
            self.first[0] -= 1
            self.items[self.first[0]] = x
        else:
            self.items.insert(0, x)
        if self.maxlen is not None and len(self) > self.maxlen:
            self.items.pop()

    def pop(self):
        if len(self) == 0:
            raise IndexError("pop from an empty deque")
        return self.items.pop()

    def popleft(self):
        if len(self) == 0:
            raise IndexError("pop from an empty deque")
        first = self.first[0]
        result = self.items[first]
        self.first[0] = first + 1
        if first > _MANY and 2 * first > len(self.items):
            del self.items[:first + 1]
            self.first[0] = 0
        return result

    def extend(self, iterable):
        for x in iterable:
            self.append(x)

    def extendleft(self, iterable):
        for x in iterable:
            self.appendleft(x)

    def clear(self):
        self.items.clear()
        self.first[0] = 0

    def copy(self):
        return StagedDeque(self.items[self.first[0]:], self.maxlen)

    def count(self, x):
        return self.items[self.first[0]:].count(x)

    def __len__(self):
        return len(self.items) - self.first[0]

    def __iter__(self):
        return iter(self.items[self.first[0]:])

    def __contains__(self, x):
        return x in self.items[self.first[0]:]

    def __getitem__(self, place):
        return self.items[self._place(place)]

    def __setitem__(self, place, x):
        self.items[self._place(place)] = x

    def _place(self, place):
        size = len(self)
        if place < -size or place >= size:
            raise IndexError("deque index out of range")
        return self.first[0] + (place + size if place < 0 else place)

    def __repr__(self):
        items = self.items[self.first[0]:]
        return f"deque({items})" if self.maxlen is None else f"deque({items}, maxlen={self.maxlen})"


setattr(StagedDeque, REQUESTED, True)
for _method in vars(StagedDeque).copy().values():
    if hasattr(_method, "__code__"):
        setattr(_method, REQUESTED, True)


class Deques:
    """The deques that calls have given while the program is staged."""

    def __init__(self, trace):
        self._trace = trace
        self._made = {}         # id → (deque, place of the call)
        self._staged = set()    # the places of calls that give staged ones

    def is_staged(self, at):
        """Whether the call here is to give a staged one."""
        return self._trace.place(at) in self._staged

    def made(self, value, at):
        self._made[id(value)] = value, self._trace.place(at)
        return value

    def place_of(self, value):
        """Where a deque was made; None of one that is older than the trace."""
        return self._made.get(id(value), (None, None))[1] if type(value) is collections.deque else None

    def check_known(self, value, operands, at):
        """An error, which has the trace begin again, if what is known only when the program runs meets a deque of Python's."""
        place = self.place_of(value)
        if place is not None and any(isinstance(operand, Staged) or is_staged(operand) for operand in operands):
            error = StagingError("LT0305", "a deque of Python's meets what is known only when the program runs", self._trace.place(at),
                                 "use a list, with append and pop(0)")
            error.deque = place
            raise error

    def learn(self, error):
        """Whether an error is not there any more once the deque that it is of is a staged one."""
        place = getattr(error, "deque", None)
        if place is None or place in self._staged:
            return False
        self._staged.add(place)
        self._made.clear()
        return True
