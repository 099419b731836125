"""AutoGraph's rules of dispatch, one small program each (the modules `reference_*`): legal ones agree with Python, others say why."""
import importlib
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from programs import cases_of, check  # noqa: E402

MODULES = [importlib.import_module(path.stem) for path in sorted(pathlib.Path(__file__).parent.glob("reference_*.py"))]
CASES = [pytest.param(case, id=f"{module.__name__[10:]}.{case.function.__name__}") for module in MODULES for case in cases_of(module)]


@pytest.mark.parametrize("case", CASES)
def test_program(converter, case, capfd):
    check(case, capfd)
