"""What a staged loop carries from turn to turn: its variables, and what its lists and dicts hold."""
from __future__ import annotations

import contextlib

from lantern import types
from lantern.staging import chosen_functions, families, instances, memories, merge, perhaps_arrays, perhaps_none, plans, shown_values
from lantern.staging.branches import showing_assignments, unbound
from lantern.staging.empties import ANYTHING
from lantern.staging.errors import Abandon, Signal, StagingError
from lantern.staging.invariant import Invariant
from lantern.staging.memory import has_memory
from lantern.staging.numbered_classes import is_numbered
from lantern.staging.snapshots import attributes_of, is_users_class
from lantern.staging.text import Symbol
from lantern.staging.truths import TooLarge
from lantern.staging.turn_memories import Turns
from lantern.staging.values import MaybeBound, Staged, Undefined
from lantern.staging.views import is_boxed


class State:
    """The variables of a loop: which are carried as staged values, with which types."""

    def __init__(self, trace, names, init, what, source=None):
        self.trace, self.names, self.what = trace, names, what
        self.source = source     # what a `for` goes over
        self.init, self.frame = init, trace.frame
        self.awaited = None      # an error, of a path of a turn that reads what a later turn gives a value
        self.plans = [self._staged(name, merge.plan(trace, name, [v, v], what, force=True), merge.carried(v))
                      for name, v in zip(names, init)]
        self.unsure = {name for name, v in zip(names, init) if unbound(v)}    # that may have no value where a turn begins
        self.invariant = Invariant(trace)
        self.number = None       # where it goes over a range that is known, what stands for a number of it
        self.most = None         # turns that the loop makes at most, once a count takes care of that
        self.stale = {}          # id → (list or dict that a turn changes behind its back, what has, the lists that have)
        self.containers = {}     # id → [list or dict that a turn changes, its contents before the loop, their plan]
        self.turns = Turns(trace.memories)
        self.scope = None        # the block of the turn that is being traced
        self.is_relied_on = False    # to be traced again, by a loop in it that is not as the program has it
        self.is_exact = False    # relied on no more

    def _staged(self, name, plan, value):
        """Staged values are carried from the first pass on, but for a list that stands in another one, which is carried."""
        if isinstance(plan, merge.Keep) and isinstance(plan.value, Staged) and plan.value.element_of is None and not is_boxed(plan.value):
            return merge.Join(name, plan.value.type, [value, value])
        if isinstance(plan, merge.Compound):
            plan.plans = [self._staged(name, p, v) for p, v in zip(plan.plans, plan.parts(value))]
        return plan

    def limit(self, most):
        """The loop makes no more than so many turns."""
        if self.most is None:
            raise Limited(self, most)

    def joins(self):
        return [join for plan in self.plans for join in plan.joins()] + \
            [join for _, _, plan in self.containers.values() for join in plan.joins()]

    def enter(self, block, set_state):
        """Sets the state at the beginning of a turn; the staged values in it, bindings of `block`."""
        self.awaited, self.scope = None, block
        self.invariant.begin(self._bits(self.init))
        block.holds = self.invariant.holds
        values = [Staged(join.type, block, plans.binding_of(join.name)) for join in self.joins()]
        for value, memory in zip(values, self._memories()):
            value.memory = memory or self.trace.memories.fresh() if has_memory(value.declared_type) else None
        place = self.trace.place()
        self._set((value if value.memory is None else self.trace.views.joined(self.trace.views.begin(value, (place, join.name)), join.values)
                   for value, join in zip(values, self.joins())), set_state)
        return values

    def leave(self, node, set_state, test, certain=()):
        """Emits the loop, and sets the state behind it: it has ended since `test` is false (None: perhaps for other reasons).

        certain: the state behind a turn, of a loop that has at least one and ends behind a turn."""
        truths = self.trace.truths
        self.unsure -= {name for name, value in zip(self.names, certain) if not unbound(value)}
        self.trace.block.holds = self.invariant.holds
        if test is not None:
            with contextlib.suppress(TooLarge):
                self.trace.block.holds = truths.both(self.invariant.holds, truths.negation(test))
        staged = merge.bind_results(self.trace, node, self.joins(), self._memories())
        self._set(staged, set_state, certain)

    def _memories(self):
        """Those of the staged values where a turn begins, or behind the loop; lists that are then others get theirs."""
        memories, count = self.turns.begin(self._before()), len(self.joins())
        for (made, _), memory in zip(self._lists(self.init, self._contents_before()), memories[count:]):
            made.memory = memory
        return memories[:count]

    def _set(self, staged, set_state, certain=()):
        values = [plan.rebuild(staged) for plan in self.plans]
        for i, behind in enumerate(certain):
            values[i] = perhaps_arrays.certain(values[i], behind)
        set_state(tuple(map(self._bound, self.names, self.plans, self.init, values)))
        self.trace.lists.merge([(container, plan) for container, _, plan in self.containers.values()], staged, values)
        self.trace.lists.become_stale(self.stale.values())

    def _bound(self, name, plan, init, value):
        """A variable where a turn begins, or behind the loop: its value, or that it may have none."""
        if isinstance(plan, merge.Poison):
            return self._awaited(value) if name in self.unsure and value.cause is None else value
        if (name, "flag") in self.invariant:
            value.truth = self.invariant.atom((name, "flag"))
        if isinstance(plan, perhaps_none.Plan) and (name, "missing") in self.invariant:
            merge.carried(value).missing.truth = self.invariant.atom((name, "missing"))
        if name not in self.unsure:
            return value
        why = (init.why if isinstance(init, Undefined) else f"a turn of {self.what} gives it none") \
            or f"{self.what} may make no turn, and it has none before"
        bound = self.invariant.atom((name, "bound")) if (name, "bound") in self.invariant else self.trace.truths.atom()
        return self.trace.simplified(MaybeBound(name, value, bound, why))

    def _awaited(self, value):
        """A variable that has no value before the loop: turns may give it one."""
        found = Undefined(value.name, value.why)
        found.loop = self
        return found

    def awaits_value(self):
        """Whether something is None, or an object, where this turn begins that a later one may give another value."""
        return any(map(_may_be_another, self.plans)) or _await_values(self.trace, self.scope)

    def checked(self, result):
        """The result of a turn, if turns give the variables that they read their values. An error of the turn comes first."""
        if self.awaited is not None and (isinstance(result, Abandon) or not isinstance(result, BaseException)):
            if self.awaited.code not in perhaps_none.OF_NONE or not perhaps_none.awaited(self.trace, self.awaited):     # a loop around may give it one
                raise self.awaited
        return result

    def _bits(self, values):
        """{bit: Boolean function} of a state: which variables have a value, which flags are true."""
        bits, flags = {}, {}
        for name, plan, value in zip(self.names, self.plans, values):
            if name in self.unsure and not isinstance(plan, merge.Poison):
                bits[name, "bound"] = value.bound if isinstance(value, MaybeBound) else not isinstance(value, Undefined)
            if isinstance(plan, merge.Join) and plan.type == types.bool_:
                flags[name, "flag"] = self.trace.truth(merge.carried(value))
            if isinstance(plan, perhaps_none.Plan):
                flags[name, "missing"] = self.trace.truth(plan.parts(merge.carried(value))[0])
        return {**bits, **flags}

    def at_end(self, new, changed):
        """The state after a turn that has changed these lists and dicts."""
        return tuple(value if isinstance(plan, merge.Keep) and value is init else self.trace.lists.at_end(value, changed)
                     for value, init, plan in zip(new, self.init, self.plans))

    def widen(self, new, block):
        """Joins the state after a turn in, which `block` has traced; whether that changed anything."""
        changed = False
        for i, (name, value) in enumerate(zip(self.names, new)):
            with showing_assignments(name, [self.trace.block, block]):
                with chosen_functions.decided_by(self.trace, None):
                    plan, changed_here = self._widened(name, self.plans[i], merge.carried(self.init[i]), merge.carried(value))
            self.plans[i] = plan
            changed = changed or changed_here or (unbound(value) and name not in self.unsure)
            if unbound(value):
                self.unsure.add(name)
        self.invariant.begin(self._bits(self.init))
        return self.invariant.turn(block.holds, self._bits(new)) or changed

    def widen_containers(self, turn, stale):
        """The same for the lists and dicts that the turn has changed, and for those that it has changed behind their backs."""
        widened = any(not set(map(id, causes)) <= set(map(id, self.stale.get(id(container), (None, None, ()))[2])) for container, _, causes in stale)
        self.stale.update((id(container), (container, what, causes)) for container, what, causes in stale)
        for key, (container, contents) in turn.items():
            known = self.containers.get(key) or [container, self.trace.lists.contents(container), None]
            name = self.trace.lists.name_of(container, "the list")
            plan = self.trace.views.with_names(container, merge.plan_contents(self.trace, name, [known[1], contents], self.what, force=True, of=[container]))
            self.containers[key] = known        # not before there is a plan: something else may be to be done first
            if known[2] is None or merge.signature(known[2]) != merge.signature(plan) or any(self._kept_depth(known[2], grow) > self._kept_depth(plan, grow) for grow in (False, True)):
                known[2], widened = plan, True
        return widened

    def is_traced_again_around(self):
        """Whether a loop around is to be traced again for what this one changes, and is relied on from now on."""
        around = next((outer for outer in self.trace.loops if outer.frame is self.frame and not outer.is_exact and outer.lacks(self)), None)
        if around is not None:
            around.is_relied_on = True
        return around is not None

    def lacks(self, inner):
        """Whether a loop in this one changes what is older than a turn of this one, and not known to be changed in it."""
        return self.turns.lack(inner.turns) or any(key not in self.containers and not self.trace.lists.made_in(container, self.scope)
                                                   for key, (container, _, _) in inner.containers.items())

    def _kept_depth(self, plan, may_grow=False):
        """How deep a turn leaves everything in its place in a list of lists: what was read from it before the loop stands there."""
        before, behind = plan.join.values if plan.join else (None, None)
        return self.trace.lists.kept_depth(behind, before, may_grow) if isinstance(behind, Staged) else 0

    def keeps(self, row):
        """Whether a value that was read from a list, which its turns change, stands in its place there."""
        plan = self.containers[id(row.outermost())][2]
        return plan is not None and row.element_of is not None and self.trace.lists.may_stay(row, self._kept_depth(plan, may_grow=True))

    def _widened(self, name, old, init, value):
        if isinstance(value, Undefined) or isinstance(old, merge.Poison) and old.value.cause is not None:
            return old, False
        if isinstance(old, shown_values.Plan) and shown_values.can_be(self.trace, value):
            return old, False
        if isinstance(old, merge.Poison):
            plan = merge.plan(self.trace, name, [old.value, value], self.what, force=True)
            return plan, not isinstance(plan, merge.Poison)
        if isinstance(old, perhaps_arrays.Plan):
            new = old.widened(self.trace, value, self.what)
            return new, new is not old
        if isinstance(old, merge.Compound) and old.takes(value):
            changed, parts = False, old.parts(value)
            before = old.parts(init) if old.takes(init) else parts
            for i, (part, new) in enumerate(zip(before, parts)):
                old.plans[i], here = self._widened(old.name_of(name, i), old.plans[i], part, new)
                changed = changed or here
            return old, changed
        if isinstance(old, chosen_functions.Plan):
            return merge.plan(self.trace, name, [init, old.stand_in(), value], self.what, force=True), True
        if isinstance(old, merge.Compound) and not isinstance(old, perhaps_none.Plan) and old.takes(init) and perhaps_none.is_mixed([init, value]):
            return merge.plan(self.trace, name, [init, value], self.what, force=True), True
        if isinstance(old, merge.Keep):
            if merge.is_same(old.value, value):
                return old, False
            return merge.plan(self.trace, name, [init, old.value, value], self.what, force=True), True
        if isinstance(old, merge.Join) and old.type is not None and perhaps_none.is_mixed([Staged(old.type, None), value]):
            return merge.plan(self.trace, name, [init, Staged(old.type, None), value], self.what, force=True), True
        if isinstance(old, merge.Join) and perhaps_arrays.is_mixed([Staged(old.type, None), value]):
            plan = perhaps_arrays.begun(self.trace, name, old, init, value, self.what)
            if plan is not None:
                return plan, True
        if isinstance(old, merge.Once):
            plan = merge.plan(self.trace, name, [init, value], self.what, force=True)
            if isinstance(plan, merge.Keep) and isinstance(init, Undefined):        # a list that each turn makes anew
                plan = merge.plan(self.trace, name, [*old.plan.values, value], self.what, force=True)
            return (old, False) if merge.signature(plan) == merge.signature(old) else (plan, True)
        if isinstance(old, merge.Compound) and old.is_of(tuple) and isinstance(value, Staged) and isinstance(value.type, types.Tuple):
            return merge.plan(self.trace, name, [init, value], self.what, force=True), True
        if isinstance(old, merge.Compound) and is_numbered(value) and (cls := families.wider(self.trace, old.form[0], type(value))) is not None:
            now, before = (self.trace.numbered.number_of(each if is_numbered(each) else value) for each in (value, init))
            return families.plan(cls, self._widened(name, old.plans[0], before, now)[0], name), True
        perhaps_arrays.refuse([value] if isinstance(old, merge.Compound) else ())
        if isinstance(old, merge.Compound):
            if self._is_unknown(value):     # an element of a list that is empty so far: what it was before the loop
                merge.learn(self.trace, [init, value])
                self.trace.empties.emitted(value.unknown or ANYTHING)
                return old, False
            what = "its number of elements" if type(value) is old.form[0] else "its class"
            is_instance = old.is_of(object) and is_users_class(old.form[0]) and not old.is_of((tuple, perhaps_none.PerhapsNone))
            error = StagingError("LT0306", f"{merge.called(name)} changes {what} in {self.what}", self.trace.place(),
                                 isinstance(old, perhaps_none.Plan) and merge.remedy(value) or (
                                     f"number the {old.form[0].__name__}s, keep what they hold in lists that are indexed by the number, and let {merge.called(name)} be a number"
                                     if is_instance else instances.OF_LENGTHS if old.form[0] is tuple and type(value) is tuple else "a tuple, list or dict that a staged loop carries keeps its form"))
            error.is_explained, error.of_class = is_instance, perhaps_none.users_class_in(value, old.form[0])
            raise families.noted(self.trace, error, value, init)
        if type(value) is list and merge.is_staged_list(init):
            return merge.plan(self.trace, name, [init, value], self.what, force=True), True
        if type(value) is shown_values.Shown and isinstance(old, merge.Join) and old.type is not None:
            return merge.plan(self.trace, name, [init, Staged(old.type, None), value], self.what, force=True), True
        joined = _joined(self.trace, name, old.type, init, value, self.what)
        if joined == old.type:
            return old, False
        return merge.Join(name, joined, old.values), True

    def _is_unknown(self, value):
        """Whether it is not known so far what a value is: the trace is no program."""
        return isinstance(value, Staged) and value.type is None and (value.unknown is not None or self.trace.empties.is_open())

    def _leaves(self, new, contents):
        """(join, value) of a state: values of the variables, contents of the lists and dicts."""
        leaves = []

        def collect(plan, value):
            value = merge.carried(value)
            if isinstance(value, Undefined):
                leaves.extend((join, value) for join in plan.joins())
            elif isinstance(plan, merge.Join):
                leaves.append((plan, value))
            elif isinstance(plan, merge.Compound):
                for p, v in zip(plan.plans, plan.parts(value)):
                    collect(p, v)
            elif isinstance(plan, merge.Once):
                collect_contents(plan.planned, self.trace.lists.raw(value) if type(value) in (list, dict) else value)

        def collect_contents(plan, contents):
            if plan.join:
                leaves.append((plan.join, contents))
            else:
                for p, v in zip(plan.elements, contents.values() if isinstance(contents, dict) else contents):
                    collect(p, v)

        for plan, value in zip(self.plans, new):
            collect(plan, value)
        for key, (_, _, plan) in self.containers.items():
            collect_contents(plan, contents[key])
        return leaves

    def next_nodes(self, new, contents, stale):
        changed = {key: (container, contents[key]) for key, (container, _, _) in self.containers.items()}
        with self.trace.memories.carrying(), self.trace.lists.as_of(changed, stale):
            return [(Symbol("undefined"), Symbol(join.type or "f64")) if isinstance(value, Undefined) else join.coerced(self.trace, value)
                    for join, value in self._leaves(new, contents)]

    def _contents_before(self):
        return {key: before for key, (_, before, _) in self.containers.items()}

    def init_nodes(self):
        return self.next_nodes(self.init, self._contents_before(), self.trace.lists.stale)

    def _lists(self, new, contents):
        """(what is planned, the list) of a state's lists that are others behind the loop."""
        found = []

        def collect(plan, value):
            value = merge.carried(value)
            if isinstance(plan, merge.Compound):
                for p, v in zip(plan.plans, plan.parts(value)):
                    collect(p, v)
            elif isinstance(plan, merge.Once):
                found.append((plan.plan, value))
                collect_contents(plan.planned, self.trace.lists.raw(value) if type(value) in (list, dict) else value)

        def collect_contents(plan, held):
            if not plan.join:
                parts = held.values() if isinstance(held, dict) else held if isinstance(held, list) else [held] * len(plan.elements)
                for p, v in zip(plan.elements, parts):
                    collect(p, v)

        for plan, value in zip(self.plans, new):
            collect(plan, value)
        for key, (_, _, plan) in self.containers.items():
            collect_contents(plan, contents[key])
        return found

    def _values(self, new, contents):
        """The values of a state that have memories."""
        return [value for _, value in self._leaves(new, contents)] + [memories.Itself(list_) for _, list_ in self._lists(new, contents)]

    def _before(self):
        return self._values(self.init, self._contents_before())

    def widen_memories(self, new, contents, writes, stale):
        """Takes in what a turn has done to memory, and which lists are stale behind it; whether that is news."""
        news = [plan.note_stale(list_, stale) for plan, list_ in self._lists(new, contents)]
        return self.turns.end(self._before(), self._values(new, contents), writes) or any(news)


def _may_be_another(plan):
    """Whether a variable is None, or an object, or holds some, in each turn that has been traced."""
    if isinstance(plan, merge.Compound):
        return any(map(_may_be_another, plan.plans))
    return isinstance(plan, merge.Keep) and (plan.value is None or is_users_class(type(plan.value)))


def _await_values(trace, scope):
    """Whether a list that was made before a turn, `scope`, holds nothing but None so far, or objects of Python's, which may become others; or an attribute is such."""
    return any(_holds_another(trace, value) and not trace.lists.made_in(value, scope) for value, _ in list(trace.ages.known.values()))


def _holds_another(trace, value):
    if type(value) is list:
        return _awaits_values(trace.lists.raw(value))
    return is_users_class(type(value)) and any(each is None or is_users_class(type(each)) for each in attributes_of(value).values())


def _awaits_values(contents):
    if isinstance(contents, Staged):
        return isinstance(contents.type, types.List) and isinstance(contents.type.element, types.NoneType)
    return any(is_users_class(type(each)) for each in contents) or bool(contents) and all(each is None for each in contents)


def _joined(trace, name, type_, init, value, what):
    other = trace.type_of(value) if merge.is_stageable(value) or instances.parts(value) is not None else ...
    if other is ...:
        error = StagingError("LT0306", f"{merge.called(name)} becomes a Python value of type '{type(value).__name__}' in {what}, which is known only "
                             "when the program runs", trace.place(), "only numbers, strings, arrays and structures may change in it")
        error.of_class = perhaps_none.users_class_in(value)
        raise error
    if type_ is None or other is None:
        return None
    joined = merge.join_types(type_, other)
    if joined is None:
        raise families.noted(trace, StagingError("LT0306", f"{merge.called(name)} is {types.annotation(type_)} before {what} and {types.annotation(other)} after a turn of it", trace.place(),
                                                 perhaps_arrays.remedy(name, [type_, other], [init]) or "give it a value of the same type before the loop"), type_, other)
    return joined


class Limited(Signal):
    """The loop of `state` makes no more than `most` turns, as its body has said."""

    def __init__(self, state, most):
        super().__init__()
        self.state, self.most = state, most
