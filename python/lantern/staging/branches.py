"""`if`, and whatever else has two paths: each is traced in a block of its own, and their states become one."""
from __future__ import annotations

import contextlib
import functools

from lantern import types
from lantern.staging import chosen_functions, chosen_lists, errors, instances, merge, none_in_lists, object_state, partings, perhaps_none, shown_values
from lantern.staging.block import within
from lantern.staging.conditions import Choice, underlying
from lantern.staging.errors import Abandon, Raised, StagingError
from lantern.staging.memories import Itself
from lantern.staging.perhaps_arrays import PerhapsArray
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.snapshots import Snapshot
from lantern.staging.text import Symbol
from lantern.staging.values import MaybeBound, Staged, Undefined, UndefinedReturnValue

MOST_NUMBERS = 16       # that a variable may be, of which it is known when it is which


class Path:
    """One traced path: its block and how it ended: None, 'abandoned' or 'raised'."""

    def __init__(self, block):
        self.block, self.ending, self.values = block, None, None
        self.changed = {}     # id → (container, contents) of the lists and dicts that it has changed
        self.stale = []       # of those that it has changed behind their backs
        self.all_stale = {}   # id → Stale, of whatever has changed behind its back where it ends
        self.writes = []      # what it has done to memory


def trace_path(trace, run, holds, state_names=()):
    """Runs `run()` in a block of its own."""
    mark, writes, refused = trace.lists.mark(), trace.memories.mark(), len(trace.refusals)
    with trace.new_block(True, holds, state_names) as block:
        path = Path(block)
        try:
            with errors.reporting_exceptions():
                path.values = [perhaps_none.at_end(name, trace.simplified(value), value) for name, value in zip(state_names, run())]
                trace.lists.mend_behind(block)
        except Abandon:
            path.ending = "abandoned"
        except errors.StagingError as error:
            if not perhaps_none.awaited(trace, error):
                raise
            path.ending = "abandoned"
            del trace.refusals[refused:]
        except Raised as signal:
            path.ending = "raised"
            block.result = signal.expression
    path.stale, path.all_stale = trace.lists.stale_since(mark), dict(trace.lists.stale)
    path.changed = trace.lists.collect(mark, block)
    path.writes = trace.memories.collect(writes)
    return path


@contextlib.contextmanager
def showing_assignments(name, blocks):
    """Adds to an error where a variable is assigned in each of these blocks, or in those around it."""
    try:
        yield
    except StagingError as error:
        _note_assignments(error, name, blocks)
        raise


def _note_assignments(error, name, blocks):
    places = [next((inner.places[name] for inner in block.chain() if name in inner.places), None) for block in blocks]
    error.notes += [f"{place}: '{name}' is assigned here" for place in dict.fromkeys(places) if place is not None]


def staged_if(trace, condition, branches, names, what, restore=None, check=None):
    """`branches` are two functions that return the values of `names`; returns the merged values, emitting an `if`.

    restore: sets what the branches change back to what it was before. check: an error if a branch has changed something else.
    """
    condition, swapped = underlying(condition)
    node = trace.resolve(condition)
    if swapped:
        branches = branches[::-1]
    at, paths, problems = trace.at, [], errors.Errors()
    check = check or functools.partial(Snapshot().check, trace)
    choice = Choice(trace, condition)
    for holds, branch in zip(choice.holds, branches):
        with problems.part():
            paths.append(trace_path(trace, branch, holds, names))
            if restore is not None:
                restore()
            check(what, at)
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
        with problems.part(), showing_assignments(name, [path.block for path in order]), chosen_functions.decided_by(trace, condition):
            known = choice.flag([path.values[i] for path in paths]) if len(alive) == 2 else None
            plans.append(merge.Keep(known) if known is not None else
                         merge.plan(trace, name, _at_ends(trace, order, i), what, seen=seen))
            if isinstance(plans[-1], shown_values.Plan) and not plans[-1].error.notes:
                _note_assignments(plans[-1].error, name, [path.block for path in order])
    problems.report()
    changed = {key: container for path in order for key, (container, _) in path.changed.items()}
    contents = [trace.views.with_names(container, merge.plan_contents(trace, trace.lists.name_of(container, "the list"), [
        path.changed[key][1] if key in path.changed else trace.lists.contents(container) for path in order], what, of=[container]))
        for key, container in changed.items()]
    made = [list_ for plan in (*plans, *contents) for list_ in plan.lists()]
    if len(alive) == 2:
        for list_ in made:
            list_.chosen = trace.lists.chosen_lists.choices(condition, [path is alive[0] for path in order], list_.values, [path.block for path in order])
    told = chosen_lists.Told.of(made)
    joins = [join for plan in (*plans, *contents) for join in plan.joins()] + told
    for path in alive:
        with trace.lists.as_of(path.changed, path.all_stale):
            _finish(trace, path.block, joins, order.index(path))
    for path in paths:
        if path.ending == "abandoned":  # it is traced again; until then it stands for any value
            path.block.result = merge.result_node([(Symbol("undefined"), Symbol(j.type or "f64")) for j in joins])
    memories = _joined_memories(trace, order, joins, made)
    for list_ in made:
        for value, path in zip(list_.values, order):
            list_.note_stale(value, path.all_stale)
    if joins or any(path.ending or path.block.entries for path in paths):
        staged = list(merge.bind_results(trace, (Symbol("if"), node, *(path.block for path in paths)), joins, memories))
    else:
        staged = []     # nothing happens on either path
    trace.block.holds = choice.merged([path.block.holds if path in alive else False for path in paths], trace.block.holds)
    for join, value in zip(joins, staged):
        if join.type == types.bool_:
            value.truth = choice.merged([path in alive and trace.truth(join.values[order.index(path)]) for path in paths])
        elif join.type == types.i64:
            value.few_numbers = _numbers(choice, [join.values[order.index(path)] if path in alive else None for path in paths])
        elif isinstance(join.type, types.List):
            none_in_lists.joined_items(trace, value, list(zip(join.values, (path.block for path in order))), lambda truths: choice.merged([path in alive and truths[order.index(path)] for path in paths]))
    for join, value in zip(told, staged[len(joins) - len(told):]):
        join.told = value
    staged = iter(staged)
    values = [plan.rebuild(staged) for plan in plans]
    if len(alive) == 2:
        for value, plan in zip(values, plans):
            if isinstance(plan, chosen_functions.Plan):
                chosen_functions.note_condition(trace, value, condition, plan.numbers([order.index(path) for path in paths]))
    trace.lists.merge(list(zip(changed.values(), contents)), staged, values)
    for path in alive:
        trace.lists.become_stale(path.stale)
    return [_bound(trace, choice, name, value, [path.values[i] if path in alive else None for path in paths], what)
            for i, (name, value) in enumerate(zip(names, values))]


def _numbers(choice, values):
    """When a variable is which of a few numbers (`Staged.few_numbers`), by what it is on each path, None where one comes to no end; None if they are not few."""
    parts = [{} if value is None else {value: True} if type(value) is int else value.few_numbers if isinstance(value, Staged) else None for value in values]
    if None in parts or len(numbers := {number: None for part in parts for number in part}) > MOST_NUMBERS:
        return None
    return {number: choice.merged([part.get(number, False) for part in parts]) for number in numbers}


def _at_ends(trace, paths, number):
    """What a variable is at the end of each path."""
    values = [path.values[number] for path in paths]
    there = [value.value if type(value) is PerhapsNone else value for value in values if value is not None]
    if all(value is there[0] for value in there):
        return values
    return [trace.lists.at_end(value, path.changed) for value, path in zip(values, paths)]


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


def _joined_memories(trace, paths, joins, made):
    """The memories of what paths join to, behind all that they have written; lists that are `made` of several get theirs."""
    parts = []
    for number, path in enumerate(paths):
        with trace.memories.behind(path.writes):
            parts.append([trace.memories.parts(value) for value in (*(join.values[number] for join in joins), *(Itself(list_.values[number]) for list_ in made))])
    for path in paths:
        trace.memories.changes += path.writes
    memories = trace.memories.joined(parts)
    for list_, memory in zip(made, memories[len(joins):]):
        list_.memory = memory
    return memories[:len(joins)]


def _finish(trace, block, joins, path):
    """Gives a path's block its result."""
    with within(block):
        block.result = merge.result_node([join.node(trace, path) for join in joins])


def if_stmt(trace, condition, body, orelse, get_state, set_state, names, outputs, what="the if statement", key=None):
    def run(statement, *state):
        _if_stmt(trace, statement, condition, body, orelse, *state, outputs + statement.in_front, what)

    object_state.stage(trace, key or body.__code__, run, get_state, set_state, names)


def raise_if(trace, condition, fail, what, otherwise=False):
    """Has `fail()` raise where the condition holds; where it does not, if `otherwise`."""
    paths = (list, fail) if otherwise else (fail, list)
    partings.choose(trace, condition, *paths, lambda: staged_if(trace, condition, paths, (), what))


def if_expression(trace, condition, paths, what, key, statement=if_stmt):
    """The value of one of two paths, as a statement would have it that assigns it to a variable. statement: how that is staged."""
    value = Undefined("the value")

    def giving(path):
        def assign():
            nonlocal value
            value = path()
        return assign

    def get():
        return value,

    def put(state):
        nonlocal value
        value, = state

    statement(trace, condition, *map(giving, paths), get, put, ("the value",), 1, what, key)
    return value


def entering(trace, names, get_state):
    """The state where a statement begins. What a variable has been left with by an earlier trace of the code around, its value there being out
    of reach here, is none: nobody reads it."""
    return tuple(value if _in_reach(trace, merge.carried(value)) else Undefined(name) for name, value in zip(names, get_state()))


def _in_reach(trace, value):
    if isinstance(value, Staged):
        return trace.in_scope(value)
    if type(value) is PerhapsNone:
        return _in_reach(trace, value.missing) and _in_reach(trace, value.value)
    if type(value) is PerhapsArray:
        return _in_reach(trace, value.array)
    return all(_in_reach(trace, part) for part in instances.parts(value) or ())


def _if_stmt(trace, statement, condition, body, orelse, get_state, set_state, names, outputs, what):
    init = entering(trace, names, get_state)

    def branch(function):
        def run():
            set_state(init)
            function()
            return get_state()[:outputs]
        return run

    try:
        merged = staged_if(trace, condition, (branch(body), branch(orelse)), names[:outputs], what,
                           lambda: set_state(init), statement.check)
    except BaseException:
        set_state(init)
        raise
    dead = tuple(dead_behind(name, value, what) for name, value in zip(names[outputs:], init[outputs:]))
    set_state((*merged, *dead))


def dead_behind(name, value, what):
    """A variable that the statement has changed and nobody reads: what it was would be wrong."""
    return value if "." in name or "[" in name else Undefined(name, f"{what}'s paths differ in it")
