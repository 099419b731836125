"""Variables and where they live: undefined ones, None, scopes, compound symbols, hidden effects, fixed-structure collections."""
import collections

import numpy as np

import lantern as lt
import lantern.autograph as ag
from programs import runs, stops

SCALE = 2.0
SETTINGS = {"scale": 3.0, "names": ["a", "b"]}
SEEN = []


class Box:
    shared = 1.0

    def __init__(self, value, other=0.0):
        self.value = value
        self.other = other


class Slots:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


Point = collections.namedtuple("Point", "x y")


@lt.struct
class Node:
    value: float
    next: "Node | None"


CHAIN = Node(1.0, Node(-2.0, Node(4.0, None)))


# Undefined, None


@stops("LT0301", "'y'", at=(1.0,))
def read_before_assignment(x):
    if x > 0:
        x = y  # error
    y = x
    return y


@stops("LT0302", "'y'", at=(1.0, 1.0))
def defined_on_two_of_three_paths(x, z):
    if x > 0:
        y = 1.0
    elif z > 0:
        y = 2.0
    return y  # error


@runs((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0))
def defined_on_every_path_that_goes_on(x, z):
    if x > 0:
        y = 1.0
    elif z > 0:
        y = 2.0
    else:
        raise ValueError("neither")
    return y


@runs((1.0, 1.0), (-1.0, 1.0))
def defined_on_every_path_that_does_not_return(x, z):
    if x > 0:
        y = z
    else:
        return z * 2
    return y


@runs((1.0,), (-1.0,))
def deleted_behind_its_use(x):
    y = x * 2
    z = y + 1
    del y
    return z


@stops("LT0301", "'y'", at=(1.0,))
def deleted_in_front_of_its_use(x):
    y = x
    del y
    if x > 0:
        x = y  # error
    return x


@runs((1.0,), (-1.0,))
def none_that_is_replaced_before_its_use(x):
    y = None
    if x > 0:
        y = 1.0
    else:
        y = 2.0
    return y


@runs((1.0,), (-1.0,))
def none_on_every_path(x):
    y = None
    if x > 0:
        y = None
    return y is None


@runs((1.0, None), (2.0, None))
def none_as_argument_is_known(x, mask):
    if mask is None:
        return x
    return x * mask.missing


def chain_sum(node):
    if node is None:
        return 0.0
    return node.value + chain_sum(node.next)


@runs((CHAIN,), (Node(1.0, None),))
def none_in_a_structure(node):
    return chain_sum(node)


@runs((CHAIN,), (Node(1.0, None),))
def none_in_a_structure_by_truth(node):
    return node.next.value if node.next else -1.0


@runs((CHAIN,), (Node(1.0, None),))
def a_structure_or_none_in_a_loop(node: Node):
    total = 0.0
    here = node
    while here is not None:
        total = total * 2 + here.value
        here = here.next
    return total


@runs((CHAIN,), (Node(1.0, None),))
def a_field_of_none_is_an_error_when_it_runs(node):
    return node.next.value


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


@stops("LT0302", "box.fresh", at=(1.0,))
def attribute_created_in_one_branch(x):
    box = Box(0.0)
    if x > 0:
        box.fresh = x
    return box.fresh  # error


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


# Hidden side effects


@stops("LT0305", "list", at=(1.0,))
def a_global_list_grows(x):
    SEEN.append(x)  # error
    return x


@stops("LT0305", "dict", at=(1.0,))
def a_global_dict_changes(x):
    SETTINGS["scale"] = x  # error
    return x


@runs((1.0,), (-1.0,))
def globals_and_items_are_read(x):
    return x * SCALE + SETTINGS["scale"] * len(SETTINGS["names"])


@runs((1.0,), (-1.0,))
def python_effects_on_young_objects(x):
    seen = []
    for i in range(3):
        seen.append(x * i)
    box = Box(0.0)
    box.value = len(seen)
    return seen[2] + box.value


@runs((1.0,), (-1.0,))
def a_list_used_as_a_stack_of_python_length(x):
    stack = [x, 2.0]
    stack.append(x + 1)
    top = stack.pop()
    return top * len(stack) + stack[-1]


@runs((1.0,), (-1.0,))
def a_dict_filled_in_python(x):
    d = {}
    for name in "abc":
        d[name] = x * len(d)
    return d["c"] + d["b"]


@stops("LT0305", "'keep'", at=(1.0,))
def a_value_that_leaves_its_branch_by_an_object(x):
    keep = []
    probe = lambda v: keep_value(keep, v)    # noqa: E731  # error
    if x > 0:
        probe(x * 2)
    return keep[0]


@ag.do_not_convert
def keep_value(keep, v):
    keep.append(v)


# Scopes


@runs((1.0,), (-1.0,))
def a_comprehension_has_a_scope_of_its_own(x):
    i = x
    squares = [i * i for i in range(3)]
    return i + squares[2]


@runs((1.0,), (-1.0,))
def a_walrus_binds_in_the_function(x):
    if (y := x * 2) > 0:
        return y
    return y - 1


@runs((1.0,), (-1.0,))
def a_walrus_in_an_expression(x):
    return (y := x + 1) * y


@runs((1.0,), (-1.0,))
def a_name_shadows_a_builtin(x):
    abs = lambda v: v * 100    # noqa: A001, E731
    len = 2                    # noqa: A001
    return abs(x) + len


@runs((1.0,), (-1.0,))
def a_parameter_is_rebound(x):
    if x > 0:
        x = -x
    x = x + 1
    return x


@runs((1.0,), (-1.0,))
def annotations_are_kept(x):
    y: float = x
    z: "float"
    if x > 0:
        y: float = x * 2
    z = y
    return z


@runs((1.0,), (-1.0,))
def a_class_in_a_function(x):
    class Local:
        factor = 2.0

        def scale(self, v):
            return v * self.factor if v > 0 else v
    return Local().scale(x)


@runs((1.0,), (-1.0,))
def an_f_string(x):
    return f"{x:.2f}|{x}|{'a'}{3}"


@runs(("a", "b"), ("", ""))
def text_is_joined_and_compared(s, t):
    u = s + "-" + t
    return u, s == t, len(u)


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
    w = v
    w[0] = 10.0  # error
    return v


def maybe_undefined(n):
    if n > 3:
        y = n
    if n > 0:
        return maybe_undefined(n - 1)
    return y  # error


@stops("LT0302", "'y'", at=(1,))
def recursion_with_an_undefined_variable(n):
    return maybe_undefined(n)


recursion_with_an_undefined_variable.case.marked_line = lambda: maybe_undefined.__code__.co_firstlineno + 5


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
