"""Programs whose lists hold instances: those with a derivative, and others (test_instances.py)."""
HEAD = """
import collections
import dataclasses
import heapq
from typing import NamedTuple

import numpy as np
import lantern as lt


class Hyp(NamedTuple):
    score: float
    last: int = 0

    @property
    def double(self):
        return 2 * self.score

    def moved(self, by):
        return self._replace(score=self.score + by)


@dataclasses.dataclass(frozen=True)
class State:
    h: np.ndarray
    c: np.ndarray
    k: int = 0

    def next(self, x):
        return dataclasses.replace(self, h=self.h * x, k=self.k + 1)


@dataclasses.dataclass(frozen=True, order=True)
class Item:
    cost: float
    node: int = dataclasses.field(compare=False, default=0)


@dataclasses.dataclass(frozen=True)
class Other:
    score: float
    last: int = 0


class Plain:
    def __init__(self, score, last):
        self.score, self.last = score, last

    def better(self, other):
        return self.score > other.score


class Rows(NamedTuple):
    row: list
    k: int


@dataclasses.dataclass(frozen=True)
class Derived(Item):
    more: int = 0
    notes: list[float] = dataclasses.field(default_factory=list)


class Backwards(NamedTuple):
    a: float
    b: int

    def __lt__(self, other):
        return self.b > other.b

    def __eq__(self, other):
        return self.b % 2 == other.b % 2


@dataclasses.dataclass(frozen=True)
class Dual:
    v: float
    d: float

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other, 0.5)
        return Dual(self.v + other.v, self.d + other.d)

    __radd__ = __add__

    def __mul__(self, other):
        return Dual(self.v * other.v, self.v * other.d + self.d * other.v)

"""
SOURCE = HEAD + """

def beam(x: float, n: int):
    beams = [Hyp(x)]
    for t in range(n):
        new = []
        for b in beams:
            for j in range(3):
                new.append(Hyp(b.score * x + j * b.last, j))
        beams = sorted(new, key=lambda h: -h.score)[:4]
    best = None
    for b in beams:
        if best is None or b.score > best.score:
            best = b
    return best.score + max(beams, key=lambda b: b.last).double


def moved(x: float, n: int):
    beams = [Hyp(x)]
    for t in range(n):
        score, last = beams[t]
        beams.append(beams[-1].moved(last * score).moved(beams[t].double * x)._replace(last=(last + 1) % 3))
    total = 0.0
    for i, (s, k) in enumerate(beams):
        total += s * k * i
    return total + beams[n][0] + beams[-1].double


def parsed(x: float, n: int):
    v, stack = np.array([x, -0.4]), []
    for i in range(2 * n + 1):
        if i % 2 == 0:
            stack.append(State(np.tanh(v), v * 2.0))
        else:
            top = stack.pop()
            stack.append(State(np.tanh(top.h + v), top.c * v, top.k + 1).next(x))
    top = stack[-1]
    return lt.sum(top.h * top.c) + top.k * x


def grown(x, hyps, depth):
    if depth <= 0:
        return hyps, hyps[-1]
    return grown(x, hyps + [Hyp(hyps[-1].score * x, hyps[-1].last + 1)], depth - 1)


def recursive(x: float, n: int):
    hyps, last = grown(x, [Hyp(x)], n)
    return sum(h.score * (1 + h.last) for h in hyps) + last.score


class Search:
    def __init__(self):
        self.best, self.pair, self.seen = Hyp(-1.0), (0.0, 0), []

    def go(self, k, s, x):
        if s > self.best.score:
            self.best = Hyp(s, k)
        self.pair = (self.pair[0] + s, k)
        self.seen.append(Other(s, k))
        if k > 0:
            self.go(k - 1, s * x, x)
            self.go(k - 2, s + 0.1, x)


def searched(x: float, n: int):
    search, last = Search(), [Hyp(x)]

    def back(k):
        last[0] = last[0].moved(x * k)
        if k > 0:
            back(k - 1)
    search.go(n, x, x)
    back(n)
    return search.best.score * (search.best.last + 1) + search.pair[0] * search.pair[1] + sum(o.score for o in search.seen) + last[0].double


def queued(x: float, n: int):
    queue, total = collections.deque([Hyp(x)]), 0.0
    while queue:
        h = queue.popleft()
        total += h.score * h.score
        if h.last < n:
            queue.append(Hyp(h.score * 0.5, h.last + 1))
            queue.append(h._replace(score=h.score * x, last=h.last + 2))
    return total


def heaped(x: float, n: int):
    heap, total = [], 0.0
    for i in range(n):
        heapq.heappush(heap, Item((x - i) ** 2, i))
    while heap:
        item = heapq.heappop(heap)
        total = total * 0.5 + item.cost * item.node
    return total


def arcs(x: float, n: int):
    adjacent, distances = [[] for _ in range(n + 1)], [1.0] * (n + 1)
    for i in range(n):
        adjacent[i].append(Hyp(x * (i + 1), i + 1))
        adjacent[i + 1].append(Hyp(x + i, i))
    for u in range(n + 1):
        for arc in adjacent[u]:
            distances[arc.last] = distances[arc.last] * 0.5 + arc.score * distances[u]
    return sum(distances)


def set_item(x: float, n: int):
    chart = [Other(x)] * (n + 1)
    for i in range(n):
        chart[i + 1] = Other(chart[i].score * x + i, i)
    return chart[n].score


def within(x: float, n: int):
    Pair = collections.namedtuple("Pair", "a b t")
    pairs, total = [], 0.0
    for i in range(n):
        pairs.append(Pair(Hyp(x, i), Other(x * i), (x, (i, x))))
    for p in pairs:
        (s, last), _, (q, (k, r)) = p
        total += p.a.score * p.b.score + p.t[1][1] * k + s * last + q * r
    return total


def added(x: float, n: int):
    duals = [Dual(x, 1.0)]
    for i in range(n):
        duals.append(duals[-1] * duals[0] + 0.1)
    total = sum(duals)
    return total.v * total.d + sum(d * d for d in duals).d


def as_values(x: float, n: int):
    hyps = []
    for i in range(n + 1):
        hyps.append(Plain(x * (i + 1), i))
    best = hyps[0]
    for h in hyps:
        if h.better(best):
            best = h
    return best.score * best.last


def given_back(x: float, n: int):
    hyps, states = [], [State(np.zeros(2), np.ones(2))]
    for i in range(n):
        hyps.append(Hyp(x * i, i))
        states.append(states[-1].next(x))
    return hyps, states[n], [hyps[:1]], {"last": hyps[-1:]}, [Other(*h) for h in hyps]


def equal(x: float, n: int):
    hyps = [Hyp(x)]
    for i in range(n):
        hyps.append(Hyp(x * i, i))
    last = hyps[-1]
    return ([h == last for h in hyps], [h == (x, 0) for h in hyps], [h in hyps[:1] for h in hyps], hyps.count(last), hyps.index(last), [h != last for h in hyps],
            [isinstance(h, Hyp) and not isinstance(h, Other) for h in hyps], [Other(*h) == h for h in hyps], [Other(*h) == Other(x) for h in hyps])


def ordered(x: float, n: int):
    hyps = []
    for i in range(n):
        hyps.append(Hyp(x * (i % 3), i))
    backwards = sorted(hyps, reverse=True)
    hyps.sort(key=lambda h: (h.last % 2, -h.score))
    return hyps, backwards, min(hyps, default=Hyp(0.0, -1)), hyps[::-1], [h._asdict()["score"] for h in hyps], [len(h) for h in hyps], [h[1] for h in hyps]


def by_own_orders(x: float, n: int):
    items, derived, others, groups = [], [], [], {"even": [], "odd": []}
    for i in range(n + 1):
        items.append(Item(x * (i % 2), i))
        derived.append(Derived(x * (i % 2), i, -i))
        others.append(Backwards(x * i, i))
        groups["even" if i % 2 == 0 else "odd"].append(items[i])
    return (sorted(items), [each.node for each in sorted(items, reverse=True)], sorted(derived), [len(each.notes) for each in derived], [a < b for a in derived for b in derived],
            max(others), min(others), [a == b for a in others for b in others], others.count(Backwards(x, 2)), others.index(Backwards(0.0, 0)), [a <= b for a in others for b in others],
            sorted([(x, each) for each in items], reverse=True), groups["even"], groups["odd"])


@dataclasses.dataclass(frozen=True)
class Clipped:
    value: float
    steps: list
    least: dataclasses.InitVar[float] = -1.0
    clipped: float = dataclasses.field(init=False, default=0.0)

    def __post_init__(self, least):
        object.__setattr__(self, "clipped", self.value if self.value > least else least)


def replaced(x: float, n: int):
    rows, clipped, t = [Rows([x], 0)], [Clipped(x, [x])], Rows([x], 9)
    for i in range(n):
        steps = list(rows[-1].row)
        steps.append(x * i)
        rows.append(rows[-1]._replace(row=steps, k=i))
        clipped.append(dataclasses.replace(clipped[-1], value=clipped[-1].value - 1.0, steps=clipped[-1].steps + [x], least=-1.5))
        t.row.append(x * i)
    u = t._replace(k=7)
    u.row.append(1.0)
    return [r.row for r in rows], [r.k for r in rows], [c.clipped for c in clipped], [c.steps for c in clipped], t.row, u


def shown(x: float, n: int):
    hyps, others = [], []
    for i in range(n):
        hyps.append(Hyp(x, i))
        others.append(Other(x))
    return str(hyps), f"{others[-1]}" if n else "", [dataclasses.astuple(o) for o in others], [dataclasses.asdict(o)["last"] for o in others]


def made_by_each(x: float, n: int):
    def make(k):
        class Own(NamedTuple):
            v: float
            def times(self): return self.v * k
        return Own
    First, Second = make(2.0), make(3.0)
    first, second = [], []
    for i in range(n):
        first.append(First(x))
        second.append(Second(x))
    return sum(p.times() for p in first) - 10 * sum(p.times() for p in second)


def of_a_class_of_its_own(x: float, n: int):
    @dataclasses.dataclass(frozen=True)
    class Own:
        v: float
        def times(self): return self.v * 2
    rows, owns = [[] for _ in range(n)], []
    for i in range(n):
        owns.append(Own(x * i))
        rows[i].append(Own(x))
    return sum(own.times() for own in owns) - sum(row[0].times() for row in rows) - 0.5


def empty(x: float, n: int):
    hyps: list[Hyp] = []
    for h in hyps:
        x += h.score
    return x, hyps
"""
DERIVED = ["beam", "moved", "parsed", "recursive", "searched", "queued", "heaped", "arcs", "set_item", "within", "added", "as_values"]
OTHERS = ["given_back", "equal", "ordered", "by_own_orders", "replaced", "shown", "made_by_each", "of_a_class_of_its_own", "empty"]
