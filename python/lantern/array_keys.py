"""Arrays as keys of arrays: of whole numbers, which choose items, and of bools, masks, which choose by a condition.

NumPy reads several arrays together, item by item: m[rows, columns] has as many items as rows and columns have. The axes that they stand for
are read as one here, so that one array chooses from it. A mask is the array of the places where it is true, whose number is known only when it runs.
"""
from __future__ import annotations

import builtins
import functools
import operator

from lantern import ops, rearranging
from lantern.dispatch import active_trace, dispatch, is_staged
from lantern.dtypes import name_of_numpys
from lantern.lazy_numpy import np


def rank(value):
    """How many axes a value has; a number has none."""
    if is_staged(value):
        return len(getattr(value.type, "dims", ()))
    return len(value.shape) if hasattr(value, "shape") else 0


def dtype(key):
    """The dtype of an array that is a key; None of anything else."""
    if rank(key) == 0:
        return None
    return key.type.dtype if is_staged(key) else name_of_numpys(np.dtype(key.dtype)) or str(key.dtype)


def is_mask(key):
    return dtype(key) == "bool"


def product(sizes):
    return functools.reduce(operator.mul, sizes, 1)


def stand_together(keys):
    """Whether the arrays among the keys, and the numbers beside them, have nothing between them: their axes are where the first stands then,
    and else in front of all."""
    places = [place for place, key in enumerate(keys) if not (key is None or isinstance(key, builtins.slice))] if any(map(rank, keys)) else []
    return not places or places[-1] - places[0] + 1 == len(places)


def without_masks(x, keys):
    """(x, keys) with whole numbers for masks. The axes of x that a mask has are one then."""
    if not any(map(is_mask, keys)):
        return x, keys
    sizes, dims, found = list(ops.shape(x)), [], []
    for key in keys:
        count = 0 if key is None else rank(key) if is_mask(key) else 1
        own, sizes = sizes[:count], sizes[count:]
        if is_mask(key):
            check_mask(key, own)
            key = places_of(key)
        found.append(key)
        dims += [product(own)] if count else []
    return (x if len(dims) == rank(x) else ops.reshape(x, *dims)), found


def check_mask(mask, sizes):
    """An IndexError, as the program runs if need be, unless a mask is as large as the axes that it stands for."""
    for axis, (own, size) in enumerate(zip(ops.shape(mask), sizes)):
        if is_staged(own) or is_staged(size):
            from lantern.staging import library
            library.check_mask(active_trace(), own, size, axis)
        elif own != size:
            raise IndexError(f"boolean index did not match indexed array along axis {axis}; size of axis is {size} but size of corresponding "
                             f"boolean axis is {own}")


def places_of(mask):
    """[k] of i64: where a mask is true, read row by row."""
    if isinstance(mask, np.ndarray):
        return np.flatnonzero(mask)
    if rank(mask) != 1:
        mask = ops.reshape(mask, product(ops.shape(mask)))
    size = ops.shape(mask, 0)
    places = dispatch("where", (mask, dispatch("-", (rearranging.cumsum(mask), 1)), size))     # what is not chosen goes behind all
    found = rearranging.scatter(ops.zeros(dispatch("+", (size, 1)), dtype="i64"), places, rearranging.arange(size))
    return rearranging.part(found, 0, ops.item(ops.sum(mask)))


def taken(x, arrays, together):
    """x at arrays of whole numbers, {axis: array}."""
    if not arrays:
        return x
    first = min(arrays)
    if not together:
        x = rearranging.permute(x, [*arrays, *(axis for axis in builtins.range(rank(x)) if axis not in arrays)])
        first = 0
    sizes = ops.shape(x)
    if len(arrays) == 1:
        return rearranging.take(x, *arrays.values(), first)
    behind = first + len(arrays)
    places = as_one(list(arrays.values()), sizes[first:behind])
    return rearranging.take(ops.reshape(x, *sizes[:first], product(sizes[first:behind]), *sizes[behind:]), places, first)


def changed(x, arrays, value, put=rearranging.scatter):
    """x with value, of the shape of what is there, at arrays that stand together. put: or added to it."""
    first, behind, sizes = min(arrays), max(arrays) + 1, ops.shape(x)
    places = as_one(list(arrays.values()), sizes[first:behind])
    if (behind - first, rank(places)) == (1, 1):
        return with_rows(x, places, value, first, put)
    count = product(ops.shape(places))
    before, after = sizes[:first], sizes[behind:]
    rows = ops.reshape(value, *before, count, *after)
    as_one_axis = ops.reshape(x, *before, product(sizes[first:behind]), *after)
    return ops.reshape(with_rows(as_one_axis, ops.reshape(places, count), rows, first, put), *sizes)


def with_rows(x, places, rows, axis, put=rearranging.scatter):
    """x with rows at places of an axis."""
    if axis == 0:
        return put(x, places, rows)
    return rearranging.swapaxes(put(rearranging.swapaxes(x, 0, axis), places, rearranging.swapaxes(rows, 0, axis)), 0, axis)


def as_one(arrays, sizes):
    """The array that chooses from axes of these sizes, read as one, what several arrays choose together."""
    if len(arrays) == 1:
        return arrays[0]
    for one, other in zip(arrays, arrays[1:]):
        _check_fit(one, other)
    places = _counted(arrays[0], sizes[0])
    for array, size in zip(arrays[1:], sizes[1:]):
        places = dispatch("+", (dispatch("*", (places, size)), _counted(array, size)))
    return places


def _counted(places, size):
    """Places of an axis, counted from its front; an IndexError where they are none."""
    if isinstance(places, np.ndarray) and not is_staged(size):
        wrong = places[(places < -size) | (places >= size)]
        if wrong.size:
            raise IndexError(f"index {wrong.flat[0]} is out of bounds for an axis of size {size}")
        return np.where(places < 0, places + size, places)
    return rearranging.take(rearranging.arange(size), places)


def _check_fit(one, other):
    """An IndexError unless arrays that choose together broadcast."""
    for a, b in zip(reversed(ops.shape(one)), reversed(ops.shape(other))):
        if is_staged(a) or is_staged(b):
            from lantern.staging import library
            library.check_indices(active_trace(), a, b)
        elif a != b and 1 not in (a, b):
            raise IndexError(f"shape mismatch: indexing arrays could not be broadcast together with shapes {ops.shape(one)} {ops.shape(other)}")
