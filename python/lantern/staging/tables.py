"""What dicts and sets of the program have in common (dicts.py, sets.py): keys, in lists, which a hash table finds (hash_tables.py)."""
from __future__ import annotations

import enum
import typing

from lantern import types
from lantern.annotations import from_annotation
from lantern.dispatch import active_trace
from lantern.staging import enumerations, families, instances, numbered_classes
from lantern.staging.arguments import holds_staged
from lantern.staging.convert import INLINED, REQUESTED
from lantern.staging.enumerations import Member
from lantern.staging.errors import StagingError
from lantern.staging.hash_tables import (FIRST_SLOTS, FREE, check_numbers, compacted, find_key, in_parts, insert_key, is_missing, known_entry, make_slots, note_entry, slot_for, take_out,
                                         which_are_gone)
from lantern.staging.values import Staged, class_in_python


def new_list(table, which):
    """An empty list of the program of elements whose type is to be learned. which: the keys or the values of a table."""
    trace = active_trace()
    made = trace.lists.count_from_front(trace.lists.new([]))
    trace.lists.of_tables[id(made)] = made, table, which
    element = trace.empties.element(made, (which,))
    if isinstance(element, types.Unknown):
        trace.empties.tables[element.number] = table, which
    trace.lists.become_staged(made, element)
    return made


def new_numbers(numbers):
    """A list of whole numbers, of the program's if there are any."""
    trace = active_trace()
    made = trace.lists.new(list(numbers))
    if numbers:
        trace.lists.become_staged(made)
    else:
        trace.empties.declare(made, types.List(types.i64))
    return made


def is_staged_key(value):
    """Whether a value is known only when the program runs, and may be a key of a dict of the program."""
    if isinstance(value, Staged) or type(value) is Member or numbered_classes.is_by_identity(value):
        return True
    if isinstance(value, tuple):
        return holds_staged(value) or any(map(is_staged_key, value))
    return instances.is_key_by_fields(type(value)) and any(map(is_staged_key, instances.parts(value) or ()))


def checked(table, key):
    """A key, if a dict or set can have it beside those that it has: equal ones of two types, 1 and True, would be one."""
    trace = active_trace()
    type_, known = trace.type_of(key), trace.type_of(table.own_keys).element
    if _holds_number_member(key) or not _can_be_key(type_):
        hint = "make a number of it: int(…), float(…)" if isinstance(type_, types.TensorType) else "make a tuple of it" if isinstance(type_, types.List) else \
            "numbers, bools, texts, members, and tuples and frozen dataclasses of these can be"
        raise StagingError("LT0310", f"{shown(key)}, of type {types.annotation(type_)}, is a key of a {class_in_python(table).__name__}, or is looked for in it",
                           trace.place(), hint)
    if type_ is not None and not isinstance(known, types.Unknown) and type_ != known and not families.are_of_one(trace, type_, known):
        raise StagingError("LT0310", f"{shown(key)}, of type {types.annotation(type_)}, is a key of a {class_in_python(table).__name__} whose keys are "
                           f"{types.annotation(known)}, or is looked for in it", trace.place(), instances.remedy_of_lengths(type_, known) or "give all its keys one type: int(…), float(…), or tuples of one length")
    check_numbers(key)
    return key


for _function in (new_list, checked):
    _function.__lantern_takes_lists__ = True


def without(count, gone):
    """count - gone, said only where any are gone."""
    return count if type(gone) is int and gone == 0 else count - gone


def shown(key):
    return key.shown() if isinstance(key, Staged) else "this value" if holds_staged((key,)) else repr(key)


def holds_member(key):
    """Whether a key is a member of an enumeration, or has one as a part."""
    return isinstance(key, (Member, enum.Enum)) or any(map(holds_member, _parts_of(key)))


def _holds_number_member(key):
    """The same of an enumeration whose members are numbers, texts or flags: the program has no more of them than that."""
    return isinstance(key, enum.Enum) and not enumerations.is_member(key) or any(map(_holds_number_member, _parts_of(key)))


def _parts_of(key):
    return key if isinstance(key, tuple) else instances.parts(key) if instances.is_key_by_fields(type(key)) else ()


def _can_be_key(type_):
    if isinstance(type_, types.Tuple):
        cls = getattr(type_.of, "cls", object)
        return (type_.of is None or issubclass(cls, tuple) or numbered_classes.is_class_by_identity(cls) or instances.is_key_by_fields(cls) or enumerations.is_key(cls)) \
            and all(map(_can_be_key, type_.elements))
    return type_ is None or isinstance(type_, types.Unknown) or type_ in (types.i64, types.f64, types.bool_, types.string)


class Table:
    """What dicts and sets have in common: keys."""

    def __init__(self):
        self.own_keys, self.slots, self.removed = new_list(self, "keys"), new_numbers([FREE] * FIRST_SLOTS), new_numbers([])

    def called(self, name, place):
        """The user's variable, or attribute, has it: its lists are called after that."""
        lists = active_trace().lists
        lists.named(name, self, place)
        for attribute, list_ in self.lists().items():
            if lists.name_of(list_) in (None, attribute, f"self.{attribute}"):
                lists.names[id(list_)] = list_, f"{name}_{attribute.removeprefix('own_')}", place

    def declare(self, annotation):
        """The annotation of a variable that it is."""
        for list_, element in zip((self.own_keys, getattr(self, "own_values", None)), typing.get_args(annotation)):
            active_trace().empties.declare(list_, types.List(from_annotation(element, instances.annotated)))

    def hint(self):
        name, kind = active_trace().lists.name_of(self, "name"), class_in_python(self).__name__
        return f"annotate the variable: {name}: {kind}[int{', float' * (hasattr(self, 'own_values') and kind != 'Counter')}] = …"

    def lists(self):
        return {name: value for name, value in vars(self).items() if type(value) is list}

    def there(self):
        """The numbers of its entries, of what a compiled function gives."""
        removed = set(self.removed)
        return [entry for entry in range(len(self.own_keys)) if entry not in removed]

    def _entry(self, key):
        """The number of a key's entry; -1: it has none. None is no key of any."""
        if key is None:
            return -1
        known = known_entry(self.slots, self.own_keys, checked(self, key))
        return find_key(self.slots, self.own_keys, key) if known is None else known

    def _insert_key(self, key):
        insert_key(self.slots, self.own_keys, self.removed, checked(self, key) if key is None else key)

    def _found(self, key, entry):
        """The number of the entry of a key that is there."""
        note_entry(self.slots, self.own_keys, key, entry)
        return entry

    def _key(self, entry):
        """The key of an entry that was not taken out."""
        key = in_parts(self.own_keys[entry])
        self._found(key, entry)
        return key

    def _last_slot(self):
        """The slot of the key that has come last, which is the last of the list then, too."""
        slot = slot_for(self.slots, self.own_keys, self.own_keys[-1])
        if self.slots[slot] != len(self.own_keys) - 1:      # that one was taken out
            self._put_together()
            slot = slot_for(self.slots, self.own_keys, self.own_keys[-1])
        return slot

    def _take_out(self, key):
        take_out(self.slots, self.own_keys, self.removed, key)
        if len(self.removed) > 8 and 2 * len(self.removed) > len(self.own_keys):
            self._put_together()

    def _put_together(self):
        """Leaves out the entries that were taken out."""
        self._compact(which_are_gone(self.own_keys, self.removed))
        del self.removed[0:len(self.removed)]
        made = make_slots(len(self.slots), self.removed, self.own_keys)
        for slot in range(len(made)):
            self.slots[slot] = made[slot]

    def _compact(self, gone):
        self.own_keys[:] = compacted(self.own_keys, gone)

    def _entries(self, backwards=False):
        """The numbers of its entries, one by one, as long as no key comes or goes."""
        entries, size = len(self.own_keys), len(self)
        gone = which_are_gone(self.own_keys, self.removed) if self.removed else [False]
        for place in range(entries):
            entry = entries - 1 - place if backwards else place
            if not self.removed or not gone[entry]:
                yield entry
                if len(self) != size or len(self.own_keys) != entries:
                    raise RuntimeError("dictionary changed size during iteration")

    def clear(self):
        self._empty()
        self.slots.extend([FREE] * FIRST_SLOTS)

    def _empty(self):
        del self.own_keys[0:len(self.own_keys)]
        del self.removed[0:len(self.removed)]
        del self.slots[0:len(self.slots)]

    def __contains__(self, key):
        return not is_missing(self._entry(key))

    def __len__(self):
        return without(len(self.own_keys), len(self.removed))


_SYMBOLS = {"or": "|", "and": "&", "xor": "^", "add": "+", "sub": "-", "eq": "==", "le": "<=", "lt": "<", "ge": ">=", "gt": ">", "repr": "the text", "reversed": "reversed()"}


def _as_written(name):
    """A method, as a user writes it: `|` for __or__, __ror__ and __ior__."""
    plain = name.strip("_")
    symbol = _SYMBOLS.get(plain) or _SYMBOLS.get(plain[1:])
    return symbol + "=" * (plain.startswith("i") and plain not in _SYMBOLS) if name.startswith("__") and symbol else f"'{name}'"


def _refusing(name):
    def refused(self, *_, **__):
        refuse_method(self, name)
    return refused


def refuse_method(table, name):
    raise StagingError("LT0310", f"{_as_written(name)} of a {class_in_python(table).__name__} whose keys are known only when the program runs",
                       active_trace().place(), "write it as a loop")


refuse_method.__lantern_takes_lists__ = True


def refuse(cls, *names):
    """Methods that mean something else in Python's class than in that of which it is derived here."""
    for name in names:
        setattr(cls, name, _refusing(name))


def convert_methods(*classes):
    """Has the methods of these classes converted, as part of the code that calls them; what Python's class has beside them is refused."""
    for cls in classes:
        for name in dir(getattr(cls, "__lantern_class__", object)):
            if not hasattr(cls, name):
                setattr(cls, name, _refusing(name))
        setattr(cls, REQUESTED, True)
        for name, method in vars(cls).copy().items():
            if hasattr(method, "__code__") and name not in OF_STAGING:
                setattr(method, REQUESTED, True)
                setattr(method, INLINED, True)


OF_STAGING = ("called", "declare", "hint", "lists", "there", "as_python", "refuse", "adds_in_order", "has_floats", "element")


convert_methods(Table)
