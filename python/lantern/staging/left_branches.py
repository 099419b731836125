"""`if`s of a `try` statement whose branches raise what is handled around them, where their ways come together again.

    if c: y = d[k]              if c:
    else: y = 0           →         try: y = d[k]
    rest                            except KeyError: left = 1
                                else: y = 0
                                if left == 1: raise KeyError(k)
                                rest

Each way having such an `if` decided (partings.py) reads better, and is all that is needed where one of its branches goes on behind it. Where both do, all that
follows stands in each; of a statement that has many ways for that, these `if`s are staged so.
"""
from __future__ import annotations

from lantern.staging import branches, partings
from lantern.staging.errors import Signal, StagingError
from lantern.staging.identity import IdentityDict, IdentitySet
from lantern.staging.raised_behind import RaisedBehind


class LeftBranches:
    """Which `if`s these are, each known by a code that is the same whenever it is staged."""

    def __init__(self):
        self.begin()

    def begin(self):
        """None is known."""
        self.codes = IdentitySet()
        self.ends = IdentityDict()      # code → how branches of it have ended, one of which raises something: (which, whether it has gone on)

    def noting(self, code, which, branch):
        """A branch that is gone on one of the ways."""
        ends = self.ends.setdefault(code, set())

        def run():
            try:
                value = branch()
            except (Signal, StagingError):
                raise
            except BaseException:
                ends.add((which, False))
                raise
            ends.add((which, True))
            return value

        return run

    def learn(self):
        """Whether there are more of them than were known."""
        new = [code for code, ends in self.ends.items() if code not in self.codes and _go_on_from_both(ends)]
        for code in new:
            self.codes.add(code)
        return bool(new)


def _go_on_from_both(ends):
    """Whether both branches go on, or may, as far as they have been tried."""
    tried, going_on = {which for which, _ in ends}, {which for which, goes_on in ends if goes_on}
    return bool(going_on) and tried == going_on


def if_stmt(trace, condition, body, orelse, get_state, set_state, names, outputs, what="the if statement", key=None):
    """An `if` as branches.if_stmt stages it, and what its branches raise behind it."""
    code = key or body.__code__
    left = RaisedBehind(trace, code, get_state, set_state, names, outputs, trace.at)
    parts = [lambda: left.run(body, (code, True)), lambda: left.run(orelse, (code, False))]
    branches.if_stmt(trace, condition, *parts, left.get, left.put, left.names, left.own + left.more, what, key)
    left.raise_it(may_be_last=key is None)      # a value is used, by whatever has the `if` as its value


def choose_stmt(trace, condition, body, orelse, *state):
    """`body()` or `orelse()` where the way that is being gone decides it, else an `if` of both."""
    partings.choose(trace, condition, body, orelse, lambda: branches.if_stmt(trace, condition, body, orelse, *state), body.__code__,
                    lambda: if_stmt(trace, condition, body, orelse, *state))


def choose_value(trace, condition, paths, what, code):
    """The same of the value of one of two paths."""
    def stage(statement):
        return trace.simplified(branches.if_expression(trace, condition, paths, what, code, statement))

    return partings.choose(trace, condition, *paths, lambda: stage(branches.if_stmt), code, lambda: stage(if_stmt))
