"""Elements of arrays beside Python's numbers, read, computed with and stored: of NumPy's dtype and value, or refused."""
import numpy as np
import pytest
from compiled_table import Table, module_of, outcome

from lantern import types
from lantern.staging import entry
from lantern.staging.errors import StagingError

DTYPES = ("f32", "f64", "i64", "i32", "bool")
EXPRESSIONS = [
    "a[0]", "a[n]", "a[0] + 0.5", "0.1 + a[0]", "a[0] + 1", "a[0] + True", "a[0] - True", "3 - a[0]", "a[0] * x", "a[0] + n", "b[0] * a[0]",
    "a[0] / 2", "2 / a[0]", "a[0] / a[1]", "a[0] // 2", "7 // a[0]", "a[0] // a[1]", "a[0] % 2", "7 % a[0]", "a[0] % a[1]", "a[0] ** 2",
    "2 ** a[0]", "a[0] ** 0.5", "a[0] ** a[1]", "-a[0]", "~a[0]", "abs(a[0])", "a[0] + a[1]", "a[0] * a[0] - a[1]", "(a[0] + a[2]) * 3", "a[0] & True",
    "a[0] < 0.5", "a[0] == 0.1", "a[0] == 1", "a[0] > b[0]", "a[0] > 0 and x > 0", "a + 0.5", "a + True", "a * x", "a - n", "a / 2", "a // 2",
    "a + a", "a * a", "a - a", "a / a", "a < 0.1", "a == n", "-a", "abs(a)", "a + b", "a @ b", "float(a[0])", "int(a[0])", "bool(a[0])", "a.sum() / 2",
    "math.exp(a[0])", "math.sqrt(a[n])", "math.log(a[1])", "math.log(a[n - 1], 2)", "math.pow(a[0], 2)", "math.hypot(a[0], a[1])", "math.floor(a[0])",
    "math.ceil(b[0])", "math.floor(a[1]) / math.floor(a[1])", "math.isnan(a[0])", "math.copysign(a[0], -1)", "math.degrees(a[0])", "math.fabs(a[0])",
    "math.exp(a)", "round(b[0])"]
STATEMENTS = [
    "a[0] = 2.7", "a[0] = 1", "a[0] = True", "a[0] = x", "a[0] = n", "a[n] = a[0] + 0.5", "a[n] = a[0] * x", "a[0] = b[1]", "a[:] = 0.5", "a[1:] = b[:2]",
    "a[0] += 0.5", "a[0] += 1", "a[0] *= x", "a[0] /= 2", "a[n] -= a[0]", "a += 0.5", "a += 1", "a *= x", "a += b", "a /= 2", "a -= True", "a[:2] += b[:2]",
    "a[1:] *= 2", "for i in range(3): a[i] = a[i] * 0.5 + i", "for i in range(n): a[i] += 0.5"]
MIXED = np.dtype(np.int8)       # NumPy's result of two bools; there is no such dtype here


def function(name, dtype, body):
    kind = "np.bool_" if dtype == "bool" else f"lt.{dtype}"
    lines = "\n    ".join(body.split("\n"))
    return f"def {name}(a: lt.Tensor[{kind}, 3], b: lt.Tensor[lt.f64, 3], x: float, n: int):\n    {lines}\n\n\n"


CASES = {f"{dtype}_{number}": (dtype, body) for dtype in DTYPES for number, body in enumerate(
    [f"return {text}" for text in EXPRESSIONS] + [f"a = a.copy()\n{text}\nreturn a" for text in STATEMENTS])}


PRELUDE = "import math\n\nimport numpy as np\n"


def arguments(dtype):
    return np.array([1, 0, 1], types.numpy_dtype(dtype)), np.array([0.25, 2.0, 3.0]), 1.5, 1


def is_staged(name):
    function = vars(module_of(PRELUDE + globals()["function"](name, *CASES[name])))[name]
    try:
        entry.stage_entries([function])
        return True
    except StagingError:
        return False


@pytest.fixture(scope="module")
def table():
    accepted = [name for name in CASES if is_staged(name)]
    return Table(PRELUDE + "".join(function(name, *CASES[name]) for name in accepted), accepted)


@pytest.mark.parametrize("name", CASES, ids=[f"{dtype}: {body}" for dtype, body in CASES.values()])
def test_dtype_and_value_are_numpys(table, name):
    dtype, body = CASES[name]
    plain = vars(module_of(PRELUDE + function(name, dtype, body)))[name]
    with np.errstate(all="ignore"):
        expected = outcome(plain, arguments(dtype))
    if name not in table.compiled:
        assert isinstance(expected, str) or expected.dtype == MIXED, f"it is refused, and NumPy gives {expected}"
        return
    actual = outcome(table.compiled[name], arguments(dtype))
    if isinstance(expected, str) or isinstance(actual, str):
        assert expected == actual
        return
    assert type(expected) is type(actual) if isinstance(expected, (bool, int, float)) else expected.dtype == actual.dtype
    rounded = 1e-6 if dtype == "f32" and not isinstance(expected, float) else 1e-15
    assert np.allclose(expected, actual, rtol=rounded, atol=0, equal_nan=True), (expected, actual)
