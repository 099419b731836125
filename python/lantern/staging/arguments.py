"""The arguments of a call that staged values reach: which are staged, which are known, and the call with formals in their place."""
from __future__ import annotations

import inspect

from lantern.staging import merge
from lantern.staging.values import Staged


def bind(function, arguments, keywords):
    """The arguments by parameter, defaults included. Raises TypeError as the call would."""
    try:
        bound = inspect.signature(function).bind(*arguments, **keywords)
    except TypeError as error:
        raise TypeError(f"{function.__qualname__}() {error}") from None
    bound.apply_defaults()
    return bound


def flatten(bound, forced=()):
    """([(path, staged value)], [(path, static value)]) of bound arguments, through tuples, lists and dicts.

    forced: paths of numbers that are staged.
    """
    staged, statics = [], []
    pending = [((name,), value) for name, value in reversed(bound.arguments.items())]
    while pending:
        path, value = pending.pop()
        if isinstance(value, Staged) or path in forced:
            staged.append((path, value))
            continue
        parts = merge.parts_of(value)
        if parts is None or not _worth_opening(value):
            statics.append((path, value))
            continue
        keys = list(value) if isinstance(value, dict) else range(len(parts[1]))
        statics.append(((*path, "form"), (type(value).__name__, *map(str, keys))))
        pending.extend(((*path, key), part) for key, part in reversed(list(zip(keys, parts[1]))))
    return staged, statics


def _worth_opening(value):
    """Large containers without staged values are one static value."""
    return len(value) <= 100 or holds_staged(value)


def call_bound(converted, bound, made):
    """Calls `converted` with the formals in the place of the staged arguments."""
    by_path = {formal.path: formal.staged for formal in made.formals}

    def replaced(path, value):
        if path in by_path:
            return by_path[path]
        parts = merge.parts_of(value)
        if parts is None or not any(p[:len(path)] == path for p in by_path):
            return value
        keys = list(value) if isinstance(value, dict) else range(len(parts[1]))
        return parts[0]([replaced((*path, key), part) for key, part in zip(keys, parts[1])])

    signature = inspect.BoundArguments(bound.signature, {n: replaced((n,), v) for n, v in bound.arguments.items()})
    return converted(*signature.args, **signature.kwargs)


def holds_staged(value):
    """Whether a staged value, or a read of a global, is somewhere in tuples, lists and dicts."""
    pending = [value]
    while pending:
        value = pending.pop()
        if isinstance(value, Staged):
            return True
        parts = merge.parts_of(value)
        if parts is not None:
            pending.extend(parts[1])
    return False
