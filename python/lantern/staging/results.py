"""What a define gives: its result, and what it has made of the lists and dicts that it was given, joined over the passes of a recursion."""
from __future__ import annotations

import contextlib
import types as python_types

from lantern.staging import given_objects, lists, merge, perhaps_arrays, sharing, shown_values
from lantern.staging.arguments import ArgumentReference, put_back, taken_out
from lantern.staging.errors import NeedsInlining, StagingError
from lantern.staging.values import Staged, class_in_python


def set_result(trace, made, value, mark, writes):
    """Joins a pass's result with what the passes before gave; and so what it has made of the lists and dicts it was given."""
    for container in made.containers.values():
        trace.lists.mend(container)
    containers = _containers(value, made.containers)
    made.ties |= trace.lists.shared.ties(containers)
    made.kept |= trace.lists.kept.of(containers)
    made.borrowed |= {path for path, container in containers.items() if path not in made.containers and trace.lists.is_others(container)}
    value = trace.narrowed(value)
    if made.holds_objects:
        value = given_objects.of_entry(trace, made, value)
    given, value = value, taken_out(value, made)
    _check_result(trace, made, value)
    values, what = [value], f"the recursion of '{made.name}'"
    if made.result is not None:
        stand_ins = (Staged(join.type, None) for join in made.result.joins())
        values.insert(0, made.result.rebuild(stand_ins))
        if _gives_back(values[0]) != _gives_back(value):    # a list that it is given only on some paths: that is one of several
            values = [put_back(values[0], made.containers), given]
    if made.fixed and value is not None and made.result is None and type(value) not in (list, given_objects.Given) and not merge.is_by_parts(value):
        with _placed_at(made):
            plan = merge.Join("result", trace.type_of(value), [value])
    else:
        plan = merge.plan(trace, "result", values, what, stage_all=True)
    with _placed_at(made):
        nodes = [join.node(trace, len(values) - 1) for join in plan.joins()]
    leaves = [join.values[-1] for join in plan.joins()]
    made.result = plan
    changed = {id(container) for container, _ in trace.lists.journal[mark:]}
    made.elements_changed |= {path for path, container in made.containers.items() if id(container) in trace.lists.shared.changed}
    made.stale.update((path, trace.lists.stale[id(container)].what) for path, container in made.containers.items() if id(container) in trace.lists.stale)
    earlier, made.changes = made.changes, {}       # anew: in the order of the arguments, whichever pass has seen which change first
    for path, container in made.containers.items():
        before = earlier.get(path)
        if before is None and id(container) not in changed:
            continue
        contents = _contents(trace, made, container, before)
        name = trace.lists.name_of(container, "a list")
        plan = made.changes[path] = merge.plan_contents(trace, name, contents, what, stage_all=True, of=[container])
        with _placed_at(made):
            nodes += [join.node(trace, len(contents) - 1) for join in plan.joins()]
        leaves += [join.values[-1] for join in plan.joins()]
    for path in made.changes:
        kept = trace.lists.kept_depth(trace.lists.raw(made.containers[path]), made.begun[path], may_grow=True)
        made.grown[path] = min(made.grown.get(path, kept), kept)
    made.places = _places(trace, made)
    made.sharing = sharing.of(trace, made, leaves, writes)
    trace.block.result = merge.result_node(nodes)


def _gives_back(value):
    """Where a result has lists and dicts that the function is given."""
    found, pending = {}, [((), value)]
    while pending:
        path, value = pending.pop()
        if isinstance(value, ArgumentReference):
            found[path] = value.path
        parts = merge.parts_of(value)
        pending.extend(((*path, place), part) for place, part in enumerate(parts[1] if parts is not None else ()))
    return found


def _contents(trace, made, container, before):
    """What a list or dict that the define was given holds: after the passes before, if it had changed then, and now. What is in it that is the
    caller's, too, is referred to, unless it becomes one staged value."""
    contents = [trace.lists.raw(container)]
    if before is not None:
        contents.insert(0, put_back(before.contents(Staged(join.type, None) for join in before.joins()), made.containers))
    if any(isinstance(held, Staged) or len(held) != len(contents[0]) for held in contents):
        return contents
    return [taken_out(held, made) for held in contents]


def _places(trace, made):
    """What the body leaves in its place: {path: how deep} of the lists that it changes, and {(path, path): where} of those that it puts into them."""
    lists, found = trace.lists, {}
    for path in made.changes:
        contents = lists.raw(made.containers[path])
        found[path] = lists.kept_depth(contents, made.begun[path])
        for other, container in made.containers.items():
            place, parts = isinstance(contents, Staged) and type(container) is list and lists.place_of(container, contents) or (None, ())
            if type(place) is int and not parts:
                found[path, other] = place
    return found


def note_places(trace, made, actual, before, given):
    """Behind a call, what is known of places in the caller's lists. before: {path: what those that it changes held}; given: what the call passes."""
    for path in before:
        contents = trace.lists.raw(actual[path])
        if isinstance(contents, Staged) and made.grown[path]:       # in a recursion, what the passes before have found: another one follows where that does not hold
            trace.lists.note_growth(contents, before[path], made.grown[path])
        if isinstance(contents, Staged) and made.frame is None:
            if made.places[path]:
                trace.lists.note_places(contents, before[path], made.places[path])
            for other, list_ in actual.items():
                others = [before[path], *(value for value in (*given, *actual.values()) if value is not list_ and value is not actual[path])]
                if (path, other) in made.places and not any(trace.lists.may_be(list_, value) for value in others):
                    trace.lists.note_stand(contents, list_, made.places[path, other], ())


def tie(trace, made, result, actual, stood):
    """Behind a call, the caller's lists and dicts have in common what the define's have. result: with references; stood: which of them
    were elements of others before the call (SharedElements.standing)."""
    known = _containers(result, actual)
    for kind, one, two in sorted(made.ties, key=str):
        if one in known and two in known:
            trace.lists.shared.tie(kind, known[one], known[two], (one, two) in stood)
            trace.lists.chosen_lists.note_call(kind, made, [known[path] for path in (one, two) if path not in actual])
    for path, container in known.items():
        if path not in actual and type(container) is list:
            trace.lists.shared.be_one_of(container, [row for row in trace.lists.shared.perhaps(container) if row is not container])
    for path in sorted(made.kept & known.keys(), key=str):
        trace.lists.kept.keep(known[path], f"a structure by '{made.name}'")
    for path in made.borrowed & known.keys():
        trace.lists.borrowed[id(known[path])] = known[path]


def _containers(result, given):
    """{path of an argument, or in the result: list or dict}."""
    found, pending = dict(given), [(("the result",), result)]
    while pending:
        path, value = pending.pop()
        if type(value) in (list, dict):
            found[path] = value
        parts = merge.parts_of(value)
        pending.extend(((*path, place), part) for place, part in enumerate(parts[1] if parts is not None else ()))
    return found


@contextlib.contextmanager
def _placed_at(made):
    """Errors are the define's: none of its statements runs any more."""
    try:
        yield
    except StagingError as error:
        error.place = made.place
        raise


def _check_result(trace, made, value):
    """A Python object that was made in the function may hold staged values of it: it is not a result that a define can give."""
    pending = [value]
    while pending:
        value = pending.pop()
        perhaps_arrays.refuse_result(made, value)
        shown_values.refuse((value,) if made.fixed else ())
        if type(value) is lists.Opaque:
            value.refuse()
        if type(value) in (list, dict):
            _check_owner(trace, made, value)
        parts = merge.parts_of(value)
        if parts is not None:
            pending.extend(parts[1])
        elif not merge.is_stageable(value) and (trace.ages.is_young(value) or _captures(value)):
            who = "what is compiled" if made.fixed else "a function that is called recursively"
            shown_values.refuse((value,))
            error = StagingError("LT0312", f"'{made.name}' returns a Python object of type '{class_in_python(value).__name__}', which {who} cannot", trace.place(),
                                 "return numbers, arrays, structures and tuples of them")
            error.of_class = type(value)
            raise NeedsInlining(made, error)


def _check_owner(trace, made, container):
    """A list or dict of a function around, which knows it by itself: what a define gives is another one."""
    given = {id(each) for each in made.containers.values()}
    for other in trace.lists.shared.one_of([container]).values():
        home = trace.ages.home(other)
        if home is not None and home.frame is not trace.frame and id(other) not in given and _is_running(trace, home.frame):
            raise NeedsInlining(made, StagingError(
                "LT0305", f"'{made.name}' returns {trace.lists.shown(other)}, which may be one of a function around, and it is called recursively",
                trace.place(), "pass the list as an argument, or return a copy: list(…)"))


def _is_running(trace, frame):
    frames = trace.frame
    while frames is not None and frames is not frame:
        frames = frames.outer
    return frames is not None


def types_of(made):
    """What of a result other functions have relied on."""
    return made.result and (merge.signature(made.result), {path: merge.signature(plan) for path, plan in made.changes.items()},
                            made.sharing.summary(), frozenset(made.kept), frozenset(made.borrowed), tuple(made.grown.items()))


def _captures(value):
    """Whether a function may hold staged values of the one that made it."""
    return isinstance(value, python_types.FunctionType) and bool(value.__closure__ or value.__defaults__ or value.__kwdefaults__)
