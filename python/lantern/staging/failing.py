"""When an operation fails, as a condition of the program, and what Python then raises: for those of the operators of which it can be said before.

A row gives, of a node's operands, what the failure depends on, the condition of it, and the exception, which Python itself makes of operands that fail so.
"""
from __future__ import annotations

import math
import operator

from lantern import ops, types
from lantern.records import Record

_BASES = {0, *range(2, 37)}
_NUMBERS = (types.i64, types.f64, types.bool_)


class Failure(Record):
    """What an operation raises, and when. of: equal for what fails together; condition, exception: give them."""
    raises: type
    of: tuple
    condition: object
    exception: object


def failures_of(trace, node):
    """How a node's operation fails where Python's does, in the order in which that is looked for: a Failure each, or the class alone where nothing can be
    said before it is tried. None where that is so of all."""
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


def _joined(trace, *parts):
    return trace.emit("join-strings", tuple(part if isinstance(part, str) else trace.emit("string", (part,)) for part in parts))


def _division(function):
    def rule(trace, a, b):
        kinds = [trace.type_of(a), trace.type_of(b)]
        if not all(kind in _NUMBERS for kind in kinds):
            return None
        is_float = types.f64 in kinds
        one, zero = (1.0, 0.0) if is_float else (1, 0)
        return [Failure(ZeroDivisionError, ("zero", b), lambda: trace.emit("==", (b, zero if kinds[1] == types.f64 else 0)), _raised(function, one, zero))]
    return rule


def _is_outside(trace, place, length):
    """The condition that an element's place is none."""
    if isinstance(place, int):
        return trace.emit("<=", (length, place)) if place >= 0 else trace.emit("<", (length, -place))
    return trace.emit("or", (trace.emit(">=", (place, length)), trace.emit("<", (place, trace.emit("neg", (length,))))))


def _place(function, *operands):
    """Of a list or text, and a place in it; of an array, and a place on each of its first axes."""
    def rule(trace, a, *places):
        type_ = trace.type_of(a)
        if isinstance(type_, types.TensorType):
            return _places_of_array(trace, a, places[:1] if function is operator.getitem else places[:-1])
        if not isinstance(type_, types.List) and type_ != types.string:
            return None
        return [Failure(IndexError, ("place", a, places[0]), lambda: _is_outside(trace, places[0], trace.emit("length", (a,))), _raised(function, *operands))]
    return rule


def _places_of_array(trace, a, places):
    """None for a part of an array, which may have been taken by the same brackets: which axis NumPy's message names is not known then."""
    view = getattr(a, "part_of", None)
    if trace.type_of(a).dims is None or view is not None and view.steps:
        return None

    def failure(axis, place):
        size = ops.shape(a, axis)

        def exception():
            parts = (f" is out of bounds for axis {axis} with size {size}",) if isinstance(size, int) else (f" is out of bounds for axis {axis} with size ", size)
            return IndexError(_joined(trace, "index ", place, *parts))

        return Failure(IndexError, ("place", a, place, axis), lambda: _is_outside(trace, place, size), exception)

    return [failure(axis, place) for axis, place in enumerate(places)]


def _of_list(trace, a, *_):
    """What fails of arrays alone; Python's slices end where the list does."""
    return [] if isinstance(trace.type_of(a), types.List) else None


def _empty(trace, a):
    return [Failure(IndexError, ("empty", a), lambda: trace.emit("==", (trace.emit("length", (a,)), 0)), _raised([].pop))]


def _separator(trace, text, *rest):
    if len(rest) < 2:
        return []
    return [] if isinstance(rest[0], str) and rest[0] != "" else [
        Failure(ValueError, ("separator", rest[0]), lambda: trace.emit("==", (rest[0], "")), _raised("".split, ""))]


def _code(trace, text):
    def exception():
        return TypeError(_joined(trace, "ord() expected a character, but string of length ", trace.emit("length", (text,)), " found"))
    return [Failure(TypeError, ("code", text), lambda: trace.emit("!=", (trace.emit("length", (text,)), 1)), exception)]


def _character(trace, code):
    """Neither is a part of the other: a `try` may handle one alone."""
    least, most = -2**31, 2**31 - 1

    def any_of(first, second):
        return trace.emit("or", (first, second))

    def within(first, last):
        return trace.emit("and", (trace.emit(">=", (code, first)), trace.emit("<=", (code, last))))

    return [Failure(OverflowError, ("beyond", code), lambda: any_of(trace.emit("<", (code, least)), trace.emit(">", (code, most))), _raised(chr, 2**31)),
            Failure(ValueError, ("no character", code), lambda: any_of(within(least, -1), within(0x110000, most)), _raised(chr, -1))]


def _whole(trace, to, x):
    """A float that becomes a whole number; Python has one for each that is finite."""
    if str(to) != "i64" or trace.type_of(x) != types.f64:
        return None
    return [Failure(ValueError, ("nan", x), lambda: trace.emit("!=", (x, x)), _raised(int, math.nan)),
            Failure(OverflowError, ("infinite", x), lambda: trace.emit("==", (trace.emit("abs", (x,)), math.inf)), _raised(int, math.inf))]


def _power(trace, a, b):
    """Of whole numbers it fails where Python's gives one, or a float."""
    kinds = [trace.type_of(a), trace.type_of(b)]
    if not all(kind in _NUMBERS for kind in kinds):
        return None
    if types.f64 not in kinds:
        return []

    def condition():
        is_negative = trace.emit("and", (trace.emit("<", (b, 0.0)), trace.emit(">", (b, -math.inf))))
        return trace.emit("and", (trace.emit("==", (a, 0.0)), is_negative))

    def overflow():
        product = a
        for _ in range(int(b) - 1):
            product = trace.emit("*", (product, a))
        is_infinite = [trace.emit("==", (trace.emit("abs", (each,)), math.inf)) for each in (product, a)]
        return trace.emit("and", (is_infinite[0], trace.negate(is_infinite[1])))

    is_known = isinstance(b, (int, float))
    is_zero = [] if is_known and not b < 0 else [Failure(ZeroDivisionError, ("power", a, b), condition, _raised(operator.pow, 0.0, -1.0))]
    if is_known and 0 <= b <= 1:
        return is_zero
    return [*is_zero, Failure(OverflowError, ("large", a, b), overflow, _raised(operator.pow, 1e200, 2.0)) if is_known and b in _SMALL_POWERS else OverflowError]


_SMALL_POWERS = {2, 3, 4}


def _of_real_number(name, function, fails, least):
    def rule(trace, x):
        if trace.type_of(x) not in _NUMBERS:
            return None
        return [Failure(ValueError, (name, x), lambda: trace.emit(fails, (x, 0)), _raised(function, least))]
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

        return [Failure(ValueError, (name, text, *base), lambda: trace.negate(trace.emit(name, (text, *base))), exception)]
    return rule


def _assertion(trace, test, message):
    return [Failure(AssertionError, ("assertion", test), lambda: trace.negate(test), lambda: AssertionError(*[message] * (message != "")))]


def _delete(list_, place):
    del list_[place]


_RULES = {
    "/": _division(operator.truediv), "//": _division(operator.floordiv), "%": _division(operator.mod), "**": _power, "cast": _whole,
    "index": _place(operator.getitem, [], 0), "character": _place(operator.getitem, "", 0), "with-item": _place(operator.setitem, [], 0, 0),
    "write": _place(operator.setitem, [], 0, 0), "remove": _place(_delete, [], 0), "pop": _empty, "slice": _of_list, "concat": _of_list,
    "assert": _assertion, "code-of": _code, "character-of": _character, "split": _separator,
    "parse-int": _number("is-int", "invalid literal for int() with base {}: "), "parse-float": _number("is-float", "could not convert string to float: "),
    "sqrt": _of_real_number("sqrt", math.sqrt, "<", -1.0), "log": _of_real_number("log", math.log, "<=", 0.0),
}
