"""What operators on the hash tables of dicts and sets compute, in plain Python: as runtime/include/lantern/hash_table.h does."""
import struct

FREE = -1
_MASK = (1 << 64) - 1
_GOLDEN = 0x9e3779b97f4a7c15


def _hash(key):
    """A number that is not negative, the same for equal keys."""
    if isinstance(key, str):
        text = key.encode("utf-8", "surrogateescape")
        mixed, end = len(text) * _GOLDEN & _MASK, max(len(text) - 1, 0) // 8 * 8
        for at in range(0, end, 8):
            mixed = _mixed(mixed, text[at:at + 8])
        rest = text[end:]
        return _mixed(mixed, rest[:4] + rest[-4:] if len(rest) >= 4 else bytes([rest[0], rest[len(rest) // 2], rest[-1]]) if rest else b"") >> 1
    if isinstance(key, tuple):
        parts = _leaves(key)
        if len(parts) == 1:
            return _hash(parts[0])
        mixed = len(parts)
        for part in parts:
            mixed = _mixed(mixed, _hash(part).to_bytes(8, "little"))
        return mixed >> 1
    if isinstance(key, float):
        return _mixed(0, struct.pack("<d", key if key else 0.0)) >> 1     # of 0.0 and -0.0 the same
    number = int(key)
    return number if number >= 0 else -1 - number


def _mixed(mixed, part):
    """With at most eight bytes."""
    product = (mixed ^ int.from_bytes(part, "little")) * _GOLDEN
    return product & _MASK ^ product >> 64


def _leaves(key):
    return [leaf for part in key for leaf in _leaves(part)] if isinstance(key, tuple) else [key]


def as_key(number):
    """A number that is to be a key, which NaN cannot be: it equals no other, and in Python itself where it is the same object."""
    if number != number:
        raise ValueError("nan is a key of a dict, or an element of a set")
    return number


def slot_for(slots, keys, key):
    """The slot of a key, or the free one where it belongs; -1: neither is there."""
    size = 1 << len(slots).bit_length() >> 1
    rest = _hash(key)
    slot = rest & (size - 1)
    for _ in range(size + 13 if size else 0):
        entry = slots[slot]
        if entry == FREE or 0 <= entry < len(keys) and keys[entry] == key:
            return slot
        rest >>= 5
        slot = (5 * slot + rest + 1) & (size - 1)
    return -1


def find_key(slots, keys, key):
    """The number of a key; -1: it is not there."""
    slot = slot_for(slots, keys, key)
    return -1 if slot < 0 else slots[slot]


def make_slots(size, removed, keys):
    """So many slots, with the keys, but for those whose numbers are in `removed`, and those for which no slot is left."""
    return _filled([FREE] * size, keys, sorted(set(range(len(keys))) - set(removed)))


def with_slot(slots, keys):
    """Slots of keys of which the last is in none yet, with that one; twice as many if it takes more than two thirds."""
    entry = len(keys) - 1
    slots = _filled(list(slots), keys, range(entry, entry + 1) if keys else ())
    if 3 * len(keys) <= 2 * len(slots):
        return slots
    return _filled([FREE] * 2 * len(slots), keys, sorted(set(slots) & set(range(len(keys)))))


def _filled(slots, keys, entries):
    for entry in entries:
        slot = slot_for(slots, keys, keys[entry])
        if slot >= 0:
            slots[slot] = entry
    return slots


BODIES = {"as-key": as_key, "find-key": find_key, "slot-for": slot_for, "with-slot": with_slot, "make-slots": make_slots}
