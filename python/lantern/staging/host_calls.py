"""`lt.py_function` in a trace: the program calls a function of Python's when it runs."""
from __future__ import annotations

from lantern import types
from lantern.host import Callback, name_of, passes
from lantern.staging.errors import StagingError
from lantern.staging.text import Symbol


class HostCalls:
    """The functions of Python's that a program calls back, by the names it knows them by."""

    def __init__(self):
        self.callbacks = {}

    def name(self, callback):
        base = name = name_of(callback.function)
        number = 1
        while not self._is(self.callbacks.setdefault(name, callback), callback):
            number += 1
            name = f"{base}_{number}"
        return name

    @staticmethod
    def _is(one, other):
        return one.function is other.function and (one.arguments, one.result) == (other.arguments, other.result)


def call(trace, function, arguments, result):
    """Emits a call of `function`; its staged result."""
    shown, place = name_of(function), trace.place()
    if trace.host_calls is None:
        raise StagingError("LT0316", f"'{shown}' is to be called by Python, and a program that is compiled ahead of time has none", place,
                           f"compile it in Python, by lt.function, or call '{shown}' itself, so that it is staged")
    found = [trace.type_of(argument) for argument in arguments]
    for number, (argument, type_) in enumerate(zip(arguments, found)):
        if not passes(type_):
            which = argument.shown() if hasattr(argument, "shown") and argument.name else f"argument {number}"
            raise StagingError("LT0310", f"{which} is {types.annotation(type_)}, and is passed to '{shown}' in Python", place,
                               "numbers, strings and arrays pass: pass its fields or elements")
    callback = Callback(function, tuple(found), result)
    node = (Symbol("py-function"), Symbol(callback.carried), trace.host_calls.name(callback), *map(trace.node, arguments))
    value = trace.bind(node, callback.carried)
    return None if isinstance(result, types.NoneType) else value
