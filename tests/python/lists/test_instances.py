"""Lists that hold named tuples, instances of frozen dataclasses, and of classes that are as these."""
import re

import pytest
from compiled_table import Table, cases_of, outcome
from instance_programs import DERIVED, HEAD, OTHERS, SOURCE
from staged_source import module_of

from lantern import core
from lantern.staging import entry
from lantern.staging.errors import StagingError

SLOPES = "".join(f'''

def slope_{name}(x: float, n: int):
    return lt.grad({name}, wrt="x")(x, n)
''' for name in DERIVED)


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE + SLOPES, [*DERIVED, *OTHERS, *(f"slope_{name}" for name in DERIVED)])


CALLS = [(0.7, 0), (0.7, 1), (-1.3, 4)]


def flat(value):
    """A value's text, with the digits that sums in another order agree in."""
    return re.sub(r"-?\d+\.\d*(e-?\d+)?", lambda number: f"{float(number[0]):.10g}", re.sub(r"\s+", " ", repr(value)))


@pytest.mark.parametrize("name, arguments", cases_of({name: CALLS for name in DERIVED + OTHERS}))
def test_result_is_pythons(table, name, arguments):
    plain, compiled = (outcome(of[name], arguments) for of in (table.plain, table.compiled))
    assert flat(plain if name != "as_values" else float(plain)) == flat(compiled)


@pytest.mark.parametrize("name, arguments", cases_of({name: CALLS for name in DERIVED}))
def test_derivative_is_that_of_differences(table, name, arguments):
    x, n = arguments
    ends = [float(table.plain[name](x + by, n)) for by in (1e-6, -1e-6)]
    assert float(table.compiled[f"slope_{name}"](x, n)) == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6, abs=1e-8)


def test_variables_have_the_fields_names(table):
    listing = core.compile(table.text, "table.sexpr", {"emit": "cpp"})
    assert all(name in listing for name in ("beams_score", "beams_last", "stack_h", "best_score", "self_score"))


REFUSED = {
    "hs = [Hyp(x)]\n    for i in range(n): hs.append(Other(x))\n    return len(hs)": "LT0306.*here are Hyp and Other",
    "hs = [Hyp(x)]\n    for i in range(n): hs.append((x, 0))\n    return len(hs)": "LT0306.*here are Hyp and tuple",
    "hs = [Hyp(x)]\n    for i in range(n): hs.append(Hyp(x))\n    return sum(1 for h in hs if h is hs[0])": "LT0310.*compare with ==",
    "rs = []\n    for i in range(n): rs.append(Rows([x], i))\n    r = rs[0]\n    rs.reverse()\n    r.row.append(x)\n    return len(rs)": "LT0305.*read it from the list again",
    "row, rs = [x], []\n    for i in range(n): rs.append(Rows(row, i))\n    row.append(x)\n    return sum(len(r.row) for r in rs)": "LT0305.*make a copy",
    "hs = []\n    for i in range(n): hs.append(State(x, x))\n    return sorted(hs)": "LT0310.*not that of its fields.*a key",
    "a, rs = np.zeros(2), []\n    for i in range(n): rs.append(State(a, a))\n    a[0] = x\n    return len(rs)": "LT0317.*change a copy",
}


@pytest.mark.parametrize("body", REFUSED)
def test_refusals_say_what_to_do(body):
    with pytest.raises(StagingError, match=f"(?s){REFUSED[body]}"):
        entry.stage_entries([module_of(f"{HEAD}\n\ndef f(x: float, n: int):\n    {body}\n").f])


def test_a_sum_of_no_instances_needs_a_start():
    table = Table(HEAD + "def f(x: float, n: int):\n    return sum(Dual(x, 1.0) for _ in range(n)).v\n", ["f"])
    assert table.compiled["f"](2.0, 3) == 6.0
    with pytest.raises(ValueError, match="an instance of Dual is needed"):
        table.compiled["f"](2.0, 0)
