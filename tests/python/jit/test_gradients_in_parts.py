"""The gradient of a sum, taken term by term: it is what it is as a whole, and what plain Python gives; and which sums are taken so."""
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
from batched_models import Binary, Children, Tree, assert_same, node, tree  # noqa: E402


class Sums(Binary):
    """Losses of a batch that are sums of terms."""

    def score(self, h):
        return lt.sum(lt.tanh(self.outer @ h) * self.bias)

    def plain_sum(self, batch: List[Tree]):
        total = 0.0
        for tree in batch:
            total += self.loss(tree)
        return total

    def mean_by_length(self, batch: List[Tree]):
        total = lt.zeros(dtype="f64")
        for tree in batch:
            total = total + self.loss(tree)
        return 3.0 * total / len(batch)

    def mean_of_rows(self, batch: List[Tree]):
        return lt.mean(lt.vmap(self.loss)(batch))

    def sum_of_list(self, batch: List[Tree]):
        return lt.sum(lt.stack([self.loss(tree) for tree in batch]))

    def weighted(self, batch: List[Tree]):
        total = 0.0
        for place, tree in enumerate(batch):
            total = total - (place + 1.0) * self.loss(tree)
        return -total

    def of_many_steps(self, batch: List[Tree]):
        total = 0.0
        for tree in batch:
            h, size = self.encode(tree)
            if tree.word > 4:
                term = self.score(h) * size
            else:
                term = self.score(h * 0.5) + lt.sum(h * h)
            total += term
        return total * 0.25

    def of_branches(self, batch: List[Tree]):
        total = 0.0
        for tree in batch:
            if tree.word > 4:
                term = self.loss(tree)
            else:
                term = 0.5 * self.loss(tree)
            total += term
        return total

    def of_two_sums(self, batch: List[Tree]):
        total, other = 0.0, 0.0
        for tree in batch:
            total += self.loss(tree)
        for tree in batch:
            h, size = self.encode(tree)
            other += self.score(h)
        return total - 2.0 * other

    def of_sums(self, batch: List[Tree]):
        total = 0.0
        for i in lt.range(len(batch)):
            below = 0.0
            for j in lt.range(i):
                below += self.loss(batch[j])
            total += below * 0.5
        return total

    def nested(self, batch: List[Tree]):
        total = 0.0
        for i in lt.range(2, len(batch)):
            for j in lt.range(i, 0, -1):
                total += self.loss(batch[j])
        return total

    def decayed(self, batch: List[Tree]):
        total = 0.0
        for tree in batch:
            total += self.loss(tree)
        return total + lt.sum(self.inner * self.inner)

    def with_a_count(self, batch: List[Tree]):
        total, count = 0.0, 0
        for tree in batch:
            h, size = self.encode(tree)
            count += lt.argmax(h) % 3
            total += self.score(h)
        if count < 0:
            raise ValueError("fewer than none")
        return total

    def of_a_number_beforehand(self, batch: List[Tree], scale: float = 0.25):
        factor = scale / 3.0
        total = 0.0
        for tree in batch:
            total += self.loss(tree)
        return total * factor


SUMS = [name for name, function in vars(Sums).items() if name not in ("score", "__doc__", "__module__") and callable(function)]


class Others(Sums):
    """Losses whose terms depend on each other, or on what comes behind them."""

    def both(self, tree):
        h, size = self.encode(tree)
        return h, self.score(h)

    def halved(self, batch: List[Tree]):
        total = 0.0
        for tree in batch:
            total = 0.5 * total + self.loss(tree)
        return total

    def squared(self, batch: List[Tree]):
        total = 0.0
        for tree in batch:
            total += self.loss(tree)
        return total * total

    def product(self, batch: List[Tree]):
        total = 1.0
        for tree in batch:
            total = total * self.loss(tree)
        return total

    def chained(self, batch: List[Tree]):
        h, total = self.bias, 0.0
        for tree in batch:
            below, size = self.encode(tree)
            h = lt.tanh(self.inner @ h + below)
            total += lt.sum(h)
        return total

    def divided(self, batch: List[Tree]):
        total, sizes = 0.0, 0.0
        for tree in batch:
            h, size = self.encode(tree)
            total += lt.sum(h)
            sizes += size
        return total / sizes

    def scaled(self, batch: List[Tree]):
        scale = lt.sum(self.bias * self.bias)
        total = 0.0
        for tree in batch:
            total += scale * self.loss(tree)
        return total

    def ended(self, batch: List[Tree]):
        total = 0.0
        for tree in batch:
            if total > 1e9:
                break
            total += self.loss(tree)
        return total

    def mean_of_pairs(self, batch: List[Tree]):
        losses = []
        for tree in batch:
            losses.append(self.loss(tree))
            losses.append(2.0 * self.loss(tree))
        return lt.mean(lt.stack(losses))

    def twice(self, batch: List[Tree]):
        total = 0.0
        for tree in batch:
            loss = self.loss(tree)
            total += loss * loss + loss
        return total + total

    def used_again(self, batch: List[Tree]):
        total = 0.0
        for tree in batch:
            first = self.loss(tree)
            total += first
            second = lt.tanh(first) * first
            total += second
        return total

    def used_before(self, batch: List[Tree]):
        total = 0.0
        for tree in batch:
            h, size = self.encode(tree)
            first = lt.sum(h) * size
            second = lt.sum(h * h)
            total += first
            total += second
        return total

    def mean_of_more(self, batch: List[Tree]):
        losses = [self.loss(tree) for tree in batch]
        losses.append(lt.sum(self.bias))
        return lt.mean(lt.stack(losses))

    def mean_of_two_lists(self, batch: List[Tree]):
        losses = [self.loss(tree) for tree in batch]
        others = [2.0 * self.loss(tree) for tree in batch[1:]]
        return lt.mean(lt.stack(losses + others))

    def mean_of_a_list_extended(self, batch: List[Tree]):
        losses = [self.loss(tree) for tree in batch]
        losses.extend([2.0 * self.loss(tree) for tree in batch])
        return lt.mean(lt.stack(losses))

    def mean_of_a_list_gone_on_with(self, batch: List[Tree]):
        losses = [self.loss(tree) for tree in batch]
        for tree in batch:
            losses.append(3.0 * self.loss(tree))
        return lt.mean(lt.stack(losses))

    def begun_anew(self, batch: List[Tree]):
        total, last = 0.0, 0.0
        for tree in batch:
            last = total + self.loss(tree)
            total = 0.0
        return last + total

    def swapped(self, batch: List[Tree]):
        one, other = 0.0, 0.0
        for tree in batch:
            one, other = other + self.loss(tree), one + lt.sum(self.words[tree.word] * self.bias)
        return 2.0 * one + 3.0 * other

    def by_an_array_that_comes_along(self, batch: List[Tree]):
        total = 0.0
        for tree in batch:
            h, size = self.encode(tree)
            fixed = lt.stop_gradient(h) * 2.0
            total += self.score(h)
            total += self.score(self.words[tree.word] * fixed)
        return total

    def by_an_array_of_a_call(self, batch: List[Tree]):
        total = 0.0
        for tree in batch:
            h, score = self.both(tree)
            total += score
            total += self.score(self.words[tree.word] * lt.stop_gradient(h))
        return total

    def by_what_comes_along(self, batch: List[Tree]):
        total = 0.0
        for tree in batch:
            h, size = self.encode(tree)
            weight = lt.argmax(h) + 1.0
            total += lt.sum(h * h)
            total += weight * self.loss(tree)
        return total

    def counted(self, batch: List[Tree]):
        total, count = 0.0, 1.0
        for tree in batch:
            count = count + 1.0
            total += count * self.loss(tree)
        return total / count

    def printed(self, batch: List[Tree]):
        total = 0.0
        for place, tree in enumerate(batch):
            print(place)
            total += self.loss(tree)
        return total


OTHERS = [name for name, function in vars(Others).items() if name != "both" and not name.startswith("__")]


def batch_of(size):
    rng = random.Random(size)
    return [tree(rng, rng.randrange(1, 9)) for _ in range(size)]


def test_left_out_the_pass_changes_nothing_but_the_order_of_sums(monkeypatch):
    model, batch = Sums(), batch_of(11)
    in_parts = lt.function(lt.value_and_grad(model.mean_by_length), dtype="f64")(batch)
    monkeypatch.setenv("LANTERN_DISABLE_PASS", "accumulate-gradients,fuse-adjoints")
    assert_same(lt.function(lt.value_and_grad(model.mean_by_length), dtype="f64")(batch), in_parts)


@pytest.mark.parametrize("schedule", ["auto", "batched", "depth-first"])
@pytest.mark.parametrize("kind, name", [(Sums, name) for name in SUMS] + [(Others, name) for name in OTHERS])
def test_gradients_are_those_of_plain_python(monkeypatch, kind, name, schedule):
    monkeypatch.setenv("LANTERN_SCHEDULE", schedule)
    plain = lt.value_and_grad(getattr(kind(), name))
    compiled = lt.function(plain, dtype="f64")
    for size in (3, 11):  # of fewer, some have no term
        assert_same(compiled(batch_of(size)), plain(batch_of(size)))


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
