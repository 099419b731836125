"""What calls of a define mean for the memory of arrays and lists (memories.py): whose its results may have, and what it changes."""
from __future__ import annotations

import itertools

from lantern.records import Record
from lantern.staging.errors import Signal, StagingError
from lantern.staging.memories import AROUND
from lantern.staging.memory import KEPT, Part, holds_lists, shares
from lantern.staging.values import Staged
from lantern.staging.views import is_boxed


class WritesBox(Signal):
    """A call writes to an array that has other names (views.py): what it does is to be part of the function that calls it. error: if it cannot be."""

    def __init__(self, error):
        super().__init__()
        self.error = error


class Around(Record):
    """A list that the body of a define knows from around it, by its id."""
    key: int


class Sharing:
    """What calls of a define mean for memory. A place is the number of a formal, or of a capture behind them; the path of a list that a call
    gives; or Around.

    results: of each of its results, (the places whose memory it may have, whose else it is). pairs: of results that may share one.
    changes: {(kind, place): Change}.
    """

    def __init__(self, results=(), pairs=frozenset(), changes=None):
        self.results, self.pairs, self.changes = results, pairs, changes or {}

    def summary(self):
        return [(places, bool(owner)) for places, owner in self.results], self.pairs, set(self.changes)


def of(trace, define, values, mark):
    """The Sharing of a define whose body gives `values`, and has made the changes since `mark`."""
    memories, parts = trace.memories, []
    for value in values:
        parts.append(memories.parts(value))
        for part in parts[-1]:
            if part.stale is not None:
                raise memories.returned(part.stale, define)
    own = _memories_of_places(trace, define, [*(part.memory for of in parts for part in of), *(change.memory for change in memories.changes[mark:])])
    results = [(frozenset(place for place, memory in own.items() if any(shares(memory, p.memory) for p in of)),
                next((p.owner for p in of if p.owner not in (None, AROUND)), None)) for of in parts]
    pairs = frozenset((i, j) for i, j in itertools.combinations(range(len(parts)), 2)
                      if any(shares(a.memory, b.memory) for a in parts[i] for b in parts[j]))
    changes = {}
    for change in memories.changes[mark:]:
        for place, memory in own.items():
            if shares(memory, change.memory):
                changes.setdefault((change.kind, place), change)
    return Sharing(results, pairs, changes)


def _memories_of_places(trace, define, among):
    """{place: its Memory}, of those that may be among these."""
    formals = enumerate((*(formal.staged.memory for formal in define.formals), *(capture.outer.memory for capture in define.captures)))
    found = {place: memory for place, memory in formals if memory is not None}
    paths = {id(list_): path for path, list_ in define.containers.items()}
    for list_, memory in trace.memories.lists_among(among):
        if id(list_) in paths or not trace.lists.is_own(list_):
            found[paths.get(id(list_), Around(id(list_)))] = memory
    found.update((path, array.memory) for path, array in trace.views.held(define.containers))
    return found


def called(trace, define, actuals, given):
    """A call of a define changes the memory of its arguments as the body says; the memories of what it gives. actuals: the values for its
    formals and captures; given: {path: list or dict} of its arguments."""
    memories, sharing = trace.memories, define.sharing

    def at(place):
        if isinstance(place, Around):
            return memories.lists[place.key][0]
        if type(place) is int:
            return trace.lists.raw(actuals[place]) if type(actuals[place]) is list else actuals[place]
        return trace.views.held_in(given[place])

    parts = [[part for place in sorted(places, key=str) for part in memories.parts(at(place))] + [Part(memories.fresh(), owner, None)]
             for places, owner in sharing.results]
    for (kind, place), change in sharing.changes.items():
        value = at(place)
        if kind == KEPT:
            memories.keep(value, f"a list or a structure by '{define.name}'")
            trace.lists.kept.keep(value, f"a structure by '{define.name}'")
        elif type(place) is not int:
            continue        # its contents are what the call gives
        elif holds_lists(trace.type_of(value)):
            _change_list(trace, define, actuals, place, change)
        else:
            _write_argument(trace, define, actuals, place, change)
    arrays = dict(trace.views.held(given))
    for path in define.changes:
        if path in arrays:
            memories.write(arrays[path], f"{arrays[path].shown()} is changed by '{define.name}'", arrays[path].part_of.root)
        else:
            _change(trace, define, given[path], actuals)
    return memories.joined([parts], pairs=sharing.pairs)


def _change(trace, define, list_, actuals):
    """A call changes a list that it is given: no staged argument may be it."""
    memories, what = trace.memories, f"{trace.lists.shown(list_)} is changed by '{define.name}'"
    if id(list_) not in memories.lists:
        return
    for other in actuals:
        if isinstance(other, Staged) and any(shares(memories.of_list(list_), part.memory) for part in memories.parts(other)):
            raise _changes_both(trace, what, other)
    memories.change(list_, what)


def _change_list(trace, define, actuals, place, change):
    """A call changes a list that it is given. What two lists that Python knows have in common, it has been told."""
    memories, value = trace.memories, actuals[place]
    contents = trace.lists.raw(value) if type(value) is list else value
    if not isinstance(contents, Staged):
        return
    shown = trace.lists.shown(value) if type(value) is list else value.shown()
    what = f"{shown} is changed by '{define.name}'" + _in_line(change)
    for other in (other for number, other in enumerate(actuals) if number != place and not (type(value) is list and type(other) is list)):
        if any(shares(contents.memory, part.memory) for part in memories.parts(other)):
            raise _changes_both(trace, what, other)
    memories.change_contents(contents, what)


def _changes_both(trace, what, other):
    shown = trace.lists.shown(other) if type(other) is list else other.shown()
    return StagingError("LT0305", f"{what}, and may be, or be in, another argument, {shown}", trace.place(),
                        "Python would change both: pass a copy of one of them, list(…)")


def _in_line(change):
    return f" (in line {change.place.line})" if change.place else ""


def _write_argument(trace, define, actuals, place, change):
    memories, value = trace.memories, actuals[place]
    shown = value.shown() if isinstance(value, Staged) else "an array"
    what = f"{shown} is changed by '{define.name}'{_in_line(change)}"
    if is_boxed(value) and not define.called:
        raise WritesBox(StagingError("LT0317", f"{what}, and has other names", trace.place(), "return the array, and assign it: a = f(a)"))
    own = memories.of(value)
    for other in (other for number, other in enumerate(actuals) if number != place):
        if own is not None and any(shares(own, part.memory) for part in memories.parts(other)):
            raise StagingError("LT0317", f"{what}, and its memory may be that of another argument, {other.shown()}", trace.place(),
                               "NumPy would change both: pass a copy of one of them")
    memories.write(value, what, by=(define, define.formals[place].path if place < len(define.formals) else None))
