"""Lists that a structure holds. The structure of the program has the list as it is; in Python it sees what changes of it later, so that
nothing may:

    box = Box(xs)       xs is kept from here on
    xs.append(1)        an error: so it is where a function that is called does the one or the other

A list of which it is not known which one it is has a memory (memories.py), that is kept.
"""
from __future__ import annotations

from lantern.staging.errors import StagingError
from lantern.staging.memory import holds_lists
from lantern.staging.shared_elements import lists_in


class KeptLists:
    def __init__(self, lists):
        self.lists, self.trace = lists, lists.trace
        self.kept = {}      # id of a list → (it, the structure that holds it, as it was, and since where)

    def keep(self, value, where):
        """A structure holds these lists from here on."""
        place = self.trace.place()
        self.trace.memories.keep(value, where, holds_lists)
        for list_ in (*lists_in(value), *self.lists.shared.perhaps(value)):
            self._check_turns(list_, f"{where} of the turn before", place)
            self.kept.setdefault(id(list_), (list_, where + (f", since {place}" if place else "")))
            for part in self.trace.memories.parts(list_):
                self.trace.memories.keep_memory(part.memory, where)

    def _check_turns(self, list_, where, place):
        """An error if a turn of a loop changes a list before a structure gets it: that of the turn before would see it."""
        for turn in self.lists.turns:
            if not self.lists.made_in(list_, turn.block):
                changed = {id(container): container for container, _ in self.lists.journal[turn.journal:] if type(container) is list}.values()
                if any(other is list_ or any(reached is list_ for reached in self.lists.shared.reached_by(other)) for other in changed):
                    self._refuse(list_, where, place)

    def check_change(self, list_, at):
        """An error if a list changes that a structure holds, or that may be, or be in, one that it holds."""
        for other in (list_, *self.lists.shared.reached_by(list_)) if self.kept else ():
            if id(other) in self.kept:
                self._refuse(list_, self.kept[id(other)][1], self.trace.place(at))

    def _refuse(self, list_, where, place):
        raise StagingError("LT0305", f"{self.lists.shown(list_)} is changed, and is held by {where}, which would change with it in Python", place,
                           "put a copy into the structure: list(…)")

    def of(self, containers):
        """The names of those of these lists, by name, that are kept, or of which others are a part that is."""
        reached = {name: (list_, *self.lists.shared.reached_by(list_)) for name, list_ in containers.items() if type(list_) is list}
        return {name for name, lists in reached.items() if any(id(list_) in self.kept or self._is_kept(list_) for list_ in lists)}

    def _is_kept(self, list_):
        return any(self.trace.memories.is_kept(part.memory) for part in self.trace.memories.parts(list_))
