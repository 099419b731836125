"""NumPy's functions that sum up elements: reductions and products."""
from __future__ import annotations

import builtins
import functools

import numpy as np

from lantern import ops, types
from lantern.dispatch import dispatch, is_staged
from lantern.numpy_functions.elementwise import isclose
from lantern.numpy_functions.operands import (
    FUNCTIONS, NOT_BOOLS, NUMBERS, Unsupported, as_array, as_arrays, axes_of, axis_of, common_dtype, counted, counting, dtype_of, implements, in_dtype, need, rank_of, strong, truth, type_of)
from lantern.numpy_functions.shapes import ravel, size, sizes_of, transpose


def _kept(result, x, axes, keepdims):
    """A reduction's result with the axes that it took away as ones of size 1."""
    if not keepdims:
        return result
    sizes = [1 if axes is None or number in axes else size for number, size in enumerate(ops.shape(x))]
    return ops.reshape(result, *sizes) if rank_of(result) else dispatch("full", (types.Scalar(dtype_of(result)), result, *sizes))


def _position(name, x, axis, keepdims):
    x, = as_arrays(x)
    if isinstance(axis, tuple):
        raise Unsupported(f"axis={axis!r}")
    if type_of(x) is not None and rank_of(x) == 0:
        axis_of(x, axis)
        return np.int64(0)
    return _kept(strong(_reduce(name, x, axis, False)), x, axes_of(x, axis), keepdims)


def _reduce(name, x, axis, keepdims):
    x, = as_arrays(x)
    axes = axes_of(x, axis)
    if axes is None or rank_of(x) <= 1:
        return _kept(dispatch(name, (x,)), x, axes, keepdims)
    return _kept(functools.reduce(lambda result, axis: dispatch(name, (result, axis)), axes, x), x, axes, keepdims)


def _those(a, condition):
    """a, but 0 where the condition does not hold."""
    return dispatch("where", (truth(as_array(condition)), a, ops.zeros_like(a)))


def _counted(name, a, axis, dtype, keepdims):
    """A sum or product that is computed in a dtype, which it has. (Whole numbers are summed up in 64 bits, of which the lower 32 are the sum in 32.)"""
    return counted(_reduce(name, counting(dtype)(a), axis, keepdims), dtype)


@implements(np.sum, method="sum")
def sum(a, axis=None, dtype=None, *, keepdims=False, where=True):  # noqa: A001
    a, = as_arrays(a)
    return _counted("sum", a if where is True else _those(a, where), axis, dtype, keepdims)


@implements(np.prod, method="prod")
def prod(a, axis=None, dtype=None, *, keepdims=False):
    a, = as_arrays(a)
    return _counted("prod", a, axis, dtype, keepdims)


def _need_floating(dtype):
    if dtype is not None and types.dtype_name(dtype) not in ("f32", "f64"):
        raise Unsupported(f"dtype={dtype!r}, in which the quotient would be cut: cast the result")


@implements(np.mean, method="mean")
def mean(a, axis=None, dtype=None, *, keepdims=False, where=True):
    _need_floating(dtype)
    if where is not True:
        a, = as_arrays(a)
        if dtype is not None or dtype_of(a) not in ("f32", "f64", None):      # as floats, whose sum is not cut at 64 bits
            a = ops.cast(a, "f64" if dtype is None else dtype)
        return dispatch("/", (sum(_those(a, where), axis, keepdims=keepdims), sum(_those(ops.ones_like(a), where), axis, keepdims=keepdims)))
    a, = as_arrays(a)
    return _reduce("mean", counting(dtype)(a), axis, keepdims)


@implements(np.max, np.amax, method="max")
def max(a, axis=None, *, keepdims=False):  # noqa: A001
    return _reduce("max", a, axis, keepdims)


@implements(np.min, np.amin, method="min")
def min(a, axis=None, *, keepdims=False):  # noqa: A001
    return _reduce("min", a, axis, keepdims)


@implements(np.argmax, method="argmax")
def argmax(a, axis=None, *, keepdims=False):
    return _position("argmax", a, axis, keepdims)


@implements(np.argmin, method="argmin")
def argmin(a, axis=None, *, keepdims=False):
    return _position("argmin", a, axis, keepdims)


@implements(np.count_nonzero)
def count_nonzero(a, axis=None, *, keepdims=False):
    count = sum(truth(*as_arrays(a)), axis, keepdims=keepdims)
    return ops.item(count) if rank_of(count) == 0 else count


@implements(np.all, method="all")
def all_(a, axis=None, *, keepdims=False):
    a, = as_arrays(a)
    return dispatch("==", (sum(dispatch("not", (truth(a),)), axis, keepdims=keepdims), 0))


@implements(np.any, method="any")
def any_(a, axis=None, *, keepdims=False):
    a, = as_arrays(a)
    return dispatch("!=", (sum(truth(a), axis, keepdims=keepdims), 0))


@implements(np.allclose)
def allclose(a, b, rtol=1e-05, atol=1e-08):
    return ops.item(all_(isclose(a, b, rtol, atol)))


@implements(np.array_equal)
def array_equal(a1, a2):
    a, b = as_array(a1), as_array(a2)
    sizes = sizes_of(a), sizes_of(b)
    if len(sizes[0]) != len(sizes[1]) or any(not is_staged(m) and not is_staged(n) and m != n for m, n in zip(*sizes)):
        return False
    of_one_shape = [dispatch("==", (m, n)) for m, n in zip(*sizes) if is_staged(m) or is_staged(n)]
    if of_one_shape:        # as far as both reach: of other shapes they are not compared
        shorter = functools.reduce(lambda m, n: dispatch("minimum", (m, n)), (size(a), size(b)))
        a, b = (ops.getitem(ravel(x), slice(shorter)) for x in (a, b))
    return functools.reduce(lambda p, q: dispatch("and", (p, q)), of_one_shape, ops.item(all_(dispatch("==", as_arrays(a, b)))))


@implements(np.ptp)
def ptp(a, axis=None, *, keepdims=False):
    return dispatch("-", (max(a, axis, keepdims=keepdims), min(a, axis, keepdims=keepdims)))


@implements(np.nansum)
def nansum(a, axis=None, *, keepdims=False):
    a, = as_arrays(a)
    return sum(a, axis, keepdims=keepdims, where=dispatch("==", (a, a)))


@implements(np.nanmean)
def nanmean(a, axis=None, *, keepdims=False):
    a, = as_arrays(a)
    return mean(a, axis, keepdims=keepdims, where=dispatch("==", (a, a)))


def _but_nan(function, least):
    """The largest or smallest of those elements that are numbers; nan of none."""
    def of_numbers(a, axis=None, *, keepdims=False):
        a, = as_arrays(a)
        if dtype_of(a) not in ("f32", "f64"):
            return function(a, axis, keepdims=keepdims)
        is_nan = dispatch("!=", (a, a))
        found = function(dispatch("where", (is_nan, least, a)), axis, keepdims=keepdims)
        return dispatch("where", (all_(is_nan, axis, keepdims=keepdims), np.nan, found))
    return of_numbers


FUNCTIONS.update({np.nanmax: _but_nan(max, -np.inf), np.nanmin: _but_nan(min, np.inf)})


@implements(np.average)
def average(a, axis=None, weights=None, *, keepdims=False):
    a, = as_arrays(a)
    if weights is None:
        return mean(a, axis, keepdims=keepdims)
    weights, = as_arrays(weights)
    dtype = common_dtype((a, weights))
    dtype = dtype if dtype == "f32" and dtype_of(a) == "f32" else "f64"
    a, weights = in_dtype(a, dtype), in_dtype(weights, dtype)
    sizes = ops.shape(a)
    if rank_of(weights) != rank_of(a):
        if rank_of(weights) != 1 or axis is None or isinstance(axis, tuple):
            raise Unsupported("weights of another shape, along no axis or several")
        sizes = sizes[axis_of(a, axis):][:1]
    if any(not is_staged(m) and not is_staged(n) and m != n for m, n in zip(sizes, ops.shape(weights))):
        raise ValueError("weights have the shape of what they weigh, or the size of its axis")
    if len(sizes) != rank_of(a):
        weights = ops.getitem(weights, tuple(slice(None) if number == axis_of(a, axis) else None for number in range(rank_of(a))))
    total = sum(weights, axis, keepdims=keepdims)
    ops.assert_(all_(dispatch("!=", (total, 0.0))), "the weights of np.average sum to zero")
    return dispatch("/", (sum(dispatch("*", (a, weights)), axis, keepdims=keepdims), total))


@implements(np.var, method="var")
def var(a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    centred, count = _centred(a, axis, dtype, ddof)
    squares = dispatch("square", (centred,))
    return mean(squares, axis, keepdims=keepdims) if ddof == 0 else dispatch("/", (sum(squares, axis, keepdims=keepdims), count))


def _centred(a, axis, dtype, ddof):
    """(a less its mean, how many elements the mean of their squares is of)."""
    _need_floating(dtype)
    a, = as_arrays(a)
    a = a if dtype is None else ops.cast(a, dtype)
    axes = axes_of(a, axis)
    sizes = ops.shape(a) if axes is None else [ops.shape(a, each) for each in axes]
    return dispatch("-", (a, mean(a, axis, keepdims=True))), _at_least_zero(functools.reduce(lambda m, n: m * n, sizes, 1) - ddof)


def _at_least_zero(count):
    return dispatch("maximum", (count, 0)) if is_staged(count) else builtins.max(count, 0)


@implements(np.std, method="std")
def std(a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    # As a norm, which has a derivative where all elements are equal.
    centred, count = _centred(a, axis, dtype, ddof)
    return dispatch("/", (_reduce("norm", centred, axis, keepdims), dispatch("sqrt", (count,))))


@implements(np.linalg.norm)
def norm(x, ord=None, axis=None, keepdims=False):  # noqa: A002
    x, = as_arrays(x)
    if ord in (1, np.inf, -np.inf) and (rank_of(x) == 1 or isinstance(axis, int)):
        size = dispatch("abs", (x,))
        return _of_floats(sum if ord == 1 else max if ord > 0 else min, size, axis, keepdims)
    if ord not in (None, 2, "fro") or ord == 2 and rank_of(x) == 2 and axis is None or ord == "fro" and rank_of(x) != 2:
        raise Unsupported(f"ord={ord!r}")
    return _reduce("norm", x, axis, keepdims)


def _of_floats(function, x, axis, keepdims):
    return function(x if dtype_of(x) in ("f32", "f64") else ops.cast(x, "f64"), axis, keepdims=keepdims)


def logaddexp_reduced(a, axis=None, *, keepdims=False):
    a, = as_arrays(a)
    need(a, NUMBERS, NOT_BOOLS)
    return _reduce("logsumexp", a, axis, keepdims)


def _vectors(name, a, b):
    if type_of(a) is not None and type_of(b) is not None and (rank_of(a), rank_of(b)) != (1, 1):
        raise Unsupported(f"arrays of {rank_of(a)} and {rank_of(b)} axes")
    return dispatch(name, (a, b))


@implements(np.matmul)
def matmul(a, b):
    return dispatch("matmul", (as_array(a), as_array(b)))


@implements(np.dot, method="dot")
def dot(a, b):
    a, b = strong(as_array(a)), strong(as_array(b))       # whose numbers promote, unlike a product's
    if type_of(b) is not None and rank_of(b) > 2 and type_of(a) is not None and rank_of(a) > 0:
        raise Unsupported("a stack of matrices, which np.matmul multiplies otherwise")
    return dispatch("*" if None not in (type_of(a), type_of(b)) and 0 in (rank_of(a), rank_of(b)) else "matmul", (a, b))


@implements(np.inner)
def inner(a, b):
    a, b = as_arrays(a, b)
    return dot(a, transpose(b)) if type_of(b) is not None and rank_of(b) == 2 else dot(a, b)


@implements(np.vdot)
def vdot(a, b):
    return _vectors("matmul", ravel(a), ravel(b))


@implements(np.outer)
def outer(a, b):
    return _vectors("outer", ravel(a), ravel(b))
