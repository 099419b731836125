"""Variables that are Python's number on one path, and an element of an array on another:

    total = 0.0
    for z in v:         # an array, which may be empty
        total += z
    return total / len(v)

In the program such a variable is an element of the array's dtype (merge.join_types), and its type says that it is perhaps a number. What is computed
of it and of Python's numbers alone is perhaps one, too, and stops where Python's would: at a division by zero, or an integer that does not fit.
"""
from __future__ import annotations


from lantern import core, types
from lantern.lazy_numpy import np
from lantern.staging.errors import StagingError
from lantern.staging.text import Symbol, one_line
from lantern.staging.values import Staged

_ARITHMETIC = frozenset(("+", "-", "*", "/", "//", "%", "**", "neg", "abs", "bit-not", "shift-left", "shift-right"))
_MAY_FAIL_OF_FLOATS = frozenset(("/", "//", "%", "**"))


def is_perhaps_number(type_):
    return isinstance(type_, types.TensorType) and type_.perhaps_number


def _is_number(trace, value):
    if isinstance(value, Staged):
        return isinstance(value.type, types.Scalar) and value.type != types.string or is_perhaps_number(value.type)
    return isinstance(value, (bool, int, float)) and not isinstance(value, np.generic)


def made_of(trace, name, operands):
    """Whether an operator gives what is perhaps a number; what Python's number would raise there is raised when the program runs."""
    either = [x for x in operands if isinstance(x, Staged) and is_perhaps_number(x.type)]
    given = [x for x in operands if not isinstance(x, types.Type)]
    if not either or not all(_is_number(trace, x) for x in given) or not _gives_number(trace, name, operands):
        return False
    kinds = {_dtype(trace, x) for x in given}
    if name in _ARITHMETIC and kinds == {"bool"} and name != "/":
        raise StagingError("LT0310", f"{either[0].shown()} is a bool of Python's on one path and of NumPy's on another, which do not compute alike", trace.place(),
                           "make a number of it first: int(…)")
    if name in _MAY_FAIL_OF_FLOATS and not (name in ("/", "//", "%") and isinstance(given[1], (int, float)) and given[1]):
        trace.emit(name, tuple(number(trace, x) for x in operands))
    return True


def whole_number(trace, name, operands, type_):
    """Arithmetic of whole numbers as Python's, which does not wrap around: it stops where it does not fit. None of other numbers."""
    if name not in _ARITHMETIC or str(type_) != "(tensor i64)":
        return None
    return trace.bind((Symbol("full"), Symbol(types.i64), trace.node(trace.emit(name, tuple(number(trace, x) for x in operands)))), type_, pure=True)


def _dtype(trace, value):
    type_ = trace.type_of(value)
    return type_.name if isinstance(type_, types.Scalar) else type_.dtype


def _gives_number(trace, name, operands):
    """Whether it is one of Python's where its operands are."""
    texts = [Symbol(x if isinstance(x, types.Type) else _dtype(trace, x)) for x in operands]
    try:
        return isinstance(types.parse(core.infer(one_line((Symbol(name), *texts)))), types.Scalar)
    except core.CoreError:
        return False


def number(trace, value):
    """Such a value as the number that it is in Python."""
    if not isinstance(value, Staged) or isinstance(value.type, types.Scalar):
        return value
    found = trace.emit("item", (value,))
    wide = {"f32": types.f64, "i32": types.i64}.get(value.type.dtype)
    return found if wide is None else trace.emit("cast", (wide, found))


def perhaps(type_):
    """The type of such a variable, of an element's."""
    return type_.replaced(perhaps_number=True) if isinstance(type_, types.TensorType) and not type_.dims else type_


def may_be_number(type_):
    return isinstance(type_, types.Scalar) or is_perhaps_number(type_)


def element_of(trace, value):
    """The type of what is read from a list that holds such, else None."""
    kind = trace.type_of(value)
    return kind.element if isinstance(kind, types.List) and is_perhaps_number(kind.element) else None
