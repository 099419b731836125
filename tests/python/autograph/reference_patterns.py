"""`match`: patterns that take the subject apart: classes, sequences, mappings."""
import collections
import dataclasses

import lantern as lt
from programs import runs, stops
from reference_match import CHAIN, Box, Node

Point = collections.namedtuple("Point", "x y")


class Small(Box):
    pass


@dataclasses.dataclass
class Pair:
    left: float
    right: object


LIMIT = 2
LISTS = (([3.0, -1.0, 2.5, 4.0],), ([],), ([2.0],), ([1.0, 7.0],))


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


@runs(*LISTS)
def guards_that_are_no_bools(xs: list[float]):
    match xs:
        case [first, *rest] if rest and first:
            return first, len(rest)
        case [x] if x - 2.0 or len(xs) > 5:
            return x, -1
        case [*rest] if rest:
            return 0.5, len(rest)
        case _:
            return 0.0, 0


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


@runs((lt.constant([1.0, 2.0]),), (lt.constant([2.0, 5.0, 3.0]),), (lt.constant([[2.0, 5.0], [3.0, 4.0]]),))
def an_array_is_what_numpys_version_says(v):
    """NumPy's arrays are sequences to `match` from 2.5 on."""
    match v:
        case [a, _] if v.ndim == 1:
            return a, 0.0
        case [a, *rest] if v.ndim == 1:
            return a * len(rest), rest[-1]
        case [[a, _], [b, c]]:
            return a + b, c
        case w:
            return w[0] + 1.0, 0.0


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


@runs(*LISTS)
def not_every_length(xs: list[float]):
    match xs:
        case []:
            y = 0.0
        case [a, _, *rest]:
            y = a + len(rest)
    return y
