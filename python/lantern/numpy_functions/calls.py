"""Calls of NumPy's functions and methods, as NumPy's protocols and converted code make them."""
from __future__ import annotations

import functools
import inspect

import numpy as np

from lantern import habits, ops
from lantern.dispatch import active_tape, active_trace, is_global, is_of_a_level, is_staged, refuse
from lantern.numpy_functions import (  # noqa: F401  they fill the tables
    choosing, elementwise, joining, linear_algebra, new, ordering, reductions, sampled, shapes)
from lantern.numpy_functions.operands import FUNCTIONS, OF_METHODS, Unsupported
from lantern.numpy_functions.reductions import all_, any_, logaddexp_reduced, max, min, prod, sum


def _reduction(function):
    """As the method `reduce` of a ufunc: along the first axis, where none is named."""
    def reduced(a, axis=0, **keywords):
        return function(a, axis, **keywords)
    return reduced


_REDUCTIONS = {ufunc: _reduction(own) for ufunc, own in ((np.add, sum), (np.multiply, prod), (np.maximum, max), (np.minimum, min),
                                                        (np.logical_and, all_), (np.logical_or, any_), (np.logaddexp, logaddexp_reduced))}


def call_ufunc(ufunc, method, operands, keywords):
    """`ufunc(*operands, **keywords)`, or a method of it."""
    own, name = FUNCTIONS.get(ufunc), f"numpy.{ufunc.__name__}"
    if active_trace() is None:
        operands = [_as_recorded(x) for x in operands]
    if any(out is not None for out in keywords.get("out") or ()):
        if active_trace() is None and not any(map(is_of_a_level, operands)):
            return getattr(ufunc, method)(*operands, **keywords)
        compiled = "" if active_trace() is not None else ", or compile it, lt.grad(lt.function(f))"
        return refuse(f"{name} puts a {_kind()} value into an array that is none", f"write a = a + b, which makes a new array{compiled}")
    if method == "reduce" and ufunc in _REDUCTIONS:
        own, name = _REDUCTIONS[ufunc], f"{name}.reduce"
    elif method != "__call__":
        own, name = None, f"{name}.{method}"
    return _call(own, name, operands, keywords, {"out": None, "where": True, "dtype": None, "casting": "same_kind", "order": "K", "subok": True})


def _as_recorded(operand):
    """An operand as the derivative that is being taken has it, if one is."""
    tape = active_tape()
    if is_global(operand):
        return operand.read() if tape is None else tape.read(operand)
    return operand if tape is None else tape.joined(operand)


def call_function(function, operands, keywords):
    """`function(*operands, **keywords)` of NumPy's."""
    module = (getattr(function, "__module__", None) or "numpy").split(".")
    name = ".".join([part for part in module if part.isidentifier() and not part.startswith("_") and part != "core"] + [function.__name__])
    return _call(FUNCTIONS.get(function), name, operands, keywords, _defaults(function))


@functools.lru_cache(maxsize=None)
def _defaults(function):
    """{parameter: default} of a function of NumPy's, as far as it says."""
    try:
        return {name: parameter.default for name, parameter in inspect.signature(function).parameters.items()}
    except (TypeError, ValueError):
        return {"dtype": None, "order": "C", "like": None, "out": None, "copy": True, "subok": False, "ndmin": 0}


def call_method(name, value, operands, keywords):
    """`value.name(*operands, **keywords)` of an array."""
    return _call(OF_METHODS[name], f"the array method {name}", (value, *operands), keywords, {"out": None, "order": "C", "copy": True})


def call_index(joiner, key):
    """`np.r_[key]` or `np.c_[key]`."""
    return _call(joining.indexed, "numpy.c_[…]" if joiner is np.c_ else "numpy.r_[…]", (joiner, key), {}, {})


_signature = functools.lru_cache(maxsize=None)(inspect.signature)


def _call(own, name, operands, keywords, defaults):
    if own is None:
        return refuse(f"{name} has no counterpart for {_kind()} values", _instead(name))
    keywords = {key: value for key, value in keywords.items()
                if not (key in defaults and (value is defaults[key] or _plainly_equal(value, defaults[key])))}
    try:
        _signature(own).bind(*operands, **keywords)
    except TypeError as error:
        return refuse(f"{name} called this way has no counterpart for {_kind()} values: {error}",
                      f"write x[...] = {name}(…) in place of out=x" if "out" in keywords else _instead(name))
    try:
        result = own(*operands, **keywords)
    except Unsupported as unsupported:
        return refuse(f"{name} has no counterpart for {_kind()} values with {unsupported}", _instead(name))
    return result.trace.views.called(name, own, operands, keywords, result) if is_staged(result) else result


def _plainly_equal(a, b):
    return type(a) is type(b) and isinstance(a, (str, bool, int, type(None))) and a == b or isinstance(a, tuple) and len(a) == 1 and a[0] is None and b is None


def _kind():
    return "staged" if active_trace() is not None else "recorded"


def _instead(name):
    short = name.rpartition(".")[2].rpartition(" ")[2]      # of a method, too
    if short in habits.OF_NUMPY:
        return habits.OF_NUMPY[short]
    if hasattr(ops, short) and not short.startswith("_"):
        return f"use lt.{short}, or call it in Python by lt.py_function"
    return "write it with lt's functions, or call it in Python by lt.py_function"
