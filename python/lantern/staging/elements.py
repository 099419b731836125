"""Lists that stand in lists: `row = rows[i]` is a staged value that knows the list, the place, and what that list held; it is changed there, and
read as it is then, as long as nothing but elements has changed, in their places (decision 049). So are the lists that a tuple holds which stands in a
list, those of a dict, a set or a deque among them: a part knows the tuple, and its number (decision 080)."""
from __future__ import annotations

import math
import operator

from lantern import types
from lantern.staging import chosen_keys, instances, merge, none_in_lists, partings
from lantern.staging.errors import Signal, StagingError
from lantern.staging.memory import holds_lists
from lantern.staging.text import Symbol
from lantern.staging.values import Staged


class ChangesElements(Signal):
    """A turn of a loop over `source`, a list of lists or a staged value that stands in one, changes one of these."""

    def __init__(self, source):
        super().__init__()
        self.source = source


class Elements:
    """What `Lists` does about elements that are lists."""

    def element(self, list_, place):
        """Element `place` of a list of lists, or of tuples that hold some, or of such an element of one: a staged value, or an instance of such,
        through which it can be changed as long as it is known to stand there."""
        row = self._element(list_, place)
        made = instances.opened(self.trace, row)
        if row.columns is not None:     # a part that is read for certain is what fails where there is no such element
            first = instances.parts(made)[0]
            (first if isinstance(first, Staged) else self.trace.part(row, 0)).pure = False
        return made

    def _element(self, list_, place):
        if isinstance(list_, Staged):
            contents = held = self.as_it_is(list_)
        elif self.is_own(list_):
            contents = held = self.become_staged(list_)
        else:
            contents, held = self.contents(list_), None
            contents = self.staged_contents(contents, self.type_of(contents))
        row = self.trace.applied("index", (contents, place))
        row.element_of = (list_ if held is None or type(list_) is list else contents, place, held)
        if isinstance(row.type, types.Tuple) and row.type.of is not None:
            row.columns, row.pure = (contents, place), True
        return row

    def chosen_among(self, values):
        """A list of what a dict holds, of which an element is chosen by the dict's key: a list that is changed is the dict's own."""
        made = self.new(list(values))
        self.chosen[id(made)] = made, values
        return made

    def as_it_is(self, row):
        """A list that was read from another, as it stands there now: read again where elements have changed. Where it may stand elsewhere it is
        what it was, which its memory knows to be another thing if it has changed."""
        if row.element_of is None:
            if holds_lists(row.type):
                self.check_stale(row.outermost())
            return row
        list_, place, contents = row.element_of
        if _is_part(row):
            whole = self.as_it_is(list_)
            return row if whole is list_ else self.trace.part(whole, place)
        if contents is not None:
            self.check_stale(list_)
        return self._element(list_, place) if self._is_moved_in_place(row) else row

    def held(self, list_):
        """What the contents of a list, or of one that was read from another, are by, as long as they are the same; None: that is not known."""
        places = []
        while isinstance(list_, Staged) and list_.element_of is not None:
            list_, place, _ = list_.element_of
            places.append(place)
        if isinstance(list_, Staged):
            return None if self.trace.memories.stale(list_) else (list_, *places)
        contents = None if id(list_) in self.stale else self.raw(list_)
        return (contents, *places) if isinstance(contents, Staged) else None

    def _is_moved_in_place(self, row):
        """Whether the lists that a row was read from, one in the other, hold something else now, each in the same place."""
        depth, (list_, place, contents) = _depth_of(row)
        return contents is not None and type(list_) is list and self.raw(list_) is not contents and self.is_own(list_) \
            and self.trace.in_scope(row) and self.kept_depth(self.raw(list_), contents, self._counts_from_the_front(list_, place)) >= depth

    def may_stay(self, row, kept):
        """Whether a row stays in its place where everything is kept that deep, and others are put behind all, perhaps."""
        depth, (list_, place, _) = _depth_of(row)
        return type(list_) is list and kept >= depth and self._counts_from_the_front(list_, place)

    def _counts_from_the_front(self, list_, place):
        """Whether a place is still that of the same element once others stand behind all."""
        return place >= 0 if type(place) is int else id(list_) in self.from_front

    def kept_depth(self, contents, before, may_grow=False):
        """How deep everything has stayed in its place between what a list holds and what it held before: 1 where only elements have changed, 2 where
        only theirs have; 0 where something may have moved. may_grow: others may have been put behind all that it held."""
        depth = math.inf
        while contents is not before:
            if type(contents) is list and type(before) is list:
                return depth if len(contents) == len(before) and all(map(operator.is_, contents, before)) else 0
            stand = self.stands.get(id(contents)) if may_grow else None
            if stand is not None and stand.place is None:
                contents = stand.before
                continue
            noted = self.same_places.get(id(contents)) or (self.grown.get(id(contents)) if may_grow else None)
            if noted is None:
                return 0
            _, contents, here = noted
            depth = min(depth, here)
        return depth

    def note_places(self, contents, before, depth):
        self.same_places[id(contents)] = contents, before, depth

    def note_growth(self, contents, before, depth):
        self.grown[id(contents)] = contents, before, depth

    def count_from_front(self, list_):
        """Its places are never counted from the end: a list that converted code does not see."""
        self.from_front[id(list_)] = list_
        return list_

    def change_element(self, row, change):
        """Lets `change` change a list that holds what `row` holds, and puts it back in its place; what `change` gives."""
        list_, place, _ = row.element_of
        if id(list_) in self.chosen:
            lists = self.chosen[id(list_)][1]
            result = chosen_keys.change_chosen(lists, place, change)
            for own in lists:
                self.trace.empties.learn(row.type, self.trace.type_of(own))
            return result
        row = self.as_it_is(row)
        whole, parts = _whole(row)
        list_, place, before = whole.element_of
        if before is not None and not self._is_where_it_was(whole):
            raise StagingError("LT0305", f"{row.shown()}, an element of {self.shown(row.outermost())}, is changed after that list has changed",
                               self.trace.place(), "give what changes that list a name, and a line above; or read it from the list again")
        if isinstance(list_, Staged):
            self.shared.check_inner(list_.outermost())
            return self.change_element(list_, lambda own: self.change_element(self._part_at(self._element(own, place), parts), change))
        if id(list_) not in self.trace.ages.known:
            raise StagingError("LT0305", f"{row.shown()} is changed, one of the lists of a display that has no name", self.trace.place(),
                               "give the display a name, rows = [a, b], and change rows[i]")
        self.check_change(list_, self.trace.at)
        self.shared.change(list_)
        if row.block is not self.trace.block:       # where it is read and stored at once, C++ changes it in its place
            row = self._part_at(self._element(list_, place), parts)
        own = self.new(row)
        result = change(own)
        if not self._is_in_place(own, row):
            self.trace.memories.reach(row, f"an element of {self.shown(list_)} is changed")
            if isinstance(self.raw(own), Staged):
                self.renew(own)
        self.change(list_, self.with_row(self.renew(list_), place, own, parts))
        none_in_lists.put_back(self.trace, self.raw(own), self.raw(list_), (place, *parts))
        self.note_places(self.raw(list_), before, 1 + self.kept_depth(self.raw(own), row))
        return result

    def with_row(self, contents, place, row, parts=()):
        """Staged contents with what a list holds at a place, or in that part of the tuple that stands there."""
        joined = merge.join_types(contents.type.element, _type_with(contents.type.element, parts, self.type_of(self.contents(row))))
        if joined is not None and joined != contents.type.element:      # all rows, as this one's elements are now
            contents = self.staged_contents(contents, types.List(joined))
        list_, at = self.trace.resolve(contents), self.trace.node(place)
        partings.note(self.trace, ("place", list_, at))     # where it was read from
        node = (Symbol("write"), list_, at, self._node_with((Symbol("index"), list_, at), contents.type.element, parts, row))
        return self.trace.bind(node, contents.type, memory=self.trace.memories.of_result("write", (contents, row), contents.type))

    def _node_with(self, whole, type_, parts, row):
        """The node of an element with what a list holds in that part of it."""
        if not parts:
            return self.node(row, type_)
        number, *inner = parts
        nodes = [(Symbol("get"), whole, each) for each in range(len(type_.elements))]
        nodes[number] = self._node_with(nodes[number], type_.elements[number], inner, row)
        return (Symbol("tuple"), *nodes)

    def _part_at(self, whole, parts):
        for number in parts:
            whole = self.trace.part(whole, number)
        return whole

    def _is_where_it_was(self, row):
        """Whether the list that a row was read from is what it was then."""
        list_, _, contents = row.element_of
        return self._is_where_it_was(list_) if isinstance(list_, Staged) else contents is None or self.raw(list_) is contents

    def renew(self, list_):
        """The staged contents of a list of which an element has changed: what was read from it before is not read any more."""
        contents, memories = self.raw(list_), self.trace.memories
        self.journal.append((list_, contents))
        self._put(list_, contents.named(contents.hint, contents.place, memories.renewed(contents)))
        self.note_places(self.raw(list_), contents, math.inf)
        return self.raw(list_)

    def take(self, list_, contents, value, rest):
        """An element of a list of staged contents is taken out: `value`, as a list of its own if it is one, or as what is made of such. `rest`: what is
        left."""
        if holds_lists(value.type):
            value.memory, rest.memory = self.trace.memories.parted(contents, self.shared.is_doubtful(list_))
        return self._taken(list_, value)

    def _taken(self, list_, value):
        if not holds_lists(value.type):
            return instances.opened(self.trace, value)
        if isinstance(value.type, types.Tuple):
            parts = [self.trace.part(value, number) for number in range(len(value.type.elements))]
            if hasattr(getattr(value.type.of, "cls", None), "__lantern_class__"):       # whose lists are never one
                held = [part for part in parts if holds_lists(part.type)]
                for part, memory in zip(held, self.trace.memories.parted(value, False, len(held))):
                    part.memory = memory
            parts = [self._taken(list_, part) for part in parts]
            return tuple(parts) if value.type.of is None else value.type.of.together(parts, value)
        made = self.new(value)
        self.popped[id(made)] = made
        self.shared.take(list_, made)
        return made


def _depth_of(row):
    """(how many lists a row stands in, the outermost of these, the place there, and what it held)."""
    depth = 1
    while isinstance(row.element_of[0], Staged) and row.element_of[0].element_of is not None:
        depth, row = depth + (not _is_part(row)), row.element_of[0]
    return depth, row.element_of


def _is_part(value):
    """Whether what stands in a list is a part of a tuple that does."""
    return isinstance(value.element_of[0], Staged) and isinstance(value.element_of[0].type, types.Tuple)


def _whole(value):
    """(the element of a list that a value is, or is a part of; the numbers that lead to the part)."""
    parts = ()
    while _is_part(value):
        value, parts = value.element_of[0], (value.element_of[1], *parts)
    return value, parts


def _type_with(type_, parts, own):
    """The type of a tuple with another one in the place of a part."""
    if not parts or own is None:
        return own
    number, *inner = parts
    return type_.replaced(elements=tuple(_type_with(each, inner, own) if place == number else each for place, each in enumerate(type_.elements)))
