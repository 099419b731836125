"""Operators of converted Python: `match` by patterns that take the subject apart (frontend/passes/match.cpp)."""
from __future__ import annotations

from lantern.staging.patterns import Found
from lantern.staging.trace import active


def match_(subject, patterns, at=None):
    """What has the answers for cases of these patterns, where something is traced."""
    trace = active()
    trace.at = at
    return Found(trace, subject, patterns)


def is_case(found, number, at=None):
    """Whether case `number` fits, those before it not having done so. found: of CPython's `match`, (its number, what it captures…)."""
    if type(found) is Found:
        found.trace.at = at
        return found.fits(number)
    return found is not None and found[0] == number


def captured(found, number, at=None):
    """What the case captures, in the order of its names."""
    if type(found) is Found:
        found.trace.at = at
        return found.captured(number)
    return found[1:]
