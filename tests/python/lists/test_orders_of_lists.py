"""Lists of lists in order, and lists that are compared, as Python has it: by the first elements that differ, and else by their lengths."""
import numpy as np
import pytest
from compiled_table import Table, outcome

import lantern as lt

SOURCE = '''
import collections


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
NAMES = ["anagrams", "rows", "compared", "in_tuples", "within_each_other", "of_floats"]


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, NAMES)


@pytest.mark.parametrize("name", NAMES[:-1])
def test_as_in_python(table, name):
    for arguments in (([[3, 1], [2], [3], [2, 5], [2], []], 6), ([[1], [1]], 5), ([[4, 4], [4]], 1), ([], 0)):
        assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments), arguments


def test_nan(table):
    with pytest.raises(ValueError, match="nan has no place in an order"):
        table.compiled["of_floats"]([], 3)
    assert table.compiled["of_floats"]([], 1) == [[1.0], [2.0]]


def test_gradient(table):
    _, gradient = lt.value_and_grad(lt.function(table.module.weighed))([3.0, 2.0])
    np.testing.assert_allclose(gradient, [27.0, 8.0])
