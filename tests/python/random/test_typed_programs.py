"""Random typed programs have the values and the gradients that they have plainly; and so do those that once had not."""

import pathlib

import pytest
from derivatives import Derivatives
from thorough import many

import lantern as lt
from lantern import pullbacks

REGRESSIONS = sorted((pathlib.Path(__file__).parent / "regressions").glob("typed_*.py"))
FEWEST_THAT_RUN = 0.8   # of programs
NOT_IN_PROGRAMS = {"py-function", "extern", "solve", "inv", "det", "log-abs-det", "cholesky", "as-key"}    # no derivative, or none of most matrices; of keys


@pytest.fixture(autouse=True, scope="module")
def default_dtype():
    """That of `Derivatives`, and behind them that of other tests."""
    before = lt.set_default_dtype("f64")
    yield
    lt.set_default_dtype(before)


def report(failures):
    return "\n".join(f"{failure.text}\n{failure.got}" for failure in failures[:3])


@pytest.mark.slow
def test_many_programs():
    comparison = Derivatives()
    failures = comparison.compare(comparison.generate("typed", range(many(70))))
    assert not failures, report(failures)
    assert comparison.ran >= many(70) * FEWEST_THAT_RUN, comparison.summary()
    assert comparison.compared > 2 * comparison.ran, comparison.summary()
    differentiable = {name for name in pullbacks.names() if any(row.pullbacks for row in pullbacks.rows(name))}
    assert differentiable - set(comparison.operators) - NOT_IN_PROGRAMS == set()


@pytest.mark.slow
def test_programs_that_once_differed():
    comparison = Derivatives()
    programs = {int(path.read_text().partition("def program_")[2].partition("(")[0]): path.read_text() for path in REGRESSIONS}
    failures = comparison.compare(programs)
    assert not failures, report(failures)


def test_a_wrong_value_and_a_wrong_gradient_are_found(monkeypatch):
    from lantern import bodies
    text = ("def program_0(x: float, v: lt.Tensor[lt.f64, 3], m: lt.Tensor[lt.f64, 3, 3], n: int, t: Tree, bush: Bush, xs: 'list[float]'):\n"
            "    return lt.sum(lt.sin(v))\n")
    comparison = Derivatives()
    assert comparison.compare({0: text}) == []
    with monkeypatch.context() as patched:
        patched.setitem(bodies.BODIES, "sin", lambda a: bodies.BODIES["cos"](a))
        [failure] = comparison.compare({0: text})
        assert failure.got.startswith("call 0: the value is")
    monkeypatch.setattr("derivatives.lt.value_and_grad", lambda f, wrt: lambda **_: 1 / 0)
    monkeypatch.setattr("derivatives.gradients.derivative", lambda *_: 17.0)
    [failure] = comparison.compare({0: text})
    assert failure.got.startswith("call 0: along a direction the gradient says 17.0")
