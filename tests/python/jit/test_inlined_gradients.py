"""Gradients that are written where they are taken, without a continuation (pass inline-gradients): values, gradients that are changed afterwards, and what keeps its continuation."""
import numpy as np
import pytest

import lantern as lt

Vector = lt.Tensor[lt.f64, 4]


@lt.struct
class Model:
    w: Vector
    b: float


def product(x, y):
    return np.sum(x * y)


def squares(x, y):
    return np.sum((x + y) ** 2)


def reshaped(x, y):
    return np.sum((np.reshape(x, (2, 2)) + np.reshape(y, (2, 2)).T) ** 2)


def through_a_loop(x, y):
    h = x * 1.0
    for i in lt.range(5):
        h = np.tanh(h * y + x[i % 4])
    return np.sum(h * h)


def items(x, y):
    a = x * 0.0
    for i in lt.range(4):
        a[i] = x[i] * x[i]
    return np.sum(a * y)


def reshaped_items(x, y):
    a = x * 0.0
    for i in lt.range(4):
        a[i] = x[i] * x[i]
    return np.sum(np.reshape(a, (2, 2)) * np.reshape(y, (2, 2)))


def scaled(x, y, by):
    total = np.sum(x * y) * by
    return x * total, total


def through_calls(x, y):
    z, total = scaled(x * y, np.exp(y), 0.5)
    return np.sum(z) * last(z) + total


def last(v):
    return v[-1] * v[0]


def of_one_alone(x, y):
    return np.sum(y)


own = lt.custom_vjp(product, lambda x, y: (np.sum(x * y), (x, y)), lambda saved, g: (saved[1] * g, saved[0] * g))
as_it_is = lt.custom_vjp(product, lambda x, y: (np.sum(x * y), (x, y)), lambda saved, g: (saved[1], saved[0]))   # which are those that it is given


def by_its_own(x, y):
    return own(np.sin(x), y) + as_it_is(x, y)


def number(x, y):
    return x[1]


FUNCTIONS = [product, squares, reshaped, through_a_loop, through_calls, of_one_alone, by_its_own, number]
x, y = np.array([0.3, -1.2, 0.7, 2.0]), np.array([1.1, 0.4, -0.6, 0.9])


def gradients(function):
    def both(x: Vector, y: Vector):
        value, (gx, gy) = lt.value_and_grad(function, wrt=("x", "y"))(x, y)
        return value, gx, gy
    return both


def changed(function):
    """The gradients are arrays of their own, which may be changed."""
    def both(x: Vector, y: Vector):
        gx, gy = lt.grad(function, wrt=("x", "y"))(x, y)
        gx[0] = 5.0
        gy[1] += 7.0
        for i in lt.range(2):
            gx[i + 1] = gy[i] * 2.0
        return gx, gy, x * 1.0, y * 1.0
    return both


def flat(results):
    return np.concatenate([np.ravel(value) for value in results])


@pytest.mark.sampled(5)
@pytest.mark.parametrize("off", ["", "inline-gradients", "join-adjoints,fuse-adjoints,defer-adjoints", "tidy"])
@pytest.mark.parametrize("around", [gradients, changed])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_they_are_those_of_plain_python(function, around, off, monkeypatch):
    monkeypatch.setenv("LANTERN_DISABLE_PASS", off)
    run = around(function)
    np.testing.assert_allclose(flat(lt.function(run)(x, y)), flat(run(x.copy(), y.copy())), rtol=1e-12)


@pytest.mark.parametrize("function", [items, reshaped_items])
def test_items_that_a_loop_sets_and_takes_back(function):
    """The gradient by y is the array that the loop back undoes."""
    value, gx, gy = lt.function(gradients(function))(x, y)
    np.testing.assert_allclose(flat([value, gx, gy]), flat([np.sum(x * x * y), 2 * x * y, x * x]), rtol=1e-12)


def of_model(m, x):
    return np.sum(m.w * x) * m.b + last(m.w)


def test_the_gradient_of_a_structure():
    def run(m: Model, x: Vector):
        g = lt.grad(of_model)(m, x)
        return g.w, g.b
    model = Model(y, 0.7)
    np.testing.assert_allclose(flat(lt.function(run)(model, x)), flat(run(model, x)), rtol=1e-12)


def test_gradients_that_a_condition_of_a_while_reads():
    """One is written in its test, and one, taken in two places, is a call that has a continuation."""
    def half_square(a, b):
        return (a + b) ** 2 / 2

    def run(a: float, b: float):
        up, down, n = a, a, 0
        while lt.grad(half_square)(up, b) < 3.0:
            up += 0.5
        slope = lt.grad(lambda z: z ** 4 - 3 * z ** 2 + b * z)
        while abs(slope(down)) > 1e-9 and n < 100:
            down, n = down - 0.1 * slope(down), n + 1
        return up, down, n
    assert lt.function(run)(0.5, 1.0) == pytest.approx(run(0.5, 1.0), rel=1e-9)


def test_steps_of_descent():
    def run(x: Vector, y: Vector):
        w, total = x * 1.0, 0.0
        for i in lt.range(6):
            value, g = lt.value_and_grad(squares)(w, y)
            w = w - 0.1 * g
            total += value
        return w, total
    np.testing.assert_allclose(flat(lt.function(run)(x, y)), flat(run(x, y)), rtol=1e-12)


def test_the_gradient_of_a_parameter_on_which_nothing_depends():
    w = lt.Parameter((4,), y, dtype="f64")

    def loss(x):
        unused = w * 2.0  # noqa: F841
        return x * x

    def run(x: float):
        return lt.value_and_grad(loss, wrt=("x", w))(x)
    value, (slope, none) = lt.function(run, dtype="f64")(3.0)
    assert (value, slope) == (9.0, 6.0)
    np.testing.assert_array_equal(none, np.zeros(4))
