"""`lantern run` prints what its entry returns, if that has a text when the program runs, which structures, objects, and lists of arrays have not.
See lantern.shown.
"""
from __future__ import annotations

from lantern import types
from lantern.lazy_numpy import np
from lantern.shown import shown
from lantern.staging import branches, instances, merge, strings
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.text import Symbol
from lantern.staging.values import Staged


def print_result(trace, value):
    """Stages that it is printed, if it is anything and has a text."""
    value = trace.narrowed(value)
    if type(value) is PerhapsNone:
        branches.staged_if(trace, value.missing, (lambda: [], lambda: print_result(trace, value.value) or []), (), "the result")
    elif value is not None and _has_text(trace, value):
        text = value if strings.is_text(value) else _text(trace, value)
        trace.effect((Symbol("print"), trace.node(text)))


def _has_text(trace, value):
    if isinstance(value, Staged):
        return _type_has_text(value.type)
    if type(value) is PerhapsNone:
        return _has_text(trace, value.value)
    if isinstance(value, (np.ndarray, np.generic)) or value is None or type(value) in (bool, int, float, str):
        return True
    contents = merge.staged_list(value) if type(value) is list else None
    if contents is not None:
        return _has_text(trace, contents)
    parts = value.values() if type(value) is dict else value if type(value) is list else instances.parts(value)
    return parts is not None and all(_has_text(trace, each) for each in parts)


def _type_has_text(type_):
    if isinstance(type_, types.Tuple):
        return all(map(_type_has_text, type_.elements))
    if isinstance(type_, types.List):
        element = type_.element
        return not isinstance(element, types.TensorType) and _type_has_text(element)
    return isinstance(type_, (types.Scalar, types.TensorType))


def _text(trace, value):
    if isinstance(value, Staged) and isinstance(value.type, types.Tuple):
        value = instances.unpacked(trace, value)
    if isinstance(value, (np.ndarray, np.generic)):
        return shown(value)
    if type(value) is PerhapsNone:
        from lantern.operators_control import if_exp
        return if_exp(value.missing, lambda: "None", lambda: _text(trace, value.value), trace.at)()
    if isinstance(value, Staged) and isinstance(value.type, types.TensorType):
        from lantern.staging import library
        return library.text_of_array(trace, value) if value.type.dims else strings.text_of(trace, value)
    if type(value) is tuple or type(value) is list and merge.staged_list(value) is None:
        begin, end = "()" if type(value) is tuple else "[]"
        parts = [part for each in value for part in (", ", _text(trace, each))][1:]
        return strings.joined(trace, [begin, *parts, "," + end if type(value) is tuple and len(value) == 1 else end])
    if type(value) is dict:
        parts = [part for key, each in value.items() for part in (", ", f"{key!r}: ", _text(trace, each))][1:]
        return strings.joined(trace, ["{", *parts, "}"])
    return strings.repr_of(trace, value)
