"""`lt.custom_vjp`: a function whose derivative its user gives."""
from __future__ import annotations

import functools
import inspect

from lantern import dispatch
from lantern.host import name_of
from lantern.lazy_numpy import np
from lantern.levels import is_floating, primal
from lantern.module import Parameter


def custom_vjp(f, forward, backward):
    """f, with a derivative of its own.

    forward: takes f's arguments; gives a pair of f's value and of whatever `backward` needs (numbers, arrays and tuples of them).
    backward: takes what forward saved, and the adjoint of the value, of its form (None at what has no derivative). It gives a
        tuple of one adjoint for each argument, of its shape and dtype; None for an argument that is no floating number or array,
        or, where nothing is compiled, for zeros. Where f has one argument, the adjoint alone will do.

    A gradient through a call of f calls `forward` in its place, and `backward` on the way back; all three are staged and
    compiled as other functions are. What derivatives are taken through comes as arguments: f, forward and backward cannot
    close over it. Raises TypeError where an adjoint does not fit its argument. `lt.jvp` through f is refused: its derivative
    along a direction is not known.
    """
    return CustomVjp(f, forward, backward)


class CustomVjp:
    """What `custom_vjp` returns; callable as f is."""

    def __init__(self, function, forward, backward):
        functools.update_wrapper(self, function, updated=())
        self.function, self.forward, self.backward = function, forward, backward

    def __call__(self, *arguments):
        arguments = tuple(x * 1 if isinstance(x, Parameter) else x for x in arguments)    # a value, by which its gradient goes
        trace, tape = dispatch.active_trace(), dispatch.active_tape()
        if trace is not None:
            return trace.custom_vjp(self, arguments)
        return self.function(*arguments) if tape is None else tape.call_own(self, arguments)

    @functools.cached_property
    def as_function(self):
        """A function that calls it, for what asks for a function."""
        from lantern.staging.convert import mark

        @mark
        def call(*arguments):
            return self(*arguments)
        call.__signature__, call.__name__ = inspect.signature(self.function), name_of(self.function)
        call.__annotations__ = getattr(self.function, "__annotations__", {})
        return call

    def saved(self, arguments):
        """(value, what is saved) by `forward`."""
        given = self.forward(*arguments)
        if not isinstance(given, tuple) or len(given) != 2:
            raise TypeError(f"'{name_of(self.forward)}' gives {_described(given)}: the value of '{name_of(self.function)}' and what is saved are expected, a pair")
        return given

    def adjoints(self, given, count):
        """One adjoint for each argument, of what `backward` gave."""
        if count == 1 and not isinstance(given, tuple):
            given = (given,)
        if not isinstance(given, tuple) or len(given) != count:
            raise TypeError(f"'{name_of(self.backward)}' gives {_described(given)}: a tuple of an adjoint for each of the {count} arguments "
                            f"of '{name_of(self.function)}' is expected")
        return given

    def check_adjoint(self, number, argument, adjoint):
        """Raises TypeError if what `backward` gave is no adjoint of an argument."""
        of, value = f"'{name_of(self.backward)}' gives, for argument {number} of '{name_of(self.function)}',", primal(adjoint)
        if isinstance(primal(argument), float) and not isinstance(primal(argument), np.generic):
            if not isinstance(value, (int, float)) or isinstance(value, bool):
                raise TypeError(f"{of} {_described(value)}, and the argument is a float")
        elif not is_floating(adjoint) or np.shape(adjoint) != np.shape(argument) or adjoint.dtype != argument.dtype:
            raise TypeError(f"{of} {_described(value)}, and the argument is {_described(primal(argument))}")


def _described(value):
    if isinstance(value, (np.ndarray, np.generic)):
        return f"an array of {value.dtype} with the shape {np.shape(value)}"
    return "None" if value is None else f"a tuple of {len(value)}" if isinstance(value, tuple) else f"a {type(value).__name__}"
