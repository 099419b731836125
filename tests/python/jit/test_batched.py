"""The batched schedule: what runs side by side gives what it gives in turn, and what plain Python gives; values, gradients, errors and output."""
import ctypes
import os
import pathlib
import random
import signal
import sys
import time
import warnings
from typing import List

import numpy as np
import pytest

import lantern as lt
from thorough import one_in

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from batched_models import CASES, Binary, Broken, Children, Node, Recursive, Remarking, Talking, Tree, assert_same, node, tree  # noqa: E402


def status_of(function):
    """What a fork of this process ends with, where it calls the function; None: it does not end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            os._exit(function())
        finally:
            os._exit(1)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


# "batched" is the program that "auto" makes; depth first is another, in which a model is as any function is. test_batched_inference.py has the others.
PARTS = {"auto": CASES[one_in(4) - 1::one_in(4)], "batched": CASES[one_in(6) - 1::one_in(6)], "depth-first": CASES[::one_in(4)]}
MODELS = [(schedule, *case) for schedule, cases in PARTS.items() for case in cases]


@pytest.mark.parametrize("schedule, kind, sample", MODELS, ids=[f"{kind.__name__}-{schedule}" for schedule, kind, sample in MODELS])
def test_a_structure_and_batches_of_them(monkeypatch, kind, sample, schedule):
    monkeypatch.setenv("LANTERN_SCHEDULE", schedule)
    rng = random.Random(kind.__name__)
    model = kind()
    batch = [sample(rng) for _ in range(6)]
    element = type(batch[0])

    def loss(batch: List[element]):
        total = 0.0
        for sample in batch:
            total = 0.5 * total + model.loss(sample)
        return total + lt.sum(lt.vmap(model.loss)(batch) ** 2)

    plain = lt.value_and_grad(loss)
    compiled = lt.function(plain, dtype="f64")
    for size in (1, 2, 6):
        assert_same(compiled(batch[:size]), plain(batch[:size]))


@pytest.mark.parametrize("schedule", ["batched", "depth-first"])
def test_a_structure_that_an_inner_loop_rebinds(monkeypatch, schedule):
    """The variable goes from turn to turn, and carries no adjoint."""
    monkeypatch.setenv("LANTERN_SCHEDULE", schedule)
    model, rng = Binary(), random.Random(4)

    def loss(batch: List[Tree], others: List[Tree]):
        total = 0.0
        for tree in batch:
            part, depth = model.loss(tree), lt.sum(model.words[tree.word])
            for tree in others:
                part = part + 0.5 * model.loss(tree)
            for tree in others:
                depth = depth + 0.5 * depth * lt.sum(model.words[tree.word])
            total = total + part * depth * model.loss(tree)
        return total

    plain = lt.value_and_grad(loss)
    compiled = lt.function(plain, dtype="f64")
    batch = [tree(rng, 5) for _ in range(3)]
    for others in (batch[1:], []):
        assert_same(compiled(batch, others), plain(batch, others))


class Counting(Recursive):
    def chain(self, x, n):
        return x if n <= 0 else lt.tanh(self.inner @ self.chain(x, n - 1))

    def loss(self, first: int, end: int):
        total = 0.0
        for i in lt.range(first, end):
            total = 0.5 * total + lt.sum(self.chain(self.bias, i)) * i
        for i in lt.range(end, first, -3):
            total = 0.5 * total + lt.sum(self.chain(self.bias, i)) * i
        for i in lt.range(first, end, 2):
            total = 0.5 * total + lt.sum(self.chain(self.bias, 3))
        return total


def test_turns_that_count_from_anywhere(monkeypatch):
    monkeypatch.setenv("LANTERN_SCHEDULE", "batched")
    model = Counting()
    compiled = lt.function(lt.value_and_grad(model.loss), dtype="f64")
    for first, end in ((0, 4), (2, 9), (-2, 6), (4, 5)):
        assert_same(compiled(first, end), lt.value_and_grad(model.loss)(first, end))


class Sloping(Recursive):
    """Its turns take gradients of their own."""

    def chain(self, x, n):
        return x if n <= 0 else lt.tanh(self.inner @ self.chain(x, n - 1)) + self.outer @ x

    def height(self, x, n):
        return lt.sum(self.chain(x, n) ** 2)

    def steepness(self, x, n):
        return lt.sum(lt.grad(self.height, wrt="x")(x, n))

    def loss(self, x, turns: int):
        total = 0.0
        for i in lt.range(turns):
            total = total + lt.sum(self.chain(x * (i + 1.0), i)) * lt.stop_gradient(self.steepness(x, i))
        return total


def test_turns_that_take_gradients_of_their_own(monkeypatch):
    monkeypatch.setenv("LANTERN_SCHEDULE", "batched")
    plain = lt.value_and_grad(Sloping().loss)
    compiled = lt.function(plain, dtype="f64")
    x = np.linspace(0.1, 0.3, 72)
    for turns in (2, 3, 5):
        assert_same(compiled(x, turns), plain(x, turns))


def test_threads_that_share_a_batch(monkeypatch):
    monkeypatch.setenv("LANTERN_THREADS", "3")
    model, rng = Children(), random.Random(2)
    batch = [node(rng, 4) for _ in range(20)]

    def loss(batch: List[Node]):
        return lt.sum(lt.vmap(model.loss)(batch) ** 2)
    plain = lt.value_and_grad(loss)
    compiled = lt.function(plain, dtype="f64")
    first = compiled(batch)
    assert_same(first, plain(batch))
    gradients = {parameter: np.array(gradient) for parameter, gradient in first[1].items()}
    for _ in range(5):
        value, again = compiled(batch)
        assert value == first[0] and all((again[parameter] == gradients[parameter]).all() for parameter in gradients)
    # A fork has none of the threads: it makes its own, and waits for none of the others as it ends.
    assert status_of(lambda: compiled(batch)[0] == first[0] and 7) == 7
    assert status_of(lambda: ctypes.CDLL(None).exit(7)) == 7


def test_the_first_error_in_the_program_is_raised(monkeypatch):
    model = Broken()
    leaf = lambda word: Tree(word, None, None)  # noqa: E731
    compiled = lt.function(lt.value_and_grad(model.loss), dtype="f64")
    wide = Tree(0, Tree(0, leaf(1), Tree(0, leaf(2), leaf(103))), leaf(101))
    for tree in (wide, Tree(0, leaf(104), wide)):
        with pytest.raises(ValueError) as plain:
            lt.value_and_grad(model.loss)(tree)
        with pytest.raises(ValueError, match=str(plain.value)):
            compiled(tree)
    with pytest.raises(AttributeError):
        compiled(Tree(0, wide.left.left, None))
    fine = Tree(0, leaf(1), leaf(2))
    assert_same(compiled(fine), lt.value_and_grad(model.loss)(fine))


@pytest.mark.parametrize("before", [1.0, 0.5])  # a sum, taken term by term; and none
def test_what_depends_on_the_turn_before_fails_before_a_later_turn(monkeypatch, before):
    monkeypatch.setenv("LANTERN_SCHEDULE", "batched")
    model = Broken()

    def loss(batch: List[Tree], weights: List[float]):
        total = 0.0
        place = 0
        for tree in batch:
            total = before * total + model.loss(tree) * weights[place]
            place = place + 1
        return total

    plain = lt.value_and_grad(loss)
    compiled = lt.function(plain, dtype="f64")
    fine, wrong = Tree(0, Tree(1, None, None), Tree(2, None, None)), Tree(101, None, None)
    for batch, error in (([fine, fine, wrong], IndexError), ([fine, wrong, fine], ValueError)):
        for function in (plain, compiled):
            with pytest.raises(error):
                function(batch, [2.0])
    assert_same(compiled([fine, fine], [2.0, 3.0]), plain([fine, fine], [2.0, 3.0]))


@pytest.mark.parametrize("kind, lines", [(Talking, 15), (Remarking, 2)])
def test_what_is_printed_keeps_its_order(monkeypatch, capfd, kind, lines):
    monkeypatch.setenv("LANTERN_SCHEDULE", "batched")
    model, sample = kind(), Tree(0, tree(random.Random(3), 7), Tree(1, None, None))
    expected = lt.value_and_grad(model.loss)(sample)
    printed = capfd.readouterr().out
    assert len(printed.splitlines()) == lines
    assert_same(lt.function(lt.value_and_grad(model.loss), dtype="f64")(sample), expected)
    assert capfd.readouterr().out == printed
