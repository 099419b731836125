"""`lt.vmap`: a function of one row, mapped over the rows of arrays and the elements of lists and data sets."""
from __future__ import annotations

import functools

from lantern import dispatch, tracebacks
from lantern.data import ArrayDataSet, DataSet
from lantern.host import name_of
from lantern.lazy_numpy import np
from lantern.levels import LevelValue
from lantern.rearranging import moveaxis, stack
from lantern.struct import is_struct


def vmap(f, in_axes=0, out_axes=0):
    """A function that gives what f gives for each row of its arguments, stacked.

    in_axes: the axis of the arguments that rows are taken along: a number, or a tuple or list with one for each argument;
        None for an argument that every row is given whole. Of an argument that is a list, a data set or a batch of one, rows are its elements (axis 0);
        of a tuple, the rows of each of its parts.
    out_axes: where the rows' axis stands in the result: a number, or a tuple with one for each part where f gives a tuple.

    f gives numbers, arrays, or tuples of them, alike for every row, and is called for one row after the other. Keywords of
    the result's calls go to f as they are. Raises ValueError where there is no row, or not equally many in each argument, and
    TypeError for what has no rows.
    """
    @functools.wraps(f, updated=())
    def mapped(*arguments, **keywords):
        axes = in_axes if isinstance(in_axes, (tuple, list)) else (in_axes,) * len(arguments)
        if len(axes) != len(arguments):
            raise TypeError(f"vmap: in_axes has {len(axes)} axes, and '{name_of(f)}' is given {len(arguments)} arguments")
        trace = dispatch.active_trace()
        try:
            parts = [Whole(argument) if axis is None else rows_of(argument, axis, f"argument {number} of '{name_of(f)}'")
                     for number, (argument, axis) in enumerate(zip(arguments, axes))]
            if trace is not None:
                return trace.vmap(f, parts, keywords, out_axes)
            count = common_count(f, parts)
            if count == 0:
                raise ValueError(nothing_to_map(f))
            results = [f(*[part.row(i) for part in parts], **keywords) for i in range(count)]
            return stacked(f, results, out_axes)
        except BaseException as error:
            tracebacks.keep_users_frames(error)
            raise
    mapped.__lantern_vmap__ = True
    return mapped


class Whole:
    """An argument that every row is given."""
    count = None

    def __init__(self, value):
        self._value = value

    def row(self, _):
        return self._value


class Rows:
    """The rows of an array, or the elements of a list or a data set. `count`: how many, a number or a staged one."""

    def __init__(self, value, count, get=None):
        self._value, self.count = value, count
        self._get = get     # gives an element, without a check of its place

    def row(self, i):
        return self._get(i) if self._get else self._value[i]


class Together:
    """The rows of each part of a tuple."""

    def __init__(self, parts, build):
        self._parts, self._build = parts, build
        self.counts = [count for part in parts for count in counts_of(part)]

    def row(self, i):
        return self._build([part.row(i) for part in self._parts])


def counts_of(part):
    return part.counts if isinstance(part, Together) else [] if part.count is None else [part.count]


def rows_of(value, axis, what):
    """What gives the rows of an argument."""
    is_storage = dispatch.is_global(value) and dispatch.active_trace() is None
    if is_storage:
        tape = dispatch.active_tape()
        value = value.read() if tape is None else tape.read(value)
    if isinstance(value, tuple):
        build = (lambda parts: type(value)(*parts)) if hasattr(value, "_fields") else tuple
        return Together([rows_of(part, axis, what) for part in value], build)
    trace = dispatch.active_trace()
    if isinstance(value, (list, DataSet, ArrayDataSet)) or (trace is not None and trace.has_elements(value)):
        if axis != 0:
            raise TypeError(f"vmap: {what} has elements, which lie along axis 0, not {axis!r}")
        return Rows(value, len(value)) if trace is None else Rows(value, trace.length(value), trace.getter(value))
    rank = getattr(value, "ndim", None)
    if not isinstance(rank, int) or rank == 0:
        kind = "a structure" if is_struct(value) else "a number" if isinstance(value, (bool, int, float)) or rank == 0 else f"a {type(value).__name__}"
        raise TypeError(f"vmap: {what} is {kind}, which has no rows: give None in its place in in_axes")
    if not isinstance(axis, int) or not -rank <= axis < rank:
        raise TypeError(f"vmap: {what} has no axis {axis!r}: it has {rank} axes")
    first = value if axis % rank == 0 else moveaxis(value, axis, 0)
    get = (lambda i: first[i].copy()) if is_storage else None      # which f may change
    return Rows(first, first.shape[0] if trace is None else trace.length(first), get)


def common_count(f, parts):
    """How many rows there are. Raises ValueError where the arguments differ."""
    counts = [count for part in parts for count in counts_of(part)]
    if not counts:
        raise TypeError(f"vmap: no argument of '{name_of(f)}' has rows")
    if any(count != counts[0] for count in counts):
        raise ValueError(differing(f, counts))
    return counts[0]


def differing(f, counts=None):
    return f"vmap: the arguments of '{name_of(f)}' have different numbers of rows" + ("" if counts is None else f": {', '.join(map(str, counts))}")


def nothing_to_map(f):
    return f"vmap: '{name_of(f)}' is given no row, so that what it gives is not known"


def stacked(f, results, axes):
    """What f gave for each row, as one value."""
    if isinstance(results[0], tuple):
        parts = list(zip(*results))
        axes = axes if isinstance(axes, (tuple, list)) else (axes,) * len(parts)
        if len(axes) != len(parts) or any(not isinstance(r, tuple) or len(r) != len(parts) for r in results):
            raise TypeError(f"vmap: out_axes has {len(axes)} axes, and '{name_of(f)}' gives {len(parts)} parts")
        whole = [stacked(f, part, axis) for part, axis in zip(parts, axes)]
        return type(results[0])(*whole) if hasattr(results[0], "_fields") else tuple(whole)
    check_leaf(f, results[0])
    return placed(f, stack(list(results)), axes)


def placed(f, whole, axis):
    """The stacked rows, with their axis where it is wanted."""
    if not isinstance(axis, int) or not -whole.ndim <= axis < whole.ndim:
        raise TypeError(f"vmap: out_axes is {axis!r}, and what '{name_of(f)}' gives, stacked, has {whole.ndim} axes")
    return whole if axis % whole.ndim == 0 else moveaxis(whole, 0, axis)


def check_leaf(f, value):
    if not isinstance(value, (bool, int, float, np.ndarray, np.generic, LevelValue)) and not dispatch.is_staged(value):
        kind = "a structure" if is_struct(value) else "None" if value is None else f"a {type(value).__name__}"
        raise TypeError(f"vmap: '{name_of(f)}' gives {kind}: numbers, arrays and tuples of them can be stacked")
