"""Adjoints of arrays that are taken apart: joined from the parts' where those are all of it (pass join-adjoints), added up elsewhere."""
import numpy as np
import pytest

import lantern as lt
from lantern import core


def gates(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    i, f, o = lt.split(lt.sin(x), 3)
    c = lt.sigmoid(f) * c + lt.tanh(i)
    return lt.sum(lt.sigmoid(o) * lt.tanh(c))


def parts_that_need_each_other(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    a, b, d = x[0:4] * c, x[4:8], x[8:12]
    b = lt.exp(b * a)
    return lt.sum(d * b * a + a * a)


def a_part_is_missing(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    return lt.sum(lt.tanh(x[0:4]) * c * x[8:12])


def parts_overlap(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    return lt.sum(lt.tanh(x[0:4]) * c) * lt.sum(x[2:6] ** 2) + lt.sum(x[6:12])


def a_part_is_used_twice(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    y = x * 2.0
    return lt.sum(lt.tanh(y[0:6]) * 3.0) * lt.sum(y[0:6]) + lt.sum(lt.exp(y[6:12]))


def the_whole_is_used_too(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    y = lt.tanh(x)
    first, second = lt.split(y, 2)
    return lt.sum(first * second) + lt.sum(y * y) * lt.sum(c)


def parts_of_parts(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    first, second = lt.split(x * x, 2)
    a, b = lt.split(first * lt.sin(second), 2)
    return lt.sum(a / (2.0 + b)) + lt.sum(lt.log(1.0 + second)) * lt.sum(c)


def rows_of_a_matrix(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    m = lt.reshape(x, (3, 4)) * c
    return lt.sum(lt.tanh(m[0:1]) * m[1:3])


def in_a_loop(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    state = c
    for n in range(3):
        i, f, o = lt.split(lt.sin(x * (n + 1.0)), 3)
        state = lt.sigmoid(f) * state + i * lt.tanh(o)
    return lt.sum(state * state)


def of_one_length_of_many(x: lt.Tensor[lt.f64, None], c: lt.Tensor[lt.f64, None]):
    n = len(c)
    return lt.sum(x[0:n] * lt.tanh(x[n:2 * n]) * c + x[2 * n:3 * n])


def terms_of_any_length(x: lt.Tensor[lt.f64, None], c: lt.Tensor[lt.f64, None]):
    """The adjoints of `a + a` and of `u` begin as that of their sum is, and `a`'s is added to."""
    a = lt.sin(x)
    u = lt.sum(a) * lt.cos(x)
    return lt.sum(a + a + u) * lt.sum(c)


PROGRAMS = [gates, parts_that_need_each_other, a_part_is_missing, parts_overlap, a_part_is_used_twice, the_whole_is_used_too, parts_of_parts, rows_of_a_matrix,
            in_a_loop, of_one_length_of_many, terms_of_any_length]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("program", PROGRAMS, ids=[program.__name__ for program in PROGRAMS])
def test_gradients_are_those_of_plain_python(program):
    plain = lt.value_and_grad(program, wrt=("x", "c"))
    compiled = lt.function(plain, dtype="f64")
    rng = np.random.default_rng(4)
    for _ in range(2):
        x, c = rng.normal(size=12), rng.normal(size=4)
        (value, slopes), (expected, wanted) = compiled(x, c), plain(x, c)
        np.testing.assert_allclose(value, expected, rtol=1e-12)
        for slope, exact in zip(slopes, wanted):
            np.testing.assert_allclose(slope, exact, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("program, joined", [(gates, True), (in_a_loop, True), (a_part_is_missing, False), (parts_overlap, False), (of_one_length_of_many, False)])
def test_where_they_are_joined(program, joined):
    text = lt.function(lt.value_and_grad(program, wrt="x")).text(np.ones(12), np.ones(4))
    written = core.compile(text, "program.sexpr", {"emit": "cpp"})
    assert ("concat(" in written, "placed(" in written) == (joined, not joined)
