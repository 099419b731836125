"""`lt.custom_vjp` while tracing: three defines, of which two are the derivative of the third."""
from __future__ import annotations

import inspect

from lantern import types
from lantern.host import name_of
from lantern.staging import calls, merge, perhaps_none
from lantern.staging.arguments import bind
from lantern.staging.errors import StagingError, define_place
from lantern.staging.text import Symbol
from lantern.staging.values import Staged


def call(trace, custom, arguments):
    """Emits a call of a function with a derivative of its own."""
    at = trace.at
    plain, first = calls.underlying(custom.function)
    arguments = (*first, *arguments)
    bound = bind(plain, arguments, {})
    made, values = _specialise(trace, plain, bound)
    if made.derivative is None:
        made.derivative = _derivative(trace, custom, made, bound)
    trace.at = at
    return trace.specialisations.emit(made, values, bound)


def _specialise(trace, plain, bound):
    from lantern.staging.convert import converted
    return trace.specialisations.specialise(plain, converted(plain), bound)


def _derivative(trace, custom, made, bound):
    """(forward, backward) of a define."""
    plain, first = calls.underlying(custom.forward)
    forward, _ = _specialise(trace, plain, bind(plain, (*first, *bound.args), {}))
    for define in (made, forward):
        _refuse_captures(trace, define)
    plan = forward.result
    if not isinstance(plan, merge.Compound) or isinstance(plan, perhaps_none.Plan) or len(plan.plans) != 2:
        raise TypeError(f"'{name_of(custom.forward)}' does not give a pair: the value of '{name_of(custom.function)}' and what is saved are expected")
    value, saved = plan.plans
    if [join.type for join in value.joins()] != [join.type for join in made.result.joins()]:
        raise TypeError(f"'{name_of(custom.forward)}' gives first {_shown(value.joins())}, and '{name_of(custom.function)}' gives {_shown(made.result.joins())}")
    residual = saved.rebuild(Staged(join.type, None) for join in saved.joins())
    adjoint = value.rebuild(Staged(join.type, None) if _is_floating(join.type) else None for join in value.joins())
    backward = _backward(trace, custom, made, bound, residual, adjoint)
    _refuse_captures(trace, backward)
    return forward, backward


def _backward(trace, custom, made, bound, residual, adjoint):
    """The define of `backward`, which gives the adjoints of the floating formals alone."""
    from lantern.staging.convert import mark
    at = trace.at

    @mark
    def backward(saved, adjoint):
        given = calls.call(trace, custom.backward, (saved, adjoint), {}, at)
        given = dict(zip(bound.arguments, custom.adjoints(given, len(bound.arguments))))
        floating = [formal for formal in made.formals if _is_floating(formal.type)]
        wanted = [_adjoint(trace, _part(given, formal, custom), formal, custom) for formal in floating]
        return wanted[0] if len(wanted) == 1 else tuple(wanted)

    backward.__name__ = f"{made.name}_backward"
    backward.__lantern_place__ = define_place(calls.underlying(custom.backward)[0])
    arguments = inspect.BoundArguments(inspect.signature(backward), {"saved": residual, "adjoint": adjoint})
    return trace.specialisations.specialise(backward, backward, arguments)[0]


def _part(given, formal, custom):
    part = given[formal.path[0]]
    for key in formal.path[1:]:
        part = None if part is None else part[key]
    if part is None:
        raise TypeError(f"'{name_of(custom.backward)}' gives None for '{formal.path[0]}' of '{name_of(custom.function)}', which is {types.annotation(formal.type)}: give lt.zeros_like of it")
    return part


def _adjoint(trace, part, formal, custom):
    """What `backward` gives for a formal, as a value of the program: a number that is known while staging would not be among its results."""
    own, wanted = trace.type_of(part), formal.type
    if own is not None and own != wanted and not _fits(own, wanted):
        raise TypeError(f"'{name_of(custom.backward)}' gives {types.annotation(own)} for '{formal.path[0]}' of '{name_of(custom.function)}', which is {types.annotation(wanted)}")
    if isinstance(wanted, types.Scalar) and not (isinstance(part, Staged) and own == wanted):
        return trace.bind((Symbol("cast"), Symbol(wanted), trace.node(part)), wanted)
    return part if isinstance(part, Staged) else trace.bind(trace.coerce(part, wanted), wanted)


def _refuse_captures(trace, define):
    if define.captures:
        raise StagingError("LT0310", f"'{define.name}' closes over {define.captures[0].outer.shown()}, and has a derivative of its own", trace.place(),
                           "pass it as an argument")


def _is_floating(type_):
    return type_ in (types.f32, types.f64) or (isinstance(type_, types.TensorType) and type_.dtype in ("f32", "f64"))


def _fits(own, wanted):
    if isinstance(wanted, types.TensorType):
        return isinstance(own, types.TensorType) and own.dtype == wanted.dtype and len(own.dims) == len(wanted.dims) and all(
            a == b or not isinstance(a, int) or not isinstance(b, int) for a, b in zip(own.dims, wanted.dims))
    return isinstance(own, types.Scalar) and own != types.bool_


def _shown(joins):
    return ", ".join(types.annotation(join.type) for join in joins)


def items(defines):
    """`(derivative NAME FORWARD BACKWARD)` of those that have one."""
    for define in defines:
        if define.derivative is not None:
            yield (Symbol("derivative"), define, *define.derivative)
