"""Values and gradients of compiled programs against NumPy and central finite differences, case by case."""
import numpy as np
import pytest

import gradient_check
import operator_cases
import program_cases
from thorough import THOROUGH, one_in

CASES = [*operator_cases.CASES, *program_cases.CASES]


def by_default_compiler():
    """Users have g++: it compiles every sixth operator, on operands of the highest rank, and all programs; bench/ and docs/ have what it optimises."""
    rank = lambda case: sum(len(case.shape(formal) or ()) for formal in case.formals)  # noqa: E731
    operators = {}
    for case in operator_cases.CASES:
        is_one = THOROUGH > 1 or "matmul" in case.name     # which is another function for each pair of ranks
        operators.setdefault(case.name if is_one else case.name.rpartition("_")[0], []).append(case)
    return [max(cases, key=rank) for cases in list(operators.values())[::one_in(6)]] + program_cases.CASES


DEFAULT = by_default_compiler()
# Those that g++ compiles have shorter packets; with the machine's own, test_operator_values.py has their values and test_tangents.py derivatives.
OTHERS = CASES if THOROUGH > 1 else [case for case in CASES if case not in DEFAULT]
PROGRAM, PROGRAM_OF_OTHERS = ("".join(case.program() for case in cases) for cases in (DEFAULT, OTHERS))


@pytest.fixture
def default_compiler(monkeypatch):
    """One program needs nothing that programs have in common."""
    monkeypatch.delenv("LANTERN_CXX", raising=False)
    monkeypatch.setenv("LANTERN_PREPARED", "none")


def check(entry, case, seed):
    values = case.values(seed)
    weights = np.random.default_rng(seed + 100).uniform(-1, 1, case.result_shape())

    def loss(*operands):
        return float(np.sum(weights * case.reference(*operands)))

    value, *gradients = entry(weights, *values)
    assert value == pytest.approx(loss(*values), rel=1e-12, abs=1e-12)
    for name, ours, theirs in zip(case.formals, gradients, gradient_check.central_differences(loss, values)):
        assert np.shape(ours) == np.shape(theirs), name
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-7, err_msg=name)


@pytest.mark.parametrize("processor", ["x86-64"], indirect=True)
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("case", DEFAULT, ids=lambda case: case.name)
def test_value_and_gradient_with_shorter_packets(program_of, default_compiler, processor, case, seed):
    check(program_of(PROGRAM, f"operator_cases_{processor}").entry(f"case_{case.name}_grad"), case, seed)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("case", OTHERS, ids=lambda case: case.name)
def test_value_and_gradient(program_of, case, seed):
    check(program_of(PROGRAM_OF_OTHERS, "other_cases").entry(f"case_{case.name}_grad"), case, seed)
