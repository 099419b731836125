"""`and` and `or` where they stand for a condition: each operand is asked for its truth, once, and they need not be of one type."""
import lantern as lt
from programs import runs, stops


@lt.struct
class Cell:
    value: float
    next: "Cell | None"


class Truth:
    def __init__(self, x): self.x = x

    def __bool__(self):
        print("asked", self.x)
        return self.x > 0


MIXED = (("ab", 3, [1.0]), ("ab", 0, [1.0]), ("", 3, []), ("", 0, [1.0]), ("ab", 3, []))


@runs(*MIXED)
def of_an_if(s, n, xs: list[float]):
    y = 0
    if s and n:
        y += 1
    if s or n:
        y += 2
    if s and n or xs:
        y += 4
    elif xs or not (s and n):
        y += 8
    return y


@runs(*MIXED)
def of_a_while(s, n, xs: list[float]):
    xs = list(xs)
    while n and xs and s:
        n -= 1
        if n == 1 or not s:
            xs.pop()
    return n, len(xs)


@runs(*MIXED)
def of_other_expressions(s, n, xs: list[float]):
    assert s or n or xs, "nothing"
    return (1 if s and xs else 2), (1 if not (xs and n) else 2), [i for i in range(4) if s and i or xs], (lambda k: 1 if k and s else 0)(n)


@runs(*MIXED)
def with_bound_names(s, n, xs: list[float]):
    xs, y = list(xs), 0
    if s and (k := n + 1) > 1:
        y = k
    if xs and (k := len(s)):
        y += k
    if xs and not (n and (k := len(xs)) and s):
        xs.pop()
    return y, len(xs)


@runs(*MIXED)
def in_a_loop_that_is_left(s, n, xs: list[float]):
    y = 0
    for i in range(5):
        if xs and i > n:
            break
        y += i
    while s and y < 30:
        y += 4
        if n or y > 20:
            break
    return y


@runs((Cell(1.0, Cell(2.0, None)),), (Cell(-1.0, Cell(2.0, None)),), (Cell(1.0, None),))
def of_a_structure(cell):
    y = 0.0
    if cell.next and cell.next.value:
        y = cell.next.value
    if not cell.next or cell.value < 0:
        return -1.0
    return y + cell.next.value


@runs((2, 1.5), (-2, 1.5), (2, 0.0))
def of_objects_of_the_users(n, x):
    y = 0
    if n > 1 and Truth(n) and x:
        y += 1
    if Truth(n) or x > 1:
        y += 2
    while Truth(n) and x < 4:
        n -= 1
        x += 1
    return y, n, (1 if Truth(n) and not (Truth(x) or x) else 2)


@stops("LT0306", "Truth", "staged conditions", at=(1, 2.0))
def value_of_an_object(n, x):
    y = Truth(n) and x  # error
    return y


@runs((3,), (0,))
def of_known_values(n):
    known, empty, y = "ab", [], 0
    if known and n:
        y += 1
    if empty or n and known:
        y += 2
    if n or known:
        y += 4
    if not (empty or n and empty):
        y += 8
    return y
