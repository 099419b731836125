"""Objects of several classes, where only the program knows of which class one is: in a list, or behind a branch.

    shapes = [Circle(x) if i % 2 else Rect(x, 2.0) for i in range(n)]       shapes: which of them; shape_class, shape_place: lists
    for s in shapes: y += s.area()                                          if shape_class[s] == 0: Circle.area, else: Rect.area

Classes that meet so are a family. Their objects are numbered together (numbered.py), and two lists have, for each number, the class and the place in the lists
that have the attributes of that class. An object of which only that is known is one of a class derived of what the classes have in common. A method is called, and an
attribute read, in a branch for each class that it may be, as those of an object of that class; so is a special method. The program asks `isinstance`.
"""
from __future__ import annotations

import inspect
import sys
import types as python_types

from lantern import types
from lantern.staging.errors import StagingError
from lantern.staging.numbered_classes import NUMBER, Home, is_by_identity, is_home_of, key_of, user_class

NONE = object()
CLASS, PLACE = "class", "place"     # the lists of a family
_METHODS = python_types.FunctionType, staticmethod, classmethod
_WITH_SELF = python_types.FunctionType, classmethod, property


def is_mixed(value):
    """Whether a value is a numbered object of which the class is not known."""
    return hasattr(type(value), "__lantern_classes__")


def of_key(key):
    """The class of the user's that a module has by that name; None where none has, such as of one that a function makes."""
    found = sys.modules.get(key[0])
    for name in key[1].split("."):
        found = getattr(found, name, None)
    return found if isinstance(found, type) and key_of(found) == key else None


def in_common(classes):
    """The class that all are derived from, `object` at last."""
    return next(base for base in classes[0].__mro__ if all(issubclass(cls, base) for cls in classes) and base.__module__ != "abc")


def noted(trace, error, *values):
    """The error, with the classes that meet in it, where these are several: of values, types and classes."""
    found = {}
    for value in values:
        for cls in _classes_in(trace, value):
            found[key_of(cls)] = cls
    error.classes = list(found.values())
    return error


def _classes_in(trace, value):
    from lantern.staging.perhaps_none import PerhapsNone
    from lantern.staging.snapshots import is_users_class
    value, found = value.value if type(value) is PerhapsNone else value, []
    pending = [value] if isinstance(value, types.Type) else []
    while pending:
        type_ = pending.pop()
        pending.extend([type_.element] if isinstance(type_, types.List) else type_.elements if isinstance(type_, types.Tuple) else ())
        found += [type_.of.cls] if isinstance(type_, types.Tuple) and isinstance(getattr(type_.of, "cls", None), type) else []
    if not isinstance(value, types.Type):
        found = [value if isinstance(value, type) else type(value)]
    each = [trace.numbered.classes_of(cls) if hasattr(cls, "__lantern_home__") else [cls] for cls in found]
    return [cls for classes in each for cls in classes if is_users_class(cls)]


def together(trace, classes):
    """The class of numbered objects that are of one of these classes of such; None where they are of no family."""
    first = classes[0]
    if all(is_home_of(cls, first) for cls in classes):
        return first
    families = {getattr(cls, "__lantern_family__", None) for cls in classes}
    return trace.numbered.class_of(families.pop()) if len(families) == 1 and None not in families else None


def wider(trace, home, cls):
    """The class of objects that are of the class with that Home, or of another one of such; None where they are of no family."""
    return together(trace, [trace.numbered.objects_of(home).cls, cls]) if isinstance(home, Home) else None


def plan(cls, number, name):
    """What a variable becomes that is an object of that class: the plan of its number."""
    from lantern.staging import numbered_classes, plans
    return plans.Compound(lambda parts: numbered_classes.together(cls, *parts), [number], (cls.__lantern_home__, 1), [name])


def joined(trace, a, b):
    """The type of an object of one family that is an `a` or a `b`; None where they are of none."""
    classes = [getattr(type_.of, "cls", object) for type_ in (a, b)]
    if not all(hasattr(cls, "__lantern_family__") for cls in classes):
        return None
    cls = together(trace, classes)
    return cls and a.replaced(of=type(a.of)(cls, (NUMBER,)))


def is_of_one(type_):
    """Whether a type is that of objects of several classes."""
    return isinstance(type_, types.Tuple) and hasattr(getattr(type_.of, "cls", None), "__lantern_classes__")


def are_of_one(trace, a, b):
    """Whether two types are those of objects of one family."""
    return isinstance(a, types.Tuple) and isinstance(b, types.Tuple) and joined(trace, a, b) is not None


def _views(trace, value):
    """[(number of a class, the object as one of that class)] of the classes that it may be of here, of which some object has been made."""
    found = [(number, view) for number, view in enumerate(trace.numbered.views(value)) if _is_known(trace, value, number) is not False]
    found = [pair for pair in found if trace.numbered.has_some(type(pair[1]))] or found
    sure = [pair for pair in found if _is_known(trace, value, pair[0])]
    return sure or found


def _is_known(trace, value, number):
    """Whether an object is of that class, where it is known."""
    asked = trace.numbered.asked_of(value).get(number)
    if asked is None or isinstance(asked, bool):
        return asked
    return trace.decided(trace.truth(asked)) if trace.is_there(asked) else None


def is_of(trace, value, number, at=None):
    """The condition that an object is of that class, asked once where it holds."""
    from lantern.operators_comparisons import compare
    known = _is_known(trace, value, number)
    if known is not None:
        return known
    asked = trace.numbered.asked_of(value)
    if number not in asked or not trace.is_there(asked[number]):
        asked[number] = compare("==", trace.numbered.column_of(value, CLASS), number, at)
    return asked[number]


def among(trace, value, run, at=None):
    """What `run` gives of an object, which is taken for one of each class that it may be of, in a branch."""
    from lantern.operators_control import if_exp
    views = _views(trace, value)

    def rest(first):
        number, view = views[first]
        if first + 1 == len(views):
            return run(view)
        return if_exp(is_of(trace, value, number, at), lambda: run(view), lambda: rest(first + 1), at)()
    return rest(0)


def read(trace, value, name, at):
    """An attribute of an object of several classes; NONE where they have it in common."""
    from lantern.operators_expressions import getattr_
    from lantern.staging.chosen_functions import ChosenFunction
    views = _views(trace, value)
    if name == "__class__":
        return _chosen(trace, value, [user_class(type(view)) for _, view in views], [number for number, _ in views], name, at)
    found = [None if trace.numbered.has(view, name) else inspect.getattr_static(user_class(type(view)), name, None) for _, view in views]
    if not isinstance(found[0], (*_WITH_SELF, type(None))) and all(each is found[0] for each in found) and inspect.getattr_static(type(value), name, None) is found[0]:
        return NONE
    if len(views) > 1 and all(isinstance(each, _METHODS) for each in found):
        return _chosen(trace, value, [getattr_(view, name, at) for _, view in views], [number for number, _ in views], name, at)
    _check_has(trace, value, name, at)
    return among(trace, value, lambda view: getattr_(view, name, at) if _has(trace, view, name) else _raise(view, name, at), at)


def _chosen(trace, value, choices, numbers, name, at):
    from lantern.staging.chosen_functions import ChosenFunction
    if len(choices) == 1:
        return choices[0]
    asked = "type(…)" if name == "__class__" else f"'{name}'"
    error = StagingError("LT0310", f"{asked} of an object of which only the program knows the class is more than called, or asked for its name", trace.place(at),
                         "ask isinstance(…), and let each branch do it by itself")
    return ChosenFunction(choices, None, error, lambda first: is_of(trace, value, numbers[first], at))


def _check_has(trace, value, name, at):
    """The program raises what Python raises of an object of a class that has no such attribute: behind that it is of another one."""
    from lantern.staging import branches
    views = _views(trace, value)
    lacking = [(number, view) for number, view in views if not _has(trace, view, name)]
    for number, view in lacking if len(lacking) < len(views) else ():
        condition = is_of(trace, value, number, at)
        if not isinstance(condition, bool):
            branches.raise_if(trace, condition, lambda view=view: _raise(view, name, at), "the operation")
            trace.at = at


def _has(trace, view, name):
    return trace.numbered.has(view, name) or inspect.getattr_static(type(view), name, None) is not None or hasattr(type(view), "__getattr__")


def _raise(view, name, at):
    from lantern.operators_exceptions import raise_
    return raise_(AttributeError(f"'{type(view).__name__}' object has no attribute '{name}'"), at)


def store(trace, value, name, now, at):
    """`value.name = now`."""
    from lantern.operators_stores import setattr_
    among(trace, value, lambda view: setattr_(now, view, name, at), at)


def is_instance(trace, value, classes, at=None):
    """`isinstance(value, classes)`."""
    from lantern.operators_control import any_true
    from lantern.staging import numbered_classes
    views = _views(trace, value)
    numbers = [number for number, view in views if numbered_classes.is_instance(trace, view, classes)]
    if len(numbers) in (0, len(views)):
        return bool(numbers)

    def one(first):
        condition = is_of(trace, value, numbers[first], at)
        return condition if first + 1 == len(numbers) else any_true(condition, lambda: one(first + 1), at)
    return one(0)


def as_one_of(trace, value, classes):
    """An object that is an instance of these: as one of its class, where no other class is."""
    from lantern.staging import numbered_classes
    views = [view for _, view in _views(trace, value) if numbered_classes.is_instance(trace, view, classes)]
    return views[0] if len(views) == 1 else value


def has_attribute(trace, value, name, at=None):
    """`hasattr(value, name)`."""
    has = {number: _has(trace, view, name) for number, view in _views(trace, value)}
    if len(set(has.values())) == 1:
        return next(iter(has.values()))
    return among(trace, value, lambda view: _has(trace, view, name), at)


def method(trace, value, name):
    """What calls a special method of an object of several classes; None where none has it."""
    from lantern.staging import special_methods
    if name == "__eq__" and all(is_by_identity(view) for _, view in _views(trace, value)):
        return lambda other: trace.numbered.is_one(value, other)
    if all(special_methods.method(trace, view, name) is None for _, view in _views(trace, value)):
        return None

    def call(*operands):
        return among(trace, value, lambda view: _called_of(trace, view, name, operands), trace.at)
    return call


def _called_of(trace, view, name, operands):
    """What a special method gives of an object of one class. One that `dataclasses` has written asks which class the other operand is of."""
    from lantern.operators_exceptions import raise_
    from lantern.staging import special_methods
    cls = user_class(type(view))
    found, is_written = special_methods.method(trace, view, name), special_methods.is_dataclasses(cls, getattr(cls, name, None))
    if found is not None and is_written and any(map(is_mixed, operands)):
        return among(trace, operands[0], lambda other: _called_of(trace, view, name, (other,)), trace.at)
    result = NotImplemented if found is None else found(*operands)
    if result is NotImplemented and is_written:
        if name in ("__eq__", "__ne__"):
            return name == "__ne__"
        other = getattr(type(operands[0]), "__name__", "")
        return raise_(TypeError(f"'{special_methods.SYMBOLS[name]}' not supported between instances of '{cls.__name__}' and '{other}'"), trace.at)
    if result is NotImplemented:
        raise StagingError("LT0310", f"the method {name} of objects of several classes, of which {cls.__name__} has none, or has it give NotImplemented", trace.place(),
                           f"give {cls.__name__} one, or ask isinstance(…) first")
    return result


def called(trace, value, call, at):
    """What `call` gives of an object that is called, as one of each class."""
    from lantern.operators_exceptions import raise_
    return among(trace, value, lambda view: call(view) if callable(view) else raise_(TypeError(f"'{type(view).__name__}' object is not callable"), at), at)
