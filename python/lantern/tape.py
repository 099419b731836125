"""The eager tape: operators record what they did, `Tape.adjoints` goes back over the record.

It knows no derivative: pullbacks are the operator table's.
"""
from __future__ import annotations

from lantern import derived, dispatch, pullbacks
from lantern.lazy_numpy import np
from lantern.levels import Level, LevelValue, is_floating, is_number, is_numpys, primal


class TapeValue(LevelValue):
    """A value on a tape."""

    def __init__(self, tape, value, number):
        super().__init__(tape, value)
        self.number = number  # its adjoint's place


class RowSum:
    """The gradient of a table that only single rows were read of: {row: gradient of it}."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype, self.rows = shape, dtype, {}

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
        if is_number(self._primal):
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

    def add_pullback(self, expression, names):
        """Adds the value of a pullback, of which some touch a part of the adjoint only."""
        kind = expression[0] if isinstance(expression, tuple) else None
        if kind not in _PARTIAL:
            self.add(pullbacks.evaluator(expression)(names))
            return
        operands = [pullbacks.evaluator(operand)(names) for operand in expression[1:]]
        if kind == "placed":
            x, start, *axis, _ = operands
            axis = axis[0] % np.ndim(x) if axis else 0
            self.add_part((*[slice(None)] * axis, slice(start, start + np.shape(x)[axis])), x)
        elif kind == "index-at":
            i, x, _ = operands
            self.add_part(i, x)
        elif kind == "rows-at":
            rows, x, _ = operands
            for i, row in zip(rows, x):
                self.add_row(i, row)
        else:
            i, x, _ = operands
            self.add_row(i, x)

    def _dense(self):
        if self._sum is None:
            return np.zeros(np.shape(self._primal), np.asarray(self._primal).dtype)
        return self._sum.dense() if isinstance(self._sum, RowSum) else self._sum

    @property
    def value(self):
        """The sum: an array, one of NumPy's scalars, or a RowSum. Zeros if nothing was added."""
        if isinstance(self._sum, RowSum):
            return self._sum
        if is_number(self._primal):
            return np.float64(self._sum or 0.0)  # not Python's: a pullback may divide by zero, as IEEE has it
        dense = self._dense()
        return dense if dense.ndim else dense[()]

    @property
    def is_zero(self):
        return self._sum is None


_PARTIAL = ("placed", "index-at", "row-at", "rows-at")


class AdjointWithin:
    """An adjoint that the levels below take a derivative through: its sum is made of their operations."""

    def __init__(self, level, primal):
        self._level, self._primal, self._sum = level, primal, None

    def add(self, x):
        apply = self._level.apply_below
        if not is_number(self._primal):
            if np.shape(x) != np.shape(self._primal):
                x = apply("like", (x, self._primal))
            if np.asarray(getattr(x, "dtype", float)) != self._primal.dtype:
                x = apply("cast-like", (x, self._primal))
        self._sum = x if self._sum is None else apply("+", (self._sum, x))

    def add_pullback(self, expression, names):
        self.add(pullbacks.evaluated(expression, names, self._level.apply_below))

    @property
    def value(self):
        return self._level.apply_below("zeros-like", (self._primal,)) if self._sum is None else self._sum

    @property
    def is_zero(self):
        return self._sum is None


class _Record:
    """operands: values, as the levels below have them. numbers: per operand, the place of its adjoint, or None."""

    def __init__(self, row, operands, numbers, y, y_number):
        self.row, self.operands, self.numbers, self.y, self.y_number = row, operands, numbers, y, y_number


class _OwnRecord:
    """A call of a function with a derivative of its own."""

    def __init__(self, custom, operands, saved, numbers, tape, y):
        self._custom, self._operands, self._saved, self._numbers = custom, operands, saved, numbers
        self._single = not isinstance(y, tuple)
        parts = [tape.watch(part) if is_floating(part) else part for part in ((y,) if self._single else y)]
        self._places = [part.number if tape.owns(part) else None for part in parts]
        self.result = parts[0] if self._single else tuple(parts)

    def go_back(self, adjoints, adjoint):
        if all(place is None or adjoints[place] is None for place in self._places):
            return
        parts = [None if place is None else adjoint(place).value for place in self._places]
        parts = [part.dense() if isinstance(part, RowSum) else part for part in parts]
        given = self._custom.backward(self._saved, parts[0] if self._single else tuple(parts))
        for place, (operand, number, part) in enumerate(zip(self._operands, self._numbers, self._custom.adjoints(given, len(self._operands)))):
            if number is not None and part is not None:
                self._custom.check_adjoint(place, operand, part)
                adjoint(number).add(part)


class Tape(Level):
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
        derived.check(primal(value))
        self._primals.append(value)
        return TapeValue(self, value, len(self._primals) - 1)

    def apply(self, name, operands):
        operands = [self.read(x) if dispatch.is_global(x) else _kept(x) for x in operands]
        values = [x.value if self.owns(x) else x for x in operands]
        y = self.apply_below(name, values)
        if not any(self.owns(x) for x in operands) or not is_floating(y):
            return y
        leading = sum(1 for x in values[:1] if _is_leading(x))
        operands, values = operands[leading:], values[leading:]
        row = pullbacks.select(name, values)
        if row.flat:
            return y
        result = self.watch(y)
        self._records.append(_Record(row, values, [x.number if self.owns(x) else None for x in operands], y, result.number))
        return result

    def take_own(self, custom, arguments):
        values = [x.value if self.owns(x) else x for x in arguments]
        from lantern.grad import map_leaves
        y, saved = self.below_own(custom, values, lambda *those: custom.saved(those))
        record = _OwnRecord(custom, values, map_leaves(_kept, saved), [x.number if self.owns(x) else None for x in arguments], self, y)
        self._records.append(record)
        return record.result

    def read(self, parameter):
        if parameter in self.leaves:
            return self.leaves[parameter]
        value = self.read_below(parameter)
        if not self._wants(parameter):
            return value
        self.leaves[parameter] = self.watch(value)
        return self.leaves[parameter]

    def adjoints(self, result):
        """Goes back from `result`, a TapeValue. → the adjoints, by TapeValue.number."""
        adjoints = [None] * len(self._primals)

        def new(number):
            primal = self._primals[number]
            return Adjoint(primal) if self.below is None else AdjointWithin(self, primal)

        def adjoint(number):
            if adjoints[number] is None:
                adjoints[number] = new(number)
            return adjoints[number]

        adjoint(result.number).add(1.0)
        with np.errstate(all="ignore"):
            self._go_back(adjoints, adjoint)
        return [a if a is not None else new(number) for number, a in enumerate(adjoints)]

    def _go_back(self, adjoints, adjoint):
        for record in reversed(self._records):
            if isinstance(record, _OwnRecord):
                record.go_back(adjoints, adjoint)
                continue
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
                    raise pullbacks.no_derivative(record.row, record.operands)
                if expression != "none":
                    adjoint(number).add_pullback(expression, {**names, **more} if more else names)


def _is_leading(x):
    from lantern import types
    return isinstance(x, types.Type)


def _kept(x):
    """An operand as the way back reads it: an array of the user's own may have changed by then."""
    return x.copy() if is_numpys(x) and x.flags.writeable else x
