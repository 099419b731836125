"""Where an operator decides how it runs: staged, recorded on a tape, or now, on NumPy.

Staging installs its trace here (`set_active_trace`), the eager tape its own; neither is imported.
"""
from __future__ import annotations

# A trace has
#   emit(name, operands, keywords, at)     → the staged result of an operator
#   create(parameter)                      a Parameter or Variable comes into being while tracing
#   update(pairs)                          (parameter, new value) pairs: all values, then all stores
#   value_and_grad(function, wrt, arguments) → (value, Gradients)
tracing = None      # the active trace; read it by active_trace(), or here where every nanosecond counts
_active_tape = None

# Operators that are staged whenever a trace is active, though no operand is staged: they have an effect, draw
# from the stream, read a file, or make an array.
STAGED_IN_A_TRACE = frozenset((
    "print", "assert", "seed", "uniform", "normal", "shuffle", "progress", "zeros", "ones", "full",
    "read-vocabulary", "read-treebank", "save-parameters", "load-parameters", "load-vocabulary",
))


def active_trace():
    return tracing


def set_active_trace(trace):
    """Makes `trace` the one that operators emit into (None: eager again); returns the one before."""
    global tracing
    before, tracing = tracing, trace
    return before


def active_tape():
    return _active_tape


def set_active_tape(tape):
    global _active_tape
    before, _active_tape = _active_tape, tape
    return before


def is_staged(value):
    """Whether `value` exists only when the staged program runs."""
    return getattr(type(value), "__lantern_staged__", False)


def is_global(value):
    """Whether `value` is a Parameter or Variable: staged where a trace is active, storage elsewhere."""
    return getattr(type(value), "__lantern_global__", False)


def dispatch(name, operands, keywords=None, at=None):
    """Applies the operator `name` of the table. `operands` stand in the table's order; dtypes are types.Scalar.

    `at` is the (line, column) it stems from, where the caller knows it.
    """
    if tracing is not None and (name in STAGED_IN_A_TRACE or any(is_staged(x) or is_global(x) for x in operands)):
        return tracing.emit(name, operands, keywords or {}, at)
    if _active_tape is not None:
        return _active_tape.apply(name, operands, keywords or {})
    from lantern import bodies
    return bodies.apply(name, [x.read() if is_global(x) else x for x in operands], keywords or {})
