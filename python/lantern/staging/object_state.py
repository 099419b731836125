"""State of a statement that its text does not show: attributes of objects that the function has made, `p.n` where `p.step(x)` stores it, and
variables of functions that another one sets (closures.py), which are the attribute `cell_contents` of their cells here.

The converter lists the state of an `if` or a loop by its text. What a method stores that is called within is met while the statement is
staged, where it is stored or by the snapshot behind a path: the statement is then undone and staged again, and carries that attribute, too.
"""
from __future__ import annotations

import inspect
import types as python_types
from types import CellType

from lantern.staging.closures import CONTENTS, NOTHING, contents_of
from lantern.staging.errors import NeedsInlining, Restart, Signal
from lantern.staging.plans import another
from lantern.staging.snapshots import Snapshot, defaults_of
from lantern.staging.standing import MendsBefore
from lantern.staging.unbound import Flags

_MISSING = object()


class Grows(Signal):
    """`statement` must carry these attributes, too: (object, attribute, name for messages)."""

    def __init__(self, statement, found):
        super().__init__()
        self.statement, self.found = statement, found


class Statement:
    """An `if` or a loop that is being staged: the attributes that it carries, and what was there before it."""

    def __init__(self, trace, key, set_state, names):
        self.trace, self.frame, self.mark = trace, trace.frame, trace.lists.mark()
        self.snapshot, self.variables = Snapshot(), trace.closures.own()
        self.shown, self.names = trace.closures.of_state(set_state), list(names)
        self.carried = []       # (object, attribute, name)
        self.in_front = 0       # of the state that the text shows
        self._remembered = trace.carried.setdefault(key, [])    # by earlier traces of it
        remembered = ((trace.closures.newest(value) if isinstance(value, CellType) else value, *rest) for value, *rest in self._remembered)
        self._add(each for each in remembered if self._can_carry(*each[:2]))

    def check(self, what, at):
        """An error if something else has changed than what it carries, or can carry."""
        changed = self._changed()
        if changed and all(self._can_carry(value, attribute) for value, attribute, _, _ in changed):
            raise Grows(self, [(value, attribute, name) for value, attribute, _, name in changed])
        self.snapshot.check(self.trace, what, at)
        for value, attribute, _, name in changed:
            if isinstance(value, CellType) and not self._carries(value, attribute):
                raise self.trace.closures.error(name, self.trace.place(at))

    def carry(self, value, attribute):
        """Carries an attribute from now on, by beginning again, if it can."""
        if self._can_carry(value, attribute):
            name = self.trace.closures.name_of(value) if isinstance(value, CellType) else \
                f"{self.snapshot.name_of(value) or type(value).__name__}.{attribute}"
            raise Grows(self, [(value, attribute, name)])

    def put_back(self):
        """Attributes that it carries, or could carry, are what they were."""
        for value, attribute, before, _ in self._changed():
            if self._carries(value, attribute) or self._can_carry(value, attribute):
                setattr(value, attribute, before)

    def begin_again(self, found):
        """Attributes are what they were, and more of them are carried."""
        self.put_back()
        self._remembered.extend(found)
        self._add(found)

    def mend_before(self, list_):
        """Mends a list in front of it, or of a statement around it."""
        lists = self.trace.lists
        mark = lists.mark()
        self.trace.statements.pop()
        try:
            lists.check_stale(list_)
        finally:
            self.trace.statements.append(self)
        self.snapshot.renew(container for container, _ in lists.journal[mark:])
        self.mark = lists.mark()

    def holds(self, variable):
        """Whether the statement's state has a variable: a cell, or (globals, name)."""
        if isinstance(variable, CellType):
            return id(variable) in self.shown or self._carries(variable, CONTENTS)
        return (id(variable[0]), variable[1]) in self.shown

    def get(self):
        return tuple(getattr(value, attribute) for value, attribute, _ in self.carried)

    def set(self, state):
        for (value, attribute, _), now in zip(self.carried, state):
            setattr(value, attribute, now)

    def _add(self, found):
        for value, attribute, name in found:
            if not self._carries(value, attribute):
                self.names.append(another(name, self.names))
                self.carried.append((value, attribute, self.names[-1]))

    def _carries(self, value, attribute):
        return any(value is other and attribute == name for other, name, _ in self.carried)

    def _can_carry(self, value, attribute):
        """A plain attribute that an object of this function has already, of its own, in a slot, or by its class; a variable that had a value."""
        if isinstance(value, CellType):
            return any(cell is value and before is not NOTHING for cell, before in self.variables) and not self.holds(value)
        home = self.trace.ages.home(value)
        if home is None or home.frame is not self.frame or attribute is None or self._carries(value, attribute):
            return False
        of_class = inspect.getattr_static(type(value), attribute, _MISSING)
        if isinstance(of_class, python_types.MemberDescriptorType):
            has = hasattr(value, attribute)
        else:
            has = not hasattr(of_class, "__set__") and attribute in {**defaults_of(type(value)), **getattr(value, "__dict__", {})}
        return has and type(value).__setattr__ in (object.__setattr__, type.__setattr__)

    def _changed(self):
        """(object, attribute, what it was, name); no attribute: something else of the object."""
        return [(value, key[1:] if isinstance(key, str) and key.startswith(".") else None, before, name)
                for value, key, before, name in self.snapshot.changes()] + \
            [(cell, CONTENTS, before, self.trace.closures.name_of(cell)) for cell, before in self.variables
             if contents_of(cell) is not before and id(cell) not in self.shown]


def stage(trace, key, run, get_state, set_state, names):
    """Has `run(statement, get_state, set_state, names)` stage a statement, with what it carries beyond the state that its text shows in front.

    key: what is the same whenever this statement is staged.
    """
    statement = Statement(trace, key, set_state, names)
    trace.statements.append(statement)
    try:
        while True:
            checkpoint, at = trace.checkpoint(), trace.at
            count, flags = len(statement.carried), Flags(trace, key, names)
            statement.in_front = count + len(flags.names)

            # What reads or stores the state that the text shows calls properties; what these have stored was there before.

            def get(flags=flags):
                own = statement.get()
                shown = get_state()
                statement.set(own)
                return (*own, *flags.get(shown), *shown)

            def put(state, count=count, flags=flags):
                statement.set(state[:count])
                set_state(flags.put(state[count:], names))
                statement.set(state[:count])

            try:
                return run(statement, get, put, (*(name for _, _, name in statement.carried), *flags.names, *names))
            except Grows as signal:
                if signal.statement is not statement:
                    raise
                found, stale = signal.found, None
            except MendsBefore as signal:
                if signal.statement is not statement:
                    raise
                found, stale = (), signal.list
            except (NeedsInlining, Restart):    # a call around is traced again, of objects as they were
                statement.put_back()
                raise
            trace.rollback(checkpoint)
            trace.at = at
            statement.begin_again(found)
            if stale is not None:
                statement.mend_before(stale)
    finally:
        trace.statements.pop()


def carry(trace, value, attribute):
    """Where an attribute is stored that no statement around is known to carry: has the innermost one carry it, if it can."""
    if trace.statements and trace.statements[-1].frame is trace.frame:
        trace.statements[-1].carry(value, attribute)
