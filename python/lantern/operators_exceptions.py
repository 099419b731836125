"""Operators of converted Python: `raise`, `try` and `with`."""
from __future__ import annotations

import builtins
import contextlib
import sys

from lantern import dispatch
from lantern.staging import attempts, failures
from lantern.staging.errors import Signal, StagingError
from lantern.staging.trace import active

BaseException = builtins.BaseException      # noqa: A001  what a bare `except` catches, whatever the file calls so

_UNGUARDED = contextlib.nullcontext()


def raise_(exception, at=None):
    """`raise exception`: staged where whether it happens is known only when the program runs."""
    _in_trace(exception, at)
    raise exception


def raise_from(exception, cause, at=None):
    """`raise exception from cause`; a staged one has no cause."""
    _in_trace(exception, at)
    raise exception from cause


def reraise(at=None):
    """`raise` alone."""
    exception = sys.exc_info()[1] if dispatch.tracing is not None else None
    if exception is not None and not isinstance(exception, (Signal, StagingError)):
        _in_trace(exception, at)
    raise


def _in_trace(exception, at):
    trace = None if dispatch.tracing is None else active()
    if trace is not None and trace.frame is not None:
        trace.raises.raised(exception, at)


def try_stmt(run, get_state, set_state, names, outputs, at=None):
    """A `try` statement, as what is to be called; where it is staged, there is nothing left to do."""
    trace = None if dispatch.tracing is None else active()
    if trace is None or trace.frame is None:
        return run
    return lambda: attempts.try_stmt(trace, run, get_state, set_state, names, outputs, at)


def caught():
    """At the head of a handler: what the tracer throws, and its errors, are not the user's to catch."""
    if dispatch.tracing is not None and isinstance(sys.exc_info()[1], (Signal, StagingError)):
        raise


def kinds(classes):
    """What a handler catches, which `classes` gives: nothing of what is not the user's to catch, for which it is not asked."""
    return () if dispatch.tracing is not None and isinstance(sys.exc_info()[1], (Signal, StagingError)) else classes()


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
