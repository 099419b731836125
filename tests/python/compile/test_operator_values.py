"""Every operator of the table, compiled, on every kind of operand: what its eager body gives, NaN and infinities, dtypes and errors included."""
import itertools

import numpy as np
import pytest

from lantern import bodies, core, pullbacks, tape, types
from lantern.exceptions import CoreError
import value_cases
from thorough import THOROUGH


def is_accepted(call):
    """Whether the language has this call: it refuses dtypes that NumPy has another meaning for, or none."""
    operands = [operand.type() if hasattr(operand, "type") else str(operand).lower() for operand in call.operands]
    try:
        core.infer(f"({' '.join([call.operator, *([call.leading] if call.leading else []), *operands])})")
    except CoreError:
        return False
    return True


ACCEPTED = list(filter(is_accepted, value_cases.CALLS))
PROGRAM_OF = {name: program for program, names in {"one_operand": value_cases.UNARY, "two_operands": value_cases.BINARY, "reductions": value_cases.REDUCTIONS}.items()
              for name in names}      # other operators are in "arrays"
BY_OPERATOR = [list(group) for _, group in itertools.groupby(sorted(enumerate(ACCEPTED), key=lambda pair: pair[1].operator), key=lambda pair: pair[1].operator)]
# What has no array has no packets; of the operators in "arrays" these compute, the others move what there is.
COMPUTING = {*PROGRAM_OF, "clip", "cross_entropy", "cumsum", "log_softmax", "matmul", "outer", "round-digits", "softmax", "where"}
PACKED = {number for number, call in enumerate(ACCEPTED)
          if THOROUGH > 1 or call.operator in COMPUTING and any(getattr(operand, "rank", None) for operand in call.operands)}
PACKED_BY_OPERATOR = list(filter(None, ([pair for pair in calls if pair[0] in PACKED] for calls in BY_OPERATOR)))
# The order in which NumPy adds, and the last bit of its functions, are its own.
TOLERANCE = {np.dtype(np.float32): 2e-6, np.dtype(np.float64): 1e-12}


def eagerly(call, values):
    given = iter(values)
    operands = [next(given) if hasattr(operand, "type") else operand for operand in call.operands]
    return bodies.apply(call.operator, [*([types.Scalar(call.leading)] if call.leading else []), *operands])


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error)


def differ(ours, theirs):
    if isinstance(ours, type) or isinstance(theirs, type):
        return ours is not theirs and not (isinstance(ours, type) and isinstance(theirs, type) and issubclass(ours, theirs))
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    tolerance = TOLERANCE.get(theirs.dtype, 0)
    return ours.dtype != theirs.dtype or ours.shape != theirs.shape or not np.allclose(ours, theirs, rtol=tolerance, atol=tolerance, equal_nan=True)


def check_values(program_of, calls, kind="", among=range(len(ACCEPTED))):
    own = PROGRAM_OF.get(calls[0][1].operator, "arrays")
    text = "".join(call.definition(f"case_{number}") for number, call in enumerate(ACCEPTED) if number in among and PROGRAM_OF.get(call.operator, "arrays") == own)
    program, wrong = program_of(text, f"values_of_{own}{kind}"), []
    for number, call in calls:
        entry = program.entry(f"case_{number}")
        for values in call.runs(number):
            ours, theirs = outcome(lambda *v: entry(*v)[0], *values), outcome(eagerly, call, values)
            if differ(ours, theirs):
                wrong.append(f"{call.definition('case').splitlines()[0]} of {values}:\n  gives {ours!r}, not {theirs!r}")
    assert not wrong, f"{len(wrong)} of them\n" + "\n".join(wrong[:12])


@pytest.mark.parametrize("calls", BY_OPERATOR, ids=lambda calls: calls[0][1].operator)
def test_compiled_and_eager_are_the_same(program_of, calls):
    check_values(program_of, calls)


@pytest.mark.parametrize("calls", PACKED_BY_OPERATOR, ids=lambda calls: calls[0][1].operator)
def test_so_they_are_with_shorter_packets(program_of, processor, calls):
    check_values(program_of, calls, f"_{processor}", PACKED)


def test_no_operator_is_left_out():
    public = {name for name in pullbacks.names()}
    assert {call.operator for call in ACCEPTED} | set(value_cases.ELSEWHERE) == public


@pytest.mark.parametrize("calls", BY_OPERATOR, ids=lambda calls: calls[0][1].operator)
def test_pullbacks_are_the_derivatives(calls):
    """The table's expressions, by the eager tape, against differences: compiled programs interpret the same ones (test_operators.py)."""
    for number, call in calls:
        floats = [place for place, formal in enumerate(call.formals()) if formal.dtype == "f64"]
        if not floats or (call.leading or "f64") != "f64":
            continue
        for values in itertools.islice(call.runs(number), 0, None, 2):
            y = outcome(eagerly, call, values)
            if isinstance(y, type) or np.asarray(y).dtype != np.float64 or not np.all(np.isfinite(y)):
                continue
            weights = np.random.default_rng(number).uniform(-1, 1, np.shape(y))
            for place in floats:
                check_derivative(call, values, place, weights)


def check_derivative(call, values, place, weights):
    if pullbacks.select(call.operator, operands_of(call, values)).flat:
        return
    recorder = tape.Tape()
    watched = [recorder.watch(value) if i == place else value for i, value in enumerate(values)]
    result = recorder.apply(call.operator, [*([types.Scalar(call.leading)] if call.leading else []), *operands_of(call, watched)])
    if not isinstance(result, tape.TapeValue):
        return
    total = recorder.apply("sum", [recorder.apply("*", [result, weights])])
    adjoint = recorder.adjoints(total)[watched[place].number].value
    gradient = np.asarray(adjoint.dense() if isinstance(adjoint, tape.RowSum) else adjoint)
    x, step = np.asarray(values[place], float), 1e-6
    assert gradient.shape == x.shape
    for index in np.ndindex(x.shape):
        ends = []
        for sign in (1, -1):
            moved = x.copy()
            moved[index] += sign * step
            ends.append(np.sum(weights * eagerly(call, [*values[:place], moved if x.ndim else float(moved), *values[place + 1:]])))
        np.testing.assert_allclose(gradient[index], (ends[0] - ends[1]) / (2 * step), rtol=1e-5, atol=1e-6, err_msg=f"{call.definition('case')} of {values}")


def operands_of(call, values):
    given = iter(values)
    return [next(given) if hasattr(operand, "type") else operand for operand in call.operands]
