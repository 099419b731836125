"""What NumPy's functions are given here: staged values, numbers, lists; and the tables that their counterparts stand in."""
from __future__ import annotations

from lantern import ops, types
from lantern.dispatch import active_trace, dispatch, is_global, is_of_a_level, is_staged
from lantern.lazy_numpy import np

FUNCTIONS = {}      # NumPy's function → ours, which takes the same arguments, or fewer
OF_METHODS = {}     # the name of an array's method → the same
METHODS = (         # the names that OF_METHODS has when all modules here are imported
    "transpose", "swapaxes", "reshape", "ravel", "flatten", "copy", "squeeze", "cumsum", "cumprod", "repeat", "diagonal", "take",
    "nonzero", "compress", "round", "clip", "astype", "sum", "prod", "mean", "max", "min", "argmax", "argmin", "all", "any", "var", "std",
    "dot", "argsort", "searchsorted", "trace", "item")


class Unsupported(Exception):
    """These arguments have no counterpart; the message says which."""


def implements(*functions, method=None):
    """Registers a function as the counterpart of NumPy's, and of a method of that name."""
    def register(function):
        FUNCTIONS.update(dict.fromkeys(functions, function))
        if method:
            OF_METHODS[method] = function
        return function
    return register

def type_of(x):
    """Its type; None where staging does not know it."""
    if is_staged(x):
        return x.type
    try:
        return types.type_of(x)
    except TypeError:
        raise Unsupported(f"a {type(x).__name__} among its operands") from None


def rank_of(x):
    return len(getattr(type_of(x), "dims", ()))


def dtype_of(x):
    """'f32', …; None where it is not known."""
    type_ = type_of(x)
    return getattr(type_, "dtype", getattr(type_, "name", None))


def contents_of(x):
    """What a list holds, where that is staged; else itself."""
    trace = active_trace()
    return x if trace is None or type(x) is not list else trace.lists.value(x)


def holds_operators(value):
    """Whether something staged, recorded on a tape, or a parameter or state is among what is given, in lists and tuples, too."""
    pending = [value]
    while pending:
        value = contents_of(pending.pop())
        if is_staged(value) or is_global(value) or is_of_a_level(value):
            return True
        if isinstance(value, (list, tuple)):
            pending.extend(value)
    return False


def as_array(x):
    """What NumPy makes an array of; a sequence of numbers and arrays becomes one."""
    x = contents_of(x)
    if isinstance(x, (list, tuple)) or is_staged(x) and isinstance(x.type, (types.Tuple, types.List)):
        from lantern.numpy_functions.new import array
        return array(x)
    return x


def is_of_sequences(type_):
    """Whether a list of that type holds lists or tuples. (What may be None is a tuple to the program.)"""
    from lantern.staging import none_in_lists
    return isinstance(type_.element, (types.List, types.Tuple)) and not none_in_lists.is_type(type_.element)


def rows_of(sequences):
    """The arrays that NumPy makes of the lists or tuples in a staged list, as one; a list of something else as it is."""
    if not is_of_sequences(sequences.type):
        return sequences
    from lantern.numpy_functions.new import array
    from lantern.staging import library
    trace = active_trace()
    return contents_of(library.mapped(trace, sequences, array, trace.lists.new([])))


def strong(x):
    """A number as an array of rank 0; Python's own take the others' dtype, or give theirs."""
    type_ = type_of(x)
    if getattr(type_, "perhaps_number", False):
        return x.as_element()
    if not isinstance(type_, types.Scalar) or type_.name == "string":
        return x
    return np.asarray(x)[()] if type(x) in (bool, int, float) else dispatch("full", (type_, x))


def as_arrays(*operands):
    """Operands as NumPy reads them: numbers promote only where no array is among them."""
    operands = tuple(map(as_array, operands))
    if all(isinstance(type_of(x), types.Scalar) or getattr(type_of(x), "perhaps_number", False) for x in operands):
        return tuple(map(strong, operands))
    return operands


def of_promoted_dtype(arrays):
    """Arrays of one dtype, as NumPy promotes them."""
    arrays = tuple(arrays) if is_staged(arrays) and isinstance(arrays.type, types.Tuple) else contents_of(arrays)
    if is_staged(arrays):
        raise Unsupported("a sequence whose length is known only when the program runs")
    arrays = [strong(as_array(x)) for x in arrays]
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    if None in map(type_of, arrays):
        return arrays
    if not all(dtype_of(x) in types.DTYPES for x in arrays):
        raise Unsupported("what is no number and no array among its elements")
    dtype = types.dtype_name(np.result_type(*(types.numpy_dtype(dtype_of(x)) for x in arrays)))
    return [x if dtype_of(x) == dtype else ops.cast(x, dtype) for x in arrays]


def of_one_dtype(arrays):
    """Operands of one type as they are, others as arrays of the dtype that NumPy promotes them to."""
    found = {type_.name if isinstance(type_, types.Scalar) else ("array of", dtype_of(x)) for x, type_ in zip(arrays, map(type_of, arrays))}
    return arrays if len(found) == 1 else tuple(of_promoted_dtype(arrays))


def common_dtype(values):
    """The dtype that NumPy computes with of several arrays and numbers, of which Python's have the one that they have beside the arrays: 1.0
    is an f32 beside f32. None where a type is not known."""
    kinds = [type_of(value) for value in values]
    if None in kinds:
        return None
    numbers = [isinstance(kind, types.Scalar) and not getattr(kind, "perhaps_number", False) for kind in kinds]
    weak = {"bool": True, "i64": 1, "f64": 1.0} if not all(numbers) else {}
    return types.dtype_name(np.result_type(*(weak.get(kind.name, types.numpy_dtype(kind.name)) if number else types.numpy_dtype(kind.dtype)
                                             for kind, number in zip(kinds, numbers))))


def in_dtype(x, dtype):
    """A number, or an array, as an array of that dtype."""
    if isinstance(type_of(x), types.Scalar) and not getattr(type_of(x), "perhaps_number", False):
        return ops.full((), x, dtype)
    return x if dtype_of(x) == dtype else ops.cast(x, dtype)


def copied(x):
    """An array of its own."""
    if is_staged(x):
        return x.copied()
    if not is_global(x):
        return x if hasattr(x, "tape") else np.array(x)     # what a tape records does not change
    if active_trace() is None:
        return np.array(x.read())
    return dispatch("slice", (x, 0, ops.shape(x, 0))).copied() if rank_of(x) else dispatch("*", (x, 1))


def need(x, dtypes, what):
    if dtype_of(x) is not None and dtype_of(x) not in dtypes:
        raise Unsupported(f"an array of {dtype_of(x)}: {what}")


NUMBERS = ("i32", "i64", "f32", "f64")
NOT_BOOLS = "NumPy has another meaning for bools, cast them first"


def truth(x):
    """Whether the elements are true."""
    return x if dtype_of(x) in ("bool", None) else dispatch("!=", (x, 0))


def axes_of(x, axis):
    """The axes that a reduction takes away, from the last to the first; None for all of them."""
    if isinstance(axis, tuple) and len(axis) > 1 and type_of(x) is not None:
        axes = {axis_of(x, each) for each in axis}
        if len(axes) < len(axis):
            raise ValueError("duplicate value in 'axis'")
        return None if len(axes) == rank_of(x) else sorted(axes, reverse=True)
    axis = axis_of(x, axis)
    return None if axis is None else [axis]


def axis_of(x, axis):
    """An axis from the front; None for all of them."""
    if axis is None:
        return None
    if isinstance(axis, tuple) and len(axis) == 1:
        axis, = axis
    if is_staged(axis) or not isinstance(axis, int) or isinstance(axis, bool):
        raise Unsupported(f"axis={axis!r}: one number that is known while staging, or None")
    if type_of(x) is None:
        return axis
    if not -rank_of(x) <= axis < rank_of(x):
        raise np.exceptions.AxisError(axis, rank_of(x)) if hasattr(np, "exceptions") else np.AxisError(axis, rank_of(x))
    return axis % rank_of(x)


def counting(dtype):
    """What a sum of such elements is computed in."""
    def prepare(x):
        return x if dtype is None else ops.cast(x, dtype)
    return prepare


def counted(result, dtype):
    """Such a sum in the dtype that it has then: operators count bools and add up i32 in i64."""
    return result if dtype is None or types.dtype_name(dtype) == dtype_of(result) else ops.cast(result, dtype)
