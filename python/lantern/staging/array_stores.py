"""`a[i] = v` and `a += v` of arrays: in NumPy they change memory; in the program the variable `a` gets a new array.

What else may share the memory is not read as it was (memories.py). What `a += v` stores has the shape and the dtype of `a`.
"""
from __future__ import annotations

import numpy as np

from lantern import items, ops, types
from lantern.staging.errors import StagingError
from lantern.staging.values import Staged


def is_array(value):
    """Whether a value is a staged array that can be changed: one of rank 0 is a number."""
    return isinstance(value, Staged) and isinstance(value.type, types.TensorType) and bool(value.type.dims)


def set_item(trace, target, key, value):
    """`target[key] = value`: the new value of the variable."""
    result = items.set_(target, key, value)
    return _written(trace, target, result, f"an item of {target.shown()} is set")


def in_place(trace, symbol, target, value, operation):
    """`target op= value`: the new value of the variable. operation: `target op value`."""
    return _written(trace, target, stored(symbol, target, value, operation), f"{target.shown()} is changed by {symbol}=")


def _written(trace, target, result, what):
    trace.memories.write(target, what)
    if result.hint is None:
        result.hint = target.hint
    return result


def stored(symbol, target, value, operation):
    """What NumPy puts into the memory of `target`."""
    if symbol != "@":
        if items.rank(value) > items.rank(target):
            raise ValueError(f"an array of {items.rank(value)} axes is put into one of {items.rank(target)} by {symbol}=")
        items.check_fits(value, target)
    result = operation()
    if symbol == "@" and result.type != target.type:
        raise StagingError("LT0310", f"{target.shown()}, of type {types.annotation(target.type)}, is changed by @= to {types.annotation(result.type)}", None,
                           "write a = a @ b, which makes a new array")
    if result.type.dtype == target.type.dtype:
        return result
    own, given = map(types.numpy_dtype, (target.type.dtype, result.type.dtype))
    if not np.can_cast(given, own, "same_kind"):
        raise TypeError(f"{symbol}= gives {given}, which an array of {own} does not take")
    return ops.cast(result, target.type.dtype)


def refuse_numpys(trace, target, at):
    """An array of NumPy's that is known while staging cannot hold what is known only when the program runs."""
    raise StagingError("LT0310", "a NumPy array, made while the program is staged, is to hold what is known only when the program runs",
                       trace.place(at), "make it by lt's functions, as lt.zeros(…, dtype=lt.f64), or go on with a staged copy: a = lt.constant(a).copy()")
