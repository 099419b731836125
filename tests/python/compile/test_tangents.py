"""Tangents of compiled programs against gradients and central differences, and Hessian-vector products, case by case."""
import collections
import functools
import re

import numpy as np
import pytest

from lantern import pullbacks
from thorough import THOROUGH
import operator_cases
import program_cases

CASES = [*operator_cases.CASES, *program_cases.CASES]

def operators_of(case):
    return re.findall(r"\(([^\s()]+)", case.expression)


def chosen(cases, most):
    """The cases of programs, and of the others enough that each operator is in so many, if there are."""
    found, tried = [], collections.Counter()
    for case in cases:
        operators = set(operators_of(case))
        if case.definitions or any(tried[operator] < most for operator in operators):
            found.append(case)
            tried.update(operators)
    return found


FIRST = chosen(CASES, 2 if THOROUGH == 1 else 3)
SECOND = chosen(FIRST, 1)
GROUPS = 3 if THOROUGH == 1 else 4      # of so many programs: the C++ compiler's memory grows with a program's size


def program(case):
    """The tangent along (formal_dot …), and the gradient of it."""
    weights = "(w (tensor f64 " + " ".join("?" for _ in case.result_shape()) + "))"
    typed = " ".join(f"({formal} {case.type(formal)}) ({formal}_dot {case.type(formal)})" for formal in case.formals)
    names, dots = " ".join(case.formals), " ".join(f"{formal}_dot" for formal in case.formals)
    both = " ".join(f"{formal} {formal}_dot" for formal in case.formals)
    text = f"""{case.program()}
(define case_{case.name}_jvp ({weights} {typed}) (jvp case_{case.name} (w {names}) (none {dots})))
(export case_{case.name}_jvp)"""
    if case not in SECOND:
        return text
    return text + f"""
(define case_{case.name}_dot ({weights} {typed}) (get (jvp case_{case.name} (w {names}) (none {dots})) 1))
(define case_{case.name}_hvp ({weights} {typed}) (value-and-grad case_{case.name}_dot (wrt {names}) w {both}))
(export case_{case.name}_hvp)
"""


SIZE = len(FIRST) // GROUPS + 1
GROUP = {case.name: number // SIZE for number, case in enumerate(FIRST)}


@functools.lru_cache(maxsize=None)
def text_of(group):
    return "".join(map(program, FIRST[group * SIZE:(group + 1) * SIZE]))


@pytest.fixture
def compiled(program_of, case):
    return program_of(text_of(GROUP[case.name]), f"operator_tangents_{GROUP[case.name]}")


def moved(values, tangents, by):
    return [value + by * tangent for value, tangent in zip(values, tangents)]


def drawn(case, seed):
    draw = np.random.default_rng(seed)
    values = case.values(seed)
    tangents = [draw.uniform(-1, 1, np.shape(value)) if np.ndim(value) else np.asarray(draw.uniform(-1, 1)) for value in values]
    tangents = [float(tangent) if isinstance(value, float) else tangent for value, tangent in zip(values, tangents)]
    return values, tangents, draw.uniform(-1, 1, case.result_shape())


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("case", FIRST, ids=lambda case: case.name)
def test_tangent(compiled, case, seed):
    values, tangents, weights = drawn(case, seed)
    both = [x for pair in zip(values, tangents) for x in pair]
    value, tangent = compiled.entry(f"case_{case.name}_jvp")(weights, *both)
    expected, *adjoints = compiled.entry(f"case_{case.name}_grad")(weights, *values)
    assert value == pytest.approx(expected, rel=1e-12, abs=1e-12)
    along = sum(float(np.sum(gradient * by)) for gradient, by in zip(adjoints, tangents))      # <v, Jᵀ u> = <J v, u>
    assert tangent == pytest.approx(along, rel=1e-10, abs=1e-10)
    step = 1e-5
    ends = [float(np.sum(weights * case.reference(*moved(values, tangents, by)))) for by in (step, -step)]
    assert tangent == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("case", SECOND, ids=lambda case: case.name)
def test_hessian_vector_product(compiled, case):
    values, tangents, weights = drawn(case, 3)
    both = [x for pair in zip(values, tangents) for x in pair]
    _, *products = compiled.entry(f"case_{case.name}_hvp")(weights, *both)
    step = 1e-5
    entry = compiled.entry(f"case_{case.name}_grad")
    ends = [entry(weights, *moved(values, tangents, by))[1:] for by in (step, -step)]
    for name, ours, ahead, behind in zip(case.formals, products, *ends):
        np.testing.assert_allclose(ours, (ahead - behind) / (2 * step), rtol=1e-5, atol=1e-6, err_msg=name)


def test_every_row_with_a_derivative_has_a_forward_rule():
    rows = [row for name in sorted(pullbacks.names(internal=True)) for row in pullbacks.rows(name)]
    assert [(row.name, operand) for row in rows for operand in row.pullbacks if operand not in row.forward] == []


def test_every_differentiable_operator_has_a_case():
    """But those of lists and slices with a step, which tests/python/jit/test_forward_mode.py has, and linear algebra, in tests/python/numeric."""
    elsewhere = {"strided", "solve", "inv", "det", "log-abs-det", "cholesky"}
    tried = {word for case in CASES for word in re.findall(r"\(([^\s()]+)", case.definitions + case.expression)}
    rows = [row for name in pullbacks.names() for row in pullbacks.rows(name)]
    assert sorted({row.name for row in rows if row.pullbacks and "list" not in row.operands} - tried - elsewhere) == []
