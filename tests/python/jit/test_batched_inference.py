"""The batched schedule of code that carries no gradient: calls and turns that return give what plain Python gives."""
import pathlib
import random
import resource
import sys
from typing import List, Optional

import numpy as np
import pytest

import lantern as lt

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from batched_models import CASES, WIDTH, Binary, Broken, Children, Node, Recursive, Talking, Tree, node, tree  # noqa: E402
from thorough import one_in  # noqa: E402

SCHEDULES = ["auto", "batched", "depth-first"]


@pytest.fixture(params=SCHEDULES)
def schedule(request, monkeypatch):
    monkeypatch.setenv("LANTERN_SCHEDULE", request.param)


@lt.struct
class Reading:
    """What is known of a phrase, and of its parts."""
    state: lt.Tensor[lt.f64, WIDTH]
    words: List[int]
    left: "Optional[Reading]"
    right: "Optional[Reading]"


class Reader(Recursive):
    """Gives structures, and lists of arrays."""

    def read(self, tree):
        if tree.left is None:
            return Reading(self.words[tree.word], [tree.word], None, None)
        left, right = self.read(tree.left), self.read(tree.right)
        return Reading(lt.tanh(self.inner @ left.state + self.outer @ right.state), left.words + right.words, left, right)

    def states(self, reading: Reading):
        if reading.left is None:
            return [reading.state]
        below, beside = self.states(reading.left), self.states(reading.right)
        return below + [self.inner @ reading.state] + beside


def sums(reading):
    return [] if reading is None else [float(np.sum(reading.state)), list(reading.words)] + sums(reading.left) + sums(reading.right)


def assert_close(one, other):
    assert type(one) is type(other) or np.ndim(one) == 0
    if isinstance(one, (list, tuple)):
        assert len(one) == len(other)
        for a, b in zip(one, other):
            assert_close(a, b)
    else:
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-10, atol=1e-12)


# "auto" batches these, too: the same program. Depth first, a loss is compiled as any function is: test_batched.py has models', beside their gradients.
def of_cases(step):
    return CASES[one_in(step) // 2::one_in(step)]


MODELS = [(schedule, *case) for schedule in SCHEDULES for case in of_cases(3 if schedule == "auto" else 8)]


@pytest.mark.parametrize("schedule, kind, sample", MODELS, indirect=["schedule"], ids=[f"{schedule}-{kind.__name__}" for schedule, kind, sample in MODELS])
def test_a_structure_and_batches_of_them(schedule, kind, sample):
    rng = random.Random(kind.__name__)
    model = kind()
    batch = [sample(rng) for _ in range(70)]
    element = type(batch[0])

    def score(batch: List[element], bias: lt.Tensor[lt.f64, WIDTH]):
        total = 0.0
        drift = bias
        for place, sample in enumerate(batch):
            one = model.loss(sample)
            total = 0.5 * total + one * (place + 1)
            drift = 0.9 * drift + one * bias
        return total, drift, [model.loss(sample) for sample in batch], lt.sum(lt.vmap(model.loss)(batch) ** 2)

    compiled = lt.function(score, dtype="f64")
    bias = np.arange(WIDTH) / WIDTH
    for size in (1, 2, 70) if kind is Binary else (3,):
        assert_close(list(compiled(batch[:size], bias)), list(score(batch[:size], bias)))


def test_results_may_be_structures_and_lists(schedule):
    model, rng = Reader(), random.Random(5)
    sample = tree(rng, 20)

    def read(tree: Tree):
        return model.read(tree)

    def states(tree: Tree):
        return model.states(model.read(tree))
    expected, found = sums(model.read(sample)), sums(lt.function(read, dtype="f64")(sample))
    assert len(found) == len(expected)
    for a, b in zip(found, expected):
        assert a == b if isinstance(b, list) else a == pytest.approx(b, rel=1e-10)
    assert_close(lt.function(states, dtype="f64")(sample), model.states(model.read(sample)))


def test_the_first_error_in_the_program_is_raised(schedule):
    model = Broken()
    leaf = lambda word: Tree(word, None, None)  # noqa: E731
    wide = Tree(0, Tree(0, leaf(1), Tree(0, leaf(2), leaf(103))), leaf(101))
    fine = Tree(0, leaf(1), leaf(2))

    def total(trees: List[Tree], limit: int):
        sum = 0.0
        seen = [0]
        for place, tree in enumerate(trees):
            sum += model.loss(tree)
            seen[place % limit] += 1
        return sum, seen[0]

    compiled = lt.function(total, dtype="f64")
    for trees, limit in (([fine, wide, Tree(0, leaf(104), wide)], 1), ([fine] * 80 + [wide], 1), ([fine, fine, wide], 2), ([wide, fine], 0)):
        with pytest.raises((ValueError, IndexError, ZeroDivisionError)) as plain:
            total(trees, limit)
        with pytest.raises(type(plain.value)) as found:
            compiled(trees, limit)
        assert str(plain.value).split(" or ")[0] in str(found.value)
    assert_close(list(compiled([fine] * 3, 1)), list(total([fine] * 3, 1)))


def test_what_is_printed_keeps_its_order(schedule, capfd):
    model, sample = Talking(), tree(random.Random(3), 8)
    expected = model.loss(sample)
    printed = capfd.readouterr().out
    assert len(printed.splitlines()) == 15
    np.testing.assert_allclose(lt.function(model.loss, dtype="f64")(sample), expected)
    assert capfd.readouterr().out == printed


def test_threads_share_the_turns(monkeypatch):
    monkeypatch.setenv("LANTERN_THREADS", "3")
    model, rng = Children(), random.Random(2)
    batch = [node(rng, 3) for _ in range(150)]

    def score(batch: List[Node]):
        total = 0.0
        for sample in batch:
            total = 0.99 * total + model.loss(sample)
        return total, [model.loss(sample) for sample in batch], [model.encode(sample)[0] for sample in batch[:10]]
    compiled = lt.function(score, dtype="f64")
    first = compiled(batch)
    assert_close(list(first), list(score(batch)))
    for _ in range(5):
        assert compiled(batch)[0] == first[0]


def test_beside_what_is_differentiated(schedule):
    """A loss whose weights come of calls without a gradient, and the same function with one and without."""
    model, rng = Binary(), random.Random(4)
    batch = [tree(rng, 9) for _ in range(5)]

    def weighted(batch: List[Tree]):
        total = 0.0
        for sample in batch:
            one, other = model.loss(sample), model.loss(sample.left)
            weight = lt.stop_gradient(lt.tanh(one - other))
            total += weight * one
        return total

    def both(batch: List[Tree]):
        before = weighted(batch)
        loss, gradients = lt.value_and_grad(weighted, wrt=model.inner)(batch)
        after = 0.0
        for sample in batch:
            after += lt.sum(model.encode(sample)[0] * lt.sum(gradients, 0))
        return before, loss, gradients, after
    assert_close(list(lt.function(both, dtype="f64")(batch)), list(both(batch)))


def test_a_loop_over_many_takes_the_memory_of_a_few(schedule):
    """What a wave of turns needs is enough for 20,000, too, and no more."""
    model = Binary()

    def total(turns: int):
        state = 1.0
        for i in range(turns):
            h, size = model.encode(Tree(0, Tree(i % 9, None, None), Tree(i % 5, None, None)))
            state = lt.tanh(lt.sum(lt.sigmoid(h * state)) + size)
        return state
    compiled = lt.function(total, dtype="f64")
    compiled(100)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    compiled(20_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096  # KB
    np.testing.assert_allclose(compiled(200), total(200), rtol=1e-10)
