"""Loops over ranges that are known: staged where they would make a long program, unrolled elsewhere (staging/ranges.py)."""
import re

import numpy as np
import pytest
from staged_source import assert_is_python

BODY = "\n".join(f"            x = x * {1 + k / 1000} + {k}" for k in range(12))       # 24 bindings: nine turns are a long program


def source(before="", loop="for i in range(20)", body=BODY, behind="return x"):
    """A function of a number `x` with a loop in it."""
    return f"""
    N, WEIGHTS, TABLE = 20, [0.5 * i for i in range(40)], dict(enumerate(range(20)))

    def f(x: float):
        {before or 'pass'}
        {loop}:
{body}
        {behind}
    """


def is_staged(f):
    return bool(re.search(r"\((for|while)\s", f.text))


def agree(f, *numbers):
    """A staged function gives what Python does."""
    for x in numbers or (0.5, -1.0):
        assert np.allclose(f(x), f.function(x), rtol=1e-12)


@pytest.mark.parametrize("loop", ["for i in range(20)", "for i in range(19, -1, -1)", "for i in reversed(range(20))", "for i in range(3, 60, 7)", "for i in range(N)"])
def test_a_long_one_is_staged(stage, loop):
    f = stage(source(loop=loop, body=BODY + "\n            x = x - i"))
    assert is_staged(f) and f.text.count("1.011") == 1
    agree(f)


def test_a_while_over_known_numbers_is_staged_once_it_is_long(stage):
    f = stage(source(before="i = 0", loop="while i < 20", body=BODY + "\n            x -= i\n            i += 1", behind="return x + i"))
    assert is_staged(f) and f.text.count("1.011") == 1
    agree(f)


def test_few_turns_are_unrolled_and_so_is_a_short_program(stage):
    assert not is_staged(stage(source(loop="for i in range(8)")))
    short = stage(source(loop="for i in range(60)", body="            x = x + i"))
    assert not is_staged(short)
    agree(short)


def test_elements_of_pythons_lists_unroll_it(stage):
    f = stage(source(body=BODY + "\n            x = x + WEIGHTS[2 * i] * (i if i else len(WEIGHTS[i:]))"))
    agree(f)
    backwards = stage(source(loop="for i in reversed(range(20))", body=BODY + "\n            x = x + TABLE[i]"))
    assert not is_staged(backwards)
    agree(backwards)
    objects = stage(f"""
    class Layer:
        def __init__(self, scale):
            self.scale = scale

        def __call__(self, x):
            return x * self.scale

    LAYERS = [Layer(1 + i / 100) for i in range(12)]

    def f(x: float):
        for i in range(12):
{BODY}
            x = LAYERS[i](x)
        return x
    """)
    assert not is_staged(objects)
    agree(objects)


def test_what_is_known_alone_is_pythons(stage):
    f = stage("""
    def f(x: float):
        table, total = [], 0
        for i in range(300):
            total += i * i
            for j in range(90):
                if (i + j) % 7 == 0:
                    table.append(i - j)
        return x * total + len(table) + table[100]
    """)
    assert not is_staged(f)
    agree(f)


def test_its_variables_have_values_behind_it(stage):
    f = stage(source(body=BODY + "\n            y = x - i", behind="return x + y + i"))
    assert is_staged(f) and f.text.count("1.011") == 1
    agree(f)


def test_the_first_turn_stands_in_front_where_it_settles_the_variables(stage):
    f = stage(source(before="last = None", body=BODY + "\n            if last is not None:\n                x = x + last[0]\n            last = [x * 0.5]", behind="return x + last[0]"))
    assert is_staged(f) and f.text.count("1.011") == 1      # None or a list is a flag and a list
    agree(f)


@pytest.mark.parametrize("iterator", ["iter", "reversed"])
@pytest.mark.parametrize("rest", ["sum(rest) * x", "next(rest, 5) - x"])
def test_an_iterator_is_left_where_python_leaves_it(stage, iterator, rest):
    """A loop over one is unrolled where it is gone through elsewhere, too."""
    f = stage(source(before=f"rest = {iterator}(range(12))", loop="for i in rest", body=BODY + "\n            if i == 6:\n                break", behind=f"return {rest}"))
    agree(f)
    g = stage(source(before=f"rest = {iterator}(range(12))", loop="for i in rest", body=BODY + "\n            for j in rest:\n                x = x + i * j"))
    agree(g)


@pytest.mark.parametrize("x", [0.5, 1e9, -1e30])
def test_it_may_be_left(stage, x):
    f = stage(source(body=BODY + "\n            y = x + i\n            if x > 1e12:\n                break", behind="return x + y"))
    assert is_staged(f)
    agree(f, x)
    g = stage(source(body=BODY + "\n            if x > 1e12:\n                return x - i", behind="return -x"))
    agree(g, x)


def test_within_each_other(stage):
    f = stage(source(loop="for r in range(3)", body="            for i in range(30):\n                for j in range(2):\n                    x = x * 1.01 + r * i - j\n"
                     "                    x = x * 0.99 + r - i + j"))
    assert f.text.count("(for ") == 3
    agree(f)


NEST = "for r in range(4):\n            for c in range(4)"
SHORT = "                x = x * 1.011 + r - c"


@pytest.mark.parametrize("body", [SHORT + "\n                if x > 1e3:\n                    x = x - r * 3.0 - c", SHORT + "\n                x = step(x, r, c, 2.0) - c * x",
                                  SHORT + "\n                for v in range(2):\n                    x = x + v * c - r",
                                  SHORT + "\n                if x > 1e3:\n                    break\n                x = x - r * 3.0 - c",
                                  SHORT + "\n                if x > 1e3:\n                    return x\n                x = x * 2.0"])
def test_few_turns_within_few_are_staged_where_they_make_a_long_program(stage, body):
    """All of a nest, from the outermost: its turns count together."""
    f = stage(source(loop=NEST, body=body) + """
    def step(x, r, c, by):
        return x * by - r * x + c - r * by + x * c - r
    """)
    assert f.text.count("1.011") == 1
    agree(f, 0.5, -1.0, 400.0)


def test_few_turns_within_few_are_unrolled_where_they_are_a_short_program_or_must_be(stage):
    short = stage(source(loop=NEST, body="                x = x + r * c"))
    assert not is_staged(short)
    agree(short)
    known = stage(source(before="rows = [(1.0, 'a', x), (x, 'b', 2.0), (3.0, 'c', x), (x, 'd', 4.0)]", loop=NEST,
                         body=SHORT + "\n                x = x + rows[r][2 * (c % 2)] * len(rows[c][1]) - c * x + r"))
    assert known.text.count("1.011") > 1
    agree(known)
    one_after_another = stage(source(loop="for r in range(8)"))
    assert not is_staged(one_after_another)


def test_a_list_that_it_fills_may_be_taken_apart(stage):
    f = stage(source(before="ys = []", loop="for i in range(9)", body=BODY + "\n            ys.append(x)",
                     behind="a, b, c, d, e, f, g, h, i = ys\n        return a + 2 * b - c + d - e + f - g + h - i"))
    agree(f)
    of_length = stage(source(before="ys = []", body=BODY + "\n            ys.append(x)", behind="return sum(ys) + ys[-1] + len(ys) + max(ys[:5])"))
    assert is_staged(of_length)
    agree(of_length)


def test_comprehensions(stage):
    f = stage("""
    def step(x, i):
        y = x * i + 1.0
        return y * y - x / (1 + i * i)

    def f(x: float):
        ys = [step(x, i) for i in range(100)]
        return sum(ys) + sum(step(y, 3) for y in ys) + sum(step(x, i) for i in range(80) if i % 3)
    """)
    assert f.text.count("(for ") >= 2
    agree(f)


def test_a_turn_that_calls_its_own_function(stage):
    """A search that tries each move; what its loop comes to is no number."""
    f = stage("""
    def best(board: list[int], player: int) -> int:
        if board[0] != 0:
            return board[0]
        found = -2 * player
        for i in range(9):
            if board[i] == 0:
                board[i] = player
                score = best(board, -player)
                board[i] = 0
                found = max(found, score) if player == 1 else min(found, score)
        return found

    def f(x: float):
        board = [0, 1, 1, 1, 0, 1, 1, 1, 1]
        board[-1] = 1 if x > 0 else -1
        return best(board, board[-1])
    """)
    agree(f)


ROWS = {
    "objects": "bodies = [Body(m, p, v) for m, p, v in zip([1.0, 2.0, x], a, a[::-1])]\n"
               "for step in range(3):\n    for body in bodies:\n        body.step(0.5)\n"
               "return sum(b.m * b.p[0] for b in bodies)",
    "objects that are appended": "bodies = []\nfor i, p in enumerate(a):\n    if i != 1:\n        bodies.append(Body(1.0, p, p))\nbodies[1].p = a[0]\n"
                                 "return bodies[0].p[1] + bodies[1].p[0]",
    "named tuples": "points = [Point(u, v) for u, v in a]\nreturn sum(p.u * p.v for p in points)",
    "keys": "d = {i: Body(1.0, p, p) for i, p in enumerate(a)}\nd[1].step(x)\nreturn d[1].p[0] + d[0].p[1]",
    "left by break": "names, k = ['one', 'two', 'three'], 0\nfor i, p in enumerate(a):\n    if p[0] > x:\n        break\n    k += len(names[i])\nreturn k",
}


@pytest.mark.parametrize("body", ROWS.values(), ids=ROWS)
def test_a_few_rows_of_an_array_unroll_it(stage, body):
    lines = "\n        ".join(body.splitlines())
    agree(stage(f"""
    import collections
    import numpy as np
    Point = collections.namedtuple("Point", "u v")

    class Body:
        def __init__(self, m, p, v):
            self.m, self.p, self.v = m, p, v

        def step(self, dt):
            self.p = self.p + dt * self.v

    def f(x: float):
        a = np.array([[x, 1.0], [2.0, x * x], [0.25, 3.0]])
        {lines}
    """))


def test_an_error_is_the_users(error_of):
    error = error_of("""
    def f(x: float):
        for i in range(100):
            x = x * 1.5 + i
            x = x - undefined(i)
        return x
    """)
    assert error.code == "LT0301" and "undefined" in error.message and error.place.line == 4


def test_a_loop_whose_turns_lead_to_it_again_has_a_length(stage):
    assert_is_python(stage, """
    LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    def winner(b):
        for x, y, z in LINES:
            if b[x] == b[y] == b[z] and b[x] != " ": return b[x]
        return None

    def minimax(b, player):
        w = winner(b)
        if w is not None: return (1 if w == "X" else -1), -1
        if " " not in b: return 0, -1
        best, move = (-2, -1) if player == "X" else (2, -1)
        for i in range(9):
            if b[i] == " ":
                b[i] = player
                score, _ = minimax(b, "O" if player == "X" else "X")
                b[i] = " "
                if player == "X" and score > best or player == "O" and score < best: best, move = score, i
        return best, move

    def f(board: str):
        b = list(board)
        return minimax(b, "X"), "".join(b)
    """, [("XX OO  XO",), ("XOXOXO   ",)])
