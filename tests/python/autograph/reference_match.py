"""`match` on staged values: values and captures are asked about; classes, parts and identity within are refused, never passed over."""
import lantern as lt
from programs import runs, stops


@lt.struct
class Node:
    value: float
    next: "Node | None"


@runs((0, 1.0), (2, 1.0), (5, 1.0))
def by_value(n, x):
    match n:
        case 0:
            return x
        case 1 | 2:
            return -x
        case k:
            return k + x


@stops("LT0310", "its class", at=(1,))
def by_class(n):
    match n:  # error
        case int():
            return 1
        case _:
            return 2


@stops("LT0310", "its class", at=(Node(1.0, None),))
def by_structure(node):
    match node:  # error
        case Node(value=v):
            return v
        case _:
            return 2.0


@stops("LT0310", "its class", at=([1.0],))
def by_parts(xs: list[float]):
    match xs:  # error
        case [a]:
            return a
        case _:
            return 2.0


@stops("LT0310", "its class", at=(1, 2.0))
def by_class_within(n, x):
    match (n, x):  # error
        case (int(), k):
            return k
        case _:
            return 2.0


@runs((1.0, 2),)
def parts_of_a_python_tuple(x, n):
    match (x, n):
        case [a, *rest]:
            return a + len(rest)


def count(n):
    match n:
        case 0:
            return 0
        case _:
            return 1 + count(n - 1)


@runs((0,), (4,))
def recursion_in_a_match(n):
    return count(n)
