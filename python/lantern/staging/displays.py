"""Lists and arrays that Python knows: a list of numbers and strings is one node, `(list f64 1.0 2.0)`; and what is large has the name that the
user's code has for it, in the program and as a table in C++."""
from __future__ import annotations

import operator
import sys
import types as python_types

from lantern import types
from lantern.staging import instances
from lantern.staging.errors import is_converted_code
from lantern.staging.text import Symbol

_LITERALS = {bool, int, float, str}
FEW = 16     # elements that a program says where it reads them


def only_kind(values):
    """The one type of literals that they are; None where they are not."""
    kinds = set(map(type, values))
    return kinds.pop() if len(kinds) == 1 and kinds <= _LITERALS else None


def is_literal(lists, value):
    """Whether a value is numbers and strings all the way down."""
    value = lists.value(value)
    return type(value) in _LITERALS or _is_of_literals(lists, value if type(value) is list else instances.parts(value))


def _is_of_literals(lists, values):
    return values is not None and (only_kind(values) is not None or all(is_literal(lists, each) for each in values))


def node(lists, contents, type_):
    """The node of a list of literals."""
    lists.trace.empties.emitted(type_)
    kind, head = only_kind(contents), (Symbol("list"), Symbol(type_.element))
    if kind not in (None, int) and str(type_.element) == str(types.type_of(kind())):
        return (*head, *contents)
    return (*head, *(node(lists, lists.value(value), type_.element) if type(value) is list else lists.trace.coerce(value, type_.element)
                     for value in contents))


def name_of_known(value):
    """The variable, or the attribute of an object in one, by which the innermost code that is converted has `value`; None: it has no name there."""
    frame = sys._getframe(1)
    while frame is not None and not is_converted_code(frame.f_code):
        frame = frame.f_back
    if frame is None:
        return None
    variables = [(name, held) for held_by in (frame.f_locals, frame.f_globals) for name, held in held_by.items() if not name.startswith("ag__")]
    attributes = [each for _, held in variables if not isinstance(held, (type, python_types.ModuleType, python_types.FunctionType))
                  for each in getattr(held, "__dict__", {}).items()]
    return next((name for name, held in variables + attributes if _is(held, value)), None)


def _is(held, value):
    """A list may be a copy of what is held."""
    return held is value or (type(held) is list and type(value) is list and len(held) == len(value) and all(map(operator.is_, held, value)))


def is_large(list_):
    """Whether a list, with the lists in it, holds more than a few elements."""
    return len(list_) > FEW or sum(1 + (len(each) if isinstance(each, list) else 0) for each in list_) > FEW
