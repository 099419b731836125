"""Programs with dicts whose keys are known only when they run: each gives what it gives in Python."""
import collections
import dataclasses
from collections import defaultdict


def delete(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x * 2
    for x in xs:
        if x % 3 == 0 and x in d:
            del d[x]
    for x in xs:
        if x % 5 == 0:
            d[x] = -x
    out = []
    for k in d:
        out.append(k)
    return out, list(d.values()), len(d)


def default(xs: list[int], n: int):
    d = defaultdict(int)
    for x in xs:
        d[x % 7] += x
    return list(d.items())


def groups(xs: list[int], n: int):
    d = defaultdict(list)
    for x in xs:
        d[x % 7].append(x)
    return [len(v) for v in d.values()], d[3], list(d.values())


def groups2(xs: list[int], n: int):
    d = {}
    for x in xs:
        d.setdefault(x % 7, []).append(x)
    return list(d.values())


def groups3(xs: list[int], n: int):
    d = {}
    for x in xs:
        if x % 7 not in d:
            d[x % 7] = []
        d[x % 7].append(x)
    return list(d.values())


def default_from_the_left(xs: list[int], n: int):
    d = defaultdict(int)
    for x in xs:
        d[x % 3] += x
    e = {7: n} | d
    f = e | {n: 5}
    return e[100], e[7], len(e), f[-1], list(f.items())


def pops(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    t = 0
    for x in xs:
        t += d.pop(x, 0)
    return t, len(d), not d


def display(xs: list[int], n: int):
    d = {n: 1, n + 1: 2, 5: 3}
    return d[n], d[5], len(d), list(d.items())


def comp(xs: list[int], n: int):
    d = {x: i for i, x in enumerate(xs)}
    e = {x for x in xs if x > n}
    return list(d.items()), len(e), sorted(e)


def tuples(xs: list[int], n: int):
    d = {}
    for i in range(n):
        for j in range(n):
            d[i * j, i] = i + j
    return len(d), list(d.values()), d[n - 1, 1], (0, 0) in d, (0, n) in d, list(d.keys())


def grid(xs: list[int], n: int):
    seen = {(0, 0)}
    todo = [(0, 0)]
    while todo:
        i, j = todo.pop()
        for di, dj in ((0, 1), (1, 0)):
            a, b = i + di, j + dj
            if a < n and b < n and (a, b) not in seen:
                seen.add((a, b))
                todo.append((a, b))
    return len(seen)


def copies(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = 1
    e = d.copy()
    f = dict(d)
    g = d
    g[n] = 77
    del e[xs[0]]
    return len(d), len(e), len(f), d[n], n in e, n in f


def updates(xs: list[int], n: int):
    d = {1: 2}
    e = {}
    for x in xs:
        e[x] = 3
    d.update(e)
    d.update({n: 5, 7: 8})
    return list(d.items())


def clears(xs: list[int], n: int):
    d = {}
    t = 0
    for x in xs:
        d[x] = 1
        if len(d) > n:
            t += len(d)
            d.clear()
    return t, list(d)


def fromkeys(xs: list[int], n: int):
    d = dict.fromkeys(xs, 1)
    return list(d), len(d)


def bools(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x > n] = x
    return list(d.items()), d[True]


def texts(xs: list[int], n: int):
    d = {}
    for x in xs:
        d["a" if x % 2 else "b"] = x
        d[str(x)] = 1
    return len(d), list(d), d["a"]


def texts2(xs: list[int], n: int):
    d = {"x": 1}
    if n > 3:
        d["y"] = 2
    return list(d.items()), d.get("y", 7), len(d)


def equal(xs: list[int], n: int):
    d, e = {}, {}
    for x in xs:
        d[x] = 1
        e[x % n] = 1
    return d == e, d == d, d != e, len({x % 3 for x in xs} ^ {n})


def missing(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = 1
    return d[n]


def branch(xs: list[int], n: int):
    d = {1: 10, 2: 20}
    if n > 3:
        d[n] = 1
    else:
        d[1] = 5
    return list(d.items())


def churn(xs: list[int], n: int):
    d = {}
    t = 0
    for i in range(300):
        d[i] = i * i
        if i >= 10:
            t += d.pop(i - 10)
    return t, list(d.items()), len(d)


def churn_lists(xs: list[int], n: int):
    d = {}
    t = 0
    for i in range(n * 20):
        d[i] = [i, 1]
        if i >= 3:
            t += len(d.pop(i - 3))
    return t, list(d.items()), len(d)


def negative(xs: list[int], n: int):
    d = {}
    for i in range(-200, 200):
        d[i * 1024 * 1024 * 1024 * 64 + i] = i
    return sum(d.values()), len(d), d[-64 * 1024 * 1024 * 1024 - 1]


def isin(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    return isinstance(d, dict), type(d) is dict, dict.get(d, 1, 5), n in d.keys(), len(d.items())


def is_one(xs: list[int], n: int):
    d = {}
    d[n] = 1
    e = d
    f = d.copy()
    return d is e, d is f, d == f


def union(xs: list[int], n: int):
    d, e = {1: 2}, {n: 3}
    d |= e
    return d | {5: 6}


def fromkeys2(xs: list[int], n: int):
    d = dict.fromkeys(range(3), 0)
    d[n] = 7
    return d


def copy_known(xs: list[int], n: int):
    d = {1: 2}
    e = d.copy()
    e[n] = 1
    return d, e


def never(xs: list[int], n: int):
    d = {}
    if n in d:
        return d[n]
    return 0


def never2(xs: list[int], n: int):
    d = {}
    for x in xs:
        if x in d:
            del d[x]
    return len(d)


def nones(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = None if x > 3 else x
    return d.get(4) is None, d.get(1) is None, d.get(100) is None


def nones2(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    return [d.get(x + 1) for x in xs]


def of_pairs(xs: list[int], n: int):
    d = dict(zip(xs, xs[1:]))
    e = dict(d)
    e.update(zip([n], [5]))
    d.update([(n, 3)])
    return list(d.items()), list(e.items()), list(dict(zip(d.values(), d)).items()), isinstance(zip(xs, xs), dict)


def joined(xs: list[int], n: int):
    d = {x: 1 for x in xs}
    e = {**d, n: 7}
    d |= {n: 5, 3: 8}
    d |= [(n + 1, 2)]
    return list(e.items()), list(d.items()), list((e | d).items())


def best_before(xs: list[int], n: int):
    rows = [{k: (k * xs[0], None) for k in range(2)}]
    for x in xs[1:]:
        row = {}
        for k in range(2):
            row[k] = max((rows[-1][j][0] + (x * j + k) % 5, j) for j in range(2))
        rows.append(row)
    at = max(rows[-1], key=lambda k: rows[-1][k][0])
    path = [at]
    for row in reversed(rows[1:]):
        at = row[at][1]
        path.append(at)
    return path


def key_or_none(xs: list[int], n: int):
    d, known, last = {}, {1: "a", 3: "b"}, None
    out = []
    for x in xs:
        out.append((d.get(last, -1), last in d, known.get(last), last in known))
        d[x] = len(d)
        if x > n: last = x
    return out, last is None or d[last]


def none_is_no_key(xs: list[int], n: int):
    d, last = {x: 1 for x in xs}, None
    for x in xs:
        if x > n + 5: last = x
    return d[last]


def tallied(xs: list[int], n: int):
    class Tally:
        def __init__(self, count): self.count = count
    tallies = {}
    for x in xs:
        if x in tallies: tallies[x].count += n
        else: tallies[x] = Tally(1)
    return [(x, t.count) for x, t in tallies.items()]


def by_factories(xs: list[int], n: int):
    @dataclasses.dataclass
    class Table:
        rate: int = 2
        values: dict = dataclasses.field(default_factory=lambda: defaultdict(int))
        seen: dict = dataclasses.field(default_factory=dict)
        def add(self, x):
            self.values[x % 2, x % 3] += self.rate
            self.seen[x] = self.seen.get(x, 0) + 1
    a, b = Table(n), Table(seen={n: 9})
    for x in xs:
        a.add(x)
        if x > 2: b.add(n)
    return list(a.values.items()), list(a.seen.items()), list(b.values.values()), list(b.seen.items())


def oldest_gone(xs: list[int], n: int):
    d = {}
    for x in xs:
        if x in d: d[x] = d.pop(x)
        else:
            if len(d) >= n: del d[next(iter(d))]
            d[x] = x
    return list(d)


def pegs(xs: list[int], n: int):
    held = {"a": list(range(n, 0, -1)), "b": [], "c": []}
    def move(k, a, b, c):
        if k == 0: return
        move(k - 1, a, c, b)
        held[c].append(held[a].pop())
        move(k - 1, b, a, c)
    move(n, "a", "b", "c")
    return held["c"], len(held["a"])
