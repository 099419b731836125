"""What each operator of the table computes, on NumPy: one expression a row.

Operands stand in the table's order. Python numbers behave as Python's, arrays as NumPy's, NaN and infinity included.
"""
from __future__ import annotations

import math
import operator

import numpy as np

from lantern import data, host, makers, philox, readers, types


def apply(name, operands):
    """The operator `name` on Python numbers and NumPy arrays. An array that results has memory of its own."""
    body = BODIES.get(name)
    if body is None:
        raise NotImplementedError(f"the operator '{name}' has no eager body")
    with np.errstate(all="ignore"):
        result = body(*operands)
    if isinstance(result, np.ndarray):
        if result.ndim == 0:
            result = result[()]
        else:
            shared = any(isinstance(x, np.ndarray) and np.may_share_memory(result, x) for x in operands)
            return result.copy() if shared or not result.flags.writeable else result
    if isinstance(result, np.generic) and all(type(x) in _NUMBER for x in operands):
        return result.item()
    return result


_NUMBER = (bool, int, float)


def _sigmoid(a):
    # Of |a|, since exp overflows for large numbers.
    small = np.exp(-np.abs(a))
    return np.where(np.greater_equal(a, 0), 1 / (1 + small), small / (1 + small)).astype(np.result_type(small), copy=False)


def _of_floats(function):
    """A function of two, in the dtype that their quotient has."""
    def body(a, b):
        dtype = np.result_type(a, b)
        return function(np.asarray(a, dtype if dtype.kind == "f" else np.float64)[()], b)
    return body


_erf_of_each = np.vectorize(math.erf, otypes=[float])


def _erf(a):
    floating = np.result_type(a, np.float32) if isinstance(a, (np.ndarray, np.generic)) else np.float64
    return _erf_of_each(a).astype(floating)[()]


def _shifted(a):
    """Logits of which the largest in each row is 0."""
    a = _as_floats(a)
    return a - np.max(a, axis=-1, keepdims=True, initial=-np.inf)


def _log_softmax(a):
    shifted = _shifted(a)
    return shifted - np.log(np.sum(np.exp(shifted), axis=-1, keepdims=True))


def _softmax(a):
    weights = np.exp(_shifted(a))
    return weights / np.sum(weights, axis=-1, keepdims=True)


def _at(a, i, what="index"):
    size = len(a)
    if not -size <= i < size:
        raise IndexError(f"{what} {i} is out of range for {size} elements")
    return a[int(i)]


def _cross_entropy(logits, label):
    classes = np.shape(logits)[-1]
    if np.shape(label) != np.shape(logits)[:-1]:
        raise ValueError(f"labels of the shape {np.shape(label)} do not fit logits of the shape {np.shape(logits)}")
    for each in np.reshape(label, -1):
        if not 0 <= each < classes:
            raise IndexError(f"label {each} is out of range for {classes} classes")
    return -(_log_softmax(logits)[np.arange(len(logits)), label] if np.ndim(label) else _log_softmax(logits)[int(label)])


def _matmul(a, b):
    if np.ndim(a) < 1 or np.ndim(b) < 1:
        raise ValueError(f"matmul takes vectors, matrices and stacks of matrices, not shapes {np.shape(a)} and {np.shape(b)}")
    return np.matmul(a, b)


def _power(a, b):
    result = operator.pow(a, b)
    if isinstance(result, complex):
        raise ValueError(f"{a!r} ** {b!r} is a complex number")
    return result


def _cast(dtype, a):
    if isinstance(a, np.ndarray) or isinstance(a, np.generic):
        return np.asarray(a).astype(types.numpy_dtype(dtype.name))
    if dtype in (types.i64, types.i32):
        return makers.whole_of(int(a), 32 if dtype == types.i32 else 64)
    if dtype == types.bool_:
        return bool(a)
    return float(types.numpy_dtype(dtype.name).type(a))


def _logical(numpy_function, python_function):
    def body(*operands):
        plain = all(isinstance(x, bool) for x in operands)
        return python_function(*operands) if plain else numpy_function(*operands)
    return body


def _slice(a, start, stop, axis=0):
    size = len(a) if axis == 0 else np.shape(a)[axis]
    if not 0 <= start <= stop <= size:
        raise IndexError(f"slice {start}:{stop} is out of range for {size} elements")
    part = slice(int(start), int(stop))
    return a[part] if axis == 0 else a[(*[slice(None)] * (axis % np.ndim(a)), part)]


def _position(numpy_function):
    def body(a, axis=None):
        result = numpy_function(a, axis)
        return int(result) if np.ndim(result) == 0 else result
    return body


def _as_floats(a):
    return a if np.result_type(a).kind == "f" else np.asarray(a, float)


def _norm(a, axis=None):
    a = _as_floats(a)
    return np.sqrt(np.sum(a * a, axis))


def _logsumexp(a, axis=None):
    a = _as_floats(a)
    largest = np.max(a, axis, keepdims=True, initial=-np.inf)
    shift = np.where(np.isfinite(largest), largest, 0).astype(np.result_type(largest), copy=False)
    return np.log(np.sum(np.exp(a - shift), axis)) + np.squeeze(shift, axis)


def _is_first(at, a, axis=None):
    mask = np.zeros(np.shape(a), bool)
    if axis is None:
        mask.flat[at] = True
    else:
        np.put_along_axis(mask, np.expand_dims(at, axis), True, axis)
    return mask


def _prod_others(a, axis=None):
    """For each element the product of all others, right where some are zero."""
    lines = np.reshape(a, (1, -1)) if axis is None else np.moveaxis(a, axis, -1)
    ones = np.ones_like(lines[..., :1])
    before = np.cumprod(np.concatenate([ones, lines[..., :-1]], -1), -1)
    behind = np.cumprod(np.concatenate([ones, lines[..., :0:-1]], -1), -1)[..., ::-1]
    return np.reshape(before * behind, np.shape(a)) if axis is None else np.moveaxis(before * behind, -1, axis)


def _prod_others_along(a, d, axis=None):
    """The derivative of `_prod_others` along d: products with their tangents, from the left and from the right."""
    lines, along = (np.reshape(x, (1, -1)) if axis is None else np.moveaxis(x, axis, -1) for x in (a, d))

    def products(order):
        product, tangent, found = np.ones_like(lines[..., 0]), np.zeros_like(lines[..., 0]), []
        for k in order:
            found.append((product, tangent))
            product, tangent = product * lines[..., k], tangent * lines[..., k] + product * along[..., k]
        return found
    n = lines.shape[-1]
    if n == 0:
        return np.zeros_like(a)
    sides = zip(products(range(n)), products(range(n - 1, -1, -1))[::-1])
    result = np.stack([before_dot * behind + before * behind_dot for (before, before_dot), (behind, behind_dot) in sides], -1)
    return np.reshape(result, np.shape(a)) if axis is None else np.moveaxis(result, -1, axis)


def _taken(a, places):
    for place in places:
        if not 0 <= place < len(a):
            raise IndexError(f"index {place} is out of range for {len(a)} elements")
    return [a[place] for place in places] if isinstance(a, list) else a[places]


def _strided_at(x, start, step, a):
    result = np.zeros(np.shape(a), np.asarray(a).dtype)
    np.add.at(result, [start + k * step for k in range(len(x))], x)
    return result


def _filled_at(a, where, x):
    """Zeros like a, with x at a place."""
    result = np.zeros(np.shape(a), np.asarray(a).dtype)
    result[where] = x
    return result


def _placed(x, start, *axis_and_like):
    *axis, a = axis_and_like
    before = [slice(None)] * (axis[0] % np.ndim(a) if axis else 0)
    return _filled_at(a, (*before, slice(int(start), int(start) + np.shape(x)[len(before)])), x)


def _added_at(a, rows, x):
    result = np.zeros(np.shape(a), np.asarray(a).dtype)
    np.add.at(result, rows, x)
    return result


def _argsort(x, descending):
    if isinstance(x, list):
        return sorted(range(len(x)), key=x.__getitem__, reverse=descending)
    if not descending:
        return np.argsort(x, kind="stable")
    order = len(x) - 1 - np.argsort(x[::-1], kind="stable")[::-1]       # equals as they stood; NaN first
    return np.roll(order, -np.count_nonzero(x != x))


def _repeat_sum(x, count, axis, a):
    lines = np.moveaxis(x, axis, 0)
    sums = lines.reshape(np.shape(a)[axis], count, *lines.shape[1:]).sum(1)
    return np.moveaxis(sums, 0, axis)


def _write(list_, i, x):
    _at(list_, i)
    result = list(list_)
    result[i] = x
    return result


def _with_item(a, *places_and_item):
    *places, x = places_and_item
    part = a
    for place in places:
        part = _at(part, place)
    if np.shape(x) != np.shape(part):
        raise ValueError(f"an item of the shape {np.shape(x)} does not fit, {np.shape(part)} does")
    result = np.array(a)
    result[tuple(map(int, places))] = x
    return result


def _with_slice(a, start, x, axis=0):
    if np.ndim(x) != np.ndim(a):
        raise ValueError(f"a part of the shape {np.shape(x)} does not fit into {np.shape(a)}")
    part = _slice(a, start, start + np.shape(x)[axis], axis)
    if np.shape(x) != np.shape(part):
        raise ValueError(f"a part of the shape {np.shape(x)} does not fit, {np.shape(part)} does")
    result = np.array(a)
    result[(*[slice(None)] * (axis % np.ndim(a)), slice(int(start), int(start) + np.shape(x)[axis]))] = x
    return result


def _insert(list_, i, x):
    result = list(list_)
    result.insert(i, x)
    return result


def _remove(list_, i):
    _at(list_, i)
    result = list(list_)
    del result[i]
    return result


def _pop(list_):
    if not list_:
        raise IndexError("pop from empty list")
    return list_[:-1]


def _concat(*parts):
    if not parts:
        raise ValueError("need at least one array to concatenate")
    if isinstance(parts[0], list):
        return [element for part in parts for element in part]
    return np.concatenate(parts)


def _scattered(assign):
    def body(a, indices, x):
        if np.shape(x) != (len(indices), *np.shape(a)[1:]):
            raise ValueError(f"rows of the shape {np.shape(x)} do not fit, {(len(indices), *np.shape(a)[1:])} do")
        result = np.array(a)
        assign(result, indices, x)
        return result
    return body


def _last_taken(x, indices):
    places = indices % len(x)
    last = np.zeros(len(x), np.int64)
    last[places] = np.arange(len(places))       # of equal ones, NumPy sets the last
    rows = x[places]
    rows[last[places] != np.arange(len(places))] = 0
    return rows


def _patches(a, height, width, down, across):
    if min(height, width, down, across) < 1 or a.shape[1] < height or a.shape[2] < width:
        raise ValueError(f"windows of {height} by {width}, {down} and {across} apart, do not fit into images of {a.shape[1]} by {a.shape[2]}")
    windows = np.lib.stride_tricks.sliding_window_view(a, (height, width), (1, 2))[:, ::down, ::across]
    n, rows, columns, channels = windows.shape[:4]
    return windows.transpose(0, 1, 2, 4, 5, 3).reshape(n, rows, columns, height * width, channels)


def _patches_sum(x, height, width, down, across, a):
    result = np.zeros(np.shape(a), np.asarray(a).dtype)
    rows, columns = x.shape[1:3]
    for place in range(height * width):
        top, left = divmod(place, width)
        result[:, top:top + down * rows:down, left:left + across * columns:across] += x[:, :, :, place]
    return result


def _stack(*parts):
    return np.stack(parts[0]) if len(parts) == 1 and isinstance(parts[0], list) else np.stack(parts)


def _plain(a):
    """A rank-0 array as the Python number it holds, so that text and format are Python's."""
    return a.item() if isinstance(a, np.generic) and not isinstance(a, np.float32) else a


def _sum_to(x, a):
    """x summed over the axes along which a was stretched; the adjoint of broadcasting."""
    shape = np.shape(a)
    if np.shape(x) == shape:
        return x
    x = np.asarray(x)
    x = np.sum(x, axis=tuple(range(x.ndim - len(shape))))
    stretched = tuple(axis for axis, size in enumerate(shape) if size == 1 and x.shape[axis] != 1)
    return np.sum(x, axis=stretched, keepdims=True) if stretched else x


def _one_hot(label, a):
    result = np.zeros(np.shape(a), np.asarray(a).dtype)
    result[(np.arange(len(label)), label) if np.ndim(label) else label] = 1
    return result


BODIES = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": _power,
    "neg": operator.neg, "abs": abs, "sqrt": np.sqrt, "square": lambda a: a * a,
    "exp": np.exp, "log": np.log, "tanh": np.tanh, "sigmoid": _sigmoid, "relu": lambda a: np.maximum(a, 0),
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "expm1": np.expm1, "log1p": np.log1p, "erf": _erf, "sign": np.sign,
    "log2": np.log2, "log10": np.log10, "cbrt": np.cbrt, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh,
    "hypot": _of_floats(np.hypot), "atan2": _of_floats(np.arctan2),
    "softplus": lambda a: np.maximum(a, 0) + np.log1p(np.exp(-np.abs(a))), "gelu": lambda a: 0.5 * a * (1 + _erf(a * 0.7071067811865476)),
    "leaky_relu": _of_floats(lambda a, slope: np.where(np.greater(a, 0), a, slope * a)),
    "elu": _of_floats(lambda a, alpha: np.where(np.greater(a, 0), a, alpha * np.expm1(a))),
    "clip": lambda a, low, high: np.minimum(np.maximum(a, low), high),
    "maximum": np.maximum, "minimum": np.minimum,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "not": _logical(np.logical_not, operator.not_), "and": _logical(np.logical_and, lambda a, b: a and b),
    "or": _logical(np.logical_or, lambda a, b: a or b),
    "bit-and": operator.and_, "bit-or": operator.or_, "bit-xor": operator.xor, "shift-left": operator.lshift,
    "shift-right": operator.rshift, "bit-not": lambda a: ~int(a) if isinstance(a, bool) else ~a,
    "where": lambda c, a, b: (a if c else b) if isinstance(c, (bool, np.bool_)) and np.shape(a) == np.shape(b) == ()
    else np.where(c, a, b),
    "cast": _cast,
    "matmul": _matmul, "outer": np.outer, "transpose": np.transpose,
    "sum": lambda a, axis=None: np.sum(a, axis), "mean": lambda a, axis=None: np.mean(a, axis),
    "prod": lambda a, axis=None: np.prod(a, axis), "max": lambda a, axis=None: np.max(a, axis),
    "min": lambda a, axis=None: np.min(a, axis), "argmax": _position(np.argmax), "argmin": _position(np.argmin),
    "logsumexp": _logsumexp, "norm": _norm,
    "softmax": _softmax, "log_softmax": _log_softmax,
    "cross_entropy": _cross_entropy,
    "concat": _concat, "concat-along": lambda axis, *parts: np.concatenate(parts, axis), "patches": _patches, "stack": _stack,
    "slice": _slice, "index": _at, "gather": lambda table, i: _at(table, i, "row"),
    "reshape": lambda a, *dims: np.reshape(a, [makers.whole_number(n, "a dimension") for n in dims]),
    **makers.BODIES,
    "shape": lambda a, k: np.shape(a)[k], "length": len, "range-length": lambda start, stop, step: len(range(start, stop, step)),
    "slice-bound": lambda i, n: slice(i).indices(n)[1], "slice-bound-down": lambda i, n: slice(None, i, -1).indices(n)[1],
    "append": lambda list_, x: [*list_, x], "write": _write, "with-item": _with_item, "with-slice": _with_slice, "pop": _pop, "insert": _insert, "remove": _remove,
    "argsort": _argsort, "flip": np.flip, "swap-axes": np.swapaxes, "repeat": np.repeat, "cumsum": np.cumsum,
    "take": lambda a, indices: np.take(a, indices, axis=0),
    "scatter": _scattered(operator.setitem), "scatter-add": _scattered(np.add.at),
    "strided": lambda a, start, step, count: _taken(a, [start + k * step for k in range(count)]),
    "string": lambda x: str(_plain(x)), "format": lambda spec, x: format(_plain(x), spec),
    "join-strings": lambda *strings: "".join(strings), "print": print,
    "item": lambda a: a.item() if isinstance(a, (np.ndarray, np.generic)) else a, "stop-gradient": lambda a: a,
    "py-function": host.body,
    "read-vocabulary": data.read_vocabulary, "read-treebank": data.read_treebank,
    "read-idx": readers.idx, "read-npy": readers.npy, "read-npz": readers.npz, "read-csv": readers.csv,
    "read-word-vectors": readers.word_vectors, "permutation": lambda n: np.array(philox.permutation(n), np.int64),
    "shuffle": data.shuffled, "progress": data.with_progress,
    # In derivatives only.
    "placed": _placed,
    "index-at": lambda i, x, a: _filled_at(a, i, x), "row-at": lambda i, x, a: _filled_at(a, i, x),
    "rows-at": lambda rows, x, a: _added_at(a, rows, x),
    "spread": lambda x, axis, a: np.broadcast_to(np.expand_dims(x, axis), np.shape(a)), "is-first": _is_first,
    "prod-others": _prod_others, "prod-others-along": _prod_others_along,
    "sum-to": _sum_to, "like": lambda x, a: np.broadcast_to(x, np.shape(a)), "size": np.size, "one-hot": _one_hot, "copied": np.copy,
    "patches-sum": _patches_sum, "last-taken": _last_taken, "strided-at": _strided_at, "repeat-sum": _repeat_sum,
    "cast-like": lambda x, a: np.asarray(x).astype(np.asarray(a).dtype), "reshape-like": lambda x, a: np.reshape(x, np.shape(a)),
}
