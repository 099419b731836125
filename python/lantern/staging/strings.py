"""Text of staged values: str(x) and f-strings."""
from __future__ import annotations

import typing

from lantern import types
from lantern.staging.errors import StagingError
from lantern.staging.values import Staged, Undefined


def text_of(trace, value):
    """`str(value)`."""
    if not isinstance(value, Staged):
        return str(value)
    return value if value.type == types.string else trace.emit("string", (value,))


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
    merged = []
    for piece in pieces:
        if isinstance(piece, str) and merged and isinstance(merged[-1], str):
            merged[-1] += piece
        elif isinstance(piece, Staged) or piece:
            merged.append(piece)
    if len(merged) == 1:
        return merged[0]
    return trace.emit("join-strings", tuple(merged))
