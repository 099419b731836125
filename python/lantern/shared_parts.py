"""The gradient with respect to an argument that holds one list or structure at several places: at each it is the sum of what came to all of them.

    xs = [1.0, 2.0]
    lt.grad(lambda t: 2 * t[0][0] + 3 * t[1][0])((xs, xs))      ([5.0, 0.0], [5.0, 0.0])

A list or a structure is one thing in Python by whatever way it is reached. To a compiled function lists are values, and each place has its own;
structures are one within what the function takes as one: an element of a tuple or of a dict is taken by itself. Tuples and arrays are values in
Python, too: of those each place keeps what came to it.
"""
from __future__ import annotations

import functools

from lantern import types
from lantern.kinds import Opened, parts_of, parts_within


@functools.lru_cache(maxsize=None)
def may_stand_twice(kind):
    """Whether an argument of the kind (kinds.py) may hold something at several places to which the program gives a gradient each."""
    taken = [leaf for part in parts_within(kind) if isinstance(part, types.Type) for leaf in types.leaves(part)]
    lists = [type_ for type_ in taken if _holds_lists(type_)]
    if len(taken) == 1 and lists:
        return not _is_list_of_floats(taken[0])
    return bool(lists) or sum(map(_holds_structures, taken)) > 1


def sum_gradients(kind, value, gradient):
    """Makes the gradient's lists and structures sums, in place."""
    lists, structures = {}, {}      # id of what stands there → itself, that it lives, and the gradients of its places
    pending, seen = [(kind, value, gradient)], set()
    while pending:
        kind, value, gradient = pending.pop()
        if isinstance(kind, types.Optional):
            kind = kind.element
        if value is None:
            continue
        if _is_list_of_floats(kind):
            if isinstance(value, list):
                lists.setdefault(id(value), (value, []))[1].append(gradient)
        elif isinstance(kind, Opened):
            keys, parts = parts_of(value)
            pending.extend(zip(kind.parts, parts, (gradient[key] for key in keys)))
        elif not isinstance(kind, types.Type):
            continue        # known, or kinds.Same, whose gradient is that of the first place, and the same list
        elif isinstance(kind, types.StructType):
            if id(gradient) not in seen and gradient is not value:      # which is its own gradient where it holds no floating number
                seen.add(id(gradient))
                structures.setdefault(id(value), (kind, value, []))[2].append(gradient)
                pending.extend((field, getattr(value, name), getattr(gradient, name)) for name, field in kind.fields.items())
        elif _holds_lists(kind) or _holds_structures(kind):
            elements = kind.elements if isinstance(kind, types.Tuple) else [kind.element] * len(value)
            pending.extend(zip(elements, value, gradient))
    for _, gradients in lists.values():
        if len(gradients) > 1:
            total = list(map(_sum, zip(*gradients)))
            for each in gradients:
                each[:] = total
    for kind, _, gradients in structures.values():
        for name in [name for name, field in kind.fields.items() if len(gradients) > 1 and types.is_floating(field)]:
            total = _sum([getattr(each, name) for each in gradients])
            for each in gradients:
                object.__setattr__(each, name, total)


def _sum(parts):
    return sum(parts[1:], parts[0])


def _is_list_of_floats(kind):
    """A list of such, or one that was opened, since it stands at several places."""
    if isinstance(kind, Opened):
        return kind.made_by is list and all(map(types.is_floating, kind.parts))
    return isinstance(kind, types.List) and types.is_floating(kind.element)


@functools.lru_cache(maxsize=None)
def _holds_lists(type_):
    return any(map(_is_list_of_floats, types.within(type_)))


@functools.lru_cache(maxsize=None)
def _holds_structures(type_):
    """Structures with floating numbers in them."""
    within = list(types.within(type_))
    return any(isinstance(each, types.StructType) for each in within) and any(map(types.is_floating, within))
