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
# By arrays: of whole numbers, several of which choose together, and of bools.
GETS_BY_ARRAYS = ["K[:, v[:3] > n]", "K[[n, 0], [1, n]]", "K[0][[i for i in range(n)]]", "v[[i for i in range(n)]]", "K[m[:, 0] > n, 1]", "v[v > n]", "v[~(v > n)]", "m[m > n]", "m[m[:, 0] > n]", "m[m[:, 0] > n, 1]", "m[m[:, 0] > n, 1:]", "m[:, m[0] > n]", "m[m > n + 9]", "v[[True, False, True, n > 0]]",
                  "v[v[:3] > n]", "m[[0, 1], [n, 2]]", "m[[0, -1], [[n, 2], [1, 0]]]", "m[np.arange(len(m)), [n, -3]]", "m[np.arange(len(v)), [n, -3]]", "m[[1], [0, n, 1]]",
                  "m[range(2), range(n, n + 2)]", "m[[n, 0], None]", "m[None, [0, 1], [n, 1]]", "m[[0, 1], None, [n, 1]]", "np.stack([m, m + 9])[:, [0, 1], [n, 1]]",
                  "np.stack([m, m + 9, m])[[0, 1], :, [n, 1]]", "np.stack([m, m + 9])[1, :, [n, 1]]", "np.stack([m, m + 9])[[1, n], 0, [n, 1]]", "np.stack([m, m + 9])[[1, n], [0, 1], 1:]",
                  "np.stack([m, m + 9])[m.T[:2] > n]", "np.stack([m, m + 9])[:, m > n]", "np.stack([m, m + 9])[[0, n], m > 5]", "m[[n, n], [1, 2]].sum() + v[v > n].sum()", "v[[]]",
                  "v[np.array([True, False, True, True])]", "m[np.array([[True, False, True], [False, False, True]])]", "m[np.array([True, False]), n]", "len(v[v > n])", "[2 * x for x in v[v > n]]",
                  "np.nonzero(m > n)", "np.where(v > n)", "np.flatnonzero(m > n)", "np.argwhere(m > n)", "(v > n).nonzero()", "np.compress(v > n, v)", "np.extract(m > n, m)", "v[v > n].mean() if n < 3 else 0.0",
                  "np.take_along_axis(m, np.argmax(m, axis=1)[:, None] - n, axis=1)", "np.take_along_axis(v, np.arange(n), 0)", "np.unique(np.concatenate([v, v[:n]]))", "np.unique(m % 3)",
                  "np.bincount(np.arange(n))", "np.bincount(np.arange(n) - 1)", "np.bincount(np.arange(4) // 2, weights=v, minlength=n)", "np.bincount(v[v > n].astype(int))", "np.sum(m, axis=0, where=m > n)",
                  "np.sum(v > 1, where=v > n)", "np.mean(m, where=m[:, :1] < n + 3)", "np.select([v > 3, v > n], [v, v * 2])", "np.select([m > 3, m > n], [m, -1.0], m + 1)"]
SETS_BY_ARRAYS = ["m = np.zeros((2, 3)); m[[n, 0]] = v[:3]; m[m > n] = 5.0", "v = np.ones(4); v[v > n] = 0.0; v[[n, 0]] += 2.0", "v[v > n] = 0.0", "v[v > n] *= 2", "m[m > n] = n", "m[m[:, 0] > n] = v[:3]", "m[m[:, 0] > n] += 1.0", "v[v > n] = v[:3]", "v[v > n] = v[::-1][v > n]", "m[m > n] = v[:2]", "v[v > n] = [7.0]",
                  "m[m[:, 0] > n, 1] = 9.0", "m[:, m[0] > n] = 1.0", "m[1:, m[0] > n] = 1.0", "m[[0, 1], [n, 2]] = v[:2]", "m[np.arange(2), [n, -3]] -= 1.0", "m[[0, 0, 1], [1, 1, n]] = v[:3]", "v[v[:3] > n] = 0.0",
                  "m[[n, 1]] = m[0]", "m[:, [n, 0]] = m[:, :2]", "m[n, [0, 2]] = 5.0", "m[[0, 1], 1:] = n", "m[[1, n], 0] += v[:2]", "m[::-1, [0, n]] = v[:2]", "v[:] = np.where(v > n, v, 0)", "m[[0, 5], [0, n]] = 1.0",
                  "v[~(v > n)] = n", "m[m > n] = m[0]", "v[[True, False, True, n > 0]] = -1.0"]
SETS = ["v[1] = 5.0", "v[-1] = v[0]", "v[n] = 1.0", "v[-n - 1] = 2.0", "v[1:3] = 0.0", "v[:n] = -1.0", "v[1:] = v[:-1]", "m[1] = 0.0", "m[n, 1] = 7.0",
        "m[:, 1] = 2.0", "m[:, 1] = m[:, 0]", "m[1:, :2] = 3.0", "m[n] = m[0]", "m[-1, :] = v[:3]", "m[:, 1:] = v[:2]", "v[0] = n", "v[:] = v[0]",
        "v[5 * n:] = 1.0"]


GETS, SETS = GETS + GETS_BY_ARRAYS, SETS + SETS_BY_ARRAYS


def source():
    text = "import numpy as np\n\nK = np.arange(6.0).reshape(2, 3)\n\n\n"
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


DERIVED = {"items": """
    u = v * 1.0
    u[n] = v[0] * 3.0
    u[:2] = v[2:] * u[1:3]
    return lt.sum(u[1:] * u[:-1] * v[::-2][:1])
""", "several arrays": """
    m = np.outer(v, v + 1.0)
    p = np.log(m[np.arange(4), [n, 0, -1, n]] ** 2 + 1.0)
    m[[0, 1, 1], [n, 0, 0]] = p[:3] * v[n]
    m[[0, n], 1:] *= v[:3]
    return np.mean(p) + np.sum(m * m[:, [3, n, n, 1]])
""", "masks": """
    u = v * v[n]
    u[v > 0.0] = 3.0 * v[n]
    w = np.outer(v, u)
    w[w > 1.0] *= v[1]
    w[v > 1.0] = u * 2.0
    return np.sum(u[u < 7.0] ** 3) + np.mean(np.exp(-w[w > 0.5])) + np.sum(w, where=w < 0.0) + u[np.nonzero(v > 0.0)][0]
""", "on a tape, too": """
    w = np.outer(v, v + 1.0)
    return np.sum(v[v > 1.0] ** 3) + np.mean(w[w > 0.5]) + np.sum(w, where=w < 0.6) + np.sum(np.log(w[np.arange(2), [n, 0]] ** 2 + 1.0)) + np.take_along_axis(w, np.array([[0, 2], [1, 1], [3, 2], [n, n]]), 1).sum()
"""}


@pytest.mark.parametrize("name", DERIVED)
def test_the_derivative_is_that_of_differences(name):
    function = module_of(f"import numpy as np\ndef f(v, n):{DERIVED[name]}").f
    v, n, step = np.array([0.5, -1.0, 2.0, 3.0]), 2, 1e-6
    expected = [(float(function(v + step * e, n)) - float(function(v - step * e, n))) / (2 * step) for e in np.eye(4)]
    for own in (lt.function(function), *([function] if name == "on a tape, too" else ())):
        value, gradient = lt.value_and_grad(own, wrt="v")(v, n)
        assert value == pytest.approx(float(function(v, n)))
        assert gradient == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("statement, word", [("return v[::n]", "step"), ("return v[0, 0]", "too many")])
def test_what_is_refused(statement, word):
    with pytest.raises(StagingError) as caught:
        Table(f"def f(v: lt.Tensor[lt.f64, None], n: int):\n    {statement}\n", ["f"])
    assert word in str(caught.value) and caught.value.place.line == 2


@pytest.mark.parametrize("key, said", [
    ("v[v]", "not by lt.Tensor[lt.f64, 4]"), ("m[i, 1.5]", "not by float"), ("m[m[:, :2] > 1]", "boolean index did not match indexed array along axis 1"),
    ("m[[0, 1], [0, 1, 2]]", "indexing arrays could not be broadcast together"), ("m[[0, 3], [0, 1]]", "index 3 is out of bounds")])
def test_what_is_no_index_is_named(key, said):
    module = module_of(f"""
    def f(v: lt.Tensor[lt.f64, 4], m: lt.Tensor[lt.f64, 3, 4], c: lt.Tensor[lt.f64, 2, 3, 2], i: lt.Tensor[lt.i64, 2]):
        return lt.sum({key})
    """)
    with pytest.raises(StagingError, match=re.escape(said)) as raised:
        entry.stage_entries([module.f])
    assert raised.value.code == ("LT0310" if "not by" in said else "LT0309") and raised.value.place.line == 2


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
