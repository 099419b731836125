"""A variable that is Python's number where a loop makes no turn, or on one path, and an array else."""
import numpy as np
import pytest
from compiled_table import Table
from staged_source import Staged

import lantern as lt
from lantern import types
from lantern.staging.errors import StagingError

HEAD = """import copy
import functools
import math
import numpy as np

KNOWN = np.array([1.0, 2.0, 3.0], np.float32)


class Box:
    a = None


def doubled(a):
    return a + a


def added(n, w):
    h = 0.0
    for i in range(n):
        h = h + w
    return h


def chosen(parts, k, w):
    return w if k <= 0 else chosen(parts, k - 1, w) + parts[0]


def sums(xs):
    h = 0.0
    for x in xs:
        yield h
        h = h + x


"""
WAYS = {     # how `h` comes to be one or the other
    "for": "h = {}\nfor i in range(n):\n    h = h + xs[i] * w",
    "in place": "h = {}\nfor i in range(n):\n    h += xs[i] * w",
    "while": "h, i = {}, 0\nwhile i < n:\n    h, i = xs[i] * w - h, i + 1",
    "if": "h = {}\nif n:\n    h = xs[0] * w",
    "if else": "if n == 0:\n    h = {}\nelse:\n    h = w + 1",
    "expression": "h = w * 2 if n else {}",
    "loops in loops": "h = {}\nfor i in range(n):\n    for j in range(i):\n        h = h * w + xs[j]",
    "in a branch": "h = {}\nfor i in range(n):\n    if b:\n        h = h + xs[i]",
    "sometimes a number": "h = {0}\nfor i in range(n):\n    h = xs[i] - h if b else {0}",
    "left": "h = {}\nfor row in xs:\n    if row[0] > 1:\n        break\n    h += row",
    "array first": "h = w\nif b:\n    h = {}",
    "two names": "h, g = {}, w\nfor i in range(n):\n    h, g = g, h + xs[i]\n    g = g + w",
    "max": "h = {}\nfor i in range(n):\n    h = np.maximum(h, xs[i])",
}
USES = ["h + w, w - h, w * h, w / (w + h), h / w, w // (h - 7.5), h % w, w % (h - 9.0), h ** w",
        "np.tanh(w + h), np.maximum(h, w), np.minimum(w, h), np.arctan2(h, w), np.where(w > 1, h, w), np.add(h, w), np.multiply(w, h)",
        "h < w, w >= h, h == w, h != w, h is None, h + xs, xs[:1] * h, doubled(h + w), h + np.ones(3, w.dtype)",
        "(h, w)[0] + w, [h, w][0] * w, {'k': h}['k'] - w, [row + h for row in xs], (lambda: h * w)(), sum([h, w])",
        "(h + w) if h is not None else w"]
OF_NUMBERS = "(h * 2) + w, -h + w, (h + 1) * w, (h * h) - w, (h - h) + w, abs(h) * w, (h * 0.5 + 0.25) * w"
NUMBERS = ["0.0", "0", "-0.0", "1", "0.1", "-2.5", "math.inf", "math.nan", "c", "n", "c + n", "2**24 + 1"]
PROGRAMS = ["""
    h, g = 0.0, w.copy()                    # which of the two is a number goes to and fro
    for i in range(n):
        h, g = g, h
        h += xs[i]
    return h + w, g + w
""", """
    t = 0.0                                 # a number in each turn of the loop around
    for j in range(n):
        h = 0.0
        for i in range(j):
            h += xs[i]
        t += h * w
    return w - t
""", """
    t, g = 0.0, 0.0                         # sums of sums, which in a first turn are of numbers
    for j in range(n):
        h = 0.0
        for i in range(j):
            h = h + xs[i]
        t = t + h
    for j in range(n):
        g -= t
    return t * w, g + w
""", """
    h = 0.0                                 # loops that have a turn
    for i in range(3):
        h += w * i
    g = 1.0
    for z in w:
        g = g * z + w
    return h, h.sum(), h[0], h.shape, g
""", """
    h = g = m = 0.0                         # what is not the same one is changed
    for i in range(n):
        m = m + h * w
        h += xs[i]
        g = g - h
    return h + w, g * w, m + w
""", """
    h = 0.0                                 # it decays, in numbers that an array has exactly
    for i in range(n):
        h *= 0.5
        h += xs[i] * 0.5
    return np.tanh(h + w)
""", """
    h = 0.0
    for i in range(n):
        h = (h if b else 1.0)
        if i > 1:
            h = h + w
    match n:
        case 0:
            g = 0.5
        case 1:
            g = w
        case _:
            g = 1.0
    return h + w, g * w
""", """
    h = 0.0                                 # functions around it, and those that give it
    def inner(k):
        return w if k == 0 else inner(k - 1) + h
    def add(x):
        nonlocal h
        h = h + x
    for i in range(n):
        add(xs[i])
    return inner(n), added(n, w) * w, (added(n, w), 1)[0] - w
""", """
    h, g = 0.0, 0.5                         # of two such variables, each is itself in what is called with it
    for i in range(n):
        h = h + w
        g = g - w * w
    return chosen((h, 1), n, w) + chosen((g, 1), n, w) * 2, chosen([h], n, w) - chosen([w], n, w)
""", """
    t = w
    for x in sums(xs):
        t = t + x
    return t, [x * w for x in sums(xs)], sum([x * w for x in xs], 0.0) + w
""", """
    h = 0.0                                 # arrays that are known, and lists that hold it
    if b:
        h = np.ones(3, w.dtype)
    t = [h, w]
    for i in range(n):
        t[0] = t[0] + w
    a = xs.copy()
    a += h
    return h * w, t[0] + t[1], a
"""]


def function(name, kind, body, result=None):
    head = f'def {name}(xs: lt.Tensor[lt.{kind}, None, 3], w: lt.Tensor[lt.{kind}, 3], n: int, b: bool, c: float):\n'
    lines = body.splitlines() if result is None else ["    " + line for line in [*body.splitlines(), f"return {result}"]]
    return head + "\n".join(lines) + "\n\n\n"


def way(name, number):
    return WAYS[name].format(number)


CASES = [("f32", way("for", "0.0"), use) for use in USES] + \
        [("f64", way("in place", "0"), use) for use in (*USES[:2], "(2 * h * c + c) * w")] + \
        [("f32", way(each, "0"), "w - h, h * w") for each in WAYS] + [("f64", way(each, "0.5"), "w / h") for each in WAYS] + \
        [(kind, way("for", number), "h * w + 1, w / h") for kind in ("f32", "f64") for number in NUMBERS] + \
        [("f32", way("for", number), OF_NUMBERS) for number in ("0.0", "0.5")] + [("f32", text, None) for text in PROGRAMS]
NAMES = {f"f_{number}": case for number, case in enumerate(CASES)}


@pytest.fixture(scope="module")
def table():
    return Table(HEAD + "".join(function(name, *case) for name, case in NAMES.items()), list(NAMES))


def arguments_of(kind):
    xs = np.array([[0.5, -1.25, 0.0], [2.0, 0.75, -3.0], [0.1, 0.2, 0.3]], types.numpy_dtype(kind))
    for n, b, c in ((0, False, 0.3), (1, True, -1.7), (3, False, 2.0), (3, True, 0.1)):
        yield xs[:n], np.array([1.0, -2.0, 0.25], xs.dtype), n, b, c


def is_same(a, b):
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(is_same, a, b))
    if not isinstance(a, np.ndarray) or not isinstance(b, np.ndarray):
        return np.shape(a) == np.shape(b) and a == b
    signs = a.dtype.kind != "f" or np.array_equal(np.signbit(a[a == a]), np.signbit(b[a == a]))
    return a.dtype == b.dtype and a.shape == b.shape and signs and np.allclose(a, b, rtol=1e-6, atol=0, equal_nan=True)


@pytest.mark.parametrize("name", NAMES, ids=[f"{kind} {body} {use}" for kind, body, use in CASES])
def test_is_pythons(table, name):
    for arguments in arguments_of(NAMES[name][0]):
        with np.errstate(all="ignore"):
            expected = table.plain[name](*arguments)
        assert is_same(expected, table.compiled[name](*arguments)), (arguments, expected)


# What tells a number from an array: `^` is where the error is.
REFUSED = [
    "return ^len(h)", "return ^h.shape", "return ^h.sum()", "return ^h[0]", "return ^h[:2]", "return ^w[h]",
    "^for z in h:\n    w = w * z\nreturn w", "return ^h @ w", "return ^np.dot(w, h)", "return ^np.outer(h, w)", "return ^np.sum(h)",
    "return ^np.argmax(h)", "return ^max(h, 1.0)", "return ^np.concatenate([h, w])", "return ^lt.stack([h, w])", "return ^float(h)",
    "return ^bool(h)", "^if h:\n    w = w + 1\nreturn w", "return ^w if h else w", "return ^h or w", "^assert h\nreturn w",
    "return ^h == 0.0", "return ^h < 1", "return ^h in [0.0]", "return ^h is w", "^print(h)\nreturn w", "return ^str(h)",
    "^print((h, 1))\nreturn w", "return ^str([h])", "if b:\n    ^raise ValueError([h])\nreturn w", "return ^np.stack(([h], [w]))",
    "return f'{^h}'", "return ^'%s' % h", "return ^doubled(h)", "return ^chosen(h, n, w)", "^Box().a = h\nreturn w",
    "a = xs.copy()\n^a[0] = h\nreturn a", "a = xs.copy()\n^a[0] += h\nreturn a", "^h[0] = 1.0\nreturn h + w",
    "^h[0] += 1.0\nreturn h + w", "del ^h[0]\nreturn w", "l = [w]\n^l.append(h)\nreturn l", "return ^isinstance(h, float)",
    "return ^type(h)", "return ^np.tanh(h) + w", "return ^math.sqrt(h)", "return ^w ** h", "return ^h.copy() + w",
    "return ^copy.copy(h) + w", "return ^np.array(h) + w", "return [h for ^i in range(n)]", "return ^1 / h + w", "return ^h / 0 + w",
    "return (^h + c) + w", "g = ^h * c\nif b:\n    g = w\nreturn g + w", "y = ^c / h\nreturn w", "return ^h + xs[:, :1]",
    "return ^h + w[:1]", "return ^h + w[0]", "return ^h + [1.0, 2.0, 3.0]", "return ^h + np.ones((3, 1), w.dtype)",
    "^a, b, c = h\nreturn a", "return doubled(^*h)", "return ^h << 1", "^h @= w\nreturn h", "^h += xs\nreturn h",
    "g = h\n^h += w\nreturn g + w", "t = (h, 1)\n^h += w\nreturn t[0] + w", "return ^lt.grad(doubled)(h)", "return ^hash(h)",
    "return ^{h: 1}", "return ^np.add(h, w, dtype=np.float64)", "return ^np.add.reduce([h, w])",
    "return ^functools.partial(doubled, h)()", "match h:\n    case ^0.0:\n        return w\nreturn w",
]
RETURNED = [
    "return h", "return (h, 1)", "return [h]", "return {'k': h}", "return (lambda: h)()", "return added(n, w)", "return abs(h)",
    "y = h\nreturn y",
]


def refusal(source):
    with pytest.raises(StagingError) as caught:
        Staged(HEAD + source, "f")
    return caught.value


def program(text):
    head = function("f", "f32", way("for", "0.0"), "w").rsplit("    return w", 1)[0]
    return head + "".join(f"    {line}\n" for line in text.splitlines())


@pytest.mark.parametrize("text", REFUSED)
def test_is_refused_where_a_number_is_not_an_array(text):
    source = program(text)
    error = refusal(source.replace("^", "", 1))
    line = next(number for number, each in enumerate((HEAD + source).splitlines(), 1) if "^" in each)
    column = (HEAD + source).splitlines()[line - 1].index("^") + 1
    assert error.code == "LT0306" and "'h' may still be the number 0.0 here, since the for loop may have made no turn" in error.message
    assert error.hint == "begin with an array: h = lt.zeros(3)"
    assert (error.place.line, error.place.column) == (line, column)


# 1e-30 is none of f32's, and next to 1.0 that does not show.
@pytest.mark.parametrize("number, is_exact", [("1e-30", False), ("0.1", False), ("n", False), ("0.375", True), ("-0.0", True), ("math.inf", True), ("math.nan", True)])
@pytest.mark.parametrize("text", ["return w, h + KNOWN.astype(np.int64)", "return w, np.where(w > 0, KNOWN.astype(np.float64), h)", "return w, h < KNOWN.astype(np.int64)"])
def test_a_wider_result_wants_a_number_that_the_array_has(text, number, is_exact):
    source = program(text).replace("h = 0.0", f"h = {number}")
    if is_exact:
        Staged(HEAD + source, "f")
    else:
        assert refusal(source).code == "LT0306"


@pytest.mark.parametrize("number, made", [("-2.5", "lt.full(3, -2.5)"), ("math.inf", "lt.full(3, float('inf'))"), ("math.nan", "lt.full(3, float('nan'))")])
def test_the_hint_is_python(number, made):
    assert refusal(program("return h").replace("h = 0.0", f"h = {number}")).hint == f"begin with an array: h = {made}"


@pytest.mark.parametrize("text", RETURNED)
def test_is_not_returned(text):
    error = refusal(program(text))
    assert error.code == "LT0306" and "lt.zeros(3)" in error.hint
    assert "'f' returns " in error.message and "which may still be the number 0.0" in error.message


# Where it stays a number on one path and an array on another, which is an error as ever: what to begin with.
STILL = {
    "h = 0.0\nfor x in xs:\n    h = h + xs": "begin with an array of its shape and dtype: h = np.zeros_like(…)",
    "h = True\nfor x in xs:\n    h = h * x": "give it a value of the same type before the loop",
    "h = 1e300\nfor x in xs:\n    h = h * x": "begin with an array: h = lt.full(3, 1e+300)",
    "o = [0.5]\nfor x in xs:\n    o[0] = o[0] + x\nh = o[0]": "begin with an array: lt.full(3, 0.5)",
    "o = Box()\no.a = 0.0\nfor x in xs:\n    o.a = o.a + x\nh = o.a": "begin with an array: lt.zeros(3)",
    "if b:\n    return 0.0\nh = w": "return an array on every path",
    "h = 0.0\nfor x in xs:\n    h = h + 1.0 if b else h + x": "begin with an array: h = lt.full(3, …)",
    "h = None\nfor x in xs:\n    h = x if b else 0.0": "begin with an array: h = lt.zeros(3)",
}


@pytest.mark.parametrize("body", STILL)
def test_what_does_not_join(body):
    error = refusal(function("f", "f32", body, "w + h"))
    assert (error.code, error.hint) == ("LT0306", STILL[body])


def test_a_changed_array_of_others_is_refused():
    behind, within = "h = 0.0\nfor x in xs:\n    h = x\nh += w", "h = 0.0\nfor x in xs:\n    h = x\n    h += w"
    for body in (behind, within, "h = w\nif b:\n    h = 0.0\nh += w"):
        assert refusal(function("f", "f32", body, "w + h")).code == "LT0317"


OF_DERIVATIVES = """
@lt.struct
class Node:
    value: lt.Tensor[lt.f64, 3]
    children: "list[Node]"


def tree(node, w, c):
    h = c
    for child in node.children:
        h += tree(child, w, c)
    return np.tanh(node.value * w + h)


def of_trees(w: lt.Tensor[lt.f64, 3], c: float, node: Node):
    return np.sum(tree(node, w, c) * w) + np.sum(tree(node, w, 0.0))


def of_loops(w: lt.Tensor[lt.f64, 3], c: float, xs: lt.Tensor[lt.f64, None, 3]):
    h, t, g = c, 0.0, c * 2
    for i in range(len(xs)):
        h = h * xs[i] + w
        a = 1.0
        for j in range(i):
            a *= xs[j] + w
        t = t + a * w
        if xs[i][0] > 0.3:
            g = g * c
            g = g * xs[i]
    while np.sum(t + w) < 6.0:
        t = t + w * w
    return np.sum((h + w) * w * c) + np.sum(np.sin(t * w)) + np.sum(np.cos(g * w))


def of_rows(ws: lt.Tensor[lt.f64, None, 3], xs: lt.Tensor[lt.f64, None, 3], n: int):
    def row(w, xs, n):
        h = 0
        for i in range(n):
            h += xs[i] * w
        return w - h
    return lt.vmap(row, in_axes=(0, None, None))(ws, xs, n)
"""


@pytest.fixture(scope="module", params=["depth-first", "batched"])
def derivatives(request):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANTERN_SCHEDULE", request.param)
        module = Staged(HEAD + OF_DERIVATIVES, "of_loops").module
        yield module


def test_derivatives(derivatives):
    w, c, xs = np.array([0.4, 0.7, 0.3]), 0.3, np.linspace(0.2, 0.9, 9).reshape(3, 3)
    leaf = derivatives.Node(xs[0], [])
    node = derivatives.Node(xs[1], [leaf, derivatives.Node(xs[2], [leaf, leaf])])
    for plain, lasts in ((derivatives.of_trees, (leaf, node)), (derivatives.of_loops, (xs[:0], xs[:1], xs))):
        compiled = lt.value_and_grad(lt.function(plain), wrt=("w", "c"))
        for last in lasts:
            value, (of_w, of_c) = compiled(w, c, last)
            steps = [(step * 1e-6, 0.0) for step in np.eye(3)] + [(np.zeros(3), 1e-6)]
            expected = [(plain(w + dw, c + dc, last) - plain(w - dw, c - dc, last)) / 2e-6 for dw, dc in steps]
            assert np.isclose(value, plain(w, c, last)) and np.allclose([*of_w, of_c], expected, atol=1e-7)


def test_tangents_and_rows(derivatives):
    w, c, xs = np.array([0.4, 0.7, 0.3]), 0.3, np.linspace(0.2, 0.9, 9).reshape(3, 3)
    plain, dw, dc = derivatives.of_loops, np.array([1.0, -1.0, 0.5]), 0.7
    compiled, rows = lt.function(plain), lt.function(derivatives.of_rows)
    for last in (xs[:0], xs):
        value, tangent = compiled.jvp((w, c, last), (dw, dc, None))
        expected = (plain(w + 1e-6 * dw, c + 1e-6 * dc, last) - plain(w - 1e-6 * dw, c - 1e-6 * dc, last)) / 2e-6
        assert np.isclose(value, plain(w, c, last)) and np.isclose(tangent, expected, atol=1e-7)
        assert np.allclose(rows(xs, xs, len(last)), xs - sum((xs * x for x in last), 0.0))


def test_the_program_begins_with_zeros():
    text = Staged(HEAD + function("f", "f32", way("for", "0"), "h + w"), "f").text
    assert "(zeros f32 3)" in text and "(full" not in text
