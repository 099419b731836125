"""The passes of a loop: its turn is traced until what it does to the state is known by then.

    for i in range(n):
        for j in range(n):
            found.append(i * j)

A turn that turns out to change a list is traced again, with a list that is staged. Where a loop is in another one which is to be traced again
for the same list, it is left as its first pass has it: what the outer pass comes to is dropped. Otherwise each loop would trace its body twice
as often as the one around it. So is each loop of a trace that is dropped, because it learns how something is to be staged (lessons.py, empties.py).
"""
from __future__ import annotations

from lantern.staging.errors import Restart, Signal, StagingError

MOST_PASSES = 20   # until the types of a loop's state must have settled


class Turn:
    """One traced turn of a loop: `scope` binds the variables, `head` gives the test, `block` the next state."""

    def __init__(self, scope, head, truth, block, variables, new, element=None):
        self.scope, self.head, self.block, self.variables, self.new, self.element = scope, head, block, variables, new, element
        self.truth = truth     # of the test, as a Boolean function
        self.contents = {}     # id → what a list or dict that it has changed holds after it
        self.all_stale = {}    # id → Stale, of whatever has changed behind its back where it ends
        self.is_settled = True # whether the loop is as the program has it


def settled(trace, statement, turn, state, set_state, before):
    """The turn of a loop, traced until the types of its state settle, or until a loop around is known to be traced again."""
    at = trace.at
    try:
        for _ in range(MOST_PASSES):
            trace.at = at
            try:
                result, is_last = _pass(trace, statement, turn, state, set_state, before)
            except Restart:
                raise
            except (Exception, Signal):
                if not state.is_relied_on:
                    raise
                is_last = True
                statement.put_back()
                trace.globals.forget(state.scope)
            if not state.is_relied_on:
                if is_last:
                    return state.checked(result)
                if trace.lessons.are_new or trace.empties.is_open() and not trace.empties.goes_on:
                    result.is_settled = False
                    return result
                if state.is_traced_again_around():
                    result.is_settled = False
                    return result
            elif is_last:
                state.is_exact = True
            state.is_relied_on = False
    except BaseException:
        set_state(before)
        raise
    raise StagingError("LT0306", f"the types of {state.what}'s variables do not settle", trace.place())


def _pass(trace, statement, turn, state, set_state, before):
    """(The turn, traced once; whether that has told nothing new.)"""
    at, mark, writes, tried = trace.at, trace.lists.mark(), trace.memories.mark(), []
    trace.loops.append(state)
    try:
        result = turn(state, tried)
    except BaseException as signal:
        trace.lists.undo(mark)
        trace.memories.undo(writes)
        raise state.checked(signal)
    finally:
        trace.loops.pop()
    stale, result.all_stale = trace.lists.stale_since(mark), dict(trace.lists.stale)
    changed, written = trace.lists.collect(mark, result.scope), trace.memories.collect(writes)
    trace.at = at
    set_state(before)
    statement.check(state.what, at)
    for container, error in tried:
        if id(container) not in changed:
            trace.lists.note_missing(container, error)
    is_last = result.new is None
    if not is_last:
        result.new = state.at_end(result.new, changed)
        result.contents = {key: contents for key, (_, contents) in changed.items()}
        is_last = not any([state.widen_containers(changed, stale), state.widen(result.new, result.block),
                           state.widen_memories(result.new, result.contents, written, result.all_stale)])
    if not is_last or state.is_relied_on:
        trace.globals.forget(result.scope)
    return result, is_last
