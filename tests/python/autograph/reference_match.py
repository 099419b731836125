"""`match`: every kind of pattern, on staged values, on Python's, and on Python's objects with staged parts."""
import collections
import dataclasses
import enum

import lantern as lt
from programs import runs, stops


@lt.struct
class Node:
    value: float
    next: "Node | None"


Point = collections.namedtuple("Point", "x y")


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Box:
    __match_args__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


class Small(Box):
    pass


@dataclasses.dataclass
class Pair:
    left: float
    right: object


LIMIT = 2
CHAIN = Node(1.0, Node(-2.0, Node(3.0, None)))
LISTS = (([3.0, -1.0, 2.5, 4.0],), ([],), ([2.0],), ([1.0, 7.0],))


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


# Classes


@runs((1,), (7,))
def by_class_of_a_number(n):
    match n:
        case bool():
            return 1
        case str() | float():
            return 2
        case int(k) if k > 2:
            return k
        case int():
            return 3


@runs((1.5,), (-2.0,))
def by_class_with_a_name(x):
    match x:
        case int():
            return 0.0
        case float() as z if z > 0:
            return z
        case float(z):
            return -z


@runs((CHAIN,), (Node(0.0, None),), (Node(4.0, None),))
def by_structure(node):
    match node:
        case Node(value=0.0):
            return 0.0
        case Node(v, None):
            return v
        case Node(v, Node(value=w, next=rest)) if w > 0 or rest is None:
            return v + w
        case Node(next=Node(next=Node(value=u))):
            return u
        case _:
            return -1.0


def total(node):
    match node:
        case None:
            return 0.0
        case Node(value=v, next=rest):
            return v + total(rest)


@runs((CHAIN,), (Node(2.0, None),))
def recursion_by_structure(node):
    return total(node)


@runs((CHAIN,), (Node(2.0, None),))
def attributes_that_are_missing(node):
    match node:
        case Node(colour=c):
            return c
        case Pair(left=c):
            return c
        case Node(value=v):
            return v


@runs((0.0, 1), (2.0, 3), (3.0, 5))
def python_objects_with_staged_parts(x, n):
    match Box(x, n):
        case Small():
            return -1.0
        case Box(0.0, k):
            return k * 1.0
        case Box(b=3 | 4 as k):
            return k + 0.5
        case Box(a, b):
            return a + b


@runs((0.0,), (2.0,))
def dataclasses_and_named_tuples(x):
    match Pair(x, Point(x + 1, 2)):
        case Pair(0.0, Point(y, _)):
            return y
        case Pair(left, Point(x=a, y=2)):
            return left * a
        case _:
            return 100.0


@runs((1.5,), (0.0,))
def a_named_tuple_is_a_sequence(x):
    match Point(x, 2.0):
        case [0.0, y]:
            return y
        case Point() as p:
            return p.x


@runs((1.5, 2), (1.5, 0))
def classes_of_python_containers(x, n):
    match (x, [n], {"k": n}):
        case (float(), list([0]), dict(d)):
            return len(d)
        case tuple((_, [k], {"k": int(j)})):
            return k + j
        case _:
            return -1


# Sequences


@runs(*LISTS)
def lengths(xs: list[float]):
    match xs:
        case []:
            return -1.0
        case [x]:
            return x
        case [x, y]:
            return x * y
        case _:
            return 100.0


@runs(*LISTS)
def elements(xs: list[float]):
    match xs:
        case [1.0, y]:
            return y
        case [3.0 | 4.0 as first, -1.0, *_]:
            return first
        case [x, *_] if x > 1.5:
            return -x
        case _:
            return 0.0


@runs(*LISTS)
def stars(xs: list[float]):
    match xs:
        case [first, *rest, last] if last > 0:
            return first, rest, last, len(rest)
        case [*rest]:
            return 0.5, rest, 0.0, 0


@runs(([3.0, 1.0], 3), ([3.0, 1.0], 5), ([], 2), ([4.0, 1.0, 2.0], 5))
def alternatives_that_capture(xs: list[float], n):
    match (xs, n):
        case ([a, b, *_], 3) | ([b, a], 5):
            return a - b
        case ([], k) | ([_, _, _], k):
            return k * 1.0
        case _:
            return 0.25


@runs((4,), (0,), (1,))
def lists_of_lists(n):
    score = 0
    for row in [[j for j in range(i)] for i in range(n)]:
        match row:
            case [] | [0]:
                score += 1
            case [0, 1, *rest]:
                score += sum(rest) * 10
    return score


@runs((4,), (2,))
def lists_grown_before(n):
    seen = []
    for i in range(n):
        seen.append((i, i * 0.5))
    match seen:
        case [(0, x), (1, y), *rest]:
            return x + y + len(rest)
        case _:
            return -1.0


@runs((0, 2.0), (3, 1.5), (1, 1.5), (4, 4.0))
def a_tuple_of_staged_values(n, x):
    match (n, x):
        case (0, z):
            return z
        case (k, 1.5) if k > LIMIT:
            return k * 100.0
        case (int(k), float()) if k < 4:
            return k + 0.5
        case [_, *rest]:
            return rest[0]


@runs((1.0, 2), (0.0, 2))
def parts_of_a_python_tuple(x, n):
    match (x, n):
        case [0.0, *rest]:
            return len(rest) + 0.5
        case [a, *rest]:
            return a + len(rest)


@runs((1.0,), (3.0,))
def nested_sequences(x):
    match ((x, [x, 2]), "t"):
        case ((3.0, [a, 2]), str()):
            return a
        case ((b, [_, *rest]), _):
            return b + rest[0]


@runs((3,), (1,))
def text_is_no_sequence(n):
    match ("ab", n):
        case ([_, _], _) | (_, [*_]):
            return 1
        case (str(), 1):
            return 2
        case _:
            return 3


@runs((lt.constant([1.0, 2.0]),))
def an_array_is_no_sequence(v):
    match v:
        case [_, _]:
            return 1.0
        case w:
            return w[0] + 1.0


@runs((2.0,))
def a_literal_list(x):
    match [x]:
        case [i]:
            return i
        case _:
            return -1.0


@runs((2.0,))
def literal_lists(x):
    match [x, 1.0]:
        case [i, j]:
            x = i - j
    match [k * x for k in range(2)]:
        case [0.0, k]:
            return x, k
        case _:
            return x, -1.0


# Mappings


@runs((0, 1.5), (3, 1.5))
def mappings(n, x):
    match {"k": n, "x": x, "j": 2}:
        case {"missing": _}:
            return -1.0
        case {"k": 0, "x": z}:
            return z
        case {"k": k, **rest}:
            return k + rest["x"] + len(rest)


@runs((1,), (4,))
def mappings_in_mappings(n):
    match {"a": {"b": (n, 2)}, 3: 4.0}:
        case {"a": {"b": (1, k)}}:
            return k
        case {"a": {"b": [k, _]}, 3: 4.0}:
            return k
        case _:
            return 0


@runs((1.0,))
def a_number_is_no_mapping(x):
    match x:
        case {}:
            return 1
        case _:
            return 2


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


@stops("LT0306", "on one path", at=([1.0],))
def no_case_fits(xs: list[float]):
    match xs:
        case [x]:
            return x
        case [x, *_]:  # error
            return x


@stops("LT0302", "'k'", at=(3,))
def a_name_that_only_one_case_binds(n):
    match (n, 1):
        case (3, k):
            pass
        case _:
            pass
    return k  # error


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


@runs(*LISTS)
def every_length(xs: list[float]):
    match xs:
        case []:
            y = 0.0
        case [a]:
            y = a
        case [a, *rest]:
            y = a + len(rest)
    return y


@runs(*LISTS)
def every_length_in_other_words(xs: list[float]):
    match xs:
        case [_, _, *_] as all_:
            return len(all_)
        case [] | [_]:
            return -1


@stops("LT0302", "'y'", at=LISTS[0])
def not_every_length(xs: list[float]):
    match xs:
        case []:
            y = 0.0
        case [a, _, *rest]:
            y = a + len(rest)
    return y  # error
