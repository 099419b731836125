"""`functools.cmp_to_key` in Python: that of CPython makes keys which only its own code compares."""
from __future__ import annotations

from lantern.staging.convert import INLINED, REQUESTED


def cmp_to_key(mycmp):
    class Key:
        def __init__(self, value):
            self.value = value

        def __lt__(self, other):
            return mycmp(self.value, other.value) < 0

    for made in Key, Key.__init__, Key.__lt__:
        setattr(made, REQUESTED, True)
        setattr(made, INLINED, True)
    return Key


for _mark in (REQUESTED, INLINED):
    setattr(cmp_to_key, _mark, True)
