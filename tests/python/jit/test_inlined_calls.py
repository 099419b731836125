"""A loop that sets items, and calls functions for them, has one array, forwards and backwards, as if they were written in it."""
import re

import numpy as np
import pytest

import lantern as lt
from lantern import core
from thorough import one_of

Vector = lt.Tensor[lt.f64, "n"]


def softmin(a, b, c, g):
    m = min(a, b, c)
    return m - g * np.log(np.exp((m - a) / g) + np.exp((m - b) / g) + np.exp((m - c) / g))


def of_a_helper(x: Vector, g: float):
    n = len(x)
    r = np.full((n + 1, n + 1), 1e3)
    r[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            r[i, j] = (x[i - 1] - np.sin(x[j - 1])) ** 2 + softmin(r[i - 1, j], r[i, j - 1], r[i - 1, j - 1], g)
    return r[n, n]


def leaky(x, slope):
    if x > 0.0:
        y = x * x
    else:
        y = slope * x
    return y


def both(x, y, slope):
    return leaky(x, slope) + y, leaky(x - y, 0.5), 1.5


def of_helpers_with_branches(x: Vector, g: float):
    sums = np.zeros(len(x))
    m = 0.25
    for i in range(1, len(x)):
        a, m, factor = both(x[i], sums[i - 1], g)
        sums[i] = a * factor + m
    return np.sum(sums * x) + m


def power(x, n):
    return 1.0 if n <= 0 else x * power(x, n - 1)


def of_a_recursion(x: Vector, g: float):
    a = np.zeros(len(x))
    for i in range(1, len(x)):
        a[i] = power(x[i] * g, i) + a[i - 1] * a[i - 1]
    return np.sum(a)


def checked(x):
    if x > 100.0:
        raise ValueError("too large")
    return x * x


def of_what_may_fail(x: Vector, g: float):
    a = np.zeros(len(x))
    for i in range(1, len(x)):
        a[i] = checked(x[i]) + a[i - 1] * g
    return np.sum(a * a)


INLINED, KEPT = (of_a_helper, of_helpers_with_branches, of_what_may_fail), (of_a_recursion,)
CASES = (*INLINED, *KEPT)
X, G = np.array([0.3, -0.2, 0.5, 1.5, -0.7]), 0.4


def gradients(x: Vector, g: float):
    """Of each case: its value and its gradient; one program has them all."""
    return tuple((value, *slopes) for value, slopes in [lt.value_and_grad(case, wrt=("x", "g"))(x, g) for case in CASES])


@pytest.mark.parametrize("schedule", one_of(["auto", "depth-first"], 0))
def test_gradients(monkeypatch, schedule):
    monkeypatch.setenv("LANTERN_SCHEDULE", schedule)
    found = lt.function(gradients)(X, G)
    monkeypatch.setenv("LANTERN_DISABLE_PASS", "inline-calls")
    kept = lt.function(gradients)(X, G)
    step = 1e-6
    for case, (value, dx, dg), without in zip(CASES, found, kept):
        assert value == pytest.approx(case(X, G), rel=1e-12), case.__name__
        for ours, other in zip((value, dx, dg), without):
            np.testing.assert_allclose(ours, other, rtol=1e-12, atol=1e-14, err_msg=case.__name__)
        expected = [(case(X + step * e, G) - case(X - step * e, G)) / (2 * step) for e in np.eye(len(X))]
        np.testing.assert_allclose(dx, expected, rtol=1e-6, atol=1e-8, err_msg=case.__name__)
        assert dg == pytest.approx((case(X, G + step) - case(X, G - step)) / (2 * step), rel=1e-6, abs=1e-8), case.__name__


@pytest.mark.parametrize("case", CASES)
def test_where_the_array_is_one(case):
    def f(x: Vector, g: float):
        return lt.value_and_grad(case, wrt="x")(x, g)
    text = core.compile(lt.function(f).text(X, G), "f", {"emit": "cpp"})
    assert ("_loop(" in text) == (case in KEPT)
    assert bool(re.search(r"\bset_item\(|\] [-+*/]?= ", text)) == (case in INLINED)


def test_nothing_is_differentiated():
    """The user's function is called then."""
    text = core.compile(lt.function(of_a_helper).text(X, G), "f", {"emit": "cpp"})
    assert "+ softmin(" in text
