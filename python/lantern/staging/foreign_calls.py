"""`lt.extern` in a trace: the program calls a function of the user's in C++."""
from __future__ import annotations

from lantern import types
from lantern.foreign import passes
from lantern.staging.errors import StagingError
from lantern.staging.text import Symbol


def call(trace, foreign, arguments, of_result):
    """Emits a call; its staged result, a tuple where it gives several."""
    found = [trace.type_of(argument) for argument in arguments]
    for number, (argument, type_) in enumerate(zip(arguments, found)):
        if not passes(type_):
            which = argument.shown() if hasattr(argument, "shown") and argument.name else f"argument {number}"
            raise StagingError("LT0310", foreign.refusal(which, type_), trace.place(), "pass its fields or elements")
    type_ = of_result(found)
    trace.header_folders.add(foreign.folder)
    whole = trace.bind((Symbol("extern"), Symbol(type_), foreign.name, foreign.header, *map(trace.node, arguments)), type_)
    if not isinstance(type_, types.Tuple):
        return whole
    return tuple(trace.bind((Symbol("get"), whole, at), part, pure=True) for at, part in enumerate(type_.elements))
