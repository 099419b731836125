"""What is read of a state before it changes stays what it was, though a view of it lies where the state does."""
import numpy as np
import pytest

import lantern as lt
from lantern import core
from lantern.staging.errors import StagingError


class Model(lt.Module):
    def __init__(self):
        self.v = lt.Variable(np.zeros((3, 2), np.float32))
        self.u = lt.Variable(np.zeros(3, np.float32))

    def begin(self):
        self.v.assign(np.arange(6, dtype=np.float32).reshape(3, 2))
        self.u.assign(np.ones(3, np.float32))

    def add(self):
        self.v.assign(self.v + 1.0)
        return lt.sum(self.v)

    def row(self, i):
        return self.v[i]


model = Model()


def first(rows):
    return rows[0]


def changed_by_callee(row, rows):
    model.add()
    return row + rows[0]


def views(n):
    row, rows, flat, others, column = model.v[0], model.v[1:], lt.reshape(model.v, 6), model.v[::2], model.v[:, 0]
    same = lt.stop_gradient(model.u)
    of_call, of_argument, of_view = model.row(1), first(model.v), rows[0]
    listed = [model.v[2]]
    for i in range(n):
        listed.append(model.v[i])
        model.add()
    either = model.v[0] if n > 5 else model.v[1]
    turn = model.v[0]
    for _ in range(n):
        turn = model.v[1] + turn[0]
        model.add()
        if n == 2:
            turn = model.v[2]
    model.u.assign(model.u * 3.0)
    total = model.add() + lt.sum(model.v[0]) * model.add()
    return (row, rows, flat, others, column, same, of_call, of_argument, of_view, lt.stack(listed), either, turn, total,
            changed_by_callee(model.v[0], model.v[1:]))


def rows_before(n):
    """The view goes through a call that hands it on, to where the state changes."""
    before = model.row(0)
    for _ in range(n):
        model.add()
    return before, first(model.v)


@lt.struct
class Row:
    row: lt.Tensor[lt.f32, 2]


def made_at(i, n):
    return Row(model.v[i]) if n == 0 else made_at(i, n - 1)


def in_structures(n):
    made = made_at(1, n)
    model.add()
    return made.row, made_at(0, n).row


def as_a_whole(n):
    """It is the state itself, under other names, behind a turn, and an array before it."""
    one, other = model.v * 1.0, model.v * 2.0
    for _ in range(n):
        one, other = model.v, one
        model.add()
    return one + 0.0, other + 0.0


def wholes(n):
    whole, array, made, own, number = model.v[:], np.asarray(model.v), np.array(model.v), model.v.copy(), np.float32(model.u[0])
    turned, twice = model.v.T, model.v.T.T
    rows = [row for row in model.v]
    for row in model.v:
        model.v.assign(model.v + row * n)
    model.u.assign(model.u + 1.0)
    return whole, array, made, own, number, turned, twice, rows[2], model.v[:]


@pytest.mark.parametrize("function", [views, rows_before, in_structures, wholes], ids=lambda function: function.__name__)
def test_views_of_what_changes(function):
    compiled = lt.function(function)
    for n in (1, 2, 3):
        model.begin()
        expected = [np.array(value) for value in function(n)]
        model.begin()
        for ours, theirs in zip(compiled(n), expected):
            np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_what_may_be_the_state_is_not_read_behind_a_change_of_it():
    with pytest.raises(StagingError, match="LT0317: 'o(ne|ther)' may share memory that has changed: 'v' gets another value"):
        lt.function(as_a_whole)(2)


def items(i: int):
    model.begin()
    before = model.v[i, 1]
    model.v.assign(model.v * 10.0)
    return before, model.v[i, 1]


def test_an_item_is_read_without_a_copy_of_its_row():
    compiled = lt.function(items)
    assert [float(x) for x in compiled(1)] == [float(x) for x in items(1)] == [3.0, 30.0]
    assert "copy(" not in core.compile(compiled.text(1), "items.sexpr", {"emit": "cpp"})
