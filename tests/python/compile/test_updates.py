"""When parameters and states change, and what is read before and after."""

import numpy as np
import pytest


UPDATES = """
(state counter i64 (fill 0))
(state scale f64 (fill 2))
(state left (tensor f64 2) (fill 1))
(state right (tensor f64 2) (fill 5))
(define old_and_new () (let before counter (begin (update (counter (+ counter 1))) (tuple before counter))))
(define read_then_written () (+ (* 10 counter) (begin (update (counter (+ counter 1))) counter)))
(state square (tensor f64 2 2) (fill 1))
(define transposed () (begin (update (square (+ (transpose square) (* 2.0 square)))) (sum square)))
(define shifted () (begin (update (square (transpose square))) (item (index (index square 0) 1))))
(define counted () (for i (range 0 counter 1) ((n 0)) true (begin (update (counter (+ counter 1))) (+ n 1))))
(define swap () (begin (update (left right) (right left)) (tuple (sum left) (sum right))))
(define scaled ((x f64)) (let y (* scale x) (begin (update (scale (* scale 3.0))) y)))
(define scaled_grad ((x f64)) (value-and-grad scaled (wrt x) x))
(define set_counter ((n i64)) (begin (update (counter n)) counter))
(define loop_update ((n i64)) (begin (for i (range 0 n 1) () true (begin (update (counter (+ counter i))) (tuple))) counter))
(state place f64 (fill 0))
(define elements () (begin (for x (* 2.0 left) () true (begin (update (left (+ left 10.0))) (update (place (+ (* 100.0 place) (item x)))))) place))
(parameter table (tensor f64 3 2) (fill 1))
(state total (tensor f64 3 2) (fill 0))
(define of_row ((i i64)) (sum (gather table i)))
(define roots ((i i64)) (let p (value-and-grad of_row (wrt table) i) (let g (get p 1) (let s (+ total (* g g))
  (begin (update (table (- table (/ g (sqrt s)))) (total s)) (get p 0))))))
(define rows () (for row square ((t (zeros f64 2))) true (begin (update (square (* 10.0 square))) (+ t row))))
(define raised ((x f64)) (let y (* x (item (sum right))) (begin (update (left (+ left 1.0))) y)))
(define summed_before ((a (tensor f64 2)) (x f64)) (+ (item (sum (* a 2.0))) (get (value-and-grad raised (wrt x) x) 0)))
(define under_another_name ((x f64)) (summed_before left x))
(export under_another_name) (export rows) (export elements) (export roots) (export transposed) (export shifted) (export old_and_new) (export read_then_written) (export counted) (export swap) (export scaled_grad) (export set_counter) (export loop_update)
"""


@pytest.fixture
def updates(program_of):
    """The program, and what its state holds: {name: array}."""
    program = program_of(UPDATES, "updates")
    state = {"counter": np.array(0), "scale": np.array(2.0), "left": np.ones(2), "right": np.full(2, 5.0), "square": np.arange(4.0).reshape(2, 2),
             "place": np.array(0.0), "table": np.ones((3, 2)), "total": np.zeros((3, 2))}
    for name, array in state.items():
        program.bind(name, array)
    yield lambda name, *operands: program.entry(name)(*operands), state


def test_a_number_is_taken_when_it_is_read(updates):
    call, state = updates
    assert call("old_and_new") == [0, 1]
    assert call("read_then_written") == [12]
    assert state["counter"] == 2


def test_the_bounds_of_a_range_are_taken_once(updates):
    call, state = updates
    state["counter"][...] = 3
    assert call("counted") == [3]
    assert state["counter"] == 6


def test_updates_happen_at_once(updates):
    call, state = updates
    assert call("swap") == [10.0, 2.0]
    assert state["left"].tolist() == [5.0, 5.0] and state["right"].tolist() == [1.0, 1.0]


def test_a_value_does_not_change_while_it_is_stored(updates):
    call, state = updates
    call("transposed")
    assert state["square"].tolist() == [[0.0, 4.0], [5.0, 9.0]]
    assert call("shifted") == [5.0]
    assert state["square"].tolist() == [[0.0, 5.0], [4.0, 9.0]]


def test_a_derivative_asks_for_what_a_state_was(updates):
    call, state = updates
    assert call("scaled_grad", 5.0) == [10.0, 2.0]
    assert state["scale"] == 6.0


def test_updates_in_a_loop(updates):
    call, _ = updates
    assert call("set_counter", 7) == [7]
    assert call("loop_update", 4) == [13]


def test_a_loop_goes_over_what_an_expression_was(updates):
    call, state = updates
    state["left"][...] = [1.0, 2.0]
    assert call("elements") == [204.0]
    assert state["left"].tolist() == [21.0, 22.0]


def test_a_sum_is_taken_before_a_gradient_changes_what_is_summed(updates):
    call, state = updates
    assert call("under_another_name", 1.0) == [4.0 + 10.0]
    assert state["left"].tolist() == [2.0, 2.0]


def test_an_element_of_a_turn_stays_as_it_was(updates):
    call, state = updates
    assert call("rows")[0].tolist() == [20.0, 31.0]
    assert state["square"].tolist() == [[0.0, 100.0], [200.0, 300.0]]


def test_rows_without_a_gradient_are_divided_by_their_zeros(updates):
    call, state = updates
    assert call("roots", 1) == [2.0]
    np.testing.assert_array_equal(state["table"], [[np.nan, np.nan], [0.0, 0.0], [np.nan, np.nan]])
