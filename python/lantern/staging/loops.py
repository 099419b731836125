"""`while` and `for` over staged operands."""
from __future__ import annotations

from lantern import dispatch, types
from lantern.lazy_numpy import np
from lantern.staging import errors, instances, iterables, list_methods, loop_passes, merge, object_state
from lantern.staging.branches import entering, if_stmt
from lantern.staging.conditions import Choice, as_condition, both
from lantern.staging.elements import ChangesElements
from lantern.staging.errors import Abandon, Raised, Signal, StagingError
from lantern.staging.generators import Generator
from lantern.staging.loop_passes import Turn
from lantern.staging.loop_state import Limited, State
from lantern.staging.memory import has_memory, is_of_arrays
from lantern.staging.plans import another
from lantern.staging.text import Symbol
from lantern.staging.unrolling import Turns
from lantern.staging.values import Staged, StagedEnumerate, StagedRange, Undefined
from lantern.staging.views import is_boxed

def while_stmt(trace, test, body, get_state, set_state, names):
    def run(statement, *state):
        _while_stmt(trace, statement, test, body, *state)

    object_state.stage(trace, body.__code__, run, get_state, set_state, names)


def _while_stmt(trace, statement, test, body, get_state, set_state, names):
    init = entering(trace, names, get_state)
    state = State(trace, names, init, "the while loop")

    def turn(state, tried):
        with trace.new_block(True, state_names=names) as scope, trace.lists.trying(tried, scope):
            staged = state.enter(scope, set_state)
            values, mark = get_state(), trace.lists.mark()
            head, condition = _test(trace, test)
            if any(_differs(now, before) for now, before in zip(get_state(), values)) or trace.lists.mark() > mark:
                raise _TestAssigns
            choice = Choice(trace, condition)
            with trace.new_block(True, choice.holds[0], names) as block:
                new = trace_turn(trace, body, get_state, block)
        return Turn(scope, head, choice.truth, block, staged, new)

    checkpoint = trace.checkpoint()
    try:
        turn = loop_passes.settled(trace, statement, turn, state, set_state, init)
    except _TestAssigns:
        trace.rollback(checkpoint)
        _while_assigning(trace, test, body, get_state, set_state, names)
        return
    except Limited as signal:
        if signal.state is not state:
            raise
        trace.rollback(checkpoint)
        _limited(trace, signal.most, test, body, get_state, set_state, names, lambda *loop: while_stmt(trace, *loop))
        return
    variables = _finish_turn(trace, state, turn)
    state.leave((Symbol("while"), variables, turn.head, turn.block), set_state, turn.truth)


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
        return both(trace, few, as_condition(trace, going))

    def counted(*element):
        nonlocal turns
        trace.loops[-1].most = most
        body(*element)
        turns = turns + 1

    loop(counted_test, counted, get, put, (*names, another("turns_", names)))


def _differs(now, before):
    """Whether a variable has been given another value, or one where it had none."""
    return now is not before and not (type(now) is Undefined and type(before) is Undefined)


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

    all_names = (*names, another("going_", names))
    while_stmt(trace, lambda: going, turn, get, put, all_names)


def _test(trace, test):
    """(the block of a loop's test, the condition)."""
    with trace.new_block(True) as head:
        with errors.reporting_exceptions():
            condition = test()
        head.result = trace.node(condition) if isinstance(condition, Staged) else bool(condition)
    return head, condition


def trace_turn(trace, run, get_state, block):
    """Runs a loop's body in `block`, the current one; the state after it, or None if no turn comes to its end."""
    if block.holds is False:
        return None
    try:
        with errors.reporting_exceptions():
            run()
            trace.lists.mend_behind(block)
    except Abandon:
        return None
    except Raised as signal:
        block.result = signal.expression
        return None
    return tuple(map(trace.simplified, get_state()))


def _finish_turn(trace, state, turn):
    """Gives the body's block its result, the next state; (variable, its value before the loop) of the state."""
    if not turn.is_settled:
        return ()
    block = turn.block
    before, trace.frame.block = trace.frame.block, block
    try:
        if turn.new is not None:
            block.result = merge.result_node(state.next_nodes(turn.new, turn.contents, turn.all_stale))
        elif type(block.result) is tuple and not block.result:      # no turn has raised, either: it has been abandoned
            block.result = merge.result_node([(Symbol("undefined"), Symbol(j.type or "f64")) for j in state.joins()])
    finally:
        trace.frame.block = before
    return tuple(zip(turn.variables, state.init_nodes()))


def for_stmt(trace, iterable, extra_test, body, get_state, set_state, names, element_name):
    """A `for` over a staged range, array, list or data set."""
    iterable = iterables.rest(trace, iterable)
    iterables.begin(trace, iterable)

    def run(statement, *state):
        _for_stmt(trace, statement, iterable, extra_test, body, *state, element_name)

    object_state.stage(trace, body.__code__, run, get_state, set_state, names)


def _for_stmt(trace, statement, iterable, extra_test, body, get_state, set_state, names, element_name):
    init, at = entering(trace, names, get_state), trace.at
    source, iterable = iterable, trace.lists.value(iterable)
    if dispatch.is_global(iterable):    # it may change meanwhile: Python reads a row when it comes to it
        iterable = iterables.indexed(trace, iterable)
    if isinstance(iterable, Generator):
        iterable.run(extra_test, body, get_state, set_state, names)
        return
    if isinstance(iterable, (iterables.Indexed, iterables.Filtered, iterables.Mapped, iterables.StagedIterator)):
        return _for_iterator(trace, iterable, extra_test, body, get_state, set_state, names)
    if isinstance(iterable, StagedEnumerate):
        return _for_enumerate(trace, iterable, extra_test, body, get_state, set_state, names, element_name)
    if is_boxed(iterable):      # in NumPy its rows are what they are when the loop comes to them
        return for_stmt(trace, StagedRange(0, trace.length(iterable), 1), extra_test, lambda place: body(trace.views.element(iterable, place)), get_state, set_state, names, None)
    if isinstance(iterable, Staged):
        iterable = trace.lists.as_it_is(iterable)
    sequence, element_type = _sequence(trace, iterable)
    state = State(trace, names, init, "the for loop", source)

    def turn(state, tried):
        with trace.new_block(True, state_names=names) as scope, trace.lists.trying(tried, scope):
            staged = state.enter(scope, set_state)
            head, condition = _test(trace, extra_test or (lambda: True))
            choice = Choice(trace, condition)
            if isinstance(iterable, Staged) and id(source) not in state.containers and (
                    is_of_arrays(iterable.type) or type(source) is not list and iterables.container_of(source) is None):
                trace.memories.read(iterable)   # what an earlier turn has written to it, NumPy would find there
            with trace.new_block(True, choice.holds[0], names) as block:
                trace.use_type(element_type)
                element = Staged(element_type, block, element_name, trace.place())
                state.number = element if isinstance(iterable, StagedRange) and iterable.has_elements() else None
                element.row_of = source if type(source) is list or isinstance(source, Staged) and source.outermost() is not None else trace.lists.holder(iterable)
                if has_memory(element_type):
                    element.memory, element.part_of = trace.memories.of_element(iterable, element_type), trace.views.of_row(iterable)
                new = trace_turn(trace, lambda: body(instances.opened(trace, element)), get_state, block)
        return Turn(scope, head, choice.truth, block, staged, new, element)

    checkpoint = trace.checkpoint()
    try:
        turn = loop_passes.settled(trace, statement, turn, state, set_state, init)
    except Limited as signal:
        if signal.state is not state:
            raise
        trace.rollback(checkpoint)
        _limited(trace, signal.most, extra_test, body, get_state, set_state, names,
                 lambda test, *loop: for_stmt(trace, source, test, *loop, element_name))
        return
    except ChangesElements as signal:
        if signal.source is not source:
            raise
        trace.rollback(checkpoint)
        _for_elements(trace, source, extra_test, body, get_state, set_state, names)
        return
    if id(source) in state.containers:      # a list that its loop changes: place by place, as Python goes over it
        trace.rollback(checkpoint)
        _for_live(trace, source, extra_test, body, get_state, set_state, names)
        return
    if id(iterables.container_of(source)) in state.containers:
        if state.keeps(source):
            trace.rollback(checkpoint)
            _for_live(trace, source, extra_test, body, get_state, set_state, names)
            return
        raise iterables.changes(trace, iterables.container_of(source), at)
    variables = _finish_turn(trace, state, turn)
    is_certain = turn.new is not None and extra_test is None and iterables.has_elements(iterable)
    state.leave((Symbol("for"), turn.element, sequence, variables, turn.head, turn.block), set_state, None, turn.new if is_certain else ())


def _for_elements(trace, list_, extra_test, body, get_state, set_state, names):
    """Over a list of lists that change in their places: over the places. Over one that stands in a list, as over any that its loop changes."""
    if isinstance(list_, Staged):
        _for_live(trace, list_, extra_test, body, get_state, set_state, names)
        return
    checkpoint, before, init = trace.checkpoint(), trace.lists.become_staged(list_), get_state()
    length = trace.emit("length", (before,))
    for_stmt(trace, StagedRange(0, length, 1), extra_test, lambda place: body(list_methods.getitem(trace, list_, place)), get_state, set_state, names, None)
    if not trace.lists.kept_depth(trace.lists.raw(list_), before):
        trace.rollback(checkpoint)
        set_state(init)
        _for_live(trace, list_, extra_test, body, get_state, set_state, names)


def _for_live(trace, list_, *loop):
    """Over a list that its loop changes: place by place, as Python goes over it."""
    _for_iterator(trace, iterables.StagedIterator(trace, iterables.Live(trace, list_)), *loop)


def _sequence(trace, iterable):
    """(node, type of the elements) of what a `for` iterates over."""
    if isinstance(iterable, StagedRange):
        bounds = [bound.item() if isinstance(bound, np.integer) else bound for bound in (iterable.start, iterable.stop, iterable.step)]
        return (Symbol("range"), *map(trace.node, bounds)), types.i64
    type_ = iterable.type
    node = trace.resolve(iterable)
    if type_ is None:
        return node, None
    if isinstance(type_, (types.List, types.DatasetType)):
        return node, type_.element
    if isinstance(type_, types.TensorType) and type_.dims:
        return node, types.TensorType(type_.dtype, type_.dims[1:])
    raise StagingError("LT0310", f"{iterable.shown()}, of type {types.annotation(type_)}, is nothing that a loop goes over", trace.place(),
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
    at = trace.at
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
        if type(iterable.length) is int and iterable.length == 0:   # of whose elements nothing is known
            return
        for_stmt(trace, StagedRange(0, iterable.length, 1), extra_test, lambda place: body(iterable.at(trace, place)), get_state, set_state, names, None)
        changed = iterable.changed(trace.lists)
        if changed is not None:
            raise iterables.changes(trace, changed, at)
        return
    place, sequence = iterable.place, iterable.sequence
    trace.lists.check_change(place, at)

    def test():
        going = True if extra_test is None else extra_test()
        more = trace.emit("<", (trace.lists.contents(place)[0], sequence.length))
        return both(trace, going, more) if isinstance(going, Staged) else more if going else False

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
    for_stmt(trace, iterable.values, extra_test, counting, get, put, (*names, another("number_", names)), element_name)
