"""Functions, methods and modules of which a place or a key that only the running program knows chooses one, compiled: what Python gives."""
import numpy as np
import pytest
from compiled_table import Table, cases_of, outcome

import lantern as lt
from lantern.staging.errors import StagingError

SOURCE = """
import functools
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


def minus(a, b): return a - b
def by_a_condition(n: int, x: float): return (plus if n > 0 else times)(x, 2.0), (math.sin if x > 0 else math.cos)(x)


def by_branches(n: int, x: float):
    if n == 0: rule = plus
    elif n == 1: rule = times
    elif n == 2: rule = max
    else: rule = lambda a, b: a - b
    y = rule(x, 2.0)
    for k in range(4): y = rule(y, k * 0.5)
    step = abs if n == 1 else math.ceil if n > 1 else math.floor
    return y, step(x)


def in_turns(n: int, x: float):
    rule, out = plus, []
    for k in range(n + 5):
        out.append(rule(x, k))
        if k == n: rule = minus if rule(1.0, 1.0) > 0 else plus
        elif k > 3: rule = max
    return out[0], out[3], out[4], sum(out), rule(x, 1.0)


def swapped(n: int, x: float):
    one, other = (plus, minus) if n > 0 else (minus, plus)
    i = 0
    while i < n:
        one, other = other, one
        i += 1
    return one(x, 1.0), other(x, 1.0)


class Counter:
    def __init__(self): self.total = 0.0
    def up(self, x):
        self.total += x
        return self
    def down(self, x):
        self.total -= x
        return self


def of_methods(n: int, x: float):
    counter = Counter()
    for k in range(n + 5): (counter.up if k % 3 == n % 3 else counter.down)(x)
    move = counter.up if n > 1 else counter.down
    move(1.0)
    return move(2.0).total


def given(n: int, x: float):
    def rule(k): return plus if k > 1 else minus
    expert = MODEL.experts[0] if n > 0 else MODEL.experts[2]
    return rule(n)(x, 1.0), sum(rule(k)(x, k + 1.0) for k in range(4)), expert.scale


def of_a_list_or_else(n: int, x: float):
    rule = RULES[n % 3] if n > 0 else max
    for k in range(3):
        if k == n: rule = RULES[2]
    return rule(x, 0.5)


def twice_in_a_list(n: int, x: float):
    rules = [plus, times, plus, minus, times]
    rule = rules[n % 5] if x > 0 else max
    other = rules[(n + 2) % 5]
    for k in range(2):
        if k == n: other = minus
    return rule(x, 2.0), other(x, 2.0), SHARING[n % 3].act(x), (SHARING[n % 3].act if x > 1 else math.cos)(x)


class Sharing:
    def __init__(self, act): self.act = act


SHARING = [Sharing(math.sin), Sharing(math.sin), Sharing(math.cos)]


def in_a_recursion(n: int, x: float):
    step = (lambda y: y + 1.0) if n % 2 else (lambda y: y * 0.5)
    def go(k): return x if k <= 0 else step(go(k - 1))
    return go(n + 2)


def handed_on(n: int, x: float):
    def use(rule, v): return rule(v, 1.0) * 2
    def fold(rule, k): return x if k <= 0 else rule(fold(rule, k - 1), k)
    rule, key = plus if n > 1 else minus, (lambda v: -v) if n > 0 else abs
    xs, kept = [3.0, x, n * 1.0], []
    kept.append(rule)
    kept += [key, RULES[n % 3]]
    return kept[0](x, kept[2](1.0, 2.0)), kept[1](x), use(rule, use(rule, x)), use(RULES[n % 3], x), fold(rule, n), sorted(xs, key=key)[0], max(xs, key=key), sum(map(key, xs)), functools.reduce(rule, xs), callable(rule), bool(key)


class Vector:
    def __init__(self, x, y): self.x, self.y = x, y
    def __add__(self, other): return Vector(self.x + other.x, self.y + other.y)
    def __mul__(self, by): return Vector(self.x * by, self.y * by)
    def __rmul__(self, by): return self * by
    def __neg__(self): return self * -1
    def __lt__(self, other): return self.x < other.x
    def __eq__(self, other): return self.x == other.x
    def __getitem__(self, k): return self.x if k == 0 else self.y
    def __contains__(self, x): return x == self.x or x == self.y
    def __bool__(self): return self.y > 0


class Basket:
    def __init__(self, held): self.held = held
    def __len__(self): return len(self.held)


VECTORS = [Vector(0.0, 1.0), Vector(0.0, -1.0), Vector(2.0, 3.0)]
BASKETS, BY_NAME = [Basket([]), Basket([1]), Basket([1, 2])], {"a": VECTORS[0], "b": VECTORS[1]}


def by_operators(n: int, x: float):
    v, w, basket, total = VECTORS[n], BY_NAME["ab"[n % 2]], BASKETS[n], Vector(0.0, x)
    for i in range(n + 2): total = total + VECTORS[(n + i) % 3] * i
    w += total
    sums = v * x + Vector(1.0, x), 2 * v + BY_NAME["a"], -v + w
    is_in = v == VECTORS[0], v != total, v < total, v > VECTORS[0], 1 in v, x not in v
    return total.x, total.y, [s.x for s in sums], w.y, v[0] + v[1], is_in, 1 if v else 2, not v, 1 if basket else 2, len(basket), bool(basket), basket == BASKETS[0]


def slope_of_a_choice(n: int, x: float):
    return lt.grad(lambda y: (lt.tanh if n > 0 else lt.exp)(y * 0.3) * (plus if y > 1 else times)(y, y))(x)
"""
NAMES = ("by_a_condition", "by_branches", "in_turns", "swapped", "of_methods", "given", "of_a_list_or_else", "in_a_recursion", "twice_in_a_list", "handed_on", "slope_of_a_choice", "by_operators", "by_place", "by_text", "of_a_tuple", "by_a_name", "in_a_loop", "counted", "of_modules", "slope", "gradient", "changes", "of_objects", "of_rows", "of_a_tree")
CALLS = {name: ((0, 1.5), (1, 0.5), (2, -1.5), (-1, 0.75), (3, 1.0), (-4, 2.0)) for name in NAMES}


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, list(CALLS))


@pytest.mark.parametrize("name, arguments", cases_of(CALLS))
def test_as_plain(table, name, arguments):
    plain, compiled = outcome(table.plain[name], arguments), outcome(table.compiled[name], arguments)
    assert compiled == plain if name in ("of_rows", "by_operators") or isinstance(plain, str) else compiled == pytest.approx(plain, rel=1e-12)


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
    ("f, g = RULES[n], RULES[1 - n]\n    if n > 1: f = g\n    return f(n, 1)", "an element of a list is chosen by"),
    ("return {0: plus, 1: minus}[n] is plus", "an element of a Python dict is chosen by 'n'"),
    ("RULES[n].calls = n\n    return 1", "an element of a list is chosen by 'n'"),
    ("RULES[n][0] = n\n    return 1", "an element of a list is chosen by 'n'"),
    ("return RULES[n / 1](n)", "an element of a list is chosen by this value")])
def test_what_else_meets_one_is_refused(body, message):
    with pytest.raises(StagingError, match=f"(?s)LT0310: {message}.*choose by comparisons"):
        Table(f"def plus(a): return a + 1\ndef minus(a): return a - 1\nRULES = [plus, minus]\ndef f(n: int):\n    {body}\n", ["f"])


@pytest.mark.parametrize("body", ["f = plus if n > 1 else minus\n    return f is plus", "f = int if n > 1 else float\n    return f(n)",
                                  "f = plus\n    for k in range(n): f = lambda a, k=k: a + k\n    return f(1)"])
def test_what_a_branch_chooses_is_called_and_no_more(body):
    with pytest.raises(StagingError, match="LT0306: .*that differs between the paths of the"):
        Table(f"def plus(a): return a + 1\ndef minus(a): return a - 1\ndef f(n: int):\n    {body}\n", ["f"])
