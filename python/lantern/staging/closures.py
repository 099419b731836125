"""Variables of functions around that a function sets: `nonlocal total`.

They are the state of statements as attributes are (object_state.py): where a function is called by its name, the text of a statement shows what it
sets, and where it is not (`inc = counter()`, a call within a call), the statement is staged again, and carries the variable, too. Which variable is
meant, its cell says: two variables may have one name.
"""
from __future__ import annotations

import contextlib
import dis
import sys
import types as python_types

from lantern import types
from lantern.records import Record
from lantern.staging.debugging import codes_within
from lantern.staging.errors import NeedsInlining, StagingError, is_ours
from lantern.staging.identity import cached_by_identity
from lantern.staging.keys import global_names_of
from lantern.staging.values import Staged

CONTENTS = "cell_contents"      # the attribute of a cell
NOTHING = object()


class Variable(Record):
    """home: the block that its function began in, or None where that is older than the trace. before: what such a one held."""
    cell: python_types.CellType
    name: str
    home: object
    before: object


class Closures:
    """The variables that functions set which are known in a trace, by their cells."""

    def __init__(self, trace):
        self._trace = trace
        self._known = {}     # id of a cell → Variable, in the order in which they became known

    def made(self, function):
        """Converted code has made a function. What it sets are variables of the code that has made it, or of a function around, which runs, too."""
        maker, trace = sys._getframe(2).f_code, self._trace
        calls = trace.specialisations.inline_calls
        begun = calls[-1][1] if calls and calls[-1][1].frame is trace.frame else trace.frame.root

        def home(name, cell):
            """What a turn or a branch sets, and its statement's text does not show as state, is nobody's before and behind it."""
            own = name in maker.co_cellvars or name in _stores(maker) and not (trace.statements and trace.statements[-1].holds(cell))
            return trace.block if own else begun

        self._note(function, home)

    def given(self, function):
        """A function is called. What it sets and nobody has made is older than the trace."""
        self._note(function, lambda *_: None)

    def _note(self, function, home):
        for name in _sets(function.__code__):
            cell = function.__closure__[function.__code__.co_freevars.index(name)]
            if id(cell) not in self._known:
                self._known[id(cell)] = Variable(cell, name, home(name, cell), contents_of(cell))

    def contents(self):
        """[(cell, what it holds)]."""
        return [(known.cell, contents_of(known.cell)) for known in self._known.values()]

    def own(self):
        """The same of the variables of the function that is traced, but for those of earlier traces of what it calls, whose values nobody has."""
        here = [(known.cell, contents_of(known.cell)) for known in self._known.values() if self._frame(known) is self._trace.frame]
        return [(cell, held) for cell, held in here if not isinstance(held, Staged) or self._trace.in_scope(held)]

    def put_back(self, contents):
        for cell, before in contents:
            if contents_of(cell) is not before:
                set_contents(cell, before)

    def is_of_trace(self, cell):
        """Whether the trace has made a variable."""
        known = self._known.get(id(cell))
        return known is not None and known.home is not None

    @contextlib.contextmanager
    def as_own(self, cells):
        """Meanwhile, variables are those of the function that is traced (carried_variables.py)."""
        before = {id(cell): self._known[id(cell)] for cell in cells}
        self._known.update((key, known.replaced(home=self._trace.frame.root)) for key, known in before.items())
        try:
            yield
        finally:
            self._known.update(before)

    def newest(self, cell):
        """The variable of that name that is there now, where the function that has it runs again."""
        known = self._known[id(cell)]
        return next(other.cell for other in reversed(self._known.values()) if other.name == known.name and self._frame(other) is self._frame(known))

    def name_of(self, cell):
        return self._known[id(cell)].name

    @staticmethod
    def _frame(known):
        return known.home and known.home.frame

    @staticmethod
    def of_state(set_state):
        """What identifies the variables that the text of a statement shows as its state: cells of functions, and (globals, name)."""
        found, pending = set(), [set_state]
        while pending:
            function = pending.pop()
            found.update((id(function.__globals__), name) for name in global_names_of(function.__code__, True))
            cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
            if not is_ours(function.__code__.co_filename):
                found.update(map(id, cells.values()))
            elif "set_state" in cells:      # ours, around that of the statement
                pending.append(contents_of(cells["set_state"]))
        return found

    def stored(self, cell, name, place):
        """A function has set a variable of one around."""
        trace, known = self._trace, self._known.get(id(cell))
        frame, home, error = trace.frame, known and known.home, self.error(name, place, contents_of(cell))
        if home is None:
            self.put_back([(cell, known.before)] if known else [])
            raise error
        if home.frame is not frame:
            raise NeedsInlining(frame.specialisation, error, cell) if frame.outer is not None else error
        if any(statement.frame is frame and statement.holds(cell) for statement in trace.statements):
            return
        for block in trace.block.chain():
            if block is home:
                return
            if block.conditional:
                break
        if trace.statements and trace.statements[-1].frame is frame:
            trace.statements[-1].carry(cell, CONTENTS)
        raise error

    @staticmethod
    def error(name, place, held=None):
        hint = f"change it in its place, {name}.append(…), or return the new one" if isinstance(held, list) or isinstance(held, Staged) and isinstance(held.type, types.List) \
            else f"return the new value, or keep it in a list, {name} = [0], and {name}[0] += 1"
        return StagingError("LT0305", f"the nonlocal variable '{name}' is set while the program is staged: the change would not be part of the program", place, hint)


def contents_of(cell):
    """What a cell holds; something that is no value of the user's where it holds nothing."""
    try:
        return cell.cell_contents
    except ValueError:
        return NOTHING


def set_contents(cell, value):
    if value is NOTHING:
        del cell.cell_contents
    else:
        cell.cell_contents = value


@cached_by_identity
def _sets(code):
    """The variables of functions around that code sets."""
    stored = {name for each in codes_within(code) for name in _stores(each)} if code.co_freevars else ()
    return tuple(name for name in code.co_freevars if name in stored)


@cached_by_identity
def _stores(code):
    """The same, but for what the functions within it set."""
    if not code.co_freevars:
        return ()
    return tuple(dict.fromkeys(instruction.argval for instruction in dis.get_instructions(code)
                               if instruction.opname == "STORE_DEREF" and instruction.argval in code.co_freevars))
