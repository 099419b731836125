"""Attributes that objects have in slots, or by their class until they are stored, changed by methods under conditions and in loops."""
import pytest

import staged_source

CLASSES = """
import enum
from dataclasses import dataclass

class Counter:
    n, scale, name = 0, 1.0, None

    def hit(self, x):
        self.n += 1
        self.scale *= x

    def maybe(self, x):
        if x > 1: self.hit(x)

class Slotted(Counter):
    __slots__ = ("total",)
    scale = 2.0

    def __init__(self):
        self.total = 0.0

    def hit(self, x):
        super().hit(x)
        self.total += self.scale

class Vector:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def push(self, other, by):
        self.x += by * other.x
        self.y += by * other.y

class State(enum.Enum):
    SHUT = 1
    OPEN = 2

@dataclass(frozen=True)
class Point:
    x: float
    y: float = 2.0

class Door:
    state, place, point = State.SHUT, (0, 1.0), Point(0.5)

    def step(self, x):
        if x > 3: self.state = State.OPEN
        if x > 1:
            self.place = self.place[0] + 1, self.place[1] * x
            self.point = Point(self.point.y, x)

@dataclass
class Gate(Door):
    state: State = State.OPEN
    place: tuple = (1, 0.5)
    point: Point = Point(1.0)

@dataclass
class Machine:
    stack: list
    of: dict = None

    def push(self, x):
        self.stack.append(x)
"""
BODIES = {
    "under a condition": "c = Counter()\nc.maybe(x)\nreturn c.n, c.scale, Counter.n, Counter().scale",
    "in loops": "c = Counter()\nfor i in range(n): c.maybe(x + i)\nif x > 0:\n    for i in range(n):\n        if i > 1: c.hit(x)\nreturn c.n, c.scale, Counter.scale",
    "stored where it stands": "c = Counter()\nif x > 1: c.n = n\nreturn c.n, c.name is None",
    "of two": "c, d = Slotted(), Counter()\nfor i in range(n):\n    c.maybe(x + i)\n    d.maybe(x - i)\n    if d.n > 1: d.scale = c.total\n"
              "return c.n, c.scale, c.total, d.scale, d.n, Slotted.scale",
    "slots": "p, v = Vector(x, 0.0), Vector(1.0, x)\nfor i in range(n):\n    p.push(v, 0.1)\n    if p.x > x + 0.15: v.push(p, -0.5)\nreturn p.x, p.y, v.x, v.y",
    "members, tuples and frozen dataclasses": "c, d = Door(), Gate()\nfor i in range(n):\n    c.step(x + i)\n    d.step(x - i)\nif x > 1: d.state = State.SHUT\n"
                                              "return c.state is State.OPEN, d.state is State.SHUT, *c.place, *d.place, c.point.x, d.point.y, Door.state is State.SHUT",
    "lists that dataclasses are given": "c, d = Machine([x]), Machine(stack=[[1], [2]], of={1: x})\nc.stack.append(1.0)\nd.stack[0].append(n)\nd.of[n + 2] = 2.0\n"
                                        "for i in range(n):\n    c.push(x * i)\n    d.stack[1].append(i)\nms = [Machine([i]) for i in range(n)]\n"
                                        "for m in ms: m.push(n)\nreturn sum(c.stack), len(c.stack), sum(sum(row) for row in d.stack), sum(m.stack[-1] * m.stack[0] for m in ms), sum(d.of.values())",
    "a slot in a while": "p, v = Vector(x, 0.0), Vector(0.5, 1.0)\nwhile p.x < 3: p.push(v, 1.0)\nreturn p.x, p.y",
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("arguments", [(0.5, 4), (2.5, 3), (-2.5, 0)])
def test_methods(stage, name, arguments):
    body = BODIES[name].replace("\n", "\n    ")
    source = f"{CLASSES}\ndef f(x: float, n: int):\n    {body}\n"
    assert stage(source)(*arguments) == pytest.approx(staged_source.module_of(source).f(*arguments), rel=1e-12)


@pytest.mark.parametrize("asked", ["len(vars(c))", "len(c.__dict__)"])
def test_which_attributes_are_its_own_is_not_known(error_of, asked):
    error = error_of(f"{CLASSES}\ndef f(x: float):\n    c = Counter()\n    if x > 1: c.n = 2\n    return {asked}\n")
    assert (error.code, error.message) == ("LT0305", "it is asked which attributes of its own a Counter has, and 'n' may be its class's")
    assert error.hint == "give it the attribute in __init__: self.n = …"
