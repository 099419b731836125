"""Lists of lists in order, and lists that are compared, as Python has it: by the first elements that differ, and else by their lengths. Objects are, by their `<`."""
import numpy as np
import pytest
from compiled_table import Table, outcome
from staged_source import Staged, module_of

import lantern as lt
from lantern.staging.errors import StagingError

SOURCE = '''
import collections
import dataclasses
import functools


@dataclasses.dataclass(order=True)
class Pair:
    first: int
    second: int = 0


class Money:
    def __init__(self, cents, name=""): self.cents, self.name = cents, name
    def __lt__(self, other): return self.cents < other.cents


@functools.total_ordering
class Player:
    def __init__(self, name, score): self.name, self.score = name, score
    def win(self): self.score += 1
    def __eq__(self, other): return self.score == other.score
    def __lt__(self, other): return -self.score < -other.score


def by_their_own(xs: list[list[int]], n: int):
    players = [Player(i, i * 5 % 3) for i in range(n)]
    for p in players[1::2]: p.win()
    turned = sorted(players, reverse=True)
    players.sort()
    return [p.name for p in players], [p.name for p in turned], [m.name for m in sorted([Money(len(x), str(x)) for x in xs])], \\
        [x for x in sorted(xs, key=lambda x: Money(-len(x)))], [m.cents for _, m in sorted((i % 2, Money(-i)) for i in range(n))]


def of_written_ones(xs: list[list[int]], n: int):
    ms, players = [Money(n), Money(2, "b"), Money(n - 2)], [Player("a", n), Player("b", 2), Player("c", n)]
    players[2].win()
    found = sorted(players)
    found[0].win()
    texts = sorted([n, 2, 1], key=functools.cmp_to_key(lambda a, b: b - a)), sorted([3, 1, 2], key=lambda k: Money(-k))
    ms.sort()
    return [m.cents for m in sorted([Money(n), Money(2), Money(n - 2)])], [m.name for m in ms], [p.name for p in found], [p.score for p in players], \\
        min([Money(n), Money(2)]).cents, [(p.first, p.second) for p in sorted([Pair(n, 1), Pair(2, n), Pair(n)])], [m.cents for _, m in sorted([(n, Money(4)), (2, Money(n)), (2, Money(3))])], texts, [m.cents for m in sorted({Money(n), Money(7)})]


def by_comparisons(xs: list[list[int]], n: int):
    def longer(a, b): return len(b) - len(a) or sum(a) - sum(b)
    joined = sorted(["3", "30", "34", "5", "9"][:n], key=functools.cmp_to_key(lambda a, b: -1 if a + b > b + a else 1 if a + b < b + a else 0))
    return sorted(xs, key=functools.cmp_to_key(longer)), sorted(xs, key=functools.cmp_to_key(longer), reverse=True), "".join(joined)


def of_no_order(xs: list[list[int]], n: int):
    return [m.cents for m in sorted([Money(x) for x in [3.0, float("nan") if n > 2 else 2.0, 1.0]])]


def anagrams(xs: list[list[int]], n: int):
    groups = collections.defaultdict(list)
    for word in ["eat", "tea", "tan", "ate", "nat", "bat"][:n]:
        groups["".join(sorted(word))].append(word)
    return sorted(groups.values()), sorted(groups.items()), max(groups.values())


def rows(xs: list[list[int]], n: int):
    ordered = sorted(xs)
    turned = sorted(xs, reverse=True)
    own = [list(x) for x in xs]
    own.sort()
    own[0].append(7)
    return ordered, turned, min(xs), max(xs), own


def compared(xs: list[list[int]], n: int):
    a, b = xs[0], xs[-1]
    return a < b, a <= b, a > b, a >= b, a <= [3, n], a > [], [] < a, [] <= [], [a, b] < [b, a]


def in_tuples(xs: list[list[int]], n: int):
    made = [(i % 2, [n - i] * (i % 3), "b" if i % 3 else "a") for i in range(n)]
    return sorted(made), sorted(made, key=lambda each: (each[2], each[1])), sorted(xs, key=lambda x: [-k for k in x])


def within_each_other(xs: list[list[int]], n: int):
    return sorted([[x, [n]] for x in xs] + [[x] for x in xs]), sorted([[(i % 2, str(i))] * (1 + i % 3) for i in range(n)])


def of_floats(xs: list[list[int]], n: int):
    return sorted([[float("nan")], [1.0]] if n > 2 else [[2.0], [1.0]])


def weighed(xs: list[float]):
    a, b = sorted([[x, x * x] for x in xs])
    return a[1] * 2 + b[1] * b[0]
'''
NAMES = ["anagrams", "rows", "compared", "in_tuples", "within_each_other", "by_their_own", "of_written_ones", "by_comparisons", "of_no_order", "of_floats"]


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, NAMES)


@pytest.mark.parametrize("name", NAMES[:-2])
def test_as_in_python(table, name):
    for arguments in (([[3, 1], [2], [3], [2, 5], [2], []], 6), ([[1], [1]], 5), ([[4, 4], [4]], 1), ([], 0)):
        assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments), arguments


def test_nan(table):
    with pytest.raises(ValueError, match="nan has no place in an order"):
        table.compiled["of_floats"]([], 3)
    assert table.compiled["of_floats"]([], 1) == [[1.0], [2.0]]
    with pytest.raises(ValueError, match="what < says of the elements is no order"):
        table.compiled["of_no_order"]([], 3)
    assert table.compiled["of_no_order"]([], 1) == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("seen", ["print(self.x)", "counts[0] += 1", "self.asked += 1", "note(self.x)", "if self.x == other.x: raise KeyError(self.x)"])
def test_a_comparison_that_is_seen(seen):
    with pytest.raises(StagingError, match="LT0310.*an order by the '<' of Seen, which prints, draws, raises, or changes"):
        Staged(f"""
        counts = []
        def f(n: int):
            counts = [0]
            def note(x):
                counts.append(x)
            class Seen:
                def __init__(self, x): self.x, self.asked = x, 0
                def __lt__(self, other):
                    {seen}
                    return self.x < other.x
            return [each.x for each in sorted([Seen(-i) for i in range(n)])], counts
        """)


@pytest.mark.parametrize("made", ["[(Money(i % 2), -i) for i in range(n)]", "[(Money(n), 1), (Money(2), 0)]"])
def test_what_stands_behind_an_order_of_ones_own(made):
    """Where neither is less than the other, Python asks whether they are equal, which by their `<` they may be."""
    with pytest.raises(StagingError, match=r"LT0310: an order of tuple\[Money, int\], in which others stand behind a Money(?s:.*)let it stand last"):
        Table(f"class Money:\n    def __init__(self, cents): self.cents = cents\n    def __lt__(self, other): return self.cents < other.cents\n"
              f"def f(n: int): return [k for _, k in sorted({made})]\n", ["f"])


@pytest.mark.parametrize("how", ["sorted(made)[0][2]", "max(made)[2]"])
def test_arrays_have_no_order(how):
    with pytest.raises(StagingError, match="LT0310: (sequences that hold an array, of type|an order of lt.Tensor)(?s:.*)key=lambda x: x\\[:2\\]"):
        lt.function(module_of(f"""
        def f(n, w):
            made = [(i % 2, i, w * i) for i in range(n)]
            return {how}
        """).f)(3, np.array([0.3, 0.2]))


def test_gradient(table):
    _, gradient = lt.value_and_grad(lt.function(table.module.weighed))([3.0, 2.0])
    np.testing.assert_allclose(gradient, [27.0, 8.0])
