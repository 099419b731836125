"""Variables that are Python's number on one path, and an array on another:

    h = 0.0
    for child in node.children:         # there may be none
        h = h + tree(child, w)          # an array
    return np.tanh(node.value * w + h)

In the program such a variable is an array throughout: the number at each of its places. That is what Python has from where an operation
that goes element by element joins it with an array onto whose shape its own broadcasts. Anything else would tell the two apart, and is
an error.
"""
from __future__ import annotations

import math
import sys

from lantern import dispatch, types
from lantern.dispatch import active_trace
from lantern.lazy_numpy import np
from lantern.staging.debugging import is_shown
from lantern.staging.errors import NeedsInlining, StagingError, user_place
from lantern.staging.plans import Compound, Join, Keep, hint_of, is_result
from lantern.staging.plans import called as name_of
from lantern.staging.text import Symbol
from lantern.staging.values import Staged

MOST_NUMBERS = 4        # that such a variable is told to be, before it may be any


class PerhapsArray:
    """`array`, a staged one, or else one of `numbers`: those of Python's, or the class of one that only the program knows. In the program,
    `array` has that number at each of its places then. why: what it may be a number for. inexact: an error, where the array may not have
    that number exactly, for whoever computes with it. It has no operators of its own, so that whatever does not know it refuses it."""

    def __init__(self, name, array, numbers, why, inexact=None):
        self.name, self.array, self.numbers, self.why, self.inexact = name, array, numbers, why, inexact

    def key(self):
        """What two have in common whose arrays are computed with alike."""
        return _key_of(self.numbers, self.inexact)

    def shown(self):
        return f"'{self.name}'" if hint_of(self.name) else "this value"

    def error(self, place=None, of="{} may still be {} here"):
        known = [str(number) for number in self.numbers if not isinstance(number, type)]
        which = f"the number {' or '.join(known)}" if len(known) == len(self.numbers) else "a number"
        return StagingError("LT0306", f"{of.format(self.shown(), which)}, since {self.why}, and not an array", place or user_place(),
                            beginning(self.name, self.array.type, self.numbers))

    def _refuse(self, *_, **__):
        trace, error = active_trace(), self.error()
        if trace is not None:
            trace.refusals.append(error)        # code that is not converted may swallow it
        raise error

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse()

    __bool__ = __int__ = __float__ = __index__ = __round__ = __len__ = __iter__ = __contains__ = __getitem__ = __call__ = _refuse
    __hash__ = __str__ = __format__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __neg__ = __pos__ = __abs__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __matmul__ = __rmatmul__ = __truediv__ = __rtruediv__ = _refuse
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = __pow__ = __rpow__ = __and__ = __rand__ = _refuse
    __or__ = __ror__ = __xor__ = __rxor__ = __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _refuse
    __setitem__ = __delitem__ = __invert__ = __array__ = __array_ufunc__ = __array_function__ = __complex__ = _refuse
    __copy__ = __deepcopy__ = __reduce_ex__ = __next__ = __enter__ = __exit__ = _refuse

    def __repr__(self):
        """For debuggers, not for the text of a list that holds it."""
        if active_trace() is not None and not is_shown(sys._getframe(1)):
            self._refuse()
        return f"<{self.array!r}, or a number>"


def beginning(name, type_, numbers=()):
    """What to do instead: an array of this type from the beginning."""
    shape = str(type_.dims[0]) if len(type_.dims) == 1 else str(type_.dims).replace("'", "")
    dtype = "" if type_.dtype in ("f64", types.default_dtype()) else f", dtype=lt.{type_.dtype}"
    library = "np" if type_.dtype == "f64" else "lt"
    number = 0 if len(numbers) != 1 else "…" if isinstance(numbers[0], type) else numbers[0]
    begun = number if isinstance(number, str) or math.isfinite(number) else f"float('{number}')"
    made = f"zeros({shape}{dtype})" if not number else f"full({shape}, {begun}{dtype})"
    return "begin with an array: " + (f"{name} = " if hint_of(name) else "") + f"{library}.{made}"


def remedy(name, kinds, values=()):
    """The same for a variable that is of one of these types on each path, where that is what it needs; else None."""
    arrays = {type_ for type_ in kinds if isinstance(type_, types.TensorType) and type_.dims}
    if len(arrays) != 1 or not all(type_ in (types.f64, types.i64) for type_ in kinds if type_ not in arrays):
        return None
    if is_result(name):
        return "return an array on every path"
    type_ = arrays.pop()
    if not is_known(type_):
        return "begin with an array of its shape and dtype: " + (f"{name} = " if hint_of(name) else "") + "np.zeros_like(…)"
    return beginning(name, type_, tuple(value for value in values if type(value) in (int, float)))


# What paths join to

def is_known(type_):
    """Whether a type is that of an array which such a variable may be."""
    return isinstance(type_, types.TensorType) and bool(type_.dims) and type_.dtype in ("f32", "f64") \
        and all(type(dim) is int for dim in type_.dims)


def number_of(value):
    """A number as one of `PerhapsArray.numbers`; None of anything else."""
    if isinstance(value, Staged):
        return {types.f64: float, types.i64: int}.get(value.type) if type(value.type) is types.Scalar else None
    return value if type(value) is float or type(value) is int and abs(value) <= 2**53 else None


def is_number(value):
    return number_of(value) is not None


def is_mixed(values):
    """Whether a variable with these values on several paths may be such a one."""
    is_marked = any(type(value) is PerhapsArray for value in values)
    return is_marked or any(map(is_number, values)) and any(map(_has_dims, values))


def _has_dims(value):
    if isinstance(value, Staged):
        return isinstance(value.type, types.TensorType) and bool(value.type.dims)
    return isinstance(value, np.ndarray) or dispatch.is_global(value)


def begun(trace, name, old, init, value, what):
    """The plan of a variable of a loop that was a number where a turn began, and is another thing behind it; None, where it is no such."""
    if isinstance(old.type, types.Scalar):
        return plan(trace, name, [init, value.array if type(value) is PerhapsArray else value], what)
    return plan(trace, name, [init, Staged(old.type, None), value], what)


def certain(value, behind):
    """What a variable is behind a loop that has at least one turn, where each leaves it `behind`."""
    return value.array if type(value) is PerhapsArray and isinstance(behind, Staged) and is_known(behind.type) else value


def is_among(values):
    return any(type(value) is PerhapsArray for value in values)


def is_given(function, values):
    """Whether one is among the arguments of a function, or in a list that a function of NumPy's, or ours, is given."""
    is_numeric = isinstance(function, np.ufunc) or str(getattr(function, "__module__", None)).partition(".")[0] in ("numpy", "lantern")
    return is_among(values) or is_numeric and bool(held(values))


def held(value):
    """Those that a list or a tuple holds, or the one that a value is."""
    if isinstance(value, (list, tuple)):
        return [one for part in value for one in held(part)]
    return [value] if type(value) is PerhapsArray else []


def refuse(values, at=None):
    """An error, if one of the values may be a number where it is not known what would become of that."""
    for value in values:
        if type(value) is PerhapsArray:
            raise value.error(user_place(at) if at else None)


def refuse_result(made, value):
    """An error, if what a function returns may be one: what calls it goes on with it, where the function becomes a part of that."""
    if type(value) is PerhapsArray:
        raise NeedsInlining(made, value.error(made.place, f"'{made.name}' returns {{}}, which may still be {{}}"))


def refuse_plan(trace, made, what):
    """An error, if what may be None on a path of a statement would be such a variable on another."""
    if isinstance(made, Plan) or isinstance(made, Keep) and type(made.value) is PerhapsArray:
        name = name_of(made.name if isinstance(made, Plan) else made.value.name)
        raise StagingError("LT0306", f"{name} may be None, a number or an array behind {what}", trace.place(),
                           "give it values of one type on every path: numbers, strings, arrays, tuples of them and structures can be None")


def type_of_array(trace, value):
    if isinstance(value, Staged) or isinstance(value, np.ndarray) or dispatch.is_global(value):
        type_ = trace.type_of(value)
        return type_ if isinstance(type_, types.TensorType) and type_.dims else None
    return None


def _fits_exactly(number, dtype):
    """Whether an array of the dtype has the number as an operation of Python's with such an array would."""
    return isinstance(number, type) or not math.isfinite(number) or abs(number) <= float(np.finfo(types.numpy_dtype(dtype)).max)


def plan(trace, name, values, what):
    """The plan of a variable with these values on several paths; None, where it is no such one."""
    marked = [value for value in values if type(value) is PerhapsArray]
    if not marked and not (hint_of(name) or name == "the value"):
        return None
    if marked and all(value is marked[0] for value in values) and trace.in_scope(marked[0].array):
        return Keep(marked[0])
    numbers, type_ = (), None
    for value in values:
        number = number_of(value)
        own = value.array.type if type(value) is PerhapsArray else None if number is not None else type_of_array(trace, value)
        numbers = united(numbers, value.numbers if type(value) is PerhapsArray else () if number is None else (number,))
        if number is None:
            if not is_known(own) or type_ not in (None, own):
                return _refused(trace, name, marked, value, what)
            type_ = own
    if type_ is None or not numbers:
        return None
    if not all(_fits_exactly(number, type_.dtype) for number in numbers):
        return _refused(trace, name, marked, numbers[0], what)
    why = f"{what} may have made no turn" if what.endswith("loop") else f"one path of {what} leaves it so"
    inexact = next((value.inexact for value in marked if value.inexact is not None), None)
    return Plan(name, type_, [array_in(value) for value in values], numbers, next((value.why for value in marked), why), inexact)


def _refused(trace, name, marked, value, what):
    if not marked:
        return None
    kind = "None" if value is None else types.annotation(trace.type_of(value)) if isinstance(value, (Staged, int, float, np.ndarray)) else \
        f"an array of another shape, {types.annotation(value.array.type)}" if type(value) is PerhapsArray else \
        f"a Python value of type '{type(value).__name__}'"
    error = marked[0].error(trace.place())
    either = types.annotation(marked[0].array.type)
    error.message = f"{name_of(name)} may still be a number on one path of {what}, or {either}, and is {kind} on another"
    raise error


def array_in(value):
    return value.array if type(value) is PerhapsArray else value


def united(numbers, others):
    found = {_key(number): number for number in (*numbers, *others)}
    if len(found) > MOST_NUMBERS:       # a loop may make ever more of them
        classes = (number if isinstance(number, type) else int if type(number) is int else float for number in found.values())
        return tuple(dict.fromkeys(classes))
    return tuple(found.values())


def _key(number):
    return type(number), repr(number)


def _key_of(numbers, inexact):
    return (inexact is None, *sorted(map(_key, numbers), key=str))


class Plan(Compound):
    """The plan of one: that of its array."""

    def __init__(self, name, type_, values, numbers, why, inexact):
        super().__init__(None, [Join(name, type_, values)], (PerhapsArray, 1))
        self.name, self.numbers, self.why, self.inexact = name, numbers, why, inexact

    def takes(self, value):
        return True

    def name_of(self, name, number):
        return name

    def parts(self, value):
        return [array_in(value)]

    def rebuild(self, staged):
        return self._made(self.plans[0].rebuild(staged))

    def _made(self, array):
        return PerhapsArray(self.name, array, self.numbers, self.why, self.inexact)

    def key(self):
        return _key_of(self.numbers, self.inexact)

    def widened(self, trace, value, what):
        """The plan that takes in a value behind a turn of a loop; itself, where that is no news."""
        found = plan(trace, self.name, [self._made(Staged(self.plans[0].type, None)), value], what)
        if found.key() == self.key():
            return self
        return Plan(self.name, self.plans[0].type, self.plans[0].values, found.numbers, self.why, found.inexact)


def filled(trace, number, type_):
    """The node of an array of this type that has a number at each of its places."""
    if isinstance(number, Staged):
        number = number if number.type == types.f64 else trace.emit("cast", (types.f64, number))
        return trace.emit("full", (types.Scalar(type_.dtype), number, *type_.dims))
    node = (Symbol("full"), Symbol(type_.dtype), float(number)) if repr(float(number)) != "0.0" else (Symbol("zeros"), Symbol(type_.dtype))
    return trace.bind((*node, *type_.dims), type_, pure=True)


def named(value, name):
    """The same value where `name = value`."""
    if value.array.hint is None and hint_of(name):
        value.array.hint = name
        value.array.trace.views.named(value.array, name)
    return PerhapsArray(name, value.array, value.numbers, value.why, value.inexact)


def because(value, why):
    """The same value, of nobody's name, which may be a number for another reason."""
    return PerhapsArray("_", value.array, value.numbers, why, value.inexact)
