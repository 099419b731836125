"""Changes of the lists and dicts of a trace: who sees them, and how they are undone."""
from __future__ import annotations

import contextlib

from lantern.staging import merge
from lantern.staging.errors import StagingError
from lantern.staging.memory import holds_lists, shares
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.values import MaybeBound, Staged


class Shorter:
    """In the journal, what a list held before an element was appended: so many of what it holds then."""

    def __init__(self, length):
        self.length = length


def _carried(value):
    """What a statement gives for a variable, where it gives something."""
    value = merge.carried(value)
    return value.value if type(value) is PerhapsNone else value


class Changes:
    """What `Lists` does about changes."""

    def change(self, container, contents):
        """Gives a list or dict other contents. What it stands in, or what may be it, may not be read any more."""
        before = self.raw(container)
        self.trace.memories.change(container, f"{self.shown(container)} is changed")
        if isinstance(before, Staged) and before.memory is not None and self._is_in_place(container, before):
            parts = self.trace.memories.parts(contents)
            self.trace.memories.change_contents(before, f"{self.shown(container)} is changed")
            if parts and isinstance(contents, Staged):
                contents = contents.named(contents.hint, contents.place, self.trace.memories.joined([[parts]])[0])
        self.change_all([(container, contents)])

    def _is_in_place(self, container, contents):
        """Whether the memory of a list's contents is that of the list, and not that of the lists in it."""
        return not holds_lists(contents.type.element) or id(container) in self.popped

    def change_all(self, changes, made=None):
        """Gives lists and dicts other contents, at once: what each of these holds is known, and what those in `made` hold, whatever the others
        are to it. made: what a statement gives, whose paths have told the memories what changes."""
        held = []
        for container, contents in changes:
            before = self.raw(container)
            held.append(before)
            if isinstance(before, Staged):
                self.staged_before[id(container)] = container, before
            self.journal.append((container, before))
            self._put(container, contents)
            if isinstance(contents, Staged) and type(before) is list:
                self.shared.become(container, before)
        known = {id(container) for container in (*(container for container, _ in changes), *(made or ()))}
        for (container, _), before in zip(changes, held):
            for other in self.shared.reached_by(container):
                if id(other) not in known:
                    if made is None:
                        self._reaches(container, before, other)
                    self._note_stale(other, f"by {self.shown(container)}, at {self.trace.place()}", (container,))

    def _reaches(self, container, before, other):
        """A change of one list is a change of another, or of a list in it: what was read from that may not be read any more, either."""
        contents = self.raw(other)
        if isinstance(before, Staged) and isinstance(contents, Staged) and None not in (before.memory, contents.memory) \
                and self._is_in_place(container, before) and shares(before.memory, contents.memory):
            return      # which the memories know
        if isinstance(contents, Staged) and contents.memory is not None and (
                self._is_in_place(other, contents) or id(other) not in self.shared.one_of([container])):    # else the change is in `contents` already
            self.trace.memories.reach(contents, f"{self.shown(container)} is changed")

    def merge(self, plans, staged, values):
        """Gives lists and dicts what a statement leaves in them. plans: [(list or dict, the plan of its contents)]; values: of its variables,
        behind it."""
        made = [value for value in map(_carried, values) if type(value) in (list, dict)]
        before = [self.raw(container) for container, _ in plans]
        self.change_all([(container, plan.contents(staged)) for container, plan in plans], made)
        for (container, plan), held in zip(plans, before):
            depth = min((self.kept_depth(value, held) for value in plan.join.values), default=0) if plan.join else 0
            if depth:
                self.note_places(self.raw(container), held, depth)
            elif growth := min((self.kept_depth(value, held, may_grow=True) for value in plan.join.values), default=0) if plan.join else 0:
                self.note_growth(self.raw(container), held, growth)
        for container, plan in plans:
            self.shared.merge(container, plan)

    def at_end(self, value, changed):
        """A variable at the end of a path that has changed these lists and dicts: a copy of what it holds there."""
        if isinstance(value, MaybeBound):
            return value.with_value(self.at_end(value.value, changed))
        if type(value) is PerhapsNone:
            return PerhapsNone(value.name, value.missing, self.at_end(value.value, changed))
        if id(value) not in changed:
            return value
        copy_ = self.new(changed[id(value)][1])
        self.originals[id(copy_)] = (copy_, value)
        return copy_

    @contextlib.contextmanager
    def as_of(self, changed, stale):
        """As they are at the end of a path: {id: (list or dict, contents)}, {id: Stale}."""
        before, stale_before = [(container, self.raw(container)) for container, _ in changed.values()], self.stale
        self.stale = stale
        try:
            for container, contents in changed.values():
                self._put(container, contents)
            yield
        finally:
            self.stale = stale_before
            for container, contents in before:
                self._put(container, contents)

    def stale_since(self, mark):
        """[(container, what has changed it, the lists that have)] of what was made before the path that has just been traced, since `mark`, and changed
        behind its back. None for lists that are not known any more."""
        return [(stale.container, stale.what, [cause if self._is_of_block_around(cause) else None for cause in stale.causes.values()])
                for stale in self.stale.values() if stale.position > mark and self._is_of_block_around(stale.container)]

    def _is_of_block_around(self, container):
        home, frame = self.trace.ages.known.get(id(container), (container, None))[1], self.trace.frame
        while frame is not None and home is not None:
            if any(block is home for block in frame.block.chain()):
                return True
            frame = frame.outer
        return home is None

    def changed_by_python(self, container, at):
        """Code that is not converted changes what is next, if that is a list or dict, in a function that is being traced."""
        if type(container) in (list, dict) and self.trace.frame is not None:
            self.check_change(container, at)
            self.change(container, self.raw(container))

    def enter(self, container, contents):
        """Gives a list or dict of the function around what the body of a define knows it to hold."""
        self.journal.append((container, self.raw(container)))
        self._put(container, contents)

    def check_change(self, container, at):
        """An error unless it may change where we are: it must be of the function that is being traced."""
        self.check_stale(container)
        if id(container) in self.borrowed:
            raise StagingError("LT0305", f"{self.shown(container)} is changed, and it may be one from outside", self.trace.place(at),
                               f"change a copy, and return it: {type(container).__name__}(…)")
        self.kept.check_change(container, at)
        frame = self.trace.frame
        for one in self.shared.may_be(container) if frame is not None else ():
            home = self.trace.ages.home(one)
            if home.frame is not frame if home is not None else one is container:
                self.trace.ages.check_change(one, self.shown(one), at)

    def mark(self):
        return len(self.journal)

    def appended(self, list_, value):
        """A list that nobody but who makes it has seen gets an element."""
        self.journal.append((list_, Shorter(len(list_))))
        list_.append(value)

    def _contents_before(self, place):
        """What a list or dict held before that entry of the journal."""
        container, contents = self.journal[place]
        if type(contents) is not Shorter:
            return contents
        later = (held for other, held in self.journal[place + 1:] if other is container and type(held) is not Shorter)
        return next(later, container)[:contents.length]

    def undo(self, mark):
        for container, contents in reversed(self.journal[mark:]):
            if type(contents) is Shorter:
                del container[contents.length:]
            else:
                self._put(container, contents)
        self._forget(mark)

    def _forget(self, mark):
        del self.journal[mark:]
        self.forget_stale(mark)

    def collect(self, mark, block):
        """{id: (container, contents)} of what was made outside `block` that has changed since `mark`; it is as it was again."""
        changed, before = {}, {}
        for place, (container, _) in enumerate(self.journal[mark:], mark):
            if id(container) not in before and not self.made_in(container, block):
                changed[id(container)] = (container, self.raw(container))
                before[id(container)] = (container, self._contents_before(place))
        self._forget(mark)
        for container, contents in before.values():
            self._put(container, contents)
        return changed
