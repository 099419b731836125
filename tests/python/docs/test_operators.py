"""docs/operators.md has each rule of the operator table: the compiler's types and derivatives, and what NumPy gives."""
import math
import pathlib
import re

import numpy as np
import pytest

from lantern import bodies, core, pullbacks, types

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "operators.md"
ROW = re.compile(r"^\| `\((.*?)\)` \|(.*)\| (`.*`|—) \|$", re.MULTILINE)
NUMPY = {"bool": np.bool_, "i32": np.int32, "i64": np.int64, "f32": np.float32, "f64": np.float64}
# A dtype, a type, a structure's name or a text stands in front of the operands.
WITH_A_TYPE = {"cast", "zeros", "ones", "full", "uniform", "normal", "truncated-normal", "key-uniform", "key-normal", "key-truncated-normal", "empty",
               "read-treebank", "read-idx", "read-npy", "read-npz", "read-csv", "format", "consists-of", "in-case", "py-function", "extern"}
ROWS = [(match[1], match[3].strip("`").replace("\\|", "|")) for match in ROW.finditer(PAGE.read_text("utf-8"))]


def written(expression):
    """An expression as the language writes it."""
    return f"({' '.join(map(written, expression))})" if isinstance(expression, (tuple, list)) else str(expression)


def value_of(operand, draw):
    """A value of a type, or what a literal is."""
    if isinstance(operand, (int, float)):
        return operand
    if operand in ("true", "false"):
        return operand == "true"
    if operand[0] == "tensor":
        dtype, *dims = operand[1:]
        values = draw.uniform(0.5, 2.0, [2 if size == "?" else size for size in dims])
        return (values % 2 if dtype.startswith("i") else values > 1.0 if dtype == "bool" else values).astype(NUMPY[dtype])
    if operand[0] == "list":
        return [float(x) for x in draw.uniform(0.5, 2.0, 3)]
    return {"bool": True, "i64": 2, "f64": 0.75, "f32": np.float32(0.75), "string": "text"}.get(operand, operand)


def parsed(operation, seed=3):
    """(name, what stands in front, values of the operands, the rule of the table) of a row's operation."""
    name, *operands = pullbacks.read(f"({operation})")[0]
    leading = name in WITH_A_TYPE
    draw = np.random.default_rng(seed)
    values = [value_of(operand, draw) for operand in operands[leading:]]
    front = [types.Scalar(each) if each in NUMPY else written(each).strip('"') for each in operands[:leading]]
    return name, front, values, pullbacks.select(name, values)


def derivative(rule):
    if rule.flat:
        return "`0`"
    return "<br>".join(f"`{operand}`: `{written(expression)}`" for operand, expression in rule.pullbacks.items()) or "none"


def test_types_and_derivatives_are_the_compilers(golden):
    def filled(match):
        rule = parsed(match[1])[-1]
        return f"| `({match[1]})` | `{core.infer(f'({match[1]})')}` | {derivative(rule)} | {match[3]} |"
    golden(PAGE, ROW.sub(filled, PAGE.read_text("utf-8")))


def test_each_rule_of_the_table_has_a_row():
    rules = [rule for name in sorted(pullbacks.names()) for rule in pullbacks.rows(name)]
    found = [parsed(operation)[-1] for operation, _ in ROWS]
    assert [(rule.name, rule.operands, rule.ranks) for rule in rules if rule not in found] == []


@pytest.mark.parametrize("operation, text", [row for row in ROWS if row[1] != "—"], ids=lambda value: value if value[0] not in "(" else None)
def test_it_is_what_numpy_gives(operation, text):
    name, front, values, rule = parsed(operation)
    result = bodies.apply(name, [*front, *values])
    named = [operand for operand in rule.operands if operand != "*"]
    names = {"np": np, "math": math, **dict(zip(named, values)), "operands": values[len(named):]}
    *statements, expression = text.split("; ")
    for statement in statements:
        exec(statement, names)
    expected = eval(expression, names)
    assert np.shape(result) == np.shape(expected)
    if isinstance(expected, str) or isinstance(expected, list) and isinstance(expected[0], str):
        assert result == expected
    else:
        np.testing.assert_allclose(np.asarray(result, float), np.asarray(expected, float), rtol=1e-6)
