"""Variables that have a value on some of the paths that lead to where they are read:

    for it in range(n):
        if f(it) > limit:
            break
    return it

Where what is known of conditions says that there is one (known.py), it is read. Where it does not, CPython asks when it runs, and raises
UnboundLocalError, and so does the program: all is traced again (`learn`), and each statement that has left the variable so hands on, beside its
value, whether there is one, as a user does who keeps a `found`.
"""
from __future__ import annotations

from lantern.staging import merge
from lantern.staging.errors import Abandon, place_of_name
from lantern.staging.identity import IdentityDict
from lantern.staging.plans import others
from lantern.staging.values import MaybeBound, Staged, Undefined


class Unbound:
    """Which statements of a trace hand on whether variables have a value."""

    def __init__(self, trace):
        self.trace = trace
        self.flagged = IdentityDict()   # key of a statement (object_state.stage) → the names

    def learn(self, error):
        """Whether an error is not there any more once statements hand that on."""
        news = False
        for each in error.all():
            makers = each.makers if not any(map(self.trace.ranges.may_peel, (key for key, _ in each.makers))) else ()
            for key, name in makers:
                names = self.flagged.setdefault(key, set())
                news = news or name not in names
                names.add(name)
        return news

    def read(self, value, exception, place=None):
        """The value of a variable, or attribute, which may have none: then the program raises `exception`."""
        trace = self.trace
        value = trace.simplified(value)
        if not isinstance(value, Undefined):
            return value
        place = place or place_of_name(value.name)
        if value.loop is not None and value.loop in trace.loops and value.loop.frame is trace.frame:
            value.loop.awaited = value.loop.awaited or value.error(place)
            raise Abandon
        if isinstance(value, MaybeBound):
            if self._knows(value) and self._is_in_reach(value.value):
                self._check(value, exception, place)
                return trace.narrowed(value.value)
            trace.lessons.take(value.error(place))
            return trace.narrowed(value.value)
        elif value.cause is None and trace.under_condition():     # it has none, where it is read
            self._raise(exception, place)
        trace.lessons.take(value.error(place))
        return trace.lessons.anything()

    def _check(self, value, exception, place):
        from lantern.staging import branches
        trace, at = self.trace, self.trace.at
        branches.raise_if(trace, value.flag, lambda: self._raise(exception, place), "the variable's value", otherwise=True)
        trace.at = at

    def _raise(self, exception, place):
        from lantern.operators_exceptions import raise_
        raise_(exception, place and (place.line, place.column))

    def _knows(self, value):
        return value.flag is not None and self.trace.in_scope(value.flag)

    def _is_in_reach(self, value):
        """Whether what a path has left to a variable can be used behind it: what an object holds that is not the program's is not handed on."""
        return merge.is_stageable(value) or not any(isinstance(held, Staged) and not self.trace.in_scope(held) for held in getattr(value, "__dict__", {}).values())

    def flag_of(self, value):
        """Whether a variable has a value: a bool, or a staged one."""
        value = self.trace.simplified(value) if isinstance(value, MaybeBound) else value
        if not isinstance(value, MaybeBound):
            return not isinstance(value, Undefined)
        if self._knows(value):
            return value.flag
        if value.flag is not None:      # of an earlier trace of the code around
            return False
        raise value.error(self.trace.place())


class Flags:
    """What a statement hands on of the variables of its state: whether they have a value."""

    def __init__(self, trace, key, names):
        flagged = trace.unbound.flagged.get(key, ())
        self._trace, self._key = trace, key
        self._places = [place for place, name in enumerate(names) if name in flagged]
        self.names = tuple(others((f"{names[place]}_bound" for place in self._places), names))

    def get(self, state):
        return tuple(self._trace.unbound.flag_of(state[place]) for place in self._places)

    def put(self, flags_and_state, names):
        """The state, whose variables know their flags, and which statements they were in."""
        count = len(self._places)
        state = list(flags_and_state[count:])
        for place, flag in zip(self._places, flags_and_state[:count]):
            state[place] = self._with_flag(state[place], flag)
        for name, value in zip(names, state):
            if isinstance(value, MaybeBound):
                value.makers[id(self._key), name] = self._key, name
        return state

    def _with_flag(self, value, flag):
        if not isinstance(value, MaybeBound):
            return value
        if isinstance(flag, bool):
            return value.value if flag else Undefined(value.name, value.why)
        return MaybeBound(value.name, value.value, self._trace.truth(flag), value.why, flag, value.makers)
