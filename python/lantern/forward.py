"""`lt.jvp`: derivatives along a direction. Eager, each value carries its tangent; the rules are the operator table's."""
from __future__ import annotations

import functools

from lantern import derived, dispatch, pullbacks, tracebacks, types
from lantern.lazy_numpy import np
from lantern.levels import Level, LevelValue, is_floating, is_number, is_numpys, primal
from lantern.signatures import signature_of
from lantern.struct import is_struct


@dispatch.taking_lists
def jvp(f, primals, tangents):
    """The value of f, and its derivative along a direction: (f(*primals), the Jacobian of f there times the tangents).

    f: a function, a method, or an `lt.function`, which is then compiled. It may give anything of numbers, arrays, tuples,
        lists and structures.
    primals: its arguments, a tuple or a list.
    tangents: a tangent for each, of its shape and dtype; tuples, lists and structures of such for tuples, lists and
        structures. None for an argument that is a constant here, and in the place of what has no derivative (integers, …).
    Tangent: of the structure of the value, None at what has no derivative.

    Parameters are constants. Raises TypeError where a tangent does not fit its argument. The gradient of a jvp is a
    Hessian-vector product: `lt.grad(lambda x: lt.jvp(loss, (x,), (v,))[1])(x)` (forward mode and its uses: Griewank and
    Walther, Evaluating Derivatives, 2008, chapters 3 and 5).
    """
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise TypeError("jvp takes the arguments of the function, and their tangents, as tuples or lists")
    if len(primals) != len(tangents):
        raise TypeError(f"jvp takes a tangent for each argument: {len(primals)} arguments and {len(tangents)} tangents are given")
    trace = dispatch.active_trace()
    if trace is not None:
        return trace.jvp(f, tuple(primals), tuple(tangents))
    if hasattr(f, "jvp"):   # an lt.function
        try:
            return f.jvp(tuple(primals), tuple(tangents))
        except BaseException as error:
            tracebacks.keep_users_frames(error)
            raise
    names = _names(f, len(primals))
    level = Forward()
    with level:
        result = f(*[_with_tangent(level, name, x, x_dot) for name, x, x_dot in zip(names, primals, tangents)])
    from lantern.grad import map_leaves
    value = map_leaves(lambda x: _of_its_own(x.value if level.owns(x) else x), result)
    return value, map_leaves(lambda x: _of_its_own(level.tangent_of(x)), result)


def _of_its_own(value):
    """What jvp gives may be written to: it is no view of an argument, or of what f refers to."""
    return value.copy() if is_numpys(value) else value


def _names(f, count):
    """What the arguments are called in messages."""
    try:
        names = list(signature_of(f).parameters)
    except (TypeError, ValueError):
        names = []
    return names + [f"argument {number}" for number in range(len(names), count)]


class TangentValue(LevelValue):
    """A value with its tangent."""

    def __init__(self, level, value, tangent):
        super().__init__(level, value)
        self.tangent = tangent


class Forward(Level):
    """Computes tangents beside what operators compute."""

    def apply(self, name, operands):
        y_operands = [x.value if self.owns(x) else x for x in operands]
        y = self.apply_below(name, [self.read(x) if dispatch.is_global(x) else x for x in y_operands])
        if not any(map(self.owns, operands)) or not (is_floating(y) or isinstance(y, list)):
            return y
        leading = [x for x in y_operands[:1] if isinstance(x, types.Type)]
        operands, values = operands[len(leading):], y_operands[len(leading):]
        row = pullbacks.select(name, values)
        if row.flat:
            return y
        tangents = [x.tangent if self.owns(x) else None for x in operands]
        with np.errstate(all="ignore"):
            return TangentValue(self, y, self._pushed(row, leading, values, y, tangents))

    def take_own(self, custom, arguments):
        raise NotImplementedError(f"'{custom.__name__}' has a derivative of its own for gradients: its derivative along a direction is not known")

    def read(self, parameter):
        return self.read_below(parameter)

    def _pushed(self, row, leading, values, y, tangents):
        """The tangent of y."""
        apply, done, terms = self.apply_below, set(), []
        names = pullbacks.environment(row, values, y)
        for position, tangent in enumerate(tangents):
            if tangent is None:
                continue
            rule = row.forward.get(pullbacks.name_of(row, position))
            if rule is None:
                raise pullbacks.no_derivative(row, values)
            if isinstance(rule, pullbacks.Linear):
                if rule not in done:
                    done.add(rule)
                    terms.append(apply(row.name, [*leading, *(
                        self._direction(value, tangents[at]) if pullbacks.name_of(row, at) in rule.group else value
                        for at, value in enumerate(values))]))
                continue
            if rule.expression != "none":
                terms.append(pullbacks.evaluated(rule.expression, {**names, rule.tangent: tangent}, apply))
        total = functools.reduce(lambda a, b: apply("+", [a, b]), terms) if terms else apply("zeros-like", [y])
        if getattr(total, "dtype", None) != getattr(y, "dtype", None) and not is_number(y):
            total = apply("cast-like", [total, y])
        if np.shape(total) != np.shape(y):
            total = apply("like", [total, y])
        return np.float64(total) if type(total) is float else total

    def _direction(self, value, tangent):
        return self._zero(value) if tangent is None else tangent

    def _zero(self, value):
        if is_number(value):
            return np.float64(0.0)
        return self.apply_below("zeros-like", [value])

    def tangent_of(self, value):
        """The tangent of a result; None for what has none."""
        if self.owns(value):
            return value.tangent.item() if is_number(value.value) and isinstance(value.tangent, np.float64) else value.tangent
        if not is_floating(value):
            return None
        return 0.0 if is_number(value) else self._zero(value)


def _with_tangent(level, name, value, tangent):
    """An argument, each of its numbers and arrays with its tangent."""
    if tangent is None:
        return value
    if dispatch.is_global(value):
        value = level.read(value)
    if is_floating(value):
        derived.check(primal(value), f"argument '{name}'")
        return TangentValue(level, value, checked_tangent(name, value, tangent))
    parts = _parts(value)
    if parts is None:
        raise TypeError(f"'{name}' is a {type(value).__name__}, which has no tangent: give None in its place")
    others = _parts(tangent)
    if others is None or parts.keys() != others.keys():
        raise TypeError(f"the tangent of '{name}' is a {type(tangent).__name__}, and '{name}' is a {type(value).__name__}: give one of the same form")
    from lantern.grad import _rebuilt
    return _rebuilt(value, {key: _with_tangent(level, f"{name}.{key}" if is_struct(value) else f"{name}[{key!r}]", part, others[key])
                            for key, part in parts.items()})


def _parts(value):
    from lantern.grad import _parts
    return _parts(value)


def checked_tangent(name, value, tangent):
    """The tangent of a number or an array. Raises TypeError if it is none."""
    if is_number(value):
        if isinstance(primal(tangent), (int, float)) and not isinstance(primal(tangent), bool):
            return tangent if isinstance(tangent, LevelValue) else np.float64(tangent)
        raise TypeError(f"the tangent of '{name}' is a {type(primal(tangent)).__name__}, and '{name}' is a float")
    if not isinstance(primal(tangent), (np.ndarray, np.generic)) or np.shape(tangent) != np.shape(value) or tangent.dtype != value.dtype:
        of = f"an array of {tangent.dtype} with the shape {np.shape(tangent)}" if hasattr(tangent, "dtype") else f"a {type(tangent).__name__}"
        raise TypeError(f"the tangent of '{name}' is {of}, and '{name}' is one of {value.dtype} with the shape {np.shape(value)}")
    if is_numpys(tangent):
        tangent = tangent.copy()
        tangent.flags.writeable = False
    return tangent
