"""The classes of numbered objects (numbered.py): each is derived from one of the user's, so that methods, properties and patterns are Python's own.

Code that is not converted reads and sets attributes of such an object as it would: properties have the lists.
"""
from __future__ import annotations

import functools
import inspect
import sys
import types as python_types
import weakref

from lantern import dispatch, types
from lantern.records import Record
from lantern.staging.errors import is_converted_code, is_ours
from lantern.staging.values import Staged

NUMBER = "__lantern_number__"
_ASKED_AT_ATTRIBUTES = "__getattribute__", "__setattr__", "__delattr__"


class Home(Record):
    """Which lists a class of numbered objects has: those of the user's class `key`, of the function that is `depth` deep among those that have some."""
    key: tuple
    depth: int


class Reference(Record):
    """A numbered object where its program has run."""
    home: Home
    number: int


def is_numbered(value):
    return hasattr(type(value), "__lantern_home__")


def together(cls, number):
    """An object of such a class by its number, in the trace that it is of; a Reference elsewhere."""
    trace = cls.__lantern_trace__()
    return trace.numbered.together(cls, number) if trace is not None and trace is dispatch.active_trace() else Reference(cls.__lantern_home__, number)


def is_home_of(a, b):
    """Whether two classes are of numbered objects whose attributes are in the same lists."""
    return getattr(a, "__lantern_home__", None) == getattr(b, "__lantern_home__", ...)


def homes_in(type_):
    """The Homes of the numbered objects that a type speaks of."""
    found, pending = [], [type_]
    while pending:
        type_ = pending.pop()
        if isinstance(type_, types.List):
            pending.append(type_.element)
        elif isinstance(type_, types.Tuple):
            home = getattr(getattr(type_.of, "cls", None), "__lantern_home__", None)
            found += [] if home is None else [home]
            pending.extend(type_.elements)
    return found


def is_instance(_trace, value, classes):
    """`isinstance(value, classes)` of a numbered object. Classes that the function makes are told apart by their names, since it makes them each time that it is traced."""
    pending = [classes]
    while pending:
        cls = pending.pop()
        if isinstance(cls, (tuple, getattr(python_types, "UnionType", tuple))):
            pending.extend(cls if isinstance(cls, tuple) else cls.__args__)
        elif isinstance(value, cls) or any(isinstance(cls, type) and key_of(base) == key_of(cls) for base in type(value).__mro__):
            return True
    return False


def user_class(cls):
    """The user's class of a class of numbered objects; any other class as it is."""
    return cls.__mro__[1] if hasattr(cls, "__lantern_home__") else cls


def derived(trace, cls, home, names, **more):
    """The class of numbered objects of a class of the user's. more: what else it knows."""
    from lantern.staging import unchanged
    from lantern.staging.frozen import is_frozen
    members = {name: _attribute(name) for name in names}
    if unchanged.is_by_identity(cls):
        members["__hash__"] = _refuse_hash
    elif is_frozen(cls):
        members["__hash__"] = refuse_hash
    return type(cls)(cls.__name__, (cls,), {
        "__slots__": (), "__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": cls.__doc__, "__lantern_home__": home,
        "__lantern_trace__": weakref.ref(trace), NUMBER: property(lambda self: dispatch.active_trace().numbered.number_of(self)), "__copy__": _copy,
        "__deepcopy__": _deep_copy, "__reduce_ex__": _refuse_copy, "__setattr__": _set, "__dict__": property(_dict), **members, **more})


def _attribute(name):
    """What reads and stores an attribute where code that is not converted does. What converted code reads by itself is the state of a statement, which has
    the lists, and not this."""
    def read(self):
        from lantern import operators_state
        frame = sys._getframe(1)
        is_state = is_converted_code(frame.f_code) and (frame.f_code.co_name.startswith("set_state__") or frame.f_back.f_globals is vars(operators_state))
        return operators_state.NOWHERE if is_state else dispatch.active_trace().numbered.read(self, name)

    def store(self, value):
        dispatch.active_trace().numbered.store(self, name, value)

    return property(read, store)


def _set(self, name, value):
    """What code that is not converted stores, which has no list, would be lost."""
    if hasattr(type(inspect.getattr_static(type(self), name, None)), "__set__"):
        object.__setattr__(self, name, value)
    else:
        dispatch.active_trace().numbered.store(self, name, value)


def _dict(self):
    """It has no attributes of its own, which code that is not converted is not to take for none at all."""
    return {} if is_ours(sys._getframe(1).f_code.co_filename) else dispatch.active_trace().numbered.refuse_dict(self)


def _copy(self):
    return dispatch.active_trace().numbered.copied(self)


def _deep_copy(self, memo):
    """Of one that holds nothing that may change, and stands in nothing else that is copied, which may hold it twice."""
    if memo:
        _refuse_copy(self)
    trace = dispatch.active_trace()
    values = [trace.numbered.read(self, name) for name in trace.numbered.objects_of(type(self).__lantern_home__).columns]
    return _copy(self) if all(map(_is_leaf, values)) else _refuse_copy(self)


def _is_leaf(value):
    if isinstance(value, Staged):
        return isinstance(value.type, types.Scalar)
    return isinstance(value, (bool, int, float, str, type(None))) or isinstance(value, tuple) and all(map(_is_leaf, value))


def _refuse_copy(self, *_):
    dispatch.active_trace().numbered.refuse(self, "Python's own code copies one with all that it holds", "make a new one of its attributes")


def is_by_identity(value):
    """Whether a value is a numbered object that is equal to itself alone, and may be a key, which its number is."""
    return is_class_by_identity(type(value))


def is_class_by_identity(cls):
    return getattr(cls, "__hash__", None) is _refuse_hash


def _refuse_hash(self):
    dispatch.active_trace().numbered.refuse(self, "one is a key, or in a set", "give each a number of its own, self.id = …, and use that as the key")


def refuse_hash(self):
    dispatch.active_trace().numbered.refuse(self, "one that is not equal to itself alone is a key, or in a set", "give each a number of its own, self.id = …, and use that as the key")


def key_of(cls):
    """What a class is known by, which a function may make anew each time that it is traced."""
    return cls.__module__, cls.__qualname__


def can_be(cls):
    """Whether a class derived from that one may stand for it: it has the user's classes as bases alone, and nothing that asks at each attribute."""
    from lantern.staging.snapshots import is_users_class
    from lantern.staging.frozen import is_frozen
    bases = cls.__mro__[:-1]
    return all(base.__module__ == "abc" or is_users_class(base) for base in bases) and cls.__new__ is object.__new__ and not hasattr(cls, "__del__") \
        and type(cls).__call__ is type.__call__ and type(cls).__module__ in ("builtins", "abc") and not hasattr(cls, "__lantern_struct__") and not hasattr(cls, "__lantern_class__") \
        and all(getattr(cls, name) is getattr(object, name) for name in _ASKED_AT_ATTRIBUTES if not is_frozen(cls) or name == "__getattribute__") \
        and not isinstance(inspect.getattr_static(cls, "__init_subclass__"), classmethod) \
        and not any(isinstance(member, functools.cached_property) for base in bases for member in vars(base).values())
