"""Lists that are elements of lists. In the program an element is a value in its place; in Python one list may stand in several places:

    rows = [[0.0]] * n          changing rows[0] changes them all
    top = rows[:2]              changing top[0] changes rows[0]

Elements are changed in their place (`rows[i].append(x)`) where they are in no other: an error else, if not where they are changed, then
where the other place is read.
"""
from __future__ import annotations

from lantern import types
from lantern.staging.errors import StagingError
from lantern.staging.values import Staged


def holds_lists(contents):
    """Whether the elements of staged contents, or of a list, are lists."""
    if isinstance(contents, Staged):
        return isinstance(contents.type, types.List) and isinstance(contents.type.element, types.List)
    return any(type(value) is list for value in contents)


class SharedElements:
    def __init__(self, lists):
        self.lists = lists
        self.homes = {}         # id of a list → (it, the lists that it has become an element of)
        self.others = {}        # id of a list → (it, those that may have an element in common with it)
        self.doubtful = {}      # id of a list that may have one element twice, or one of nobody knows whose → it
        self.changed = {}       # id of a list of which an element has changed in its place → it

    def become(self, list_, values):
        """The values are the elements of a list that becomes staged."""
        rows = [value for value in values if type(value) is list]
        if len({id(row) for row in rows}) < len(rows):
            self.share(list_, None)
        for row in rows:
            self._note_home(list_, row)

    def put(self, list_, value):
        """A value becomes one more element of a staged list."""
        if type(value) is list:
            known = self.homes.get(id(value), (value, ()))[1]
            if any(home is list_ for home in known) or self.lists.is_of_turn_before(value):
                self.share(list_, None)
            self._note_home(list_, value)
        elif isinstance(value, Staged) and isinstance(value.type, types.List):
            self.share(list_, value.element_of[0] if value.element_of is not None else value.row_of)

    def _note_home(self, list_, row):
        homes = self.homes.setdefault(id(row), (row, []))[1]
        for other in homes:
            if other is not list_:
                self.share(list_, other)
        homes.append(list_)

    def share(self, list_, other):
        """Elements of `other` are elements of `list_`, too. None: of the list itself, or of nobody knows what."""
        if other is None or other is list_:
            self.doubtful[id(list_)] = list_
            return
        for one, two in ((list_, other), (other, list_)):
            self.others.setdefault(id(one), (one, []))[1].append(two)
            if id(two) in self.doubtful:
                self.doubtful[id(one)] = one

    def copied(self, contents, source):
        """A new list of what stands in another one, or in part of it."""
        made = self.lists.new(contents)
        if holds_lists(contents):
            self.share(made, self.list_of(source))
        return made

    def extended(self, list_, source):
        """The elements of another list are behind those of a staged one."""
        other = self.list_of(source)
        again = other is None or self.lists.is_of_turn_before(other) and not self.lists.is_of_turn_before(list_) or id(other) in self.kin(list_)
        self.share(list_, None if again else other)

    def list_of(self, source):
        """The list that a source of elements is: itself, or the one whose contents it is; None if it is none that is known."""
        return source if type(source) is list else self.lists.holder(source)

    def kin(self, list_):
        """The lists that may have an element in common with one."""
        found, pending = {id(list_): list_}, [list_]
        while pending:
            for other in self.others.get(id(pending.pop()), (None, ()))[1]:
                if id(other) not in found:
                    found[id(other)] = other
                    pending.append(other)
        del found[id(list_)]
        return found

    def ties(self, containers):
        """{(kind, name, name)} of the lists and dicts of these, by name, that hold something in common."""
        found = set()
        for one, container in containers.items():
            tangled, kin = {id(other) for other in self.lists.tangles.get(id(container), (None, ()))[1]}, self.kin(container)
            if id(container) in self.doubtful:
                found.add(("doubtful", one, one))
            for two, other in containers.items():
                if any(home is container for home in self.homes.get(id(other), (None, ()))[1]):
                    found.add(("element", one, two))
                elif id(other) in tangled:
                    found.add(("tangled", one, two))
                elif id(other) in kin:
                    found.add(("elements", one, two))
        return found

    def tie(self, kind, one, two):
        if kind in ("element", "tangled"):
            self.lists.entangle(one, two)
        if kind == "element":
            self.put(one, two)
        if kind in ("elements", "doubtful"):
            self.share(one, None if kind == "doubtful" else two)

    def change(self, list_):
        """An element is changed in its place."""
        trace = self.lists.trace
        if id(list_) in self.doubtful:
            raise StagingError("LT0305", f"an element of {self.lists.shown(list_)} is changed, and that element, a list, may be in another place, too",
                               trace.place(), "make each element anew: [list(row) for row in rows]")
        self.changed[id(list_)] = list_
        self.lists.become_stale((other, f"an element of {self.lists.shown(list_)}, at {trace.place()}") for other in self.kin(list_).values())
