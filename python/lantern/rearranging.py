"""The `lt.` functions that put elements in another order or place, and sums of products over named axes (`einsum`).

Arrays have up to three axes; an axis is a number known while staging, negative from the end.
"""
from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import Iterator

from lantern import ops, types
from lantern.dispatch import dispatch, is_staged


def _shape(x):
    return () if is_staged(x) and not hasattr(x.type, "dims") else ops.shape(x)


def _rank(x):
    return len(_shape(x))


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
    sizes = list(_shape(x))
    sizes.insert(_axis(x, axis, 1), 1)
    return stack(x) if len(sizes) == 1 else ops.reshape(x, *sizes)


def squeeze(x, axis):
    """x without an axis of length 1."""
    axis, sizes = _axis(x, axis), list(_shape(x))
    if not is_staged(sizes[axis]) and sizes[axis] != 1:
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    del sizes[axis]
    return ops.reshape(x, *sizes) if sizes else dispatch("index", (x, 0))


def flip(x, axis=None):
    """x with its elements in reverse order along an axis, or along all."""
    for each in range(_rank(x)) if axis is None else (_axis(x, axis),):
        x = dispatch("flip", (x, each))
    return x


def _several(arrays):
    return tuple(arrays[0]) if len(arrays) == 1 and isinstance(arrays[0], (list, tuple, Iterator)) else arrays


def _first_axis(x, axis):
    """x with `axis` and the first axis exchanged: twice is x."""
    return swapaxes(x, 0, axis)


def concat(*arrays, axis=0):
    """Arrays one behind the other along an axis: concat(a, b), concat([a, b]) or concat(a generator)."""
    arrays = _several(arrays)
    if axis == 0:
        return dispatch("concat", arrays)
    return _first_axis(dispatch("concat", tuple(_first_axis(x, axis) for x in arrays)), axis)


def stack(*arrays, axis=0):
    """Arrays of one shape along a new axis: stack(a, b), stack([a, b]) or stack(a generator)."""
    arrays = _several(arrays)
    stacked = dispatch("stack", arrays)
    return stacked if axis == 0 else moveaxis(stacked, 0, axis)


def split(x, parts, axis=0):
    """x cut along an axis: into `parts` equal pieces, or into pieces of the sizes that a list gives. → a list."""
    x = _first_axis(x, axis)
    size = _shape(x)[0]
    if isinstance(parts, (list, tuple)):
        sizes = list(parts)
    else:
        if isinstance(size, int) and size % parts:
            raise ValueError(f"{size} elements do not split into {parts} equal parts")
        sizes = [size // parts] * parts
    pieces, start = [], 0
    for piece in sizes:
        pieces.append(_first_axis(dispatch("slice", (x, start, start + piece)), axis))
        start = start + piece
    return pieces


def repeat(x, count, axis):
    """Each element along an axis `count` times in a row."""
    return dispatch("repeat", (x, count, _axis(x, axis)))


def tile(x, count, axis=0):
    """x `count` times, one behind the other along an axis."""
    if _axis(x, axis):
        return _first_axis(tile(_first_axis(x, axis), count), axis)
    sizes = _shape(x)
    row = ops.reshape(x, 1, _product(sizes))
    return ops.reshape(dispatch("repeat", (row, count, 0)), count * sizes[0], *sizes[1:])


def _product(sizes):
    """How many elements an array of these dimensions has."""
    return functools.reduce(operator.mul, sizes, 1)


def pad(x, before, after, axis=0, value=0.0):
    """x with `before` elements `value` in front of it, and `after` behind it, along an axis."""
    x = _first_axis(x, axis)
    rest = _shape(x)[1:]
    dtype = x.type.dtype if is_staged(x) else x.dtype
    parts = [ops.full((before, *rest), value, dtype), x, ops.full((after, *rest), value, dtype)]
    return _first_axis(dispatch("concat", tuple(parts)), axis)


def take(x, indices, axis=0):
    """x[indices] along an axis: indices is an array [m] or [m,n] of whole numbers, negative ones from the end (else IndexError)."""
    if axis:
        return _first_axis(take(_first_axis(x, axis), indices), axis)
    if _rank(indices) == 1:
        return dispatch("take", (x, indices))
    sizes = _shape(indices)
    return ops.reshape(dispatch("take", (x, ops.reshape(indices, _product(sizes)))), *sizes, *_shape(x)[1:])


def argsort(x, descending=False):
    """[n] → [n] of i64: the order that sorts a vector; equals as they stood, NaN last."""
    return dispatch("argsort", (x, descending))


def sort(x, descending=False):
    """[n] → [n], from small to large or the other way; NaN last."""
    return dispatch("take", (x, argsort(x, descending)))


def top_k(x, k):
    """(the k largest elements of a vector, the largest first; where they are, i64)."""
    places = dispatch("slice", (argsort(x, True), 0, k))
    return dispatch("take", (x, places)), places


def cumsum(x, axis=0):
    """The sums of all elements up to each along an axis; of bools, their counts."""
    return dispatch("cumsum", (x, _axis(x, axis)))


def arange(start, stop=None, step=1, dtype="i64"):
    """[n]: start, start + step, … as long as it is below stop (above, for a negative step); arange(n) begins at 0. Whole numbers, cast to `dtype`."""
    start, stop = (0, start) if stop is None else (start, stop)
    if not is_staged(step) and step == 0:
        raise ZeroDivisionError("division by zero")
    count = (stop - start + step - (1 if _positive(step) else -1)) // step
    numbers = dispatch("arange", (ops.maximum(count, 0) if is_staged(count) else builtins.max(count, 0),))
    if is_staged(start) or start != 0 or is_staged(step) or step != 1:
        numbers = start + step * numbers
    return numbers if types.dtype_name(dtype) == "i64" else ops.cast(numbers, dtype)


def _positive(step):
    if is_staged(step):
        raise TypeError("the step of lt.arange must be known while staging")
    return step > 0


def one_hot(label, n, dtype=None):
    """[n] with 1 at `label` and 0 elsewhere, or [m,n] of labels [m]; a label outside 0 … n-1 gives zeros."""
    row = dispatch("arange", (n,))
    if _rank(label):
        row, label = ops.reshape(row, 1, n), expand_dims(label, 1)
    return ops.cast(row == label, types.default_dtype() if dtype is None else dtype)


def eye(n, dtype=None):
    """[n,n]: ones on the diagonal."""
    return one_hot(dispatch("arange", (n,)), n, dtype)


def embedding(table, indices):
    """Rows of a table [v,d]: row `indices` → [d], or for an array [m] of them → [m,d]. Its gradient touches those rows alone."""
    return take(table, indices) if _rank(indices) else ops.gather(table, indices)


def einsum(subscripts, *operands):
    """Sums of products by Einstein's convention: einsum("ij,jk->ik", a, b). Letters stand for axes; those that the result lacks are summed
    over. Operands, results and what lies between have up to three axes; a letter stands once in an operand."""
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    names = inputs.split(",")
    if not arrow:
        output = "".join(sorted(name for name in set(inputs) - {","} if inputs.count(name) == 1))
    for name, operand in zip(names, operands):
        if len(set(name)) != len(name) or not (name.isalpha() or name == ""):
            raise ValueError(f"einsum: '{name}' names an axis twice, or not by a letter")
        if len(name) != _rank(operand):
            raise ValueError(f"einsum: '{name}' names {len(name)} axes of an operand that has {_rank(operand)}")
    if len(names) != len(operands) or set(output) - set(inputs) or len(set(output)) != len(output):
        raise ValueError(f"einsum: '{subscripts}' does not fit {len(operands)} operands")
    name, x = names[0], operands[0]
    for number, (other, y) in enumerate(zip(names[1:], operands[1:]), 2):
        wanted = set(output).union(*names[number:])
        name, x = _contracted(name, x, other, y, wanted)
    name, x = _summed(name, x, set(output))
    return permute(x, [name.index(axis) for axis in output]) if name != output else x


def _summed(name, x, wanted):
    """x without the axes that nobody wants."""
    for axis in [axis for axis in name if axis not in wanted]:
        x = ops.sum(x, name.index(axis))
        name = name.replace(axis, "")
    return name, x


def _contracted(left, a, right, b, wanted):
    """(axes, product) of two operands: summed over what both have and nobody wants afterwards."""
    left, a = _summed(left, a, wanted | set(right))
    right, b = _summed(right, b, wanted | set(left))
    both = [axis for axis in left if axis in right]
    batch, inner = [axis for axis in both if axis in wanted], [axis for axis in both if axis not in wanted]
    rows, columns = [axis for axis in left if axis not in right], [axis for axis in right if axis not in left]
    sizes = {**dict(zip(left, _shape(a))), **dict(zip(right, _shape(b)))}

    def grouped(name, x, *groups):
        x = permute(x, [name.index(axis) for group in groups for axis in group]) if name else stack(x)
        return ops.reshape(x, *(_product([sizes[axis] for axis in group]) for group in groups))

    stacked = [batch] if batch else []
    product = ops.matmul(grouped(left, a, *stacked, rows, inner), grouped(right, b, *stacked, inner, columns))
    axes = [*batch, *rows, *columns]
    if len(axes) > 3:
        raise ValueError(f"einsum: the product of '{left}' and '{right}' has {len(axes)} axes, and arrays have three at the most")
    return "".join(axes), ops.reshape(product, *(sizes[axis] for axis in axes)) if axes else dispatch("index", (ops.reshape(product, 1), 0))
