"""NumPy's functions that put elements in order, and those that look up a place in an order."""
from __future__ import annotations

import numpy as np

from lantern import items, ops, rearranging
from lantern.dispatch import dispatch, is_staged
from lantern.numpy_functions.operands import NOT_BOOLS, NUMBERS, Unsupported, as_array, as_arrays, dtype_of, implements, need, rank_of, strong
from lantern.numpy_functions.reductions import all_, sum
from lantern.numpy_functions.shapes import ravel


def _vector(a, what):
    a, = as_arrays(a)
    if rank_of(a) != 1:
        raise Unsupported(f"an array of {rank_of(a)} axes: {what}")
    return a


@implements(np.sort)
def sort(a, axis=-1):
    return rearranging.sort(_vector(a, "one by one, lt.sort takes vectors"))


@implements(np.argsort, method="argsort")
def argsort(a, axis=-1, kind=None, *, stable=None):
    a = _vector(a, "one by one, lt.argsort takes vectors")
    order = rearranging.argsort(a)
    if kind not in ("stable", "mergesort") and not stable:
        _check_all_differ(a, order)
    return order


def _check_all_differ(a, order):
    """An error when the program runs unless all elements differ: what order NumPy would have equal ones in depends on the processor."""
    ordered = rearranging.take(ops.cast(a, "i64") if dtype_of(a) == "bool" else a, order)
    before, behind = items.get(ordered, slice(None, -1)), items.get(ordered, slice(1, None))
    is_nan = dispatch("and", (dispatch("!=", (behind, behind)), dispatch("==", (before, before))))     # the one that stands last
    ops.assert_(all_(dispatch("or", (dispatch("<", (before, behind)), is_nan))),
                "elements are equal, whose order np.argsort(a) leaves open: write np.argsort(a, kind='stable')")


@implements(np.median)
def median(a, axis=None):
    a, = as_arrays(a)
    if axis is not None and rank_of(a) != 1:
        raise Unsupported(f"axis={axis!r}")
    need(a, NUMBERS, NOT_BOOLS)
    ordered = rearranging.sort(ravel(a if dtype_of(a) in ("f32", "f64") else ops.cast(a, "f64")))     # two whole numbers may have no sum
    size = ops.shape(ordered, 0)
    below, above, last = (ops.getitem(ordered, place) for place in ((size - 1) // 2, size // 2, size - 1))
    middle = strong(dispatch("+", (dispatch("/", (dispatch("+", (below, above)), 2.0)), 0.0)))      # which is a sum in NumPy, and never -0.0
    return dispatch("where", (dispatch("==", (last, last)), middle, last))     # NaN stands last


@implements(np.quantile)
def quantile(a, q):
    a, = as_arrays(a)
    need(a, NUMBERS, NOT_BOOLS)
    ordered = rearranging.sort(ravel(a))
    size = ops.shape(ordered, 0)
    if is_staged(q) or is_staged(size) or not isinstance(q, (int, float)) or size == 0:
        raise Unsupported("a share, or a size, that is known only when the program runs")
    if not 0 <= q <= 1:
        raise ValueError("Quantiles must be in the range [0, 1]")
    place = q * (size - 1)
    below, above, last = (ops.getitem(ordered, each) for each in (int(place), min(int(place) + 1, size - 1), size - 1))
    apart, share = dispatch("-", (above, below)), place - int(place)      # of whole numbers, too, whose difference NumPy cuts at their bits
    between = dispatch("+", (below, dispatch("*", (apart, share)))) if share < 0.5 else dispatch("-", (above, dispatch("*", (apart, 1 - share))))
    return dispatch("where", (dispatch("==", (last, last)), between, last))     # NaN stands last


@implements(np.percentile)
def percentile(a, q):
    return quantile(a, q if is_staged(q) or not isinstance(q, (int, float)) else q / 100)


def _count_before(ordered, v, comparison):
    """How many elements of a vector compare so with v, a number or each of a vector."""
    if rank_of(v) > 1:
        raise Unsupported(f"an array of {rank_of(v)} axes")
    before = dispatch(comparison, (ordered, rearranging.expand_dims(v, 1) if rank_of(v) else v))
    return sum(before, -1)


@implements(np.searchsorted, method="searchsorted")
def searchsorted(a, v, side="left"):
    a, v = _vector(a, "a vector is in order"), as_array(v)
    if side not in ("left", "right"):
        raise ValueError(f"side must be 'left' or 'right' (got {side!r})")
    found = _count_before(a, v, "<" if side == "left" else "<=")
    if dtype_of(v) not in ("f32", "f64"):
        return found
    behind = sum(dispatch("==", (a, a))) if side == "left" else ops.shape(a, 0)      # NaN stands behind all, beside others
    return dispatch("where", (dispatch("==", (v, v)), found, behind))


@implements(np.interp)
def interp(x, xp, fp, left=None, right=None):
    x, xp, fp = (ops.cast(each, "f64") for each in (as_array(x), _vector(xp, "points lie on a line"), _vector(fp, "points lie on a line")))
    size = ops.shape(xp, 0)
    if not is_staged(size) and size < 2:
        raise Unsupported(f"{size} point{'s' if size != 1 else ''}")
    place = dispatch("clip", (dispatch("-", (_count_before(xp, x, "<="), 1)), 0, size - 2))
    at = rearranging.take if rank_of(place) else ops.getitem
    x0, y0, x1, y1 = at(xp, place), at(fp, place), at(xp, place + 1), at(fp, place + 1)
    between = dispatch("+", (dispatch("*", (dispatch("/", (dispatch("-", (y1, y0)), dispatch("-", (x1, x0)))), dispatch("-", (x, x0)))), y0))
    first, last = (ops.getitem(xp, each) for each in (0, size - 1))
    at_end, beyond = ops.getitem(fp, size - 1), ops.getitem(fp, size - 1) if right is None else right
    result = dispatch("where", (dispatch(">=", (x, last)), dispatch("where", (dispatch(">", (x, last)), beyond, at_end)), between))
    return strong(dispatch("where", (dispatch("<", (x, first)), ops.getitem(fp, 0) if left is None else left, result)))


@implements(np.digitize)
def digitize(x, bins, right=False):
    if is_staged(bins) or np.any(np.diff(bins) < 0):
        raise Unsupported("bins that are not known to increase")
    return searchsorted(np.asarray(bins), x, "left" if right else "right")
