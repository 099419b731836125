"""NumPy's functions of shapes, of parts and wholes, of order."""
from __future__ import annotations

import functools

import numpy as np

from lantern import named_axes, ops, rearranging, types
from lantern.dispatch import dispatch, is_staged
from lantern.numpy_functions.operands import (
    OF_METHODS, Unsupported, as_array, as_arrays, axis_of, copied, counted, counting, dtype_of, implements, rank_of, strong, type_of)


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
    a, = as_arrays(a)
    if not sizes:
        if rank_of(a):
            raise Unsupported("no axes: x.item() is the element")
        return a
    unknown = [number for number, size in enumerate(sizes) if not is_staged(size) and size == -1]
    if len(unknown) > 1:
        raise ValueError("can only specify one unknown dimension")
    if unknown:
        known = functools.reduce(lambda m, n: m * n, (n for number, n in enumerate(sizes) if number != unknown[0]), 1)
        if not is_staged(known) and known == 0:
            raise Unsupported("a size of -1 beside a size of 0")
        sizes = [size(a) // known if number == unknown[0] else n for number, n in enumerate(sizes)]
    return ops.reshape(a if rank_of(a) else rearranging.stack(a), *sizes)


OF_METHODS["reshape"] = lambda a, *shape, order="C": reshape(a, *shape, order=order)


@implements(np.ravel, method="ravel")
def ravel(a, order="C"):
    a, = as_arrays(a)
    if order != "C":
        raise Unsupported(f"order={order!r}")
    rank = 1 if type_of(a) is None else rank_of(a)
    return a if rank == 1 else rearranging.stack(a) if rank == 0 else ops.reshape(a, size(a))


OF_METHODS["flatten"] = lambda a, order="C": copied(ravel(a, order))


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


@implements(np.cumsum, method="cumsum")
def cumsum(a, axis=None, dtype=None):
    a, = as_arrays(a)
    a = counting(dtype)(a)
    return counted(rearranging.cumsum(ravel(a) if axis is None else a, 0 if axis is None else axis_of(a, axis)), dtype)


@implements(np.cumprod, method="cumprod")
def cumprod(a, axis=None, dtype=None):
    a, = as_arrays(a)
    a = counting("i64" if dtype is None and dtype_of(a) in ("bool", "i32") else dtype)(a)
    a, axis = (ravel(a), 0) if axis is None else (rearranging.swapaxes(a, 0, axis_of(a, axis)), axis_of(a, axis))
    length, *others = shape(a)
    if is_staged(length):
        raise Unsupported("a size that is known only when the program runs: multiply in a loop")
    apart = 1
    while apart < length:       # each element has the product of the `apart` elements up to it
        before = ops.ones(apart, *others, dtype=dtype_of(a))
        a = dispatch("*", (a, rearranging.concat(before, ops.getitem(a, slice(None, -apart)))))
        apart *= 2
    return rearranging.swapaxes(a, 0, axis)


@implements(np.flip)
def flip(m, axis=None):
    m, = as_arrays(m)
    return rearranging.flip(m, axis_of(m, axis))


@implements(np.flipud)
def flipud(m):
    return flip(m, 0)


@implements(np.fliplr)
def fliplr(m):
    return flip(m, 1)


@implements(np.atleast_1d)
def atleast_1d(a):
    a, = as_arrays(a)
    return a if rank_of(a) else rearranging.stack(a)


@implements(np.atleast_2d)
def atleast_2d(a):
    a = atleast_1d(a)
    return a if rank_of(a) > 1 else expand_dims(a, 0)


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
    first = dispatch("%", (dispatch("-", (0, shift)), dispatch("maximum", (size, 1))))
    return rearranging.concat(rearranging.part(a, first, size, axis), rearranging.part(a, 0, first, axis), axis=axis)


@implements(np.repeat, method="repeat")
def repeat(a, repeats, axis=None):
    a, = as_arrays(a)
    a, axis = (ravel(a), 0) if axis is None else (a, axis_of(a, axis))
    if not rank_of(repeats) and not isinstance(repeats, (tuple, list)):
        return rearranging.repeat(a, repeats, axis)
    length = shape(a)[axis]
    if is_staged(length) or is_staged(repeats) or isinstance(repeats, (tuple, list)) and any(map(is_staged, repeats)):
        raise Unsupported("a number for each element, or a size, that is known only when the program runs")
    return rearranging.take(a, np.repeat(np.arange(length), repeats), axis)


@implements(np.tile)
def tile(a, reps):
    a, = as_arrays(a)
    if is_staged(reps) and rank_of(reps):
        raise Unsupported("an array of numbers that is known only when the program runs")
    reps = tuple(reps) if rank_of(reps) or isinstance(reps, (tuple, list)) else (reps,)
    for _ in range(len(reps) - rank_of(a)):
        a = expand_dims(a, 0) if rank_of(a) else rearranging.stack(a)
    if all(not is_staged(count) and count == 1 for count in reps):
        return copied(a)
    for axis, count in enumerate(reps, rank_of(a) - len(reps)):
        a = a if not is_staged(count) and count == 1 else rearranging.tile(a, count, axis)
    return a


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
    if is_staged(n) or n < 1:
        raise Unsupported(f"n={n!r}")
    a, = as_arrays(a)
    before = (slice(None),) * axis_of(a, axis)
    apart = "!=" if dtype_of(a) == "bool" else "-"
    for _ in range(n):
        a = dispatch(apart, (ops.getitem(a, (*before, slice(1, None))), ops.getitem(a, (*before, slice(None, -1)))))
    return a


def _within(a, k, comparison):
    """a, but 0 where a place's row and its column less k do not compare so."""
    a, = as_arrays(a)
    if rank_of(a) < 2 or not isinstance(k, int):
        raise Unsupported("fewer than two axes" if isinstance(k, int) else f"k={k!r}")
    rows, columns = (rearranging.arange(size) for size in shape(a)[-2:])
    return dispatch("where", (dispatch(comparison, (rearranging.expand_dims(rows, 1), dispatch("-", (columns, k)))), a, ops.zeros_like(a)))


@implements(np.tril)
def tril(m, k=0):
    return _within(m, k, ">=")


@implements(np.triu)
def triu(m, k=0):
    return _within(m, k, "<=")


@implements(np.trace, method="trace")
def trace(a, offset=0, *, dtype=None):
    from lantern.numpy_functions.operands import FUNCTIONS
    if rank_of(a) != 2:
        raise Unsupported("more or fewer than two axes")
    return FUNCTIONS[np.sum](_within(a, offset, "=="), dtype=dtype)


@implements(np.diagonal, method="diagonal")
def diagonal(a, offset=0):
    a, = as_arrays(a)
    if rank_of(a) != 2 or is_staged(offset):
        raise Unsupported("more or fewer than two axes" if rank_of(a) != 2 else f"offset={offset!r}")
    if offset != 0:
        return diagonal(ops.getitem(a, (slice(None), slice(offset, None)) if offset > 0 else slice(-offset, None)))
    rows, columns = shape(a)
    if is_staged(rows) or is_staged(columns):
        from lantern.numpy_functions.operands import FUNCTIONS
        places = FUNCTIONS[np.arange](dispatch("where", (dispatch("<", (rows, columns)), rows, columns)))
        return ops.getitem(a, (places, places))
    return ops.getitem(ravel(ops.getitem(a, slice(columns))), slice(None, None, columns + 1))


@implements(np.diag)
def diag(v, k=0):
    v, = as_arrays(v)
    if rank_of(v) != 1:
        return diagonal(v, k)
    if is_staged(k):
        raise Unsupported(f"k={k!r}")
    if k != 0:
        v = rearranging.pad(v, 0, abs(k))
        places, along = rearranging.arange(shape(v)[0]), rearranging.expand_dims(v, 1 if k > 0 else 0)
        return dispatch("where", (dispatch("==", (dispatch("-", (places, rearranging.expand_dims(places, 1))), k)), along, ops.zeros_like(along)))
    return dispatch("where", (rearranging.eye(shape(v)[0], "bool"), v, ops.zeros_like(v)))


@implements(np.take, method="take")
def take(a, indices, axis=None):
    a, indices = as_array(a), as_array(indices)
    a, axis = (ravel(a), 0) if axis is None else (a, axis_of(a, axis))
    return rearranging.take(a, indices, axis) if rank_of(indices) else ops.getitem(rearranging.swapaxes(a, 0, axis), indices)


def item(a, *place):
    place = place[0] if len(place) == 1 and isinstance(place[0], tuple) else place
    if len(place) == 1 and rank_of(a) != 1:      # of all elements, one behind the other
        return ops.item(ops.getitem(ravel(a), place[0]))
    if not place:
        if any(is_staged(n) or n != 1 for n in sizes_of(a)):
            raise Unsupported("what may have more than one element")
        place = (0,) * rank_of(a)
    if len(place) != rank_of(a) or any(rank_of(each) for each in place):
        raise Unsupported(f"{len(place)} places, where the array has {rank_of(a)} axes")
    return ops.item(ops.getitem(a, tuple(place)) if place else a)


OF_METHODS["item"] = item


@implements(np.einsum)
def einsum(subscripts, *operands):
    return named_axes.einsum(subscripts, *map(as_array, operands))
