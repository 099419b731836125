"""Constructors that `dataclasses` has written. What they call is the user's, and is converted: factories of fields, and `__post_init__`."""
from __future__ import annotations

import dataclasses
import inspect
import types as python_types


def is_generated(cls, init):
    """Whether `dataclasses` wrote a constructor."""
    return hasattr(cls, "__dataclass_fields__") and init.__code__.co_filename == "<string>"


def from_factories(trace, cls, arguments, keywords, at):
    """What `field(default_factory=…)` gives for the fields that a constructor is not given, which dataclasses would call unconverted."""
    from lantern.staging.calls import call
    factories = {each.name: each.default_factory for each in dataclasses.fields(cls) if each.init and each.default_factory is not dataclasses.MISSING}
    if not factories:
        return {}
    try:
        bound = inspect.signature(cls.__init__).bind(None, *arguments, **keywords).arguments
    except TypeError:       # which the constructor says in its own words
        return {}
    return {name: call(trace, factory, (), {}, at) for name, factory in factories.items() if name not in bound}


def run(trace, cls, behind, arguments, keywords, at):
    """A new object whose constructor `dataclasses` wrote. What that calls at its end is the user's: the object has it converted meanwhile."""
    from lantern.staging.calls import call
    result = cls.__new__(cls)
    trace.ages.made(result)

    def after(*values):
        trace.ages.held(vars(result).values())
        return call(trace, python_types.MethodType(behind, result), values, {}, at)

    object.__setattr__(result, "__post_init__", after)
    try:
        with trace.unchanged.making(result):
            cls.__init__(result, *arguments, **keywords)
    finally:
        object.__delattr__(result, "__post_init__")
    trace.lists.boxes.box_all(result)
    return result
