"""When an operation fails, as a condition of the program, and what Python then raises: for those of the operators of which it can be said before.

A row gives, of a node's operands, what the failure depends on, the condition of it, and the exception, which Python itself makes of operands that fail so.
"""
from __future__ import annotations

import math
import operator

from lantern import types
from lantern.records import Record

_BASES = {0, *range(2, 37)}
_NUMBERS = (types.i64, types.f64, types.bool_)


class Failure(Record):
    """What an operation raises, and when. of: equal for what fails together; condition, exception: give them."""
    raises: type
    of: tuple
    condition: object
    exception: object


def failure_of(trace, node):
    """How a node's operation fails; None if that cannot be said before it is tried."""
    name, *operands = node
    rule = _RULES.get(str(name))
    return rule(trace, *operands) if rule is not None else None


def _raised(function, *operands):
    """What Python raises there."""
    def exception():
        try:
            function(*operands)
        except Exception as error:
            return error.with_traceback(None)
        raise AssertionError(f"{function} does not fail")
    return exception


def _division(function):
    def rule(trace, a, b):
        kinds = [trace.type_of(a), trace.type_of(b)]
        if not all(kind in _NUMBERS for kind in kinds):
            return None
        is_float = types.f64 in kinds
        one, zero = (1.0, 0.0) if is_float else (1, 0)
        return Failure(ZeroDivisionError, ("zero", b), lambda: trace.emit("==", (b, zero if kinds[1] is types.f64 else 0)), _raised(function, one, zero))
    return rule


def _place(function, *operands):
    """Of a list or text, and a place in it."""
    def rule(trace, a, place, *_):
        type_ = trace.type_of(a)
        if not isinstance(type_, types.List) and type_ != types.string:
            return None

        def condition():
            length = trace.emit("length", (a,))
            if isinstance(place, int):
                return trace.emit("<=", (length, place)) if place >= 0 else trace.emit("<", (length, -place))
            return trace.emit("or", (trace.emit(">=", (place, length)), trace.emit("<", (place, trace.emit("neg", (length,))))))

        return Failure(IndexError, ("place", a, place), condition, _raised(function, *operands))
    return rule


def _empty(trace, a):
    return Failure(IndexError, ("empty", a), lambda: trace.emit("==", (trace.emit("length", (a,)), 0)), _raised([].pop))


def _of_real_number(name, function, fails, least):
    def rule(trace, x):
        if trace.type_of(x) not in _NUMBERS:
            return None
        return Failure(ValueError, (name, x), lambda: trace.emit(fails, (x, 0)), _raised(function, least))
    return rule


def _number(name, message):
    """A text that is to be read as a number, in a base that is known."""
    def rule(trace, text, *base):
        if not all(type(each) is int and each in _BASES for each in base):
            return None

        def exception():
            shown = trace.emit("quoted", (text,))
            if base:
                shown = trace.emit("substring", (shown, 0, trace.emit("minimum", (trace.emit("length", (shown,)), 200))))
            return ValueError(trace.emit("join-strings", (message.format(*base), shown)))

        return Failure(ValueError, (name, text, *base), lambda: trace.negate(trace.emit(name, (text, *base))), exception)
    return rule


def _assertion(trace, test, message):
    return Failure(AssertionError, ("assertion", test), lambda: trace.negate(test), lambda: AssertionError(*[message] * (message != "")))


def _delete(list_, place):
    del list_[place]


_RULES = {
    "/": _division(operator.truediv), "//": _division(operator.floordiv), "%": _division(operator.mod),
    "index": _place(operator.getitem, [], 0), "character": _place(operator.getitem, "", 0),
    "write": _place(operator.setitem, [], 0, 0), "remove": _place(_delete, [], 0), "pop": _empty,
    "assert": _assertion,
    "parse-int": _number("is-int", "invalid literal for int() with base {}: "), "parse-float": _number("is-float", "could not convert string to float: "),
    "sqrt": _of_real_number("sqrt", math.sqrt, "<", -1.0), "log": _of_real_number("log", math.log, "<=", 0.0),
}
