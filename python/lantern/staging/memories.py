"""Which arrays may share memory, so that no name reads what it was before another name changed it.

An array of the program never changes: `a[i] = v` and `a += v` give the variable `a` a new one. In NumPy they change memory, which
other names, views, containers and callers may share. So every array of a trace has a Memory:

    b = a[1:]       b has the memory of a
    a[0] = 5.0      that memory is written, and a has one of its own from here on
    return b        an array whose memory is written is not read any more: an error that names both

What comes out of a branch, a loop or a call may be any of several arrays: its memory has *sources*. What belongs to somebody
else (an argument of an entry, an element of a list, a field) has an *owner*, and is not written at all.
"""
from __future__ import annotations

import contextlib
import dataclasses
import itertools

import numpy as np

from lantern import dispatch, types
from lantern.staging.errors import NeedsInlining, Place, StagingError
from lantern.staging.values import Staged

# The operators that give a view of their first operand, or its element.
VIEWS = frozenset(("slice", "strided", "index", "gather", "reshape", "transpose", "flip", "swap-axes", "stop-gradient"))

WRITTEN, KEPT = "written", "kept"
AROUND = "an array of the function around"


def has_memory(type_):
    """Whether values of a type are, or hold, arrays that NumPy could change; those of rank 0 are numbers."""
    if isinstance(type_, types.Tuple):
        return any(map(has_memory, type_.elements))
    return isinstance(type_, types.TensorType) and bool(type_.dims)


@dataclasses.dataclass(frozen=True)
class Change:
    """`memory` was written, or was kept by a list or a structure. what: "an item of 'a' is set", or who keeps it."""
    kind: str
    memory: Memory
    what: str
    place: Place | None
    order: int


@dataclasses.dataclass(frozen=True)
class Stale:
    """What an array was when `change` came about; its name, and where that began to mean it."""
    change: Change
    shown: str
    place: Place | None


@dataclasses.dataclass(frozen=True, eq=False)
class Memory:
    """order: when it came to be. frame: in the trace of which function. sources: the older ones of which it may be one. group: of
    what one statement gives, the pairs that may be one. owner: whose it is, if it must not be written. stale: what had
    happened to the array that came in."""
    order: int
    frame: object = None
    sources: tuple = ()
    group: set | None = None
    owner: str | None = None
    stale: Stale | None = None


def shares(one, other):
    """Whether two memories may be one. The newer of two is one of its sources, all of which the older one knew."""
    pending, seen = [(one, other)], set()
    while pending:
        older, newer = pair = sorted(pending.pop(), key=lambda memory: memory.order)
        if older is newer:
            return True
        if tuple(pair) in seen:
            continue
        seen.add(tuple(pair))
        if older.group is not None and older.group is newer.group:
            if frozenset(pair) in older.group:
                return True
        else:
            pending.extend((older, source) for source in newer.sources)
    return False


def before(memory, time):
    """The memories that were there at a time, of which a later one may be one."""
    found, pending = {}, [memory]
    while pending:
        memory = pending.pop()
        if memory.order < time:
            found[memory] = None
        else:
            pending.extend(memory.sources)
    return tuple(found)


@dataclasses.dataclass(frozen=True)
class Part:
    """A memory that an array may be in, and what is known of it on the path that the array comes from."""
    memory: Memory
    owner: str | None
    stale: Stale | None


class Memories:
    def __init__(self, trace):
        self.trace = trace
        self.changes = []       # on the path that is being traced, oldest first
        self.arrays = {}        # id of a NumPy array known while staging → (the array, its Memory)
        self._clock = itertools.count(1)
        self._carrying = False

    def now(self):
        return next(self._clock)

    # The memory of a value

    def fresh(self, owner=None):
        return Memory(self.now(), self.trace.frame, owner=owner)

    def of(self, value):
        """The memory of a value; None if it has none."""
        if isinstance(value, Staged):
            return value.memory
        if isinstance(value, np.ndarray) and value.ndim:
            return Memory(self.now(), self.trace.frame, (self._of_array(value),), owner="a NumPy array that is known while staging")
        return self.fresh("a parameter") if dispatch.is_global(value) else None

    def _of_array(self, array):
        while isinstance(array.base, np.ndarray):
            array = array.base
        return self.arrays.setdefault(id(array), (array, Memory(0)))[1]

    def of_result(self, name, operands, type_):
        """That of what an operator gives."""
        if not has_memory(type_):
            return None
        if name in VIEWS:
            return self.of_element(operands[0])
        return self.fresh()

    def of_element(self, value):
        """That of a part of a value: NumPy gives a view, a list its element."""
        memory = self.of(value)
        return memory if memory is not None else self.fresh("an element of a list")

    # What happens to it

    def changed_by_python(self, array):
        """An array of NumPy's that is known while staging changes now: what was made of it is what it was."""
        if isinstance(array, np.ndarray) and array.ndim:
            memory, what = self._of_array(array), "a NumPy array is changed"
            self._check_owner(memory, what, "a")
            self._add(WRITTEN, memory, what, self.trace.place())

    def read(self, value):
        """An error if what an array holds may have changed since it came to be."""
        stale = None if self._carrying else self.stale(value)
        if stale is not None:
            raise StagingError(
                "LT0317", f"{stale.shown} may share memory that has changed: {stale.change.what} at {stale.change.place}",
                self.trace.place(), self._remedy(stale.shown),
                self._since(stale))

    def returned(self, stale, define):
        """The same error, of what a function returns."""
        return StagingError("LT0317", f"{stale.change.what}, and {stale.shown}, which '{define.name}' returns, may share its memory",
                            stale.change.place, self._remedy(stale.shown), self._since(stale))

    @staticmethod
    def _since(stale):
        return [f"{stale.place}: {stale.shown} has been this array since here"] if stale.place else []

    @staticmethod
    def _remedy(shown):
        name = shown.strip("'") if shown.startswith("'") and shown.strip("'").isidentifier() else "b"
        return f"NumPy would change both: make a copy where they part, {name} = {name}.copy()"

    @contextlib.contextmanager
    def carrying(self):
        """While values go from a path to what follows: it is an error only where they are read."""
        was, self._carrying = self._carrying, True
        try:
            yield
        finally:
            self._carrying = was

    def stale(self, value):
        """What has changed an array behind its name's back: a Stale, or None."""
        memory = value.memory if isinstance(value, Staged) else None
        if memory is None or memory.stale is not None:
            return memory and memory.stale
        change = self._found(WRITTEN, memory)
        return change and Stale(change, value.shown(), value.place)

    def owner(self, memory):
        """Whose a memory is, None if it may be written."""
        if memory.owner is not None:
            return memory.owner
        if memory.frame is not None and memory.frame is not self.trace.frame:
            return AROUND
        change = self._found(KEPT, memory)
        return change and change.what

    def _found(self, kind, memory):
        for change in reversed(self.changes):
            if change.order < memory.order:
                return None
            if change.kind == kind and shares(change.memory, memory):
                return change
        return None

    def write(self, value, what):
        """The memory of an array is written: what other names have of it is not read any more."""
        memory = self.of(value) or self.fresh("somebody else's array")
        self._check_owner(memory, what, value.hint if isinstance(value, Staged) and value.hint else "a")
        self._add(WRITTEN, memory, what, self.trace.place())

    def _check_owner(self, memory, what, name):
        owner = self.owner(memory)
        if owner is not None:
            for array, of_array in self.arrays.values():
                if shares(of_array, memory):
                    self.trace.numpys.become_staged(array)
            error = StagingError("LT0317", f"{what}, and its memory may be that of {owner}", self.trace.place(),
                                 f"NumPy would change both: change a copy, {name} = {name}.copy()")
            frame = self.trace.frame
            if owner is AROUND and frame.outer is not None:     # within that function it may be changed
                raise NeedsInlining(frame.specialisation, error)
            raise error

    def keep(self, value, where):
        """A list or a structure holds an array from now on: it is not written any more."""
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, tuple):
                self.keep(part, where)
            elif isinstance(part, np.ndarray) and part.ndim or isinstance(part, Staged) and part.memory is not None:
                place, memory = self.trace.place(), self._of_array(part) if isinstance(part, np.ndarray) else part.memory
                self._add(KEPT, memory, f"what was put into {where}" + (f" at {place}" if place else ""), place)

    def _add(self, kind, memory, what, place):
        self.changes.append(Change(kind, memory, what, place, self.now()))

    # Paths

    def mark(self):
        return len(self.changes)

    def undo(self, mark):
        del self.changes[mark:]

    def collect(self, mark):
        """The changes since `mark`, which are undone."""
        changes = self.changes[mark:]
        self.undo(mark)
        return changes

    @contextlib.contextmanager
    def behind(self, changes):
        """As it is behind a path."""
        mark = self.mark()
        self.changes += changes
        try:
            yield
        finally:
            self.undo(mark)

    def parts(self, value):
        """What a value brings from the path that is being traced: Parts."""
        if isinstance(value, tuple):
            return [part for element in value for part in self.parts(element)]
        memory = self.of(value)
        return [] if memory is None else [Part(memory, self.owner(memory), self.stale(value))]

    def joined(self, paths, since=None, pairs=()):
        """The memories of what a statement gives. paths: for each, the Parts of each value. pairs: (i, j) of values that may share
        one besides. since: the time at which a loop began; what is made in a turn of it is another one in each turn."""
        group, memories = set(), []
        for column in zip(*paths):
            parts = [part for parts in column for part in parts]
            sources = [part.memory for part in parts]
            if since is not None:
                sources = [source for memory in sources for source in before(memory, since)]
            memories.append(Memory(self.now(), self.trace.frame, tuple(dict.fromkeys(sources)), group, next((p.owner for p in parts if p.owner), None),
                                   next((p.stale for p in parts if p.stale), None)) if parts else None)
        for (i, one), (j, other) in itertools.combinations(enumerate(memories), 2):
            if one is not None and other is not None and ((i, j) in pairs or any(
                    shares(a.memory, b.memory) for path in paths for a in path[i] for b in path[j])):
                group.add(frozenset((one, other)))
        return memories


class Turns:
    """What the turns of a loop do to memory: a turn begins with what was before the loop, or with what a turn has left."""

    def __init__(self, memories):
        self.memories = memories
        self.since = memories.now()
        self.ends = None        # the Parts of the loop's variables behind a turn
        self.carried = {}       # (kind, memory older than the loop) → the Change that a turn makes of it
        self.known = None       # what a turn was traced with

    def begin(self, values):
        """The memories of the loop's variables at the beginning of a turn, or behind the loop. values: what they were before it."""
        paths = [[self.memories.parts(value) for value in values]]
        if self.ends is not None and len(self.ends) == len(values):
            paths.append(self.ends)
        for (kind, memory), change in self.carried.items():
            self.memories.changes.append(dataclasses.replace(change, memory=memory, order=self.memories.now()))
        made = self.memories.joined(paths, self.since)
        self.known = self._summary(made)
        return made

    def end(self, before_loop, values, changes):
        """A turn has ended with `values`, and has made these changes; whether that is news to the next one."""
        memories = self.memories
        with memories.behind(changes):
            self.ends = [memories.parts(value) for value in values]
        for change in changes:
            for memory in before(change.memory, self.since):
                self.carried.setdefault((change.kind, memory), change)
        known, mark = self.known, memories.mark()
        self.begin(before_loop)
        memories.undo(mark)
        return self.known != known

    def _summary(self, made):
        numbers = {memory: number for number, memory in enumerate(made) if memory is not None}
        group = next((memory.group for memory in numbers), ())
        # Which arrays known while staging it may be is no news: they have an owner, and the same code makes others in each turn.
        return ([memory and (frozenset(source for source in memory.sources if source.order), bool(memory.owner), bool(memory.stale)) for memory in made],
                {frozenset(numbers[memory] for memory in pair) for pair in group}, set(self.carried))


class Sharing:
    """What calls of a define mean for memory. Places number its formals and then its captures.

    results: of each of its results, (the places whose memory it may have, whose else it is). pairs: of results that may share one.
    changes: {(kind, place): Change}.
    """

    def __init__(self, results=(), pairs=frozenset(), changes=None):
        self.results, self.pairs, self.changes = results, pairs, changes or {}

    def summary(self):
        return [(places, bool(owner)) for places, owner in self.results], self.pairs, set(self.changes)


def sharing_of(trace, define, values, mark):
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
        else:
            _write_argument(trace, define, actuals, place, change)
    return memories.joined([parts], pairs=sharing.pairs)


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
