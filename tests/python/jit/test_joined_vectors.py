"""Vectors one behind the other that only a product reads, and the gradient of what it multiplies (pass defer-values): they are copied there, and not kept."""
import numpy as np
import pytest

import lantern as lt
from lantern import core

Vector, Matrix = lt.Tensor[lt.f64, 6], lt.Tensor[lt.f64, 4, 6]


def from_the_right(x: Vector, m: Matrix):
    a, b = np.tanh(x[:2]), x[2:] * x[2:]
    both = np.concatenate([a, b])
    y = m @ both
    return np.sum(y * y) + np.sum(a) * np.sum(b)


def from_the_left(x: Vector, m: Matrix):
    a, b, c = np.exp(x[:1]), x[1:3] * x[0], np.tanh(x[5:])
    all_three = np.concatenate([a, b, c])
    y = all_three @ m
    return np.sum(y * y * x) + np.sum(c)


def of_a_matrix_that_is_turned(x: Vector, m: Matrix):
    a, b = np.tanh(x[:1]), x[3:]
    both = np.concatenate([b, a])
    y = m.T @ both
    return np.sum(y * y * x)


def with_something_added(x: Vector, m: Matrix):
    a, b = np.tanh(x[:2]), np.sin(x[2:])
    both = np.concatenate([b, a])
    y = np.tanh(m @ both + m[:, 0])
    return np.sum(y * y) + np.sum(a * a) - np.sum(b)


def read_element_by_element_too(x: Vector, m: Matrix):
    a, b = np.tanh(x[:2]), x[2:] * x[2:]
    both = np.concatenate([a, b])
    return np.sum(m @ both) + np.sum(both * x)


def multiplied_twice(x: Vector, m: Matrix):
    a, b = np.tanh(x[:2]), x[2:] * x[2:]
    both = np.concatenate([a, b])
    y, z = m @ both, (2.0 * m) @ both
    return np.sum(y * y) + np.sum(z)


def of_values_without_names(x: Vector, m: Matrix):
    both = np.concatenate([np.tanh(x[:2]), x[2:] * x[2:]])
    y = m @ both
    return np.sum(y * y)


def in_a_loop(x: Vector, m: Matrix):
    h = x[:2]
    for i in lt.range(3):
        both = np.concatenate([h, x[2:]])
        y = np.tanh(m @ both)
        h = y[:2] * 0.5
    return np.sum(h * h)


def handed_to_a_recursion(x: Vector, m: Matrix):
    return recursion(x, m, 3)


def recursion(x, m, depth):
    if depth == 0:
        return np.sum(x)
    a, b = np.tanh(x[:2]), x[2:]
    both = np.concatenate([a, b])
    y = m @ both
    return recursion(np.concatenate([y, a]), m, depth - 1) + np.sum(y)


PROGRAMS = {from_the_right: "joined(a, b)", from_the_left: "joined(a, b, c)", of_a_matrix_that_is_turned: "joined(b, a)", with_something_added: "joined(b, a)",
            read_element_by_element_too: None, multiplied_twice: None, of_values_without_names: None, in_a_loop: None, handed_to_a_recursion: "joined(a, b)"}


def all_of_them(x: Vector, m: Matrix):
    return tuple(lt.value_and_grad(program, wrt=("x", "m"))(x, m) for program in PROGRAMS)


@pytest.mark.parametrize("disabled", ["", "defer-values"])
def test_values_and_gradients_are_those_of_plain_python(disabled, monkeypatch):
    monkeypatch.setenv("LANTERN_DISABLE_PASS", disabled)
    compiled, rng = lt.function(all_of_them, dtype="f64"), np.random.default_rng(7)
    x, m = rng.normal(size=6), rng.normal(size=(4, 6))
    for program, (value, slopes), (expected, wanted) in zip(PROGRAMS, compiled(x, m), all_of_them(x, m)):
        np.testing.assert_allclose(value, expected, rtol=1e-12, err_msg=program.__name__)
        for slope, exact in zip(slopes, wanted):
            np.testing.assert_allclose(slope, exact, rtol=1e-10, atol=1e-12, err_msg=program.__name__)


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_joined(program):
    text = lt.function(lt.value_and_grad(program, wrt=("x", "m"))).text(np.ones(6), np.ones((4, 6)))
    written = core.compile(text, "program.sexpr", {"emit": "cpp"})
    if PROGRAMS[program] is None:
        assert "joined(" not in written
    else:
        assert f"= {PROGRAMS[program]};" in written
    assert "joined(" not in core.compile(text, "program.sexpr", {"emit": "cpp", "disable": ["defer-values"]})
