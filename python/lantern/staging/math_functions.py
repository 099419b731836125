"""The functions of `math` on staged values: of Python's floats, with Python's errors. An array's element is made one first, as `math` does it."""
from __future__ import annotations

import math

from lantern import types
from lantern.staging.arguments import holds_staged
from lantern.staging.branches import staged_if
from lantern.staging.conditions import as_condition

_INFINITY = float("inf")


def _raise_if(trace, condition, error):
    """Raises `error` when the program runs and `condition` holds."""
    from lantern.operators_control import raise_
    staged_if(trace, as_condition(trace, condition), (lambda: raise_(error, trace.at), lambda: []), (), "the call")


def _positive(trace, x):
    _raise_if(trace, trace.emit("<=", (x, 0.0)), ValueError("math domain error"))


def _not_negative(trace, x):
    _raise_if(trace, trace.emit("<", (x, 0.0)), ValueError("math domain error"))


def _finite(trace, x):
    _raise_if(trace, trace.emit("==", (trace.emit("abs", (x,)), _INFINITY)), ValueError("math domain error"))


def _fits(trace, x, result):
    overflow = trace.emit("and", (trace.emit("==", (result, _INFINITY)), trace.emit("<", (x, _INFINITY))))
    _raise_if(trace, overflow, OverflowError("math range error"))


def _fits_either(trace, x, result):
    """The same where it may be below zero."""
    _fits(trace, trace.emit("abs", (x,)), trace.emit("abs", (result,)))


def _function(name, operand=None, result=None):
    """`name` of a float. `operand` and `result` are checks."""
    def function(trace, value):
        value = _as_float(trace, value)
        if trace.type_of(value) is None:    # in a listing
            return trace.emit(name, (value,))
        if operand:
            operand(trace, value)
        computed = trace.emit(name, (value,))
        if result:
            result(trace, value, computed)
        return computed
    return function


def _as_float(trace, value):
    """`float(value)`, with its digits: 0.1 in an f32 array is what `float` makes of it."""
    type_ = trace.type_of(value)
    if isinstance(type_, types.TensorType):
        if type_.dims:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        value = trace.emit("item", (value,))
        type_ = trace.type_of(value)
    return value if type_ in (types.f64, None) else trace.emit("cast", (types.f64, value))


def _pow(trace, base, exponent):
    base, exponent = _as_float(trace, base), _as_float(trace, exponent)
    if not isinstance(exponent, (int, float)) or exponent < 0:      # `**` raises ZeroDivisionError
        is_negative = trace.emit("and", (trace.emit("<", (exponent, 0.0)), trace.emit(">", (exponent, -_INFINITY))))
        _raise_if(trace, trace.emit("and", (trace.emit("==", (base, 0.0)), is_negative)), ValueError("math domain error"))
    return trace.emit("**", (base, exponent))


def _above_minus_one(trace, x):
    _raise_if(trace, trace.emit("<=", (x, -1.0)), ValueError("math domain error"))


def _at_most_one(trace, x):
    _raise_if(trace, trace.emit(">", (trace.emit("abs", (x,)), 1.0)), ValueError("math domain error"))


def _of_two(name):
    def function(trace, a, b):
        return trace.emit(name, (_as_float(trace, a), _as_float(trace, b)))
    return function


def _hypot(trace, *sides):
    if len(sides) != 2:
        _refuse(trace, math.hypot)
    return _of_two("hypot")(trace, *sides)


def _copysign(trace, size, value):
    size, value = trace.emit("abs", (_as_float(trace, size),)), _as_float(trace, value)
    is_negative = trace.emit("<", (trace.emit("atan2", (value, -1.0)), 0.0))     # of -0.0, too
    return trace.emit("where", (is_negative, trace.emit("neg", (size,)), size))


def _times(factor):
    return lambda trace, value: trace.emit("*", (_as_float(trace, value), factor))


_log = _function("log", _positive)


def _log_to_base(trace, value, base=None):
    return _log(trace, value) if base is None else trace.emit("/", (_log(trace, value), _log(trace, base)))


def _whole(correction):
    """A whole number near a float: `int`'s, and `correction(trace, x, it)` added."""
    def function(trace, value):
        if trace.type_of(value) in (types.i64, types.i32, types.bool_):
            return trace.emit("cast", (types.i64, value))
        value = _as_float(trace, value)
        whole = trace.emit("cast", (types.i64, value))
        return whole if correction is None else trace.emit(*correction(trace, value, whole))
    return function


def _below(trace, value, whole):
    return "-", (whole, trace.emit("cast", (types.i64, trace.emit("<", (value, whole)))))


def _above(trace, value, whole):
    return "+", (whole, trace.emit("cast", (types.i64, trace.emit(">", (value, whole)))))


def _asked(name, other):
    """Whether |x| and `other` compare so."""
    def function(trace, value):
        value = _as_float(trace, value)
        size = trace.emit("abs", (value,))
        return trace.emit(name, (size, size if other is None else other))
    return function


COUNTERPARTS = {
    math.exp: _function("exp", result=_fits), math.log: _log_to_base, math.sqrt: _function("sqrt", _not_negative),
    math.tanh: _function("tanh"), math.sin: _function("sin", _finite), math.cos: _function("cos", _finite), math.tan: _function("tan", _finite),
    math.expm1: _function("expm1", result=_fits), math.log1p: _function("log1p", _above_minus_one), math.erf: _function("erf"),
    math.log2: _function("log2", _positive), math.log10: _function("log10", _positive),
    math.asin: _function("asin", _at_most_one), math.acos: _function("acos", _at_most_one), math.atan: _function("atan"),
    math.sinh: _function("sinh", result=_fits_either), math.cosh: _function("cosh", result=_fits_either), math.atan2: _of_two("atan2"), math.hypot: _hypot,
    math.copysign: _copysign, math.degrees: _times(180.0 / math.pi), math.radians: _times(math.pi / 180.0),
    math.fabs: _function("abs"), math.pow: _pow, math.floor: _whole(_below), math.ceil: _whole(_above), math.trunc: _whole(None),
    math.isnan: _asked("!=", None), math.isinf: _asked("==", _INFINITY), math.isfinite: _asked("<", _INFINITY),
}


for _name, _own in {"cbrt": _function("cbrt"), "exp2": lambda trace, value: trace.emit("**", (2.0, _as_float(trace, value)))}.items():
    if hasattr(math, _name):        # since Python 3.11
        COUNTERPARTS[getattr(math, _name)] = _own


def _refuse(trace, function):
    trace.refuse("LT0310", f"math.{function.__name__} has no counterpart for staged values",
                 "write it with lt's functions, or call it in Python by lt.py_function", trace.place())


def refuse_others(trace, function, values):
    """An error for a function of `math` that has no counterpart here, by its name; `prod` multiplies, and needs none."""
    if getattr(function, "__module__", None) == "math" and function is not math.prod and any(map(holds_staged, values)):
        _refuse(trace, function)
