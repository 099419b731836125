"""Loops of a `try` statement that are left where a turn raises what is handled around them.

    for k in ks: s += d[k]   →   for k in ks:
                                     try: s += d[k]
                                     except KeyError: left = 1; raised = k; break
                                 if left == 1: raise KeyError(raised)

`left` is one more variable of the loop, as are the numbers and texts that its exceptions are given, and the turn is a `try` statement of its own
(attempts.py).
"""
from __future__ import annotations

import functools

from lantern.staging import attempts, branches, failures, loops, partings
from lantern.staging.conditions import as_condition, both
from lantern.staging.errors import Restart, Signal, StagingError
from lantern.staging.failing import Failure
from lantern.staging.raised import NOTHING, computed, kind_of, known_as, put_parts
from lantern.staging.values import Staged

def for_stmt(trace, loop, *parts):
    """`loop(test, body, get_state, set_state, names)` in a `try` statement. parts: these, and the loop's place."""
    with _Found(trace) as found:
        if not found.is_left(0):
            return loop(*parts[:-1])
        found.now(None)
        left = _Left(trace, *parts)
        loop(*left.parts())
    left.raise_behind()


def while_stmt(trace, loop, *parts):
    """The same; its test may fail, too."""
    with _Found(trace) as found:
        if not found.is_left(0) and not found.is_left(1):
            return loop(*parts[:-1])
        found.now(None if found.is_left(1) else 1)
        left = (_LeftByTest if found.is_left(1) else _Left)(trace, *parts)
        loops.while_stmt(trace, *left.parts())
    left.raise_behind()


class _Found:
    """The attempts that a loop is found in, and the numbers of its places where their ways may part: in its turns, and in a test of one that is left there."""

    def __init__(self, trace):
        self.attempts = [attempt for attempt in trace.attempts if attempt.is_here()]
        self.numbers = [(attempt.meets(), attempt.meets()) for attempt in self.attempts]
        self.before = [attempt.open for attempt in self.attempts]

    def is_left(self, place):
        return any(numbers[place] in attempt.chosen for attempt, numbers in zip(self.attempts, self.numbers))

    def now(self, place):
        for attempt, numbers in zip(self.attempts, self.numbers):
            attempt.open = None if place is None else numbers[place]

    def __enter__(self):
        self.now(0)
        return self

    def __exit__(self, *_):
        for attempt, was in zip(self.attempts, self.before):
            attempt.open = was


class _Left:
    """The loop's parts, with what has been raised as more variables: the number of the exception, 0 before, and the values that exceptions are given."""

    def __init__(self, trace, test, body, get_state, set_state, names, at):
        self.trace, self.users_test, self.body, self.at = trace, test, body, at
        self.types = trace.raised_in_loops.setdefault(body.__code__, {})    # (what an exception is known as, part) → type; learnt by earlier traces
        self.get_state, self.set_state, self.names = get_state, set_state, (*names, "left", *("raised" for _ in self.types))
        self.guards, self.left = [guard for guard in trace.guards if guard.attempt is not None], 0
        self.exceptions = {}    # kind → (the exception, what it is known as); in the order of their numbers
        self.values = {key: NOTHING[type_] for key, type_ in self.types.items()}

    def parts(self):
        return self.test, self.turn, self.get, self.put, self.names

    def get(self):
        return (*self.get_state(), self.left, *self.values.values())

    def put(self, state):
        own = len(state) - 1 - len(self.values)
        self.set_state(state[:own])
        self.left = state[own]
        self.values = dict(zip(self.values, state[own + 1:]))

    def test(self):
        stays = self._stays()
        return stays if self.users_test is None or stays is False else self._both(stays, self._asked())

    def turn(self, *element):
        self._attempt(lambda: self.body(*element))

    def _stays(self):
        return self.trace.emit("==", (self.left, 0)) if isinstance(self.left, Staged) else self.left == 0

    def _asked(self):
        asked = self.trace.lists.value(self.users_test())
        return as_condition(self.trace, asked) if isinstance(asked, Staged) else bool(asked)

    def _both(self, stays, asked):
        return both(self.trace, stays, asked) if isinstance(asked, Staged) and isinstance(stays, Staged) else stays if asked is True else asked

    def _attempt(self, run):
        guarding = self.guards[-1]

        def whole():
            try:
                guard = failures.Guard(self.trace, guarding.what, lambda: tuple(guard.classes() for guard in self.guards), guarding.place)
                guard.is_loops = True
                with guard:
                    run()
            except (Signal, StagingError):
                raise
            except BaseException as error:
                if not any(guard.handles(type(error)) for guard in self.guards):
                    raise
                self._raised(error)

        key = self.trace.keys_of_tries.setdefault(self.body.__code__, object())
        attempts.try_stmt(self.trace, whole, self.get, self.put, self.names, len(self.names), self.at, key)

    def _raised(self, error):
        kind, known = kind_of(error), known_as(error)
        self.exceptions.setdefault(kind, (error, known))
        self.left = 1 + list(self.exceptions).index(kind)
        for part, value in computed(error).items():
            if (known, part) not in self.values:
                self.types[known, part] = value.type
                raise Restart(self.trace.frame.specialisation)
            self.values[known, part] = value

    def raise_behind(self):
        self.trace.at = self.at
        for number, (exception, known) in enumerate(self.exceptions.values(), 1):
            put_parts(exception, {part: value for (other, part), value in self.values.items() if other == known})
            guard = next(guard for guard in reversed(self.guards) if guard.handles(type(exception)))
            guard.attempt.check(Failure(type(exception), ("left", self.left, number), functools.partial(self.trace.emit, "==", (self.left, number)),
                                        lambda exception=exception: exception))


class _LeftByTest(_Left):
    """The same where the test may fail: `while going and left == 0`, and each turn asks it first."""

    def __init__(self, *loop):
        super().__init__(*loop)
        self.names, self.going = (*self.names, "going"), True

    def get(self):
        return (*super().get(), self.going)

    def put(self, state):
        super().put(state[:-1])
        self.going = state[-1]

    def test(self):
        stays = self._stays()
        return False if stays is False or self.going is False else self._both(stays, self.going)

    def turn(self):
        self._attempt(self._turn)

    def _turn(self):
        asked = self._asked()
        if isinstance(asked, Staged):
            partings.choose(self.trace, asked, self.body, self._stop, lambda: branches.if_stmt(
                self.trace, asked, self.body, self._stop, self.get, self.put, self.names, len(self.names)))
        elif asked:
            self.body()
        else:
            self._stop()

    def _stop(self):
        self.going = False
