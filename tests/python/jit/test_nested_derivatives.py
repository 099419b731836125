"""Gradients within what is differentiated: compiled against plain Python, and that against central differences."""
import operator

import numpy as np
import pytest

import lantern as lt
from lantern.check.outcome import Tolerance
from lantern.staging.errors import StagingError

X = np.array([0.3, -1.2, 0.8])
A = np.linspace(-1, 1, 9).reshape(3, 3)
STACK = np.cos(np.arange(18.0)).reshape(2, 3, 3)
STEP = 1e-5


def inner(w, x):
    return lt.sum(lt.tanh(A @ w) * x) + lt.sum(w * w * x)


def one_step(w, x):
    """The loss behind a step down the gradient of another."""
    value, gradient = lt.value_and_grad(inner)(w, x)
    moved = w - 0.1 * gradient
    return lt.sum(moved * moved * x) + value * moved[0]


def several_steps(w, x):
    for _ in lt.range(3):
        w = w - 0.1 * lt.grad(inner)(w, x)
    return lt.norm(w - x)


def penalty(w, x):
    of_w, of_x = lt.grad(inner, wrt=("w", "x"))(w, x)
    return lt.sum(of_w * of_w) + lt.sum(of_w * of_x)


def powers(x: float, n: int):
    if n == 0:
        return lt.sin(x)
    return x * powers(x * 0.9, n - 1)


def of_recursion(w, x):
    total = lt.sum(w) * 0.0
    for e in w:
        g = lt.grad(lambda y: powers(y, 3))(lt.item(e))
        if g > 0:
            total += g * g
        else:
            total -= g * lt.item(x[0])
    return total


def twice_within(w, x):
    return lt.sum(lt.grad(lambda w: lt.sum(lt.grad(inner)(w, x) ** 2))(w) * x)


def of_stack(w, x):
    """Through a product with a stack of matrices, both of its operands moving."""
    def form(v):
        return lt.sum(lt.tanh((STACK @ v) @ v)) + lt.sum((lt.reshape(lt.outer(v * x, lt.outer(v, x)[0]), 3, 1, 3) @ v) ** 2)
    return lt.sum(lt.grad(form)(w) ** 2 * x)


FUNCTIONS = [one_step, several_steps, penalty, of_recursion, twice_within, of_stack]


def differences(f, w, x):
    return np.array([(f(w + STEP * e, x) - f(w - STEP * e, x)) / (2 * STEP) for e in np.eye(3)])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_with_respect_to_the_first_argument(f):
    w = np.array([0.5, 0.1, -0.7])
    value, gradient = lt.value_and_grad(f)(w, X)
    assert value == pytest.approx(f(w, X), rel=1e-13)
    np.testing.assert_allclose(gradient, differences(f, w, X), rtol=1e-6, atol=1e-8)
    compiled = lt.function(lt.value_and_grad(f))(w, X)
    assert compiled[0] == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(compiled[1], gradient, rtol=1e-10)


def test_with_respect_to_what_the_inner_one_is_not_taken_of():
    w = np.array([0.5, 0.1, -0.7])
    gradient = lt.grad(one_step, wrt="x")(w, X)
    np.testing.assert_allclose(gradient, differences(lambda x, w: one_step(w, x), X, w), rtol=1e-6)
    np.testing.assert_allclose(lt.function(lambda w, x: lt.grad(one_step, wrt="x")(w, x))(w, X), gradient, rtol=1e-10)


def test_a_derivative_three_times():
    third = lt.grad(lt.grad(lt.grad(lambda x: x**5 + lt.exp(x))))
    assert third(0.5) == pytest.approx(60 * 0.25 + np.exp(0.5)) and lt.function(lambda x: third(x))(0.5) == pytest.approx(third(0.5), rel=1e-12)


def test_what_is_stopped_is_a_constant():
    def f(x):
        g = lt.grad(lambda x: x**3 * lt.stop_gradient(x))(x)
        return g * lt.stop_gradient(g)
    x = 0.7
    expected = (6 * x * x) * (3 * x**3)
    assert lt.grad(f)(x) == pytest.approx(expected) and lt.function(lambda x: lt.grad(f)(x))(x) == pytest.approx(expected)


class Model(lt.Module):
    def __init__(self):
        self.weight = lt.Parameter((3,), lt.init.ones())

    def energy(self, x):
        return lt.sum(self.weight * x * x)

    def loss(self, x):
        return lt.sum(lt.grad(self.energy, wrt="x")(x) ** 2)


def test_a_parameter_that_both_read():
    model, x = Model(), np.array([1, 2, 3], np.float32)
    np.testing.assert_allclose(lt.value_and_grad(model.loss)(x)[1][model.weight], 8 * x * x)
    value, gradients = lt.function(lt.value_and_grad(model.loss))(x)
    assert value == lt.value_and_grad(model.loss)(x)[0]
    np.testing.assert_allclose(gradients[model.weight], 8 * x * x)


class Deeper(lt.Module):
    """A parameter of rank 0, one that a recursion reads, one that an inner gradient is with respect to, and one that is changed."""

    def __init__(self):
        self.scale = lt.Parameter((), lt.init.fill(1.5), dtype="f64")
        self.weight = lt.Parameter((3,), lt.init.fill(0.5), dtype="f64")

    def powers(self, x, n: int):
        if n == 0:
            return lt.sum(self.weight * x) * self.scale
        return self.scale * self.powers(x * x, n - 1)

    def inner(self, x):
        return self.powers(x, 2) + lt.sum(x * self.weight ** 2)

    def of_argument(self, x):
        return lt.sum(lt.grad(self.inner, wrt="x")(x) ** 2) * self.scale

    def of_parameter(self, x):
        return lt.sum(lt.grad(self.inner, wrt=self.weight)(x) ** 2) * self.scale + lt.stop_gradient(lt.grad(self.inner, wrt=self.scale)(x)) * 0.0

    def twice(self, x):
        return lt.sum(lt.grad(lambda y: lt.sum(lt.grad(self.inner, wrt="x")(y) * y), wrt="y")(x) ** 2)

    def changing(self, x):
        self.scale.assign(2.0)
        return lt.sum(self.weight * x) * self.scale

    def of_what_changes(self, x):
        return lt.sum(lt.grad(self.changing, wrt="x")(x) ** 2)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", ["of_argument", "of_parameter", "twice"])
def test_parameters_of_inner_gradients(name):
    model = Deeper()
    loss = getattr(model, name)
    value, gradients = lt.value_and_grad(loss)(X)
    compiled, of_compiled = lt.function(lt.value_and_grad(loss))(X)
    assert compiled == pytest.approx(value, rel=1e-12)
    for parameter in (model.scale, model.weight):
        np.testing.assert_allclose(of_compiled[parameter], gradients[parameter], rtol=1e-10)
        before, differences = np.array(parameter.value), []
        for at in np.ndindex(before.shape):
            ends = []
            for by in (STEP, -STEP):
                moved = before.copy()
                moved[at] += by
                parameter.assign(moved)
                ends.append(loss(X))
            differences.append((ends[0] - ends[1]) / (2 * STEP))
        parameter.assign(before)
        np.testing.assert_allclose(np.ravel(gradients[parameter]), differences, rtol=1e-6, atol=1e-8)


def test_a_parameter_that_an_inner_function_changes_is_refused():
    model = Deeper()
    with pytest.raises(lt.CoreError, match="no derivative is known for the gradient of 'changing' within what is differentiated, since it changes 'scale', "
                                           r"whose gradient is being summed \[LT0503\]"):
        lt.function(lt.value_and_grad(model.of_what_changes, wrt=(model.scale, model.weight)))(X)


class Remembering(lt.Module):
    def __init__(self):
        self.last = lt.Variable(shape=(), init=lt.init.zeros())

    def loss(self, x: float):
        self.last.assign(x * 2.0)
        return self.last * x

    def seen(self, x: float):
        self.last.assign(x * 2.0)
        return x * x


def test_a_state_that_is_stored_and_read_again_is_refused():
    """It has no adjoint: what reads it would take it for a constant."""
    model = Remembering()
    with pytest.raises(TypeError, match=r"^'last' is a constant to derivatives, and was given a value that one is being taken through: "
                                        r"assign lt.stop_gradient\(x\)$"):
        lt.grad(model.loss)(3.0)
    with pytest.raises(lt.CoreError) as caught:
        lt.function(lt.value_and_grad(model.loss, wrt="x"))(3.0)
    assert str(caught.value) == (
        f"{__file__}:{Remembering.loss.__code__.co_firstlineno + 1}:9: error: no derivative is known for 'last', which is changed and read "
        "within what is differentiated [LT0503]\n          self.last.assign(x * 2.0)\n          ^\n  hint: use stop-gradient if none is wanted")
    for seen in (model.seen, lt.function(model.seen)):
        model.last.assign(0.0)
        assert lt.grad(seen, wrt="x")(3.0) == 6.0 and model.last.value == 6.0


def test_a_state_that_a_nested_derivative_stores():
    """What is stored depends on the values of both: neither may read it."""
    model = Remembering()

    def outer(x):
        slope = lt.grad(lambda y: model.seen(y * x))(2.0)
        return slope * model.last

    for f in (outer, lambda x: lt.grad(lambda y: model.seen(y * x) * model.last)(2.0), lambda x: model.seen(x) * lt.sum(model.last.value),
              lambda x: lt.jvp(model.loss, (x,), (1.0,))[1]):
        with pytest.raises(TypeError, match="^'last' is a constant to derivatives, and was given a value that one is being taken through"):
            lt.grad(f)(3.0)
    model.last.assign(5.0)
    assert lt.grad(lambda x: lt.grad(model.seen)(2.0) * model.last * x)(3.0) == 16.0    # outside of what it was stored in, a constant


def test_what_would_happen_twice_is_refused():
    def noisy(x):
        lt.print("here")
        return x**3
    with pytest.raises(lt.CoreError, match=r"the gradient of 'noisy', which prints, draws or changes something and would do so twice \[LT0503\]"):
        lt.function(lambda x: lt.grad(lambda x: lt.grad(noisy)(x) * x)(x))(2.0)


def endless(x: float, n: int):
    if n == 0:
        return x
    return lt.grad(lambda y: endless(y, n - 1))(x) * x


def test_an_order_that_is_known_when_it_runs_is_refused():
    assert lt.grad(lambda x: endless(x, 2))(1.5) == 1.0
    with pytest.raises(lt.CoreError, match=r"'endless' takes a derivative of itself, or of a function that calls it \[LT0508\]"):
        lt.function(lambda x, n: lt.grad(endless, wrt="x")(x, n))(1.5, 2)

    def along(x, n):
        if n == 0:
            return x
        return lt.jvp(along, (x, n - 1), (1.0, None))[1] * x
    with pytest.raises(lt.CoreError, match=r"'along' takes a derivative of itself, or of a function that calls it \[LT0508\]"):
        lt.function(lambda x, n: along(x, n))(1.5, 2)


@lt.struct
class Pair:
    a: float
    b: float


def weighted(p, x):
    return p.a * p.a * p.b * x


def of_a_structure(x):
    return lt.grad(weighted, wrt="p")(Pair(x, 2.0), x).a * x


def test_a_gradient_of_a_structure_within_what_is_differentiated_is_refused_where_it_is_compiled():
    assert lt.grad(of_a_structure)(0.5) == pytest.approx(12 * 0.5**2)      # of 4x³
    refused = r"no derivative is known for the gradient of 'weighted' with respect to 'p' of type Pair \[LT0503\]"
    with pytest.raises(lt.CoreError, match=refused):
        lt.function(lambda x: lt.grad(of_a_structure)(x))(0.5)

    def along(p, x):
        return lt.jvp(lambda x: lt.grad(weighted, wrt="p")(p, x).a, (x,), (1.0,))[1]
    with pytest.raises(lt.CoreError, match=refused):
        lt.function(along)(Pair(0.5, 2.0), 0.7)


def test_a_structure_beside_what_an_inner_gradient_is_of():
    def loss(p, x):
        return lt.grad(weighted, wrt="x")(p, x) * x
    assert lt.grad(loss, wrt="x")(Pair(0.5, 2.0), 0.7) == pytest.approx(0.5)
    assert lt.function(lambda p, x: lt.grad(loss, wrt="x")(p, x))(Pair(0.5, 2.0), 0.7) == pytest.approx(0.5)
    with pytest.raises(lt.CoreError, match=r"no derivative is known for this gradient with respect to '\w+' of type Pair \[LT0503\]"):
        lt.function(lambda p, x: lt.grad(loss, wrt="p")(p, x).a)(Pair(0.5, 2.0), 0.7)


def of_lists(n: int, x: float):
    """What a list of the program's that is given to a function is the gradient of; the gradients are lists of their own."""
    def loss(xs, k=1.0):
        return sum(a * a * a for a in xs) * k + xs[0] * xs[-1]

    xs = [(i + 1) * x for i in range(n)]
    value, slopes = lt.value_and_grad(loss)(xs, k=x)
    slopes.append(value)
    along = lt.jvp(lambda ys: ([y * y for y in ys], len(ys)), (xs,), (slopes[:-1],))
    of_both = lt.grad(lambda a, b: sum(p * q for p, q in zip(a, b)), wrt=("a", "b"))(xs, xs)
    rows = lt.grad(lambda rows: sum(sum(a * a for a in row) for row in rows))([xs[i:] for i in range(n)])
    pairs = lt.grad(lambda pairs: sum(a * b for a, b in pairs))([(a, i * 1.0) for i, a in enumerate(xs)])
    return slopes, lt.grad(loss, wrt="k")(xs, 2.0), along, of_both, rows, pairs, xs


def second_of_lists(x: float, n: int):
    xs = [(i + 1) * x for i in range(n)]
    for _ in range(n):
        slopes = lt.grad(lambda ws: sum(a ** 3 for a in ws) * ws[0])(xs)
        for i in range(len(xs)):
            xs[i] -= 0.1 * slopes[i]
    along = lt.jvp(lambda ws: [w * w for w in ws], (xs,), (xs,))[1]
    return sum(a * b for a, b in zip(along, xs))


def test_of_lists_that_the_program_makes():
    assert Tolerance(1e-12).alike(of_lists(3, 0.5), lt.function(of_lists)(3, 0.5))
    value, slope = lt.value_and_grad(lt.function(second_of_lists))(0.5, 3)
    assert Tolerance(1e-12).alike(second_of_lists(0.5, 3), value)
    np.testing.assert_allclose(slope, (second_of_lists(0.5 + STEP, 3) - second_of_lists(0.5 - STEP, 3)) / (2 * STEP), rtol=1e-6)


@pytest.mark.parametrize("f, x, slope", [(np.sin, 0.7, np.cos(0.7)), (np.sum, X, np.ones(3)), (np.linalg.norm, X, X / np.linalg.norm(X)), (abs, -0.7, -1.0), (operator.neg, 0.7, -1.0)])
def test_functions_that_are_not_written_in_python(f, x, slope):
    value, gradient = lt.function(lambda x: lt.value_and_grad(f)(x))(x)
    np.testing.assert_allclose(np.append(value, gradient), np.append(f(x), slope))
    np.testing.assert_allclose(lt.grad(f)(x), slope)
    along = np.full_like(x, 2.0) if np.ndim(x) else 2.0
    np.testing.assert_allclose(lt.function(lambda x: lt.jvp(f, (x,), (along,)))(x)[1], np.sum(slope * along))


def test_what_is_no_function_that_a_derivative_is_taken_of():
    for f, name in (lambda x: lt.grad(np.add)(x, x), "add"), (lambda x: lt.grad(float)(x), "float"), (lambda x: lt.jvp(None, (x,), (1.0,)), "NoneType"):
        with pytest.raises(StagingError, match=f"'{name}', which is no function that is written in Python") as raised:
            lt.function(f)(0.7)
        assert raised.value.code == "LT0310" and raised.value.place.file == __file__
    for f in np.sin, np.sum, abs, lt.grad(np.sin), lt.grad(np.sum):
        with pytest.raises(TypeError, match="lt.function compiles what is written in Python, and '(sin|sum|abs)' is not"):
            lt.function(f)
