"""What computes with variables that are Python's number on one path and an array on another (perhaps_arrays.py): operations that go
element by element, where they give of the number, exactly, what they give of an array that has it at each of its places.

Whether they do is tried: on the numbers that such a variable is known to be, and arrays of ones for the others.
"""
from __future__ import annotations

import itertools
import operator

from lantern import types
from lantern.lazy_numpy import np
from lantern.staging import array_stores
from lantern.staging.perhaps_arrays import PerhapsArray, array_in, held, is_among, number_of, refuse, type_of_array, united
from lantern.staging.values import Staged
from lantern.staging.views import is_boxed


def applied(trace, function, values, at, apply):
    """What an operation by elements gives: `function` of NumPy's or Python's, and `apply`, which does it in the program."""
    trace.at = at
    first, inexact = next(value for value in values if type(value) is PerhapsArray), None
    for value in held(values):
        if value.inexact is not None:
            raise value.inexact
    numbers = _numbers_of(trace, function, values)
    if numbers is None:
        inexact = first.error(trace.place(at))
        if not _may_wait(function, values):
            raise inexact
        numbers = (float,)
    result = apply(*map(array_in, values))
    if not numbers:
        return result
    if not isinstance(result, Staged) or result.type != first.array.type:
        raise first.error(trace.place(at))
    return PerhapsArray("_", result, numbers, first.why, inexact)


def _may_wait(function, values):
    """Whether it is an error to compute with the result, and none to have it: where a turn of a loop is traced first, a variable that
    becomes an array is a number that only the program knows. Nothing that Python's numbers raise is left out by that."""
    numbers = [number for value in values for number in (value.numbers if type(value) is PerhapsArray else (number_of(value),))]
    return function in _EXACT and None not in numbers and any(isinstance(number, type) for number in numbers) \
        and len({value.array.type for value in held(values)}) == 1


def binary(trace, symbol, function, values, at, apply):
    """What `a op b` gives; `function` is the operator of Python's."""
    if symbol == "@" or symbol == "**" and type(values[1]) is PerhapsArray:     # x ** 2 need not be what x ** array is
        refuse(values, at)
    return applied(trace, function, values, at, apply)


def called(trace, function, arguments, keywords, at, apply):
    """The same of a call."""
    is_numpys = isinstance(function, np.ufunc) and getattr(np, function.__name__, None) is function \
        and function.signature is None and function.nout == 1
    if keywords or not is_among(arguments) or not (is_numpys or function in (np.where, abs)):
        refuse(held((*arguments, *keywords.values())), at)
    return applied(trace, function, arguments, at, apply)


def _numbers_of(trace, function, values):
    """The numbers that the result may be, none where it is an array for certain. None, where what the operation gives of a number is not,
    exactly, what it gives of the array."""
    marked = [value for value in values if type(value) is PerhapsArray]
    others = [value for value in values if type(value) is not PerhapsArray and number_of(value) is None]
    type_, arrays = marked[0].array.type, [type_of_array(trace, value) for value in others]
    if None in arrays or any(value.array.type != type_ for value in marked):
        return None
    if arrays:
        dims = _broadcast(arrays)
        if dims is None or not _goes_onto(type_.dims, dims):
            return None
        dtype = types.numpy_dtype(type_.dtype)      # the number becomes one of the result's, and the array has it as one of its own
        is_wider = np.result_type(dtype, *(types.numpy_dtype(each.dtype) for each in arrays)) != dtype
        if is_wider and not all(_has(dtype, number) for value in marked for number in value.numbers):
            return None
    samples = iter([np.ones((1,) * len(each.dims), types.numpy_dtype(each.dtype)) for each in arrays])
    columns = []        # of each operand: [(in Python, in the program)]
    for value in values:
        number = number_of(value)
        if type(value) is PerhapsArray:
            shape, dtype = (1,) * len(type_.dims), types.numpy_dtype(type_.dtype)
            columns.append([(each, np.full(shape, _sample(each), dtype)) for each in value.numbers])
        else:
            columns.append([(number, _sample(number))] if number is not None else [(sample := next(samples), sample)])
    results = []
    for operands in itertools.product(*columns):
        result = _result(function, operands, type_.dtype, bool(arrays))
        if result is None:
            return None
        results.append(result)
    return () if arrays else united((), results)


def _result(function, operands, dtype, is_array):
    """What the operation gives of Python's operands, where it is what it gives in the program."""
    in_python, in_program = zip(*operands)
    unknown = [each for each in in_python if isinstance(each, type)]
    if unknown and not is_array:        # exactly the same only where the program computes as Python does
        is_same = dtype == "f64" and function in _EXACT and any(each is float or type(each) is float for each in in_python)
        return float if is_same else None
    with np.errstate(all="ignore"):
        try:
            one, other = function(*map(_sample, in_python)), function(*in_program)
        except Exception:       # as Python's numbers raise it: 1 / 0
            return None
    if is_array:
        return one if isinstance(one, np.ndarray) and one.dtype == other.dtype and one.tobytes() == other.tobytes() else None
    of_numpys = isinstance(one, np.float64) and dtype == "f64"      # which would make an array of f32 one of f64
    is_number = number_of(one) is not None or of_numpys
    is_same = is_number and other.dtype == types.numpy_dtype(dtype) and np.asarray(one, other.dtype).tobytes() == other.tobytes()
    return one if is_same else None


_EXACT = (operator.add, operator.sub, operator.mul, operator.neg)


def _has(dtype, number):
    """Whether a dtype of floats has a number exactly."""
    return not isinstance(number, type) and (number != number or float(dtype.type(number)) == number)


def _sample(number):
    """A number; one that no array of f32 has exactly, for one that is not known."""
    return {int: 2**24 + 1, float: 0.1}[number] if isinstance(number, type) else number


def _broadcast(arrays):
    """The dims to which arrays broadcast; None, where that is not known."""
    rank = max(len(each.dims) for each in arrays)
    columns = zip(*((1,) * (rank - len(each.dims)) + each.dims for each in arrays))
    dims = []
    for column in columns:
        sizes = {size for size in column if size != 1}
        if len(sizes) > 1 or len(arrays) > 1 and None in sizes:
            return None
        dims.append(sizes.pop() if sizes else 1)
    return tuple(dims)


def _goes_onto(dims, onto):
    """Whether an array of these dims broadcasts to those of another one, which stays as large as it is."""
    return len(dims) <= len(onto) and all(one == 1 or one == other for one, other in zip(reversed(dims), reversed(onto)))


def in_place(trace, symbol, function, target, value, at, apply, apply_anew):
    """`target op= value`: of a number another one, and of an array a change, which is the same where nobody else has that array."""
    if type(target) is not PerhapsArray:
        return binary(trace, symbol, function, (target, value), at, apply)
    result = binary(trace, symbol, function, (target, value), at, apply_anew)
    made = array_in(result)
    if made.type != target.array.type or is_boxed(target.array):
        raise target.error(trace.place(at))
    array_stores.written(trace, target.array, value, made, f"{target.shown()} is changed by {symbol}=")
    return result
