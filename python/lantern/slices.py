"""Which places a slice takes, with Python's reading of its bounds: of sequences whose size is known, and of others by operators."""
from __future__ import annotations

from lantern import ops
from lantern.dispatch import dispatch, is_staged, refuse


def span(key, size):
    """(first, end) of a slice with a step of 1: 0 <= first <= end <= size."""
    first, end = _bounds(key, size, "slice-bound", 0, size)
    if _is_known(first, end):
        return first, max(first, end)
    certain = _is_known(first) and first == 0 or key.stop is None
    return first, end if certain else ops.maximum(first, end)


def places(key, size):
    """(first, step, count): the slice takes `count` places, `step` apart. The step is known."""
    step = step_of(key)
    if step > 0:
        first, end = _bounds(key, size, "slice-bound", 0, size)
    else:
        first, end = _bounds(key, size, "slice-bound-down", size - 1, -1)
    count = dispatch("range-length", (first, end, step))
    return 0 if _is_known(count) and count == 0 else first, step, count


def step_of(key):
    """A slice's step, 1 where it has none."""
    if is_staged(key.step):
        refuse("the step of a slice is known only when the program runs", "write it as a loop")
    if key.step == 0:
        raise ValueError("slice step cannot be zero")
    return 1 if key.step is None else key.step


def _bounds(key, size, operator, first, end):
    return tuple(without if bound is None else dispatch(operator, (_number(bound), size))
                 for bound, without in ((key.start, first), (key.stop, end)))


def _number(bound):
    """A bound, which may be a bool, as a number."""
    return ops.cast(bound, "i64") if is_staged(bound) and str(bound.type) == "bool" else bound


def _is_known(*numbers):
    return not any(map(is_staged, numbers))
