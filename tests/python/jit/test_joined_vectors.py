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


def changed_behind(x: Vector, m: Matrix):
    a, b = np.tanh(x[:2]), x[2:] * 1.5
    both = np.concatenate([a, b])
    y = m @ both
    for i in range(4):
        b[i] = y[i] * 2.0
    return np.sum(y * y) + np.sum(b * b)


def changed_behind_first(x: Vector, m: Matrix):
    a, b = np.tanh(x[:2]), x[2:] * 1.5
    both = np.concatenate([b, a])
    y = m @ both
    for i in lt.range(4):
        b[i] = y[i] * 2.0 + b[i]
    return np.sum(y * y) + np.sum(b * b)


def changed_both(x: Vector, m: Matrix):
    a, b = np.tanh(x[:2]), x[2:] * 1.5
    both = np.concatenate([a, b])
    y = m @ both
    a[0] = 3.0 * y[0]
    b[1] = 2.0 * y[2]
    return np.sum(y * y) + np.sum(b * b) + np.sum(a)


def augmented(x: Vector, m: Matrix):
    a, b = np.tanh(x[:2]), x[2:] * 1.5
    both = np.concatenate([a, b])
    y = m @ both
    b += y
    a *= 2.0
    return np.sum(y * y) + np.sum(b * b) + np.sum(a)


def in_a_while_loop(x: Vector, m: Matrix):
    a, b = np.tanh(x[:2]), x[2:] * 1.5
    i = 0
    total = 0.0
    while i < 3:
        both = np.concatenate([a, b])
        y = np.tanh(m @ both)
        b = y * 0.5
        b[0] = 1.0 * i
        total = total + np.sum(y)
        i = i + 1
    return total + np.sum(b)


def overwritten(x: Vector, m: Matrix):
    a, b = np.tanh(x[:2]), x[2:] * 1.5
    both = np.concatenate([a, b])
    y = m @ both
    c = np.exp(b)
    d = np.exp(np.exp(a))
    return np.sum(y * y) + np.sum(c * c * y) + np.sum(d)


def recursion_of_arrays(x, m, n):
    if n == 0:
        return x
    a, b = np.tanh(x[:2]), x[2:] * 1.5
    both = np.concatenate([a, b])
    y = np.tanh(m @ both)
    z = recursion_of_arrays(np.concatenate([np.sin(b), np.exp(a)]), m, n - 1)
    return z + np.concatenate([y, y[:2]])


def on_the_way_down(x: Vector, m: Matrix):
    return np.sum(recursion_of_arrays(x, m, 3))


def of_lists(x: Vector, m: Matrix):
    xs = [np.tanh(x[:2]), x[2:] * 1.5]
    a, b = xs[0], xs[1]
    both = np.concatenate([a, b])
    y = m @ both
    xs[1] = y
    xs[0] = a * 2.0
    return np.sum(y * y) + np.sum(xs[0]) + np.sum(xs[1])


PROGRAMS = {from_the_right: "joined(a, b)", from_the_left: "joined(a, b, c)", of_a_matrix_that_is_turned: "joined(b, a)", with_something_added: "joined(b, a)",
            read_element_by_element_too: None, multiplied_twice: None, of_values_without_names: None, in_a_loop: None, handed_to_a_recursion: "joined(a, b)"}
CHANGING = [changed_behind, changed_behind_first, changed_both, augmented, in_a_while_loop, overwritten, on_the_way_down, of_lists]   # what is joined, behind that


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


def slope(f, a, step=1e-6):
    """The derivative of a number with respect to an array, by central differences."""
    slopes = np.zeros_like(a)
    for place in np.ndindex(a.shape):
        above, below = a.copy(), a.copy()
        above[place] += step
        below[place] -= step
        slopes[place] = (f(above) - f(below)) / (2 * step)
    return slopes


@pytest.mark.parametrize("program", CHANGING)
def test_what_is_joined_and_changes_behind_that(program):
    rng = np.random.default_rng(3)
    x, m = rng.normal(size=6), 0.4 * rng.normal(size=(4, 6))
    value, (of_x, of_m) = lt.function(lt.value_and_grad(program, wrt=("x", "m")), dtype="f64")(x, m)
    np.testing.assert_allclose(value, program(x.copy(), m), rtol=1e-12)
    np.testing.assert_allclose(of_x, slope(lambda a: program(a, m), x), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(of_m, slope(lambda a: program(x.copy(), a), m), rtol=1e-5, atol=1e-7)
