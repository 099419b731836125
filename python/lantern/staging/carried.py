"""Lists and dicts of the function around which a recursion changes: its define is given them, and gives back what it makes of them, as it does
with those among its arguments.

    memo = [0] * n
    def go(k):                      (define go (k memo) … (tuple retval memo))
        if k > 1 and memo[k] == 0:
            memo[k] = go(k - 1) + go(k - 2)
        …

A variable that is `nonlocal` there counts as a list (carried_variables.py). Python's function reaches such a list by one of its cells, by what a function that it knows reaches, or by an attribute of an object (`self.items`);
an array that is held in a box (views.py), where it reaches that array, or is given it: by a `Route`, which stands for the list's name among the
arguments. While the body is traced, the list itself counts as one that the body has made, and holds the formals; when the trace of it ends, it is what it was (`Entered`).
"""
from __future__ import annotations

import collections
import types as python_types

from lantern import dispatch
from lantern.records import Record
from lantern.staging import merge
from lantern.staging.arguments import is_opened
from lantern.staging.carried_variables import CarriedVariables
from lantern.staging.errors import Restart
from lantern.staging.identity import IdentityDict
from lantern.staging.keys import cells_of
from lantern.staging.snapshots import attributes_of, is_users_class
from lantern.staging.views import is_boxed

MOST_VISITED = 10_000       # objects that are looked through for a list


class Route(Record):
    """How a function reaches a list or dict: from its cells and arguments through what is held there."""
    steps: tuple

    def __str__(self):
        return next(name for how, name in reversed(self.steps) if how not in ("item", "box"))

    def is_of_objects(self):
        """Whether it leads to a list that numbered objects have their attributes in."""
        return self.steps[0][0] == "objects"

    def end(self, function, bound):
        """What it leads to in a call; None if that is nothing."""
        value, parts = None, _roots(function, bound)
        for step in self.steps:
            if step not in parts:
                return None
            value = parts[step]
            parts = parts_of(value)
        return value


def _roots(function, bound):
    return {**parts_of(function), **dispatch.active_trace().numbered.columns(), **{("argument", name): value for name, value in bound.arguments.items() if not isinstance(name, Route)}}


def parts_of(value):
    """{(how, name): what is there} of what functions, containers and objects of the user's hold."""
    if isinstance(value, python_types.FunctionType):
        defaults = {**dict(enumerate(value.__defaults__ or ())), **(value.__kwdefaults__ or {})}
        variables = dict(zip(value.__code__.co_freevars, value.__closure__ or ()))
        return {**{("cell", name): held for name, held in cells_of(value).items()}, **{("default", str(name)): held for name, held in defaults.items()},
                **{("variable", name): cell for name, cell in variables.items()}}
    if isinstance(value, (python_types.MethodType, python_types.BuiltinMethodType)):
        return {("method", "self"): value.__self__, ("method", "function"): getattr(value, "__func__", None)}
    if type(value) is dict or isinstance(value, (list, tuple)):
        return {("item", key): held for key, held in (value.items() if type(value) is dict else enumerate(value))}
    if is_boxed(value):
        return {("box", "array"): value.part_of.root.box}
    if hasattr(type(value), "__lantern_reaches__"):
        return {("attribute", name): getattr(value, name) for name in type(value).__lantern_reaches__}
    if is_users_class(type(value)) and not hasattr(type(value), "__lantern_struct__"):
        return {("attribute", name): held for name, held in attributes_of(value).items()}
    return {}


class Carried:
    """Which functions are given such lists, by their code."""

    def __init__(self, trace):
        self.trace = trace
        self.routes = IdentityDict()
        self.variables = CarriedVariables(trace)

    def route_to(self, container, function, bound):
        """The shortest route to the list or dict in which `container` stands, or which it is, or to a variable, its cell; None if there is none."""
        if container is None:
            return None
        seen, pending = set(), collections.deque(((step,), None, value) for step, value in _roots(function, bound).items())
        while pending and len(seen) < MOST_VISITED:
            steps, outermost, value = pending.popleft()
            if id(value) in seen:
                continue
            seen.add(id(value))
            if type(value) in (list, dict):
                outermost = (outermost or steps) if self.trace.lists.is_of_trace(value) else None
            if value is container:
                return Route(steps) if isinstance(value, python_types.CellType) else outermost and Route(outermost)
            pending.extend(((*steps, step), outermost if step[0] == "item" else None, part) for step, part in parts_of(value).items())
        return None

    def add(self, code, route):
        """Has calls of this code carry what a route leads to; whether that is news."""
        if route is None or route in self.routes.get(code, ()):
            return False
        self.routes.setdefault(code, []).append(route)
        return True

    def add_argument(self, define, path):
        """Has calls of a function that calls itself carry the box of an array that it is given and has written to, if they do not yet."""
        stack = self.trace.specialisations.stack
        if define is None or path is None or len(path) > 1 or not (define.called or define in stack):
            return
        code = define.function.__code__
        if self.add(code, Route((("argument", path[0]), ("box", "array")))):
            raise Restart(next((made for made in stack if made.function.__code__ is code), stack[-1]))

    def add_another(self, container, function, bound):
        """The same for a call of a function that carries others; whether the call carries more now."""
        if function.__code__ not in self.routes:
            return False
        before = len(bound.arguments)
        self.add(function.__code__, self.route_to(container, function, bound))
        self.bind(function, bound)
        return len(bound.arguments) > before

    def bind(self, function, bound):
        """Puts what calls of the function carry among the arguments of one."""
        for route in self.routes.get(function.__code__, ()):
            value = route.end(function, bound)
            if isinstance(value, python_types.CellType):
                others = [held for name, held in bound.arguments.items() if name != route]
                value = None if any(self.variables.cell_of(held) is value for held in others) else self.variables.list_for(value, str(route))
            if value is None and route.steps[-1][0] == "box" and route.steps[0][0] == "argument":
                self.trace.views.hold_whole(bound.arguments.get(route.steps[0][1]))
            if type(value) in (list, dict) and self.trace.lists.is_of_trace(value) and self._is_told_apart(value):
                bound.arguments[route] = value

    def _is_told_apart(self, container):
        """Whether what a list or dict holds is compared from call to call, part by part; lists that are too long for that become staged."""
        pending = [container]
        while pending:
            value = pending.pop()
            parts = merge.parts_of(value)
            if parts is not None and is_opened(parts[1]):
                pending.extend(parts[1])
            elif parts is not None and type(value) is not list:
                return False
            elif parts is not None:
                self.trace.lists.become_staged(value)
        return True


class Entered:
    """The carried lists and dicts of a define whose body is being traced: they hold the formals, and are the body's own, until `leave`."""

    def __init__(self, trace):
        self.trace = trace
        self.before = []        # (list or dict, when it was made, what it held last that was staged, whether an element has changed in its place)

    def __contains__(self, container):
        return any(each is container for each, *_ in self.before)

    def enter(self, container, contents):
        trace, key = self.trace, id(container)
        trace.memories.of_list(container)       # which has been there since the list was made
        self.before.append((container, trace.ages.known[key], trace.lists.staged_before.get(key), trace.lists.shared.changed.pop(key, None)))
        trace.lists.enter(container, contents)
        trace.ages.made(container)

    def home(self, container):
        """The block that it was made in."""
        return next(age[1] for each, age, *_ in self.before if each is container)

    def leave(self):
        """Contents are what they were as soon as the journal is undone."""
        for container, age, *before in reversed(self.before):
            self.trace.ages.known[id(container)] = age
            for table, value in zip((self.trace.lists.staged_before, self.trace.lists.shared.changed), before):
                table.pop(id(container), None)
                if value is not None:
                    table[id(container)] = value
        self.before.clear()


def homes_around(trace, container):
    """(a list or dict that the define at hand is given, as a function around knows it, the block that it was made in there), innermost first."""
    formals, frame = trace.lists.formals, trace.frame
    while frame is not None:
        if frame.entered is not None and container in frame.entered:
            yield container, frame.entered.home(container)
        while id(container) in formals and formals[id(container)][1] is not container:
            container = formals[id(container)][1]
            yield container, trace.ages.home(container)
        frame = frame.outer
