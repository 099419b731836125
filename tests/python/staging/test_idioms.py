"""Idioms of Python on staged values: what each program gives staged is what it gives plainly, or an error that names the cause."""
import sys

import pytest

PROGRAMS = {
    "a function with a staged argument binds a nonlocal": """
        def f(x: float):
            count = 0
            def note(v):
                nonlocal count
                if v > 1:
                    count += 1
            for i in lt.range(int(x * 0) + 5):
                note(i + x)
            note(x)
            return count
        """,
    "a function with a staged argument binds a nonlocal in a loop": """
        def f(x: float):
            total = 1.0
            def add(k):
                nonlocal total
                for i in range(k):
                    total += i * x
                return total
            return add(int(x * x) + 1) + add(2) + total
        """,
    "tuples of staged values in lists and tuples of tuples": """
        def f(x: float):
            known = [(0.5, 1.0), (2.0, x)]
            found = ((x, 1.0) in known, (2.0, x) in known, (x,) in ((1,), (3,)), [x] not in [[0.5], []], (x, x) in [])
            return sum([1 << place for place in range(5) if found[place]])
        """,
    "the larger of two objects that can be gone through": """
        class Pair:
            def __init__(self, a):
                self.a = a
            def __iter__(self):
                return iter((self.a, 1.0))
            def __gt__(self, other):
                return self.a > other.a

        def f(x: float):
            return max(Pair(1.0), Pair(2.0)).a * x
        """,
    "nonlocals within a function that recurses": """
        def g(v):
            t = 0.0
            def h(k):
                nonlocal t
                if k > 1:
                    t += k
            h(v)
            for i in range(3):
                h(v + i)
            return t if v < 2 else g(v - 1) + t

        def f(x: float):
            return g(x) + g(x + 1)
        """,
    "a walrus in a function that is called in a loop": """
        def g(v):
            if v > 0 and (y := v * 2) > 1:
                return y
            return v

        def h(n, x):
            if any((y := v * x) > 3 for v in range(n)):
                return y
            return 1.0

        def f(x: float):
            total = 0.0
            for i in range(int(x * x) + 2):
                total += g(i + x) + h(i, x)
            return total
        """,
    "a walrus in a comprehension within another": """
        def f(x: float):
            z = x
            rows = [[z := z * i + v for v in range(3)] for i in range(int(x * x) + 2)]
            return z + len(rows)
        """,
    "a function that sets what those around it declare": """
        def f(x: float):
            def mid(m):
                nonlocal x
                def add(v):
                    nonlocal x
                    x = x + v
                for v in range(m):
                    if v != 1:
                        add(v)
                return x
            return mid(int(x * x)) + x
        """,
    "a walrus that has run": """
        def f(x: float):
            if x > 0 and (y := x * 2) > 1:
                return y
            return -x
        """,
    "a call binds a nonlocal under a staged condition": """
        def f(x: float):
            k = 1.0
            def change():
                nonlocal k
                k = k + x
            if x > 0:
                change()
            return k
        """,
    "a closure sees what either branch stored": """
        def f(x: float):
            k = 1.0
            def get():
                return k * x
            if x > 0:
                k = 2.0
            else:
                k = 3.0
            return get()
        """,
    "a closure called in a loop and behind it": """
        def f(x: float):
            k = 1.0
            def get():
                return k * x
            while k < 10:
                k = k + get() * get() + 1
            return get()
        """,
    "a walrus behind `and`": """
        def f(x: float):
            y = 0.0
            if x > 0 and (y := x * 2) > 1:
                return y
            return y - x
        """,
    "a walrus in a conditional expression": """
        def f(x: float):
            y = 1.0
            z = (y := x * 2) if x > 0 else (y := x - 1)
            return y + z
        """,
    "a walrus in a chained comparison": """
        def f(x: float):
            y = 5.0
            if -3 < x < (y := x * 2) < 100:
                return y
            return y + 1
        """,
    "a walrus in the test of a loop": """
        def f(x: float):
            n, last = 0, 0.0
            while x > -3 and (x := x - 1) < 100 and (last := x * 2) < 100:
                n = n + 1
            return n + last + x
        """,
    "match on a number": """
        def f(x: float):
            match int(x):
                case 3:
                    y = 1.0
                case -2 | 7:
                    y = 2.0
                case n if n > 5:
                    y = 3.0
                case n:
                    y = n * 1.5
            return y
        """,
    "match in a loop, with jumps": """
        def f(x: float):
            total = 0
            for i in range(10):
                match i % 4:
                    case 0:
                        continue
                    case 3 if x > i:
                        break
                    case k:
                        total = total + k * i
            else:
                total = total + 1000
            return total
        """,
    "raise from a cause under a staged condition": """
        def f(x: float):
            if x < 0:
                raise ValueError("negative") from KeyError("k")
            if x == 0:
                raise ZeroDivisionError("zero") from None
            return x
        """,
    "a walrus in a loop's test": """
        def f(x: float):
            while (half := x * 0.5) > 1 and (z := half - 1) > 0:
                x = z
            i, n = 0, int(x)
            while i < 2 or (m := n * 2) > i * x + 4:
                i += 1
                last = i + 1
            return x, half, i, m, last
        """,
    "the text of a range": """
        def f(x: float):
            n = int(x)
            return f"{range(n)} {range(1, n)}" + str(range(n, 9, 2))
        """,
    "raise again under a staged condition": """
        def f(x: float):
            try:
                raise ValueError("a")
            except ValueError:
                if x < 0:
                    raise
            return x
        """,
}


def outcome(function, argument):
    try:
        return repr(function(argument))
    except Exception as error:
        return getattr(error, "kind", type(error).__name__), getattr(error, "message", str(error))


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_as_plain(stage, source):
    if "match " in source and sys.version_info < (3, 10):
        pytest.skip("a match statement is Python 3.10's")
    f = stage(source)
    for x in (3.0, -2.0, 0.5, 0.0):
        assert outcome(f, x) == outcome(f.module.f, x), x


def test_a_walrus_that_may_not_have_run(stage):
    f = stage("""
    def f(x: float):
        if x > 0 and (y := x * 2) > 1:
            return y
        return -y
    """)
    for x in (3.0, -2.0, 0.25):
        assert outcome(f, x) == outcome(f.module.f, x), x


@pytest.mark.skipif(sys.version_info < (3, 10), reason="a match statement is Python 3.10's")
def test_a_match_by_parts_of_unknown_type_is_an_error_at_its_pattern(error_of):
    error = error_of("""
    def f(x):
        match x:
            case (1.0, b):
                return b
        return 0.0
    """)
    assert (error.code, error.place.line) == ("LT0310", 3)
