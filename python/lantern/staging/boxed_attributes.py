"""Attributes of objects that a recursion sets: `self.pos += 1` in a parser whose methods call one another.

A define is given lists of the function around it, and gives back what it makes of them (carried.py); of an attribute that is a number Python keeps no
such thing. So a trace that meets one begins again, and the attribute is held in a list of one element from then on, which converted code reads and
sets where the user's writes the attribute:

    self.pos = 0            self.pos = [0]
    self.pos += 1           self.pos[0] += 1
"""
from __future__ import annotations

from lantern import types
from lantern.staging import attributes, instances, list_methods, merge
from lantern.staging.errors import StagingError
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.snapshots import defaults_of, is_users_class
from lantern.staging.values import Staged

_OF_LISTS = "change the list or dict that it holds: self.{name}.append(…)"
_MOST_LOOKED_AT = 10_000


class BoxedAttributes:
    """Which attributes these are, by their classes, and the lists that hold them."""

    def __init__(self, trace):
        self._trace = trace
        self._names = {}        # (module, name) of a class → the names of such attributes; each pass may make the class anew
        self._boxes = {}        # id → list

    def begin(self):
        """A trace begins."""
        self._boxes.clear()

    def may_learn(self, error):
        """Whether an error is not there any more once the attribute that it is of is held in a list."""
        cls, name = getattr(error, "attribute", None) or (None, None)
        return cls is not None and name not in self._of(cls)

    def learn(self, error):
        """The same; from now on it is."""
        if not self.may_learn(error):
            return False
        cls, name = error.attribute
        self._names.setdefault(_key(cls), []).append(name)
        return True

    def can_hold(self, value):
        """Whether a value may be one of these: a list or dict is changed as it is, and does not stand in another list here."""
        if type(value) is PerhapsNone:
            return self.can_hold(value.value)
        parts = instances.parts(value)
        if parts is not None:
            return bool(parts) and all(map(self.can_hold, parts))
        return merge.is_stageable(value) and not isinstance(value, list) and not (isinstance(value, Staged) and isinstance(value.type, types.List))

    def set(self, box, name, value, at):
        """`target.name = value` where a list holds it."""
        if not self.can_hold(value):
            raise StagingError("LT0305", f"the attribute '{name}', which a recursion sets, gets a {type(value).__name__}", self._trace.place(at),
                               _OF_LISTS.format(name=name))
        list_methods.setitem(self._trace, box, 0, value, at)

    def remedy(self, target, name):
        """What to do where a recursion cannot set an attribute."""
        held = getattr(target, name, None)
        if is_users_class(type(held)) and not hasattr(type(held), "__lantern_struct__"):
            return f"set the attributes of what it holds: self.{name}.x = …"
        if self.can_hold(held):
            return f"keep it in a list, which a function that calls itself may change: self.{name} = [0], and self.{name}[0] += 1"
        return _OF_LISTS.format(name=name)

    def box_of(self, target, name):
        """The list that holds an attribute; None if none does."""
        held = getattr(target, "__dict__", {}).get(name) if self._boxes else None
        return held if type(held) is list and id(held) in self._boxes else None

    def is_box(self, value):
        return type(value) is list and id(value) in self._boxes

    def boxed(self, target, name, value):
        """What an attribute of an object of the trace's is set to for the first time: the value, in a list where it is to be."""
        if name not in self._of(type(target)) or not hasattr(target, "__dict__"):
            return value
        box = self._trace.lists.new([value])
        self._boxes[id(box)] = box
        self._trace.lists.named(name, box, self._trace.place())
        return box

    def box_all(self, target):
        """The same of all attributes that a new object has without code of the user's: its class's, and what `dataclasses` has given it."""
        for name in self._of(type(target)):
            has = {**defaults_of(type(target)), **getattr(target, "__dict__", {})}
            if name in has and self.box_of(target, name) is None and hasattr(target, "__dict__"):
                attributes.note_of_class(self._trace, type(target), name)
                target.__dict__[name] = self.boxed(target, name, has[name])

    def check_handed(self, values, what):
        """An error where code that is not converted is given an object with such an attribute, or what holds one: it would find the list."""
        pending, seen = list(values) if self._boxes else [], set()
        while pending and len(seen) < _MOST_LOOKED_AT:
            value = pending.pop()
            if id(value) in seen:
                continue
            seen.add(id(value))
            if isinstance(value, (list, tuple)):
                pending.extend(value)
            elif isinstance(value, dict):
                pending.extend(value.values())
            elif is_users_class(type(value)):
                name = next((name for name in self._of(type(value)) if self.box_of(value, name) is not None), None)
                if name is not None:
                    raise StagingError("LT0305", f"{what} reads a {type(value).__name__}, whose attribute '{name}' a recursion sets",
                                       self._trace.place(), f"hand it the attributes that it needs, or keep '{name}' in a list: "
                                       f"self.{name} = [0], and self.{name}[0] += 1")
                pending.extend(getattr(value, "__dict__", {}).values())

    def _of(self, cls):
        return self._names.get(_key(cls), ()) if self._names else ()


def _key(cls):
    return cls.__module__, cls.__qualname__
