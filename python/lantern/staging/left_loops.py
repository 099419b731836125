"""Loops of a `try` statement that are left where a turn raises what is handled around them.

    for k in ks: s += d[k]   →   for k in ks:
                                     try: s += d[k]
                                     except KeyError: left = 1; raised = k; break
                                 if left == 1: raise KeyError(raised)

`left` is one more variable of the loop, as are the numbers and texts that its exceptions are given (raised_behind.py).
"""
from __future__ import annotations

from lantern.staging import branches, loops, partings
from lantern.staging.conditions import as_condition, both
from lantern.staging.plans import another
from lantern.staging.raised_behind import RaisedBehind
from lantern.staging.values import Staged


def for_stmt(trace, loop, *parts):
    """`loop(test, body, get_state, set_state, names)` in a `try` statement. parts: these, and the loop's place."""
    with _Found(trace) as found:
        if not found.is_left(0):
            return loop(*parts[:-1])
        found.now(None)
        left = _Left(trace, *parts)
        loop(*left.parts())
    left.raise_it()


def while_stmt(trace, loop, *parts):
    """The same; its test may fail, too."""
    with _Found(trace) as found:
        if not found.is_left(0) and not found.is_left(1):
            return loop(*parts[:-1])
        found.now(None if found.is_left(1) else 1)
        left = (_LeftByTest if found.is_left(1) else _Left)(trace, *parts)
        loops.while_stmt(trace, *left.parts())
    left.raise_it()


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


class _Left(RaisedBehind):
    """The parts of a loop that is left where a turn raises."""

    def __init__(self, trace, test, body, get_state, set_state, names, at):
        super().__init__(trace, body.__code__, get_state, set_state, names, len(names), at)
        self.users_test, self.body = test, body

    def parts(self):
        return self.test, self.turn, self.get, self.put, self.names

    def test(self):
        stays = self._stays()
        return stays if self.users_test is None or stays is False else self._both(stays, self._asked())

    def turn(self, *element):
        self.run(lambda: self.body(*element), self.body.__code__)

    def _stays(self):
        return self.trace.emit("==", (self.left, 0)) if isinstance(self.left, Staged) else self.left == 0

    def _asked(self):
        asked = self.trace.lists.value(self.users_test())
        return as_condition(self.trace, asked) if isinstance(asked, Staged) else bool(asked)

    def _both(self, stays, asked):
        return both(self.trace, stays, asked) if isinstance(asked, Staged) and isinstance(stays, Staged) else stays if asked is True else asked


class _LeftByTest(_Left):
    """The same where the test may fail: `while going and left == 0`, and each turn asks it first."""

    def __init__(self, *loop):
        super().__init__(*loop)
        self.names, self.going = (*self.names, another("going", self.names)), True

    def get(self):
        return (*super().get(), self.going)

    def put(self, state):
        super().put(state[:-1])
        self.going = state[-1]

    def test(self):
        stays = self._stays()
        return False if stays is False or self.going is False else self._both(stays, self.going)

    def turn(self):
        self.run(self._turn, self.body.__code__)

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
