"""Lists that stand in a list at a known place, and are changed by names of their own:

    rows.append(row)        row stands behind all that rows held
    row.append(x)           what rows holds is not what Python's list holds any more
    rows[0]                 before it is read, it is mended: rows[-1] = row

Where a list stands is known of what the list around it holds, a staged value, which does not change: so it is known on each path for itself,
and as long as nothing but elements has changed since, in their places (`Elements.kept_depth`).
"""
from __future__ import annotations


from lantern.records import Record
from lantern.staging import instances
from lantern.staging.errors import Signal, StagingError
from lantern.staging.memory import shares
from lantern.staging.values import Staged, class_in_python


class MendsBefore(Signal):
    """A path of `statement` reads a list that has become stale before it, and can be mended there."""

    def __init__(self, statement, list_):
        super().__init__()
        self.statement, self.list = statement, list_


class Stand(Record):
    """`value` has been put into staged contents, which held `before`, at `place`; None: behind that. memories: those of the value then."""
    contents: Staged
    value: object
    place: object
    before: object
    memories: tuple


class Stale:
    """A list or dict that does not hold what Python's holds: `what` has changed it behind its back; `causes` are the lists, {id: list or None}, of which
    elements of it may be ones. position: in the journal."""

    def __init__(self, container, what, causes, position):
        self.container, self.what, self.causes, self.position = container, what, causes, position


class Standing:
    """What `Lists` does about lists that stand at known places."""

    def note_stand(self, contents, value, place, before):
        self.stands[id(contents)] = Stand(contents, value, place, before, self._memories_of(value))

    def _memories_of(self, value):
        return tuple(part.memory for part in self.trace.memories.parts(value))

    def place_of(self, list_, contents):
        """(the place where a list stands in staged contents, the numbers of the part that it is of what stands there); None if it is not known to, or may
        stand there in another place, too."""
        behind = 0      # so many have been put behind
        while isinstance(contents, Staged):
            stand, moved = self.stands.get(id(contents)), self.same_places.get(id(contents))
            parts = None if stand is None else _parts_to(list_, stand.value)
            if parts is not None:
                place = -1 if stand.place is None else stand.place
                if self.may_be(list_, stand.before) or not _is_place(place) or isinstance(place, Staged) and behind:
                    return None         # a place that is staged may count from the end
                return place - behind if type(place) is int and place < 0 else place, parts
            if moved is not None:
                contents = moved[1]
            elif stand is not None and stand.place is None and not self.may_be(list_, stand.value, stand.memories):
                contents, behind = stand.before, behind + 1
            else:
                return None
        found = [_parts_to(list_, value) for value in contents]
        places = [place for place, parts in enumerate(found) if parts is not None]
        if len(places) != 1 or any(self.may_be(list_, value) for value, parts in zip(contents, found) if parts is None):
            return None
        return places[0], found[places[0]]

    def may_be(self, list_, value, memories=None):
        """Whether a list may be a value, or in it. memories: those of the value, if it was another time."""
        if any(self.is_of_trace(each) and not self.shared.is_known(each) for each in (*_lists_at(list_), *_lists_at(value))):
            return True
        own = self.trace.memories.of_list(list_)
        return any(shares(own, memory) for memory in (self._memories_of(value) if memories is None else memories))

    def become_stale(self, stale):
        """These have changed behind their backs, on a path that leads here: [(list or dict, what has changed it, the lists that have)]."""
        for container, what, causes in stale:
            self.journal.append((self.new([]), []))     # whoever undoes what is done from here on undoes this
            self._note_stale(container, what, causes)

    def _note_stale(self, container, what, causes):
        known = self.stale.setdefault(id(container), Stale(container, what, {}, len(self.journal)))
        known.causes.update((id(cause), cause) for cause in causes)

    def check_stale(self, container):
        """Mends a list that has changed behind its back, or an error."""
        if not self.mend(container):
            stale = self.stale[id(container)]
            error = StagingError("LT0305", f"{self.shown(container)} may have changed through another name: {stale.what}",
                                 self.trace.place(), f"make a copy where the two part: {class_in_python(container).__name__}(…)")
            error.choosers = self.chosen_lists.choosers(container)
            self.trace.lessons.take(error)

    def mend(self, container):
        """Writes what lists hold that stand in one which has changed behind its back; whether it is what Python's is."""
        stale = self.stale.get(id(container))
        if stale is None:
            return True
        places = self._places(container, stale.causes.values())
        steps = self.chosen_lists.remedy(container, list(stale.causes.values())) if places is None else None
        if places is None and steps is None:
            return False
        statement = self.trace.statements[-1] if self.trace.statements else None
        if statement is not None and statement.frame is self.trace.frame and stale.position <= statement.mark:
            raise MendsBefore(statement, container)
        del self.stale[id(container)]
        if steps is not None:
            contents = self.chosen_lists.mended(container, steps)
            self.journal.append((container, self.raw(container)))
            self._put(container, contents)
        for row, (place, parts) in places or ():
            before = self.raw(container)
            contents = self.with_row(self.renew(container), place, row, parts)
            self.journal.append((container, self.raw(container)))
            self._put(container, contents)
            self.note_places(contents, before, 1)
        self.mended.append((len(self.journal), stale))
        return True

    def _places(self, container, rows):
        """[(list, its place)] of these lists in one of staged contents; None if that is not known."""
        if type(container) is not list or not self.is_own(container) or self.shared.is_doubtful(container) or self.trace.memories.is_carrying:
            return None
        contents = self.raw(container)
        if not isinstance(contents, Staged) or not self.in_scope(container):
            return None
        places = [(row, row is not None and self.place_of(row, contents)) for row in rows]
        return places if all(self._is_known_there(row, place) for row, place in places) else None

    def _is_known_there(self, row, place):
        if row is None or place is None or not self.mend(row):
            return False
        return self.in_scope(row) and not (isinstance(place[0], Staged) and not self.trace.in_scope(place[0]))

    def mend_behind(self, block):
        """At the end of a path: mends what lists have changed which nobody knows behind it."""
        for stale in list(self.stale.values()):
            if not self.made_in(stale.container, block) and any(cause is not None and self.made_in(cause, block) for cause in stale.causes.values()):
                self.mend(stale.container)

    def forget_stale(self, mark):
        """What has become stale, or has been mended, since `mark` of the journal, is what it was."""
        for key in [key for key, stale in self.stale.items() if stale.position > mark]:
            del self.stale[key]
        while self.mended and self.mended[-1][0] > mark:
            _, stale = self.mended.pop()
            if stale.position <= mark:
                self.stale[id(stale.container)] = stale


def _parts_to(list_, value):
    """The numbers that lead to a list in a value, which it may be itself; None if it is not there, or in several places."""
    if value is list_:
        return ()
    found = [(number, *rest) for number, part in enumerate(instances.parts(value) or ()) if (rest := _parts_to(list_, part)) is not None]
    return found[0] if len(found) == 1 else None


def _lists_at(value):
    """A list, or those that a tuple has as parts."""
    return [value] if type(value) is list else [each for part in instances.parts(value) or () for each in _lists_at(part)]


def _is_place(place):
    return type(place) is int or isinstance(place, Staged)
