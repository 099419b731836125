"""`copy.deepcopy` while a function is staged: Python's, but for lists that the program has, which its own code copies.

    board = copy.deepcopy(self.board)       # [[…] for row in self.board]
"""
from __future__ import annotations

import collections
import copy
import functools

from lantern import dispatch, types
from lantern.staging import library, list_methods, merge, numbered_classes
from lantern.staging.errors import StagingError
from lantern.staging.memory import holds_lists, is_of_arrays
from lantern.staging.snapshots import attributes_of, is_users_class
from lantern.staging.tables import Table
from lantern.staging.values import Staged


def made(trace, value):
    """A deep copy of a value."""
    memo, of_python = {}, []
    for held in held_by(value):
        if id(held) not in memo and (merge.staged_list(held) is not None or isinstance(held, Staged) and isinstance(held.type, types.List)):
            memo[id(held)] = _of_list(trace, held)
        elif trace.lists.remade.place_of(held) is not None:
            of_python.append(held)
    result = copy.deepcopy(value, memo)
    for held in of_python:
        trace.lists.remade.copied(held, memo[id(held)])
    return result


def held_by(value):
    """A value, and what it holds that may change: through lists, dicts, tuples and attributes."""
    found, pending = {}, [value]
    while pending:
        value = pending.pop()
        if id(value) in found or isinstance(value, (int, float, str, bytes, type(None), type)):
            continue
        found[id(value)] = value
        if isinstance(value, (list, tuple, set, collections.deque)):
            pending.extend(value if merge.staged_list(value) is None else ())
        elif isinstance(value, dict):
            pending.extend(value.values())
        elif not isinstance(value, dispatch.StagedValue):
            pending.extend(vars(value).values() if isinstance(value, Table) or hasattr(type(value), "__lantern_class__") else
                           attributes_of(value).values() if is_users_class(type(value)) else ())
    return found.values()


def _of_list(trace, value):
    element, depth = trace.type_of(value).element, 1
    while isinstance(element, types.List):
        element, depth = element.element, depth + 1
    if element is not None and numbered_classes.homes_in(element):
        raise StagingError("LT0310", "deepcopy of a list of objects that change", trace.place(), "write it as a loop that makes new ones of their attributes")
    if element is not None and holds_lists(element):
        raise StagingError("LT0310", "deepcopy of a list whose elements are tuples with lists", trace.place(), "write it as a loop")
    copied = functools.partial(library.copied_arrays, trace) if element is not None and is_of_arrays(types.List(element)) else functools.partial(list_methods.copy, trace)
    for _ in range(depth - 1):
        copied = functools.partial(library.copied_rows, trace, copied=_of_rows(copied))
    return copied(value)


def _of_rows(copied):
    def copy_row(row):
        return copied(row)
    copy_row.__lantern_takes_lists__ = True
    return copy_row
