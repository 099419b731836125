"""Arrays that stand in lists, and are changed where they stand:

    grads[k] += g           NumPy changes the array in grads[k], by whatever name, and puts the same one there again
    grads[k][0] = x         the same
    row = grads[k]; row += g

In the program the list gets a new array there, and what else may be the old one, or a view of it, is left behind: it is not read any more. So the memory
of what a list holds knows that of the arrays in it, `Memory.held`:

    a = np.zeros(3)
    f.append(a)             what f holds may be in the memory of a
    b = f[0]                b may be in the memory of what f holds
    f[i] += 1.0             that is written: neither a nor b is read any more, nor a list that has come of f, as f[:] has

An array is changed in its place where it is in no other, and nobody's but the list's: what was put there had been made by the function, and nothing held it.
Else the memory has an owner. Lists of lists, and of tuples that hold arrays, are such owners.
"""
from __future__ import annotations

import itertools
import operator

from lantern import types
from lantern.lazy_numpy import np
from lantern.staging import displays
from lantern.staging.errors import StagingError
from lantern.staging.memory import ELEMENT, IN, Memory, Part, is_of_arrays, shares, whose
from lantern.staging.values import Staged
from lantern.staging.views import Root, View

TWICE = "an array in another place of the list"

# Operators whose results hold elements of their operands, each at one place at most, if it has been at one.
_KEEPING = frozenset(("slice", "strided", "remove", "pop", "reverse", "copy", "empty", "concat"))


def of(memories, value):
    """What is known of the arrays in a list, staged contents or elements that Python knows; None where it holds none: a Part."""
    if isinstance(value, Staged):
        memory, type_ = value.memory, value.declared_type
        if memory is None or memory.held is None:
            return Part(memories.fresh(ELEMENT), ELEMENT, None) if is_of_arrays(type_) else None
        return Part(memory.held, memories.owner(memory.held) if is_of_arrays(type_) else memory.held.owner or ELEMENT, None)
    values = memories.trace.lists.raw(value)
    if isinstance(values, Staged):
        return of(memories, values)
    return _of_elements(memories, values) if values and all(map(_is_array, values)) else None


def parts_of_known(memories, list_):
    """What a list that Python knows brings from the path that is being traced, besides the lists in it."""
    contents = memories.trace.lists.raw(list_)
    if isinstance(contents, Staged) or displays.only_kind(contents):
        return []
    held, stale = of(memories, contents), next((part.stale for each in contents for part in memories.parts(each) if part.stale), None)
    return [] if held is None and stale is None else [Part(memories.fresh(), None, stale, held)]


def _is_array(value):
    return isinstance(value, Staged) and isinstance(value.type, types.TensorType) and bool(value.type.dims) or isinstance(value, np.ndarray) and value.ndim > 0


def _of_elements(memories, values):
    found = []
    for value in values:
        parts = memories.parts(value)
        if any(shares(part.memory, other.memory) for part in parts for other in found):
            parts.append(Part(memories.fresh(TWICE), TWICE, None))
        found += parts
    return joined(memories, found)


def joined(memories, parts, owner=None):
    """What is known of arrays, each of which may be one of these. owner: who has them, if that is not known of each."""
    owner = whose([*parts, *([] if owner is None else [Part(None, owner, None)])])
    return Part(Memory(memories.now(), memories.trace.frame, tuple(dict.fromkeys(part.memory for part in parts)), owner=owner), owner, None)


def of_result(memories, name, operands):
    """The memory of the arrays in a list that an operator gives."""
    parts = []
    for operand in operands:
        if type(operand) is list or isinstance(operand, Staged) and not _is_array(operand):
            parts.append(of(memories, operand))
        elif _is_array(operand):
            parts += memories.parts(operand)
    parts = [part for part in parts if part is not None]
    is_twice = name == "concat" and any(shares(one.memory, other.memory) for one, other in itertools.combinations(parts, 2))
    return joined(memories, parts, TWICE if is_twice else None if name in _KEEPING else ELEMENT).memory


def put(memories, name, contents, value, type_, where):
    """A value becomes an element of staged contents, which are of that type then: their memory. where: of whom, None if nobody holds the list."""
    parts = None
    if is_of_arrays(type_) and is_of_arrays(contents.type):
        held, parts = of(memories, contents), memories.parts(value)
        if any(shares(held.memory, part.memory) for part in parts):
            parts.append(Part(memories.fresh(TWICE), TWICE, None))
        parts.append(held)
        if any(each.dtype != type_.element.dtype for each in (contents.type.element, memories.trace.type_of(value))):    # which makes others of them
            parts.append(Part(memories.fresh(), ELEMENT, None))
    if where is not None and not (parts and memories.is_carrying):      # at the end of a path what is joined knows it
        memories.keep(value, where)
    memory = memories.of_result(name, (contents, value), type_)
    if parts is not None:
        memory.held = memories.joined([[parts]])[0]
    return memory


def element(memories, value):
    """The memory of an element of a list of arrays."""
    held = value.memory and value.memory.held if isinstance(value, Staged) else None
    return memories.fresh(ELEMENT) if held is None else Memory(memories.now(), memories.trace.frame, (held,), owner=ELEMENT)


def columns(paths):
    """(paths, for each the Parts of each value; behind these the same of the arrays in those that hold some; the numbers of these)."""
    numbers = [number for number, column in enumerate(zip(*paths)) if any(part.held for parts in column for part in parts)]
    unknown = Part(Memory(0, owner=ELEMENT), ELEMENT, None)
    return [[*path, *([part.held or unknown for part in path[number]] for number in numbers)] for path in paths], numbers


def parts_in(memories, value):
    """The Parts of the arrays in a list, none where nothing is known of them."""
    found = of(memories, value) if type(value) is list or isinstance(value, Staged) else None
    return [] if found is None else [found]


def argument(trace, value, type_):
    """The node of what a function is given. The arrays in a list are known to its calls (sharing.py), so that nothing is kept."""
    return trace.lists.node(value, type_, False) if type(value) is list and is_of_arrays(type_) else trace.coerce(value, type_)


def keep(memories, value, where):
    """A list is put into something that staging does not follow: with it, its arrays."""
    contents = memories.trace.lists.raw(value) if type(value) is list else value
    if isinstance(contents, Staged):
        if contents.memory is not None and contents.memory.held is not None:
            memories.keep_memory(contents.memory.held, where)
        return
    for each in contents:
        memories.keep(each, where)


def owner_error(trace, owner, what, name=None):
    """An array that is written is somebody else's. name: its own; None: it stands in a list."""
    hint = "put a new array into the list, rows[i] = rows[i] + x; or row = rows[i].copy(), row[0] = x, rows[i] = row" if owner == ELEMENT or name is None else \
        f"change a copy, {name} = {name}.copy()"
    return StagingError("LT0317", f"{what}, and its memory may be that of {owner}", trace.place(), f"NumPy would change both: {hint}")


def spoken(trace, target):
    """How a message speaks of an array that changes."""
    return f"an element of {trace.lists.shown(target.stands_in.list)}" if not target.hint and target.stands_in is not None else target.shown()


def shown(trace, contents):
    """How a message speaks of the arrays in a list."""
    list_ = trace.lists.holder(contents)
    return f"{IN} {contents.shown() if list_ is None else trace.lists.shown(list_)}"


# Changes

class Place:
    """Where an array was read from a list: the list, its place, and what the list held."""

    def __init__(self, list_, key, contents):
        self.list, self.key, self.contents = list_, key, contents


def own(memories, type_):
    """The memory of a list of arrays that have just been made, and which nobody has; None of values of another type."""
    memory = memories.fresh() if is_of_arrays(type_) else None
    if memory is not None:
        memory.held = memories.fresh()
    return memory


def readable(trace, list_, contents):
    """The contents of a list that Python knows, of which an element is read. It stays as it is, and nothing is kept."""
    type_ = trace.lists.type_of(contents)
    staged = trace.lists.staged_contents(contents, type_, not is_of_arrays(type_))
    if is_of_arrays(type_) and type(list_) is list:
        trace.lists.read_as[id(list_)] = list_, contents, staged
    return staged


def read(trace, list_, key, contents, found):
    """`found` is what a list has at a place, an array perhaps."""
    if type(list_) is list and isinstance(found, Staged) and is_of_arrays(contents.type):
        found.stands_in = Place(list_, key, contents)
    return found


def gone_to(trace, list_, contents, place):
    """The array that stands at a place of a list, to which a loop comes. contents: what it held when the loop began."""
    is_live = type(list_) is list and trace.lists.is_own(list_) and isinstance(trace.lists.raw(list_), Staged)
    contents = trace.lists.raw(list_) if is_live else contents
    with trace.memories.carrying(False):
        trace.memories.read(contents)
    return read(trace, list_ if is_live else None, place, contents, trace.emit("index", (contents, place)))


def stands(trace, target):
    """Whether an array is known to stand in a list of the program's, at a place."""
    place = target.stands_in if isinstance(target, Staged) else None
    if place is not None and not trace.lists.is_own(place.list):
        trace.lists.check_change(place.list, trace.at)      # of a function around, whose calls can carry it
    if place is None or not trace.lists.is_own(place.list) or not trace.in_scope(place.contents):
        return False
    return trace.lists.raw(place.list) is place.contents or _is_read_as(trace, place)


def _is_read_as(trace, place):
    """Whether a list that Python knows holds what it held when the array was read."""
    contents, (_, held, staged) = trace.lists.raw(place.list), trace.lists.read_as.get(id(place.list), (None, (), None))
    return staged is place.contents and type(contents) is list and len(contents) == len(held) and all(map(operator.is_, contents, held)) \
        and any(entry is staged.binding for entry, _ in reversed(staged.block.entries))


def write(trace, target, what):
    """The array that stands in a list is written."""
    place, memories = target.stands_in, trace.memories
    trace.lists.check_change(place.list, trace.at)
    contents = place.contents
    memories.check_owner(contents.memory.held or memories.fresh(ELEMENT), what, None)
    memories.read(target)
    if trace.lists.raw(place.list) is not contents:     # from here on it is what the list holds
        parts = memories.parts(contents)
        for value in trace.lists.raw(place.list):
            memories.keep(value, trace.lists.shown(place.list))
        contents = contents.named(contents.hint, contents.place, memories.joined([[parts]])[0])
        trace.lists.become(place.list, contents)
    memories.written(contents.memory.held, what)
    trace.lists.renew(place.list)


def replace(trace, target, result, what):
    """The same, and a name of it: the array is `result` now."""
    from lantern.staging import list_methods
    place = target.stands_in
    write(trace, target, what)
    before = trace.lists.raw(place.list)
    list_methods.setitem(trace, place.list, place.key, result, trace.at)
    contents = trace.lists.raw(place.list)
    trace.lists.note_places(contents, before, 1)
    other = result.named(result.hint or target.hint, result.place, element(trace.memories, contents))
    other.part_of = View(Root(None, trace.frame, trace.memories.now()))
    other.stands_in = Place(place.list, place.key, contents)
    return other
