"""Exceptions of the user's: their class and their text, through handlers, `finally` and `with`, in callees and under conditions."""
import contextlib
import sys

from programs import runs, stops


class Manager:
    def __enter__(self): return 1
    def __exit__(self, kind, error, traceback): print("exit", kind is None)


class Suppressing(Manager):
    def __exit__(self, kind, error, traceback):
        print("suppressed")
        return True


class Shown(Exception):
    def __str__(self): return f"shown {self.args[0]}"


class Composed(Exception):
    def __init__(self, a, b):
        super().__init__(f"{a} and {b}")
        self.a = a


class Noted(Exception):
    def __init__(self, a): self.a = a
    def __str__(self): return f"noted {self.a}"


class Missing(KeyError):
    pass


def fails(n):
    print("fails", n)
    raise ValueError(n)


def fails_of_itself(n):
    print("fails", n)
    return [][0]


def cleans_up(n):
    try:
        fails(n)
    finally:
        print("clean", n)


BOTH = ((1,), (3,))


@runs(*BOTH)
def a_number_as_key(n):
    if n > 2:
        raise KeyError(n)
    return n


@runs((0,), (1,), (2,), (3,), (4,), (5,), (6,))
def other_keys(n):
    if n == 0:
        raise KeyError(n / 2)
    if n == 1:
        raise KeyError((n, 1))
    if n == 2:
        raise KeyError(n, 1)
    if n == 3:
        raise KeyError(None)
    if n == 4:
        raise KeyError
    if n == 5:
        raise KeyError("3")
    raise Missing(n)


@runs((True,), (False,))
def a_bool_as_key(b):
    raise KeyError(b)


@runs(("a",), ("b'c\\n",))
def text_as_key(s):
    raise KeyError(s)


@runs((0,), (1,), (2,), (3,), (4,), (5,))
def texts(n):
    if n == 0:
        raise Shown(n)
    if n == 1:
        raise Composed(n, "x")
    if n == 2:
        raise Noted(n)
    if n == 3:
        raise FileNotFoundError(2, "no such file", "a.txt")
    if n == 4:
        raise ValueError([n, 1.5], "a")
    raise StopIteration(n)


@runs(*BOTH)
def always_through_a_finally(n):
    try:
        raise KeyError(n)
    finally:
        print("finally")


@runs(*BOTH)
def under_a_condition_through_two(n):
    if n > 2:
        try:
            with Manager():
                raise KeyError(n)
        finally:
            print("finally", n)
    return n


@runs(*BOTH)
def in_a_loop_through_a_finally(n):
    for i in range(n):
        if i == 1:
            cleans_up(i)
    return n


@runs(*BOTH)
def a_callee_that_always_fails(n):
    cleans_up(n)
    return n


@runs(*BOTH)
def what_a_callee_did_before_it_failed(n):
    try:
        cleans_up(n)
    except ValueError:
        print("caught")
    try:
        fails_of_itself(n)
    except IndexError:
        print("caught")
    return n


@runs(*BOTH)
def suppressed(n):
    with Suppressing():
        raise ValueError(n)
    with contextlib.suppress(KeyError):
        raise KeyError(n)
    return n


@runs(*BOTH)
def caught_and_shown(n):
    if n > 2:
        try:
            raise ValueError(f"bad {n}")
        except ValueError as error:
            print("caught", error, str(error), f"{error}", error.args[0])
        try:
            raise KeyError(n)
        except KeyError as error:
            print(error)
    return n


@runs(*BOTH)
def raised_again(n):
    if n > 2:
        try:
            raise KeyError(n)
        except KeyError as error:
            print("here", error)
            if n > 0:
                raise
    return n


@runs(*BOTH)
def another_raised_instead(n):
    if n > 2:
        try:
            raise KeyError(n)
        except KeyError as error:
            raise ValueError(n, 1.5) from error
    return n


@runs(*BOTH)
def under_a_condition_within_a_finally(n):
    try:
        if n > 2:
            raise KeyError(n)
    finally:
        print("finally")


def recurses(k, n):
    if k == 0:
        raise ValueError(n)
    return recurses(k - 1, n + 1)


@runs(*BOTH)
def from_a_recursion(n):
    try:
        return recurses(3, n)
    except ValueError as error:
        return error.args[0]


@stops("LT0310", "OSError", "depends on its number", at=(1,))
def an_error_number(n):
    raise OSError(n, "text")    # error


@stops("LT0310", "UnicodeDecodeError", "more than a message", at=(1,))
def more_than_a_message(n):
    if n > 2:
        raise UnicodeDecodeError("ascii", b"x", 0, 1, "text")   # error
    return n


NAMES = ["a", "b"]


@runs(*BOTH)
def an_assertions_message_that_fails(n):
    assert n > 2, NAMES[5]
    return n


@runs((1, [2.0]), (3, [2.0]))
def an_assertions_message_that_fails_as_it_runs(n, xs):
    assert n > 2, xs[n]
    return n


@runs(*BOTH)
def an_assertions_message_that_prints(n):
    seen = [n]
    assert n > 2, (print("why"), seen.append(n))
    return len(seen)


@runs(*BOTH)
def a_known_assertion_under_a_condition(n):
    if n > 2:
        assert len(NAMES) > 2, f"only {len(NAMES)}"
    return n


@runs(*BOTH)
def an_assertions_message_that_changes_an_object(n):
    class Counter:
        def __init__(self): self.count = 0

        def step(self):
            self.count += 1
            return f"step {self.count}"

    counter = Counter()
    counter.step()
    assert n > 2, counter.step()
    return counter.count


@runs(*BOTH)
def a_known_assertion_under_a_condition_in_a_try(n):
    try:
        if n > 2:
            assert len(NAMES) > 2
    except AssertionError:
        n = 0
    return n


@stops("LT0313", "'**' may raise OverflowError", at=(1.0,))
def a_power_that_may_overflow(x):
    try:
        y = x ** 1000   # error
    except OverflowError:
        y = 0.0
    return y


# Python 3.10 and those before raise at (0.0, -inf).
@runs((0.0, -1.0), *[(0.0, float("-inf"))] * (sys.version_info >= (3, 11)), (0.0, 1.0), (2.0, -1.0), (2.0, 2000.0), (-2.0, 0.5))
def powers_by_math(x, y):
    import math
    return math.pow(x, y)


@runs((0.0, float("-inf")), (0.0, -1.0), (2.0, 3.0), (2.0, 2000.0))
def powers(x, y):
    return x ** y


@runs((0.0,), (0.5,), (2.0,), (-1000.0,))
def errors_of_math(x):
    import math
    if x < -1: return math.sinh(x)
    return math.asin(x) + math.log2(x) + math.log10(x)


@runs((0.5, 0.5), (1.0, 1.0), (1.0, -0.5), (2.0, 1.5), (-1.0, 0.0))
def errors_of_areas(x, y):
    import math
    return math.acosh(x) + math.atanh(y) + math.asinh(x)


NUMBERS = ([1, 3, 1, 2, 2],), ([2],), ([5, 1],)


@runs(*NUMBERS)
def an_element_that_a_list_has_not_yet(values: list[int]):
    seen, places = [], []
    for value in values:
        try:
            places.append(seen.index(value))
        except ValueError:
            seen.append(value)
    return seen, places


@runs(*NUMBERS)
def a_list_that_is_empty_to_begin_with(values: list[int]):
    stack, first, odd, popped = [], [], [], []
    for value in values:
        try:
            popped.append(stack.pop())
        except IndexError:
            popped.append(-1)
        try:
            popped.append(first[0])
        except IndexError:
            first.append(value)
        try:
            odd.remove(value)
        except ValueError:
            odd.append(value)
        if value % 2:
            stack.append(value)
    return stack, first, odd, popped
