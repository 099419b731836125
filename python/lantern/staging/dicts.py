"""Dicts and sets whose keys are known only when the program runs: memos, counts, what has been visited.

    memo = {}
    def paths(n):
        if n not in memo:
            memo[n] = …

A dict or set stays Python's, unless a key that only the program knows meets it, or it changes under a staged condition or in a staged loop: then the
trace begins again, and the call, display or comprehension that made it gives one of these (remade.py), whose methods are converted. Its keys and values
are in lists, in the order in which they came, and a hash table finds them (hash_tables.py). A set's order is another one in Python: nobody sees it.
"""
from __future__ import annotations

import collections

from lantern import types
from lantern.dispatch import active_trace
from lantern.staging import instances, merge
from lantern.staging.dict_views import Items, Keys, Values
from lantern.staging.errors import StagingError
from lantern.staging.hash_tables import FIRST_SLOTS, FREE, compacted, is_missing, make_slots
from lantern.staging.shared_elements import lists_in, staged_lists_in
from lantern.staging.tables import Table, checked, convert_methods, new_list, refuse
from lantern.staging.values import Staged


def has_lists(value):
    return any(True for _ in lists_in(value)) or bool(staged_lists_in(value))


def without_elements(value):
    """A value of that type, in which there are other lists, that hold nothing."""
    trace = active_trace()
    if type(value) is list or isinstance(value, Staged) and isinstance(value.type, types.List):
        made = trace.lists.new([])
        element = trace.type_of(value).element
        if not isinstance(element, types.Unknown):
            trace.lists.become_staged(made, element)
        return made
    if isinstance(value, dict):     # it is to be a staged one, too, or cannot stand there
        return trace.type_of(value)
    build, parts = merge.parts_of(instances.unpacked(trace, value)) or (lambda _: value, ())
    return build([without_elements(part) for part in parts])


def is_dict(value):
    return isinstance(value, (dict, StagedDict))


def refuse_other_end():
    raise StagingError("LT0310", "a key is moved to the begin of an OrderedDict whose keys are known only when the program runs", active_trace().place(),
                       "make another dict, which begins with it")


for _function in (has_lists, without_elements, is_dict, refuse_other_end):
    _function.__lantern_takes_lists__ = True


class StagedDict(Table):
    __lantern_class__ = dict

    def __init__(self, *arguments, **named):
        super().__init__()
        self.own_values = new_list(self, "values")
        self.update(*arguments, **named)

    def as_python(self):
        if not self.removed:
            return dict(zip(self.own_keys, self.own_values))
        return {self.own_keys[entry]: self.own_values[entry] for entry in self.there()}

    def __getitem__(self, key):
        entry = self._entry(key)
        if is_missing(entry):
            raise KeyError(key)
        return self.own_values[self._found(key, entry)]

    def __setitem__(self, key, value):
        entry = self._entry(key)
        if has_lists(value):    # which stand in one place of what the trace knows then
            self.own_values[self._found_or_inserted(key, entry, without_elements, value)] = value
        elif is_missing(entry):
            self._insert(key, value)
        else:
            self.own_values[entry] = value

    def _insert(self, key, value):
        """The number of its entry."""
        entry = len(self.own_keys)
        self.own_values.append(value)
        self._insert_key(key)
        return entry

    def _found_or_inserted(self, key, entry, make, *of):
        """The number of the entry of a key, which is inserted with `make(*of)` where it has none."""
        if is_missing(entry):
            entry = self._insert(key, make(*of))
        return self._found(key, entry)

    def __delitem__(self, key):
        if is_missing(self._entry(key)):
            raise KeyError(key)
        self._take_out(key)

    def _compact(self, gone):
        super()._compact(gone)
        self.own_values[:] = compacted(self.own_values, gone)

    def _empty(self):
        super()._empty()
        del self.own_values[0:len(self.own_values)]

    def get(self, key, default=None):
        entry = self._entry(key)
        return default if is_missing(entry) else self.own_values[entry]

    def setdefault(self, key, default=None):
        entry = self._entry(key)
        if is_missing(entry):
            entry = self._insert(key, default)
        return self.own_values[self._found(key, entry)]

    def pop(self, key, *default):
        entry = self._entry(key)
        if is_missing(entry):
            if not default:
                raise KeyError(key)
            return default[0]
        value = self.own_values[entry]
        self._take_out(key)
        return value

    def popitem(self):
        if not self:
            raise KeyError("popitem(): dictionary is empty")
        self.slots[self._last_slot()] = FREE     # which none of the others has gone by
        return self.own_keys.pop(), self.own_values.pop()

    def update(self, other=(), **named):
        for key, value in other.items() if is_dict(other) else other:
            self[key] = value
        for key, value in named.items():
            self[key] = value

    def begin(self, keys, values):
        """What a new one holds of known keys, which are not looked for: no two are equal."""
        size = FIRST_SLOTS
        while 3 * len(keys) > 2 * size:
            size = 2 * size
        for key in keys:
            self.own_keys.append(checked(self, key))
        for value in values:
            self.own_values.append(value)
        self.slots[:] = make_slots(size, self.removed, self.own_keys)

    def set_all(self, keys, value):
        for key in keys:
            self[key] = value

    def copy(self):
        return StagedDict(self)

    def keys(self):
        return Keys(self)

    def values(self):
        return Values(self)

    def items(self):
        return Items(self)

    def __iter__(self):
        for entry in self._entries():
            yield self._key(entry)

    def __reversed__(self):
        for entry in self._entries(True):
            yield self._key(entry)

    def __eq__(self, other):
        if not isinstance(other, dict) or len(self) != len(other):
            return False
        for key, value in self.items():
            if key not in other or other[key] != value:
                return False
        return True

    def __or__(self, other):
        result = self.copy()
        result.update(other)
        return result

    def __ror__(self, other):
        result = StagedDict(other)
        result.update(self)
        return result

    def __ior__(self, other):
        self.update(other)
        return self

    def __repr__(self):
        return "{" + ", ".join([f"{key!r}: {value!r}" for key, value in self.items()]) + "}"


class StagedDefaultDict(StagedDict):
    __lantern_class__ = collections.defaultdict
    __lantern_fixed__ = ("default_factory",)

    def __init__(self, default_factory=None, *arguments, **named):
        self.default_factory = default_factory
        super().__init__(*arguments, **named)

    def __getitem__(self, key):
        if self.default_factory is None:
            return super().__getitem__(key)
        entry = self._entry(key)
        return self.own_values[self._found_or_inserted(key, entry, self.default_factory)]

    def copy(self):
        return StagedDefaultDict(self.default_factory, self)

    def __ror__(self, other):
        result = StagedDefaultDict(self.default_factory, other)
        result.update(self)
        return result

    def as_python(self):
        return collections.defaultdict(self.default_factory, super().as_python())


class StagedOrderedDict(StagedDict):
    __lantern_class__ = collections.OrderedDict

    def move_to_end(self, key, last=True):
        if not last:
            refuse_other_end()
        value = self.pop(key)
        self[key] = value

    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        if last:
            return super().popitem()
        key = next(iter(self))
        return key, self.pop(key)

    def __eq__(self, other):
        return super().__eq__(other) and (not isinstance(other, collections.OrderedDict) or list(self) == list(other))

    def copy(self):
        return StagedOrderedDict(self)

    def __ror__(self, other):
        result = StagedOrderedDict(other)
        result.update(self)
        return result

    def as_python(self):
        return collections.OrderedDict(super().as_python())


# The texts of these name their classes.
for _class in (StagedDefaultDict, StagedOrderedDict):
    refuse(_class, "__repr__")
convert_methods(StagedDict, StagedDefaultDict, StagedOrderedDict)
