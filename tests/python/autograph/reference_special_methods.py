"""Special methods of the user's classes, asked by operators, statements and built-in functions: converted, as all that is called."""
import collections
import dataclasses
import functools

import lantern as lt
from programs import runs, stops


class Truth:
    def __init__(self, x): self.x = x

    def __bool__(self):
        print("asked")
        if self.x > 0:
            return True
        return False


class Sized:
    def __init__(self, xs): self.xs = xs
    def __len__(self): return len(self.xs)
    def __iter__(self): return iter(self.xs)
    def __getitem__(self, i): return self.xs[i] if i >= 0 else 0.0

    def __contains__(self, wanted):
        for x in self.xs:
            if x == wanted:
                return 1
        return 0


class V:
    def __init__(self, x): self.x = x
    def __eq__(self, other): return self.x == other.x if isinstance(other, V) else NotImplemented
    def __lt__(self, other): return self.x < other.x
    def __add__(self, other): return V(self.x + other.x if self.x > 0 else 0) if isinstance(other, V) else NotImplemented
    def __radd__(self, other): return V(self.x + other if other > 0 else self.x)
    def __neg__(self): return V(-self.x if self.x > 0 else self.x)
    def __abs__(self): return V(self.x if self.x > 0 else -self.x)
    def __hash__(self): return hash(self.x)
    def __format__(self, spec): return f"<{self.x:.2f}>" if spec else f"<{self.x}>"
    def __str__(self): return f"V({self.x})"
    def __repr__(self): return f"R({self.x})"
    def __index__(self): return self.x if self.x > 0 else 0
    def __float__(self): return self.x * 1.0 if self.x > 0 else 0.0
    def __int__(self): return self.x if self.x > 0 else 0
    def __call__(self, y): return self.x if y > 0 else y
    def __setitem__(self, key, value): self.x = value if value > 0 else -value

    def __iadd__(self, other):
        self.x = self.x + other if other > 0 else self.x
        return self

    def __getattr__(self, name):
        if name == "y":
            return self.x if self.x > 0 else 0
        raise AttributeError(name)


@dataclasses.dataclass(order=True)
class Pair:
    a: float
    b: int = 1


@functools.total_ordering
class Ordered:
    def __init__(self, x): self.x = x
    def __eq__(self, other): return self.x == other.x
    def __lt__(self, other): return self.x < other.x


class Countdown:
    def __init__(self, n, x): self.n, self.x = n, x
    def __iter__(self): return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.x if self.x > self.n else self.n


class Positive:
    """A descriptor."""

    def __set_name__(self, owner, name): self.name = "_" + name
    def __get__(self, owner, cls): return getattr(owner, self.name) if getattr(owner, self.name) > 0 else 0
    def __set__(self, owner, value): setattr(owner, self.name, value if value < 5 else 5)


class Described:
    a = Positive()

    def __init__(self, a):
        self.a = a

    @property
    def b(self):
        return self.a

    @b.setter
    def b(self, value):
        self.a = value if value > 2 else 2


class Child(V):
    def __radd__(self, other): return V(100 + self.x)


@lt.struct
class Vector:
    x: float
    y: float

    def __add__(self, other): return Vector(self.x + other.x, self.y + other.y) if self.x > 0 else other
    def __neg__(self): return Vector(-self.x, -self.y)


@lt.struct
class Flag:
    on: bool

    def __bool__(self): return self.on


SIGNS = ((1,), (-2,))


@runs(*SIGNS)
def truth_in_statements(n):
    if Truth(n):
        y = 1
    else:
        y = 2
    t = Truth(n)
    while t:
        t.x = t.x - 1
    assert not t, "positive"
    return y, t.x


@runs(*SIGNS)
def truth_in_expressions(n):
    return (1 if Truth(n) else 2), not Truth(n), bool(Truth(n)), (bool(Truth(n)) and n < 5), (bool(Truth(n)) or n < 5)


@runs(*SIGNS)
def truth_of_elements(n):
    return any([Truth(n), Truth(1)]), all([Truth(n), Truth(-1), Truth(1)])


@runs(*SIGNS)
def truth_by_assert(n):
    assert Truth(n), "not positive"
    return n


@runs(*SIGNS)
def truth_of_known(n):
    y = n
    if Truth(3):
        y += 1
    return y if Truth(-1) else -y


@runs(([1.0, 2.0], 2.0), ([3.0], 4.0))
def a_container(xs, v):
    s = Sized(xs)
    y = 0.0
    for x in s:
        y += x
    return len(s), 1 if s else 0, v in s, v not in s, y, sum(s), max(s), list(s), [x + 1 for x in s], s[0], s[-1]


@runs((3, 1.5), (0, 2.5))
def an_iterator(n, x):
    y = 0.0
    for z in Countdown(3, x):
        y += z
    return y, [z for z in Countdown(2, x)], sum(Countdown(2, x)), next(Countdown(1, x))


@runs(*SIGNS)
def equality(n):
    return V(n) == V(1), V(n) != V(1), V(n) == 1, V(n) != 1, V(n) in (V(1), V(2)), V(n) in [V(5)], (V(n), 1) == (V(1), 1), [V(n)] != [V(1)]


@runs(*SIGNS)
def order(n):
    return V(n) < V(0), V(n) > V(0), Ordered(n) >= Ordered(1), Ordered(n) <= Ordered(1), Ordered(n) > Ordered(0)


@runs(*SIGNS)
def arithmetic(n):
    return (V(n) + V(1)).x, (2 + V(n)).x, (n + V(1)).x, sum([V(1), V(n)]).x, (-V(n)).x, abs(V(n)).x, (V(n) + Child(1)).x


@runs(*SIGNS)
def text_of_objects(n):
    print(V(n), Pair(n))
    return f"{V(n)} {V(n):.2f} {V(n)!s} {V(n)!r}", str(V(n)), repr(V(n)), str(Pair(n)), f"{[V(n), 1]} {(n, 'a')} {[n]}", str({"a": n})


@runs(*SIGNS)
def text_of_tuples(n):
    p = collections.namedtuple("P", "a b")(n, 1.5)
    return str(p), f"{(n,)}", str([]), f"{p!r}"


@runs(*SIGNS)
def numbers(n):
    s = 0
    for i in range(V(n)):
        s += i
    return s, float(V(n)), int(V(n)), [1.0, 2.0, 3.0][V(n)], V(n)(n)


@runs(*SIGNS)
def stores(n):
    v = V(n)
    v += 2
    v[0] = v.x
    return v.x, v.y


@runs(*SIGNS)
def attributes(n):
    d = Described(n)
    y = d.a
    d.b = n
    return y, d.b, d.a


@runs(*SIGNS)
def dataclasses_compare(n):
    return Pair(n) == Pair(1), Pair(n) != Pair(1, 2), Pair(n) < Pair(1, 2), Pair(n) >= Pair(1), (n, 1) < (1, 2), [n, 3] >= [n, 2]


@runs(*SIGNS)
def structures(n):
    a = Vector(n * 1.0, 2.0) + Vector(1.0, 1.0)
    return (-a).x, a.y


@runs(*SIGNS)
def sentinels(n):
    missing = object()
    return n is missing, n is not missing, n is NotImplemented


@stops("LT0309", "TypeError: unsupported operand type(s) for +: 'V' and 'Described'", at=(1,))
def no_such_operator(n):
    return V(n) + Described(n)     # error


@stops("LT0309", "unsupported operand type(s) for -: 'V' and 'int'", at=(1,))
def no_method(n):
    return V(1) - n     # error


@stops("LT0309", "__bool__ should return bool, returned int", at=(1,))
def no_bool(n):
    class Wrong:
        def __bool__(self): return n
    return 1 if Wrong() else 2  # error


@stops("LT0303", "'n'", "Python needs its hash now", "an object with a hash of its own cannot", at=(1,))
def a_key(n):
    class Key:
        def __hash__(self): return hash(n)      # error
    return {Key(): 1}


@stops("LT0310", "__bool__", "is None", at=(Flag(True),))
def an_optional_with_a_truth_of_its_own(f):
    g = f if f.on else None
    return 1 if g else 2    # error


@stops("LT0313", "the loop at", "would end", at=(1,))
def the_end_of_an_iterator(n):
    class Until:
        def __iter__(self): return self

        def __next__(self):
            if n > 0:
                raise StopIteration     # error
            return 1
    for _ in Until():
        n += 1
    return n


class Loud:
    def __init__(self, x): self.x = x

    def __gt__(self, other):
        print("compared")
        return self.x > other.x


@runs(*SIGNS)
def comparisons_of_known_objects_happen_when_the_program_runs(n):
    return max(Loud(3), Loud(1)).x + n, max([Loud(1), Loud(2)]).x
