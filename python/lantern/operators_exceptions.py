"""Operators of converted Python: `raise`, `try` and `with`."""
from __future__ import annotations

import builtins
import contextlib
import sys

from lantern import dispatch
from lantern.staging import calls, failures
from lantern.staging.errors import Raised, Signal, StagingError
from lantern.staging.text import Symbol
from lantern.staging.trace import active
from lantern.staging.values import Staged

BaseException = builtins.BaseException      # noqa: A001  what a bare `except` catches, whatever the file calls so

_UNGUARDED = contextlib.nullcontext()


def raise_(exception, at=None):
    """`raise exception`: staged where whether it happens is known only when the program runs."""
    if dispatch.tracing is not None:
        _staged_raise(exception, at)
    raise exception


def raise_from(exception, cause, at=None):
    """`raise exception from cause`; a staged one has no cause."""
    if dispatch.tracing is not None:
        _staged_raise(exception, at)
    raise exception from cause


def reraise(at=None):
    """`raise` alone."""
    exception = sys.exc_info()[1] if dispatch.tracing is not None else None
    if exception is not None and not isinstance(exception, (Signal, StagingError)):
        _staged_raise(exception, at)
    raise


def _staged_raise(exception, at):
    """Ends the path by a staged `raise`, if the exception is one that only the running program raises."""
    trace = active()
    if trace is None or trace.frame is None:
        return
    trace.at = at
    if isinstance(exception, type) and issubclass(exception, BaseException):
        exception = calls.call(trace, exception, (), {}, at)
    if not isinstance(exception, BaseException):
        return      # Python says what it thinks of that
    catching = next((guard for guard in reversed(trace.guards) if guard.handles(type(exception))), None)
    staged = trace.under_condition() if catching is None else trace.conditional_since(catching.block)
    if staged and catching is not None:
        failures.check_raise(trace, type(exception), at)
    if staged or catching is None and any(isinstance(argument, Staged) for argument in exception.args):
        raise Raised(_raise_node(trace, exception))


def _raise_node(trace, exception):
    kind = type(exception)
    name = kind.__name__
    if trace.exceptions.setdefault(name, kind) is not kind:
        raise StagingError("LT0310", f"two exception classes are called '{name}', and the program raises both", trace.place(),
                           "rename one of them")
    trace.frame.specialisation.failures[kind] = None
    pieces = _message(trace, exception)
    message = pieces.pop(0) if pieces and not isinstance(pieces[0], Staged) else ""
    return trace.bind((Symbol("raise"), Symbol(name), message, *map(trace.node, pieces)), None)   # bound, so that it has a place


def _message(trace, exception):
    """`str(exception)` in pieces: text, and staged values."""
    arguments = exception.args
    if type(exception).__str__ not in _PYTHONS_STR:
        text = calls.call(trace, type(exception).__str__, (exception,), {}, trace.at)
        return [text if isinstance(text, Staged) else str(text)]
    if len(arguments) == 1:
        return [arguments[0] if isinstance(arguments[0], Staged) else str(arguments[0])]
    pieces = [""]
    for number, argument in enumerate(arguments):
        pieces[-1] += ", " if number else "("
        if isinstance(argument, Staged):
            pieces += [argument, ""]
        else:
            pieces[-1] += repr(argument)
    pieces[-1] += ")" if arguments else ""
    return pieces


_PYTHONS_STR = frozenset(kind.__str__ for kind in vars(builtins).values() if isinstance(kind, type) and issubclass(kind, BaseException))


def caught():
    """At the head of a handler: what the tracer throws, and its errors, are not the user's to catch."""
    if dispatch.tracing is not None and isinstance(sys.exc_info()[1], (Signal, StagingError)):
        raise


def guarded(classes, at=None):
    """What the body of a `try` runs in. classes: gives what its handlers catch; None for a `finally`."""
    if dispatch.tracing is None:
        return _UNGUARDED
    trace = active()
    if trace is None or trace.frame is None:
        return _UNGUARDED
    if classes is None:
        return failures.Guard(trace, "finally", lambda: BaseException, trace.place(at))
    return failures.Guard(trace, "try", classes, trace.place(at))


def managed(manager, at=None):
    """What a `with` enters for `manager`."""
    if dispatch.tracing is None:
        return manager
    trace = active()
    if trace is None or trace.frame is None or failures.is_harmless(manager) \
            or not (hasattr(type(manager), "__enter__") and hasattr(type(manager), "__exit__")):
        return manager
    return failures.Managed(trace, manager, trace.place(at))
