"""Dicts, sets and caches whose keys are told apart by identity.

Code objects are keys of these: two that are equal, as are those of a function that is defined twice, take Python twice as long to compare for each
function that is nested in another, and converted code nests one for each `elif`.
"""
from __future__ import annotations

import collections.abc
import functools


class IdentityDict(collections.abc.MutableMapping):
    """A dict by the identity of its keys, which it keeps."""

    def __init__(self):
        self._held = {}     # id of a key → (key, value)

    def __getitem__(self, key):
        return self._held[id(key)][1]

    def __setitem__(self, key, value):
        self._held[id(key)] = key, value

    def __delitem__(self, key):
        del self._held[id(key)]

    def __contains__(self, key):
        return id(key) in self._held

    def __iter__(self):
        return (key for key, _ in self._held.values())

    def __len__(self):
        return len(self._held)


class IdentitySet(collections.abc.MutableSet):
    """A set by the identity of its elements, which it keeps."""

    def __init__(self):
        self._held = {}     # id of an element → it

    def __contains__(self, element):
        return id(element) in self._held

    def __iter__(self):
        return iter(self._held.values())

    def __len__(self):
        return len(self._held)

    def add(self, element):
        self._held[id(element)] = element

    def discard(self, element):
        self._held.pop(id(element), None)


def cached_by_identity(function):
    """What a function of one object gives is kept, with the object."""
    kept = {}       # id of the object → (it, what the function gives)

    @functools.wraps(function)
    def cached(of):
        known = kept.get(id(of))
        if known is None:
            known = kept[id(of)] = of, function(of)
        return known[1]

    return cached
