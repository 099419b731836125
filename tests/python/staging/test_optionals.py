"""`is None` on staged optionals: none?, and what it proves."""

import pytest

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
