"""`lantern check`: entries as plain Python and compiled, on random arguments."""
import pathlib
import re

import numpy as np
import pytest

import lantern as lt
from lantern import bodies
from lantern.check import check_entries

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"


ALIKE = '''
import lantern as lt
import numpy as np

@lt.struct
class Node:
    value: float
    kids: "list[Node]"

@lt.export
def total(n: Node, k: float) -> float:
    s = n.value * k
    for kid in n.kids:
        s = s + lt.sin(total(kid, k))
    return s

weights = lt.Parameter((3, 3), lt.init.uniform(-1, 1))

@lt.export
def energy(x: lt.Tensor["n", 3], steps: int = 3):
    h = x
    i = 0
    while i < steps:
        h = lt.tanh(h @ weights)
        print(i)
        i += 1
    return lt.sum(h * x)

@lt.export
def pick(a: lt.Tensor["n"], i: int):
    return a[i] if i ** 60 > 1 else -a[i]

@lt.export
def stopped(x: float):
    return x * lt.stop_gradient(x)

@lt.export
def named(path: str, x: float):
    return x if path == "a" else x * 2

@lt.export
def summed(xs: "list[float]"):
    return sum(xs), {"negative": [-sum(xs)]}, sum(xs) / len(xs) if xs else 0

def kept(x, i):
    a = np.zeros(3)
    a[1] = x if i > 3 else 0.0
    return a.sum() * [1.0, 2.0, 3.0, 4.0, 5.0][i]

@lt.export
def slope(x: float, i: int):
    return lt.grad(kept, wrt="x")(x, i)
'''


def test_entries_that_are_alike(lantern, program):
    done = lantern("check", program("model.py", ALIKE), "--calls", "10")
    assert done.returncode == 0 and done.stderr == ""
    total, energy, pick, stopped, named, summed, slope = done.stdout.splitlines()
    assert re.match(r"total: 10 calls alike \(largest difference \S+\); gradient in \d+ directions as finite differences", total)
    assert re.match(r"energy: 10 calls alike .*; gradient in \d+ directions as finite differences", energy)
    assert re.match(r"pick: 10 calls alike .*, [1-9]\d* raise alike.*; not compared [1-9]\d* times, beyond .*: model.py:31:20: the result does not fit", pick)
    assert "gradient not compared 10 times" in stopped
    assert named == "named: not checked: a text has no random values: give it by its flag"
    assert re.match(r"summed: 10 calls alike", summed)      # Python's sum of no floats is 0, and here 0.0
    assert re.match(r"slope: 10 calls alike .*; not compared [1-9]\d* times, for the derivative is compiled alone: .*float\(\) would lose the derivative", slope)


def test_flags_give_what_is_not_random(lantern, program):
    done = lantern("check", program("model.py", ALIKE), "named", "--path", "a")
    assert done.returncode == 0 and done.stdout.startswith("named: 100 calls alike")


def test_structures_that_nobody_declared(lantern):
    done = lantern("check", EXAMPLES / "tree_prod.py", "--calls", "10")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.match(r"tree_prod: 10 calls alike .*; gradient in \d+ directions", done.stdout)


def test_a_program_that_is_not_a_function_of_its_arguments(lantern, program):
    text = ("import random\nimport lantern as lt\n\n@lt.export\ndef noisy(x: float):\n"
            "    return x + lt.py_function(random.random, (), float)\n")
    done = lantern("check", program("noisy.py", text))
    assert done.returncode == 1
    assert done.stderr.startswith("noisy.py:5:1: error: 'noisy' is not what it is in Python: compiled it gives ")
    assert "[LT0509]" in done.stderr and "note: 'noisy' was called with x = " in done.stderr


@pytest.mark.parametrize("line, code", [("return lt.tahn(x)", "LT0309"), ("return lt.zeros(2) @ lt.zeros(3) * x", "LT0403")])
def test_what_cannot_be_compiled_is_no_difference(lantern, program, line, code):
    """Though plain Python raises something, too."""
    done = lantern("check", program("wrong.py", f"import lantern as lt\n\n@lt.export\ndef f(x: float):\n    {line}\n"))
    assert done.returncode == 1 and done.stderr.startswith("wrong.py:5:12: error: ") and f"[{code}]" in done.stderr


def test_an_error_of_staging_is_said_as_ever(lantern, program):
    done = lantern("check", program("wrong.py", "import lantern as lt\n\n@lt.export\ndef f(x: float):\n    return x + y\n"))
    assert done.returncode == 1 and done.stderr.startswith("wrong.py:") and "'y'" in done.stderr


@pytest.mark.parametrize("arguments, code", [(("nowhere.py",), 4), (("x.sexpr",), 2), (("--calls", "0", "x.py"), 2)])
def test_what_cannot_be_checked(lantern, arguments, code):
    assert lantern("check", *arguments).returncode == code


scale = lt.Parameter((3,), lt.init.fill(0.3), dtype="f64")


def swing(x: float):
    h = lt.tanh(scale * x)
    return lt.sum(lt.sin(h) + h)


def sway():
    return lt.sum(lt.sin(scale) * 2.0)


def test_the_operator_that_differs_first_is_named(monkeypatch):
    """In its value: sine, of which another operator's result depends."""
    monkeypatch.setitem(bodies.BODIES, "sin", np.cos)
    [error] = check_entries([swing], 5, 1, "f64")
    assert error.code == "LT0509" and "compiled it gives" in error.message
    assert error.place.line == swing.__code__.co_firstlineno + 2
    assert any(note.startswith("'sin' of (array(") for note in error.notes)


def test_the_operator_whose_derivative_differs_is_named(monkeypatch):
    """Its value is right where it is asked for, and its plain slope is another."""
    monkeypatch.setitem(bodies.BODIES, "sin", lambda a: np.sin(a) + 5 * (a - 0.3))
    [error] = check_entries([sway], 5, 1, "f64")
    assert "along a random direction its gradient says" in error.message
    assert any(note.startswith("'sin' of (") and "its derivative along a random direction" in note for note in error.notes)


CUBE = """
import lantern as lt

cube = lt.custom_vjp(lambda x: x ** 3, lambda x: (x ** 3, x), lambda x, adjoint: adjoint * 2 * x * x)

@lt.export
def f(x: float):
    y = x * 2
    return cube(y) + lt.sin(y)
"""
NORM = """
import lantern as lt

def norm(v):
    return lt.sqrt(lt.sum(v * v))

def forward(v):
    return norm(v), v

unit = lt.custom_vjp(norm, forward, lambda v, adjoint: adjoint * v)

@lt.export
def f(v: lt.Tensor[lt.f64, 3], w: lt.Tensor[lt.f64, 3]):
    s = 0.0
    for i in range(3):
        s += unit(v * w) * float(i)
    return s
"""
PAIR = """
import lantern as lt

product = lt.custom_vjp(lambda a, b: (a * b, a + b), lambda a, b: ((a * b, a + b), (a, b)),
                        lambda saved, adjoint: (adjoint[0] * saved[0] + adjoint[1], adjoint[0] * saved[1] + adjoint[1]))

@lt.struct
class Tree:
    value: float
    left: "Tree | None"
    right: "Tree | None"

def walk(t):
    if t.left is None or t.right is None:
        return t.value
    a, b = product(walk(t.left), walk(t.right))
    return a + b * t.value

@lt.export
def loss(t: Tree):
    return walk(t)
"""
HEADER = """
#pragma once
namespace mine {
inline double cube(double x) { return x * x * x; }
inline double cube_pullback(double x, double, double adjoint) { return 2 * x * x * adjoint; }
inline double half(double x) { return x * 0.25; }
}
"""
EXTERN = """
import lantern as lt

cube = lt.extern("mine::cube", "mine.h", float, pullback="mine::cube_pullback", python=lambda x: x ** 3,
                 python_pullback=lambda x, y, adjoint: 3 * x * x * adjoint)

@lt.export
def f(x: float):
    return lt.sin(x) + cube(x * 2)
"""
HALF = """
import lantern as lt

half = lt.extern("mine::half", "mine.h", float, python=lambda x: x * 0.5)

@lt.export
def f(x: float):
    return lt.sin(half(x))
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text, place, name, differs", [
    (CUBE, "9:12", "<lambda>", "its derivative along a random direction"), (NORM, "16:14", "norm", "its derivative along a random direction"),
    (PAIR, "16:12", "<lambda>", "its derivative along a random direction"), (EXTERN, "9:24", "cube", "its derivative along a random direction"),
    (HALF, "8:19", "mine::half", "compiled it gives"),
])
def test_a_wrong_function_of_the_users_own_is_named(lantern, program, text, place, name, differs):
    program("mine.h", HEADER)
    done = lantern("check", program("model.py", text), "--dtype", "f64", "--calls", "3")
    assert done.returncode == 1 and done.stderr.startswith(f"model.py:{place}: error: ") and "[LT0509]" in done.stderr
    assert re.search(rf"note: '{name}' of \(.*\) differs: {differs}", done.stderr)
    assert done.stderr.endswith(f"  hint: '{name}' is not what it is said to be: mend it, or its derivative\n")


def test_what_is_printed_counts(monkeypatch):
    def f(x: float):
        lt.print(x)
        return x

    monkeypatch.setitem(bodies.BODIES, "print", lambda *values: None)
    [error] = check_entries([f], 5, 1, "f64")
    assert "prints" in error.message


RETURNED = """import lantern as lt


class Model(lt.Module):
    def __init__(self):
        self.w = lt.Parameter((2,), lt.init.fill(1.5))
        self.seen = lt.Variable(0.0)


model = Model()
optimizer = lt.optim.SGD(0.1)


@lt.export
def learn(x: float):
    loss, gradients = lt.value_and_grad(lambda: lt.sum(lt.square(model.w)) * x)()
    optimizer.step(gradients)
    model.seen.assign(model.seen + 1.0)
    return model.w, [model.seen], {"loss": loss}
"""


def test_parameters_that_an_entry_returns_are_what_they_are_then(lantern, program):
    done = lantern("check", program("returned.py", RETURNED))
    assert done.returncode == 0 and done.stdout.startswith("learn: 100 calls alike"), done.stderr


@pytest.mark.parametrize("words, message", [(["--seed", "-1"], "--seed: -1 is not 0 or more"), (["--calls", "0"], "--calls: 0 is not 1 or more"),
                                            (["--calls", "abc"], "--calls: 'abc' is not a whole number"), (["--seed", "1" * 30], f"--seed: {'1' * 30} is too large")])
def test_numbers_of_calls_and_seeds(lantern, program, words, message):
    done = lantern("check", *words, program("returned.py", RETURNED))
    assert done.returncode == 2 and done.stderr.startswith(f"error: {message}") and "[LT0810]" in done.stderr
