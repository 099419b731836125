"""NumPy's functions of sampled functions and of polynomials: convolutions, differences, integrals, values."""
from __future__ import annotations

import functools

import numpy as np

from lantern import ops, rearranging
from lantern.dispatch import active_trace, dispatch, is_staged
from lantern.numpy_functions.operands import (
    NOT_BOOLS, NUMBERS, Unsupported, as_array, as_arrays, axis_of, counted, dtype_of, implements, need, rank_of)
from lantern.numpy_functions.reductions import sum
from lantern.numpy_functions.shapes import diff, shape


def _vectors(a, v):
    """Two vectors of numbers, and their lengths."""
    a, v = as_arrays(a, v)
    for name, x in (("a", a), ("v", v)):
        need(x, NUMBERS, NOT_BOOLS)
        if rank_of(x) != 1:
            raise Unsupported(f"an array of {rank_of(x)} axes")
        length, = shape(x)
        if is_staged(length):
            from lantern.staging import library
            library.check_not_empty(active_trace(), length, name)
        elif length == 0:
            raise ValueError(f"{name} cannot be empty")
    return a, v, *shape(a), *shape(v)


# Which part of all products is given, of vectors whose lengths are these.
_MODES = {"full": lambda long, short: (0, long + short - 1), "same": lambda long, short: ((short - 1) // 2, (short - 1) // 2 + long),
          "valid": lambda long, short: (short - 1, long)}


@implements(np.convolve)
def convolve(a, v, mode="full"):
    a, v, m, n = _vectors(a, v)
    if mode not in _MODES:
        raise ValueError(f"mode must be one of 'valid', 'same' or 'full' (got {mode!r})")
    sums, places = rearranging.expand_dims(rearranging.arange(m + n - 1), 1), rearranging.arange(n)
    partners = dispatch("-", (sums, places))        # of each element of v, in each sum
    there = dispatch("and", (dispatch(">=", (partners, 0)), dispatch("<", (partners, m))))
    terms = dispatch("*", (rearranging.take(a, dispatch("clip", (partners, 0, m - 1))), v))
    products = counted(sum(terms, -1, where=there), dtype_of(terms))      # i32 of i32
    if is_staged(m) or is_staged(n):
        long, short = (dispatch(name, (m, n)) for name in ("maximum", "minimum"))
    else:
        long, short = max(m, n), min(m, n)
    return ops.getitem(products, slice(*_MODES[mode](long, short)))


@implements(np.correlate)
def correlate(a, v, mode="valid"):
    a, v, m, n = _vectors(a, v)
    if is_staged(m) or is_staged(n) or m < n:
        raise Unsupported("a second vector that may be the longer one")
    return convolve(a, rearranging.flip(v, 0), mode)


@implements(np.polyval)
def polyval(p, x):
    p, x = as_array(p), as_array(x)
    if rank_of(p) != 1 or is_staged(shape(p)[0]):
        raise Unsupported("coefficients whose number is known only when the program runs")
    zero = dispatch("zeros-like", as_arrays(x))
    return functools.reduce(lambda y, place: dispatch("+", (dispatch("*", (y, x)), ops.getitem(p, place))), range(shape(p)[0]), zero)


@implements(np.trapezoid if hasattr(np, "trapezoid") else np.trapz)
def trapezoid(y, x=None, dx=1.0, axis=-1):
    y, = as_arrays(y)
    if x is not None:
        x, = as_arrays(x)
        if rank_of(x) != 1 or rank_of(y) != 1:
            raise Unsupported("places of more than one axis")
        dx = diff(x)
    before = (slice(None),) * axis_of(y, axis)
    pairs = dispatch("+", (ops.getitem(y, (*before, slice(1, None))), ops.getitem(y, (*before, slice(None, -1)))))
    return sum(dispatch("/", (dispatch("*", (dx, pairs)), 2.0)), axis)
