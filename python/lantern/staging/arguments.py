"""The arguments of a call that staged values reach: which are staged, which are known, and the call with formals in their place."""
from __future__ import annotations

import inspect

from lantern.signatures import signature_of
from lantern.staging import enumerations, instances, merge
from lantern.staging.errors import StagingError
from lantern.staging.values import Staged
from lantern.staging.views import is_boxed


def bind(function, arguments, keywords):
    """The arguments by parameter, defaults included. Raises TypeError as the call would."""
    try:
        bound = signature_of(function).bind(*arguments, **keywords)
    except TypeError as error:
        raise TypeError(f"{function.__qualname__}() {error}") from None
    bound.apply_defaults()
    return bound


def flatten(bound, forced=()):
    """([(path, staged value)], [(path, static value)]) of bound arguments, through tuples, lists and dicts.

    forced: paths of numbers that are staged. A list or dict that stands in two places is noted: it is one; and so is an array whose box is carried.
    """
    staged, statics, places = [], [], {}
    boxes = {id(value): (name,) for name, value in bound.arguments.items() if is_carried(name)}
    pending = [((name,), value) for name, value in reversed(bound.arguments.items())]
    while pending:
        path, value = pending.pop()
        if type(value) in (list, dict):
            first = places.setdefault(id(value), path)
            if first != path:
                statics.append(((*path, "same"), first))
                continue
        if boxes and is_boxed(value) and not value.part_of.steps and id(value.part_of.root.box) in boxes:
            statics.append(((*path, "same"), boxes[id(value.part_of.root.box)]))
            continue
        if isinstance(value, Staged) or path in forced or merge.staged_list(value) is not None:
            staged.append((path, value))
            continue
        parts = merge.parts_of(value)
        if parts is None or not is_opened(parts[1]):
            statics.append((path, value))
            continue
        keys = list(value) if isinstance(value, dict) else range(len(parts[1]))
        statics.append(((*path, "form"), (enumerations.class_of(value).__name__, enumerations.class_of(value), *keys)))
        pending.extend(((*path, key), part) for key, part in reversed(list(zip(keys, parts[1]))))
    return staged, statics


def is_opened(parts):
    """Whether a container is more than one static value: large ones without staged values are not."""
    return len(parts) <= 100 or holds_staged(parts)


def is_carried(name):
    """Whether an argument of a call is none that it is given, but a list or dict that the function reaches by itself (carried.py)."""
    return not isinstance(name, str)


def containers_of(bound, which=lambda name: True):
    """{path: list or dict} of bound arguments, the first path of each. which: of the arguments of these names."""
    found, seen = {}, set()
    pending = [((name,), value) for name, value in reversed(bound.arguments.items()) if which(name)]
    while pending:
        path, value = pending.pop()
        if type(value) in (list, dict):
            if id(value) in seen:
                continue
            seen.add(id(value))
            found[path] = value
        parts = merge.parts_of(value)
        if parts is not None and is_opened(parts[1]):
            keys = list(value) if isinstance(value, dict) else range(len(parts[1]))
            pending.extend(((*path, key), part) for key, part in reversed(list(zip(keys, parts[1]))))
    return found


def with_formals(trace, bound, made, entered):
    """The arguments with the formals in the place of the staged ones. Lists and dicts are the body's own, in `made.containers`; those that it
    reaches by itself are the same, and entered (carried.py)."""
    by_path = {formal.path: instances.unpacked(trace, formal.staged) for formal in made.formals}
    made.containers = {}     # path → the list or dict that the body knows
    by_identity = {}
    carried = {id(each) for each in containers_of(bound, is_carried).values()}

    def replaced(path, value):
        if type(value) not in (list, dict):
            return rebuilt(path, value)
        if id(value) not in by_identity:
            is_argument = id(value) in trace.lists.arguments
            if not is_argument and not trace.lists.is_of_trace(value) and not any(p[:len(path)] == path for p in by_path):
                return value
            contents = rebuilt(path, value)
            if id(value) in carried:
                entered.enter(value, contents)
            own = by_identity[id(value)] = made.containers[path] = value if id(value) in carried else trace.lists.new(contents)
            if is_argument:
                trace.lists.given(own)
            trace.lists.formals[id(own)] = own, value
            name = trace.lists.name_of(value, str(path[0]) if len(path) == 1 else None)
            if name:
                trace.lists.named(name, own)
        return by_identity[id(value)]

    def rebuilt(path, value):
        if path in by_path:
            return by_path[path]
        parts = merge.parts_of(value)
        if parts is None or not is_opened(parts[1]):
            return value
        keys = list(value) if isinstance(value, dict) else range(len(parts[1]))
        new = [replaced((*path, key), part) for key, part in zip(keys, parts[1])]
        return value if all(a is b for a, b in zip(new, parts[1])) and not isinstance(value, (list, dict)) else parts[0](new)

    signature = inspect.BoundArguments(bound.signature, {n: replaced((n,), v) for n, v in bound.arguments.items()})
    for kind, one, two in made.tied:
        if one in made.containers and two in made.containers:
            trace.lists.shared.tie(kind, made.containers[one], made.containers[two], True)
            trace.lists.shared.tied.update((id(each), each) for each in (made.containers[one], made.containers[two]))
    return signature


def holds_staged(value):
    """Whether a staged value, or a read of a global, is somewhere in tuples, lists and dicts."""
    pending = [value]
    while pending:
        value = pending.pop()
        if isinstance(value, Staged):
            return True
        parts = merge.parts_of(value)
        if parts is not None:
            pending.extend(parts[1])
    return False


class ArgumentReference:
    """Stands in a function's result for a list or dict that it was given."""

    __lantern_argument__ = True

    def __init__(self, path):
        self.path = path

    def error(self, what, place):
        """An error: `what` gives this list or dict on one path only."""
        name = self.path[0]
        return StagingError("LT0306", f"{what} gives back what it was given as '{name}' on one path, and something else on another",
                            place, f"give back a copy on every path: {name}.copy()")


def taken_out(value, made):
    """A function's result, with references in the place of its arguments' lists and dicts."""
    for path, container in made.containers.items():
        if value is container:
            return made.references.setdefault(path, ArgumentReference(path))
    return _with_parts(value, lambda part: taken_out(part, made))


def put_back(value, actual):
    """The same result with the caller's lists and dicts in their places."""
    if isinstance(value, ArgumentReference):
        return actual[value.path]
    if type(value) in (list, dict) and merge.staged_list(value) is None:     # the call's own
        for place in value if type(value) is dict else range(len(value)):
            value[place] = put_back(value[place], actual)
        return value
    return _with_parts(value, lambda part: put_back(part, actual))


def _with_parts(value, change):
    """The same value with its parts changed; itself where none is."""
    build, parts = merge.parts_of(value) or (None, [])
    changed = [change(part) for part in parts]
    return value if all(a is b for a, b in zip(parts, changed)) else build(changed)
