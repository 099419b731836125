"""AutoGraph's rules of dispatch, one small program each (the modules `reference_*`): legal ones agree with Python, others say why."""
import importlib
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from programs import cases_of, check  # noqa: E402



def cases():
    """The cases of all modules; one that is skipped for a module in syntax that this Python does not have."""
    for path in sorted(pathlib.Path(__file__).parent.glob("reference_*.py")):
        name = path.stem[len("reference_"):]
        try:
            module = importlib.import_module(path.stem)
        except SyntaxError as error:
            reason = f"{path.name} is in the syntax of a later Python: {error.msg} in line {error.lineno}"
            yield pytest.param(None, id=name, marks=pytest.mark.skip(reason=reason))
            continue
        for case in cases_of(module):
            yield pytest.param(case, id=f"{name}.{case.function.__name__}")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", list(cases()))
def test_program(converter, case, capfd):
    check(case, capfd)
