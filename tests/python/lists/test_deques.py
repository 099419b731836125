"""`collections.deque`, compared, rotated, shortened and bounded by what the program knows."""
import pytest
from compiled_table import Table, outcome

import lantern as lt

SOURCE = """
import collections


def filled(n, x):
    d = collections.deque()
    for i in range(n):
        d.append(i * x)
    return d


def bounded(n: int, x: int):
    d, e, out = collections.deque(maxlen=n), collections.deque([1, x, 3], n + 1), []
    for i in range(6):
        d.append(i * x)
        e.appendleft(i)
        out.append(sum(d) * 10 + len(e))
    return out, list(d), list(e), d.maxlen == n


def of_no_length(n: int, x: int):
    return len(collections.deque(maxlen=n - 2))


def equal(n: int, x: int):
    d, e, f = filled(n, x), filled(n, x), filled(n, x)
    f.append(1)
    f.popleft()
    return (d == e, d != e, d == f, d != f, d == list(d), list(d) == d, d == collections.deque([0, x, 2 * x]), collections.deque([0, x]) == d,
            d == collections.deque(), collections.deque() == filled(0, x))


def equal_within(n: int, x: int):
    d, e, f, s, t = filled(n, x), filled(n, x), filled(n + 1, x), set(), set()
    for i in range(n):
        s.add(i)
        t.add(n - 1 - i)
    return ({"a": d} == {"a": e}, {"a": d} != {"a": f}, [[d]] == [[e]], ({"a": [d]}, 1) == ({"a": [f]}, 1), {"a": s} == {"a": t}, {"a": {"b": [s]}} != {"a": {"b": [t]}},
            {"a": 1, "b": d} == {"b": e, "a": 1})


def backwards(n: int, x: int):
    d, total = filled(n, x), 0
    for i, v in enumerate(reversed(d)):
        total += i * v
    for v, w in zip(d, reversed(d)):
        total = total * 3 + v * w
    d.reverse()
    return total, list(reversed(d)), list(d)


def longer_while_gone_through(n: int, x: int):
    d, total = filled(n, x), 0
    for v in d:
        total += v
        if v > 3:
            d.append(1)
    return total, list(d)


def shorter_while_gone_through(n: int, x: int):
    d = filled(n, x)
    for i, v in enumerate(d):
        if i == n - 1:
            d.popleft()
    return list(d)


def changed_and_left(n: int, x: int):
    d, total = filled(n, x), 0
    for v in d:
        total += v
        d[0] += v
        if v == 2 * x:
            d.remove(v)
            break
    return total, list(d)


def turned(n: int, x: int):
    d, e = filled(n, x), filled(n, x)
    d.rotate()
    e.rotate(-2)
    d += e
    d.rotate(n + 5)
    return list(d), list(e)


def shortened(n: int, x: int):
    d = filled(n, x)
    d.append(7)
    d.remove(x)
    del d[-1]
    d.insert(1, 5)
    d.insert(-1, 6)
    d.insert(100, 8)
    d.insert(-100, 9)
    return list(d), d.index(5), d.index(8)


def not_there(n: int, x: int):
    return filled(n, x).index(-1)


def removed_though_not_there(n: int, x: int):
    d = filled(n, x)
    d.remove(-1)
    return len(d)


def deleted_though_not_there(n: int, x: int):
    d = filled(n, x)
    del d[n]
    return len(d)


def more_than_fit(n: int, x: int):
    d = collections.deque([1, 2], maxlen=n)
    d.insert(0, x)
    return list(d)


class Shelf:
    def __init__(self):
        self.items, self.first = [], [0]

    def place_of(self, x):
        for i in range(len(self.items)):
            if self.items[i] == x:
                return i
        raise ValueError(f"no {x}")

    def without(self, x):
        del self.items[self.first[0] + self.place_of(x)]


def deleted_by_a_method(n: int, x: int):
    shelf = Shelf()
    for i in range(n):
        shelf.items.append(i * x)
    shelf.without(x)
    return shelf.items
"""
NAMES = ["bounded", "of_no_length", "equal", "equal_within", "backwards", "longer_while_gone_through", "shorter_while_gone_through", "changed_and_left", "turned", "shortened", "not_there", "removed_though_not_there", "deleted_though_not_there",
         "more_than_fit", "deleted_by_a_method"]


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, NAMES)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arguments", [(0, 1), (1, 2), (3, 2), (5, 3)])
def test_what_a_deque_does(table, name, arguments):
    assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments)


def remembered(n, x):
    """The elements that are gone through at first are known from what is computed of them."""
    import collections
    history, direction = collections.deque(maxlen=2), x
    for _ in range(n):
        for step, rho in reversed(history):
            direction = direction - rho * step * x
        for step, rho in history:
            direction = direction + 0.5 * rho * step
        history.append((direction * 0.3, direction - x))
    return direction


def test_the_gradient_of_what_it_remembers():
    value, gradient = lt.value_and_grad(lt.function(remembered), wrt="x")(5, 0.7)
    assert value == pytest.approx(remembered(5, 0.7), rel=1e-12)
    assert gradient == pytest.approx((remembered(5, 0.7 + 1e-6) - remembered(5, 0.7 - 1e-6)) / 2e-6, rel=1e-6)
