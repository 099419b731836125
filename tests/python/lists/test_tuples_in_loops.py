"""Tuples that a list or a dict has held: as what a variable is in a turn that was another tuple before the loop, and as Python's own in whatever takes a tuple."""
import pytest
from compiled_table import Table, outcome
from staged_source import Staged

import lantern as lt
from lantern.staging.errors import StagingError

SOURCE = """
def walked(n: int, goal: int):
    came = {}
    for i in range(n):
        came[i + 1, 0] = (i, 0)
    node, path = (goal, 0), []
    while node != (0, 0):
        path.append(node)
        node = came[node]
    r, c = node
    return path, node, r + c


def last_pair(n: int, x: int):
    pairs = [(i, i * 0.5) for i in range(n)]
    last = (x, 0)
    for pair in pairs:
        last = pair
        last = (last[0] + x, last[1])
    return last, len(last), last in pairs


def exchanged(n: int, x: int):
    pairs = [(i, i * x) for i in range(n)]
    a, b = (0, 0), (1, x)
    for pair in pairs:
        a, b = b, pair
    return a, b, a < b


def missing_at_first(n: int, x: int):
    pairs = [(i, i * x) for i in range(n)]
    a, b, total = None, (0, 1), 0
    while pairs:
        if a is not None:
            total += a[1] * b[0]
        a = b
        b = pairs.pop()
    return (-1, -1) if a is None else a, b, total


def nested(n: int, x: int):
    stack = [((i, i + 1), i * x) for i in range(n)]
    state, seen = ((0, 0), 1), []
    while stack:
        (a, b), c = state
        seen.append(a + b + c)
        state = stack.pop()
    return seen, state


def of_attributes_and_items(n: int, x: int):
    class Held: pass
    held, items, pairs = Held(), {"at": (x, 0)}, [(i, i * x) for i in range(n)]
    held.at = (x, 1)
    for pair in pairs:
        held.at, items["at"] = items["at"], pair
    return held.at, items["at"]


def handed_on(n: int, x: int):
    pairs = [(i, i + x) for i in range(n)]

    def go(pair):
        return pair if pair[0] <= 0 else go(pairs[pair[0] - 1])

    return go((n, 0))
"""
OF_PYTHON = """
import math
from typing import NamedTuple


class Pair(NamedTuple):
    x: float
    y: float


def taken(n: int, x: float):
    points = [(i * x, 1.0 + i, x) for i in range(n)]
    p, q = points[n - 1], points[0]
    return [{0}]


def gone_through(n: int, x: float):
    total, seen = 0.0, []
    for p in [(i * x, 1.0 + i, x) for i in range(n)]:
        for v in p:
            if v > 3:
                break
            total += v
        for i, v in enumerate(p):
            total += i * v
        total += sum(v for v in p if v > 1) + sum([v * v for v in p])
        if not any(v > 4 for v in p) and x in p:
            seen.append(p[::-1])
    return total, seen


def largest(n: int, x: float):
    points = [(i * x % 2.0, 1.0 + i) for i in range(n)]
    best = points[0]
    for p in points:
        best = max(best, p)
    return best, min(points[0], best, key=lambda p: p[1]), max(points, key=max), sorted(points, key=sum)


def named(n: int, x: float):
    pairs = [Pair(i * x, 1.0) for i in range(n)]
    p = pairs[n - 1]
    return sum(p), max(p), min(p), p[::-1], p + pairs[0], x in p, sorted(p), any(v > 1 for v in p)
"""
TAKEN = ["max(p)", "min(p)", "sum(p)", "sum(p, 1.0)", "sorted(p)[0]", "math.dist(p, q)", "math.dist((0.0, 1.0, 2.0), p)", "math.prod(p)", "math.fsum(p)",
         "any(p)", "all(q)", "any(v > 2 for v in p)", "(p + q)[4]", "(p * 2)[4]", "(p + (1.0,))[3]", "((0.0,) + p)[0]", "p[1:][0]", "p[::-1][0]", "p[-1]", "x in p", "9.5 not in p",
         "len(p)", "list(p)[1]", "list(zip(p, q))[1][0]", "max(p, q)[0]", "min(p, q)[0]", "p < q", "[v * 2 for v in p][1]", "max(map(abs, p))"]
NAMES = ["walked", "last_pair", "exchanged", "missing_at_first", "nested", "of_attributes_and_items", "handed_on"]


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, NAMES)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arguments", [(0, 0), (1, 1), (4, 3), (3, 5)])
def test_a_tuple_that_becomes_one_out_of_a_list(table, name, arguments):
    assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments)


@pytest.fixture(scope="module")
def of_python():
    return Table(OF_PYTHON.replace("{0}", ", ".join(f"float({each})" for each in TAKEN)), ["taken", "gone_through", "largest", "named"])


@pytest.mark.parametrize("name", ["taken", "gone_through", "largest", "named"])
@pytest.mark.parametrize("arguments", [(1, 1.5), (3, 1.25), (5, -0.5)])
def test_a_tuple_out_of_a_list_is_pythons(of_python, name, arguments):
    assert outcome(of_python.compiled[name], arguments) == outcome(of_python.plain[name], arguments)


def area(xs):
    total, last = 0.0, (0.0, 1.0)
    for pair in [(x, x * x) for x in xs]:
        total += (pair[0] - last[0]) * (pair[1] + last[1]) / 2
        last = pair
    return total + last[1]


def test_its_gradient():
    xs, step = [1.0, 2.5, 4.0], 1e-6
    value, gradient = lt.value_and_grad(lt.function(area))(xs)
    assert value == area(xs)
    for i, found in enumerate(gradient):
        up, down = ([x + d * (i == j) for j, x in enumerate(xs)] for d in (step, -step))
        assert found == pytest.approx((area(up) - area(down)) / (2 * step), rel=1e-6)


@pytest.mark.parametrize("body", [
    "p = ()\n    for i in range(n): p = p + (i,)\n    return len(p)",
    "p = (n, 1) if n > 1 else (n,)\n    return len(p)",
    "def go(k, path): return [path] if k == 0 else go(k - 1, path + (k,)) + go(k - 1, path)\n    return go(n, ())",
    "d = {}\n    d[(n,)] = 1\n    d[(n, n)] = 2\n    return len(d)",
    "ps = {(): 1.0}\n    for i in range(n): ps = {p + (i,): x * 2 for p, x in ps.items()}\n    return len(ps)"])
def test_a_length_that_only_the_program_knows(body):
    with pytest.raises(StagingError) as info:
        Staged(f"def f(n: int):\n    {body}\n")
    assert "a tuple's length is known while staging: give it as many elements everywhere, or make a list of it" in str(info.value) and "own_" not in str(info.value)
