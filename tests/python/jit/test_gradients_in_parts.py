"""The gradient of a sum, taken term by term: it is what it is as a whole, and what plain Python gives; and which sums are taken so."""
import functools
import os
import pathlib
import random
import subprocess
import sys
from typing import List

import numpy as np
import pytest

import lantern as lt

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from batched_models import Children, Tree, assert_same, node  # noqa: E402
from summed_models import OTHERS, SUMS, Others, Sums, batch_of  # noqa: E402
from thorough import THOROUGH, one_in  # noqa: E402


def test_left_out_the_pass_changes_nothing_but_the_order_of_sums(monkeypatch):
    model, batch = Sums(), batch_of(11)
    in_parts = lt.function(lt.value_and_grad(model.mean_by_length), dtype="f64")(batch)
    monkeypatch.setenv("LANTERN_DISABLE_PASS", "accumulate-gradients,fuse-adjoints")
    assert_same(lt.function(lt.value_and_grad(model.mean_by_length), dtype="f64")(batch), in_parts)


MODEL = Others()
PARAMETERS = (MODEL.words, MODEL.bias, MODEL.inner, MODEL.outer)
LOSSES = {name: getattr(MODEL, name) for name in SUMS + OTHERS}


@functools.lru_cache(maxsize=None)
def plain_gradients(size):
    """Of each loss, of a batch of that size: it, and its gradients."""
    return {name: lt.value_and_grad(loss)(batch_of(size)) for name, loss in LOSSES.items()}


# "batched" is the program that "auto" makes.
SCHEDULES = ("auto", "depth-first") if THOROUGH == 1 else ("auto", "batched", "depth-first")


def losses_of(schedule):
    """Depth first a sum is in parts as it is side by side; that program is another, and large."""
    return list(LOSSES)[::one_in(5)] if schedule == "depth-first" else list(LOSSES)


@functools.lru_cache(maxsize=None)
def compiled_gradients(schedule):
    """Of two sizes, of each loss of a schedule: it and its gradients, in the order of PARAMETERS. One program has them all."""
    def gradients(batch: List[Tree]):
        results = []
        for loss in losses:
            value, slopes = lt.value_and_grad(loss)(batch)
            results.append((value, *[slopes[parameter] for parameter in PARAMETERS if parameter in slopes]))
        return tuple(results)

    losses = [LOSSES[name] for name in losses_of(schedule)]
    compiled = lt.function(gradients, dtype="f64")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANTERN_SCHEDULE", schedule)
        return {size: dict(zip(losses_of(schedule), compiled(batch_of(size)))) for size in (3, 11)}  # of fewer, some have no term


@pytest.mark.parametrize("schedule, name", [(schedule, name) for schedule in SCHEDULES for name in losses_of(schedule)])
def test_gradients_are_those_of_plain_python(schedule, name):
    for size, gradients in compiled_gradients(schedule).items():
        value, *slopes = gradients[name]
        expected = plain_gradients(size)[name]
        read = [parameter for parameter in PARAMETERS if parameter in expected[1]]
        assert len(slopes) == len(read)
        assert_same((value, dict(zip(read, slopes))), expected)


class Failing(Sums):
    def encode(self, tree):
        if tree.word > 100:
            raise ValueError(f"no word {tree.word}")
        return super().encode(tree)


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_error_is_raised_and_forgotten(monkeypatch, threads):
    monkeypatch.setenv("LANTERN_THREADS", str(threads))
    model = Failing()
    plain = lt.value_and_grad(model.plain_sum)
    compiled = lt.function(plain, dtype="f64")
    batch = batch_of(40)
    expected = plain(batch)
    assert_same(compiled(batch), expected)
    wrong = list(batch)
    for place, word in ((16, 104), (35, 105)):
        wrong[place] = Tree(0, Tree(1, None, None), Tree(word, None, None))
    with pytest.raises(ValueError, match="no word 104"):
        compiled(wrong)
    assert_same(compiled(batch), expected)


def test_what_depends_on_the_turn_before_fails_before_what_is_behind_it():
    model = Sums()

    def loss(batch: List[Tree], weights: List[float]):
        total, other, place = 0.0, 0.0, 0
        for tree in batch:
            h, _ = model.encode(tree)
            weight = weights[place]
            place = place + 1
            g, _ = model.encode(tree.left)
            total = total + lt.sum(h * g * model.bias)
            other = other + weight
        return total

    plain = lt.value_and_grad(loss)
    compiled = lt.function(plain, dtype="f64")
    leaf = Tree(1, None, None)
    fine = Tree(0, leaf, Tree(2, None, None))
    for batch, weights, error in (([fine, leaf], [1.0], IndexError), ([leaf, fine], [1.0], AttributeError)):
        for function in (plain, compiled):
            with pytest.raises(error):
                function(batch, weights)
    assert_same(compiled([fine, fine], [1.0, 2.0]), plain([fine, fine], [1.0, 2.0]))


def chain(length):
    made = Tree(3, None, None)
    for i in range(length):
        made = Tree(i % 9, Tree(i % 7, None, None), made)
    return made


@pytest.mark.parametrize("threads", [1, 2])
def test_what_has_no_room_side_by_side_is_made_in_turn_and_counts_once(monkeypatch, threads):
    model, batch = Sums(), batch_of(9)
    batch[4] = chain(6000)
    monkeypatch.setenv("LANTERN_SCHEDULE", "depth-first")
    expected = lt.function(lt.value_and_grad(model.mean_of_rows), dtype="f64")(batch)
    monkeypatch.setenv("LANTERN_SCHEDULE", "batched")
    monkeypatch.setenv("LANTERN_THREADS", str(threads))
    assert_same(lt.function(lt.value_and_grad(model.mean_of_rows), dtype="f64")(batch), expected)


def test_threads_give_the_same_bits_each_time(monkeypatch):
    monkeypatch.setenv("LANTERN_THREADS", "3")
    model, rng = Children(), random.Random(2)
    batch = [node(rng, 4) for _ in range(40)]
    batch_loss = lambda batch: lt.mean(lt.vmap(model.loss)(batch))  # noqa: E731
    plain = lt.value_and_grad(batch_loss)
    compiled = lt.function(plain, dtype="f64")
    first = compiled(batch)
    assert_same(first, plain(batch))
    gradients = {parameter: np.array(gradient) for parameter, gradient in first[1].items()}
    for _ in range(5):
        value, again = compiled(batch)
        assert value == first[0] and all((again[parameter] == gradients[parameter]).all() for parameter in gradients)


@pytest.mark.parametrize("more, of_sum", [(6 << 20, "a thread cannot be made: memory, or what the system allows, is used up (LANTERN_THREADS)"), (1 << 30, "right")])
def test_threads_that_cannot_be_made_are_waited_for_by_nobody(more, of_sum):
    script = pathlib.Path(__file__).with_name("short_of_memory.py")
    done = subprocess.run([sys.executable, script, str(more)], text=True, timeout=300, capture_output=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert (done.stdout, done.stderr) == (f"total, {of_sum}, right\nsquares, right, right\n", "")     # what is squared is made in turn, where need be


class Named(Sums):
    """The runtime has functions of these names."""

    def each_term(self, tree: Tree):
        return self.loss(tree)

    def each_term_on_one_thread(self, batch: List[Tree]):
        total = 0.0
        for tree in batch:
            total += self.each_term(tree)
        return total


def test_names_that_the_runtime_has(monkeypatch):
    plain = lt.value_and_grad(Named().each_term_on_one_thread)
    assert_same(lt.function(plain, dtype="f64")(batch_of(5)), plain(batch_of(5)))
