"""`if`, `while` and `for` on staged operands."""
from __future__ import annotations

import contextlib

from lantern import types
from lantern.staging import errors, iterables, memories, merge
from lantern.staging.errors import Abandon, Raised, Signal, StagingError
from lantern.staging.generators import Generator
from lantern.staging.invariant import Invariant
from lantern.staging.snapshots import Snapshot
from lantern.staging.text import Symbol
from lantern.staging.truths import TooLarge
from lantern.staging.unrolling import Turns
from lantern.staging.values import MaybeBound, Staged, StagedEnumerate, StagedRange, Undefined, UndefinedReturnValue

MOST_PASSES = 20   # until the types of a loop's state must have settled


def as_condition(trace, value, at=None):
    """A staged value as a condition: a staged bool, or a Python bool where it is known."""
    type_ = value.type
    if type_ is None or type_ == types.bool_ or type_ == types.TensorType("bool"):
        return value
    if isinstance(type_, types.NoneType):
        return False
    if isinstance(type_, (types.Optional, types.StructType)):
        missing = trace.is_none(value)
        return not missing if isinstance(missing, bool) else trace.negate(missing)
    if type_ == types.string or isinstance(type_, (types.List, types.DatasetType)):
        return trace.emit("!=", (trace.emit("length", (value,)), 0), at=at)
    if isinstance(type_, types.Tuple):
        return bool(type_.elements)
    if isinstance(type_, types.TensorType) and type_.dims:
        raise StagingError("LT0310", f"the truth of {value.shown()}, an array of type {type_}, is ambiguous", trace.place(at),
                           "reduce it to one value first, e.g. lt.sum(x) > 0")
    return trace.emit("!=", (value, 0 if type_ == types.i64 else 0.0), at=at)


def _both(trace, a, b):
    """`a and b` of staged conditions that have both been computed."""
    result = trace.emit("and", (a, b))
    with contextlib.suppress(TooLarge):
        result.truth = trace.truths.both(trace.truth(a), trace.truth(b))
    return result


def _underlying(condition):
    """(the condition without its `not`s, whether the branches swap)."""
    swapped = False
    while condition.negates is not None:
        condition, swapped = condition.negates, not swapped
    return condition, swapped


class Path:
    """One traced path: its block and how it ended: None, 'abandoned' or 'raised'."""

    def __init__(self, block):
        self.block, self.ending, self.values = block, None, None
        self.changed = {}     # id → (container, contents) of the lists and dicts that it has changed
        self.writes = []      # what it has done to memory


def trace_path(trace, run, holds, state_names=()):
    """Runs `run()` in a block of its own."""
    mark, writes = trace.lists.mark(), trace.memories.mark()
    with trace.new_block(True, holds, state_names) as block:
        path = Path(block)
        try:
            with errors.reporting_exceptions():
                path.values = [trace.simplified(value) for value in run()]
        except Abandon:
            path.ending = "abandoned"
        except Raised as signal:
            path.ending = "raised"
            block.result = signal.expression
    path.changed = trace.lists.collect(mark, block)
    path.writes = trace.memories.collect(writes)
    return path


@contextlib.contextmanager
def showing_assignments(name, blocks):
    """Adds to an error where a variable is assigned in each of these blocks, or in those around it."""
    try:
        yield
    except StagingError as error:
        places = [next((inner.places[name] for inner in block.chain() if name in inner.places), None) for block in blocks]
        error.notes += [f"{place}: '{name}' is assigned here" for place in dict.fromkeys(places) if place is not None]
        raise


def staged_if(trace, condition, branches, names, what, restore=None):
    """`branches` are two functions that return the values of `names`; returns the merged values, emitting an `if`.

    restore: sets what the branches change back to what it was before.
    """
    condition, swapped = _underlying(condition)
    node = trace.resolve(condition)
    if swapped:
        branches = branches[::-1]
    at, snapshot, paths, problems = trace.at, Snapshot(), [], errors.Errors()
    choice = Choice(trace, condition)
    for holds, branch in zip(choice.holds, branches):
        with problems.part():
            paths.append(trace_path(trace, branch, holds, names))
            if restore is not None:
                restore()
            snapshot.check(trace, what, at)
    problems.report()
    if not any(path.ending == "raised" for path in paths) and all(path.ending for path in paths):
        raise Abandon
    trace.at = at
    alive = [path for path in paths if path.ending is None]
    if not alive:
        if any(path.ending == "abandoned" for path in paths):
            raise Abandon
        raise Raised((Symbol("if"), node, *(path.block for path in paths)))
    order = alive if not swapped else alive[::-1]
    seen = {}
    plans, problems = [], errors.Errors()
    for i, name in enumerate(names):
        with problems.part(), showing_assignments(name, [path.block for path in order]):
            known = choice.flag([path.values[i] for path in paths]) if len(alive) == 2 else None
            plans.append(merge.Keep(known) if known is not None else
                         merge.plan(trace, name, [path.values[i] for path in order], what, seen=seen))
    problems.report()
    changed = {key: container for path in order for key, (container, _) in path.changed.items()}
    contents = [merge.plan_contents(trace, trace.lists.names.get(key, "the list"), [
        path.changed[key][1] if key in path.changed else trace.lists.contents(container) for path in order], what)
        for key, container in changed.items()]
    joins = [join for plan in (*plans, *contents) for join in plan.joins()]
    for path in alive:
        _finish(trace, path.block, joins, order.index(path))
    for path in paths:
        if path.ending == "abandoned":  # it is traced again; until then it stands for any value
            path.block.result = merge.result_node([(Symbol("undefined"), Symbol(j.type or "f64")) for j in joins])
    memories = _joined_memories(trace, order, joins)
    if joins or any(path.ending or path.block.entries for path in paths):
        staged = list(merge.bind_results(trace, (Symbol("if"), node, *(path.block for path in paths)), joins, memories))
    else:
        staged = []     # nothing happens on either path
    trace.block.holds = choice.merged([path.block.holds if path in alive else False for path in paths], trace.block.holds)
    for join, value in zip(joins, staged):
        if join.type == types.bool_:
            value.truth = choice.merged([path in alive and trace.truth(join.values[order.index(path)]) for path in paths])
    staged = iter(staged)
    values = [plan.rebuild(staged) for plan in plans]
    for container, plan in zip(changed.values(), contents):
        trace.lists.change(container, plan.contents(staged))
    return [_bound(trace, choice, name, value, [path.values[i] if path in alive else None for path in paths], what)
            for i, (name, value) in enumerate(zip(names, values))]


class Choice:
    """The two paths of an `if`: where its condition is true, and where it is false."""

    def __init__(self, trace, condition):
        self.trace, self.condition = trace, condition
        self.truths, self.truth = trace.truths, trace.truth(condition)
        try:
            self.holds = [self.truths.both(trace.block.holds, truth) for truth in (self.truth, self.truths.negation(self.truth))]
        except TooLarge:
            self.holds = [trace.block.holds] * 2

    def flag(self, values):
        """The condition itself, where a variable is true on one path and false on the other; else None."""
        if self.condition.declared_type != types.bool_ or not all(isinstance(value, bool) for value in values) or values[0] is values[1]:
            return None
        return self.condition if values[0] else self.trace.negate(self.condition)

    def merged(self, parts, otherwise=None):
        """The Boolean function that is the first part where the condition is true, and else the second.

        otherwise: what it is if that is too large; a new atom, if that is not said.
        """
        try:
            return self.truths.choose(self.truth, *parts)
        except TooLarge:
            return self.truths.atom() if otherwise is None else otherwise


def _bound(trace, choice, name, value, values, what):
    """A variable behind an `if`: its value, or that on some path it has none. values: of the paths, None where one comes to no end."""
    missing = next((v for v in values if unbound(v)), None)
    if missing is None or isinstance(value, Undefined) and value.cause is not None:
        return value
    why = missing.why or f"one path of {what} gives it none"
    if isinstance(value, Undefined):
        return Undefined(name, missing.why)
    bound = choice.merged([v.bound if isinstance(v, MaybeBound) else not unbound(v) for v in values])
    return trace.simplified(MaybeBound(name, value, bound, why))


def unbound(value):
    """Whether a variable may have no value; the result of a function that has not returned is missed by nobody."""
    return isinstance(value, Undefined) and not isinstance(value, UndefinedReturnValue)


def _joined_memories(trace, paths, joins):
    """The memories of what paths join to, behind all that they have written."""
    parts = []
    for number, path in enumerate(paths):
        with trace.memories.behind(path.writes):
            parts.append([trace.memories.parts(join.values[number]) for join in joins])
    for path in paths:
        trace.memories.changes += path.writes
    return trace.memories.joined(parts)


def _finish(trace, block, joins, path):
    """Gives a path's block its result."""
    before, trace.frame.block = trace.frame.block, block
    try:
        block.result = merge.result_node([join.node(trace, path) for join in joins])
    finally:
        trace.frame.block = before


def if_stmt(trace, condition, body, orelse, get_state, set_state, names, outputs):
    init = get_state()

    def branch(function):
        def run():
            set_state(init)
            function()
            return get_state()[:outputs]
        return run

    try:
        merged = staged_if(trace, condition, (branch(body), branch(orelse)), names[:outputs], "the if statement",
                           lambda: set_state(init))
    except BaseException:
        set_state(init)
        raise
    dead = tuple(_dead(name, value) for name, value in zip(names[outputs:], init[outputs:]))
    set_state((*merged, *dead))


def _dead(name, value):
    """A variable that the statement has changed and nobody reads: what it was would be wrong."""
    return value if "." in name or "[" in name else Undefined(name, "the if statement's paths differ in it")


class _State:
    """The variables of a loop: which are carried as staged values, with which types."""

    def __init__(self, trace, names, init, what):
        self.trace, self.names, self.what = trace, names, what
        self.init = init
        self.plans = [self._staged(name, merge.plan(trace, name, [v, v], what, force=True), merge.carried(v))
                      for name, v in zip(names, init)]
        self.unsure = {name for name, v in zip(names, init) if unbound(v)}    # that may have no value where a turn begins
        self.invariant = Invariant(trace)
        self.most = None         # turns that the loop makes at most, once a count takes care of that
        self.containers = {}     # id → [list or dict that a turn changes, its contents before the loop, their plan]
        self.turns = memories.Turns(trace.memories)

    def _staged(self, name, plan, value):
        """Staged values are carried from the first pass on."""
        if isinstance(plan, merge.Keep) and isinstance(plan.value, Staged):
            return merge.Join(name, plan.value.type, [value, value])
        if isinstance(plan, merge.Compound):
            _, parts = merge.parts_of(value)
            plan.plans = [self._staged(name, p, v) for p, v in zip(plan.plans, parts)]
        return plan

    def limit(self, most):
        """The loop makes no more than so many turns."""
        if self.most is None:
            raise _Limited(self, most)

    def joins(self):
        return [join for plan in self.plans for join in plan.joins()] + \
            [join for _, _, plan in self.containers.values() for join in plan.joins()]

    def enter(self, block, set_state):
        """Sets the state at the beginning of a turn; the staged values in it, bindings of `block`."""
        self.invariant.begin(self._bits(self.init))
        block.holds = self.invariant.holds
        values = [Staged(join.type, block, merge.hint_of(join.name)) for join in self.joins()]
        for value, memory in zip(values, self.turns.begin(self._before())):
            value.memory = memory if memories.has_memory(value.declared_type) else None
        self._set(iter(values), set_state)
        return values

    def leave(self, node, set_state, test):
        """Emits the loop, and sets the state behind it: it has ended since `test` is false (None: perhaps for other reasons)."""
        truths = self.trace.truths
        self.trace.block.holds = self.invariant.holds
        if test is not None:
            with contextlib.suppress(TooLarge):
                self.trace.block.holds = truths.both(self.invariant.holds, truths.negation(test))
        staged = merge.bind_results(self.trace, node, self.joins(), self.turns.begin(self._before()))
        self._set(staged, set_state)

    def _set(self, staged, set_state):
        values = [plan.rebuild(staged) for plan in self.plans]
        set_state(tuple(map(self._bound, self.names, self.plans, self.init, values)))
        for container, _, plan in self.containers.values():
            self.trace.lists.change(container, plan.contents(staged))

    def _bound(self, name, plan, init, value):
        """A variable where a turn begins, or behind the loop: its value, or that it may have none."""
        if isinstance(plan, merge.Poison):
            return value
        if (name, "flag") in self.invariant:
            value.truth = self.invariant.atom((name, "flag"))
        if name not in self.unsure:
            return value
        why = (init.why if isinstance(init, Undefined) else f"a turn of {self.what} gives it none") \
            or f"{self.what} may make no turn, and it has none before"
        bound = self.invariant.atom((name, "bound")) if (name, "bound") in self.invariant else self.trace.truths.atom()
        return self.trace.simplified(MaybeBound(name, value, bound, why))

    def _bits(self, values):
        """{bit: Boolean function} of a state: which variables have a value, which flags are true."""
        bits, flags = {}, {}
        for name, plan, value in zip(self.names, self.plans, values):
            if name in self.unsure and not isinstance(plan, merge.Poison):
                bits[name, "bound"] = value.bound if isinstance(value, MaybeBound) else not isinstance(value, Undefined)
            if isinstance(plan, merge.Join) and plan.type == types.bool_:
                flags[name, "flag"] = self.trace.truth(merge.carried(value))
        return {**bits, **flags}

    def widen(self, new, block):
        """Joins the state after a turn in, which `block` has traced; whether that changed anything."""
        changed = False
        for i, (name, value) in enumerate(zip(self.names, new)):
            with showing_assignments(name, [self.trace.block, block]):
                plan, changed_here = self._widened(name, self.plans[i], merge.carried(self.init[i]), merge.carried(value))
            self.plans[i] = plan
            changed = changed or changed_here or (unbound(value) and name not in self.unsure)
            if unbound(value):
                self.unsure.add(name)
        self.invariant.begin(self._bits(self.init))
        return self.invariant.turn(block.holds, self._bits(new)) or changed

    def widen_containers(self, turn):
        """The same for the lists and dicts that the turn has changed."""
        widened = False
        for key, (container, contents) in turn.items():
            known = self.containers.setdefault(key, [container, self.trace.lists.contents(container), None])
            name = self.trace.lists.names.get(key, "the list")
            plan = merge.plan_contents(self.trace, name, [known[1], contents], self.what, force=True)
            if known[2] is None or merge.signature(known[2]) != merge.signature(plan):
                known[2], widened = plan, True
        return widened

    def _widened(self, name, old, init, value):
        if isinstance(value, Undefined) or isinstance(old, merge.Poison) and old.value.cause is not None:
            return old, False
        if isinstance(old, merge.Poison):
            plan = merge.plan(self.trace, name, [old.value, value], self.what, force=True)
            return plan, not isinstance(plan, merge.Poison)
        if isinstance(old, merge.Compound) and (parts := merge.parts_of(value)) and len(parts[1]) == len(old.plans):
            changed = False
            for i, (part, new) in enumerate(zip(merge.parts_of(init)[1] if merge.parts_of(init) else parts[1], parts[1])):
                old.plans[i], here = self._widened(f"{name}[{i}]", old.plans[i], part, new)
                changed = changed or here
            return old, changed
        if isinstance(old, merge.Keep):
            if merge.is_same(old.value, value):
                return old, False
            return merge.plan(self.trace, name, [init, old.value, value], self.what, force=True), True
        if isinstance(old, merge.Once):
            plan = merge.plan(self.trace, name, [init, value], self.what, force=True)
            return (old, False) if merge.signature(plan) == merge.signature(old) else (plan, True)
        if isinstance(old, merge.Compound):
            raise StagingError("LT0306", f"{merge.called(name)} changes its number of elements in {self.what}", self.trace.place(),
                               "a tuple, list or dict that a staged loop carries keeps its form")
        joined = _joined(self.trace, name, old.type, value, self.what)
        if joined == old.type:
            return old, False
        return merge.Join(name, joined, old.values), True

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
                for p, v in zip(plan.plans, merge.parts_of(value)[1]):
                    collect(p, v)
            elif isinstance(plan, merge.Once):
                collect_contents(plan.planned, self.trace.lists.contents(value))

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

    def next_nodes(self, new, contents):
        with self.trace.memories.carrying():
            return [(Symbol("undefined"), Symbol(join.type or "f64")) if isinstance(value, Undefined) else self.trace.coerce(value, join.type)
                    for join, value in self._leaves(new, contents)]

    def _contents_before(self):
        return {key: before for key, (_, before, _) in self.containers.items()}

    def init_nodes(self):
        return self.next_nodes(self.init, self._contents_before())

    def _before(self):
        return [value for _, value in self._leaves(self.init, self._contents_before())]

    def widen_memories(self, new, contents, writes):
        """Takes in what a turn has done to memory; whether that is news."""
        return self.turns.end(self._before(), [value for _, value in self._leaves(new, contents)], writes)


def _joined(trace, name, type_, value, what):
    other = trace.type_of(value) if merge.is_stageable(value) or isinstance(value, tuple) else ...
    if other is ...:
        raise StagingError("LT0306", f"{merge.called(name)} becomes a Python value of type '{type(value).__name__}' in {what}, which is known only "
                           "when the program runs", trace.place(), "only numbers, strings, arrays and structures may change in it")
    if type_ is None or other is None:
        return None
    joined = merge.join_types(type_, other)
    if joined is None:
        raise StagingError("LT0306", f"{merge.called(name)} is {type_} before {what} and {other} after a turn of it", trace.place(),
                           "give it a value of the same type before the loop")
    return joined


def _loop(trace, turn, state, set_state, before):
    """Traces a loop's turn until the types of its state settle."""
    at, snapshot = trace.at, Snapshot()
    try:
        for _ in range(MOST_PASSES):
            mark, writes, tried = trace.lists.mark(), trace.memories.mark(), []
            trace.loops.append(state)
            try:
                result = turn(state, tried)
            except BaseException:
                trace.lists.undo(mark)
                trace.memories.undo(writes)
                raise
            finally:
                trace.loops.pop()
            changed, written = trace.lists.collect(mark, result.scope), trace.memories.collect(writes)
            trace.at = at
            set_state(before)
            snapshot.check(trace, state.what, at)
            for container, error in tried:
                if id(container) not in changed:
                    raise error
            if result.new is None:
                return result
            result.contents = {key: contents for key, (_, contents) in changed.items()}
            widened = state.widen_containers(changed)
            widened = state.widen(result.new, result.block) or widened
            if not state.widen_memories(result.new, result.contents, written) and not widened:
                return result
            trace.globals.forget(result.scope)
    except BaseException:
        set_state(before)
        raise
    raise StagingError("LT0306", f"the types of {state.what}'s variables do not settle", trace.place())


def while_stmt(trace, test, body, get_state, set_state, names):
    init = get_state()
    state = _State(trace, names, init, "the while loop")

    def turn(state, tried):
        with trace.new_block(True, state_names=names) as scope, trace.lists.trying(tried, scope):
            staged = state.enter(scope, set_state)
            values, mark = get_state(), trace.lists.mark()
            head, condition = _test(trace, test)
            if any(now is not before for now, before in zip(get_state(), values)) or trace.lists.mark() > mark:
                raise _TestAssigns
            choice = Choice(trace, condition)
            with trace.new_block(True, choice.holds[0], names) as block:
                new = trace_turn(trace, body, get_state, block)
        return Turn(scope, head, choice.truth, block, staged, new)

    checkpoint = trace.checkpoint()
    try:
        turn = _loop(trace, turn, state, set_state, init)
    except _TestAssigns:
        trace.rollback(checkpoint)
        _while_assigning(trace, test, body, get_state, set_state, names)
        return
    except _Limited as signal:
        if signal.state is not state:
            raise
        trace.rollback(checkpoint)
        _limited(trace, signal.most, test, body, get_state, set_state, names,
                 lambda *loop: while_stmt(trace, *loop))
        return
    _finish_turn(trace, state, turn)
    variables = tuple(zip(turn.variables, state.init_nodes()))
    state.leave((Symbol("while"), variables, turn.head, turn.block), set_state, turn.truth)


class _Limited(Signal):
    """The loop of `state` makes no more than `most` turns, as its body has said."""

    def __init__(self, state, most):
        super().__init__()
        self.state, self.most = state, most


def _limited(trace, most, test, body, get_state, set_state, names, loop):
    """The same loop with a count of its turns."""
    turns = 0

    def get():
        return (*get_state(), turns)

    def put(state):
        nonlocal turns
        set_state(state[:-1])
        turns = state[-1]

    def counted_test():
        few = trace.emit("<", (turns, most))
        going = True if test is None else trace.lists.value(test())
        if not isinstance(going, Staged):
            return few if going else False
        return _both(trace, few, as_condition(trace, going))

    def counted(*element):
        nonlocal turns
        trace.loops[-1].most = most
        body(*element)
        turns = turns + 1

    loop(counted_test, counted, get, put, (*names, "turns_"))


class _TestAssigns(Signal):
    """The test of a loop changes the loop's state (by `:=`, or `pop`)."""


def _while_assigning(trace, test, body, get_state, set_state, names):
    """`while test(): body()` as `while going: if test(): body() else: going = False`: a test is an expression, a turn has effects."""
    going = True

    def stop():
        nonlocal going
        going = False

    def get():
        return (*get_state(), going)

    def put(state):
        nonlocal going
        set_state(state[:-1])
        going = state[-1]

    def turn():
        condition = trace.lists.value(test())
        if isinstance(condition, Staged):
            condition = as_condition(trace, condition)
        if isinstance(condition, Staged):
            if_stmt(trace, condition, body, stop, get, put, all_names, len(all_names))
        elif condition:
            body()
        else:
            stop()

    all_names = (*names, "going_")
    while_stmt(trace, lambda: going, turn, get, put, all_names)


class Turn:
    """One traced turn of a loop: `scope` binds the variables, `head` gives the test, `block` the next state."""

    def __init__(self, scope, head, truth, block, variables, new, element=None):
        self.scope, self.head, self.block, self.variables, self.new, self.element = scope, head, block, variables, new, element
        self.truth = truth     # of the test, as a Boolean function
        self.contents = {}     # id → what a list or dict that it has changed holds after it


def _test(trace, test):
    """(the block of a loop's test, the condition)."""
    with trace.new_block(True) as head:
        with errors.reporting_exceptions():
            condition = trace.lists.value(test())
        if isinstance(condition, Staged):
            condition = as_condition(trace, condition)
        head.result = trace.node(condition) if isinstance(condition, Staged) else bool(condition)
    return head, condition


def trace_turn(trace, run, get_state, block):
    """Runs a loop's body in `block`, the current one; the state after it, or None if no turn comes to its end."""
    if block.holds is False:
        return None
    try:
        with errors.reporting_exceptions():
            run()
    except Abandon:
        return None
    except Raised as signal:
        block.result = signal.expression
        return None
    return tuple(map(trace.simplified, get_state()))


def _finish_turn(trace, state, turn):
    """Gives the body's block its result, the next state."""
    block = turn.block
    before, trace.frame.block = trace.frame.block, block
    try:
        if turn.new is not None:
            block.result = merge.result_node(state.next_nodes(turn.new, turn.contents))
        elif type(block.result) is tuple and not block.result:      # no turn has raised, either: it has been abandoned
            block.result = merge.result_node([(Symbol("undefined"), Symbol(j.type or "f64")) for j in state.joins()])
    finally:
        trace.frame.block = before


def for_stmt(trace, iterable, extra_test, body, get_state, set_state, names, element_name):
    """A `for` over a staged range, array, list or data set."""
    init = get_state()
    source, iterable = iterable, trace.lists.value(iterable)
    if isinstance(iterable, Generator):
        iterable.run(extra_test, body, get_state, set_state, names)
        return
    if isinstance(iterable, (iterables.Indexed, iterables.Filtered, iterables.Mapped, iterables.StagedIterator)):
        return _for_iterator(trace, iterable, extra_test, body, get_state, set_state, names)
    if isinstance(iterable, StagedEnumerate):
        return _for_enumerate(trace, iterable, extra_test, body, get_state, set_state, names, element_name)
    sequence, element_type = _sequence(trace, iterable)
    state = _State(trace, names, init, "the for loop")

    def turn(state, tried):
        with trace.new_block(True, state_names=names) as scope, trace.lists.trying(tried, scope):
            staged = state.enter(scope, set_state)
            head, condition = _test(trace, extra_test or (lambda: True))
            choice = Choice(trace, condition)
            with trace.new_block(True, choice.holds[0], names) as block:
                trace.use_type(element_type)
                element = Staged(element_type, block, element_name, trace.place())
                if memories.has_memory(element_type):
                    element.memory = trace.memories.of_element(iterable)
                new = trace_turn(trace, lambda: body(element), get_state, block)
        return Turn(scope, head, choice.truth, block, staged, new, element)

    checkpoint = trace.checkpoint()
    try:
        turn = _loop(trace, turn, state, set_state, init)
    except _Limited as signal:
        if signal.state is not state:
            raise
        trace.rollback(checkpoint)
        _limited(trace, signal.most, extra_test, body, get_state, set_state, names,
                 lambda test, *loop: for_stmt(trace, source, test, *loop, element_name))
        return
    if id(source) in state.containers:      # a list that its loop changes: place by place, as Python goes over it
        trace.rollback(checkpoint)
        _for_iterator(trace, iterables.StagedIterator(trace, iterables.Live(trace, source)), extra_test, body, get_state, set_state, names)
        return
    _finish_turn(trace, state, turn)
    variables = tuple(zip(turn.variables, state.init_nodes()))
    state.leave((Symbol("for"), turn.element, sequence, variables, turn.head, turn.block), set_state, None)


def _sequence(trace, iterable):
    """(node, type of the elements) of what a `for` iterates over."""
    if isinstance(iterable, StagedRange):
        bounds = (iterable.start, iterable.stop, iterable.step)
        return (Symbol("range"), *map(trace.node, bounds)), types.i64
    type_ = iterable.type
    node = trace.resolve(iterable)
    if type_ is None:
        return node, None
    if isinstance(type_, (types.List, types.DatasetType)):
        return node, type_.element
    if isinstance(type_, types.TensorType) and type_.dims:
        return node, types.TensorType(type_.dtype, type_.dims[1:])
    raise StagingError("LT0310", f"{iterable.shown()}, of type {type_}, is nothing that a loop goes over", trace.place(),
                       "a loop goes over range(...), an array, a list or a data set")


def for_list(trace, list_, body, get_state, set_state, names):
    """Over a list whose elements are known, as Python goes over it; from where it becomes staged, the rest in a staged loop."""
    place, turns = 0, Turns(trace, trace.at)
    while isinstance(contents := trace.lists.contents(list_), list):
        if place >= len(contents):
            return
        body(contents[place])
        place += 1
        turns.count()
    rest = iterables.StagedIterator(trace, iterables.Live(trace, list_))
    trace.lists.change(rest.place, [place])
    _for_iterator(trace, rest, None, body, get_state, set_state, names)


def _for_iterator(trace, iterable, extra_test, body, get_state, set_state, names):
    """Over `zip` and the like: over the places; over an iterator, as long as it has a next element."""
    from lantern.staging.calls import call
    if isinstance(iterable, iterables.Filtered):
        def tested(element):
            condition = trace.lists.value(call(trace, iterable.test, (element,), {}, trace.at))
            condition = as_condition(trace, condition) if isinstance(condition, Staged) else bool(condition)
            if isinstance(condition, Staged):
                if_stmt(trace, condition, lambda: body(element), lambda: None, get_state, set_state, names, len(names))
            elif condition:
                body(element)
        for_stmt(trace, iterable.sequence, extra_test, tested, get_state, set_state, names, None)
        return
    if isinstance(iterable, iterables.Mapped):
        for_stmt(trace, iterable.sequence, extra_test, lambda element: body(call(trace, iterable.function, (element,), {}, trace.at)),
                 get_state, set_state, names, None)
        return
    if isinstance(iterable, iterables.Indexed):
        before = [trace.lists.raw(source) for source in iterable.sources]
        for_stmt(trace, StagedRange(0, iterable.length, 1), extra_test, lambda place: body(iterable.get(place)), get_state, set_state, names, None)
        for source, contents in zip(iterable.sources, before):
            if isinstance(contents, Staged) and trace.lists.raw(source) is not contents:
                raise StagingError("LT0305", f"{trace.lists.shown(source)} changes while a staged loop goes over it", trace.place(),
                                   "go over a copy: list(…)")
        return
    place, sequence = iterable.place, iterable.sequence

    def test():
        going = True if extra_test is None else extra_test()
        more = trace.emit("<", (trace.lists.contents(place)[0], sequence.length))
        return _both(trace, going, more) if isinstance(going, Staged) else more if going else False

    def turn():
        at = trace.lists.contents(place)[0]
        trace.lists.change(place, [at + 1])
        body(sequence.get(at))

    while_stmt(trace, test, turn, get_state, set_state, names)


def _for_enumerate(trace, iterable, extra_test, body, get_state, set_state, names, element_name):
    """The counter becomes one more variable of the loop."""
    counter = [iterable.start]

    def counting(element):
        number = counter[0]
        body((number, element))
        counter[0] = number + 1

    def get():
        return (*get_state(), counter[0])

    def put(state):
        set_state(state[:-1])
        counter[0] = state[-1]

    if isinstance(element_name, (tuple, list)):
        element_name = element_name[-1]
    for_stmt(trace, iterable.values, extra_test, counting, get, put, (*names, "number_"), element_name)
