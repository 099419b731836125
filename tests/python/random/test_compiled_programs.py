"""Random programs, compiled, do what they do plainly, or are refused while they are staged; and so do those that once did not."""

import pathlib

import pytest
from compiled import Compiled, Places
from thorough import many

REGRESSIONS = sorted((pathlib.Path(__file__).parent / "regressions").glob("compiled_*.py"))
FEWEST_THAT_RUN = 0.7   # of programs: the rest reads what has no value, or fails for whatever arguments


def report(failures):
    return "\n".join(f"{failure.text}\n{failure.differences()}" for failure in failures[:3])


@pytest.mark.slow
def test_many_programs():
    comparison = Compiled()
    for first in range(0, many(30), 30):
        failures = comparison.compare(comparison.generate("compiled", range(first, first + 30)))
        assert not failures, report(failures)
    assert comparison.ran >= many(30) * FEWEST_THAT_RUN, comparison.summary()


@pytest.mark.slow
def test_many_programs_that_look_for_places():
    comparison = Places()
    failures = comparison.compare(comparison.generate("places", range(many(40))))
    assert not failures, report(failures)
    assert comparison.ran >= many(40) * FEWEST_THAT_RUN, comparison.summary()


@pytest.mark.slow
def test_programs_that_once_differed():
    """All of them in one object."""
    comparison = Compiled()
    programs = {number: path.read_text().replace("program_0(", f"program_{number}(") for number, path in enumerate(REGRESSIONS)}
    failures = comparison.compare(programs)
    assert not failures, report(failures)
    assert comparison.ran == len(programs), comparison.summary()
