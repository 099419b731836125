"""Lists as arguments and results of compiled functions, and lists that hold structures, arrays, tuples and lists."""
import numpy as np
import pytest
from compiled_table import Table, cases_of, outcome
from lantern.staging.errors import StagingError

import lantern as lt
from lantern import types

SOURCE = """
import bisect
import heapq
import itertools


@lt.struct
class Point:
    x: float
    y: float


def swap(l: list[tuple[int, float]]):
    r = []
    for i, x in l:
        r.append((x, i))
    return r


def points(l: list[Point]):
    far = []
    for p in l:
        if p.x * p.y > 1.0:
            far.append(p)
    for p in far:
        far[0] = Point(p.x + 1, p.y)
        break
    return [far[0].x, len(far)] if far else [0.0, 0]


def rows(l: list[list[int]]):
    out, total = [], 0
    for row in l:
        total += sum(row)
        out.append(row[::-1])
    out.append([total])
    return out


def stacked(x: lt.Tensor[lt.f64, None], n: int):
    l = []
    for i in range(n):
        l.append(x * i)
    return ag.stack(l) if l else lt.zeros(0, 2, dtype=lt.f64)


def of_a_tuple(t: tuple[float, float, float], n: int):
    best = max(range(len(t)), key=lambda i: t[i])
    first, *rest = t
    l = [x * n for x in rest]
    return sorted(t), t[1:], t[n], [x for x in map(abs, t) if x > 1], any(x > 2 for x in t), best, max(range(n), key=l.__getitem__), \
        max(range(len(l)), key=l.__getitem__), [a * b for a, b in itertools.combinations(t, 2)], dict(zip("abc", t))["b"], first


def words(l: list[str], w: str):
    found = []
    for word in l:
        if word != w:
            found.append(word + "!")
    return found, w in l, sorted(found)


class Bag:
    def __init__(self):
        self.items = []

    def put(self, x):
        self.items.append(x)
        return self


def attribute(n: int):
    bag = Bag()
    for i in range(n):
        bag.put(i).put(-i)
    return bag.items, len(bag.items)


def sorted_in(k, h):
    heapq.heapify(h)
    bisect.insort(h, 4)
    list.append(h, 9)
    return k if k > 0 else -k


def put_in(k, d):
    d |= {"b": 7}
    d.update(c=8)
    d.pop("a")
    return k if k > 0 else -k


def changed_by_pythons_own(n: int):
    h, d = [5, 3, 8], {"a": 1}
    rows = [h, [1]]
    return sorted_in(n, h), put_in(n, d), h, rows, list(d), list(d.values())


def read_only(l: list[float], i: int):
    m = list(l)
    m[i] += 1.0
    return m, l[i], l.index(l[-1]), l + [1.0], l == m
"""

CALLS = {
    "swap": (([],), ([(1, 2.0), (3, 4.5)],)),
    "rows": (([],), ([[1, 2], [], [3]],)),
    "of_a_tuple": (((1.0, 3.0, 2.0), 2), ((1.0, 3.0, 2.0), -1), ((-1.5, -0.5, -2.5), 1)),
    "words": ((["b", "a", "c"], "b"), ([], "x")),
    "attribute": (0, 3),
    "changed_by_pythons_own": (2, -1),
    "read_only": (([1.0, 2.0], 0), ([1.0, 2.0], -1), ([1.0], 4), ([], 0)),
}


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, [*CALLS, "points", "stacked"])


@pytest.mark.parametrize("name, arguments", cases_of(CALLS))
def test_compiled_is_python(table, name, arguments):
    assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments)


def test_lists_of_structures(table):
    point = table.module.Point
    for many in ([], [point(1.0, 0.5)], [point(2.0, 3.0), point(4.0, 5.0)]):
        assert table.compiled["points"](many) == table.plain["points"](many)


def test_a_staged_list_is_stacked(table):
    x = np.array([1.0, 2.0])
    for n in (0, 1, 3):
        assert np.array_equal(table.compiled["stacked"](x, n), table.plain["stacked"](x, n))


def test_an_argument_is_the_callers():
    with pytest.raises(StagingError) as caught:
        Table("def f(l: list[float]):\n    l.append(1.0)\n    return len(l)", ["f"])
    assert caught.value.code == "LT0305" and "'l'" in caught.value.message and "copy" in caught.value.hint


def test_lists_of_tuples_are_of_the_type_of_all():
    def first(pairs):
        return len(pairs), pairs[0]
    compiled = lt.function(first)
    for pairs in ([(1, 2.0)] * 3, [(1, 2.0), (1, 2)], [(1, 2), (1.5, 2)], [("a", 1), ("b", 2.0)], [(1, (2, 3))] * 2, [(i, float(i)) for i in range(3000)]):
        assert compiled(pairs) == first(pairs)
    for pairs in ([(1, 2), (1, 2, 3)], [(1, "a"), (2, 3)]):
        with pytest.raises(TypeError, match="the elements of a list have one type"):
            compiled(pairs)


def test_of_thousands_of_tuples_of_numbers_few_are_asked(monkeypatch):
    asked, own = [], types._type_of
    monkeypatch.setattr(types, "_type_of", lambda value: asked.append(value) or own(value))
    assert str(types.type_of([(i, 0.5) for i in range(3000)] + [(1, 2)])) == "(list (tuple i64 f64))" and len(asked) < 20
