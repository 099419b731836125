"""Random programs, converted, do what they do plainly; and so do those that once did not."""

import pathlib

import pytest
from plain import Plain
from shrink import shrink
from thorough import many

REGRESSIONS = sorted((pathlib.Path(__file__).parent / "regressions").glob("plain_*.py"))


@pytest.fixture(scope="module")
def comparison():
    return Plain()


def report(failures):
    return "\n".join(f"{failure.text}\n{failure.differences()}" for failure in failures[:3])


@pytest.mark.slow
def test_many_programs(comparison):
    """Those of the seed that CPython compiles; every construct of the tables is among them."""
    ran, first = 0, 0
    while ran < many(200):
        programs = comparison.generate("plain", range(first, first + 50))
        failures = comparison.compare(programs)
        assert not failures, report(failures)
        ran, first = ran + len(programs), first + 50


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda path: path.stem)
def test_programs_that_once_differed(comparison, path):
    failures = comparison.compare({int(path.read_text().partition("def program_")[2].partition("(")[0]): path.read_text()})
    assert not failures, report(failures)


def test_a_difference_is_found_and_shrunk(comparison):
    """The comparison fails where the two sides are not the same program."""
    text = "def program_0(i, j, x, p, xs, u, box):\n    j = i * 2\n    if p:\n        print(j)\n    return j\n"
    comparison.twin["print"] = lambda *values: None     # what a wrong conversion might do
    try:
        failures = comparison.compare({0: text})
        assert [failure.number for failure in failures] == [0]
        assert failures[0].differences() == [("4\n", "")]
        assert "return" not in comparison.shrunk(failures[0])
    finally:
        del comparison.twin["print"]
    assert not comparison.compare({0: text})


def test_shrinking_keeps_what_fails():
    text = "a = 1\nfor i in range(3):\n    if i > 1:\n        print(f(i + 2) * 3)\n    else:\n        b = 2\n"
    assert shrink(text, lambda smaller: "f(" in smaller) == "f()\n"
