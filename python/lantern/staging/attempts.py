"""`try`, where what its handlers or its `finally` see is known only when the program runs: the statement is run once for each way that it may go.

    try: v = d[k]                if k is in d:  v = d[k]          # run again, where it is known that d[k] does not fail
    except KeyError: v = -1  →   else:          v = -1            # run again, where d[k] raises KeyError now

Where an operation may fail (failing.py), or a branch of an `if` raises, the ways part: each is a branch of an `if` that runs the statement from its
beginning. What it has emitted so far stays in front of that `if` (block.py): each way emits the same again, and comes by the same values.
"""
from __future__ import annotations

from lantern.staging import branches, failures, object_state
from lantern.staging.errors import Signal
from lantern.staging.partings import MOST_RUNS, Attempt, Outcome, choose, leave, too_many
from lantern.staging.repeats import Repeats

MOST_PARTINGS = 64
MOST_BEFORE_JOINING = 8      # of them, from which on `if`s are left by variables (left_branches.py), and a `while` that they are in is not unrolled: an exception alone may end it


def try_stmt(trace, run, get_state, set_state, names, outputs, at, key=None):
    """key: what is the same whenever this statement is staged; its code, if that is not said."""
    leave(trace)
    if trace.tries == 0:
        trace.runs_of_tries = 0
        if not trace.specialisations.raising.known:     # else functions have been made that give such numbers
            trace.raised_numbers.clear()
    trace.tries += 1
    try:
        _try_stmt(trace, lambda: failures.run_statement(trace, run, at), get_state, set_state, names, outputs, at, key or run.__code__)
    finally:
        trace.tries -= 1


def _try_stmt(trace, run, get_state, set_state, names, outputs, at, key):
    if key not in trace.parting_tries:      # else its ways part again
        checkpoint, began = trace.checkpoint(), trace.at
        statement = object_state.Statement(trace, key, set_state, names)
        init, attempt = get_state(), Attempt(trace, trace.block.holds)
        with attempt.running():
            run()
        if attempt.parting is None:
            return
        trace.parting_tries.add(key)
        trace.rollback(checkpoint)
        trace.at = began
        set_state(init)
        statement.put_back()
        statement.check("the ways that the try statement may go", at)
    object_state.stage(trace, key, lambda *state: _Ways(trace, run, outputs, at, *state).go(), get_state, set_state, names)


class _Chooses(Signal):
    """The `if` or loop of this number has to be decided, on the ways that have come to it with nothing decided behind it."""

    def __init__(self, ways, number):
        super().__init__()
        self.ways, self.number = ways, number


class _Ways:
    """All ways that a `try` statement may go."""

    def __init__(self, trace, run, outputs, at, statement, get_state, set_state, names):
        self.trace, self.run, self.at, self.statement = trace, run, at, statement
        self.get_state, self.set_state, self.names = get_state, set_state, names
        self.outputs = outputs + statement.in_front
        self.init, self.begun, self.partings = branches.entering(trace, names, get_state), trace.block.holds, 0

    def go(self, outcomes=(), chosen=frozenset(), done=()):
        """Goes the way of these outcomes, which has emitted this already, and those that it parts into."""
        trace, block = self.trace, self.trace.block
        around = block.repeats or Repeats(block)
        block.repeats = Repeats(block, done).and_then(around)
        checkpoint, before, decided = trace.checkpoint(), len(block.done), outcomes[-1].number if outcomes else 0
        while True:
            attempt = Attempt(trace, self.begun, outcomes, chosen, around.left())
            self._put_back()
            with attempt.running():
                self.run()
            parting = attempt.parting
            if parting is None:
                return
            try:
                if parting.condition is None:
                    raise _Chooses(self, parting.number)
                self._part(parting, attempt, checkpoint, before, outcomes, chosen)
                return
            except _Chooses as signal:
                if signal.ways is not self or signal.number <= decided:
                    raise
                chosen |= {signal.number}
                trace.rollback(checkpoint)

    def _part(self, parting, attempt, checkpoint, before, outcomes, chosen):
        """Goes both ways from there."""
        trace, block = self.trace, self.trace.block
        self.partings += 1
        if self.partings > MOST_BEFORE_JOINING and trace.left_branches.learn():
            raise object_state.Grows(self.statement, ())    # begins again
        if self.partings > MOST_BEFORE_JOINING or trace.runs_of_tries > MOST_RUNS // 20:
            trace.ranges.stage_while(code for each in (attempt, *trace.attempts) for code in each.unrolled)
        if self.partings > MOST_PARTINGS:
            raise too_many(trace)
        trace.rollback(parting.where)
        done, repeats, holds = block.done[before:], block.repeats, block.holds
        trace.rewind(checkpoint)
        block.done += done
        block.repeats, block.holds, trace.at = repeats, holds, self.at
        self._put_back()

        def way(value):
            def go():
                if trace.block is block:    # a statement around goes this way alone
                    del block.done[before:]
                outcome = Outcome(parting.number, parting.at, value, trace.block.holds)
                self.go((*outcomes, outcome), frozenset(each for each in chosen if each <= parting.number), done)
            return go

        ways = way(True), way(False)
        choose(trace, parting.condition, *ways, lambda: self._stage(parting.condition, *ways))

    def _stage(self, condition, *ways):
        """Both ways, as the branches of an `if`."""
        def branch(way):
            def run():
                way()
                return self.get_state()[:self.outputs]
            return run

        try:
            merged = branches.staged_if(self.trace, condition, tuple(map(branch, ways)), self.names[:self.outputs], "the try statement",
                                        lambda: self.set_state(self.init), self.statement.check)   # what it may have to carry, too, is there to be found
        except BaseException:
            self._put_back()
            raise
        dead = tuple(branches.dead_behind(name, value, "the try statement") for name, value in zip(self.names[self.outputs:], self.init[self.outputs:]))
        self.set_state((*merged, *dead))

    def _put_back(self):
        self.set_state(self.init)
        self.statement.put_back()
