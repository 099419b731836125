"""Lists that change while a loop goes over them: each element is what stands there when Python comes to it, or the program is refused."""
import re

import pytest
from compiled_table import Table, module_of, outcome

import lantern as lt
from lantern.staging import entry
from lantern.staging.errors import StagingError

SOURCE = """
import collections

def numbered(n: int):
    xs, total = list(range(n)), 0
    for i, x in enumerate(xs):
        total = total * 3 + x
        if i + 1 < len(xs):
            xs[i + 1] = x + 2
    return xs, total


def numbered_and_shorter(n: int):
    xs, total = [i * 2 for i in range(n)], 0
    for i, x in enumerate(xs):
        total = total * 3 + x + i
        if x % 4 == 0:
            xs.pop()
    return xs, total


def numbered_before(n: int):
    xs, total = [i * 2 for i in range(n)], 0
    numbered = enumerate(xs)
    xs.append(5)
    for i, x in numbered:
        total = total * 3 + x * i
    return total


def filtered(n: int):
    xs, total = [i * 2 for i in range(n)], 0
    for x in filter(lambda x: x > 1, xs):
        total = total * 3 + x
        xs[-1] = total
    return xs, total


def copies(n: int):
    xs, total = [i * 2 for i in range(n)], 0
    for i, x in enumerate(list(xs)):
        total = total * 3 + x * i
        xs[-1] = total
    for x, y in zip(xs[:], range(n)):
        xs[0] = total = total + x * y
    for x in reversed(sorted(xs)):
        xs[0] = total = total * 2 + x
    return xs, total


def of_another(n: int):
    t, counts = [[i, i + 1] for i in range(n)], [0] * (n + 1)
    for row in t:
        for i, x in enumerate(row):
            counts[x] += i + 1
    for i in range(n):
        for x in list(t[i]):
            t[0][1] += x
    return t, counts


def known(n: int):
    xs, total = [1, 2, 3], 0
    for i, x in enumerate(xs):
        total += x * i * n
        xs[2] = 7
    for x, y in zip(xs, [n, n + 1]):
        total += x * y
        xs.append(4)
    for x in reversed(xs):
        total = total * 2 + x
        xs.append(5)
    return xs, total, [x * n for x in map(lambda x: x + 1, xs)]


def of_an_element_while_others_are_put_behind(n: int):
    rows, y = [[i + 1.0, 2.0] for i in range(n + 1)], 0.0
    for q in rows[0]:
        y += q
        rows.append([q])
        if len(rows[0]) < n: rows[0].append(q + 1)
    return rows, y


def of_a_dicts_while_it_gets_keys(n: int):
    graph = collections.defaultdict(list)
    for i in range(n): graph[i // 2].append(i)
    seen, found = set(), []
    def visit(u):
        if u in seen: return
        seen.add(u)
        for v in graph[u]: visit(v)
        found.append(u)
    for u in range(n): visit(u)
    for u in list(graph):
        for v in graph[u]: graph[v + 3].append(u)
    return found, sorted(graph.items())


def changed_while_others_are_put_behind(n: int):
    rows = [[1.0], [2.0]]
    for i in range(n): rows.append([float(i)])
    def make():
        rows.append([5.0])
        return 7.0
    rows[0].append(make())
    r = rows[1]
    rows.append([3.0])
    r.append(4.0)
    return rows
"""
REFUSED = """
def known_and_staged(n: int):
    xs = [1, 2, 3]
    for i, x in enumerate(xs):
        xs[(i + n) % 3] = x + 5
    return xs


def zipped(n: int):
    xs = list(range(n))
    for x, i in zip(xs, range(n)):
        xs[i - 1] = x + 2
    return xs


def zipped_before(n: int):
    xs = list(range(n))
    pairs = zip(xs, range(n))
    xs[0] = 5
    return [x + i for x, i in pairs]


def of_known_length(n: int):
    xs = [1, 2, 3]
    for x, i in zip(xs, range(n)):
        xs[i - 1] = x + 2
    return xs


def mapped(n: int):
    xs = list(range(n))
    for x in map(lambda x: x + 1, xs):
        xs[-1] = x
    return xs


def backwards(n: int):
    xs = list(range(n))
    for x in reversed(xs):
        xs[0] = x
    return xs


def of_a_row(n: int):
    t = [[i, i + 1, i + 2] for i in range(n)]
    for i in range(n):
        for x in t[i]:
            t[i][2] += x
    return t


def of_a_numbered_row(n: int):
    t = [[i, i + 1, i + 2] for i in range(n)]
    for i in range(n):
        for j, x in enumerate(t[i]):
            t[i][2] += x * j
    return t


def of_a_row_that_a_loop_gives(n: int):
    t = [[i, i + 1, i + 2] for i in range(n)]
    for row in t:
        for x in row:
            t[-1][2] += x
    return t


def of_the_last_row(n: int):
    t = [[i, i + 1, i + 2] for i in range(n + 1)]
    for x in t[-1]:
        if len(t) < 9: t.append([x])
    return t
"""
NAMES = re.findall(r"^def (\w+)", SOURCE, re.MULTILINE)


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_they_are_pythons(table, name):
    for n in (0, 1, 3, 5):
        assert outcome(table.compiled[name], (n,)) == outcome(table.plain[name], (n,)), n


@pytest.mark.parametrize("name", re.findall(r"^def (\w+)", REFUSED, re.MULTILINE))
def test_what_is_not_followed_is_refused(name):
    with pytest.raises(StagingError, match=r"LT0305[^$]*'(xs|t)' (changes|becomes staged) while") as refused:
        entry.stage_entries([vars(module_of(REFUSED))[name]])
    assert "list(…)" in str(refused.value)


ONCE = {    # what goes through an iterator, xs and ys being lists → what is said of it; None: it is Python's result
    "m = zip(xs, ys)\nreturn len(list(m)) + len(list(m))": r"what zip\(…\) gave at .*:3:5 is gone through once more",
    "m = map(lambda x: x + 1.0, xs)\nt = sum(m)\nfor x in m:\n  t += x\nreturn t": r"what map\(…\) gave at .* is gone through once more",
    "m = itertools.accumulate(xs)\nreturn max(m) + max(m)": r"what accumulate\(…\) gave at .* is gone through once more",
    "m = reversed(xs)\nreturn sum(x * y for x, y in zip(m, ys)) + sum(m)": r"what reversed\(…\) gave at .* is gone through once more",
    "m = enumerate(xs)\nt = 0.0\nfor _ in ys:\n  for i, x in m:\n    t += i * x\nreturn t": r"what enumerate\(…\) gave at .* is gone through where that may happen never, or more than once",
    "m = zip(xs, ys)\nif xs[0] > 0:\n  return sum(x * y for x, y in m)\nreturn 0.0": r"what zip\(…\) gave at .* is gone through where that may happen never",
    "m = filter(lambda x: x > 1, xs)\nt = 0.0\nfor i in range(len(ys)):\n  t += total(m)\nreturn t": r"what filter\(…\) gave at .* is gone through where that may happen never",
    "m = filter(lambda x: x > 1, xs)\nreturn total(m) + total(map(abs, xs))": None,
    "t = 0.0\nfor y in ys:\n  for i, x in enumerate(xs):\n    t += i * x * y\nreturn t": None,
    "m = zip(xs, ys)\nreturn sorted(m)[0][0] + sum(map(lambda p: p[0] * p[1], enumerate(zip(xs, ys)) if False else zip(xs, ys)))": None,
}


@pytest.mark.parametrize("body", ONCE)
def test_an_iterator_is_gone_through_once(body):
    lines = "\n".join(f"    {line}" for line in ["", *body.split("\n")])
    source = f"import itertools\n\n\ndef total(values):\n    t = 0.0\n    for x in values:\n        t += x\n    return t\n\n\ndef f(xs: list[float], ys: list[float]):{lines}\n"
    function = module_of(source).f
    if ONCE[body] is None:
        assert lt.function(function)([1.0, 2.5], [3.0, -4.0]) == function([1.0, 2.5], [3.0, -4.0])
        return
    with pytest.raises(StagingError, match=ONCE[body].replace(":3:5", r":\d+:\d+")) as error:
        lt.function(function)([1.0, 2.5], [3.0, -4.0])
    assert error.value.code == "LT0305" and "list(…)" in error.value.hint
