"""What is computed twice of the same values is computed once, where nobody can tell; and where one could, it is not."""
import numpy as np
import pytest

import lantern as lt
from lantern import core
from thorough import one_of

Square, Vector = lt.Tensor[lt.f64, 4, 4], lt.Tensor[lt.f64, 4]


def kernel(x, scale):
    return np.exp(-np.square(x[:, None] - x[None, :]) / scale) + np.eye(4)


def calls(w: Square, x: Vector):
    return np.sum(np.log(np.linalg.det(kernel(x, 2.0)))) + x @ np.linalg.solve(kernel(x, 2.0), x)


def operations(w: Square, x: Vector):
    s = w @ w.T + np.eye(4)
    return x @ np.linalg.inv(s) @ w @ np.linalg.inv(s) @ x


def chains(w: Square, x: Vector):
    return np.sum(np.tanh(2.0 * (w @ x) + 1.0) ** 3) + np.max(np.tanh(2.0 * (w @ x) + 1.0))


def unrolled(w: Square, x: Vector):
    for i in range(5):
        x = np.tanh(np.exp(w) @ x) + i
    return np.sum(x)


def a_branch(w: Square, x: Vector):
    total = np.sum(w @ x)
    if x[0] > 0.0:
        total += np.sum((w @ x) * x)
    return total


def a_loop(w: Square, x: Vector):
    total = np.sum(np.tanh(w) @ x)
    n = 0
    while n < x[1] * 10.0:
        total += np.max(np.tanh(w) @ x) * n
        n += 1
    return total


def a_second_gradient(w: Square, x: Vector):
    slope = lt.value_and_grad(calls, wrt="x")(w, x)[1]
    return np.sum(slope * x)


def behind_a_branch(w: Square, x: Vector):
    total = 0.0
    if x[0] > 0.0:
        total = np.sum(np.tanh(w @ x))
    return total + np.max(np.tanh(w @ x) * x)


def other_values(w: Square, x: Vector):
    return np.sum(np.tanh(w @ x)) + np.sum(np.tanh(w.T @ x)) + np.sum(kernel(x, 2.0 + x[0])) * np.sum(kernel(x, 3.0 + x[0])) + np.max(lt.softmax(w, 0) - lt.softmax(w, 1))


SHARED = {calls: ("kernel(", 1), operations: ("inverse(", 1), chains: ("tanh(", 1), unrolled: ("exp(w)", 1), a_branch: ("matmul(w, x)", 1), a_loop: ("tanh(", 1)}
KEPT = {behind_a_branch: ("tanh(", 2), other_values: ("kernel(", 2)}
CASES = (*SHARED, *KEPT, a_second_gradient)
ARGUMENTS = np.sin(np.arange(16.0)).reshape(4, 4), np.array([0.3, 0.2, 0.5, -0.1])


def gradients(w: Square, x: Vector):
    """Of each case: its value and its gradient; one program has them all."""
    return tuple((value, *slopes) for value, slopes in [lt.value_and_grad(case, wrt=("w", "x"))(w, x) for case in CASES])


@pytest.mark.parametrize("schedule", one_of(["auto", "depth-first"], 1))
def test_values_and_gradients_are_those_of_plain_python(monkeypatch, schedule):
    monkeypatch.setenv("LANTERN_SCHEDULE", schedule)
    compiled = lt.function(gradients)
    found = compiled(*ARGUMENTS)
    monkeypatch.setenv("LANTERN_DISABLE_PASS", "share-values")
    without = lt.function(gradients)(*ARGUMENTS)
    for case, ours, other, plain in zip(CASES, found, without, gradients(*ARGUMENTS)):
        for value, alone, expected in zip(ours, other, plain):
            np.testing.assert_allclose(value, expected, rtol=1e-10, atol=1e-13, err_msg=case.__name__)
            np.testing.assert_allclose(value, alone, rtol=1e-11, atol=1e-13, err_msg=case.__name__)


def text_of(function, *arguments):
    return core.compile(lt.function(function).text(*arguments), "f", {"emit": "cpp"})


@pytest.mark.parametrize("case", [*SHARED, *KEPT])
def test_how_often_it_stands_there(case):
    call, times = {**SHARED, **KEPT}[case]
    body = text_of(case, *ARGUMENTS).split("check_stack(\"" + case.__name__)[1].split("\n}\n")[0]
    assert body.count(call) == times, body


def test_the_users_name_is_kept():
    def named(w: Square, x: Vector):
        total = np.sum(np.tanh(w) @ x)
        gates = np.tanh(w)
        return total + np.sum(gates)
    assert "gates = tanh(w)" in text_of(named, *ARGUMENTS)


def test_items_that_are_set_are_of_one_array():
    """Nothing is differentiated: eagerly, arrays then do not change."""
    def changed(w: Square, x: Vector):
        first = np.exp(w) @ x
        first[0] = 7.0
        second = np.exp(w) @ x
        for i in range(lt.shape(x)[0]):
            second[i] = second[i] + first[i]
        third = np.exp(w) @ x
        return np.sum(first * x) + np.sum(second * x) * 3.0 + np.sum(third * third)
    assert lt.function(changed)(*ARGUMENTS) == pytest.approx(changed(*ARGUMENTS), rel=1e-13)


def test_what_does_more_than_compute_does_it_each_time(capfd):
    def drawn():
        return np.sum(np.exp(lt.normal(3, dtype="f64")))

    def printed(x):
        lt.print("computed")
        return np.exp(x)

    def both(x: Vector):
        lt.seed(3)
        return drawn() + drawn() * 2.0 + np.sum(printed(x)) + np.max(printed(x))
    x = ARGUMENTS[1]
    assert lt.function(both)(x) == pytest.approx(both(x), rel=1e-6)
    assert capfd.readouterr().out.count("computed") == 4


def test_a_parameter_that_a_step_changes_is_read_anew():
    weight = lt.Parameter((3,), np.array([0.5, -0.25, 1.0]), dtype="f64")
    optimizer = lt.optim.SGD(0.1)
    x = np.array([1.0, 2.0, 3.0])

    def gates():
        return np.exp(weight)

    def loss(x: lt.Tensor[lt.f64, 3]):
        return np.sum(np.square(weight * x - 1.0)) + np.sum(gates()) * np.max(gates())

    def train(x: lt.Tensor[lt.f64, 3]):
        total = np.sum(np.exp(weight)) + np.sum(gates())
        optimizer.step(lt.value_and_grad(loss)(x)[1])
        return total - np.sum(np.exp(weight)) * 2.0 + np.sum(gates()) * 3.0
    before = weight.value.copy()
    expected = train(x)
    weight.assign(before)
    assert lt.function(train)(x) == pytest.approx(expected, rel=1e-12)


def test_the_first_one_fails():
    def inverses(w: Square, x: Vector):
        total = 0.0
        if x[0] > 0.0:
            total = np.sum(np.linalg.inv(w))
        return total + np.max(np.linalg.inv(w) + np.linalg.inv(w))
    compiled = lt.function(inverses)
    regular = ARGUMENTS[0] + 2.0 * np.eye(4)
    assert compiled(regular, ARGUMENTS[1]) == pytest.approx(inverses(regular, ARGUMENTS[1]))
    for x in (ARGUMENTS[1], -ARGUMENTS[1]):
        with pytest.raises(np.linalg.LinAlgError):
            compiled(np.zeros((4, 4)), x)
