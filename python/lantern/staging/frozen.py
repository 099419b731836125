"""Instances of frozen dataclasses, and of classes that are as these (unchanged.py): values as named tuples are, of the parts that their fields hold.

    p = Point(0.0, 1.0)
    for i in range(n):
        p = p + step        # each field of p is carried by the loop
"""
from __future__ import annotations

import dataclasses

from lantern import dispatch
from lantern.staging import numbered_classes


def parts_of_frozen(value):
    """(a function that puts such a value together again, its parts) of such an instance; None of anything else."""
    names = names_of_frozen(value)
    if names is None:
        return None
    return (lambda parts: together(type(value), names, parts)), [getattr(value, name) for name in names]


def names_of_frozen(value):
    """The names of its parts; None of anything else."""
    cls, trace = type(value), dispatch.active_trace()
    if numbered_classes.is_numbered(value) or trace is not None and trace.numbered.is_needed(value):
        return ["__lantern_number__"]
    if is_frozen(cls):
        names = [field.name for field in dataclasses.fields(cls)]
        if set(getattr(value, "__dict__", ())).difference(names) or not all(hasattr(value, name) for name in names):
            return None     # it holds more than its fields, or is being made
        return names
    return trace.unchanged.names_of(value) if trace is not None and trace.unchanged.is_value(value) else None


def together(cls, names, parts):
    """An instance, or a named tuple, of these parts; no constructor runs."""
    if issubclass(cls, tuple):
        return tuple.__new__(cls, parts)
    if hasattr(cls, "__lantern_home__"):
        return numbered_classes.together(cls, *parts)
    made = object.__new__(cls)
    for name, part in zip(names, parts):
        object.__setattr__(made, name, part)
    trace = dispatch.active_trace()
    if trace is not None:
        trace.ages.made(made)
    return made.as_python() if trace is None and hasattr(cls, "as_python") else made


def is_frozen(cls):
    """Whether a class is a frozen dataclass whose instances are what their fields are, and equal by them."""
    parameters = vars(cls).get("__dataclass_params__")
    return parameters is not None and parameters.frozen and cls.__new__ is object.__new__ and cls.__eq__ is not object.__eq__ \
        and not hasattr(cls, "__lantern_struct__")
