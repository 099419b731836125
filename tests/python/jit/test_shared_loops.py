"""Loops over the same elements that are one, with several results (pass share-loops): values and gradients, to the bit, and what stays apart."""
import re

import numpy as np
import pytest

import lantern as lt
from lantern import core


def huber(x, y, m):
    d = x - y
    size = np.abs(d)
    return np.sum(np.where(size < 0.1, 0.5 * d * d, 0.1 * (size - 0.05)))


def polynomial(x, y, m):
    a = np.tanh(y[:3])
    return np.sum(a[0] + x * (a[1] + x * a[2]))


def of_matrices(x, y, m):
    near = np.logical_and(m > -0.5, m < 0.5)
    return np.mean(np.where(near, m * m, np.abs(m))) + np.sum(m * m * m) * np.sum(x)


def likelihood(x, y, m):
    p = lt.sigmoid(y)
    return -np.sum(x * np.log(p + 0.01) + (1.0 - x) * np.log(1.01 - p))


def a_sum_is_read(x, y, m):
    total = np.sum(x * y)
    z = x * total + y
    return np.sum(z * z) + np.sum(z * x)


def a_condition_is_kept(x, y, m):
    positive = x > 0.0
    return np.sum(np.where(positive, x * x, y)) + np.sum(np.where(positive, m, 1.0))


def stretched(x, y, m):
    z = m - x
    return np.sum(z * z) + np.sum(m * m) + np.sum(np.abs(m) * y)


def costly(x, y, m):
    z = np.exp(x) * y
    return np.sum(z * np.exp(x)) + np.sum(np.log(z * z + 1.0))


def set_in_between(x, y, m):
    a = np.ones(x.shape[0])
    first = np.sum(a * x) + np.sum(x * y)
    a[0] = 2.0
    second = np.sum(a * x) + np.sum(a * y)
    a[1:3] = 0.5
    return first + second * np.sum(a * a * x) + np.sum(a * x * y)


def in_a_loop(x, y, m):
    state, total = x * 0.5, 0.0
    for i in lt.range(3):
        d = state - m[i]
        state = d * y + x
        total = total * 0.5 + np.sum(d * state) + np.sum(np.maximum(d, 0.1))
    return total + np.sum(state * state)


def in_branches(x, y, m):
    d = x - y
    if np.sum(d) > 0.0:
        e = d * x
        return np.sum(e * e) + np.sum(e * d)
    return np.sum(np.where(d < 0.0, d * y, -d))


def part(x, y):
    d = x - y
    return np.sum(d * d) + np.sum(d * x)


def called_twice(x, y, m):
    return part(x * y, y) + part(y, x)


def within_a_gradient(x, y, m):
    slope = lt.grad(lambda a: np.sum(np.where(a > 0.0, a * a * y, a * x)))(x)
    return np.sum(slope * slope) + np.sum(slope * y)


def named_as_in_cpp(x, y, m):
    sum_of = x * y
    in_one_loop = sum_of - x
    x_i = in_one_loop * sum_of
    return np.sum(x_i * y) + np.mean(x_i)


PROGRAMS = [named_as_in_cpp, huber, polynomial, of_matrices, likelihood, a_sum_is_read, a_condition_is_kept, stretched, costly, set_in_between, in_a_loop, in_branches, called_twice, within_a_gradient]
# A packet has 2 to 16 elements; 2600 are several pieces of a sum.
LENGTHS = [3, 5, 8, 16, 33, 2600]


def gradients(x, y, m):
    return tuple(lt.value_and_grad(program, wrt=("x", "y", "m"))(x, y, m) for program in PROGRAMS)


def values(x, y, m):
    d = x - y
    positive = d > 0.0
    z = np.where(positive, d, 0.5)
    z += y
    return z, np.sum(z), positive, -z, np.mean(z * x), m + m, np.sum(m)


def compiled(program, dtype):
    vector, matrix = lt.Tensor[dtype, "n"], lt.Tensor[dtype, "m", "n"]

    def typed(x: vector, y: vector, m: matrix):
        return program(x, y, m)
    return lt.function(typed)


def inputs(n, dtype):
    rng = np.random.default_rng(n)
    return rng.normal(size=n).astype(dtype), rng.normal(size=n).astype(dtype), rng.normal(size=(3, n)).astype(dtype)


def flat(results):
    return [np.asarray(one) for one in results] if not isinstance(results[0], tuple) else [np.asarray(one) for value, slopes in results for one in (value, *slopes)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", [lt.f32, lt.f64], ids=["f32", "f64"])
@pytest.mark.parametrize("program, lengths", [(gradients, LENGTHS), (values, [0, 1, *LENGTHS])])
def test_each_result_is_to_the_bit_what_it_is_by_itself(program, lengths, dtype, monkeypatch):
    of_numpy, tolerance = ("float32", 2e-3) if dtype is lt.f32 else ("float64", 1e-10)
    shared = compiled(program, dtype)
    together = [flat(shared(*inputs(n, of_numpy))) for n in lengths]
    monkeypatch.setenv("LANTERN_DISABLE_PASS", "share-loops")
    apart = compiled(program, dtype)
    for n, results in zip(lengths, together):
        given = inputs(n, of_numpy)
        alone = flat(apart(*given))
        assert len(results) == len(alone)
        for one, other in zip(results, alone):
            np.testing.assert_array_equal(one, other)
        with np.errstate(all="ignore"):
            plain = flat(program(*given)) if n > 0 else results
        assert len(results) == len(plain)
        for one, other in zip(results, plain):
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance * max(1.0, np.max(np.abs(other), initial=0.0)))


def cpp_of(program):
    text = lt.function(lt.value_and_grad(program, wrt=("x", "y", "m"))).text(*inputs(6, "float32"))
    return core.compile(text, "program.sexpr", {"emit": "cpp"})


def results_of_loops(written):
    return [names.split(", ") for names in re.findall(r"const auto \[(.*)\] = in_one_loop", written)]


def test_a_loss_and_its_gradients_are_one_loop():
    written = cpp_of(huber)
    [results] = results_of_loops(written)
    assert sorted(name for name in results if name.endswith("_adj")) == ["d_adj", "y_adj"] and len(results) == 3
    assert written.count("sum_of(") == 1 and " sum(" not in written and "Vector<bool>" not in written
    assert "const auto d_i = x_i - y_i;" in written and "const auto d = " not in written


def test_intermediate_arrays_are_values_of_the_loop():
    [results] = results_of_loops(cpp_of(likelihood))
    assert len(results) == 3 and "p_adj" not in results


@pytest.mark.parametrize("program, kept", [
    (a_condition_is_kept, "const Vector<bool> positive = "),
    (costly, " = exp("),
    (stretched, "const auto z = m - x;"),
])
def test_what_stays_apart(program, kept):
    assert kept in cpp_of(program)


def test_what_needs_a_sum_comes_behind_it():
    written = cpp_of(a_sum_is_read)
    assert written.index("float total = sum(x * y)") < written.index("in_one_loop")


def numbers_among_elements(a, b, v, m):
    return np.sum(a - b + lt.einsum("ij,j->i", m, v))


def test_what_goes_over_nothing_is_no_loop():
    """The adjoint of a sum is ones: nothing in a loop of it alone would say how many elements it has."""
    program = lt.value_and_grad(numbers_among_elements, wrt=("a", "b", "v", "m"))
    v, _, m = inputs(3, "float64")
    value, slopes = lt.function(program)(1.5, 0.25, v, m)
    np.testing.assert_allclose(value, 3.75 + np.sum(m @ v), rtol=1e-12)
    for slope, expected in zip(slopes, (3.0, -3.0, m.sum(axis=0), np.tile(v, (3, 1))), strict=True):
        np.testing.assert_allclose(slope, expected, rtol=1e-12)


def results_that_nobody_reads(w, n):
    for _ in lt.range(n):
        unread = np.nansum(w)
    rows = np.array([w * 1, w * 2, w * 3])
    return np.sum(np.tanh(np.max(rows, axis=0))) + 0.0 * n


def test_a_loop_whose_results_nobody_reads_is_left_out(monkeypatch):
    """Other passes leave such values out where they run."""
    w, _, _ = inputs(3, "float64")
    value, slopes = lt.function(lt.value_and_grad(results_that_nobody_reads, wrt="w"))(w, 2)
    monkeypatch.setenv("LANTERN_DISABLE_PASS", "tidy,join-adjoints")
    np.testing.assert_equal(lt.function(lt.value_and_grad(results_that_nobody_reads, wrt="w"))(w, 2), (value, slopes))
