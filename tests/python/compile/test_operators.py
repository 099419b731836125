"""Values and gradients of compiled programs against NumPy and central finite differences, case by case."""
import numpy as np
import pytest

import gradient_check
import operator_cases
import program_cases

CASES = [*operator_cases.CASES, *program_cases.CASES]
PROGRAM = "".join(case.program() for case in CASES)
# Numbers have no packets.
OF_ARRAYS = [case for case in CASES if any(map(case.shape, case.formals)) or case.result_shape() or "tensor" in case.definitions]
PROGRAM_OF_ARRAYS = "".join(case.program() for case in OF_ARRAYS)


@pytest.fixture
def default_compiler(monkeypatch):
    """Users have g++: it, too, compiles each operator and each derivative. One program needs nothing that programs have in common."""
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


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_value_and_gradient(program_of, default_compiler, case, seed):
    check(program_of(PROGRAM, "operator_cases").entry(f"case_{case.name}_grad"), case, seed)


@pytest.mark.parametrize("case", OF_ARRAYS, ids=lambda case: case.name)
def test_with_shorter_packets(program_of, processor, case):
    check(program_of(PROGRAM_OF_ARRAYS, f"operator_cases_{processor}").entry(f"case_{case.name}_grad"), case, 1)
