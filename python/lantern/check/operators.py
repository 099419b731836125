"""Which operator of a program differs first: each as the compiled program applied it, beside its plain meaning on the same operands.

A function with a derivative of its own, or one in C++, is an operator here.
"""
from __future__ import annotations

import dataclasses

import numpy as np

from lantern import dispatch, types
from lantern.check import gradients
from lantern.check.outcome import Tolerance, outcome_of
from lantern.function import Function
from lantern.grad import ValueAndGrad
from lantern.host import passes
from lantern.staging import entry
from lantern.staging.arguments import holds_staged
from lantern.staging.convert import mark
from lantern.staging.errors import Place

# They draw, read or write: what they give is not a matter of their operands.
_NOT_REPEATED = dispatch.STAGED_IN_A_TRACE - {"zeros", "ones", "full"}


@dataclasses.dataclass
class Applied:
    """An operator, as the running program applied it."""
    name: str
    again: object       # what applies it to operands
    place: Place
    operands: tuple
    result: object
    own: bool       # whether it is a function of the user's, with a derivative of its own or in C++


@dataclasses.dataclass
class Different:
    """An operator that differs, and how."""
    applied: Applied
    how: str

    @property
    def place(self):
        return self.applied.place

    @property
    def hint(self):
        if self.applied.own:
            return f"'{self.applied.name}' is not what it is said to be: mend it, or its derivative"
        return "this is a bug in Lantern: please report it"

    def __str__(self):
        shown = ", ".join(str(x) if isinstance(x, types.Scalar) else repr(x) for x in self.applied.operands)
        return f"'{self.applied.name}' of ({shown if len(shown) < 1000 else shown[:1000] + '…'}) differs: {self.how}"


class Observed(Function):
    """A compiled function that calls back with each operator it has applied to numbers and arrays, in order."""

    def __init__(self, function, dtype):
        super().__init__(function, dtype)
        self.applied = []

    def staged(self, kinds, dtype):
        return entry.stage_function(self.python_function, kinds, dtype, observe=self._observe)

    def _observe(self, trace, name, again, operands, result, own=False):
        """Emits the call back behind an operator. Operands that are known now are kept here, the others arrive when it runs."""
        results, arriving = _parts(result), [x for x in operands if _arrives(x)]
        if name in _NOT_REPEATED or result is None or not all(passes(trace.type_of(x)) for x in (*results, *arriving)) \
                or any(holds_staged(x) for x in operands if not _arrives(x)):
            return
        place = trace.place()

        def applied(*arrived):
            values, arrived = arrived[:len(results)], iter(arrived[len(results):])
            given = tuple(next(arrived) if _arrives(x) else x for x in operands)
            self.applied.append(Applied(name, again, place, given, values if isinstance(result, tuple) else values[0], own))
        trace.py_function(applied, (*results, *arriving), types.none)


def _arrives(operand):
    return dispatch.is_staged(operand) or dispatch.is_global(operand)


def _parts(value):
    return value if isinstance(value, tuple) else (value,)


def first_difference(function, dtype, arguments, seed, of_gradient):
    """The first operator that differs in a call, in its value or in its derivative; None if none does by itself."""
    observed = Observed(function, dtype)
    failed = outcome_of(observed, arguments, [], seed).error
    if failed is not None and not observed.applied:
        return None
    for applied in observed.applied:
        how = _difference_of_values(applied, dtype)
        if how is None and of_gradient:
            how = _difference_of_derivatives(applied, dtype)
        if how is not None:
            return Different(applied, how)
    return None


def _difference_of_values(applied, dtype):
    try:
        plain = applied.again(applied.operands)
    except Exception as error:
        return f"as plain Python it raises {error!r}"
    if Tolerance(1e-9 if dtype == "f64" else 1e-4).alike(plain, applied.result):
        return None
    return f"compiled it gives {applied.result!r}, and as plain Python {plain!r}"


def _difference_of_derivatives(applied, dtype):
    """Of the sum of the result, each entry times a weight, along one direction."""
    names = tuple(f"x{i}" for i, x in enumerate(applied.operands) if isinstance(x, (float, np.ndarray, np.generic)) and gradients.floats_in(x))
    if not names or not gradients.floats_in(applied.result) or dtype != "f64":
        return None
    draw = gradients.Directions(1)
    weights = _parts(draw.like(applied.result))

    def weighted(**moved):
        operands = [moved.get(f"x{i}", x) for i, x in enumerate(applied.operands)]
        total = 0.0
        for result, weight in zip(_parts(applied.again(operands)), weights):
            if weight is not None:
                total = total + (dispatch.dispatch("sum", (dispatch.dispatch("*", (result, weight)),)) if np.ndim(weight) else result * weight)
        return total

    scope = {"weighted": weighted}
    exec(f"def alone({', '.join(names)}):\n    return weighted({', '.join(f'{name}={name}' for name in names)})", scope)
    mark(scope["alone"])    # there is nothing in it to convert
    arguments = {name: applied.operands[int(name[1:])] for name in names}
    try:
        _, adjoints = ValueAndGrad(Function(scope["alone"], dtype), names)(**arguments)
        directions = {name: draw.like(arguments[name]) for name in names}
        slope = gradients.difference(scope["alone"], arguments, names, (), directions, 0)
    except Exception:
        return None     # refused, as it may be for this operator alone
    said = gradients.derivative(adjoints, names, (), directions)
    if Tolerance(gradients.RELATIVE).alike(said, slope):
        return None
    return f"its derivative along a random direction is {said!r} compiled, and {slope!r} by finite differences"
