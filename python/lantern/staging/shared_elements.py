"""Lists that are elements of lists, or that may be other lists. In the program an element is a value in its place; in Python one list may
stand in several places:

    rows = [[0.0]] * n          changing rows[0] changes them all
    top = rows[:2]              changing top[0] changes rows[0]
    rows = [row]                changing row changes rows[0]
    one = a if x > 0 else b     changing one changes a, or b

Elements are changed in their place (`rows[i].append(x)`) where they are in no other: an error else, if not where they are changed, then
where the other place is read.
"""
from __future__ import annotations

from lantern import types
from lantern.staging import instances
from lantern.staging.errors import StagingError
from lantern.staging.memory import holds_lists, shares
from lantern.staging.values import Staged


def has_lists(contents):
    """Whether the elements of staged contents, or of a list, are lists, or hold some."""
    if isinstance(contents, Staged):
        return isinstance(contents.type, types.List) and holds_lists(contents.type.element)
    return any(True for value in contents for _ in lists_in(value))


def lists_in(value):
    """The lists in a value, through what is known: itself, and those in tuples, lists and dicts."""
    return (each for each in containers_in(value) if type(each) is list)


def containers_in(value):
    """The same of lists and dicts."""
    if type(value) in (list, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if type(value) is list else instances.parts(value) or ():
        yield from containers_in(part)


def staged_lists_in(value):
    """The staged values in a value that are, or hold, lists which no list of Python's stands for."""
    if isinstance(value, Staged):
        return [value] if holds_lists(value.type) else []
    return [each for part in instances.parts(value) or () for each in staged_lists_in(part)]


def element_of(value):
    """Where a value stands, or what a deque, dict or set of the program was put together of: (the list, the place, what it held); None of others."""
    if isinstance(value, Staged):
        return value.element_of
    parts = staged_lists_in(value) if hasattr(type(value), "__lantern_class__") and not any(True for _ in lists_in(value)) else ()
    wholes = [part.element_of[0] for part in parts if part.element_of is not None]
    is_one = len(wholes) > 0 and len(wholes) == len(parts) and isinstance(wholes[0], Staged) and all(whole is wholes[0] for whole in wholes)
    return wholes[0].element_of if is_one else None


def _is_same(place, other):
    """Whether two places are one number, as far as that is seen."""
    return place.binding is other.binding if isinstance(place, Staged) and isinstance(other, Staged) else type(place) is type(other) is int and place == other


class SharedElements:
    def __init__(self, lists):
        self.lists = lists
        self.homes = {}         # id of a list → (it, the lists of staged contents in which a copy of it stands, as an element or in one)
        self.others = {}        # id of a list → (it, those that may have an element in common with it)
        self.sources = {}       # id of a list or dict → (it, those of which it may be one)
        self.merged = {}        # id of a list or dict → (it, those that may be it)
        self.taken = {}         # id of a list that was taken out of another → (it, those of which it may be one, and no other list taken out is; that one)
        self.doubtful = {}      # id of a list that may have one element twice, or one of nobody knows whose → it
        self.exchanging = {}    # id of a list → (it, what it holds since an element of it was put at this place, that place, where it was read, what was held then)
        self.tied = {}          # id of a list or dict of the arguments that has something in common with another of these → it
        self.changed = {}       # id of a list of which an element has changed in its place → it

    # What stands where

    def become(self, list_, values):
        """The values are elements of a list that is staged, or becomes so."""
        rows = [row for value in values for row in lists_in(value)]
        if len({id(row) for row in rows}) < len(rows):
            self.share(list_, None)
        for row in rows:
            self._note_home(list_, row)

    def merge(self, list_, plan):
        """A list holds what a plan of its contents has given: what it held on any path may stand in it."""
        for values in plan.join.values if plan.join else ():
            if type(values) is list:
                self.become(list_, values)

    def put(self, list_, value):
        """A value becomes one more element of a staged list."""
        for row in lists_in(value):
            known = self.homes.get(id(row), (row, ()))[1]
            if any(home is list_ for home in known) or self.lists.is_of_turn_before(row):
                self.share(list_, None)
            self._note_home(list_, row)
        for part in staged_lists_in(value):
            self.share(list_, part.outermost())

    def note_stored(self, list_, before, place, value, doubtful):
        """A value was put at a place of a list, which held `before`, and was doubtful or not. Two elements that have changed places,
        `rows[i], rows[k] = rows[k], rows[i]`, stand in one place each."""
        first, element = self.exchanging.pop(id(list_), None), element_of(value)
        if element is None or element[0] is not list_:
            return
        _, read_at, held = element
        if first is None and held is before and not doubtful:
            self.exchanging[id(list_)] = list_, self.lists.raw(list_), place, read_at, held
        elif first is not None and first[1] is before and first[4] is held and _is_same(first[2], read_at) and _is_same(first[3], place):
            del self.doubtful[id(list_)]

    def _note_home(self, list_, row):
        homes = self.homes.setdefault(id(row), (row, []))[1]
        if any(home is list_ for home in homes):
            return
        homes.append(list_)
        for other in homes[:-1]:
            self.share(list_, other)

    def share(self, list_, other):
        """Elements of `other` are elements of `list_`, too. None: of the list itself, or of nobody knows what."""
        if other is None or other is list_:
            self.doubtful[id(list_)] = list_
            return
        for one, two in ((list_, other), (other, list_)):
            self.others.setdefault(id(one), (one, []))[1].append(two)
            if id(two) in self.doubtful:
                self.doubtful[id(one)] = one
        known = self.lists.raw(other)
        for row in lists_in(known) if type(known) is list else ():
            if row is not known:
                self._note_home(list_, row)

    def entangle(self, made, source):
        """`made` may be `source`."""
        if made is not source:
            self.sources.setdefault(id(made), (made, []))[1].append(source)
            self.merged.setdefault(id(source), (source, []))[1].append(made)

    def is_doubtful(self, list_):
        """Whether an element of a list may stand in it in another place, too."""
        return id(list_) in self.doubtful

    def standing_in(self, lists):
        """The lists that stand in these, as far as they are known; lists: {id: list}."""
        return [row for row, homes in self.homes.values() if any(id(home) in lists for home in homes)]

    def perhaps(self, value):
        """The lists that a staged value may be, or hold: those that stand in lists which it may have been read from."""
        parts = self.lists.trace.memories.parts(value) if self.homes else ()
        homes = {id(home): home for _, of in self.homes.values() for home in of}
        return self.standing_in({id(home): home for home in homes.values() if any(
            shares(part.memory, contents.memory) for contents in self.lists.was_staged(home) for part in parts)})

    def take(self, list_, made):
        """An element is taken out of a list of staged contents, and is `made`."""
        kin = self.kin(list_)
        of_these = {id(list_), *kin}
        self.be_one_of(made, self.standing_in(of_these), None if self.is_doubtful(list_) else list_)
        for home in (*kin.values(), *([list_] if self.is_doubtful(list_) else ())):
            self._note_home(home, made)

    def be_one_of(self, made, rows, left=None):
        """A list that was taken out of another may be one of these, that stand in it."""
        self.taken[id(made)] = (made, rows, left)
        for row in rows:
            self.merged.setdefault(id(row), (row, []))[1].append(made)

    def copied(self, contents, source):
        """A new list of what stands in another one, or in part of it."""
        made = self.lists.new(contents.copied() if isinstance(contents, Staged) else contents)
        if has_lists(contents):
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

    # What a change reaches

    @staticmethod
    def _reached(start, *relations):
        """{id: list or dict} of what relations lead to from these, themselves included."""
        found, pending = {id(one): one for one in start}, list(start)
        while pending:
            one = pending.pop()
            for other in (other for relation in relations for other in relation.get(id(one), (None, ()))[1]):
                if id(other) not in found:
                    found[id(other)] = other
                    pending.append(other)
        return found

    def kin(self, list_):
        """The lists that may have an element in common with one."""
        found = self._reached([list_], self.others)
        del found[id(list_)]
        return found

    def may_be(self, container):
        """What a list or dict is: itself, or one that a statement has chosen."""
        return self._reached([container], self.sources).values()

    def one_of(self, containers):
        """{id: list or dict} of what may be one of these, themselves included."""
        found = self._reached(self._reached(containers, self.sources).values(), self.merged)
        memories = self.lists.trace.memories
        own = [memories.of_list(one) for one in containers if id(one) in memories.lists]
        for other, memory in memories.lists_among(own):
            if id(other) not in found and any(shares(one, memory) for one in own):
                found[id(other)] = other
        return found

    def reached_by(self, container):
        """The others that hold something else once this list or dict does: what may be it, and what a copy of any of these stands in."""
        found, pending = {}, [container]
        left = self.taken.get(id(container), (None, (), None))[2]     # the rows that it may have been stand there; it does not, unless it was put back
        while pending:
            rows = [row for one in pending for row in self.taken.get(id(one), (None, ()))[1]]
            new = [one for key, one in {**self.one_of(pending), **{id(row): row for row in rows}}.items() if key not in found]
            found.update((id(one), one) for one in new)
            homes = [home for one in new for home in self.homes.get(id(one), (None, ()))[1]
                     if home is not left or one is container]
            pending = [other for home in homes for other in (home, *self.kin(home).values()) if id(other) not in found]
        del found[id(container)]
        return [other for other in found.values() if self._may_reach(container, other)]

    def _may_reach(self, container, other):
        """What memories know of it: on no path that leads here is the one the other, or in it."""
        memories = self.lists.trace.memories
        if type(container) is not list or type(other) is not list or not self.is_known(container):
            return True
        if not self.is_known(other) or shares(memories.of_list(container), memories.of_list(other)):
            return True
        return any(shares(memories.of_list(container), part.memory) for part in memories.parts(other))

    def is_known(self, list_):
        """Whether the memory of a list says all that it may be."""
        return id(list_) in self.lists.trace.memories.whole or not any(
            id(list_) in relation for relation in (self.sources, self.taken, self.tied, self.lists.borrowed, self.lists.popped))

    def check_inner(self, list_):
        """An error if an element of an element may stand in another place, too."""
        self._check_from_outside(list_)
        for row in self.standing_in({id(list_): list_, **self.kin(list_)}):
            self._check_doubt(row)

    def _check_from_outside(self, list_):
        """An error if a Python list older than the program stands in a list of which an element is changed: it would not change with it."""
        trace = self.lists.trace
        if any(map(trace.ages.is_old, self.standing_in({id(list_): list_}))):
            raise StagingError("LT0305", f"an element of {self.lists.shown(list_)} is changed, and that element may be a list that is older than the program, "
                               "which would change with it in Python", trace.place(), "make each element anew: [list(row) for row in rows]")

    def _check_doubt(self, list_):
        if id(list_) in self.doubtful:
            raise StagingError("LT0305", f"an element of {self.lists.shown(list_)} is changed, and that element, a list, may be in another place, too",
                               self.lists.trace.place(), "make each element anew: [list(row) for row in rows]")

    def change(self, list_):
        """An element is changed in its place."""
        trace = self.lists.trace
        self._check_doubt(list_)
        self._check_from_outside(list_)
        self.changed[id(list_)] = list_
        kin = self.kin(list_)
        of_these = {id(list_), *kin}
        standing = self.one_of([*self.standing_in(of_these), *self.perhaps(list_)])
        stale = {**kin, **{key: row for key, row in standing.items() if self._may_reach(row, list_)}}
        stale.pop(id(list_), None)
        self.lists.become_stale((other, f"an element of {self.lists.shown(list_)}, at {trace.place()}", (None,)) for other in stale.values())

    # Calls

    def ties(self, containers):
        """{(kind, name, name)} of the lists and dicts of these, by name, that hold something in common."""
        relations = (self.homes, self.others, self.sources, self.merged)
        related = {name: container for name, container in containers.items() if any(id(container) in relation for relation in relations)}
        found = {("doubtful", name, name) for name, container in containers.items() if id(container) in self.doubtful}
        for one, container in containers.items() if related else ():
            same, kin = self.one_of([container]), self.kin(container)
            for two, other in related.items():
                if other is container:
                    continue
                if any(home is container for home in self.homes.get(id(other), (None, ()))[1]):
                    found.add(("element", one, two))
                elif id(other) in same:
                    found.add(("same", one, two))
                elif id(other) in kin:
                    found.add(("elements", one, two))
        return found

    def standing(self, containers):
        """{(name, name)} of the lists of these, by name, of which the one is a known element of the other."""
        known = {path: list_ for path, list_ in containers.items() if type(list_) is list}
        return {(one, two) for one, list_ in known.items() for value in list_ for two, row in known.items() if value is row}

    def tie(self, kind, one, two, stood):
        """Two lists or dicts have something in common. stood: whether the second has been an element of the first before a call, too."""
        if kind == "same":
            self.entangle(one, two)
        if kind == "element":
            (self._note_home if stood else self.put)(one, two)
        if kind in ("elements", "doubtful"):
            self.share(one, None if kind == "doubtful" else two)
