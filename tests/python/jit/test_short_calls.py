"""Which calls go the short way (repeated.py), and that they give what plain Python gives."""
import heapq
import math
import types

import numpy as np
import pytest

import lantern as lt
from lantern.staging import contents

W, B = np.array([[1.0, 2.0], [3.0, -4.0]]), np.array([0.5, -0.5])


class Cell:
    def __init__(self, scale):
        self.scale, self.layers = scale, [[1.0], [2.0]]

    def activation(self, x):
        return x * self.scale


def push_smallest(xs):
    heap = []
    for i in range(len(xs)):
        heapq.heappush(heap, (xs[i], i))
    pairs = [heapq.heappop(heap) for _ in range(2)]
    return pairs[0][0] * 10.0 + pairs[1][0], [pairs[0][1]] + [pairs[1][1]]


ONE, OTHER = Cell(2.0), Cell(3.0)
SHORT = {       # name → a function, its arguments in turn, how many of the calls go the long way
    "lists of numbers": (lambda xs: sum(xs) * len(xs), [([1, 2],), ([3, 4, 5],), ([1.5],), ([-1],), ([0.5, 2.5],), ([7, 8.5],), ([9, 8.5],)], 4),
    "lists of arrays": (lambda xs: sum(xs), [([B],), ([B, W[0]],), ([W[1], B, B],), ([W, W],), ([W.T, W],), ([B[:1], B],), ([B[1:], B],)], 3),
    "arrays that change": (lambda xs: xs[0] @ xs[1], [([W[0, i:], B[i:]],) for i in (0, 0, 1, 1)], 2),
    "numbers at the edge": (lambda xs: xs[0], [([1 << i],) for i in (0, 1, 62)], 1),
    "lists of lists": (lambda xs: sum(sum(x) for x in xs) + len(xs), [([[1, 2], []],), ([[3]],), ([[], [], [4, 5]],), ([[1.5], [2]],), ([[0.5], [1.5]],), ([[0.25]],)], 3),
    "texts": (lambda xs, x: x * 2.0 if xs[0] == "twice" else x, [(["once"], 1.0), (["twice", "once"], 2.0), (["once", ""], 3.0)], 1),
    "objects": (lambda cell, x: cell.scale * x, [(cell, x) for x in (1.0, 2.0) for cell in (ONE, OTHER)], 2),
    "objects in dicts": (lambda p: p["cell"].scale * p["x"] + len(p["words"]), [({"cell": cell, "x": 2.0, "words": [1] * n},) for n in (1, 2) for cell in (ONE, OTHER)], 2),
    "functions": (lambda f, x: f(x), [(f, x) for x in (1.0, 2.0) for f in (math.sin, np.cos, abs)], 3),
    "results with lists": (lambda x, n: (x * 2.0, [x] * n, [[x]] * n), [(1.5, 1), (2.5, 2), (3.5, 0)], 1),
    "what is made on the way": (push_smallest, [(np.array(x),) for x in ([3.0, 1.0, 2.0], [0.5, 4.0, 0.25], [1.0, 2.0, 3.0])], 1),
    "empty lists": (lambda xs, n: sum(xs) + n, [([1.0], 1), ([2.0], 2)], 1),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", SHORT)
def test_calls_that_go_the_short_way(monkeypatch, name):
    function, all_arguments, count = SHORT[name]
    compiled, long = lt.function(function), []
    call_any = type(compiled)._call_any
    monkeypatch.setattr(type(compiled), "_call_any", lambda *arguments: long.append(1) or call_any(*arguments))
    for arguments in all_arguments:
        found, expected = compiled(*arguments), function(*arguments)
        assert type(found) is type(expected)
        if isinstance(expected, tuple):
            assert repr(found) == repr(expected)
        else:
            np.testing.assert_allclose(found, expected, rtol=1e-15)
    assert len(long) == count


def test_what_a_short_call_knows_may_change():
    cell = Cell(2.0)
    compiled = lt.function(lambda cell, x: cell.scale * x + sum(layer[0] for layer in cell.layers))
    for change in (lambda: None, lambda: setattr(cell, "scale", 5.0), lambda: cell.layers[1].__setitem__(0, 7.0), lambda: cell.layers.append([1.0])):
        change()
        assert [compiled(cell, x) for x in (1.0, 2.0)] == [cell.scale * x + sum(layer[0] for layer in cell.layers) for x in (1.0, 2.0)]
    with pytest.raises(OverflowError, match="argument 'xs'.* does not fit in 64 bits"):
        first = lt.function(lambda xs: xs[0])
        assert [first([1]), first([2]), first([3])] == [1, 2, 3]
        first([1 << 63])


def test_what_is_known_is_passed_on_in_the_place_of_nothing_else():
    """The whole number is known, and the number, of NumPy's, is none that goes the short way."""
    def power(n: lt.static[int], x: float):
        return x * n
    compiled, two = lt.function(power), np.float64(2.0)
    assert [compiled(*arguments) for arguments in [(3, two)] * 3 + [(3, 2.5), (4, two), (3, two)]] == [6.0, 6.0, 6.0, 7.5, 8.0, 6.0]


HELD, TABLE = {"a": 1.0, "b": 2.0}, W.copy()


def views(x):
    return (x * sum(HELD.values()), x * list(HELD.values())[0], len(HELD.keys()), max(v for _, v in HELD.items()), x * TABLE.T[0, 1], x * sum(TABLE.ravel()),
            x * sum(row[1] for row in TABLE.T), x * TABLE.tolist()[1][0], x * sum(types.MappingProxyType(HELD).values()))


def test_what_is_read_by_way_of_a_view_may_change():
    compiled = lt.function(views)
    for change in (lambda: None, lambda: HELD.update(a=5.0), lambda: TABLE.__setitem__((1, 0), 9.0), lambda: HELD.update(c=1.0)):
        change()
        for _ in range(2):
            np.testing.assert_allclose(compiled(2.0), views(2.0))


def test_nothing_that_a_trace_has_made_is_looked_at_again(monkeypatch):
    compiled, looked_at = lt.function(push_smallest), []
    compiled(np.arange(3.0))
    is_same = contents._is_same
    monkeypatch.setattr(contents, "_is_same", lambda before, now: looked_at.append(1) or is_same(before, now))
    compiled(np.arange(3.0))
    assert not looked_at
