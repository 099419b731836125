"""Stores to attributes and items: the order in which Python evaluates value, object and key, and objects that only some paths have."""
import lantern as lt
import numpy as np
from programs import runs, stops


class Box:
    def __init__(self, a, b=0.0):
        self.a, self.b = a, b


def noted(what, value):
    print("evaluated", what)
    return value


@runs((1.0,), (-1.0,))
def value_then_object_then_key(x):
    xs, box = [x, 2.0], Box(x)
    noted("list", xs)[noted("key", 1)] = noted("value", x)
    noted("box", box).a = noted("value", x + 1)
    noted("list", xs)[noted("key", 0)] += noted("value", x)
    noted("box", box).a *= noted("value", 2)
    return xs, box.a


@runs((np.array([1.0, 2.0]),))
def value_that_binds_the_array(v):
    a = v.copy()

    def new():
        nonlocal a
        a = a + 10.0
        return 5.0
    a[0] = new()
    return a


@runs((np.array([1.0, 2.0]),))
def value_that_binds_the_array_by_a_walrus(v):
    a = v.copy()
    a[0] = (a := a + 10.0)[1]
    return a


@runs((1.0,), (-1.0,))
def value_that_binds_the_list(x):
    xs = ys = [x, 2.0]

    def new():
        nonlocal xs
        xs = [7.0, 8.0]
        return 5.0
    xs[0] = new()
    return xs, ys


@runs((1.0,), (-1.0,))
def key_that_binds_the_list(x):
    xs = ys = [x, 2.0]

    def new():
        nonlocal xs
        xs = [7.0, 8.0]
        return 0
    xs[new()] = x + 1
    return xs, ys


@runs((1.0,), (-1.0,))
def value_that_binds_the_list_that_it_is_added_to(x):
    xs = ys = [x, 2.0]

    def new():
        nonlocal xs
        xs = [7.0, 8.0]
        return 5.0
    xs[0] += new()
    return xs, ys


@runs((1.0,), (-1.0,))
def value_that_binds_the_object_that_it_is_added_to(x):
    box = other = Box(x)

    def new():
        nonlocal box
        box = Box(7.0)
        return 5.0
    box.a += new()
    return box.a, other.a


@runs((2,), (0,))
def value_that_binds_the_key(n):
    xs, i = [1, 2, 3], 0

    def new():
        nonlocal i
        i = i + 1
        return n
    xs[i] = new()
    xs[i] += new()
    return xs, i


@runs((np.array([1.0, 2.0]),))
def value_that_binds_the_array_that_it_is_added_to(v):
    a = v.copy()

    def new():
        nonlocal a
        a = a + 10.0
        return 5.0
    a[0] += new()       # of the array that was `a`
    return a


@runs((1.0,), (-1.0,))
def attribute_of_what_a_branch_has_bound(x):
    found = x > 0
    if found:
        b = Box(1.0, 2.0)
    y = 0.0
    if found:
        b.a = x + b.b
        y = b.a
    if found and b.a > 1:
        b.b = b.b + 1
        y = y + b.a * b.b
    return y


@runs((3,), (0,))
def item_of_what_a_branch_has_bound(n):
    found = n > 1
    if found:
        counts = {"k": 1}
    for i in range(n):
        if found:
            counts["k"] = counts["k"] + i
    return counts["k"] if found else -1


@runs((1.0, None), (-1.0, None), (1.0, 2))
def attribute_of_what_is_never_bound(x, known):
    if known is not None:
        b = Box(1.0)
    if x > 0:
        if known is not None:
            b.a = x
        x = x + 1
    return x if known is None else b.a


@runs((3.0,), (1.0,), (-1.0,), (-9.0,))
def attribute_of_what_may_have_no_value(x):
    if x > 0:
        b = Box(1.0)
    if x > 1 or x < -5:
        b.a = x
    if x > -2:
        x = b.a + 1.0
    return x


@lt.struct
class Point:
    x: float


@stops("LT0303", "field 'x' of 'p' is set", "make a new structure", at=(Point(1.0), 3))
def field_of_a_structure_in_a_loop(p, n):
    for i in range(n):
        if i > 1:
            p.x += i    # error
    return p.x


@stops("LT0303", "field 'x' of 'p' is set", at=(Point(1.0), 3))
def field_of_a_structure_under_a_condition(p, n):
    y = 0.0
    while n > 0:
        n -= 1
        if n > 1:
            y = p.x
        else:
            p.x = y     # error
    return p.x
