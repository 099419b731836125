"""Variables that are None on one path and a list, or what is made of lists, on another."""
import inspect
import sys

import lists_or_none_programs
import numpy as np
import pytest
from compiled_table import Table, outcome
from staged_source import module_of

import lantern as lt
from lantern.staging.errors import StagingError

PATTERNS = """
def sequence_pattern(n: int, c: bool):
    match [1, n] if c else None:
        case [1, *rest] if n > 2:
            return rest
        case [a, b]:
            return [a, b]
        case None:
            return [-1]


def tuple_pattern(n: int, c: bool):
    match (1, n) if c else None:
        case (a, b):
            return a + b
        case _:
            return -1
"""
NAMES = [name for name, function in inspect.getmembers(lists_or_none_programs, inspect.isfunction) if name not in ("helper", "change", "sums")]
SOURCE = inspect.getsource(lists_or_none_programs)
if sys.version_info >= (3, 10):
    NAMES += ["sequence_pattern", "tuple_pattern"]
    SOURCE += PATTERNS


@pytest.fixture(scope="module")
def table():
    """Of what is compiled ahead of time, the text of what each gives: that gives no None."""
    shown = [f"def shown_{name}(n: int, c: bool): return str({name}(n, c))\n" for name in NAMES]
    return Table(SOURCE + "\n\n" + "".join(shown), [f"shown_{name}" for name in NAMES])


@pytest.mark.parametrize("name", NAMES)
def test_as_in_python(table, name):
    for arguments in ((3, True), (3, False), (1, True), (1, False), (0, False), (9, True)):
        assert outcome(table.compiled[f"shown_{name}"], arguments) == outcome(table.plain[f"shown_{name}"], arguments), arguments


def test_gradient():
    f = lists_or_none_programs.sums
    compiled = lt.value_and_grad(lt.function(f), wrt="x")
    for x, n in ((1.5, 1), (0.75, 4)):
        value, slope = compiled(x, n)
        assert value == f(x, n) and np.isclose(slope, (f(x + 1e-6, n) - f(x - 1e-6, n)) / 2e-6, rtol=1e-6)


def test_a_result_in_process():
    f = lt.function(module_of("def f(n):\n    return [n, 2] if n > 1 else None\n").f)
    assert f(3) == [3, 2] and f(0) is None


@pytest.mark.parametrize("body", ["xs = []\nfor i in range(n): xs.append(r)\nreturn len(xs)", "xs = [[1] for i in range(n)]\nxs[0] = r\nreturn xs", "d = {}\nd[n] = r\nreturn len(d)",
                                  "xs = [None] * n\nxs[0] = r\nreturn len(xs)", "return len([(r, i) for i in range(n)])"])
def test_they_do_not_stand_in_lists(body):
    source = "def f(n: int):\n    r = [n] if n > 2 else None\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    with pytest.raises(StagingError, match="(?s)LT0306: 'r' may be None or list.int., and lists do not stand beside None in a list.*put an empty one there") as caught:
        Table(source, ["f"])
    assert "is not known so far" not in str(caught.value)
