"""Classes whose instances nothing changes once they are made: these are values, as those of frozen dataclasses are (frozen.py).

    s = State(0.0, 1.0)
    for i in range(n):
        s = step(s)             # makes a new State

An instance is an object to begin with, which is the same on all paths. Where a variable holds another one on another path, which is an error for
objects, the program is traced again with the instances of that class as values. Nothing may then set an attribute of one that has been made,
which other names of it would not see: that is the error that there was before.
"""
from __future__ import annotations

import contextlib
import dis
import threading
import types as python_types

from lantern import dispatch, types
from lantern.staging.errors import StagingError, user_place
from lantern.staging.snapshots import is_users_class, slots_of

_CONSTRUCTORS = "__init__", "__post_init__"
_SETS = frozenset(("STORE_ATTR", "DELETE_ATTR"))
_WITHOUT_STATE = "abc", "typing"      # the modules of ABC, Generic and Protocol
_ASKED_AT_ATTRIBUTES = "__getattribute__", "__setattr__", "__delattr__"


class Unchanged:
    """The classes of one trace whose instances are values."""

    def __init__(self, trace):
        self._trace = trace
        self._errors = {}       # (module, name) of a class, which each pass may make anew → the error that has it here
        self._names = {}        # the same of a class → the names of the attributes that its instances have, sorted
        self._guards = []       # the classes whose instances are not asked now which they are
        self._making = []       # the instances whose constructors are running

    def learn(self, error):
        """Whether an error is not there any more once the instances that it is of are values."""
        cls = error.of_class
        if cls is None or _key(cls) in self._errors or self._trace.numbered.is_learned(cls) or self._trace.numbered.is_ring(cls) or not _can_be_values(cls):
            return False
        self._errors[_key(cls)] = error
        return True

    def classes(self):
        return [error.of_class for error in self._errors.values()]

    def forget(self, cls):
        """The instances of a class are no values: they are numbered."""
        if self._errors.pop(_key(cls), None) is not None:
            for learned in self._trace.empties, self._trace.specialisations.statics:
                learned.forget(lambda type_: _has_values_of(type_, _key(cls)))

    @contextlib.contextmanager
    def guarded(self):
        """While a trace runs: which of such instances are one is not known, and those of a class without `__eq__` are equal if they are one."""
        try:
            yield
        finally:
            while self._guards:
                _unguard(self._guards.pop())

    def check_identity(self, value):
        """An error where Python asks which instance such a value is."""
        if self.is_value(value):
            name = type(value).__name__
            error = StagingError("LT0310", f"it is asked which {name} one is, and calls, branches and loops put them together anew",
                                 user_place(), f"give the class {name} a method __eq__, and no place in sets and among keys")
            error.of_class = type(value)
            raise error

    def is_value(self, value):
        """Whether a value is such an instance, made in the trace: of an older one, Python's code may set attributes between two calls."""
        if not self._errors or _key(type(value)) not in self._errors or not self._trace.ages.is_made_here(value) \
                or self.is_being_made(value):
            return False
        if type(value) not in self._guards:
            self._guards.append(type(value))
            _guard(type(value))
        names = self.names_of(value)
        return self._names.setdefault(_key(type(value)), names) == names

    def is_being_made(self, value):
        """Whether the constructor of an instance runs."""
        return any(value is each for each in self._making)

    @staticmethod
    def names_of(value):
        """The names of the attributes that an instance has of its own, in one order."""
        return sorted({*getattr(value, "__dict__", ()), *slots_of(value)})

    def making(self, value):
        """While the constructor of an instance runs."""
        return _Making(self._making, value)

    def check_change(self, value, change, at):
        """An error where something is done to such an instance that may change it."""
        if self.is_value(value):
            error = self._errors[_key(type(value))]
            name = type(value).__name__
            note = f"{self._trace.place(at)}: {change} here; where nothing sets attributes of a {name} that is made, they are values"
            refused = StagingError(error.code, error.message, error.place, f"make a new {name} with what has changed, instead of changing one; or number them, "
                                   "and keep what changes in lists that are indexed by the number: value[i], children[i][key] = j", [*error.notes, note])
            refused.is_explained, refused.of_class = True, type(value)
            raise refused


def _equal(self, other):
    trace = dispatch.active_trace()
    if trace is not None and self is not other and type(self) is type(other):
        trace.unchanged.check_identity(self)
    return object.__eq__(self, other)


def _hash(self):
    trace = dispatch.active_trace()
    if trace is not None:
        trace.unchanged.check_identity(self)
    return object.__hash__(self)


_GUARDS = {"__eq__": _equal, "__hash__": _hash}


def is_by_identity(cls):
    """Whether the instances of a class are equal if they are one, whoever guards it now."""
    return all(getattr(cls, name) in (getattr(object, name), guard) for name, guard in _GUARDS.items())


_guarded = {}               # class → [how many traces guard it, the names of its guards]
_lock = threading.Lock()    # each thread may trace


def _guard(cls):
    with _lock:
        if cls not in _guarded:
            names = [name for name, guard in _GUARDS.items() if getattr(cls, name) in (getattr(object, name), guard)]
            for name in names:
                setattr(cls, name, _GUARDS[name])
            _guarded[cls] = [0, names]
        _guarded[cls][0] += 1


def _unguard(cls):
    with _lock:
        _guarded[cls][0] -= 1
        if _guarded[cls][0] == 0:
            for name in _guarded.pop(cls)[1]:
                delattr(cls, name)


class _Making:
    def __init__(self, all_, value):
        self._all, self._value = all_, value

    def __enter__(self):
        self._all.append(self._value)

    def __exit__(self, *_):
        self._all.pop()


def _key(cls):
    return cls.__module__, cls.__qualname__


def _has_values_of(type_, key):
    """Whether a type speaks of values that are instances of a class."""
    if isinstance(type_, types.List):
        return _has_values_of(type_.element, key)
    if not isinstance(type_, types.Tuple):
        return False
    cls = getattr(type_.of, "cls", None)
    return isinstance(cls, type) and _key(cls) == key or any(_has_values_of(each, key) for each in type_.elements)


def _can_be_values(cls):
    """Whether the instances of a class of the user's are what their attributes are, and no method sets one."""
    bases = [base for base in cls.__mro__[:-1] if base.__module__ not in _WITHOUT_STATE]
    return bool(bases) and cls.__new__ is object.__new__ and all(map(is_users_class, bases)) and not hasattr(cls, "__del__") \
        and all(getattr(cls, name) is getattr(object, name) for name in _ASKED_AT_ATTRIBUTES) \
        and not any(_may_set_attributes(made) for base in bases for name, made in vars(base).items() if name not in _CONSTRUCTORS)


def _may_set_attributes(made):
    """Whether a method, a property, or what a decorator has made of one, sets attributes."""
    if isinstance(made, property):
        return made.fset is not None or made.fdel is not None or _may_set_attributes(made.fget)
    function = made.__func__ if isinstance(made, (staticmethod, classmethod)) else made
    if not isinstance(function, python_types.FunctionType):
        return hasattr(type(made), "__get__") and not isinstance(made, (python_types.GetSetDescriptorType, python_types.MemberDescriptorType, type))
    pending = [function.__code__]
    while pending:
        code = pending.pop()
        if any(instruction.opname in _SETS for instruction in dis.get_instructions(code)):
            return True
        pending.extend(each for each in code.co_consts if isinstance(each, python_types.CodeType))
    return False
