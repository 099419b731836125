"""`match`: every kind of pattern, on staged values, on Python's, and on Python's objects with staged parts."""
import enum

import lantern as lt
from programs import runs, stops


@lt.struct
class Node:
    value: float
    next: "Node | None"


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Box:
    __match_args__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


CHAIN = Node(1.0, Node(-2.0, Node(3.0, None)))


def noted(x):
    print("asked", x)
    return x


# Numbers, text, None


@runs((0, 1.0), (2, 1.0), (5, 1.0))
def by_value(n, x):
    match n:
        case 0:
            return x
        case 1 | 2:
            return -x
        case k:
            return k + x


@runs((0,), (-3,), (4,), (7,))
def by_value_with_guards(n):
    match n:
        case 0 as zero:
            return zero
        case -3 | 4 as k if k > 0:
            return k * 10
        case k if k < 0:
            return -k
        case _:
            return n + 100


@runs(("ab",), ("c",), ("",))
def by_text(s):
    match s:
        case "ab" | "abc":
            return 1
        case "":
            return 2
        case _:
            return 3


@runs((2,), (3,))
def by_a_constant_of_a_class(n):
    match n:
        case Color.RED.value | Color.BLUE.value:
            return 1
        case _:
            return 0


@runs((True,), (False,))
def by_bool(b):
    match b:
        case True:
            return 1
        case False:
            return 2


@runs((1,), (0,))
def a_number_is_not_true(n):
    match n:
        case True:
            return 1
        case _:
            return 2


@runs((CHAIN,), (Node(1.0, None),))
def by_none(node):
    match node.next:
        case None:
            return 0.0
        case found:
            return found.value


@runs((1,), (5,))
def other_kinds_are_never_equal(n):
    match (n, "a"):
        case ("a", _) | (_, 1):
            return 1
        case ((1, 2), _) | (5, [_]):
            return 2
        case (k, "a"):
            return k


# Guards, names and statements around


@runs((0, 1.0), (3, 1.0), (3, -1.0))
def guards_in_order(n, x):
    match (n, x):
        case (3, z) if noted(z > 0):
            return 1
        case (k, _) if noted(k == 0):
            return 2
        case _:
            return 3


@runs((0,), (3,), (1,))
def names_stay_bound(n):
    k = -1
    match (n, 1):
        case (3, k) if n > 5:
            pass
        case (0, k):
            k += 10
        case _:
            pass
    return k


@runs((5,), (0,))
def in_a_loop(n):
    result = 0
    for i in range(n):
        match (i % 3, i):
            case (0, _):
                continue
            case (1, k) if k > 3:
                break
            case (_, k):
                result += k
    return result


@runs((0,), (1,), (2,))
def in_another(n):
    match (n, n + 1):
        case (0, m):
            match [m]:
                case [1]:
                    return 1
                case _:
                    return 2
        case (k, 2 as m):
            return k + m
        case _:
            return -1


@runs((1.0, -1.0), (-1.0, 1.0))
def of_a_subject_with_effects(x, y):
    match noted(x), noted(y):
        case (a, b) if a > b:
            return a
        case (_, b):
            return b


@runs((3,), (0,))
def walrus_in_a_guard(n):
    match (n, 2):
        case (k, j) if (total := k * j) > 4:
            return total
        case (k, _) as both:
            return k + both[1]


def count(n):
    match n:
        case 0:
            return 0
        case _:
            return 1 + count(n - 1)


@runs((0,), (4,))
def recursion_in_a_match(n):
    return count(n)


@runs((2,), (40,), (41,))
def many_cases(n):
    match (n, 0):
        case (1, _): return 10
        case (2, _): return 20
        case (3, _): return 30
        case (4, _): return 40
        case (5, _): return 50
        case (6, _): return 60
        case (7, _): return 70
        case (8, _): return 80
        case (9, _): return 90
        case (10, _): return 100
        case (11, _): return 110
        case (12, _): return 120
        case (13, _): return 130
        case (40, k): return k
        case (k, _): return k


@runs((2.0,))
def chosen_while_staging(x):
    result = x
    for part in (1, "text", (x, 2), [x], {"k": x}, None, Color.RED, Box(1, 2)):
        match part:
            case int(k):
                result += k
            case str() as s:
                result += len(s)
            case (y, 2) | [y]:
                result += y
            case {"k": y}:
                result *= y
            case None:
                result -= 1.0
            case Color.RED:
                result += 0.5
            case Box(b=y):
                result += y
    return result


# What is refused


@runs(([1.0],), ([],), ([1.0, 2.0],))
def no_case_fits(xs: list[float]):
    match xs:
        case [x]:
            return x
        case [x, *_]:
            return x


@runs((3,), (4,))
def a_name_that_only_one_case_binds(n):
    match (n, 1):
        case (3, k):
            pass
        case _:
            pass
    return k


@stops("LT0309", "Box() accepts 2 positional sub-patterns (3 given)", at=(3,))
def too_many_sub_patterns(n):
    match Box(n, 1):
        case Box(_, _, _):  # error
            return 1
        case _:
            return 2


@stops("LT0309", "called match pattern must be a class", at=(3,))
def no_class(n):
    match n:
        case count():  # error
            return 1
        case _:
            return 2
