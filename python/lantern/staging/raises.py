"""The user's `raise` in a trace: now, where a handler, a `finally` or a `with` is to see it, and else when the program runs.

What is raised now and leaves the last of these becomes one that the program raises, and so does what Python's own operations raise of values that
they do not take, `d[k]` and `next(i)`, where that may never run. Of a TypeError or a ValueError there, it is told at once.
"""
from __future__ import annotations

from lantern import raised
from lantern.staging import failures, numbered_classes, plain_tries
from lantern.staging.arguments import holds_staged
from lantern.staging.errors import NeedsInlining, Raised, StagingError, from_exception, place_of_exception
from lantern.staging.text import Symbol
from lantern.staging.values import Staged


_OF_VALUES = frozenset((IndexError, KeyError, StopIteration, ZeroDivisionError, OverflowError))


class Raises:
    """What the user's `raise` statements have raised while staging."""

    def __init__(self, trace):
        self.trace = trace
        self.passing = {}       # id → (exception, its place), of those that handlers are to see

    def raised(self, exception, at):
        """`raise exception`: ends the path by a staged `raise`, if the exception is one that only the running program raises."""
        trace = self.trace
        trace.at = at
        if isinstance(exception, type) and issubclass(exception, BaseException):
            from lantern.staging import calls
            exception = calls.call(trace, exception, (), {}, at)
        if not isinstance(exception, BaseException):
            return      # Python says what it thinks of that
        catching = _first_to_handle(trace, exception)
        trace.generators.check_raise(exception, catching, at)
        if catching is None:
            if trace.under_condition() or holds_staged(exception.args):
                raise Raised(self._node(exception, None))
        elif trace.conditional_since(catching.block):
            failures.check_raise(trace, catching, type(exception), at)
        else:
            self.passes(exception)

    def handling(self, exception):
        """The innermost guard that does something where an exception passes."""
        return _first_to_handle(self.trace, exception)

    def passes(self, exception):
        """Handlers are to see an exception that is raised now."""
        self.passing[id(exception)] = exception, self.trace.place()

    def leaving_path(self, exception):
        """What ends a path that may never run, where an exception leaves it."""
        catching = _first_to_handle(self.trace, exception)
        if catching is not None and catching.attempt is not None:
            failures.check_raise(self.trace, catching, type(exception), None)
        if not self._is_programs(exception):
            return from_exception(exception)
        self.trace.generators.check_raise(exception, catching, None)
        place = self.passing.get(id(exception), (None, None))[1] or place_of_exception(exception)
        return Raised(self._node(exception, place))

    def _is_programs(self, exception):
        return id(exception) in self.passing or type(exception) in _OF_VALUES

    def leaving_define(self, made, exception):
        """What ends a define that an exception leaves. What it has done until then, a handler outside is to see as well."""
        trace = self.trace
        catching = _first_to_handle(trace, exception)
        if catching is not None and not made.fixed:
            return NeedsInlining(made, failures.refusal(trace, catching, f"{type(exception).__name__} is raised in '{made.name}', which calls itself"))
        if catching is None and self._is_programs(exception) and (trace.under_condition() or holds_staged(exception.args)):
            return self.leaving_path(exception)
        return exception

    def _node(self, exception, place):
        from lantern.staging import strings
        trace, kind = self.trace, type(exception)
        plain_tries.check(trace, (kind,), f"{kind.__name__} is raised when the program runs")
        if trace.exceptions.setdefault(kind.__name__, kind) is not kind:
            raise StagingError("LT0310", f"two exception classes are called '{kind.__name__}', and the program raises both", place or trace.place(),
                               "rename one of them")
        if not raised.can_be_made(kind):
            raise StagingError("LT0310", f"{kind.__name__} is raised when the program runs, and takes more than a message", place or trace.place(),
                               "raise an exception that is made of a message")
        trace.frame.specialisation.failures[kind] = None
        pieces = strings.in_one(message(trace, exception))
        text = pieces.pop(0) if pieces and not isinstance(pieces[0], Staged) else ""
        node = trace.bind((Symbol("raise"), Symbol(kind.__name__), text, *map(trace.node, pieces)), None)   # bound, so that it has a place
        node.place = place or node.place
        return node


def _first_to_handle(trace, exception):
    return next((guard for guard in reversed(trace.guards) if guard.handles(type(exception))), None)


def message(trace, exception):
    """`str(exception)` in pieces: text, and staged values."""
    from lantern.staging import calls, strings
    arguments, own = exception.args, type(exception).__str__
    if own not in raised.PYTHONS_STR:
        return [calls.call(trace, own, (exception,), {}, trace.at)]
    if own is KeyError.__str__ and len(arguments) == 1:
        is_nameless = numbered_classes.is_by_identity(arguments[0]) and type(arguments[0]).__repr__ is object.__repr__      # whose text says where it is in memory
        return [f"<{type(arguments[0]).__qualname__} object>"] if is_nameless else strings.pieces(trace, arguments[0], True)
    if not holds_staged(arguments):
        return [str(exception)]
    if own is OSError.__str__ and len(arguments) > 1:
        raise StagingError("LT0310", f"which class {type(exception).__name__}(…) makes depends on its number, which is known only when the program runs",
                           trace.place(), "raise the class that is meant, with one message")
    return strings.pieces(trace, arguments[0] if len(arguments) == 1 else arguments)
