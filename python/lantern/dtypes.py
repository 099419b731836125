"""The types of an array's elements, by the language's names and by NumPy's, and the one that arrays have where nobody says."""
from __future__ import annotations

import contextlib
import functools
import threading

from lantern.lazy_numpy import np

DTYPES = ("bool", "i32", "i64", "f32", "f64")
_NAME_IN_NUMPY = {"bool": "bool", "i32": "int32", "i64": "int64", "f32": "float32", "f64": "float64"}


@functools.lru_cache(maxsize=None)
def numpy_dtype(dtype):
    """'f32' → numpy.dtype('float32')."""
    return np.dtype(_NAME_IN_NUMPY[dtype])


@functools.lru_cache(maxsize=None)
def _names():
    return {numpy_dtype(dtype): dtype for dtype in DTYPES}


def name_of_numpys(dtype):
    """numpy.dtype('float32') → 'f32'; None for a dtype of another's."""
    return _names().get(dtype)


def dtype_name(dtype):
    """'f32', numpy.float32, 'float32', f32 → 'f32'; float → 'f64', int → 'i64'."""
    dtype = getattr(dtype, "name", dtype)
    if dtype in DTYPES:
        return dtype
    try:
        return _names()[np.dtype(dtype)]
    except (KeyError, TypeError):
        raise TypeError(f"{dtype!r} is not a dtype: one of {', '.join(DTYPES)}") from None


# The dtype of arrays that nobody typed.

_default_dtype = "f32"


class _Staging(threading.local):
    dtype = None    # of the program that this thread stages, which another thread's arrays have nothing to do with


_staging = _Staging()


def default_dtype():
    """The dtype, "f32" or "f64", of arrays whose dtype is not given."""
    return _staging.dtype or _default_dtype


@contextlib.contextmanager
def default_dtype_of_staging(dtype):
    """Within it, the default dtype of this thread; None: as it is."""
    before = _staging.dtype
    _staging.dtype = dtype_name(dtype) if dtype else before
    try:
        yield
    finally:
        _staging.dtype = before


def set_default_dtype(dtype):
    """Sets the dtype of arrays whose dtype is not given; returns the one before."""
    global _default_dtype
    before, name = _default_dtype, dtype_name(dtype)
    if name not in ("f32", "f64"):
        raise TypeError(f"the default dtype is f32 or f64, not {name}")
    _default_dtype = name
    return before
