"""Items and slices of arrays, staged or recorded on a tape: NumPy's indexing, by operators of the table.

Numbers, slices, `...`, `None`, and arrays of whole numbers and of bools (array_keys.py), in any combination.
"""
from __future__ import annotations

import builtins
import itertools
import operator

from lantern import array_keys, ops, rearranging, slices, types
from lantern.array_keys import dtype, is_mask, rank
from lantern.dispatch import active_trace, dispatch, is_global, is_staged, refuse
from lantern.lazy_numpy import np

_WHOLE = builtins.slice(None)
_MOST_PLACES = 3    # that the operator with-item takes


def get(x, key):
    """x[key]; of a list or a data set, an element."""
    if is_staged(x) and not hasattr(x.type, "dims"):
        return dispatch("index", (x, _plain(key)))
    given = x
    x, keys = array_keys.without_masks(x, _expanded(x, key))
    together = array_keys.stand_together(keys)
    result, arrays = _taken(x, [k for k in keys if k is not None])
    result = array_keys.taken(result, arrays, together)
    if result is given and is_global(given) and rank(given):    # x[:] is what x has now, and not x
        result = rearranging.part(given, 0, ops.shape(given, 0))
    if not any(k is None for k in keys):
        return result
    sizes, dims = iter(ops.shape(result)), []
    of_arrays = max(map(rank, keys))
    if not together:
        dims, of_arrays = list(itertools.islice(sizes, of_arrays)), 0
    for k in keys:
        if k is None:
            dims.append(1)
        elif isinstance(k, builtins.slice):
            dims.append(next(sizes))
        else:       # the first of those that stand together
            dims, of_arrays = [*dims, *itertools.islice(sizes, of_arrays)], 0
    if ops.shape(result) == ():
        result, dims = rearranging.stack(result), dims or [1]
    return ops.reshape(result, *dims)


def set_(x, key, value):
    """x with x[key] = value: a new array, of x's dtype."""
    keys, own = _expanded(x, key), x.type.dtype if is_staged(x) else x.dtype
    if any(k is None for k in keys):
        refuse("an item is set at a key that has None in it", "leave the None out, and give the value the shape of what it is put into")
    if not array_keys.stand_together(keys):
        refuse("an item is set by arrays, or an array and a number, with a slice between them", "set it in a loop")
    mask = next((k for k in keys if is_mask(k)), None)
    inner = rank(x) - rank(mask)
    if mask is not None and rank(value) <= inner and all(k is mask or _is_whole(k) for k in keys) and is_mask(keys[0]):
        array_keys.check_mask(mask, ops.shape(x)[:rank(mask)])
        value = _stored(value, own)
        mask = ops.reshape(mask, *ops.shape(mask), *[1] * inner) if inner else mask
        return dispatch("where", (mask, _broadcast(value, x) if rank(value) else value, x))
    given = x
    x, keys = array_keys.without_masks(x, keys)
    if rank(value) > max(map(rank, keys)) + sum(isinstance(k, builtins.slice) for k in keys):
        raise ValueError(f"an array of {rank(value)} axes does not fit into the item that is set")
    if own in ("i32", "i64") and _is_single(value) and not any(rank(k) or isinstance(k, builtins.slice) for k in keys):
        value = ops.item(value)     # that has to fit, unlike what is set at many places
    result = _changed(x, keys, _stored(value, own))
    return result if x is given else ops.reshape(result, *ops.shape(given))


def add_at(x, key, value):
    """x as `np.add.at(x, key, value)` leaves it: where arrays choose a place several times, each value is added."""
    keys, own = _expanded(x, key), x.type.dtype if is_staged(x) else x.dtype
    if not rank(keys[0]) or any(map(is_mask, keys)) or not all(_is_whole(k) if not rank(k) else array_keys.stand_together(keys) for k in keys):
        refuse("np.add.at adds at what is no array of numbers, or none of the first axis", "write x[...] += value in a loop over the places")
    if dtype(value) in ("f32", "f64") and own not in ("f32", "f64"):
        raise TypeError(f"np.add.at adds {dtype(value)} to an array of {own}")
    part, arrays = _taken(x, keys)
    return array_keys.changed(x, arrays, _broadcast(_stored(value, own), array_keys.taken(part, arrays, True)), rearranging.scatter_add)


def _stored(value, own):
    """A value as an array of that dtype takes it."""
    if not (is_staged(value) and getattr(value.type, "dtype", None) == own):
        value = ops.cast(ops.constant(value) if isinstance(value, (list, tuple)) else value, own)
    return ops.full((), value, own) if isinstance(value, (bool, int, float)) else value


def _is_single(value):
    """Whether a value is an array of rank 0."""
    return rank(value) == 0 and (isinstance(value.type, types.TensorType) if is_staged(value) else isinstance(value, (np.generic, np.ndarray)))


def _expanded(x, key):
    """A key for each axis, but of a mask for all that it has, `None`s between them."""
    keys, axes = [_plain(k) for k in (key if isinstance(key, tuple) else (key,))], rank(x)
    for k in keys:
        whole = rank(k) == 0 and (is_staged(k) or hasattr(type(k), "__index__")) and not isinstance(k, (bool, np.bool_))
        if not (k is None or k is Ellipsis or isinstance(k, builtins.slice) or whole or dtype(k) in ("i32", "i64", "bool")):
            kind = types.annotation(k.type) if is_staged(k) else f"{type(k).__name__} of {dtype(k)}" if dtype(k) else type(k).__name__
            refuse(f"an array is indexed by whole numbers, arrays of them or of bools, slices, `...` and None, not by {kind}",
                   "lt.cast(x, lt.i64) makes whole numbers of others")
    named = sum(rank(k) if is_mask(k) else 1 for k in keys if k is not None and k is not Ellipsis)
    if named > axes:
        raise IndexError(f"too many indices for array: array is {axes}-dimensional, but {named} were indexed")
    keys = [operator.index(k) if rank(k) == 0 and hasattr(type(k), "__index__") and not is_staged(k) else k for k in keys]     # NumPy's numbers too
    places = [number for number, k in enumerate(keys) if k is Ellipsis]
    if len(places) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    place = places[0] if places else len(keys)
    return [*keys[:place], *[_WHOLE] * (axes - named), *keys[place + 1:]]


def _plain(key):
    """NumPy's whole numbers as Python's, and arrays for lists and ranges."""
    from lantern.staging.values import StagedRange
    if isinstance(key, np.integer):
        return int(key)
    if isinstance(key, builtins.slice):
        return builtins.slice(*map(_plain, (key.start, key.stop, key.step)))
    if isinstance(key, builtins.range):
        return np.arange(key.start, key.stop, key.step)
    if isinstance(key, StagedRange):
        return rearranging.arange(key.start, key.stop, key.step)
    if isinstance(key, list) or is_staged(key) and isinstance(key.type, types.List):
        from lantern.numpy_functions.operands import as_array, contents_of
        contents = contents_of(key)
        if is_staged(contents) and contents.type == types.List(types.i64):
            from lantern.staging import list_methods
            trace = active_trace()
            array = as_array(list_methods.joined(trace, trace.lists.new([0]), key))      # a list may be empty, and what is stacked not
            return rearranging.part(array, 1, ops.shape(array, 0))
        array = as_array(key)
        return array if is_staged(array) else np.array(array, np.int64) if isinstance(array, np.ndarray) and not array.size else array
    return key


def _is_whole(key):
    return isinstance(key, builtins.slice) and key.start is key.stop is key.step is None


def _taken(x, keys):
    """(x[keys], a key an axis, but for the arrays among them; {axis: array} of these)."""
    axis, arrays = 0, {}
    for key in keys:
        if isinstance(key, builtins.slice):
            x, axis = x if _is_whole(key) else _sliced(x, key, axis), axis + 1
        elif rank(key):
            arrays[axis] = key
            axis += 1
        elif axis == 0:
            x = dispatch("gather" if is_global(x) and len(x.shape) == 2 else "index", (x, key))
        else:
            x = dispatch("index", (rearranging.moveaxis(x, axis, 0), key))
    return x, arrays


def _sliced(x, key, axis=0):
    """x[start:stop:step] along an axis."""
    size = ops.shape(x, axis)
    if slices.step_of(key) == 1:
        return rearranging.part(x, *slices.span(key, size), axis)
    start, step, count = slices.places(key, size)
    return rearranging.swapaxes(dispatch("strided", (rearranging.swapaxes(x, 0, axis), start, step, count)), 0, axis)


def _changed(x, keys, value):
    """x with value at keys, a key an axis."""
    places = list(itertools.takewhile(lambda k: not isinstance(k, builtins.slice) and not rank(k), keys))
    rest = keys[len(places):]
    if 0 < len(places) <= _MOST_PLACES:
        if len(places) == len(keys):
            return dispatch("with-item", (x, *places, value))
        item = _item(x, places)
        return dispatch("with-item", (x, *places, _changed_all(item, rest, value)))
    if places:
        return dispatch("with-item", (x, places[0], _changed(_item(x, places[:1]), keys[1:], value)))
    axis = next((axis for axis, key in enumerate(keys) if not _is_whole(key) and not rank(key)), None)
    if axis is None and any(map(rank, keys)):
        part, arrays = _taken(x, keys)
        return array_keys.changed(x, arrays, _broadcast(value, array_keys.taken(part, arrays, True)))
    axis = axis or 0
    key, size, others = keys[axis], ops.shape(x, axis), [*keys[:axis], *keys[axis + 1:]]
    if not isinstance(key, builtins.slice):     # one place of the axis
        start = _place(key, size)
        part = rearranging.part(x, start, start + 1, axis)
        dims = [size for other, size in enumerate(ops.shape(part)) if other != axis]
        inner = _changed(ops.reshape(part, *dims), others, value)
        return _with_slice(x, start, ops.reshape(inner, *ops.shape(part)), axis)
    inner = [*keys[:axis], _WHOLE, *keys[axis + 1:]]
    if slices.step_of(key) != 1:
        start, step, count = slices.places(key, size)
        places = dispatch("+", (dispatch("*", (rearranging.arange(count), step)), start))
        return array_keys.with_rows(x, places, _changed_all(rearranging.take(x, places, axis), inner, value), axis)
    start, stop = slices.span(key, size)
    return _with_slice(x, start, _changed_all(rearranging.part(x, start, stop, axis), inner, value), axis)


def _changed_all(part, keys, value):
    """The same of a part, all of which may be changed."""
    return _broadcast(value, part) if all(map(_is_whole, keys)) else _changed(part, keys, value)


def _item(x, places):
    return _taken(x, places)[0]


def _place(key, size):
    """A place of an axis, counted from its front. The operator that takes it says where it is none."""
    if is_staged(key):
        return ops.where(key < 0, key + size, key)
    if not is_staged(size) and not -size <= key < size:
        raise IndexError(f"index {key} is out of bounds for an axis of size {size}")
    return key + size if key < 0 else key


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
