"""Programs whose lists, variables, dicts and links hold objects of several classes: those with a derivative, and others (test_families.py)."""
import sys

if sys.version_info >= (3, 10):
    OF_PETS = """        match p:
            case Cat(lives=k): seen.append(f"cat {k}")
            case Dog(name=s): seen.append(s)
"""
    OF_LINKS = """        match o:
            case A(v=v) if v > 1: best = o
            case B(w=w): best = o if w > 2 else None
"""
else:
    OF_PETS = """        if isinstance(p, Cat): seen.append(f"cat {p.lives}")
        elif isinstance(p, Dog): seen.append(p.name)
"""
    OF_LINKS = """        if isinstance(o, A) and o.v > 1: best = o
        elif isinstance(o, B): best = o if o.w > 2 else None
"""

HEAD = """
import abc
import collections
import copy
import dataclasses
import math

import lantern as lt


class Shape:
    kind = "shape"
    def area(self): raise NotImplementedError
    def describe(self): return f"{type(self).__name__} of area {self.area():.2f}"


class Circle(Shape):
    def __init__(self, r): self.r = r
    def area(self): return 3.0 * self.r ** 2


class Rect(Shape):
    kind = "rect"
    def __init__(self, w, h): self.w, self.h = w, h
    def area(self): return self.w * self.h


class Linear:
    def __init__(self, a, b): self.a, self.b = a, b
    def __call__(self, x): return self.a * x + self.b


class Tanh:
    def __call__(self, x): return math.tanh(x)


class Scale(Linear):
    def __init__(self, a): super().__init__(a, 0.0)
    def __call__(self, x): return super().__call__(x) * 2


class Sphere:
    def __init__(self, z, r): self.z, self.r = z, r
    def hit(self, y):
        d = self.r * self.r - y * y
        return self.z - d if d > 0 else None


class Plane:
    def __init__(self, z): self.z = z
    def hit(self, y): return self.z + y


class Num:
    def __init__(self, v): self.v = v
    def eval(self, x): return self.v
    def diff(self): return Num(0.0)
    def __str__(self): return f"{self.v:g}"


class Var:
    def eval(self, x): return x
    def diff(self): return Num(1.0)
    def __str__(self): return "x"


class Add:
    def __init__(self, a, b): self.a, self.b = a, b
    def eval(self, x): return self.a.eval(x) + self.b.eval(x)
    def diff(self): return Add(self.a.diff(), self.b.diff())
    def __str__(self): return f"({self.a} + {self.b})"


class Mul:
    def __init__(self, a, b): self.a, self.b = a, b
    def eval(self, x): return self.a.eval(x) * self.b.eval(x)
    def diff(self): return Add(Mul(self.a.diff(), self.b), Mul(self.a, self.b.diff()))
    def __str__(self): return f"{self.a} * {self.b}"


def parsed(n):
    stack, e = [Var()], None
    for i in range(n):
        if i % 3 == 1: stack.append(Mul(stack.pop(), stack.pop()) if len(stack) > 1 else Mul(stack[-1], Num(float(i))))
        elif i % 3 == 2: stack.append(Add(stack.pop(), Var()))
        else: stack.append(Num(0.5 * i) if i % 2 else Var())
    return stack.pop()


@dataclasses.dataclass
class Cat:
    name: str
    lives: int = 9
    def hit(self): self.lives -= 1
    @property
    def alive(self): return self.lives > 0
    @alive.setter
    def alive(self, v): self.lives = 9 if v else 0


@dataclasses.dataclass
class Dog:
    name: str
    health: float = 1.0
    def hit(self): self.health /= 2
    @property
    def alive(self): return self.health > 0.3
    @alive.setter
    def alive(self, v): self.health = 1.0 if v else 0.0


class A:
    def __init__(self, v): self.v = v
    def f(self): return self.v + 1


class B:
    def __init__(self, w): self.w, self.next = w, None
    def g(self): return self.w


class Leaf:
    def __init__(self, v): self.v = v
    def total(self): return self.v
    def insert(self, v): return Branch(self, Leaf(v)) if v > self.v else Branch(Leaf(v), self)


class Branch:
    def __init__(self, l, r): self.l, self.r, self.n = l, r, 2
    def total(self): return self.l.total() + self.r.total() * 2
    def insert(self, v):
        self.n += 1
        if self.l.total() < v: self.r = self.r.insert(v)
        else: self.l = self.l.insert(v)
        return self


class Animal(abc.ABC):
    def __init__(self, name): self.name, self.friends = name, []
    @abc.abstractmethod
    def speak(self): ...
    def greet(self, other):
        self.friends.append(other)
        return f"{self.name} says {self.speak()} to {other.name}"
    @staticmethod
    def legs(): return 4
    @classmethod
    def kind(cls): return "animal"


class Cow(Animal):
    def speak(self): return "moo"


class Duck(Animal):
    def __init__(self, name, wet=False):
        super().__init__(name)
        self.wet = wet
    def speak(self): return "quack" if not self.wet else "splash"
    @staticmethod
    def legs(): return 2
    @classmethod
    def kind(cls): return "bird"


class P:
    def __init__(self, x): self.x = x
    def __add__(self, o): return P(self.x + o.x)
    def __eq__(self, o): return self.x == o.x
    def __len__(self): return 2
    def __bool__(self): return self.x > 0
    def __getitem__(self, i): return self.x * i


class Q:
    def __init__(self, x, y): self.x, self.y = x, y
    def __add__(self, o): return Q(self.x + o.x, self.y)
    def __eq__(self, o): return self.x == o.x
    def __len__(self): return 3
    def __bool__(self): return self.y > 0
    def __getitem__(self, i): return self.y + i


class Item:
    def __init__(self, v): self.v = v
    def cost(self): return self.v


class Sale(Item):
    def cost(self): return super().cost() * 0.5


class Bundle:
    def __init__(self, items): self.items = items
    def cost(self): return sum(i.cost() for i in self.items) - 1.0


class Account:
    rate = 0.01
    def __init__(self, owner, balance): self.owner, self.balance, self.log = owner, balance, []
    def apply(self): self.deposit(self.balance * self.rate)
    def deposit(self, x):
        self.balance += x
        self.log.append(x)


class Savings(Account):
    rate = 0.05


class Checking(Account):
    def __init__(self, owner, balance, fee=0.5):
        super().__init__(owner, balance)
        self.fee = fee
    def deposit(self, x): super().deposit(x - self.fee)


class Dir:
    def __init__(self, name, parent=None): self.name, self.parent, self.kids = name, parent, []
    def size(self): return sum(k.size() for k in self.kids)
    def find(self, name):
        for k in self.kids:
            if k.name == name: return k
        return None


class File:
    def __init__(self, name, n): self.name, self.n = name, n
    def size(self): return self.n


class Push:
    def __init__(self, n): self.n = n
    def run(self, m): m.stack.append(m.acc + self.n)


class Jump:
    def __init__(self, to): self.to = to
    def run(self, m):
        m.acc += 3
        if m.acc < 10: m.pc = self.to


class Machine:
    def __init__(self, code): self.acc, self.stack, self.pc, self.code = 0, [], 0, code
    def go(self):
        while self.pc < len(self.code):
            op = self.code[self.pc]
            self.pc += 1
            op.run(self)
        return self.stack
"""

# name → body; each has x: float and n: int, and gives a float that has a derivative with respect to x.
DERIVED = {
    "areas": """
    shapes, y = [], 0.0
    for i in range(n):
        if i % 2 == 0: shapes.append(Circle(x * i))
        else: shapes.append(Rect(x, 2.0 + i))
    for s in shapes:
        if isinstance(s, Rect): s.w += x
        elif isinstance(s, Circle): y -= s.r
        if hasattr(s, "r"): y += s.r * x
    return y + sum(s.area() for s in shapes)""",
    "layers": """
    layers, y = [], x
    for i in range(n):
        if i % 3 == 0: layers.append(Tanh())
        elif i % 3 == 1: layers.append(Linear(x, 0.5))
        else: layers.append(Scale(0.3))
    for l in layers: y = l(y)
    return y + sum(1 for l in layers if isinstance(l, Linear))""",
    "nearest": """
    scene, total = [Plane(5.0)], 0.0
    for i in range(n): scene.append(Sphere(x * i + 2.0, 1.0))
    for k in range(4):
        y, near, best = k * 0.4, None, 1e9
        for o in scene:
            t = o.hit(y)
            if t is not None and t < best: best, near = t, o
        total += best
        if near is not None: near.z += 0.1 * x
    return total""",
    "expressions": """
    e = parsed(n)
    return e.eval(x) + 10 * e.diff().eval(x)""",
    "in_branches": """
    if n > 1: p, q = A(x), A(2.0 * x)
    else: p, q = B(3.0 * x), A(4.0)
    r, s = q, B(x) if n > 4 else q
    q.v += 10 * x
    t = [p, q, r, s, A(7.0 * x) if n == 1 else B(8.0)]
    if isinstance(t[4], A): t[4].v *= x
    else: t[4].w *= 2.0
    k, y = t[n % 5], 0.0
    for o in [*t, k]: y = y * 0.5 + (o.f() if isinstance(o, A) else o.g())
    return y""",
}

# name → (parameters, body)
OTHERS = {
    "shown": ("n: int", """
    shapes = [Circle(float(i)) if i % 2 else Rect(1.0, i + 1.0) for i in range(n)]
    return [(s.describe(), s.kind, type(s) is Rect, s.__class__.__name__) for s in shapes], f"{parsed(n).diff()}" """),
    "pets": ("n: int", """
    pets, best, seen = [], None, []
    for i in range(n): pets.append(Cat(f"c{i}", i) if i % 2 else Dog(f"d{i}"))
    for p in pets:
        p.hit()
        p.name += "!"
        if not p.alive: p.alive = True
        if best is None or p.name > best.name: best = p
    if best is not None: best.hit()
    pets.sort(key=lambda p: p.name)
    for p in pets:
""" + OF_PETS + """    return seen, pets, [best] if best is not None else [], f"{pets}" """),
    "lacks_it": ("n: int", """
    y = 0.0
    for o in [A(1.0) if i % 2 else B(2.0) for i in range(n)]: y += o.v
    return y"""),
    "lacks_a_method": ("n: int", """
    xs = [B(1.0) if i % 2 else A(2.0) for i in range(n)]
    return sum(o.f() for o in xs)"""),
    "grown": ("n: int", """
    t = Leaf(0.5)
    for i in range(n): t = t.insert(i * 1.7 % 3 - 1)
    return t.total(), t.n if isinstance(t, Branch) else 1, isinstance(t, (Leaf, Branch))"""),
    "animals": ("n: int", """
    zoo, said = [], []
    for i in range(n): zoo.append(Cow(f"a{i * 3 % 4}") if i % 3 else Duck(f"b{i}", wet=i % 2 == 0))
    for a in zoo:
        for b in zoo:
            if a is not b: said.append(a.greet(b))
    zoo.sort(key=lambda a: a.name)
    return said, [a.name for a in zoo], sum(a.legs() for a in zoo), [a.kind() for a in zoo], [f.name for a in zoo for f in a.friends]"""),
    "special_methods": ("n: int", """
    xs, total = [P(1.0 - i) if i % 3 else Q(1.0, i - 2.0) for i in range(n)], P(0.0)
    for o in xs: total = total + o
    c = [copy.copy(o) for o in xs]
    for o in c: o.x = 9.0
    return total.x, [len(o) for o in xs], [bool(o) for o in xs], [o[2] for o in xs], [o == xs[0] for o in xs], [o.x for o in xs + c], [1 if o else 0 for o in xs]"""),
    "bundles": ("n: int", """
    cart = {}
    for i in range(n):
        name = f"i{i % 3}"
        if name in cart: cart[name] = Bundle([cart[name], Sale(2.0 * i)])
        else: cart[name] = Item(1.0 * i)
    return {k: v.cost() for k, v in cart.items()}, sorted(cart)"""),
    "accounts": ("n: int", """
    accounts, by = [], {}
    for i in range(n):
        if i % 3 == 0: accounts.append(Savings(f"s{i}", 1.5))
        elif i % 3 == 1: accounts.append(Checking(f"c{i}", 3.0, fee=0.1 * i))
        else: accounts.append(Account("plain", 1.0))
    for _ in range(2):
        for a in accounts:
            a.apply()
            if isinstance(a, (Savings, Checking)) and a.balance > 2: a.deposit(-1.0)
    for a in accounts: by.setdefault(a.owner[0], []).append(a)
    rich = max(accounts, key=lambda a: a.balance) if accounts else None
    if rich is not None: rich.balance = 0.0
    return [a.balance for a in accounts], [len(a.log) for a in accounts], sum(a.balance for k in by for a in by[k]), [rich] if rich is not None else []"""),
    "folders": ("lines: list[str]", """
    root = Dir("/")
    cwd = root
    for line in lines:
        words = line.split()
        if words[0] == "cd":
            if words[1] == "..": cwd = cwd.parent
            else:
                d = cwd.find(words[1])
                if isinstance(d, Dir): cwd = d
        elif words[0] == "mk": cwd.kids.append(Dir(words[1], cwd))
        else: cwd.kids.append(File(words[1], int(words[0])))
    return root.size(), [k.name for k in root.kids], cwd.name"""),
    "machine": ("lines: list[str]", """
    code = []
    for w in lines: code.append(Jump(len(w) - 4) if w[0] == "c" else Push(len(w)))
    return Machine(code).go()"""),
    "compared": ("n: int", """
    xs = [Cat(f"{i % 3}", 1) if i % 2 else Dog(f"{i % 4}") for i in range(n)]
    for o in xs: o.name += "a"
    return [[a == b for a in xs] for b in xs], [a != xs[0] for a in xs], [o in xs[:2] for o in xs], [o == Cat("1a", 1) for o in xs]"""),
    "links": ("n: int", """
    best, last, y, k = None, None, 0.0, 0
    xs = [A(0.5 * i) if i % 2 else B(0.5 + i) for i in range(n)]
    for o in xs:
        if isinstance(last, A) and last.v > 0: y += last.v
        elif isinstance(last, B): y -= last.w
        elif last is None: y += 100
""" + OF_LINKS + """        if isinstance(o, B): o.next = last
        last = o
    at, counts = last, {}
    while at is not None: k, at = k + 1, at.next if isinstance(at, B) else None
    for o in xs: counts[o] = counts.get(o, 0) + 1
    return y, k, isinstance(best, A), isinstance(best, (A, B)), best is None, [isinstance(o, A) or o.next is None for o in xs], len(counts), best in xs, [o for o in (best, last) if o is not None]"""),
}

SOURCE = HEAD + "".join(f"\n\ndef {name}(x: float, n: int) -> float:{body}\n" for name, body in DERIVED.items()) \
    + "".join(f"\n\ndef {name}({parameters}):{body}\n" for name, (parameters, body) in OTHERS.items())
