"""Python's containers that a trace has read as a whole: a compiled function is staged anew where one holds something else.

    for layer in self.layers: x = layer(x)      `self.layers` is the list that it was (keys.py), and may have got another layer since

An attribute, a global and the item of a key are noted with their values. What goes through a container, compares it, or asks how long it is,
notes it here; and so does what hands something to code that is not converted, which may read all that can be reached from it.
"""
from __future__ import annotations

import array
import collections
import operator
import os
import sys
import types as python_types

from lantern.lazy_numpy import np
from lantern.staging.keys import array_state, key_of, look_up
from lantern.staging.lists import Opaque
from lantern.staging.shared_elements import containers_in
from lantern.staging.snapshots import attributes_of, is_users_class
from lantern.staging.values import Staged

VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
_SEQUENCES = (list, tuple, collections.deque, *VIEWS)
_MAPPINGS = (dict, python_types.MappingProxyType)
_CHANGING = (list, collections.deque, dict, set)
_AROUND_OTHERS = (collections.UserList, collections.UserDict, collections.ChainMap, type(os.environ))      # in their attributes
KINDS = (*_SEQUENCES, *_MAPPINGS, *_AROUND_OTHERS, set, bytearray, array.array, np.ndarray)

_HELD_HERE = [sys.getrefcount(value) for value in {0: []}.values()][0]      # of a value that is held by a dict that is gone through, and by nobody else


class Contents:
    """The containers that one trace has read."""

    def __init__(self, trace):
        self._trace = trace
        self._read = {}     # id → container that is older than the trace
        self._handed = {}   # id → what code that is not converted has got

    def note(self, *values):
        """All that these hold is read now, where they are containers. Of one that another function of the trace has made, what it holds is state
        that the trace of the function at hand relies on."""
        trace = self._trace
        for value in values:
            if type(value) is not Staged and isinstance(value, KINDS):      # which asks a staged value for its class, kind by kind
                self._check(value)
                if not trace.ages.is_made_here(value):
                    self._read[id(value)] = value
                elif trace.frame is not None and not trace.ages.is_young(value) and isinstance(value, _CHANGING):
                    trace.frame.reads.note("contents", value, None, trace.lists.raw(value))

    def _check(self, container):
        """An error if a dict is read that may have changed by another name: nobody but Python says what it holds."""
        if type(container) is dict and self._trace.lists.stale:
            self._trace.lists.check_stale(container)

    def note_key(self, container, key):
        """Whether a dict has a key, and what there is, is read now."""
        from lantern.staging.tables import is_staged_key
        self._check(container)
        if type(container) is not dict or is_staged_key(key):
            self.note(container)
        elif self._trace.frame is not None and not self._trace.ages.is_young(container):
            self._trace.frame.reads.note("item", container, key, look_up("item", container, key))

    def note_length(self, container):
        """How many elements there are is read now, and nothing else."""
        self._check(container)
        if type(container) not in (dict, set) or self._trace.frame is None or self._trace.ages.is_made_here(container):
            self.note(container)
        else:
            self._trace.frame.reads.note("length", container, None, len(container))

    def note_handed(self, *values):
        """Code that is not converted gets these: all that it finds in them is read now."""
        self.note(*values)
        pending, seen = collections.deque(values), {}
        while pending:
            value = pending.popleft()
            if id(value) in seen or not (isinstance(value, KINDS) or _has_attributes(value)):
                continue
            seen[id(value)] = value
            if self._trace.lists.stale:
                for each in containers_in(value):
                    self._check(each)
            if self._trace.ages.is_made_here(value):
                pending.extend(_parts_of(value, True))
            else:
                self._handed[id(value)] = value

    def still_hold(self):
        """A function: whether they, the containers within them, and the objects within what was handed on, hold what they hold now; None if there
        are none."""
        found = {}
        # Lists that nobody else is left to hold, nobody can change. (A view of a dict or an array is no more than a way to it.)
        reachable = [value for value in self._read.values() if type(value) is not list or sys.getrefcount(value) > _HELD_HERE]
        for roots, handed in ((self._handed.values(), True), (reachable, False)):
            pending = collections.deque(roots)
            while pending:
                value = pending.popleft()
                if id(value) not in found:
                    found[id(value)] = value, handed
                    pending.extend(each for each in _parts_of(value, handed) if isinstance(each, KINDS) or handed and _has_attributes(each))
        watched = [(read, value, read(value) if read is _state else list(read(value)))
                   for value, handed in found.values() if not self._is_of_the_trace(value)
                   for read in _reading(value, handed) if not (read is _itself and isinstance(value, tuple))]       # what a tuple holds stays
        return (lambda: all(_is_same(held, read(value)) for read, value, held in watched)) if watched else None

    def _is_of_the_trace(self, value):
        """Whether a container holds what the trace has made: it has made that, too, since nothing of it goes into one that is older."""
        return isinstance(value, (list, tuple)) and any(isinstance(each, (Staged, Opaque)) or isinstance(each, tuple) and self._is_of_the_trace(each) or
                                                        self._trace.ages.is_made_here(each) for each in value)


def _has_attributes(value):
    """Whether a value has attributes that others give it: a class of the user's, an object of one, or one that is for that."""
    return isinstance(value, (*_AROUND_OTHERS, python_types.SimpleNamespace)) or is_users_class(value if isinstance(value, type) else type(value))


def _parts_of(value, handed):
    """What a value holds that may hold something itself."""
    return [each for read in _reading(value, handed) if read not in (_state, _of_class) for each in read(value)]


def _reading(value, handed):
    """The functions that read what a value holds; of one that is handed on, its attributes, too."""
    if isinstance(value, _MAPPINGS):
        found = [_keys, _values]
    elif isinstance(value, (*_SEQUENCES, set)):
        found = [_itself]
    else:
        found = [_state] if isinstance(value, KINDS) and not isinstance(value, _AROUND_OTHERS) else []
    return [*found, _attributes, _of_class] if isinstance(value, _AROUND_OTHERS) or handed and _has_attributes(value) else found


def _itself(value):
    return value


def _keys(value):
    return value.keys()


def _values(value):
    return value.values()


def _attributes(value):
    found = {} if isinstance(value, type) else attributes_of(value)
    return [*found, *found.values()]


def _of_class(value):
    """The attributes of its class, or its own, where it is one: whatever these hold is taken to stay."""
    found = [vars(cls) for cls in (value if isinstance(value, type) else type(value)).__mro__ if is_users_class(cls)]
    return [each for members in found for each in (*members, *members.values())]


def _state(value):
    return array_state(value, whole=True) if isinstance(value, np.ndarray) else bytes(value)


def _is_same(before, now):
    if not isinstance(before, list):
        return before == now
    return len(before) == len(now) and (all(map(operator.is_, before, now)) or all(a is b or key_of(a) == key_of(b) for a, b in zip(before, now)))
