"""Functions that call themselves and raise what is handled where they are called first.

    try: return parse(0)         def parse(place):
    except ValueError: return        try: ...; if raised: raise ValueError; return 0, value     # `raised, value = parse(place + 1)`, where it calls itself
                                     except ValueError: return 1, None

They cannot be part of the `try` statement (attempts.py), so they give the number of the exception, too, 0 for none, and whoever calls them raises it.
The numbers and texts that it is given are more results; which there are, a first trace learns, as it does what is raised.
"""
from __future__ import annotations

import collections
import types as python_types

from lantern import types
from lantern.staging import attempts, failures
from lantern.staging.convert import is_converted
from lantern.staging.errors import Restart, Signal, StagingError
from lantern.staging.failing import Failure
from lantern.staging.identity import IdentityDict, IdentitySet
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.raised import NOTHING, computed, computed_of, is_plain, kind_of, know_numbers, made_again, number_of, parts_of
from lantern.staging.values import Staged, UndefinedReturnValue


MOST_TIMES = 12     # that a trace begins again for one function


class Passed(BaseException):
    """What a call has raised, and its caller passes on. Its arguments: the number, and the values of `of`, a _Raised."""

    def __init__(self, of, *arguments):
        super().__init__(*arguments)
        self.of = of

    def exceptions(self):
        """The exceptions that it may be, with their kinds; and the values by (kind, part)."""
        values = dict(zip(self.of.types, self.args[1:]))
        return list(zip(self.of.kinds, self.of.exceptions(values))), values


class RaisingRecursions:
    def __init__(self, trace):
        self.trace = trace
        self.codes = IdentitySet()      # of functions that call themselves and raise what is handled
        self.stand_ins = IdentitySet()  # codes that stand for these
        self.suspects = IdentitySet()   # the same of those that call themselves, or raise something, where they are part of a `try` statement
        self.known = {}             # classes that are handled → _Raised
        self.times = collections.Counter()  # where a function stands → how often it has begun again for that

    def suspect(self, codes):
        for code in codes:
            if code not in self.stand_ins:
                self.suspects.add(code)

    def learn(self):
        """Begins again, if some function was none of them so far: the ways of the statement have parted within what it calls."""
        trace, new = self.trace, [code for code in self.suspects if code not in self.codes]
        if new and self.begins_again(new):
            for code in new:
                self.codes.add(code)
                if code in trace.specialisations.inlined:
                    del trace.specialisations.inlined[code]
            raise Restart((trace.attempts[0].block.frame if trace.attempts else trace.frame).specialisation)

    def begins_again(self, codes):
        """Whether it may: what is made anew whenever it is traced does not settle."""
        places = {(code.co_filename, code.co_firstlineno) for code in codes}
        self.times.update(places)
        return max(self.times[place] for place in places) <= MOST_TIMES * len(places)     # each may have something of its own to say

    def of(self, function):
        """What stands for a function here; None where it does."""
        if function.__code__ not in self.codes:
            return None
        classes = frozenset(cls for guard in self.trace.guards if guard.attempt is not None for cls in failures.flat(guard.classes())) - {Passed}
        return self.known.setdefault(classes, _Raised(self.trace, tuple(classes))).by(function) if classes else None


class _Raised:
    """What such functions raise of some classes, in all that calls of them give."""

    def __init__(self, trace, classes):
        self.trace, self.classes = trace, classes
        self.kinds = {}     # kind → the parts of one
        self.types = {}     # (kind, part) → type of what is another result
        self.functions = IdentityDict()     # code → _Recursion

    def by(self, function):
        if function.__code__ not in self.functions:
            self.functions[function.__code__] = _Recursion(self, function)
        return self.functions[function.__code__]

    def begin_again(self):
        """Calls give something else than was known so far."""
        if not self.trace.specialisations.raising.begins_again(list(self.functions)):
            raise StagingError("LT0313", "what a function raises that calls itself, and is handled where it is called first, does not settle", self.trace.place(),
                               "define the exceptions' classes in the module, and give them what the program computes")
        for code in self.functions:
            self.functions[code].begin_again()
        raise Restart(self.trace.attempts[0].block.frame.specialisation)

    def note(self, kind, error):
        """Whether it is one that was not known so far."""
        if not is_plain(error):
            raise StagingError("LT0313", f"a function that calls itself raises {type(error).__name__}, and that is handled where it is called first",
                               self.trace.place(), "give the exception numbers and texts alone")
        if kind in self.kinds:
            return False
        self.kinds[kind] = parts_of(error)
        self.types.update({(kind, part): type_ for part, type_ in computed_of(kind).items()})
        return True

    def number(self, kind):
        return number_of(self.trace, kind)

    def exceptions(self, values):
        """The exceptions, of what a call has given."""
        if len(values) < len(self.types):
            self.begin_again()
        for kind, parts in self.kinds.items():
            yield made_again(kind[0], {part: values.get((kind, part), each) for part, each in parts.items()})


class _Recursion:
    """A function that raises."""

    def __init__(self, raised, function):
        self.raised, self.trace, self.gives_none = raised, raised.trace, False     # gives_none: where it raises nothing
        self.users_code = function.__code__
        self.begin_again()

    def begin_again(self):
        """Is specialised anew: by another code than the function's, and than before."""
        self.code, self.stand_ins = self.users_code.replace(), IdentityDict()
        self.trace.specialisations.always.add(self.code)
        self.trace.specialisations.raising.stand_ins.add(self.code)
        self.trace.specialisations.statics.is_known_as(self.users_code, self.code)

    def call(self, function, converted, arguments, keywords):
        trace, raised, at = self.trace, self.raised, self.trace.at
        place = next(guard.place for guard in reversed(trace.guards) if guard.attempt is not None)
        value, number, *values = trace.specialisations.call(
            self._stand_in(function), lambda *given, **named: _Body(self, place, lambda: converted(*given, **named), at).run(), arguments, keywords)
        trace.at = at
        if isinstance(number, Staged):
            number.hint = number.hint or "raised"
            know_numbers(trace, number, map(raised.number, raised.kinds))
        if self._passes_on():
            self._check(Passed(raised, number, *values), number, None, function)
        else:
            for kind, exception in zip(raised.kinds, raised.exceptions(dict(zip(raised.types, values)))):
                self._check(exception, number, raised.number(kind), function)
        return value if self.gives_none else self._present(value)

    def _check(self, exception, number, own, function):
        """own: the exception's number; None: whatever it is."""
        def condition():
            if not isinstance(number, Staged):
                return number != 0 if own is None else number == own
            return self.trace.emit("!=", (number, 0)) if own is None else self.trace.emit("==", (number, own))
        failures.check_failure(self.trace, f"the call of '{function.__name__}'", Failure(type(exception), ("raised", number, own), condition, lambda: exception))

    def _passes_on(self):
        """Whether nothing but what is around the body of such a function sees what it raises here."""
        for guard in reversed(self.trace.guards):
            if guard.body is not None and guard.body.raised is self.raised:
                return True
            if not guard.raises_behind and any(guard.handles(cls) for cls in self.raised.classes):
                return False
        return False

    def _stand_in(self, function):
        if function not in self.stand_ins:
            made = python_types.FunctionType(self.code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
            made.__kwdefaults__, made.__annotations__, made.__qualname__ = function.__kwdefaults__, function.__annotations__, function.__qualname__
            if is_converted(function):
                made.__lantern_converted__ = True       # so that its cells are not what a trace has read, either
            self.stand_ins[function] = made
        return self.stand_ins[function]

    def _present(self, value):
        """Nothing has been raised, and it gives no None but for that."""
        if isinstance(value, Staged) and isinstance(value.type, types.Optional):
            trace = self.trace
            trace.block.holds = trace.truths.both(trace.block.holds, trace.truths.negation(trace.truth(trace.is_none(value))))
        return value


class _Body:
    """The body of such a function, and what it gives, as variables of a `try` statement. handled: the place of the statement where it is called first."""

    def __init__(self, recursion, handled, body, at):
        self.recursion, self.raised, self.handled, self.body, self.at, self.trace = recursion, recursion.raised, handled, body, at, recursion.trace
        self.nothing = {key: NOTHING[type_] for key, type_ in self.raised.types.items()}
        self.value, self.number, self.values, self.is_new = None, 0, self.nothing, False    # is_new: whether the body does what was not known

    def run(self):
        names = ("value", "raised", *("raised_with" for _ in self.values))
        attempts.try_stmt(self.trace, self._whole, self._get, self._put, names, len(names), self.at, self.recursion.code)
        if self.is_new:
            self.raised.begin_again()
        if type(self.value) is PerhapsNone and not self.recursion.gives_none:   # None where it raises
            self.value = self.value.value
        return self._get()

    def _get(self):
        return (self.value, self.number, *self.values.values())

    def _put(self, state):
        self.value, self.number, *values = state
        self.values = dict(zip(self.values, values))

    def _whole(self):
        recursion, guard = self.recursion, failures.Guard(self.trace, "try", lambda: (*self.raised.classes, Passed), self.handled)
        guard.body = self
        try:
            with guard:
                self.value = self.trace.simplified(self.body())
        except (Signal, StagingError):
            raise
        except Passed as passed:
            self.value, (self.number, *values) = None, passed.args
            self.values = dict(zip(self.values, values))
            return
        except BaseException as error:
            if not isinstance(error, self.raised.classes):
                raise
            self._raise(error)
            return
        value = self.value = None if isinstance(self.value, UndefinedReturnValue) else self.value
        if not recursion.gives_none and (value is None or type(value) is PerhapsNone or isinstance(value, Staged) and isinstance(value.type, types.Optional)):
            recursion.gives_none = self.is_new = True

    def _raise(self, error):
        kind, values = kind_of(error), computed(error)
        self.is_new = self.raised.note(kind, error) or self.is_new
        self.value, self.number = None, self.raised.number(kind)
        self.values = {**self.nothing, **{(kind, part): value for part, value in values.items() if (kind, part) in self.nothing}}

    def passed(self, left):
        """What the body raises of a part of it (raised_behind.py)."""
        for kind, (_, exception, _) in left.exceptions.items():
            self.is_new = self.raised.note(kind, exception) or self.is_new
        known = {kind: known for kind, (_, _, known) in left.exceptions.items()}
        return Passed(self.raised, left.left, *(left.values.get((known.get(kind), part), NOTHING[type_]) for (kind, part), type_ in self.raised.types.items()))
