"""Text of staged values: str(x) and f-strings."""
from __future__ import annotations

import typing

from lantern import types
from lantern.staging.arguments import holds_staged
from lantern.staging.errors import StagingError
from lantern.staging.values import Staged, Undefined


def text_of(trace, value):
    """`str(value)`."""
    if isinstance(value, Staged):
        if isinstance(value.type, types.Tuple):
            return _text_of_tuple(trace, tuple(iter(value)))
        return value if value.type == types.string else trace.emit("string", (value,))
    if not holds_staged(value):
        return str(value)
    if not isinstance(value, tuple) or type(value).__repr__ is not tuple.__repr__:
        raise StagingError("LT0310", f"the text of a {type(value).__name__} with staged elements is not staged in this release",
                           trace.place(), "make text of its elements")
    return _text_of_tuple(trace, value)


def _text_of_tuple(trace, values):
    """`(1, 2.5)`: the elements as repr() has them."""
    pieces = ["("]
    for number, value in enumerate(values):
        pieces.append(", " if number else "")
        if isinstance(value, Staged) and value.type == types.string:
            raise StagingError("LT0310", f"repr() of {value.shown()}, a staged string, is not staged in this release", trace.place())
        pieces.append(text_of(trace, value) if holds_staged(value) else repr(value))
    return joined(trace, [*pieces, ",)" if len(values) == 1 else ")"])


class Field(typing.NamedTuple):
    """A staged value in an f-string."""
    value: object
    conversion: str | None
    spec: object

    def text(self, trace):
        value, conversion, spec = self
        if isinstance(spec, Staged):
            raise StagingError("LT0310", "a format specification is known while staging", trace.place())
        if isinstance(value, Undefined):
            raise value.error(trace.place())
        if conversion in ("r", "a") and value.type == types.string:
            raise StagingError("LT0310", f"repr() of {value.shown()}, a staged string, is not staged in this release", trace.place())
        if spec and (value.type == types.string or isinstance(value.type, types.TensorType) and value.type.dims):
            raise StagingError("LT0310", f"{value.shown()}, of type {value.type}, is laid out as '{spec}', which is staged for numbers alone",
                               trace.place(), "leave the format out")
        return trace.emit("format", (spec, value)) if spec else text_of(trace, value)


def fstring(trace, parts):
    """An f-string: text, and the fields of staged values."""
    pieces = [part.text(trace) if isinstance(part, Field) else part for part in parts]
    return joined(trace, pieces)


def joined(trace, pieces):
    """Text, staged or not, one behind the other."""
    merged = []
    for piece in pieces:
        if isinstance(piece, str) and merged and isinstance(merged[-1], str):
            merged[-1] += piece
        elif isinstance(piece, Staged) or piece:
            merged.append(piece)
    if len(merged) < 2:
        return merged[0] if merged else ""
    return trace.emit("join-strings", tuple(merged))


def join(trace, separator, values):
    """`separator.join(values)`."""
    values = trace.lists.value(values)
    if isinstance(values, Staged) and isinstance(values.type, types.List):
        from lantern.staging import library
        return library.joined(trace, values, separator)
    values = list(values)
    if not holds_staged(values):
        return separator.join(values)
    pieces = []
    for number, value in enumerate(values):
        if not isinstance(value, str) and not (isinstance(value, Staged) and value.type == types.string):
            kind = value.type if isinstance(value, Staged) else type(value).__name__
            raise TypeError(f"sequence item {number}: expected str instance, {kind} found")
        pieces += [separator, value] if number else [value]
    return joined(trace, pieces)
