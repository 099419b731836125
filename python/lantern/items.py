"""Items and slices of arrays, staged or recorded on a tape: NumPy's basic indexing, by operators of the table.

Numbers, slices, `...` and `None` in any combination; and one array of whole numbers among them, which is NumPy's `take`.
"""
from __future__ import annotations

import builtins
import itertools
import operator

import numpy as np

from lantern import ops, rearranging, slices, types
from lantern.dispatch import active_trace, dispatch, is_global, is_staged, refuse
from lantern.dtypes import OF_NUMPY

_WHOLE = builtins.slice(None)
_MOST_PLACES = 3    # that the operator with-item takes


def get(x, key):
    """x[key]; of a list or a data set, an element."""
    if is_staged(x) and not hasattr(x.type, "dims"):
        return dispatch("index", (x, _plain(key)))
    keys = _expanded(x, key)
    _check_indices(keys)
    result = _taken(x, [k for k in keys if k is not None])
    if result is x and is_global(x) and rank(x):    # x[:] is what x has now, and not x
        result = rearranging.part(x, 0, ops.shape(x, 0))
    if not any(k is None for k in keys):
        return result
    sizes = iter(ops.shape(result))
    dims = [size for k in keys if k is None or isinstance(k, builtins.slice) or rank(k)
            for size in ([1] if k is None else itertools.islice(sizes, rank(k) or 1))]
    if ops.shape(result) == ():
        result, dims = rearranging.stack(result), dims or [1]
    return ops.reshape(result, *dims)


def set_(x, key, value):
    """x with x[key] = value: a new array, of x's dtype."""
    keys = _expanded(x, key)
    if any(k is None or rank(k) for k in keys[1:]) or keys[0] is None or rank(keys[0]) > 1 or rank(keys[0]) and not all(map(_is_whole, keys[1:])):
        refuse("an item is set by numbers and slices, and rows by an array of whole numbers alone", "lt.scatter(x, indices, rows) sets the rows at indices")
    dtype = x.type.dtype if is_staged(x) else x.dtype
    if rank(value) > sum(rank(k) or isinstance(k, builtins.slice) for k in keys):
        raise ValueError(f"an array of {rank(value)} axes does not fit into the item that is set")
    if dtype in ("i32", "i64") and _is_single(value) and not any(rank(k) or isinstance(k, builtins.slice) for k in keys):
        value = ops.item(value)     # that has to fit, unlike what is set at many places
    if not (is_staged(value) and getattr(value.type, "dtype", None) == dtype):
        value = ops.cast(ops.constant(value) if isinstance(value, (list, tuple)) else value, dtype)
    return _changed(x, keys, ops.full((), value, dtype) if isinstance(value, (bool, int, float)) else value)


def rank(value):
    """How many axes a value has; a number has none."""
    if is_staged(value):
        return len(getattr(value.type, "dims", ()))
    return len(value.shape) if hasattr(value, "shape") else 0


def _is_single(value):
    """Whether a value is an array of rank 0."""
    return rank(value) == 0 and (isinstance(value.type, types.TensorType) if is_staged(value) else isinstance(value, (np.generic, np.ndarray)))


def _expanded(x, key):
    """A key for each axis, `None`s between them."""
    keys, axes = [_plain(k) for k in (key if isinstance(key, tuple) else (key,))], len(ops.shape(x))
    for k in keys:
        whole = rank(k) == 0 and (is_staged(k) or hasattr(type(k), "__index__")) and not isinstance(k, bool)
        if not (k is None or k is Ellipsis or isinstance(k, builtins.slice) or whole or _dtype(k) in ("i32", "i64")):
            kind = types.annotation(k.type) if is_staged(k) else f"{type(k).__name__} of {_dtype(k)}" if _dtype(k) else type(k).__name__
            refuse(f"an array is indexed by whole numbers, arrays of them, slices, `...` and None, not by {kind}",
                   "lt.where(condition, a, b) chooses by a condition")
    named = sum(k is not None and k is not Ellipsis for k in keys)
    if named > axes:
        raise IndexError(f"too many indices for array: array is {axes}-dimensional, but {named} were indexed")
    keys = [operator.index(k) if rank(k) == 0 and hasattr(type(k), "__index__") and not is_staged(k) else k for k in keys]     # NumPy's numbers too
    places = [number for number, k in enumerate(keys) if k is Ellipsis]
    if len(places) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    place = places[0] if places else len(keys)
    return [*keys[:place], *[_WHOLE] * (axes - named), *keys[place + 1:]]


def _dtype(key):
    """The dtype of an array that is a key; None of anything else."""
    if rank(key) == 0:
        return None
    return key.type.dtype if is_staged(key) else OF_NUMPY.get(np.dtype(key.dtype), str(key.dtype))


def _check_indices(keys):
    """An array among the keys may have numbers beside it that take no axis from between the two: NumPy moves axes where it has."""
    arrays = [place for place, key in enumerate(keys) if rank(key)]
    if len(arrays) > 1:
        refuse("an array is indexed by one array at a time", "lt.take(x, indices, axis) takes along one axis after the other")
    numbers = [place for place, key in enumerate(keys) if not (key is None or isinstance(key, builtins.slice) or rank(key))]
    if arrays and numbers:
        between = keys[min(arrays + numbers):max(arrays + numbers)]
        if any(key is None or isinstance(key, builtins.slice) for key in between):
            refuse("an array is indexed by an array and a number with a slice between them", "take the number's item first: x[:, i][indices]")


def _plain(key):
    """NumPy's whole numbers as Python's."""
    if isinstance(key, np.integer):
        return int(key)
    if isinstance(key, list) and key and all(type(each) is int or isinstance(each, np.integer) for each in key):
        return np.array(key, np.int64)
    return builtins.slice(*map(_plain, (key.start, key.stop, key.step))) if isinstance(key, builtins.slice) else key


def _is_whole(key):
    return isinstance(key, builtins.slice) and key.start is key.stop is key.step is None


def _taken(x, keys):
    """x[keys], a key an axis."""
    axis = 0
    for key in keys:
        if isinstance(key, builtins.slice):
            x, axis = x if _is_whole(key) else _sliced(x, key, axis), axis + 1
        elif rank(key):
            x, axis = rearranging.take(x, key, axis), axis + rank(key)
        elif axis == 0:
            x = dispatch("gather" if is_global(x) and len(x.shape) == 2 else "index", (x, key))
        else:
            x = dispatch("index", (rearranging.moveaxis(x, axis, 0), key))
    return x


def _sliced(x, key, axis=0):
    """x[start:stop:step] along an axis."""
    size = ops.shape(x, axis)
    if slices.step_of(key) == 1:
        return rearranging.part(x, *slices.span(key, size), axis)
    start, step, count = slices.places(key, size)
    return rearranging.swapaxes(dispatch("strided", (rearranging.swapaxes(x, 0, axis), start, step, count)), 0, axis)


def _changed(x, keys, value):
    """x with value at keys, a key an axis."""
    if rank(keys[0]):
        return _with_rows(x, keys[0], _broadcast(value, rearranging.take(x, keys[0])), 0)
    places = list(itertools.takewhile(lambda k: not isinstance(k, builtins.slice), keys))
    rest = keys[len(places):]
    if 0 < len(places) <= _MOST_PLACES:
        if len(places) == len(keys):
            return dispatch("with-item", (x, *places, value))
        item = _taken(x, places)
        return dispatch("with-item", (x, *places, _broadcast(value, item) if all(map(_is_whole, rest)) else _changed(item, rest, value)))
    if places:
        return dispatch("with-item", (x, places[0], _changed(_taken(x, places[:1]), keys[1:], value)))
    axis = next((axis for axis, key in enumerate(keys) if not _is_whole(key)), 0)
    key, size = keys[axis], ops.shape(x, axis)
    if not isinstance(key, builtins.slice):     # one place of the axis
        start = _place(key, size)
        part = rearranging.part(x, start, start + 1, axis)
        dims = [size for other, size in enumerate(ops.shape(part)) if other != axis]
        inner = _changed(ops.reshape(part, *dims), [*keys[:axis], *keys[axis + 1:]], value)
        return _with_slice(x, start, ops.reshape(inner, *ops.shape(part)), axis)
    if slices.step_of(key) != 1:
        start, step, count = slices.places(key, size)
        places = dispatch("+", (dispatch("*", (rearranging.arange(count), step)), start))
        part = rearranging.take(x, places, axis)
        only = all(map(_is_whole, keys[axis + 1:]))
        return _with_rows(x, places, _broadcast(value, part) if only else _changed(part, [*keys[:axis], _WHOLE, *keys[axis + 1:]], value), axis)
    start, stop = slices.span(key, size)
    part = rearranging.part(x, start, stop, axis)
    only = all(map(_is_whole, keys[axis + 1:]))
    return _with_slice(x, start, _broadcast(value, part) if only else _changed(part, [*keys[:axis], _WHOLE, *keys[axis + 1:]], value), axis)


def _place(key, size):
    """A place of an axis, counted from its front. The operator that takes it says where it is none."""
    if is_staged(key):
        return ops.where(key < 0, key + size, key)
    if not is_staged(size) and not -size <= key < size:
        raise IndexError(f"index {key} is out of bounds for an axis of size {size}")
    return key + size if key < 0 else key


def _with_rows(x, places, rows, axis):
    """x with rows at places of an axis."""
    if axis == 0:
        return rearranging.scatter(x, places, rows)
    return rearranging.swapaxes(rearranging.scatter(rearranging.swapaxes(x, 0, axis), places, rearranging.swapaxes(rows, 0, axis)), 0, axis)


def _with_slice(x, start, part, axis):
    return dispatch("with-slice", (x, start, part, axis) if axis else (x, start, part))


def _broadcast(value, part):
    """A value, in the shape of a part of an array that it is put into."""
    check_fits(value, part)
    given, wanted = ops.shape(value) if rank(value) else (), ops.shape(part)
    if not any(map(is_staged, (*given, *wanted))) and given == wanted:
        return value
    return dispatch("like", (value, part))


def check_fits(value, part):
    """A ValueError, as the program runs if need be, unless value broadcasts to the shape of part."""
    given, wanted = ops.shape(value) if rank(value) else (), ops.shape(part)
    for mine, own in zip(reversed(given), reversed(wanted)):
        if not is_staged(mine) and not is_staged(own):
            if mine not in (1, own):
                raise ValueError(f"could not broadcast input array from shape {given} into shape {wanted}")
        else:
            from lantern.staging import library
            library.check_fits(active_trace(), mine, own)
