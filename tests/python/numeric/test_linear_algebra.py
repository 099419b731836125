"""np.linalg's functions on staged and recorded matrices: values, errors, and derivatives beside finite differences."""
import numpy as np
import pytest

import lantern as lt
from lantern.staging.errors import StagingError

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(4, 4)), RNG.normal(size=4)
POSITIVE = A @ A.T + np.eye(4)
FUNCTIONS = {
    "solve a vector": lambda a, b: b @ np.linalg.solve(a, b), "solve a matrix": lambda a, b: lt.sum(lt.square(np.linalg.solve(a, lt.outer(b, b[:3])))),
    "inv": lambda a, b: b @ np.linalg.inv(a) @ b, "det": lambda a, b: np.linalg.det(a) * b[0],
    "slogdet": lambda a, b: np.linalg.slogdet(a)[1] * np.linalg.slogdet(a).sign * b[0],
    "cholesky": lambda a, b: lt.sum(lt.square(np.linalg.cholesky(a)) * lt.outer(b, b)) + b @ lt.cholesky(a) @ b,
}


ALONG = RNG.normal(size=(4, 4)), RNG.normal(size=4)


def derivatives(function, a, b, along_a, along_b):
    """The value, its gradients, and its derivative along a direction."""
    value, gradients = lt.value_and_grad(function, wrt=("a", "b"))(a, b)
    return value, *gradients, lt.jvp(function, (a, b), (along_a, along_b))[1]


@pytest.fixture(scope="module")
def compiled():
    """Of each function what `derivatives` gives: one program has them all."""
    def of_all(a, positive, b, along_a, along_b):
        return tuple(derivatives(function, positive if name == "cholesky" else a, b, along_a, along_b) for name, function in FUNCTIONS.items())
    return dict(zip(FUNCTIONS, lt.function(of_all)(A, POSITIVE, B, *ALONG)))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_are_those_of_differences(compiled, name):
    function, a = FUNCTIONS[name], POSITIVE if name == "cholesky" else A
    by_a = np.zeros((4, 4))
    for place in np.ndindex(4, 4):
        step = np.zeros((4, 4))
        step[place] = 1e-6
        by_a[place] = (function(a + step, B) - function(a - step, B)) / 2e-6
    by_b = np.array([(function(a, B + step) - function(a, B - step)) / 2e-6 for step in np.eye(4) * 1e-6])
    for value, gradient_a, gradient_b, tangent in (derivatives(function, a, B, *ALONG), compiled[name]):
        np.testing.assert_allclose(value, function(a, B), rtol=1e-9)
        np.testing.assert_allclose(gradient_a, by_a, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(gradient_b, by_b, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(tangent, (by_a * ALONG[0]).sum() + by_b @ ALONG[1], rtol=1e-4, atol=1e-5)


def everything(a, b, p):
    sign, size = np.linalg.slogdet(a)
    return np.linalg.solve(a, b), np.linalg.solve(a, p), np.linalg.solve(a.T, b), np.linalg.inv(a), np.linalg.det(a), sign, size, np.linalg.cholesky(p)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("dtype, tolerance", [(np.float64, 1e-9), (np.float32, 1e-3)])
@pytest.mark.parametrize("size", [1, 2, 5, 30])
def test_values_are_numpys(dtype, tolerance, size):
    a, b = RNG.normal(size=(size, size)).astype(dtype), RNG.normal(size=size).astype(dtype)
    p = (a @ a.T + np.eye(size)).astype(dtype)
    for mine, numpys in zip(lt.function(everything)(a, b, p), everything(a, b, p)):
        assert np.asarray(mine).dtype == dtype
        np.testing.assert_allclose(mine, numpys, rtol=tolerance, atol=tolerance * max(1, np.abs(numpys).max()))


def test_no_element_and_whole_numbers():
    nothing = np.zeros((0, 0))
    whole = np.array([[2, 1], [4, 5]])
    both = lt.function(lambda a: (np.linalg.inv(a), np.linalg.det(a), np.linalg.slogdet(a)))
    for a in (nothing, whole):
        for mine, numpys in zip(both(a), (np.linalg.inv(a), np.linalg.det(a), np.linalg.slogdet(a))):
            np.testing.assert_allclose(mine, numpys)


def of_a_singular_matrix(a, which: int):
    if which == 0:
        return np.sum(np.linalg.inv(a))
    if which == 1:
        return np.sum(np.linalg.solve(a, a[0]))
    if which == 2:
        return np.sum(np.linalg.cholesky(-a))
    return np.sum(lt.grad(lambda a: np.linalg.det(a))(a))


def test_a_singular_matrix_has_a_determinant_and_no_inverse():
    a = np.array([[1.0, 2.0], [2.0, 4.0]])
    determinant, signed = lt.function(lambda a: (np.linalg.det(a), tuple(np.linalg.slogdet(a))))(a)
    assert determinant == 0 and signed == (0.0, -np.inf)
    compiled = lt.function(of_a_singular_matrix)
    for which, message in enumerate(("Singular matrix", "Singular matrix", "Matrix is not positive definite", "Singular matrix")):
        for each in (of_a_singular_matrix, compiled) if which < 3 else (compiled,):
            with pytest.raises(np.linalg.LinAlgError, match=message):
                each(a, which)


def test_what_is_no_square_matrix_is_refused():
    with pytest.raises(StagingError, match="LT0403.*square"):
        lt.function(lambda a: np.linalg.inv(a[:1]))(A)
    with pytest.raises(StagingError, match="LT0310.*stack"):
        lt.function(lambda a: np.linalg.inv(lt.stack([a, a])))(A)
