"""`functools.singledispatch`: which implementation a call goes to, by the class that a staged argument has in Python.

    @functools.singledispatch
    def shown(x): …

    @shown.register
    def _(x: float): …

The library's own code asks for the argument's class, which is that of all staged values.
"""
from __future__ import annotations

import functools

from lantern import types
from lantern.staging import builtins
from lantern.staging.errors import StagingError
from lantern.staging.values import Staged, class_in_python

_CODE = functools.singledispatch(lambda value: None).__code__


def implementation(trace, function, arguments):
    """What such a function calls with these arguments; None if it is another function, or has no argument to go by."""
    if getattr(function, "__code__", None) is not _CODE or not arguments:
        return None
    value = arguments[0]
    if not isinstance(value, Staged):
        return function.dispatch(class_in_python(value))
    found = {function.dispatch(cls) for cls in builtins.classes_of(trace, value, "singledispatch")} or {function.dispatch(object)}
    if len(found) > 1:
        raise StagingError("LT0310", f"whether {value.shown()}, of type {types.annotation(value.type)}, is an array, NumPy's number or Python's is not known while "
                           "staging, and they have implementations of their own", trace.place(), "make a number of it first, float(…) or int(…)")
    return found.pop()
