"""What calls of a define mean for the memory of arrays and lists (memories.py): whose its results may have, and what it changes."""
from __future__ import annotations

import itertools

from lantern.records import Record
from lantern.staging import held_arrays
from lantern.staging.errors import Signal, StagingError
from lantern.staging.memory import AROUND, KEPT, WRITTEN, Part, holds_lists, shares, whose
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


class Held(Record):
    """The arrays in a list, which is a formal or a capture, by its number."""
    number: int


class Sharing:
    """What calls of a define mean for memory. A place is the number of a formal, or of a capture behind them; the path of a list that a call
    gives; Held; or Around.

    results: of each of its results, (the places whose memory it may have, whose else it is, the same of the arrays in it if it is a list of some).
    pairs: of results that may share one. changes: {(kind, place): Change}.
    """

    def __init__(self, results=(), pairs=frozenset(), changes=None):
        self.results, self.pairs, self.changes = results, pairs, changes or {}

    def summary(self):
        return [(places, bool(owner), held and (held[0], bool(held[1]))) for places, owner, held in self.results], self.pairs, set(self.changes)


def of(trace, define, values, mark):
    """The Sharing of a define whose body gives `values`, and has made the changes since `mark`."""
    memories, parts = trace.memories, []
    for value in values:
        parts.append(memories.parts(value))
        for part in parts[-1]:
            if part.stale is not None:
                raise memories.returned(part.stale, define)
    own = _memories_of_places(trace, define, [*(part.memory for of in parts for part in of), *(change.memory for change in memories.changes[mark:])])
    parts, holding = held_arrays.columns([parts])
    parts, count = parts[0], len(values)
    results = [(frozenset(place for place, memory in own.items() if any(shares(memory, p.memory) for p in of)),
                whose([p for p in of if p.owner is not AROUND])) for of in parts]
    held = dict(zip(holding, results[count:]))
    results = [(*result, held.get(number)) for number, result in enumerate(results[:count])]
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
    memories = trace.memories
    formals = [(formal.staged.memory,) for formal in define.formals] + [(capture.outer.memory, capture.origin.memory) for capture in define.captures]
    found = {place: memories.one_of(of) for place, of in enumerate(formals) if None not in of}
    found.update((Held(place), memories.one_of([memory.held for memory in of])) for place, of in enumerate(formals)
                 if all(memory is not None and memory.held is not None for memory in of))
    paths = {id(list_): path for path, list_ in define.containers.items()}
    for list_, memory in trace.memories.lists_among(among):
        if id(list_) in paths or _is_around(trace, list_):
            found[paths.get(id(list_), Around(id(list_)))] = memory
    found.update((path, array.memory) for path, array in trace.views.held(define.containers))
    return found


def _is_around(trace, list_):
    """Whether a function around the one that is being traced has made a list, or it is older. Those of an earlier trace of the function are gone."""
    home, frame = trace.ages.home(list_), trace.frame.outer
    while frame is not None and home is not None and home.frame is not frame:
        frame = frame.outer
    return home is None or frame is not None


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

    def parts_at(places, held=None):
        found = []
        for place in sorted(places, key=str):
            found += held_arrays.parts_in(memories, at(place.number)) if isinstance(place, Held) else [part.replaced(held=held) for part in memories.parts(at(place))]
        return found

    parts = []
    for places, owner, held in sharing.results:
        held = held and held_arrays.joined(memories, parts_at(held[0]), held[1])
        parts.append([*parts_at(places, held), Part(memories.fresh(), owner, None, held)])
    for (kind, place), change in sorted(sharing.changes.items(), key=lambda each: each[0][0] == KEPT):     # what is kept then has been written before
        if isinstance(place, Held):
            if kind == WRITTEN:
                _write_held(trace, define, actuals, place.number, change)
            else:
                for part in held_arrays.parts_in(memories, at(place.number)):
                    memories.keep_memory(part.memory, f"a list or a structure by '{define.name}'")
            continue
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


def _write_held(trace, define, actuals, number, change):
    """A call changes arrays in a list that it is given."""
    memories, list_ = trace.memories, actuals[number]
    what = f"an array in {trace.lists.shown(list_) if type(list_) is list else list_.shown()} is changed by '{define.name}'{_in_line(change)}"
    for held in held_arrays.parts_in(memories, list_):
        if held.owner is not None and not define.called:
            raise WritesBox(held_arrays.owner_error(trace, held.owner, what))
        memories.check_owner(held.memory, what, None)
        for other in (other for place, other in enumerate(actuals) if place != number):
            parts = [*memories.parts(other), *held_arrays.parts_in(memories, other)]
            if any(shares(held.memory, memory) for part in parts for memory in (part.memory, *([part.held.memory] if part.held else ()))):
                shown = other.shown() if isinstance(other, Staged) else trace.lists.shown(other)
                raise StagingError("LT0317", f"{what}, and it may be, or be in, another argument, {shown}", trace.place(),
                                   "NumPy would change both: pass a copy of one of them")
        memories.written(held.memory, what)


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
    if (is_boxed(value) or held_arrays.stands(trace, value)) and not define.called:
        raise WritesBox(StagingError("LT0317", f"{what}, and has other names", trace.place(), "return the array, and assign it: a = f(a)"))
    own = memories.of(value)
    for other in (other for number, other in enumerate(actuals) if number != place):
        if own is not None and any(shares(own, part.memory) for part in memories.parts(other)):
            raise StagingError("LT0317", f"{what}, and its memory may be that of another argument, {other.shown()}", trace.place(),
                               "NumPy would change both: pass a copy of one of them")
    memories.write(value, what, by=(define, define.formals[place].path if place < len(define.formals) else None))
