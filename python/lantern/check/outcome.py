"""What a call did, and how two calls compare."""
from __future__ import annotations

import contextlib
import copy
import dataclasses
import io

import numpy as np

from lantern import philox
from lantern.dispatch import is_global
from lantern.grad import Gradients
from lantern.struct import is_struct


@dataclasses.dataclass
class Outcome:
    """result, or error; what was printed; the parameters and states afterwards."""
    result: object = None
    error: Exception | None = None
    printed: str = ""
    storage: list = dataclasses.field(default_factory=list)


def outcome_of(function, arguments, storages, seed):
    """The outcome of a call: the stream begins at `seed`; parameters and states are put back afterwards."""
    before = [storage.read().copy() for storage in storages]
    philox.seed(seed)
    found = Outcome()
    try:
        with capture() as printed, np.errstate(all="ignore"):
            found.result = _settled(function(**copy.deepcopy(arguments)))
    except Exception as error:
        found.error = error
    finally:
        found.printed = printed()
        found.storage = [storage.read().copy() for storage in storages]
        for storage, value in zip(storages, before):
            storage.assign(value)
    return found


def _settled(result):
    """A result whose parameters and variables, which are put back, are the arrays that they are now."""
    if is_global(result):
        return result.read().copy()
    if isinstance(result, (list, tuple)):
        parts = [_settled(part) for part in result]
        return parts if type(result) is list else type(result)(*parts) if hasattr(result, "_fields") else tuple(parts) if type(result) is tuple else result
    return {key: _settled(value) for key, value in result.items()} if type(result) is dict else result


@contextlib.contextmanager
def capture():
    """Within it, what is written to standard output, by Python or by a compiled program (printed.py), is kept: the function given says it, afterwards."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        yield out.getvalue


class Tolerance:
    """How far apart two floats may be: `relative` to the larger, and to one."""

    def __init__(self, relative):
        self.relative = relative
        self.largest = 0.0      # relative difference met

    def alike(self, a, b):
        """Whether two values are, in structure, dtype, shape and up to rounding; Python's int and float are not one another."""
        if is_struct(a) or is_struct(b):
            return type(a) is type(b) and all(self.alike(getattr(a, f), getattr(b, f)) for f in a.__lantern_struct__.field_names)
        if isinstance(a, Gradients):
            return isinstance(b, Gradients) and set(a) == set(b) and all(self.alike(a[p], b[p]) for p in a)
        if isinstance(a, (list, tuple)):
            return isinstance(b, type(a)) and len(a) == len(b) and all(map(self.alike, a, b))
        if isinstance(a, dict):
            return isinstance(b, dict) and list(a) == list(b) and all(self.alike(a[key], b[key]) for key in a)
        if isinstance(a, (np.ndarray, np.generic)) or isinstance(b, (np.ndarray, np.generic)):
            x, y = np.asarray(a), np.asarray(b)
            return isinstance(b, (np.ndarray, np.generic, float, int)) and x.dtype == y.dtype and x.shape == y.shape and self._close(x, y)
        if isinstance(a, float) and isinstance(b, float):
            return self._close(np.asarray(a), np.asarray(b))
        return type(a) is type(b) and a == b

    def _close(self, a, b):
        if a.dtype.kind != "f" or not a.size:
            return bool(np.array_equal(a, b))
        finite = np.isfinite(a) & np.isfinite(b)
        if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
            return False
        a, b = a[finite].astype(np.float64), b[finite].astype(np.float64)
        apart = np.abs(a - b) / np.maximum(1, np.maximum(np.abs(a), np.abs(b)))
        self.largest = max(self.largest, float(np.max(apart, initial=0)))
        return bool(np.all(apart <= self.relative))


def widened(plain, built):
    """What plain Python gives, its numbers as wide as those of what is compiled: there a variable has one type on all paths, so that
    `sum(xs)` of floats is 0.0 where there are none, and 0 in Python."""
    if isinstance(plain, (bool, int)) and type(built) in (int, float):
        return built if plain == built else plain
    if isinstance(plain, (list, tuple)) and type(plain) is type(built) and len(plain) == len(built):
        parts = [widened(*pair) for pair in zip(plain, built)]
        return parts if isinstance(plain, list) else type(plain)(*parts) if hasattr(plain, "_fields") else tuple(parts)
    if isinstance(plain, dict) and isinstance(built, dict) and plain.keys() == built.keys():
        return {key: widened(value, built[key]) for key, value in plain.items()}
    return plain
