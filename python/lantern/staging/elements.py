"""Lists that stand in lists: `row = rows[i]` is a staged value that knows the list, the place, and what that list held; it is changed there, and
read as it is then, as long as nothing but elements has changed, in their places (decision 049)."""
from __future__ import annotations

from lantern import types
from lantern.staging import merge
from lantern.staging.errors import Signal, StagingError
from lantern.staging.memory import holds_lists
from lantern.staging.text import Symbol
from lantern.staging.values import Staged


class ChangesElements(Signal):
    """A turn of a loop over `source`, a list of lists, changes one of these."""

    def __init__(self, source):
        super().__init__()
        self.source = source


class Elements:
    """What `Lists` does about elements that are lists."""

    def element(self, list_, place):
        """Element `place` of a list of lists, or of such an element of one: a staged value, through which it can be changed as long as it is
        known to stand there."""
        if isinstance(list_, Staged):
            contents = held = self.as_it_is(list_)
        elif self.is_own(list_):
            contents = held = self.become_staged(list_)
        else:
            contents, held = self.contents(list_), None
            contents = self.staged_contents(contents, self.type_of(contents))
        row = self.trace.emit("index", (contents, place))
        row.element_of = (list_ if held is None or type(list_) is list else contents, place, held)
        return row

    def as_it_is(self, row):
        """A list that was read from another, as it stands there now: read again where elements have changed. Where it may stand elsewhere it is
        what it was, which its memory knows to be another thing if it has changed."""
        if row.element_of is None:
            if id(row.row_of) in self.stale and isinstance(row.type, types.List):
                self._refuse_stale(row.row_of)
            return row
        list_, place, contents = row.element_of
        if contents is not None and id(list_) in self.stale:
            self._refuse_stale(list_)
        return self.element(list_, place) if self._is_moved_in_place(row) else row

    def _is_moved_in_place(self, row):
        """Whether the list that a row was read from holds something else now, with that row in the same place."""
        list_, _, contents = row.element_of
        return contents is not None and type(list_) is list and self.raw(list_) is not contents and self.is_own(list_) \
            and self.trace.in_scope(row) and self.keeps_places(self.raw(list_), contents)

    def keeps_places(self, contents, before):
        """Whether nothing but elements has changed, in their places, between staged contents and those before."""
        while contents is not before:
            known = self.same_places.get(id(contents))
            if known is None:
                return False
            contents = known[1]
        return True

    def note_places(self, contents, before):
        self.same_places[id(contents)] = contents, before

    def change_element(self, row, change):
        """Lets `change` change a list that holds what `row` holds, and puts it back in its place; what `change` gives."""
        row = self.as_it_is(row)
        list_, place, before = row.element_of
        if before is not None and not self._is_where_it_was(row):
            raise StagingError("LT0305", f"{row.shown()}, an element of {self.shown(self._root(row))}, is changed after that list has changed",
                               self.trace.place(), "change it before, or read it from the list again")
        if isinstance(list_, Staged):
            self.shared.check_inner(self._root(list_))
            return self.change_element(list_, lambda own: self.change_element(self.element(own, place), change))
        self.check_change(list_, self.trace.at)
        self.shared.change(list_)
        own = self.new(row)
        result = change(own)
        if not self._is_in_place(own, row):
            self.trace.memories.reach(row, f"an element of {self.shown(list_)} is changed")
            if isinstance(self.raw(own), Staged):
                self.renew(own)
        contents = self.renew(list_)
        joined = merge.join_types(contents.type.element, self.type_of(self.contents(own)))
        if joined is not None and joined != contents.type.element:      # all rows, as this one's elements are now
            contents = self.staged_contents(contents, types.List(joined))
        node = (Symbol("write"), self.trace.resolve(contents), self.trace.node(place), self.node(own, contents.type.element))
        self.change(list_, self.trace.bind(node, contents.type, memory=self.trace.memories.of_result("write", (contents, own), contents.type)))
        self.note_places(self.raw(list_), before)
        return result

    def _is_where_it_was(self, row):
        """Whether the list that a row was read from is what it was then."""
        list_, _, contents = row.element_of
        return self._is_where_it_was(list_) if isinstance(list_, Staged) else contents is None or self.raw(list_) is contents

    @staticmethod
    def _root(row):
        """The list that an element of a list, or an element of one, was read from."""
        while isinstance(row, Staged):
            row = row.element_of[0]
        return row

    def renew(self, list_):
        """The staged contents of a list of which an element has changed: what was read from it before is not read any more."""
        contents, memories = self.raw(list_), self.trace.memories
        self.journal.append((list_, contents))
        self._put(list_, contents.named(contents.hint, contents.place, memories.renewed(contents)))
        self.note_places(self.raw(list_), contents)
        return self.raw(list_)

    def take(self, list_, contents, value, rest):
        """An element of a list of staged contents is taken out: `value`, as a list of its own if it is one. `rest`: what is left."""
        if not holds_lists(value.type):
            return value
        value.memory, rest.memory = self.trace.memories.parted(contents, self.shared.is_doubtful(list_))
        if not isinstance(value.type, types.List):
            return value
        made = self.new(value)
        self.popped[id(made)] = made
        self.shared.take(list_, made)
        return made
