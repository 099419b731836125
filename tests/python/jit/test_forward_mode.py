"""`lt.jvp`: plain Python against central differences, and the compiled function against plain Python."""
import sys

import numpy as np
import pytest

import lantern as lt
from lantern.staging.errors import StagingError

A = np.linspace(-1, 1, 9).reshape(3, 3)
X, D = np.array([0.3, -1.2, 0.8]), np.array([1.0, 0.5, -2.0])
STEP = 1e-6


def branching(x: float, y: float):
    if x * y > 0:
        z = x * y
    else:
        z, x = x - y, 2.0
    return z * x


def recursive(x: float, n: int):
    if n == 0:
        return lt.sin(x)
    return x * recursive(x * 0.9, n - 1)


def looping(x: float, y: float):
    total = 0.0
    while total < 5.0:
        total += x * x + 0.5
        y = y * x + total
    for i in lt.range(3):
        if y > 100.0:
            break
        y = y + x * i
    return y


def over_elements(v: lt.Tensor[lt.f64, None], x: float):
    y = x
    for e in v:
        y = y * lt.item(e) + x
    return y


def of_lists(v: lt.Tensor[lt.f64, None], n: int):
    rows = []
    for i in lt.range(n):
        rows.append(v * lt.item(v[i]))
    rows[0] = rows[0] * 2.0
    last = rows.pop()
    total = lt.sum(last[::-2])
    for row in rows:
        total += lt.sum(row * row)
    return total + len(rows)


def several(x: float, v: lt.Tensor[lt.f64, 3]):
    return lt.tanh(A @ v) * x, 3, (x * x, x > 0)


def closed_over(x: float):
    scale = x * x

    def inner(y):
        return y * scale
    return inner(x) + inner(3.0)


def to_the_zeroth(x: float):
    return x**0 + x


CASES = {
    "branching": (branching, (0.7, 1.3), (1.0, -0.5)), "other branch": (branching, (0.7, -1.3), (1.0, -0.5)),
    "one argument": (branching, (0.7, 1.3), (None, 1.0)), "recursive": (recursive, (1.1, 4), (1.0, None)),
    "looping": (looping, (0.8, 0.3), (1.0, 2.0)), "over elements": (over_elements, (X, 0.7), (D, 1.0)),
    "over constant elements": (over_elements, (X, 0.7), (None, 1.0)), "lists": (of_lists, (X, 3), (D, None)),
    "closed over": (closed_over, (0.7,), (1.0,)), "power of 0": (to_the_zeroth, (0.7,), (1.0,)),
}


def along(f, primals, tangents):
    def moved(by):
        return f(*[x if t is None else x + by * t for x, t in zip(primals, tangents)])
    return (moved(STEP) - moved(-STEP)) / (2 * STEP)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", CASES)
def test_a_derivative_along_a_direction(name):
    f, primals, tangents = CASES[name]
    value, tangent = lt.jvp(f, primals, tangents)
    assert value == pytest.approx(f(*primals), rel=1e-14)
    assert tangent == pytest.approx(along(f, primals, tangents), rel=1e-6, abs=1e-8)
    compiled = lt.jvp(lt.function(f), primals, tangents)
    assert compiled[0] == pytest.approx(value, rel=1e-14) and compiled[1] == pytest.approx(tangent, rel=1e-12)
    assert type(compiled[1]) is type(tangent)


def test_the_tangent_has_the_form_of_the_value():
    value, tangent = lt.jvp(several, (0.5, X), (1.0, D))
    compiled = lt.jvp(lt.function(several), (0.5, X), (1.0, D))
    np.testing.assert_allclose(tangent[0], along(lambda *a: several(*a)[0], (0.5, X), (1.0, D)), rtol=1e-6)
    assert tangent[1] is None and tangent[2][1] is None and tangent[2][0] == 1.0
    np.testing.assert_allclose(compiled[1][0], tangent[0], rtol=1e-12)
    assert compiled[1][1:] == (None, (1.0, None)) and compiled[0][1:] == value[1:]


def test_tuples_and_lists_of_tangents():
    def f(pair, xs):
        a, b = pair
        return a * b + sum(xs)
    assert lt.jvp(f, ((2.0, 3.0), [1.0, 4.0]), ((1.0, None), [0.5, 2.0])) == (11.0, 5.5)
    compiled = lt.function(lambda a, b, c: lt.jvp(f, ((a, b), [c, a]), ((1.0, None), [0.5, 2.0])))
    assert compiled(2.0, 3.0, 1.0) == (9.0, 5.5)


def hessian_along(f, x, v):
    return lt.grad(lambda x: lt.jvp(f, (x,), (v,))[1])(x)


def energy(x):
    y = lt.tanh(A @ x)
    return lt.sum(y * y) + lt.logsumexp(x) * x[0] + recursive_norm(x, 2)


def recursive_norm(x, n):
    if n == 0:
        return lt.norm(x)
    return lt.sum(x**3) * recursive_norm(x * 0.5, n - 1)


def test_hessian_vector_products():
    differences = (lt.grad(energy)(X + STEP * D) - lt.grad(energy)(X - STEP * D)) / (2 * STEP)
    plain = hessian_along(energy, X, D)
    np.testing.assert_allclose(plain, differences, rtol=1e-6)

    def both(x, v):
        return hessian_along(energy, x, v), lt.jvp(lt.grad(energy), (x,), (v,))[1]
    for product in (*both(X, D), *lt.function(both)(X, D)):
        np.testing.assert_allclose(product, plain, rtol=1e-12)


def third(x):
    return lt.jvp(lambda x: lt.jvp(lambda x: lt.jvp(lambda x: x**5 + lt.exp(x), (x,), (1.0,))[1], (x,), (1.0,))[1], (x,), (1.0,))[1]


def test_higher_orders():
    assert third(0.5) == pytest.approx(60 * 0.25 + np.exp(0.5)) and lt.function(third)(0.5) == pytest.approx(third(0.5), rel=1e-14)


def test_no_derivative_is_mistaken_for_anothers():
    def confused(x):
        return x * lt.jvp(lambda y: x + y, (2.0,), (1.0,))[1]
    assert lt.jvp(confused, (1.0,), (1.0,)) == (1.0, 1.0) and lt.function(lambda x: lt.jvp(confused, (x,), (1.0,)))(1.0) == (1.0, 1.0)


def test_numbers_that_have_no_finite_derivative():
    def both(x: float):
        return lt.jvp(lt.sqrt, (x,), (1.0,)), lt.value_and_grad(lambda a: a ** 0.5)(x), lt.jvp(lambda a: a ** -1.5 if a > 0.0 else a ** 0.25, (x,), (1.0,))
    for x in (0.0, 1.0):
        assert both(x) == lt.function(both)(x)
    assert both(0.0) == ((0.0, np.inf),) * 3


class Model(lt.Module):
    def __init__(self):
        self.weight = lt.Parameter((3,), lt.init.ones())

    def loss(self, x):
        return lt.sum(self.weight * x * x)


def test_parameters_are_constants():
    model = Model()
    x, d = np.array([1, 2, 3], np.float32), np.array([1, 0, 1], np.float32)
    assert lt.jvp(model.loss, (x,), (d,)) == (14, 8) and lt.function(lambda x, d: lt.jvp(model.loss, (x,), (d,)))(x, d) == (14, 8)
    _, gradients = lt.function(lt.value_and_grad(lambda x, d: lt.jvp(model.loss, (x,), (d,))[1]))(x, d)
    np.testing.assert_allclose(gradients[model.weight], 2 * x * d)


WRONG = {
    "shape": (lambda x, d: lt.jvp(lt.sum, (x,), (lt.concat(d, d),)), "the tangent of '{}' is"),
    "form": (lambda x, d: lt.jvp(lt.sum, (x,), (1.0,)), "the tangent of '{}' is"),
    "integer": (lambda x, d: lt.jvp(lambda n: n * 2.0, (3,), (1.0,)), "has no tangent: give None in its place"),
    "number": (lambda x, d: lt.jvp(lt.sum, (x,), ()), "1 arguments and 0 tangents are given"),
}


@pytest.mark.parametrize("name", WRONG)
def test_tangents_that_do_not_fit(name):
    function, message = WRONG[name]
    message = message.split("{}")[0]
    with pytest.raises(TypeError, match=message):
        function(X, D)
    with pytest.raises(StagingError, match=message):
        lt.function(lambda x: function(x, x))(X)


@lt.struct
class Pair:
    a: float
    b: float


def along_a_structure(x: float):
    return lt.jvp(lambda pair: pair.a * pair.b, (Pair(x, 2.0),), (Pair(1.0, x),))[1]


def test_structures_have_tangents_where_nothing_is_compiled():
    assert along_a_structure(3.0) == 11.0
    with pytest.raises(StagingError) as caught:
        lt.function(along_a_structure)(3.0)
    column = 12 if sys.version_info >= (3, 11) else 5       # earlier Pythons keep no columns: the line's
    assert str(caught.value) == (
        f"{__file__}:{along_a_structure.__code__.co_firstlineno + 1}:{column}: error LT0309: TypeError: 'pair' is a structure, which has no tangent in compiled "
        "code: pass the numbers and arrays that it holds as arguments, and give None in its place where it is a constant\n"
        "      return lt.jvp(lambda pair: pair.a * pair.b, (Pair(x, 2.0),), (Pair(1.0, x),))[1]\n  " + " " * (column - 1) + "^")


@pytest.mark.parametrize("give", [lambda v: Pair(v, v * v), lambda v: [(v * i, i) for i in range(int(v))]], ids=["a structure", "pairs with integers"])
def test_results_whose_tangent_would_be_lost_are_refused(give):
    with pytest.raises(StagingError, match="which has no tangent in compiled code"):
        lt.function(lambda x: lt.jvp(give, (x,), (1.0,)))(2.0)


def test_a_shape_that_is_known_when_it_runs():
    f = lt.function(lambda x: lt.jvp(lt.sum, (x,), (x[1:],)))
    with pytest.raises((StagingError, ValueError), match="tangent"):
        f(X)

    @lt.function
    def along(x: lt.Tensor[lt.f64, None], d: lt.Tensor[lt.f64, None]):
        return lt.jvp(lt.sum, (x,), (d,))
    assert along(X, D) == (X.sum(), D.sum())
    with pytest.raises(ValueError, match="a tangent has another shape than what it is a tangent of"):
        along(X, D[:1])


def test_what_has_no_tangent_is_refused():
    def host(x: float):
        return lt.py_function(abs, (x,), float) * x
    with pytest.raises(NotImplementedError, match="'abs' cannot be differentiated through"):
        lt.jvp(host, (1.0,), (1.0,))
    with pytest.raises(lt.CoreError, match=r"no derivative is known for 'abs' with respect to 'x' \[LT0503\]"):
        lt.jvp(lt.function(host), (1.0,), (1.0,))


def test_what_it_gives_is_no_view_of_what_it_has_read():
    """It may be written to, and that is all that changes."""
    def f(m: lt.Tensor[lt.f64, 3, 3], x: lt.Tensor[lt.f64, 3]):
        y, y_dot = lt.jvp(lambda a: m[1], (x,), (x,))
        same, same_dot = lt.jvp(lambda a: a, (x,), (x,))
        y -= 1.0
        same += 1.0
        same_dot += 2.0
        y_dot += 3.0
        return lt.sum(m) + lt.sum(y), x, same, same_dot, y_dot

    m, x = A.copy(), X.copy()
    plain = f(m, x)
    np.testing.assert_array_equal(m, A)
    np.testing.assert_array_equal(x, X)
    for got, expected in zip(lt.function(f, dtype="f64")(A, X), plain):
        np.testing.assert_allclose(got, expected, rtol=1e-14)


def test_what_has_no_tangent(capfd):
    def printing(v):
        print("called")
        return 3

    def failing(v):
        if v > 1:
            raise ValueError(v)
        return 3

    def all_of(x: float):
        constant = [lt.jvp(f, (x,), (1.0,)) for f in (lambda v: sum([v * i for i in range(0)]), lambda v: 3.5, lambda v: int(v), printing, lambda v: (3, v > 1))]
        return tuple(constant), lt.jvp(lambda v: (v, 2), ([x, x],), ([1.0, 2.0],))
    assert lt.function(all_of)(2.0) == all_of(2.0) == (((0, None), (3.5, 0.0), (2, None), (3, None), ((3, True), (None, None))), (([2.0, 2.0], 2), ([1.0, 2.0], None)))
    assert capfd.readouterr().out == "called\n" * 2
    with pytest.raises(ValueError, match="2.0"):
        lt.function(lambda x: lt.jvp(failing, (x,), (1.0,)))(2.0)
