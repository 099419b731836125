"""Loops that run backwards: gradients against the tape and central differences, and what they take."""
import resource

import numpy as np
import pytest

import lantern as lt
from gradients import check


def powers(x: float, n: int):
    s = 1.0
    for _ in range(n):
        s = lt.sin(s) * x + s
    return s


def two_states(x: float, n: int):
    a, b = x, 1.0
    for i in range(2, n, 3):
        a, b = b * x, a + b * i
    return a * b


def swapped(x: float, n: int):
    a, b, c = x, 2.0, x * x
    for i in range(n):
        a, b, c = b, c, a
        c = c * x
    return a + 2.0 * b + 3.0 * c


def downwards(x: float, n: int):
    s = 0.0
    for i in range(n, 0, -2):
        s = s * x + i * x
    return s


def until(x: float, n: int):
    turns = 0
    s = x
    while s < 100.0:
        if s > 10.0:
            s = s * 1.5 + x
        else:
            s = s * s + 1.0
        turns += 1
    return s + turns


def with_breaks(x: float, n: int):
    s = x
    for i in range(n):
        if i % 3 == 1:
            continue
        s = s * 1.1 + i * x
        if s > 8.0:
            break
    else:
        s = s * 2.0
    return s * s


def returns_early(x: float, n: int):
    s = 1.0
    for i in range(n):
        s = s * x + 1.0
        for j in range(i):
            if s > 6.0:
                return s * j + x
            s = s + x * 0.1
    return s


def nested(x: float, n: int):
    s = 0.0
    for i in range(n):
        t = x + s * 0.1
        for j in range(i):
            t = t * x * 0.5 + j
            k = j
            while k > 0:
                t = t + lt.cos(t) * s
                k = k // 2
        s = s + t * t * 0.01
    return s


def branches_within(x: float, n: int):
    s = x
    for i in range(n):
        if i % 2 == 0:
            t = s * x
            for j in range(i):
                if s > 1.5:
                    t = t * 0.9 + s
                elif j > 1:
                    t = t - x * s
        else:
            t = s + 1.0
        s = t * 0.5
    return s


def times_an_inner_loop(x: float, n: int):
    s, u = x, 1.0
    for i in range(n):
        t = u * 0.5
        for j in range(2):
            t = t * x + s
        s, u = s * t * 0.2, t
    return s + u


def loop_after_loop(x: float, n: int):
    s = x
    for i in range(n):
        s = s * x
    t = s * s
    for i in range(n):
        t = t * 0.5 + lt.sin(s * 0.3)
    return t * s + x


def in_recursion(x: float, n: int):
    def f(k):
        s = x
        for i in range(k):
            s = s * x + 0.5
        if k == 0:
            return s
        return s * f(k - 1) + s
    return f(n)


def recursion_within(x: float, n: int):
    def f(y, k):
        if k == 0:
            return y
        return f(y * x, k - 1)
    s = 0.0
    for i in range(n):
        t = 1.0
        for j in range(i):
            t = t * x + f(x, j)
        s = s + t
    return s


def not_needed(x: float, n: int):
    s, count = 0.0, 0
    for i in range(n):
        s = s + x * i
        count += i
        assert count >= 0
        print(count)
    return s * count


def integer_function(k):
    if k <= 0:
        return 1
    return integer_function(k - 2) + k


def calls_what_carries_none(x: float, n: int):
    s = x
    for i in range(n):
        s = s * x + integer_function(i)
    return s


def constant_state(x: float, n: int):
    s, t = x, 1.0
    for i in range(n):
        t = x * i
        if i > 2:
            s = t
    return s * t


ALL = [(powers, 5), (powers, 0), (two_states, 12), (swapped, 4), (downwards, 7), (until, 0), (with_breaks, 9), (with_breaks, 2), (returns_early, 7),
       (returns_early, 2), (nested, 5), (branches_within, 6), (times_an_inner_loop, 4), (loop_after_loop, 4), (in_recursion, 4), (recursion_within, 4), (not_needed, 6),
       (calls_what_carries_none, 5), (constant_state, 5), (constant_state, 2)]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("f, n", ALL, ids=lambda x: getattr(x, "__name__", x))
def test_the_gradient_is_that_of_the_turns(f, n):
    for x in (1.3, 0.7):
        check(f, x, n)


def recurrent(w: lt.Tensor[float, 3, 3], xs: lt.Tensor[float, "n", 3]):
    h = w[0]
    c = 1.0
    for x in xs:
        h = lt.tanh(w @ h + x * c)
        c = c * 0.9 + lt.sum(h) * 0.1
    return lt.sum(h) * c


def growing(w: lt.Tensor[float, 3], n: int):
    a = w
    for i in range(n):
        a = lt.concat([a * 0.5, w * i])
    return lt.sum(a * a)


def rows_of(w: lt.Tensor[float, 3, 3], xs: lt.Tensor[float, "n", 3]):
    total = lt.zeros(3, dtype="f64")
    for x in xs:
        y = w @ x
        for i in range(3):
            total = total + y[i] * x
    return lt.sum(total * total)


def kept(w: lt.Tensor[float, 3, 3], xs: lt.Tensor[float, "n", 3]):
    hs = [w[1]]
    for x in xs:
        hs.append(lt.tanh(w @ hs[-1] + x))
    s = 0.0
    for h in hs:
        s = s + lt.sum(h * h)
    return s + lt.sum(lt.stack(hs))


def over_batches(w: lt.Tensor[float, 3, 3], xs: lt.Tensor[float, "n", None, 3]):
    """The shape of a turn's sum is not known, and neither is which of its parts is stretched."""
    h = w[:1] * 2.0
    for x in xs:
        h = lt.tanh(x @ w + h @ w + w[2])
    return lt.sum(h * h)


def gated(w: lt.Tensor[float, 3, 3], xs: lt.Tensor[float, "n", 3]):
    """Gates, a mask, and states that become each other's."""
    h, c = w[0], w[1] * 0.0
    for x in xs:
        z = w @ x + h
        f, o = lt.sigmoid(z), lt.sigmoid(w @ h - x)
        new = f * c + (1.0 - f) * lt.tanh(z * x)
        c = lt.where(x > 0.0, new, c)
        h, before = o * lt.tanh(c), h
        h = h + 0.1 * before
    return lt.sum(h * c)


def losses(w: lt.Tensor[float, 3, 3], xs: lt.Tensor[float, "n", 3]):
    """The state is a number; what a turn saves are arrays and numbers of arrays."""
    total = 0.0
    for x in xs:
        y = lt.softmax(w @ lt.exp(x * 0.1))
        total = total * lt.sum(y * y) + lt.logsumexp(w @ y) * lt.max(y)
    return total


def whole_turn_conditional(w: lt.Tensor[float, 3, 3], xs: lt.Tensor[float, "n", 3]):
    h, i = w[0], 0
    while i < len(xs) and lt.sum(h) < 50.0:
        y = lt.tanh(w @ h)
        if lt.sum(y) > 0.0:
            z = lt.exp(w @ xs[i] * 0.1)
            h = h + z * y
        else:
            for x in xs:
                h = h * lt.cos(w @ x + h)
        i += 1
    return lt.sum(h * h)


def turn_that_replaces(w: lt.Tensor[float, 3, 3], xs: lt.Tensor[float, "n", 3]):
    """The derivative of a turn does not need the state that it begins with, but that behind it."""
    h = w[0]
    total = 0.0
    for x in xs:
        total = total + lt.sum(h * x)
        h = lt.tanh(w @ x)
    return total * lt.sum(h)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("f", [recurrent, rows_of, kept, gated, losses, whole_turn_conditional, turn_that_replaces], ids=lambda f: f.__name__)
def test_arrays_as_state(f):
    draw = np.random.default_rng(4)
    for n in (0, 1, 5):
        w, xs = draw.normal(size=(3, 3)), draw.normal(size=(n, 3))
        check(f, w, xs, wrt=("w", "xs"))


@pytest.mark.parametrize("rows", [1, 2])
def test_shapes_that_are_known_when_it_runs(rows):
    draw = np.random.default_rng(5)
    for n in (0, 1, 4):
        w, xs = draw.normal(size=(3, 3)), draw.normal(size=(n, rows, 3))
        check(over_batches, w, xs, wrt=("w", "xs"))


def test_an_array_that_grows():
    check(growing, np.array([1.0, -2.0, 0.5]), 4)


def test_ten_million_turns():
    def product(x: float, n: int):
        s = 1.0
        for i in range(n):
            s = s * x
        return s

    n = 10_000_000
    gradient_of = lt.value_and_grad(lt.function(product))
    gradient_of(1.0, 10)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    value, gradient = gradient_of(1.0 + 1e-8, n)
    taken = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert taken < 9 * n        # eight bytes a turn: the f64 that is saved
    assert value == pytest.approx(np.exp(n * np.log1p(1e-8)), rel=1e-7)
    assert gradient == pytest.approx(n * value / (1 + 1e-8), rel=1e-7)
