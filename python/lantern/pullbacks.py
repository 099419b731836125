"""The derivative rules of the operator table, read for the eager tape: the core's rows are text, interpreted here.

    (operator * (operands a b) (pullback a (sum-to (* y_adj b) a)) (pullback b (sum-to (* y_adj a) b)))
"""
from __future__ import annotations

import dataclasses
import functools
import re

import numpy as np

_TOKEN = re.compile(r"[()]|[^\s()]+")
_REST = "*"  # as the name of an operand: any number more


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    operands: tuple     # names; a last "*" takes any number more
    pullbacks: dict     # operand → expression: a name, a number or a tuple (operator, operand…)
    flat: bool          # the derivative is zero wherever it exists
    ranks: tuple | None  # of the operands that this row is for, "+" above 2, "l" of a list; None: of any
    internal: bool      # occurs in pullbacks only; not part of the language
    fails: str | None = None    # by what it may fail as the program runs: shapes, numbers, possible, outside
    raises: tuple = ()          # the names of Python's exceptions that it then raises
    elementwise: bool = False


def read(text):
    """The expressions in `text`: names and numbers, and tuples of them."""
    open_lists = [[]]
    for token in _TOKEN.findall(text):
        if token == "(":
            open_lists.append([])
        elif token == ")":
            closed = tuple(open_lists.pop())
            open_lists[-1].append(closed)
        else:
            open_lists[-1].append(_atom(token))
    return open_lists[0]


def _atom(token):
    for number in (int, float):
        try:
            return number(token)
        except ValueError:
            pass
    return token


def parse_table(text):
    """{operator: rows} from the text of the table."""
    rows = {}
    for _, name, *parts in read(text):
        said = {key: tuple(rest) for key, *rest in parts if key != "pullback"}
        pullbacks = {rest[0]: rest[1] for key, *rest in parts if key == "pullback"}
        when, *raises = said.get("fails", (None,))
        rows.setdefault(str(name), []).append(Row(str(name), said["operands"], pullbacks, "flat" in said, said.get("ranks"), "internal" in said,
                                                  when, tuple(raises), "elementwise" in said))
    return rows


@functools.lru_cache(maxsize=None)
def table():
    from lantern import core
    return parse_table(core.operators())


@functools.lru_cache(maxsize=None)
def names():
    """The operators that a program can name."""
    return frozenset(name for name, rows in table().items() if not rows[0].internal)


def select(name, operands):
    """The row of that name for operands of these ranks."""
    rows = table().get(name)
    if rows is None:
        raise NotImplementedError(f"the operator '{name}' is not in the table, so it has no derivative")
    for row in rows:
        variadic = row.operands[-1:] == (_REST,)
        counts = len(operands) >= len(row.operands) - 1 if variadic else len(operands) == len(row.operands)
        if counts and (row.ranks is None or all(map(_of_rank, row.ranks, operands))):
            return row
    raise NotImplementedError(f"the derivative of '{name}' is not known for operands of the shapes "
                              + ", ".join(str(np.shape(x)) for x in operands))


def _of_rank(wanted, operand):
    if wanted == "l" or isinstance(operand, list):
        return wanted == "l" and isinstance(operand, list)
    return np.ndim(operand) > 2 if wanted == "+" else np.ndim(operand) == wanted


def environment(row, operands, y, y_adj):
    """What the names in a row's pullbacks stand for."""
    return {**dict(zip(row.operands, operands)), "y": y, "y_adj": y_adj}


def pullback(row, position, operands):
    """The expression that adds to the adjoint of the operand at `position`, and the names it needs besides; or None."""
    fixed = len(row.operands) - (row.operands[-1:] == (_REST,))
    if position < fixed:
        return row.pullbacks.get(row.operands[position]), {}
    if _REST not in row.pullbacks:
        return None, {}
    tail, axis = operands[fixed:position], operands[row.operands.index("axis")] if "axis" in row.operands else 0
    return row.pullbacks[_REST], {"each": operands[position], "position": position - fixed,
                                "before": sum(np.shape(x)[axis] if np.ndim(x) else 1 for x in tail)}


@functools.lru_cache(maxsize=None)
def evaluator(expression):
    """A function of {name: value} that gives the value of an expression, by the operators' NumPy bodies."""
    from lantern import bodies
    if isinstance(expression, str):
        return lambda names: names[expression]
    if not isinstance(expression, tuple):
        return lambda names: expression
    body, operands = bodies.BODIES[expression[0]], [evaluator(operand) for operand in expression[1:]]
    if len(operands) == 1:
        (one,) = operands
        return lambda names: body(one(names))
    if len(operands) == 2:
        one, other = operands
        return lambda names: body(one(names), other(names))
    return lambda names: body(*[operand(names) for operand in operands])
