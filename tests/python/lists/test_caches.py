"""Functions that look for their arguments in what they have given: `functools.cache`, `functools.lru_cache`, and decorators of the user's."""
import pytest
from compiled_table import Table, outcome
from lantern.staging.errors import StagingError
from staged_source import module_of

import lantern as lt
from lantern.staging import entry

HEAD = """
import functools
import math


def remembered(f):
    known = {}

    def asked(*key):
        if key not in known:
            known[key] = f(*key)
        return known[key]
    return asked


def times(k):
    def decorator(f):
        def scaled(*arguments):
            return k * f(*arguments)
        return scaled
    return decorator
"""
SOURCE = HEAD + """

def ways(coins: list[int], amount: int):
    @functools.cache
    def go(i, rest):
        if rest == 0:
            return 1
        if rest < 0 or i == len(coins):
            return 0
        return go(i, rest - coins[i]) + go(i + 1, rest)

    return go(0, amount), go(1, amount)


def fibonacci(coins: list[int], n: int):
    @functools.lru_cache
    def go(k):
        return k if k < 2 else go(k - 1) + go(k - 2)

    by_name = functools.lru_cache(maxsize=None)(lambda k: k if k < 2 else by_name(k - 1) + by_name(k - 2))
    first = go(n)
    go.cache_clear()
    return first, go(n), by_name(n + 1), go(30)


def made_in_a_loop(coins: list[int], n: int):
    total = 0
    for i in range(n):
        @functools.cache
        def go(k):
            return i if k < 1 else go(k - 1) + 1
        total = total * 3 + go(i) + go(2)
    return total


def without_arguments(coins: list[int], n: int):
    calls = [0]

    @functools.cache
    def go():
        calls[0] += 1
        return n

    return go() + go(), calls[0]


def by_the_users(coins: list[int], n: int):
    @remembered
    def go(i, rest):
        return 1 if rest == 0 else 0 if rest < 0 or i == len(coins) else go(i, rest - coins[i]) + go(i + 1, rest)

    @times(2)
    @times(n)
    def scaled(x, y):
        return x - y

    return go(0, n), scaled(n, 7)


@functools.cache
def of_the_module(k):
    return k if k < 2 else of_the_module(k - 1) + of_the_module(k - 2)


@functools.lru_cache(maxsize=None)
def partitions(n, most):
    return 1 if n == 0 else 0 if n < 0 or most == 0 else partitions(n - most, most) + partitions(n, most - 1)


def doubled(k):
    return 2 * of_the_module(k)


def summed(k):
    return 0 if k == 0 else of_the_module(k) + summed(k - 1)


def caches_of_the_module(coins: list[int], n: int):
    total = 0
    for i in range(n):
        total += doubled(i) if i % 2 else of_the_module(i + 40)
    return total, partitions(n, n), of_the_module(6), summed(n)
"""
NAMES = ["caches_of_the_module", "ways", "fibonacci", "made_in_a_loop", "without_arguments", "by_the_users"]


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, NAMES)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("amount", [0, 1, 7, 12])
def test_what_is_looked_for(table, name, amount):
    assert outcome(table.compiled[name], ([1, 2, 5], amount)) == outcome(table.plain[name], ([1, 2, 5], amount))


GRADIENTS = module_of(HEAD + """

def alignment(a, b):
    @functools.cache
    def soft(i, j):
        if i == 0 or j == 0:
            return abs(i - j) * 0.5
        cost = (a[i - 1] - b[j - 1]) ** 2
        return cost - math.log(math.exp(-soft(i - 1, j)) + math.exp(-soft(i, j - 1)) + math.exp(-soft(i - 1, j - 1)))
    return soft(len(a), len(b))


def weighed(a, b):
    @remembered
    def best(i, k):
        return 0.0 if i >= len(a) or k == 0 else max(best(i + 1, k), a[i] * a[i] * b[0] + best(i + 2, k - 1))
    return best(0, 2)
""")


@pytest.mark.parametrize("name", ["alignment", "weighed"])
def test_its_gradient(name):
    function, step = vars(GRADIENTS)[name], 1e-6
    given = [0.5, 1.0, 0.2], [0.1, 0.9]
    value, gradients = lt.value_and_grad(lt.function(function), wrt=("a", "b"))(*given)
    assert value == pytest.approx(function(*given), rel=1e-12)
    for place, gradient in enumerate(gradients):
        for i, found in enumerate(gradient):
            up, down = ([[x + d * (number == place and i == j) for j, x in enumerate(xs)] for number, xs in enumerate(given)] for d in (step, -step))
            assert found == pytest.approx((function(*up) - function(*down)) / (2 * step), rel=1e-6, abs=1e-9)


REFUSED = {
    "    @functools.cache\n    def go(a):\n        return a\n    return go(a=n)": ("LT0310", "is called with keywords"),
    "    @functools.lru_cache(typed=True)\n    def go(a):\n        return a\n    return go(n)": ("LT0303", "in a cache"),
    "    return outside(n)": ("LT0303", "in a cache"),
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_refused(body):
    module = module_of(f"{HEAD}\n\n@functools.cache\ndef outside(k):\n    print(k)\n    return k + 1\n\n\ndef f(n: int, x: float):\n{body}\n")
    with pytest.raises(StagingError) as caught:
        entry.stage_entries([module.f])
    code, said = REFUSED[body]
    assert caught.value.code == code and said in str(caught.value)
