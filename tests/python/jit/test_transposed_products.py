"""A product with a matrix that is turned for it reads that as it lies, and so does its gradient; where the matrix is another one by then, it does not."""
import numpy as np
import pytest

import lantern as lt
from lantern import core

Left, Right = lt.Tensor[lt.f64, 3, 4], lt.Tensor[lt.f64, 5, 4]


def a_layer(x: Left, w: Right):
    return np.sum(np.tanh(x @ w.T) ** 2)


def the_left_one(x: Left, w: Right):
    return np.sum(np.tanh(x.T @ np.sin(x)) * (w.T @ np.cos(w)))


def both(x: Left, w: Right):
    return np.sum(np.tanh(x.T @ (w @ x.T).T.T[:3]) ** 2) + np.sum((x.T @ x.T.T.T[:, :3].T) ** 3)


def with_itself(x: Left, w: Right):
    return np.sum((x @ x.T) ** 2) + np.sum((w.T @ w) ** 2)


def read_otherwise(x: Left, w: Right):
    turned = w.T
    return np.sum(np.tanh(x @ turned) ** 2) + np.sum(turned[0] * turned[1])


def in_a_loop(x: Left, w: Right):
    turned, total = w.T, 0.0
    n = 0
    while n < x[0, 0] * 5.0 + 1.0:
        total += np.sum(np.tanh(x @ turned) ** 2)
        x = x * 0.5
        turned = (w * 0.9).T
        n += 1
    return total


def in_a_branch(x: Left, w: Right):
    turned = w.T
    if x[0, 0] > 0.0:
        return np.sum(np.exp(x @ turned))
    return np.sum(turned)


def a_matrix_that_changes(x: Left, w: Right):
    w = w * 1.0
    turned = w.T.copy()
    w[0, 0] = 7.0
    w *= 2.0
    return np.sum(np.tanh(x @ turned) ** 2) + np.sum(w)


def a_view_of_what_changes(x: Left, w: Right):
    w = w * 1.0
    turned = w.T
    w[0, 0] = x[0, 0]
    return np.sum(np.tanh(x @ turned) ** 2)


def a_list_of_what_changes(x: Left, w: Right):
    held = [w * 1.0, w * 2.0]
    turned = held[0].T.copy()
    held[0] += 1.0
    return np.sum(np.tanh(x @ turned) ** 2) + np.sum(x @ held[0].T)


def a_second_gradient(x: Left, w: Right):
    slope = lt.value_and_grad(a_layer, wrt="x")(x, w)[1]
    return np.sum(slope * np.cos(x))


def a_tangent(x: Left, w: Right):
    return np.sum(lt.jvp(a_layer, (x, w), (np.sin(x), np.cos(w)))[1])


CASES = (a_layer, the_left_one, both, with_itself, read_otherwise, in_a_loop, in_a_branch, a_matrix_that_changes, a_view_of_what_changes, a_list_of_what_changes,
         a_second_gradient, a_tangent)
X, W = np.sin(np.arange(12.0) + 0.5).reshape(3, 4), np.cos(np.arange(20.0)).reshape(5, 4)


def gradients(x: Left, w: Right):
    """Of each case: its value and its gradient; one program has them all."""
    return tuple((value, *slopes) for value, slopes in [lt.value_and_grad(case, wrt=("x", "w"))(x, w) for case in CASES])


def differences(case, step=1e-6):
    """The gradient of a case of plain Python's, by central differences."""
    slopes = []
    for which in range(2):
        slope = np.zeros_like((X, W)[which])
        for place in np.ndindex(slope.shape):
            values = []
            for sign in (1, -1):
                moved = [X.copy(), W.copy()]
                moved[which][place] += sign * step
                values.append(float(case(*moved)))
            slope[place] = (values[0] - values[1]) / (2 * step)
        slopes.append(slope)
    return slopes


@pytest.mark.parametrize("without", ["", "read-transposed"])
def test_values_and_gradients_are_those_of_plain_python(monkeypatch, without):
    if without:
        monkeypatch.setenv("LANTERN_DISABLE_PASS", without)
    for case, (value, *slopes) in zip(CASES, lt.function(gradients)(X, W)):
        np.testing.assert_allclose(value, float(case(X, W)), rtol=1e-12, err_msg=case.__name__)
        for slope, expected in zip(slopes, differences(case)):
            np.testing.assert_allclose(slope, expected, rtol=1e-6, atol=1e-7, err_msg=case.__name__)


class Layer(lt.Module):
    def __init__(self):
        self.w = lt.Parameter((5, 4), W)

    def loss(self, x):
        return np.sum(np.tanh(x @ self.w.T) ** 2)


def test_a_parameter_is_read_as_it_was_where_it_was_turned():
    def stepped(layer, optimizer):
        def train(x: Left):
            turned = layer.w.T
            loss, gradients = lt.value_and_grad(layer.loss)(x)
            optimizer.step(gradients)
            return loss, np.sum(x @ turned.copy()), np.sum(x @ layer.w.T)
        return train

    results = []
    for compiled in (True, False):
        layer = Layer()
        train = stepped(layer, lt.optim.SGD(0.1))
        results.append([float(number) for number in (lt.function(train) if compiled else train)(X)] + [layer.w.value.copy()])
    for ours, plain in zip(*results):
        np.testing.assert_allclose(ours, plain, rtol=1e-5)


def test_it_is_written_as_one_would():
    def gradient(x: Left, w: Right):
        return lt.value_and_grad(a_layer, wrt=("x", "w"))(x, w)
    text = core.compile(lt.function(gradient).text(X, W), "f", {"emit": "cpp"})
    assert "matmul(x, transpose(w))" in text and text.count("transpose(") == 2     # and that of the adjoint
