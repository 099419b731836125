"""Programs with dicts and sets whose keys are known only when they run: each gives what it gives in Python."""
import collections
import functools
from collections import Counter, defaultdict
from typing import NamedTuple


class Pair(NamedTuple):
    a: int
    b: int


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


def items(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = d.get(x, 0) + 1
    out = []
    for k, v in d.items():
        out.append(k * 1000 + v)
    return out, sum(d.values()), max(d.values()), sorted(d), max(d, key=d.get), list(d.keys()), sorted(d.items(), key=lambda kv: -kv[1])


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


def counter(xs: list[int], n: int):
    c = Counter(xs)
    c[n] += 5
    return list(c.items()), c[12345], len(c)


def counter2(xs: list[int], n: int):
    c = Counter()
    for x in xs:
        c[x] += 1
    return list(c.values())


@functools.singledispatch
def kind(x):
    return "another"


@kind.register(dict)
def _kind_of_dict(x):
    return "dict"


@kind.register(set)
def _kind_of_set(x):
    return "set"


@kind.register(collections.deque)
def _kind_of_deque(x):
    return "deque"


def dispatched(xs: list[int], n: int):
    d, s, q = {}, set(), collections.deque()
    for x in xs:
        d[x] = n
        s.add(x)
        q.append(x)
    return kind(d), kind(s), kind(q), kind(n)


def counter_deletes(xs: list[int], n: int):
    c = Counter(xs)
    del c[n]
    del c[-12345]
    return list(c.items())


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


def sets(xs: list[int], n: int):
    s = set()
    for x in xs:
        s.add(x % 11)
    t = {x % 13 for x in xs}
    return len(s), sorted(s), sum(t), min(t), len(s & t), sorted(s | t), sorted(s - t), 3 in s, n in t, s <= t


def sets2(xs: list[int], n: int):
    s = set(xs)
    for x in xs:
        s.discard(x + 1)
    return sorted(s), len(s)


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


def shown(xs: list[int], n: int):
    d = {}
    for x in xs[:3]:
        d[x] = x / 2
    return str(d), f"{d}"


def change(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    for k in d:
        d[k] *= 2
    return list(d.values())


def change_size(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    for k in d:
        d[k + n] = 1
    return list(d.values())


def change_copy(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    for k in list(d):
        if k % 2:
            del d[k]
    return list(d.values())


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


def nested(xs: list[int], n: int):
    table = {}
    ds = [{}, {}]
    for x in xs:
        ds[0][x] = 1
        ds[1][x % 4] = 2
    return len(ds[0]), len(ds[1])


def nested2(xs: list[int], n: int):
    d = {"a": {}, "b": {}}
    for x in xs:
        d["a"][x] = 1
    return len(d["a"]), len(d["b"])


def given(d, k):
    d[k] = d.get(k, 0) + 1
    return d


def returned(xs: list[int], n: int):
    d = {}
    for x in xs:
        e = given(d, x)
    return len(d), len(e), list(e.items()), d is e


def make(n):
    d = {}
    for i in range(n):
        d[i * i] = i
    return d


def made(xs: list[int], n: int):
    d, e = make(n), make(n + 1)
    d[5] = 1
    return len(d), len(e)


def chosen(xs: list[int], n: int):
    d, e = {}, {}
    for x in xs:
        d[x] = 1
    c = d if n > 3 else e
    return len(c)


class Memo:
    def __init__(self):
        self.memo = {}
    def get(self, n):
        if n < 2:
            return n
        if n in self.memo:
            return self.memo[n]
        self.memo[n] = self.get(n - 1) + self.get(n - 2)
        return self.memo[n]


def of_object(xs: list[int], n: int):
    m = Memo()
    return m.get(n), len(m.memo)


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


def for_else(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    for k, v in d.items():
        if k == n:
            break
    else:
        return -1
    for k in d:
        if k > 3:
            return k
        if k == 1:
            continue
    return 0


def nested_loops(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    t = 0
    for k in d:
        for j in d:
            t += k * j
    return t


def del_in_loop(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    for k in d:
        if k == n:
            del d[k]
    return list(d)


def del_in_loop_break(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    for k in d:
        if k == n:
            del d[k]
            break
    return list(d)


def starred(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    return [*d], {**d, 1: 5, n: 6}


def union(xs: list[int], n: int):
    d, e = {1: 2}, {n: 3}
    d |= e
    return d | {5: 6}


def walrus(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    if (v := d.get(n)) is not None:
        return v
    return -1


def fromkeys2(xs: list[int], n: int):
    d = dict.fromkeys(range(3), 0)
    d[n] = 7
    return d


def copy_known(xs: list[int], n: int):
    d = {1: 2}
    e = d.copy()
    e[n] = 1
    return d, e


def set_known(xs: list[int], n: int):
    s = {1, 2} | {3}
    s.add(n)
    return s


def ordered(xs: list[int], n: int):
    d = collections.OrderedDict()
    for x in xs:
        d[x] = 1
    d.move_to_end(xs[0])
    return list(d)


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


def list_of_dicts(xs: list[int], n: int):
    ds = []
    for x in xs:
        d = {}
        d[x] = 1
        d[n] = 2
        ds.append(d)
    return [len(s) for s in ds]


def carried(xs: list[int], n: int):
    level = {0: 1}
    for x in xs:
        new = {}
        for k, v in level.items():
            new[k] = new.get(k, 0) + v
            new[k + x] = new.get(k + x, 0) + v
        level = new
    return len(level), list(level.items())


def frontier(xs: list[int], n: int):
    seen, front = {n}, {n}
    for _ in range(n):
        nxt = set()
        for x in sorted(front):
            for y in (x + 1, 2 * x):
                if y not in seen:
                    seen.add(y)
                    nxt.add(y)
        front = nxt
    return sorted(seen)


def r_dict(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x / 2
    d.pop(xs[0], 0)
    return d


def r_set(xs: list[int], n: int):
    d = set()
    for x in xs:
        d.add(x)
    return d, n


def r_deque(xs: list[int], n: int):
    d = collections.deque()
    for x in xs:
        d.append(x)
    return d


def r_counter(xs: list[int], n: int):
    return Counter(xs)


def r_default(xs: list[int], n: int):
    d = defaultdict(list)
    for x in xs:
        d[x % n].append(x)
    return d


def r_list(xs: list[int], n: int):
    ds = []
    for x in xs:
        d = {}
        d[x] = 1
        d[n] = 2
        ds.append(d)
    return ds


def r_two(xs: list[int], n: int):
    d = {n: 1}
    return d, [d], {"a": d}


def r_branch(xs: list[int], n: int):
    if n > 4:
        return {n: 1, 2: 3}
    return {n + 1: 1}


def named(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[Pair(x, n)] = x
    return list(d), d[Pair(xs[0], n)]


def anno(xs: list[int], n: int):
    d: dict[int, float] = {}
    for x in xs:
        if x > 1000:
            d[x] = d[x - 1]
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


def boolset(xs: list[int], n: int):
    s = set()
    for x in xs:
        s.add(x > 3)
    return s


def closure(xs: list[int], n: int):
    memo = {}
    def get(n):
        if n < 2:
            return n
        if n in memo:
            return memo[n]
        memo[n] = get(n - 1) + get(n - 2)
        return memo[n]
    return get(n)


def closure2(xs: list[int], n: int):
    memo = {}
    def get(n):
        if n in memo:
            return memo[n]
        r = n if n < 2 else get(n - 1) + get(n - 2)
        memo[n] = r
        return r
    return get(n)
