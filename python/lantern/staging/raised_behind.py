"""What a part of a `try` statement raises, as variables, so that it is raised behind that part.

    left, raised = 0, 0
    try: …                                              # the part
    except KeyError as e: left, raised = 1, e.args[0]
    …
    if left == 1: raise KeyError(raised)

Loops are left so (left_loops.py), and the branches of an `if` whose ways come together again behind it (left_branches.py).
"""
from __future__ import annotations

import contextlib
import operator

from lantern.staging import attempts, failures, partings
from lantern.staging.errors import Restart, Signal, StagingError
from lantern.staging.failing import Failure
from lantern.staging.plans import others
from lantern.staging.raised import NOTHING, computed, is_plain, kind_of, know_numbers, known_as, number_of, put_parts
from lantern.staging.raising_recursions import Passed
from lantern.staging.snapshots import Snapshot
from lantern.staging.truths import TooLarge
from lantern.staging.values import MaybeBound, Staged


class RaisedOn(BaseException):
    """What a statement in a part has raised, and the part passes on."""

    def __init__(self, statement):
        super().__init__()
        self.statement = statement


class RaisedBehind:
    """State of a statement, with what has been raised as more variables of it: the number of the exception, 0 before, and the values that exceptions are given.

    code: of a part of the statement, the same whenever that is staged. own: how many of the state's variables stand in front of these.
    """

    def __init__(self, trace, code, get_state, set_state, names, own, at):
        self.trace, self.code, self.at, self.own = trace, code, at, own
        self.types = dict(trace.raised_types)
        self.get_state, self.set_state, self.names = get_state, set_state, (*names[:own], *others(("left", *("raised" for _ in self.types)), names), *names[own:])
        self.guards, self.left = [guard for guard in trace.guards if guard.attempt is not None], 0
        self.guard = None       # of the part that runs
        self.exceptions = {}    # kind → (its number, the exception, what it is known as)
        self.values = {key: NOTHING[type_] for key, type_ in self.types.items()}
        self.more = 1 + len(self.values)    # variables
        self.last, self.passes = None, False    # what was the last in the part that raised something: (it, what was then); whether the part passes that on

    def get(self):
        state = self.get_state()
        return (*state[:self.own], self.left, *self.values.values(), *state[self.own:])

    def put(self, state):
        behind = self.own + self.more
        self.left, values = state[self.own], state[self.own + 1:behind]
        self.set_state((*state[:self.own], *state[behind:]))
        self.values = dict(zip(self.values, values))

    def run(self, part, code):
        """Runs a part of the statement, of this code: a `try` statement of its own."""
        guarding = self.guards[-1]

        def whole():
            partings.here(self.trace).raised_behind = self
            self.last, self.passes = None, False
            try:
                self.guard = guard = failures.Guard(self.trace, guarding.what, lambda: tuple(guard.classes() for guard in self.guards), guarding.place)
                guard.raises_behind = True
                with guard:
                    part()
                self._end()
            except Signal:
                raise
            except StagingError:    # of a variable that has no value there, say
                self._check_last(not self.passes)
                raise
            except BaseException as error:
                if type(error) is not RaisedOn and not any(guard.handles(type(error)) for guard in self.guards):
                    raise
                self._check_last(not self.passes)
                self._raised(error)

        key = self.trace.keys_of_tries.setdefault(code, object())
        attempts.try_stmt(self.trace, whole, self.get, self.put, self.names, len(self.names), self.at, key)

    def _raised(self, error):
        if type(error) is RaisedOn:
            self._take(error.statement)
            self._know_that_one_was()
        elif type(error) is Passed:
            exceptions, values = error.exceptions()
            self.left = error.args[0]
            known = {kind: self._note(kind, exception) for kind, exception in exceptions}
            self._give({(known[kind], part): value for (kind, part), value in values.items()})
        else:
            kind = kind_of(error)
            known = self._note(kind, error)
            self.left = self.exceptions[kind][0]
            self._give({(known, part): value for part, value in computed(error).items()})

    def _note(self, kind, error):
        """What an exception is known as that has been raised."""
        known = known_as(kind)
        if kind not in self.exceptions:
            self.exceptions[kind] = number_of(self.trace, kind if is_plain(error) else (known, len(self.exceptions))), error, known
        return known

    def _take(self, statement):
        """What a statement in the part has raised, the part has."""
        self.left = statement.left
        self.exceptions = {**statement.exceptions, **self.exceptions}
        self._give(statement.values)

    def _give(self, values):
        new = {key: self.trace.type_of(value) for key, value in values.items() if key not in self.values}
        if new:
            self.trace.raised_types.update(new)
            raise Restart(self.trace.frame.specialisation)
        self.values.update(values)

    def raise_it(self, may_be_last=True):
        """Behind the statement. may_be_last: whether it may be the last thing that a part does."""
        self.trace.at = self.at
        if isinstance(self.left, Staged) and self.left.few_numbers is None:
            know_numbers(self.trace, self.left, [number for number, _, _ in self.exceptions.values()])
        around = self._around()
        if around is not None and may_be_last and around.takes(self):
            return
        all_ = sorted(self.exceptions.values(), key=lambda each: not is_plain(each[1]))
        of_all = [self._handling(exception) for _, exception, _ in all_]
        if around is not None:
            self._check(around.guard, None, lambda: RaisedOn(self))
        elif of_all and of_all[0].body is not None and all(guard is of_all[0] for guard in of_all):
            passed = of_all[0].body.passed(self)
            self._check(of_all[0], None, lambda: passed)
        else:
            for (number, exception, known), guard in zip(all_, of_all):
                put_parts(exception, {part: value for (other, part), value in self.values.items() if other == known})
                is_rest = exception is all_[-1][1] and not is_plain(exception)     # what holds something else is another one each time that the part is traced
                self._check(guard, None if is_rest else number, lambda exception=exception: exception)
        self._know_that_none_was()
        if around is not None and may_be_last:
            around.comes_past(self)

    def _handling(self, exception):
        return next(guard for guard in reversed(self.guards) if guard.handles(type(exception)))

    def _check(self, guard, number, exception):
        """Raises it where the statement has raised the exception of this number, or any, if that is None."""
        def condition():
            if not isinstance(self.left, Staged):
                return self.left != 0 if number is None else self.left == number
            return self.trace.emit("!=", (self.left, 0)) if number is None else self.trace.emit("==", (self.left, number))
        guard.attempt.check(Failure(BaseException, ("left", self.left, number), condition, exception))

    def _know_that_none_was(self):
        trace, numbers = self.trace, self.left.few_numbers if isinstance(self.left, Staged) else None
        if numbers is not None:
            with contextlib.suppress(TooLarge):
                trace.block.holds = trace.truths.both(trace.block.holds, numbers.get(0, False))
        state = self.get_state()
        if any(type(value) is MaybeBound for value in state):
            self.set_state(tuple(trace.simplified(value) if type(value) is MaybeBound else value for value in state))

    def _know_that_one_was(self):
        """On the way of what has been raised: the last number is what is left."""
        numbers = self.left.few_numbers if isinstance(self.left, Staged) else None
        if numbers is None:
            return
        *others, last = [number for number in numbers if number != 0]
        if not others:
            self.left = last
            return
        truths = self.trace.truths
        with contextlib.suppress(TooLarge):
            known, rest = {}, True
            for number in others:
                known[number] = truths.both(rest, numbers[number])
                rest = truths.both(rest, truths.negation(known[number]))
            self.left.few_numbers = {**known, last: rest}

    # A statement that is the last of a part: the part passes on what it has raised, and no ways part for that.

    def _around(self):
        """That of the part that this is in, and whatever this raises leaves."""
        attempt = partings.here(self.trace)
        around = attempt.raised_behind if attempt is not None else None
        of_all = [exception for _, exception, _ in self.exceptions.values()]
        return around if around is not None and of_all and all(is_plain(each) and self._handling(each) is around.guard for each in of_all) else None

    def takes(self, statement):
        """Whether a statement in the part is its last, as far as is known."""
        if self.trace.lasts.get(statement.code) is not True:
            return False
        self._check_last(not self.passes)
        self.last, self.passes = (statement, self._now()), True
        return True

    def comes_past(self, statement):
        """What a statement in the part may raise, it has not."""
        if statement.code not in self.trace.lasts:
            self._check_last(not self.passes)
            self.last = statement, self._now()

    def _end(self):
        """The part has come to its end."""
        if self.last is None:
            return
        statement, before = self.last
        is_last = before == self._now()
        if not self.passes:
            self.trace.lasts[statement.code] = is_last
            return
        self._check_last(is_last)
        self._take(statement)

    def _check_last(self, is_last):
        """Begins again where the part does something behind what passed as its last statement."""
        if not is_last:
            self.trace.lasts[self.last[0].code] = False
            raise Restart(self.trace.frame.specialisation)

    def _now(self):
        return _Now(self)


class _Now:
    """What there is at a point of a part. Equal where nothing has happened between two points of one run."""

    def __init__(self, behind):
        trace = behind.trace
        self.state, self.emitted, self.marks, self.snapshot = behind.get(), len(trace.block.done), (trace.lists.mark(), trace.memories.mark()), Snapshot()

    def __eq__(self, later):
        return self.emitted == later.emitted and self.marks == later.marks and all(map(operator.is_, self.state, later.state)) and \
            not any(True for _ in self.snapshot.changes())
