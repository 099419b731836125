"""Sets whose elements are known only when the program runs: the keys of a dict without values (dicts.py).

In Python a set has the order of its hash table. Here nobody is told one: `sorted`, `sum`, `len` and the like do without.
"""
from __future__ import annotations

from lantern import types
from lantern.dispatch import active_trace
from lantern.staging import merge
from lantern.staging.convert import REQUESTED
from lantern.staging.errors import StagingError
from lantern.staging.tables import Table, convert_methods


class StagedSet(Table):
    __lantern_class__ = set

    def __init__(self, iterable=()):
        super().__init__()
        self.update(iterable)

    def as_python(self):
        return {self.own_keys[entry] for entry in self.there()}

    def refuse(self, what, hint="go through sorted(…)"):
        raise StagingError("LT0310", f"{what}, whose order is that of Python's hash table", active_trace().place(), hint)

    def __iter__(self):
        self.refuse("a set is gone through")

    def __repr__(self):
        self.refuse("text is made of a set")

    def adds_in_order(self):
        """Whether its sum depends on the order: of whole numbers it does not."""
        element = self.element()
        return not isinstance(element, types.Unknown) and element not in (types.i64, types.bool_)

    def has_floats(self):
        pending = [self.element()]
        while pending:
            type_ = pending.pop()
            if type_ == types.f64:
                return True
            pending.extend(type_.elements if isinstance(type_, types.Tuple) else ())
        return False

    def element(self):
        """The type of its members."""
        return active_trace().type_of(self.own_keys).element

    def members(self):
        """A list of them, for what does not tell their order."""
        return [self.own_keys[entry] for entry in self._entries()]

    def add(self, key):
        if self._entry(key) < 0:
            self._insert_key(key)

    def discard(self, key):
        if self._entry(key) >= 0:
            self._take_out(key)

    def remove(self, key):
        if self._entry(key) < 0:
            raise KeyError(key)
        self._take_out(key)

    def update(self, *others):
        for other in others:
            for key in members_of(other):
                self.add(key)

    def difference_update(self, *others):
        for other in others:
            for key in members_of(other):
                self.discard(key)

    def intersection_update(self, *others):
        for other in others:
            if self.has_floats() and (not is_set(other) or len(other) <= len(self)):    # of 0.0 and -0.0, which are equal, Python keeps the smaller set's
                common = [key for key in members_of(other) if key in self]
                self.clear()
                self.update(common)
            else:
                kept = as_set(other)
                for key in self.members():
                    if key not in kept:
                        self.discard(key)

    def symmetric_difference_update(self, other):
        for key in members_of(StagedSet(other)):
            if key in self:
                self.discard(key)
            else:
                self.add(key)

    def copy(self):
        return StagedSet(self)

    def union(self, *others):
        result = self.copy()
        result.update(*others)
        return result

    def intersection(self, *others):
        result = self.copy()
        result.intersection_update(*others)
        return result

    def difference(self, *others):
        result = self.copy()
        result.difference_update(*others)
        return result

    def symmetric_difference(self, other):
        result = self.copy()
        result.symmetric_difference_update(other)
        return result

    def issubset(self, other):
        others = as_set(other)
        return all([key in others for key in self.members()])

    def issuperset(self, other):
        return all([key in self for key in members_of(other)])

    def isdisjoint(self, other):
        return not any([key in self for key in members_of(other)])

    def __or__(self, other):
        return self.union(other) if is_set(other) else NotImplemented

    def __ror__(self, other):
        return self.union(other) if is_set(other) else NotImplemented

    def __and__(self, other):
        return self.intersection(other) if is_set(other) else NotImplemented

    def __rand__(self, other):
        return self.intersection(other) if is_set(other) else NotImplemented

    def __sub__(self, other):
        return self.difference(other) if is_set(other) else NotImplemented

    def __rsub__(self, other):
        return StagedSet(other).difference(self) if is_set(other) else NotImplemented

    def __xor__(self, other):
        return self.symmetric_difference(other) if is_set(other) else NotImplemented

    def __rxor__(self, other):
        return self.symmetric_difference(other) if is_set(other) else NotImplemented

    def __ior__(self, other):
        if not is_set(other):
            return NotImplemented
        self.update(other)
        return self

    def __iand__(self, other):
        if not is_set(other):
            return NotImplemented
        self.intersection_update(other)
        return self

    def __isub__(self, other):
        if not is_set(other):
            return NotImplemented
        self.difference_update(other)
        return self

    def __ixor__(self, other):
        if not is_set(other):
            return NotImplemented
        self.symmetric_difference_update(other)
        return self

    def __eq__(self, other):
        return is_set(other) and len(self) == len(other) and self.issubset(other)

    def __le__(self, other):
        return self.issubset(other) if is_set(other) else NotImplemented

    def __ge__(self, other):
        return self.issuperset(other) if is_set(other) else NotImplemented

    def __lt__(self, other):
        return len(self) < len(other) and self.issubset(other) if is_set(other) else NotImplemented

    def __gt__(self, other):
        return len(self) > len(other) and self.issuperset(other) if is_set(other) else NotImplemented


def is_set(value):
    return isinstance(value, (set, frozenset))


def as_set(iterable):
    """Something that keys are looked for in, as often as one likes."""
    return StagedSet(iterable) if is_of_program(iterable) else iterable


def members_of(iterable):
    """What a set is made of, or gets: of another one, all members."""
    return iterable.members() if isinstance(iterable, set) and hasattr(iterable, "members") else iterable


def is_of_program(iterable):
    """Whether what is gone through is known only when the program runs, or may be gone through but once."""
    return not isinstance(iterable, (set, frozenset, StagedSet, dict, range, tuple)) and not (type(iterable) is list and merge.staged_list(iterable) is None)


is_of_program.__lantern_takes_lists__ = True
convert_methods(StagedSet)
for _function in (is_set, as_set, members_of):
    setattr(_function, REQUESTED, True)
