"""Recursion that carries objects, structures, tuples, dicts and arrays, and what it may not leave without a value."""
import numpy as np

from programs import runs, stops
from reference_names import CHAIN, Box, Node, chain_sum
from reference_places import Point


# Recursion in each


def count_down(box, n):
    if n > 0:
        return count_down(box, n - 1) + box.value
    return box.other


@runs((3,), (0,))
def recursion_with_an_object(n):
    return count_down(Box(2.0, 1.0), n)


def rebuilt(node, k):
    if node is None:
        return None
    return Node(node.value * k, rebuilt(node.next, k + 1))


@runs((CHAIN, 1), (Node(1.0, None), 3))
def recursion_that_makes_structures(node: Node, k: int):
    return chain_sum(rebuilt(node, k))


def last(node):
    if node.next is None:
        return node
    return last(node.next)


@runs((CHAIN,), (Node(1.0, None),))
def recursion_that_gives_a_structure(node):
    return last(node).value


def pair_up(p, n):
    if n == 0:
        return p
    a, b = p
    return pair_up((b, a + b), n - 1)


@runs((5,), (0,))
def recursion_with_a_tuple(n):
    return pair_up((0, 1), n)


def point_walk(p, n):
    if n == 0:
        return p
    return point_walk(Point(p.y, p.x + n), n - 1)


@runs((5,), (0,))
def recursion_with_a_named_tuple(n):
    p = point_walk(Point(1, 2), n)
    return p.x - p.y


def dictionary_walk(d, n):
    if n == 0:
        return d["a"]
    return dictionary_walk({"a": d["b"], "b": d["a"] + 1}, n - 1)


@runs((5,), (0,))
def recursion_with_a_dict(n):
    return dictionary_walk({"a": 0, "b": 1}, n)


def fill(v, i):
    if i >= len(v):
        return v
    v[i] = v[i] + i
    return fill(v, i + 1)


@runs((np.array([1.0, 2.0, 5.0]),))
def recursion_over_an_array(v):
    return fill(v.copy(), 0)


@stops("LT0317", "'v'", "v = v.copy()", at=(np.array([1.0, 2.0]),))
def an_item_of_the_callers_array(v):
    v[0] = 10.0  # error
    return v


@stops("LT0317", "'fill'", at=(np.array([1.0, 2.0]),))
def recursion_over_the_callers_array(v):
    return fill(v, 0)  # error


@stops("LT0317", "'w'", "'v'", at=(np.array([1.0, 2.0]),))
def an_item_of_an_array_with_two_names(v):
    v = v.copy()
    w = v if v[0] > 0.0 else v * 2.0
    w[0] = 10.0  # error
    return v


def maybe_undefined(n):
    if n > 3:
        y = n
    if n > 0:
        return maybe_undefined(n - 1)
    return y


@runs((1,), (3,), (0,), (6,))
def recursion_with_an_undefined_variable(n):
    return maybe_undefined(n)


def endless(n):  # error
    return endless(n + 1)


@stops("LT0307", "'endless'", at=(1,))
def recursion_without_an_end(n):
    return endless(n)


recursion_without_an_end.case.marked_line = lambda: endless.__code__.co_firstlineno


def grows(xs, n):
    if n == 0:
        return 0
    return grows(xs + ("a",), n - 1)  # error


@stops("LT0308", "'xs'", at=(1,))
def recursion_with_a_static_argument_that_grows(n):
    return grows((), n)


recursion_with_a_static_argument_that_grows.case.marked_line = lambda: grows.__code__.co_firstlineno + 3
