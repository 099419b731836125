"""Functions that call themselves and raise what is handled where they are called first.

    try: return parse(0)         def parse(place):
    except ValueError: return        try: ...; if raised: raise ValueError; return 0, value     # `raised, value = parse(place + 1)`, where it calls itself
                                     except ValueError: return 1, None

They cannot be part of the `try` statement (attempts.py), so they give the number of the exception, too, 0 for none, and whoever calls them raises it.
The numbers and texts that it is given are more results; which there are, a first trace learns, as it does what is raised.
"""
from __future__ import annotations

import types as python_types

from lantern import types
from lantern.staging import attempts, failures
from lantern.staging.errors import Restart, Signal, StagingError
from lantern.staging.failing import Failure
from lantern.staging.identity import IdentityDict, IdentitySet
from lantern.staging.left_loops import NOTHING
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.values import Staged


class RaisingRecursions:
    def __init__(self, trace):
        self.trace = trace
        self.codes = IdentitySet()  # of functions that call themselves and raise what is handled
        self.known = {}             # (id of the code, classes that are handled) → _Recursion

    def add(self, code):
        """Whether this function was none of them before."""
        is_new = code not in self.codes
        self.codes.add(code)
        return is_new

    def of(self, function):
        """What stands for a function here; None where it does."""
        if function.__code__ not in self.codes:
            return None
        classes = frozenset(cls for guard in self.trace.guards if guard.attempt is not None for cls in failures.flat(guard.classes()))
        if not classes:
            return None
        key = id(function.__code__), classes
        if key not in self.known:
            self.known[key] = _Recursion(self.trace, function, tuple(classes))
        return self.known[key]


class _Recursion:
    """code: another one than the function's, so that what it is specialised to is."""

    def __init__(self, trace, function, classes):
        self.trace, self.classes, self.code = trace, classes, function.__code__.replace()
        self.raised = {}            # (class, arguments or their types) → the exception's attributes; in the order of their numbers
        self.types = {}             # (class, arguments or their types, place) → type
        self.stand_ins = IdentityDict()
        self.gives_none = False     # whether that is a result of its own

    def call(self, function, converted, arguments, keywords):
        trace, at = self.trace, self.trace.at
        guard = next(guard for guard in reversed(trace.guards) if guard.attempt is not None)
        value, number, *values = trace.specialisations.call(
            self._stand_in(function), lambda *given, **named: _Body(self, guard, lambda: converted(*given, **named), at).run(), arguments, keywords)
        trace.at = at
        if isinstance(number, Staged):
            number.hint = number.hint or "raised"
        values = dict(zip(self.types, values))
        for own, (of, attributes) in enumerate(self.raised.items(), 1):
            exception = of[0].__new__(of[0])
            exception.args = tuple(values.get((*of, place), each) for place, each in enumerate(of[1]))
            vars(exception).update(attributes)
            failures.check_failure(trace, f"the call of '{function.__name__}'", Failure(
                of[0], ("raised", number, own), lambda own=own: trace.emit("==", (number, own)) if isinstance(number, Staged) else number == own,
                lambda exception=exception: exception))
        return value if self.gives_none else self._present(value)

    def _stand_in(self, function):
        if function not in self.stand_ins:
            made = python_types.FunctionType(self.code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
            made.__kwdefaults__, made.__annotations__, made.__qualname__ = function.__kwdefaults__, function.__annotations__, function.__qualname__
            self.stand_ins[function] = made
        return self.stand_ins[function]

    def _present(self, value):
        """Nothing has been raised, and it gives no None but for that."""
        if isinstance(value, Staged) and isinstance(value.type, types.Optional):
            trace = self.trace
            trace.block.holds = trace.truths.both(trace.block.holds, trace.truths.negation(trace.truth(trace.is_none(value))))
        return value


class _Body:
    """The body of such a function, and what it gives, as variables of a `try` statement."""

    def __init__(self, recursion, guarding, body, at):
        self.recursion, self.guarding, self.body, self.at, self.trace = recursion, guarding, body, at, recursion.trace
        self.value, self.number, self.values = None, 0, {key: NOTHING[type_] for key, type_ in recursion.types.items()}

    def run(self):
        names = ("value", "raised", *("raised_with" for _ in self.values))
        attempts.try_stmt(self.trace, self._whole, self._get, self._put, names, len(names), self.at, self.recursion.code)
        if type(self.value) is PerhapsNone and not self.recursion.gives_none:   # None where it raises
            self.value = self.value.value
        return self._get()

    def _get(self):
        return (self.value, self.number, *self.values.values())

    def _put(self, state):
        self.value, self.number, *values = state
        self.values = dict(zip(self.values, values))

    def _whole(self):
        recursion = self.recursion
        try:
            with failures.Guard(self.trace, self.guarding.what, lambda: recursion.classes, self.guarding.place):
                self.value = self.body()
        except (Signal, StagingError):
            raise
        except BaseException as error:
            if not isinstance(error, recursion.classes):
                raise
            self._raised(error)
            return
        value = self.value
        if not recursion.gives_none and (value is None or type(value) is PerhapsNone or isinstance(value, Staged) and isinstance(value.type, types.Optional)):
            recursion.gives_none = True
            self._restart()

    def _raised(self, error):
        recursion = self.recursion
        of = type(error), tuple(each.type if isinstance(each, Staged) else each for each in error.args)
        known, values = [each for each in error.args if not isinstance(each, Staged)], [each for each in error.args if isinstance(each, Staged)]
        if not all(isinstance(each, (bool, int, float, str)) for each in [*known, *vars(error).values()]) or not all(each.type in NOTHING for each in values):
            raise StagingError("LT0313", f"a function that calls itself raises {type(error).__name__}, and is handled where it is called first",
                               self.trace.place(), "give the exception numbers and texts alone, as its arguments")
        if of not in recursion.raised:
            recursion.raised[of] = dict(vars(error))
            recursion.types.update({(*of, place): each.type for place, each in enumerate(error.args) if isinstance(each, Staged)})
            self._restart()
        self.value, self.number = None, 1 + list(recursion.raised).index(of)
        self.values.update({(*of, place): each for place, each in enumerate(error.args) if isinstance(each, Staged)})

    def _restart(self):
        raise Restart(self.trace.frame.specialisation)
