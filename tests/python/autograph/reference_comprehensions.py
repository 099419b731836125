"""Comprehensions and generator expressions: over staged values they are the loops that they stand for, as lazy as Python's."""
import itertools

import lantern as lt
from programs import runs, stops

LISTS = (([3.0, -1.0, 2.5, 4.0],), ([],), ([2.0],))


@lt.struct
class Node:
    value: float
    next: "Node | None"


CHAIN = Node(1.0, Node(-2.0, Node(3.0, None)))


def square(x):
    if x < 0:
        return 0.0
    return x * x


def fibonacci(n):
    if n < 2:
        return n
    return sum(fibonacci(n - k) for k in (1, 2))


def leaves(n):
    return [0] if n <= 0 else [n + m for k in (1, 2) for m in leaves(n - k)]


# Lists


@runs(*LISTS)
def of_a_list(xs: list[float]):
    return [x * 2 for x in xs]


@runs((0,), (4,))
def of_a_range(n):
    return [i * i for i in range(n)]


@runs(*LISTS)
def with_conditions(xs: list[float]):
    return [x for x in xs if x > 0 if x < 4.0]


@runs(*LISTS)
def of_python_values_with_a_staged_condition(xs: list[float]):
    return [k for k in (1, 2, 3) if k > len(xs)]


@runs((0,), (3,))
def nested_loops(n):
    return [(i, j) for i in range(n) for j in range(i + 1) if (i + j) % 2 == 0]


@runs((0,), (3,))
def nested_comprehensions(n):
    return [[i * j for j in range(i)] for i in range(n)]


@runs(([1.0, 2.0], 2), ([], 3))
def python_and_staged_loops(xs: list[float], n):
    return [x * k + i for k in (1, 2) for x in xs for i in range(n)]


@runs(([1.0, 2.0], 2), ([], 3))
def staged_and_python_loops(xs: list[float], n):
    return [x * k - n for x in xs for k in (1, 2) if k != n]


@runs(*LISTS)
def elements_by_a_call(xs: list[float]):
    return [square(x) for x in xs if square(x) != 4.0]


@runs(*LISTS)
def elements_are_tuples(xs: list[float]):
    return [(i, x, x > 2) for i, x in enumerate(xs)]


@runs(([1.0, 2.0, 3.0], [4.0, 5.0]), ([], [1.0]))
def of_zip(xs: list[float], ys: list[float]):
    return [x * y + i for i, (x, y) in enumerate(zip(xs, ys))]


@runs(*LISTS)
def of_map_and_filter(xs: list[float]):
    return [x + 1 for x in map(square, filter(lambda x: x > 0, xs))]


@runs(*LISTS)
def of_reversed(xs: list[float]):
    return [x for x in reversed(xs)] + [xs[i] for i in range(len(xs))]


@runs(*LISTS)
def of_another(xs: list[float]):
    return [y + 1 for y in [x * 2 for x in xs if x > 0] if y > 5]


@runs((2.0,))
def of_the_views_of_a_dict(x):
    prices = {"a": x, "b": 1.0}
    return [k for k in prices], [v * 2 for v in prices.values() if v > 1], [(k, v) for k, v in prices.items()]


@runs((lt.constant([1.0, 2.0, 3.0]),))
def of_an_array(v):
    return [z * 2 for z in v if z > 1.5]


@runs((lt.constant([[1.0, 2.0], [3.0, 4.0]]),))
def stacked(m):
    return lt.stack([row * 2 for row in m]), lt.stack([lt.sum(row) for row in m]), lt.stack(row + 1.0 for row in m)


@runs((CHAIN,), (Node(1.0, None),))
def where_none_is_known_by_the_condition(node):
    nodes = [node, node.next]
    return [n.value for n in nodes if n is not None]


@runs((CHAIN,), (Node(1.0, None),))
def where_none_is_known_in_the_element(node):
    nodes = [node, node.next]
    return [n.value if n is not None else -1.0 for n in nodes]


@runs(*LISTS)
def changed_afterwards(xs: list[float]):
    ys = [x for x in xs if x > 0]
    ys.append(10.0)
    zs = [y + 1 for y in ys]
    ys[0] = 7.0
    return ys, zs, len(ys), ys[-1]


@runs((3,), (0,))
def in_a_staged_loop(n):
    total = 0
    for i in range(n):
        scale = i * 2
        total += sum([scale * j for j in range(i)])
        total += sum(scale - j for j in range(i))
    return total


@runs((3,), (0,))
def grown_in_a_staged_loop(n):
    rows = []
    for i in range(n):
        rows.append([j - i for j in range(i) if j != 1])
    return rows


@runs((3,), (-3,))
def in_a_branch(n):
    if n > 0:
        xs = [i for i in range(n)]
    else:
        xs = [n, n]
    return xs


@runs((3,), (-3,))
def in_operands(n):
    return n > 0 and len([i for i in range(n)]) > 2 or [k for k in range(5) if k < n] == []


@runs((3,), (0,))
def in_a_conditional(n):
    return [i for i in range(n)] if n > 1 else [n for _ in range(3)]


@runs((3,), (0,))
def with_a_repeated_name(n):
    return [_ for _, _ in enumerate(range(n))] + [i for i in range(n) for i in range(i)]


@runs((3.0,))
def hides_a_variable(x):
    ys = [x for x in (1.0, 2.0)]
    return x, ys


@runs((3,), (0,))
def in_a_lambda(n):
    scaled = lambda k: [k * i for i in range(n)] + [sum(k * i for i in range(j)) for j in range(n)]     # noqa: E731
    return scaled(2), scaled(n)


@runs((3,), (0,))
def lambda_in_it(n):
    return [max(range(3), key=lambda j: (i - j) * (j - i)) for i in range(n)]


@runs((2.0,))
def closures_see_the_last_value(x):
    functions = [lambda y: y * k + x for k in (1, 2, 3)]
    return [f(10.0) for f in functions]


@runs((5,), (1,))
def recursion_in_a_generator(n):
    return fibonacci(n)


@runs((3,), (0,))
def recursion_in_a_comprehension(n):
    return leaves(n)


@runs(*LISTS)
def targets_in_pieces(xs: list[float]):
    pairs = [(x, (x + 1, x * 2)) for x in xs]
    return [a * b - c for a, (b, c) in pairs], [a for a, _ in pairs]


# :=


@runs(*LISTS)
def walrus_in_a_condition(xs: list[float]):
    return [y for x in xs if (y := x * x) > 5]


@runs(*LISTS)
def walrus_seen_outside(xs: list[float]):
    last = -1.0
    ys = [last := x + 1 for x in xs if x > 0]
    return last, ys


@runs(*LISTS)
def walrus_that_accumulates(xs: list[float]):
    total = 0.0
    return [total := total + x for x in xs], total


@runs(*LISTS)
def walrus_of_the_first_hit(xs: list[float]):
    hit = 0.0
    if any((hit := x) > 3 for x in xs):
        return hit
    return -hit


# Sets and dicts


@runs((2.0,))
def dict_with_known_keys(x):
    squares = {k: x * k for k in ("a", "b") for k in (1, 2)}
    return squares[2], len(squares), {k: [i * x for i in range(k)] for k in (1, 2)}[2], dict((k, x) for k in "ab")["b"]


@runs((2.0,))
def set_of_known_elements(x):
    return len({k % 2 for k in range(5)}) + x


@runs((3,), (0,))
def dict_with_staged_keys(n):
    return {i: i * i for i in range(n)}


@runs((3,), (2,), (0,))
def dict_with_keys_that_may_be_missing(n):
    return {k: n for k in (1, 2) if k < n}


@runs((3,), (0,))
def set_of_staged_elements(n):
    return len({i // 2 for i in range(n)})


@runs((3,), (0,))
def set_of_elements_that_may_be_missing(n):
    return sorted({k for k in (1, 2) if k < n})


# What is refused


@stops("LT0305", "the generator 'squares'", "never, or more than once", at=(3,))
def gone_through_in_a_loop(n):
    squares = (i * i for i in range(n))
    total = 0
    for _ in range(n):
        total += sum(squares)  # error
    return total


@stops("LT0305", "the generator 'squares'", "once more", at=(3,))
def gone_through_after_a_break(n):
    squares = (i * i for i in range(n) if i != 1)
    found = any(s > 3 for s in squares)
    return found, sum(squares)  # error


@stops("LT0303", "Python asks the generator for its next element", at=([1.0],))
def given_to_python(xs: list[float]):
    return list(itertools.tee(x for x in xs)[0])  # error


@runs(([1.0, -2.0, 3.0], 2), ([1.0], 2), ([], 0))
def zipped_with_conditions(xs: list[float], n):
    total = 0.0
    for x, i in zip((x for x in xs if x > 0), range(n)):
        total += x * i
    return total, [k * x for k, x in zip(range(n), (x for x in xs if x > 1))]


@stops("LT0310", "make a list of it first", at=([1.0],))
def zipped_with_each_other(xs: list[float]):
    total = 0.0
    for x, y in zip((x for x in xs if x > 0), (x for x in xs if x < 2)):  # error
        total += x * y
    return total


@stops("LT0306", "on one path", at=([1.0],))
def elements_of_two_types(xs: list[float]):
    return [x if x > 0 else "none" for x in xs]  # error
