"""The functions of `math` on staged values: of numbers with Python's errors, of arrays as `lt`'s."""
from __future__ import annotations

import math

from lantern import types
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


def _function(name, operand=None, result=None):
    """`name` of a float. `operand` and `result` are checks."""
    def function(trace, value):
        if not isinstance(trace.type_of(value), types.Scalar):    # an array; or not known, in a listing
            return trace.emit(name, (value,))
        value = _as_float(trace, value)
        if operand:
            operand(trace, value)
        computed = trace.emit(name, (value,))
        if result:
            result(trace, value, computed)
        return computed
    return function


def _as_float(trace, value):
    return trace.emit("cast", (types.f64, value)) if trace.type_of(value) in (types.i64, types.bool_) else value


def _pow(trace, base, exponent):
    return trace.emit("**", (_as_float(trace, base), _as_float(trace, exponent)))


COUNTERPARTS = {
    math.exp: _function("exp", result=_fits), math.log: _function("log", _positive), math.sqrt: _function("sqrt", _not_negative),
    math.tanh: _function("tanh"), math.sin: _function("sin", _finite), math.cos: _function("cos", _finite), math.fabs: _function("abs"),
    math.pow: _pow,
}
