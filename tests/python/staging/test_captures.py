"""What a define takes from around the function that was traced: each call passes what stands there then."""
import pytest

COMMON = """
def applied(function, first):
    return function(first)

def both(functions, first):
    return functions[0](first) - functions[1](first)

def walk(n, a, function):
    if n <= 0:
        return function(a)
    b = lt.tanh(a + 0.1)
    return walk(n - 1, b, lambda c: c * b + 1.0)

def walk_and_end(n, a, function):
    if n <= 0:
        return function(a)
    b = a + 0.1
    return walk_and_end(n - 1, b, lambda c: c * b + 1.0) * function(a)

class Box:
    pass

SETTINGS = {"by": 2.0}

@lt.struct
class Pair:
    left: float
    right: float

def scaled(box, t):
    return box.value * t

def f(x: float, t: float, n: int):
"""
BODIES = {
    "of a function that is passed": """
for i in range(3):
    x = applied(lambda a: lt.tanh(x) + a, t)
return x""",
    "of a function that a function calls": """
for i in range(3):
    g = lambda a: lt.tanh(x) + a
    def h(b):
        return g(b) * 2
    x = h(t)
return x""",
    "of a function in a turn of a staged loop": """
for i in range(n):
    y = applied(lambda a: lt.tanh(x) + a, t)
    x = applied(lambda a: lt.tanh(x) + a, y)
return x""",
    "of functions in a tuple": """
for i in range(3):
    x = both((lambda a: lt.tanh(x) + a, lambda a: a * x), t)
return x""",
    "of functions in a list": """
for i in range(3):
    functions = [lambda a: lt.tanh(x) + a, lambda a: a * x]
    x = both(functions, t)
return x""",
    "of a list": """
values = [x]
def g(t):
    return values[0] * t
a = g(t)
values[0] = a
return g(t) + a""",
    "of a list in a list": """
values = [[x], 2.0]
def g(t):
    return values[0][0] * t
a = g(t)
values[0] = [a]
b = g(t)
values[0][0] = b + x
return g(t) + a + b""",
    "of a dict": """
values = {"k": x}
def g(t):
    return values["k"] * t
for i in range(3):
    values["k"] = g(t) + 1
return values["k"]""",
    "of an object": """
box = Box()
box.value = x
for i in range(3):
    box.value = scaled(box, t) + x
return box.value""",
    "of a partial function": """
import functools
def g(a, b):
    return a * b + lt.tanh(b)
for i in range(3):
    x = applied(functools.partial(g, x), t)
return x""",
    "two that were one": """
p, q = x, x
def g(t):
    return p * t - 3.0 * q
a = g(t)
p = t
return g(t) + a""",
    "two that were one, of functions": """
a, y = 0.0, t * 2.0
for z, w in ((x, x), (x, y), (y, x), (y, y)):
    a += both((lambda b: b * z, lambda b: 3.0 * b + w), t)
return a""",
    "one that were two": """
p, q = x, t
def g(t):
    return p * t - 3.0 * q
a = g(t)
p = q
return g(t) + a""",
    "in a recursion": "return walk(n, x, lambda c: c * x)",
    "in a recursion, behind the call": "return walk_and_end(n, x, lambda c: c * x)",
    "of a generator's function": """
def g(values):
    return sum([applied(lambda a: a * v, t) for v in values])
return g([x, t, x + t]) + g([t, x, t])""",
    "of a default": """
total = 0.0
for i in range(3):
    total += applied(lambda a, b=x: a * b, t)
    x = x + 1.0
return total""",
    "of a default that is known": """
total = 0.0
for i in range(3):
    total += applied(lambda a, i=i: a * i + x, t)
return total""",
    "of a function that an object holds": """
box, k = Box(), 2.0
def g(a):
    return a * k + x
box.value = g
def h(a):
    return box.value(a)
a = h(t)
k = 3.0
b = h(t)
x = b
return a + 10.0 * b + 100.0 * h(t)""",
    "of a function that an object holds, without an argument": """
box, k = Box(), 2.0
def g():
    return k + x
box.value = g
def h(a):
    return a * box.value()
a = h(t)
k = 3.0
b = h(t)
x = b
return a + 10.0 * b + 100.0 * h(t)""",
    "of a function that a function calls without an argument": """
k = 2.0
def g():
    return k + x
def h(a):
    return a * g()
a = h(t)
k = 3.0
b = h(t)
x = b
return a + 10.0 * b + 100.0 * h(t)""",
    "of a structure whose field was read": """
p = Pair(x, t)
def g(a):
    return p.left * a
u = p.left
a = g(t)
p = Pair(t, x)
return u + a + 10.0 * g(t)""",
    "of a structure that is passed, whose field was read": """
u = 0.0
for p in (Pair(x, t), Pair(t, x), Pair(u, x)):
    u += p.left
    u += applied(lambda a: p.left * a, t)
return u""",
    "of a method's object": """
class Scale:
    def __init__(self, by):
        self.by = by
    def __call__(self, a):
        return self.by * a
s = Scale(x)
a = applied(s, t)
s.by = a + 1.0
return applied(s, t) + a""",
}


@pytest.mark.parametrize("title", BODIES)
def test_what_a_call_passes_for_what_was_captured(stage, title):
    f = stage(COMMON + "".join(f"    {line}\n" for line in BODIES[title].strip().splitlines()))
    for arguments in ((0.7, 0.3, 3), (-0.4, 1.2, 1), (0.2, 0.9, 0)):
        assert f(*arguments) == pytest.approx(float(f.function(*arguments)), rel=1e-12)
