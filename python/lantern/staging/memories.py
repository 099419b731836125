"""Which arrays may share memory, so that no name reads what it was before another name changed it.

An array of the program never changes: `a[i] = v` and `a += v` give the variable `a` a new one. In NumPy they change memory, which
other names, views, containers and callers may share. So every array of a trace has a Memory:

    b = a[1:]       b has the memory of a
    a[0] = 5.0      that memory is written, and a has one of its own from here on
    return b        an array whose memory is written is not read any more: an error that names both

What comes out of a branch, a loop or a call may be any of several arrays: its memory has *sources*. What belongs to somebody
else (an argument of an entry, an element of a list, a field) has an *owner*, and is not written at all.

So has each list that is a value of the program. Which list a Python list is, is known (lists.py); what was read from a list of lists is known
to be one of them:

    row = max(rows)     row has the memory of what rows holds
    rows[0].append(1)   that memory is written, and what rows holds is in a new one from here on
    return row          an error
"""
from __future__ import annotations

import contextlib
import itertools

from lantern import dispatch, types
from lantern.lazy_numpy import np
from lantern.staging import held_arrays, instances
from lantern.staging.errors import NeedsInlining, StagingError
from lantern.staging.memory import AROUND, ELEMENT, KEPT, WRITTEN, Change, Memory, Part, Stale, before, holds_arrays, holds_lists, is_of_arrays, remedy, shares, whose
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.values import Staged
from lantern.staging.views import is_boxed

# The operators that give a view of their first operand, or its element.
VIEWS = frozenset(("slice", "strided", "index", "gather", "reshape", "transpose", "flip", "swap-axes", "stop-gradient"))

# Those whose last operand becomes an element of the first; of others that are given lists, only their elements are in what they give.
PUT = frozenset(("append", "insert", "write"))


class Itself:
    """A list, and not what it holds, as one of the values of a statement."""

    def __init__(self, list_):
        self.list = list_


class Memories:
    def __init__(self, trace):
        self.trace = trace
        self.changes = []       # on the path that is being traced, oldest first
        self.lists = {}         # id of a list that a staged value may be, or hold → (it, its Memory)
        self.arrays = {}        # id of a NumPy array known while staging → (the array, its Memory)
        self.with_root = {}     # of what the memories of lists have come from → the ids of those lists
        self.whole = set()      # ids of lists of which the memory says on which path they are what
        self.has_kept = False
        self._clock = itertools.count(1)
        self.is_carrying = False

    def now(self):
        return next(self._clock)

    # The memory of a value

    def fresh(self, owner=None):
        return Memory(self.now(), self.trace.frame, owner=owner)

    def one_of(self, memories):
        """What may be any of these."""
        return memories[0] if all(each is memories[0] for each in memories) else Memory(self.now(), self.trace.frame, tuple(memories))

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

    def known_since(self, order):
        """The memories of arrays known while staging that the trace has made since then."""
        homes = ((memory, self.trace.ages.home(array)) for array, memory in self.arrays.values())
        return {memory for memory, home in homes if home is not None and home.since >= order}

    def of_list(self, list_):
        """That of a list, whatever it holds."""
        if id(list_) not in self.lists:
            home = self.trace.ages.home(list_)      # a turn of a loop has blocks of its own
            self.set_list(list_, Memory(home.since if home is not None else 0))
        return self.lists[id(list_)][1]

    def set_list(self, list_, memory):
        self.lists[id(list_)] = list_, memory
        for root in memory.first:
            self.with_root.setdefault(root, []).append(id(list_))

    def lists_among(self, memories):
        """The lists whose memories may be one of these, or nearly: [(list, its Memory)]."""
        keys = {key: None for memory in memories for root in memory.first for key in self.with_root.get(root, ())}
        return [self.lists[key] for key in keys]

    def of_result(self, name, operands, type_):
        """That of what an operator gives."""
        if holds_lists(type_):
            return self._of_lists(name, operands, type_)
        if not holds_arrays(type_):
            return None
        if name in VIEWS:
            return self.of_element(operands[0], type_)
        return self.fresh()

    def of_node(self, node, type_):
        """That of what a node gives which nobody else knows more of."""
        return self._of_lists(str(node[0]), node[1:], type_) if holds_lists(type_) and isinstance(node, tuple) and isinstance(node[0], str) else self.fresh()

    def of_display(self, contents, type_):
        """That of a list of these elements, none of which is staged."""
        if not holds_lists(type_) or not holds_lists(type_.element):
            return self.fresh()
        return self.joined([[[part for value in contents for part in self._list_parts(value)]]])[0] or self.fresh()

    def of_part(self, value, type_):
        """That of a part of a tuple: a list in it may be changed, whatever arrays stand beside it."""
        memory = value.memory
        if memory is None or memory.owner != ELEMENT or not holds_lists(type_) or holds_arrays(type_):
            return memory
        return Memory(self.now(), self.trace.frame, (memory,))

    def of_copy(self, value):
        """That of a copy: a list's elements that are lists are those of the copy."""
        return self._of_lists("copy", (value,), value.declared_type) if holds_lists(value.declared_type) else self.fresh()

    def renewed(self, value):
        """That of the same value from here on, whatever has changed before."""
        return self.joined([[[Part(value.memory, self.owner(value.memory), None, held_arrays.of(self, value))]]])[0]

    def of_element(self, value, type_):
        """That of a part of a value, which is of that type: NumPy gives a view, a list its element."""
        if holds_lists(type_):
            return self._of_lists("index", (value,), type_)
        if is_boxed(value):     # of what it is now
            return self.renewed(value)
        memory = None if isinstance(value, Staged) and isinstance(value.type, types.List) else self.of(value)
        return memory if memory is not None else held_arrays.element(self, value)

    def _of_lists(self, name, operands, type_):
        """That of a list which an operator gives. It is a new one, but its elements, and what `index` gives, are the operands', or in them."""
        if name != "index" and isinstance(type_, types.List) and not holds_lists(type_.element):
            memory = self.fresh()
            memory.held = held_arrays.of_result(self, name, operands) if is_of_arrays(type_) else None
            return memory
        element = operands[-1:] if name in PUT else ()
        parts = [part for operand in operands[:len(operands) - len(element)] for part in self._list_parts(self._contents(operand))]
        parts += [part for operand in element for part in self._list_parts(operand)]
        if holds_arrays(type_):
            parts.append(Part(self.fresh(), ELEMENT, None))
        return self.joined([[parts]])[0] or self.fresh()

    # What happens to it

    def changed_by_python(self, array):
        """An array of NumPy's that is known while staging changes now: what was made of it is what it was."""
        if isinstance(array, np.ndarray) and array.ndim:
            memory, what = self._of_array(array), "a NumPy array is changed"
            self.check_owner(memory, what, "a")
            self.written(memory, what)

    def read(self, value):
        """An error if what an array holds may have changed since it came to be."""
        stale = None if self.is_carrying else self.stale(value)
        if stale is None:
            return
        if stale.of_lists:
            raise StagingError("LT0305", f"{stale.shown} may be, or hold, a list that has changed: {stale.change.what} at {stale.change.place}",
                               self.trace.place(), "Python would change both: make a copy where they part, list(…)", self._since(stale))
        is_chosen = stale.roots and stale.change.root not in stale.roots     # what was written is one of several parts of it
        hint = "NumPy would change both: say by a number which part is meant: row = a[i], where i = 0 if … else 1" if is_chosen else remedy(stale.shown)
        error = StagingError("LT0317", f"{stale.shown} may share memory that has changed: {stale.change.what} at {stale.change.place}",
                             self.trace.place(), hint, self._since(stale))
        self.trace.specialisations.carried.add_argument(*stale.change.by or (None, None))
        self.trace.views.hold(stale.roots, error)
        raise error

    def returned(self, stale, define):
        """The same error, of what a function returns."""
        if stale.of_lists:
            return StagingError("LT0305", f"{stale.change.what}, and {stale.shown}, which '{define.name}' returns, may be, or hold, that list",
                                stale.change.place, "Python would change both: return a copy, list(…)", self._since(stale))
        error = StagingError("LT0317", f"{stale.change.what}, and {stale.shown}, which '{define.name}' returns, may share its memory",
                             stale.change.place, remedy(stale.shown), self._since(stale))
        self.trace.specialisations.carried.add_argument(*stale.change.by or (None, None))
        self.trace.views.hold(stale.roots, error)
        return error

    @staticmethod
    def _since(stale):
        return [f"{stale.place}: {stale.shown} has been this array since here"] if stale.place else []

    def parted(self, value, may_share, count=2):
        """The memories of so many parts of a value. may_share: whether they may be one."""
        made = self.joined([[self.parts(value)] * count])
        if not may_share:
            made[0].group.clear()
        return made

    @contextlib.contextmanager
    def carrying(self, is_carrying=True):
        """While values go from a path to what follows: it is an error only where they are read. False: a function is called meanwhile."""
        was, self.is_carrying = self.is_carrying, is_carrying
        try:
            yield
        finally:
            self.is_carrying = was

    def stale(self, value):
        """What has changed an array behind its name's back: a Stale, or None."""
        memory = value.memory if isinstance(value, Staged) else None
        if memory is None or memory.stale is not None:
            return memory and memory.stale
        root = value.part_of and value.part_of.root
        change = self._found(WRITTEN, memory, root)
        if change is None and memory.held is not None:
            change = self._found(WRITTEN, memory.held)
            return change and Stale(change, held_arrays.shown(self.trace, value), value.place, False)
        return change and Stale(change, value.shown(), value.place, holds_lists(value.declared_type),
                                root.family & change.roots if root is not None else frozenset())

    def owner(self, memory, is_carried=False):
        """Whose a memory is, None if it may be written. is_carried: an array of a function around is held in a box that is known here."""
        if memory.owner is not None:
            return memory.owner
        if memory.frame is not None and memory.frame is not self.trace.frame and not is_carried:
            return AROUND
        change = self._found(KEPT, memory)
        return change and change.what

    def _found(self, kind, memory, root=None):
        """The last change of that kind that a memory has seen. Of the array of that root, what is held in a box is what it is behind all of its own."""
        own = root if root is not None and root.box is not None else ...
        for change in reversed(self.changes):
            if change.order < memory.order:
                return None
            if change.kind == kind and change.root is not own and shares(change.memory, memory):
                return change
        return None

    def write(self, value, what, root=None, by=None):
        """The memory of an array is written: what other names have of it is not read any more. root: that of the array, if its box takes the change.
        by: (the define that does it, the path of the argument that it is), where a call does."""
        memory = self.of(value) or self.fresh("somebody else's array")
        is_carried = root is not None and self.trace.views.is_carried(root)
        view = value.part_of if isinstance(value, Staged) else None
        self.check_owner(memory, what, value.hint if isinstance(value, Staged) and value.hint else "a", view, is_carried)
        if isinstance(value, Staged):
            self.read(value)
        if view is not None:
            root = view.root if root is not None or view.root.box is None else None
        self._add(WRITTEN, memory, what, self.trace.place(), root, by)

    def written(self, memory, what):
        """A memory is written by nobody that is known as a part of an array."""
        self._add(WRITTEN, memory, what, self.trace.place())

    def change_contents(self, contents, what):
        """The same of a list of these staged contents."""
        owner = self.owner(contents.memory)
        if owner is not None:
            raise StagingError("LT0305", f"{what}, and may be that of {owner}, which would change with it in Python", self.trace.place(),
                               "change a copy: list(…)")
        self.reach(contents, what)

    def change(self, list_, what):
        """A list changes: what may be it is not read any more."""
        if id(list_) in self.lists:
            kept = self.keeper(list_)
            if kept is not None:
                raise StagingError("LT0305", f"{what}, and may be {kept}, which would change with it in Python", self.trace.place(),
                                   "change a copy: list(…)")
            self.written(self.of_list(list_), what)

    def reach(self, contents, what):
        """A list that is staged contents, or in them, has changed."""
        self.written(contents.memory, what)

    def check_owner(self, memory, what, name, view=None, is_carried=False):
        """An error if a memory is somebody else's, and not to be written."""
        owner = self.owner(memory, is_carried)
        if owner is not None:
            for array, of_array in self.arrays.values():
                if shares(of_array, memory):
                    self.trace.numpys.become_staged(array)
            error = held_arrays.owner_error(self.trace, owner, what, name)
            if owner is AROUND:     # within that function it may be changed
                self.trace.views.set_within(view, error)
            raise error

    def keep(self, value, where, of=holds_arrays):
        """A list or a structure holds an array from now on: it is not written any more. of: which types of staged values are meant."""
        for part in (value,) if (parts := _parts(value)) is None else parts:
            if _parts(part) is not None:
                self.keep(part, where, of)
            elif of is holds_arrays and (type(part) is list or isinstance(part, Staged) and holds_lists(part.declared_type)):
                held_arrays.keep(self, part, where)
            elif isinstance(part, np.ndarray) and part.ndim or isinstance(part, Staged) and part.memory is not None and of(part.declared_type):
                self.keep_memory(self._of_array(part) if isinstance(part, np.ndarray) else part.memory, where)

    def keep_memory(self, memory, where):
        place, self.has_kept = self.trace.place(), True
        self._add(KEPT, memory, f"what was put into {where}" + (f" at {place}" if place else ""), place)

    def keeper(self, list_):
        """Who keeps a list, or None."""
        if id(list_) not in self.lists:
            return None
        memory = self.of_list(list_)
        change = self._found(KEPT, memory)
        return change.what if change else memory.owner

    def is_kept(self, memory):
        return self._found(KEPT, memory) is not None

    def _add(self, kind, memory, what, place, root=None, by=None):
        self.changes.append(Change(kind, memory, what, place, self.now(), root, frozenset() if root is None else root.family, by))

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
        if isinstance(value, Itself):
            return self._own_parts(value.list)
        if type(value) is list:
            return self._list_parts(value) + held_arrays.parts_of_known(self, value)
        if (parts := _parts(value)) is not None:
            return [part for element in parts for part in self.parts(element)]
        memory = self.trace.globals.reference(value).memory if dispatch.is_global(value) else self.of(value)
        return [] if memory is None else [Part(memory, self.owner(memory), self.stale(value), held_arrays.of(self, value) if memory.held else None)]

    def _list_parts(self, value):
        """The same of the lists that a value is or holds: the arrays that a list holds are not written, whoever has them."""
        if isinstance(value, Staged):
            return self.parts(value) if holds_lists(value.declared_type) else []
        own, contents = self._own_parts(value), self._contents(value)
        if isinstance(contents, Staged):
            return own + self._list_parts(contents)
        elements = contents if type(contents) is list else _parts(contents) or ()
        return own + [part for element in elements for part in self._list_parts(element)]

    def _own_parts(self, value):
        """Of a list itself, whatever it holds."""
        value = self.trace.lists.original(value) if type(value) is list else None
        return [Part(self.of_list(value), self.keeper(value), None)] if id(value) in self.trace.ages.known else []

    def _contents(self, value):
        """What a list holds; anything else as it is."""
        return self.trace.lists.raw(value) if type(value) is list else value

    def joined(self, paths, since=None, pairs=()):
        """The memories of what a statement gives. paths: for each, the Parts of each value. pairs: (i, j) of values that may share
        one besides. since: the time at which a loop began; what is made in a turn of it is another one in each turn."""
        group, memories = set(), []
        paths, holding = held_arrays.columns(paths)
        for column in zip(*paths):
            parts = [part for parts in column for part in parts]
            sources = [part.memory for part in parts]
            if since is not None:
                sources = [source for memory in sources for source in before(memory, since)]
            memories.append(Memory(self.now(), self.trace.frame, tuple(dict.fromkeys(sources)), group, whose(parts),
                                   next((p.stale for p in parts if p.stale), None)) if parts else None)
        for (i, one), (j, other) in itertools.combinations(enumerate(memories), 2):
            if one is not None and other is not None and ((i, j) in pairs or any(
                    shares(a.memory, b.memory) for path in paths for a in path[i] for b in path[j])):
                group.add(frozenset((one, other)))
        values = memories[:len(memories) - len(holding)]
        for number, held in zip(holding, memories[len(values):]):
            values[number].held = held
        return values


def _parts(value):
    """The parts of a tuple, an instance, or what may be None, which is one; None of anything else."""
    return (value.value,) if type(value) is PerhapsNone else instances.parts(value)
