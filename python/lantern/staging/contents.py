"""Python's containers that a trace has read as a whole: a compiled function is staged anew where one holds something else.

    for layer in self.layers: x = layer(x)      `self.layers` is the list that it was (keys.py), and may have got another layer since

An attribute, a global and the item of a key are noted with their values. What goes through a container, compares it, asks how long it is, or
hands it to code that is not converted, notes it here.
"""
from __future__ import annotations

import array
import collections
import operator

import numpy as np

from lantern.staging.effects import elements_of
from lantern.staging.keys import array_state, key_of, look_up
from lantern.staging.values import Staged

_SEQUENCES = (list, tuple, collections.deque)
_CHANGING = (list, collections.deque, dict, set)
_KINDS = (*_SEQUENCES, dict, set, bytearray, array.array, np.ndarray)


class Contents:
    """The containers that one trace has read."""

    def __init__(self, trace):
        self._trace = trace
        self._read = {}     # id → container that is older than the trace

    def note(self, *values):
        """All that these hold is read now, where they are containers. Of one that another function of the trace has made, what it holds is state
        that the trace of the function at hand relies on."""
        trace = self._trace
        for value in values:
            if isinstance(value, _KINDS):
                if not trace.ages.is_made_here(value):
                    self._read[id(value)] = value
                elif trace.frame is not None and not trace.ages.is_young(value) and isinstance(value, _CHANGING):
                    trace.frame.reads.note("contents", value, None, trace.lists.raw(value))

    def note_key(self, container, key):
        """Whether a dict has a key, and what there is, is read now."""
        if type(container) is not dict or isinstance(key, Staged):
            self.note(container)
        elif not self._trace.ages.is_young(container):
            self._trace.frame.reads.note("item", container, key, look_up("item", container, key))

    def still_hold(self):
        """A function: whether they and the containers within them hold what they hold now; None if there are none."""
        found, pending = {}, collections.deque(self._read.values())
        while pending:
            value = pending.popleft()
            if id(value) not in found:
                found[id(value)] = value
                pending.extend(each for each in elements_of(value) if isinstance(each, _KINDS))
        watched = [(value, _held(value)) for value in found.values() if not isinstance(value, tuple)]
        return (lambda: all(_is_same(held, _held(value)) for value, held in watched)) if watched else None


def _held(value):
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, _SEQUENCES):
        return list(value)
    return array_state(value, whole=True) if isinstance(value, np.ndarray) else frozenset(value) if isinstance(value, set) else bytes(value)


def _is_same(before, now):
    if not isinstance(before, list):
        return before == now
    return len(before) == len(now) and (all(map(operator.is_, before, now)) or all(a is b or key_of(a) == key_of(b) for a, b in zip(before, now)))
