"""NumPy's functions on what stands for an array: a staged value, a Parameter, what a tape records.

Each function here has NumPy's meaning for the arguments that it takes, dtypes included. Whatever else NumPy has is refused by
name. Numbers alone become arrays of rank 0 first, as NumPy makes its own scalars of them: unlike Python's numbers they
promote, and follow IEEE.
"""
from __future__ import annotations

import functools
import inspect

import numpy as np

from lantern import ops, rearranging, types
from lantern.dispatch import active_trace, dispatch, is_global, is_staged, refuse

FUNCTIONS = {}      # NumPy's function → ours, which takes the same arguments, or fewer
METHODS = {}        # the name of an array's method → the same


class Unsupported(Exception):
    """These arguments have no counterpart; the message says which."""


def _is(*functions, method=None):
    """Registers a function as the counterpart of NumPy's, and of a method of that name."""
    def register(function):
        FUNCTIONS.update(dict.fromkeys(functions, function))
        if method:
            METHODS[method] = function
        return function
    return register


# What an operand is

def _type(x):
    """Its type; None where staging does not know it."""
    if is_staged(x):
        return x.type
    try:
        return types.type_of(x)
    except TypeError:
        raise Unsupported(f"a {type(x).__name__} among its operands") from None


def _rank(x):
    return len(getattr(_type(x), "dims", ()))


def _dtype(x):
    """'f32', …; None where it is not known."""
    type_ = _type(x)
    return getattr(type_, "dtype", getattr(type_, "name", None))


def _contents(x):
    """What a list holds, where that is staged; else itself."""
    trace = active_trace()
    return x if trace is None or type(x) is not list else trace.lists.value(x)


def _array(x):
    """What NumPy makes an array of; a sequence of numbers and arrays becomes one."""
    x = _contents(x)
    if isinstance(x, (list, tuple)) or is_staged(x) and isinstance(x.type, (types.Tuple, types.List)):
        return array(x)
    return x


def _strong(x):
    """A number as an array of rank 0; Python's own take the others' dtype, or give theirs."""
    type_ = _type(x)
    if not isinstance(type_, types.Scalar) or type_.name == "string":
        return x
    return np.asarray(x)[()] if isinstance(x, (bool, int, float)) else dispatch("full", (type_, x))


def _arrays(*operands):
    """Operands as NumPy reads them: numbers promote only where no array is among them."""
    operands = tuple(map(_array, operands))
    if all(isinstance(_type(x), types.Scalar) for x in operands):
        return tuple(map(_strong, operands))
    return operands


def _copied(x):
    """An array of its own."""
    if is_staged(x):
        return x.copied()
    if not is_global(x):
        return x if hasattr(x, "tape") else np.array(x)     # what a tape records does not change
    return dispatch("*", (x, 1)) if active_trace() is not None else np.array(x.read())


def _need(x, dtypes, what):
    if _dtype(x) is not None and _dtype(x) not in dtypes:
        raise Unsupported(f"an array of {_dtype(x)}: {what}")


_NUMBERS = ("i32", "i64", "f32", "f64")
_NOT_BOOLS = "NumPy has another meaning for bools, cast them first"


# Element by element

_UFUNCS = {
    np.add: "+", np.subtract: "-", np.multiply: "*", np.true_divide: "/", np.floor_divide: "//", np.remainder: "%",
    np.power: "**", np.negative: "neg", np.absolute: "abs", np.sqrt: "sqrt", np.square: "square", np.exp: "exp",
    np.log: "log", np.tanh: "tanh", np.sin: "sin", np.cos: "cos", np.tan: "tan", np.expm1: "expm1", np.log1p: "log1p",
    np.sign: "sign", np.maximum: "maximum", np.minimum: "minimum",
}
_COMPARISONS = {np.equal: "==", np.not_equal: "!=", np.less: "<", np.less_equal: "<=", np.greater: ">", np.greater_equal: ">="}
_BITS = {np.bitwise_and: "bit-and", np.bitwise_or: "bit-or", np.bitwise_xor: "bit-xor", np.invert: "bit-not"}
_SHIFTS = {np.left_shift: "shift-left", np.right_shift: "shift-right"}
_LOGIC = {np.logical_and: "and", np.logical_or: "or", np.logical_not: "not"}


_OF_BOOLS = {"+": "or", "*": "and", "maximum": "or", "minimum": "and", "/": "/"}     # what they are where all operands are bools


def _elementwise(name, of_bools):
    def function(*operands):
        operands = _arrays(*operands)
        if any(_dtype(x) != "bool" for x in operands):
            return dispatch(name, operands)
        if of_bools is None:
            raise Unsupported(f"arrays of bool: {_NOT_BOOLS}")
        return dispatch(of_bools, operands)
    return function


FUNCTIONS.update({ufunc: _elementwise(name, _OF_BOOLS.get(name)) for ufunc, name in {**_UFUNCS, **_SHIFTS}.items()})
FUNCTIONS.update({ufunc: _elementwise(name, name) for ufunc, name in {**_COMPARISONS, **_BITS}.items()})


def _truth(x):
    """Whether the elements are true."""
    return x if _dtype(x) in ("bool", None) else dispatch("!=", (x, 0))


def _logical(name):
    return lambda *operands: dispatch(name, tuple(map(_truth, _arrays(*operands))))


FUNCTIONS.update({ufunc: _logical(name) for ufunc, name in {**_LOGIC, np.logical_xor: "!="}.items()})


@_is(np.positive)
def positive(x):
    _need(x, _NUMBERS, _NOT_BOOLS)
    return _copied(_arrays(x)[0])


@_is(np.reciprocal)
def reciprocal(x):
    _need(x, ("f32", "f64"), "1 // x is another function")
    return dispatch("/", (1.0, *_arrays(x)))


@_is(np.isnan)
def isnan(x):
    x, = _arrays(x)
    return dispatch("!=", (x, x))


@_is(np.isinf)
def isinf(x):
    x, = _arrays(x)
    return dispatch("==", (dispatch("abs", (x,)), float("inf"))) if _dtype(x) in ("f32", "f64", None) else dispatch("!=", (x, x))


@_is(np.isfinite)
def isfinite(x):
    x, = _arrays(x)
    return dispatch("<", (dispatch("abs", (x,)), float("inf"))) if _dtype(x) in ("f32", "f64", None) else dispatch("==", (x, x))


@_is(np.divmod)
def divmod_(a, b):
    return FUNCTIONS[np.floor_divide](a, b), FUNCTIONS[np.remainder](a, b)


@_is(np.clip, method="clip")
def clip(a, a_min=None, a_max=None, *, min=None, max=None):  # noqa: A002
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    a, = _arrays(a)
    _need(a, _NUMBERS, _NOT_BOOLS)
    if low is None and high is None:
        raise Unsupported("no bounds")
    if high is None:
        return dispatch("maximum", (a, low))
    return dispatch("minimum", (a, high)) if low is None else dispatch("clip", (a, low, high))


@_is(np.where)
def where(condition, x, y):
    condition = _array(condition)
    x, y = _array(x), _array(y)
    if isinstance(_type(condition), types.Scalar):
        condition = _strong(condition)
    if all(isinstance(_type(value), types.Scalar) for value in (x, y)):
        x, y = _strong(x), _strong(y)
    return dispatch("where", (_truth(condition), x, y))


# Reductions

def _axis(x, axis):
    """An axis from the front; None for all of them."""
    if axis is None:
        return None
    if isinstance(axis, tuple) and len(axis) == 1:
        axis, = axis
    if isinstance(axis, tuple) and _type(x) is not None and sorted(a % _rank(x) for a in axis) == list(range(_rank(x))):
        return None
    if is_staged(axis) or not isinstance(axis, int) or isinstance(axis, bool):
        raise Unsupported(f"axis={axis!r}: one number that is known while staging, or None")
    if _type(x) is None:
        return axis
    if not -_rank(x) <= axis < _rank(x):
        raise np.exceptions.AxisError(axis, _rank(x)) if hasattr(np, "exceptions") else np.AxisError(axis, _rank(x))
    return axis % _rank(x)


def _kept(result, x, axis, keepdims):
    """A reduction's result with the axis that it took away as one of size 1."""
    if not keepdims:
        return result
    sizes = [1 if axis is None or number == axis else size for number, size in enumerate(ops.shape(x))]
    return ops.reshape(result, *sizes) if _rank(result) else dispatch("full", (types.Scalar(_dtype(result)), result, *sizes))


def _position(name, x, axis):
    x, = _arrays(x)
    if _type(x) is not None and _rank(x) == 0:
        _axis(x, axis)
        return np.int64(0)
    return _strong(_reduce(name, x, axis, False, _measurable))


def _reduce(name, x, axis, keepdims, prepare=lambda x: x):
    x, = _arrays(x)
    axis, x = _axis(x, axis), prepare(x)
    return _kept(dispatch(name, (x,) if axis is None or _rank(x) <= 1 else (x, axis)), x, axis, keepdims)


def _counting(dtype):
    """What a sum of such elements is computed in."""
    def prepare(x):
        if dtype is not None:
            return ops.cast(x, dtype)
        return ops.cast(x, "i64") if _dtype(x) in ("bool", "i32") else x
    return prepare


def _measurable(x):
    _need(x, _NUMBERS, _NOT_BOOLS)
    return x


@_is(np.sum, method="sum")
def sum(a, axis=None, dtype=None, *, keepdims=False):  # noqa: A001
    return _reduce("sum", a, axis, keepdims, _counting(dtype))


@_is(np.prod, method="prod")
def prod(a, axis=None, dtype=None, *, keepdims=False):
    return _reduce("prod", a, axis, keepdims, _counting(dtype))


@_is(np.mean, method="mean")
def mean(a, axis=None, dtype=None, *, keepdims=False):
    return _reduce("mean", a, axis, keepdims, (lambda x: x) if dtype is None else _counting(dtype))


@_is(np.max, np.amax, method="max")
def max(a, axis=None, *, keepdims=False):  # noqa: A001
    if _dtype(_array(a)) == "bool":
        return any_(a, axis, keepdims=keepdims)
    return _reduce("max", a, axis, keepdims, _measurable)


@_is(np.min, np.amin, method="min")
def min(a, axis=None, *, keepdims=False):  # noqa: A001
    if _dtype(_array(a)) == "bool":
        return all_(a, axis, keepdims=keepdims)
    return _reduce("min", a, axis, keepdims, _measurable)


@_is(np.argmax, method="argmax")
def argmax(a, axis=None):
    return _position("argmax", a, axis)


@_is(np.argmin, method="argmin")
def argmin(a, axis=None):
    return _position("argmin", a, axis)


@_is(np.count_nonzero)
def count_nonzero(a, axis=None, *, keepdims=False):
    count = sum(_truth(*_arrays(a)), axis, keepdims=keepdims)
    return ops.item(count) if _rank(count) == 0 else count


@_is(np.all, method="all")
def all_(a, axis=None, *, keepdims=False):
    a, = _arrays(a)
    return dispatch("==", (sum(dispatch("not", (_truth(a),)), axis, keepdims=keepdims), 0))


@_is(np.any, method="any")
def any_(a, axis=None, *, keepdims=False):
    a, = _arrays(a)
    return dispatch("!=", (sum(_truth(a), axis, keepdims=keepdims), 0))


@_is(np.var, method="var")
def var(a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    a, = _arrays(a)
    a = a if dtype is None else ops.cast(a, dtype)
    centred = dispatch("square", (dispatch("-", (a, mean(a, axis, keepdims=True))),))
    if ddof == 0:
        return mean(centred, axis, keepdims=keepdims)
    sizes = ops.shape(a) if _axis(a, axis) is None else (ops.shape(a, _axis(a, axis)),)
    return dispatch("/", (sum(centred, axis, keepdims=keepdims), dispatch("-", (functools.reduce(lambda m, n: m * n, sizes, 1), ddof))))


@_is(np.std, method="std")
def std(a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    return dispatch("sqrt", (var(a, axis, dtype, ddof=ddof, keepdims=keepdims),))


@_is(np.linalg.norm)
def norm(x, ord=None, axis=None, keepdims=False):  # noqa: A002
    x, = _arrays(x)
    if ord not in (None, 2, "fro") or ord == 2 and _rank(x) == 2 and axis is None or ord == "fro" and _rank(x) != 2:
        raise Unsupported(f"ord={ord!r}")
    return _reduce("norm", x, axis, keepdims)


# Products

def _vectors(name, a, b):
    if _type(a) is not None and _type(b) is not None and (_rank(a), _rank(b)) != (1, 1):
        raise Unsupported(f"arrays of {_rank(a)} and {_rank(b)} axes")
    return dispatch(name, (a, b))


@_is(np.matmul)
def matmul(a, b):
    return dispatch("matmul", (_array(a), _array(b)))


@_is(np.dot, method="dot")
def dot(a, b):
    a, b = _strong(_array(a)), _strong(_array(b))       # whose numbers promote, unlike a product's
    return dispatch("*" if None not in (_type(a), _type(b)) and 0 in (_rank(a), _rank(b)) else "matmul", (a, b))


@_is(np.inner)
def inner(a, b):
    a, b = _arrays(a, b)
    return dot(a, transpose(b)) if _type(b) is not None and _rank(b) == 2 else dot(a, b)


@_is(np.vdot)
def vdot(a, b):
    return _vectors("matmul", ravel(a), ravel(b))


@_is(np.outer)
def outer(a, b):
    return _vectors("outer", ravel(a), ravel(b))


# Shapes

@_is(np.transpose, method="transpose")
def transpose(a, *axes):
    a = _array(a)
    axes = axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list, type(None))) else axes
    rank = 2 if _type(a) is None else _rank(a)
    if rank < 2:
        return _strong(a)
    if rank == 2 and not axes:
        return dispatch("transpose", (a,))
    return rearranging.permute(a, axes or range(rank)[::-1])


@_is(np.swapaxes, method="swapaxes")
def swapaxes(a, axis1, axis2):
    return rearranging.swapaxes(_array(a), axis1, axis2)


@_is(np.moveaxis)
def moveaxis(a, source, destination):
    if not isinstance(source, int) or not isinstance(destination, int):
        raise Unsupported("several axes")
    return rearranging.moveaxis(_array(a), source, destination)


@_is(np.reshape)
def reshape(a, shape, *more, order="C"):
    sizes = shape if isinstance(shape, (tuple, list)) else (shape, *more)
    if order != "C":
        raise Unsupported(f"order={order!r}")
    a = _array(a)
    if not sizes:
        raise Unsupported("no axes: lt.item(a) is the element")
    unknown = [number for number, size in enumerate(sizes) if not is_staged(size) and size == -1]
    if len(unknown) > 1:
        raise ValueError("can only specify one unknown dimension")
    if unknown:
        known = functools.reduce(lambda m, n: m * n, (n for number, n in enumerate(sizes) if number != unknown[0]), 1)
        if not is_staged(known) and known == 0:
            raise Unsupported("a size of -1 beside a size of 0")
        sizes = [size(a) // known if number == unknown[0] else n for number, n in enumerate(sizes)]
    return ops.reshape(a, *sizes)


METHODS["reshape"] = lambda a, *shape, order="C": reshape(a, *shape, order=order)


@_is(np.ravel, method="ravel")
def ravel(a, order="C"):
    a, = _arrays(a)
    if order != "C":
        raise Unsupported(f"order={order!r}")
    rank = 1 if _type(a) is None else _rank(a)
    return a if rank == 1 else rearranging.stack(a) if rank == 0 else ops.reshape(a, size(a))


METHODS["flatten"] = lambda a, order="C": _copied(ravel(a, order))


@_is(np.copy, method="copy")
def copy(a):
    return _copied(_arrays(a)[0])


@_is(np.shape)
def shape(a):
    return _sizes_of(_array(a))


def _sizes_of(a):
    return () if isinstance(_type(a), types.Scalar) else ops.shape(a)


@_is(np.ndim)
def ndim(a):
    return _rank(_array(a))


@_is(np.size)
def size(a, axis=None):
    sizes = shape(a)
    return functools.reduce(lambda m, n: m * n, sizes, 1) if axis is None else sizes[axis]


@_is(np.expand_dims)
def expand_dims(a, axis):
    a = _array(a)
    if not isinstance(axis, int) or not -_rank(a) - 1 <= axis <= _rank(a):
        raise Unsupported(f"axis={axis!r}")
    key = [slice(None)] * _rank(a)
    key.insert(axis % (_rank(a) + 1), None)
    return ops.getitem(a, tuple(key))


@_is(np.squeeze, method="squeeze")
def squeeze(a, axis=None):
    a, = _arrays(a)
    sizes = ops.shape(a)
    if any(is_staged(n) for n in sizes):
        raise Unsupported("a size that is known only when the program runs")
    gone = [number for number, n in enumerate(sizes) if n == 1] if axis is None else [_axis(a, axis)]
    if any(sizes[number] != 1 for number in gone):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return ops.getitem(a, tuple(0 if number in gone else slice(None) for number in range(len(sizes)))) if gone else a


# Wholes of parts

def _joined(arrays):
    """Arrays of one dtype, as NumPy promotes them."""
    arrays = tuple(arrays) if is_staged(arrays) and isinstance(arrays.type, types.Tuple) else _contents(arrays)
    if is_staged(arrays):
        raise Unsupported("a sequence whose length is known only when the program runs")
    arrays = [_strong(_array(x)) for x in arrays]
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    if None in map(_type, arrays):
        return arrays
    dtype = types.dtype_name(np.result_type(*(types.numpy_dtype(_dtype(x)) for x in arrays)))
    return [x if _dtype(x) == dtype else ops.cast(x, dtype) for x in arrays]


@_is(np.concatenate)
def concatenate(arrays, axis=0):
    arrays = _joined(arrays)
    if axis is None:
        return dispatch("concat", tuple(map(ravel, arrays)))
    return rearranging.concat(*arrays, axis=_axis(arrays[0], axis))


@_is(np.stack)
def stack(arrays, axis=0):
    return rearranging.stack(*_joined(arrays), axis=axis)


@_is(np.hstack)
def hstack(arrays):
    arrays = [x if _rank(x) else rearranging.stack(x) for x in _joined(arrays)]
    return concatenate(arrays, 0 if _rank(arrays[0]) == 1 else 1)


@_is(np.vstack)
def vstack(arrays):
    arrays = _joined(arrays)
    rows = [x if _rank(x) >= 2 else ops.reshape(ravel(x), 1, size(x)) for x in arrays]
    return concatenate(rows)


# Elements in another order

def _vector(a, what):
    a, = _arrays(a)
    if _rank(a) != 1:
        raise Unsupported(f"an array of {_rank(a)} axes: {what}")
    return a


@_is(np.sort)
def sort(a, axis=-1):
    return rearranging.sort(_vector(a, "one by one, lt.sort takes vectors"))


@_is(np.argsort, method="argsort")
def argsort(a, axis=-1, kind=None, *, stable=None):
    if kind != "stable" and not stable:
        raise Unsupported("equals in an order of its own: kind='stable' is lt.argsort")
    return rearranging.argsort(_vector(a, "one by one, lt.argsort takes vectors"))


@_is(np.cumsum, method="cumsum")
def cumsum(a, axis=None, dtype=None):
    a, = _arrays(a)
    a = _counting(dtype)(a)
    return rearranging.cumsum(ravel(a) if axis is None else a, 0 if axis is None else _axis(a, axis))


@_is(np.flip)
def flip(m, axis=None):
    m, = _arrays(m)
    return rearranging.flip(m, _axis(m, axis))


@_is(np.repeat, method="repeat")
def repeat(a, repeats, axis=None):
    a, = _arrays(a)
    if _rank(repeats):
        raise Unsupported("a number for each element")
    return rearranging.repeat(ravel(a) if axis is None else a, repeats, 0 if axis is None else _axis(a, axis))


@_is(np.take, method="take")
def take(a, indices, axis=None):
    a, indices = _array(a), _array(indices)
    a, axis = (ravel(a), 0) if axis is None else (a, _axis(a, axis))
    return rearranging.take(a, indices, axis) if _rank(indices) else ops.getitem(rearranging.swapaxes(a, 0, axis), indices)


@_is(np.einsum)
def einsum(subscripts, *operands):
    return rearranging.einsum(subscripts, *map(_array, operands))


# New arrays

@_is(np.arange)
def arange(start, stop=None, step=1, dtype=None):
    if any(_dtype(x) not in ("i64", "i32") for x in (start, stop, step) if x is not None):
        raise Unsupported("numbers that are not whole")
    return rearranging.arange(start, stop, step, "i64" if dtype is None else dtype)


@_is(np.eye, np.identity)
def eye(N, dtype=float):
    return rearranging.eye(N, dtype)


@_is(np.zeros_like)
def zeros_like(a, dtype=None):
    result = dispatch("zeros-like", _arrays(a))
    return result if dtype is None else ops.cast(result, dtype)


@_is(np.ones_like)
def ones_like(a, dtype=None):
    result = dispatch("ones-like", _arrays(a))
    return result if dtype is None else ops.cast(result, dtype)


@_is(np.full_like)
def full_like(a, fill_value, dtype=None):
    a, = _arrays(a)
    return full(ops.shape(a), fill_value, _dtype(a) if dtype is None else dtype)


def _sizes(shape):
    return tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)


@_is(np.zeros)
def zeros(shape, dtype=float):
    return ops.zeros(*_sizes(shape), dtype=dtype)


@_is(np.ones)
def ones(shape, dtype=float):
    return ops.ones(*_sizes(shape), dtype=dtype)


@_is(np.full)
def full(shape, fill_value, dtype=None):
    if _rank(fill_value):
        raise Unsupported("a fill_value that is an array")
    return ops.full(_sizes(shape), fill_value, dtype=_dtype(fill_value) if dtype is None else dtype)


@_is(np.array)
def new_array(object, dtype=None):  # noqa: A002
    return _copied(array(object, dtype))


@_is(np.asarray)
def array(object, dtype=None):  # noqa: A002
    """An array of a number, an array, or a sequence of them, in sequences of known length."""
    object = tuple(object) if is_staged(object) and isinstance(object.type, types.Tuple) else _contents(object)     # noqa: A001
    if is_staged(object) and isinstance(object.type, types.List):
        result = dispatch("stack", (object,))
    elif isinstance(object, (list, tuple)):
        parts = [array(part) for part in object]
        if not parts:
            return np.array(object, dtype or float)
        result = stack(parts)
    else:
        result = _strong(object)
    return result if dtype is None or types.dtype_name(dtype) == _dtype(result) else _cast(result, dtype)


def _cast(a, dtype):
    return _copied(_truth(a)) if types.dtype_name(dtype) == "bool" else ops.cast(a, dtype)


def _scalar(dtype):
    return lambda x=0: ops.cast(_strong(x), dtype) if _rank(x) == 0 else ops.cast(x, dtype)


FUNCTIONS.update({dtype: _scalar(dtype) for dtype in (np.float32, np.float64, np.int32, np.int64)})
FUNCTIONS[np.bool_] = lambda x=False: _copied(_truth(_strong(x)))

METHODS["astype"] = _cast


# Calls

def takes(function, values):
    """Whether a call of a function of NumPy's is ours: something staged is among what it is given, in lists and tuples, too."""
    try:
        if function not in FUNCTIONS:
            return False
    except TypeError:   # not hashable
        return False
    pending = list(values)
    while pending:
        value = _contents(pending.pop())
        if is_staged(value):
            return True
        if isinstance(value, (list, tuple)):
            pending.extend(value)
    return False


_REDUCTIONS = {np.add: sum, np.multiply: prod, np.maximum: max, np.minimum: min, np.logical_and: all_, np.logical_or: any_}


def call_ufunc(ufunc, method, operands, keywords):
    """`ufunc(*operands, **keywords)`, or a method of it."""
    own, name = FUNCTIONS.get(ufunc), f"numpy.{ufunc.__name__}"
    if method == "reduce" and ufunc in _REDUCTIONS:
        own, name = functools.partial(_reduced, _REDUCTIONS[ufunc]), f"{name}.reduce"
    elif method != "__call__":
        own, name = None, f"{name}.{method}"
    return _call(own, name, operands, keywords, {"out": None, "where": True, "dtype": None, "casting": "same_kind", "order": "K", "subok": True})


def _reduced(function, a, axis=0, **keywords):
    return function(a, axis, **keywords)


def call_function(function, operands, keywords):
    """`function(*operands, **keywords)` of NumPy's."""
    module = (getattr(function, "__module__", None) or "numpy").split(".")
    name = ".".join([part for part in module if part.isidentifier() and not part.startswith("_") and part != "core"] + [function.__name__])
    return _call(FUNCTIONS.get(function), name, operands, keywords, _defaults(function))


@functools.lru_cache(maxsize=None)
def _defaults(function):
    """{parameter: default} of a function of NumPy's, as far as it says."""
    try:
        return {name: parameter.default for name, parameter in inspect.signature(function).parameters.items()}
    except (TypeError, ValueError):
        return {"dtype": None, "order": "C", "like": None, "out": None, "copy": True, "subok": False, "ndmin": 0}


def call_method(name, value, operands, keywords):
    """`value.name(*operands, **keywords)` of an array."""
    return _call(functools.partial(METHODS[name], value), f"the array method {name}", operands, keywords, {"out": None, "order": "C", "copy": True})


def _call(own, name, operands, keywords, defaults):
    if own is None:
        return refuse(f"{name} has no counterpart for {_kind()} values", _instead(name))
    keywords = {key: value for key, value in keywords.items()
                if not (key in defaults and (value is defaults[key] or _plainly_equal(value, defaults[key])))}
    try:
        inspect.signature(own).bind(*operands, **keywords)
    except TypeError as error:
        return refuse(f"{name} called this way has no counterpart for {_kind()} values: {error}", _instead(name))
    try:
        return own(*operands, **keywords)
    except Unsupported as unsupported:
        return refuse(f"{name} has no counterpart for {_kind()} values with {unsupported}", _instead(name))


def _plainly_equal(a, b):
    return type(a) is type(b) and isinstance(a, (str, bool, int, type(None))) and a == b or isinstance(a, tuple) and a == (None,) and b is None


def _kind():
    return "staged" if active_trace() is not None else "recorded"


def _instead(name):
    short = name.rpartition(".")[2]
    if hasattr(ops, short) and not short.startswith("_"):
        return f"use lt.{short}, or call it in Python by lt.py_function"
    return "write it with lt's functions, or call it in Python by lt.py_function"
