"""The derivative rules of the operator table, read for the eager tape: the core's rows are text, interpreted here.

    (operator * (operands a b) (pullback a (sum-to (* y_adj b) a)) (pullback b (sum-to (* y_adj a) b)))
"""
from __future__ import annotations

import functools
import re

from lantern.lazy_numpy import np
from lantern.records import Record

_TOKEN = re.compile(r"[()]|[^\s()]+")
_REST = "*"  # as the name of an operand: any number more


class Linear(Record):
    """How a tangent goes through an operator that is linear in a group of operands: it is its own derivative."""
    group: tuple


class Pushforward(Record):
    """How a tangent goes through elsewhere: what it adds to the result's. `tangent`: what the expression calls the operand's."""
    expression: object
    tangent: str


class Row(Record):
    name: str
    operands: tuple     # names; a last "*" takes any number more
    pullbacks: dict     # operand → expression: a name, a number or a tuple (operator, operand…)
    flat: bool          # the derivative is zero wherever it exists
    ranks: tuple | None  # of the operands that this row is for, "+" above 2, "l" of a list; None: of any
    internal: bool      # occurs in derivatives only; not part of the language
    forward: dict       # operand → Linear or Pushforward
    fails: str | None = None    # by what it may fail as the program runs: shapes, numbers, possible, outside
    raises: tuple = ()          # the names of Python's exceptions that it then raises
    elementwise: bool = False
    effect: bool = False        # whether it does something besides: draws, reads files, calls the user's functions


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
    if token[0].isalpha():
        return token
    for number in (int, float):
        try:
            return number(token)
        except ValueError:
            pass
    return token


def _row(expression):
    _, name, *parts = expression
    said = {key: tuple(rest) for key, *rest in parts}
    rules = {kind: {rest[0]: rest[1] for key, *rest in parts if key == kind} for kind in ("pullback", "pushforward")}
    when, *raises = said.get("fails", (None,))
    # Where the Jacobian is symmetric a tangent goes forwards as an adjoint goes back.
    symmetric = "elementwise" in said or "symmetric" in said
    forward = {of: Pushforward(_without_sums(rule), "y_adj") for of, rule in rules["pullback"].items() if symmetric or rule == "none"}
    forward |= {of: Pushforward(rule, f"{of}_dot") for of, rule in rules["pushforward"].items()}
    forward |= {of: Linear(tuple(group)) for key, *group in parts if key == "linear" for of in group}
    return Row(str(name), said.get("operands", ()), rules["pullback"], "flat" in said, said.get("ranks"), "internal" in said, forward,
               when, tuple(raises), "elementwise" in said, "effect" in said)


def _without_sums(expression):
    """A pullback without the sums that undo broadcasting: what goes forwards has not been stretched."""
    if not isinstance(expression, tuple):
        return expression
    return _without_sums(expression[1]) if expression[0] == "sum-to" else tuple(map(_without_sums, expression))


@functools.lru_cache(maxsize=None)
def _texts():
    """{operator: the text of its rows}."""
    from lantern import core
    texts = {}
    for line in core.operators().splitlines():
        texts.setdefault(line.split(" ", 2)[1].rstrip(")"), []).append(line)
    return texts


@functools.lru_cache(maxsize=None)
def rows(name):
    """The rows of an operator; none of what is no operator of the table. They are read when they are asked for: a program has few of them."""
    return [_row(read(text)[0]) for text in _texts().get(name, ())]


@functools.lru_cache(maxsize=None)
def names(internal=False):
    """The operators that a program can name; internal: and those that occur in derivatives only."""
    return frozenset(name for name, texts in _texts().items() if internal or "(internal)" not in texts[0])


def select(name, operands):
    """The row of that name for operands of these ranks."""
    if not rows(name):
        raise NotImplementedError(f"the operator '{name}' is not in the table, so it has no derivative")
    for row in rows(name):
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


def environment(row, operands, y, y_adj=None):
    """What the names in a row's rules stand for. Python's numbers are NumPy's there: a derivative is infinite where it is."""
    names = {**dict(zip(row.operands, operands)), "y": y, "y_adj": y_adj}
    return {name: np.float64(x) if type(x) is float else x for name, x in names.items()}


def name_of(row, position):
    """The row's name for its operand number `position`."""
    return row.operands[min(position, len(row.operands) - 1)]


def no_derivative(row, operands):
    """The error of what cannot be differentiated through."""
    of = operands[0] if callable(operands[0]) else None      # a function of the user's
    return NotImplementedError(f"'{getattr(of, '__name__', row.name)}' cannot be differentiated through: "
                               "use lt.stop_gradient(x) where no derivative is wanted")


def evaluated(expression, names, apply):
    """The value of an expression of the table, by `apply(operator, operands)`."""
    if isinstance(expression, str):
        return names[expression]
    if not isinstance(expression, tuple):
        return expression
    return apply(expression[0], [evaluated(operand, names, apply) for operand in expression[1:]])


def pullback(row, position, operands):
    """The expression that adds to the adjoint of the operand at `position`, and the names it needs besides; None: there is none.
    The expression `none`: only the operand's shape or dtype matters."""
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
