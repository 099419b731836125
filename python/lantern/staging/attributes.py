"""Attributes of staged values: fields of structures, shapes of arrays, methods."""
from __future__ import annotations

import inspect
import types as python_types

from lantern import dispatch, habits, numpy_functions, ops, types
from lantern.lazy_numpy import np
from lantern.letters import in_ascii
from lantern.nearest import did_you_mean
from lantern.staging import enumerations, list_methods, special_methods, text_methods
from lantern.staging.block import path_of
from lantern.staging.elements import ChangesElements
from lantern.staging.errors import NeedsInlining, StagingError
from lantern.staging.keys import look_up
from lantern.staging.snapshots import is_users
from lantern.staging.text import Symbol
from lantern.staging.values import Staged


def read(value, name, at):
    """`value.name` of a staged value."""
    trace, type_ = value.trace, value.type
    struct = type_.element if isinstance(type_, types.Optional) else type_
    if isinstance(struct, types.StructType):
        return _field(trace, value, struct, name, at)
    if isinstance(type_, types.NoneType):
        raise StagingError("LT0309", f"{value.shown()} is None here, and None has no attribute '{name}'", trace.place(at))
    if type_ is None:
        return _get(trace, value, name, None)
    if isinstance(type_, types.TensorType):
        if name == "shape":
            return ops.shape(value)
        if name == "ndim":
            return type_.rank
        if name == "dtype":
            return types.numpy_dtype(type_.dtype)
        if name == "size":
            size = 1
            for dim in ops.shape(value):
                size = size * dim
            return size
        if name == "T":
            return numpy_functions.call_method("transpose", value, (), {})
        if name in numpy_functions.METHODS:
            return lambda *arguments, **keywords: numpy_functions.call_method(name, value, arguments, keywords)
        if name == "tolist":
            return lambda: _python_numbers(trace, value)
    if isinstance(type_, types.List) and name in list_methods.METHODS:
        if name not in list_methods.CHANGING:
            return dispatch.taking_lists(lambda *arguments: list_methods.METHODS[name](trace, trace.lists.new(value), *arguments))
        return dispatch.taking_lists(lambda *arguments, **keywords: list_method(
            value, name, lambda own: list_methods.call(trace, own, name, arguments, keywords, at)))
    if isinstance(type_, types.Tuple) and name in ("index", "count"):
        return getattr(tuple(value), name)
    if type_ in (types.i64, types.f64, types.f32, types.i32) and name in ("real", "imag"):
        return value if name == "real" else 0 if type_ in (types.i64, types.i32) else 0.0
    if isinstance(type_, types.Scalar) and name in ("is_integer", "bit_length"):
        method = _method_of_number(trace, value, name)
        if method is not None:
            return method
    if type_ == types.string and name in text_methods.METHODS:
        return dispatch.taking_lists(text_methods.method(trace, value, name))
    hint = habits.of_array(name) or did_you_mean(name, numpy_functions.METHODS) if isinstance(type_, types.TensorType) else None
    if type_ == types.string:
        hint = text_methods.REMEDY
    if name in ("name", "value") and type_ in (types.i64, types.string):
        hint = "a member of an IntEnum is its number in the program; one of an enum.Enum keeps its name and its value"
    trace.refuse("LT0310", f"{value.shown()}, of type {types.annotation(type_)}, has no attribute '{name}' in staged code", hint, trace.place(at))


def _python_numbers(trace, value):
    """`value.tolist()`: Python's numbers, in lists."""
    from lantern.staging import library
    make = {"bool": bool, "i32": int, "i64": int}.get(value.type.dtype, float)
    if not value.type.dims:
        return trace.emit("cast", (types.Scalar({bool: "bool", int: "i64", float: "f64"}[make]), trace.emit("item", (value,))))
    return library.mapped(trace, value, make if value.type.rank == 1 else lambda row: _python_numbers(trace, row), trace.lists.new([]))


def _method_of_number(trace, value, name):
    """A method of Python's numbers; None where this Python's have none of that name."""
    from lantern.staging import library
    if value.type == types.f64 and name == "is_integer":
        return lambda: library.is_integer(trace, value)
    if value.type == types.i64 and hasattr(int, name):
        return (lambda: True) if name == "is_integer" else lambda: library.bit_length(trace, value)
    return None


_MISSING = object()


def is_own(value, name):
    """Whether a Python object itself has the attribute, and not only its class."""
    own = getattr(value, "__dict__", None)      # of `super()` in a metaclass, a descriptor
    return isinstance(own, (dict, python_types.MappingProxyType)) and name in own


def is_plain(value, name):
    """Whether an attribute of a Python object is read without code being run: its own, or none."""
    if isinstance(value, Staged) or not isinstance(name, str):
        return False
    cls = type(value)
    return is_own(value, name) or inspect.getattr_static(cls, name, _MISSING) is _MISSING and not hasattr(cls, "__getattr__")


def note_presence(trace, value, name):
    """It was asked whether an attribute is there."""
    for owner in _owners(trace, value, name):
        found = look_up("attribute", owner, name)
        trace.frame.reads.note("attribute", owner, name, found)
        trace.ages.old(found)


def _owners(trace, value, name):
    """Of what the trace relies on an attribute, whether it is there or not: the object, or its classes, where one has it, or the object is the
    trace's own; nothing where code is run that gives it."""
    if isinstance(value, Staged) or not isinstance(name, str):
        return []
    cls = type(value)
    found = inspect.getattr_static(cls, name, _MISSING)
    if not is_plain(value, name):
        return [] if found is _MISSING or hasattr(type(found), "__get__") else list(_classes(trace, cls, name))
    own, young = is_own(value, name), trace.ages.is_young(value)
    return ([] if young else [value]) + ([] if own or not trace.ages.is_made_here(value) else list(_classes(trace, _class_of(value), name)))


def _class_of(value):
    """What an attribute is looked for in that an object, or a class itself, does not have."""
    return value if isinstance(value, type) else type(value)


def _classes(trace, cls, name):
    """The classes that say what a class has by a name, but for those that the trace has made, which stay: up to one that has it."""
    for each in cls.__mro__:
        if trace.ages.is_made_here(each):
            if name in vars(each):
                return
        elif each is not object:
            yield each
            if inspect.getattr_static(each, name, _MISSING) is not _MISSING:
                return


_MEMBERS = (python_types.FunctionType, staticmethod, classmethod)


def note(trace, value, name, result):
    """An attribute has been read, `result`: the object's own, or its class's. The functions and classes of a library are taken to stay."""
    if dispatch.is_global(value) and dispatch.is_staged(result):    # w.T, which the program computes
        return
    if type(value) is np.ndarray and isinstance(result, np.ndarray):    # a.T is another view each time, of what a holds
        if not trace.ages.is_young(value):
            trace.ages.old(result)
        return
    if name == "__dict__":
        trace.ages.check_own_attributes(value, trace.at)
    is_holder = isinstance(value, (type, python_types.ModuleType))
    of_class = isinstance(value, type) or not is_holder and not is_own(value, name)
    is_member = callable(result) and (of_class or is_holder)
    reads, ages = trace.frame.reads, trace.ages
    if not is_member and not ages.is_young(value):
        reads.note("attribute", value, name, result)
        ages.old(result)
    if is_member and not of_class:
        if is_users(value):
            reads.note("attribute", value, name, result)
    elif of_class and (is_member or ages.is_made_here(value)):
        if is_member and not isinstance(value, type) and is_users(type(value)) and hasattr(value, "__dict__") and not ages.is_young(value):
            reads.note("own", value, name, False)
        for owner in _classes(trace, _class_of(value), name):
            static = inspect.getattr_static(owner, name, _MISSING)
            if is_users(owner) and (isinstance(static, _MEMBERS) or not hasattr(type(static), "__get__")):
                reads.note("attribute", owner, name, look_up("attribute", owner, name))


def note_of_class(trace, value, name):
    """What the class has is relied on: a special method is called, or a store stands under a condition, and hides it only where it is run."""
    for owner in _classes(trace, _class_of(value), name):
        trace.frame.reads.note("attribute", owner, name, look_up("attribute", owner, name))


def _of_class(cls, name):
    """What a class or one of its bases has by a name, as it stands there; _MISSING where none has it."""
    for each in cls.__mro__:
        if name in each.__dict__:
            return each.__dict__[name]
    return _MISSING


def getter(trace, value, name):
    """What computes an attribute of a Python object: a property, a descriptor's __get__, the class's __getattr__, where it is the
    user's, and is to be converted; None for others."""
    cls = type(value)
    found = _of_class(cls, name)
    if isinstance(found, property):
        from lantern.staging import calls
        return (lambda: calls.call(trace, found.fget, (value,), {}, trace.at)) if found.fget is not None and calls.is_users(found.fget) else None
    own = is_own(value, name)
    if found is _MISSING:
        compute = None if own else special_methods.method(trace, value, "__getattr__")
        return compute and (lambda: compute(name))
    compute = None if own and not hasattr(type(found), "__set__") else special_methods.method(trace, found, "__get__")
    return compute and (lambda: compute(value, cls))


def setter(trace, target, name):
    """What stores an attribute of a Python object, in the same way."""
    store = special_methods.method(trace, target, "__setattr__")
    if store is not None:
        return lambda value: store(name, value)
    found = _of_class(type(target), name)
    if isinstance(found, property):
        from lantern.staging import calls
        return (lambda value: calls.call(trace, found.fset, (target, value), {}, trace.at)) if found.fset is not None and calls.is_users(found.fset) else None
    store = None if found is _MISSING else special_methods.method(trace, found, "__set__")
    return store and (lambda value: store(target, value))


def go_over_places(value):
    """A list, or an array, that a loop has read from a list of these is changed: where it stands, if the loop goes over places."""
    source = value.row_of
    while isinstance(source, Staged) and source.element_of is None:     # of a loop within a loop, which is the first to go over places
        source = source.row_of
    if source is not None and any(loop.source is source for loop in value.trace.loops) and value.trace.lists.is_own(value.outermost()):
        raise ChangesElements(source)


def list_method(value, what, change):
    """Changes a staged list that is no variable: it must be an element of a list that is."""
    if value.element_of is None:
        specialisation = value.trace.frame.specialisation
        go_over_places(value)
        error = StagingError("LT0305", f"{value.shown()} is changed ({what}), and it is a list from outside, or one of several", value.trace.place(),
                             "change a copy, and return it: list(…)")
        if specialisation.formal_of(value) is not None and not specialisation.fixed:
            raise NeedsInlining(specialisation, error)      # within that function it may be known where it stands
        raise error
    return value.trace.lists.change_element(value, change)


def change_list(value, what, change):
    """The same, of a name: which is that list behind it, too."""
    list_method(value, what, change)
    return value


def _field(trace, value, struct, name, at):
    fields = struct.fields if struct.declaration is not None else {}
    if name in fields and isinstance(fields[name], types.Enumeration):
        number = _get(trace, value, name, types.i64)
        return number if fields[name].is_of_numbers else enumerations.made(fields[name].members, number)
    if name in fields:
        return _get(trace, value, name, fields[name])
    member = getattr(struct.declaration, name, _MISSING)
    if isinstance(member, python_types.FunctionType):
        static = isinstance(vars(struct.declaration).get(name), staticmethod)
        return member if static else python_types.MethodType(member, value)
    if isinstance(member, property):
        from lantern.staging import calls
        return calls.call(trace, member.fget, (value,), {}, at)
    if member is not _MISSING and not name.startswith("__"):
        if not callable(member):
            trace.frame.reads.note("attribute", struct.declaration, name, member)
            trace.ages.old(member)
        return member
    raise StagingError("LT0310", f"structure '{struct.name}' has no field '{name}'", trace.place(at),
                       f"its fields are {', '.join(fields)}")


def _get(trace, value, name, type_):
    """A field, read once: structures are immutable."""
    path = (*path_of(value), name)
    for block in trace.block.chain():
        if path in block.fields:
            return block.fields[path]
    result = trace.bind((Symbol("getattr"), trace.resolve(value), Symbol(in_ascii(name))), type_, memory=trace.memories.fresh(f"the field '{name}'"))
    result.origin = (value, name)
    trace.block.fields[path] = result
    return result
