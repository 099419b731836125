"""What some of Python's built-in functions do, in Python: converted and traced where one of them meets a staged sequence.

So they mean what Python's do, for elements of any type. Nothing here is called as it stands.
"""
from __future__ import annotations


def places(start, stop, step, size):
    """(start, step, count) of the places that [start:stop:step] takes of `size`."""
    if step > 0:
        first = 0 if start is None else clipped(start, size, 0, size)
        end = size if stop is None else clipped(stop, size, 0, size)
        count = (end - first + step - 1) // step
    else:
        first = size - 1 if start is None else clipped(start, size, -1, size - 1)
        end = -1 if stop is None else clipped(stop, size, -1, size - 1)
        count = (first - end - step - 1) // -step
    return first, step, count if count > 0 else 0


def clipped(bound, size, least, most):
    if bound < 0:
        bound = bound + size
        return bound if bound > least else least
    return bound if bound < most else most


def place_of(values, wanted, message):
    for place, value in enumerate(values):
        if value == wanted:
            return place
    raise ValueError(message)


def count(values, wanted):
    result = 0
    for value in values:
        if value == wanted:
            result += 1
    return result


def extend(result, values):
    for value in values:
        result.append(value)


def copied(values, result):
    for value in values:
        result.append(value)
    return result


def repeat(result, values, times):
    for _ in range(times):
        result.extend(values)


def repeat_one(result, value, times):
    for _ in range(times):
        result.append(value)


def equal(a, b):
    if len(a) != len(b):
        return False
    for place, value in enumerate(a):
        if value != b[place]:
            return False
    return True


def contains(values, wanted):
    for value in values:
        if value == wanted:
            return True
    return False


def check_count(size, count):
    if size < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {size})")
    if size > count:
        raise ValueError(f"too many values to unpack (expected {count})")


def keys(values, key, result):
    for value in values:
        result.append(key(value))
    return result


def in_order(values, order, result):
    for place in order:
        result.append(values[place])
    return result


clipped.__lantern_requested__ = True
