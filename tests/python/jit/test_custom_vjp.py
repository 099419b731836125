"""`lt.custom_vjp`: plain and compiled take the derivative that they are given, and hold it to its types."""
import numpy as np
import pytest

import lantern as lt
from lantern.staging.errors import StagingError

X = np.array([0.3, -1.2, 0.8])


def log1pexp(x):
    return lt.log(1 + lt.exp(x))


def log1pexp_forward(x):
    e = lt.exp(x)
    return lt.log(1 + e), e


def log1pexp_backward(e, adjoint):
    return adjoint * (1 - 1 / (1 + e)),


stable = lt.custom_vjp(log1pexp, log1pexp_forward, log1pexp_backward)


def with_a_number(x: float):
    return stable(x) * x


def with_an_array(x: lt.Tensor[lt.f64, None]):
    return lt.sum(stable(x * x) * x)


def in_a_recursion(x: float, n: int):
    if n == 0:
        return stable(x)
    return stable(in_a_recursion(x, n - 1) * x)


def in_a_loop(x: float):
    y = x
    for _ in lt.range(4):
        if y > 0.5:
            y = stable(y) * x
        else:
            y = y + x
    return y


def in_inner_loops(x: float):
    y = x
    for _ in lt.range(3):
        for _ in lt.range(2):
            y = stable(y * x)
    return y


def of_an_array_in_a_loop(x: lt.Tensor[lt.f64, None]):
    for i in lt.range(3):
        x = stable(x) * x + i
    return lt.sum(x)


def twice(both, adjoint):
    slope = 2.0 * both * adjoint
    return slope, slope


square_of_sum = lt.custom_vjp(lambda a, b: lt.sum((a + b) ** 2), lambda a, b: (lt.sum((a + b) ** 2), a + b), twice)


def of_one_adjoint_for_two(x: lt.Tensor[lt.f64, None]):
    """It is that of each, and `a`'s is added to."""
    a, b = lt.sin(x), lt.cos(x)
    c = lt.exp(a)
    return square_of_sum(a, b) + lt.sum(c)


CASES = {"number": (with_a_number, (0.7,)), "array": (with_an_array, (X,)), "recursion": (in_a_recursion, (0.7, 3)), "loop": (in_a_loop, (0.7,)),
         "inner loops": (in_inner_loops, (0.7,)), "array in a loop": (of_an_array_in_a_loop, (X,)),
         "one adjoint for two": (of_one_adjoint_for_two, (X,))}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", CASES)
def test_it_is_a_derivative(name):
    """Which is right here, and not only what was given."""
    f, (x, *rest) = CASES[name]
    step, directions = 1e-6, np.eye(len(x)) if np.ndim(x) else [1.0]
    value, gradient = lt.value_and_grad(f, wrt="x")(x, *rest)
    expected = [(f(x + step * e, *rest) - f(x - step * e, *rest)) / (2 * step) for e in directions]
    np.testing.assert_allclose(np.ravel(gradient), expected, rtol=1e-6)
    compiled = lt.function(lt.value_and_grad(f, wrt="x"))(x, *rest)
    assert compiled[0] == pytest.approx(value, rel=1e-13)
    np.testing.assert_allclose(compiled[1], gradient, rtol=1e-12)


def scaled(x, w, n):
    return lt.sum(x * w) * n, x * n


made_up = lt.custom_vjp(scaled, lambda x, w, n: (scaled(x, w, n), (x, n)),
                        lambda saved, adjoint: (saved[0] * adjoint[0] + 7.0 * adjoint[1], saved[0] * 0.5 * saved[1], None))


def of_several(x, w):
    total, whole = made_up(x, w, 3)
    return total * total + lt.sum(whole)


def test_the_derivative_that_is_given_is_the_one_that_is_taken():
    w = np.array([2.0, 1.0, 0.5])
    value, (of_x, of_w) = lt.value_and_grad(of_several, wrt=("x", "w"))(X, w)
    total = 3 * (X @ w)
    assert value == pytest.approx(total**2 + 3 * X.sum())
    np.testing.assert_allclose(of_x, X * 2 * total + 7.0)
    np.testing.assert_allclose(of_w, X * 1.5)
    compiled = lt.function(lt.value_and_grad(of_several, wrt=("x", "w")))(X, w)
    assert compiled[0] == pytest.approx(value)
    np.testing.assert_allclose(compiled[1][0], of_x)
    np.testing.assert_allclose(compiled[1][1], of_w)


KNOWN = {"number": (lambda n, adjoint: (adjoint * n, 0.0, None), 0.7), "array": (lambda n, adjoint: (np.array([1.0, 2.0, 3.0]), 0.0, None), X),
         "integer": (lambda n, adjoint: (adjoint * n, n, None), 0.7)}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", KNOWN)
def test_adjoints_that_are_known_while_staging_and_others(name):
    """Of integers, too, where a float is expected."""
    backward, x = KNOWN[name]
    scaled = lt.custom_vjp(lambda x, tag, n: x * n, lambda x, tag, n: (x * n, n), backward)

    def f(x, tag: float, n: int):
        return lt.sum(scaled(x, tag * 2.0, n) * x)
    value, gradients = lt.value_and_grad(f, wrt=("x", "tag"))(x, 0.5, 3)
    compiled = lt.function(lt.value_and_grad(f, wrt=("x", "tag")), dtype="f64")(x, 0.5, 3)
    assert compiled[0] == pytest.approx(value)
    for one, other in zip(compiled[1], gradients):
        np.testing.assert_allclose(one, other)


def test_one_result_that_nothing_depends_on():
    def f(x, w):
        return made_up(x, w, 2)[0] * 1.0
    w = np.array([2.0, 1.0, 0.5])
    gradient = lt.grad(f)(X, w)
    np.testing.assert_allclose(gradient, X)
    np.testing.assert_allclose(lt.function(lambda x, w: lt.grad(f)(x, w))(X, w), gradient)


def test_in_a_loop_the_forward_part_is_what_runs():
    straight = lt.custom_vjp(lambda x: x + 1.0, lambda x: (x * 2.0, x), lambda x, adjoint: adjoint * 3.0)

    def f(x):
        for _ in lt.range(3):
            x = straight(x)
        return x
    assert lt.value_and_grad(f)(0.5) == pytest.approx((4.0, 27.0))
    assert lt.function(lt.value_and_grad(f))(0.5) == pytest.approx((4.0, 27.0))
    assert lt.function(f)(0.5) == f(0.5) == 3.5


def test_a_loop_whose_forward_part_prints_prints_once(capfd):
    def forward(x):
        lt.print("forward", x)
        return x * x, x
    loud = lt.custom_vjp(lambda x: x * x, forward, lambda x, adjoint: 2 * x * adjoint)

    def f(x):
        for _ in lt.range(2):
            x = loud(x)
        return x
    assert lt.grad(f)(2.0) == pytest.approx(32.0)
    plain = capfd.readouterr().out
    assert lt.function(lambda x: lt.grad(f)(x))(2.0) == pytest.approx(32.0)
    assert capfd.readouterr().out == plain and plain.count("forward") == 2


def test_what_is_saved_stays_as_it_was():
    by = lt.custom_vjp(lambda x, m: x * m, lambda x, m: (x * m, m), lambda m, adjoint: (adjoint * m, None))

    def f(x):
        m = np.array([1.0, 2.0, 3.0])
        y = by(x, m)
        m[:] = 0
        return lt.sum(y)
    np.testing.assert_allclose(lt.grad(f)(X), [1.0, 2.0, 3.0])


@lt.struct
class Pair:
    a: float
    b: float


def product(p, x):
    return p.a * p.b * x


def test_a_structure_that_depends_on_what_a_gradient_is_of_is_refused():
    given = lt.custom_vjp(product, lambda p, x: (product(p, x), p.a * p.b), lambda by, adjoint: (None, by * adjoint))
    np.testing.assert_allclose(lt.function(lambda p, x: lt.grad(lambda x: given(p, x) * x)(x))(Pair(0.5, 2.0), 0.7), 1.4)
    with pytest.raises(lt.CoreError, match=r"no derivative is known for 'product' with respect to '\w+' of type Pair \[LT0503\]"):
        lt.function(lambda x: lt.grad(lambda x: given(Pair(x, 2.0), x) * x)(x))(0.7)


def test_without_a_gradient_it_is_the_function():
    assert stable(0.7) == log1pexp(0.7) and lt.function(lambda x: stable(x))(0.7) == pytest.approx(log1pexp(0.7))


class Model(lt.Module):
    def __init__(self):
        self.weight = lt.Parameter((3,), lt.init.ones())

    def loss(self, x):
        return lt.sum(stable(self.weight * x))


def test_with_respect_to_a_parameter():
    model, x = Model(), X.astype(np.float32)
    gradient = lt.grad(model.loss)(x)[model.weight]
    np.testing.assert_allclose(gradient, x / (1 + np.exp(-x)), rtol=1e-5)
    np.testing.assert_allclose(lt.function(lt.value_and_grad(model.loss))(x)[1][model.weight], gradient, rtol=1e-5)


WRONG = {
    "shape": (lt.custom_vjp(log1pexp, log1pexp_forward, lambda e, adjoint: lt.concat(e, e)), "gives"),
    "count": (lt.custom_vjp(log1pexp, log1pexp_forward, lambda e, adjoint: (e, e)), "gives a tuple of 2: a tuple of an adjoint for each of the 1 arguments of 'log1pexp' is expected"),
    "no pair": (lt.custom_vjp(log1pexp, lambda x: x, log1pexp_backward), "the value of 'log1pexp' and what is saved are expected"),
}


@pytest.mark.parametrize("name", WRONG)
def test_derivatives_that_do_not_fit(name):
    function, message = WRONG[name]
    with pytest.raises(TypeError, match=message):
        lt.grad(lambda x: lt.sum(function(x)))(X)
    with pytest.raises(StagingError, match=message):
        lt.function(lambda x: lt.grad(lambda x: lt.sum(function(x)))(x))(X)


def test_a_jvp_is_refused():
    with pytest.raises(NotImplementedError, match="'log1pexp' has a derivative of its own for gradients: its derivative along a direction is not known"):
        lt.jvp(stable, (0.7,), (1.0,))
    with pytest.raises(lt.CoreError, match=r"no derivative is known for 'log1pexp' along a direction: its derivative is its own, for gradients alone \[LT0503\]"):
        lt.function(lambda x: lt.jvp(lambda x: stable(x) * x, (x,), (1.0,)))(0.7)


def test_what_it_would_close_over_is_refused():
    def f(x):
        inner = lt.custom_vjp(lambda y: y * x, lambda y: (y * x, x), lambda saved, adjoint: saved * adjoint)
        return inner(x * 2)
    with pytest.raises(TypeError, match="a value is used outside the derivative that it was made for"):
        lt.grad(f)(0.7)
    with pytest.raises(StagingError, match="closes over 'x', and has a derivative of its own"):
        lt.function(lambda x: lt.grad(f)(x))(0.7)


def test_it_stands_where_a_function_may():
    assert lt.grad(stable)(0.7) == pytest.approx(1 / (1 + np.exp(-0.7)))
    assert lt.function(lambda x: lt.grad(stable)(x))(0.7) == pytest.approx(lt.grad(stable)(0.7), rel=1e-13)
    np.testing.assert_allclose(lt.function(lambda v: lt.vmap(stable)(v))(X), log1pexp(X))


def test_a_parameter_is_an_argument_as_others_are():
    cube = lt.custom_vjp(lambda x: x * x * x, lambda x: (x * x * x, x), lambda x, adjoint: 3.0 * x * x * adjoint)

    class Model(lt.Module):
        def __init__(self):
            self.gain = lt.Parameter((), np.array(1.5), dtype="f64")
            self.bias = lt.Parameter((3,), np.array([0.5, -1.0, 2.0]), dtype="f64")

        def loss(self, y: float):
            return cube(self.gain) * y + lt.sum(cube(self.bias))

    model = Model()
    plain = lt.value_and_grad(model.loss)
    for function in (plain, lt.function(plain, dtype="f64")):
        value, gradients = function(2.0)
        np.testing.assert_allclose(value, 2 * 1.5**3 + 0.5**3 - 1 + 8)
        np.testing.assert_allclose(gradients[model.gain], 2 * 3 * 1.5**2)
        np.testing.assert_allclose(gradients[model.bias], 3 * model.bias.value**2)
