"""What `keys`, `values` and `items` of dicts give whose keys are known only when the program runs (dicts.py)."""
from __future__ import annotations

from lantern.staging import iterables
from lantern.staging.sets import StagedSet
from lantern.staging.tables import convert_methods, refuse

_KEYS = type({}.keys())


class View:
    def __init__(self, of):
        self.of = of

    def __len__(self):
        return len(self.of)


class Keys(View):
    __lantern_class__ = _KEYS

    def __iter__(self):
        for entry in self.of._entries():
            yield self.of._key(entry)

    def __reversed__(self):
        for entry in self.of._entries(True):
            yield self.of._key(entry)

    def __contains__(self, key):
        return key in self.of

    def isdisjoint(self, other):
        return StagedSet(self).isdisjoint(other)

    def __and__(self, other):
        return StagedSet(self).intersection(other)

    def __rand__(self, other):
        return StagedSet(self).intersection(other)

    def __or__(self, other):
        return StagedSet(self).union(other)

    def __ror__(self, other):
        return StagedSet(self).union(other)

    def __sub__(self, other):
        return StagedSet(self).difference(other)

    def __rsub__(self, other):
        return StagedSet(other).difference(self)

    def __xor__(self, other):
        return StagedSet(self).symmetric_difference(other)

    def __rxor__(self, other):
        return StagedSet(self).symmetric_difference(other)

    def __eq__(self, other):
        return is_like_set(other) and StagedSet(self) == StagedSet(other)

    def __le__(self, other):
        return StagedSet(self) <= StagedSet(other) if is_like_set(other) else NotImplemented

    def __lt__(self, other):
        return StagedSet(self) < StagedSet(other) if is_like_set(other) else NotImplemented

    def __ge__(self, other):
        return StagedSet(self) >= StagedSet(other) if is_like_set(other) else NotImplemented

    def __gt__(self, other):
        return StagedSet(self) > StagedSet(other) if is_like_set(other) else NotImplemented


class Values(View):
    __lantern_class__ = type({}.values())

    def __iter__(self):
        for entry in self.of._entries():
            yield self.of.own_values[entry]

    def __reversed__(self):
        for entry in self.of._entries(True):
            yield self.of.own_values[entry]


class Items(View):
    __lantern_class__ = type({}.items())

    def __iter__(self):
        for entry in self.of._entries():
            yield self.of._key(entry), self.of.own_values[entry]

    def __reversed__(self):
        for entry in self.of._entries(True):
            yield self.of._key(entry), self.of.own_values[entry]

    def __contains__(self, item):
        key, value = item
        return key in self.of and self.of[key] == value


def is_like_set(value):
    """Whether keys are compared with it as sets are."""
    return isinstance(value, (set, frozenset, StagedSet, Keys, _KEYS))


def in_places(trace, value):
    """What a dict, or a view, gives, by places, for who goes through several of these together, and has not changed meanwhile what it is made of."""
    from lantern.staging.calls import call
    sequence = iterables.indexed(trace, call(trace, list, (value,), {}, trace.at))
    of = value.of if isinstance(value, View) else value
    read = (of.own_keys, of.removed, *([of.own_values] if isinstance(value, (Values, Items)) else []))
    return iterables.Indexed(sequence.length, sequence.get, [source for list_ in read for source in iterables.sources_of(trace, list_)])


is_like_set.__lantern_takes_lists__ = True

for _class in (Keys, Values, Items):
    refuse(_class, "__repr__")
refuse(Items, "__eq__", "__le__", "__lt__", "__ge__", "__gt__")     # which are sets in that
convert_methods(View, Keys, Values, Items)
