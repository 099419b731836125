"""Text laid out by `text % values` and `text.format(…)`, where values are staged: the pieces of an f-string."""
from __future__ import annotations

import re
import string

from lantern import types
from lantern.staging import strings
from lantern.staging.errors import StagingError
from lantern.staging.values import Staged

_FIELD = re.compile(r"%(?:\((?P<key>[^)]*)\))?(?P<flags>[#0\- +]*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<type>.?)", re.DOTALL)
_WHOLE, _BASED, _REAL = "diu", "xXo", "eEfFgG"


def is_format(function):
    """Whether a callable is `"…".format`."""
    return getattr(function, "__name__", None) == "format" and type(getattr(function, "__self__", None)) is str


def holds(trace, values):
    """Whether text of some of these is made when the program runs."""
    return any(strings.holds(trace, value) for value in values)


def by_percent(trace, text, values):
    """`text % values`."""
    given = values if type(values) is tuple else tuple(values) if isinstance(values, Staged) and isinstance(values.type, types.Tuple) else (values,)
    left, parts, end, is_keyed = list(given), [], 0, False
    for field in _FIELD.finditer(text):
        parts.append(text[end:field.start()])
        end = field.end()
        if field["type"] == "%":
            parts.append("%")
            continue
        if "*" in (field["width"], field["precision"]):
            raise _refused(trace, field.group())
        if field["key"] is not None:
            is_keyed, value = True, values[field["key"]]
        elif left:
            value = left.pop(0)
        else:
            raise TypeError("not enough arguments for format string")
        whole = field.group() if field["key"] is None else field.group().replace(f"({field['key']})", "", 1)
        parts.append(_field(trace, whole, field, value) if strings.holds(trace, value) else whole % ((value,)))
    if left and not is_keyed:
        raise TypeError("not all arguments converted during string formatting")
    return strings.joined(trace, [*parts, text[end:]])


def _field(trace, whole, field, value):
    kind, flags, width, precision = field["type"], field["flags"], field["width"], field["precision"]
    if kind in ("s", "r"):
        if width or precision is not None:
            raise _refused(trace, whole)
        return strings.repr_of(trace, value) if kind == "r" else strings.text_of(trace, value)
    type_ = trace.type_of(value) if isinstance(value, Staged) else None
    is_whole = kind in _WHOLE or kind in _BASED and type_ in (types.i64, types.i32, types.bool_)
    if not is_whole and kind not in _REAL or "#" in flags or getattr(type_, "dims", ()) or is_whole and precision is not None or type_ is None:
        raise _refused(trace, whole)
    if type_ == types.string or isinstance(type_, (types.List, types.Tuple, types.StructType, types.Optional)):
        if type_ != types.string:
            raise _refused(trace, whole)
        raise TypeError(f"%{kind} format: a real number is required, not str" if is_whole else "must be real number, not str")
    if kind in _WHOLE:
        from lantern.staging.builtins import counterpart
        value, kind = counterpart(int, (value,), {})(trace, value), "d"
    align = "<" if "-" in flags else ""
    zero = "0" if "0" in flags and not align else ""
    sign = "+" if "+" in flags else " " if " " in flags else ""
    return strings.formatted(trace, value, None, f"{align}{sign}{zero}{width}{'' if precision is None else f'.{precision or 0}'}{kind}")


def _refused(trace, field):
    return StagingError("LT0310", f"'{field}' is not staged: what it lays out is known only when the program runs", trace.place(), "use an f-string")


def by_fields(trace, text, arguments, keywords):
    """`text.format(*arguments, **keywords)`."""
    parts, number = [], 0
    for literal, name, spec, conversion in string.Formatter().parse(text):
        parts.append(literal)
        if name is None:
            continue
        if "{" in spec or not (name == "" or name.isdigit() or name.isidentifier()):
            raise StagingError("LT0310", f"the field '{{{name}{':' if spec else ''}{spec}}}' of format() is not staged", trace.place(), "use an f-string")
        if name == "":
            name, number = str(number), number + 1
        value = keywords[name] if not name.isdigit() else _argument(arguments, int(name))
        parts.append(strings.formatted(trace, value, conversion, spec) if strings.holds(trace, value) else
                     f"{{{'!' + conversion if conversion else ''}:{spec}}}".format(value))
    return strings.joined(trace, parts)


def _argument(arguments, number):
    if number >= len(arguments):
        raise IndexError(f"Replacement index {number} out of range for positional args tuple")
    return arguments[number]
