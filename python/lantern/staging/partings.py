"""Where the ways part that a `try` statement may go (attempts.py): at operations that may fail, and at `if`s one of whose branches raises."""
from __future__ import annotations

import contextlib

from lantern.records import Record
from lantern.staging.block import path_of
from lantern.staging.errors import NeedsInlining, Signal, StagingError
from lantern.staging.repeats import lost
from lantern.staging.values import Staged

MOST_RUNS = 3000            # of a statement and those that are in it, while its function is traced once
MOST_RUNS_OF_ALL = 15_000   # of all, where functions are traced again


class Outcome(Record):
    """How it went where ways part. number: of the parting, on the way; at: its place; value: what its condition is; holds: what is known behind it."""
    number: int
    at: object
    value: bool
    holds: object


class Parting(Signal):
    """Ways part here: on `condition`, if that is known where the statement itself runs; else at the `if` of this number, which is to be decided.

    What the user's `finally` then does is undone. where: the trace's checkpoint.
    """

    def __init__(self, attempt, number, condition=None):
        super().__init__()
        self.number, self.condition, self.where, self.at = number, condition, attempt.trace.checkpoint(), attempt.trace.at
        attempt.parting = attempt.parting or self
        attempt.trace.specialisations.part_within()


class Unsure(Signal):
    """Ways would part where a loop's first test is tried."""


class Attempt:
    """A `try` statement that runs on a way.

    begun: what held where the statement began. outcomes: of the partings behind it, in their order. chosen: the numbers of the `if`s one of whose
    branches raises, and of loops that are left so. rest: how many of the entries that it repeats are those of a statement around.
    """

    def __init__(self, trace, begun, outcomes=(), chosen=frozenset(), rest=0):
        self.trace, self.block, self.outcomes, self.chosen = trace, trace.block, outcomes, chosen
        self.begun, self.rest = begun, rest
        self._met, self.decided = 0, 0       # places where ways may part, and where they have, so far
        self.unrolled = []          # the bodies of `while`s in whose turns ways have parted, and that go on for certain
        self.parting = None         # the first
        self.is_trying = False      # the first test of a loop
        self.raised_behind = None   # of the statement that this is a part of (raised_behind.py)
        self.open = None            # the number of the `if` whose branches are being traced

    @contextlib.contextmanager
    def running(self):
        """What is known is what was known where these ways parted, until that is behind."""
        if self.outcomes:
            self.block.holds = self.begun
        self._count()
        self.trace.attempts.append(self)
        try:
            yield
        except (Exception, Signal):
            if self.parting is None:    # else a `finally` may have thrown something else
                raise
        finally:
            self.trace.attempts.remove(self)
        if self.parting is None and (self.decided < len(self.outcomes) or self.outcomes and self.block.repeats.is_behind(self.rest)):
            raise lost()

    def _count(self):
        """An error where a statement, with those in it, has run too often."""
        self.trace.runs_of_tries += 1
        self.trace.all_runs_of_tries += 1
        if self.trace.runs_of_tries > MOST_RUNS // 20:      # functions that are part of it may be what makes so many
            self.trace.specialisations.raising.learn()
        if self.trace.runs_of_tries > MOST_RUNS or self.trace.all_runs_of_tries > MOST_RUNS_OF_ALL:
            raise too_many(self.trace)

    def meets(self):
        """The number of a place where ways may part."""
        self._met += 1
        return self._met

    def outcome(self, number):
        """How it went there; None where this way has not come so far."""
        if self.decided == len(self.outcomes):
            return None
        outcome = self.outcomes[self.decided]
        if outcome.number != number:
            return None
        if outcome.at != self.trace.at:
            raise lost()
        self.decided += 1
        self.block.holds = outcome.holds
        return outcome.value

    def is_here(self):
        """Whether the current code is the statement's own, under no condition and in no loop of it."""
        return self.block is self.trace.block

    def elsewhere(self, error):
        """What is thrown where something is raised that the statement handles, in a function or under a condition of it: the function becomes part
        of the statement, ways part at the condition; or it is the error."""
        if self.trace.frame is not self.block.frame:
            return NeedsInlining(self.trace.frame.specialisation, error())
        return error() if self.open is None else Parting(self, self.open)

    def check(self, failure):
        """Raises what an operation raises on this way (failing.py)."""
        trace, key = self.trace, _same(failure.of)
        if any(key in block.cannot_fail for block in self.block.chain()):
            return
        with trace.memories.carrying():     # of what the node has, which may be of a run before this one, and older than what has changed in both
            number, condition = self.meets(), failure.condition()
        fails = self.outcome(number)
        if fails is None:
            fails = trace.simplified(condition) if isinstance(condition, Staged) else condition
            if isinstance(fails, Staged):
                raise self._parting(number, fails)
        if fails:
            exception = failure.exception()
            trace.raises.passes(exception)
            raise exception
        self.block.cannot_fail[key] = failure.of

    def part(self, number, condition):
        """What the condition is on this way."""
        value = self.outcome(number)
        if value is None:
            raise self._parting(number, condition)
        return value

    def _parting(self, number, condition):
        return Unsure() if self.is_trying else Parting(self, number, condition)


def leave(trace):
    """Nothing is staged any more of a run whose ways have parted, or that ends with an error, where a `finally` of the user's runs."""
    if trace.thrown is not None:
        raise trace.thrown
    for attempt in trace.attempts:
        if attempt.parting is not None:
            raise attempt.parting


def first_test(trace, test):
    """What a loop's test is before its first turn; None where that may be an exception as well as a value."""
    trying = [attempt for attempt in trace.attempts if attempt.is_here() and not attempt.is_trying]
    for attempt in trying:
        attempt.is_trying = True
    try:
        return test()
    except Unsure:
        if not trying:
            raise
        return None
    finally:
        for attempt in trying:
            attempt.is_trying = False


def too_many(trace):
    error = StagingError("LT0313", "a try statement, with those in it, may go too many ways", trace.place(),
                         "move what cannot fail out of it, and what fails for itself into a function")
    error.is_of_all_paths = True
    return error


def note(trace, of):
    """From here on it is known that what depends on this does not fail."""
    trace.block.cannot_fail[_same(of)] = of


def _same(of):
    """Equal for what is the same wherever it is known."""
    return tuple(path_of(each) if isinstance(each, Staged) else each for each in of)


def here(trace):
    """The attempt that the current code belongs to, if none of its `if`s and loops is around."""
    return trace.attempts[-1] if trace.attempts and trace.attempts[-1].block is trace.block else None


def choose(trace, condition, first, second, stage, code=None, rejoin=None):
    """`first()` or `second()` where the way that is being gone decides it, else `stage()`, which has both as branches.

    rejoin: stages it so that its ways come together again (left_branches.py), where it is known by its `code` as one for which that is better.
    """
    attempts = [attempt for attempt in trace.attempts if attempt.block is trace.block]
    numbers = [attempt.meets() for attempt in attempts]
    for attempt, number in zip(attempts, numbers):
        if number not in attempt.chosen:
            continue
        if rejoin is not None and code in trace.left_branches.codes:
            return rejoin()
        is_first = attempt.part(number, condition)
        branch = first if is_first else second
        return (branch if code is None else trace.left_branches.noting(code, is_first, branch))()
    before = [attempt.open for attempt in attempts]
    for attempt, number in zip(attempts, numbers):
        attempt.open = number
    try:
        return stage()
    finally:
        for attempt, was in zip(attempts, before):
            attempt.open = was
