"""Items and slices of arrays: what the compiled program gives is what NumPy gives, and its derivative what differences say."""
import re

import numpy as np
import pytest
from compiled_table import Table, module_of, outcome
from lantern.staging import entry
from lantern.staging.errors import StagingError

import lantern as lt

GETS = ["v[1]", "v[-1]", "v[n]", "v[1:3]", "v[-2:]", "v[:n]", "v[n:]", "v[::2]", "v[::-1]", "v[n:0:-1]", "v[-1:-9:-2]", "v[9:]", "v[3:1]",
        "v[None]", "v[:, None]", "v[..., None]", "v[n, None]", "m[1]", "m[n]", "m[1, 2]", "m[-1, n]", "m[:, 1]", "m[n, :]", "m[:, n]",
        "m[1:, :2]", "m[::-1, ::2]", "m[..., 1]", "m[:2, None, 1:]", "m[...]", "m[:n, 1]", "m[None, :, None, 0]"]
SETS = ["v[1] = 5.0", "v[-1] = v[0]", "v[n] = 1.0", "v[-n - 1] = 2.0", "v[1:3] = 0.0", "v[:n] = -1.0", "v[1:] = v[:-1]", "m[1] = 0.0", "m[n, 1] = 7.0",
        "m[:, 1] = 2.0", "m[:, 1] = m[:, 0]", "m[1:, :2] = 3.0", "m[n] = m[0]", "m[-1, :] = v[:3]", "m[:, 1:] = v[:2]", "v[0] = n", "v[:] = v[0]",
        "v[5 * n:] = 1.0"]


def source():
    text = ""
    for number, get in enumerate(GETS):
        text += f"def get{number}(v: lt.Tensor[lt.f64, None], m: lt.Tensor[lt.f64, None, 3], n: int):\n    return {get}\n\n\n"
    for number, put in enumerate(SETS):
        text += f"def set{number}(v: lt.Tensor[lt.f64, None], m: lt.Tensor[lt.f64, None, 3], n: int):\n    v, m = v.copy(), m.copy()\n    {put}\n    return v, m\n\n\n"
    return text


@pytest.fixture(scope="module")
def table():
    return Table(source(), [*(f"get{i}" for i in range(len(GETS))), *(f"set{i}" for i in range(len(SETS)))])


def arguments(n):
    return np.array([1.0, 2.0, 3.0, 4.0]), np.arange(6.0).reshape(2, 3) + 1, n


@pytest.mark.parametrize("n", [0, 1, 3, -1])
@pytest.mark.parametrize("name, text", [*((f"get{i}", text) for i, text in enumerate(GETS)), *((f"set{i}", text) for i, text in enumerate(SETS))])
def test_compiled_is_numpy(table, name, text, n):
    expected, actual = outcome(table.plain[name], arguments(n)), outcome(table.compiled[name], arguments(n))
    if isinstance(expected, str) or isinstance(actual, str):
        assert expected == actual
    else:
        for one, other in zip(expected if isinstance(expected, tuple) else [expected], actual if isinstance(actual, tuple) else [actual]):
            assert np.shape(one) == np.shape(other) and np.array_equal(one, other)


DERIVED = """
def f(v, n):
    u = v * 1.0
    u[n] = v[0] * 3.0
    u[:2] = v[2:] * u[1:3]
    return lt.sum(u[1:] * u[:-1] * v[::-2][:1])
"""


def test_the_derivative_is_that_of_differences():
    function = module_of(DERIVED).f
    v, n, step = np.array([0.5, -1.0, 2.0, 3.0]), 2, 1e-6
    gradient = lt.value_and_grad(lt.function(function), wrt="v")(v, n)[1]
    expected = [(float(function(v + step * e, n)) - float(function(v - step * e, n))) / (2 * step) for e in np.eye(4)]
    assert gradient == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("statement, word", [("return v[v > 0]", "whole numbers"),
                                             ("return v[::n]", "step"), ("return v[0, 0]", "too many")])
def test_what_is_refused(statement, word):
    with pytest.raises(StagingError) as caught:
        Table(f"def f(v: lt.Tensor[lt.f64, None], n: int):\n    {statement}\n", ["f"])
    assert word in str(caught.value) and caught.value.place.line == 2


@pytest.mark.parametrize("key, said", [
    ("m[i, i]", "an array is indexed by one array at a time"), ("c[0, :, i]", "an array and a number with a slice between them"),
    ("v[v > 0.0]", "not by lt.Tensor[bool, 4]"), ("v[v]", "not by lt.Tensor[lt.f64, 4]")])
def test_what_is_no_index_is_named(key, said):
    module = module_of(f"""
    def f(v: lt.Tensor[lt.f64, 4], m: lt.Tensor[lt.f64, 3, 4], c: lt.Tensor[lt.f64, 2, 3, 2], i: lt.Tensor[lt.i64, 2]):
        return lt.sum({key})
    """)
    with pytest.raises(StagingError, match=re.escape(said)) as raised:
        entry.stage_entries([module.f])
    assert raised.value.code == "LT0310" and raised.value.hint and raised.value.place.line == 2


def test_an_array_that_indexes_is_a_copy_where_it_is_read():
    function = module_of("""
    def f(v, i):
        w = v[i]
        w[0] = 5.0
        return lt.sum(w * w) + lt.sum(v)
    """).f
    v, i = np.array([1.0, 2.0, 3.0]), np.array([2, 0])
    assert lt.function(function)(v, i) == function(v, i) == 25.0 + 1.0 + 6.0


def all_slices(v: lt.Tensor[lt.i64, None], i: int, j: int):
    return v[i:j], v[i:], v[:j], v[i:j:2], v[i:j:-1], v[i::-2], v[:j:-3]


def test_every_bound_is_pythons():
    compiled = lt.function(all_slices)
    for size in (0, 1, 4):
        v = np.arange(size)
        for i in (-2**63, *range(-6, 7), 2**63 - 1):
            for j in (-2**63, *range(-6, 7), 2**63 - 1):
                assert [list(part) for part in compiled(v, i, j)] == [list(part) for part in all_slices(v, i, j)]


def counted(start: int, stop: int, step: int):
    return len(range(start, stop, step)), lt.arange(stop), lt.arange(start, stop, -2)


def test_a_range_counts_as_pythons_does():
    compiled = lt.function(counted)
    for start in range(-4, 5):
        for stop in range(-4, 5):
            for step in (-3, -1, 1, 2):
                count, up, down = compiled(start, stop, step)
                assert count == len(range(start, stop, step))
                assert list(up) == list(range(stop)) and list(down) == list(range(start, stop, -2))
    assert compiled(-2**63, -1, 1)[0] == 2**63 - 1
    with pytest.raises(ValueError, match=r"range\(\) arg 3 must not be zero"):
        compiled(0, 1, 0)
