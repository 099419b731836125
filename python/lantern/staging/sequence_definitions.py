"""What functions of `bisect`, `statistics`, `itertools` and `math` do, and a slice with a step that is set: converted and traced
where one of them meets what is staged."""
from __future__ import annotations

import math

from lantern.lazy_numpy import np
from lantern.staging.convert import INLINED, requested


def _inlined(function):
    """A function that those below call, and whose body stands there."""
    setattr(function, INLINED, True)
    return requested(function)


# bisect

@requested
def place_left(values, x, low, high, key):
    if low < 0:
        raise ValueError("lo must be non-negative")
    high = len(values) if high is None else high
    while low < high:
        middle = (low + high) // 2
        value = values[middle] if key is None else key(values[middle])
        if value < x:
            low = middle + 1
        else:
            high = middle
    return low


@requested
def place_right(values, x, low, high, key):
    if low < 0:
        raise ValueError("lo must be non-negative")
    high = len(values) if high is None else high
    while low < high:
        middle = (low + high) // 2
        value = values[middle] if key is None else key(values[middle])
        if x < value:
            high = middle
        else:
            low = middle + 1
    return low


def insert_left(values, x, low, high, key):
    values.insert(place_left(values, x if key is None else key(x), low, high, key), x)


def insert_right(values, x, low, high, key):
    values.insert(place_right(values, x if key is None else key(x), low, high, key), x)


# Sums that are exact until they are rounded (Shewchuk, 1997)

@requested
def exact_sum(values):
    partials = [0.0]        # of which no two overlap, from small to large: they add up to the sum so far
    special, infinite = 0.0, 0.0
    for value in values:
        x = value * 1.0
        if x - x != 0.0:
            special = special + x
            infinite = infinite + (x if x == x else 0.0)
        else:
            kept = 0
            for place in range(len(partials)):
                y = partials[place]
                larger, smaller = (y, x) if abs(x) < abs(y) else (x, y)
                x = larger + smaller
                rest = smaller - (x - larger)
                if rest != 0.0:
                    partials[kept] = rest
                    kept = kept + 1
            if x - x != 0.0:
                raise OverflowError("intermediate overflow in fsum")
            while len(partials) > kept:
                partials.pop()
            partials.append(x)
    if infinite != infinite:
        raise ValueError("-inf + inf in fsum")
    if special != 0.0:
        return special
    place = len(partials) - 1
    total, rest = partials[place], 0.0
    while place > 0 and rest == 0.0:
        place = place - 1
        x, y = total, partials[place]
        total = x + y
        rest = y - (total - x)
    if place > 0 and (rest < 0.0 and partials[place - 1] < 0.0 or rest > 0.0 and partials[place - 1] > 0.0):
        twice = rest * 2.0      # of what stands halfway between two floats the rest decides
        if total + twice - total == twice:
            total = total + twice
    return total


# statistics

def mean(values, name, error):
    if len(values) < 1:
        raise error(f"{name} requires at least one data point")
    return exact_sum(values) / len(values)


def variance(values, centre, fewer, name, points, error):
    if len(values) <= fewer:
        raise error(f"{name} requires at least {points}")
    if centre is None:
        centre = exact_sum(values) / len(values)
    return exact_sum([(x - centre) * (x - centre) for x in values]) / (len(values) - fewer)


def median(ordered, error):
    size = len(ordered)
    if size == 0:
        raise error("no median for empty data")
    if size % 2 == 1:
        return ordered[size // 2]
    return (ordered[size // 2 - 1] + ordered[size // 2]) / 2


# itertools

def taken_while(result, function, values):
    for value in values:
        if not function(value):
            break
        result.append(value)


def dropped_while(result, function, values):
    found = False
    for value in values:
        if not found:
            found = not function(value)
        if found:
            result.append(value)


def present(values, message, result):
    for value in values:
        if value is None:
            raise TypeError(message)
        result.append(value)
    return result


def filtered_false(result, function, values):
    for value in values:
        if not function(value):
            result.append(value)


def compressed(result, values, chosen):
    for value, is_chosen in zip(values, chosen):
        if is_chosen:
            result.append(value)


def larger(one, other):
    return one if one > other else other


def or_fill(place, size, get, fill):
    if place < size:
        return get(place)
    return fill


def check_order(lists):
    for each in lists:
        for x in each:
            if x != x:
                raise ValueError("nan has no place in an order")


def ranks(lists):
    """A number for each of these lists, in whose order they are sorted; equal ones have equal numbers."""
    size = len(lists)
    order, width = list(range(size)), 1
    while width < size:
        merged = []
        for start in range(0, size, 2 * width):
            i, middle, stop = start, min(start + width, size), min(start + 2 * width, size)
            j = middle
            while i < middle or j < stop:
                if j == stop or i < middle and not lists[order[j]] < lists[order[i]]:
                    merged.append(order[i])
                    i += 1
                else:
                    merged.append(order[j])
                    j += 1
        order, width = merged, 2 * width
    result = [0] * size
    for place in range(1, size):
        result[order[place]] = result[order[place - 1]] + (1 if lists[order[place - 1]] < lists[order[place]] else 0)
    return result


def check_ranks(values, ranks):
    """Each is between the first of the rank before its own and of the one behind: what is beside two that are not equal, as a NaN is, has no place."""
    firsts = [-1] * len(values)
    for place in range(len(values)):
        if firsts[ranks[place]] < 0:
            firsts[ranks[place]] = place
    for place in range(len(values)):
        rank = ranks[place]
        if rank > 0 and not values[firsts[rank - 1]] < values[place]:
            raise ValueError("what < says of the elements is no order")
        if rank + 1 < len(values) and firsts[rank + 1] >= 0 and not values[place] < values[firsts[rank + 1]]:
            raise ValueError("what < says of the elements is no order")


def for_each(start, stop, function):
    for place in range(start, stop):
        function(place)


# math

def parts_of_float(x):
    """math.modf"""
    if abs(x) == math.inf:
        return (0.0 if x > 0.0 else -0.0), x
    whole = x // 1.0 if x >= 0.0 else -(-x // 1.0)
    return x - whole if x != whole else x * 0.0, whole


# Of Stirling's series for the logarithm of the gamma function: B(2k) / (2k (2k - 1)), divided by x, x**3, …
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)
_LARGE = 12.0       # from where on that series is exact to the last digit
_EULER = 0.5772156649015329


def _zeta_above_one(k, first=20):
    """ζ(k) - 1, by Euler and Maclaurin's formula."""
    rest = first ** (1 - k) / (k - 1) + first ** -k / 2 + k * first ** (-k - 1) / 12 - k * (k + 1) * (k + 2) * first ** (-k - 3) / 720
    return math.fsum([*(n ** -k for n in range(2, first)), rest, k * (k + 1) * (k + 2) * (k + 3) * (k + 4) * first ** (-k - 5) / 30240])


# Of log Γ(2 + z) for |z| up to 1/2, divided by z (Abramowitz and Stegun, 6.1.33).
_AROUND_TWO = (1 - _EULER, *((-1) ** k * _zeta_above_one(k) / k for k in range(2, 30)))


@requested
def _around_two(z):
    total = 0.0
    for coefficient in _AROUND_TWO[::-1]:
        total = total * z + coefficient
    return total * z


@requested
def _log_gamma_of_positive(x):
    if x >= _LARGE:
        total, power = 0.0, 1.0 / x
        for coefficient in _STIRLING:
            total = total + coefficient * power
            power = power / x / x
        return (x - 0.5) * math.log(x) - x + 0.5 * math.log(2.0 * math.pi) + total
    if x < 0.5:
        return _around_two(x) - math.log1p(x) - math.log(x)
    if x < 1.5:
        return _around_two(x - 1.0) - math.log1p(x - 1.0)
    factor = 1.0
    while x > 2.5:
        x = x - 1.0
        factor = factor * x
    return _around_two(x - 2.0) + math.log(factor)


def log_gamma(x):
    if x - x != 0.0:
        return x * x        # inf of both infinities
    if x <= 0.0 and x // 1.0 == x:
        raise ValueError("math domain error")
    if x > 0.0:
        return _log_gamma_of_positive(x)
    return math.log(math.pi / abs(math.sin(math.pi * (x % 1.0)))) - _log_gamma_of_positive(1.0 - x)


# Slices

@_inlined
def strided_places(size, start, stop, step):
    """(the first place that a slice takes, how many), of a sequence of that size. The step need not be known."""
    if step == 0:
        raise ValueError("slice step cannot be zero")
    low, high = (0, size) if step > 0 else (-1, size - 1)
    place, end = (low, high) if step > 0 else (high, low)
    if start is not None:
        place = min(max(start if start >= 0 else start + size, low), high)
    if stop is not None:
        end = min(max(stop if stop >= 0 else stop + size, low), high)
    count = len(range(place, end, step))
    return place if count > 0 else 0, count


def set_strided(xs, start, stop, step, values):
    """`xs[start:stop:step] = values`, where the step is not known to be 1."""
    values = list(values)
    if step == 1:
        xs[start:stop] = values
    else:
        place, count = strided_places(len(xs), start, stop, step)
        if len(values) != count:
            raise ValueError(f"attempt to assign sequence of size {len(values)} to extended slice of size {count}")
        for value in values:
            xs[place] = value
            place += step


def without_strided(xs, start, stop, step, result):
    first, count = strided_places(len(xs), start, stop, step)
    for place in range(len(xs)):
        turn, rest = divmod(place - first, step)
        if rest != 0 or turn < 0 or turn >= count:
            result.append(xs[place])
    return result


def copied_rows(xs, copied):
    return [copied(row) for row in xs]


def copied_arrays(xs):
    return [x.copy() for x in xs]


# Arrays

def concatenated(arrays, axis):
    """`np.concatenate(arrays, axis)` of a list whose arrays may be of different sizes."""
    if len(arrays) == 0:
        raise ValueError("need at least one array to concatenate")
    result = arrays[0].ravel().copy() if axis is None else arrays[0].copy()
    for place in range(1, len(arrays)):
        result = np.concatenate([result, arrays[place]], axis)
    return result


def place_in_sequence(place, size, message):
    if place < -size or place >= size:
        raise IndexError(message)
    return place + size if place < 0 else place


def often_or_never(length):
    return 2**62 if length > 0 else 0


def element(values, place):
    return values[place]


def place_between(values, wanted, missing, start, stop=None):
    """`values.index(wanted, start, stop)`. missing: what is said where it is not there, or None."""
    size = len(values)
    first = start if start >= 0 else max(start + size, 0)
    last = size if stop is None else min(stop if stop >= 0 else max(stop + size, 0), size)
    for place in range(first, last):
        if values[place] == wanted:
            return place
    raise ValueError(f"{wanted!r} is not in list" if missing is None else missing)
