"""Losses of a batch, for the tests of gradients that are taken term by term: sums, and what is like one."""
import random
from typing import List

import lantern as lt

from batched_models import Binary, Tree, tree


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
