"""The `lt.` functions that put elements in another order or place.

An axis is a number known while staging, negative from the end.
"""
from __future__ import annotations

import collections
import functools
import operator
from collections.abc import Iterator

from lantern import ops, types
from lantern.dispatch import active_trace, dispatch, is_staged, taking_lists


def shape_of(x):
    """The dimensions of an array, staged or not; of a number, none."""
    return () if is_staged(x) and isinstance(x.type, types.Scalar) else ops.shape(x)


def _rank(x):
    return len(shape_of(x))


def _axis(x, axis, more=0):
    """The axis as a number from 0 on; `more`: of an array with so many axes more than x."""
    rank = _rank(x) + more
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {rank}")
    return axis % rank


def swapaxes(x, first, second):
    """x with two of its axes exchanged."""
    first, second = _axis(x, first), _axis(x, second)
    return x if first == second else dispatch("swap-axes", (x, first, second))


def permute(x, axes):
    """x with its axes in another order: axis k of the result is axis axes[k] of x (numpy.transpose)."""
    axes = [_axis(x, axis) for axis in axes]
    if sorted(axes) != list(range(_rank(x))):
        raise ValueError("axes don't match array")
    here = list(range(len(axes)))
    for place, axis in enumerate(axes):
        other = here.index(axis)
        x = swapaxes(x, place, other)
        here[place], here[other] = here[other], here[place]
    return x


def moveaxis(x, source, destination):
    """x with one axis in another place, the others in their order."""
    axes = [axis for axis in range(_rank(x)) if axis != _axis(x, source)]
    axes.insert(_axis(x, destination), _axis(x, source))
    return permute(x, axes)


def expand_dims(x, axis):
    """x with a new axis of length 1 in front of axis `axis` of the result."""
    sizes = list(shape_of(x))
    sizes.insert(_axis(x, axis, 1), 1)
    return stack(x) if len(sizes) == 1 else ops.reshape(x, *sizes)


def squeeze(x, axis):
    """x without an axis of length 1."""
    axis, sizes = _axis(x, axis), list(shape_of(x))
    if is_staged(sizes[axis]):
        from lantern.staging import library
        library.check_squeezed(active_trace(), sizes[axis])
    elif sizes[axis] != 1:
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    del sizes[axis]
    return ops.reshape(x, *sizes) if sizes else dispatch("index", (x, 0))


@taking_lists
def flip(x, axis=None):
    """x with its elements in reverse order along an axis, or along all."""
    x, = ops.arrays_of(x)
    for each in range(_rank(x)) if axis is None else (_axis(x, axis),):
        x = dispatch("flip", (x, each))
    return x


def _several(arrays, axis):
    """(the arrays, the axis), which may stand behind a list of them, as NumPy has it."""
    if len(arrays) == 2 and axis == 0 and (isinstance(arrays[0], (list, tuple, Iterator)) or _is_staged_list(arrays[0])) and isinstance(arrays[1], int):
        arrays, axis = arrays[:1], arrays[1]
    if len(arrays) == 1 and _is_staged_list(arrays[0]):
        return arrays, axis
    return tuple(arrays[0]) if len(arrays) == 1 and isinstance(arrays[0], (list, tuple, Iterator)) else arrays, axis


def _is_staged_list(value):
    """Whether a value is a list whose length is known only when the program runs, or stands for one."""
    if active_trace() is not None and type(value) is list:
        from lantern.numpy_functions.operands import contents_of
        value = contents_of(value)
    return is_staged(value) and isinstance(value.type, types.List)


def _first_axis(x, axis):
    """x with `axis` and the first axis exchanged: twice is x."""
    return swapaxes(x, 0, axis)


@taking_lists
def concat(*arrays, axis=0):
    """Arrays one behind the other along an axis: concat(a, b), concat([a, b]), concat([a, b], 1) or concat(a generator)."""
    arrays, axis = _several(arrays, axis)
    if len(arrays) == 1 and _is_staged_list(arrays[0]):
        from lantern.numpy_functions.joining import concatenate
        return concatenate(arrays[0], axis)
    if len(arrays) > 1:
        arrays = ops.arrays_of(*arrays)
    axis = axis and _axis(arrays[0], axis)
    return dispatch("concat-along", (axis, *arrays)) if axis else dispatch("concat", arrays)


# (list, type of its elements) of the last lists that `ag.set_element_type` was told of: what an empty one gives when it is stacked.
declared_lists = collections.deque(maxlen=16)


def declared_element(arrays):
    """The type of array that elements of a list, the only one of `arrays`, were declared to be, its shape known; else None."""
    if len(arrays) != 1 or type(arrays[0]) is not list:
        return None
    element = next((element for list_, element in declared_lists if list_ is arrays[0]), None)
    return None if element is None or None in getattr(element, "dims", ()) else element


def stack_of_none(element):
    """No arrays of a type, stacked."""
    return ops.zeros(0, *getattr(element, "dims", ()), dtype=getattr(element, "dtype", None) or element.name)


def stack(*arrays, axis=0):
    """Arrays of one shape along a new axis: stack(a, b), stack([a, b]), stack([a, b], 1) or stack(a generator).

    None at all are a ValueError, but for an empty list whose elements `ag.set_element_type` has declared.
    """
    if axis == 0 and active_trace() is None and (element := declared_element(arrays)) is not None and not arrays[0]:
        return stack_of_none(element)
    arrays, axis = _several(arrays, axis)
    if len(arrays) == 1 and _is_staged_list(arrays[0]):
        from lantern.numpy_functions.operands import rows_of
        arrays = (rows_of(arrays[0]),)
    else:
        arrays = ops.arrays_of(*arrays)
    if len(arrays) > 1 and any(map(is_staged, arrays)):
        from lantern.numpy_functions.operands import of_one_dtype
        arrays = of_one_dtype(arrays)
    if axis == 0:
        return dispatch("stack", arrays)
    if len(arrays) == 1 and _is_staged_list(arrays[0]):
        return moveaxis(dispatch("stack", arrays), 0, axis)
    return concat(*(expand_dims(x, axis) for x in arrays), axis=axis)


def part(x, start, stop, axis=0):
    """x from start to stop along an axis; 0 <= start <= stop <= its size, else IndexError."""
    return dispatch("slice", (x, start, stop, axis) if axis else (x, start, stop))


def split(x, parts, axis=0):
    """x cut along an axis: into `parts` equal pieces, or into pieces of the sizes that a list gives. → a list."""
    axis = _axis(x, axis)
    size = shape_of(x)[axis]
    if isinstance(parts, (list, tuple)):
        sizes = list(parts)
    else:
        if is_staged(size):
            from lantern.staging import library
            library.check_parts(active_trace(), size, parts)
        elif size % parts:
            raise ValueError(f"{size} elements do not split into {parts} equal parts")
        sizes = [size // parts] * parts
    pieces, start = [], 0
    for piece in sizes:
        pieces.append(part(x, start, start + piece, axis))
        start = start + piece
    return pieces


def repeat(x, count, axis):
    """Each element along an axis `count` times in a row."""
    return dispatch("repeat", (x, count, _axis(x, axis)))


def tile(x, count, axis=0):
    """x `count` times, one behind the other along an axis."""
    if _axis(x, axis):
        return _first_axis(tile(_first_axis(x, axis), count), axis)
    sizes = shape_of(x)
    row = ops.reshape(x, 1, _product(sizes))
    return ops.reshape(dispatch("repeat", (row, count, 0)), count * sizes[0], *sizes[1:])


def _product(sizes):
    """How many elements an array of these dimensions has."""
    return functools.reduce(operator.mul, sizes, 1)


def pad(x, before, after, axis=0, value=0.0):
    """x with `before` elements `value` in front of it, and `after` behind it, along an axis."""
    axis, sizes = _axis(x, axis), list(shape_of(x))
    dtype = x.type.dtype if is_staged(x) else x.dtype
    parts = [ops.full((*sizes[:axis], count, *sizes[axis + 1:]), value, dtype) for count in (before, after)]
    return concat(parts[0], x, parts[1], axis=axis)


@taking_lists
def take(x, indices, axis=0):
    """x[indices] along an axis: indices is an array [m] or [m,n] of whole numbers, negative ones from the end (else IndexError)."""
    x, indices = ops.arrays_of(x, indices)
    axis, sizes, wanted = _axis(x, axis), shape_of(x), shape_of(indices)
    flat = indices if len(wanted) == 1 else ops.reshape(indices, _product(wanted))
    taken = _first_axis(dispatch("take", (_first_axis(x, axis), flat)), axis) if axis else dispatch("take", (x, flat))
    return taken if len(wanted) == 1 else ops.reshape(taken, *sizes[:axis], *wanted, *sizes[axis + 1:])


@taking_lists
def cross_entropy(logits, label):
    """-log_softmax(logits)[label], a rank-0 array. logits: [n]; label: a number in 0 … n-1 (else IndexError). Of logits […,n] and an array of
    labels […] one for each row, […]."""
    logits, label = ops.arrays_of(logits, label)
    sizes = shape_of(logits)
    if len(sizes) <= 2:
        return dispatch("cross_entropy", (logits, label))
    rows, labels = sizes[:-1], shape_of(label)
    if len(labels) != len(rows) or any(a != b for a, b in zip(labels, rows) if not (is_staged(a) or is_staged(b))):
        raise ValueError(f"labels of the shape {labels} do not fit logits of the shape {sizes}")
    for a, b in zip(labels, rows):
        if is_staged(a) or is_staged(b):
            from lantern.staging import library
            library.check_fits(active_trace(), a, b)
    count = _product(rows)
    return ops.reshape(dispatch("cross_entropy", (ops.reshape(logits, count, sizes[-1]), ops.reshape(label, count))), *rows)


def scatter(x, indices, rows):
    """x with rows [m,…] in the places `indices` [m] of its first axis, negative ones from the end (else IndexError); of equal ones the last is set."""
    return dispatch("scatter", (x, indices, rows))


def scatter_add(x, indices, rows):
    """x with rows [m,…] added to those at `indices` [m] of its first axis; where indices are equal, each counts."""
    return dispatch("scatter-add", (x, indices, rows))


@taking_lists
def argsort(x, descending=False):
    """[n] → [n] of i64: the order that sorts a vector; equals as they stood, NaN last."""
    x, = ops.arrays_of(x)
    return dispatch("argsort", (x, descending))


@taking_lists
def sort(x, descending=False):
    """[n] → [n], from small to large or the other way; NaN last."""
    x, = ops.arrays_of(x)
    return dispatch("take", (x, argsort(x, descending)))


@taking_lists
def top_k(x, k):
    """(the k largest elements of a vector, the largest first; where they are, i64)."""
    x, = ops.arrays_of(x)
    places = dispatch("slice", (argsort(x, True), 0, k))
    return dispatch("take", (x, places)), places


@taking_lists
def cumsum(x, axis=0):
    """The sums of all elements up to each along an axis; of bools, their counts."""
    x, = ops.arrays_of(x)
    return dispatch("cumsum", (x, _axis(x, axis)))


def arange(start, stop=None, step=1, dtype="i64"):
    """[n]: start, start + step, … as long as it is below stop (above, for a negative step); arange(n) begins at 0. Whole numbers, cast to `dtype`."""
    start, stop = (0, start) if stop is None else (start, stop)
    if not is_staged(step) and step == 0:
        raise ZeroDivisionError("division by zero")
    if is_staged(step):
        raise TypeError("the step of lt.arange must be known while staging")
    numbers = dispatch("arange", (dispatch("range-length", (start, stop, step)),))
    if is_staged(start) or start != 0 or is_staged(step) or step != 1:
        numbers = start + step * numbers
    return numbers if types.dtype_name(dtype) == "i64" else ops.cast(numbers, dtype)


def one_hot(label, n, dtype=None):
    """[n] with 1 at `label` and 0 elsewhere, or [m,n] of labels [m]; a label outside 0 … n-1 gives zeros."""
    row = dispatch("arange", (n,))
    if _rank(label):
        label = expand_dims(label, 1)
    return ops.cast(row == label, types.default_dtype() if dtype is None else dtype)


def eye(n, dtype=None):
    """[n,n]: ones on the diagonal."""
    return one_hot(dispatch("arange", (n,)), n, dtype)


def embedding(table, indices):
    """Rows of a table [v,d]: row `indices` → [d], or for an array [m] of them → [m,d]. Its gradient touches those rows alone."""
    return take(table, indices) if _rank(indices) else ops.gather(table, indices)
