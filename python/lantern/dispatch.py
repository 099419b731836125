"""Where an operator decides how it runs: staged, recorded on a tape, or now, on NumPy.

Staging installs its trace here (`set_active_trace`), the eager tape its own; neither is imported.
"""
from __future__ import annotations

import threading

# A trace has
#   emit(name, operands, at)               → the staged result of an operator
#   create(parameter)                      a Parameter or Variable comes into being while tracing
#   update(pairs)                          (parameter, new value) pairs: all values, then all stores
#   value_and_grad(function, wrt, arguments, keywords) → (value, Gradients)
#   jvp(function, primals, tangents)       → (value, tangent)
#   custom_vjp(custom, arguments)          → what the function with its own derivative gives
#   vmap(function, parts, keywords, axes)  → the stacked results
#   has_elements(value), length(value), getter(value)   of lists, data sets and arrays
#   refuse(code, message, hint, place)     raises an error, and remembers it
#   py_function(function, arguments, result type) → the staged result
#   call(function, arguments)              calls one of the user's functions, converted
#   dataset(arrays), batches(data, size, drop_last)   what `lt.dataset` and `lt.batch` give
#   here()                                 the place that the program has come to, for a `create` later on
# Each thread has its own trace and its own tape: another's code runs plainly.
NO_ARRAY = "a number or an array is expected, not None"
tracing = None      # how many threads trace; None where none does: what every operator asks first, one attribute read
_threads = threading.local()    # .trace, .tape
_lock = threading.Lock()


# Operators that are staged whenever a trace is active, though no operand is staged: they have an effect, draw
# from the stream, read a file, or make an array.
STAGED_IN_A_TRACE = frozenset((
    "print", "assert", "seed", "uniform", "normal", "truncated-normal", "shuffle", "progress", "zeros", "ones", "full",
    "key-uniform", "key-normal", "key-truncated-normal",
    "read-vocabulary", "read-treebank", "read-idx", "read-npy", "read-npz", "read-csv", "read-word-vectors", "permutation",
    "save-parameters", "load-parameters", "load-vocabulary",
))

OF_DIMENSIONS = STAGED_IN_A_TRACE | {"reshape"}     # which say what a dimension is


def active_trace():
    """The trace of this thread, or None."""
    return None if tracing is None else getattr(_threads, "trace", None)


def set_active_trace(trace):
    """Makes `trace` the one that this thread's operators emit into (None: eager again); returns the one before."""
    global tracing
    before, _threads.trace = getattr(_threads, "trace", None), trace
    with _lock:
        tracing = (tracing or 0) + (trace is not None) - (before is not None) or None
    return before


def active_tape():
    """The tape of this thread, or None."""
    return getattr(_threads, "tape", None)


def set_active_tape(tape):
    """Makes `tape` the one that records this thread's operators (None: none does); returns the one before."""
    before, _threads.tape = active_tape(), tape
    return before


class StagedValue:
    """Base of the class of what exists only when the staged program runs."""


class GlobalValue:
    """Base of the classes of what is staged where a trace is active, and storage elsewhere: Parameters and Variables."""


class LevelsValue:
    """Base of the class of what an eager derivative is taken through."""


# By the type, since isinstance would ask for the class that the value shows to the user's code; an attribute of each class that is not there
# would cost an error.

def is_staged(value):
    """Whether `value` exists only when the staged program runs."""
    return issubclass(type(value), StagedValue)


def is_global(value):
    """Whether `value` is a Parameter or Variable: staged where a trace is active, storage elsewhere."""
    return issubclass(type(value), GlobalValue)


def is_of_a_level(value):
    """Whether an eager derivative is taken through `value`."""
    return issubclass(type(value), LevelsValue)


def dispatch(name, operands, at=None):
    """Applies the operator `name` of the table. `operands` stand in the table's order; dtypes are types.Scalar.

    `at` is the (line, column) it stems from, where the caller knows it.
    """
    if tracing is not None:
        trace = active_trace()
        if trace is not None and (name in STAGED_IN_A_TRACE or any(is_staged(x) or is_global(x) for x in operands)):
            return trace.emit(name, operands, at)
    if any(x is None for x in operands) and name not in OF_DIMENSIONS:
        raise TypeError(NO_ARRAY)
    tape = active_tape()
    if tape is not None:
        return tape.apply(name, [tape.joined(x) for x in operands])
    from lantern.bodies import apply
    return apply(name, [_present(x) for x in operands])


def call(function, *arguments):
    """Calls a function that the user gave, as the user's own code would call it."""
    trace = active_trace()
    return function(*arguments) if trace is None else trace.call(function, arguments)


def relies_on(owner, *functions):
    """Code of Lantern's reads what users set of an object, and calls these functions of theirs: a program is staged anew where they have changed."""
    trace = active_trace()
    if trace is not None:
        trace.relies_on(owner, functions)


def refuse(message, hint=None):
    """An error: a StagingError while staging, which code that is not converted cannot swallow for good; else a TypeError."""
    trace = active_trace()
    if trace is not None:
        trace.refuse("LT0310", message, hint, trace.place())
    raise TypeError(f"{message}: {hint}" if hint else message)


def _present(operand):
    """An operand as it is when no program is staged here."""
    if is_global(operand):
        return operand.read()
    if is_staged(operand) or is_of_a_level(operand):
        operand.refuse_outside()
    return operand


def taking_lists(function):
    """The function, marked: while staging it sees what a staged list holds, as converted code does."""
    function.__lantern_takes_lists__ = True
    return function
