"""NumPy's functions that make one array of several, or of one and what is put beside it."""
from __future__ import annotations

import numpy as np

from lantern import ops, rearranging, types
from lantern.dispatch import active_trace, dispatch, is_staged
from lantern.numpy_functions.operands import (
    Unsupported, as_array, as_arrays, axis_of, common_dtype, contents_of, dtype_of, implements, in_dtype, of_promoted_dtype, rank_of, rows_of, type_of)
from lantern.numpy_functions.shapes import atleast_1d, expand_dims, ravel, shape, size


def _list_of(arrays):
    """(a list whose length is known only when the program runs, the type of its arrays); None for other sequences."""
    contents = contents_of(arrays)
    if not is_staged(contents) or not isinstance(contents.type, types.List):
        return None
    contents = rows_of(contents)
    if not isinstance(contents.type.element, types.TensorType):
        return None
    return contents, contents.type.element


def _joined(contents, element, axis):
    """The arrays of such a list, joined along an axis, or one row of all their items (None)."""
    from lantern.staging import library
    from lantern.staging.values import Staged
    if not element.dims and axis is not None:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = axis_of(Staged(element, None), axis)
    if not all(isinstance(size, int) for size in element.dims):
        return library.concatenated(active_trace(), contents, axis)
    whole = rearranging.stack(contents)
    if axis is None:
        return ravel(whole)
    count, *sizes = shape(whole)
    sizes[axis] = count * sizes[axis]
    return ops.reshape(rearranging.moveaxis(whole, 0, axis) if axis else whole, *sizes)


@implements(np.concatenate)
def concatenate(arrays, axis=0):
    found = _list_of(arrays)
    if found is not None:
        return _joined(*found, axis)
    arrays = of_promoted_dtype(arrays)
    if axis is None:
        return dispatch("concat", tuple(map(ravel, arrays)))
    return rearranging.concat(*arrays, axis=axis_of(arrays[0], axis))


@implements(np.stack)
def stack(arrays, axis=0):
    contents = contents_of(arrays)
    if is_staged(contents) and isinstance(contents.type, types.List):
        return rearranging.stack(contents, axis=axis)
    return rearranging.stack(*of_promoted_dtype(arrays), axis=axis)


@implements(np.hstack)
def hstack(arrays):
    found = _list_of(arrays)
    if found is not None and found[1].dims:
        return _joined(*found, 0 if len(found[1].dims) == 1 else 1)
    arrays = [x if rank_of(x) else rearranging.stack(x) for x in of_promoted_dtype(arrays)]
    return concatenate(arrays, 0 if rank_of(arrays[0]) == 1 else 1)


@implements(np.vstack)
def vstack(arrays):
    found = _list_of(arrays)
    if found is not None and len(found[1].dims) > 0:
        return stack(arrays) if len(found[1].dims) == 1 else _joined(*found, 0)
    arrays = of_promoted_dtype(arrays)
    rows = [x if rank_of(x) >= 2 else ops.reshape(ravel(x), 1, size(x)) for x in arrays]
    return concatenate(rows)


@implements(np.column_stack)
def column_stack(tup):
    found = _list_of(tup)
    if found is not None and found[1].dims:
        return stack(tup, 1) if len(found[1].dims) == 1 else _joined(*found, 1)
    return concatenate([x if rank_of(x) > 1 else expand_dims(atleast_1d(x), 1) for x in of_promoted_dtype(tup)], 1)


@implements(np.dstack)
def dstack(tup):
    arrays = [atleast_1d(x) for x in of_promoted_dtype(tup)]
    arrays = [x if rank_of(x) > 1 else expand_dims(x, 0) for x in arrays]
    return concatenate([x if rank_of(x) > 2 else expand_dims(x, 2) for x in arrays], 2)


def indexed(joiner, key):
    """`np.r_[…]`, or `np.c_[…]`, of staged arrays and numbers."""
    parts = [np.arange(part.start or 0, part.stop, part.step or 1) if isinstance(part, slice) and not isinstance(part.step, complex) else part
             for part in (key if isinstance(key, tuple) else (key,))]
    if any(isinstance(part, str) for part in parts):
        raise Unsupported("text in it: np.concatenate and np.stack take an axis")
    parts = _with_weak_numbers(parts)
    return column_stack(parts) if joiner is np.c_ else concatenate([atleast_1d(part) for part in parts])


def _with_weak_numbers(parts):
    """Python's numbers among them in the dtype that they have beside the arrays: 1.0 is an f32 beside f32."""
    kinds = [type_of(as_array(part)) for part in parts]
    numbers = [isinstance(kind, types.Scalar) and not getattr(kind, "perhaps_number", False) for kind in kinds]
    if all(numbers) or not any(numbers) or None in kinds:
        return parts
    dtype = common_dtype(list(map(as_array, parts)))
    return [in_dtype(part, dtype) if number else part for part, number in zip(parts, numbers)]


@implements(np.append)
def append(arr, values, axis=None):
    return concatenate((arr, values), axis)


@implements(np.delete)
def delete(arr, obj, axis=None):
    a, = as_arrays(arr)
    a, axis = (ravel(a), 0) if axis is None else (a, axis_of(a, axis))
    length = shape(a)[axis]
    if is_staged(obj) or isinstance(obj, (bool, np.bool_)) or not isinstance(obj, (int, np.integer)) or is_staged(length):
        raise Unsupported("what is no whole number that is known while staging: write np.concatenate([a[:i], a[i + 1:]])")
    if not -length <= obj < length:
        raise IndexError(f"index {obj} is out of bounds for axis {axis} with size {length}")
    before, place = (slice(None),) * axis, obj % length
    return rearranging.concat(ops.getitem(a, (*before, slice(place))), ops.getitem(a, (*before, slice(place + 1, None))), axis=axis)


_PICKING = ("edge", "reflect", "symmetric", "wrap")      # modes that repeat elements


@implements(np.pad)
def pad(array, pad_width, mode="constant", *, constant_values=0):
    if mode not in ("constant", *_PICKING):
        raise Unsupported(f"mode={mode!r}")
    if rank_of(constant_values) or isinstance(constant_values, (tuple, list)):
        raise Unsupported("a value for each side")
    a, = as_arrays(array)
    for axis, widths in enumerate(_sides(pad_width, rank_of(a))):
        sizes, kind = shape(a), dtype_of(a)
        if mode != "constant":
            if any(map(is_staged, (sizes[axis], *widths))):
                raise Unsupported(f"mode={mode!r}, and a size that is known only when the program runs")
            a = rearranging.take(a, np.pad(np.arange(sizes[axis]), widths, mode=mode), axis)
            continue
        before, after = (ops.full((*sizes[:axis], width, *sizes[axis + 1:]), constant_values, dtype=kind) for width in widths)
        a = rearranging.concat(before, a, after, axis=axis)
    return a


def _sides(widths, rank):
    """(before, after) for each axis, of what `np.pad` takes: a number, two, or two for each axis."""
    if not isinstance(widths, (tuple, list, np.ndarray)):
        return [(widths, widths)] * rank
    if is_staged(widths):
        raise Unsupported("an array of widths that is known only when the program runs")
    widths = [tuple(width) if isinstance(width, (tuple, list, np.ndarray)) else width for width in widths]
    if not any(isinstance(width, tuple) for width in widths):
        widths = [tuple(widths)]
    widths = [width * 2 if isinstance(width, tuple) and len(width) == 1 else width for width in widths]
    if any(not isinstance(width, tuple) or len(width) != 2 for width in widths) or len(widths) not in (1, rank):
        raise Unsupported("widths that are not two for each axis")
    return widths * rank if len(widths) == 1 else widths
