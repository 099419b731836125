"""The eager operators against NumPy's and Python's semantics."""
import math

import numpy as np
import pytest

import lantern as lt

A = np.array([[1.0, -2.0, 3.0], [0.5, 0.0, -1.5]], np.float32)
V = np.array([0.5, -1.0, 2.0], np.float32)

ELEMENTWISE = {
    lt.exp: np.exp, lt.tanh: np.tanh, lt.sin: np.sin, lt.cos: np.cos, lt.square: np.square, lt.abs: np.abs,
    lt.relu: lambda x: np.maximum(x, 0), lt.sigmoid: lambda x: 1 / (1 + np.exp(-x)),
    lt.tan: np.tan, lt.expm1: np.expm1, lt.sign: np.sign, lt.erf: np.vectorize(math.erf), lt.erfc: np.vectorize(math.erfc), lt.rint: np.rint, lt.softplus: lambda x: np.log1p(np.exp(x)),
    lt.cbrt: np.cbrt, lt.atan: np.arctan, lt.sinh: np.sinh, lt.cosh: np.cosh, lt.asinh: np.arcsinh,
    lt.gelu: lambda x: x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))) / 2,
    lt.leaky_relu: lambda x: np.where(x > 0, x, 0.01 * x), lt.elu: lambda x: np.where(x > 0, x, np.expm1(x)),
}


@pytest.mark.parametrize("function", ELEMENTWISE, ids=lambda f: f.__name__)
def test_elementwise(function):
    expected = ELEMENTWISE[function](A)
    result = function(A)
    assert result.dtype == np.float32 and result.shape == A.shape
    np.testing.assert_allclose(result, expected, rtol=1e-6)


@pytest.mark.parametrize("function", ELEMENTWISE, ids=lambda f: f.__name__)
def test_a_python_number_gives_a_python_number(function):
    result = function(0.5)
    assert type(result) is float
    np.testing.assert_allclose(result, ELEMENTWISE[function](0.5), rtol=1e-12)


def test_edges_follow_ieee():
    assert lt.log(0.0) == -np.inf and np.isnan(lt.log(-1.0)) and np.isnan(lt.sqrt(-1.0))
    assert lt.sigmoid(-1000.0) == 0 and lt.sigmoid(1000.0) == 1 and np.isnan(lt.sigmoid(float("nan")))
    np.testing.assert_array_equal(lt.sigmoid(np.array([-200, 0, 200], np.float32)), np.array([0, 0.5, 1], np.float32))
    assert np.isnan(lt.maximum(float("nan"), 1.0)) and np.isnan(lt.relu(np.float32("nan")))
    nan = float("nan")
    assert all(np.isnan(f(nan)) for f in (lt.sign, lt.softplus, lt.gelu, lt.leaky_relu, lt.elu, lt.erf, lt.expm1, lt.log1p, lt.tan))
    assert lt.log1p(-1.0) == -np.inf and np.isnan(lt.log1p(-2.0)) and lt.expm1(-np.inf) == -1 and lt.erf(np.inf) == 1
    assert lt.log2(8.0) == 3 and lt.log10(1000.0) == 3 and np.isnan(lt.asin(1.5)) and np.isnan(lt.acos(-1.5)) and np.isnan(lt.acosh(0.5)) and lt.atanh(-1.0) == -np.inf and lt.log2(0.0) == -np.inf
    assert math.isclose(lt.hypot(3e200, 4e200), 5e200) and lt.atan2(0.0, -1.0) == math.pi and lt.atan2(-0.0, -1.0) == -math.pi and math.isclose(lt.cbrt(-27.0), -3)
    assert lt.softplus(1000.0) == 1000 and lt.softplus(-1000.0) == 0 and lt.sign(-0.0) == 0 and lt.sign(-7) == -1
    np.testing.assert_array_equal(lt.clip(np.array([-3, nan, 0.5, 9], np.float32), -1, 1), np.array([-1, nan, 0.5, 1], np.float32))
    assert lt.clip(5, 3, 1) == 1 and lt.clip(2, 1.5, 9) == 2


def test_matmul_of_all_ranks():
    for a, b in ((V, V), (A, V), (V[:2], A), (A, A.T)):
        np.testing.assert_allclose(lt.matmul(a, b), a @ b)
    with pytest.raises(ValueError, match="shapes"):
        lt.matmul(A, 2.0)


def test_reductions():
    np.testing.assert_allclose(lt.sum(A), A.sum())
    np.testing.assert_allclose(lt.sum(A, axis=0), A.sum(axis=0))
    np.testing.assert_allclose(lt.mean(A, axis=1), A.mean(axis=1))
    assert lt.max(A) == 3 and lt.sum(A).dtype == np.float32
    assert lt.argmax(np.array([1.0, 3.0, 3.0])) == 1 and type(lt.argmax(V)) is int
    for axis in (None, 0, 1, -1):
        for ours, theirs in ((lt.prod, np.prod), (lt.max, np.max), (lt.min, np.min), (lt.argmax, np.argmax), (lt.argmin, np.argmin)):
            np.testing.assert_array_equal(ours(A, axis), theirs(A, axis))
        np.testing.assert_allclose(lt.logsumexp(A, axis), np.log(np.exp(A).sum(axis)), rtol=1e-6)
        np.testing.assert_allclose(lt.norm(A, axis), np.linalg.norm(A, axis=axis), rtol=1e-6)
    assert lt.logsumexp(np.array([-np.inf, -np.inf])) == -np.inf and lt.logsumexp(np.array([1000.0, 1000.0])) == 1000 + np.log(2)


def test_softmax_and_cross_entropy():
    logits = np.array([1000.0, 1001.0, 999.0])
    probabilities = lt.softmax(logits)
    np.testing.assert_allclose(probabilities.sum(), 1)
    np.testing.assert_allclose(lt.log_softmax(logits), np.log(probabilities))
    np.testing.assert_allclose(lt.cross_entropy(logits, 2), -np.log(probabilities[2]))
    with pytest.raises(IndexError, match="label -1 is out of range"):
        lt.cross_entropy(V, -1)
    with pytest.raises(IndexError, match="label 3"):
        lt.cross_entropy(logits, 3)
    np.testing.assert_allclose(lt.softmax(A, 0), np.exp(A) / np.exp(A).sum(0), rtol=1e-6)
    np.testing.assert_allclose(lt.log_softmax(A, axis=0), np.log(np.exp(A) / np.exp(A).sum(0)), rtol=1e-5)
    np.testing.assert_allclose(lt.cross_entropy(A, np.array([2, 0])), [lt.cross_entropy(A[0], 2), lt.cross_entropy(A[1], 0)], rtol=1e-6)


def test_parts_and_wholes():
    np.testing.assert_array_equal(lt.concat(V, V), np.concatenate([V, V]))
    for alike in (lt.concat([A, A], axis=1), lt.concat([A, A], 1), lt.function(lambda a: lt.concat((a, a), 1))(A)):
        np.testing.assert_array_equal(alike, np.concatenate([A, A], 1))
    for alike in (lt.stack([A, A], axis=-1), lt.stack([A, A], -1), lt.function(lambda a: lt.stack((a, a), -1))(A)):
        np.testing.assert_array_equal(alike, np.stack([A, A], -1))
    np.testing.assert_array_equal(lt.stack([V, V]), np.stack([V, V]))
    first, second, third = lt.split(V, 3)
    assert (first, second, third) == ([0.5], [-1], [2])
    assert [len(part) for part in lt.split(V, [1, 2])] == [1, 2]
    with pytest.raises(ValueError, match="3 elements do not split into 2"):
        lt.split(V, 2)
    for start, stop in ((0, 2), (-2, None), (1, 100), (None, -1), (2, 1), (-100, 2)):
        np.testing.assert_array_equal(lt.slice(V, start, stop), V[start:stop])
    np.testing.assert_array_equal(lt.gather(A, 1), A[1])
    with pytest.raises(IndexError):
        lt.gather(A, 2)
    np.testing.assert_array_equal(lt.outer(V, V), np.outer(V, V))


def test_new_arrays_have_the_default_dtype():
    assert lt.zeros(2, 3).dtype == np.float32 and lt.zeros((2, 3)).shape == (2, 3)
    assert lt.zeros().shape == () and lt.full((2,), 3, dtype="i64").dtype == np.int64
    before = lt.set_default_dtype("f64")
    try:
        assert lt.ones(2).dtype == np.float64 and lt.constant([1.0]).dtype == np.float64
    finally:
        lt.set_default_dtype(before)
    assert lt.constant([1, 2]).dtype == np.int64
    assert lt.zeros_like(A).dtype == np.float32 and lt.zeros_like(2.5) == 0.0


def test_cast():
    assert lt.cast(2.7, "i64") == 2 and lt.cast(A, "f64").dtype == np.float64 and lt.cast(1, "bool") is True


def test_results_have_memory_of_their_own():
    mine = np.ones((2, 2))
    for result in (lt.exp(mine), lt.reshape(mine, 4), lt.transpose(mine), lt.stop_gradient(mine), lt.cast(mine, "f64"), lt.constant(mine),
                   lt.swapaxes(mine, 0, 1), lt.slice(lt.constant(mine), 0, 1), lt.flip(mine), lt.relu(mine), lt.zeros(2, 2)):
        result += 1.0
        result[0] = 7.0
    assert (mine == 1).all()


def test_an_array_does_not_take_what_a_derivative_is_taken_through():
    def loss(v):
        total = lt.zeros(3, dtype="f64")
        total += v * 2.0
        return lt.sum(total * total)

    v = np.array([1.0, 2.0, 3.0])
    assert loss(v) == lt.function(loss)(v) == 56.0
    with pytest.raises(Exception, match="numpy.add puts a recorded value into an array that is none.*write a = a [+] b"):
        lt.grad(loss)(v)
    np.testing.assert_array_equal(lt.grad(lt.function(loss))(v), 8 * v)


def test_what_was_read_for_a_derivative_may_change_behind_it():
    def loss(v):
        factors = lt.constant(np.ones(3))
        scaled = v * factors
        factors += 5.0
        return lt.sum(scaled)
    for function in (loss, lt.function(loss)):
        np.testing.assert_array_equal(lt.grad(function)(np.ones(3)), np.ones(3))


def test_an_item_of_a_parameter_stays_what_it_was():
    parameter = lt.Parameter((2, 3), lt.init.ones())
    row = parameter[0]
    parameter.assign(np.zeros((2, 3)))
    np.testing.assert_array_equal(row, [1, 1, 1])


def test_numpy_functions_on_parameters():
    parameter = lt.Parameter((3,), lt.init.ones())
    np.testing.assert_allclose(np.tanh(parameter) + np.sum(parameter), np.tanh(1) + 3, rtol=1e-6)
    with pytest.raises(TypeError, match="numpy.nextafter"):
        np.nextafter(parameter, 2)


def test_scalars_follow_python():
    parameter = lt.Variable(7)
    assert parameter // 2 == 3 and -parameter % 4 == 1
    with pytest.raises(AssertionError, match="no"):
        lt.assert_(False, "no")
