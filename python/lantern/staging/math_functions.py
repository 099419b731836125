"""The functions of `math` on staged values: of Python's floats, with Python's errors. An array's element is made one first, as `math` does it.

Those of whole numbers, and those that go through a sequence, are what `number_definitions` says, converted."""
from __future__ import annotations

import functools
import math

from lantern import types
from lantern.staging import library, number_definitions, partings, sequence_definitions
from lantern.staging.arguments import holds_staged
from lantern.staging.branches import raise_if
from lantern.staging.conditions import as_condition

_INFINITY = float("inf")


def _raise_if(trace, condition, error):
    """Raises `error` when the program runs and `condition` holds."""
    from lantern.operators_control import raise_
    raise_if(trace, as_condition(trace, condition), lambda: raise_(error, trace.at), "the call")


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
            partings.note(trace, (name, value))
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


def _at_least_one(trace, x):
    _raise_if(trace, trace.emit("<", (x, 1.0)), ValueError("math domain error"))


def _below_one(trace, x):
    _raise_if(trace, trace.emit(">=", (trace.emit("abs", (x,)), 1.0)), ValueError("math domain error"))


def _of_two(name):
    def function(trace, a, b):
        return trace.emit(name, (_as_float(trace, a), _as_float(trace, b)))
    return function


def _hypot(trace, *sides):
    return functools.reduce(functools.partial(_of_two("hypot"), trace), sides) if len(sides) > 1 else trace.emit("abs", (_as_float(trace, sides[0]),))


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


def _defined(definition, prepared=lambda trace, value: value):
    """What a definition says of operands that are prepared first."""
    run = library.define(definition)
    return lambda trace, *values: run(trace, *(prepared(trace, value) for value in values))


def _as_whole(trace, value):
    type_ = trace.type_of(value)
    if isinstance(type_, types.TensorType) and not type_.dims:
        value = trace.emit("item", (value,))
        type_ = trace.type_of(value)
    if type_ not in (types.i64, types.i32, types.bool_, None) and not isinstance(value, int):
        raise TypeError(f"'{'float' if type_ in (types.f64, types.f32) else type(value).__name__}' object cannot be interpreted as an integer")
    return value if type_ in (types.i64, None) else trace.emit("cast", (types.i64, value))


def _of_any_number(definition, first):
    """A function of two whole numbers, of any number of them."""
    of_two = _defined(definition, _as_whole)
    return lambda trace, *values: functools.reduce(functools.partial(of_two, trace), values, first)


def _perm(trace, n, k=None):
    return _defined(number_definitions.factorial, _as_whole)(trace, n) if k is None else _defined(number_definitions.perm, _as_whole)(trace, n, k)


def _prod(trace, values, *, start=1):
    return library.product(trace, values, start)


def _is_close(trace, a, b, *, rel_tol=1e-9, abs_tol=0.0):
    return _defined(number_definitions.is_close, _as_float)(trace, a, b, rel_tol, abs_tol)


COUNTERPARTS = {
    math.exp: _function("exp", result=_fits), math.log: _log_to_base, math.sqrt: _function("sqrt", _not_negative),
    math.tanh: _function("tanh"), math.sin: _function("sin", _finite), math.cos: _function("cos", _finite), math.tan: _function("tan", _finite),
    math.expm1: _function("expm1", result=_fits), math.log1p: _function("log1p", _above_minus_one), math.erf: _function("erf"), math.erfc: _function("erfc"),
    math.log2: _function("log2", _positive), math.log10: _function("log10", _positive),
    math.asin: _function("asin", _at_most_one), math.acos: _function("acos", _at_most_one), math.atan: _function("atan"),
    math.sinh: _function("sinh", result=_fits_either), math.cosh: _function("cosh", result=_fits_either), math.atan2: _of_two("atan2"), math.hypot: _hypot,
    math.asinh: _function("asinh"), math.acosh: _function("acosh", _at_least_one), math.atanh: _function("atanh", _below_one),
    math.copysign: _copysign, math.degrees: _times(180.0 / math.pi), math.radians: _times(math.pi / 180.0),
    math.fabs: _function("abs"), math.pow: _pow, math.floor: _whole(_below), math.ceil: _whole(_above), math.trunc: _whole(None),
    math.gcd: _of_any_number(number_definitions.gcd, 0), math.factorial: _defined(number_definitions.factorial, _as_whole), math.perm: _perm,
    math.comb: _defined(number_definitions.comb, _as_whole), math.isqrt: _defined(number_definitions.isqrt, _as_whole),
    math.fmod: _defined(number_definitions.remainder_of_division, _as_float), math.isclose: _is_close, math.prod: _prod,
    math.dist: _defined(number_definitions.distance),
    math.lgamma: _defined(sequence_definitions.log_gamma, _as_float), math.modf: _defined(sequence_definitions.parts_of_float, _as_float),
    math.isnan: _asked("!=", None), math.isinf: _asked("==", _INFINITY), math.isfinite: _asked("<", _INFINITY),
}


for _name, _own in {"lcm": _of_any_number(number_definitions.lcm, 1), "sumprod": _defined(number_definitions.sum_of_products),
                    "cbrt": _function("cbrt"), "exp2": lambda trace, value: trace.emit("**", (2.0, _as_float(trace, value)))}.items():
    if hasattr(math, _name):        # since Python 3.9, 3.11 or 3.12
        COUNTERPARTS[getattr(math, _name)] = _own


def _refuse(trace, function):
    trace.refuse("LT0310", f"math.{function.__name__} has no counterpart for staged values",
                 "write it with lt's functions, or call it in Python by lt.py_function", trace.place())


OF_COMPLEX = "keep the real and the imaginary part in two floats, or in a frozen dataclass with the operations that are needed"


def refuse_others(trace, function, values):
    """An error for a function of `math` that has no counterpart here, by its name, and for what gives complex numbers."""
    if getattr(function, "__module__", None) == "math" and any(map(holds_staged, values)):
        _refuse(trace, function)
    if (function is complex or getattr(function, "__module__", None) == "cmath") and any(map(holds_staged, values)):
        name = "complex" if function is complex else f"cmath.{function.__name__}"
        trace.refuse("LT0312", f"{name}(…) of what is known only when the program runs: complex numbers have no counterpart in staged code",
                     OF_COMPLEX, trace.place())
