"""Lists in functions, branches, loops and recursion: what the compiled program gives is what Python gives."""
import pytest
from compiled_table import Table, cases_of, outcome

SOURCE = """
def grow(n: int):
    l = []
    for i in range(n):
        l.append(i * 2.5)
    return l


def grow_if(n: int):
    l = [n]
    if n > 3:
        l.append(n + 1)
    return l, len(l)


def alias(n: int):
    l = []
    m = l
    while n > 0:
        m.append(n)
        n -= 1
    return l


def stack(n: int):
    l = [n]
    total = 0
    while l:
        x = l.pop()
        total += x
        if x > 1:
            l.append(x // 2)
            l.append(x - 1 - x // 2)
    return total


def table(n: int):
    t = [0] * n
    for i in range(n):
        t[i] = i * i
    return t, t[-1], t[1:3], t[::-1]


def fixed(n: int):
    l = [0.0, 1.0]
    for i in range(n):
        l[0], l[1] = l[1], l[0] + l[1]
    return l


def pairs(n: int):
    l = []
    for i in range(n):
        l.append((i, i * 0.5))
    total = 0.0
    for i, x in l:
        total += i * x
    return total, l[0][1]


def nested(n: int):
    l = []
    for i in range(n):
        row = []
        for j in range(i):
            row.append(i * j)
        l.append(row)
    return l, len(l)


def ins(n: int):
    l = []
    for i in range(n):
        l.insert(0, i)
    l.remove(1)
    return l, l.index(2), l.count(3), 3 in l, 7 in l


def cat(n: int):
    l = []
    for i in range(n):
        l = l + [i]
    return l == [0, 1, 2], l


def d(n: int):
    d = {'a': 1, 'b': 2.0}
    for i in range(n):
        d['a'] += i
        if i > 2:
            d['b'] = d['b'] * 2
    return d['a'], d['b']


def slices(n: int):
    l = []
    for i in range(n):
        l.append(i)
    a = l[1:]
    l[1:2] = [10, 11, 12]
    b = l[:]
    del l[0:2]
    l += a
    l *= 2
    return a, b, l, l[-3:n:2], l[n:0:-1], l[::-2]


def strided(n: int):
    l = [1.0, 2.0, 3.0] * n
    other = l
    l[::2] = [0.5 * i for i in range(len(l[::2]))]
    l[n:1:-2] = (x + 1.0 for x in l[n:1:-2])
    l[::-1] = l
    for k in range(1, n):
        l[k * k::k] = [float(k)] * len(range(k * k, len(l), k))
    return l + other


def strided_wrongly(n: int):
    l = list(range(n))
    l[1::n - 2] = [7, 8]
    return l


def elements_that_are_not_there(n: int):
    l = [0] * 4
    l[n] = 1
    if n > 2:
        del l[n - 8]
    return l.pop(n), l


def scope(n: int):
    l = []
    for i in range(n):
        if i > 0:
            y = l[-1]
            l.append(y + i)
        else:
            l.append(1)
    return l


def inner(n: int):
    out = []
    def add(x):
        out.append(x)
    for i in range(n):
        add(i)
    add(n)
    return out


def push(l, x):
    l.append(x)
    return l


def helper(n: int):
    l = []
    for i in range(n):
        push(l, i)
    m = push(l, 100)
    m.append(5)
    return l, m


def rec(n, out):
    if n > 0:
        out.append(n)
        rec(n - 1, out)
        out.append(-n)


def recursion(n: int):
    out = []
    rec(n, out)
    return out


def rec2(n, acc):
    if n == 0:
        return acc
    acc.append(n)
    return rec2(n - 1, acc)


def recursion2(n: int):
    return rec2(n, [])


def rec3(n):
    if n == 0:
        return []
    l = rec3(n - 1)
    l.append(n)
    return l


def recursion3(n: int):
    return rec3(n)


def rec4(k, path, out):
    if k == 0:
        out.append(path[:])
        return
    for c in range(2):
        path.append(c)
        rec4(k - 1, path, out)
        path.pop()


def recursion4(n: int):
    out = [[7]]
    rec4(n, [], out)
    return out


def sel(n: int):
    a = [1]
    b = [2, 3]
    c = a if n > 2 else b
    return c, len(c)


def rebound(n: int):
    l = [1]
    if n > 2:
        l = [n, n]
    l.append(7)
    return l


def sort(n: int):
    l = []
    for i in range(n):
        l.append((i * 7) % 5)
    l.sort()
    m = l.copy()
    m.sort(key=lambda x: -x)
    return l, m


def grid(n: int):
    g = []
    for i in range(n):
        g.append([0] * n)
    for i in range(n):
        g[i][0] = i
    return g


def ext(n: int):
    l = []
    for i in range(n):
        l.extend([i, i + 1])
    l.extend(range(n))
    l.reverse()
    return l


def enum(n: int):
    l = [3]
    for i in range(n):
        l.append(i)
    s = 0
    for i, x in enumerate(l):
        s += i * x
    for i, x in enumerate(l, 2):
        s += i * x
    a, b, c, d, e = l
    return s, a, e


def clear(n: int):
    l = [1, 2]
    for i in range(n):
        if i % 2 == 0:
            l.clear()
        l.append(i)
    return l, l.copy()


def triangle(n: int):
    rows = []
    for i in range(n):
        row = [1] * (i + 1)
        for j in range(1, i):
            row[j] = rows[i - 1][j - 1] + rows[i - 1][j]
        rows.append(row)
    return rows


def text(n: int):
    l = [i * 0.5 for i in range(n)]
    return str(l) + f"{[l, l[:1]]} {[(i, i > 1) for i in range(n)]!r}"
"""

NAMES = ["triangle", "text", "grow", "grow_if", "alias", "stack", "table", "fixed", "pairs", "nested", "ins", "cat", "d", "slices", "strided", "strided_wrongly", "elements_that_are_not_there", "scope", "inner", "helper", "recursion", "recursion2", "recursion3", "recursion4", "sel", "rebound", "sort", "grid", "ext", "enum", "clear"]


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, NAMES)


@pytest.mark.parametrize("name, arguments", cases_of({name: (0, 1, 3, 4, 6) for name in NAMES}))
def test_compiled_is_python(table, name, arguments):
    assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments)
