"""`if`, `while` and `for` on staged operands."""
from __future__ import annotations

import contextlib

from lantern import types
from lantern.staging import errors, iterables, merge
from lantern.staging.errors import Abandon, Raised, Signal, StagingError
from lantern.staging.generators import Generator
from lantern.staging.snapshots import Snapshot
from lantern.staging.text import Symbol
from lantern.staging.unrolling import Turns
from lantern.staging.values import Staged, StagedEnumerate, StagedRange, Undefined, UndefinedReturnValue

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


def _underlying(condition):
    """(the condition without its `not`s, whether the branches swap)."""
    swapped = False
    while condition.negates is not None:
        condition, swapped = condition.negates, not swapped
    return condition, swapped


def _known(value, condition, holds):
    """`value` on the path where `condition` is `holds`: the condition itself is known there."""
    if isinstance(value, Staged):
        underlying, swapped = _underlying(value)
        if underlying is condition:
            return holds is not swapped
    return value


class Path:
    """One traced path: its block and how it ended: None, 'abandoned' or 'raised'."""

    def __init__(self, block):
        self.block, self.ending, self.values = block, None, None
        self.changed = {}     # id → (container, contents) of the lists and dicts that it has changed


def trace_path(trace, run, facts=None, state_names=()):
    """Runs `run()` in a block of its own."""
    mark = trace.lists.mark()
    with trace.new_block(True, facts, state_names) as block:
        path = Path(block)
        try:
            with errors.reporting_exceptions():
                path.values = run()
        except Abandon:
            path.ending = "abandoned"
        except Raised as signal:
            path.ending = "raised"
            block.result = signal.expression
    path.changed = trace.lists.collect(mark, block)
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
    facts, at, snapshot, paths, problems = condition.facts, trace.at, Snapshot(), [], errors.Errors()
    for number, branch in enumerate(branches):
        with problems.part():
            paths.append(trace_path(trace, branch, facts and (facts.if_true, facts.if_false)[number], names))
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
    for number, path in enumerate(paths):
        if path.ending is None:
            path.values = [_known(value, condition, number == 0) for value in path.values]
    seen = {}
    plans, problems = [], errors.Errors()
    for i, name in enumerate(names):
        with problems.part(), showing_assignments(name, [path.block for path in order]):
            plans.append(merge.plan(trace, name, [path.values[i] for path in order], what, seen=seen))
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
    staged = merge.bind_results(trace, (Symbol("if"), node, *(path.block for path in paths)), joins)
    values = [plan.rebuild(staged) for plan in plans]
    for container, plan in zip(changed.values(), contents):
        trace.lists.change(container, plan.contents(staged))
    return values


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
        self.plans = [merge.Poison(v) if isinstance(v, Undefined) and not _late(v) else
                      merge.plan(trace, name, [v, v], what, force=True) for name, v in zip(names, init)]
        self.plans = [self._staged(name, plan, v) for name, plan, v in zip(names, self.plans, init)]
        self.most = None         # turns that the loop makes at most, once a count takes care of that
        self.containers = {}     # id → [list or dict that a turn changes, its contents before the loop, their plan]

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
        values = [Staged(join.type, block, merge.hint_of(join.name)) for join in self.joins()]
        self._set(iter(values), set_state, tuple)
        return values

    def leave(self, staged, set_state):
        """Sets the state behind the loop."""
        self._set(staged, set_state, lambda state: tuple(self._after(*of) for of in zip(self.names, self.plans, state)))

    def _set(self, staged, set_state, finished):
        set_state(finished([plan.rebuild(staged) for plan in self.plans]))
        for container, _, plan in self.containers.values():
            self.trace.lists.change(container, plan.contents(staged))

    def widen(self, new, block):
        """Joins the state after a turn in, which `block` has traced; whether that changed anything."""
        changed = False
        for i, (name, value) in enumerate(zip(self.names, new)):
            with showing_assignments(name, [self.trace.block, block]):
                plan, changed_here = self._widened(name, self.plans[i], self.init[i], value)
            self.plans[i] = plan
            changed = changed or changed_here
        return changed

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
        if isinstance(old, merge.Poison):
            if isinstance(value, Undefined) or not _late(old.value):
                return old, False
            return merge.plan(self.trace, name, [old.value, value], self.what, force=True), True
        if isinstance(old, merge.Compound) and (parts := merge.parts_of(value)) and len(parts[1]) == len(old.plans):
            changed = False
            for i, (part, new) in enumerate(zip(merge.parts_of(init)[1] if merge.parts_of(init) else parts[1], parts[1])):
                old.plans[i], here = self._widened(f"{name}[{i}]", old.plans[i], part, new)
                changed = changed or here
            return old, changed
        if isinstance(old, merge.Keep):
            if merge.is_same(old.value, value):
                return old, False
            return merge.plan(self.trace, name, [init, value], self.what, force=True), True
        if isinstance(old, merge.Once) and type(value) is type(init):
            plan = merge.plan(self.trace, name, [init, value], self.what, force=True)
            return (old, False) if merge.signature(plan) == merge.signature(old) else (plan, True)
        if isinstance(value, Undefined):
            if isinstance(init, Undefined):
                return old, False
            return merge.Poison(Undefined(name, f"a turn of {self.what} gives it none")), True
        if isinstance(old, merge.Compound):
            raise StagingError("LT0306", f"'{name}' changes its number of elements in {self.what}", self.trace.place(),
                               "a tuple, list or dict that a staged loop carries keeps its form")
        joined = _joined(self.trace, name, old.type, value, self.what)
        if joined == old.type:
            return old, False
        return merge.Join(name, joined, old.values), True

    def next_nodes(self, new, contents):
        """The nodes of a state: values of the variables, contents of the lists and dicts."""
        nodes = []

        def collect(plan, value):
            if isinstance(value, Undefined):
                nodes.extend((Symbol("undefined"), Symbol(join.type or "f64")) for join in plan.joins())
            elif isinstance(plan, merge.Join):
                nodes.append(self.trace.coerce(value, plan.type))
            elif isinstance(plan, merge.Compound):
                for p, v in zip(plan.plans, merge.parts_of(value)[1]):
                    collect(p, v)
            elif isinstance(plan, merge.Once):
                collect_contents(plan.planned, self.trace.lists.contents(value))

        def collect_contents(plan, contents):
            if plan.join:
                nodes.append(self.trace.lists.node(contents, plan.join.type))
            else:
                for p, v in zip(plan.elements, contents.values() if isinstance(contents, dict) else contents):
                    collect(p, v)

        for plan, value in zip(self.plans, new):
            collect(plan, value)
        for key, (_, _, plan) in self.containers.items():
            collect_contents(plan, contents[key])
        return nodes

    def init_nodes(self):
        return self.next_nodes(self.init, {key: before for key, (_, before, _) in self.containers.items()})

    def _after(self, name, plan, value):
        if isinstance(plan, merge.Poison):
            why = plan.value.why or f"{self.what} may make no turn, and it has none before"
            return type(plan.value)() if _late(plan.value) else Undefined(name, why)
        return value


def _late(value):
    """Whether a missing value is no error: the result of a function that has not returned."""
    return isinstance(value, UndefinedReturnValue)


def _joined(trace, name, type_, value, what):
    other = trace.type_of(value) if merge.is_stageable(value) or isinstance(value, tuple) else ...
    if other is ...:
        raise StagingError("LT0306", f"'{name}' becomes a Python value of type '{type(value).__name__}' in {what}, which is known only "
                           "when the program runs", trace.place(), "only numbers, strings, arrays and structures may change in it")
    if type_ is None or other is None:
        return None
    joined = merge.join_types(type_, other)
    if joined is None:
        raise StagingError("LT0306", f"'{name}' is {type_} before {what} and {other} after a turn of it", trace.place(),
                           "give it a value of the same type before the loop")
    return joined


def _loop(trace, turn, state, set_state, before):
    """Traces a loop's turn until the types of its state settle."""
    at, snapshot = trace.at, Snapshot()
    try:
        for _ in range(MOST_PASSES):
            mark, tried = trace.lists.mark(), []
            trace.loops.append(state)
            try:
                result = turn(state, tried)
            except BaseException:
                trace.lists.undo(mark)
                raise
            finally:
                trace.loops.pop()
            changed = trace.lists.collect(mark, result.scope)
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
            if not state.widen(result.new, result.block) and not widened:
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
        with trace.new_block(True, None, names) as scope, trace.lists.trying(tried, scope):
            staged = state.enter(scope, set_state)
            values, mark = get_state(), trace.lists.mark()
            head, condition = _test(trace, test)
            facts = condition.facts.if_true if isinstance(condition, Staged) and condition.facts else None
            if any(now is not before for now, before in zip(get_state(), values)) or trace.lists.mark() > mark:
                raise _TestAssigns
            with trace.new_block(True, facts, names) as block:
                new = trace_turn(trace, body, get_state, block)
        return Turn(scope, head, block, staged, new)

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
    node = (Symbol("while"), variables, turn.head, turn.block)
    state.leave(merge.bind_results(trace, node, state.joins()), set_state)


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
        return trace.emit("and", (few, as_condition(trace, going)))

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

    def __init__(self, scope, head, block, variables, new, element=None):
        self.scope, self.head, self.block, self.variables, self.new, self.element = scope, head, block, variables, new, element
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
    try:
        with errors.reporting_exceptions():
            run()
    except Abandon:
        return None
    except Raised as signal:
        block.result = signal.expression
        return None
    return get_state()


def _finish_turn(trace, state, turn):
    """Gives the body's block its result, the next state."""
    block = turn.block
    before, trace.frame.block = trace.frame.block, block
    try:
        if turn.new is not None:
            block.result = merge.result_node(state.next_nodes(turn.new, turn.contents))
        elif block.result == ():
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
        with trace.new_block(True, None, names) as scope, trace.lists.trying(tried, scope):
            staged = state.enter(scope, set_state)
            head, _ = _test(trace, extra_test or (lambda: True))
            with trace.new_block(True, None, names) as block:
                trace.use_type(element_type)
                element = Staged(element_type, block, element_name, trace.place())
                new = trace_turn(trace, lambda: body(element), get_state, block)
        return Turn(scope, head, block, staged, new, element)

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
    node = (Symbol("for"), turn.element, sequence, variables, turn.head, turn.block)
    state.leave(merge.bind_results(trace, node, state.joins()), set_state)


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
        return trace.emit("and", (going, more)) if isinstance(going, Staged) else more if going else False

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
