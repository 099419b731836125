"""Containers of Python's that have a staged counterpart: deques, dicts and sets.

One stays Python's, unless what is known only when the program runs meets it, or it changes under a staged condition or in a staged loop. That is an
error, from which the trace learns where the container was made: it begins again, and what is made there is the staged counterpart.
"""
from __future__ import annotations

import collections

from lantern.staging.counters import StagedCounter
from lantern.staging.deques import StagedDeque
from lantern.staging.dict_views import View
from lantern.staging.dicts import StagedDefaultDict, StagedDict, StagedOrderedDict
from lantern.staging.errors import StagingError
from lantern.staging.iterables import is_staged
from lantern.staging import enumerations, instances
from lantern.staging.sets import StagedSet
from lantern.staging.tables import Table, is_staged_key
from lantern.staging.values import Staged

STAGED = {collections.deque: StagedDeque, dict: StagedDict, set: StagedSet, collections.defaultdict: StagedDefaultDict,
          collections.Counter: StagedCounter, collections.OrderedDict: StagedOrderedDict}
_KINDS = tuple(STAGED)
_METHOD = type(dict.get)
_NEW = (dict, set, collections.Counter, collections.OrderedDict)      # what functions of Python's give: they are made of another one


def is_of_staged(cls, arguments):
    """Whether what a container of Python's is made of is known only when the program runs, or the keys that it would have."""
    return any(is_staged(given) or isinstance(given, (Table, View)) or _has_staged_keys(cls, given) for given in arguments)


def _has_staged_keys(cls, given):
    if not isinstance(given, (list, tuple)) or cls is collections.deque:
        return False
    return any(map(is_staged_key, [each[0] for each in given if isinstance(each, (list, tuple)) and each] if cls in _OF_PAIRS else given))


_OF_PAIRS = (dict, collections.defaultdict, collections.OrderedDict)


def _can_be_staged(value):
    """Whether a container may be a staged one: a dict whose keys are of one type, as its values are, and no record of several things, or of functions."""
    if not isinstance(value, dict):
        return True
    keys, values = set(map(type, value)), {float if isinstance(each, (int, Staged)) else type(each) for each in value.values()}
    return len(keys) < 2 and all(key in _OF_KEYS or instances.is_key_by_fields(key) or enumerations.is_key(key) for key in keys) and len(values) < 2 and not any(map(callable, value.values()))


_OF_KEYS = {int, float, bool, str, tuple}


class Remade:
    """The containers that calls, displays and comprehensions have given while the program is staged."""

    def __init__(self, trace):
        self._trace = trace
        self._made = {}         # id → (container, where it was made)
        self._staged = set()    # the places where staged ones are made
        self._unsettled = set() # those of the containers that this trace has learned it of: they are Python's here

    def begin(self):
        """A trace begins."""
        self._made.clear()
        self._unsettled.clear()

    def is_unsettled(self, value):
        """Whether a container is to be a staged one in the next trace (lessons.py)."""
        return bool(self._unsettled) and isinstance(value, _KINDS) and self.place_of(value) in self._unsettled

    def be_as(self, formals, actual):
        """A call gives a define these containers, which was traced with others by the same paths: they are to be staged ones if those are."""
        for path, formal in formals.items():
            place = self.place_of(actual[path]) if self.is_unsettled(formal) else None
            if place is not None:
                self._staged.add(place)
                self._unsettled.add(place)

    def is_staged(self, at):
        """Whether what is made here is to be a staged one."""
        return self._trace.place(at) in self._staged

    def new(self, cls, at, *arguments, **named):
        """A container of Python's, or the staged one that is made here. Whose keys only the program knows is a staged one, too."""
        if any(map(self.is_unsettled, arguments)):
            self._unsettled.add(self._trace.place(at))
            arguments = ()
        elif self.is_staged(at) or is_of_staged(cls, arguments) or cls is collections.deque and any(map(is_staged, (*arguments, *named.values()))):
            return self.new_staged(cls, at, *arguments, **named)
        self._trace.ages.made(result := cls(*arguments, **named))
        return self.made(result, at)

    def new_staged(self, cls, at, *arguments, **named):
        from lantern.staging.calls import call
        return call(self._trace, STAGED[cls], arguments, named, at)

    def given(self, value, at):
        """What an operator or a function of Python's gives here that is not the user's: if it is a new container, that may be made a staged one."""
        if type(value) not in _NEW or self.place_of(value) is not None or not self._trace.ages.is_young(value):
            return value
        return self.new_staged(type(value), at, value) if self.is_staged(at) else self.made(value, at)

    def made(self, value, at):
        self._made[id(value)] = value, self._trace.place(at)
        return value

    def copied(self, value, copy):
        """A copy of a container is to be a staged one where that is."""
        self._made[id(copy)] = copy, self.place_of(value)

    def place_of(self, value):
        """Where a container was made; None of one that is older than the trace. Of one that a define is given, where the caller's was, and of one that a
        statement has chosen, where the first of those was that it may be."""
        formals, shared = self._trace.lists.formals, self._trace.lists.shared
        while id(value) in formals and formals[id(value)][1] is not value:
            value = formals[id(value)][1]
        if isinstance(value, _KINDS):
            value = next((one for one in shared.may_be(value) if id(one) in self._made), value)
        return self._made.get(id(value), (None, None))[1] if isinstance(value, _KINDS) else None

    def can_be_staged(self, value):
        """Whether a container may be made a staged one where it was made."""
        return self.place_of(value) is not None and _can_be_staged(value)

    def check_known(self, value, operands, at):
        """Has the trace begin again if what is known only when the program runs meets a container of Python's."""
        if self.place_of(value) is not None and any(is_staged_key(operand) or is_staged(operand) or isinstance(operand, Table) for operand in operands):
            self.meets(value, at, *operands)

    def check_call(self, function, arguments, at):
        """The same of a call of a method. Of a dict's, the first argument is a key."""
        own = getattr(function, "__self__", None)
        if type(function) is _METHOD and function.__objclass__ in _KINDS and arguments:      # set.union(s, xs)
            own, arguments = arguments[0], arguments[1:]
        if isinstance(own, collections.deque) and function.__name__ in ("extend", "extendleft"):
            self.check_known(own, arguments, at)
        elif isinstance(own, (dict, set)) and self.place_of(own) is not None:
            keys = arguments if isinstance(own, set) else arguments[:1] if function.__name__ not in ("update", "subtract") else ()
            if any(map(is_staged_key, keys)) or (isinstance(own, set) or not keys) and is_of_staged(type(own), arguments):
                self.meets(own, at, *arguments)

    def meets(self, value, at, *operands):
        if self.is_unsettled(value):
            return
        what = "what is gone through" if isinstance(value, collections.deque) else "a key that is known only when the program runs"
        self.take(StagingError("LT0310", f"{self._trace.lists.shown(value)} meets {what}, and not all that it holds is of one type",
                               self._trace.place(at), "keep one for each type"), value, *operands)

    def of(self, error, *values):
        """An error that is not there any more once the container among these values is a staged one."""
        error.container = next((place for place in map(self.place_of, filter(_can_be_staged, values)) if place is not None), None)
        return error

    def chosen(self, error, values):
        """The same of one that is there because a number which only the program knows chooses among values of Python's."""
        if all(isinstance(each, _KINDS) for each in values) or all(hasattr(type(each), "__lantern_class__") for each in values):
            error.of_class = type(values[0])
        return self.of(error, *values)

    def take(self, error, value, *operands):
        """Learns from an error that a container is to be a staged one, for it has met these. Where it is left open what they are, so is that."""
        place = self.place_of(value)
        if place is not None and self._trace.lessons.are_open(operands):
            self._unsettled.add(place)
        else:
            self._trace.lessons.take(self.of(error, value))

    def forget(self):
        """All is Python's again, to begin with."""
        self.begin()
        self._staged.clear()

    def learn(self, error):
        """Whether an error is not there any more once the container that it is of is a staged one."""
        place = getattr(error, "container", None)
        if place is None or place in self._staged:
            return False
        self._staged.add(place)
        self._unsettled.add(place)
        return True
