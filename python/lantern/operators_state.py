"""State of statements that is no variable: attributes and items, and the objects that have them."""
from __future__ import annotations

import inspect
import types as python_types

from lantern.staging.lists import Opaque
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.values import MaybeBound, Staged, Undefined


def nothing(*_):
    """What reads or stores the state of a statement that has none."""
    return ()


def ldu(load, name):
    """Reads a state that may not exist yet: an attribute, a variable."""
    try:
        value = load()
    except (AttributeError, NameError, KeyError, IndexError):
        return Undefined(name)
    return Undefined(name) if value is NOWHERE else value


def held(variable):
    """The object whose attributes are state, of a variable that has one on some of the paths that lead here."""
    return variable.value if isinstance(variable, MaybeBound) else NOWHERE if isinstance(variable, Undefined) else variable


class _Nowhere:
    """Stands for the object where there is none: what is in it is nowhere, and what is stored there is lost."""

    def _itself(self, _name):
        return self

    def _lost(self, _name, _value):
        pass

    __getattr__, __getitem__, __setattr__, __setitem__ = _itself, _itself, _lost, _lost


NOWHERE = _Nowhere()


def own(owner):
    """The object that has an attribute which is state. What the user's code computes, a property, is none: what it stores is."""
    if type(owner) is PerhapsNone:
        return NOWHERE
    return owner if isinstance(owner, (_Nowhere, Staged)) or not any(map(_is_computed, _members(type(owner)))) else _Own(owner)


def owner(load):
    """The same of an element that may not be there, or stands in a list of the program, whose elements are no state of Python's."""
    try:
        value = load()
    except (AttributeError, NameError, KeyError, IndexError):
        return NOWHERE
    return NOWHERE if type(value) is Opaque else own(value)


class _Own:
    """Stands for an object: what its class computes is nowhere, and what is stored there is lost."""

    __slots__ = ("_owner",)

    def __init__(self, owner):
        object.__setattr__(self, "_owner", owner)

    def __getattr__(self, name):
        if _is_computed(inspect.getattr_static(type(self._owner), name, None)):
            raise AttributeError(name)
        return getattr(self._owner, name)

    def __setattr__(self, name, value):
        if not _is_computed(inspect.getattr_static(type(self._owner), name, None)):
            setattr(self._owner, name, value)


def _members(cls):
    return (member for each in cls.__mro__ for member in vars(each).values())


def _is_computed(member):
    """Whether code in Python stores an attribute that a class has as `member`."""
    return isinstance(member, property) or isinstance(getattr(type(member), "__set__", None), python_types.FunctionType)
