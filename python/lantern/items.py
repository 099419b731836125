"""Items and slices of arrays, staged or recorded on a tape: NumPy's basic indexing, by operators of the table.

Numbers, slices, `...` and `None` in any combination, as far as the operators go: of an array of three axes, only the first may
be sliced together with others.
"""
from __future__ import annotations

import builtins
import operator

import numpy as np

from lantern import ops, rearranging
from lantern.dispatch import active_trace, dispatch, is_global, is_staged, refuse

_WHOLE = builtins.slice(None)


def get(x, key):
    """x[key]; of a list or a data set, an element."""
    if is_staged(x) and not hasattr(x.type, "dims"):
        return dispatch("index", (x, _plain(key)))
    keys = _expanded(x, key)
    result = _taken(x, [k for k in keys if k is not None])
    if not any(k is None for k in keys):
        return result
    sizes = iter(ops.shape(result))
    dims = [1 if k is None else next(sizes) for k in keys if k is None or isinstance(k, builtins.slice)]
    if ops.shape(result) == ():
        result, dims = rearranging.stack(result), dims or [1]
    return ops.reshape(result, *dims)


def set_(x, key, value):
    """x with x[key] = value: a new array, of x's dtype."""
    keys = _expanded(x, key)
    if any(k is None for k in keys):
        refuse("an item is set by numbers and slices, not by None")
    dtype = x.type.dtype if is_staged(x) else x.dtype
    if rank(value) > sum(isinstance(k, builtins.slice) for k in keys):
        raise ValueError(f"an array of {rank(value)} axes does not fit into the item that is set")
    value = ops.cast(ops.constant(value) if isinstance(value, (list, tuple)) else value, dtype)
    return _changed(x, keys, ops.full((), value, dtype) if isinstance(value, (bool, int, float)) else value)


def rank(value):
    """How many axes a value has; a number has none."""
    if is_staged(value):
        return len(getattr(value.type, "dims", ()))
    return len(value.shape) if hasattr(value, "shape") else 0


def _expanded(x, key):
    """A key for each axis, `None`s between them."""
    keys, axes = [_plain(k) for k in (key if isinstance(key, tuple) else (key,))], len(ops.shape(x))
    for k in keys:
        whole = rank(k) == 0 and (is_staged(k) or hasattr(type(k), "__index__")) and not isinstance(k, bool)
        if not (k is None or k is Ellipsis or isinstance(k, builtins.slice) or whole):
            kind = k.type if is_staged(k) else type(k).__name__
            refuse(f"an array is indexed by whole numbers, slices, `...` and None, not by {kind}", "choose elements one by one, in a loop")
    named = sum(k is not None and k is not Ellipsis for k in keys)
    if named > axes:
        raise IndexError(f"too many indices for array: array is {axes}-dimensional, but {named} were indexed")
    keys = [operator.index(k) if hasattr(type(k), "__index__") and not is_staged(k) else k for k in keys]     # NumPy's numbers too
    places = [number for number, k in enumerate(keys) if k is Ellipsis]
    if len(places) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    place = places[0] if places else len(keys)
    return [*keys[:place], *[_WHOLE] * (axes - named), *keys[place + 1:]]


def _plain(key):
    """NumPy's whole numbers as Python's."""
    if isinstance(key, np.integer):
        return int(key)
    return builtins.slice(*map(_plain, (key.start, key.stop, key.step))) if isinstance(key, builtins.slice) else key


def _is_whole(key):
    return isinstance(key, builtins.slice) and key.start is key.stop is key.step is None


def _taken(x, keys):
    """x[keys], a key an axis."""
    if all(map(_is_whole, keys)):
        return x
    key, rest = keys[0], keys[1:]
    if not isinstance(key, builtins.slice):
        table = is_global(x) and len(x.shape) == 2
        return _taken(dispatch("gather" if table else "index", (x, key)), rest)
    x = x if _is_whole(key) else _sliced(x, key)
    if all(map(_is_whole, rest)):
        return x
    if len(rest) > 1:
        refuse("an array of three axes is sliced along the first one only, where others have keys")
    if isinstance(rest[0], builtins.slice):
        return ops.transpose(_sliced(ops.transpose(x), rest[0]))
    return dispatch("index", (ops.transpose(x), rest[0]))


def _sliced(x, key):
    """x[start:stop:step] along the first axis."""
    start, step, count = _places(key, ops.shape(x, 0))
    if isinstance(step, int) and step == 1:
        return dispatch("slice", (x, start, start + count))
    return dispatch("strided", (x, start, step, count))


def _places(key, size):
    """(start, step, count) of the places that a slice takes of `size`, with Python's reading of its bounds."""
    step = 1 if key.step is None else key.step
    if is_staged(step):
        refuse("the step of a slice must be known while staging")
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if any(is_staged(bound) for bound in (size, key.start, key.stop)):
        from lantern.staging import library
        return library.places(active_trace(), key.start, key.stop, step, size)
    places = range(*key.indices(size))
    return places.start if places else 0, step, len(places)


def _changed(x, keys, value):
    """x with value at keys, a key an axis."""
    key, rest, size = keys[0], keys[1:], ops.shape(x, 0)
    if isinstance(key, builtins.slice):
        if len(rest) == 1 and not _is_whole(rest[0]):
            part = _sliced(x, key)
            columns = _changed(ops.transpose(part), [rest[0], _WHOLE], _turned(value, rest[0]))
            return _changed(x, [key, _WHOLE], ops.transpose(columns))
        if not all(map(_is_whole, rest)):
            refuse("an item of an array of three axes is set along the first one only, where others have keys")
        start, step, count = _places(key, size)
        if not (isinstance(step, int) and step == 1):
            refuse("a slice with a step is set", "set its elements one by one")
        part = dispatch("slice", (x, start, start + count))
        check_fits(value, part)
        return _between(x, start, ops.where(ops.ones_like(part) > 0, value, part), start + count, size)
    row = dispatch("index", (x, key))       # it is what fails where there is no such item
    if rest:
        row = _changed(row, rest, value) if not all(map(_is_whole, rest)) else _changed(row, [_WHOLE, *rest[1:]], value)
    place = ops.where(key < 0, key + size, key) if is_staged(key) else key + size if key < 0 else key
    row = ops.reshape(row, 1, *ops.shape(row)) if rest else rearranging.stack(value)
    return _between(x, place, row, place + 1, size)


def _turned(value, key):
    """A value for rows and columns, as one for columns and rows."""
    if not isinstance(key, builtins.slice) or rank(value) == 0:
        return value
    return ops.transpose(value) if rank(value) == 2 else ops.reshape(value, ops.shape(value, 0), 1)


def _between(x, start, part, stop, size):
    return rearranging.concat(dispatch("slice", (x, 0, start)), part, dispatch("slice", (x, stop, size)))


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
