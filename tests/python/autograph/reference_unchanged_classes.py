"""Instances whose attributes nothing sets once they are made are values, as those of frozen dataclasses are: a variable may be another one behind a
branch, a loop or a call. Where something sets one, or asks which instance it is, they are objects that are numbered."""
import dataclasses
import inspect
import math

from programs import runs, stops


class Vector:
    def __init__(self, x, y=0.0): self.x, self.y = x, y
    def __add__(self, other): return Vector(self.x + other.x, self.y + other.y)
    def __mul__(self, k): return Vector(self.x * k, self.y * k)
    __rmul__ = __mul__

    @property
    def norm(self): return math.hypot(self.x, self.y)


class Dual:
    __slots__ = ("value", "__dot")

    def __init__(self, value, dot=0.0): self.value, self.__dot = value, dot
    def __mul__(self, other): return Dual(self.value * other.value, self.__dot * other.value + self.value * other.__dot)
    def __neg__(self): return Dual(-self.value, -self.__dot)
    def __abs__(self): return -self if self.value < 0 else self
    def parts(self): return self.value, self.__dot


@dataclasses.dataclass(**{"slots": True} if "slots" in inspect.signature(dataclasses.dataclass).parameters else {})
class Pair:
    a: float
    b: float = 1.0


class Model:
    def __init__(self, w, settings):
        self.w, self.settings = w, settings
        self.rate = self.rated()

    def rated(self): return 0.1 if self.settings["name"] == "sgd" else 1.0

    def step(self, x):
        error = self.w * x - 1.0
        return Model(self.w - self.rate * error * x, self.settings), error


@dataclasses.dataclass
class State:
    place: Vector
    speed: Vector
    trail: list = dataclasses.field(default_factory=list)
    twice: float = dataclasses.field(init=False)

    def __post_init__(self):
        self.twice = 2 * self.place.x

    def step(self, dt): return State(self.place + dt * self.speed, self.speed + -dt * self.place, self.trail + [self.place.x])


@dataclasses.dataclass
class Key:
    a: int
    b: float = 0.0


class Mutable:
    def __init__(self, x): self.x = x
    def grow(self): self.x += 1.0


SETTINGS = {"name": "sgd"}


@runs((0.5, 3), (-0.5, 0))
def with_slots(x, n):
    d, p = Dual(x, 1.0), Pair(x)
    for i in range(n):
        d, p = abs(d) * Dual(1.5, x), Pair(p.b, p.a + i)
    d = -d if p.a > 0.2 else d
    return d.parts(), p.a, p.b, repr(p)


@runs((0.5, 3), (-0.5, 0))
def of_a_loop(x, n):
    v, k = Vector(x, 1.0), 0
    while v.norm > 0.1 and k < n:
        v = v * 0.5
        k += 1
    return v.x, v.y, k, isinstance(v, Vector), type(v) is Vector


@runs((0.5, 3), (-0.5, 0))
def of_a_branch(x, n):
    key = Key(n, x) if x > 0 else Key(b=x, a=1)
    if n > 2:
        key = Key(key.a + 1, key.b)
    return key, key == Key(1, x), key != Key(4, x), f"{key}"


@runs((0.5, 3), (-0.5, 0))
def within_one_another(x, n):
    state = State(Vector(x), Vector(0.0, 1.0))
    for _ in range(n):
        state = state.step(0.1)
    state.trail.append(x)
    return state.place.x, state.speed.y, state.trail, state.twice


@runs((0.5, 3), (-0.5, 0))
def of_python_values(x, n):
    model, errors = Model(x, SETTINGS), []
    for i in range(n):
        model, error = model.step(i + x)
        errors.append(error)
    return model.w, errors, model.settings["name"]


@runs((0.5, 3), (-0.5, 0))
def given_back_early(x, n):
    def first(v):
        for i in range(n):
            v = v + Vector(1.0, i)
            if v.x > 2.0:
                return v
        return Vector(0.0)
    return first(Vector(x)).y


@runs((0.5, 3), (-0.5, 0))
def of_a_recursion(x, n):
    def go(v, k):
        return v if k == 0 else go(v * 0.5 + Vector(0.1, x), k - 1) + v
    return go(Vector(x), n).norm


@runs((0.5, 3), (-0.5, 0))
def given_back(x, n):
    return Key(n, x), [Key(1, x)]


@runs((0.5, 3), (-0.5, 0))
def objects_as_ever(x, n):
    a = b = Mutable(x)
    for _ in range(n):
        a.grow()
    return a is b, b.x


@runs((0.5, 3), (-0.5, 0))
def set_behind_it(x, n):
    v = w = Vector(x)
    for _ in range(n):
        v = v + w
    w.x = 2.0
    return v.x, w.y


@stops("LT0310", "Vector: its attributes are asked for as a dict", "name the attributes", at=(0.5, 3))
def set_in_its_dict(x, n):
    v = w = Vector(x)
    if x > 0:
        v = v + w
    vars(w)["x"] = 2.0     # error
    return v.x


@runs((0.5, 3), (-0.5, 0))
def set_by_a_method(x, n):
    m = first = Mutable(x)
    for _ in range(n):
        m = Mutable(m.x * 2)
        m.grow()
    first.grow()
    return m.x, first.x


@runs((0.5, 0), (0.5, 3))
def missing(x, n):
    v = None
    for _ in range(n):
        v = Vector(x) if v is None else v * 2
    return v is None, -1.0 if v is None else v.x


@runs((0.5, 3), (-0.5, 5))
def which_one_it_is(x, n):
    v = w = Vector(x)
    if n > 4:
        v = v * 2
    return v is w, v is not w


@runs((0.5, 3), (-0.5, 5))
def equal_if_it_is_one(x, n):
    v = w = Vector(x)
    if n > 4:
        v = v * 2
    return v == w, v != w


@runs((0.5, 3), (-0.5, 5))
def in_a_set(x, n):
    v = w = Vector(x)
    if n > 4:
        v = v * 2
    return len({v, w})


@stops("LT0310", "Vector: it is asked where in memory one is", "compare with `is`", at=(0.5, 3))
def its_number(x, n):
    v = w = Vector(x)
    if n > 4:
        v = v * 2
    return id(v) == id(w)     # error


