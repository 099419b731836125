"""Directives, and loops that certainly run."""
import pytest
from compiled_table import Table, cases_of, outcome
from lantern.staging.errors import StagingError

SOURCE = """
def typed(n: int):
    l = []
    ag.set_element_type(l, lt.f64)
    for i in range(n):
        if i > 1:
            l.append(i * 0.5)
    return l


def limited(n: int):
    s = 0
    for i in range(n):
        ag.set_loop_options(maximum_iterations=100)
        s += i
    while s > 0:
        ag.set_loop_options(maximum_iterations=1000)
        s -= 7
    return s


def certain(n: int):
    while True:
        x = n * 2
        n -= 1
        if n < 2:
            break
    return x


def certain2(n: int):
    going = True
    while going:
        y = [n]
        n -= 3
        going = n > 0
    return y, n


def changed_meanwhile(n: int):
    l = [n]
    for x in l:
        if x > 0:
            l.append(x - 1)
    it = iter(l)
    first = next(it)
    l.append(50)
    rest = 0
    for x in it:
        rest += x
    return l, first, rest


def nothing(n: int):
    l = []
    ag.set_element_type(l, lt.i64)
    return len(l), n
"""

NAMES = [
    "typed", "limited", "certain", "certain2", "nothing", "changed_meanwhile",
]


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, NAMES)


@pytest.mark.parametrize("name, arguments", cases_of({name: (0, 1, 3, 4, 6) for name in NAMES}))
def test_compiled_is_python(table, name, arguments):
    assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments)


def test_a_staged_loop_makes_no_more_turns_than_it_is_said_to():
    table = Table("""
    def f(n: int):
        turns = 0
        for i in range(n):
            ag.set_loop_options(maximum_iterations=3)
            turns += 1
        left = n
        while left > 0:
            ag.set_loop_options(maximum_iterations=4)
            left -= 1
        return turns, left
    """, ["f"])
    assert [table.compiled["f"](n) for n in (2, 3, 9)] == [(2, 0), (3, 0), (3, 5)]


@pytest.mark.parametrize("body, code, words", [
    ("""
        l = []
        if n > 0:
            l = []
            l.clear()
        m = l + l
        return m[n]
    """, "LT0314", ["empty", "annotate the variable: m: list[float]"]),
    ("""
        l = [1.0]
        for i in range(n):
            l.append("text")
        return len(l)
    """, "LT0306", ["of one type, and here are float and str"]),
    ("""
        a, b = [1], [2]
        c = a if n > 0 else b
        c = c if n > 1 else [4]
        c.append(3)
        return len(a)
    """, "LT0305", ["'a'", "another name"]),
    ("""
        l = []
        for i in range(n):
            l.append(lambda x, i=i: x + i)
        return l[0](1)
    """, "LT0312", ["'function'", "call one function with that"]),
    ("""
        d = {"a": 1, "c": "x"}
        if n > 0:
            d["b"] = 2
        return len(d)
    """, "LT0306", ["'b'", "key"]),
    ("""
        import json
        l = []
        for i in range(n):
            l.append(i)
        json.dumps(l)
        return 0
    """, "LT0310", ["dumps", "'l'"]),
])
def test_what_is_refused_says_what_to_do(body, code, words):
    with pytest.raises(StagingError) as caught:
        Table("    def f(n: int):" + body, ["f"])
    assert caught.value.code == code and caught.value.hint and caught.value.place.line
    assert all(word in str(caught.value) for word in words), str(caught.value)


SEARCHING = """
def shrunk(xs: list[float], t: float):
    n = 0
    while any(x > t for x in xs) and n < 30:
        xs, n = [x * 0.5 for x in xs], n + 1
    return xs, n


def grown(xs: list[float], t: float):
    n = 0
    while n < 30 and not all(x * n > t for x in xs) or n < 2: n += 1
    return n


def gone_on(xs: list[float], t: float):
    ys = list(xs)
    while len(ys) < 9 and (next((y for y in ys if y > t), -1.0) > 0 or t in ys): ys = ys[1:] + [t - 1.0]
    return ys


def first_above(xs, t):
    for i, x in enumerate(xs):
        if x > t: return i
    return -1


def stepped(xs: list[float], t: float):
    n = 0
    while (i := first_above(xs, t)) >= 0 and n < 20:
        xs, n = [x * 0.75 if k == i else x for k, x in enumerate(xs)], n + 1
    return xs, n


def nested(xs: list[float], t: float):
    n = 0
    while any(any(x * y > t for y in xs) for x in xs) and n < 30:
        xs, n = [x * 0.5 for x in xs], n + 1
    for i in range(4):
        while sum(1 for x in xs if x > t / 9) > i and any(x > t / 8 for x in xs): xs, n = [x - 0.5 for x in xs], n + 1
    return xs, n
"""
SEARCHES = {name: (([1.5, 6.0, 3.0], 1.0), ([], 1.0), ([0.5], 2.0), ([9.0, 1.0, 2.0, 2.5], 2.0)) for name in ("shrunk", "grown", "gone_on", "stepped", "nested")}


@pytest.fixture(scope="module")
def searching():
    return Table(SEARCHING, list(SEARCHES))


@pytest.mark.parametrize("name, arguments", cases_of(SEARCHES))
def test_a_while_goes_on_by_what_its_condition_finds(searching, name, arguments):
    assert outcome(searching.compiled[name], arguments) == outcome(searching.plain[name], arguments)
