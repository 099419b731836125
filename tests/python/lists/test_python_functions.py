"""Functions of Python's library that take what is staged: `itertools`, `functools.reduce`, `math`'s of whole numbers, and text laid out by % and format."""
import sys

import numpy as np
import pytest
from compiled_table import Table, cases_of, outcome
from staged_source import module_of

import lantern as lt
from lantern.staging.errors import StagingError

SOURCE = """
import functools
import itertools
import math
import operator

import lantern as lt


def reduced(xs: list[float], n: int):
    return (functools.reduce(lambda a, b: a * 2 + b, xs), functools.reduce(operator.mul, xs, 1.0), functools.reduce(lambda a, b: max(a, b), [n, n * 2, 3]),
            functools.reduce(lambda a, b: a + b, (x * x for x in xs), 0.0))


def accumulated(xs: list[float], n: int):
    sums = list(itertools.accumulate(xs))
    largest = list(itertools.accumulate(xs, max)), list(itertools.accumulate(xs, max, initial=0.5)), [2 * x for x in itertools.accumulate(range(n), initial=1)]
    first = 0.0
    for total in itertools.accumulate(xs, lambda a, b: a / b):
        if total < 0:
            break
        first = total
    return sums, largest, first, list(itertools.accumulate([n, 2, n])), list(itertools.accumulate(range(n)))


def gone_through(xs: list[float], n: int):
    total = 0.0
    for place, x in enumerate(itertools.chain(xs, [1.0, n * 0.5], xs)):
        total += place * x
    for a, b in itertools.pairwise(xs):
        total += (b - a) ** 2
    for x in itertools.islice(xs, 1, None, 2):
        total -= x
    for x in itertools.islice(xs, n):
        total += x
    for a, b in itertools.product(xs, range(n)):
        total += a * b
    return (total, sum(itertools.starmap(lambda a, b: a * b, zip(xs, range(10))), 0.0), list(itertools.chain.from_iterable([xs, xs])), list(itertools.product([1, n], repeat=2)),
            [a * b for a, b, c in itertools.product(xs, xs, xs)], [x for x in itertools.repeat(xs[0] if xs else 0.0, n)])


def chosen(xs: list[float], n: int):
    return (list(itertools.combinations(xs, 2)), list(itertools.permutations(xs, 2)), list(itertools.combinations_with_replacement(xs, 2)),
            [a + b for a, b in itertools.combinations([n, 2 * n, 7], 2)])


def bounded(xs: list[float], n: int):
    return list(itertools.islice(xs, n - 1))


def whole(n: int, k: int):
    return (math.gcd(n, k), math.gcd(n), math.gcd(n, k, 6), math.isclose(n, k, abs_tol=2), n.bit_length(), (n - k).bit_length(), round(n, -1), round(n * 5, -2), round(n), math.lcm(n, k))


def counted(n: int, k: int):
    return math.factorial(n), math.comb(n, k), math.perm(n, k), math.perm(n), math.isqrt(n)


def powers(n: int, k: int):
    return pow(n, k, 7), pow(k, n, -13)


def inverses(n: int, k: int):
    return pow(n, -1, k)


def floats(x: float, y: float):
    return math.fmod(x, y), math.isclose(x, y), math.isclose(x, y, rel_tol=0.5), x.is_integer(), math.hypot(x, y, 1.0), math.hypot(x), math.erfc(x), math.dist([x, y], [y, 1.0])


def products(xs: list[float], x: float):
    return math.prod(xs, start=1.0), math.prod(xs, start=2.5), math.prod((x + 1.0 for x in xs), start=0.5), math.prod([x, 2.0]), math.dist(xs, xs)


def rounded(x: float, n: int):
    return round(x, 2), round(x, 0), round(x, -1), round(x, n), round(x * 1e-4, 5), round(-x, 1)


def converted(s: str, n: int, x: float, b: bool):
    return ['%d %5.2f|%-8s|%8s|%s' % (n, x, s, s, b), '%05d %+d % d %x %#x %o %-5d|' % (n, n, n, n, n, n, n), '%g %G %e %E %.3e %012.3f %f' % (x, x, x, x, x, x, n),
            '%d %i %u %s %%' % (x, x, b, x), '%r %s %.3s|%5.2s|' % (x, n, s, s), '%(a)d and %(b).1f' % {'a': n, 'b': x}, '%s' % x, '%*d|%-*d|%.*f' % (6, n, 7, n, 2, x),
            '%s %s' % ([x, n * 1.0], (n, x))]


def formatted(s: str, n: int, x: float, b: bool):
    return ['{} {:.3f} {!r:>12} {:>6}|{:<6}|{:^6}|{:*^9}'.format(n, x, x, n, s, s, s), '{0} {1:{2}.{3}f} {name} {0:,} {0:_} {0:_x} {0:#_b}'.format(n * 12345, x, 10, 2, name=s),
            '{0[1]} {0[0]:.2f} {1}'.format([x, 2.5], (n, x)), '{0[0][1].real:.1f} {0[1]}'.format([(n, x), s])]


def laid_out(s: str, n: int, x: float, b: bool):
    return [f"{s:>10}|{s:<10}|{s:^11}|{s:-^11}|{s:.2}|{s:05}|{s!s:7}|{str(x):>9}|{x!r:>9}|", f"{n:_} {n * 1000000:_} {n * 1000000:_x} {n * 1000:020_} {-n * 1000:+020_d} {x * 1e6:_.2f}",
            f"{n:08_b} {n:,} {n:+,} {-n:012,} {x:=+10.2f}", format(x, '.2f') + format(n) + format(s, '>8') + format(n, ','), f"{b:>6}|{b}|{n:<+6}|{n:<06}|{x:^09.1f}"]


def texts(s: str, n: int, x: float, b: bool):
    t = str(n)
    return s < t, s <= t, s > t, s >= t, 'b' < s < 'y', s * (n % 3), 2 * s, 'ab' * b, sorted([s, t, 'b']), max(s, t)
"""
if sys.version_info < (3, 10):
    SOURCE = SOURCE.replace("itertools.pairwise(xs)", "zip(xs, xs[1:])").replace("{s:05}", "{s:5}")      # they are Python 3.10's

LISTS = [([1.5, -2.0, 3.25], 3), ([], 0), ([2.0], 1), ([4.0, 2.0, 8.0, -1.0, 0.5], 5)]
WHOLE = [(6, 4), (0, 0), (25, 10), (-12, 18), (7, 3), (10, 0), (3, 5), (1023, -1024)]
FLOATS = [(5.5, 2.0), (-5.5, 2.0), (0.0, 1.0), (3.0, 0.0), (float("inf"), 1.0), (1.0, float("inf")), (float("nan"), 1.0), (1.0, 1.0 + 1e-12), (-0.0, 3.0), (2.0, -0.75)]
TEXTS = [("héab", 6, 1.2375, True), ("", -1234, -0.0, False), ("x" * 12, 0, 123456.789, True), ("ab", 7, 1e-7, False)]
CASES = {
    **dict.fromkeys(("reduced", "accumulated", "gone_through", "chosen", "bounded"), LISTS),
    **dict.fromkeys(("whole", "powers", "inverses"), WHOLE), "counted": [(6, 4), (0, 0), (20, 10), (4, 7), (5, -1), (-1, 2)], "floats": FLOATS,
    "products": [(xs, 1.25) for xs, _ in LISTS], "rounded": [(x, n) for x in (2.675, 1234.5, 0.5, 25.0, -15.0, 1e300, 0.0, float("inf"), 9.999, 5e-324) for n in (0, 3, -2, 400)],
    **dict.fromkeys(("converted", "formatted", "laid_out", "texts"), TEXTS),
}


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, list(CASES))


@pytest.mark.parametrize("name, arguments", cases_of(CASES))
def test_result_is_pythons(table, name, arguments):
    plain, compiled = (outcome(of[name], arguments) for of in (table.plain, table.compiled))
    if name in ("floats", "products"):      # up to rounding
        assert type(plain) is type(compiled)
        assert plain == compiled if isinstance(plain, str) else all(type(a) is type(b) and np.allclose(a, b, rtol=1e-13, equal_nan=True) for a, b in zip(plain, compiled)), compiled
    else:
        assert repr(plain) == repr(compiled)


WRONG = {   # a program that Python ends in an exception, whatever its argument → the exception
    "return '%d %d' % (n,)": "TypeError: not enough arguments for format string", "return '%d' % (n, n)": "TypeError: not all arguments converted",
    "return '%d' % str(n)": "TypeError: %d format: a real number is required, not str", "return '%x' % (n / 2)": "TypeError: %x format: an integer is required, not float",
    "return '%(a)d' % n": "TypeError: format requires a mapping", "return '{} {}'.format(n)": "IndexError: Replacement index 1 out of range", "return '{a}'.format(b=n)": "KeyError: 'a'",
    "return '{0} {}'.format(n, n)": "ValueError: cannot switch from manual field specification", "import itertools\n    return list(itertools.islice(range(n), -1))": "ValueError: Stop argument",
    "import math\n    return math.gcd(n, 1.5)": "TypeError: 'float' object cannot be interpreted as an integer", "return pow(n, 2, 1.5)": "TypeError: pow() 3rd argument not allowed",
}


@pytest.mark.parametrize("body", WRONG)
def test_exceptions_are_pythons(body):
    function = module_of(f"def f(n: int):\n    {body}\n").f
    kind, _, message = WRONG[body].partition(": ")
    with pytest.raises(Exception) as plain:
        function(3)
    assert type(plain.value).__name__ == kind
    with pytest.raises(StagingError, match="LT0309") as staged:
        lt.function(function)(3)
    assert f"{kind}: {message}" in str(staged.value)


REFUSED = {
    "return str(xs[0]).encode()": "do the rest before the call",
    "return '%*d' % (len(xs), 3)": "give a number that is known while staging",
}


@pytest.mark.parametrize("body", REFUSED)
def test_refusals_say_what_to_do(body):
    with pytest.raises(StagingError, match=f"(?s)LT0310.*{REFUSED[body]}"):
        lt.function(module_of(f"def f(xs: list[float]):\n    {body}\n").f)([1.0])


GRADIENTS = {
    "import functools\n    return functools.reduce(lambda a, b: a * b + a, xs)": ([2.0, 3.0, 4.0],),
    "import itertools\n    return sum(a * b for a, b in itertools.pairwise(xs))": ([2.0, 3.0, 5.0],),
    "import itertools\n    return sum(itertools.accumulate(xs, lambda a, b: a * b))": ([2.0, 3.0, 5.0],),
    "import itertools\n    return sum(a * b for a, b in itertools.combinations(xs, 2))": ([2.0, 3.0, 5.0],),
    "import itertools\n    return sum(x * i for i, x in enumerate(itertools.chain(xs, xs)))": ([2.0, 3.0, 5.0],),
    "import math\n    return math.prod(xs) + math.dist(xs, [1.0, 2.0, 3.0]) + math.hypot(*[xs[0], xs[1], xs[2]]) + math.fmod(xs[2], 1.5) + math.erfc(xs[0] / 4)": ([2.0, 3.0, 5.0],),
}


if sys.version_info < (3, 10):
    GRADIENTS = {body: arguments for body, arguments in GRADIENTS.items() if "pairwise" not in body}


@pytest.mark.parametrize("body", GRADIENTS)
def test_gradients_are_those_of_differences(body):
    function = module_of(f"def f(xs: list[float]):\n    {body}\n").f
    arguments, = GRADIENTS[body]
    value, gradient = lt.value_and_grad(lt.function(function))(arguments)
    assert value == pytest.approx(function(arguments))
    for place in range(len(arguments)):
        ends = [function([x + step * (i == place) for i, x in enumerate(arguments)]) for step in (-1e-6, 1e-6)]
        assert gradient[place] == pytest.approx((ends[1] - ends[0]) / 2e-6, rel=1e-6)
