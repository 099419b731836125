"""Lists of lists, of numbers and of arrays, changed by names of their own: caches of keys and values, a layer each."""
import numpy as np
import pytest
from staged_source import module_of

import lantern as lt
from lantern.staging.errors import StagingError

PROGRAMS = """
def by_elements_of_rows(n, x):
    cache = [[[], []] for _ in range(n)]
    for c in cache: c[0].append(x)
    for i, c in enumerate(cache): c[i % 2].append(x * i)
    return cache


def unpacked(n, x):
    cache = [[[], []] for _ in range(n)]
    for i in range(n):
        ks, vs = cache[i]
        ks.append(x); vs.append(x); vs.append(x)
    for c in cache:
        ks, vs = c
        ks.append(x * 2)
        vs += [x]
    for ks, vs in cache: ks.append(x * 3); vs[0] = x * 5
    return cache


def of_one_row(n, x):
    cache = [[[], []] for _ in range(n)]
    a = cache[0]
    b = a[1]
    b.append(x)
    a[0].append(x)
    a.append([x])
    ks, vs, ws = a
    ws.append(x)
    return cache


def deeper(n, x):
    cache = [[[[x], []], [[]]] for _ in range(n)]
    for c in cache:
        for d in c:
            d[0].append(x)
            d[-1].append(x * 2)
        c[0][1].append(x * 3)
    return cache


def of_two(n, x):
    rows = [[x] for _ in range(2)]
    for i in range(n): rows[i % 2].append(x * i)
    a, b = rows
    a.append(x); b.append(x * 2)
    return rows


def in_dicts(n, x):
    cache = [{"k": [], "v": [x]} for _ in range(n)]
    for c in cache: c["k"].append(x * 2); c["v"].append(x)
    for i in range(n): cache[i]["k"].append(x * i)
    return cache, sum(k for c in cache for k in c["k"])


class Layer:
    def __init__(self):
        self.cache = {"k": [], "v": []}

    def add(self, x):
        self.cache["k"].append(x)
        self.cache["v"].append(x * 2)
        return len(self.cache["k"])


def in_objects(n, x):
    layers, s = [Layer() for _ in range(n)], 0
    for t in range(n):
        for l in layers: s += l.add(x * t)
    return s, [l.cache for l in layers]


def in_tuples(n, x):
    rows = [(x, [i], i) for i in range(n)]
    for v, l, i in rows: l.append(i + 1)
    for i in range(n): rows[i][1].append(i)
    return rows


def gone_through(n, x):
    cache, s = [[], []], x * 0
    for t in range(n):
        c = cache[t % 2]
        c.append(x * t)
        for k in c: s = s + k
        for i, k in enumerate(c): s = s + k * i
        for k, j in zip(c, range(9)): s = s + k * j
    return s, cache


def by_layers(n, x):
    layers, cache, s = [x, x * 2, x * 3], [[] for _ in range(3)], x * 0
    for t in range(n):
        for l, ks in zip(layers, cache):
            ks.append(l * t)
            for k in ks: s = s + k * l
            s = s + sum(k * l for k in ks)
    return s, cache
"""


@pytest.mark.parametrize("x", [0.5, np.array([0.3, 0.2])], ids=["numbers", "arrays"])
@pytest.mark.parametrize("name", [line[4:line.index("(")] for line in PROGRAMS.splitlines() if line.startswith("def ")])
def test_as_in_python(name, x):
    plain = vars(module_of(PROGRAMS))[name]
    compiled = lt.function(plain)
    for n in (1, 2, 4):
        assert str(compiled(n, x)) == str(plain(n, x)), n


@pytest.mark.parametrize("body, message", [
    ("st = [{'h': w * i, 'n': i} for i in range(n)]", r"LT0306: the values of a dict are lt.Tensor\[lt.f64, 2\], and int is one of them(?s:.*)make a named tuple or a dataclass"),
    ("st = []\n    for i in range(n): st.append({'h': w * i, 'of': [i]})", r"LT0312: a dict whose values are of several types has no staged counterpart"),
])
def test_dicts_that_are_records(body, message):
    with pytest.raises(StagingError, match=message):
        lt.function(module_of(f"import numpy as np\ndef f(n, w):\n    {body}\n    return sum(np.sum(d['h']) for d in st)\n").f)(3, np.array([0.3, 0.2]))
