"""What the user's code calls a list or an array that Python knows: what is staged for it has that name, and so has its table in C++."""
from __future__ import annotations

import operator
import sys
import types as python_types

from lantern.staging.errors import is_converted_code

FEW = 16     # elements that a program says where it reads them


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
