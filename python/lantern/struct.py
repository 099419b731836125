"""`lt.struct`: classes of named fields that staged code can take, read and make.

    @lt.struct
    class Tree:
        label: int
        left: "Tree | None"

makes an ordinary Python class with a constructor, comparison and a short text. Trees may be deep: nothing here recurses.
"""
from __future__ import annotations

import enum
import sys
import weakref

from lantern import types
from lantern.annotations import evaluate_annotation, from_annotation

_declared = weakref.WeakValueDictionary()  # name → the newest class of that name


class FieldError(TypeError):
    """A field's annotation stands for no type of staged code. hint: what does."""

    def __init__(self, cls, field, text, hint):
        self.message, self.hint = f"field '{field}' of structure '{cls.__name__}'{text}", hint
        super().__init__(f"{self.message}: {hint}")
        self.cls, self.field = cls, field


class Declaration:
    """What `lt.struct` knows of a class: the names of its fields and, once asked, their types."""

    def __init__(self, cls, global_names, local_names, defined=("", 0)):
        self._cls = weakref.ref(cls)
        self.defined = defined      # file and line
        self._global_names, self._local_names = global_names, local_names
        self._field_types = None
        self.annotations = dict(cls.__dict__.get("__annotations__", {}))
        self.field_names = tuple(self.annotations)

    def field_types(self):
        """{name: type}; forward references are resolved now, since at the class's definition they cannot be."""
        if self._field_types is None:
            cls, resolved = self._cls(), {}
            for name, annotation in self.annotations.items():
                local_names = {**self._local_names, cls.__name__: cls}
                evaluated = evaluate_annotation(annotation, self._global_names, local_names)
                resolved[name] = types.Enumeration("i64", evaluated) if is_enumeration(evaluated) or _is_of_numbers(evaluated) else from_annotation(evaluated)
                if resolved[name] is None:
                    raise FieldError(cls, name, f": {annotation!r} names no type that staged code has",
                                     "bool, int, float, str, an enum.Enum, lt.Tensor[...], an lt.struct class, list[...] and `| None` of a class do")
                if isinstance(resolved[name], types.Tuple) or types.is_list_of_tuples(resolved[name]):
                    raise FieldError(cls, name, f" holds tuples, as {types.annotation(resolved[name])}", "make a field of each of their elements")
                if isinstance(resolved[name], types.Optional) and not types.can_be_missing(resolved[name].element):
                    raise FieldError(cls, name, f" is {types.annotation(resolved[name])}, and only structures can be None in staged code",
                                     "hold the value in a structure, or say by a bool whether it is there")
            self._field_types, self._local_names, self._global_names = resolved, {}, {}
        return self._field_types


def struct(cls):
    """Class decorator: a structure with the class's annotated names as fields, in order.

    A value given to a name in the class is the field's default. Instances compare by value. In staged code they are
    immutable.
    """
    caller = sys._getframe(1)
    in_function = caller.f_locals is not caller.f_globals
    cls.__lantern_struct__ = Declaration(cls, caller.f_globals, _structs_among(caller.f_locals) if in_function else {},
                                         (caller.f_code.co_filename, caller.f_lineno))
    names = cls.__match_args__ = cls.__lantern_struct__.field_names
    if "__init__" not in cls.__dict__:
        cls.__init__ = _constructor(cls, names)
    cls.__eq__, cls.__hash__, cls.__repr__ = _equal, object.__hash__, _repr
    _declared[cls.__name__] = cls
    return cls


def _constructor(cls, names):
    defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
    itself = next(name for name in ("self", "itself", *(f"itself_{i}" for i in range(len(names)))) if name not in names)     # a field may be called self
    formals = ", ".join(f"{name}=defaults[{name!r}]" if name in defaults else name for name in names)
    stores = "".join(f"\n    {itself}.{name} = {name}" for name in names) or "\n    pass"
    scope = {"defaults": defaults}
    exec(f"def __init__({itself}, {formals}):{stores}", scope)  # so that a call with wrong arguments reads as any other
    scope["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    return scope["__init__"]


def is_enumeration(cls):
    """Whether it is an enumeration whose members are neither numbers nor strings, nor flags."""
    return isinstance(cls, type) and issubclass(cls, enum.Enum) and len(cls) > 0 and not issubclass(cls, (int, float, str, enum.Flag))


def _is_of_numbers(cls):
    return isinstance(cls, type) and issubclass(cls, enum.Enum) and issubclass(cls, int)


def is_struct(value):
    """Whether `value` is a structure (an instance, not a class)."""
    return hasattr(type(value), "__lantern_struct__")


def declared_structs():
    """{name: class} of the structures that exist."""
    return dict(_declared.items())      # each that lives by now: to ask for one by its name may be too late


def _structs_among(names):
    return {name: value for name, value in names.items() if hasattr(value, "__lantern_struct__")}


def _equal(self, other):
    if type(other) is not type(self):
        return NotImplemented
    pending, seen = [(self, other)], set()
    while pending:
        a, b = pending.pop()
        if a is b or (id(a), id(b)) in seen:
            continue
        if is_struct(a) and type(a) is type(b):
            seen.add((id(a), id(b)))
            pending.extend((getattr(a, name), getattr(b, name)) for name in a.__lantern_struct__.field_names)
        elif isinstance(a, (list, tuple)) and type(a) is type(b) and len(a) == len(b):
            pending.extend(zip(a, b))
        elif is_struct(a) or is_struct(b) or not _equal_leaf(a, b):
            return False
    return True


def _equal_leaf(a, b):
    if getattr(a, "shape", ()) != getattr(b, "shape", ()):
        return False
    same = a == b
    return bool(same.all()) if hasattr(same, "all") else bool(same)


_REPR_DEPTH = 3


def _repr(self, depth=_REPR_DEPTH):
    def text(value):
        if is_struct(value):
            return _repr(value, depth - 1) if depth > 1 else f"{type(value).__name__}(…)"
        return repr(value)
    fields = ", ".join(f"{name}={text(getattr(self, name))}" for name in self.__lantern_struct__.field_names)
    return f"{type(self).__name__}({fields})"
