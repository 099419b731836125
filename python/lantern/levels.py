"""What the eager derivatives have in common: values that one is being taken through, and derivatives within derivatives.

Each derivative that is being taken is a level. A level knows the values that it made by their `level`; whatever else an
operation has among its operands belongs to the levels below, which see the operation too: so a derivative of a derivative is
right, and none mistakes another's values for its own.
"""
from __future__ import annotations

import math

from lantern import dispatch
from lantern.lazy_numpy import np
from lantern.operand import ArrayOperand

_FLOAT = "float() would lose the derivative that is being taken"
_UNCHANGED = "arrays that a derivative is taken through do not change where nothing is compiled: write a = a + b, or compile it, lt.grad(lt.function(f))"
STOPS = (_FLOAT, _UNCHANGED)    # of what is said where NumPy would write to an array, which a compiled derivative goes through


class LevelValue(ArrayOperand, dispatch.LevelsValue):
    """A number or an array that a derivative is being taken through. `value`: as the levels below have it."""

    def __init__(self, level, value):
        self.level = level
        self.value = value

    def __hash__(self):
        raise TypeError("a value that a derivative is being taken through is no key of a dict, no element of a set, and nothing for a cache to remember: "
                        "look it up by lt.stop_gradient(x), which is the number alone")

    def _class_of_value(self):
        """What isinstance goes by: the user's code asks it, and goes the way that it goes where no derivative is taken."""
        kind = type(primal(self))
        return kind if issubclass(kind, (float, np.generic, np.ndarray)) else type(self)

    __class__ = property(_class_of_value)

    def refuse_outside(self):
        raise TypeError("a value is used outside the derivative that it was made for: return it from the function")

    @property
    def shape(self):
        return np.shape(self.value)

    @property
    def ndim(self):
        return np.ndim(self.value)

    @property
    def real(self):
        return self

    @property
    def imag(self):
        return self * 0

    def is_integer(self):
        return primal(self).is_integer()

    @property
    def size(self):
        return int(np.prod(self.shape))

    @property
    def dtype(self):
        return np.asarray(primal(self)).dtype

    def __lantern_type__(self):
        from lantern import types
        return types.type_of(primal(self))

    def __len__(self):
        return len(self.value)

    def __iter__(self):
        return (self[i] for i in range(len(self.value)))

    def __bool__(self):
        return bool(self.value)

    def __int__(self):
        return int(self.value)

    def __round__(self, digits=None):
        return round(primal(self), digits)

    def __floor__(self):
        return math.floor(primal(self))

    def __ceil__(self):
        return math.ceil(primal(self))

    def __trunc__(self):
        return math.trunc(primal(self))

    def __float__(self):
        raise TypeError(f"{_FLOAT}: use lt.item(x), or "
                        "lt.stop_gradient(x) where none is wanted; and lt.exp, lt.sqrt, … rather than math's, lt.stack([…]) rather than items of an array. "
                        "Compiled, lt.grad(lt.function(f)), it may stay as it is")

    def copy(self):
        """The same: nothing changes it."""
        return self

    def __setitem__(self, key, value):
        raise ValueError(f"assignment destination is read-only: {_UNCHANGED}")

    def _in_place(self, _other):
        if self.ndim:
            raise ValueError(f"output array is read-only: {_UNCHANGED}")
        return NotImplemented       # a number: the variable gets a new one

    __iadd__ = __isub__ = __imul__ = __itruediv__ = __ifloordiv__ = __imod__ = __ipow__ = __imatmul__ = _in_place
    __iand__ = __ior__ = __ixor__ = __ilshift__ = __irshift__ = _in_place

    def __format__(self, spec):
        return format(self.value, spec)

    def __repr__(self):
        return repr(self.value)

    __str__ = __repr__


def _has_objects(traceback):
    """Whether the function that has failed has an array of Python's objects among its variables, of what a derivative is being taken through."""
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return any(type(value) is np.ndarray and value.dtype == object and any(isinstance(x, LevelValue) for x in value.flat)
               for value in traceback.tb_frame.f_locals.values())


def _is_of_objects(error, traceback):
    """Whether an error is one that NumPy's functions raise of arrays of Python's objects, of which they call methods of their own names."""
    text = str(error)
    if isinstance(error, AttributeError):
        name = text.rpartition("'")[0].rpartition("'")[2]
        return isinstance(getattr(np, name, None), np.ufunc) and _has_objects(traceback)
    return isinstance(error, TypeError) and ("loop of ufunc does not support argument" in text or text.startswith("Cannot cast") and "dtype('O')" in text
                                             or "not supported for the input types" in text and _has_objects(traceback))


def _of_objects(error, traceback):
    """What to say in the place of an error of NumPy's, which has met values that a derivative is being taken through in an array of Python's objects."""
    if isinstance(error, ValueError) and isinstance(error.__cause__, TypeError) and str(error.__cause__).startswith(_FLOAT):
        return str(error.__cause__)
    if _is_of_objects(error, traceback):
        return ("np.array has made an array of Python's objects of values that a derivative is being taken through, of which NumPy knows no functions: write "
                "lt.stack([…]) or x.copy(), or use lt's functions, or compile it, lt.grad(lt.function(f))")
    return None


def primal(value):
    """The number or array itself."""
    while isinstance(value, LevelValue):
        value = value.value
    return value


def is_numpys(value):
    """Whether a value is an array of NumPy's, and none that a derivative is being taken through."""
    return issubclass(type(value), np.ndarray)


def is_number(value):
    """Whether a value is one of Python's floats."""
    value = primal(value)
    return isinstance(value, float) and not isinstance(value, np.generic)


def is_floating(value):
    """Whether a value can have a derivative."""
    value = primal(value)
    return isinstance(value, float) or (isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind == "f")


class Level:
    """A derivative that is being taken, within others or by itself."""

    below = None    # the level that this one is within

    def __enter__(self):
        self.stored = set()     # the Parameters and Variables that were given values of this level: they have lost their derivative
        self.below = dispatch.set_active_tape(self)
        return self

    def __exit__(self, _type, error, traceback):
        dispatch.set_active_tape(self.below)
        words = _of_objects(error, traceback)
        if words is not None:
            raise TypeError(words).with_traceback(traceback) from None

    @staticmethod
    def joined(operand):
        """An operand: what `np.array([a, b])` makes of values that a derivative is being taken through, an array of Python's objects, is theirs."""
        if type(operand) is not np.ndarray or operand.dtype != object or not any(isinstance(x, LevelValue) for x in operand.flat):
            return operand
        from lantern import ops, rearranging
        return ops.reshape(rearranging.stack(list(operand.flat)), operand.shape)

    def owns(self, value):
        return isinstance(value, LevelValue) and value.level is self

    def apply_below(self, name, operands):
        """The operation as the levels below see it, or, on the ground, by its NumPy body."""
        if self.below is not None:
            return self.below.apply(name, operands)
        for operand in operands:
            if isinstance(operand, LevelValue):
                operand.refuse_outside()
        from lantern import bodies
        return bodies.apply(name, operands)

    def call_own(self, custom, arguments):
        """The value of a function with a derivative of its own; for the levels that do not take it, here and below."""
        if any(map(self.owns, arguments)):
            return self.take_own(custom, arguments)
        return self.below_own(custom, arguments, custom.function)

    def below_own(self, custom, arguments, function):
        """What the function, or its forward part, gives as the levels below see it."""
        if self.below is not None and any(isinstance(x, LevelValue) for x in arguments):
            if function is custom.function:
                return self.below.call_own(custom, arguments)
        before = dispatch.set_active_tape(self.below)
        try:
            return function(*arguments)
        finally:
            dispatch.set_active_tape(before)

    def read_below(self, parameter):
        """The value of a Parameter or Variable, as the levels below have it."""
        return parameter.read() if self.below is None else self.below.read(parameter)
