"""`collections.deque` of what is known only when the program runs: a queue of a search, the stack of a parser.

A deque stays Python's, unless it changes under a staged condition or in a staged loop: then the trace begins again, and the call that made it gives a
StagedDeque, whose methods are converted. It is a list, and the place in it where the deque begins.
"""
from __future__ import annotations

import collections

from lantern.dispatch import active_trace
from lantern.staging import iterables
from lantern.staging.convert import INLINED, REQUESTED

_MANY = 1000        # elements in front of a deque that are not given back


def held(list_):
    """What a list of the program holds."""
    return active_trace().lists.raw(list_)


def holds_others(list_, before):
    """Whether it may have got or lost elements since it held that."""
    return not active_trace().lists.kept_depth(held(list_), before)


def watched(sequence, list_):
    """What goes over a list's elements by places, while the list does not change."""
    if isinstance(sequence, iterables.Indexed):
        sequence.sources += iterables.sources_of(active_trace(), list_)
    return sequence


held.__lantern_takes_lists__ = holds_others.__lantern_takes_lists__ = watched.__lantern_takes_lists__ = True


class StagedDeque:
    __lantern_class__ = collections.deque
    __lantern_fixed__ = ("maxlen",)
    __lantern_loop__ = "gone_through"

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
        for x in list(iterable) if isinstance(iterable, collections.deque) else iterable:
            self.append(x)

    def extendleft(self, iterable):
        for x in list(iterable) if isinstance(iterable, collections.deque) else iterable:
            self.appendleft(x)

    def insert(self, place, x):
        size = len(self)
        if self.maxlen is not None and size >= self.maxlen:
            raise IndexError("deque already at its maximum size")
        self.items.insert(self.first[0] + max(0, min(place + size if place < 0 else place, size)), x)

    def remove(self, x):
        place = self.first[0] + self.index(x)
        del self.items[place]

    def rotate(self, n=1):
        if len(self) > 0:
            for _ in range(-n % len(self)):
                self.append(self.popleft())

    def reverse(self):
        backwards = self.items[self.first[0]:][::-1]
        self.clear()
        self.items.extend(backwards)

    def clear(self):
        self.items.clear()
        self.first[0] = 0

    def copy(self):
        return StagedDeque(self.items[self.first[0]:], self.maxlen)

    def count(self, x):
        return self.items[self.first[0]:].count(x)

    def index(self, x):
        for place in range(self.first[0], len(self.items)):
            if self.items[place] == x:
                return place - self.first[0]
        raise ValueError(f"{x!r} is not in deque")

    def __eq__(self, other):
        return isinstance(other, collections.deque) and list(self) == list(other)

    __hash__ = None

    def __lt__(self, other):
        return list(self) < list(other) if isinstance(other, collections.deque) else NotImplemented

    def __le__(self, other):
        return list(self) <= list(other) if isinstance(other, collections.deque) else NotImplemented

    def __gt__(self, other):
        return list(self) > list(other) if isinstance(other, collections.deque) else NotImplemented

    def __ge__(self, other):
        return list(self) >= list(other) if isinstance(other, collections.deque) else NotImplemented

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __len__(self):
        return len(self.items) - self.first[0]

    def __iter__(self):
        return iter(self._elements())

    def gone_through(self):
        """What a loop goes over, as long as no element comes or goes."""
        for x in self._elements():
            size, first, before = len(self.items), self.first[0], held(self.items)
            yield x
            if holds_others(self.items, before) and (len(self.items) != size or self.first[0] != first):
                raise RuntimeError("deque mutated during iteration")

    def _elements(self):
        return [self.items[place] for place in range(self.first[0], len(self.items))]     # no slice: what they are may not be known so far

    def __reversed__(self):
        return watched(reversed(self._elements()), self.items)

    def __contains__(self, x):
        return x in self.items[self.first[0]:]

    def __getitem__(self, place):
        return self.items[self._place(place)]

    def __setitem__(self, place, x):
        self.items[self._place(place)] = x

    def __delitem__(self, place):
        del self.items[self._place(place)]

    def _place(self, place):
        size = len(self)
        if place < -size or place >= size:
            raise IndexError("deque index out of range")
        return self.first[0] + (place + size if place < 0 else place)

    def as_python(self):
        """What a compiled function gives."""
        return collections.deque(self.items[self.first[0]:], self.maxlen)

    def __repr__(self):
        items = self.items[self.first[0]:]
        return f"deque({items})" if self.maxlen is None else f"deque({items}, maxlen={self.maxlen})"


setattr(StagedDeque, REQUESTED, True)
for _method in vars(StagedDeque).copy().values():
    if hasattr(_method, "__code__"):
        setattr(_method, REQUESTED, True)
for _method in (StagedDeque.__iter__, StagedDeque.__reversed__, StagedDeque.gone_through):      # what they give goes through a list that is made there
    setattr(_method, INLINED, True)
