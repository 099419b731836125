"""Operators that take parts of arrays and lists, replace them, and put them together, on NumPy."""
from __future__ import annotations

import operator

import numpy as np


def _at(a, i, what="index"):
    size = len(a)
    if not -size <= i < size:
        raise IndexError(f"{what} {i} is out of range for {size} elements")
    return a[int(i)]


def _slice(a, start, stop, axis=0):
    size = len(a) if axis == 0 else np.shape(a)[axis]
    if not 0 <= start <= stop <= size:
        raise IndexError(f"slice {start}:{stop} is out of range for {size} elements")
    part = slice(int(start), int(stop))
    return a[part] if axis == 0 else a[(*[slice(None)] * (axis % np.ndim(a)), part)]


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


BODIES = {
    "slice": _slice, "index": _at, "gather": lambda table, i: _at(table, i, "row"),
    "take": lambda a, indices: np.take(a, indices, axis=0),
    "strided": lambda a, start, step, count: _taken(a, [start + k * step for k in range(count)]),
    "with-item": _with_item, "with-slice": _with_slice, "scatter": _scattered(operator.setitem), "scatter-add": _scattered(np.add.at),
    "append": lambda list_, x: [*list_, x], "write": _write, "pop": _pop, "insert": _insert, "remove": _remove,
    "concat": _concat, "concat-along": lambda axis, *parts: np.concatenate(parts, axis), "stack": _stack, "patches": _patches,
    "argsort": _argsort, "flip": np.flip, "swap-axes": np.swapaxes, "repeat": np.repeat,
    # In derivatives only.
    "placed": _placed, "index-at": lambda i, x, a: _filled_at(a, i, x), "row-at": lambda i, x, a: _filled_at(a, i, x),
    "rows-at": lambda rows, x, a: _added_at(a, rows, x), "strided-at": _strided_at, "last-taken": _last_taken, "repeat-sum": _repeat_sum,
    "patches-sum": _patches_sum,
}
