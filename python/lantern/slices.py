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


MOST_COUNTED = 16


def known_count(key):
    """How many elements a slice has whose bounds are so far apart, `xs[i:i + 2]`, of a list that does not end before; None where that is not known."""
    if key.stop is None and type(key.start) is int and -MOST_COUNTED <= key.start < 0:
        return -key.start
    (start, first), (stop, end) = (_from(0 if bound is None else bound) for bound in (key.start, key.stop))
    return end - first if key.stop is not None and start is stop and 0 < end - first <= MOST_COUNTED and (start is not None or first >= 0) else None


def _from(bound):
    """(what is counted from, how far from there) of a bound, such as `i + 2`; None: from 0."""
    if not is_staged(bound):
        return None, int(bound)
    operator, operands = bound.made_of or (None, ())
    if operator in ("+", "-") and type(operands[1]) is int:
        start, far = _from(operands[0])
        return start, far + operands[1] if operator == "+" else far - operands[1]
    if operator == "+" and type(operands[0]) is int:
        start, far = _from(operands[1])
        return start, far + operands[0]
    return bound.binding, 0


def _bounds(key, size, operator, first, end):
    return tuple(without if bound is None else dispatch(operator, (_number(bound), size))
                 for bound, without in ((key.start, first), (key.stop, end)))


def _number(bound):
    """A bound, which may be a bool, as a number."""
    return ops.cast(bound, "i64") if is_staged(bound) and str(bound.type) == "bool" else bound


def _is_known(*numbers):
    return not any(map(is_staged, numbers))
