"""Programs with variables that are None on one path and a list, or a dict, on another; for test_lists_or_none.py."""
import collections


def helper(n):
    if n < 2:
        return None
    return [n, n * 2]


def breadth_first(n: int, c: bool):
    graph = [[1, 2], [3], [3], [4], []]
    q, seen = collections.deque([(0, [0])]), {0}
    while q:
        node, path = q.popleft()
        if node == n:
            return path
        for other in graph[node]:
            if other not in seen:
                seen.add(other)
                q.append((other, path + [other]))
    return None


def change(amount, coins):
    if amount == 0:
        return []
    if amount < 0:
        return None
    best = None
    for coin in coins:
        rest = change(amount - coin, coins)
        if rest is not None and (best is None or len(rest) + 1 < len(best)):
            best = rest + [coin]
    return best


def coins(n: int, c: bool):
    return change(n, [2, 3] if c else [4])


def best_so_far(n: int, c: bool):
    best = None
    for i in range(n):
        found = [i, n - i]
        if best is None or found[1] < best[1]:
            best = found
        best[0] += 1
    return best


def set_and_given_up(n: int, c: bool):
    r = None
    while n > 0:
        if r is None:
            r = [n]
        elif len(r) > 1:
            r = None
        else:
            r.append(n)
        n -= 1
    return r


def another_name(n: int, c: bool):
    a = [1]
    r = a if c else None
    for i in range(n):
        a.append(i)
        if r is not None:
            r.append(10 * i)
    return a, r


def one_of_two_names(n: int, c: bool):
    a = [1]
    x = y = None
    if c:
        x = a
    else:
        y = a
    if x is not None:
        x.append(5)
    if y is not None:
        y.append(6)
    return a, x, y


def exchanged(n: int, c: bool):
    x = [1] if c else None
    y = [2] if n > 2 else None
    x, y = y, x
    if x is not None and y is not None:
        x += y
    return x, y


def by_default(n: int, c: bool):
    def f(given=None):
        if given is None:
            given = []
        given.append(n)
        return given
    a = [9] if c else None
    return f(a), a, f()


def recursion(n: int, c: bool):
    def f(k):
        if k == 0:
            return None
        r = f(k - 1)
        if r is None:
            return [k]
        r.append(k)
        return r
    return f(n), f(0)


def compared(n: int, c: bool):
    r = helper(n) or [0]
    return r, helper(n) == [3, 6], helper(n) is None, isinstance(helper(n), list), helper(n) != [3, 6]


def shown(n: int, c: bool):
    r = helper(n)
    return f"{r}" + str(r) + repr(r) + "%s" % (r,)


def row(n: int, c: bool):
    table = [[1], [2]]
    r = table[1] if c else None
    if r is not None:
        r.append(5)
    return table, r


def dict_or_none(n: int, c: bool):
    d = {n: 1} if c else None
    e = d
    if d:
        e[7] = 3
    return d, e is None, (d or {}).get(n, 5)


def dict_of_a_recursion(n: int, c: bool):
    def f(k):
        if k == 0:
            return None
        d = f(k - 1)
        if d is None:
            d = {}
        d[k] = k * k
        return d
    return f(n)


def deque_or_none(n: int, c: bool):
    q = collections.deque([1]) if c else None
    if q is not None:
        q.append(n)
        q.popleft()
        return q[0]
    return -1


# What Python raises of None.

def length(n: int, c: bool): return len(helper(n))
def item(n: int, c: bool): return helper(n)[0] + 1
def part(n: int, c: bool): return helper(n)[::-1]
def joined(n: int, c: bool): return helper(n) + [1]
def repeated(n: int, c: bool): return helper(n) * 2
def gone_through(n: int, c: bool): return [x + 1 for x in helper(n)]
def searched(n: int, c: bool): return 3 in helper(n)


def dict_searched(n: int, c: bool):
    d = {n: 1} if c else None
    return n in d


def appended(n: int, c: bool):
    r = [1] if c else None
    r.append(n)
    return r


def stored(n: int, c: bool):
    r = [1] if c else None
    r[0] = n
    return r


def deleted(n: int, c: bool):
    r = [1, 2] if c else None
    del r[0]
    return r


def taken_apart(n: int, c: bool):
    a, b = helper(n)
    return a + b


def sums(x: float, n: int):
    def pick(v):
        if v < 1:
            return None
        return [v, v * v]
    r = [x] if n > 1 else None
    total = 0.0
    for i in range(n):
        p = pick(i * x)
        if p is not None:
            total += p[0] + x * p[1]
        if r is not None:
            total += r[0]
            r[0] = r[0] * x
    return total
