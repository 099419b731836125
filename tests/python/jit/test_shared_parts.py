"""A list or structure that an argument of a derivative holds at several places is one thing, and has one derivative; arrays, tuples and arguments are
each their own."""
import collections

import numpy as np
import pytest

import lantern as lt
from lantern.staging.errors import StagingError

xs, w, pair = [1.0, 2.0], np.array([1.0, 2.0]), (1.0, 2.0)


@lt.struct
class Two:
    a: "list[float]"
    b: "list[float]"


@lt.struct
class Node:
    value: float
    array: "lt.Tensor[lt.f64, 2]"
    link: "Node | None"


node = Node(1.0, w, None)
linked = Node(2.0, w, node)
Pair = collections.namedtuple("Pair", "a b")


def weighted(t):
    return 2 * t[0][0] + 3 * t[1][0]


def of_fields(t):
    return 2 * t.a[0] + 3 * t.b[0]


def of_arrays(t):
    return 2 * np.sum(t[0][0]) + 3 * np.sum(t[1][0])


def of_two(t, u):
    return weighted(t) + u[0]


def of_nodes(t):
    return 2 * t[0].value + 3 * t[1].value + np.sum(t[1].array)


def of_linked(t):
    return 2 * t[0].value + 3 * t[1].link.value


def of_list_and_node(t):
    return 2 * t[0][0].value + 4 * t[0][1].value + 3 * t[1].value


def of_parts(d):
    return of_fields(d["t"]) + 5 * d["l"][0] + 7 * d["rows"][1][0]


def of_trees(trees):
    return sum(place * of_fields(tree) for place, tree in enumerate(trees))


CASES = [     # function, arguments, wrt, the gradient
    (weighted, [(xs, xs)], "t", ([5, 0], [5, 0])),
    (weighted, [[xs, xs]], "t", [[5, 0], [5, 0]]),
    (weighted, [{0: xs, 1: xs}], "t", {0: [5, 0], 1: [5, 0]}),
    (weighted, [(xs, list(xs))], "t", ([2, 0], [3, 0])),
    (weighted, [(pair, pair)], "t", ((2, 0), (3, 0))),
    (weighted, [[pair, pair]], "t", [(2, 0), (3, 0)]),
    (weighted, [{0: pair, 1: pair}], "t", {0: (2, 0), 1: (3, 0)}),
    (of_fields, [Two(xs, xs)], "t", {"a": [5, 0], "b": [5, 0]}),
    (of_fields, [Two(xs, [1.0])], "t", {"a": [2, 0], "b": [3]}),
    (of_arrays, [([w], [w])], "t", ([[2, 2]], [[3, 3]])),
    (of_arrays, [[[w]] * 2], "t", [[[5, 5]], [[5, 5]]]),
    (of_two, [(xs, xs), xs], ("u", "t"), ([1, 0], ([5, 0], [5, 0]))),
    (of_nodes, [(node, node)], "t", ({"value": 5, "array": [1, 1], "link": None},) * 2),
    (of_nodes, [[node, node]], "t", [{"value": 5, "array": [1, 1], "link": None}] * 2),
    (of_nodes, [{0: node, 1: node}], "t", dict.fromkeys((0, 1), {"value": 5, "array": [1, 1], "link": None})),
    (of_nodes, [Pair(node, node)], "t", Pair(*[{"value": 5, "array": [1, 1], "link": None}] * 2)),
    (of_linked, [(node, linked)], "t", ({"value": 5, "array": [0, 0], "link": None}, {"value": 0, "array": [0, 0], "link": {"value": 5, "array": [0, 0], "link": None}})),
    (of_list_and_node, [([node, node], node)], "t", ([{"value": 9, "array": [0, 0], "link": None}] * 2, {"value": 9, "array": [0, 0], "link": None})),
    (of_parts, [{"t": Two(xs, [1.0]), "l": xs, "rows": [[0.0], xs]}], "d", {"t": {"a": [14, 0], "b": [3]}, "l": [14, 0], "rows": [[0], [14, 0]]}),
    (of_trees, [[Two(xs, [1.0]), Two([0.0], xs), Two(xs, [0.0])]], "trees", [{"a": [7, 0], "b": [0]}, {"a": [2], "b": [7, 0]}, {"a": [7, 0], "b": [6]}]),
]


def plain(gradient):
    """Of lists and numbers."""
    if isinstance(gradient, (Two, Node)):
        return {name: plain(getattr(gradient, name)) for name in type(gradient).__lantern_struct__.field_names}
    if isinstance(gradient, Pair):
        return Pair(*map(plain, gradient))
    if isinstance(gradient, np.ndarray):
        return gradient.tolist()
    if isinstance(gradient, dict):
        return {key: plain(part) for key, part in gradient.items()}
    return type(gradient)(map(plain, gradient)) if isinstance(gradient, (list, tuple)) else gradient


@pytest.mark.sampled(5)
@pytest.mark.parametrize("function, arguments, wrt, expected", CASES)
def test_plain_and_compiled(function, arguments, wrt, expected):
    for form in (function, lt.function(function, dtype="f64")):
        gradient = lt.grad(form, wrt=wrt)
        for _ in range(2):
            assert plain(gradient(*arguments)) == expected


def of_an_argument_twice(xs: "list[float]"):
    return lt.grad(weighted)((xs, xs)), lt.grad(weighted)([xs, xs])


def of_a_new_list_twice(xs: "list[float]"):
    ys = [xs[0], 2.0]
    return lt.grad(weighted)((ys, ys))


def along(xs: "list[float]"):
    ys = [xs[0], 2.0]
    return lt.jvp(weighted, ((xs, xs),), (([1.0, 0.0], [0.0, 0.0]),)), lt.jvp(weighted, ((ys, ys),), (([1.0, 0.0], [0.0, 0.0]),))


@pytest.mark.parametrize("function, expected", [(of_an_argument_twice, (([5, 0], [5, 0]), [[5, 0], [5, 0]])), (of_a_new_list_twice, ([5, 0], [5, 0])),
                                                (along, ((5, 2), (5, 2)))])
def test_within_compiled_code(function, expected):
    for form in (function, lt.function(function, dtype="f64")):
        assert form([1.0, 2.0]) == expected


def test_a_structure_twice_within_compiled_code_is_refused():
    def twice(n: Node):
        return lt.grad(of_nodes)((n, n))[0].value
    assert twice(node) == 5
    with pytest.raises(StagingError, match="(?s)LT0310.*'n' stands at two places"):
        lt.function(twice)(node)


def test_a_list_that_holds_itself():
    endless = [1.0]
    endless.append(endless)
    with pytest.raises(ValueError, match="a list that holds itself"):
        lt.grad(lambda l: 2 * l[0])(endless)
