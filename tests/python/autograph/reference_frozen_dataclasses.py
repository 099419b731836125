"""Instances of frozen dataclasses are values, as named tuples are: a variable may be another one behind a branch, a loop or a call."""
import dataclasses
import math

from programs import runs, stops


@dataclasses.dataclass(frozen=True)
class Point:
    x: float
    y: float = 0.0

    def __add__(self, other): return Point(self.x + other.x, self.y + other.y)
    def __mul__(self, k): return Point(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __abs__(self): return math.hypot(self.x, self.y)

    @property
    def product(self): return self.x * self.y


@dataclasses.dataclass(frozen=True)
class Body:
    place: Point
    speed: Point
    name: str = "body"
    trail: list = dataclasses.field(default_factory=list)

    def step(self, dt):
        return Body(self.place + dt * self.speed, self.speed + -dt * self.place, self.name, self.trail + [self.place.x])


@dataclasses.dataclass(frozen=True)
class Checked:
    value: float
    twice: float = dataclasses.field(init=False)

    def __post_init__(self):
        if self.value < 0:
            raise ValueError("negative")
        object.__setattr__(self, "twice", self.value * 2)


@dataclasses.dataclass(frozen=True, order=True)
class Key:
    a: int
    b: float = 0.0


@dataclasses.dataclass(frozen=True, eq=False)
class Named:
    name: str


class Grown(Point):
    pass


ORIGIN = Point(0.0)


@runs((0.5, 3), (-0.5, 0))
def of_a_loop(x, n):
    p, k = Point(x, 1.0), 0
    while abs(p) > 0.1 and k < n:
        p = p * 0.5
        k += 1
    return p, p.product, k


@runs((0.5, 3), (-0.5, 0))
def of_a_branch(x, n):
    p = Point(x) if x > 0 else Point(y=x, x=1.0)
    if n > 2:
        p = p + p
    return [p, p == Point(1.0), p != ORIGIN, f"{p}"]


@runs((0.5, 3), (-0.5, 0))
def given_back_early(x, n):
    for i in range(n):
        if i * x > 0.5:
            return Point(x, i * 1.0)
    return ORIGIN


@runs((0.5, 3), (-0.5, 0))
def within_one_another(x, n):
    body = Body(Point(x), Point(0.0, 1.0))
    for _ in range(n):
        body = body.step(0.1)
    return dataclasses.replace(body.place, y=2.0), body.speed, body.name, sum(body.trail)


@runs((0.5, 3), (-0.5, 0))
def of_a_recursion(x, n):
    def go(p, k):
        return p if k == 0 else go(p * 0.5 + Point(0.1, x), k - 1)
    return go(ORIGIN, n)


@runs((0.5, 3), (-0.5, 2))
def checked_when_they_are_made(x, n):
    c = Checked(1.0)
    for _ in range(n):
        c = Checked(c.value + x)
    return c.twice


@runs((0.5, 3), (-0.5, 6))
def in_order(x, n):
    best = Key(0)
    for i in range(n):
        key = Key(i % 3, i * x)
        if key > best:
            best = key
    return best


@runs((0.5, 3), (-0.5, 6))
def in_containers(x, n):
    state, points = {"p": Point(x)}, [Point(1.0), ORIGIN]
    for i in range(n):
        state["p"] = state["p"] + points[0]
        points[0] = points[0] * 2
    match state["p"]:
        case Point(y=0.0, x=a) if a > 2:
            return a
        case p:
            return p.x + points[0].x


@runs((0.5, 3), (-0.5, 6))
def which_one_it_is(x, n):
    p = q = Point(x)
    if n > 4:
        p = Point(x)
    return p is q, p == q


@stops("LT0305", "a field of a frozen dataclass, Point, is set behind its back", at=(0.5, 3))
def changed_all_the_same(x, n):
    p = q = Point(x)
    if n > 4:
        p = ORIGIN
    object.__setattr__(q, "x", 7.0)     # error
    return p.x


@stops("LT0309", "FrozenInstanceError: cannot assign to field 'x'", at=(0.5, 3))
def assigned_to(x, n):
    p = Point(x)
    p.x = n     # error
    return p.x


@stops("LT0306", "'p' is a Python value of type 'Named'", at=(0.5, 3))
def equal_by_identity_alone(x, n):
    p = Named("a")
    if x > 0:     # error
        p = Named("b")
    return p.name


@stops("LT0306", "'p' is a Python value of type 'Grown'", at=(0.5, 3))
def a_subclass_that_is_no_dataclass(x, n):
    p = Grown(x)
    for _ in range(n):     # error
        p = Grown(p.x + 1.0)
    return p.x
