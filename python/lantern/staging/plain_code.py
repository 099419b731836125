"""What code of the user's may read of Python's state that runs as plain Python while a program is staged.

A function marked ag.do_not_convert, a generator, `__new__`, the body of a class: they read globals that their code names, variables that they
close over, what they are given, and of all these the attributes that their code names. So do the functions and classes found there.
"""
from __future__ import annotations

import dataclasses
import dis
import inspect
import sys
import types as python_types

from lantern.staging import attributes
from lantern.staging.debugging import codes_within
from lantern.staging.errors import is_plain
from lantern.staging.identity import cached_by_identity
from lantern.staging.keys import cells_of, global_names_of
from lantern.staging.snapshots import is_users

_MISSING = object()


def note_function(trace, function, arguments=()):
    """A function of the user's stays as it is, and is called."""
    _noted(trace, lambda reading: reading.function(function, arguments))


def note_construction(trace, cls):
    """A class of the user's is called whose constructor stays as it is."""
    _noted(trace, lambda reading: reading.constructor(cls))


def note_class_body(trace, cls):
    """The body of a class has run, in the function that called the caller."""
    frame = sys._getframe(2)
    bodies = [code for code in codes_within(frame.f_code) if code.co_name == cls.__name__ and not code.co_flags & inspect.CO_NEWLOCALS]
    for code in bodies:
        held = [frame.f_locals[name] for name in code.co_freevars if name in frame.f_locals]
        _noted(trace, lambda reading, code=code, held=held: reading.code(code, frame.f_globals, held))


def _noted(trace, read):
    if trace.frame is not None:
        reading = _Reading()
        read(reading)
        reading.note(trace)


@cached_by_identity
def _attribute_names_of(code):
    """The names of attributes that a code object, and those within it, read."""
    names = {instruction.argval: None for instruction in dis.get_instructions(code) if instruction.opname in ("LOAD_ATTR", "LOAD_METHOD")}
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            names.update(dict.fromkeys(_attribute_names_of(constant)))
    return tuple(names)


class _Reading:
    def __init__(self):
        self._seen = set()      # ids of the functions, and of the other objects with the names, that have been looked at
        self._reads = []        # (kind, owner, name, value)
        self._stored = set()    # (id of a module's names, name) of globals that the code keeps for itself
        self._handed = []

    def note(self, trace):
        for kind, owner, name, value in self._reads:
            if (id(owner), name) not in self._stored and not trace.ages.is_young(owner):
                trace.frame.reads.note(kind, owner, name, value)
                (trace.contents.note_handed if kind == "global" else trace.contents.note)(value)
        trace.contents.note_handed(*self._handed)

    def function(self, function, arguments=()):
        if not isinstance(function, python_types.FunctionType) or is_plain(function.__code__.co_filename):
            return
        self._handed.extend(arguments)
        if self._is_new(id(function)):
            defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
            self.code(function.__code__, function.__globals__, (*arguments, *cells_of(function).values(), *defaults))

    def code(self, code, names, values):
        """values: what it knows beside the globals."""
        self._handed.extend(values)
        self._stored.update((id(names), name) for name in global_names_of(code, stored=True))
        read = {name: names[name] for name in global_names_of(code) if name in names}
        self._reads += [("global", names, name, value) for name, value in read.items()]
        for value in (*read.values(), *values):
            self._value(value, _attribute_names_of(code))

    def constructor(self, cls):
        for function in (cls.__new__, cls.__init__, getattr(cls, "__post_init__", None), type(cls).__call__):
            self.function(function)
        for field in dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ():
            self.function(field.default_factory)

    def _is_new(self, key):
        return key not in self._seen and not self._seen.add(key)

    def _value(self, value, attributes):
        from lantern.staging.calls import underlying
        if isinstance(value, (python_types.FunctionType, python_types.MethodType)):
            self.function(*underlying(value))
        elif is_users(value if isinstance(value, (type, python_types.ModuleType)) else type(value)):
            self._members(value, attributes)

    def _members(self, owner, names):
        """What a module, a class or an object has under these names. Functions and classes are taken to stay, as they are where converted code reads them."""
        if not self._is_new((id(owner), names)):
            return
        if isinstance(owner, type):
            self.constructor(owner)
        for name in names:
            found = inspect.getattr_static(owner, name, _MISSING)
            found = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
            if found is not _MISSING and not callable(found) and not hasattr(type(found), "__get__"):
                is_own = isinstance(owner, (type, python_types.ModuleType)) or attributes.is_own(owner, name)
                self._reads.append(("attribute", owner if is_own else type(owner), name, found))
            if found is not _MISSING:
                self._value(found, names)
