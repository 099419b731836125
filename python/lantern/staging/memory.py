"""What is known of the memory of one array, or list: which others may share it, whose it is, and what has changed it (memories.py)."""
from __future__ import annotations


from lantern import types
from lantern.records import Record
from lantern.staging.errors import Place

WRITTEN, KEPT = "written", "kept"


def holds_arrays(type_):
    """Whether values of a type are arrays that NumPy could change, or tuples that hold some; those of rank 0 are numbers."""
    if isinstance(type_, types.Tuple):
        return any(map(holds_arrays, type_.elements))
    return isinstance(type_, types.TensorType) and bool(type_.dims)


def holds_lists(type_):
    """Whether values of a type are lists, or tuples that hold some."""
    return isinstance(type_, types.List) or isinstance(type_, types.Tuple) and any(map(holds_lists, type_.elements))


def is_of_arrays(type_):
    """Whether values of a type are lists whose elements are arrays."""
    return isinstance(type_, types.List) and isinstance(type_.element, types.TensorType) and bool(type_.element.dims)


def has_memory(type_):
    return holds_arrays(type_) or holds_lists(type_)


class Change(Record):
    """`memory` was written, or was kept by a list or a structure. what: "an item of 'a' is set", or who keeps it. root: of the array that was written
    (views.py), if that is known; roots: that, and those that it may come of. by: (the define that was given the array and wrote to it, the path of
    that argument)."""
    kind: str
    memory: Memory
    what: str
    place: Place | None
    order: int
    root: object = None
    roots: frozenset = frozenset()
    by: tuple | None = None


class Stale(Record):
    """What an array was when `change` came about; its name, and where that began to mean it. roots: those that it has in common with what was
    written."""
    change: Change
    shown: str
    place: Place | None
    of_lists: bool
    roots: frozenset = frozenset()


class Memory:
    """order: when it came to be. frame: in the trace of which function. sources: the older ones of which it may be one. group: of
    what one statement gives, the pairs that may be one. owner: whose it is, if it must not be written. stale: what had
    happened to the array that came in. held: of a list, that of the arrays in it (held_arrays.py); None: there are none, or nothing is known."""

    def __init__(self, order, frame=None, sources=(), group=None, owner=None, stale=None):
        self.order, self.frame, self.sources, self.group, self.owner, self.stale = order, frame, sources, group, owner, stale
        self.held = None
        first = frozenset().union(*(source.first for source in sources)) if sources else frozenset((id(self),))
        self.first = first if group is None else first | {id(group)}    # memories without one in common are not one


def shares(one, other):
    """Whether two memories may be one. The newer of two is one of its sources, all of which the older one knew."""
    pending, seen = [(one, other)] if not one.first.isdisjoint(other.first) else [], set()
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


AROUND, ELEMENT, IN = "an array of the function around", "an element of a list", "an array in"


def remedy(shown):
    """What to do where an array, as a message speaks of it, may share memory that has changed."""
    if shown.startswith(IN):
        return "NumPy would change both: put copies into lists, xs.append(a.copy()), or copy the arrays of a list, too, [a.copy() for a in xs]"
    name = shown.strip("'") if shown.startswith("'") and shown.strip("'").isidentifier() else "b"
    return f"NumPy would change both: make a copy where they part, {name} = {name}.copy()"


class Part(Record):
    """A memory that an array may be in, and what is known of it on the path that the array comes from. held: of a list, the same of the arrays in it."""
    memory: Memory
    owner: str | None
    stale: Stale | None
    held: object = None


def whose(parts):
    """Who else has an array that may be any of these, or None. What a function around has, its calls are given; what somebody else has, they are not."""
    owners = [part.owner for part in parts if part.owner]
    return next((owner for owner in owners if owner is not AROUND), owners[0] if owners else None)
