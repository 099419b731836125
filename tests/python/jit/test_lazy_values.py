"""Values, and adjoints, that are computed wherever they are read (passes defer-values, defer-adjoints), and those that are kept."""
import re

import numpy as np
import pytest

import lantern as lt
from lantern import core

Vector, Matrix = lt.Tensor[lt.f64, 6], lt.Tensor[lt.f64, 4, 6]


def named(x: Vector, m: Matrix):
    d = x - m[0]
    size = np.abs(d)
    return np.sum(np.where(size < 0.7, 0.5 * d * d, 0.7 * (size - 0.35)))


def costly(x: Vector, m: Matrix):
    e = np.exp(x) + 1.0
    return np.sum(e * e) + np.sum(e)


def along_an_axis(x: Vector, m: Matrix):
    apart = m - np.mean(m, axis=1, keepdims=True)
    return np.sum(np.mean(apart * apart, axis=1)) + np.sum(apart * x)


def read_too_often(x: Vector, m: Matrix):
    d = x * x * x - 2.0 * x * m[0] + m[1]
    return np.sum(d) + np.sum(d * x) * np.sum(d * m[2]) * np.sum(np.tanh(d))


def multiplied(x: Vector, m: Matrix):
    d = x - m[0]
    return np.sum(m @ d) + np.sum(d)


def stretched(x: Vector, m: Matrix):
    d = x - m[0]
    return np.sum(m * d) + np.sum(d)


def in_a_loop(x: Vector, m: Matrix):
    d, total = x - m[0], 0.0
    for i in lt.range(4):
        total = total * 0.5 + np.sum(d * m[i])
    return total


def of_a_loop(x: Vector, m: Matrix):
    state, total = x, 0.0
    for i in lt.range(3):
        d = state - m[i]
        e = d * d
        state = np.tanh(e) + d
        total = total * 0.5 + np.sum(e * d)
    return total + np.sum(state)


def set_behind(x: Vector, m: Matrix):
    a = np.zeros(6)
    a[1:3] = 1.5
    d = a - x
    total = np.sum(d * d)
    a[2:] = 3.0
    return total + np.sum(d * m[0]) + np.sum(a * d)


def set_in_a_loop(x: Vector, m: Matrix):
    a, total = np.ones(6), 0.0
    for i in lt.range(4):
        d = a * x
        a[i] = 2.0 + i
        total = total * 0.5 + np.sum(d * d) + np.sum(d)
    return total


def recursion(x, a, i):
    if i == 0:
        return 0.0
    d = a * x
    e = d - 1.0
    a[i] = 0.5 * i
    return np.sum(d * e) + np.sum(e) + recursion(x, a, i - 1)


def set_in_a_recursion(x: Vector, m: Matrix):
    a = np.ones(6)
    return recursion(x, a, 5) + np.sum(a * x)


def in_a_branch(x: Vector, m: Matrix):
    d = x - m[0]
    e = d * m[1]
    if np.sum(x) > 0.0:
        return np.sum(d * e)
    return np.sum(e) + np.sum(d * d)


def handed_on(x: Vector, m: Matrix):
    d = x - m[0]
    return recursion(d, np.ones(6), 3) + np.sum(d)


def within_a_gradient(x: Vector, m: Matrix):
    d = x - m[0]
    slope = lt.grad(lambda a: np.sum((a - m[1]) * (a - m[1]) * d))(x)
    return np.sum(slope * d) + np.sum(slope * m[2])


PROGRAMS = {named: {"d", "size"}, costly: {"e"}, along_an_axis: {"apart"}, read_too_often: set(), multiplied: set(), stretched: set(), in_a_loop: set(),
            of_a_loop: set(), set_behind: None, set_in_a_loop: None, set_in_a_recursion: None, in_a_branch: {"d", "e"}, handed_on: None, within_a_gradient: None}


def all_of_them(x: Vector, m: Matrix):
    return tuple(lt.value_and_grad(program, wrt=("x", "m"))(x, m) for program in PROGRAMS)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("disabled", ["", "defer-values", "defer-adjoints", "tidy", "write-in-place"])
def test_values_and_gradients_are_those_of_plain_python(disabled, monkeypatch):
    monkeypatch.setenv("LANTERN_DISABLE_PASS", disabled)
    compiled, rng = lt.function(all_of_them, dtype="f64"), np.random.default_rng(5)
    for sign in (1.0, -1.0):
        x, m = sign * np.abs(rng.normal(size=6)), rng.normal(size=(4, 6))
        for program, (value, slopes), (expected, wanted) in zip(PROGRAMS, compiled(x, m), all_of_them(x, m)):
            np.testing.assert_allclose(value, expected, rtol=1e-12, err_msg=program.__name__)
            for slope, exact in zip(slopes, wanted):
                np.testing.assert_allclose(slope, exact, rtol=1e-10, atol=1e-12, err_msg=program.__name__)


def cpp_of(program, disable=()):
    text = lt.function(lt.value_and_grad(program, wrt=("x", "m"))).text(np.ones(6), np.ones((4, 6)))
    return core.compile(text, "program.sexpr", {"emit": "cpp", "disable": ["share-loops", *disable]})


@pytest.mark.parametrize("program", [program for program, lazy in PROGRAMS.items() if lazy is not None])
def test_what_is_lazy(program):
    written = cpp_of(program)
    lazy = {name for name in re.findall(r"const auto (\w+) = ", written) if not name.endswith("_adj")}
    assert {name for name in lazy if not re.fullmatch(r"x\d+|mark(_\d)?", name)} == PROGRAMS[program], written
    if program is named:
        assert re.search(r"const Vector<bool> \w+ = size < 0\.7", written)
        assert re.search(r"const auto \w+_adj = ", written) and not re.search(r"const auto \w+_adj = ", cpp_of(program, disable=["defer-adjoints"]))
