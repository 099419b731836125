"""`is None` on staged optionals: none?, and what it proves."""

import numpy as np
import pytest
from staged_source import assert_is_python

NODE = """
@lt.struct
class Node:
    value: float
    next: "Node | None"

"""


def chain(module, *values):
    node = None
    for value in reversed(values):
        node = module.Node(value, node)
    return node


def program(body):
    import textwrap
    return NODE + textwrap.dedent(body)


def test_is_none_is_staged_and_narrows(stage):
    f = stage(program("""
    def total(node):
        if node is None:
            return 0.0
        return node.value + total(node.next)

    def f(node: Node):
        return total(node)
    """))
    assert f(chain(f.module, 1.0, 2.0, 3.0)) == 6.0
    assert "(none? node)" in f.text


def test_two_readings_of_a_field_are_one_value(stage):
    f = stage(program("""
    def total(node: Node):
        if node.next is not None:
            return node.value + total(node.next)
        return node.value

    def f(node: Node):
        return total(node)
    """))
    assert f.text.count("(getattr node next)") == 1 and "(define total ((node Node))" in f.text
    assert f(chain(f.module, 1.0, 2.0)) == 3.0


def test_a_present_value_is_never_none(stage):
    f = stage(program("""
    def f(node: Node):
        if node is None:
            return undefined_name
        return node.value
    """))
    assert "none?" not in f.text


def test_narrowing_through_not_and_or(stage):
    f = stage(program("""
    def f(node: Node):
        if node.next is None or node.next.next is None:
            return 0.0
        return g(node.next) + g(node.next.next)

    def g(node):
        if not (node is not None):
            return 5.0
        return node.value
    """))
    assert f(chain(f.module, 1.0, 2.0, 3.0)) == 5.0 and f(chain(f.module, 1.0, 2.0)) == 0.0
    assert "5.0" not in f.text


def test_narrowing_through_and(stage):
    f = stage(program("""
    def f(node: Node):
        if node.next is not None and node.next.next is not None:
            if node.next.next is None:
                return undefined_name
            return node.next.next.value
        return -1.0
    """))
    assert f(chain(f.module, 1.0, 2.0, 3.0)) == 3.0 and f(chain(f.module, 1.0)) == -1.0


def test_a_loop_narrows_what_it_carries(stage):
    f = stage(program("""
    def f(node: Node):
        total = 0.0
        at = node
        while at is not None:
            total += at.value
            at = at.next
        return total
    """))
    assert f(chain(f.module, 1.0, 2.0, 3.0)) == 6.0


def test_truth_of_an_optional(stage):
    f = stage(program("""
    def f(node: Node):
        if node.next:
            return node.next.value
        return 0.0
    """))
    assert f(chain(f.module, 1.0, 2.0)) == 2.0 and f(chain(f.module, 1.0)) == 0.0


def test_reading_a_field_that_may_be_missing_is_checked_when_it_runs(stage):
    f = stage(program("""
    def f(node: Node):
        return node.next.value
    """))
    assert f(chain(f.module, 1.0, 2.0)) == 2.0


def test_reading_a_field_of_none(error_of):
    error = error_of(program("""
    def f(node: Node):
        if node.next is None:
            return node.next.value
        return 0.0
    """))
    assert "None has no attribute 'value'" in error.message


def test_is_on_other_staged_values(error_of):
    error = error_of("""
    def f(x: float, y: float):
        return x is y
    """)
    assert error.code == "LT0310" and "`is`" in error.message and "==" in error.hint


def test_structures_are_made_and_are_immutable(stage, error_of):
    f = stage(program("""
    def build(n):
        if n == 0:
            return None
        return Node(1.0 * n, build(n - 1))

    def f(n: int):
        node = build(n)
        return node.value + node.next.value
    """))
    assert "(make Node" in f.text and f(3) == 5.0
    error = error_of(program("""
    def f(node: Node):
        node.value = 1.0
        return node
    """))
    assert error.code == "LT0303" and "immutable" in error.message


def test_an_unknown_field(error_of):
    error = error_of(program("""
    def f(node: Node):
        return node.valeu
    """))
    assert "no field 'valeu'" in error.message and "value, next" in error.hint


def test_methods_of_structures(stage):
    f = stage("""
    @lt.struct
    class Point:
        x: float
        y: float

        def norm(self):
            return self.x * self.x + self.y * self.y

        @property
        def sum(self):
            return self.x + self.y

    def f(p: Point):
        return p.norm() + p.sum
    """)
    assert f(f.module.Point(3.0, 4.0)) == 32.0


@pytest.mark.parametrize("found", ["[n]", "list(range(n))"])
def test_a_list_or_none(error_of, found):
    error = error_of(f"def f(n: int):\n    if n > 2:\n        return {found}\n    return None\n")
    assert error.code == "LT0306" and "an empty one instead of None" in error.hint


LATER = {   # what a loop reads on one path, and a later turn gives a value; `xs` is a list of floats
    "a number": "prev = None\nfor i, x in enumerate(xs):\n  if i > 0: y += prev * x\n  prev = x",
    "one of two turns before": "a = b = None\nfor i, x in enumerate(xs):\n  if i > 1: y += (x - a) * b\n  a, b = b, x",
    "an expression": "k, i = None, 0\nwhile i < len(xs):\n  k = xs[i] if i == 0 else k + xs[i]\n  i += 1\ny = 0.0 if k is None else k",
    "an object": "prev = None\nfor i, x in enumerate(xs):\n  if i > 0: y += prev.v * x\n  prev = Point(x, prev)",
    "an object that changes": "prev = None\nfor i, x in enumerate(xs):\n  if i > 0: y += prev.v * x\n  prev = Point(x, prev)\n  if i > 1: prev.v += 1.0",
    "an attribute": "prev = Point(0.0, None)\nfor i, x in enumerate(xs):\n  if i > 0: y += prev.p.v * x\n  prev = Point(x, prev)",
    "an attribute, in a loop within": "ps = [Point(0.0, None)]\nfor x in xs:\n  for q in ps:\n    if q.v > 0: y += q.p.v\n  ps.append(Point(x, ps[-1]))\n  ps[0].v -= 1.0",
    "an element": "memo = [None] * len(xs)\nfor i in range(len(xs)):\n  if i > 0: y += memo[i - 1] * 2\n  memo[i] = xs[i]",
    "an argument": "h = None\nfor i, x in enumerate(xs): h = step(h, x, i)\ny = h if h else y",
}


@pytest.mark.parametrize("body", LATER.values(), ids=LATER)
def test_what_is_none_so_far_may_be_computed_with_on_a_path(stage, body):
    lines = "\n        ".join(body.splitlines())
    assert_is_python(stage, f"""
    class Point:
        def __init__(self, v, p):
            self.v, self.p = v, p

    def step(h, x, i):
        if i == 0: return x
        return h * 0.5 + x

    def f(xs: list[float]):
        y = 0.0
        {lines}
        return y
    """, [([],), ([2.0],), ([1.0, 2.0, 4.0, 3.0],)])


def test_what_no_turn_gives_a_value_is_the_error_that_it_was(error_of):
    error = error_of("""
    def f(xs: list[float]):
        a, y = None, 0.0
        for i, x in enumerate(xs):
            for z in xs:
                if i > 1: y += x - a
        return y
    """)
    assert error.code == "LT0403" and "not none" in error.message and (error.place.line, error.place.column) == (5, 28)


def test_an_operation_on_arrays_raises_of_none_what_it_raises_in_python(stage):
    assert_is_python(stage, """
    def f(xs: lt.Tensor[lt.f64, 3], n: int):
        best, error = None, 1e9
        for i in range(n):
            pair = lt.concat(xs, xs * i)
            if lt.sum(pair, axis=0) < error: best, error = lt.tanh(pair), lt.sum(pair)
        return lt.sum(lt.concat(best, best)) + lt.softmax(best, axis=-1)[0]
    """, [(np.array([0.5, -1.0, 2.0]), 2), (np.array([0.5, -1.0, 2.0]), 0)])


def test_what_is_not_none_for_certain_is_a_key(stage):
    assert_is_python(stage, """
    from typing import NamedTuple

    class Pos(NamedTuple):
        r: int
        c: int

    def f(xs: list[int]):
        start = goal = None
        for i, x in enumerate(xs):
            if x > 2: start, goal = Pos(i, x), f"n{x}"
        if start is None or goal is None: raise ValueError("no start")
        cost, seen, names = {start: 0, Pos(1, 1): 2}, {start}, {goal: 1}
        return cost[start], len(cost), start in seen, goal in names
    """, [([1, 2, 3],), ([],)])


def test_none_is_no_part_of_a_text(stage):
    assert_is_python(stage, """
    def f(xs: list[str], text: str, i: int):
        part = xs[i] if i < len(xs) else None
        known = 0 if part is None else 1 if part in "+-" else 2
        try:
            return known, 1 if part in text else 0
        except TypeError:
            return known, -1
    """, [(["+", "b"], "abc", 0), (["+", "b"], "abc", 1), ([], "abc", 0)])
