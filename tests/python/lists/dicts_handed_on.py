"""Programs that hand on dicts whose keys are known only when they run, to functions, objects, lists and results: each gives what it gives in Python."""
import collections
import functools
from collections import defaultdict
from typing import NamedTuple


class Pair(NamedTuple):
    a: int
    b: int


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


def r_dict(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x / 2
    d.pop(xs[0], 0)
    return d


def r_deque(xs: list[int], n: int):
    d = collections.deque()
    for x in xs:
        d.append(x)
    return d


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
