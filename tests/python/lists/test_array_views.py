"""Gradients of programs that write to arrays by other names and through views, against finite differences; all in one compiled program."""

import numpy as np
import pytest
from compiled_table import Table


SOURCE = '''
import numpy as np


def scale(row, x):
    row *= x


def a_row(v, m, n):
    a = m * 1.0
    row = a[n - 1]
    row *= v
    row[0] = v[1] * v[2]
    return np.sum(a * a)


def rows(v, m, n):
    a = m * m
    for row in a:
        row *= v
    return np.sum(np.sin(a))


def rows_that_are_read(v, m, n):
    a, s = m * 1.0, 0.0
    for row in a:
        row[0] = s + v[0]
        a[1, 2] += row[3]
        s += np.sum(row * row)
    return s + a[1, 2]


def numbered(v, m, n):
    a = np.zeros((3, 4))
    for i, row in enumerate(a):
        row += v * i
        row[i] = m[i, 1] * v[1]
    return np.sum(a * a)


def side_by_side(v, m, n):
    a, b = m * 1.0, m * 2.0
    for r, q in zip(a, b):
        r += q * v
        q[0] = r[1] * r[2]
    return np.sum(a * b)


def slices(v, m, n):
    a = m * m
    top = a[:n]
    top[:] = v
    odd = a[::2, 1::2]
    odd *= v[:2]
    return np.sum(a * m)


def transposed(v, m, n):
    a = m * 1.0
    t = a.T
    t[1] *= v[0]
    t[2, n - 1] = v[3] * v[3]
    return np.sum(a * a * a)


def reshaped(v, m, n):
    a = m.copy()
    flat = a.reshape(-1)
    flat[4:8] *= v
    flat[n] = v[0] * v[1]
    return np.sum(a * a)


def halves(v, m, n):
    a = v * v
    left, right = a[:2], a[2:]
    left += right
    right *= left
    return np.sum(a * a)


def two_names_in_a_loop(v, m, n):
    a = v.copy()
    b = a
    for i in range(n):
        b[i] *= a[i + 1]
        a[0] += b[i] * b[i]
    return np.sum(a * v)


def in_one_branch(v, m, n):
    a = m * 1.0
    row = a[1]
    if v[0] > 0.0:
        row *= v
    else:
        a[1, 0] = 3.0
    row += a[0]
    return np.sum(a * row)


def in_a_while(v, m, n):
    a, i = m * 1.0, 0
    while i < n:
        row = a[i]
        if row[1] > 2.0:
            row *= row
        else:
            row[:2] = v[:2] * v[2:]
        i += 1
    return np.sum(a * v)


def by_a_call(v, m, n):
    a = m * 1.0
    scale(a[1], v[0])
    scale(a[n - 1], v)
    return np.sum(a * a)


def swept(v, m, n):
    a = m * 1.0
    for k in range(2):
        for i in range(1, 3):
            up, here = a[i - 1], a[i]
            here += up * v
            up[k] = here[k + 1]
    return np.sum(a * a)
'''
NAMES = [line[4:].partition("(")[0] for line in SOURCE.splitlines() if line.startswith("def ") and "(v, m, n)" in line]
ANNOTATED = SOURCE.replace("(v, m, n):", "(v: lt.Tensor[lt.f64, 4], m: lt.Tensor[lt.f64, 3, 4], n: int):") + "".join(
    f"\n\ndef d_{name}(v: lt.Tensor[lt.f64, 4], m: lt.Tensor[lt.f64, 3, 4], n: int):\n    return lt.value_and_grad({name}, wrt=('v', 'm'))(v, m, n)\n" for name in NAMES)
V, M = np.array([0.7, -0.4, 1.1, 0.9]), np.linspace(-1.0, 1.5, 12).reshape(3, 4)


@pytest.fixture(scope="module")
def table():
    return Table(ANNOTATED, [f"d_{name}" for name in NAMES])


def moved(function, x, other, n, first, step=1e-6):
    found = np.zeros_like(x)
    for place in np.ndindex(*x.shape):
        ends = []
        for sign in (1, -1):
            y = x.copy()
            y[place] += sign * step
            ends.append(function(y, other, n) if first else function(other, y, n))
        found[place] = (ends[0] - ends[1]) / (2 * step)
    return found


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_gradient(table, name, n):
    function = getattr(table.module, name)
    value, (of_v, of_m) = table.compiled[f"d_{name}"](V, M, n)
    assert value == pytest.approx(function(V, M, n), rel=1e-12)
    assert np.allclose(of_v, moved(function, V, M, n, True), atol=1e-7) and np.allclose(of_m, moved(function, M, V, n, False), atol=1e-7)
