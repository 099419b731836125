"""Generator expressions where something is traced.

`(f(x) for x in xs if c(x))` is lazy, and can be gone through once. A loop over it *is* the generator's loops, with the body where
an element is made (`run`); code that is not converted asks for one element after the other (`__next__`), which works as long as
nothing staged decides which they are.
"""
from __future__ import annotations

import collections
import copy
import types as python_types

from lantern import dispatch
from lantern.staging.errors import NeedsInlining, Signal, StagingError, user_place
from lantern.staging.snapshots import Snapshot
from lantern.staging.values import Undefined

_MISSING = object()
_SEQUENCES = (list, tuple, range, str)
_COLLECTIONS = (dict, set, frozenset, collections.deque, type({}.keys()), type({}.values()), type({}.items()))   # which an iterator goes over, that can be made anew


class NotPython(StagingError):
    """Python asks a generator for an element, and something staged decides which that is."""

    def __init__(self, what, at):
        super().__init__("LT0303", f"{what} is known only when the program runs, and Python asks the generator for its next element",
                         user_place(at), "go through it by a `for` statement, or make a list of it first: [… for … in …]")


class Attempt:
    """Python is about to ask a generator for its first element: it can be as if it had not, where the code that runs for it has changed no object."""

    def __init__(self, generator):
        self.trace, self.checkpoint, self.refused = generator.trace, generator.trace.checkpoint(), len(generator.trace.refusals)
        self.generators = [generator]
        while isinstance(self.generators[-1].iterable, Generator):
            self.generators.append(self.generators[-1].iterable)
        last = self.generators[-1]
        self.is_fresh = isinstance(last.iterable, _SEQUENCES) or last.collection is not None and not last.has_begun() or last.is_of_function() and not any(each.spent or each.left_at or each.has_begun() for each in self.generators)
        self.snapshot = Snapshot([(last.shown(), value) for value in last.reached()]) if self.is_fresh else None

    def undone(self):
        """Whether it is."""
        if not self.is_fresh or any(True for _ in self.snapshot.changes()):
            return False
        self.trace.rollback(self.checkpoint)
        del self.trace.refusals[self.refused:]
        for generator in self.generators:
            generator.python, generator.spent, generator.left_at = None, False, None
            generator.iterate_again()
        return True


class Generator:
    def __init__(self, trace, loops, elements, iterable, simple, bound, at):
        if isinstance(iterable, Undefined):
            raise iterable.error(trace.place(at))
        self.trace, self.loops, self.elements, self.simple, self.bound = trace, loops, elements, simple, bound
        self.place = trace.place(at)
        self.name = None            # the user's name for it
        self.home = trace.block if trace.frame is not None else None
        self.python = None          # Python's generator, once Python has asked for an element
        self.iterator = None        # a staged iterator over the same, once `next` has asked for one
        self.spent = False          # whether it has been gone through
        self.left_at = None         # where a loop over it may have been left
        self.is_python = is_python(iterable)
        self.iterable = iter(iterable) if self.is_python and not isinstance(iterable, _SEQUENCES) else iterable
        self.collection = iterable if isinstance(iterable, _COLLECTIONS) else None

    # isinstance(g, types.GeneratorType) holds, as it does of Python's
    __class__ = property(lambda self: python_types.GeneratorType)

    def __repr__(self):
        function = "" if self.home is None else f"{self.home.frame.specialisation.function.__qualname__}.<locals>."
        return f"<generator object {function}<genexpr> at {id(self):#x}>"

    def shown(self):
        return f"the generator '{self.name}'" if self.name else "the generator"

    def _begin(self):
        """Somebody goes through it: an error where that may happen never, or more than once."""
        trace = self.trace
        if self.left_at is not None:
            raise StagingError("LT0305", f"{self.shown()} is gone through once more: what is left of it after {self.left_at} is known only "
                               "when the program runs", trace.place(), "make a list of it first: [… for … in …]")
        if self.home is None or trace.block is self.home:
            return
        frame = trace.frame
        while frame is not None and frame is not self.home.frame:
            frame = frame.outer
        if frame is None:
            raise StagingError("LT0304", f"{self.shown()}, made at {self.place}, is gone through outside the function that made it",
                               trace.place(), "return a list: [… for … in …]")
        error = StagingError("LT0305", f"{self.shown()}, made at {self.place}, is gone through where that may happen never, or more than once",
                             trace.place(), "make it where it is gone through, or make a list of it: [… for … in …]")
        if trace.frame is not self.home.frame and not trace.frame.is_conditional():
            raise NeedsInlining(trace.frame.specialisation, error)
        if trace.frame is not self.home.frame or trace.conditional_since(self.home):
            raise error

    def run(self, test, body, get_state, set_state, names, at=None):
        """`for … in generator: body`; test: whether to go on, or None."""
        from lantern.staging.comprehensions import Loop
        into = Loop(test, body, get_state, set_state, names)
        if self.iterator is not None or self.python is not None:
            into.for_stmt(self.iterator or self.python, None, body, tuple, ignore, ())
            return
        self._begin()
        if self.spent:
            return
        self.spent = True
        here = self.trace.place()
        self._to(into)
        if test is not None:
            self.left_at = here

    def _to(self, into):
        try:
            self._hand_on(into)
        except Signal:      # what goes through it is staged again
            self.spent, self.left_at = False, None
            raise

    def _hand_on(self, into):
        self.loops(self.iterable, into, *self.bound)

    def _as_python(self):
        return self.elements(self.iterable, *self.bound)

    def hand_on(self, into):
        """`yield from`: its elements go to `into`, which may want no more."""
        if self.iterator is not None or self.python is not None:
            from lantern.operators_control import not_
            into.for_stmt(self.iterator or self.python, into.test and (lambda: not_(into.stopped())), into.take, tuple, ignore, ())
            return
        self._begin()
        if not self.spent:
            self.spent = True
            self._to(into)

    def indexed(self):
        """The same as a sequence whose elements are made when they are asked for."""
        from lantern.staging.iterables import Indexed, indexed
        if not self.simple:
            raise StagingError("LT0310", f"{self.shown()} is gone through together with something else, and how many elements it has is known "
                               "only when the program runs", self.trace.place(), "make a list of it first: [… for … in …]")
        self._begin()
        if self.spent:
            raise StagingError("LT0305", f"{self.shown()}, made at {self.place}, is gone through once more, or by two at a time", self.trace.place(),
                               "make a list of it first: [… for … in …]")
        self.spent, self.left_at = True, self.trace.place()     # who has it may leave some
        source = indexed(self.trace, self.iterable)
        return Indexed(source.length, lambda place: self._element(source.get(place)), source.sources)

    def take(self, trace):
        """What is left of it, for somebody who goes through it by places (iterables.StagedIterator)."""
        return self.indexed() if self.iterator is None else self.iterator.take(trace)

    def _element(self, of):
        made = []
        with self.trace.memories.carrying(False):
            self.run_over((of,), made.append)
        return made[0]

    def iterate_again(self):
        """Nobody has asked the iterator over a dict or the like for an element."""
        if self.collection is not None:
            self.iterable = iter(self.collection)

    def run_over(self, iterable, body):
        from lantern.staging.comprehensions import Loop
        self.loops(iterable, Loop(None, body, tuple, ignore, ()), *self.bound)

    def begins_again(self):
        """Whether it can be gone through once more, where going through it is undone: from now on it has not been."""
        if self.iterator is not None or self.python is not None or self.is_python and not isinstance(self.iterable, _SEQUENCES):
            return False
        self.spent, self.left_at = False, None
        from lantern.staging import iterables
        iterables.begin_again(self.iterable)
        return True

    def has_begun(self):
        """Whether somebody has asked for elements one by one."""
        return self.python is not None or self.iterator is not None

    def is_of_function(self):
        """Whether it is what a call of a generator function gives, which is given nothing that others ask for elements."""
        return False

    def reached(self):
        """What the code that runs for it is given, or knows."""
        return (self.elements, *self.bound)

    def taken_over(self):
        """What goes through it from now on, once or never, as part of something that is itself gone through once: nobody else can."""
        other = copy.copy(self)
        other.home = None
        self.left_at = self.trace.place()
        return other

    # Python's protocol

    def __iter__(self):
        return self

    def __next__(self):
        if dispatch.active_trace() is not self.trace:
            raise StagingError("LT0304", f"{self.shown()}, made at {self.place}, is gone through outside the program that made it", user_place())
        self._begin()
        if self.python is None:
            if self.spent:
                raise StopIteration
            self.python = self._as_python()
        return next(self.python)

    def next(self, default=_MISSING):
        """`next(generator)`, `next(generator, default)`."""
        from lantern.staging import iterables, library
        trace = self.trace
        if self.iterator is None and not self.is_python and self.simple and not self.spent:
            self.iterator = iterables.StagedIterator(trace, self.indexed())
            self.left_at = None
        if self.iterator is not None:
            of = self.iterator.sequence.get, self.iterator.sequence.length, self.iterator.place
            return library.next_(trace, *of) if default is _MISSING else library.next_or(trace, *of, default)
        if self.is_python or self.python is not None:
            attempt = Attempt(self)
            try:
                return next(self) if default is _MISSING else next(self, default)
            except NotPython:
                if not attempt.undone():
                    raise
        return library.first(trace, self) if default is _MISSING else library.first_or(trace, self, default)     # the first element, found by a loop

    def close(self):
        self.spent = True
        if self.python is not None:
            self.python.close()

    def send(self, value):
        if value is None:
            return next(self)
        if self.python is None:
            raise TypeError("can't send non-None value to a just-started generator")
        return self.python.send(value)

    def throw(self, *error):
        self.spent = True
        return (self.python or self._as_python()).throw(*error)


Generator.__name__ = "generator"        # as Python's messages have it


def ignore(_state):
    """Stores the state of what has none."""


def is_python(iterable):
    """Whether Python itself can go over it."""
    from lantern.staging import iterables
    return iterable.is_python if isinstance(iterable, Generator) else not iterables.is_staged(iterable)


def as_list(trace, value, at=None):
    """A generator as a list, for what needs all its elements; anything else as it is."""
    from lantern.staging.comprehensions import ListOf
    if not isinstance(value, Generator):
        return value
    here = trace.at
    into = ListOf(trace, at or here)
    value.hand_on(into)
    trace.at = here     # and not in code of ours that has handed it on
    return into.result
