"""A variable that is Python's number where a loop over an array makes no turn, or on one path, and an element of an array else; and NaNs in lists."""
import math

import numpy as np
import pytest
from compiled_table import Table
from staged_source import Staged

import lantern as lt
from lantern import types
from lantern.staging.errors import StagingError

HEAD = """import math
import numpy as np


def quotient(y, n):
    return y / n


def quotients(y, n):
    ys = []
    for i in range(n + 1):
        ys.append(y)
        y = y * 0.5 / (n + 1) + i
    return ys


def halved(y, k):
    return y if k <= 0 else halved(y * 0.5, k - 1)


"""
WAYS = {"of a loop": "    for z in v:\n        y += z\n", "of a branch": "    if b:\n        y = v[0]\n"}
KINDS = {"f64": ("lt.f64", "0.0", ([], [1.0, -2.0], [0.0])), "f32": ("lt.f32", "0.0", ([], [0.1, -2.0], [0.0])), "i64": ("lt.i64", "0", ([], [3, -2], [0])),
         "bool": ("bool", "False", ([], [False, True], [True, True]))}
USES = ["y / n", "[0.25, y].index(y) / n", "y / len(v)", "x / y", "1 / (y + n)", "y // n", "x // y", "y % n", "x % y", "y ** -0.5", "(y - 3.0) ** 2", "2.0 ** y", "abs(y - 1)", "(y + 1) * (y - 1)",
        "10.0 ** (y + 400)", "math.sqrt(y + 5) / n", "math.floor(y + 0.5) / n", "int(y) // n", "float(y) / n", "bool(y)", "f'{y}'", "f'{y:.3f}'", "max(y, x) / n", "min(y, 0.0) / n",
        "sum([y, y + 1]) / n", "sum(v) / n", "sum(v) / len(v)", "(y * 2 + 1) / n", "[y / n for _ in range(2)]", "quotient(y, n)", "(lambda t: t / n)(y)", "quotients(y + 0.0, n)",
        "halved(y + 0.0, n) / n", "[y + 0.5, 1.0][n % 2] / n", "{'k': y}['k'] / n", "x / [y][-1]", "(y, n)[0] / n", "np.divide(x, y + n + 0.5)", "np.sqrt(y + 5.0) / (n + 1)", "y * v",
        "1 if y else 2", "(y > 0) * x / n", "not y", "y == 0, y < x", "(y > 0) & (y < 3), (y > 0) | (n > 2)", "y / (v[-1] if len(v) else 1.0)",
        "f'{v[-1]!r} {(v[-1], n)} {[v[-1]]}' if len(v) else ''"]
OF_INTS = ["y + 9223372036854775807", "y * 9223372036854775807 * 3", "y << n", "-(y - 9223372036854775807) + 5"]
REFUSED = {"f'{y!r}'": "LT0310", "str([y])": "LT0310", "isinstance(y, np.floating)": "LT0310", "isinstance(y, np.ndarray)": "LT0310", "(y > 0) + (y > 1)": "LT0310", "-(y > 0)": "LT0403",
           "len(y)": "LT0309"}
SOME = ["y / n", "x // y", "y % n", "2.0 ** y", "(y - 3.0) ** 2", "max(y, x) / n", "f'{y}'", "quotient(y, n)", "(y > 0) * x / n", "y == 0, y < x", "np.divide(x, y + n + 0.5)"]
ROWS = [("f64", 0, USES), ("f64", 1, SOME), ("f32", 0, [*SOME, *USES[-2:]]), ("i64", 0, [*SOME, *OF_INTS]), ("i64", 1, OF_INTS), ("bool", 1, SOME)]
CASES = {f"f_{kind}_{way}_{number}": (kind, way, use) for kind, way, uses in ROWS for number, use in enumerate(uses)}


def source(name, kind, way, use):
    dtype, zero, _ = KINDS[kind]
    return f"def {name}(v: lt.Tensor[{dtype}, None], x: float, n: int, b: bool):\n    y = {zero}\n{[*WAYS.values()][way]}    return {use}\n\n\n"


@pytest.fixture(scope="module")
def table():
    return Table(HEAD + "".join(source(name, *case) for name, case in CASES.items()), list(CASES))


def outcome(function, *arguments):
    """What a call gives; "stops", where it raises, or NumPy warns."""
    try:
        with np.errstate(all="raise"):
            return function(*arguments)
    except (ArithmeticError, ValueError):
        return "stops"


def is_same(a, b):
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(is_same, a, b))
    return a == b if isinstance(a, str) else not isinstance(b, str) and np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-6, equal_nan=True)


@pytest.mark.parametrize("name", CASES, ids=[f"{use}, {kind}, {[*WAYS][way]}" for kind, way, use in CASES.values()])
def test_is_pythons_or_stops_where_numpy_warns(table, name):
    kind = CASES[name][0]
    for values in KINDS[kind][2]:
        for n, b in ((0, False), (3, bool(values))):
            arguments = np.array(values, types.numpy_dtype(kind)), 2.5, n, b
            expected = outcome(table.plain[name], *arguments)
            if isinstance(expected, complex) or type(expected) is int and not -2**63 <= expected < 2**63:     # which compiled programs have not
                expected = "stops"
            assert is_same(expected, outcome(table.compiled[name], *arguments)), (arguments, expected)


@pytest.mark.parametrize("use", REFUSED)
def test_is_refused(use):
    with pytest.raises(StagingError) as caught:
        Staged(HEAD + source("f", "f64", 0, use))
    assert caught.value.code == REFUSED[use]


def test_derivatives_of_it():
    @lt.function
    def f(v: lt.Tensor[lt.f64, None], n: int):
        total = 0.0
        for z in v:
            total += z * z / (total + 1.0)
        return total / len(v) + 1.0 / (total + n) + sum(v) / n

    v = np.array([1.0, 2.0, 3.0])
    value, slope = lt.value_and_grad(f)(v, 2)
    assert np.isclose(value, f.python_function(v, 2))
    assert np.allclose(slope, [(f.python_function(v + d, 2) - f.python_function(v - d, 2)) / 2e-6 for d in 1e-6 * np.eye(3)])
    with pytest.raises(ZeroDivisionError):
        lt.value_and_grad(f)(np.zeros(0), 2)


def test_what_limits_says_of_it():
    """It has NumPy's attributes on every path, and its dtype beside arrays of another."""
    @lt.function
    def f(v: lt.Tensor[lt.f64, None], w: lt.Tensor[lt.f32, 2]):
        y = 0.5
        for z in v:
            y += z
        return y, y.shape, y.item(), y * w

    empty, w = np.zeros(0), np.ones(2, np.float32)
    value, shape, item, product = f(empty, w)
    assert (value, shape, item) == (0.5, (), 0.5) and value.dtype == product.dtype == np.float64
    assert type(f.python_function(np.ones(1), w)[0]) is np.float64 and f.python_function(np.ones(1), w)[3].dtype == np.float64
    with pytest.raises(AttributeError):
        f.python_function(empty, w)


# What CPython finds since it is the same object, though it is not equal.
OF_NANS = {"x in xs": False, "x in [x]": False, "x in (x, 1.0)": False, "xs == xs": False, "[x] == [x]": False, "(x, 1) == (x, 1)": False, "xs.count(x)": 0, "x == x": False}


def test_what_limits_says_of_nans():
    names = [f"f_{number}" for number in range(len(OF_NANS))]
    table = Table("".join(f"def {name}(x: float, xs: list[float]):\n    return {text}\n\n\n" for name, text in zip(names, OF_NANS)), names)
    nan = math.nan
    for name, expected in zip(names, OF_NANS.values()):
        assert table.compiled[name](nan, [1.0, nan]) == expected
        assert table.plain[name](2.0, [1.0, 2.0]) == table.compiled[name](2.0, [1.0, 2.0])
