"""Loops under differentiation: compiled gradients against central differences of the plain Python."""
import resource

import numpy as np
import pytest

import lantern as lt


def power_sum(x: float, n: int):
    s = 1.0
    for i in range(n):
        s = s * x + i
    return s


def until_large(x: float, n: int):
    turns = n
    while x < 100.0:
        if x > 10.0:
            x = x * 1.5
        else:
            x = x * x
        turns += 1
    return x + turns


def nested_with_break(x: float, n: int):
    s = 0.0
    for i in range(n, 0, -2):
        for j in range(i):
            if j > 3:
                break
            s = s + x * j * s + i
    return s


@pytest.mark.parametrize("f, x, n", [(power_sum, 1.1, 5), (power_sum, 1.1, 0), (until_large, 1.7, 0), (nested_with_break, 0.01, 9)])
def test_a_gradient_through_a_loop_is_that_of_its_turns(f, x, n):
    value, gradient = lt.value_and_grad(lt.function(f))(x, n)
    assert value == pytest.approx(f(x, n), rel=1e-14)
    step = 1e-6
    assert gradient == pytest.approx((f(x + step, n) - f(x - step, n)) / (2 * step), rel=1e-7, abs=1e-9)


def swapped(a, n: int):
    b, first = a[::-1], a[0]
    for i in range(n):
        a, b = b, a * 0.5 + b
        first = a[0]
        for x in a[:2] * 0.25:
            b = b + x
        if i % 7 == 3:
            a = b[::-1] - first
    return a, b, first


def test_turns_take_the_memory_of_one():
    f, a = lt.function(swapped), np.linspace(-0.1, 0.1, 1 << 14)
    for n in (0, 1, 5):
        for got, wanted in zip(f(a, n), swapped(a, n)):
            np.testing.assert_allclose(got, wanted, rtol=1e-14)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    f(a * 1e-9, 300)    # whose arrays are 80 MB
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8192   # KB


def test_a_loop_over_an_array():
    def squares(a):
        s = 0.0
        for x in a:
            s = s + x * x
        return s

    a = np.array([1.0, -2.0, 3.0])
    value, gradient = lt.value_and_grad(lt.function(squares))(a)
    assert value == 14.0
    np.testing.assert_array_equal(gradient, 2 * a)


def power(x: float, n: int):
    return 1.0 if n == 0 else x * power(x, n - 1)


def turns_that_recurse(x: float, start: int, stop: int, step: int, n: int):
    s = 1.0
    for i in range(start, stop, step):
        s = s * power(x, n) + i
    return s


def test_a_range_whose_turns_recurse():
    compiled = lt.value_and_grad(lt.function(turns_that_recurse), wrt="x")
    for bounds in ((0, 5, 2, 2), (5, 0, -2, 2), (3, 3, 1, 2)):
        value, gradient = lt.value_and_grad(turns_that_recurse, wrt="x")(1.1, *bounds)
        assert compiled(1.1, *bounds) == (pytest.approx(value), pytest.approx(gradient))
    with pytest.raises(ValueError, match=r"range\(\) arg 3 must not be zero"):
        compiled(1.1, 0, 5, 0, 2)
