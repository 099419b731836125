"""The table by which a dict or set of the program finds its keys: what is done to its lists, in Python that is converted.

    keys        in the order in which they came, those that were taken out among them
    slots       where keys may stand, by their hashes: the number of an entry, FREE, or TAKEN_OUT. Their number is a power of two
    removed     the numbers of the entries that were taken out

The slots where a key may stand are visited in CPython's order.
"""
from __future__ import annotations

from lantern import texts, types
from lantern.dispatch import active_trace
from lantern.staging.convert import INLINED, REQUESTED
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


def kind_of(key):
    """str, tuple or int. Of one whose type is not known so far, that is as good as any."""
    if isinstance(key, Staged):
        return str if key.type == types.string else tuple if isinstance(key.type, types.Tuple) else int
    return next((kind for kind in (str, tuple) if isinstance(key, kind)), int)


def hash_of_text(text):
    return active_trace().emit("hash", (text,)) if isinstance(text, Staged) else texts.hash_of(text)


@_part
def hash_of(key):
    """A number that is not negative, the same for equal keys."""
    kind = kind_of(key)
    if kind is str:
        return hash_of_text(key)
    if kind is tuple:
        mixed = len(key)
        for part in key:
            own = hash_of(part)
            mixed = ((mixed * 1000003) ^ own ^ (own >> 28)) & 0xfffffff
        return mixed ^ (mixed >> 11)
    number = int(key)
    return number if number >= 0 else -1 - number


@_function
def find_key(keys, slots, key):
    """The slot of a key, or the free one where it belongs."""
    last = len(slots) - 1
    rest = hash_of(key)
    slot = rest & last
    while slots[slot] != FREE and not (slots[slot] != TAKEN_OUT and keys[slots[slot]] == key):
        rest = rest >> 5
        slot = (5 * slot + rest + 1) & last
    return slot


def inserting():
    """What puts a key that is in none yet into a free slot, `inserting()(keys, slots, removed, key, slot)`: a function of the program's. Where a derivative is
    taken it stands in the code around it, so that a loop which runs backwards takes back each change."""
    specialisations = active_trace().specialisations
    if specialisations.derivatives:
        return put_key
    specialisations.inserts_by_call()
    return insert_key


@_function
def insert_key(keys, slots, removed, key, slot):
    """Puts a key that is in none yet into a free slot."""
    put_key(keys, slots, removed, key, slot)


@_part
def put_key(keys, slots, removed, key, slot):
    slots[slot] = len(keys)
    keys.append(key)
    if 3 * len(keys) > 2 * len(slots):
        size = len(slots)
        made = slots_for(keys, 2 * size, removed)
        for each in range(size):    # in its place
            slots[each] = made[each]
            slots.append(made[size + each])


@_function
def slots_for(keys, size, removed):
    """So many slots, with the keys that were not taken out."""
    slots = [FREE] * size
    gone = which_are_gone(keys, removed)
    for entry in range(len(keys)):
        if not gone[entry]:
            slots[find_key(keys, slots, keys[entry])] = entry
    return slots


@_function
def which_are_gone(keys, removed):
    """Of each entry, whether it was taken out."""
    gone = [False] * len(keys)
    for entry in removed:
        gone[entry] = True
    return gone


@_part
def take_out(slots, removed, slot):
    """Takes the key out that is in a slot."""
    removed.append(slots[slot])
    slots[slot] = TAKEN_OUT


@_function
def compacted(elements, gone):
    """Of keys, or of values, those of the entries that are still there."""
    return [elements[entry] for entry in range(len(elements)) if not gone[entry]]
