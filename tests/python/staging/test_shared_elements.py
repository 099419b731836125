"""Lists that are elements of lists, and lists that are one of several: what is changed through one name is seen through the other, or refused."""
import pytest
from staged_source import Staged, module_of
from lantern.staging.errors import StagingError

HEAD = """
    OUTSIDE = [[1.0], [2.0]]

    def add(r, x):
        r.append(x)

    def grid(n):
        return [[0.0] for _ in range(n)]

    def top(g, n):
        return g[:n]

    def put(g, row):
        g.append(row)

    def grow(g, x):
        g[len(g) // 2].append(x)
        g[0][0] = x

    def fill(g, x):
        for i in range(len(g)):
            g[i].append(x * i)
        return g

    def place(g, end, word, x):
        node = 0
        for i in range(len(word)):
            c = word[i]
            if g[node][c] < 0:
                g[node][c] = len(g)
                g.append([-1] * 2)
                end.append(0.0)
            node = g[node][c]
        end[node] += x

    def swapped(g, x):
        g[0], g[1] = g[1], g[0]
        g.append(g[0])
        g[0][0] = x

    def wrapped(r, x):
        r[0] = x
        return {'r': r, 'rs': [r, (r, x)]}

    def second(g, r, x):
        r[0] = x
        return g[0][0]

    def f(x: float, n: int, xs: list[float]):
"""

GIVES_PYTHONS = {
    "by a lambda of map": "g = grid(n)\nr = g[n - n]\ng[0][0] = 100.0\nt = 0.0\nfor v in map(lambda k: k + r[0], [1.0] * n):\n    t += v\nreturn t",
    "elements of a list's own": "g = grid(n)\ng[0].append(x)\ng[1] += [x]\ng[1] *= 2\ndel g[2][0]\nreturn g",
    "an element by name": "g = grid(n)\nr = g[0]\nr += [x]\nreturn g",
    "copies of elements": "g = grid(n)\nh = [row[:] for row in g]\nk = [list(row) for row in g]\nh[0].append(x)\nk[1].append(x)\nreturn g, h, k",
    "in a function": "g = fill(grid(n), x)\nfill(g, x)\nreturn g",
    "a copy that is only read": "g = grid(n)\ng[0].append(x)\nt = 0.0\nfor i in range(n):\n    g[i].append(x)\n    for row in g[1:]:\n        t += sum(row)\nreturn t",
    "new elements in a loop": "g = []\nfor i in range(n):\n    row = [x * i]\n    g.append(row)\n    g[i].append(x)\nput(g, [x])\ng[n].append(1.0)\nreturn g",
    "elements from outside, copied": "g = [list(r) for r in OUTSIDE]\ng[n - n].append(x)\nreturn g",
    "an element from outside, put away": "g = [OUTSIDE[0], [x]]\ng[n - n] = [2.0]\nreturn g",
    "what was taken out": "g = grid(n)\nr = g.pop()\nr.append(x)\nreturn g, r",
    "an element at a place": "a = [x, 2.0, 3.0]\nb = a[:]\ny = b.pop(n - 3)\nb[n - 4:] = b\nreturn a, b, y",
    "a trie by a function": "g, end = [[-1] * 2], [0.0]\nfor i in range(n):\n    place(g, end, [i % 2, i // 2 % 2], x)\nreturn g, end",
    "elements that a function moves": "a, b = [1.0], [2.0]\ng = [a, b]\nswapped(g, x)\nb[0] += 4.0\nreturn a, b, g",
    "what a function wraps": "r = [1.0]\nw = wrapped(r, x)\nr[0] += 1.0\nw['rs'][1][0][0] *= 3\nreturn r, w['r'], w['rs'][0]",
    "an element on one path": "g = [[1.0]]\nr = g[0]\nif n > 2:\n    r.append(x)\n    g.append([2.0])\n    r.append(3.0)\nelse:\n    r.append(4.0)\nreturn g, r",
    "an element in a loop": "g = [[1.0], [2.0]]\nfor i in range(n):\n    g[0].append(x)\n    g.append([x])\nreturn g",
    "an element's neighbours": "r = [1.0]\ng = [r, [2.0]]\nfor i in range(n):\n    g.append([x])\nr.append(x)\nreturn sum(r)",
    "what a path leaves": "a, b = [x], [2.0]\nif n > 2:\n    a.append(3.0)\n    r = a\nelse:\n    r = b\nreturn sum(r) + len(r)",
    "what a turn leaves": "a, r = [x], [0.0]\nfor i in range(n):\n    a[0] += 1.0\n    a.append(x)\n    r = a\nreturn sum(r) + len(r)",
    "the rest of itself": "q, t = list(range(n)), 0\nwhile len(q) > 1:\n    q.append(q[0] // 2)\n    t += q[1]\n    q = q[2:]\nreturn t",
    "one of outside": "q, t = xs, 0.0\nfor i in range(n):\n    t += sum(q) + len(q)\n    q = [x, t]\nr = xs if x > 2 else [1.0]\nreturn sum(q) + sum(r)",
    "what an earlier pass left": "p, m = [x], 0.0\nfor i in range(n):\n    b = (9.0, 0.0)\n    for q in xs:\n        if q > 2:\n            continue\n        m = q * 2\n"
                                 "        e = sum(r - m for r in xs)\n        if e < b[0]:\n            b = (e, m)\n    m = b[1]\n    p = [r + m for r in p]\nreturn sum(p)",
    "deleted, once there is one": "q = []\nfor i in range(n):\n    if len(q) >= 2:\n        del q[0]\n        q[0] += x\n        q.remove(q[0])\n    q.append(x * i)\nreturn sum(q)",
    "one of two, the other": "a, b = [1.0], [2.0]\nr = a if n > 2 else b\na[0] = x\nreturn sum(b)",
    "rows made anew from rows": "g = [[x] * (n + 1) for _ in range(n + 1)]\nfor k in range(n):\n    g = [[v + 1 for v in r] for r in g]\ng[0][0] = 5.0\nreturn sum(g[0])",
    "taken out, changed and put back": "q = [[x] for _ in range(n + 1)]\na = q.pop()\na.append(1.0)\nq.append(a)\nreturn sum(q[n]) + sum(q[0])",
    "taken out and changed": "q = [[x], [2.0]]\na = q.pop(n - n)\na.append(1.0)\nreturn sum(q[0]) + sum(a)",
    "one of two, only read": "a = [x]\nb = [x, x]\nt = 0.0\nfor i in range(n):\n    r = a if i > 2 else b\n    t += sum(r)\nreturn t + sum(a)",
    "by a generator": "g = grid(n)\nr = g[n - n]\ng[0][0] = 100.0\nt = 0.0\nfor v, w in zip((a + r[0] for a in [1.0] * n), [2.0] * n):\n    t += v * w\nreturn t",
    "what is put away on one path": "g, r = [[9.0]], [x]\nfor i in range(n):\n    r.append(i * x)\n    if i % 2 == 0:\n        g.append(r)\n        r = []\nreturn g, r",
    "put away, or made longer": "g, r = [[9.0]], [x]\nfor i in range(n):\n    if i % 3 == 0:\n        if len(r) > 0:\n            g.append(r)\n        r = []\n    else:\n"
                                "        r.append(i * x)\nif len(r) > 0:\n    g.append(r)\nreturn g",
    "put away, and begun anew": "g, r = [[9.0]], [x]\nfor i in range(n):\n    if i % 2 == 0:\n        g.append(r)\n        r = [x]\n    r.append(i * x)\nreturn g, r",
    "put away, or changed there": "g, r = [[9.0]], [x]\nfor i in range(n):\n    if i % 2 == 0:\n        g.append(r)\n        r = []\n    else:\n        g[-1].append(x)\nreturn g",
    "exchanged in each turn": "p, q = [1.0] * (n + 1), [0.0] * (n + 1)\nfor i in range(n):\n    for j in range(n):\n        q[j + 1] = p[j] + x\n    p, q = q, p\nreturn p, q",
    "exchanged on one path": "a, b = [x], [2.0]\nif n > 2:\n    a, b = b, a\na.append(5.0)\nb.append(7.0)\nreturn a, b",
    "put away, and changed then": "g, r = grid(n), [x]\ng.append(r)\nr.append(2.0)\nr[0] += 1.0\ng.append([5.0])\nr.append(3.0)\nreturn g, r",
    "put away by a function, and changed then": "g, r = grid(n), [x]\nput(g, r)\nr.append(x)\nreturn g, r",
    "put away in a loop, and changed in a loop in that": "g = []\nfor i in range(n):\n    r = []\n    g.append(r)\n    for j in range(i):\n        r.append(x * j)\nreturn g",
    "put away, changed by conditions, and read": "g, t = [], 0.0\nfor i in range(n):\n    r = [x]\n    g.append(r)\n    for j in range(i):\n        if j % 2 == 0:\n"
                                                 "            r.append(x * j)\n        t += sum(g[i]) + sum(g[0])\nreturn g, t",
    "put away before a branch, which puts away more": "g, r = grid(n), [x]\ng.append(r)\nr.append(2.0)\nif n > 2:\n    g.append([7.0])\nreturn g",
    "put away two of them": "g, r, s = grid(n), [x], [2.0]\ng.append(r)\ng.append(s)\nfor i in range(n):\n    s.append(x * i)\n    r[0] += s[-1]\nr.append(4.0)\ng.append([1.0])\nreturn g, r, s",
    "a row that was read, and another name of it": "r = [1.0]\ng = [r, [2.0]]\nh = g[n - 5]\nr[0] = x\nreturn h[0]",
    "a row that was read, and what a function does to the others": "g = grid(n)\nr = g[0]\ngrow(g, x)\nr.append(x)\ngrow(g, 2.0)\nr.append(3.0)\nreturn g, sum(r)",
    "the one put away, the other changed": "a, b, g = [x], [2.0], [[1.0]]\nif n > 2:\n    g.append(a)\n    c = b\nelse:\n    g.append(b)\n    c = a\nc.append(5.0)\nreturn g, c",
    "exchanged, and known by another name": "a, b = [x], [2.0]\nr = a\nif n > 2:\n    a, b = b, a\na.append(5.0)\nreturn r",
    "put away, and changed on one path": "a, b, g = [x], [2.0], [[1.0]]\nif n > 2:\n    g.append(a)\n    c = b\nelse:\n    g.append(b)\n    c = b\nc.append(5.0)\nreturn g[1]",
    "one of two in a loop": "a = [x]\nb = [x, x]\nfor i in range(n):\n    (a if i > 2 else b).append(1.0)\nreturn a, b",
    "read in the next turn": "a = [x]\nb = [x, x]\nt = 0.0\nfor i in range(n):\n    t += sum(a)\n    r = a if i > 2 else b\n    r.append(1.0)\nreturn t",
    "one of two in a branch": "a = [x]\nb = [x, x]\nif x > 0:\n    r = a if n > 2 else b\n    r.append(3.0)\nelse:\n    a.append(1.0)\nreturn sum(a)",
    "one of two dicts": "d = {'a': x}\ne = {'a': 2.0}\nfor i in range(n):\n    r = d if i > 2 else e\n    r['a'] += 1.0\nreturn d['a']",
}

REFUSED = {
    "by a function of map": "g = grid(n)\nr = g[n - n]\ndef plus(k):\n    return k + r[0]\n\ng[0][0] = 100.0\nt = 0.0\nfor v in map(plus, [1.0] * n):\n    t += v\nreturn t",
    "put away, and then another in its place": "g, r = grid(n), [x]\ng.append(r)\ng[n - n] = [7.0]\nr.append(2.0)\nreturn g",
    "put away, and moved": "g, r = grid(n), [x]\ng.append(r)\ng.reverse()\nr.append(2.0)\nreturn g",
    "put away, and perhaps again": "g, r, s = grid(n), [x], [2.0]\nq = r if n > 2 else s\ng.append(r)\ng.append(q)\nr.append(x)\nreturn g",
    "put away, and perhaps before that": "g, r, s = grid(n), [x], [2.0]\nq = r if n > 2 else s\ng.append(q)\ng.append(r)\nr.append(x)\nreturn g",
    "put away by a function, and perhaps again": "r = [x]\ng = [r, [2.0]]\nput(g, r if n > 2 else g[n - n])\nr.pop()\nreturn g",
    "put away, and an element of another": "g, h, r = grid(n), grid(n), [x]\nh.append(r)\ng.append(h[-1])\ng.append(r)\nr.append(x)\nreturn g",
    "what a name was in the turn before": "q, b, c = [5.0], [x], [1.0]\nfor i in range(n):\n    c = b\n    b = q\nq.append(4.0)\nreturn c",
    "what a name was two turns before": "q, a, b, c = [5.0], [x], [x], [1.0]\nfor i in range(n):\n    c = b\n    b = a\n    a = q\nq[0] = 4.0\nreturn c",
    "itself": "r = [x]\ng = [r]\ng.append(g)\nreturn g[0]",
    "itself, by a key": "d = {'a': x}\nd['b'] = d\nreturn d['a']",
    "itself, in another one": "g = [[x]]\ng[0] = [g]\nreturn len(g)",
    "put away, and made longer": "g, r = [[9.0]], [x]\nfor i in range(n):\n    r.append(i * x)\n    if i % 2 == 0:\n        g.append(r)\n    if i % 3 == 0:\n        r = []\nreturn g",
    "exchanged, or the same": "p, q = [1.0] * n, [0.0] * n\nfor i in range(n):\n    q[i] = p[i] + x\n    if i % 3 == 2:\n        p = q\n    else:\n        p, q = q, p\nreturn p",
    "the same in each turn": "p, q, t = [1.0] * n, [0.0] * n, 0.0\nfor i in range(n):\n    q[i] = x\n    t += p[i]\n    p = q\nreturn t",
    "one list n times": "g = [[0.0]] * 3\nfor i in range(n):\n    g[i % 3].append(x)\nreturn g",
    "one list at two places": "r = [x]\ng = [r, [2.0], r]\nfor i in range(n):\n    g[i % 3].append(x)\nreturn g",
    "one list in each turn": "r = [x]\ng = grid(n)\nfor i in range(n):\n    g.append(r)\ng[n].append(x)\nreturn g",
    "a staged list twice": "g = grid(n)\nh = g + g\nh[0].append(x)\nreturn h",
    "times two": "g = grid(n)\nh = g * 2\nh[0].append(x)\nreturn h",
    "an element again": "g = grid(n)\ng.append(g[0])\ng[0].append(x)\nreturn g",
    "an element in another's place": "g = grid(n)\ng[0] = g[1]\ng[0] += [x]\nreturn g",
    "a slice": "g = grid(n)\nh = g[:]\nh[0].append(x)\nreturn g",
    "the list of a slice": "g = grid(n)\nh = g[1:]\ng[1].append(x)\nreturn h",
    "list()": "g = grid(n)\nh = list(g)\nh[0].append(x)\nreturn g",
    "copy()": "g = grid(n)\nh = g.copy()\nh[0].append(x)\nreturn g",
    "a comprehension": "g = grid(n)\nh = [row for row in g]\ng[0].append(x)\nreturn h",
    "a loop": "g = grid(n)\nh = []\nfor row in g:\n    h.append(row)\nh[0].append(x)\nreturn g",
    "extended": "g = grid(n)\nh = [[1.0]]\nh += g\nh[1].append(x)\nreturn g",
    "the rest": "g = grid(n)\na, *h = g\nh[0].append(x)\nreturn g",
    "what a function gives": "g = grid(n)\nh = top(g, n)\nh[0].append(x)\nreturn g",
    "a row put twice by a function": "g = grid(n)\nr = [x]\nput(g, r)\nput(g, r)\ng[n].append(x)\nreturn g",
    "an element of a list that grows": "r = [1.0]\ng = [r]\nfor i in range(n):\n    g.append([x])\nr[0] = x\nreturn g",
    "an element of a list that has grown": "r = [1.0]\ng = [r]\nif n > 2:\n    g.append([x])\ng[0][0] = x\nreturn r",
    "an element put on one path": "r = [1.0]\ng = [[2.0]]\nif n > 2:\n    g.append(r)\ng[-1][0] = x\nreturn r",
    "an element put twice on one path": "r = [1.0]\ng = [[2.0]]\nif n > 2:\n    g += [r, r]\ng[-1][0] = x\nreturn g",
    "an element of two lists": "r = [1.0]\ng, h = [r], [r]\nif n > 2:\n    g.append([x])\n    h.append([x])\ng[0][0] = x\nreturn h",
    "an element in a tuple": "r = [1.0]\ng = [(r, 1)]\nif n > 2:\n    g.append(([x], 2))\nr[0] = x\nreturn g",
    "an element's element": "r = [1.0]\ng = [[r]]\nif n > 2:\n    g.append([[x]])\nr[0] = x\nreturn g",
    "a known list's slice": "r = [1.0]\ng = [r, [2.0]]\nh = g[:n - 4]\nr[0] = x\nreturn h",
    "a row of a loop": "r = [1.0]\ng = [r, [2.0]]\nt = 0.0\nfor h in g[:n]:\n    r[0] += x\n    t += h[0]\nreturn t",
    "made in a turn": "r = [1.0]\nfor i in range(n):\n    g = [r]\n    if i > 2:\n        g.append([x])\n    g[0][0] = x\nreturn r",
    "two arguments": "r = [1.0]\ng = [r]\nfor i in range(n):\n    g.append([x])\nreturn second(g, r, x)",
    "one of outside and one that grows": "a = [x]\nfor i in range(n):\n    a.append(x)\nr = a if n > 2 else xs\na.append(2.0)\nreturn r",
    "one of outside is changed": "a = [x]\nr = a if n > 2 else xs\nr.append(2.0)\nreturn r",
    "one of three": "a, b = [1.0], [2.0]\nr = a if n > 2 else b\ns = r if n > 3 else [3.0]\na[0] = x\nreturn s",
    "the same in a loop": "g = grid(n)\nh = [[1.0]]\nt = 0.0\nfor i in range(n):\n    g[0].append(x)\n    t += sum(h[0])\n    h = g[:]\nreturn t",
    "stale where a path ends": "g = [[x], [2.0]]\na, r = g[0], [1.0]\nif n > 2:\n    r = a\n    g[n - n].append(5.0)\nreturn r",
    "stale where a turn ends": "g = [[x], [2.0]]\na, r = g[0], [1.0]\nfor i in range(n):\n    r = a\n    g[n - n].append(5.0)\nreturn r",
    "stale in a conditional expression": "g = [[x], [2.0]]\na = g[0]\n\ndef changed():\n    g[n - n].append(5.0)\n    return a\n\nr = changed() if n > 2 else [1.0]\nreturn r",
    "stale in a tuple": "g = [[x], [2.0]]\na, r = g[0], ([1.0], 2)\nif n > 2:\n    r = (a, 3)\n    g[n - n].append(5.0)\nreturn r[0]",
    "stale in a list": "g = [[x], [2.0]]\na, r = g[0], [[1.0], [2.0]]\nif n > 2:\n    r = [a, [x]]\n    g[n - n].append(5.0)\nreturn r[0]",
    "stale in a list that grows": "g = [[x], [2.0]]\na, r = g[0], [[1.0], [2.0]]\nif n > 2:\n    r = [a, [x], [x]]\n    g[n - n].append(5.0)\nreturn r[0]",
    "stale in a dict on the other path": "g = [[x], [2.0]]\nd = {'p': g[0], 'q': [x]}\nif n > 9:\n    d['p'], d['q'] = d['q'], d['p']\nelse:\n    g[n - n].pop(0)\nreturn d['p']",
    "one of a display": "r = [[x], [x, 2.0]][n - n]\nr.append(x)\nreturn sum(r)",
    "an element from outside": "g = [OUTSIDE[0], [x]]\ng[n - n].append(x)\nreturn 1",
    "elements from outside": "g = list(OUTSIDE)\nr = g[n - n]\nr[0] += x\nreturn 1",
    "an element from outside, of a list that grows": "g = [OUTSIDE[0]]\nfor i in range(n):\n    g.append([x])\nadd(g[0], x)\nreturn 1",
    "an element of an element, from outside": "g = [[OUTSIDE[0]], [[x]]]\ng[n - n][0].append(x)\nreturn 1",
}


def source_of(body):
    return HEAD + "".join(f"        {line}\n" for line in body.split("\n"))


@pytest.mark.parametrize("name", GIVES_PYTHONS)
def test_is_what_python_gives(converter, name):
    source = source_of(GIVES_PYTHONS[name])
    expected = module_of(source).f(1.5, 5, [1.0, 4.0])
    given = Staged(source)(1.5, 5, [1.0, 4.0])
    assert [*given] == [*expected] if isinstance(expected, tuple) else given == expected


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused(converter, name):
    with pytest.raises(StagingError) as caught:
        Staged(source_of(REFUSED[name]))
    assert caught.value.code == "LT0305" and caught.value.hint


def test_a_list_from_outside_is_not_changed_by_an_operator(converter):
    with pytest.raises(StagingError, match="from outside") as caught:
        Staged("def f(xs: list[float]):\n    ys = xs\n    ys += [1.0]\n    return xs\n")
    assert caught.value.code == "LT0305"


ORDERS = {
    "a literal in a loop": "d = {'a': x, 'b': 20.0}\nfor i in range(n):\n    d = {'b': d['a'] + 1, 'a': d['b']}\nreturn d['a']",
    "a key taken out and put back": "d = {'a': x, 'b': 20.0}\nfor i in range(n):\n    v = d.pop('a')\n    d['a'] = v + 1\nreturn d['a']",
    "a dict in a dict": "d = {'k': {'a': x, 'b': 20.0}}\nwhile n > 0:\n    d['k'] = {'b': d['k']['a'] + 1, 'a': d['k']['b']}\n    n -= 1\nreturn d['k']['a']",
    "two paths": "if x > 0:\n    d = {'a': x, 'b': 20.0}\nelse:\n    d = {'b': x, 'a': 10.0}\nt = 0.0\nfor v in d.values():\n    t = t * 2 + v\nreturn t",
}


@pytest.mark.parametrize("name", ORDERS)
def test_a_dict_may_have_its_keys_in_several_orders(converter, name):
    source = source_of(ORDERS[name])
    given = Staged(source)
    for x, n in ((1.5, 5), (-1.0, 2), (2.0, 0)):
        assert given(x, n, [1.0]) == module_of(source).f(x, n, [1.0])


def test_a_tuple_that_a_loop_carries_keeps_its_class(converter):
    with pytest.raises(StagingError, match="changes its class") as caught:
        Staged("""
        import collections
        P, Q = collections.namedtuple('P', 'a b'), collections.namedtuple('Q', 'b a')

        def f(x: float, n: int):
            p = P(x, 2.0)
            for i in range(n):
                p = Q(p.a, p.b)
            return p.a
        """)
    assert caught.value.code == "LT0306"


HASATTR = """
    @lt.struct
    class Node:
        value: float
        next: 'Node | None'

    def f(x: float):
        node = Node(x, None) if x > 0 else Node(x, Node(2.0, None))
        total = getattr(node.next, 'value', 5.0)
        while hasattr(node, 'value'):
            total += node.value
            node = node.next
        return total
"""


@pytest.mark.parametrize("x", [1.0, -1.0])
def test_hasattr_of_what_may_be_none(converter, x):
    assert Staged(HASATTR)(x) == module_of(HASATTR).f(x)


@pytest.mark.parametrize("kind, name", [("list[float]", "__len__"), ("list[float]", "append"), ("list[float]", "shape"), ("float", "real"),
                                        ("float", "__iter__"), ("str", "split"), ("int", "bit_length"), ("lt.Tensor[lt.f64, 2]", "shape")])
def test_hasattr_is_what_the_class_says(converter, kind, name):
    source = f"def f(x: {kind}):\n    return 1 if hasattr(x, '{name}') else 0\n"
    cls = {"list[float]": [], "float": 1.0, "str": "", "int": 1}.get(kind)
    value = module_of("import numpy\nx = numpy.zeros(2)").x if cls is None else cls
    assert Staged(source)(value) == hasattr(value, name)
