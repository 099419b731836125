"""Derivatives of what functions that call themselves put into lists and arrays of the function around them, in their cells, and in attributes."""
import numpy as np
import pytest
from compiled_table import module_of

import lantern as lt

OF_NUMBERS = '''
import numpy as np


def table(x: float, n: int):
    known = [0.0] * (n + 1)
    def go(k):
        if k < 2:
            return x * k + 1.0
        if known[k] <= 0.0:
            known[k] = go(k - 1) * x + go(k - 2)
        return known[k]
    return go(n)


def collected(x: float, n: int):
    out = [x]
    def go(k, y):
        if k == 0:
            return y
        out.append(y * x)
        r = go(k - 1, y + x)
        out.append(r)
        out[0] = out[0] * y
        return r * 1.5
    total = go(n, 1.0)
    for v in out:
        total = total * 0.5 + v * v
    return total


def products(x: float, n: int):
    path, out = [], [0.0]
    def go(k, p):
        if k == 0:
            for v in path:
                p = p * v
            out.append(p)
            return
        for c in range(2):
            path.append(x + c)
            go(k - 1, p * 0.5)
            path.pop()
    go(n, x)
    return sum(out)


class Bag:
    def __init__(self, x):
        self.items, self.x = [x], x

    def fill(self, k):
        if k == 0:
            return self.items[-1]
        self.items.append(self.items[-1] * self.x)
        r = self.fill(k - 1)
        self.items[0] = self.items[0] + r
        return r * self.x

    def again(self, k):
        return self.fill(k)


def attribute(x: float, n: int):
    b = Bag(x)
    total = b.fill(n) + b.again(n)
    for v in b.items:
        total += v * v
    return total


def mutual(x: float, n: int):
    a, b = [x], [1.0]
    def even(k):
        a.append(b[-1] * x)
        if k > 0:
            odd(k - 1)
        b.append(a[-1])
    def odd(k):
        b.append(a[-1] + x)
        if k > 0:
            even(k - 1)
    even(n)
    return sum(a) + sum([v * v for v in b])


def one_list_by_three_names(x: float, n: int):
    a = [x]
    b = a
    def go(k, c):
        if k == 0:
            return c[-1]
        a.append(x * k)
        c[0] = c[0] * b[-1]
        return go(k - 1, c) + c[0]
    return go(n, b) + a[0] * b[-1]


def arrays(x: float, n: int):
    kept = [lt.full((2,), x, dtype=lt.f64)]
    def go(k, w):
        if k == 0:
            return lt.sum(w * kept[-1])
        kept.append(w * x)
        r = go(k - 1, w * 0.5 + x)
        kept.append(w * r)
        return r
    total = go(n, lt.full((2,), x * 2.0, dtype=lt.f64))
    for w in kept:
        total = total + lt.sum(w * w)
    return total


def a_gradient(x: float, n: int):
    def loss(y):
        out = [y]
        def go(k):
            if k == 0:
                return 0.0
            out.append(out[-1] * y)
            return go(k - 1) + out[-1]
        return go(n) + out[-1]
    return lt.grad(loss, wrt="y")(x)


def in_an_array(x: float, n: int):
    known = np.zeros((n + 2, 2))
    other = known
    def go(k):
        if k < 1:
            return x
        if known[k, 0] == 0.0:
            known[k] = go(k - 1) * x
            row = known[k]
            row += other[k - 1] + go(k - 2)
            known[k][1] *= x
        return known[k, 0]
    first = go(n)
    known[0] = 1.0
    return first * go(n + 1) + np.sum(other * other)


def in_parts_of_an_array(x: float, n: int):
    known = np.zeros((2, 3, 2)) + x
    def go(k):
        if k > 0:
            known[k % 2][1][0] -= x
            row = known[1]
            row[k % 3] += x * k
            go(k - 1)
            known[1:][0][2] *= row[0, 0]
            np.add.at(known[0], [0, 2, 0], x * known[1, 0])
    go(n)
    return np.sum(known * known)


class Tree:
    def __init__(self, n):
        self.seen = np.zeros(n + 1)

    def visit(self, k, y):
        self.seen[k] += y
        if k > 0:
            self.visit(k - 1, y * 0.5)
        self.seen[0] *= y


def in_an_attributes_array(x: float, n: int):
    tree = Tree(n)
    tree.visit(n, x)
    kept = tree.seen
    tree.visit(n // 2, x * x)
    return np.sum(tree.seen ** 2) + kept.sum()


def each_by_the_other(x: float, n: int):
    known = [0.0] * (n + 1)
    def even(k):
        if k == 0:
            return 1.0
        known[k] = odd(k - 1) * x
        return known[k]
    def odd(k):
        if k == 0:
            return 0.5
        known[k] = known[k] + even(k - 1) + x
        return known[k]
    return even(n) + sum(known)


def heaviest(xs):
    best = []
    for i, x in enumerate(xs):
        best.append(max([best[j] for j in range(i) if xs[j] < x], default=0.0) + x)
    i, chain = max(range(len(best)), key=lambda k: best[k]), []
    while i >= 0:
        chain.append(xs[i])
        i -= 1
    return best[max(range(len(best)), key=best.__getitem__)], chain[::-1]


def total(x: float, n: int):
    return in_parts_of_an_array(x, n) + in_an_array(x, n) * in_an_attributes_array(x, n) + each_by_the_other(x, n) + heaviest([x, x * x, x + n])[0] + table(x, n) + 2 * collected(x, n) + 3 * products(x, n) + 5 * attribute(x, n) + 7 * mutual(x, n) + 11 * one_list_by_three_names(x, n) \\
        + 13 * arrays(x, n) + 17 * a_gradient(x, n)
'''


@pytest.fixture(scope="module")
def of_numbers():
    """Plain, its derivative, and one along a direction: each is compiled once, for all n."""
    plain = module_of(OF_NUMBERS).total
    function = lt.function(plain)
    return plain, lt.value_and_grad(function, wrt="x"), function


@pytest.mark.slow
@pytest.mark.parametrize("n", [0, 1, 2, 4])
def test_derivatives_are_those_of_differences(of_numbers, n):
    plain, value_and_slope, function = of_numbers
    value, slope = value_and_slope(0.7, n)
    assert value == pytest.approx(plain(0.7, n), rel=1e-12)
    assert slope == pytest.approx((plain(0.7 + 1e-5, n) - plain(0.7 - 1e-5, n)) / 2e-5, rel=1e-6)
    assert np.allclose(lt.jvp(function, (0.7, n), (1.0, None)), (value, slope), rtol=1e-9)
