"""Keys that may be None, of dicts that have no such key:

    while last is not None: last = back[last]
    total += value[b] if b in value else cost.get(b, 1.0)

Whether one is None is asked when the program runs: `d[None]` is a KeyError, `None in d` is False, and `d.get(None, x)` is x.
"""
from __future__ import annotations

import collections
import copy

from lantern.staging import perhaps_none
from lantern.staging.tables import Table

_PYTHONS = dict, collections.OrderedDict, collections.defaultdict, collections.Counter


def example(value):
    """A dict which does with None what `value` does; None of what is no dict."""
    if isinstance(value, Table) and hasattr(value, "own_values"):
        return collections.defaultdict(int) if getattr(value, "default_factory", None) is not None else value.__lantern_class__()
    return copy.copy(value) if type(value) in _PYTHONS else None


def is_looked_up(function, arguments):
    """Whether a function is `get` of a dict without the key None, and is given a key that may be None."""
    of = getattr(function, "__self__", None)
    return getattr(function, "__name__", None) == "get" and 0 < len(arguments) < 3 and type(arguments[0]) is perhaps_none.PerhapsNone \
        and (own := example(of)) is not None and None not in own


def look_up(trace, function, key, default=None, *, at):
    """`d.get(key, default)`."""
    from lantern.operators_control import if_exp
    from lantern.staging.calls import call
    return if_exp(key.missing, lambda: default, lambda: call(trace, function, (key.value, default), {}, at), at)()
