"""The parts of an exception that is raised behind what has thrown it: its arguments by their places, and its attributes by their names.

Those that the program computes are variables meanwhile, if they are numbers or texts.
"""
from __future__ import annotations

import contextlib

from lantern import types
from lantern.staging.truths import TooLarge
from lantern.staging.values import Staged

# What is in a variable before anything is raised.
NOTHING = {types.i64: 0, types.f64: 0.0, types.bool_: False, types.string: ""}
_VALUES = (bool, int, float, str, type(None))


def parts_of(error):
    return {**dict(enumerate(error.args)), **vars(error)}


def kind_of(error):
    """Equal for exceptions that are the same but for what the program computes."""
    return type(error), tuple((key, each.type if isinstance(each, Staged) else (type(each), each) if isinstance(each, _VALUES) else id(each))
                              for key, each in parts_of(error).items())


def number_of(trace, kind):
    """The number that stands for an exception of this kind in the program."""
    return trace.raised_numbers.setdefault(kind, 1 + len(trace.raised_numbers))


def know_numbers(trace, number, numbers):
    """Notes that a staged number is 0, or one of these: each with a truth of its own, the same where a statement runs again."""
    truths, bound = trace.truths, number.binding
    with contextlib.suppress(TooLarge):
        if bound.few_numbers is None:
            when = {0: truths.atom()}
            rest = truths.negation(when[0])
            for each in numbers:
                when[each] = truths.both(rest, truths.atom())
                rest = truths.both(rest, truths.negation(when[each]))
            if len(when) > 1:       # the last is what is left
                when[each] = truths.either(when[each], rest)
            bound.few_numbers = when
        number.few_numbers = bound.few_numbers


def known_as(kind):
    """What exceptions of a kind are known as when the function is traced again, which may make their class, and what they hold, anew."""
    cls, parts = kind
    of_computed = computed_of(kind)
    return cls.__module__, cls.__qualname__, tuple((key, of_computed.get(key)) for key, _ in parts)


def computed_of(kind):
    """{part: type} of what the program computes of such exceptions."""
    return {key: each for key, each in kind[1] if not isinstance(each, (tuple, int)) and each in NOTHING}


def computed(error):
    """The parts that can be variables."""
    return {key: each for key, each in parts_of(error).items() if isinstance(each, Staged) and each.type in NOTHING}


def is_plain(error):
    """Whether its parts are numbers and texts, so that it can be made again."""
    return all(isinstance(each, _VALUES) or key in computed(error) for key, each in parts_of(error).items())


def put_parts(error, parts):
    """Gives an exception other parts."""
    error.args = tuple(parts.get(place, each) for place, each in enumerate(error.args))
    vars(error).update({key: each for key, each in parts.items() if isinstance(key, str)})
    return error


def made_again(cls, parts):
    """An exception of these parts, of which the user's own constructor would not know what they were made of."""
    arguments = tuple(each for part, each in parts.items() if isinstance(part, int))
    of_python = next(base for base in cls.__mro__ if base.__module__ == "builtins")
    exception = of_python.__new__(cls, *arguments)
    of_python.__init__(exception, *arguments)
    return put_parts(exception, parts)
