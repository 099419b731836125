"""Counters whose keys are known only when the program runs: dicts (dicts.py) that count."""
from __future__ import annotations

import collections
import sys

from lantern.staging.dicts import StagedDict
from lantern.staging.tables import convert_methods, refuse


class StagedCounter(StagedDict):
    __lantern_class__ = collections.Counter

    def __getitem__(self, key):
        return self.get(key, 0)

    def __delitem__(self, key):
        if key in self:
            super().__delitem__(key)

    def update(self, other=(), **named):
        if isinstance(other, dict):
            for key, count in other.items():
                self[key] += count
        else:
            for key in other:
                self[key] += 1
        for key, count in named.items():
            self[key] += count

    def subtract(self, other=(), **named):
        if isinstance(other, dict):
            for key, count in other.items():
                self[key] -= count
        else:
            for key in other:
                self[key] -= 1
        for key, count in named.items():
            self[key] -= count

    def most_common(self, n=None):
        ordered = sorted(self.items(), key=lambda item: item[1], reverse=True)
        return ordered if n is None else ordered[:max(n, 0)]

    def elements(self):
        for key, count in self.items():
            for _ in range(count):
                yield key

    def total(self):
        return sum(self.values())

    def copy(self):
        return StagedCounter(self)

    def as_python(self):
        return collections.Counter(super().as_python())

    def _positive(self):
        for key in [key for key, count in self.items() if not count > 0]:
            del self[key]
        return self

    def __add__(self, other):
        if not isinstance(other, collections.Counter):
            return NotImplemented
        result = StagedCounter()
        for key, count in self.items():
            if count + other[key] > 0:
                result[key] = count + other[key]
        for key, count in other.items():
            if key not in self and count > 0:
                result[key] = count
        return result

    def __sub__(self, other):
        if not isinstance(other, collections.Counter):
            return NotImplemented
        result = StagedCounter()
        for key, count in self.items():
            if count - other[key] > 0:
                result[key] = count - other[key]
        for key, count in other.items():
            if key not in self and count < 0:
                result[key] = 0 - count
        return result

    def __or__(self, other):
        if not isinstance(other, collections.Counter):
            return NotImplemented
        result = StagedCounter()
        for key, count in self.items():
            larger = other[key] if count < other[key] else count
            if larger > 0:
                result[key] = larger
        for key, count in other.items():
            if key not in self and count > 0:
                result[key] = count
        return result

    def __and__(self, other):
        if not isinstance(other, collections.Counter):
            return NotImplemented
        result = StagedCounter()
        for key, count in self.items():
            smaller = count if count < other[key] else other[key]
            if smaller > 0:
                result[key] = smaller
        return result

    def __radd__(self, other):
        return StagedCounter(other) + self if isinstance(other, collections.Counter) else NotImplemented

    def __rsub__(self, other):
        return StagedCounter(other) - self if isinstance(other, collections.Counter) else NotImplemented

    def __ror__(self, other):
        return StagedCounter(other) | self if isinstance(other, collections.Counter) else super().__ror__(other)

    def __rand__(self, other):
        return StagedCounter(other) & self if isinstance(other, collections.Counter) else NotImplemented

    def __pos__(self):
        return self.copy()._positive()

    def __neg__(self):
        result = StagedCounter()
        for key, count in self.items():
            if count < 0:
                result[key] = 0 - count
        return result

    def __iadd__(self, other):
        for key, count in other.items():
            self[key] += count
        return self._positive()

    def __isub__(self, other):
        for key, count in other.items():
            self[key] -= count
        return self._positive()

    def __ior__(self, other):
        for key, count in other.items():
            if count > self[key]:
                self[key] = count
        return self._positive()

    def __iand__(self, other):
        for key, count in self.items():
            if other[key] < count:
                self[key] = other[key]
        return self._positive()

    if sys.version_info >= (3, 10):     # what is not there counts 0

        def __eq__(self, other):
            if not isinstance(other, collections.Counter):
                return super().__eq__(other)
            for key, count in self.items():
                if other[key] != count:
                    return False
            for key, count in other.items():
                if self[key] != count:
                    return False
            return True


# A text of a Counter names its class, and has the most common first.
refuse(StagedCounter, "__repr__", "__le__", "__lt__", "__ge__", "__gt__")
convert_methods(StagedCounter)
