"""A variable that is Python's number where a loop makes no turn, or on one path, and an array else."""
import numpy as np
import pytest
from compiled_table import Table
from staged_source import Staged

from lantern import types
from lantern.staging.errors import StagingError

HEAD = """import math
import numpy as np


def doubled(a):
    return a + a


"""
WAYS = {     # how `h` comes to be one or the other: `i` turns of `n`
    "for": "    h = {number}\n    for i in range(n):\n        h = h + xs[i] * w\n",
    "in place": "    h = {number}\n    for i in range(n):\n        h += xs[i] * w\n",
    "while": "    h, i = {number}, 0\n    while i < n:\n        h, i = xs[i] * w - h, i + 1\n",
    "if": "    h = {number}\n    if n:\n        h = xs[0] * w\n",
    "if else": "    if n == 0:\n        h = {number}\n    else:\n        h = w + 1\n",
    "expression": "    h = w * 2 if n else {number}\n",
    "loops in loops": "    h = {number}\n    for i in range(n):\n        for j in range(i):\n            h = h * w + xs[j]\n",
    "in a branch": "    h = {number}\n    for i in range(n):\n        if b:\n            h = h + xs[i]\n",
    "sometimes a number": "    h = {number}\n    for i in range(n):\n        h = xs[i] - h if b else {number}\n",
    "break": "    h = {number}\n    for row in xs:\n        if row[0] > 1:\n            break\n        h += row\n",
    "array first": "    h = w\n    if b:\n        h = {number}\n",
    "two names": "    h, g = {number}, w\n    for i in range(n):\n        h, g = g, h + xs[i]\n        g = g + w\n",
    "max": "    h = {number}\n    for i in range(n):\n        h = np.maximum(h, xs[i])\n",
}
USES = ["h + w", "w - h", "w * h", "w / (w + h)", "h / w", "w // (h - 7.5)", "h % w", "w % (h - 9.0)", "h ** w", "np.tanh(w + h)", "np.maximum(h, w)", "np.minimum(w, h)",
        "np.arctan2(h, w)", "np.where(w > 1, h, w)", "h < w", "w >= h", "h == w", "h != w", "h + xs", "xs[:1] * h", "doubled(h + w)", "(h, w)[0] + w", "[h, w][0] * w",
        "[row + h for row in xs]", "h + np.ones(3, w.dtype)", "(lambda: h * w)()", "np.add(h, w)", "np.multiply(w, h)", "h is None", "sum([h, w])", "(h + w) if h is not None else w"]
OF_NUMBERS = ["(h * 2) + w", "-h + w", "(h + 1) * w", "(h * h) - w", "(h - h) + w", "abs(h) * w", "(h * 0.5 + 0.25) * w", "(2 ** h if False else h) + w"]
NUMBERS = ["0.0", "0", "-0.0", "1", "0.5", "0.1", "-2.5", "math.inf", "c", "n", "c + n"]
ROWS = [("f32", way, "0.0", use) for way in ("for", "expression") for use in USES] + \
       [("f64", "in place", "0.0", use) for use in (*USES, *OF_NUMBERS)] + \
       [(kind, way, "0", "w - h") for kind in ("f32", "f64") for way in WAYS] + [("f32", way, "0.0", "h * w") for way in WAYS] + \
       [(kind, "for", number, "h * w + 1") for kind in ("f32", "f64") for number in NUMBERS] + \
       [("f32", "if", number, "w / h") for number in NUMBERS] + \
       [("f32", "for", number, use) for number in ("0.0", "0.5") for use in OF_NUMBERS]
CASES = {f"f_{number}": row for number, row in enumerate(dict.fromkeys(ROWS))}


def source(name, kind, way, number, use):
    head = f'def {name}(xs: lt.Tensor[lt.{kind}, None, 3], w: lt.Tensor[lt.{kind}, 3], n: int, b: bool, c: float):\n'
    return f"{head}{WAYS.get(way, way).format(number=number)}    return {use}\n\n\n"


@pytest.fixture(scope="module")
def table():
    return Table(HEAD + "".join(source(name, *case) for name, case in CASES.items()), list(CASES))


def arguments_of(kind):
    xs = np.array([[0.5, -1.25, 0.0], [2.0, 0.75, -3.0], [0.1, 0.2, 0.3]], types.numpy_dtype(kind))
    for n, b, c in ((0, False, 0.3), (1, True, -1.7), (3, False, 2.0), (3, True, 0.1)):
        yield xs[:n], np.array([1.0, -2.0, 0.25], xs.dtype), n, b, c


def is_same(a, b):
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(is_same, a, b))
    if not isinstance(a, np.ndarray) or not isinstance(b, np.ndarray):
        return type(a) is type(b) and a == b
    signs = a.dtype.kind != "f" or np.array_equal(np.signbit(a), np.signbit(b))
    return a.dtype == b.dtype and a.shape == b.shape and signs and np.allclose(a, b, rtol=1e-6, atol=0, equal_nan=True)


@pytest.mark.parametrize("name", CASES, ids=[" ".join(case) for case in CASES.values()])
def test_is_pythons(table, name):
    for arguments in arguments_of(CASES[name][0]):
        with np.errstate(all="ignore"):
            expected = table.plain[name](*arguments)
        assert is_same(expected, table.compiled[name](*arguments)), (arguments, expected)
