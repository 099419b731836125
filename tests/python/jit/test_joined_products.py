"""Products of parameters that share their vectors are one product (pass join-products): the same values and gradients, to rounding."""
import re

import numpy as np
import pytest

import lantern as lt
from lantern import core

N, M = 45, 46


class Cells(lt.Module):
    """Weights as people write them, one for each gate."""

    def __init__(self, frozen=False):
        self.wz, self.wr, self.wn = (lt.Parameter((M, N), lt.init.uniform(-0.3, 0.3)) for _ in range(3))
        self.uz, self.ur, self.un = (lt.Parameter((M, M), lt.init.uniform(-0.3, 0.3)) for _ in range(3))
        self.bz, self.br = (lt.Parameter(M, lt.init.uniform(-0.3, 0.3)) for _ in range(2))
        self.vi, self.vf = (lt.Parameter((N, M), lt.init.uniform(-0.3, 0.3)) for _ in range(2))
        self.ai, self.af = (lt.Parameter((M, M), lt.init.uniform(-0.3, 0.3)) for _ in range(2))
        self.fixed = lt.Parameter((M, N), lt.init.uniform(-0.3, 0.3), trainable=False)

    def of_one_vector(self, x, h):
        z = lt.sigmoid(self.wz @ x)
        r = lt.tanh(self.wr @ x + self.br)
        return lt.sum(z * r * h) + lt.sum(self.wn @ x)

    def gated(self, x, h):
        z = lt.sigmoid(self.wz @ x + self.uz @ h + self.bz)
        r = lt.sigmoid(self.wr @ x + self.ur @ h + self.br)
        n = lt.tanh(self.wn @ x + self.un @ (r * h))
        return lt.sum((1.0 - z) * n + z * h)

    def in_other_orders(self, x, h):
        z = self.bz + (self.uz @ h + (self.bz + self.wz @ x))
        r = self.wr @ x + self.br + h + self.ur @ h
        return lt.sum(z * r * r)

    def from_the_left(self, x, h):
        i = lt.sigmoid(x @ self.vi + h @ self.ai)
        f = lt.tanh(x @ self.vf + h @ self.af + self.bz)
        return lt.sum(i * f * h)

    def in_a_loop(self, x, h):
        for step in lt.range(4):
            z = lt.sigmoid(self.wz @ x + self.uz @ h)
            r = lt.tanh(self.wr @ x + self.ur @ h)
            h = z * h + (1.0 - z) * r
        return lt.sum(h * h)

    def in_branches(self, x, h):
        if lt.sum(x) > 0.0:
            return lt.sum((self.wz @ x) * (self.wr @ x))
        return lt.sum((self.uz @ h) * (self.ur @ h) * (self.un @ h))

    def side_by_side(self, x, h):
        return self.tree(x, h, 3)

    def tree(self, x, h, depth):
        if depth == 0:
            return lt.sum(h)
        z = lt.sigmoid(self.wz @ x + self.uz @ h)
        r = lt.tanh(self.wr @ x + self.ur @ h)
        return self.tree(x * 0.5, z, depth - 1) + self.tree(x, r * z, depth - 1) + lt.sum(z * r)

    def weights_of_two_products(self, x, h):
        a, b = self.uz @ h, self.ur @ h
        c, d = self.uz @ a, self.ur @ a
        return lt.sum(b * c + d)

    def read_twice(self, x, h):
        a = self.wz @ x
        b = self.uz @ h
        return lt.sum((a + b) * (self.wr @ x + self.ur @ h)) + lt.sum(a * a)

    def some_are_fixed(self, x, h):
        return lt.sum((self.wz @ x) * (self.wr @ x) * (self.fixed @ x))

    def penalised(self, x, h):
        return lt.sum((self.wz @ x) * (self.wr @ x)) + 0.1 * lt.sum(self.wz * self.wz)

    def one_product(self, x, h):
        return lt.sum(self.wz @ x + self.uz @ h)


# What is one product, as the blocks of a matrix.
PROGRAMS = {"of_one_vector": ["wz, wr, wn"], "gated": ["wz, uz, wr, ur"], "in_other_orders": ["uz, wz, ur, wr"], "from_the_left": ["vi, vf, ai, af"],
            "in_a_loop": ["uz, ur", "wz, wr"], "in_branches": ["wz, wr", "uz, ur, un"], "side_by_side": ["wz, uz, wr, ur"], "weights_of_two_products": ["uz, ur"],
            "read_twice": ["wz, wr", "uz, ur"], "some_are_fixed": ["wz, wr"], "penalised": ["wz, wr"], "one_product": []}


def chosen(self, which: int, x, h):
    """One of the programs: they are compiled once, together."""
    loss = lt.zeros()
    if which == 0:
        loss = self.of_one_vector(x, h)
    elif which == 1:
        loss = self.gated(x, h)
    elif which == 2:
        loss = self.in_other_orders(x, h)
    elif which == 3:
        loss = self.from_the_left(x, h)
    elif which == 4:
        loss = self.in_a_loop(x, h)
    elif which == 5:
        loss = self.in_branches(x, h)
    elif which == 6:
        loss = self.side_by_side(x, h)
    elif which == 7:
        loss = self.weights_of_two_products(x, h)
    elif which == 8:
        loss = self.read_twice(x, h)
    elif which == 9:
        loss = self.some_are_fixed(x, h)
    elif which == 10:
        loss = self.penalised(x, h)
    else:
        loss = self.one_product(x, h)
    return loss


Cells.chosen = chosen


def made():
    lt.seed(3)
    return Cells()


def inputs(dtype):
    rng = np.random.default_rng(5)
    return rng.normal(size=N).astype(dtype), rng.normal(size=M).astype(dtype)


def flat(model, found):
    """A value and its gradients; zeros are those of what it does not depend on."""
    value, gradients = found
    weights = [weight for weight in vars(model).values() if weight.trainable]
    return np.concatenate([[float(value)], *(np.ravel(gradients[weight]) if weight in gradients else np.zeros(weight.value.size) for weight in weights)])


@pytest.mark.parametrize("schedule", ["auto", "depth-first"])
@pytest.mark.parametrize("dtype, tolerance", [("f64", 1e-12), ("f32", 1e-4)])
def test_values_and_gradients_are_those_of_products_apart(dtype, tolerance, schedule, monkeypatch):
    monkeypatch.setenv("LANTERN_SCHEDULE", schedule)
    model, (x, h), of = made(), inputs(dtype.replace("f", "float")), {}
    for disabled in ("join-products", ""):
        monkeypatch.setenv("LANTERN_DISABLE_PASS", disabled)
        slopes = lt.value_and_grad(lt.function(model.chosen, dtype=dtype))
        of[disabled] = [flat(model, slopes(which, x, h)) for which in range(len(PROGRAMS))]
    for program, joined, apart in zip(PROGRAMS, of[""], of["join-products"]):
        np.testing.assert_allclose(joined, apart, rtol=tolerance, atol=tolerance, err_msg=program)
        plain = flat(model, lt.value_and_grad(getattr(model, program))(*inputs("float32")))
        np.testing.assert_allclose(apart, plain, rtol=2e-4, atol=2e-4, err_msg=program)


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_joined(program):
    model = made()
    text = lt.function(lt.value_and_grad(getattr(model, program))).text(*inputs("float32"))
    written = core.compile(text, "program.sexpr", {"emit": "cpp"})
    assert re.findall(r"return blocks<\d>\((.*?)\);", written) == [", ".join(f"of.{weight}" for weight in weights.split(", ")) for weights in PROGRAMS[program]]
    assert "blocks<" not in core.compile(text, "program.sexpr", {"emit": "cpp", "disable": ["join-products"]})


class Changing(lt.Module):
    def __init__(self):
        self.a, self.b = (lt.Variable(np.linspace(-1.0, 1.0, N * N).reshape(N, N) * scale) for scale in (1.0, 0.5))
        self.w, self.u = (lt.Parameter((M, N), lt.init.uniform(-0.3, 0.3)) for _ in range(2))
        self.p, self.q = (lt.Parameter(M, lt.init.uniform(-0.3, 0.3)) for _ in range(2))

    def weight_between(self, x):
        y = self.w @ x
        self.u.assign(self.u * 2.0)
        return lt.sum(y * (self.u @ x))

    def bias_between(self, x):
        y, z = self.w @ x, self.u @ x
        self.q.assign(self.q * 2.0)
        return lt.sum(lt.tanh(y + self.p) * (z + self.q))

    def of_another_function(self, x):
        y = self.w @ x
        self.weight_between(x)
        return lt.sum(y * (self.u @ x))

    def of_states(self, x):
        return lt.sum((self.a @ x) * (self.b @ x))


@pytest.mark.parametrize("program", ["weight_between", "bias_between", "of_another_function", "of_states"])
def test_what_changes_between_is_not_joined(program):
    x, _ = inputs("float32")
    lt.seed(3)
    plain, model = Changing(), None
    lt.seed(3)
    model = Changing()
    compiled = lt.function(getattr(model, program))
    assert "blocks<" not in core.compile(compiled.text(x), "program.sexpr", {"emit": "cpp"})
    for _ in range(2):
        np.testing.assert_allclose(float(compiled(x)), float(getattr(plain, program)(x)), rtol=1e-4)
