"""Arrays that loops change item by item: changed where they are if nobody sees it, and always what NumPy gives."""
import re

import numpy as np
import pytest
from compiled_table import Table, outcome

from lantern import compiled, core

# What each shows; which are changed in place is told by the number of calls of set_item in C++.
SOURCE = '''
def running_sums(v, m, n):
    out, total = v * 0.0, 0.0
    for i in range(len(v)):
        total += v[i]
        out[i] = total
    return out


def distances(v, m, n):
    d = lt.zeros((len(v) + 1, len(v) + 1), dtype=lt.f64)
    for i in range(len(v)):
        for j in range(len(v)):
            d[i + 1, j + 1] = (v[i] - v[j]) ** 2 + lt.minimum(d[i, j], lt.minimum(d[i, j + 1], d[i + 1, j]))
    return d


def swaps(v, m, n):
    a = v.copy()
    for i in range(len(a) // 2):
        t = a[i]
        a[i] = a[len(a) - 1 - i]
        a[len(a) - 1 - i] = t
    return a, v


def only_some(v, m, n):
    a = v * 1.0
    for i in range(len(v)):
        if v[i] > n:
            a[i] = -1.0
        elif v[i] == n:
            a[i] = a[i - 1] + a[-i]
    return a


def until(v, m, n):
    a, i = v * 1.0, 0
    while a[i] < 3.0:
        j = i
        while j < len(v):
            a[j] += 1.0
            j += n + 1
        i = (i + 1) % len(v)
    return a


def rows(v, m, n):
    h = m * 0.0
    for t in range(len(m) - 1):
        h[t + 1] = lt.tanh(h[t] + m[t])
    return h


def columns(v, m, n):
    h = m * 1.0
    for i in range(h.shape[1]):
        h[:, i] = h[:, i - 1] + 1.0
    return h


def parts(v, m, n):
    a = v * 1.0
    for i in range(len(v) - 1):
        a[i:i + 2] = a[i:i + 2] * 2.0 + v[0]
        a[1:] = a[:-1]
    return a


def of_a_list(v, m, n):
    xs = [v, v * 2.0, v * 3.0]
    for i in range(n):
        xs[i] = xs[i + 1] * 0.5
    return lt.stack(xs)


def cells(v, m, n):
    c = lt.zeros((3, 4, 5), dtype=lt.f64)
    for i in range(len(m)):
        for j in range(4):
            c[i, :, j] = m[i] * v
            c[:, j, n:] += v[j]
    return c


def two_at_once(v, m, n):
    a, b = v * 1.0, v * 2.0
    for i in range(len(v)):
        a[i] = b[-1 - i]
        b[i] = a[i] + 1.0
    return a, b


def the_one_before(v, m, n):
    a = v * 1.0
    before = v * 0.0
    for i in range(len(v)):
        before = a.copy()
        a[i] = 7.0
    return a, before


def all_before(v, m, n):
    a = v * 1.0
    kept = []
    for i in range(len(v)):
        kept.append(a.copy())
        a[i] = float(i)
    return a, lt.stack(kept)


def changing_places(v, m, n):
    a, b = v * 1.0, v * 2.0
    for i in range(n + 1):
        a[0] = b[1] + 1.0
        a, b = b, a
    return a, b


def a_copy_of_what_stays(v, m, n):
    a = v * 1.0
    b = a.copy()
    for i in range(len(v)):
        a[i] = 5.0
    return a, b, v


def a_copy_that_changes(v, m, n):
    a = v * 1.0
    b = a.copy()
    for i in range(n):
        b[i] = b[i] + a[-1]
    c = b.copy()
    for i in range(n):
        c[i] = c[i] * b[0]
    return a, b, c


def one_or_the_other(v, m, n):
    a, b = v * 1.0, v * 2.0
    for i in range(len(v)):
        c = a.copy() if i < n else b.copy()
        c[i] = 9.0
        a = c
    return a, b


def new_ones_between(v, m, n):
    a = v * 1.0
    for i in range(len(v)):
        a[i] = 3.0
        if i == n:
            a = a * 2.0
    return a


def views_in_between(v, m, n):
    g = m * 1.0
    total = 0.0
    for i in range(len(m)):
        row = g[i]
        total += lt.sum(row) + row[n]
        g[i, n] = total
        total += lt.sum(g[i, 1:])
    return g, total


def out_of_range(v, m, n):
    a = v * 1.0
    for i in range(n + 3):
        a[i] = 1.0
    return a


def by_a_function(v, m, n):
    a = v * 1.0
    for i in range(len(v)):
        a = put(a, i, a[i - 1])
    return a


def put(a, i, x):
    a[i] = x
    for k in range(i):
        a[k] = a[k] + 0.5
    return a


def numbers(v, m, n):
    found = lt.zeros(20, dtype=lt.i64)
    primes = 0
    for i in range(2, 17 + n):
        if found[i] == 0:
            primes += 1
            for j in range(i * i, 17 + n, i):
                found[j] = i
    return found, primes


def cubes(v, m, n):
    c = lt.zeros((2, 3, 4), dtype=lt.f64)
    for i in range(len(m) - 1):
        for j in range(len(m)):
            c[i, j] = v * (i + j)
            for k in range(len(v)):
                c[i, j, k] += c[i - 1, j - 1, k - 1]
    return c
'''
NAMES = [name for name in re.findall(r"^def (\w+)", SOURCE, re.MULTILINE) if name != "put"]
COPIED = {"all_before", "changing_places", "one_or_the_other", "new_ones_between", "the_one_before"}   # nothing of them in place, or not all
SMOOTH = {"running_sums": "a", "distances": "a", "swaps": "a, b", "only_some": "a", "rows": "a", "columns": "a", "parts": "a", "cells": "a", "two_at_once": "a, b", "a_copy_that_changes": "a, b, c",
          "by_a_function": "a", "cubes": "a"}     # and what they give
GRADIENTS = "".join(f'''

def loss_{name}(v, m, n):
    {results} = {name}(v, m, n)
    return {" + ".join(f"lt.sum(lt.sin({result}))" for result in results.split(", "))}


def slope_{name}(v, m, n):
    return lt.grad(loss_{name}, wrt="v")(v, m, n)
''' for name, results in SMOOTH.items())


def arguments(n):
    return np.array([1.0, 2.0, 3.0, 4.0]), np.arange(12.0).reshape(3, 4), n


@pytest.fixture(scope="module")
def table():
    text = (SOURCE + GRADIENTS).replace("(v, m, n):", "(v: lt.Tensor[lt.f64, 'k'], m: lt.Tensor[lt.f64, 'r', 'k'], n: int):")
    return Table(text, [*NAMES, *(f"{kind}_{name}" for name in SMOOTH for kind in ("loss", "slope"))])


@pytest.mark.parametrize("name", NAMES)
def test_they_are_numpys(table, name):
    for n in range(4):
        expected, actual = outcome(table.plain[name], arguments(n)), outcome(table.compiled[name], arguments(n))
        if isinstance(expected, str) or isinstance(actual, str):
            assert actual == expected
        else:
            for one, other in zip(*(x if isinstance(x, tuple) else (x,) for x in (expected, actual))):
                assert np.allclose(one, other, rtol=1e-12), f"of {n}: NumPy gives {one}, compiled {other}"


@pytest.mark.parametrize("name", SMOOTH)
def test_so_are_their_gradients(table, name):
    v, m, n = arguments(2)
    v = v + 0.25    # where all have a derivative
    loss, slope = table.plain[f"loss_{name}"], table.compiled[f"slope_{name}"](v, m, n)
    for i in range(len(v)):
        step = np.where(np.arange(len(v)) == i, 1e-6, 0.0)
        assert slope[i] == pytest.approx((loss(v + step, m, n) - loss(v - step, m, n)) / 2e-6, rel=1e-6, abs=1e-7)


def test_where_nobody_sees_it_nothing_is_copied(table):
    listing = core.compile(table.text, "table.sexpr", {"emit": "cpp"})
    bodies = {name: re.search(rf"^\S[^\n]* {name}(_on_stack)?\([^;]*?\{{\n.*?^\}}", listing, re.MULTILINE | re.DOTALL)[0] for name in NAMES}
    assert {name for name, body in bodies.items() if "with_item(" in body or "concat(" in body} == COPIED
    assert {name for name, body in bodies.items() if re.search(r"set_item\(|item_of\(|set_slice\(|\] [-+*/]?= ", body)} >= set(NAMES) - COPIED - {"by_a_function"}


OVERLAPPING = """
(define transposed ((a (tensor f64 4 4)))
  (for i (range 0 3 1) ((b a)) true
    (with-slice b (+ i 1) (reshape (index b i) 4 1) 1)))
(export transposed (a (required) ""))
"""


def test_what_is_set_may_be_a_part_of_the_same_array():
    """A column from a row, which the column crosses."""
    table, expected = np.arange(16.0).reshape(4, 4), np.arange(16.0).reshape(4, 4)
    for i in range(3):
        expected[:, i + 1] = expected[i].copy()     # NumPy's own assignment reads what it has written
    listing = core.compile(OVERLAPPING, "table.sexpr", {"emit": "cpp"})
    assert "set_slice(" in listing and "with_slice(" not in listing
    call = compiled.Program(compiled.build(OVERLAPPING, "table.sexpr", "program"), {}).entry("transposed")
    assert np.array_equal(np.squeeze(call(table)), expected)
