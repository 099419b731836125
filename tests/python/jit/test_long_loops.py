"""Loops over known ranges that would make long programs give what they give in Python, and the gradients that differences give."""
import re

import numpy as np
import pytest

import lantern as lt
from lantern.staging.errors import StagingError


def recurrent(x, w, b):
    h, c = np.zeros(3), np.zeros(3)
    for t in range(len(x)):
        i, f, o = w @ x[t] + h, w.T @ x[t] - h * b, w @ h + x[t]
        c = np.tanh(f) * c + np.tanh(i) * b
        h = np.tanh(o) * np.tanh(c) + b[0] * i
        last = h @ x[t]
    return np.sum(h) + last


def both_ways(x, w, b):
    """The states of both directions side by side, and attention over them."""
    h, ahead = np.zeros(3), []
    for t in range(len(x)):
        h = np.tanh(w @ x[t] + h * b) + 0.1 * x[t] * h - 0.01 * t
        ahead.append(h)
    back, h = [b] * len(x), np.zeros(3)
    for t in reversed(range(len(x))):
        h = np.tanh(w.T @ x[t] - h * b) + 0.1 * x[t] * h + 0.02 * t
        back[t] = h
    states = np.stack([np.concatenate([p, q]) for p, q in zip(ahead, back)])
    scores = states @ states[0]
    return np.sum(np.exp(scores - np.max(scores)) @ states)


def messages(x, w, b):
    """Three rounds on a ring of nodes, each with its neighbours."""
    n = len(x)
    for r in range(3):
        rows = []
        for i in range(n):
            m = b
            for j in range(i, i + 3):
                m = m + x[j % n] * (1.0 + 0.1 * r)
            rows.append(np.tanh(w @ m + x[i]) - 0.2 * x[i] * m)
        x = np.stack(rows)
    return np.sum(x * x)


def until(x, w, b):
    """Python's numbers decide when it ends, and staged ones may end it earlier."""
    t, h = 0, b
    while t < 2 * len(x) - 1:
        h = np.tanh(w @ h + x[t // 2] * (t % 3)) + 0.3 * h - 0.1 * b * x[t // 2]
        h = h + 0.05 * (w.T @ h) / (1.0 + t) - np.sin(h) * 0.01 + np.cos(h) * 0.02
        if np.sum(h) > 50.0:
            break
        t += 1
    return np.sum(h) + 0.1 * t


def weighted(x, w, b):
    """By numbers that are Python's."""
    scales = [0.5 + 0.1 * k for k in range(len(x))]
    h = b
    for t in range(len(x)):
        h = np.tanh(w @ h + scales[t] * x[t]) - 0.2 * h * x[t] + np.sin(h) * (0.1 if scales[t] > 1.0 else 0.2)
        h = h * 0.9 + 0.05 * (w.T @ h) - np.cos(h) * 0.01 * b + 0.02 * x[t] * b - 0.01 * (w @ x[t])
    return np.sum(h)


LOSSES = {recurrent: 1, both_ways: 3, messages: 3 * 2, until: 1, weighted: 1}      # and how many loops their programs have


def every(x, w, b):
    return sum(loss(x, w, b) for loss in LOSSES)


def all_of_them(x, w, b):
    return tuple(loss(x, w, b) for loss in LOSSES)


@pytest.fixture(scope="module")
def arguments():
    random = np.random.default_rng(3)
    return random.normal(size=(12, 3)) * 0.5, random.normal(size=(3, 3)) * 0.4, random.normal(size=3) * 0.5


def warped(a, b):
    """A table that is larger than what stands in a program's text, and that Python has begun to fill."""
    n, m = len(a), len(b)
    costs = np.zeros((n + 1, m + 1))
    costs[0, 1:] = 1e3
    costs[1:, 0] = 1e3
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            costs[i, j] = (a[i - 1] - b[j - 1])**2 + min(costs[i - 1, j], costs[i, j - 1], costs[i - 1, j - 1])
    return costs[n, m]


def test_a_large_table_of_numpys():
    a, b = np.sin(np.arange(120.0)), np.cos(np.arange(110.0) * 1.1)
    assert len(re.findall(r"\((?:for|while)\s", lt.function(warped).text(a, b))) == 2
    assert np.isclose(lt.function(warped)(a, b), warped(a, b), rtol=1e-12)


def test_a_large_array_that_is_read_and_made_by_python():
    def reads(x: float, n: int):
        total, made, random = 0.0, np.zeros((120, 120)), np.arange(14400.0).reshape(120, 120) * 0.5
        made[0, 1:] = 3.0
        for i in range(n):
            total += made[i, i] * x + made[0, i]
        for i in range(12):
            total += random[i, i] * x
        return total
    assert lt.function(reads)(0.5, 20) == reads(0.5, 20)

    def drawn(x: float, n: int):
        return np.random.default_rng(0).normal(size=(120, 120))[n, n] * x
    with pytest.raises(StagingError, match="LT0312.*too large"):
        lt.function(drawn)(0.5, 3)


@pytest.mark.parametrize("loss", LOSSES)
def test_they_are_loops_of_the_program(loss, arguments):
    text = lt.function(loss).text(*arguments)
    assert len(re.findall(r"\((?:for|while)\s", text)) == LOSSES[loss], text


def test_their_values_are_pythons(arguments):
    assert np.allclose(lt.function(all_of_them)(*arguments), all_of_them(*arguments), rtol=1e-12)


def test_their_gradients_are_those_of_differences(arguments):
    value, gradients = lt.value_and_grad(lt.function(every), wrt=("x", "w", "b"))(*arguments)
    assert np.isclose(value, every(*arguments), rtol=1e-12)
    for which, gradient in enumerate(gradients):
        found = np.zeros_like(gradient)
        for place in np.ndindex(gradient.shape):
            ends = []
            for step in (1e-6, -1e-6):
                moved = [each.copy() for each in arguments]
                moved[which][place] += step
                ends.append(every(*moved))
            found[place] = (ends[0] - ends[1]) / 2e-6
        assert np.allclose(gradient, found, rtol=1e-6, atol=1e-7)
