"""What the programs that train on trees do, as the texts that run.py gives them and the table shows:

    batch 25, Adagrad, embedding frozen         batch 1, inference
"""
import collections

from timing import line

Case = collections.namedtuple("Case", ["name", "batch", "optimizer", "frozen"])   # optimizer: None for inference


def parse(name):
    batch, what, *of_embedding = name.split(", ")
    inference = what == "inference"
    return Case(name, int(batch.split()[1]), None if inference else what, inference or of_embedding == ["embedding frozen"])


def rate_of(case):
    """The learning rate. A batch's loss is the sum of its trees', which Adagrad and Adam do not notice."""
    return {"SGD": 0.01 if case.batch == 1 else 0.0001, "Adagrad": 0.05, "Adam": 0.001, "LazyAdam": 0.001}[case.optimizer]


def value_of_loss(case, loss, count):
    """Prints the mean loss of the first pass over so many trees, which peers must agree on.

    Adagrad's first steps make of the sign of nearly nothing a step like any other: those who round otherwise go ways of their own, per cents apart.
    """
    line("value", f"{case.name}: mean loss of the first pass over {count} trees", float(loss), abs(float(loss)) * (30 if case.optimizer == "Adagrad" else 1))
