"""The text of every stage of a program, kept beside it, and the same to the byte however often it is written."""
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAMS = ROOT / "tests" / "golden" / "emit"
CASES = [(PROGRAMS / "adagrad.sexpr", stage) for stage in ("ir", "cps", "cpp")]
CASES += [(PROGRAMS / "snapshots.sexpr", "cpp")]
CASES += [(PROGRAMS / "tangent.sexpr", stage) for stage in ("ir", "cpp")]
CASES += [(ROOT / "examples" / "tree_prod.py", stage) for stage in ("python", "staging", "sexpr", "ir", "cps", "cpp")]
CASES += [(ROOT / "examples" / "tree_lstm.py", stage) for stage in ("staging", "cps", "cpp")]
CASES += [(PROGRAMS / "decisions.py", "staging")]
CASES += [(PROGRAMS / "control_flow.py", "analysis")]


@pytest.mark.golden
@pytest.mark.parametrize("program, stage", CASES, ids=lambda value: getattr(value, "stem", value))
def test_stage(lantern, golden, program, stage):
    first = lantern("compile", program, "--emit", stage)
    assert (first.returncode, first.stderr) == (0, "")
    assert lantern("compile", program, "--emit", stage).stdout == first.stdout
    golden(PROGRAMS / f"{program.stem}.{stage}", first.stdout)
