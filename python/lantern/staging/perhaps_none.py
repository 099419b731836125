"""Variables that are None on one path, and a number, a string, an array or a tuple of such on another:

    best = None
    for v in xs:
        if best is None or v > best:
            best = v
    return -1.0 if best is None else best

In the program such a variable is two: whether it is missing, a bool, and its value, which is undefined where it is missing. So they go
through branches, loops, parameters and results as the parts of a tuple do, and what is known of the bool (known.py) says where the variable
is None, and where its value. Where neither is known, what computes with it asks when the program runs, and raises what Python raises
of None.
"""
from __future__ import annotations

import builtins
import functools
import math

from lantern import types
from lantern.dispatch import NO_ARRAY, active_trace, is_global
from lantern.lazy_numpy import np
from lantern.staging import families, instances
from lantern.staging.errors import StagingError, user_place
from lantern.staging.plans import Compound, Keep, hint_of
from lantern.staging.values import Staged, Undefined

OF_NONE = "LT0309", "LT0310", "LT0403"       # what errors are of that Python, or the core, raises of None


class PerhapsNone:
    """None where `missing`, a staged bool, is true, else `value`. It has no operators of its own: those of converted code know it, and to
    all else it is a value that the program does not have."""

    def __init__(self, name, missing, value):
        self.name, self.missing, self.value = name, missing, value

    def shown(self):
        return f"'{self.name}'" if self.name.isidentifier() and not self.name.endswith("_") else "this value"

    def error(self, what, place=None):
        return StagingError("LT0310", f"{self.shown()} may be None here, and {what}", place or user_place(), "ask `is None` first")

    def _refuse(self, *_, **__):
        trace, error = active_trace(), self.error("this needs to know when staging whether it is")
        if trace is not None:
            trace.refusals.append(error)        # code that is not converted may swallow it
        raise error

    __bool__ = __int__ = __float__ = __index__ = __round__ = __len__ = __iter__ = __contains__ = __getitem__ = __call__ = _refuse
    __hash__ = __str__ = __format__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __neg__ = __pos__ = __abs__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __matmul__ = __rmatmul__ = __truediv__ = __rtruediv__ = _refuse
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = __pow__ = __rpow__ = __and__ = __rand__ = _refuse
    __or__ = __ror__ = __xor__ = __rxor__ = __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _refuse
    __setitem__ = __invert__ = __array__ = __array_ufunc__ = __array_function__ = _refuse

    def __repr__(self):
        return f"<{self.name}, or None>"


def made(name, missing, value):
    """The variable of these parts."""
    if isinstance(missing, Staged):
        return PerhapsNone(name, missing, value)
    return None if missing else value


def parts_of(value):
    """(a function that puts such a value together again, its parts); None of anything else."""
    if type(value) is not PerhapsNone:
        return None
    return (lambda parts: made(value.name, *parts)), [value.missing, value.value]


def named(trace, value, name):
    """The same value where `name = value`; a call's result gets its first name by that."""
    if type(value) is not PerhapsNone or value.name == name:
        return value
    for part, hint in ((value.missing, _flag(name)), (value.value, name)):
        if isinstance(part, Staged) and part.hint is None and hint_of(hint) is not None:
            part.hint = hint
            trace.views.named(part, hint)
    return PerhapsNone(name, value.missing, value.value)


_OF_PYTHON = (bool, int, float, str, np.generic)


_ALONE = (types.Scalar, types.TensorType)       # a structure alone is an optional of the program's
_IN_TUPLES = (*_ALONE, types.StructType, types.Optional)


def _is_structure(value):
    return isinstance(value, Staged) and isinstance(value.type, (types.StructType, types.Optional)) or hasattr(type(value), "__lantern_struct__")


def can_be_of(type_):
    """Whether None may stand beside a value of a type."""
    kinds = _IN_TUPLES if isinstance(type_, types.Tuple) else _ALONE
    return all(isinstance(leaf, kinds) for leaf in types.leaves(type_))


def can_be_missing(value):
    """Whether None may stand beside a value."""
    if isinstance(value, Staged):
        return can_be_of(value.type) or isinstance(value.type, types.List)
    if type(value) is list:
        return True
    if (parts := instances.parts(value)) is not None:
        return all(_fits(part) or _is_structure(part) for part in parts) and not _holds_its_class(type(value), parts)
    return isinstance(value, (*_OF_PYTHON, np.ndarray))


def _holds_its_class(cls, parts):
    """Whether one of the parts of an instance is, or holds, another of its class, as in a list that is linked: they would be ever more."""
    held = [part.value if type(part) is PerhapsNone else part for part in parts]
    return cls is not tuple and any(type(part) is cls or _holds_its_class(cls, instances.parts(part) or ()) for part in held)


def users_class_in(*values):
    """The first class of the user's among the classes of values, which may be None, and classes; None where there is none."""
    from lantern.staging.snapshots import is_users_class
    held = (value.value if type(value) is PerhapsNone else value for value in values)
    return next((cls for cls in (value if isinstance(value, type) else type(value) for value in held) if cls is not PerhapsNone and is_users_class(cls)), None)


class Plan(Compound):
    """The plan of one, of those of its parts."""

    def __init__(self, name, plans):
        super().__init__(lambda parts: made(name, *parts), plans, (PerhapsNone, 2))

    def takes(self, value):
        return _fits(value)

    def name_of(self, name, number):
        return name if number else _flag(name)

    def parts(self, value):
        return _parts(value)


def _fits(value):
    return value is None or type(value) is PerhapsNone or can_be_missing(value)


def _parts(value):
    if isinstance(value, Undefined):
        return [value, value]
    if value is None:
        return [True, _NOTHING]
    return [value.missing, value.value] if type(value) is PerhapsNone else [False, value]


def is_in(plan):
    """Whether a plan gives what may be None."""
    parts = plan.plans if isinstance(plan, Compound) else getattr(getattr(plan, "planned", None), "elements", None) or ()
    return isinstance(plan, Plan) or any(map(is_in, parts))


def is_mixed(values):
    """Whether a variable with these values on several paths is to be such a one."""
    if any(type(value) is PerhapsNone for value in values):
        return True
    return any(value is None for value in values) and not all(value is None for value in values) and all(map(_fits, values))


def plan(trace, name, values, what, force, stage_all, seen):
    from lantern.staging import merge, perhaps_arrays
    known = [trace.narrowed(value) for value in values]
    for value in known:
        if not _fits(value):
            kind = types.annotation(value.type) if isinstance(value, Staged) else f"a Python value of type '{type(value).__name__}'"
            error = StagingError("LT0306", f"{merge.called(name)} may be None on one path of {what}, and is {kind} on another", trace.place(),
                                 merge.remedy(value, True) or "give it values of one type on every path: "
                                 "numbers, strings, arrays, tuples of them and structures can be None")
            error.of_class = users_class_in(value)
            raise error
    if all(value is None for value in known):
        return Keep(None)
    missing, present = zip(*(_parts(at_end(name, now, value)) for value, now in zip(values, known)))
    plans = [merge.plan(trace, part, list(column), what, force, stage_all, seen)
             for part, column in ((_flag(name), missing), (name, present))]
    if isinstance(plans[0], Keep) and plans[0].value is False:
        return plans[1]
    perhaps_arrays.refuse_plan(trace, plans[1], what)
    return Plan(name, plans)


def at_end(name, known, value):
    """What a variable is at the end of a path: as it is known there, but where the path has left it as it was, None, in the program's variables."""
    return value if known is None and type(value) is PerhapsNone and value.name == name else known


def _flag(name):
    """What the bool is called that says whether the variable is missing."""
    return name if hint_of(name) is None else f"{name}_missing"


class _Nothing(Undefined):
    """The value of what is missing. Nobody reads it."""


_NOTHING = _Nothing("the value of what is None")


# What reads one

def operands(trace, operation, values, at):
    """The operands of one of Python's operations, which raises of None what Python raises, when the program runs."""
    trace.at = at
    values = [trace.narrowed(value) for value in values]
    for number in range(len(values)):
        value = values[number]
        if type(value) is not PerhapsNone:
            continue
        from lantern.staging import branches
        others = [other.value if type(other) is PerhapsNone else other for other in values]
        _error_of(trace, operation, [*others[:number], None, *others[number + 1:]], value)      # or it takes None

        def fail(given=values, asked=value):
            return _fail(trace, operation, [None if each is asked else each for each in given], asked, at)
        branches.raise_if(trace, value.missing, fail, "the operation")
        trace.at = at
        values = [trace.narrowed(value) for value in values]
    return values


def _fail(trace, operation, values, asked, at):
    """Raises what Python raises of these operands, one of which is None."""
    from lantern.operators_exceptions import raise_
    from lantern.staging import branches
    other = next((value for value in values if type(value) is PerhapsNone), None)
    if other is not None:
        def failing(instead):
            return lambda: _fail(trace, operation, [instead if value is other else value for value in values], asked, at)
        return branches.staged_if(trace, other.missing, (failing(None), failing(other.value)), (), "the operation")
    raise_(_error_of(trace, operation, values, asked), at)


def _error_of(trace, operation, values, asked):
    """What Python raises where it applies an operation to such operands, by trying."""
    samples = [_sample(trace, value) for value in values]
    if any(sample is _NOTHING for sample in samples):
        raise asked.error("what it is used for is not known to refuse None", trace.place())
    try:
        operation(*samples)
    except Exception as error:
        if not is_of_arrays(getattr(operation, "func", operation)) or str(error) == NO_ARRAY:     # else it says what the samples are
            return error if isinstance(error, KeyError) else type(error)(str(error))
    raise asked.error("Python takes None here, which compiled code does not", trace.place())


_SAMPLES = {"bool": True, "i64": 1, "i32": 1, "f64": 1.0, "f32": 1.0, "string": "a"}


def _sample(trace, value):
    """A value of the same class; _NOTHING, where there is none to be had."""
    from lantern.staging import none_keys
    if (example := none_keys.example(value)) is not None:
        return example
    if isinstance(value, Staged) or is_global(value):
        type_ = trace.type_of(value)
        if isinstance(type_, types.TensorType):
            array = np.ones((1,) * len(type_.dims), types.numpy_dtype(type_.dtype))
            return array if type_.dims else array[()]
        return [] if isinstance(type_, types.List) else _SAMPLES.get(getattr(type_, "name", None), _NOTHING)
    return value if value is None or isinstance(value, (*_OF_PYTHON, np.ndarray, list, tuple, slice)) else _NOTHING


def is_refusing_none(function):
    """Whether a function that is not the user's computes with numbers alone, and raises an error of None."""
    return isinstance(function, np.ufunc) or function in _OF_NUMBERS or getattr(function, "__module__", None) == math.__name__


def is_of_arrays(function):
    """Whether a function is one of `lt` that computes with arrays."""
    return getattr(function, "__module__", None) in _OF_ARRAYS


_OF_ARRAYS = "lantern.ops", "lantern.rearranging", "lantern.named_axes", "lantern.derived", "lantern.layers"
_OF_NUMBERS = (builtins.len, builtins.float, builtins.int, builtins.abs, builtins.round, builtins.range, builtins.max, builtins.min,
               builtins.pow, builtins.divmod)


def as_condition(trace, value, at):
    """Whether it is there, and true."""
    from lantern.operators_control import all_true
    return all_true(trace.negate(value.missing), lambda: value.value, at)


def equal(trace, a, b, at):
    """`a == b`, of which one may be None."""
    from lantern.operators_comparisons import compare, is_, is_not
    from lantern.operators_control import all_true, any_true
    for value in (a, b):
        type_ = trace.type_of(value.value if type(value) is PerhapsNone else value)
        if isinstance(type_, types.TensorType) and type_.dims:
            raise (a if type(a) is PerhapsNone else b).error("arrays are compared element by element", trace.place(at))
    return any_true(all_true(is_(a, None, at), lambda: is_(b, None, at), at),
                    lambda: all_true(is_not(a, None, at), lambda: is_not(b, None, at), lambda: compare("==", a, b, at), at), at)


def text(trace, value, function, at):
    """`str(value)`, or `repr(value)`."""
    from lantern.operators_control import if_exp
    from lantern.staging.calls import call
    return if_exp(value.missing, lambda: "None", lambda: call(trace, function, (value.value,), {}, at), at)()


def takes_none(form):
    """Whether `form % None` is a text, as of "%s"."""
    try:
        return isinstance(form, str) and bool(form % None)
    except (TypeError, ValueError):
        return False


def is_instance(trace, value, classes, at):
    """`isinstance(value, classes)`: a bool where it makes no difference whether it is None."""
    from lantern.staging.calls import call
    of_none = isinstance(None, classes)
    if families.is_mixed(value.value):       # of which the value is asked where it is one
        from lantern.operators_control import all_true, any_true
        is_there = trace.negate(value.missing)
        return any_true(value.missing, lambda: call(trace, isinstance, (value.value, classes), {}, at), at) if of_none else \
            all_true(is_there, lambda: call(trace, isinstance, (value.value, classes), {}, at), at)
    of_value = call(trace, isinstance, (value.value, classes), {}, at)
    if of_none == of_value:
        return of_none
    return value.missing if of_none else trace.negate(value.missing)


def arguments(trace, function, given, keywords, at):
    """(the arguments of a function that is not the user's, or what it gives without them): as many as may be None are asked."""
    if function is builtins.print:
        return tuple(text(trace, value, str, at) if type(value) is PerhapsNone else value for value in given)
    if not keywords and is_refusing_none(function):
        return tuple(operands(trace, function, given, at))
    if is_of_arrays(function) and not any(isinstance(value, (PerhapsNone, Staged)) for value in keywords.values()):
        return tuple(operands(trace, functools.partial(function, **keywords), given, at))
    if not keywords and hasattr(function, "__lantern_struct__") and isinstance(function, type):
        return _fields(trace, function, given, at)
    value = next(value for value in (*given, *keywords.values()) if type(value) is PerhapsNone)
    name = getattr(function, "__name__", type(function).__name__)
    raise value.error(f"{'a function' if name == '<lambda>' else repr(name)} is given it", trace.place(at))


def _fields(trace, struct, given, at):
    """The fields of a new structure. None for what only numbers, texts and arrays may be is an error here; Python has one where that is computed with."""
    from lantern.operators_exceptions import raise_
    from lantern.staging import branches
    for (name, type_), value in zip(struct.__lantern_struct__.field_types().items(), given):
        value = trace.narrowed(value)
        if type(value) is PerhapsNone:
            error = TypeError(f"field '{name}' of {struct.__name__} is {types.annotation(type_)}, and is given None")
            branches.raise_if(trace, value.missing, lambda error=error: raise_(error, at), "the operation")
            trace.at = at
    return tuple(map(trace.narrowed, given))


def awaited(trace, error):
    """Whether a path may have an error since something is None where a turn of a loop begins that a later turn gives a value: the path is left, and the loop
    traced again; where no turn gives it one, the loop has the error."""
    if error.code not in OF_NONE or error.is_of_all_paths:
        return False
    state = next((state for state in reversed(trace.loops) if state.awaits_value()), None)
    if state is None:
        return False
    state.awaited = state.awaited or error
    frame = trace.frame
    while frame is not None and frame is not state.frame:
        frame.specialisation.lacks_path = True
        frame = frame.outer
    return True
