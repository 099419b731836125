"""Tuples of slices whose bounds are so far apart, xs[i:i + 2], and slices with a step that are deleted."""
import numpy as np
import pytest
from compiled_table import Table, outcome

import lantern as lt

SOURCE = '''
import collections


def pairs(xs: list[int], k: int):
    counts = collections.Counter(tuple(xs[i:i + 2]) for i in range(len(xs) - 1))
    return counts.most_common(2), len(counts)


def contexts(xs: list[int], k: int):
    following, seen, again = {}, set(), 0
    for i in range(2, len(xs)):
        context = tuple(xs[i - 2:i])
        following[context] = xs[i]
        again += context[::-1] in seen
        seen.add(context)
    return list(following.items()), again


def ends(xs: list[int], k: int):
    return tuple(xs[:2]), tuple(xs[-2:]), tuple(xs[k + 1:3 + k])


def taken_apart(xs: list[int], k: int):
    part = xs[k:2 + k]
    a, b = tuple(part)
    part.append(7)
    return a, b, part


def words(xs: list[int], k: int):
    text = ["a" if x > 1 else "b" for x in xs]
    return tuple(text[k:k + 2]) == ("a", "b")


def deleted(xs: list[int], k: int):
    ys, zs, rows = list(xs), list(xs), [[x] for x in xs]
    del ys[::3], zs[k:1:-2], rows[::k - 2]
    return ys, zs, rows


def short(xs: list[int], k: int):
    return [tuple(xs[i:i + 2]) for i in range(len(xs))]


def weighed(xs: list[float]):
    total = 0.0
    for i in range(2):
        a, b = tuple(xs[i:i + 2])
        total += a * b * b
    return total
'''
NAMES = ["pairs", "contexts", "ends", "taken_apart", "words", "deleted", "short"]


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, [*NAMES, "weighed"])


@pytest.mark.parametrize("name", NAMES[:-1])
def test_as_in_python(table, name):
    for arguments in (([1, 2, 3, 2, 1, 2, 3], 1), ([4, 4, 4, 4], 0), ([2, 1, 0], 0)):
        assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments), arguments


def test_a_shorter_one_is_an_error(table):
    """Python's has one element; the program stops, since all of its tuples here have two."""
    with pytest.raises(AssertionError, match="takes this tuple of a slice to have 2 elements"):
        table.compiled["short"]([1, 2], 0)
    assert table.compiled["short"]([], 0) == []


def test_gradient(table):
    _, gradient = lt.value_and_grad(lt.function(table.plain["weighed"]))([1.0, 2.0, 3.0])
    np.testing.assert_allclose(gradient, [4.0, 4.0 + 9.0, 12.0])
