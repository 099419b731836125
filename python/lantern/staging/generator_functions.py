"""Generator functions of the user's where something is traced.

    def walk(tree):
        if tree is not None:
            yield from walk(tree.left)
            yield tree.value

`walk(tree)` runs nothing: it is a `FunctionGenerator`. Who goes through it runs the function with itself where an element is yielded
(frontend/passes/yields.cpp), as part of its own code, so that what the two do happens in Python's order, and no element is made that nobody
wants. One that calls itself under a staged condition is a define for each who goes through it, `Define`: the recursion calls that. It is given
the state of who goes through it in lists of one element, as attributes that a recursion sets are (boxed_attributes.py).
"""
from __future__ import annotations

import inspect
import types as python_types

from lantern import dispatch
from lantern.staging import carried, cells, library, merge
from lantern.staging.comprehensions import GOES_ON, Into, ListOf
from lantern.staging.convert import INLINED, LOOPS, loops_of, note_reason
from lantern.staging.errors import Restart, StagingError
from lantern.staging.generators import Attempt, Generator
from lantern.staging.identity import IdentitySet
from lantern.staging.keys import staged_in
from lantern.staging.values import Undefined

_LIST = "make a list of it first: list({}(…))"


class FunctionGenerator(Generator):
    """What a call of a generator function gives."""

    def __init__(self, trace, function, arguments, keywords, at):
        self.function, self.arguments, self.keywords = function, arguments, keywords
        super().__init__(trace, loops_of(function), function, (), False, (), at)
        trace.ages.made(self)

    @property
    def is_python(self):
        """Whether nothing is staged of what the function reaches: now, since lists become staged."""
        return self.python is not None or not _reaches_staged((self.function, *self.arguments, *self.keywords.values()))

    @is_python.setter
    def is_python(self, _of_iterable):
        pass

    def __repr__(self):
        return f"<generator object {self.function.__qualname__} at {id(self):#x}>"

    def shown(self):
        return f"the generator '{self.name or self.function.__name__}'"

    def _hand_on(self, into):
        self.trace.generators.run(self, into)

    def _as_python(self):
        note_reason(self.function, "Python asks this generator for one element after the other")
        return self.function(*self.arguments, **self.keywords)

    def next(self, *default):
        if not self.spent and self.left_at is None and not hasattr(self.function, INLINED):     # which may be asked for the next one, too
            attempt = Attempt(self)
            try:
                return next(self, *default)
            except StagingError as error:
                if error.code != "LT0303" or not attempt.undone():
                    raise
                return library.first(self.trace, self) if not default else library.first_or(self.trace, self, *default)
        return super().next(*default)

    def is_of_function(self):
        return not any(hasattr(value, "__next__") for value in self.reached())

    def reached(self):
        return (self.function, *self.arguments, *self.keywords.values())

    def begins_again(self):
        if self.python is not None or any(hasattr(value, "__next__") and not (isinstance(value, Generator) and value.begins_again())
                                          for value in (*self.arguments, *self.keywords.values())):
            return False
        self.spent, self.left_at = False, None
        return True


FunctionGenerator.__name__ = "generator"        # as Python's messages have it


def _reaches_staged(values):
    """Whether one of these, or what it holds, is known only when the program runs: arrays and numbers, lists, generators that go through such."""
    pending, seen = list(values), set()
    while pending and len(seen) < carried.MOST_VISITED:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Generator) and not value.is_python or staged_in(value) or merge.staged_list(value) is not None:
            return True
        pending.extend(carried.parts_of(value).values())
    return False


def called(trace, function, arguments, keywords, at):
    """A call of a generator function: a generator, or None where it stays plain Python. Raises TypeError as the call would."""
    if loops_of(function) is None or trace.frame is None:
        return None
    function(*arguments, **keywords).close()        # which has run nothing
    for value in (*arguments, *keywords.values()):
        trace.ages.young(value)
    return FunctionGenerator(trace, function, arguments, keywords, at)


def generator_function(loops):
    """`@ag__.generator_function(walk_elements)`: a generator that converted code makes, and what stands for it where something is staged."""
    def decorate(function):
        setattr(function, LOOPS, (function, loops))
        loops.__defaults__, loops.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
        trace = dispatch.active_trace()
        if trace is not None and trace.frame is not None:
            trace.closures.made(function)
        return function
    return decorate


class Generators:
    """The generators that run, and which of them are defines."""

    def __init__(self, trace):
        self.trace = trace
        self.running = []       # (code, block) of generators that run as part of who goes through them
        self.recursive = IdentitySet()  # code of those that are defines
        self.defines = {}       # (whose, id of the generator's code) → Define
        self.guards = 0         # how many `try`s the innermost one runs in
        self.own = 0            # how many generators the running code is part of, since who goes through one took over
        self.gone_through = []  # the iterators of the user's whose elements they are (user_iterators.py)
        self.within = []        # of these, the code of those that are defines

    def run(self, generator, into):
        """Has the generator hand its elements to `into`."""
        trace, function = self.trace, generator.function
        code = function.__code__
        if code in self.recursive:
            self._call(generator, into)
            return
        again = next((entry for entry in self.running if entry[0] is code and trace.conditional_since(entry[1])), None)
        if again is not None and not hasattr(function, INLINED):        # whose loop may stand within another one of it
            raise Restart(again)
        entry, checkpoint, state, at = (code, trace.block), trace.checkpoint(), into.get_state(), trace.at
        self.running.append(entry)
        try:
            self.elements_to(into, function, generator.arguments, generator.keywords)
            return
        except Restart as signal:
            if signal.specialisation is not entry:
                raise
        finally:
            self.running.pop()
        self.recursive.add(code)
        trace.rollback(checkpoint)
        into.set_state(state)
        trace.at = at
        for value in (*generator.arguments, *generator.keywords.values()):
            if isinstance(value, Generator) and not value.begins_again():
                raise _refused(trace, generator, "is recursive, and goes through what another one has begun to go through")
        self._call(generator, into)

    def elements_to(self, into, function, arguments, keywords):
        trace = self.trace
        trace.frame.reads.note_function(function)
        trace.closures.given(function)
        self.own += 1
        guards, self.guards = self.guards, len(trace.guards)
        try:
            loops_of(function)(into, *arguments, **keywords)
        except StopIteration as error:
            if getattr(error, "of_consumer", False):
                raise
            raise RuntimeError("generator raised StopIteration") from error
        finally:
            self.own -= 1
            self.guards = guards

    def taking(self):
        """While who goes through a generator runs: what is returned is to be given to `goes_on`."""
        of_generators = self.own, self.within
        self.own, self.within = 0, []
        return of_generators

    def goes_on(self, of_generators):
        self.own, self.within = of_generators

    def check_raise(self, exception, catching, at):
        """An error where a generator raises StopIteration, which no `try` of its own handles: Python makes another exception of that."""
        if self.own and isinstance(exception, StopIteration) and catching not in self.trace.guards[self.guards:]:
            raise StagingError("LT0310", "a generator raises StopIteration, of which Python makes a RuntimeError", self.trace.place(at),
                               "end the generator by return; of an iterator that may be at its end, ask next(iterator, default)")

    # Recursion

    def _call(self, generator, into):
        trace, function = self.trace, generator.function
        whose = into.whose if isinstance(into, Within) else LISTS if isinstance(into, ListOf) else into
        define = self._define(whose, generator)
        if isinstance(into, Within):
            state = into.cells
        else:
            state = ((into.result,), ()) if whose is LISTS else cells.of(trace, into.names, into.get_state())
        if whose is into:
            whose.place = trace.place()
        before = whose.get_state()
        if whose is into:
            trace.specialisations.statics.forced.setdefault(define.template, set()).update(
                (name, 0) for name, value in zip(define.function.__signature__.parameters, before) if isinstance(value, (bool, int, float, str)))
            whose.set_state(define.hidden(before))
        try:
            trace.specialisations.call(define.function, define.function, (*state[0], state[1], *generator.arguments), generator.keywords)
        finally:
            whose.set_state(before)
        if whose is into:
            into.set_state(cells.values(trace, into.names, state, before))

    def _define(self, whose, generator):
        code = generator.function.__code__
        known = self.defines.get((whose, id(code)))
        if known is None:
            if whose is not LISTS and any(other is code for other in self.within):
                raise _refused(self.trace, generator, "is gone through by itself, in a loop that does more than hand its elements on")
            known = self.defines[whose, id(code)] = Define(self, whose, code)
        known.of(generator.function)
        return known


class Define:
    """A recursive generator for one who goes through it, as a function of the state of that, in lists of one element, and its own arguments."""

    def __init__(self, generators, whose, code):
        self.generators, self.whose, self.code = generators, whose, code
        self.template = None
        self.function = None
        self._hidden = {}       # name → what stands for a variable of who goes through it

    def of(self, function):
        """Makes `function` of one of the functions of that code, as which it appears in messages."""
        run, reach = self._run, getattr(self.whose, "body", None)      # what that reaches, calls hand on
        made = lambda *arguments, **keywords: run(function, arguments, keywords, reach)   # noqa: E731
        code = self.template
        if code is None:
            own = made.__code__
            names = {"co_qualname": function.__qualname__} if hasattr(own, "co_qualname") else {}
            code = self.template = own.replace(co_name=function.__name__, co_filename=self.code.co_filename, co_firstlineno=self.code.co_firstlineno,
                                               co_consts=(*own.co_consts, id(self)), **names)
        self.function = python_types.FunctionType(code, function.__globals__, function.__name__, None, made.__closure__)
        signature = inspect.signature(function)
        names = []
        for name in ("result",) if self.whose is LISTS else self.whose.names:
            names.append(_unlike("".join(c if c.isalnum() else "_" for c in name), (*names, *signature.parameters)))
        names.append(_unlike("kinds", (*names, *signature.parameters)))
        first = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in names]
        self.function.__signature__ = signature.replace(parameters=[*first, *signature.parameters.values()])
        self.function.__qualname__ = function.__qualname__
        self.function.__lantern_converted__ = True      # so that its cells, who goes through it, are not what a trace has read

    def _run(self, function, arguments, keywords, _reach):
        generators, whose = self.generators, self.whose
        count = 1 if whose is LISTS else len(whose.names)
        state, arguments = (arguments[:count], arguments[count]), arguments[count + 1:]
        generators.within.append(self.code)
        try:
            generators.elements_to(Within(generators.trace, whose, state), function, arguments, keywords)
        finally:
            generators.within.pop()

    def hidden(self, state):
        """The state of who goes through it while the generator's own code runs, which cannot know what is in lists then."""
        return tuple(self._hide(name, value) if cells.is_held(self.generators.trace, value) else value for name, value in zip(self.whose.names, state))

    def _hide(self, name, value):
        if name not in self._hidden:
            self._hidden[name] = Undefined(name, None, StagingError(
                "LT0305", f"the generator '{self.function.__name__}', which calls itself, reads '{name}', which the loop over it changes",
                self.generators.trace.place(), f"keep it in a list, {name} = [0], and {name}[0] += 1"))
        return self._hidden[name]


class Within(Into):
    """Who goes through a recursive generator, within its define: its state is in lists."""

    def __init__(self, trace, whose, cells):
        self.trace, self.whose, self.cells = trace, whose, cells

    def take(self, element):
        trace, whose = self.trace, self.whose
        if whose is LISTS:
            from lantern.staging import list_methods
            list_methods.append(trace, self.cells[0][0], element)
            return
        before = whose.get_state()
        whose.set_state(cells.values(trace, whose.names, self.cells, before))
        try:
            whose.take(element)
            cells.put(trace, whose.names, self.cells, whose.get_state(), before, whose.place)
        finally:
            whose.set_state(before)

    def stopped(self):
        whose = self.whose
        if whose is LISTS or whose.test is None:
            return GOES_ON
        before = whose.get_state()
        whose.set_state(cells.values(self.trace, whose.names, self.cells, before))
        try:
            return whose.stopped()
        finally:
            whose.set_state(before)


LISTS = Into()      # who makes a list of what a generator gives: it may be any list


def _unlike(name, others):
    return next(each for each in (name, *(f"{name}_{number}" for number in range(1, len(others) + 2))) if each not in others)


def _refused(trace, generator, what):
    return StagingError("LT0305", f"{generator.shown()} {what}", trace.place(), _LIST.format(generator.function.__name__))
