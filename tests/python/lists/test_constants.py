"""lt.constant in a compiled function: an array that is known, and can be chosen from by what is not."""
import numpy as np
import pytest

import lantern as lt


@lt.function
def chosen(i: int, v: lt.Tensor[lt.f64, None]):
    table = lt.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], "f64")
    if i < 0:
        table = lt.constant([[0.5, -0.5]], "f64")
    weights = lt.constant([1, 2, 3])
    for k in range(i):
        v = v * table[k] + weights[k]
    return v, table[i], lt.constant(2.5, "f64") * v, lt.take(table, lt.constant([0, -1]))


@pytest.mark.parametrize("i", [0, 1, 2, -1])
def test_constants(i):
    v = np.array([1.0, 2.0])
    for ours, plain in zip(chosen(i, v), chosen.__wrapped__(i, v)):
        assert np.array_equal(ours, plain) and np.asarray(ours).dtype == np.asarray(plain).dtype


A, B, C, D, E = np.float64(1.5), np.float32(1.5), np.int64(3), np.int32(3), np.bool_(True)


def with_all(v, w, k, x, n, c):
    return v * c, w + c, k * c, x * c, n + c, lt.maximum(v, c), v > c


@lt.function
def promoted(v: lt.Tensor[lt.f32, None], w: lt.Tensor[lt.f64, None], k: lt.Tensor[lt.i64, None], x: float, n: int):
    return (with_all(v, w, k, x, n, A), with_all(v, w, k, x, n, B), with_all(v, w, k, x, n, C), with_all(v, w, k, x, n, D),
            with_all(v, w, k, x, n, E), lt.zeros(C), v[np.int64(1)], v[:np.int64(2)])


def test_numbers_of_numpy_promote_as_in_numpy():
    arguments = np.array([1.0, 2.0, -1.0], np.float32), np.array([1.0, -2.0]), np.array([4, 5]), 0.5, 7

    def compare(ours, plain):
        if isinstance(plain, (list, tuple)):
            assert len(ours) == len(plain)
            for one, other in zip(ours, plain):
                compare(one, other)
        else:
            assert np.array_equal(ours, plain) and np.asarray(ours).dtype == np.asarray(plain).dtype
    compare(promoted(*arguments), promoted.__wrapped__(*arguments))
