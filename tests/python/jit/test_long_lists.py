"""Lists that are long enough for the compiler's library to take them from Python, and to give them back: they are what short ones are."""
import enum
import os
import sys

import numpy as np
import pytest

import lantern as lt
from lantern import long_lists


class Level(enum.IntEnum):
    HIGH = 7


class Name(str):
    pass


@lt.function
def total(xs: list[float]):
    result = 0.0
    for x in xs:
        result += x
    return result, len(xs)


@lt.function
def whole(xs: list[int]):
    result = 0
    for x in xs:
        result = result ^ x
    return result, xs


@lt.function
def count(xs: list[bool]):
    result = 0
    for x in xs:
        if x:
            result += 1
    return result


@lt.function
def joined(xs: list[str]):
    result = ""
    for x in xs:
        result += x + "|"
    return result, xs


@lt.function
def rows(xs: list[list[int]]):
    return sum([sum(x) for x in xs])


@lt.function
def any_kind(xs):
    return xs[0], len(xs)


def outcome(function, xs):
    try:
        return function(xs)
    except (TypeError, OverflowError, ValueError) as error:
        return type(error), str(error).split("\n")[0]


# An element of each kind, behind 99 plain ones.
CASES = {
    "floats": (total, [0.5] * 99, [1.5, 2, True, np.float64(2.5), float("nan"), float("-inf"), 2**60 + 1, 10**400, -10**400, "1", None, np.float32(1.5), Level.HIGH, 1 + 2j]),
    "whole numbers": (whole, [3] * 99, [-5, True, 2**63 - 1, -2**63, 2**63, -2**63 - 1, 10**30, 1.0, np.int64(4), Level.HIGH, "7", None]),
    "bools": (count, [True, False, True] * 33, [True, False, 1, 0.0, None, np.True_]),
    "texts": (joined, ["plain", "", "ünï", "日本語", "😀", "a\0b"] * 17, ["x", "", "é" * 300, os.fsdecode(b"\xff\xfe"), "\ud800", Name("n"), 5, None, b"bytes"]),
    "lists": (rows, [[1, 2]] * 99, [[3, True], [], list(range(200)), [1.5], (4, 5), 7, ["x"]]),
}


@pytest.mark.parametrize("name, number", [(name, number) for name, (_, _, last) in CASES.items() for number in range(len(last))])
def test_they_are_as_short_ones(monkeypatch, name, number):
    function, plain, last = CASES[name]
    xs = [*plain, last[number]]
    by_library = [outcome(function, xs), outcome(function, xs)]      # the long way, and the short one
    assert long_lists._library() is not None
    monkeypatch.setattr(long_lists, "_library", lambda: None)
    assert repr(by_library) == repr([outcome(function, xs), outcome(function, xs)])


def test_what_they_are_is_looked_at_in_each_call():
    xs = [1] * 100
    assert whole(xs)[0] == 0 and any_kind(xs) == (1, 100)
    xs[70] = 2
    assert whole(xs)[0] == 3
    xs[50] = 2**70
    with pytest.raises(OverflowError, match=r"argument 'xs'\[50\]: 1180591620717411303424 does not fit in 64 bits"):
        whole(xs)
    xs[50] = 0.5
    with pytest.raises(TypeError, match=r"argument 'xs'\[50\] is int, and a float was given"):
        whole(xs)
    texts = [f"{i}" for i in range(100)]
    assert any_kind(texts) == ("0", 100)
    texts[0] = "zero"
    assert any_kind(texts) == ("zero", 100)


def test_types_of():
    assert long_lists.types_of([1] * 100) == {int} and long_lists.types_of([Name("a")] * 100) == {Name}
    assert long_lists.types_of([1] * 99 + [True]) == {int, bool} and long_lists.types_of(["a", 1]) == {str, int}


def test_nobody_keeps_them():
    xs = [f"word {i}" for i in range(200)]
    before = [sys.getrefcount(x) for x in (xs, *xs)]
    for _ in range(5):
        joined(xs)
    assert before == [sys.getrefcount(x) for x in (xs, *xs)] and sys.getrefcount(joined(xs)[1][7]) < 4
