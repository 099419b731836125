"""Python's operators and NumPy's functions on values that are not NumPy arrays but stand for one."""
from __future__ import annotations

import numpy as np

from lantern.dispatch import dispatch

# NumPy's functions on such a value become ours; what is not listed is refused by name.
NUMPY_FUNCTIONS = {
    np.add: "+", np.subtract: "-", np.multiply: "*", np.true_divide: "/", np.floor_divide: "//", np.remainder: "%",
    np.power: "**", np.negative: "neg", np.absolute: "abs", np.sqrt: "sqrt", np.square: "square", np.exp: "exp",
    np.log: "log", np.tanh: "tanh", np.sin: "sin", np.cos: "cos", np.tan: "tan",
    np.expm1: "expm1", np.log1p: "log1p", np.sign: "sign", np.bitwise_and: "bit-and", np.bitwise_or: "bit-or",
    np.bitwise_xor: "bit-xor", np.invert: "bit-not", np.left_shift: "shift-left", np.right_shift: "shift-right", np.maximum: "maximum", np.minimum: "minimum",
    np.equal: "==", np.not_equal: "!=", np.less: "<", np.less_equal: "<=", np.greater: ">", np.greater_equal: ">=",
    np.logical_not: "not", np.logical_and: "and", np.logical_or: "or", np.matmul: "matmul", np.where: "where",
    np.sum: "sum", np.mean: "mean", np.max: "max", np.amax: "max", np.argmax: "argmax",
    np.min: "min", np.amin: "min", np.argmin: "argmin", np.prod: "prod", np.outer: "outer",
    np.transpose: "transpose", np.dot: "matmul", np.zeros_like: "zeros-like", np.ones_like: "ones-like",
}
_SEVERAL = {np.concatenate: "concat", np.stack: "stack"}


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

    @property
    def T(self):
        return dispatch("transpose", (self,))

    def sum(self, axis=None):
        return dispatch("sum", (self,) if axis is None else (self, axis))

    def mean(self, axis=None):
        return dispatch("mean", (self,) if axis is None else (self, axis))

    def max(self, axis=None):
        return dispatch("max", (self,) if axis is None else (self, axis))

    def min(self, axis=None):
        return dispatch("min", (self,) if axis is None else (self, axis))

    def prod(self, axis=None):
        return dispatch("prod", (self,) if axis is None else (self, axis))

    def argmax(self):
        return dispatch("argmax", (self,))

    def reshape(self, *shape):
        return dispatch("reshape", (self, *(shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape)))

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        if method != "__call__" or ufunc not in NUMPY_FUNCTIONS or keywords:
            how = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
            raise TypeError(f"numpy.{how} has no counterpart for {type(self).__name__} values"
                            + (f" with the keywords {', '.join(keywords)}" if keywords else ""))
        return dispatch(NUMPY_FUNCTIONS[ufunc], inputs)

    def __array_function__(self, function, _types, arguments, keywords):
        if keywords.get("axis", 0) is None:
            keywords = {key: value for key, value in keywords.items() if key != "axis"}
        if set(keywords) <= {"axis"}:
            if function in _SEVERAL and len(arguments) == 1:
                return dispatch(_SEVERAL[function], tuple(arguments[0]), keywords)
            if function in NUMPY_FUNCTIONS:
                return dispatch(NUMPY_FUNCTIONS[function], (*arguments, *keywords.values()))
        raise TypeError(f"numpy.{function.__name__} called this way has no counterpart for {type(self).__name__} values")
