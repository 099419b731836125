"""Functions that call themselves and change lists, and dicts, of the function around them: in their cells, those of other functions, and attributes."""
import pytest
from compiled_table import Table, cases_of, outcome
from staged_source import Staged

from lantern.staging.errors import StagingError

SOURCE = '''
def paths(x: int, n: int):
    known = [[0] * (n + 1) for _ in range(n + 1)]
    def go(i, j):
        if i == 0 or j == 0:
            return x
        if known[i][j] > 0:
            return known[i][j]
        known[i][j] = go(i - 1, j) + go(i, j - 1)
        return known[i][j]
    return go(n, n), known


def backtracking(x: int, n: int):
    path, out = [], [[x]]
    def go(k):
        if k == 0:
            out.append(path[:])
            return
        for c in range(2):
            path.append(c)
            go(k - 1)
            path.pop()
    go(n)
    return out


def queens(x: int, n: int):
    columns, up, down = [False] * n, [False] * (2 * n), [False] * (2 * n)
    place, found = [0] * n, []
    def go(row):
        if row == n:
            found.append(place[:])
            return
        for c in range(n):
            if not columns[c] and not up[row + c] and not down[row - c + n]:
                columns[c] = up[row + c] = down[row - c + n] = True
                place[row] = c
                go(row + 1)
                columns[c] = up[row + c] = down[row - c + n] = False
    go(0)
    return found


def components(x: int, n: int):
    graph = [[(i * 2 + 1) % n, (i + 2) % n] for i in range(n)]
    index, low, stack, on, found, counter = [-1] * n, [0] * n, [], [False] * n, [], [0]
    def strong(v):
        index[v] = low[v] = counter[0]
        counter[0] += 1
        stack.append(v)
        on[v] = True
        for w in graph[v]:
            if index[w] < 0:
                strong(w)
                low[v] = min(low[v], low[w])
            elif on[w]:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            component = []
            while True:
                w = stack.pop()
                on[w] = False
                component.append(w)
                if w == v:
                    break
            found.append(component)
    for v in range(n):
        if index[v] < 0:
            strong(v)
    return found


def even_and_odd(x: int, n: int):
    out, log = [], [0]
    def even(k):
        out.append(k)
        return True if k == 0 else odd(k - 1)
    def odd(k):
        log.append(k * x)
        return False if k == 0 else even(k - 1)
    return even(n), out, log


def by_way_of_another(x: int, n: int):
    out = []
    def go(k):
        if k > 0:
            out.append(k)
            via(k - 1)
    def via(k):
        if k > 1:
            go(k - 1)
        out.append(-k)
        if k > 2:
            go(k - 2)
    via(n)
    go(n)
    return out


def by_a_function_within(x: int, n: int):
    seen = [0]
    def put(v):
        if v % 2 == 0:
            seen.append(v)
    def go(k):
        if k <= 0:
            return 0
        put(k * x)
        r = go(k - 1) + len(seen)
        put(r)
        return r
    return go(n), seen


def walk(k, visit):
    if k > 0:
        walk(k - 1, visit)
        visit(k)


def by_a_function_that_is_given(x: int, n: int):
    out, other = [], [0]
    walk(n, lambda v: out.append(v * x))
    walk(n, lambda v: other.append(v))
    walk(x, out.append)
    return out, other


class Bag:
    def __init__(self):
        self.items = []

    def fill(self, k):
        if k == 0:
            return 0
        self.items.append(k)
        r = self.fill(k - 1)
        self.items.append(r)
        return r + 1

    def again(self, k):
        return self.fill(k) if k > 1 else 0


def attributes(x: int, n: int):
    a, b = Bag(), Bag()
    return a.fill(n), b.fill(x), a.again(x), a.items, b.items


def dicts(x: int, n: int):
    d = {"count": 0, "items": [0]}
    def go(k):
        d["count"] += 1
        if k == 0:
            return 0
        d["items"].append(k)
        return go(k - 1) + go(k - 2 if k > 1 else 0)
    return go(n), d["count"], d["items"]


def numbers(x: int, n: int):
    state = [True, 0, x]
    def go(k):
        if k == 0:
            return 0
        state[0] = not state[0]
        state[1] += k
        return go(k - 1) + (k if state[0] else -k)
    return go(n), state


def large(x: int, n: int):
    known = [-1] * 150
    def go(k):
        if k < 2:
            return k
        if known[k] < 0:
            known[k] = go(k - 1) + go(k - 2)
        return known[k]
    before = go(n)
    known[3] = 100
    return before, go(5), known[n]


def solved(n, x):
    known = [-1] * (n + 1)
    def go(k):
        if k < 2:
            return k
        if known[k] < 0:
            known[k] = go(k - 1) + go(k - 2)
        return known[k]
    return go(n) * x


def twice(x: int, n: int):
    return solved(n, x) + solved(x, n) + solved(5, n)


def in_loops(x: int, n: int):
    out, total = [], []
    def go(k, into):
        if k > 0:
            out.append(k)
            into.append(-k)
            go(k - 1, into)
    for i in range(n):
        own = [i]
        go(i, own)
        total.append(sum(own))
        if i > 1:
            out.append(-1)
    return out, total


def in_a_branch(x: int, n: int):
    out = []
    def go(k):
        if k > 0:
            out.append(k)
            go(k - 1)
    if x > 2:
        go(n)
    else:
        out.append(5)
    return out


def of_a_known_depth(x: int, n: int):
    out = []
    def go(k):
        if k == 0:
            return
        if x > k:
            out.append((k, "up"))
            go(k - 1)
        else:
            go(k - 1)
            out.append((-k, "down"))
    go(4)
    return out


def two_cells(x: int, n: int):
    a = [0]
    b = a
    def go(k):
        if k == 0:
            return len(b)
        a.append(k)
        r = go(k - 1)
        b.append(r)
        return r + a[-1]
    return go(n), a, b


def a_cell_and_an_argument(x: int, n: int):
    a, c = [0], [1]
    def go(k, ys, zs):
        if k == 0:
            return len(a)
        ys.append(k)
        a.append(x)
        return go(k - 1, zs, ys) + ys[-1]
    return go(n, a, a), go(n, a, c), go(n, c, c), a, c


def a_row(x: int, n: int):
    rows = [[0], [1]]
    row = rows[0]
    def go(k):
        if k == 0:
            return 0
        rows[0].append(k)
        return go(k - 1) + len(row)
    def back(k):
        if k == 0:
            return 0
        row.append(k)
        return back(k - 1) + len(rows[0])
    return go(n), back(n), rows, row


def another_list_behind_the_name(x: int, n: int):
    xs = [0]
    def go(k):
        if k > 0:
            xs.append(k)
            go(k - 1)
    go(n)
    ys = xs
    xs = [7]
    go(n)
    return xs, ys


def given_back(x: int, n: int):
    out = [0]
    def go(k):
        if k == 0:
            return out
        out.append(k)
        return go(k - 1)
    r = go(n)
    r.append(99)
    return r, out
'''

NAMES = [line[4:line.index("(")] for line in SOURCE.splitlines() if line.endswith("(x: int, n: int):")]


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, NAMES)


@pytest.mark.parametrize("name, arguments", cases_of({name: ((3, 4), (2, 1), (1, 6), (5, 0)) for name in NAMES}))
def test_compiled_is_python(table, name, arguments):
    assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments)


def test_the_list_is_one_more_parameter_and_one_more_result():
    text = Staged(SOURCE, "twice").text
    assert text.count("(define go") == 1 and text.startswith("(define go ((k i64) (known (list i64))) -> (tuple i64 (list i64))")


@pytest.mark.parametrize("body, words", [
    ("def go(k):\n    nonlocal xs\n    if k > 0:\n        xs = xs + [k]\n        go(k - 1)\ngo(n)\nreturn xs", "LT0305.*nonlocal variable 'xs'"),
    ("ys = xs if n > 2 else [1]\ndef go(k):\n    if k == 0:\n        return 0\n    xs.append(k)\n    return go(k - 1) + ys[-1]\nreturn go(n)", "LT0305.*'ys' may have changed"),
    ("b = Box(xs)\ndef go(k):\n    if k > 0:\n        xs.append(k)\n        go(k - 1)\ngo(n)\nreturn b.xs", "LT0305.*was put into a Box"),
    ("c = [0]\ndef go(k):\n    c.append(k)\n    if k > 0:\n        go(k - 1)\n    list.append(xs, 3)\ngo(n)\nreturn xs", "LT0310.*'xs'.*known only when"),
    ("def go(k):\n    if k > 0:\n        seen.append(k)\n        go(k - 1)\ngo(n)\nreturn 0", "LT0305.*'seen'.*older than the trace"),
])
def test_what_is_refused(body, words):
    text = "\n".join("    " + line for line in body.splitlines())
    with pytest.raises(StagingError, match=words):
        Staged(f"seen = []\n\n\n@lt.struct\nclass Box:\n    xs: list[int]\n\n\ndef f(x: int, n: int):\n    xs = [x]\n{text}\n", "f")
