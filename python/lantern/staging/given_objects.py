"""Numbered objects (numbered.py) in what an entry gives: Python's objects again, made of the lists that hold their attributes.

    return ps               # (tuple ps particle_x particle_v)

The entry gives these lists, too, and of each object that its result leads to one of Python's is made, once, of the user's class; no constructor runs.
"""
from __future__ import annotations

import collections
import operator
import weakref

from lantern import dispatch
from lantern.staging import enumerations, instances, numbered_classes
from lantern.staging.errors import StagingError
from lantern.staging.families import CLASS, PLACE
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.snapshots import is_users_class, slots_of
from lantern.staging.values import Staged


def of_entry(trace, made, value):
    """What a function gives that has objects of its own: with their lists, where there are such objects in it."""
    found = _homes(trace, [value])
    if not found:
        return value
    if not made.fixed:
        name = found[0].key[1]
        raise StagingError("LT0312", f"'{made.name}', which a derivative is taken of, gives a {name}, which it has made", trace.place(), "return a number of it")
    columns = {home: trace.numbered.objects_of(home).columns for home in found}
    classes = {home: (trace.numbered.class_at(home), dict(trace.numbered.objects_of(home).members)) for home in found}
    return Given(weakref.ref(trace), value, columns, classes, {home: of for home in found if (of := trace.numbered.family_of(home))})


def _homes(trace, values):
    """The Homes of the objects that values lead to."""
    found, seen, pending = [], set(), collections.deque(values)
    while pending:
        value = pending.popleft()
        if id(value) in seen:
            continue
        seen.add(id(value))
        homes = []
        if isinstance(value, Staged):
            homes = numbered_classes.homes_in(value.type)
        elif numbered_classes.is_numbered(value):
            homes = [type(value).__lantern_home__]
        elif type(value) is PerhapsNone:
            pending.append(value.value)
        elif type(value) is list:
            contents = trace.lists.contents(value)
            pending.extend([contents] if isinstance(contents, Staged) else contents)
        elif type(value) is dict:
            pending.extend(value.values())
        else:
            pending.extend(instances.parts(value) or ())
        for home in (each for own in homes for each in trace.numbered.homes_with(own)):
            if home not in found:
                found.append(home)
                pending.extend(trace.numbered.objects_of(home).columns.values())
    return found


class Given:
    """A result, and {Home: {attribute: list}}, and {Home: (the user's class, {attribute: the enumeration of which it is a member, or None})}, and {Home of a family: the Homes of its classes}. trace: a reference to the one that it is of, as long as that is there."""

    def __init__(self, trace, value, columns, classes, families):
        self.trace, self.value, self.columns, self.classes, self.families = trace, value, columns, classes, families

    def __lantern_parts__(self):
        names = [(home, name) for home, columns in self.columns.items() for name in columns]

        def build(parts):
            value, *lists = parts
            columns = {home: {} for home in self.columns}
            for (home, name), list_ in zip(names, lists):
                columns[home][name] = list_
            is_traced = dispatch.active_trace() is not None and dispatch.active_trace() is self.trace()
            return Given(self.trace, value, columns, self.classes, self.families) if is_traced else _put_together(value, columns, self.classes, self.families)

        return build, [self.value, *(self.columns[home][name] for home, name in names)]


def _put_together(value, columns, classes, families):
    """A result with Python's objects in the place of the numbered ones."""
    made, begun, seen = {}, [], set()

    def of(reference):
        family = next((home for home, homes in families.items() if reference.home == home or reference.home in homes), None)
        if family is not None:
            own = columns[family]
            reference = numbered_classes.Reference(families[family][own[CLASS][reference.number]], own[PLACE][reference.number])
        if reference not in made:
            made[reference] = object.__new__(classes[reference.home][0])
            begun.append(reference)
        return made[reference]

    result = _replaced(value, of, seen)
    while begun:
        reference = begun.pop()
        for name, column in columns[reference.home].items() if "" not in columns[reference.home] else ():
            members, held = classes[reference.home][1].get(name), _replaced(column[reference.number], of, seen)
            object.__setattr__(made[reference], name, held if members is None else enumerations.made(members, held))
    return result


def _replaced(value, of, seen):
    """A value with objects in the place of references. What has been put together of the program's results is changed as it is."""
    if type(value) is numbered_classes.Reference:
        return of(value)
    if isinstance(value, tuple):
        now = [_replaced(part, of, seen) for part in value]
        return value if all(map(operator.is_, value, now)) else tuple.__new__(type(value), now)
    if id(value) in seen:
        return value
    if type(value) is list:
        value[:] = [_replaced(each, of, seen) for each in value]
    elif isinstance(value, collections.deque):
        for _ in range(len(value)):
            value.append(_replaced(value.popleft(), of, seen))
    elif isinstance(value, dict):
        value.update([(key, _replaced(held, of, seen)) for key, held in value.items()])
    elif is_users_class(type(value)) and not hasattr(type(value), "__lantern_struct__"):
        seen.add(id(value))
        for name in (*getattr(value, "__dict__", ()), *slots_of(value)):
            held = getattr(value, name)
            if (now := _replaced(held, of, seen)) is not held:
                object.__setattr__(value, name, now)
    return value
