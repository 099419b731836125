"""`text % values` and `text.format(…)` where something that is shown is staged: each field becomes that of an f-string."""
from __future__ import annotations

import _string     # what string.Formatter goes by
import re

from lantern import types
from lantern.staging import strings
from lantern.staging.errors import StagingError
from lantern.staging.values import Staged

_CONVERSION = r"%(?:\((?P<key>[^)]*)\))?(?P<flags>[-#0 +]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<type>.?)"


def _field(trace, value, conversion, spec):
    """The text of one value, as of an f-string's field."""
    if isinstance(value, Staged) or isinstance(spec, Staged):
        return strings.Field(value, conversion, spec).text(trace)
    return strings.formatted(trace, value, conversion, spec)


def format_(trace, value, spec=""):
    """`format(value, spec)`."""
    return _field(trace, value, None, spec)


class _Arguments:
    """The values of `text % values`, one after the other or by name."""

    def __init__(self, values):
        is_staged_tuple = isinstance(values, Staged) and isinstance(values.type, types.Tuple)
        self.by_name = values if isinstance(values, dict) else None
        self.values = list(values) if isinstance(values, tuple) or is_staged_tuple else [values]
        self.place = 0

    def next(self, key=None):
        if key is not None:
            if self.by_name is None:
                raise TypeError("format requires a mapping")
            return self.by_name[key]
        if self.place >= len(self.values):
            raise TypeError("not enough arguments for format string")
        self.place += 1
        return self.values[self.place - 1]

    def check_all_used(self):
        if self.by_name is None and self.place < len(self.values):
            raise TypeError("not all arguments converted during string formatting")


def percent(trace, text, values):
    """`text % values`."""
    arguments, found, end = _Arguments(values), [], 0
    for match in re.finditer(_CONVERSION, text, re.DOTALL):
        found.append(text[end:match.start()])
        end = match.end()
        if match["type"] == "%":
            found.append("%")
        else:
            found.append(_converted(trace, match, arguments))
    arguments.check_all_used()
    return strings.joined(trace, [*found, text[end:]])


def _converted(trace, match, arguments):
    width, precision = (arguments.next() if match[name] == "*" else match[name] for name in ("width", "precision"))
    value = arguments.next(match["key"])
    if isinstance(width, Staged) or isinstance(precision, Staged):
        raise StagingError("LT0310", "a width that is known only when the program runs lays out text", trace.place(), "give a number that is known while staging")
    if not strings.holds(trace, value):
        return "".join(("%", match["flags"], "" if width is None else str(width), "" if precision is None else f".{precision}", match["type"])) % (value,)
    kind, flags = match["type"], match["flags"]
    layout = _layout(flags, width, precision, "" if kind in "sra" else kind)
    if kind in ("s", "r", "a"):
        shown = strings.repr_of(trace, value) if kind != "s" else strings.text_of(trace, value)
        return _field(trace, shown, None, layout)
    if kind not in tuple("diuoxXeEfFgG"):
        raise StagingError("LT0310", f"'%{kind}' of a value that is known only when the program runs", trace.place(), "use %s, or an f-string")
    value = _number(trace, value, kind)
    return _field(trace, value, None, layout)


def _layout(flags, width, precision, kind):
    """The specification of an f-string that lays a field out as `%` does."""
    is_left = "-" in flags
    pads = "0" in flags and not is_left and kind
    align = "<" if is_left else "" if kind else ">"
    sign = "+" if "+" in flags else " " if " " in flags else ""
    spec = "".join((align if width else "", sign if kind else "", "#" if "#" in flags and kind else "", "0" if pads and width else "", str(width or "")))
    return spec + ("" if precision is None else f".{precision or 0}") + ("d" if kind in ("i", "u") else kind)


def _number(trace, value, kind):
    type_ = trace.type_of(value)
    if isinstance(type_, types.TensorType) and not type_.dims:
        value = trace.emit("item", (value,))
        type_ = trace.type_of(value)
    is_whole = type_ in (types.i64, types.i32, types.bool_)
    if not is_whole and type_ not in (types.f64, types.f32):
        name = types.annotation(type_) if isinstance(value, Staged) else type(value).__name__
        raise TypeError(f"%{kind} format: a real number is required, not {name}" if kind in "diu" else
                        f"%{kind} format: an integer is required, not {name}" if kind in "oxX" else f"must be real number, not {name}")
    if kind in "oxX" and not is_whole:
        raise TypeError(f"%{kind} format: an integer is required, not float")
    if kind in "diu" and not is_whole or type_ == types.bool_:
        return trace.emit("cast", (types.i64, value))
    return value


def format_text(trace, text, arguments, keywords):
    """`text.format(*arguments, **keywords)`."""
    return _Formatter(trace, arguments, keywords).text(text)


class _Formatter:
    def __init__(self, trace, arguments, keywords):
        self.trace, self.arguments, self.keywords = trace, arguments, keywords
        self.place = 0          # of the next field without a number
        self.is_numbered = None

    def text(self, text, depth=2):
        if depth == 0:
            raise ValueError("Max string recursion exceeded")
        found = []
        for literal, name, spec, conversion in _string.formatter_parser(text):
            found.append(literal)
            if name is not None:
                value = self._value(name)
                found.append(_field(self.trace, value, conversion, self.text(spec, depth - 1) if spec else ""))
        return strings.joined(self.trace, found)

    def _value(self, name):
        """What a field's name, `0`, `x.y` or `x[2]`, stands for."""
        first, rest = _string.formatter_field_name_split(name)
        if first == "" or isinstance(first, int):
            is_numbered = first != ""
            if self.is_numbered not in (None, is_numbered):
                raise ValueError("cannot switch from manual field specification to automatic field numbering" if self.is_numbered else
                                 "cannot switch from automatic field numbering to manual field specification")
            self.is_numbered = is_numbered
            if not is_numbered:
                first, self.place = self.place, self.place + 1
            if first >= len(self.arguments):
                raise IndexError(f"Replacement index {first} out of range for positional args tuple")
            value = self.arguments[first]
        else:
            value = self.keywords[first]
        from lantern.operators_expressions import getattr_, getitem
        for is_attribute, key in rest:
            value = (getattr_ if is_attribute else getitem)(value, key, self.trace.at)
        return value
