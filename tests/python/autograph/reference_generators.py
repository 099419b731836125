"""Generator expressions: lazy, gone through once, and asked by Python."""
import functools
import itertools

from programs import runs
from reference_comprehensions import LISTS, square


def noted(x):
    print("asked", x)
    return x


def total_of(elements):
    result = 0.0
    for x in elements:
        result += x
    return result


# Generators


@runs(*LISTS)
def any_stops_at_the_first(xs: list[float]):
    return any(noted(x) > 2.2 for x in xs), all(noted(x) > 0 for x in xs)


@runs((1.0,), (0.0,))
def any_of_python_values_stops_at_the_first(x):
    return any(noted(x * k) > 1.5 for k in (1, 2, 3)), all(noted(k) > x for k in range(2))


@runs(*LISTS)
def effects_in_order(xs: list[float]):
    total = 0.0
    for y in (noted(x * 2) for x in xs if noted(x) > 0):
        print("got", y)
        total += y
        if total > 8:
            break
    return total


@runs(*LISTS)
def reduced(xs: list[float]):
    return sum((x * 2 for x in xs), 10.0), len([*range(3)]), len(list(x for x in xs if x > 1)), sum(1 for x in xs if x > 1)


@runs(([3.0, -1.0, 2.5],), ([2.0],))
def extremes(xs: list[float]):
    return max(x * x for x in xs), min((x for x in xs), key=lambda x: -x), max((x for x in xs if x > 100), default=0.0)


@runs(*LISTS)
def empty_maximum(xs: list[float]):
    return max(x for x in xs if x > 2)


@runs(*LISTS)
def sorted_and_listed(xs: list[float]):
    return sorted(-x for x in xs), sorted((x for x in xs if x > 0), reverse=True), list(x + 1 for x in xs)


@runs((2.0,))
def a_tuple_of_known_length(x):
    return tuple(x * k for k in range(3))


@runs(*LISTS)
def enumerated_and_zipped(xs: list[float]):
    total = 0.0
    for i, y in enumerate((x * 2 for x in xs if x > 0), 1):
        total += i * y
    for y, i in zip((x + 1 for x in xs), range(10)):
        total += y * i
    for y in map(square, (x for x in xs if x != 2.5)):
        total -= y
    for y in filter(lambda y: y > 3, (x * 2 for x in xs)):
        total += y
    return total


@runs(*LISTS)
def joined_text(xs: list[float]):
    return ", ".join(f"{x:.1f}" for x in xs if x > 0) + "|".join(str(k) for k in range(3)) + "-".join(["a", f"{len(xs)}"])


@runs((3,), (0,))
def in_it(n):
    return 4 in (i * i for i in range(n)), n not in (k + 1 for k in (1, 2))


@runs(*LISTS)
def kept_and_gone_through_later(xs: list[float]):
    squares = (x * x for x in xs)
    total = 1.0
    for y in squares:
        total += y
    return total, sum(squares)


@runs(*LISTS)
def passed_to_a_function(xs: list[float]):
    return total_of(x + 1 for x in xs if x > 0) + total_of([x for x in xs])


@runs(([3.0, -1.0, 2.5, 4.0],), ([2.0],))
def gone_through_by_next(xs: list[float]):
    doubled = (x * 2 for x in xs)
    first = next(doubled)
    second = next(doubled, 0.5)
    return first, second, [y for y in doubled]


@runs(*LISTS)
def the_first_hit(xs: list[float]):
    return next((x for x in xs if x > 2.2), -1.0)


@runs(*LISTS)
def the_first_hit_or_none(xs: list[float]):
    return next(x for x in xs if x > 2.2)


@runs((2.0,))
def the_first_hit_among_python_values(x):
    return next(k for k in (1, 2, 3, 4) if k > x), next((k for k in (1, 2) if k * x > 100), 0)


@runs((2.0,))
def as_python_asks_for_it(x):
    powers = (x ** k for k in itertools.count())
    a, b = next(powers), next(powers)
    c, d = itertools.islice(powers, 2)
    rest = functools.reduce(lambda u, v: u + v, (x * k for k in range(3)))
    return a, b, c, d, rest


@runs((2.0,))
def left_and_resumed_by_python(x):
    count = (k for k in itertools.count())
    total = x
    for k in zip(count, range(3)):
        total += k[0]
    return total, next(count)


@runs((2.0,))
def unpacked(x):
    a, b = (x * k for k in (1, 2))
    return a - b


@runs(([1.0, 2.0, 3.0],), ([],))
def of_a_generator(xs: list[float]):
    return [y + 1 for y in (x * 2 for x in xs) if y > 2]
