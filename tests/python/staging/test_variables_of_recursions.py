"""Variables of the function around that a recursion sets: `nonlocal position`."""
import pytest
import lantern as lt
from staged_source import assert_is_python

PROGRAMS = {
    "a parser": ("""
    def f(text: str):
        position = 0
        def number():
            nonlocal position
            value = 0
            while position < len(text) and text[position].isdigit():
                value = value * 10 + int(text[position])
                position += 1
            return value
        def factor():
            nonlocal position
            if position < len(text) and text[position] == "(":
                position += 1
                value = total()
                position += 1
                return value
            return number()
        def total():
            nonlocal position
            value = factor()
            while position < len(text) and text[position] in "+-":
                sign = 1 if text[position] == "+" else -1
                position += 1
                value += sign * factor()
            return value
        return total(), position
    """, [("12+(3-4)+5",), ("7",), ("",), ("(1+2)-(3",)]),
    "counters, read by a function that sets none": ("""
    def f(n: int):
        calls, most, depth = 0, 0, 0
        def is_deep():
            return depth > 2
        def go(k):
            nonlocal calls, most, depth
            calls += 1
            depth += 1
            most = max(most, depth)
            deep = 1 if is_deep() else 0
            for j in range(k % 3):
                deep += go(k - 1 - j)
            depth -= 1
            return deep
        first = go(n)
        before = calls
        return first, go(n - 1), before, calls, most, depth
    """, [(0,), (1,), (5,), (8,)]),
    "functions that call each other, under a condition": ("""
    def f(n: int, both: bool):
        clock = 0
        def even(k):
            nonlocal clock
            clock += 1
            return k == 0 or odd(k - 1)
        def odd(k):
            nonlocal clock
            clock += 10
            return k != 0 and even(k - 1)
        if both:
            result = even(n)
        else:
            result = odd(n)
        return result, clock
    """, [(4, True), (3, False), (0, True)]),
    "what may be None": ("""
    def f(xs: list[int]):
        last, sorted_ = None, True
        def inorder(i):
            nonlocal last, sorted_
            if i >= len(xs):
                return
            inorder(2 * i + 1)
            if last is not None and last > xs[i]:
                sorted_ = False
            last = xs[i]
            inorder(2 * i + 2)
        inorder(0)
        return sorted_, -1 if last is None else last
    """, [([4, 2, 6],), ([4, 5, 6],), ([],)]),
    "a text, and a pair": ("""
    def f(n: int):
        path, pair = "", (0, 1)
        def go(k, letter):
            nonlocal path, pair
            if k == 0:
                return
            path += letter
            pair = pair[1], pair[0] + pair[1]
            go(k - 1, "L")
            if k > 2:
                go(k - 2, "R")
        go(n, "T")
        return path, pair
    """, [(0,), (1,), (5,)]),
    "one of each closure": ("""
    def f(n: int):
        def counter():
            count = 0
            def visit(k):
                nonlocal count
                count += 1
                if k > 0:
                    visit(k - 1)
                    visit(k - 2)
                return count
            return visit
        one, other = counter(), counter()
        return one(n), other(2), one(1)
    """, [(3,), (0,)]),
    "set again between the calls of a loop": ("""
    def f(sizes: list[int]):
        size, found = 0, []
        def fill(k):
            nonlocal size
            if k <= 0:
                return
            size += 1
            fill(k - 2)
            fill(k - 3)
        for each in sizes:
            size = 0
            fill(each)
            if size > 1:
                found.append(size)
        return found, size
    """, [([5, 1, 4],), ([],)]),
    "an error is handled": ("""
    def f(text: str):
        place = 0
        def group():
            nonlocal place
            count = 0
            while place < len(text) and text[place] == "(":
                place += 1
                count += 1 + group()
                if place >= len(text) or text[place] != ")":
                    raise ValueError(f"at {place}")
                place += 1
            return count
        try:
            return str(group())
        except ValueError as error:
            return str(error)
    """, [("(()())",), ("((",), ("",)]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name, stage):
    assert_is_python(stage, *PROGRAMS[name])


def test_a_define_has_them_as_parameters_and_results(stage):
    text = stage("""
    def f(n: int):
        moves = 0
        def hanoi(k):
            nonlocal moves
            if k > 0:
                hanoi(k - 1)
                moves += 1
                hanoi(k - 1)
        hanoi(n)
        return moves
    """).text
    assert "(define hanoi ((k i64) (moves i64)) -> " in text


def test_one_that_is_older_than_the_program_is_not_set(error_of):
    error = error_of("""
    def make(start):
        count = start
        def visit(k):
            nonlocal count
            count += 1
            return count if k <= 0 else visit(k - 1) + visit(k - 2)
        return visit
    OLD = make(5)
    def f(n: int):
        own = make(0)
        return own(n) + OLD(n)
    """)
    assert error.code == "LT0305" and "the nonlocal variable 'count' is set" in error.message


def climb(x: float, n: int):
    total = 0.0

    def go(k, y):
        nonlocal total
        if k == 0:
            return y
        total += y * y
        return go(k - 1, y * x)

    return go(n, x) + total


def test_gradients_go_through_them():
    value, gradient = lt.value_and_grad(lt.function(climb), wrt="x")(0.5, 3)
    assert value == climb(0.5, 3)
    assert gradient == pytest.approx(2 * 0.5 + 8 * 0.5 ** 3 + 6 * 0.5 ** 5)     # of x⁴ + x² + x⁴ + x⁶
