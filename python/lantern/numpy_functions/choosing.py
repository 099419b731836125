"""NumPy's functions that choose elements by a condition, or by their places, and those that count them."""
from __future__ import annotations

import numpy as np

from lantern import array_keys, items, ops, rearranging, types
from lantern.dispatch import active_trace, dispatch, is_staged
from lantern.numpy_functions.joining import concatenate
from lantern.numpy_functions.operands import (
    FUNCTIONS, Unsupported, as_array, as_arrays, axis_of, dtype_of, implements, rank_of, strong, truth, type_of)
from lantern.numpy_functions.reductions import any_
from lantern.numpy_functions.shapes import ravel, shape


@implements(np.where)
def where(condition, x=None, y=None):
    condition = as_array(condition)
    if x is None and y is None:
        return nonzero(condition)
    x, y = as_array(x), as_array(y)
    if isinstance(type_of(condition), types.Scalar):
        condition = strong(condition)
    if all(isinstance(type_of(value), types.Scalar) for value in (x, y)):
        x, y = strong(x), strong(y)
    return dispatch("where", (truth(condition), x, y))


@implements(np.select)
def select(condlist, choicelist, default=0):
    if not isinstance(condlist, (list, tuple)) or not isinstance(choicelist, (list, tuple)) or len(condlist) != len(choicelist) or not condlist:
        raise Unsupported("other than a list of conditions, and one of as many choices")
    choices = [as_array(choice) for choice in choicelist]
    numbers = [isinstance(type_of(choice), types.Scalar) for choice in (*choices, default)]
    if not all(numbers) and numbers[-2] and numbers[-1]:
        raise Unsupported("a number as the last choice, behind an array: give the default as an array")
    result = default
    for condition, choice in zip(reversed(condlist), reversed(choices)):
        if dtype_of(as_array(condition)) != "bool":
            raise TypeError(f"invalid entry in condlist: should be boolean ndarray, not {dtype_of(as_array(condition))}")
        result = where(condition, choice, result)
    return result


@implements(np.isin)
def isin(element, test_elements, *, invert=False):
    element, = as_arrays(element)
    compared = dispatch("==", (rearranging.expand_dims(element, -1), ravel(test_elements)))
    found = any_(compared, -1)
    return dispatch("not", (found,)) if invert else found


@implements(np.flatnonzero)
def flatnonzero(a):
    a, = as_arrays(a)
    return array_keys.places_of(truth(ravel(a)))


@implements(np.nonzero, method="nonzero")
def nonzero(a):
    a, = as_arrays(a)
    if rank_of(a) == 0:
        raise Unsupported("a number")
    places, found = flatnonzero(a), []
    if rank_of(a) == 1:
        return (places,)
    for size in reversed(shape(a)[1:]):
        found.append(dispatch("%", (places, size)))
        places = dispatch("//", (places, size))
    return (places, *reversed(found))


@implements(np.argwhere)
def argwhere(a):
    return rearranging.stack(*nonzero(a), axis=1)


@implements(np.compress, method="compress")
def compress(condition, a, axis=None):
    condition, a = as_array(condition), as_array(a)
    if rank_of(condition) != 1 or axis is not None and axis_of(a, axis) != 0:
        raise Unsupported("a condition of several axes" if axis is None else f"axis={axis!r}: an index does it, a[:, condition]")
    return items.get(ravel(a) if axis is None else a, array_keys.places_of(truth(condition)))


@implements(np.extract)
def extract(condition, arr):
    return items.get(ravel(arr), flatnonzero(condition))


@implements(np.take_along_axis)
def take_along_axis(arr, indices, axis=-1):
    arr, indices = as_array(arr), as_array(indices)
    if axis is None:
        return items.get(ravel(arr), indices)
    if rank_of(arr) != rank_of(indices):
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    axis, keys = axis_of(arr, axis), []
    for number, size in enumerate(shape(arr)):
        along = [-1 if other == number else 1 for other in range(rank_of(arr))]
        others = rearranging.arange(size)
        keys.append(indices if number == axis else FUNCTIONS[np.reshape](others, along))
    return items.get(arr, tuple(keys))


def _whole_numbers(a, what):
    a, = as_arrays(a)
    if rank_of(a) != 1 or dtype_of(a) not in ("i32", "i64"):
        raise Unsupported(f"what is no vector of whole numbers: {what}")
    return a


@implements(np.bincount)
def bincount(x, weights=None, minlength=0):
    x = _whole_numbers(x, "they are counted")
    weights = None if weights is None else ops.cast(as_array(weights), "f64")
    if is_staged(x) or is_staged(minlength):
        from lantern.staging import library
        library.check_counted(active_trace(), x, minlength)
    size = dispatch("+", (ops.item(ops.max(concatenate([x, [dispatch("-", (minlength, 1))]]))), 1))
    counted = ops.ones(shape(x)[0], dtype="i64") if weights is None else weights
    return rearranging.scatter_add(ops.zeros(size, dtype="i64" if weights is None else "f64"), x, counted)


@implements(np.unique)
def unique(ar):
    a, = as_arrays(ar)
    a = ravel(a)
    if dtype_of(a) == "bool":
        raise Unsupported("an array of bool")
    ordered = rearranging.sort(a)
    size = shape(a)[0]
    before = rearranging.take(ordered, FUNCTIONS[np.maximum](dispatch("-", (rearranging.arange(size), 1)), 0))
    is_number = dispatch("or", (dispatch("==", (ordered, ordered)), dispatch("==", (before, before))))      # NaN is there once
    is_new = dispatch("and", (dispatch("!=", (ordered, before)), is_number))
    return items.get(ordered, array_keys.places_of(dispatch("or", (is_new, dispatch("==", (rearranging.arange(size), 0))))))
