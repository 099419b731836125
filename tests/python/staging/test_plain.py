"""Converted code on plain Python values does what the plain code does: results, order, exceptions and their messages."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

from lantern import core
from staged_source import module_of
from lantern.staging.convert import converted

PROGRAMS = {
    "arithmetic": ("def f(a, b):\n    return a + b, a - b, a * b, a / b, a // b, a % b, a ** b, -a, +a, a @ b if False else 0", [(7, 2), (7.5, -2), (1, 0), ("a", "b")]),
    "comparison": ("def f(a, b):\n    return a < b, a <= b, a == b, a != b, a is b, a is not b, 0 < a < b", [(1, 2), (2, 1), ("a", 1)]),
    "and or not": ("def f(a, b):\n    return a and b, a or b, not a, [] and 1 or {}, a and not b or b", [(0, 5), (3, 0), ("", None)]),
    "membership": ("def f(a, b):\n    return a in b, a not in b", [(1, [1, 2]), ("x", "abc"), (1, 5)]),
    "early return": ("def f(a, b):\n    if a > b:\n        return 'first'\n    for i in range(a):\n        if i == 2:\n            return i\n    else:\n        return 'else'\n    return 'end'", [(3, 1), (0, 5), (3, 9), (2, 3)]),
    "while else": ("def f(a, b):\n    n = 0\n    while n < a:\n        n += 1\n        if n == b:\n            break\n        if n % 2:\n            continue\n    else:\n        n = -n\n    return n", [(5, 3), (5, 9), (0, 0)]),
    "unbound": ("def f(a, b):\n    if a:\n        x = b\n    return x", [(1, 2), (0, 2)]),
    "deleted": ("def f(a, b):\n    x = a\n    if b:\n        del x\n    return x", [(1, 0), (1, 1)]),
    "unpack": ("def f(a, b):\n    (x, y), *z = a\n    p, q = b\n    return x, y, z, p, q", [(((1, 2), 3, 4), (5, 6)), (((1, 2),), (5,)), (((1, 2),), (5, 6, 7)), (1, 2)]),
    "stores": ("def f(a, b):\n    class C: pass\n    c = C()\n    c.x = a\n    c.x += b\n    d = {'k': [a]}\n    d['k'][0] += b\n    d['k'] += [1]\n    del c.x\n    return d, hasattr(c, 'x')", [(1, 2)]),
    "aliases": ("def f(a, b):\n    x = y = a\n    x += [1]\n    return y, a is x", [([0], 1)]),
    "closures": ("def f(a, b):\n    n = 0\n    def bump(by=1, *, scale=a):\n        nonlocal n\n        n += by * scale\n        return n\n    bump()\n    bump(b, scale=2)\n    return n, (lambda v: v + n)(1)", [(1, 2)]),
    "exceptions": ("def f(a, b):\n    try:\n        if a:\n            raise KeyError(b)\n        return a / b\n    except KeyError as error:\n        return repr(error)\n    finally:\n        b = 3", [(1, 2), (0, 0), (0, 2)]),
    "assertion": ("def f(a, b):\n    assert a, f'bad {b}'\n    assert b\n    return 1", [(1, 1), (0, 7), (1, 0)]),
    "f-string": ("def f(a, b):\n    return f'{a!r:>5}|{b:.2f}|{a}{{}}|{b:{a}.1f}'", [(8, 2.5), ("x", 2)]),
    "comprehensions": ("def f(a, b):\n    return [x * b for x in a if x], {x: y for x, y in zip(a, a)}, {x for x in a}, sum(x for x in a)", [([1, 2, 0], 3), (5, 1)]),
    "attributes": ("def f(a, b):\n    return a.real, a.nope", [(1, 2)]),
    "items": ("def f(a, b):\n    return a[b], a[0:2], a[b]", [([1, 2, 3], 1), ([1], 5), ({0: 1}, "k"), ({1: 2}, 1)]),
    "order": ("def f(a, b):\n    log = []\n    def n(v):\n        log.append(v)\n        return v\n    n(1) + n(2) * n(3)\n    [n(4)][n(0)] = n(5)\n    x = n(6) if n(7) else n(8)\n    n(0) < n(9) < n(10)\n    dict(a=n(11), **{'b': n(12)})\n    return log", [(0, 0)]),
    "walrus": ("def f(a, b):\n    if (n := a) > 1 and (m := b) > 1:\n        return n, m\n    return n", [(1, 2), (2, 2)]),
    "with and match": ("def f(a, b):\n    import contextlib\n    with contextlib.suppress(ZeroDivisionError) as s:\n        a / b\n    match a:\n        case 1:\n            return 'one'\n        case [x, y]:\n            return x\n    return None", [(1, 0), ([1, 2], 3)]),
    "star calls": ("def f(a, b):\n    def g(*x, **y):\n        return x, y\n    return g(*a, 1, k=b, **{'m': 2}), g(), g(**{})", [((1, 2), 3)]),
    "generator": ("def f(a, b):\n    def g():\n        for i in range(a):\n            yield i\n    return list(g())", [(3, 0)]),
    "recursion": ("def f(a, b):\n    if a == 0:\n        return b\n    return f(a - 1, b + a)", [(5, 0)]),
    "qualified names": ("def f(a, b):\n    class C:\n        if a:\n            def m(self): pass\n    return C.__qualname__, C.m.__qualname__", [(1, 2)]),
    "missing arguments": ("def f(a, b):\n    def g(x, y): return x\n    return g(a)", [(1, 2)]),
    "falls off the end": ("def f(a, b):\n    if a:\n        return b\n    for i in range(3):\n        if i == b:\n            return i", [(1, 2), (0, 1), (0, 9)]),
}


def outcome(function, arguments):
    try:
        return "gives", function(*arguments)
    except Exception as error:
        return "raises", type(error), str(error)


@pytest.mark.parametrize("name", PROGRAMS)
def test_plain_values(converter, name):
    import copy
    source, calls = PROGRAMS[name]
    if "match a:" in source and sys.version_info < (3, 10):
        pytest.skip("`match` is Python 3.10's")
    function = vars(module_of(source))["f"]
    twin = converted(function)
    for arguments in calls:
        assert outcome(twin, copy.deepcopy(arguments)) == outcome(function, copy.deepcopy(arguments))


def test_the_twin_keeps_defaults_annotations_and_cells(converter):
    module = module_of("""
    def outer(k):
        def f(a: int, b=2, *, c: float = 3.0) -> str:
            "Documented."
            nonlocal k
            if a:
                k += 1
            return a + b + c + k
        return f, lambda: k
    """)
    function, read = module.outer(10)
    function.unit = "m"
    twin = converted(function)
    assert twin(1) == 17.0 and read() == 11
    assert twin.unit == "m" and twin.__doc__ == "Documented." and twin.__annotations__ == function.__annotations__
    assert twin.__code__.co_filename == function.__code__.co_filename


def test_methods_super_and_class_cells(converter):
    module = module_of("""
    class A:
        def f(self, x):
            return x + 1

    class B(A):
        def f(self, x):
            if x:
                return super().f(x) * 2
            return __class__.__name__
    """)
    twin = converted(module.B.f)
    assert twin(module.B(), 1) == 4 and twin(module.B(), 0) == "B"


def test_exceptions_come_from_the_user_s_line(converter):
    import traceback
    function = vars(module_of("""
    def f(a):
        if a:
            b = a + 1

            return b / 0
        return 1
    """))["f"]
    with pytest.raises(ZeroDivisionError) as caught:
        converted(function)(1)
    frames = [frame for frame in traceback.extract_tb(caught.tb) if frame.filename == function.__code__.co_filename]
    assert frames[-1].lineno == 5


def test_lambdas_on_one_line_are_told_apart(converter):
    module = module_of("pair = (lambda x: x + 1 if x else 0), (lambda x: x * 2 if x else 1)\n")
    assert [converted(f)(3) for f in module.pair] == [4, 6] and [converted(f)(0) for f in module.pair] == [0, 1]


DEEP = {
    "function": "def f(n):\n    if n == 0:\n        return 0\n    return 1 + f(n - 1)",
    "branches": "def f(n):\n    if n < 0:\n        return -1\n    elif n == 0:\n        return 0\n    else:\n        k = f(n - 1)\n    return k + 1",
    "loop": "def f(n):\n    total = 0\n    for i in range(min(n, 1)):\n        total += f(n - 1) + 1\n    return total",
    "lazy": "def f(n):\n    return n and (f(n - 1) + 1 if n > 1 else 1)",
    "method": "class A:\n    def f(self, n):\n        if n == 0:\n            return 0\n        return 1 + self.f(n - 1)\nf = A().f",
    "closure": "def outer():\n    def g(n):\n        if n:\n            return 1 + g(n - 1)\n        return 0\n    return g\nf = outer()",
    "map": "def f(n):\n    return 1 + sum(map(f, [n - 1])) if n else 0",
    "sort key": "def f(n):\n    found = []\n    def key(k):\n        found.append(f(k) if k else 0)\n        return k\n    sorted([n - 1], key=key)\n    return found[0] + 1",
    "comprehension": "def f(n):\n    if n == 0:\n        return 0\n    return 1 + [f(k) for k in [n - 1]][0]",
    "operator": "class A:\n    def __init__(self, n):\n        self.n = n\n    def __add__(self, k):\n        if self.n:\n            return (A(self.n - 1) + k) + 1\n        return k\ndef f(n):\n    return A(n) + 0",
    "endless": "def f(n):\n    if n:\n        return f(n + 1)",
    "endless map": "def f(n):\n    return list(map(f, [n + 1])) if n else 0",
    "endless text": "class A:\n    def __repr__(self):\n        if self:\n            return repr([self, 1])\ndef f(n):\n    return repr(A())",
    "endless attribute": "class A:\n    def __getattr__(self, name):\n        if name:\n            return getattr(self, name + 'x')\ndef f(n):\n    return A().x",
}
DEPTHS = """
import json, sys

def reached(text):
    space = {"__name__": "deep"}
    exec(compile(text, "deep.py", "exec"), space)
    low, high = 0, 1000
    while low < high:
        middle = (low + high + 1) // 2
        try:
            assert space["f"](middle) == middle
            low = middle
        except RecursionError:
            high = middle - 1
    return low

plain, converted = json.load(sys.stdin)
depths = [[reached(text) for text in plain]]
import lantern.operators
print(json.dumps([*depths, [reached(text) for text in converted]]))
"""


def test_converted_code_recurses_as_deep_as_plain_code(converter):
    """Under Python's own limit; a recursion without end is a RecursionError, however it goes round."""
    texts = list(DEEP.values())
    programs = json.dumps([texts, [core.convert(text, "deep.py")["code"] for text in texts]])
    run = subprocess.run([sys.executable, "-c", DEPTHS], input=programs, capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": str(pathlib.Path(core.__file__).parents[1])})
    assert run.returncode == 0, (run.returncode, run.stderr[-2000:])
    for name, plain, reached in zip(DEEP, *json.loads(run.stdout)):
        assert reached >= min(plain, 900), (name, plain, reached)
        assert (plain == 0 == reached) if "endless" in name else plain > 150, (name, plain, reached)
