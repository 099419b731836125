"""Text of staged values: str(x) and f-strings."""
from __future__ import annotations

from lantern import types
from lantern.staging.errors import StagingError
from lantern.staging.values import Staged


def text_of(trace, value):
    """`str(value)`."""
    if not isinstance(value, Staged):
        return str(value)
    return value if value.type == types.string else trace.emit("string", (value,))


def fstring(trace, parts):
    """An f-string: text, and (value, conversion, spec) for each replacement field."""
    pieces = []
    for part in parts:
        if not isinstance(part, tuple):
            pieces.append(part)
            continue
        value, conversion, spec = part
        if not isinstance(value, Staged):
            if isinstance(spec, Staged):
                raise StagingError("LT0310", "a format specification is known while staging", trace.place())
            value = {"r": repr, "a": ascii, "s": str}[conversion](value) if conversion else value
            pieces.append(format(value, spec or ""))
        elif conversion in ("r", "a") and value.type == types.string:
            raise StagingError("LT0310", f"repr() of {value.shown()}, a staged string, is not staged in this release", trace.place())
        elif spec:
            pieces.append(trace.emit("format", (spec, value)))
        else:
            pieces.append(text_of(trace, value))
    merged = []
    for piece in pieces:
        if isinstance(piece, str) and merged and isinstance(merged[-1], str):
            merged[-1] += piece
        elif isinstance(piece, Staged) or piece:
            merged.append(piece)
    if len(merged) == 1:
        return merged[0]
    return trace.emit("join-strings", tuple(merged))
