"""Properties and other descriptors that store, under conditions and in loops: what was staged gives what Python gives."""
import pytest

import staged_source

CLASSES = """
class Thermometer:
    def __init__(self, celsius):
        self.celsius, self.stores = celsius, 0

    @property
    def fahrenheit(self):
        return self.celsius * 1.8 + 32.0

    @fahrenheit.setter
    def fahrenheit(self, value):
        self.celsius = max(-100.0, min(100.0, (value - 32.0) / 1.8))
        self.stores += 1

class OneMore:
    def __set_name__(self, owner, name): self.name = "_" + name
    def __get__(self, owner, cls=None): return getattr(owner, self.name)
    def __set__(self, owner, value): setattr(owner, self.name, value + 1.0)

class Room:
    level = OneMore()
    def __init__(self, celsius):
        self.level = celsius
        self.at = Thermometer(celsius)
"""
BODIES = {
    "a branch": "t = Thermometer(x)\nif x > 0: t.fahrenheit = x * 3",
    "a branch of two": "t = Thermometer(x)\nif x > 1: t.fahrenheit += x\nelif n > 2: t.celsius = 7.0\nelse: t.fahrenheit = 500.0",
    "a loop": "t = Thermometer(x)\nfor i in range(n): t.fahrenheit += 7.0 * i",
    "a loop whose test reads it": "t = Thermometer(x)\nwhile t.fahrenheit < 100.0: t.fahrenheit += 7.0",
    "a loop that is left": "t = Thermometer(x)\nfor i in range(n):\n    t.fahrenheit = t.fahrenheit * 2\n    if t.fahrenheit > 90: break",
    "one of an object's own": "t = Room(x).at\nr = Room(x)\nif x > 0: r.at.fahrenheit = x\nt.celsius = r.at.celsius",
    "a tuple's": "t = Thermometer(x)\nif x > 0: n, t.fahrenheit = 5, x",
    "a descriptor's": "r = Room(x)\nif x > 0: r.level = x * 2\nfor i in range(n): r.level += i\nt = Thermometer(r.level)",
    "objects of a list": "ts = [Thermometer(x), Thermometer(2 * x)]\nfor i in range(n):\n    for t in ts: t.fahrenheit += i\nt = ts[0]",
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("arguments", [(1.5, 3), (-2.0, 2), (-2.0, 4)])
def test_properties(stage, name, arguments):
    body = BODIES[name].replace("\n", "\n    ")
    source = f"{CLASSES}\ndef f(x: float, n: int):\n    {body}\n    return t.celsius, t.fahrenheit, t.stores, n\n"
    assert stage(source)(*arguments) == pytest.approx(staged_source.module_of(source).f(*arguments), rel=1e-12)
