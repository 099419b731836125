"""Programs whose lists, dicts and links hold objects that change: those with a derivative, and others (test_objects.py)."""
HEAD = """
import collections
import copy
import dataclasses
import enum
import heapq

import numpy as np
import lantern as lt


@dataclasses.dataclass
class Particle:
    x: float
    v: float = 1.0

    def step(self, dt):
        self.x += self.v * dt
        if self.x > 1.0:
            self.v = -self.v


class Account:
    def __init__(self, owner, balance=0.0):
        self.owner, self.balance, self.moves = owner, balance, 0

    def deposit(self, amount):
        if amount < 0:
            raise ValueError("negative")
        self.balance += amount
        self.moves += 1
        return self


class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next


class Tree:
    def __init__(self, key):
        self.key, self.left, self.right = key, None, None

    def insert(self, key):
        if key < self.key:
            if self.left is None:
                self.left = Tree(key)
            else:
                self.left.insert(key)
        elif self.right is None:
            self.right = Tree(key)
        else:
            self.right.insert(key)


class Vertex:
    def __init__(self, i, parent=None):
        self.i, self.parent, self.out, self.mark = i, parent, [], False
        if parent is not None:
            parent.out.append(self)


class Light(enum.Enum):
    RED = "red"
    GREEN = "green"


@dataclasses.dataclass
class Vec:
    x: float
    y: float

    def __iadd__(self, other):
        self.x += other.x
        self.y += other.y
        return self


@dataclasses.dataclass
class Body:
    pos: Vec
    vel: Vec
    log: list[float] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(order=True)
class Job:
    cost: float
    name: str = dataclasses.field(compare=False, default="")


class Count:
    n, step = 0, 2

    def hit(self):
        self.n += self.step


class Crossing:
    def __init__(self):
        self.light, self.turns = Light.RED, 0

    def turn(self):
        self.light = Light.GREEN if self.light is Light.RED else Light.RED
        self.turns += 1
"""

# name → body; each has x: float and n: int, and gives a float that has a derivative with respect to x.
DERIVED = {
    "steps": """
    ps = [Particle(x * i, 1.0 + i) for i in range(n)]
    for t in range(3):
        for p in ps: p.step(0.1)
    for i in range(len(ps)): ps[i].x += ps[i].v
    return sum(p.x * p.v for p in ps)""",
    "two_names": """
    ps = [Particle(x) for i in range(n + 1)]
    a, b = ps[n], ps[0]
    a.v = 3.0 * x
    b.v *= a.v
    return ps[n].v + ps[0].v""",
    "the_best": """
    ps, best = [Particle(x * (7 * i % 5), 3.0 * i % 4) for i in range(n)], None
    for p in ps:
        if best is None or p.v > best.v: best = p
    if best is not None: best.v = x
    return sum(p.v * p.x for p in ps)""",
    "two_lists": """
    ps = [Particle(x, float(i)) for i in range(n)]
    fast = [p for p in ps if p.v > 1]
    for p in fast: p.v *= x
    ps.sort(key=lambda p: -p.v)
    for k, p in enumerate(ps): p.x += k
    return sum(p.v * p.x for p in ps) + sum(p.v for p in fast)""",
    "one_object_many_times": """
    p, ps = Particle(x), []
    for i in range(n): ps.append(p)
    for q in ps: q.v += x
    return p.v * x""",
    "chosen": """
    a, b = Account(1, x), Account(2, 2 * x)
    for i in range(n):
        c = a if i % 3 == 0 else b
        c.deposit(x * x * i).deposit(1.0)
    return a.balance * b.balance + a.moves""",
    "linked": """
    head = None
    for i in range(n): head = Node(x * i, head)
    p = head
    while p is not None:
        p.value += 1.0
        p = p.next
    last, p = None, head
    while p is not None: p.next, last, p = last, p, p.next
    t = 0.0
    while last: t, last = t * 0.5 + last.value, last.next
    return t""",
    "tree": """
    root = Tree(x)
    for i in range(n): root.insert(x * (i * 7 % 5 - 2))
    def total(t, depth): return 0.0 if t is None else t.key * depth + total(t.left, depth + 1) + total(t.right, depth + 1)
    return total(root, 1)""",
    "nested": """
    bodies = [Body(Vec(x * i, 0.0), Vec(1.0, x)) for i in range(n)]
    kept = [b.pos for b in bodies]
    for b in bodies:
        b.pos += b.vel
        b.log.append(b.pos.x)
        if b.pos.x > 2: b.pos = Vec(0.0, b.vel.y)
    return sum(b.pos.x * b.pos.y + sum(b.log) for b in bodies) + sum(k.x for k in kept)""",
    "arrays": """
    class B:
        def __init__(self, i): self.pos, self.vel = np.zeros(2), np.array([x, float(i)])
    bs = [B(i) for i in range(n)]
    for b in bs:
        b.pos += b.vel * x
        b.vel[0] = 3.0
        b.pos = b.pos + b.vel
    return sum([float(np.sum(b.pos)) for b in bs])""",
    "copies": """
    ps = [Particle(x, float(i)) for i in range(n)]
    qs = [copy.copy(p) for p in ps] + [dataclasses.replace(p, x=2.0) for p in ps] + [copy.deepcopy(p) for p in ps]
    for p in ps: p.v += 1
    for q in qs: q.x *= 3 * x
    return sum(p.x * p.v for p in ps) + sum(q.x * q.v for q in qs)""",
    "in_branches": """
    if x > 0.5: a = Particle(x)
    else:
        b = Particle(2 * x)
        a = Particle(3 * x, b.v)
        b.v += 1
    c = a
    for i in range(n): c.v += x
    return a.v * a.x""",
}

# name → (parameters, body)
OTHERS = {
    "words": ("words: list[str]", """
    accounts = {}
    for w in words: accounts.setdefault(w, Account(w)).deposit(1.5)
    for w in accounts: accounts[w].balance += len(w)
    return sum(a.balance * a.moves for a in accounts.values()), list(accounts)"""),
    "counted": ("words: list[str]", """
    counts = collections.defaultdict(Count)
    for w in words: counts[w].hit()
    return [(w, c.n) for w, c in counts.items()]"""),
    "known_keys": ("n: int", """
    accounts = {"ann": Account("ann", 10.0), "bob": Account("bob", 20.0)}
    for i in range(n): accounts["ann" if i % 2 else "bob"].balance += i
    return accounts["ann"].balance, accounts["bob"].balance"""),
    "identities": ("n: int", """
    cs, same = [Count() for _ in range(n)], 0
    for a in cs:
        for b in cs:
            if a is not b: a.hit()
            same += a == b
    return same, [c.n for c in cs], cs.index(cs[-1]) if n else 0, Count() in cs, len({c: 1 for c in cs})"""),
    "seen": ("n: int", """
    vs, seen, at = [Vertex(i) for i in range(n + 1)], set(), {}
    for v in vs: v.out.append(vs[(v.i * 3 + 1) % (n + 1)])
    v = vs[0]
    while v not in seen:
        seen.add(v)
        at[v] = len(seen)
        v = v.out[0]
    return len(seen), at[vs[0]], v.i"""),
    "searched": ("n: int", """
    root = Vertex(0)
    last = root
    for i in range(n): last = Vertex(i + 1, last if i % 3 else root)
    depth, v, queue, order = 0, last, collections.deque([root]), []
    while v.parent is not None: depth, v = depth + 1, v.parent
    while queue:
        v = queue.popleft()
        v.mark = True
        order.append(v.i)
        queue.extend(w for w in v.out if not w.mark)
    return depth, order"""),
    "found_sets": ("n: int", """
    class Set:
        def __init__(self): self.parent, self.rank = self, 0
    sets = [Set() for _ in range(n + 1)]
    def find(u):
        while u.parent is not u: u.parent, u = u.parent.parent, u.parent
        return u
    for i in range(n):
        a, b = find(sets[i]), find(sets[i * 2 % (n + 1)])
        if a is not b: b.parent, a.rank = a, a.rank + 1
    return len([u for u in sets if find(u) is u])"""),
    "orders": ("n: int", """
    js = [Job(i * 7 % 5, str(i)) for i in range(n + 1)]
    js.sort()
    js[0].cost = 5.0
    max(js).cost += 2.0
    h = []
    for i, j in enumerate(js): heapq.heappush(h, (j.cost, i, j))
    return [j.name for j in sorted(js)], [heapq.heappop(h)[2].name for _ in js], js == sorted(js), js[0] == Job(5.0, "other")"""),
    "members": ("n: int", """
    cs = [Crossing() for _ in range(n)]
    for i in range(n):
        for c in cs[:i]: c.turn()
    return [c.light.name for c in cs], sum(c.light is Light.GREEN for c in cs)"""),
    "removed": ("n: int", """
    ps = [Account(str(i), float(i)) for i in range(n)]
    for p in list(ps):
        if p.balance > 1: ps.remove(p)
        p.deposit(1.0)
    ps.insert(0, Account("q", 3.0))
    ps += [ps[-1], ps[0]]
    del ps[0]
    ps[-1].balance = 77.0
    return [(p.owner, p.balance) for p in ps]"""),
    "handled": ("n: int", """
    accounts, errors = [Account(str(i), 1.0) for i in range(n + 1)], 0
    for i in range(n):
        try: accounts[i].deposit(1.0 - i)
        except ValueError: accounts[i].moves, errors = 100, errors + 1
    return [a.moves for a in accounts], errors"""),
    "in_a_with": ("n: int", """
    class Depth:
        def __init__(self): self.now, self.most = 0, 0
        def __enter__(self):
            self.now += 1
            self.most = max(self.most, self.now)
            return self
        def __exit__(self, *error): self.now -= 1
    depths = [Depth() for _ in range(n)]
    for d in depths:
        with d as e:
            with e: e.most += 1
    return [(d.now, d.most) for d in depths]"""),
    "none_has_no_attributes": ("n: int", """
    ps, best = [Particle(float(i)) for i in range(n)], None
    for p in ps:
        if p.x > 1: best = p
    best.v = 2.0
    return [p.v for p in ps]"""),
    "shown": ("n: int", """
    ps = [Particle(0.5, float(i)) for i in range(n)]
    for p in ps: setattr(p, "v", getattr(p, "x") + hasattr(p, "x") + hasattr(p, "z") + (type(p) is Particle) + isinstance(p, Account))
    return f"{ps} {[str(p) for p in ps]}", [dataclasses.astuple(p) for p in ps]"""),
    "given_back": ("n: int", """
    ps = [Particle(1.0, float(i)) for i in range(n + 1)]
    a, head = ps[n], Node(Body(Vec(7.0, 0.0), Vec(x=1.0, y=2.0)))
    a.v = 9.0
    for i in range(n): head = Node(Body(Vec(float(i), 0.0), Vec(1.0, 1.0)), head)
    return ps, a, {"first": ps[0]}, head, (n, [Crossing() for _ in ps])"""),
    "grown": ("n: int", """
    class Branch:
        def __init__(self, v, depth=0): self.v, self.depth, self.out = v, depth, []
        def grow(self, n):
            for i in range(n): self.out.append(Branch(self.v * 0.5 + i, self.depth + 1))
            if self.depth < 2:
                for b in self.out: b.grow(n - 1)
        def total(self):
            s = self.v
            for b in self.out: s += b.total()
            return s
    root = Branch(1.0)
    root.grow(n % 3)
    layer = [root]
    for i in range(2):
        layer = [b for each in layer for b in each.out]
        for b in layer: b.v += 1.0
    for b in root.out:
        b.out.append(Branch(9.0))
        if b.v > 1.5: b.out[0].out.append(b)
    return root.total() if n % 3 < 2 else len(root.out)"""),
    "searched": ("n: int", """
    class State:
        def __init__(self, left, parent=None): self.left, self.parent, self.out, self.visits, self.value = left, parent, [], 0, 0.0
        def score(self): return 9.0 if self.visits == 0 else self.value / self.visits + self.parent.visits / self.visits
        def expand(self):
            for move in (1, 2, 3):
                if self.left - move >= 0: self.out.append(State(self.left - move, self))
    root = State(n)
    for k in range(12):
        at = root
        while at.out: at = max(at.out, key=lambda s: s.score())
        if at.visits > 0 and at.left > 0:
            at.expand()
            at = at.out[0]
        v = float(at.left % 2)
        while at is not None:
            at.visits += 1
            at.value += v
            v, at = -v, at.parent
    return [s.visits for s in root.out], root.value"""),
    "split": ("n: int", """
    class Cell:
        def __init__(self, v): self.v, self.out = v, []
        def split(self):
            self.out.append(Cell(self.v / 2))
            self.out.append(Cell(self.v / 3))
    layer = [Cell(10.0)]
    for i in range(n % 4):
        below = []
        for cell in layer:
            cell.split()
            for c in cell.out:
                if c.v > 1: c.split()
                below.append(c)
        layer = below
    return [c.v for c in layer]"""),
    "counted_in_a_tree": ("n: int", """
    class Split:
        def __init__(self, left, right, label): self.left, self.right, self.label = left, right, label
    def grow(labels, depth):
        if depth == 0 or len(labels) < 2: return Split(None, None, collections.Counter(labels).most_common(1)[0][0] if labels else -2)
        return Split(grow([i for i in labels if i <= depth], depth - 1), grow([i for i in labels if i > depth], depth - 1), -1)
    t, n = grow([i * 5 % 7 for i in range(n)], 3), 0
    while t.label == -1: t, n = t.left, n + 1
    return t.label, n"""),
    "parsed": ("n: int", """
    class Phrase:
        def __init__(self, label, parts): self.label, self.parts = label, parts
        def depth(self): return 1 + max((p.depth() for p in self.parts), default=0)
    s, at = "(S (NP (D) (N)) (VP))" if n > 1 else "(X)", [0]
    def phrase():
        at[0] += 1
        start, parts = at[0], []
        while s[at[0]] not in " ()": at[0] += 1
        label = s[start:at[0]]
        while s[at[0]] != ")":
            if s[at[0]] == " ": at[0] += 1
            else: parts.append(phrase())
        at[0] += 1
        return Phrase(label, parts)
    p = phrase()
    return p.label, p.depth(), [q.label for q in p.parts]"""),
    "spelled": ("words: list[str]", """
    class Letter:
        def __init__(self): self.next, self.count = {}, 0
    root = Letter()
    for w in words:
        at = root
        for c in w:
            if c not in at.next: at.next[c] = Letter()
            at = at.next[c]
        at.count += 1
    return root.next["a"].count if "a" in root.next else 0, len(root.next)"""),
}

SOURCE = HEAD + "".join(f"\n\ndef {name}(x: float, n: int) -> float:{body}\n" for name, body in DERIVED.items()) \
    + "".join(f"\n\ndef {name}({parameters}):{body}\n" for name, (parameters, body) in OTHERS.items())
