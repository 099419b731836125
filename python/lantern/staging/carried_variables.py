"""Variables of the function around that a recursion sets, `nonlocal position`: its define is given what they hold, and gives back what they come to
hold, as it does with lists (carried.py).

    position = 0
    def term():                     (define term (position text) … (tuple retval position))
        nonlocal position
        position += 1
        …

For that, one stands in a list of one element, which there is for a call alone. While calls are compared, what it holds counts as an argument, and
not as what the function knows; while the body is traced, it holds the formal, and is a variable of the function that is traced.
"""
from __future__ import annotations

import contextlib

from lantern.staging import list_methods
from lantern.staging.closures import NOTHING, contents_of, set_contents
from lantern.staging.perhaps_none import PerhapsNone

_ASIDE = object()       # what a variable holds while calls are compared


class CarriedVariables:
    def __init__(self, trace):
        self._trace = trace
        self._lists = {}        # id → (the list of a call, the cell that its element is of)

    def list_for(self, cell, name):
        """A list for a call, with what a variable holds; None where that cannot be an element of one, or the variable is older than the trace."""
        held, lists = contents_of(cell), self._trace.lists
        if not self._can_hold(held) or not self._trace.closures.is_of_trace(cell):
            return None
        made = lists.new([held])
        lists.named(name, made, self._trace.place())
        self._lists[id(made)] = made, cell
        return made

    def _can_hold(self, value):
        """Whether a list may have that as its element. Lists and dicts are changed as they are."""
        value = value.value if type(value) is PerhapsNone else value
        return value is not NOTHING and value is not _ASIDE and self._trace.lists.boxes.can_hold(value)

    def cell_of(self, container):
        """The cell of the variable that such a list is for; None of others."""
        return self._lists[id(container)][1] if id(container) in self._lists else None

    def staged_in(self, bound):
        """The paths of what is staged of them, whatever it is: they change."""
        return [(name, 0) for name, value in bound.arguments.items() if self.cell_of(value) is not None and isinstance(value[0], (bool, int, float, str))]

    @contextlib.contextmanager
    def aside(self, bound):
        """While a call is compared with others."""
        cells = [cell for value in bound.arguments.values() if (cell := self.cell_of(value)) is not None]
        before = [(cell, contents_of(cell)) for cell in cells]
        for cell in cells:
            set_contents(cell, _ASIDE)
        try:
            yield
        finally:
            self._trace.closures.put_back(before)

    @contextlib.contextmanager
    def within(self, made):
        """While the body of a define is traced, to its end: what it makes of them is then in their lists."""
        trace, closures = self._trace, self._trace.closures
        own = [(container, cell) for container in made.containers.values() if (cell := self.cell_of(container)) is not None]
        before = [(cell, contents_of(cell)) for _, cell in own]
        with closures.as_own([cell for _, cell in own]):
            try:
                formals = [self._held(container) for container, _ in own]
                for (_, cell), formal in zip(own, formals):
                    set_contents(cell, formal)
                yield
                for (container, cell), formal in zip(own, formals):
                    self._change(container, cell, formal)
            finally:
                closures.put_back(before)

    def _change(self, container, cell, formal):
        trace, now = self._trace, contents_of(cell)
        if now is formal:
            return
        if not self._can_hold(now):
            raise trace.closures.error(trace.closures.name_of(cell), trace.place(), now)
        trace.lists.change_all([(container, [now])])

    def _held(self, container):
        """The element of a list."""
        contents = self._trace.lists.raw(container)
        return contents[0] if type(contents) is list else list_methods.getitem(self._trace, container, 0)

    def behind_call(self, specialisation, actual):
        """They hold what a call has made of them."""
        trace = self._trace
        for path in specialisation.changes:
            cell = self.cell_of(actual[path])
            if cell is not None:
                set_contents(cell, self._held(actual[path]))
                trace.closures.stored(cell, trace.closures.name_of(cell), trace.place())
