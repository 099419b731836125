"""The eager tape: operators record what they did, `Tape.adjoints` goes back over the record.

It knows no derivative: pullbacks are the operator table's.
"""
from __future__ import annotations

import dataclasses

import numpy as np

from lantern import bodies, dispatch, pullbacks
from lantern.operand import ArrayOperand


_UNCHANGED = "arrays that a derivative is taken through do not change where nothing is compiled: write a = a + b"


class TapeValue(ArrayOperand):
    """A number or an array that a derivative is being taken through."""

    def __init__(self, tape, value, number):
        self.tape = tape
        self.value = value
        self.number = number  # its adjoint's place

    @property
    def shape(self):
        return np.shape(self.value)

    @property
    def ndim(self):
        return np.ndim(self.value)

    @property
    def size(self):
        return np.size(self.value)

    @property
    def dtype(self):
        return np.asarray(self.value).dtype

    def __lantern_type__(self):
        from lantern import types
        return types.type_of(self.value)

    def __len__(self):
        return len(self.value)

    def __iter__(self):
        return (self[i] for i in range(len(self.value)))

    def __bool__(self):
        return bool(self.value)

    def __int__(self):
        return int(self.value)

    def __float__(self):
        raise TypeError("float() would lose the derivative that is being taken: use lt.item(x), or "
                        "lt.stop_gradient(x) where none is wanted; and lt.exp, lt.sqrt, … rather than math's")

    def item(self):
        return dispatch.dispatch("item", (self,))

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


@dataclasses.dataclass
class RowSum:
    """The gradient of a table that only single rows were read of: {row: gradient of it}."""
    shape: tuple
    dtype: np.dtype
    rows: dict = dataclasses.field(default_factory=dict)

    def dense(self):
        result = np.zeros(self.shape, self.dtype)
        for row, gradient in self.rows.items():
            result[row] = gradient
        return result

    def stacked(self):
        """The gradients of the rows, one below the other."""
        return np.stack(list(self.rows.values())) if self.rows else np.zeros((0, *self.shape[1:]), self.dtype)


class Adjoint:
    """The adjoint of one value, summed up from where the value was used."""

    def __init__(self, primal):
        self._primal = primal
        self._sum = None  # a Python float, an array or a RowSum

    def add(self, x):
        if isinstance(self._primal, float) and not isinstance(self._primal, np.generic):
            self._sum = float(x) + (self._sum or 0.0)
        elif self._sum is None:
            shape = np.shape(self._primal)
            self._sum = np.array(x if np.shape(x) == shape else np.broadcast_to(x, shape), np.asarray(self._primal).dtype)
        else:
            self._sum = self._dense()
            self._sum += x

    def add_part(self, where, x):
        """Adds x to an element, a row or a range."""
        self._sum = self._dense()
        self._sum[where] += x

    def add_row(self, row, x):
        if self._sum is None:
            self._sum = RowSum(np.shape(self._primal), np.asarray(self._primal).dtype)
        if isinstance(self._sum, RowSum):
            row = int(row) % self._sum.shape[0]
            before = self._sum.rows.get(row)
            self._sum.rows[row] = np.array(x, self._sum.dtype) if before is None else before + x
        else:
            self._sum[row] += x

    def _dense(self):
        if self._sum is None:
            return np.zeros(np.shape(self._primal), np.asarray(self._primal).dtype)
        return self._sum.dense() if isinstance(self._sum, RowSum) else self._sum

    @property
    def value(self):
        """The sum: an array, one of NumPy's scalars, or a RowSum. Zeros if nothing was added."""
        if isinstance(self._sum, RowSum):
            return self._sum
        if isinstance(self._primal, float) and not isinstance(self._primal, np.generic):
            return np.float64(self._sum or 0.0)  # not Python's: a pullback may divide by zero, as IEEE has it
        dense = self._dense()
        return dense if dense.ndim else dense[()]

    @property
    def is_zero(self):
        return self._sum is None


@dataclasses.dataclass
class _Record:
    row: pullbacks.Row
    operands: list  # primal values
    numbers: list   # per operand: the place of its adjoint, or None
    y: object
    y_number: int


class Tape:
    """Records operators while it is the active tape.

    wants: which Parameters and Variables a derivative is taken with respect to, once they are read.
    """

    def __init__(self, wants=lambda parameter: False):
        self._wants = wants
        self._records = []
        self._primals = []
        self.leaves = {}  # Parameter → TapeValue, in the order of first reading

    def watch(self, value):
        """A leaf of the tape."""
        self._primals.append(value)
        return TapeValue(self, value, len(self._primals) - 1)

    def __enter__(self):
        self._before = dispatch.set_active_tape(self)
        return self

    def __exit__(self, *_):
        dispatch.set_active_tape(self._before)

    def apply(self, name, operands):
        operands = [self._read(x) if dispatch.is_global(x) or isinstance(x, TapeValue) else _kept(x) for x in operands]
        values = [x.value if isinstance(x, TapeValue) else x for x in operands]
        y = bodies.apply(name, values)
        if not any(isinstance(x, TapeValue) for x in operands) or not _is_floating(y):
            return y
        leading = sum(1 for x in values[:1] if _is_leading(x))
        operands, values = operands[leading:], values[leading:]
        row = pullbacks.select(name, values)
        if row.flat:
            return y
        result = self.watch(y)
        self._records.append(_Record(row, values, [x.number if isinstance(x, TapeValue) else None for x in operands],
                                     y, result.number))
        return result

    def _read(self, x):
        if isinstance(x, TapeValue) and x.tape is not self:
            raise NotImplementedError("a derivative of a derivative is not possible eagerly yet")
        if not dispatch.is_global(x):
            return x
        if x in self.leaves:
            return self.leaves[x]
        if not self._wants(x):
            return x.read()
        self.leaves[x] = self.watch(x.read())
        return self.leaves[x]

    def adjoints(self, result):
        """Goes back from `result`, a TapeValue. → the adjoints, by TapeValue.number."""
        adjoints = [None] * len(self._primals)

        def adjoint(number):
            if adjoints[number] is None:
                adjoints[number] = Adjoint(self._primals[number])
            return adjoints[number]

        adjoint(result.number).add(1.0)
        with np.errstate(all="ignore"):
            self._go_back(adjoints, adjoint)
        return [a if a is not None else Adjoint(primal) for a, primal in zip(adjoints, self._primals)]

    def _go_back(self, adjoints, adjoint):
        for record in reversed(self._records):
            y_adjoint = adjoints[record.y_number]
            if y_adjoint is None or y_adjoint.is_zero:
                continue
            total = y_adjoint.value
            names = pullbacks.environment(record.row, record.operands, record.y, total.dense() if isinstance(total, RowSum) else total)
            for position, number in enumerate(record.numbers):
                if number is None:
                    continue
                expression, more = pullbacks.pullback(record.row, position, record.operands)
                if expression is None:
                    of = record.operands[0] if callable(record.operands[0]) else None      # a function of the user's
                    raise NotImplementedError(f"'{getattr(of, '__name__', record.row.name)}' cannot be differentiated through: "
                                              "use lt.stop_gradient(x) where no derivative is wanted")
                _accumulate(adjoint(number), expression, {**names, **more} if more else names)


def _accumulate(adjoint, expression, names):
    """Adds the value of a pullback, of which some touch a part of the adjoint only."""
    kind = expression[0] if isinstance(expression, tuple) else None
    if kind not in _PARTIAL:
        adjoint.add(pullbacks.evaluator(expression)(names))
        return
    operands = [pullbacks.evaluator(operand)(names) for operand in expression[1:]]
    if kind == "placed":
        x, start, *axis, _ = operands
        axis = axis[0] % np.ndim(x) if axis else 0
        adjoint.add_part((*[slice(None)] * axis, slice(start, start + np.shape(x)[axis])), x)
    elif kind == "index-at":
        i, x, _ = operands
        adjoint.add_part(i, x)
    elif kind == "rows-at":
        rows, x, _ = operands
        for i, row in zip(rows, x):
            adjoint.add_row(i, row)
    else:
        i, x, _ = operands
        adjoint.add_row(i, x)


_PARTIAL = ("placed", "index-at", "row-at", "rows-at")


def _is_leading(x):
    from lantern import types
    return isinstance(x, types.Type)


def _is_floating(y):
    return isinstance(y, float) or (isinstance(y, (np.ndarray, np.generic)) and y.dtype.kind == "f")


def _kept(x):
    """An operand as the way back reads it: an array of the user's own may have changed by then."""
    return x.copy() if isinstance(x, np.ndarray) and x.flags.writeable else x
