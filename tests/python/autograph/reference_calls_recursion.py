"""Recursion of functions, lambdas, methods, partials and decorated functions."""
import functools

from programs import runs
from reference_calls import doubling, relu


# Recursion in each


def list_sum(xs, i):
    return 0.0 if i == len(xs) else xs[i] + list_sum(xs, i + 1)


@runs(([1.0, 2.5],), ([],))
def recursion_in_a_function(xs: list[float]):
    return list_sum(xs, 0)


@runs((5,), (0,))
def recursion_of_a_nested_function(n):
    def fib(k):
        if k < 2:
            return k
        return fib(k - 1) + fib(k - 2)
    return fib(n)


@runs((5,), (0,))
def recursion_of_a_lambda(n):
    f = lambda k: 1 if k <= 0 else k * f(k - 1)    # noqa: E731
    return f(n)


class Walker:
    def __init__(self, step):
        self.step = step

    def walk(self, n):
        if n <= 0:
            return 0
        return self.step + self.walk(n - self.step)

    def __call__(self, n):
        if n <= 0:
            return 1
        return self(n - self.step) * 2

    @classmethod
    def down(cls, n):
        return 0 if n <= 0 else 1 + cls.down(n - 1)

    @staticmethod
    def up(n):
        return 0 if n <= 0 else 1 + Walker.up(n - 1)


@runs((5,), (0,))
def recursion_of_methods(n):
    walker = Walker(2)
    return walker.walk(n), walker(n), Walker.down(n), Walker.up(n)


@functools.wraps(relu)
def wrapped(n):
    return n


@doubling
def decorated_recursion(n):
    if n <= 0:
        return 1
    return decorated_recursion(n - 1) + 1


@runs((3,), (0,))
def recursion_of_a_decorated_function(n):
    return decorated_recursion(n)


def recursion_by_keyword(n, *, acc=0, **rest):
    if n <= 0:
        return acc
    return recursion_by_keyword(n=n - 1, acc=acc + n)


@runs((4,), (0,))
def recursion_with_keywords(n):
    return recursion_by_keyword(n)


def recursion_with_function(f, n):
    if n <= 0:
        return f(n)
    return recursion_with_function(f, n - 1) + f(n)


@runs((4,), (0,))
def recursion_with_a_function_argument(n):
    return recursion_with_function(lambda i: i * i, n) + recursion_with_function(abs, n)


def recursion_partial(k, n):
    if n <= 0:
        return k
    return functools.partial(recursion_partial, k + 1)(n - 2)


@runs((4,), (0,))
def recursion_through_partial(n):
    return recursion_partial(0, n)


def continuation(n, k):
    if n <= 0:
        return k(1)
    return continuation(n - 1, k) * 2


@runs((4,), (0,))
def recursion_with_a_continuation(n):
    return continuation(n, lambda v: v + n)


def unrolled(layers, x):
    if not layers:
        return x
    return unrolled(layers[1:], relu(x * layers[0]))


@runs((4.0,), (-1.0,))
def recursion_over_python_values_unrolls(x):
    return unrolled([2.0, -1.0, -3.0], x)


@runs((1.5, 3), (-0.5, 0))
def lists_by_default(x, n):
    def add(a, seen=[], *, sums=[0.0], by={"n": 0}):      # noqa: B006
        seen.append(a)
        sums[0] += a
        by["n"] += 1
        return seen
    def down(k, seen=[]):       # noqa: B006
        if k > 0:
            seen.append(k * x)
            down(k - 1)
        return len(seen), seen
    last = lambda a, kept=[0.0]: kept.append(a) or kept[-2]     # noqa: E731, B006
    each = [last(x)]
    for i in range(n):
        def own(a, seen=[]):    # noqa: B006
            seen.append(a + i)
            return seen
        own(x)
        each += own(2.0)
        add(x)
        each.append(last(x * i))
    return add(x, sums=each), each, down(n), down(1)
