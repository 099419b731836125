"""NumPy's functions of each element."""
from __future__ import annotations

import builtins
import math

import numpy as np

from lantern import ops, types
from lantern.dispatch import dispatch
from lantern.numpy_functions.operands import (
    FUNCTIONS, NOT_BOOLS, NUMBERS, Unsupported, as_arrays, common_dtype, copied, dtype_of, implements, in_dtype, need, rank_of, truth)


_UFUNCS = {
    np.add: "+", np.subtract: "-", np.multiply: "*", np.true_divide: "/", np.floor_divide: "//", np.remainder: "%",
    np.power: "**", np.negative: "neg", np.absolute: "abs", np.sqrt: "sqrt", np.square: "square", np.exp: "exp",
    np.log: "log", np.tanh: "tanh", np.sin: "sin", np.cos: "cos", np.tan: "tan", np.expm1: "expm1", np.log1p: "log1p",
    np.log2: "log2", np.log10: "log10", np.cbrt: "cbrt", np.arcsin: "asin", np.arccos: "acos", np.arctan: "atan", np.sinh: "sinh", np.cosh: "cosh",
    np.arcsinh: "asinh", np.arccosh: "acosh", np.arctanh: "atanh",
    np.hypot: "hypot", np.arctan2: "atan2", np.sign: "sign", np.rint: "rint", np.maximum: "maximum", np.minimum: "minimum",
}
_COMPARISONS = {np.equal: "==", np.not_equal: "!=", np.less: "<", np.less_equal: "<=", np.greater: ">", np.greater_equal: ">="}
_BITS = {np.bitwise_and: "bit-and", np.bitwise_or: "bit-or", np.bitwise_xor: "bit-xor", np.invert: "bit-not"}
_SHIFTS = {np.left_shift: "shift-left", np.right_shift: "shift-right"}
_LOGIC = {np.logical_and: "and", np.logical_or: "or", np.logical_not: "not"}


_OF_BOOLS = {"+": "or", "*": "and", "maximum": "or", "minimum": "and", "/": "/"}     # what they are where all operands are bools


def _elementwise(name, of_bools):
    def function(*operands):
        operands = as_arrays(*operands)
        if any(dtype_of(x) != "bool" for x in operands):
            return dispatch(name, operands)
        if of_bools is None:
            raise Unsupported(f"arrays of bool: {NOT_BOOLS}")
        return dispatch(of_bools, operands)
    return function


FUNCTIONS.update({ufunc: _elementwise(name, _OF_BOOLS.get(name)) for ufunc, name in {**_UFUNCS, **_SHIFTS}.items()})
FUNCTIONS.update({ufunc: _elementwise(name, name) for ufunc, name in {**_COMPARISONS, **_BITS}.items()})


def _logical(name):
    return lambda *operands: dispatch(name, tuple(map(truth, as_arrays(*operands))))


FUNCTIONS.update({ufunc: _logical(name) for ufunc, name in {**_LOGIC, np.logical_xor: "!="}.items()})


@implements(np.positive)
def positive(x):
    need(x, NUMBERS, NOT_BOOLS)
    return copied(as_arrays(x)[0])


@implements(np.reciprocal)
def reciprocal(x):
    need(x, ("f32", "f64"), "1 // x is another function")
    return dispatch("/", (1.0, *as_arrays(x)))


@implements(np.fabs)
def fabs(x):
    x, = _numbers(x)
    return dispatch("abs", (x if dtype_of(x) in ("f32", "f64", None) else ops.cast(x, "f64"),))


def _times(factor):
    return lambda x: dispatch("*", (*_numbers(x), factor))


FUNCTIONS.update({np.deg2rad: _times(math.pi / 180), np.radians: _times(math.pi / 180),
                  np.rad2deg: _times(180 / math.pi), np.degrees: _times(180 / math.pi)})


def _but_nan(name):
    """The larger or smaller one; where one of them is no number, the other."""
    def function(a, b):
        a, b = _numbers(a, b)
        other = dispatch("where", (dispatch("!=", (a, a)), b, dispatch(name, (a, b))))
        return dispatch("where", (dispatch("!=", (b, b)), a, other))
    return function


FUNCTIONS.update({np.fmax: _but_nan("maximum"), np.fmin: _but_nan("minimum")})


@implements(np.nan_to_num)
def nan_to_num(x, *, nan=0.0, posinf=None, neginf=None):
    x, = _numbers(x)
    if dtype_of(x) not in ("f32", "f64"):
        return copied(x)
    limits = np.finfo(types.numpy_dtype(dtype_of(x)))
    for found, instead in ((dispatch("!=", (x, x)), nan), (dispatch("==", (x, math.inf)), limits.max if posinf is None else posinf),
                           (dispatch("==", (x, -math.inf)), limits.min if neginf is None else neginf)):
        x = dispatch("where", (found, float(instead), x))
    return x


@implements(np.isclose)
def isclose(a, b, rtol=1e-05, atol=1e-08):
    a, b = _numbers(a, b)
    near = dispatch("<=", (dispatch("abs", (dispatch("-", (a, b)),)), dispatch("+", (dispatch("*", (dispatch("abs", (b,)), rtol)), atol))))
    return dispatch("or", (dispatch("==", (a, b)), dispatch("and", (near, isfinite(b)))))


@implements(np.exp2)
def exp2(x):
    x, = as_arrays(x)
    need(x, NUMBERS, NOT_BOOLS)
    return dispatch("**", (2.0, x))


@implements(np.logaddexp)
def logaddexp(a, b):
    a, b = _numbers(a, b)
    apart = dispatch("abs", (dispatch("-", (a, b)),))
    more = dispatch("log1p", (dispatch("exp", (dispatch("neg", (apart,)),)),))
    # Where they are one, infinities, too, each has half of the derivative.
    halves = dispatch("+", (dispatch("*", (a, 0.5)), dispatch("*", (b, 0.5))))
    return dispatch("where", (dispatch("==", (a, b)), dispatch("+", (halves, math.log(2.0))), dispatch("+", (dispatch("maximum", (a, b)), more))))


@implements(np.heaviside)
def heaviside(x, at_zero):
    x, at_zero = _numbers(x, at_zero)
    above = dispatch("+", (dispatch("*", (dispatch("sign", (x,)), 0.5)), 0.5))      # nan of nan
    return dispatch("where", (dispatch("==", (x, 0)), at_zero, above))


_OF_WHOLE = np.floor(np.zeros(1, int)).dtype.kind == "i"      # whether NumPy's version has whole numbers and bools stay what they are


def _whole(function):
    """A function that gives the whole number beside each, of floats, as NumPy's of all numbers."""
    def of_numbers(x):
        x, = as_arrays(x)
        if dtype_of(x) == "bool" and not _OF_WHOLE:
            raise Unsupported(f"arrays of bool: {NOT_BOOLS}")
        if dtype_of(x) in ("f32", "f64", None):
            return function(x)
        return copied(x) if _OF_WHOLE else ops.cast(x, "f64")
    return of_numbers


def _floor(x):
    nearest = dispatch("rint", (x,))
    return dispatch("where", (dispatch(">", (nearest, x)), dispatch("-", (nearest, 1.0)), nearest))


def _ceil(x):
    return dispatch("neg", (_floor(dispatch("neg", (x,))),))


def _trunc(x):
    return dispatch("where", (dispatch("<", (x, 0.0)), _ceil(x), _floor(x)))


FUNCTIONS.update({np.floor: _whole(_floor), np.ceil: _whole(_ceil), np.trunc: _whole(_trunc), np.fix: _whole(_trunc)})


@implements(np.round, np.around, method="round")
def round_(a, decimals=0):
    a, = as_arrays(a)
    if dtype_of(a) in ("i32", "i64"):
        if decimals < 0:
            raise Unsupported(f"whole numbers and decimals={decimals}")
        return copied(a)
    need(a, ("f32", "f64"), NOT_BOOLS)
    if decimals == 0:
        return dispatch("rint", (a,))
    unit = 10.0 ** builtins.abs(decimals)
    there, back = ("*", "/") if decimals > 0 else ("/", "*")
    return dispatch(back, (dispatch("rint", (dispatch(there, (a, unit)),)), unit))


@implements(np.signbit)
def signbit(x):
    x, = _numbers(x)
    if dtype_of(x) in ("i32", "i64"):
        return dispatch("<", (x, 0))
    return dispatch("<", (dispatch("atan2", (x, -1.0)), 0))      # of -0.0, too


@implements(np.fmod)
def fmod(a, b):
    a, b = _numbers(a, b)
    if common_dtype((a, b)) in ("i32", "i64"):
        rest = dispatch("%", (a, b))        # which has the sign of b
        differ = dispatch("and", (dispatch("!=", (rest, 0)), dispatch("!=", (dispatch("<", (a, 0)), dispatch("<", (b, 0))))))
        return dispatch("where", (differ, dispatch("-", (rest, b)), rest))
    rest = dispatch("%", (dispatch("abs", (a,)), dispatch("abs", (b,))))
    return dispatch("where", (signbit(a), dispatch("neg", (rest,)), rest))


@implements(np.float_power)
def float_power(a, b):
    return dispatch("**", tuple(in_dtype(x, "f64") for x in _numbers(a, b)))


@implements(np.copysign)
def copysign(size, x):
    size, x = _numbers(size, x)
    dtype = common_dtype((size, x))
    size = dispatch("abs", (in_dtype(size, dtype if dtype in ("f32", "f64") else "f64"),))
    return dispatch("where", (signbit(x), dispatch("neg", (size,)), size))


def _numbers(*operands):
    operands = as_arrays(*operands)
    for operand in operands:
        need(operand, NUMBERS, NOT_BOOLS)
    return operands


@implements(np.isnan)
def isnan(x):
    x, = as_arrays(x)
    return dispatch("!=", (x, x))


@implements(np.isinf)
def isinf(x):
    x, = as_arrays(x)
    return dispatch("==", (dispatch("abs", (x,)), float("inf"))) if dtype_of(x) in ("f32", "f64", None) else dispatch("!=", (x, x))


@implements(np.isfinite)
def isfinite(x):
    x, = as_arrays(x)
    return dispatch("<", (dispatch("abs", (x,)), float("inf"))) if dtype_of(x) in ("f32", "f64", None) else dispatch("==", (x, x))


@implements(np.divmod)
def divmod_(a, b):
    return FUNCTIONS[np.floor_divide](a, b), FUNCTIONS[np.remainder](a, b)


@implements(np.clip, method="clip")
def clip(a, a_min=None, a_max=None, *, min=None, max=None):  # noqa: A002
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    a, = as_arrays(a)
    need(a, NUMBERS, NOT_BOOLS)
    if low is None and high is None:
        raise Unsupported("no bounds")
    if high is None:
        return dispatch("maximum", (a, low))
    if low is None:
        return dispatch("minimum", (a, high))
    if rank_of(low) or rank_of(high):       # of -0.0 and 0.0 the bound, where the operator keeps the element
        return dispatch("minimum", (dispatch("maximum", (a, low)), high))
    return dispatch("clip", (a, low, high))
