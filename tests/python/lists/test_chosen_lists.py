"""Lists of which a condition has chosen one: what changes one of them changes it by all its names."""
import inspect

import chosen_list_programs
import numpy as np
import pytest
from compiled_table import Table, outcome
from staged_source import Staged

import lantern as lt
from lantern.staging.errors import StagingError

NAMES = [name for name, function in inspect.getmembers(chosen_list_programs, inspect.isfunction) if name not in ("push", "pick", "early", "scaled")]


@pytest.fixture(scope="module")
def table():
    return Table(chosen_list_programs, NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_as_in_python(table, name):
    for arguments in ((5, True), (5, False), (1, True), (1, False), (0, False)):
        assert repr(outcome(table.compiled[name], arguments)) == repr(outcome(table.plain[name], arguments)), arguments


def test_gradient():
    f = chosen_list_programs.scaled
    compiled = lt.value_and_grad(lt.function(f), wrt="x")
    for x, n in ((1.5, 0), (1.5, 3), (-0.5, 4)):
        value, slope = compiled(x, n)
        assert value == f(x, n) and np.isclose(slope, (f(x + 1e-6, n) - f(x - 1e-6, n)) / 2e-6, rtol=1e-6)


@pytest.mark.parametrize("body", [
    "t = a if n > 2 else b\nif n > 3: t.append(n)\nelse: a.append(n + 1)\nreturn a, t",
    "t = a if n > 2 else b\nu = t if n > 3 else [4]\nu.append(n)\nreturn a",
    "t = one_of(a, b, n)\nt.append(n)\nreturn a",
    "a, b = [[1]], [[2], [3]]\nt = a if n > 2 else b\nt[0].append(n)\nreturn a",
])
def test_what_is_not_known_is_refused(body):
    with pytest.raises(StagingError, match="may have changed through another name") as caught:
        Staged("def one_of(a, b, k):\n    return a if k == 0 else one_of(b, a, k - 1)\n\n\ndef f(n: int):\n    a, b = [1], [2, 3]\n" + "".join(f"    {line}\n" for line in body.split("\n")), "f")
    assert caught.value.code == "LT0305"
