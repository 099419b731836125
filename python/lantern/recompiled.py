"""A warning that a function is compiled time and again, which takes longer than most calls: why, and what to do."""
from __future__ import annotations

import warnings

from lantern import types
from lantern.exceptions import RecompiledWarning
from lantern.kinds import Opened

MANY = 16       # programs of one function


def warn(function, names, keys):
    """Warns, at its definition, that a function has been compiled MANY times.

    names: of its parameters. keys: what it has been compiled for, a tuple each of what each argument was (a type, or the identity of what is
    known while it is compiled) and the default dtype."""
    code = getattr(function, "__code__", None)
    place = (code.co_filename, code.co_firstlineno) if code else ("<unknown>", 1)
    warnings.warn_explicit(f"'{getattr(function, '__qualname__', function)}' has been compiled {MANY} times: {_reason(names, keys)}", RecompiledWarning, *place)


def _reason(names, keys):
    seen = {name: {key[place] for key in keys} for place, name in enumerate(names)}
    name = max(seen, key=lambda name: len(seen[name]), default=None)
    if name is None or len(seen[name]) < MANY // 2:
        return "what it reads of Python's objects is another in each call; pass what changes as an argument, or keep it in an lt.Variable"
    if all(isinstance(kind, types.TensorType) for kind in seen[name]) and len({(kind.dtype, len(kind.dims)) for kind in seen[name]}) == 1:
        dims = ", ".join("None" for _ in next(iter(seen[name])).dims)
        return f"'{name}' has had {len(seen[name])} shapes; one program serves all where it is annotated: {name}: lt.Tensor[lt.{next(iter(seen[name])).dtype}, {dims}]"
    if any(isinstance(kind, Opened) for kind in seen[name]):
        return (f"'{name}' has had {len(seen[name])} forms: the keys of dicts, in order, the texts and bools in them, and the shapes of arrays are part of a program; hold "
                "what changes in numbers, arrays of one shape, or lists of numbers")
    if all(isinstance(kind, types.Type) for kind in seen[name]):
        return f"'{name}' has had {len(seen[name])} types; annotate it"
    return (f"'{name}' is known while it is compiled, and has been another in {len(seen[name])} calls; what it holds is known when the program runs if it is "
            "numbers, arrays, an lt.struct, or lists, tuples and dicts of them (dict(…) of a class that is derived of dict)")
