"""What the loops of a comprehension hand their elements to, and the state that this adds to the loops.

A comprehension is converted to loops of its own (frontend/passes/comprehensions.cpp), which are staged as all loops are. They
call the `for_stmt` and `if_stmt` of what takes the elements, since that may have variables which change with every element.
"""
from __future__ import annotations

from lantern import dispatch
from lantern.staging import plans
from lantern.staging.convert import operators_now
from lantern.staging.dicts import StagedDict
from lantern.staging.tables import is_staged_key


class _GoesOn:
    """False, where nothing could make it true: who asks that is none of the user's statements."""

    def __bool__(self):
        return False


GOES_ON = _GoesOn()


class Into:
    """Takes elements. test: whether it wants another one, None where it wants them all; names: of the variables it changes."""

    test = None
    names = ()
    get_state = tuple

    def set_state(self, _state):
        """It has none."""

    def stopped(self):
        """Whether it wants no more elements."""
        from lantern.operators_control import not_
        return GOES_ON if self.test is None else not_(self.test())

    def for_stmt(self, iterable, test, body, get_state, set_state, names, options=None, at=None):
        operators_now().for_stmt(iterable, test or self.test, body, *self._with_own(get_state, set_state, names), options, at)

    def while_stmt(self, test, body, get_state, set_state, names, options=None, at=None):
        operators_now().while_stmt(test, body, *self._with_own(get_state, set_state, names), options, at)

    def if_stmt(self, test, body, orelse, get_state, set_state, names, outputs, at=None):
        if test is GOES_ON:
            return orelse
        state = self._with_own(get_state, set_state, names)
        return operators_now().if_stmt(test, body, orelse, *state, len(self.names) + outputs, at)

    def _with_own(self, get_state, set_state, names):
        """The state of a loop or branch, behind that of what goes through the elements."""
        if not self.names:
            return get_state, set_state, names
        size = len(self.names)

        def put(state):
            self.set_state(state[:size])
            set_state(state[size:])

        return lambda: (*self.get_state(), *get_state()), put, (*self.names, *plans.others(names, self.names))


class Loop(Into):
    """The body of a `for` over a generator."""

    def __init__(self, test, body, get_state, set_state, names):
        self.test, self.body, self.get_state, self.set_state, self.names = test, body, get_state, set_state, names

    def take(self, element):
        trace = dispatch.active_trace()
        at, of_generators = trace.at, trace.generators.taking()       # in the generator, which goes on there
        try:
            self.body(element)
        except StopIteration as error:
            error.of_consumer = True
            raise
        finally:
            trace.generators.goes_on(of_generators)
        trace.at = at


class Collector(Into):
    def __init__(self, trace, at):
        trace.at = at
        self.trace = trace
        self.home = trace.block if trace.frame is not None else None

    def runs_once(self):
        """Whether the element that comes now certainly does, and once: Python's own list, set or dict takes it."""
        return self.home is None or self.trace.block is self.home \
            or self.trace.frame is self.home.frame and not self.trace.conditional_since(self.home)


class ListOf(Collector):
    __lantern_reaches__ = ("result",)       # a list that may change (carried.py)

    def __init__(self, trace, at):
        super().__init__(trace, at)
        self.result = trace.lists.new([])

    def take(self, element):
        from lantern.staging import list_methods
        if self.runs_once() and id(self.result) not in self.trace.lists.staged:
            self.trace.lists.appended(self.result, element)     # nobody has seen it yet, so that no trace of a path relies on what it held
        else:
            self.trace.lists.check_change(self.result, self.trace.at)
            list_methods.append(self.trace, self.result, element)


class OfKeys(Collector):
    """A set or dict: Python's own, as long as it is known which keys come."""

    __lantern_reaches__ = ("result",)

    def __init__(self, trace, at, cls):
        super().__init__(trace, at)
        self.result = trace.lists.remade.new(cls, at)

    def take(self, element):
        from lantern.operators_stores import store_item
        from lantern.staging import calls
        trace, (key, *value) = self.trace, element if isinstance(self.result, (dict, StagedDict)) else (element,)
        if isinstance(self.result, (dict, set)) and (is_staged_key(key) or not self.runs_once()):
            trace.lists.remade.meets(self.result, trace.at, key)
        elif value:
            store_item(*value, self.result, key, trace.at)
        else:
            calls.call(trace, self.result.add, (key,), {}, trace.at)
