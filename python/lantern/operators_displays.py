"""Operators of converted Python: displays of dicts and sets, which are staged ones where a key is known only when the program runs."""
from __future__ import annotations

from lantern import dispatch
from lantern.operators_stores import store_item
from lantern.staging.calls import call
from lantern.staging.dicts import StagedDict, has_lists
from lantern.staging.tables import is_staged_key
from lantern.staging.trace import active


def dict_display(items, at=None):
    """`{k: v, **d}`. items: pairs, and what `**` stands before, alone in a tuple."""
    trace = None if dispatch.tracing is None else active()
    if trace is None or trace.frame is None:
        return _joined(items, {})
    trace.at = at
    items = [item if len(item) == 1 else (trace.narrowed(item[0]), item[1]) for item in items]
    keys = [item[0] for item in items if len(item) == 2]
    if not trace.lists.remade.is_staged(at) and not any(map(is_staged_key, keys)) and not any(isinstance(item[0], StagedDict) for item in items if len(item) == 1):
        return _made(trace, _joined(items, {}), at)
    made = trace.lists.remade.new_staged(dict, at)
    own = {} if any(map(is_staged_key, keys)) or len(keys) < len(items) else _joined(items, {})
    if len(own) > 1 and not any(has_lists(value) for value in own.values()):
        call(trace, made.begin, (tuple(own), tuple(own.values())), {}, at)
        return made
    for item in items:
        if len(item) == 1:
            call(trace, made.update, item, {}, at)
        else:
            store_item(item[1], made, item[0], at)
    return made


def _joined(items, result):
    for item in items:
        if len(item) == 1:
            result.update({**item[0]})
        else:
            result[item[0]] = item[1]
    return result


def set_display(elements, at=None):
    """`{x, *xs}`."""
    trace = None if dispatch.tracing is None else active()
    if trace is None or trace.frame is None:
        return set(elements)
    elements = list(map(trace.narrowed, elements))
    if trace.lists.remade.is_staged(at) or any(map(is_staged_key, elements)):
        return trace.lists.remade.new_staged(set, at, elements)
    return _made(trace, set(elements), at)


def _made(trace, container, at):
    trace.ages.young(container)
    return trace.lists.remade.made(container, at)
