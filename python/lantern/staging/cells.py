"""Variables that a recursion changes which cannot carry them, in lists: of a loop over a generator that calls itself.

    total = 0.0                                     total = [0.0]
    for v in walk(tree): total += v                 for each v: total[0] = total[0] + v

A list holds one element, the value; of a variable that may be None, or have no value yet, it holds none then, and else what it was given, the last
value behind those before. A list or another object of Python's stays the one that it was, which the recursion knows by itself.
"""
from __future__ import annotations

from lantern.staging import cell_definitions, instances, list_methods
from lantern.staging.errors import StagingError
from lantern.staging.library import define
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.values import Undefined, UndefinedReturnValue

_VALUE, _NONE, _UNBOUND, _RESULT, _OBJECT = "value", "or none", "or unbound", "result", "object"
_keep_or_none, _kept_or_none, _holds_any = map(define, (cell_definitions.keep_or_none, cell_definitions.kept_or_none, cell_definitions.holds_any))


def of(trace, names, state):
    """(the lists, what kinds they are) of the variables of a statement."""
    kinds = tuple(_kind(trace, value) for value in state)
    lists = []
    for name, kind, value in zip(names, kinds, state):
        lists.append(trace.lists.new([value] if kind == _VALUE else []))
        trace.lists.named(name, lists[-1], trace.place())
    cells = tuple(lists), kinds
    put(trace, names, cells, state, state, trace.place())
    return cells


def _kind(trace, value):
    if value is None or type(value) is PerhapsNone:
        return _NONE
    if isinstance(value, Undefined):
        return _RESULT if isinstance(value, UndefinedReturnValue) else _UNBOUND
    return _VALUE if _can_hold(trace, value) else _OBJECT


def _can_hold(trace, value):
    parts = instances.parts(value)
    return trace.lists.boxes.can_hold(value) if parts is None else all(_can_hold(trace, part) for part in parts)


def is_held(trace, value):
    """Whether a list holds what a variable is."""
    return _kind(trace, value) != _OBJECT


def values(trace, names, cells, before):
    """What the variables are. before: what they were where the statement began."""
    return tuple(_value(trace, *each) for each in zip(names, *cells, before))


def put(trace, names, cells, state, before, place):
    """Gives the variables other values. place: of the statement, for errors."""
    for name, list_, kind, value, was in zip(names, *cells, state, before):
        if kind == _OBJECT:
            if value is not was:
                raise _refused(name, "gets another list or object", place)
            continue
        if kind in (_UNBOUND, _RESULT):
            _put_if_bound(trace, name, list_, value, place)
            continue
        if kind == _NONE:
            if value is not None and type(value) is not PerhapsNone:
                _check(trace, name, value, place)
            _keep_or_none(trace, list_, value)
            continue
        _check(trace, name, value, place)
        list_methods.setitem(trace, list_, 0, value, trace.at)


def _value(trace, name, list_, kind, before):
    from lantern.operators_expressions import getitem
    at = trace.at
    if kind == _NONE:
        return _kept_or_none(trace, list_)
    if kind == _VALUE:
        return getitem(list_, 0, at)
    if kind == _OBJECT:
        return before
    value = UndefinedReturnValue() if kind == _RESULT else Undefined(name, "the for loop may make no turn, and it has none before")

    def read():
        nonlocal value
        value = getitem(list_, -1, at)

    def set_state(state):
        nonlocal value
        value, = state

    _if(trace, _holds_any(trace, list_), read, lambda: (value,), set_state, name)
    return value


def _put_if_bound(trace, name, list_, value, place):
    if not isinstance(value, Undefined):
        _check(trace, name, value, place)
        list_methods.append(trace, list_, value)
        return
    bound = trace.unbound.flag_of(value)
    if bound is not False:
        _check(trace, name, value.value, place)
        _if(trace, bound, lambda: list_methods.append(trace, list_, value.value), tuple, lambda _: None, None)


def _if(trace, condition, body, get_state, set_state, name):
    from lantern.operators_control import if_stmt
    names = (name,) if name else ()
    if_stmt(condition, body, lambda: None, get_state, set_state, names, len(names), trace.at)()


def _check(trace, name, value, place):
    if type(value) is not PerhapsNone and _can_hold(trace, value):
        return
    kind = "None" if value is None or type(value) is PerhapsNone else "a list" if isinstance(value, (list, dict)) else f"a {type(value).__name__}"
    raise _refused(name, f"becomes {kind}", place)


def _refused(name, what, place):
    shown = "what is returned" if name.startswith("retval_") else f"'{name}'"
    return StagingError("LT0306", f"{shown} {what} in a loop over a generator that calls itself", place, "go over a list, for … in list(…)")
