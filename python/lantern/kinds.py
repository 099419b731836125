"""What the arguments of a compiled function are to it: of a type, known while it is staged, or containers of Python's that are opened.

    {"w": np.zeros(3), "act": "relu"}    a dict of the keys "w", "act", and in these (tensor f64 3), and "relu", which is known

A dict is opened, and so are named tuples, and the lists and tuples that either stands in: the keys, and how many parts there are, are
known while the function is staged; the parts are given to it one by one, in order. Other tuples are the program's own, which takes them
apart itself, and lists are of any length.
"""
from __future__ import annotations

import collections
import enum

from lantern import abi, dispatch, types
from lantern.records import Record

MOST_VALUES = 1000      # of an argument that is opened: the program has a parameter for each


class Opened(Record):
    """A dict, list, tuple or named tuple. keys: of a dict, each a types.Known; else the places."""
    made_by: type
    keys: tuple
    parts: tuple

    def items(self):
        """(key, kind) of the parts."""
        return [(key.value if self.made_by is dict else key, part) for key, part in zip(self.keys, self.parts)]

    def together(self, parts):
        """Such a container of these parts."""
        if self.made_by is dict:
            return dict(zip((key.value for key in self.keys), parts))
        return self.made_by(*parts) if hasattr(self.made_by, "_fields") else self.made_by(parts)


class Same(Record):
    """The dict or list that stands at another place of the arguments, too. path: that place, ("params", "layer1")."""
    path: tuple


class Kinds:
    """The kinds of the arguments of one call."""

    def __init__(self):
        self._places = {}       # id of a dict or list that is opened → its path

    def of(self, name, value):
        """The type of an argument; Opened, Same or types.Known."""
        if not any(type(each) is dict or hasattr(each, "_fields") for each in _containers(value)):
            return types.type_of(value)
        opening = _Opening(self._places, value)
        try:
            kind = opening.kind((name,), value)
        except _NotOpened as error:
            if type(value) is dict:
                return types.Known(value)
            raise TypeError(str(error)) from None
        self._places = opening.places
        return kind


class _NotOpened(Exception):
    """An argument that is not taken apart, and why."""


class _Opening:
    """The opening of one argument."""

    def __init__(self, places, value):
        self.places = dict(places)
        self._shared = {each for each, count in collections.Counter(map(id, _containers(value))).items() if count > 1}
        self._around, self._count = [], 0

    def kind(self, path, value):
        """Of the argument, or a part of it."""
        type_ = None if type(value) is dict or isinstance(value, tuple) or id(value) in self._shared else _type_of_data(value)
        if type_ is not None or not _is_container(value):
            self._count += 1
            if self._count > MOST_VALUES:
                raise _NotOpened(f"more than {MOST_VALUES:,} values in dicts and named tuples, and the program would have a parameter for each: "
                                 "hold them in arrays, or in lists of numbers")
            return types.Known(value) if type_ is None else type_
        if id(value) in self._around:
            raise _NotOpened(f"a {type(value).__name__} that holds itself")
        if not isinstance(value, tuple) and self.places.setdefault(id(value), path) != path:
            return Same(self.places[id(value)])
        self._around.append(id(value))
        keys, parts = parts_of(value)
        parts = tuple(self.kind((*path, key), part) for key, part in zip(keys, parts))
        self._around.pop()
        if type(value) is dict:
            return Opened(dict, tuple(map(types.Known, keys)), parts)
        return Opened(type(value) if type(value) is list or hasattr(value, "_fields") else tuple, keys, parts)


def _is_container(value):
    return type(value) in (dict, list) or isinstance(value, tuple)


def _containers(value):
    """The dicts, lists and tuples that an argument is made of: each as often as it stands there, and what it holds once."""
    pending, seen = [value], set()
    while pending:
        value = pending.pop()
        if not _is_container(value):
            continue
        yield value
        parts = tuple(value.values()) if isinstance(value, dict) else value
        if id(value) not in seen and not _SIMPLE.issuperset(map(type, parts)):
            seen.add(id(value))
            pending.extend(parts)


_SIMPLE = frozenset((bool, int, float, str))


def _type_of_data(value):
    """The type of what a program is given; None of what it knows: bools, texts, None, members, functions and all else that no program has."""
    if value is None or isinstance(value, (bool, str, enum.Enum)) or dispatch.is_global(value):
        return None
    try:
        type_ = types.type_of(value)
    except TypeError:
        return None
    element = type_
    while isinstance(element, types.List):
        element = element.element
    return None if any(leaf in (types.string, types.none) for leaf in types.leaves(element)) else type_


def parts_of(value):
    """(keys, parts) of a container that is opened."""
    return (tuple(value), tuple(value.values())) if isinstance(value, dict) else (tuple(range(len(value))), value)


def at(path, arguments):
    """What stands at a path of the arguments, which are given by name."""
    for key in path:
        arguments = arguments[key]
    return arguments


def flattened(kind, value, what):
    """What a compiled function takes for an argument, one by one. what: names it in errors."""
    if isinstance(kind, Opened):
        return [each for part, key, held in zip(kind.parts, *parts_of(value)) for each in flattened(part, held, f"{what}[{key!r}]")]
    return [] if isinstance(kind, (Same, types.Known)) else abi.flattened(kind, value, what)


def parts_within(kind):
    """The types, and what is known, within a kind."""
    return [each for part in kind.parts for each in parts_within(part)] if isinstance(kind, Opened) else [] if isinstance(kind, Same) else [kind]
