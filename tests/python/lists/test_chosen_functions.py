"""Functions, methods and modules of which a place or a key that only the running program knows chooses one, compiled: what Python gives."""
import numpy as np
import pytest
from compiled_table import Table, cases_of, outcome

import lantern as lt
from lantern.staging.errors import StagingError

SOURCE = """
import math
import numpy as np


def plus(a, b): return a + b
def times(a, b): return a * b


RULES = [plus, times, lambda a, b: a - 2 * b]


def by_place(n: int, x: float): return RULES[n](x, 3.0)
def by_text(n: int, x: float): return {"a": plus, "bb": times}["b" * n or "a"](x, 3.0)
def of_a_tuple(n: int, x: float): return (math.sin, math.cos)[n > 0](x)


def by_a_name(n: int, x: float):
    rule = RULES[n]
    return rule(x, 2.0) + rule(2.0, x)


def in_a_loop(n: int, x: float):
    for i in range(n + 2): x = RULES[i % 3](x, 1.5)
    return x


def counted(n: int, x: float):
    for i in range(30): x = (RULES * 10)[i](x, 1.5) / 2
    return x * n


class Expert:
    def __init__(self, scale):
        self.scale, self.weight = scale, np.full(2, scale + 0.5)

    def __call__(self, x): return lt.tanh(self.weight * x)
    def twice(self, x): return self(self(x)) * self.scale


class Experts:
    def __init__(self): self.experts = [Expert(1.0), Expert(2.0), Expert(3.0)]

    def loss(self, x, n):
        return lt.sum(self.experts[n](x) + self.experts[n].twice(x) * self.experts[n].weight[0]) + self.experts[n].scale


MODEL = Experts()


def of_modules(n: int, x: float): return MODEL.loss(np.array([x, 1.0]), n).item()
def slope(n: int, x: float): return lt.grad(lambda x: RULES[n](x, x * x))(x)


def gradient(n: int, x: float):
    return [float(lt.sum(g)) for g in lt.grad(lambda w, x: lt.sum(MODEL.experts[n].twice(w * x)), wrt=("w", "x"))(np.array([x, 2.0]), 0.5)]


def changes(n: int, x: float):
    out = []
    def one(y): out.append(y)
    def two(y): out.extend([y, 2 * y])
    (one, two)[n % 2](x)
    [two, one][n - 1](3.0)
    return out


class Uniform:
    def __init__(self, low, high): self.low, self.high = low, high
    @property
    def width(self): return self.high - self.low
    def density(self, x): return x / self.width


class Point:
    kind = Uniform(0.0, 1.0)
    def __init__(self, at): self.at = at
    @property
    def width(self): raise ValueError("a point has none")
    def density(self, x): return 2.0 if x > self.at else x * x


DENSITIES = (Uniform(1.0, 3.0), Point(0.6), Uniform(0.0, 0.5))
NAMED = [("twice", lambda x: 2 * x, 1), ("square", lambda x: x * x, 2)]


def of_objects(n: int, x: float):
    chosen = DENSITIES[n]
    return chosen.density(x), chosen.width


def of_rows(n: int, x: float):
    name, function, power = NAMED[n]
    return f"{name} {power}", function(x) ** power


@lt.struct
class Tree:
    rule: int
    left: "Tree | None"
    right: "Tree | None"


def leaf(tree, x): return x
def added(tree, x): return value(tree.left, x) + value(tree.right, x)
def multiplied(tree, x): return value(tree.left, x) * value(tree.right, x)


WAYS = [leaf, added, multiplied]
def value(tree, x): return WAYS[tree.rule](tree, x)


def of_a_tree(n: int, x: float):
    tree = Tree(0, None, None)
    for i in range(n + 1): tree = Tree(1 + i % 2, tree, tree)
    return lt.value_and_grad(value, wrt="x")(tree, x)
"""
NAMES = ("by_place", "by_text", "of_a_tuple", "by_a_name", "in_a_loop", "counted", "of_modules", "slope", "gradient", "changes", "of_objects", "of_rows", "of_a_tree")
CALLS = {name: ((0, 1.5), (1, 0.5), (2, -1.5), (-1, 0.75), (3, 1.0), (-4, 2.0)) for name in NAMES}


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, list(CALLS))


@pytest.mark.parametrize("name, arguments", cases_of(CALLS))
def test_as_plain(table, name, arguments):
    plain, compiled = outcome(table.plain[name], arguments), outcome(table.compiled[name], arguments)
    assert compiled == plain if name == "of_rows" or isinstance(plain, str) else compiled == pytest.approx(plain, rel=1e-12)


class Linear(lt.Module):
    def __init__(self): self.weight = lt.Parameter((2, 2), lt.init.uniform(-1, 1))
    def __call__(self, x): return self.weight @ x


class Mixture(lt.Module):
    def __init__(self): self.experts, self.gate = [Linear(), Linear()], lt.Parameter((2, 2), lt.init.uniform(-1, 1))

    def loss(self, x):
        weights = lt.softmax(self.gate @ x)
        k = lt.argmax(weights)
        return lt.sum(weights[k] * self.experts[k](x) + self.experts[k].weight[0])


def test_hard_routing():
    lt.seed(3)
    model = Mixture()
    for x in (np.float32([2, -1]), np.float32([-1, 2]), np.float32([-2, -1])):
        loss, gradients = lt.value_and_grad(model.loss)(x)
        compiled, own = lt.value_and_grad(lt.function(model.loss))(x)
        assert compiled == pytest.approx(loss, rel=1e-5)
        assert {p.name for p in gradients} <= {p.name for p in own}
        for p, gradient in own.items():
            np.testing.assert_allclose(gradient, gradients[p] if p in gradients else 0, rtol=1e-5, atol=1e-6)


def test_a_place_that_loops_alone_decide_is_known(table):
    assert "(define counted" in table.text and "list index out of range" not in table.text.split("(define counted")[1].split("\n(define")[0]


@pytest.mark.parametrize("body, message", [
    ("return RULES[n] is plus", "an element of a list is chosen by 'n'"),
    ("return RULES[n] == plus", "an element of a list is chosen by 'n'"),
    ("return bool(RULES[n])", "an element of a list is chosen by 'n'"),
    ("return isinstance(RULES[n], int)", "an element of a list is chosen by 'n'"),
    ("return sum(map(RULES[n], [1, 2]))", "an element of a list is chosen by 'n'"),
    ("f = plus\n    if n > 1: f = RULES[n]\n    return f(n)", "an element of a list is chosen by 'n'"),
    ("return {0: plus, 1: minus}[n] is plus", "an element of a Python dict is chosen by 'n'"),
    ("RULES[n].calls = n\n    return 1", "an element of a list is chosen by 'n'"),
    ("RULES[n][0] = n\n    return 1", "an element of a list is chosen by 'n'"),
    ("return RULES[n / 1](n)", "an element of a list is chosen by this value")])
def test_what_else_meets_one_is_refused(body, message):
    with pytest.raises(StagingError, match=f"(?s)LT0310: {message}.*choose by comparisons"):
        Table(f"def plus(a): return a + 1\ndef minus(a): return a - 1\nRULES = [plus, minus]\ndef f(n: int):\n    {body}\n", ["f"])
