"""Variables that some path leaves without a value: where they have none, the program raises what Python raises."""
import itertools
import re

import pytest
from unbound_programs import PROGRAMS


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return getattr(error, "kind", type(error).__name__)


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_as_plain(stage, source):
    f = stage(source)
    for x, n in itertools.product((3.0, -2.0, 0.5, 50.0), (0, 1, 5)):
        assert outcome(f, x, n) == outcome(f.module.f, x, n), (x, n)


def test_many_conditions_are_staged_in_no_time(stage):
    """What they say together has no short form; it is not followed then."""
    firsts, seconds = [f"a{i}" for i in range(24)], [f"b{i}" for i in range(24)]
    tests = "\n".join(f"    if {a}:\n        if {b}:\n            found = True" for a, b in zip(firsts, seconds))
    f = stage(f"def f({', '.join(f'{name}: bool' for name in firsts + seconds)}):\n"
              f"    found = False\n{tests}\n    if found:\n        y = 1\n    else:\n        y = 2\n    return y\n")
    assert f(*[True] * 23, False, *[False] * 23, True) == 2 and f(*[True] * 48) == 1


@pytest.mark.parametrize("source, shown", [
    ("""
    class C:
        def __init__(self, v):
            self.v = v * 2

    def f(x: float, n: int):
        if x > 0:
            c = C(x)
        return c.v
    """, """\
program.py:8:12: error LT0302: 'c' may have no value here: one path of the if statement gives it none
      return c.v
             ^
  hint: give 'c' a value before the statement, or on every path of it"""),
    ("""
    def f(x: float, n: int):
        big = x > 0
        if big:
            y = x
        for i in range(n):
            if big:
                y = "text"
        return y if big else 0.0
    """, """\
program.py:5:5: error LT0306: 'y' is float before the for loop and str after a turn of it
      for i in range(n):
      ^
  hint: give it a value of the same type before the loop"""),
], ids=["object", "types"])
def test_an_error_is_whole(error_of, source, shown):
    assert re.sub(r"program_\d+\.py", "program.py", str(error_of(source))) == shown
