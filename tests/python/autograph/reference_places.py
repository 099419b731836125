"""Compound names: attributes and items, set in branches and loops; what is taken apart."""
import collections

import numpy as np

from programs import runs, stops
from reference_names import Box


class Slots:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


Point = collections.namedtuple("Point", "x y")


# Compound symbols


@runs((1.0,), (-1.0,))
def attribute_set_in_both_branches(x):
    box = Box(0.0)
    if x > 0:
        box.value = x
    else:
        box.value = -2 * x
    return box.value


@runs((1.0,), (-1.0,))
def attribute_created_in_both_branches(x):
    box = Box(0.0)
    if x > 0:
        box.fresh = x
    else:
        box.fresh = 2.0
    return box.fresh


@runs((1.0,), (-1.0,))
def attribute_created_in_one_branch(x):
    box = Box(0.0)
    if x > 0:
        box.fresh = x
    return box.fresh


@runs((1.0,), (-1.0,))
def attribute_augmented_in_a_branch(x):
    box = Box(x)
    if x > 0:
        box.value += 1
        box.other -= x
    return box.value, box.other


@runs((0,), (3,))
def attribute_of_an_attribute_in_a_loop(n):
    box = Box(Box(1.0))
    for i in range(n):
        box.value.value *= 2
    return box.value.value


@runs((1.0,), (-1.0,))
def attribute_with_slots(x):
    slots = Slots(x)
    if x > 0:
        slots.value = 3.0
    return slots.value


@runs((1.0,), (-1.0,))
def class_attribute_shadowed(x):
    box = Box(x)
    if x > 0:
        box.shared = x + 1
    return box.shared, Box.shared


@runs((np.array([1.0, 2.0]), 1), (np.array([3.0, 4.0]), 0))
def an_item_of_an_array(v, i):
    v = v.copy()
    v[i] = 10.0
    return v[0] + 2 * v[1]


@runs((np.array([1.0, 2.0]), 1), (np.array([-3.0, 4.0]), 0))
def an_item_of_an_array_in_a_branch(v, i):
    w = v.copy()
    if v[0] > 0:
        w[i] = 10.0
    return w[0] + 2 * w[1]


@runs((np.array([1.0, 2.0]),))
def items_of_an_array_in_a_loop(v):
    v = v.copy()
    for i in range(len(v)):
        v[i] = v[i] * 2
    return v


@runs((1.0,), (-1.0,))
def a_tuple_is_taken_apart(x):
    a, (b, c) = x, (x + 1, 2.0)
    if x > 0:
        a, b = b, a
    return a, b, c


@runs((1.0,), (-1.0,))
def a_starred_target(x):
    first, *rest = x, 2.0, x + 1
    return first + rest[0] * rest[1] + len(rest)


@runs((1.0,), (-1.0,))
def a_named_tuple(x):
    p = Point(x, 2.0)
    if x > 0:
        p = Point(p.y, p.x)
    return p.x - p.y


@runs((1.0,), (-1.0,))
def a_named_tuple_in_a_loop(x):
    p = Point(x, 0.0)
    while p.y < 3:
        p = p._replace(y=p.y + 1) if False else Point(p.x * 2, p.y + 1)
    return p.x


@runs((1.0,), (-1.0,))
def chained_assignment(x):
    a = b = x * 2
    if x > 0:
        a = b = b + 1
    return a - b + a
