"""Weighted choices from a seed, counted: which constructs the random programs are made of."""

import collections
import itertools
import random


class Table:
    """Constructs and how often each is chosen, relative to the others of its table."""

    def __init__(self, name, /, **weights):
        self.name, self.constructs = name, list(weights)
        self.cumulative = list(itertools.accumulate(weights.values()))


class Choices:
    """A source of random decisions; `counts` says how often each construct was chosen."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.counts = collections.Counter()

    def construct(self, table):
        chosen = self.random.choices(table.constructs, cum_weights=table.cumulative)[0]
        self.counts[f"{table.name}: {chosen}"] += 1
        return chosen

    def chance(self, probability):
        return self.random.random() < probability

    def one(self, options):
        return options[int(self.random.random() * len(options))]

    def number(self, low, high):
        return low + int(self.random.random() * (high - low + 1))


class Writer:
    """Lines of Python with their indentation."""

    def __init__(self):
        self.lines, self.depth = [], 0

    def __call__(self, line):
        self.lines.append("    " * self.depth + line)

    def __enter__(self):
        self.depth += 1

    def __exit__(self, *_):
        self.depth -= 1

    def text(self):
        return "\n".join(self.lines) + "\n"
