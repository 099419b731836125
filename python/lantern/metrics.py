"""What is said of a model's guesses: by operators, so that it runs eagerly and is staged."""
from __future__ import annotations

from lantern import ops, rearranging
from lantern.module import Module, Variable


def accuracy(scores, labels):
    """The share of rows of scores [n, classes] whose largest is at the label [n], a rank-0 array of f64; nan of none."""
    return ops.mean(ops.cast(ops.argmax(scores, 1) == labels, "f64"))


def confusion_matrix(labels, guesses, classes):
    """[classes, classes] of i64: how often each label (row) was given each guess (column). labels, guesses: [n] of whole numbers;
    pairs of which one is not from 0 to classes - 1 do not count."""
    given = rearranging.one_hot(labels, classes, dtype="f64")
    guessed = rearranging.one_hot(guesses, classes, dtype="f64")
    return ops.cast(ops.transpose(given) @ guessed, "i64")


class Mean(Module):
    """A running mean of numbers, in f64: `add` them, read `value()`. Its two variables are part of a checkpoint of it."""

    def __init__(self):
        self.total = Variable(0.0, dtype="f64")
        self.count = Variable(0.0, dtype="f64")

    def add(self, value, times=1):
        """Counts a number, or a rank-0 array, `times` times."""
        self.total.assign(self.total + value * times)
        self.count.assign(self.count + times)

    def value(self):
        """The mean of what was added since the beginning, or the last `reset`; nan of nothing."""
        return self.total / self.count

    def reset(self):
        """Forgets what was added."""
        self.total.assign(0.0)
        self.count.assign(0.0)
