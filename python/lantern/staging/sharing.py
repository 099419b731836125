"""What calls of a define mean for the memory of arrays and lists (memories.py): whose its results may have, and what it changes."""
from __future__ import annotations

import itertools

from lantern.staging.errors import StagingError
from lantern.staging.memories import AROUND
from lantern.staging.memory import KEPT, Part, holds_lists, shares
from lantern.staging.values import Staged


class Sharing:
    """What calls of a define mean for memory. Places number its formals and then its captures.

    results: of each of its results, (the places whose memory it may have, whose else it is). pairs: of results that may share one.
    changes: {(kind, place): Change}.
    """

    def __init__(self, results=(), pairs=frozenset(), changes=None):
        self.results, self.pairs, self.changes = results, pairs, changes or {}

    def summary(self):
        return [(places, bool(owner)) for places, owner in self.results], self.pairs, set(self.changes)


def of(trace, define, values, mark):
    """The Sharing of a define whose body gives `values`, and has made the changes since `mark`."""
    memories = trace.memories
    own = [*(formal.staged.memory for formal in define.formals), *(capture.outer.memory for capture in define.captures)]
    parts = []
    for value in values:
        parts.append(memories.parts(value))
        for part in parts[-1]:
            if part.stale is not None:
                raise memories.returned(part.stale, define)
    results = [(frozenset(place for place, memory in enumerate(own) if memory and any(shares(memory, p.memory) for p in of)),
                next((p.owner for p in of if p.owner not in (None, AROUND)), None)) for of in parts]
    pairs = frozenset((i, j) for i, j in itertools.combinations(range(len(parts)), 2)
                      if any(shares(a.memory, b.memory) for a in parts[i] for b in parts[j]))
    changes = {}
    for change in memories.changes[mark:]:
        for place, memory in enumerate(own):
            if memory is not None and shares(memory, change.memory):
                changes.setdefault((change.kind, place), change)
    return Sharing(results, pairs, changes)


def called(trace, define, actuals):
    """A call of a define changes the memory of its arguments as the body says; the memories of what it gives."""
    memories, sharing = trace.memories, define.sharing
    parts = [[part for place in sorted(places) for part in memories.parts(actuals[place])] + [Part(memories.fresh(), owner, None)]
             for places, owner in sharing.results]
    for (kind, place), change in sharing.changes.items():
        if kind == KEPT:
            memories.keep(actuals[place], f"a list or a structure by '{define.name}'")
            trace.lists.kept.keep(actuals[place], f"a structure by '{define.name}'")
        elif holds_lists(trace.type_of(actuals[place])):
            _change_list(trace, define, actuals, place, change)
        else:
            _write_argument(trace, define, actuals, place, change)
    return memories.joined([parts], pairs=sharing.pairs)


def _change_list(trace, define, actuals, place, change):
    """A call changes a list that it is given. What two lists that Python knows have in common, it has been told."""
    memories, value = trace.memories, actuals[place]
    contents = trace.lists.raw(value) if type(value) is list else value
    if not isinstance(contents, Staged):
        return
    shown = trace.lists.shown(value) if type(value) is list else value.shown()
    what = f"{shown} is changed by '{define.name}'" + (f" (in line {change.place.line})" if change.place else "")
    for other in (other for number, other in enumerate(actuals) if number != place and not (type(value) is list and type(other) is list)):
        if any(shares(contents.memory, part.memory) for part in memories.parts(other)):
            raise StagingError("LT0305", f"{what}, and may be, or be in, another argument, {trace.lists.shown(other) if type(other) is list else other.shown()}",
                               trace.place(), "Python would change both: pass a copy of one of them, list(…)")
    memories.change_list(contents, what)


def _write_argument(trace, define, actuals, place, change):
    memories, value = trace.memories, actuals[place]
    shown = value.shown() if isinstance(value, Staged) else "an array"
    what = f"{shown} is changed by '{define.name}'" + (f" (in line {change.place.line})" if change.place else "")
    own = memories.of(value)
    for other in (other for number, other in enumerate(actuals) if number != place):
        if own is not None and any(shares(own, part.memory) for part in memories.parts(other)):
            raise StagingError("LT0317", f"{what}, and its memory may be that of another argument, {other.shown()}", trace.place(),
                               "NumPy would change both: pass a copy of one of them")
    memories.write(value, what)
