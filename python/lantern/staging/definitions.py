"""What some of Python's built-in functions do, in Python: converted and traced where one of them meets a staged sequence.

So they mean what Python's do, for elements of any type. Nothing here is called as it stands.
"""
from __future__ import annotations

from lantern.rearranging import stack, stack_of_none


def place_of(values, wanted, message):
    for place, value in enumerate(values):
        if value == wanted:
            return place
    raise ValueError(message)


def index_of(values, wanted):
    for place, value in enumerate(values):
        if value == wanted:
            return place
    raise ValueError(f"{wanted!r} is not in list")


def is_not_in_list(wanted):
    raise ValueError(f"{wanted!r} is not in list")


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


def stacked(values, element):
    if len(values) == 0:
        return stack_of_none(element)
    return stack(values)


def check_lengths(size, other):
    if size != other:
        raise ValueError(f"the arrays of a data set have one length, not {size} and {other}")


def check_batch(size):
    if size < 1:
        raise ValueError(f"a batch has at least one element, not {size}")


def place_of_item(place, size):
    if place < -size or place >= size:
        raise IndexError("data set index out of range")
    return place % size


def check_count(size, count):
    if size < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {size})")
    if size > count:
        raise ValueError(f"too many values to unpack (expected {count})")


def check_least(size, count):
    if size < count:
        raise ValueError(f"not enough values to unpack (expected at least {count}, got {size})")


def mapped(values, function, result):
    for value in values:
        result.append(function(value))
    return result


def in_order(values, order, result):
    for place in order:
        result.append(values[place])
    return result


def shorter(a, b):
    return b if b < a else a


def check_length(size):
    if size < 0:
        raise ValueError("__len__() should return >= 0")


def ordered(a, b, compare):
    for x, y in zip(a, b):
        if x != y:
            return compare(x, y)
    return compare(len(a), len(b))


def without_order(message):
    raise TypeError(message)


def check_zip(first, other, number):
    if other < first:
        raise ValueError(f"zip() argument {number} is shorter than the arguments before it")
    if other > first:
        raise ValueError(f"zip() argument {number} is longer than the arguments before it")


def total(values, start):
    for value in values:
        start = start + value
    return start


def total_of_arrays(values, nothing):
    if len(values) == 0:
        raise ValueError(nothing)
    result = 0 + values[0]
    for place in range(1, len(values)):
        result = result + values[place]
    return result


def any_(values):
    for value in values:
        if value:
            return True
    return False


def all_(values):
    for value in values:
        if not value:
            return False
    return True


def better(value, best, larger):
    if larger:
        return value if value > best else best
    return value if value < best else best


def extreme(values, larger, has_default, default, nothing):
    if len(values) == 0:
        if has_default:
            return default
        raise ValueError(nothing)
    best = values[0]
    for value in values:
        if (value > best) if larger else (value < best):
            best = value
    return best


def extreme_by(values, key, larger, has_default, default, nothing):
    if len(values) == 0:
        if has_default:
            return default
        raise ValueError(nothing)
    best = values[0]
    best_key = key(best)
    for place in range(1, len(values)):
        value = values[place]
        value_key = key(value)
        if (value_key > best_key) if larger else (value_key < best_key):
            best = value
            best_key = value_key
    return best


def extreme_of_known(values, key, larger):
    best = values[0]
    best_key = key(best)
    for value in values[1:]:
        value_key = key(value)
        if (value_key > best_key) if larger else (value_key < best_key):
            best = value
            best_key = value_key
    return best


def filtered(values, test, result):
    for value in values:
        if test(value):
            result.append(value)


def next_(get, length, place):
    at = place[0]
    if at >= length:
        raise StopIteration
    place[0] = at + 1
    return get(at)


def next_or(get, length, place, default):
    at = place[0]
    if at >= length:
        return default
    place[0] = at + 1
    return get(at)


def first(values):
    for value in values:
        return value
    raise StopIteration


def first_or(values, default):
    for value in values:
        return value
    return default


def text_of_list(values):
    return "[" + ", ".join([repr(value) for value in values]) + "]"


def text_of_array(array):
    return f"an array of shape {array.shape}" if array.size > 1000 else str(array.tolist())


def joined(values, separator):
    text = ""
    for place, value in enumerate(values):
        if place > 0:
            text = text + separator
        text = text + value
    return text


def run_together(values):
    text = ""
    for value in values:
        text = text + value
    return text


def rounded(value):
    if value - value != 0.0:        # an infinity or nan
        return int(value)
    below = value // 1.0
    rest = value - below
    if rest > 0.5 or rest == 0.5 and below % 2.0 == 1.0:
        below = below + 1.0
    return int(below)


def check_fits(given, wanted):
    if given != wanted and given != 1:
        raise ValueError(f"could not broadcast input array of {given} into {wanted}")


def place_of_member(value, values, name, quote):
    for place in range(len(values)):
        if value == values[place]:
            return place
    raise ValueError(f"{quote}{value}{quote} is not a valid {name}")


def check_mask(own, size, axis):
    if own != size:
        raise IndexError(f"boolean index did not match indexed array along axis {axis}; size of axis is {size} but size of corresponding boolean axis is {own}")


def check_counted(values, fewest):
    if fewest < 0:
        raise ValueError("'minlength' must not be negative")
    for value in values:
        if value < 0:
            raise ValueError("'list' argument must have no negative elements")


def check_indices(one, other):
    if one != other and one != 1 and other != 1:
        raise IndexError("shape mismatch: indexing arrays could not be broadcast together")


def check_parts(size, parts):
    if size % parts != 0:
        raise ValueError(f"{size} elements do not split into {parts} equal parts")


def check_squeezed(size):
    if size != 1:
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")


def check_not_empty(size, name):
    if size == 0:
        raise ValueError(f"{name} cannot be empty")


def check_rate(p):
    if not 0.0 <= p < 1.0:
        raise ValueError(f"the probability of dropping an element is at least 0 and below 1, not {p}")


def check_rows(count, others, differing, nothing):
    for other in others:
        if other != count:
            raise ValueError(differing)
    if count == 0:
        raise ValueError(nothing)


def rows(row, count, result):
    for i in range(count):
        result.append(row(i))
    return result


def column(values, number, result):
    for value in values:
        result.append(value[number])
    return result


def reduced(function, values, result):
    for value in values:
        result = function(result, value)
    return result


def reduced_from_first(function, values):
    if len(values) == 0:
        raise TypeError("reduce() of empty iterable with no initial value")
    result = values[0]
    for place in range(1, len(values)):
        result = function(result, values[place])
    return result


def accumulated(total, function, place, value):
    if place == 0:
        total.append(value)
    elif function is None:
        total[0] = total[0] + value
    else:
        total[0] = function(total[0], value)
    return total[0]


def of_either(place, size, first, second):
    if place < size:
        return first(place)
    return second(place - size)


def repeated_text(text, times):
    result = ""
    for _ in range(times):
        result = result + text
    return result


def at_least_none(count):
    return count if count > 0 else 0


def check_bound(bound, least, message):
    if bound < least:
        raise ValueError(message)


def flattened(result, values):
    for inner in values:
        for value in inner:
            result.append(value)


def pairs(result, values, both_orders, after):
    for i in range(len(values)):
        for j in range(0 if both_orders else i + after, len(values)):
            if not both_orders or i != j:
                result.append((values[i], values[j]))
