"""NumPy's functions that make arrays."""
from __future__ import annotations

import numpy as np

from lantern import ops, rearranging, types
from lantern.dispatch import active_trace, dispatch, is_global, is_staged
from lantern.numpy_functions.operands import (
    FUNCTIONS, OF_METHODS, Unsupported, as_arrays, common_dtype, contents_of, copied, dtype_of, implements, in_dtype, is_of_sequences, rank_of, rows_of, strong, truth, type_of)
from lantern.numpy_functions.joining import stack
from lantern.numpy_functions.shapes import ravel


@implements(np.arange)
def arange(start, stop=None, step=1, dtype=None):
    if any(dtype_of(x) not in ("i64", "i32") for x in (start, stop, step) if x is not None):
        raise Unsupported("numbers that are not whole")
    return rearranging.arange(start, stop, step, "i64" if dtype is None else dtype)


@implements(np.linspace)
def linspace(start, stop, num=50, endpoint=True, dtype=None):
    if rank_of(start) or rank_of(stop):
        raise Unsupported("arrays as ends")
    if not is_staged(num) and num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    kind = common_dtype((start, stop))
    kind = kind if kind in ("f32", "f64") else "f64"
    start, stop = in_dtype(start, kind), in_dtype(stop, kind)
    places, spaces = rearranging.arange(num), num - 1 if endpoint else num
    steps = ops.cast(places, kind)
    if not is_staged(spaces) and spaces < 1:
        result = dispatch("+", (dispatch("*", (steps, 0.0)), start))
    else:
        apart = dispatch("/", (dispatch("-", (stop, start)), ops.cast(dispatch("maximum", (spaces, 1)), kind)))
        result = dispatch("+", (dispatch("*", (steps, apart)), start))
        if endpoint:    # which is exact
            result = dispatch("where", (dispatch("==", (places, dispatch("maximum", (spaces, 1)))), stop, result))
    if dtype is None:
        return result
    return ops.cast(FUNCTIONS[np.floor](result) if types.dtype_name(dtype) in ("i32", "i64") else result, dtype)


@implements(np.meshgrid)
def meshgrid(*xi, indexing="xy"):
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    vectors = [ravel(x) for x in xi]
    order = [1, 0, *range(2, len(vectors))] if indexing == "xy" and len(vectors) > 1 else list(range(len(vectors)))
    sizes = [ops.shape(vectors[number], 0) for number in order]
    grids = []
    for number, x in enumerate(vectors):
        along = ops.getitem(x, tuple(slice(None) if other == number else None for other in order))
        grids.append(dispatch("like", (along, ops.zeros(*sizes, dtype=dtype_of(x)))))
    return type(np.meshgrid([0]))(grids)


@implements(np.eye, np.identity)
def eye(N, dtype=float):
    return rearranging.eye(N, dtype)


@implements(np.zeros_like, np.empty_like)
def zeros_like(a, dtype=None):
    result = dispatch("zeros-like", as_arrays(a))
    return result if dtype is None else ops.cast(result, dtype)


@implements(np.ones_like)
def ones_like(a, dtype=None):
    result = dispatch("ones-like", as_arrays(a))
    return result if dtype is None else ops.cast(result, dtype)


@implements(np.full_like)
def full_like(a, fill_value, dtype=None):
    a, = as_arrays(a)
    return full(ops.shape(a), fill_value, dtype_of(a) if dtype is None else dtype)


def _sizes(shape):
    return tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)


@implements(np.zeros, np.empty)
def zeros(shape, dtype=float):
    return ops.zeros(*_sizes(shape), dtype=dtype)


@implements(np.ones)
def ones(shape, dtype=float):
    return ops.ones(*_sizes(shape), dtype=dtype)


@implements(np.full)
def full(shape, fill_value, dtype=None):
    if rank_of(fill_value):
        raise Unsupported("a fill_value that is an array")
    return ops.full(_sizes(shape), fill_value, dtype=dtype_of(fill_value) if dtype is None else dtype)


@implements(np.array)
def new_array(object, dtype=None):  # noqa: A002
    return copied(array(object, dtype))


@implements(np.asarray)
def array(object, dtype=None):  # noqa: A002
    """An array of a number, an array, or a sequence of them, in sequences of known length."""
    each = dtype if dtype is not None and types.dtype_name(dtype) == "i32" else None      # numbers have to fit in it
    object = tuple(object) if is_staged(object) and isinstance(object.type, types.Tuple) else contents_of(object)     # noqa: A001
    if is_staged(object) and isinstance(object.type, types.List):
        if is_of_sequences(object.type):
            result = dispatch("stack", (rows_of(object),))
        elif object.type.element == types.f64:    # of which there may be none; what is no float is one in NumPy's array of nothing
            from lantern.staging import library
            result = library.stacked(active_trace(), object, types.f64)
        else:
            result = dispatch("stack", (object,))
    elif isinstance(object, (list, tuple)):
        parts = [array(part, each) for part in object]
        if not parts:
            return np.array(object, dtype or float)
        result = stack(parts)
    else:
        result = copied(object) if is_global(object) else strong(ops.cast(object, each) if each and _is_whole(object) else object)
    return result if dtype is None or types.dtype_name(dtype) == dtype_of(result) else cast(result, dtype)


def _is_whole(x):
    return type_of(x) == types.i64


def constant(value, dtype):
    """What `lt.constant` gives of operands, or lists of them."""
    is_array = not isinstance(value, (list, tuple)) and isinstance(type_of(value), types.TensorType)
    if is_array and not is_global(value):
        return value if dtype is None else ops.cast(value, dtype)
    result = array(value, dtype)
    if dtype is None and not is_array and dtype_of(result) in ("f32", "f64"):
        dtype = types.default_dtype()
    return result if dtype in (None, dtype_of(result)) else ops.cast(result, dtype)


def cast(a, dtype):
    return copied(truth(a)) if types.dtype_name(dtype) == "bool" else ops.cast(a, dtype)


def scalar(dtype):
    return lambda x=0: array(x, dtype)


FUNCTIONS.update({dtype: scalar(dtype) for dtype in (np.float32, np.float64, np.int32, np.int64)})
FUNCTIONS[np.bool_] = lambda x=False: copied(truth(strong(x)))

OF_METHODS["astype"] = cast
