"""Lists that a structure holds. The structure of the program has the list as it is; in Python it sees what changes of it later, so that
nothing may:

    box = Box(xs)       the memory of xs (memories.py) is kept from here on
    xs.append(1)        an error: so it is where a function that is called does the one or the other
"""
from __future__ import annotations

from lantern.staging.errors import StagingError
from lantern.staging.memory import holds_lists
from lantern.staging.shared_elements import lists_in


class KeptLists:
    def __init__(self, lists):
        self.lists, self.trace = lists, lists.trace

    def keep(self, value, where):
        """A structure holds these lists from here on."""
        memories = self.trace.memories
        self.trace.ages.young(value)    # a list display has been seen by nobody yet
        memories.keep(value, where, holds_lists)
        for list_ in (*lists_in(value), *self.lists.shared.perhaps(value)):
            memories.keep_memory(memories.of_list(list_), where)
            for part in memories.parts(list_):
                memories.keep_memory(part.memory, where)

    def check_change(self, list_, at):
        """An error if a list changes that a structure holds, or that may be, or be in, one that it holds."""
        if not self.trace.memories.has_kept:
            return
        for other in (list_, *(() if self.lists.shared.is_known(list_) else self.lists.shared.reached_by(list_))):
            kept = self.trace.memories.keeper(other)
            if kept is not None:
                held = kept.removeprefix("what ") if other is list_ else f"may be {kept}"
                raise StagingError("LT0305", f"{self.lists.shown(list_)} is changed, and {held}, which would change with it in Python",
                                   self.trace.place(at), "put a copy into the structure: list(…)")

    def of(self, containers):
        """The names of those of these lists, by name, that are kept, or of which others are a part that is."""
        reached = {name: (list_, *self.lists.shared.reached_by(list_)) for name, list_ in containers.items() if type(list_) is list}
        return {name for name, lists in reached.items() if any(map(self._is_kept, lists))}

    def _is_kept(self, list_):
        return any(self.trace.memories.is_kept(part.memory) for part in self.trace.memories.parts(list_))
