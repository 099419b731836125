"""Programs with lists whose elements may be None, for test_none_in_lists.py."""
import collections
from typing import NamedTuple

import numpy as np


class Table:
    def __init__(self, n):
        self.n = n
        self.cache = [None] * (n + 1)

    def at(self, k):
        if self.cache[k] is None:
            self.cache[k] = 1.0 if k < 2 else self.at(k - 1) + 0.5 * self.at(k - 2)
        return self.cache[k]


class Hyp(NamedTuple):
    score: float
    parent: "int | None"


def comprehension(n: int, x: float):
    best = [x * i if i % 2 == 0 else None for i in range(n)]
    return [b for b in best if b is not None], best.count(None), len(best), best


def recursion_with_a_memory(n: int, x: float):
    memo = [None] * (n + 1)
    def fib(k):
        if memo[k] is not None:
            return memo[k]
        if k < 2:
            r = x * k + 1.0
        else:
            r = fib(k - 1) + fib(k - 2)
        memo[k] = r
        return r
    return fib(n)


def coins(coins: list[int], total: int):
    best = [None] * (total + 1)
    best[0] = 0
    for s in range(1, total + 1):
        for c in coins:
            if c <= s and best[s - c] is not None:
                candidate = best[s - c] + 1
                if best[s] is None or candidate < best[s]:
                    best[s] = candidate
    return str(best[total])


def known_list(n: int):
    a = [None, 1.0, None]
    if n > 4:
        a[1] = None
    a[0] = n * 1.0
    return str(a), f"{a[2]} {a[0]}", None in a, 3.0 in a, a == [3.0, 1.0, None], a == [5.0, None, None], a.index(None)


def sum_with_none(n: int):
    a = [None] * n
    a[0] = 1.0
    return a[0] + a[n - 1]


def methods(n: int):
    a = [0.5] * n
    for i in range(n):
        if i % 3 == 2:
            a[i] = None
    a.pop()
    a.insert(1, None)
    a.extend([None, 1.0])
    del a[0]
    b = a[1:] + [2.0] + a[::2]
    b.reverse()
    return b, str(a.pop())


def tuples(n: int):
    a = [None] * n
    for i in range(n):
        if i % 3 == 2:
            a[i] = (i, i * 0.5)
    s = 0.0
    for p in a:
        if p is not None:
            j, v = p
            s += j * v
    return s, a


def part_of_a_tuple(n: int):
    a = []
    for i in range(n):
        a.append((i, None if i % 2 else i * 1.5))
    s = 0.0
    for j, v in a:
        if v is not None:
            s += v * j
    return s, a


def truth(n: int):
    a = [None] * n
    a[0] = 0.0
    a[1] = 2.0
    return [1 if v else 0 for v in a], any(a), all(a)


def ordered_by_a_key(n: int):
    a = [None] * n
    for i in range(n - 1): a[i] = (i * 7 % 5) * 1.0
    return sorted(a, key=lambda v: -1.0 if v is None else v)


def maxes(n: int):
    a = [None] * n
    for i in range(n - 1): a[i] = (i * 7 % 5) * 1.0
    return str(max(a))


def compared(n: int):
    a = [None] * n
    b = [None] * n
    a[1] = 2.0
    b[1] = 2.0
    c = a == b
    b[0] = 1.0
    return c, a == b, a != b, None in b, 2.0 in b, b.index(2.0), b.index(None), b.count(None)


def values_of_what_is_missing(n: int):
    a = [i * 1.0 for i in range(n)]
    b = [i * 2.0 for i in range(n)]
    for i in range(n):
        if i != 2:
            a[i] = None
            b[i] = None
        else:
            b[i] = a[i]
    return a == b, a.index(None), a


def stacked(n: int):
    a = [None] * n
    for i in range(n): a[i] = np.ones(2)
    return np.stack(a)


def taken_from_the_end(n: int):
    a = [None] * n
    a[1] = 4
    while a and a[-1] is None:
        a.pop()
    return a


def copies(n: int):
    a = [None] * n
    a[1] = 4
    b = a.copy()
    c = list(a)
    d = a * 2
    e = [*a, None, 3]
    a[0] = 1
    return a, b, c, d, e, list(reversed(b))


def gone_through(n: int):
    a = [None] * n
    a[1] = 4
    return min((b for b in a if b is not None), default=0), any(b is None for b in a), all(b is None for b in a), sum(b is None for b in a), list(filter(None, a)), [b for b in map(lambda v: v, a)]


def field_of_a_named_tuple(n: int):
    hyps = [Hyp(0.0, None)]
    for i in range(n):
        hyps.append(Hyp(i * 0.5, i if i % 2 else None))
    out = []
    at = n - 1
    steps = 0
    for h in hyps:
        if h.parent is None:
            steps += 1
        else:
            out.append(h.parent)
    return steps, out, hyps[n - 1].parent is None, hyps


def deques(n: int):
    q = collections.deque([None])
    for i in range(n):
        q.append(i if i % 2 else None)
    out = []
    while q:
        v = q.popleft()
        if v is not None: out.append(v)
    return out


def yields(n: int):
    def g():
        for i in range(n):
            yield i if i % 2 else None
    return list(g()), [v for v in g() if v is not None]


def grid(n: int):
    g = [[None] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            if i == 0 or j == 0:
                g[i][j] = 1
            elif g[i - 1][j] is not None and g[i][j - 1] is not None:
                if (i * j) % 5 != 4:
                    g[i][j] = g[i - 1][j] + g[i][j - 1]
    return g


def added_to(n: int):
    a = [None] * n
    a[0] = 2.5
    a[0] += 1
    a[n - 1] += 1
    return a


def two_names(n: int, k: int):
    a = [None] * n
    b = a
    if a[k] is None:
        b[k] = 2.0
    x = a[k]
    b[k] = None
    y = a[k]
    b[k - 1] = 5.0
    return f"{x} {y} {a[k - 1]}", b, a is b


def changed_by_a_function(n: int, k: int):
    def put(xs, i, v):
        xs[i] = v
        return xs[i]
    a = [None] * n
    p = put(a, k, 1.5)
    q = a[k]
    put(a, k, None)
    return f"{p} {q} {a[k]}", a


def branchy(n: int, k: int):
    a = [None] * n
    if n > 4:
        a[k] = 1.0
    elif n > 3:
        a[k] = None
    else:
        a[k - 1] = 2.0
    r = a[k]
    if r is None:
        if n == 4:
            a[k] = 7.0
        else:
            a[k] = 8.0
    return str(r), a[k] + 1, a


def loopy(n: int, k: int):
    a = [None] * n
    i = 0
    t = 0.0
    while i < n:
        if a[i] is None:
            a[i] = i * 1.0
            if i % 2:
                a[i] = None
            if i + 1 < n:
                a[i + 1] = 3.0
        if a[i] is not None:
            t += a[i]
        i += 1
    return t, a


def left_early(n: int, k: int):
    a = [None] * n
    for i in range(n):
        if i == k:
            break
        a[i] = i
    found = None
    for v in a:
        if v is None:
            continue
        found = v
    return str(found), a


def swaps(n: int, k: int):
    a = [None] * n
    b = [1.0] * n
    for i in range(n):
        if i % 2:
            a, b = b, a
        a[i] = 0.5 * i
    return a, b


def set_elsewhere(n: int, k: int):
    a = [None] * n
    a[0] = 1.0
    if a[k] is None:
        a[k - 1] = 3.0
    return a[k] * 2


def none_as_a_place(n: int, k: int):
    a = [None] * n
    a[0] = 1
    return str(a[a[k]])


def shown(n: int, k: int):
    a = [None] * n
    a[0] = 1.25
    s = ""
    for v in a:
        s += f"{v} "
    return s, str(a), "%s" % a[0], f"{a} {a[0]} {a[k]}"


def of_no_numbers(n: int, k: int):
    a = [None] * n
    a[0] = float("inf")
    a[k] = float("-inf")
    b = [float("nan")] * n
    for i in range(n):
        if i != k: b[i] = None
    return a, b, [v is None for v in b]


def both_kinds(n: int, k: int):
    a = [None] * n
    a[0] = True
    a[k] = 5
    b = [None] * n
    b[0] = 1
    b[k] = 2.5
    return f"{a[k]} {a[2]} {b[k]} {b[2]}"


def no_turns(n: int, k: int):
    a = [None] * n
    for i in range(n):
        a[i] = 1.0
    a.append(2.0)
    a.append(None)
    return a, len(a), f"{a[-1]} {a[-2]}"


def nested_none(n: int, k: int):
    a = []
    for i in range(n):
        row = [None] * i
        if i > k:
            row[0] = i
        a.append(row)
    return a, [len(r) for r in a], [r.count(None) for r in a]


def chosen_among_known(n: int, k: int):
    a = [None, 2.0, None, 4.0]
    return str(a[k]), [a[i % 4] for i in range(n)], -1.0 if a[k] is None else a[k]


def tuples_and_none(n: int, k: int):
    a = [None] * n
    a[k] = (k, "x")
    b = [(None, i) for i in range(n)]
    b[k] = (1.0, 2)
    return a, b, f"{b[k][0]} {b[0][0]}"


def last_of(n, x):
    last = None
    for i in range(n):
        last = x + i
    return last


def chosen_among_what_may_be_none(n: int, k: int):
    pair, by_name = (last_of(n - 4, 0.5), last_of(k, 1.5)), {"a": last_of(k - 1, 2.5), "b": last_of(n - 4, 3.5)}
    found = by_name["a" if k > 1 else "b"]
    return pair[k % 2] is None, f"{[pair[0], 1.0][n % 2]}", found or -1.0, found is None, {0: pair[0], 1: pair[1]}[k % 2] or 0.5


def objects(n: int):
    t = Table(10)
    return t.at(n), t.cache


def row_that_has_changed(n: int, k: int):
    rows, row = [[None] * n for _ in range(n)], None
    row = rows[1]
    if row[0] is None:
        rows[1][0] = 5.0
    x, rows[1][0] = row[0] is None, None
    return x, row[0] is None, rows
