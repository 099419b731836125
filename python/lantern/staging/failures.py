"""What a staged operation may raise when the program runs, and what of the user's would then handle it.

Handlers run while the program is staged, or never: compiled code does not unwind. So where a staged operation can fail in a `try` that would catch
it, the statement goes two ways (attempts.py).
"""
from __future__ import annotations

import builtins
import contextlib
import os
import sys
import types as python_types

from lantern import exceptions, pullbacks, types
from lantern.staging import failing, partings, plain_tries
from lantern.staging.errors import IsHandled, Signal, StagingError, is_converted_code
from lantern.staging.text import Symbol
from lantern.staging.values import Staged

_SHAPES = (ValueError,)

# Forms of the language that are no operators of the table, which says of its own what they may raise.
_RAISED_BY_FORMS = {"getattr": (AttributeError,), "assert": (AssertionError,)}

_OF_PLACES = frozenset(("index", "with-item", "write", "remove", "pop"))
_SURE_OF_PLACES = frozenset(os.path.join(os.path.dirname(__file__), name) for name in ("hash_tables.py", "dicts.py", "sets.py", "counters.py", "dict_views.py", "deques.py", "heaps.py"))

# Operators that fail of what Python has an answer for, and they have not: nobody's `except` is for that.
_OURS_ALONE = frozenset(("as-key", "quoted", "consists-of", "in-case", "argsort"))


def exceptions_of(trace, node):
    """The exception classes that a node's own operation may raise."""
    head, *operands = node
    if hasattr(head, "failures"):    # a call of a define
        return tuple(head.failures)
    name = str(head)
    if name in _OURS_ALONE:
        return ()
    operands = [operand for operand in operands if not isinstance(operand, Symbol)]
    kinds = [_type_of(trace, operand) for operand in operands]
    rows = pullbacks.rows(name)
    if not rows:
        return () if name == "getattr" and isinstance(kinds[0], (types.StructType, type(None))) else _RAISED_BY_FORMS.get(name, ())
    row = next((each for each in rows if len(each.operands) == len(operands)), rows[0])
    arrays = [type_ for type_ in kinds if isinstance(type_, types.TensorType) and type_.dims]
    if row.elementwise and arrays:      # which follow IEEE
        return () if len(arrays) < 2 or _surely_broadcast(arrays) else _SHAPES
    if row.fails == "numbers":
        return () if _surely_a_number(name, node, operands, kinds) else _classes(row)
    if row.fails in ("shapes", "possible"):
        return _classes(row) if _depends_on_elements(row, kinds) or not _known(operands, kinds) else ()
    return _classes(row)


def _classes(row):
    return tuple(getattr(builtins, name, None) or getattr(exceptions, name) for name in row.raises)


def _surely_a_number(name, node, operands, kinds):
    """Whether an operation of numbers gives one for all that the program may hold."""
    if name in ("/", "//", "%"):
        return _is_number(operands[1]) and operands[1] != 0
    if name == "**":    # a float's overflows
        return isinstance(operands[1], int) and operands[1] >= 0 and (operands[1] < 2 or kinds[0] in (types.i64, types.i32, types.bool_))
    if name in ("shift-left", "shift-right"):
        return isinstance(operands[1], int) and operands[1] >= 0
    return name == "cast" and (str(node[1]) in ("f32", "f64", "bool") or kinds[0] not in (types.f64, types.f32))


def _depends_on_elements(row, kinds):
    """Whether an operation fails by what arrays hold, whatever their shapes: a matrix without an inverse, and places in an array of them."""
    places = kinds[1] if len(kinds) > 1 and "IndexError" in row.raises else None
    return "LinAlgError" in row.raises or isinstance(places, types.TensorType) and bool(places.dims) and places.dtype in ("i32", "i64")


def _known(operands, kinds):
    """Whether all that decides was there when the type rule looked at it: dimensions, integers, and texts."""
    return all(isinstance(operand, (int, str)) if isinstance(kind, types.Scalar) and kind.name in ("i32", "i64", "string")
               else isinstance(kind, (types.Scalar, types.TensorType)) and all(isinstance(dim, int) and dim > 0 for dim in getattr(kind, "dims", ()))
               for operand, kind in zip(operands, kinds))


def _type_of(trace, operand):
    if isinstance(operand, Staged):
        return operand.type
    if hasattr(operand, "target"):     # a parameter's reference
        return operand.type
    return trace.type_of(operand) if isinstance(operand, (bool, int, float, str)) else None


def _is_number(operand):
    return isinstance(operand, (int, float))


def _surely_broadcast(arrays):
    """Whether the shapes fit, whatever the dimensions that are not known turn out to be."""
    for axis in range(1, max(len(array.dims) for array in arrays) + 1):
        dims = {array.dims[-axis] for array in arrays if len(array.dims) >= axis} - {1}
        if len(dims) > 1 or (dims and not isinstance(next(iter(dims)), int) and len(arrays) > 1):
            return False
    return True


def _may_be_raised_for(cls, subclass):
    """Whether what is said to raise `cls` may raise this subclass: what the user's code outside of the program does raises anything, operations none of the
    user's own."""
    return cls in (Exception, BaseException) or subclass.__module__.split(".")[0] in ("builtins", "lantern", "numpy")


class Guard:
    """A `try`, `finally` or `with` that the user's code is in."""

    def __init__(self, trace, what, classes, place):
        self.trace, self.what, self.classes, self.place = trace, what, classes, place
        self.block = trace.block
        self.body = None            # of a function that gives what it raises as a number (raising_recursions.py)
        self.raises_behind = False  # of a part of a statement that raises what it handles behind that (raised_behind.py)
        self.attempt = None if what == "for" else partings.here(trace)     # of the `try` statement that it is part of

    def handles(self, exception_class):
        """Whether it does something where such an exception passes."""
        return any(issubclass(exception_class, cls) or issubclass(cls, exception_class) and _may_be_raised_for(exception_class, cls) for cls in flat(self.classes()))

    def __enter__(self):
        self.trace.guards.append(self)

    def __exit__(self, kind=None, error=None, traceback=None):
        trace = self.trace
        trace.guards.remove(self)
        if self.what != "finally" or not isinstance(error, (Signal, StagingError)):
            return
        if trace.trying == self.place:
            trace.thrown = trace.thrown or error
        elif isinstance(error, StagingError):       # a generator's `finally` may raise something else
            trace.refusals.append(error)


def run_statement(trace, run, at):
    """Runs a `try` statement, which what the tracer throws leaves, whatever its `finally` raises then."""
    trying, thrown = trace.trying, trace.thrown
    trace.trying = trace.place(at)
    try:
        run()
    except BaseException:
        if trace.thrown is not thrown:
            raise trace.thrown
        raise
    finally:
        trace.trying, trace.thrown = trying, thrown


def flat(classes):
    for cls in classes if isinstance(classes, tuple) else (classes,):
        if isinstance(cls, tuple):
            yield from flat(cls)
        elif isinstance(cls, type) and issubclass(cls, BaseException):
            yield cls


class Managed:
    """A user's context manager in a trace: what runs in it is guarded, and what the tracer throws is not its to suppress."""

    def __init__(self, trace, manager, place):
        self.manager = manager
        self.guard = Guard(trace, "with", lambda: (BaseException,), place)

    def __enter__(self):
        value = self._call("__enter__")
        self.guard.__enter__()
        return value

    def __exit__(self, kind, error, traceback):
        self.guard.__exit__()
        if isinstance(error, (Signal, StagingError)):
            with contextlib.suppress(Exception, Signal):    # the first is what leaves
                type(self.manager).__exit__(self.manager, kind, error, traceback)
            return False
        return self._call("__exit__", kind, error, traceback)

    def _call(self, name, *arguments):
        from lantern.staging import calls
        method = python_types.MethodType(getattr(type(self.manager), name), self.manager)
        return calls.call(self.guard.trace, method, arguments, {}, None)


def is_harmless(manager):
    """Whether a context manager does nothing of the user's where an exception passes: ours, and one that does nothing."""
    return isinstance(manager, contextlib.nullcontext) or type(manager).__module__.split(".")[0] == "lantern" \
        or getattr(getattr(manager, "gen", None), "__module__", "") is None


def check(trace, node):
    """Where what a node may raise is handled, its ways part (partings.py), or it is an error; else the define that is traced notes it."""
    classes = exceptions_of(trace, node)
    if not classes or trace.numbered.is_at_work or str(node[0]) in _OF_PLACES and _is_sure_of_places():
        return
    failures = failing.failures_of(trace, node) if trace.guards else None
    for failure in classes if failures is None else failures:
        check_failure(trace, _shown(node), failure, node[0] if hasattr(node[0], "failures") else None)


def _is_sure_of_places():
    """Whether it is what a dict, set, deque or heap of the program does with its own lists, the places of which are there."""
    frame = sys._getframe(2)
    while frame is not None and not is_converted_code(frame.f_code):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename in _SURE_OF_PLACES


def check_failure(trace, what, failure, called=None):
    """what: what may fail, for messages. failure: how, or the exception's class where that is all that can be said before. called: the define."""
    cls = failure.raises if isinstance(failure, failing.Failure) else failure
    guard = next((guard for guard in reversed(trace.guards) if guard.handles(cls)), None)
    if guard is None:
        plain_tries.check(trace, (cls,), f"{what} may raise {cls.__name__} when the program runs")
        trace.frame.specialisation.failures[cls] = None
        return

    def error():
        return refusal(trace, guard, f"{what} may raise {cls.__name__} when the program runs")

    if guard.attempt is None or (failure is cls and called is None):
        raise error()
    if not guard.attempt.is_here():
        raise guard.attempt.elsewhere(error)
    if failure is cls:
        raise IsHandled(called, error())
    guard.attempt.check(failure)


def check_raise(trace, guard, cls, at):
    """Where the user's `raise` of a staged exception is handled behind a condition: ways part there, or it is an error."""
    def error():
        return refusal(trace, guard, f"{cls.__name__} is raised under a condition that is known only when the program runs", at)

    raise error() if guard.attempt is None else guard.attempt.elsewhere(error)


def refusal(trace, guard, what, at=None):
    handler = {"try": f"the 'except' at {guard.place} would catch it", "finally": f"the 'finally' of {guard.place} would run",
               "with": f"the 'with' at {guard.place} would end there",
               "for": f"the loop at {guard.place} would end"}[guard.what]
    attempt = guard.attempt
    why = "exceptions are handled by a 'try' only" if attempt is None else "it is in a loop, an `and` or an `or` there" if not attempt.is_here() else \
        "whether it does is not known before"
    return StagingError("LT0313", f"{what}, and {handler}: {why}", trace.place(at),
                        f"test for it with an `if` before, or move the operation out of the '{guard.what}' statement")


def _shown(node):
    head = node[0]
    if hasattr(head, "failures"):
        return f"the call of '{head.name}'"
    return f"the staged operation '{head}'"
