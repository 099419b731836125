"""Built-in functions on staged numbers, ranges and lists: what the compiled program gives is what Python gives."""
import math
import sys

import numpy as np
import pytest
from compiled_table import Table, cases_of, outcome

import lantern as lt
from lantern.check.outcome import Tolerance
from lantern.staging.errors import StagingError

SOURCE = """
import math

import numpy as np


def aggregates(n: int):
    l = [2]
    for i in range(n):
        l.append((i * 7) % 5 - 2)
    return sum(l), min(l), max(l), sum(l, 10), any(l), all(l), len(l), sorted(l), sorted(l, reverse=True), max(l, key=lambda x: -x), min(l, default=3)


def empties(n: int):
    l = []
    for i in range(n):
        l.append(i)
    return max(l, default=-1), sum(l), any(l), all(l)


def empty_max(n: int):
    l = []
    for i in range(n):
        l.append(i)
    return max(l)


def zips(n: int):
    l = []
    for i in range(n):
        l.append(i * 1.5)
    s = 0.0
    for i, (a, b) in enumerate(zip(l, range(2, 100))):
        s += i * a + b
    for a, b in zip(reversed(l), [1, 2, 3]):
        s += a * b
    for x in map(lambda v: v + 1, l):
        s += x
    for x in filter(lambda v: v > 2, l):
        s -= x
    return s, list(map(lambda a, b: a * b, l, l)), list(filter(lambda v: v > 1, l)), list(reversed(l)), list(zip(l, l))[:2]


def strict(n: int):
    s = 0
    for a, b in zip(range(n), range(3), strict=True):
        s += a * b
    return s


def ranges(n: int):
    return len(range(0, n, 2)), len(range(n, 0, -2)), sum(range(n)), max(range(n + 1)), list(range(n)), list(range(n, -n, -3)), sorted(range(n), key=lambda i: i % 2)


def numbers(n: int):
    x = n * 0.75 - 1.25
    return abs(x), round(x), int(x), float(n), bool(n), divmod(n, 3), pow(n, 2), min(n, 3), max(x, 1.0), min(x, 2.0, key=lambda v: -v), round(n)


def iterators(n: int):
    l = []
    for i in range(n):
        l.append(i * i)
    it = iter(l)
    s = 0
    for x in it:
        if x > 3:
            break
        s += x
    rest = 0
    for x in it:
        rest += x
    return s, rest, next(it, -5)


def nexts(n: int):
    it = iter(range(n))
    a = next(it, 10)
    b = next(it)
    return a, b


def mine(n: int):
    def len(x):
        return 42
    l = []
    for i in range(n):
        l.append(i)
    return len(l)


def pylist(n: int):
    l = [n, 3, 2 * n]
    return sorted(l), max(l), min(l), sum(l), any(l), all(l), [3, n] == [n, 3], n in [1, 3], list(map(lambda x: x + 1, l)), list(filter(lambda x: x > 3, l)), max(l, key=lambda v: -v)


def orders_of_tuples(n: int):
    ps = [(i % 3, -i) for i in range(n)]
    ps.sort(key=lambda p: (p[1] % 2, p), reverse=n > 3)
    words = sorted([("b" if i % 2 else "a", (i % 3, 0.5 * i)) for i in range(n)], key=lambda w: (-w[1][0], w))
    return ps, sorted(ps), sorted(range(n), key=lambda i: (-(i % 2), i)), words, min(ps, default=(5, 5)), max(zip(range(n + 1), range(2, n + 3)))


def comparisons_of_tuples(n: int):
    ps = [(1.0, 1)]
    for i in range(n):
        ps.append((i * 0.5, n))
    a, b = ps[0], ps[-1]
    known = [(1.0, 2), (0.5, 4)]
    return a < b, a <= b, a == b, a != b, a > (1.0, n), (1.0, n) >= b, (0.5, n) in ps, ps.count((1.0, n)), ps.index(b), (0.5, n) in known, known.count((0.5, n))


def tuples_of_python(n: int):
    ps = [(n, 1), (2, n), (1, 3)]
    return sorted(ps), min(ps), max(ps, key=lambda p: (p[1], p[0])), ps.index((2, n)), ps.count((1, 3)), (n, 1) < (2, n)


def sums_of_arrays(n: int):
    vs = [np.arange(3.0) + i for i in range(n)]
    whole, flags = [np.arange(2) * i for i in range(n)], [np.arange(2) < i for i in range(n)]
    return sum(vs, np.ones(3)), sum(vs) / len(vs), sum(whole), sum(flags), sum(i * v for i, v in enumerate(vs)), sum(sum(v * w for v in vs) for w in vs if w[0] >= 0)


def beside_pythons_own(n: int):
    v, total = np.arange(3.0) * n, 0.0
    for i, (x, f, (name, by)) in enumerate(zip(v, [math.sin, math.exp, float], {"a": 1, "bc": 2}.items())):
        if x >= 0:
            total += f(x) * len(name) + by * i
    (first, of), *rest = zip(v, (abs, None))
    return total, of(first), len(rest), list(map(lambda x, f: f(x) + 1.0, v, [float, math.cos]))


def aug(n: int):
    s = 0
    for i in reversed(range(n)):
        s = s * 3 + i
    for i, c in enumerate(range(n), 5):
        s += i * c
    return s


def extremes_beside_nan(n: int):
    v = np.array([1.0, 3.0, 0.5, 2.0])
    v[n % 4] = math.nan
    w = -v
    return max(v), min(v), max(w), min(w, default=2.0), max(x for x in v), np.max(v), max(np.array([0.0, -0.0]) * n)
"""

NAMES = [
    "aggregates", "empties", "empty_max", "zips", "strict", "ranges", "numbers", "iterators", "nexts", "mine",
    "pylist", "orders_of_tuples", "comparisons_of_tuples", "tuples_of_python",
    "sums_of_arrays", "beside_pythons_own", "aug", "extremes_beside_nan",
]
if sys.version_info < (3, 10):
    NAMES.remove("strict")      # the keyword is Python 3.10's


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, NAMES)


@pytest.mark.parametrize("name, arguments", cases_of({name: (0, 1, 3, 4, 6) for name in NAMES}))
def test_compiled_is_python(table, name, arguments):
    plain, compiled = (outcome(functions[name], arguments) for functions in (table.plain, table.compiled))
    if name == "sums_of_arrays" and arguments == (0,):      # of no array Python's is the number 0
        plain = "ValueError"
    assert Tolerance(1e-15).alike(plain, compiled)


LENGTH = lt.Variable(np.float32(3.7))


def converted(n: lt.Tensor[lt.i64]):
    """Arrays and states of rank 0 are numbers to `int`, and integers of rank 0 to `range`."""
    total = 0
    for i in range(int(LENGTH)):
        total += i
    for i in range(n):
        total += i
    return total, int(n), float(LENGTH), bool(LENGTH), float(n)


def test_numbers_in_arrays():
    found = lt.function(converted)(np.array(4))
    assert found == converted(np.array(4)) and [type(x) for x in found] == [int, int, float, bool, float]


@pytest.mark.parametrize("kind", (int, float))
def test_an_array_is_no_number(kind):
    with pytest.raises(StagingError, match="only 0-dimensional arrays can be converted"):
        lt.function(lambda x: kind(x))(np.ones(3))


def test_a_gradient_goes_through_an_order_by_tuples():
    def weighted(xs: "list[float]"):
        pairs = sorted(zip(xs, reversed(xs)), key=lambda p: (round(p[0]), p[1]))
        return sum(a * b * (i + 1) for i, (a, b) in enumerate(pairs))

    xs = [1.0, 2.0, 1.3]
    value, gradient = lt.value_and_grad(lt.function(weighted))(xs)
    assert value == pytest.approx(weighted(xs)) and gradient == pytest.approx([3.9, 12.0, 3.0])


def test_what_has_no_order_is_refused():
    with pytest.raises(StagingError, match=r"an order of lt.Tensor\[lt.f32, 2\]: numbers, strings, and tuples and lists of them have one"):
        lt.function(lambda xs, n: sorted([(x, lt.zeros(2)) for x in xs]))([2.0, 1.0], 1)


def test_what_a_sum_begins_with_is_said():
    with pytest.raises(StagingError, match=r"sum\(\) begins with 1, and adds what does not fit it"):
        lt.function(lambda xs: sum((lt.zeros(int(x)) for x in xs), 1))([1.0, 2.0])
    with pytest.raises(StagingError, match=r"may still be the number 1, since sum\(\) may have had nothing to add"):
        lt.function(lambda xs: sum((lt.stack([x, x]) for x in xs), 1))([1.0, 2.0])


def test_what_is_pythons_alone_is_not_gone_through_beside_a_list():
    with pytest.raises(StagingError, match="a list of builtin_function_or_method and type is gone through together with something whose length"):
        lt.function(lambda xs: [f(x) for x, f in zip(xs, [abs, float])])([1.0, 2.0])


def test_what_fails_in_a_generator_fails_at_its_line():
    def numbered(xs: "list[float]", first: int):
        return sum(x * i for i, x in enumerate(xs, first))

    with pytest.raises(OverflowError, match=rf"test_builtins.py:{numbered.__code__.co_firstlineno + 1}:"):
        lt.function(numbered)([1.0, 2.0, 3.0], 2**63 - 2)


def test_infinity_is_no_whole_number():
    whole = lt.function(lambda x: (int(x), round(x), math.floor(x)))
    assert whole(2.5) == (2, 2, 2)
    with pytest.raises(OverflowError, match="cannot convert float infinity to integer"):
        whole(-math.inf)
    with pytest.raises(OverflowError, match="does not fit in a 64-bit integer"):
        whole(1e300)
