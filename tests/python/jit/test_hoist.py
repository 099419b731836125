"""What a loop computes alike in each turn is computed once, in front of it, where nobody can tell; and where one could, it is not."""
from typing import List, Optional

import numpy as np
import pytest

import lantern as lt
from lantern import core
from thorough import one_of

Vector, Square = lt.Tensor[lt.f64, "n"], lt.Tensor[lt.f64, 4, 4]
WEIGHT = lt.Parameter((4, 4), np.cos(np.arange(16.0)).reshape(4, 4), dtype="f64")


def in_a_range(w: Square, x: Vector, turns: int):
    for i in range(turns):
        x = lt.tanh(np.exp(w) @ x) + i
    return np.sum(x)


def in_a_while(w: Square, x: Vector, turns: int):
    while turns > 0:
        x = lt.tanh(lt.softmax(w.T) @ x)
        turns -= 1
    return np.sum(x)


def out_of_two(w: Square, x: Vector, turns: int):
    total = 0.0
    for i in range(turns):
        for j in range(i):
            total += np.sum(np.tanh(w @ w) @ x) * j
    return total


def normalised(w):
    e = np.exp(w - np.max(w, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def by_a_function(w: Square, x: Vector, turns: int):
    for i in range(turns):
        x = lt.tanh(normalised(w) @ x) + i
    return np.sum(x)


def of_numbers(w: Square, x: Vector, turns: int):
    for i in range(turns):
        x = lt.tanh((w + np.eye(4)) @ x) * np.array([1.0, 2.0, 3.0, 4.0])
    return np.sum(x)


def power(w, n: int):
    return np.exp(w) if n <= 0 else w @ power(w, n - 1)


def by_one_that_calls_itself(w: Square, x: Vector, turns: int):
    for i in range(turns):
        x = lt.tanh(power(w, turns) @ x)
    return np.sum(x)


def of_a_parameter(w: Square, x: Vector, turns: int):
    for i in range(turns):
        x = lt.tanh(lt.sigmoid(WEIGHT) @ x) + np.sum(w)
    return np.sum(x)


def changed_in_the_turn(w: Square, x: Vector, turns: int):
    total = 0.0
    for i in range(turns):
        gates = np.exp(w)
        gates[i % 4] = x * total
        total = total * 0.5 + np.sum(gates)
    return total


def of_the_turn_before(w: Square, x: Vector, turns: int):
    for i in range(turns):
        w = np.tanh(w) * 0.5
    return np.sum(w @ x)


def where_a_branch_asks(w: Square, x: Vector, turns: int):
    total = 0.0
    for i in range(turns):
        if i % 2 == 1:
            total += np.sum(np.exp(w) @ x)
    return total


def over_a_list(w: Square, x: Vector, turns: int):
    total = 0.0
    for factor in [x[0]] * turns:
        total += factor * np.sum(np.exp(w) @ x)
    return total


HOISTED = {in_a_range: "exp(w)", in_a_while: "softmax(", out_of_two: "tanh(matmul(w, w))", of_a_parameter: "sigmoid(model.parameters",
           by_a_function: "normalised(w)", of_numbers: "stack(1.0, 2.0, 3.0, 4.0)"}  # and what is seen of it
KEPT = (of_the_turn_before, where_a_branch_asks, over_a_list, by_one_that_calls_itself)
CASES = (*HOISTED, *KEPT)
ARGUMENTS = np.sin(np.arange(16.0)).reshape(4, 4), np.array([0.3, -0.2, 0.5, 0.1])


def gradients(w: Square, x: Vector, turns: int):
    """Of each case: its value and its gradient; one program has them all."""
    results = []
    for case in CASES:
        value, slopes = lt.value_and_grad(case, wrt=("w", "x"))(w, x, turns)
        results.append((value, *slopes))
    return tuple(results)


@pytest.mark.parametrize("schedule", one_of(["auto", "depth-first"], 0))
def test_values_and_gradients_are_those_of_plain_python(monkeypatch, schedule):
    monkeypatch.setenv("LANTERN_SCHEDULE", schedule)
    compiled = lt.function(gradients)
    monkeypatch.setenv("LANTERN_DISABLE_PASS", "hoist")
    kept = lt.function(gradients)
    for turns in (0, 1, 5):
        monkeypatch.delenv("LANTERN_DISABLE_PASS", raising=False)
        found = compiled(*ARGUMENTS, turns)
        monkeypatch.setenv("LANTERN_DISABLE_PASS", "hoist")
        for case, ours, without, plain in zip(CASES, found, kept(*ARGUMENTS, turns), gradients(*ARGUMENTS, turns)):
            for value, other, expected in zip(ours, without, plain):
                np.testing.assert_allclose(value, expected, rtol=1e-10, atol=1e-13, err_msg=case.__name__)
                np.testing.assert_allclose(value, other, rtol=1e-12, atol=1e-14, err_msg=case.__name__)


def test_what_the_turn_changes_is_its_own():
    """Nothing is differentiated: eagerly, arrays then do not change."""
    compiled = lt.function(changed_in_the_turn)
    for turns in (0, 1, 5):
        assert compiled(*ARGUMENTS, turns) == pytest.approx(changed_in_the_turn(*ARGUMENTS, turns), rel=1e-13)


def text_of(function, *arguments):
    return core.compile(lt.function(function).text(*arguments), "f", {"emit": "cpp"})


@pytest.mark.parametrize("case", CASES)
def test_where_it_stands(case):
    body = text_of(case, *ARGUMENTS, 3).split(f'check_stack("{case.__name__}")')[1]
    in_front, _, loop = body.partition("for (" if "for (" in body else "while (")
    if case in HOISTED:
        assert HOISTED[case] in in_front and HOISTED[case] not in loop
    else:
        assert not any(call in in_front for call in ("exp(", "tanh(")) and any(call in loop for call in ("exp(", "tanh("))


def test_what_the_loop_changes_is_read_in_each_turn():
    weight = lt.Parameter((3,), np.array([0.5, -0.25, 1.0]), dtype="f64")
    optimizer = lt.optim.SGD(0.1)

    def loss(x: Vector):
        return np.sum(np.square(weight * x - 1.0))

    def train(x: Vector, turns: int):
        total = 0.0
        for i in range(turns):
            total += np.sum(np.exp(weight))
            optimizer.step(lt.value_and_grad(loss)(x)[1])
        return total
    x, before = np.array([1.0, 2.0, 3.0]), weight.value.copy()
    expected = train(x, 4)
    weight.assign(before)
    assert lt.function(train)(x, 4) == pytest.approx(expected, rel=1e-12)


def test_a_function_that_calls_itself_from_a_loop_and_behind_a_branch():
    def total(x: Vector, depth: int):
        if depth < 0:
            return 0.0
        found = np.sum(x)
        if depth > 1:
            found = found + total(x, depth - 2)
        i = 0
        while i < depth:
            found += total(x * 0.5, depth - 1) * np.sum(np.exp(x))
            i += 1
        return found
    x = np.array([0.1, -0.2])
    assert lt.function(total)(x, 4) == pytest.approx(total(x, 4), rel=1e-12)


def test_what_may_fail_waits_for_its_turn():
    def products(w: lt.Tensor[lt.f64, "n", "m"], x: lt.Tensor[lt.f64, "k"], turns: int):
        total = 0.0
        for i in range(turns):
            total += np.sum(np.tanh(w @ x))
        return total
    compiled = lt.function(products)
    w = np.ones((2, 3))
    assert compiled(w, np.ones(4), 0) == 0.0
    assert compiled(w, np.ones(3), 2) == pytest.approx(products(w, np.ones(3), 2))
    with pytest.raises(ValueError):
        compiled(w, np.ones(4), 1)


def test_draws_are_made_in_each_turn():
    def draws(turns: int):
        lt.seed(3)
        total = 0.0
        for i in range(turns):
            total += np.sum(np.exp(lt.normal(3, dtype="f64")))
        return total
    assert lt.function(draws)(5) == pytest.approx(draws(5), rel=1e-6)


@lt.struct
class Holder:
    weight: Optional["Holder"]
    values: List[float]


def test_a_test_in_the_turn_comes_first():
    def read(holder: Holder, turns: int):
        total = 0.0
        for i in range(turns):
            if holder.weight is None:
                raise ValueError("no weight")
            total += np.sum(np.exp(np.array(holder.weight.values)))
        return total
    compiled = lt.function(read)
    full, empty = Holder(Holder(None, [1.0, 2.0]), []), Holder(None, [])
    assert compiled(empty, 0) == 0.0
    assert compiled(full, 2) == pytest.approx(read(full, 2))
    with pytest.raises(ValueError, match="no weight"):
        compiled(empty, 1)


def test_lists_of_literals_that_are_only_read():
    """Made in front of the loop; what a turn changes, keeps, or makes longer, it has of its own."""
    def f(n: int):
        total, rows_of = 0, []
        for i in range(n):
            neighbours = [[7, 8], [9], [1, 2, 3]]
            for j in neighbours[i % 3]:
                total += j
            rows = [[1, 2], [3, 4]]
            rows[0].append(i)
            rows[1][0] += i
            total += rows[0][-1] + rows[1][0] + len(rows[0])
            current = [5]
            for j in range(i):
                current.append(j)
            total += len(current) + sum(current)
            rows_of.append([0, 1])
        rows_of[0][1] = 40
        return total + sum([row[1] for row in rows_of])
    assert lt.function(f)(7) == f(7)
    text = text_of(f, 7)
    assert text.index("list_of<List<int64_t>>(list_of<int64_t>(7, 8), list_of<int64_t>(9)") < text.index("for (") < text.index("list_of<int64_t>(5)")


def test_a_long_list_of_literals_is_data():
    table = [0.25 * k for k in range(5000)]
    rows = [[k, k % 3] for k in range(12)]

    def f(x: float, n: int):
        total = 0.0
        for i in range(n):
            total += table[i * 37 % 5000] * x
            for j in rows[i % 12]:
                total += j
        return total
    assert lt.function(f)(0.5, 200) == f(0.5, 200)
    text = "".join(text_of(f, 0.5, 200).split())
    assert "constexprdoubletable[]={0.0,0.25," in text and "constexprList<int64_t>rows[]={{rows_elements,2},{rows_elements+2,2}," in text
