"""Python's operators and NumPy's functions on values that are not NumPy arrays but stand for one."""
from __future__ import annotations

from lantern import numpy_functions
from lantern.dispatch import dispatch

class Operand:
    """Gives a class the operators of an array, each by way of `dispatch`."""

    __array_priority__ = 1000

    def __add__(self, other): return dispatch("+", (self, other))
    def __radd__(self, other): return dispatch("+", (other, self))
    def __sub__(self, other): return dispatch("-", (self, other))
    def __rsub__(self, other): return dispatch("-", (other, self))
    def __mul__(self, other): return dispatch("*", (self, other))
    def __rmul__(self, other): return dispatch("*", (other, self))
    def __truediv__(self, other): return dispatch("/", (self, other))
    def __rtruediv__(self, other): return dispatch("/", (other, self))
    def __floordiv__(self, other): return dispatch("//", (self, other))
    def __rfloordiv__(self, other): return dispatch("//", (other, self))
    def __mod__(self, other): return dispatch("%", (self, other))
    def __rmod__(self, other): return dispatch("%", (other, self))
    def __pow__(self, other): return dispatch("**", (self, other))
    def __rpow__(self, other): return dispatch("**", (other, self))
    def __matmul__(self, other): return dispatch("matmul", (self, other))
    def __rmatmul__(self, other): return dispatch("matmul", (other, self))
    def __divmod__(self, other): return self // other, self % other
    def __rdivmod__(self, other): return other // self, other % self
    def __neg__(self): return dispatch("neg", (self,))
    def __pos__(self): return self
    def __abs__(self): return dispatch("abs", (self,))
    def __eq__(self, other): return dispatch("==", (self, other))
    def __ne__(self, other): return dispatch("!=", (self, other))
    def __lt__(self, other): return dispatch("<", (self, other))
    def __le__(self, other): return dispatch("<=", (self, other))
    def __gt__(self, other): return dispatch(">", (self, other))
    def __ge__(self, other): return dispatch(">=", (self, other))
    def __invert__(self): return dispatch("bit-not", (self,))
    def __and__(self, other): return dispatch("bit-and", (self, other))
    def __rand__(self, other): return dispatch("bit-and", (other, self))
    def __or__(self, other): return dispatch("bit-or", (self, other))
    def __ror__(self, other): return dispatch("bit-or", (other, self))
    def __xor__(self, other): return dispatch("bit-xor", (self, other))
    def __rxor__(self, other): return dispatch("bit-xor", (other, self))
    def __lshift__(self, other): return dispatch("shift-left", (self, other))
    def __rlshift__(self, other): return dispatch("shift-left", (other, self))
    def __rshift__(self, other): return dispatch("shift-right", (self, other))
    def __rrshift__(self, other): return dispatch("shift-right", (other, self))

    __hash__ = object.__hash__

    def __getitem__(self, key):
        from lantern import ops
        return ops.getitem(self, key)

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        return numpy_functions.call_ufunc(ufunc, method, inputs, keywords)

    def __array_function__(self, function, _types, arguments, keywords):
        return numpy_functions.call_function(function, arguments, keywords)


class ArrayOperand(Operand):
    """An operand that has the methods of an array, too. (A staged value may be a structure, with fields of these names.)"""

    @property
    def T(self):
        return numpy_functions.call_method("transpose", self, (), {})


def _method(name):
    def method(self, *arguments, **keywords):
        return numpy_functions.call_method(name, self, arguments, keywords)
    method.__name__ = name
    return method


for _name in numpy_functions.METHODS:
    setattr(ArrayOperand, _name, _method(_name))
