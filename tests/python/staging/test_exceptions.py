"""`raise`, `try` and `with` in staged code: as in Python, or an error that names the operation."""
import contextlib
import io

import pytest
from interpreter import Raised
from staged_source import module_of

PRELUDE = """
import contextlib

class MyError(Exception):
    def __init__(self, x, why):
        super().__init__(f"{why}: {x}")

class Shown(Exception):
    def __str__(self):
        return f"shown {self.args[0]}"

class Timer:
    def __enter__(self):
        print("in")
        return self

    def __exit__(self, kind, error, traceback):
        print("out")

def fail(x):
    raise MyError(x, "failed")

def lookup(xs, i):
    return xs[i]

def kinds():
    print("kinds")
    return KeyError, IndexError
"""

# Each is the body of f(x: float, n: int); it is run for each (x, n), plainly and staged.
AGREE = {
    "a user's class": "if n == 1:\n  raise MyError(x, 'big')\nreturn x",
    "a text of its own": "if n == 1:\n  raise Shown(x)\nreturn x",
    "several arguments": "if n == 1:\n  raise ValueError('a', 2)\nreturn x",
    "only a class": "if n == 1:\n  raise MemoryError\nreturn x",
    "raise from": "try:\n  [][0]\nexcept IndexError as error:\n  if n == 1:\n    raise MyError(x, 'from') from error\nreturn x",
    "raise from None": "if n == 1:\n  raise MyError(x, 'none') from None\nreturn x",
    "raise alone": "try:\n  [][0]\nexcept IndexError:\n  if n == 1:\n    raise\nreturn x",
    "in a callee, on every path": "if n == 1:\n  y = fail(x)\nelse:\n  y = 2.0 * x\nreturn y",
    "on every path": "if n == 1:\n  raise MyError(x, 'one')\nelse:\n  raise MyError(x, 'other')",
    "in any case": "raise MyError(x, 'always')",
    "in a loop": "for i in range(n):\n  if x * i > 1:\n    raise MyError(i, 'loop')\nreturn x",
    "caught before it is staged": "try:\n  raise KeyError('k')\nexcept KeyError:\n  y = x + 1\nreturn y",
    "a known failure, handled": "try:\n  y = {}['k']\nexcept KeyError:\n  y = x + 1\nelse:\n  y = x\nfinally:\n  print('finally')\nreturn y",
    "nothing that can fail": "try:\n  y = x * 2 + n\nexcept ZeroDivisionError:\n  y = 0.0\nfinally:\n  print('finally')\nreturn y",
    "a failure that nobody there handles": "try:\n  y = x / n\nexcept KeyError:\n  y = 0.0\nreturn y",
    "a divisor that is not zero": "try:\n  y = x / 2\nexcept ZeroDivisionError:\n  y = 0.0\nreturn y",
    "with": "with Timer() as timer:\n  y = x * 2\nprint('end')\nreturn y",
    "with, left early": "with Timer():\n  if n == 1:\n    return x\nreturn 2 * x",
    "with several": "with Timer(), contextlib.nullcontext(n) as m:\n  y = x + m\nreturn y",
    "with, a known failure": "with contextlib.suppress(KeyError):\n  {}['k']\nreturn x",
    "the exception's values": "try:\n  raise ValueError(x)\nexcept ValueError as error:\n  y = error.args[0] + 1\nreturn y",
    "nested": "try:\n  try:\n    raise KeyError('a')\n  finally:\n    print('inner')\nexcept LookupError:\n  print('outer')\nreturn x",
    "an assertion": "assert x > 0, 'not positive'\nreturn x",
    "an assertion's text": "assert n < 2, f'n is {n}, x {x}'\nreturn x",
    "what is caught is computed": "for i in range(2):\n  try:\n    y = x * n\n    [i][1 - 2 * i]\n  except kinds():\n    y = x + i\n  except MyError:\n    y = 0.0\nreturn y",
    "what is caught is computed in a recursion": "def g(k):\n  try:\n    return 0.0 if k <= 0 else x + g(k - 1)\n  except kinds():\n    return -1.0\nreturn g(n)",
    "a known failure, where it may run": "if n == 2:\n  print('there')\n  y = {'a': x}['k']\nelse:\n  y = x\nreturn y",
    "known failures": "if n == 1:\n  return [x][3]\nif n == 2:\n  return next(iter({}))\nreturn 1 // 0 if n == 3 else x",
    "a known failure in a callee": "if n == 1:\n  return lookup([x], 4)\nreturn {}.popitem() if n == 2 else 1 % 0",
    "in a branch": "if n == 1:\n  try:\n    y = [1.0][3]\n  except IndexError:\n    y = x\nelse:\n  y = 0.0\nreturn y",
}
CASES = [(1.5, 1), (1.5, 2), (-1.0, 3)]


def source_of(body, head="def f(x: float, n: int):\n"):
    return PRELUDE + head + "".join(f"  {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("title", AGREE)
def test_as_in_python(stage, title):
    source = source_of(AGREE[title])
    staged, plain = stage(source), module_of(source).f
    for x, n in CASES:
        out, staged.machine.printed[:] = io.StringIO(), []
        with contextlib.redirect_stdout(out):
            expected = outcome(plain, x, n)
        assert outcome(staged, x, n) == expected
        assert staged.machine.printed == out.getvalue().splitlines()


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Raised as error:
        return error.kind, "".join(map(str, (error.message, *error.values)))
    except Exception as error:
        return type(error).__name__, str(error)


# The body, what the message says, and the line of it.
REFUSED = {
    "not known before": ("try:\n  y = x ** n\nexcept OverflowError:\n  y = 0.0\nreturn y", "'**' may raise OverflowError", 2),
    "a base that only the program knows": ("try:\n  y = int('ff', n)\nexcept ValueError:\n  y = 0\nreturn y", "'parse-int' may raise ValueError", 2),
    "in a handler of a with": ("with Timer():\n  try:\n    y = {}['k']\n  except KeyError:\n    y = x / n\nreturn y", "the 'with'", 5),
    "with": ("with Timer():\n  y = x / n\nreturn y", "the 'with'", 2),
    "suppress": ("y = 0.0\nwith contextlib.suppress(ZeroDivisionError):\n  y = x / n\nreturn y", "the 'with'", 3),
}


@pytest.mark.parametrize("title", REFUSED)
def test_a_handler_that_would_have_to_run(error_of, title):
    body, text, line = REFUSED[title]
    head = "def f(x: float, n: int, xs: list[float]):\n"
    error = error_of(source_of(body, head))
    first = source_of("", head).lstrip("\n").count("\n")
    assert error.code == "LT0313" and text in error.message and error.hint and error.place.line == first + line


@pytest.mark.parametrize("handler", ["except Exception:", "except:", "except BaseException as error:"])
def test_no_handler_catches_what_the_stager_throws(error_of, stage, handler):
    error = error_of(f"""
    def f(x: float, n: int):
        try:
            y = [1.0, 2.0][hash(n)]
        {handler}
            y = 5.0
        return y
    """)
    assert error.code == "LT0303" and "'n'" in error.message
    count = stage(f"""
    def count(n):
        try:
            if n <= 0:
                return 0
            return count(n - 1) + 1
        {handler}
            return 70

    def f(n: int):
        return count(n)
    """)
    assert count(4) == 4


def test_two_exception_classes_of_one_name(error_of):
    error = error_of("""
    def classes():
        class Problem(Exception):
            pass
        return Problem

    First, Second = classes(), classes()

    def f(x: float):
        if x > 0:
            raise First("a")
        if x < -1:
            raise Second("b")
        return x
    """)
    assert error.code == "LT0310" and "'Problem'" in error.message
