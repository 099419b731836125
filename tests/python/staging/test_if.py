"""`if` and the expressions that evaluate lazily, on staged conditions."""
import time

import pytest

from interpreter import Raised


def test_both_branches_give_the_value(stage):
    f = stage("""
    def f(x: float):
        if x > 0:
            y = x * 2
        else:
            y = -x
        return y
    """)
    assert f.text == """\
(define f ((x f64)) -> f64
  (let x0 (> x 0)
  (let y (if x0 (let y_1 (* x 2) y_1) (let y_2 (neg x) y_2))
  y)))
(export f (x (required) ""))
"""
    assert (f(3.0), f(-3.0)) == (6.0, 3.0)


def test_several_values_are_a_tuple(stage):
    f = stage("""
    def f(x: float):
        a, b = 1.0, 2.0
        if x > 0:
            a, b = b, a
        return a - b
    """)
    assert (f(1.0), f(-1.0)) == (1.0, -1.0)


def test_a_variable_that_is_the_same_on_both_paths_stays_python(stage):
    f = stage("""
    def f(x: float):
        n = 3
        if x > 0:
            n = 3
            y = x
        else:
            y = 0.0
        return lt.zeros(n)[0] + y
    """)
    assert "(zeros f32 3)" in f.text


def test_literals_promote(stage):
    f = stage("""
    def f(x: float):
        y = 0
        if x > 0:
            y = x
        return y
    """)
    assert "(if x0 x 0.0)" in f.text
    assert f(2.0) == 2.0 and repr(f(-2.0)) == "0.0"


def test_unequal_dimensions_widen(stage):
    f = stage("""
    def f(x: float):
        if x > 0:
            y = lt.zeros(2)
        else:
            y = lt.zeros(3)
        return y
    """)
    assert "-> (tensor f32 ?)" in f.text


def test_a_structure_and_none_join_to_an_optional(stage):
    f = stage("""
    @lt.struct
    class Node:
        value: float
        next: "Node | None"

    def f(x: float, node: Node):
        found = None
        if x > 0:
            found = node
        return found
    """)
    assert "-> (optional Node)" in f.text


def test_early_return(stage):
    f = stage("""
    def f(x: float):
        if x > 10:
            return 10.0
        if x < 0:
            return 0.0
        return x
    """)
    assert [f(x) for x in (11.0, -1.0, 5.0)] == [10.0, 0.0, 5.0]


def test_elif_and_nesting(stage):
    f = stage("""
    def f(x: float, y: float):
        if x > 0:
            if y > 0:
                z = 1
            else:
                z = 2
        elif x < -1:
            z = 3
        else:
            z = 4
        return z
    """)
    assert [f(*a) for a in ((1.0, 1.0), (1.0, -1.0), (-2.0, 0.0), (-0.5, 0.0))] == [1, 2, 3, 4]


def test_static_conditions_are_python(stage):
    f = stage("""
    def f(x: float, n: lt.static[int] = 3):
        if n > 2 and isinstance(n, int):
            return x * n
        return undefined_name
    """)
    assert "if" not in f.text and f(2.0) == 6.0


def test_not_swaps_the_branches(stage):
    f = stage("""
    def f(c: bool):
        if not c:
            return 1
        else:
            return 2
    """)
    assert "(if c 2 1)" in f.text


def test_conditional_expression(stage):
    f = stage("""
    def f(x: float):
        return x if x > 0 else -x
    """)
    assert (f(2.0), f(-2.0)) == (2.0, 2.0)


def test_and_or_evaluate_lazily(stage):
    f = stage("""
    def f(x: int, y: int):
        if x != 0 and y // x > 1:
            return 1
        if x == 0 or y // x == 0:
            return 2
        return 3
    """)
    assert [f(*a) for a in ((0, 5), (2, 5), (5, 2), (3, 4))] == [2, 1, 2, 3]


def test_and_or_give_an_operand(stage):
    f = stage("""
    def f(x: float, y: float):
        a = x and y
        b = x or y
        return a, b
    """)
    assert f(0.0, 2.0) == (0.0, 2.0) and f(1.0, 2.0) == (2.0, 1.0)


def test_chained_comparison(stage):
    f = stage("""
    def f(x: float):
        return 0 < x <= 1
    """)
    assert [f(x) for x in (0.0, 0.5, 1.0, 2.0)] == [False, True, True, False]


def test_truth_of_numbers_and_strings(stage):
    f = stage("""
    def f(n: int, s: str):
        a = 1 if n else 0
        b = 1 if s else 0
        return a, b
    """)
    assert f(0, "") == (0, 0) and f(3, "x") == (1, 1)


def test_membership_in_python_containers(stage):
    f = stage("""
    def f(n: int, s: str):
        return n in (1, 2, 3), s not in ("a", "b"), n in range(2, 5)
    """)
    assert f(2, "a") == (True, False, True) and f(7, "c") == (False, True, False)


def test_raise_under_a_staged_condition(stage):
    f = stage("""
    def f(x: float):
        if x < 0:
            raise ValueError("negative:", x)
        return x
    """)
    assert """(raise ValueError "('negative:', " x ")")""" in f.text
    assert f(1.0) == 1.0
    with pytest.raises(Raised, match="ValueError"):
        f(-1.0)


def test_assert(stage):
    f = stage("""
    def f(x: float):
        assert x > 0, "must be positive"
        return x
    """)
    assert '(assert x0 "must be positive")' in f.text
    with pytest.raises(Raised, match="must be positive"):
        f(-1.0)


def test_effects_keep_their_order(stage):
    f = stage("""
    def f(x: float):
        print("a", x)
        if x > 0:
            print("positive")
        else:
            print("not positive")
        print(f"{x:.2f} and {x}")
    """)
    f(0.5)
    assert f.machine.printed == ["a 0.5", "positive", "0.50 and 0.5"]


def test_a_path_that_raises_gives_no_value(stage):
    f = stage("""
    def f(x: float):
        if x > 0:
            y = 1
        else:
            raise ValueError("no")
        return y
    """)
    assert f(1.0) == 1


def test_paths_that_do_not_join(error_of):
    error = error_of("""
    def f(x: float):
        if x > 0:
            y = "text"
        else:
            y = 1.0
        return y
    """)
    assert error.code == "LT0306" and "is str on one path of the if statement and float on another" in error.message


def test_python_objects_that_differ(error_of):
    error = error_of("""
    def f(x: float):
        g = int if x > 0 else float
        return g(x)
    """)
    assert error.code == "LT0306"


def test_a_function_that_is_defined_anew_takes_as_long_as_before(stage):
    """As in a notebook: code that is equal, and not the same, takes Python twice as long to compare for each branch within another."""
    source = "def f(x: float, k: int):\n" + "".join(f"    if k == {number}:\n        return x * {number}.5\n" for number in range(20)) + "    return x\n"
    took = []
    for _ in range(2):
        begun = time.process_time()
        assert stage(source).text.count("(== k ") == 20
        took.append(time.process_time() - begun)
    assert took[1] < 20 * took[0]
