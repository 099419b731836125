"""`copy.deepcopy` of lists that the program has, of objects, dicts and sets that hold them, and of what is Python's: nothing that changes is shared."""
import pytest
from compiled_table import Table, cases_of, outcome
from staged_source import Staged

from lantern.staging.errors import StagingError

SOURCE = """
import copy
import dataclasses
import numpy as np


@dataclasses.dataclass
class Record:
    x: float
    tags: list = dataclasses.field(default_factory=list)
    table: dict = dataclasses.field(default_factory=dict)


class Game:
    def __init__(self, xs):
        self.rows, self.seen, self.waiting, self.moves = [[x, x] for x in xs], {}, set(), list(xs)

    def step(self, i):
        self.rows[i][0] += 1
        self.seen[i] = self.seen.get(i, 0) + 1
        self.waiting.add(i * i)
        self.moves.append(i)
        return self


KNOWN = Record(3.0, ["known"])


def known_lists(n: int):
    a, t = [[n], [2, n]], (1, [n], {"a": [2]})
    b, u, r = copy.deepcopy(a), copy.deepcopy(t), copy.deepcopy(KNOWN)
    b[0].append(5)
    for i in range(n): b[1].append(i)
    u[1].append(3)
    u[2]["a"].append(4)
    r.tags.append("own")
    return a, b, t[1], u[1], t[2]["a"], u[2]["a"], KNOWN.tags, r.tags


def records(n: int):
    p = Record(1.0, ["a"], {"k": [n]})
    q = copy.deepcopy(p)
    q.tags.append("own")
    q.table["k"].append(2)
    for i in range(n):
        q.tags.append("i")
        q.x += i
    return p.tags, q.tags, p.table["k"], q.table["k"], p.x, q.x


def games(n: int):
    game, best = Game(range(n + 2)).step(0), 0
    for move in range(n):
        after = copy.deepcopy(game).step(move).step(1)
        best += after.rows[1][0] * len(after.seen) + len(after.waiting) + len(after.moves)
    return game.rows, len(game.seen), len(game.waiting), game.moves, best


def rows_of(n: int, xs: list[float]):
    rows, deep, texts, arrays = [[x, x] for x in xs], [[[x] for x in xs] for _ in range(n)], [str(x) for x in xs], [np.ones(2) * x for x in xs]
    table = {i: [i] for i in range(n)}
    new, newer, words, taken, other = copy.deepcopy(rows), copy.deepcopy(deep), copy.deepcopy(texts), copy.deepcopy(arrays), copy.deepcopy(table)
    mixed = copy.deepcopy([xs, rows, {"k": xs}])
    if n > 1 and len(xs) > 1:
        new[0][0] = 100.0
        newer[1][1].append(7.0)
        words[0] = "first"
        taken[0][0] = 50.0
        other[1].append(3)
        mixed[0].append(1.0)
        mixed[1][0][0] = 3.0
        mixed[2]["k"].append(2.0)
    return rows, new, deep, newer, texts, words, [a.sum().item() for a in arrays], [a.sum().item() for a in taken], table, other, xs, mixed[0], mixed[1], mixed[2]["k"]
"""
CALLS = {"known_lists": (0, 2), "records": (0, 3), "games": (0, 3), "rows_of": [(2, [1.0, 2.0]), (0, []), (3, [4.0])]}


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, list(CALLS))


@pytest.mark.parametrize("name, arguments", cases_of(CALLS))
def test_as_plain(table, name, arguments):
    assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments)


def test_lists_in_tuples_are_refused():
    with pytest.raises(StagingError, match="(?s)LT0310.*tuples with lists.*write it as a loop"):
        Staged("import copy\ndef f(n: int):\n    rows = [(i, [i]) for i in range(n)]\n    return copy.deepcopy(rows)[0][0]\n", "f")
