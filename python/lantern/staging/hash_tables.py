"""The table by which a dict or set of the program finds its keys: what is done to its lists, in Python that is converted.

    keys        in the order in which they came, those that were taken out among them
    slots       where keys may stand, by their hashes: the number of an entry, FREE, or TAKEN_OUT. Their number is a power of two
    removed     the numbers of the entries that were taken out

The slots where a key may stand are visited in CPython's order.
"""
from __future__ import annotations

from lantern import types
from lantern.dispatch import active_trace
from lantern.staging import instances
from lantern.staging.block import path_of
from lantern.staging.convert import INLINED, REQUESTED
from lantern.staging.keys import key_of
from lantern.staging.text import Symbol
from lantern.staging.values import Staged

FREE, TAKEN_OUT = -1, -2
FIRST_SLOTS = 8


def _function(function):
    """A function of the program's own."""
    setattr(function, REQUESTED, True)
    return function


def _part(function):
    """What is part of the code that calls it, where lists are changed in their place."""
    setattr(function, INLINED, True)
    return _function(function)


def find_key(slots, keys, key):
    """The number of a key's entry; -1: it has none."""
    return _place("find-key", slots, keys, key)


def note_entry(slots, keys, key, entry):
    """From here on, as long as slots and keys stay as they are, it is known that a key is there, and the number of its entry."""
    found, read = active_trace().block.found, _read(slots, keys, key)
    if isinstance(entry, Staged):
        found[id(entry)] = entry, read
        if read is not None:
            found[_same(read)] = entry, read


def known_entry(slots, keys, key):
    """The number of the entry of a key of which it is known that it is there, or None."""
    trace, read = active_trace(), _read(slots, keys, key)
    identity = None if read is None else _same(read)
    entries = (block.found[identity][0] for block in trace.block.chain() if identity in block.found)
    return next(filter(trace.in_scope, entries), None)


def is_missing(entry):
    """Whether the key has no entry by which `find_key` or `known_entry` gave a number."""
    known = any(id(entry) in block.found for block in active_trace().block.chain())
    return False if known else entry < 0


def _read(slots, keys, key):
    """What an entry's number depends on, or None."""
    held = [active_trace().lists.held(list_) for list_ in (slots, keys)]
    return None if None in held else (*held, key)


def _same(value):
    """Equal for what is the same wherever it is known."""
    staged = []
    return key_of(value, staged), *map(path_of, staged)


def in_parts(key):
    """A key that is a tuple, as that of its parts: who takes it apart and puts it together has the same one."""
    if isinstance(key, Staged) and isinstance(key.type, types.Tuple) and key.type.of is None:
        return tuple(in_parts(active_trace().element(key, number)) for number in range(len(key.type.elements)))
    return key


def check_numbers(key):
    """The program stops where a key is NaN, or has it as a part."""
    trace, pending = active_trace(), [key]
    while pending:
        part = pending.pop()
        type_ = trace.type_of(part)
        if isinstance(part, Staged) and isinstance(type_, types.Tuple):
            pending.extend(trace.element(part, number) for number in range(len(type_.elements)))
        elif isinstance(type_, types.Tuple):
            pending.extend(instances.parts(part) or ())
        elif type_ == types.f64 and not (isinstance(part, float) and part == part):
            checked = "a key", _same(part)
            if not any(checked in block.found for block in trace.block.chain()):
                trace.block.found[checked] = trace.emit("as-key", (part,)), part


def slot_for(slots, keys, key):
    """The slot of a key, or the free one where it belongs."""
    return _place("slot-for", slots, keys, key)


def _place(name, slots, keys, key):
    trace = active_trace()
    return trace.bind((Symbol(name), trace.resolve(_numbers(slots)), trace.node(keys), trace.node(key)), types.i64)


def make_slots(size, removed, keys):
    """So many slots, with the keys that were not taken out."""
    trace = active_trace()
    node = (Symbol("make-slots"), trace.node(size), trace.resolve(_numbers(removed)), trace.node(keys))
    return trace.lists.new(trace.bind(node, types.List(types.i64), memory=trace.memories.fresh()))


def _numbers(list_):
    """What a list of numbers holds, staged."""
    lists = active_trace().lists
    return list_ if isinstance(list_, Staged) else lists.staged_contents(lists.contents(list_), types.List(types.i64))


@_part
def insert_key(slots, keys, removed, key):
    """Puts a key that is not there behind the others, and into a free slot."""
    keys.append(key)
    if is_differentiated():
        put_slot_by_items(slots, keys, removed)
    else:
        put_slot(slots, keys)


def is_differentiated():
    """Whether a derivative is taken: then items are set one by one, so that a loop which runs backwards takes back each change."""
    specialisations = active_trace().specialisations
    if not specialisations.derivatives:
        specialisations.note_insertion()
    return specialisations.derivatives > 0


def put_slot(slots, keys):
    """The last key gets a slot."""
    trace = active_trace()
    if isinstance(slots, Staged):
        from lantern.staging.attributes import list_method
        return list_method(slots, "a key is put into it", lambda own: put_slot(own, keys))
    trace.lists.check_change(slots, trace.at)
    contents = _numbers(slots)
    memory = trace.memories.of_result("with-slot", (contents,), contents.type)
    trace.lists.change(slots, trace.bind((Symbol("with-slot"), trace.resolve(contents), trace.node(keys)), contents.type, memory=memory))


for _operator in (find_key, check_numbers, note_entry, known_entry, is_missing, slot_for, make_slots, put_slot):
    _operator.__lantern_takes_lists__ = True


@_part
def put_slot_by_items(slots, keys, removed):
    entry = len(keys) - 1
    slots[slot_for(slots, keys, keys[entry])] = entry
    if 3 * len(keys) > 2 * len(slots):
        size = len(slots)
        made = make_slots(2 * size, removed, keys)
        for each in range(size):    # in its place
            slots[each] = made[each]
            slots.append(made[size + each])


@_function
def which_are_gone(keys, removed):
    """Of each entry, whether it was taken out."""
    gone = [False] * len(keys)
    for entry in removed:
        gone[entry] = True
    return gone


@_part
def take_out(slots, keys, removed, key):
    """Takes a key out that is there."""
    slot = slot_for(slots, keys, key)
    removed.append(slots[slot])
    slots[slot] = TAKEN_OUT


@_function
def compacted(elements, gone):
    """Of keys, or of values, those of the entries that are still there."""
    return [elements[entry] for entry in range(len(elements)) if not gone[entry]]
