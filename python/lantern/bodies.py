"""What each operator of the table computes, on NumPy: one expression a row.

Operands stand in the table's order. Python numbers behave as Python's, arrays as NumPy's, NaN and infinity included.
"""
from __future__ import annotations

import math
import operator

import numpy as np

from lantern import data, hash_tables, host, makers, parts, philox, readers, texts, types


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


def _of_each(function):
    def body(a):
        floating = np.result_type(a, np.float32) if isinstance(a, (np.ndarray, np.generic)) else np.float64
        return function(a).astype(floating)[()]
    return body


_erf = _of_each(np.vectorize(math.erf, otypes=[float]))


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


def _position(numpy_function):
    def body(a, axis=None):
        result = numpy_function(a, axis)
        return int(result) if np.ndim(result) == 0 else result
    return body


def _as_floats(a):
    a = np.asarray(a)
    return a if a.dtype.kind == "f" else a.astype(float)


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
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "expm1": np.expm1, "log1p": np.log1p, "erf": _erf, "erfc": _of_each(np.vectorize(math.erfc, otypes=[float])), "rint": np.rint, "sign": np.sign,
    "log2": np.log2, "log10": np.log10, "cbrt": np.cbrt, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "hypot": _of_floats(np.hypot), "atan2": _of_floats(np.arctan2),
    "softplus": lambda a: np.maximum(a, 0) + np.log1p(np.exp(-np.abs(a))), "gelu": lambda a: 0.5 * a * (1 + _erf(a * 0.7071067811865476)),
    "leaky_relu": _of_floats(lambda a, slope: np.where(np.greater(a, 0), a, slope * a)),
    "elu": _of_floats(lambda a, alpha: np.where(np.greater(a, 0), a, alpha * np.expm1(a))),
    "clip": lambda a, low, high: np.minimum(high, np.maximum(low, a)),
    "maximum": np.maximum, "minimum": np.minimum,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "not": _logical(np.logical_not, operator.not_), "and": _logical(np.logical_and, lambda a, b: a and b),
    "or": _logical(np.logical_or, lambda a, b: a or b),
    "bit-and": operator.and_, "bit-or": operator.or_, "bit-xor": operator.xor, "shift-left": operator.lshift,
    "shift-right": operator.rshift, "bit-not": lambda a: ~int(a) if isinstance(a, bool) else ~a,
    "where": lambda c, a, b: (a if c else b) if isinstance(c, (bool, np.bool_)) and type(a) is type(b) and np.shape(a) == () else np.where(c, a, b),
    "cast": _cast,
    "solve": np.linalg.solve, "inv": np.linalg.inv, "det": np.linalg.det, "log-abs-det": lambda a: np.linalg.slogdet(a)[1],
    "sign-of-det": lambda a: np.linalg.slogdet(a)[0], "cholesky": np.linalg.cholesky, "lower-half": lambda a: np.tril(a, -1) + np.diag(np.diag(a) / 2),
    "mirrored": lambda a: np.tril(a) + np.tril(a, -1).T,
    "matmul": _matmul, "outer": np.outer, "transpose": np.transpose,
    "sum": lambda a, axis=None: np.sum(a, axis), "mean": lambda a, axis=None: np.mean(a, axis),
    "prod": lambda a, axis=None: np.prod(a, axis), "max": lambda a, axis=None: np.max(a, axis), "cumsum": np.cumsum,
    "min": lambda a, axis=None: np.min(a, axis), "argmax": _position(np.argmax), "argmin": _position(np.argmin),
    "logsumexp": _logsumexp, "norm": _norm,
    "softmax": _softmax, "log_softmax": _log_softmax,
    "cross_entropy": _cross_entropy,
    "reshape": lambda a, *dims: np.reshape(a, [makers.whole_number(n, "a dimension") for n in dims]),
    **makers.BODIES, **parts.BODIES,
    "shape": lambda a, k: np.shape(a)[k], "length": len, "round-digits": lambda x, digits: round(float(x), digits), "range-length": lambda start, stop, step: len(range(start, stop, step)),
    "slice-bound": lambda i, n: slice(i).indices(n)[1], "slice-bound-down": lambda i, n: slice(None, i, -1).indices(n)[1],
    "string": lambda x: str(_plain(x)), "format": lambda spec, x: format(_plain(x), spec), "laid-out": lambda x, spec: format(_plain(x), spec),
    "quoted": repr, **texts.BODIES, **hash_tables.BODIES, "join-strings": lambda *strings: "".join(strings), "print": print,
    "item": lambda a: a.item() if isinstance(a, (np.ndarray, np.generic)) else a, "stop-gradient": lambda a: a,
    "py-function": host.body,
    "read-vocabulary": data.read_vocabulary, "read-treebank": data.read_treebank,
    "read-idx": readers.idx, "read-npy": readers.npy, "read-npz": readers.npz, "read-csv": readers.csv,
    "read-word-vectors": readers.word_vectors, "permutation": lambda n: np.array(philox.permutation(n), np.int64),
    "shuffle": data.shuffled, "progress": data.with_progress,
    # In derivatives only.
    "spread": lambda x, axis, a: np.broadcast_to(np.expand_dims(x, axis), np.shape(a)), "is-first": _is_first,
    "prod-others": _prod_others, "prod-others-along": _prod_others_along,
    "sum-to": _sum_to, "like": lambda x, a: np.broadcast_to(x, np.shape(a)), "size": np.size, "one-hot": _one_hot, "copied": np.copy,
    "cast-like": lambda x, a: np.asarray(x).astype(np.asarray(a).dtype), "reshape-like": lambda x, a: np.reshape(x, np.shape(a)),
}
