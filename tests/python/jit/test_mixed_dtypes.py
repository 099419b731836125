"""Gradients where arrays of f32 meet arrays of f64, as parameters meet NumPy's: each has its own array's dtype."""
import numpy as np
import pytest

import lantern as lt

MEETINGS = {
    "+": lambda a, x: a + x,
    "-": lambda a, x: x - a,
    "*": lambda a, x: a * x,
    "/": lambda a, x: a / (x * x + 2.0),
    "**": lambda a, x: (a * a + 1.5) ** x,
    "hypot": np.hypot,
    "where": lambda a, x: np.where(x > 0.1, a, x),
    "stack": lambda a, x: np.stack([a, x]),
    "outer": lambda a, x: np.outer(a, x) @ x,
    "outer and a bias": lambda a, x: np.tanh(np.outer(a, a) @ x + a * 3),
    "a stack of matrices": lambda a, x: np.stack([np.outer(a, a), 2.0 * np.outer(a, a)]) @ x,
    "element": lambda a, x: a[0] * x + x[0] * a,
    "softmax": lambda a, x: lt.softmax(a + x),
    "sums": lambda a, x: np.sum(a) * x + np.mean(x) * a + np.max(a) * x,
}


def one(meet, a, x):
    """Operands that have names, and are read elsewhere, too."""
    p, q = a * 2, x * 1.5
    y = meet(p, q)
    return np.sum(np.tanh(y) * y) + np.sum(p * p) + np.sum(q * q * q)


def gradients(a, x):
    """Of each: its value, and its gradient with respect to both; one program has them all."""
    return [lt.value_and_grad(one, wrt=("a", "x"))(meet, a, x) for meet in MEETINGS.values()]


@pytest.fixture(scope="module")
def found():
    return dict(zip(MEETINGS, lt.function(gradients)(*ARGUMENTS)))


ARGUMENTS = np.array([0.3, -0.2, 0.55, 0.1], np.float32), np.array([0.31, -0.22, 0.53, 0.14])


@pytest.mark.parametrize("name", MEETINGS)
def test_each_gradient_is_that_of_differences_and_has_its_arrays_dtype(name, found):
    a, x = ARGUMENTS
    value, slopes = found[name]
    assert np.isclose(value, one(MEETINGS[name], a, x), rtol=1e-5)
    for given, slope in zip((a, x), slopes):
        assert slope.dtype == given.dtype
    for place in range(4):
        step = np.eye(4)[place] * 1e-4
        wide = a.astype(np.float64)
        for slope, before, behind in ((slopes[0], (wide - step, x), (wide + step, x)), (slopes[1], (wide, x - step), (wide, x + step))):
            difference = (one(MEETINGS[name], *behind) - one(MEETINGS[name], *before)) / 2e-4
            assert np.isclose(slope[place], difference, rtol=1e-4, atol=1e-5)
