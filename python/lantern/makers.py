"""Operators that make arrays, on NumPy. Of dimensions, numbers and keys they ask what compiled programs ask."""
from __future__ import annotations

import math
import operator
import sys

from lantern import philox, types
from lantern.lazy_numpy import np


def whole_number(x, which):
    """x as an int. Raises TypeError, which says what it is, e.g. "a dimension", where it is none."""
    try:
        if not isinstance(x, (bool, np.bool_)):
            return operator.index(x)
    except TypeError:
        pass
    raise TypeError(f"{which} is a whole number, not {_described(x)}")


def dimension(n):
    """n as an int, not negative. Raises TypeError, ValueError."""
    n = whole_number(n, "a dimension")
    if n < 0:
        raise ValueError(f"negative dimension {n}")
    return n


def dimensions(dims, dtype):
    """dims as ints, of an array that can be addressed. Raises TypeError, ValueError, MemoryError."""
    dims = tuple(map(dimension, dims))
    if math.prod(dims) * types.numpy_dtype(dtype).itemsize > sys.maxsize:
        raise MemoryError(f"an array of the shape {dims} is too large to address")
    return dims


def _described(x):
    if isinstance(x, (np.ndarray, np.generic)):
        return f"an array of {x.dtype} with the shape {np.shape(x)}"
    return repr(x) if x is None or isinstance(x, (str, int, float)) else f"a {type(x).__name__}"


def numeric(x, array=None):
    """x, a number or an array. array: x as one, if there is that. Raises TypeError."""
    if (np.asarray(x) if array is None else array).dtype.kind not in "biuf":
        raise TypeError(f"a number or an array is expected, not {_described(x)}")
    return x


def whole_of(number, bits):
    """A number, if it fits in so many bits. Raises OverflowError, in NumPy's words."""
    if not -(1 << bits - 1) <= number < 1 << bits - 1:
        raise OverflowError(f"Python integer {number} out of bounds for int{bits}")
    return number


def _number(x, operator_name):
    if np.ndim(numeric(x)):
        raise TypeError(f"'{operator_name}' takes numbers, not {_described(x)}")
    return x


def _full(dtype, value, *dims):
    return np.full(dimensions(dims, dtype.name), _number(value, "full"), types.numpy_dtype(dtype.name))


def _dimensions_of_floats(dtype, dims, name):
    if dtype.name not in ("f32", "f64"):
        raise TypeError(f"'{name}' draws f32 or f64, not {dtype.name}")
    return dimensions(dims, dtype.name)


def _drawn(name, draw):
    """Numbers that `draw` takes from the program's stream."""
    def body(dtype, first, second, *dims):
        return draw(_number(first, name), _number(second, name), _dimensions_of_floats(dtype, dims, name), dtype.name)
    return body


def _drawn_by_key(name, draw):
    def body(dtype, key, *dims):
        return draw(whole_number(key, "a key"), _dimensions_of_floats(dtype, dims, name), dtype.name)
    return body


def _like(value):
    """In the shape and dtype of a number, an array, or each element of a list."""
    def body(a):
        if isinstance(a, list):
            return [body(element) for element in a]
        if isinstance(a, (bool, int, float)):
            return type(a)(value)
        return np.full(np.shape(a), value, np.asarray(numeric(a)).dtype)
    return body


BODIES = {
    "zeros": lambda dtype, *dims: _full(dtype, 0, *dims), "ones": lambda dtype, *dims: _full(dtype, 1, *dims), "full": _full,
    "zeros-like": _like(0), "ones-like": _like(1),
    "arange": lambda n: np.arange(dimension(n)),
    "uniform": _drawn("uniform", philox.uniform), "normal": _drawn("normal", philox.normal),
    "truncated-normal": _drawn("truncated_normal", philox.truncated_normal),
    "seed": lambda seed: philox.seed(whole_number(seed, "a seed")),
    "fold-in": lambda key, n: philox.fold_in(whole_number(key, "a key"), whole_number(n, "what is folded in")),
    "split-key": lambda key, n: philox.split(whole_number(key, "a key"), dimension(n)),
    "key-uniform": _drawn_by_key("uniform", philox.uniform_by_key), "key-normal": _drawn_by_key("normal", philox.normal_by_key),
    "key-truncated-normal": _drawn_by_key("truncated_normal", philox.truncated_normal_by_key),
}
