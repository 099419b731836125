"""NumPy's functions of shapes, of parts and wholes, of order."""
from __future__ import annotations

import functools

import numpy as np

from lantern import ops, rearranging, types
from lantern.dispatch import dispatch, is_staged
from lantern.numpy_functions.operands import (
    METHODS, Unsupported, as_array, as_arrays, axis_of, contents_of, copied, counting, dtype_of, implements, rank_of,
    strong, type_of)


@implements(np.transpose, method="transpose")
def transpose(a, *axes):
    a = as_array(a)
    axes = axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list, type(None))) else axes
    rank = 2 if type_of(a) is None else rank_of(a)
    if rank < 2:
        return strong(a)
    if rank == 2 and not axes:
        return dispatch("transpose", (a,))
    return rearranging.permute(a, axes or range(rank)[::-1])


@implements(np.swapaxes, method="swapaxes")
def swapaxes(a, axis1, axis2):
    return rearranging.swapaxes(as_array(a), axis1, axis2)


@implements(np.moveaxis)
def moveaxis(a, source, destination):
    if not isinstance(source, int) or not isinstance(destination, int):
        raise Unsupported("several axes")
    return rearranging.moveaxis(as_array(a), source, destination)


@implements(np.reshape)
def reshape(a, shape, *more, order="C"):
    sizes = shape if isinstance(shape, (tuple, list)) else (shape, *more)
    if order != "C":
        raise Unsupported(f"order={order!r}")
    a = as_array(a)
    if not sizes:
        raise Unsupported("no axes: lt.item(a) is the element")
    unknown = [number for number, size in enumerate(sizes) if not is_staged(size) and size == -1]
    if len(unknown) > 1:
        raise ValueError("can only specify one unknown dimension")
    if unknown:
        known = functools.reduce(lambda m, n: m * n, (n for number, n in enumerate(sizes) if number != unknown[0]), 1)
        if not is_staged(known) and known == 0:
            raise Unsupported("a size of -1 beside a size of 0")
        sizes = [size(a) // known if number == unknown[0] else n for number, n in enumerate(sizes)]
    return ops.reshape(a, *sizes)


METHODS["reshape"] = lambda a, *shape, order="C": reshape(a, *shape, order=order)


@implements(np.ravel, method="ravel")
def ravel(a, order="C"):
    a, = as_arrays(a)
    if order != "C":
        raise Unsupported(f"order={order!r}")
    rank = 1 if type_of(a) is None else rank_of(a)
    return a if rank == 1 else rearranging.stack(a) if rank == 0 else ops.reshape(a, size(a))


METHODS["flatten"] = lambda a, order="C": copied(ravel(a, order))


@implements(np.copy, method="copy")
def copy(a):
    return copied(as_arrays(a)[0])


@implements(np.shape)
def shape(a):
    return sizes_of(as_array(a))


def sizes_of(a):
    return () if isinstance(type_of(a), types.Scalar) else ops.shape(a)


@implements(np.ndim)
def ndim(a):
    return rank_of(as_array(a))


@implements(np.isscalar)
def isscalar(element):
    type_ = type_of(element) if is_staged(element) else None
    if type_ is None and is_staged(element) or isinstance(type_, types.TensorType) and not type_.dims:
        raise Unsupported("an array without axes, which may be one or a number of NumPy's, among its operands")
    return isinstance(type_, types.Scalar)


@implements(np.size)
def size(a, axis=None):
    sizes = shape(a)
    return functools.reduce(lambda m, n: m * n, sizes, 1) if axis is None else sizes[axis]


@implements(np.expand_dims)
def expand_dims(a, axis):
    a = as_array(a)
    if not isinstance(axis, int) or not -rank_of(a) - 1 <= axis <= rank_of(a):
        raise Unsupported(f"axis={axis!r}")
    key = [slice(None)] * rank_of(a)
    key.insert(axis % (rank_of(a) + 1), None)
    return ops.getitem(a, tuple(key))


@implements(np.squeeze, method="squeeze")
def squeeze(a, axis=None):
    a, = as_arrays(a)
    sizes = ops.shape(a)
    if any(is_staged(n) for n in sizes):
        raise Unsupported("a size that is known only when the program runs")
    gone = [number for number, n in enumerate(sizes) if n == 1] if axis is None else [axis_of(a, axis)]
    if any(sizes[number] != 1 for number in gone):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return ops.getitem(a, tuple(0 if number in gone else slice(None) for number in range(len(sizes)))) if gone else a

def _joined(arrays):
    """Arrays of one dtype, as NumPy promotes them."""
    arrays = tuple(arrays) if is_staged(arrays) and isinstance(arrays.type, types.Tuple) else contents_of(arrays)
    if is_staged(arrays):
        raise Unsupported("a sequence whose length is known only when the program runs")
    arrays = [strong(as_array(x)) for x in arrays]
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    if None in map(type_of, arrays):
        return arrays
    dtype = types.dtype_name(np.result_type(*(types.numpy_dtype(dtype_of(x)) for x in arrays)))
    return [x if dtype_of(x) == dtype else ops.cast(x, dtype) for x in arrays]


def of_one_dtype(arrays):
    """Operands of one type as they are, others as arrays of the dtype that NumPy promotes them to."""
    found = {type_.name if isinstance(type_, types.Scalar) else ("array of", dtype_of(x)) for x, type_ in zip(arrays, map(type_of, arrays))}
    return arrays if len(found) == 1 else tuple(_joined(arrays))


@implements(np.concatenate)
def concatenate(arrays, axis=0):
    arrays = _joined(arrays)
    if axis is None:
        return dispatch("concat", tuple(map(ravel, arrays)))
    return rearranging.concat(*arrays, axis=axis_of(arrays[0], axis))


@implements(np.stack)
def stack(arrays, axis=0):
    contents = contents_of(arrays)
    if is_staged(contents) and isinstance(contents.type, types.List):
        return rearranging.stack(contents, axis=axis)
    return rearranging.stack(*_joined(arrays), axis=axis)


@implements(np.hstack)
def hstack(arrays):
    arrays = [x if rank_of(x) else rearranging.stack(x) for x in _joined(arrays)]
    return concatenate(arrays, 0 if rank_of(arrays[0]) == 1 else 1)


@implements(np.vstack)
def vstack(arrays):
    arrays = _joined(arrays)
    rows = [x if rank_of(x) >= 2 else ops.reshape(ravel(x), 1, size(x)) for x in arrays]
    return concatenate(rows)


@implements(np.cumsum, method="cumsum")
def cumsum(a, axis=None, dtype=None):
    a, = as_arrays(a)
    a = counting(dtype)(a)
    return rearranging.cumsum(ravel(a) if axis is None else a, 0 if axis is None else axis_of(a, axis))


@implements(np.flip)
def flip(m, axis=None):
    m, = as_arrays(m)
    return rearranging.flip(m, axis_of(m, axis))


@implements(np.roll)
def roll(a, shift, axis=None):
    a, = as_arrays(a)
    if rank_of(shift) or isinstance(shift, (tuple, list)) or isinstance(axis, (tuple, list)):
        raise Unsupported("a number for each axis")
    if rank_of(a) == 0:
        return copied(a)
    if axis is None and rank_of(a) > 1:
        return reshape(roll(ravel(a), shift), shape(a))
    axis = 0 if axis is None else axis_of(a, axis)
    size = shape(a)[axis]
    return rearranging.take(a, dispatch("%", (dispatch("-", (rearranging.arange(size), shift)), size)), axis)


@implements(np.pad)
def pad(array, pad_width, mode="constant", *, constant_values=0):
    if mode != "constant":
        raise Unsupported(f"mode={mode!r}")
    if rank_of(constant_values) or isinstance(constant_values, (tuple, list)):
        raise Unsupported("a value for each side")
    a, = as_arrays(array)
    for axis, widths in enumerate(_sides(pad_width, rank_of(a))):
        sizes, kind = shape(a), dtype_of(a)
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


@implements(np.repeat, method="repeat")
def repeat(a, repeats, axis=None):
    a, = as_arrays(a)
    if rank_of(repeats):
        raise Unsupported("a number for each element")
    return rearranging.repeat(ravel(a) if axis is None else a, repeats, 0 if axis is None else axis_of(a, axis))


@implements(np.tile)
def tile(a, reps):
    a, = as_arrays(a)
    if rank_of(reps) or isinstance(reps, (tuple, list)):
        raise Unsupported("a number for each axis")
    return rearranging.tile(a if rank_of(a) else rearranging.stack(a), reps, -1)


@implements(np.split)
def split(ary, indices_or_sections, axis=0):
    a, = as_arrays(ary)
    axis, cuts = axis_of(a, axis), indices_or_sections
    if isinstance(cuts, int):
        size = shape(a)[axis]
        if not is_staged(size) and size % cuts:
            raise ValueError("array split does not result in an equal division")
        return rearranging.split(a, cuts, axis)
    if not isinstance(cuts, (tuple, list)):
        raise Unsupported("an array of places")
    before = (slice(None),) * axis
    return [ops.getitem(a, (*before, slice(start, stop))) for start, stop in zip((None, *cuts), (*cuts, None))]


@implements(np.diff)
def diff(a, n=1, axis=-1):
    if n != 1 or dtype_of(a) == "bool":
        raise Unsupported(f"n={n!r}" if n != 1 else "arrays of bool")
    a, = as_arrays(a)
    before = (slice(None),) * axis_of(a, axis)
    return dispatch("-", (ops.getitem(a, (*before, slice(1, None))), ops.getitem(a, (*before, slice(None, -1)))))


def _within(a, k, comparison):
    """a, but 0 where a place's row and its column less k do not compare so."""
    a, = as_arrays(a)
    if rank_of(a) != 2 or not isinstance(k, int):
        raise Unsupported("more or fewer than two axes" if isinstance(k, int) else f"k={k!r}")
    rows, columns = (rearranging.arange(size) for size in shape(a))
    return dispatch("where", (dispatch(comparison, (rearranging.expand_dims(rows, 1), dispatch("-", (columns, k)))), a, ops.zeros_like(a)))


@implements(np.tril)
def tril(m, k=0):
    return _within(m, k, ">=")


@implements(np.triu)
def triu(m, k=0):
    return _within(m, k, "<=")


@implements(np.trace)
def trace(a, offset=0):
    from lantern.numpy_functions.operands import FUNCTIONS
    return FUNCTIONS[np.sum](_within(a, offset, "=="))


@implements(np.diagonal, method="diagonal")
def diagonal(a, offset=0):
    a, = as_arrays(a)
    if rank_of(a) != 2 or offset != 0:
        raise Unsupported("more or fewer than two axes" if rank_of(a) != 2 else f"offset={offset!r}")
    rows, columns = shape(a)
    return ops.getitem(ravel(ops.getitem(a, slice(columns))), slice(None, None, columns + 1))


@implements(np.diag)
def diag(v, k=0):
    v, = as_arrays(v)
    if rank_of(v) != 1:
        return diagonal(v, k)
    if k != 0:
        raise Unsupported(f"k={k!r}")
    return dispatch("where", (rearranging.eye(shape(v)[0], "bool"), v, ops.zeros_like(v)))


@implements(np.take, method="take")
def take(a, indices, axis=None):
    a, indices = as_array(a), as_array(indices)
    a, axis = (ravel(a), 0) if axis is None else (a, axis_of(a, axis))
    return rearranging.take(a, indices, axis) if rank_of(indices) else ops.getitem(rearranging.swapaxes(a, 0, axis), indices)


@implements(np.einsum)
def einsum(subscripts, *operands):
    return rearranging.einsum(subscripts, *map(as_array, operands))
