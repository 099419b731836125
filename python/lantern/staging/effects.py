"""No Python effect may escape a trace: every path is traced, some several times.

An object may be changed where it was made, in straight-line code. What is older than the trace, or than the branch, the
loop or the function that runs now, may not, unless it is state of the statement (which the converter lists).
"""
from __future__ import annotations

from lantern.staging.errors import NeedsInlining, StagingError

MUTATORS = {
    list: frozenset(("append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse")),
    dict: frozenset(("update", "pop", "popitem", "setdefault", "clear")),
    set: frozenset(("add", "discard", "remove", "pop", "update", "clear", "difference_update", "intersection_update",
                    "symmetric_difference_update")),
    bytearray: frozenset(("append", "extend", "insert", "pop", "remove", "clear", "reverse")),
}


def is_mutator(method):
    """Whether a bound built-in method is known to change its object."""
    owner = getattr(method, "__self__", None)
    return any(isinstance(owner, kind) and method.__name__ in names for kind, names in MUTATORS.items())


class Ages:
    """Which Python objects were made in the trace, and in which block."""

    def __init__(self, trace):
        self.trace = trace
        self.known = {}     # id → (object, Block or None for what is older than the trace)

    def young(self, value):
        """`value` has just been made."""
        if _has_state(value) and id(value) not in self.known and self.trace.frame is not None:
            self.known[id(value)] = (value, self.trace.block)

    def made(self, value):
        """`value` has certainly just been made (by a constructor)."""
        if _has_state(value) and self.trace.frame is not None:
            self.known[id(value)] = (value, self.trace.block)

    def old(self, value):
        """`value` came from outside, unless we know better."""
        if _has_state(value) and id(value) not in self.known:
            self.known[id(value)] = (value, None)

    def is_young(self, value):
        """Whether `value` was made in the function that is being traced."""
        block = self.known.get(id(value), (value, None))[1]
        return block is not None and block.frame is self.trace.frame

    def check_change(self, value, what, at, state_ending=None):
        """An error unless `value` may be changed here. state_ending: how state that the change would be is called (`.attribute`)."""
        trace = self.trace
        if trace.frame is None:
            return
        home = self.known.get(id(value), (value, None))[1]
        block = trace.block
        while block is not None and block is not home:
            if state_ending is not None and any(name.endswith(state_ending) for name in block.state_names):
                return
            if block.conditional:
                self._refuse(what, at, home, "inside a staged condition or loop")
            block = block.parent
        if block is home is not None:
            return
        frame = trace.frame
        if frame.outer is not None:
            error = self._error(what, at, "in a function that staged values reach")
            raise NeedsInlining(frame.specialisation, error)
        self._refuse(what, at, home, "while the program is staged")

    def _refuse(self, what, at, home, where):
        error = self._error(what, at, where, home)
        frame = self.trace.frame
        if home is not None and home.frame is not frame and frame.outer is not None and not frame.is_conditional():
            raise NeedsInlining(frame.specialisation, error)
        raise error

    def _error(self, what, at, where, home=None):
        age = "made before" if home is not None else "older than the trace"
        return StagingError("LT0305", f"{what} is changed {where}, but is {age}: the change would not be part of the program",
                            self.trace.place(at),
                            "return the new value instead, keep it in a local variable, or use lt.Variable for state")


def _has_state(value):
    return not isinstance(value, (int, float, str, bytes, tuple, type(None), type)) and not callable(value) \
        or hasattr(value, "__dict__") and not isinstance(value, type)
