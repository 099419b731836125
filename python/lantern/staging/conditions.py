"""Conditions that are known only when the program runs: what is one, and the two paths that it chooses between."""
from __future__ import annotations

import contextlib

from lantern import types
from lantern.staging.errors import StagingError
from lantern.staging.truths import TooLarge


def as_condition(trace, value, at=None):
    """A staged value as a condition: a staged bool, or a Python bool where it is known."""
    type_ = value.type
    if type_ is None or type_ == types.bool_ or isinstance(type_, types.TensorType) and type_.dtype == "bool" and not type_.dims:
        return value
    if isinstance(type_, types.NoneType):
        return False
    if isinstance(type_, (types.Optional, types.StructType)):
        struct = getattr(type_, "element", type_)
        asked = next((name for name in ("__bool__", "__len__") if hasattr(getattr(struct, "declaration", None), name)), None)
        if asked is not None:
            raise StagingError("LT0310", f"{value.shown()} may be None, and its truth is otherwise what {asked} gives", trace.place(at),
                               "ask `is None` first")
        missing = trace.is_none(value)
        return not missing if isinstance(missing, bool) else trace.negate(missing)
    if type_ == types.string or isinstance(type_, (types.List, types.DatasetType)):
        return trace.emit("!=", (trace.emit("length", (value,)), 0), at=at)
    if isinstance(type_, types.Tuple):
        return bool(type_.elements)
    if isinstance(type_, types.TensorType) and type_.dims:
        raise StagingError("LT0310", f"the truth of {value.shown()}, of type {types.annotation(type_)}, is ambiguous", trace.place(at),
                           "reduce it to one value first, e.g. lt.sum(x) > 0")
    return trace.emit("!=", (value, 0 if type_ == types.i64 else 0.0), at=at)


def both(trace, a, b):
    """`a and b` of staged conditions that have both been computed."""
    result = trace.emit("and", (a, b))
    with contextlib.suppress(TooLarge):
        result.truth = trace.truths.both(trace.truth(a), trace.truth(b))
    return result


def underlying(condition):
    """(the condition without its `not`s, whether the branches swap)."""
    swapped = False
    while condition.negates is not None:
        condition, swapped = condition.negates, not swapped
    return condition, swapped


class Choice:
    """The two paths of an `if`: where its condition is true, and where it is false."""

    def __init__(self, trace, condition):
        self.trace, self.condition = trace, condition
        self.truths, self.truth = trace.truths, trace.truth(condition)
        try:
            self.holds = [self.truths.both(trace.block.holds, truth) for truth in (self.truth, self.truths.negation(self.truth))]
        except TooLarge:
            self.holds = [trace.block.holds] * 2

    def flag(self, values):
        """The condition itself, where a variable is true on one path and false on the other; else None."""
        if self.condition.declared_type != types.bool_ or not all(isinstance(value, bool) for value in values) or values[0] is values[1]:
            return None
        return self.condition if values[0] else self.trace.negate(self.condition)

    def merged(self, parts, otherwise=None):
        """The Boolean function that is the first part where the condition is true, and else the second.

        otherwise: what it is if that is too large; a new atom, if that is not said.
        """
        try:
            return self.truths.choose(self.truth, *parts)
        except TooLarge:
            return self.truths.atom() if otherwise is None else otherwise
