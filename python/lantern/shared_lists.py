"""The gradient with respect to an argument that holds one list at several places: at each it is the sum of what came to all of them.

    xs = [1.0, 2.0]
    lt.grad(lambda t: 2 * t[0][0] + 3 * t[1][0])((xs, xs))      ([5.0, 0.0], [5.0, 0.0])

A list is one thing in Python by whatever way it is reached, as a structure is. To a compiled function lists are values, and each place has
its own. Tuples and arrays are values in Python, too: of those each place keeps what came to it.
"""
from __future__ import annotations

import functools

from lantern import types


@functools.lru_cache(maxsize=None)
def may_stand_twice(type_):
    """Whether a value of the type may hold a list of numbers or of arrays at several places."""
    return not _is_list_of_floats(type_) and _holds_lists(type_)


def sum_gradients(type_, value, gradient):
    """Makes the gradient's lists sums, in place."""
    places = {}         # id of a list → itself, that it lives, and the gradients of its places
    pending, seen = [(type_, value, gradient)], set()
    while pending:
        type_, value, gradient = pending.pop()
        if isinstance(type_, types.Optional):
            type_ = type_.element
        if value is None or not _holds_lists(type_):
            continue
        if isinstance(type_, types.StructType):
            if id(value) not in seen:
                seen.add(id(value))
                pending.extend((field, getattr(value, name), getattr(gradient, name)) for name, field in type_.fields.items())
        elif _is_list_of_floats(type_):
            if isinstance(value, list):
                places.setdefault(id(value), (value, []))[1].append(gradient)
        else:
            elements = type_.elements if isinstance(type_, types.Tuple) else [type_.element] * len(value)
            pending.extend(zip(elements, value, gradient))
    for _, gradients in places.values():
        if len(gradients) > 1:
            total = [sum(parts[1:], parts[0]) for parts in zip(*gradients)]
            for each in gradients:
                each[:] = total


def _is_list_of_floats(type_):
    if not isinstance(type_, types.List):
        return False
    element = type_.element
    return element in (types.f32, types.f64) or isinstance(element, types.TensorType) and element.dtype in ("f32", "f64")


@functools.lru_cache(maxsize=None)
def _holds_lists(type_):
    pending, seen = [type_], set()
    while pending:
        type_ = pending.pop()
        if _is_list_of_floats(type_):
            return True
        if isinstance(type_, types.StructType):
            if type_ not in seen:
                seen.add(type_)
                pending.extend(type_.fields.values())
        elif isinstance(type_, types.Tuple):
            pending.extend(type_.elements)
        elif hasattr(type_, "element"):
            pending.append(type_.element)
    return False
