"""Trees of objects that functions make which call themselves, filled while they do; frozen ones, and their comparisons and texts."""
import pytest
from compiled_table import Table, cases_of, outcome
from grown_tree_programs import DERIVED, HEAD, OTHERS, SOURCE
from staged_source import module_of
from test_objects import shown

from lantern.staging import entry
from lantern.staging.errors import StagingError

SLOPES = "".join(f'''

def slope_{name}(x: float, n: int):
    return lt.grad({name}, wrt="x")(x, n)
''' for name in DERIVED)
CALLS = [(0.7, 0), (0.7, 1), (-1.3, 6)]
NUMBERS = [(0,), (1,), (2,), (5,), (6,)]
TEXTS = [("( s ( np the cat ) ( vp sat ) )",), ("( x )",), ("( x",), ("1 + 2 * ( 3 + 4 )",), ("( 1",), ("7",), ("[a,{b:[c],d:e},[]]",), ("[a",)]


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE + SLOPES, [*DERIVED, *OTHERS, *(f"slope_{name}" for name in DERIVED)])


@pytest.mark.parametrize("name, arguments", cases_of({**dict.fromkeys(DERIVED, CALLS), **{name: TEXTS if "text" in parameters else NUMBERS for name, (parameters, _) in OTHERS.items()}}))
def test_result_is_pythons(table, name, arguments):
    plain, compiled = (outcome(of[name], arguments) for of in (table.plain, table.compiled))
    assert shown(plain) == shown(compiled)


@pytest.mark.parametrize("name, arguments", cases_of(dict.fromkeys(DERIVED, CALLS)))
def test_derivative_is_that_of_differences(table, name, arguments):
    x, n = arguments
    ends = [float(table.plain[name](x + by, n)) for by in (1e-6, -1e-6)]
    assert float(table.compiled[f"slope_{name}"](x, n)) == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("body", ["d = {}\n    d[Cell(1.0, cells(n)), 1] = 2\n    return len(d)", "return cells(n) in {Cell(0.0)}", "return len({term(n)})"])
def test_a_frozen_object_that_is_numbered_is_no_key(body):
    with pytest.raises(StagingError, match="LT0310.*(is a key|is looked for)"):
        entry.stage_entries([module_of(f"{HEAD}\n\ndef f(n: int):\n    {body}\n").f])
