"""What one value is made of, where two paths meet: plans, which give it from the staged values that a statement gives (merge.py makes them)."""
from __future__ import annotations

import re

from lantern import types
from lantern.staging.empties import hint
from lantern.staging.errors import StagingError
from lantern.staging.text import Symbol
from lantern.staging.values import Staged, Undefined


class Keep:
    def __init__(self, value):
        self.value = value

    def joins(self):
        return []

    def lists(self):
        return []

    def rebuild(self, _staged):
        return self.value


class Poison(Keep):
    """`value` is an Undefined."""


class Join:
    """`type` is the common type, `values` one a path; a path without a value has an Undefined."""

    def __init__(self, name, type_, values):
        self.name, self.type, self.values = name, type_, values

    def joins(self):
        return [self]

    def lists(self):
        """What is a new list behind the statement: `Made`s."""
        return []

    def rebuild(self, staged):
        return next(staged)

    def node(self, trace, path):
        value = self.values[path]
        if isinstance(self.type, types.List) and self.type.element is None:
            raise StagingError("LT0314", f"what the elements of the list {called(self.name)} are is not known, for it is empty on every path",
                               trace.place(), f"append to it, or {hint(hint_of(self.name), self.type)}")
        if isinstance(value, Undefined):
            return (Symbol("undefined"), Symbol(self.type if self.type is not None else "f64"))
        with trace.memories.carrying():
            return self.coerced(trace, value)

    def coerced(self, trace, value):
        """A value as this is handed on."""
        return trace.coerce(value, self.type)


class Compound:
    def __init__(self, build, plans, form, names=()):
        self.build, self.plans, self.form, self.names = build, plans, form, names

    def takes(self, value):
        """Whether a value is of this form."""
        from lantern.staging import merge
        return merge.form(value) == self.form or getattr(type(value), "__lantern_family__", ...) == self.form[0]

    def is_of(self, classes):
        """Whether the values are of one of these classes."""
        return isinstance(self.form[0], type) and issubclass(self.form[0], classes)

    def parts(self, value):
        """The parts of a value of this form."""
        from lantern.staging import merge
        return [value] * len(self.plans) if isinstance(value, Undefined) or isinstance(value, Staged) and value.type is None else merge.parts_of(value)[1]

    def name_of(self, name, number):
        """What a part of the variable is called."""
        return self.names[number]

    def lists(self):
        return [made for plan in self.plans for made in plan.lists()]

    def joins(self):
        return [join for plan in self.plans for join in plan.joins()]

    def rebuild(self, staged):
        return self.build([plan.rebuild(staged) for plan in self.plans])


class Again(Keep):
    """What another plan of the statement gives: two names of one list stay two names of one list."""

    def __init__(self, other):
        super().__init__(None)
        self.other = other

    def rebuild(self, _staged):
        return self.other.rebuilt


class Once:
    """A plan whose result other plans ask for."""

    def __init__(self, plan):
        self.plan, self.rebuilt = plan, None
        self.joins, self.planned, self.lists = plan.joins, plan.planned, plan.lists

    def rebuild(self, staged):
        self.rebuilt = self.plan.rebuild(staged)
        return self.rebuilt


class Made:
    """A new list or dict of planned contents. values: what it is on each path; it is one of `sources`. memory: its own, if known. stale: what has
    changed it behind its back, on a path. chosen: what is known of which list it is (chosen_lists.py)."""

    def __init__(self, trace, name, contents, values, sources):
        self.trace, self.name, self.planned, self.values, self.sources = trace, name, contents, values, sources
        self.joins, self.memory, self.stale, self.chosen = contents.joins, None, None, None

    def lists(self):
        return [self, *self.planned.lists()]

    def note_stale(self, value, stale):
        """It is `value` on a path behind which these are stale; whether that is news."""
        found = stale.get(id(self.trace.lists.original(value)))
        if found is None or self.stale is not None:
            return False
        self.stale = found.what
        return True

    def rebuild(self, staged):
        lists = self.trace.lists
        made = lists.new(self.planned.contents(staged), self.sources)
        if self.memory is not None:
            self.trace.memories.set_list(made, self.memory)
            self.trace.memories.whole.add(id(made))
        if self.trace.frame is None:    # the result of a compiled call: nothing is traced any more
            return made
        lists.shared.merge(made, self.planned)
        if hint_of(self.name):
            lists.named(self.name, made)
        lists.borrow(made, self.sources)
        if self.chosen is not None:
            lists.chosen_lists.note(made, *self.chosen)
        if self.stale is not None:
            lists.become_stale([(made, self.stale, (None,))])
        return made


class Contents:
    """What a list or dict holds on several paths: plans of its `elements`, or the `join` of one staged value."""

    def __init__(self, elements=None, keys=None, join=None):
        self.elements, self.keys, self.join = elements, keys, join

    def joins(self):
        return [self.join] if self.join else [join for plan in self.elements for join in plan.joins()]

    def lists(self):
        return [] if self.join else [made for plan in self.elements for made in plan.lists()]

    def contents(self, staged):
        if self.join:
            return next(staged)
        parts = [plan.rebuild(staged) for plan in self.elements]
        return parts if self.keys is None else dict(zip(self.keys, parts))


def called(name):
    """How a message speaks of a variable: one of the converter's own is what the function returns, and a list of a dict's (dicts.py) its keys, or values."""
    if is_result(name):
        return "the result"
    of, _, own = name.rpartition(".own_")
    if of and own in ("keys", "values"):
        return f"the list of the {own} of {called(of)}"
    name = _alone(name)
    return name if " " in name else f"'{name}'"


def is_result(name):
    return re.fullmatch(r"retval_\d*'*([\[.].*)?", name) is not None


def binding_of(name):
    """What a binding of a state is called: position what a list `position` holds first, stop what `break` sets; None: nothing in particular."""
    name = _alone(name)
    if re.fullmatch(r"break_\d*", name):
        return "stop"
    if name.replace(".", "").isidentifier() and not name.partition(".")[0].endswith("_"):
        return name.replace(".", "_")       # the field of a named tuple
    part = re.fullmatch(r"(\w*[a-zA-Z0-9])\[(\d)\]", name)
    if not part or hint_of(part[1]) is None:
        return hint_of(name)
    return part[1] if part[2] == "0" else f"{part[1]}_{part[2]}"


def another(name, names):
    """What a variable is called in a state that has others of these names, such as those of who goes through a generator: a loop tells them apart by that."""
    return name + "'" * sum(_alone(other) == name for other in names)


def others(more, names):
    """The same of several."""
    found = []
    for name in more:
        found.append(another(name, (*names, *found)))
    return found


def _alone(name):
    return name.rstrip("'")


def hint_of(name):
    """The part of a state's name that can name a binding; None for names that the converter made."""
    name = _alone(name)
    if name.endswith("_") or not name.isidentifier():
        return None
    return name
