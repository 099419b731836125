"""What is a text on one path and a number on another, of which the program has no type:

    for i in range(1, n):
        print("Fizz" if i % 3 == 0 else i)

It can be shown: its text is made at the end of each path. Whatever else meets it is the error that the two have no type in common.
"""
from __future__ import annotations

from lantern import types
from lantern.staging.plans import Join
from lantern.staging.values import Staged


class Shown:
    """text: what `str` of it is; error: of whatever else it is used for."""

    def __init__(self, text, error):
        vars(self).update(text=text, error=error)

    def __lantern_type__(self):
        raise self.error

    def _refuse(self, *_, **__):
        raise self.error

    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __call__ = __hash__ = __str__ = __repr__ = __format__ = __eq__ = __ne__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __int__ = __float__ = __index__ = __abs__ = __neg__ = __pos__ = __invert__ = __round__ = _refuse
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __matmul__ = __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = _refuse
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rmatmul__ = __rand__ = __ror__ = __rxor__ = _refuse
    __setattr__ = __delattr__ = __setitem__ = __delitem__ = __enter__ = __exit__ = __copy__ = __deepcopy__ = __reduce_ex__ = _refuse

    def __getattr__(self, name):
        raise self.error


class Plan(Join):
    """For such a variable: the text of each path."""

    def __init__(self, name, values, error):
        super().__init__(name, types.string, values)
        self.error = error

    def coerced(self, trace, value):
        from lantern.staging import strings
        return trace.coerce(strings.text_of(trace, value), types.string)

    def rebuild(self, staged):
        return Shown(next(staged), self.error)


def can_be(trace, value):
    """Whether a value is a text or a number, or what is the one or the other."""
    if type(value) is Shown:
        return True
    type_ = trace.type_of(value) if isinstance(value, (Staged, bool, int, float, str)) else None
    return isinstance(type_, types.Scalar) or isinstance(type_, types.TensorType) and not type_.dims


def shown(function, arguments, keywords):
    """The arguments of a function that makes text of them."""
    makes_text = function is print or function is str and len(arguments) == 1 and not keywords
    return tuple(value.text if type(value) is Shown and makes_text else value for value in arguments)


def refuse(values):
    """Refuses what only text is made of."""
    for value in values:
        if type(value) is Shown:
            raise value.error
