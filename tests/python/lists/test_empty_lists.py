"""Lists of empty lists: what they hold is found from what is put into them, or an annotation says it, and errors show the annotation."""
import pytest
from compiled_table import Table, cases_of, outcome

from lantern.staging.errors import StagingError

SOURCE = """
import lantern as lt


@lt.struct
class Point:
    xs: list[float]
    k: int


@lt.struct
class Rows:
    rows: list[list[int]]


def graph(n: int):
    adj = [[] for _ in range(n + 1)]
    for i in range(n):
        adj[i].append(i + 1)
        adj[i + 1].append(i)
    total = 0
    for i in range(n + 1):
        for j in adj[i]:
            total += i * j
    return total, adj


def many(values, k):
    return 0 if k <= 0 else len(values) + many(values, k - 1)


def beside_texts(n: int):
    # a function that a list of texts was given is given one of which nothing is known so far
    words, numbers, seen, total = {str(n): 1}, [], set(), many([str(n)], n)
    for i in range(n):
        total += len(seen & {i, 2}) + many(numbers, 2)
        seen.add(i)
        numbers.append(i * 0.5)
    return total, numbers, sorted(seen), words


def groups(n: int):
    groups = [[], []]
    for i in range(n):
        groups[i % 2].append(i * 0.5)
    return groups


def weighted(n: int):
    adj = [[] for _ in range(n)]
    for i in range(n - 1):
        adj[i].append((i + 1, i * 0.5))
        adj[i + 1].append((i, 2.0))
    total = 0.0
    for row in adj:
        for j, w in row:
            total += j * w
    adj[0][0] = (7, adj[0][0][1] + 1)
    del adj[1][0]
    return total, adj, len(adj[1]), adj[n - 1].pop(), adj


def given(rows: list[list[tuple[int, tuple[float, str]]]], n: int):
    out = [list(row) for row in rows]
    out[0].append((n, (0.5, "new")))
    total = 0.0
    for row in rows:
        for j, (w, _) in row:
            total += j * w
    return total, out


def grown_tree(n: int):
    parents, kids, visits = [-1], [[]], [0]
    for _ in range(n):
        node = 0
        while kids[node]:
            children, node = kids[node], -1
            for k in children:
                node = k if node < 0 or visits[k] < visits[node] else node
        for _ in range(2):
            kids[node].append(len(parents))
            parents.append(node)
            kids.append([])
            visits.append(0)
        while node >= 0:
            visits[node] += 1
            node = parents[node]
    return parents, kids, visits


def annotated(n: int):
    adj: list[list[int]] = [[] for _ in range(n + 1)]
    pairs: "list[list[tuple[int, float]]]" = [[] for _ in range(n)]
    points: list[list[Point]] = [[] for _ in range(n)]
    parts: list[tuple[list[int], int]] = [([], i) for i in range(n)]
    flat: list[Point] = []
    names: list[list[str]] = [[], []]
    never: lt.Tensor[lt.f64, 3] = n * 2
    total = never + len(flat) + len(points[0]) + sum(b + len(a) for a, b in parts)
    return total, adj, pairs, names


def annotated_before(n: int):
    rows: list[list[int]] = []
    others: list[list[int]] = [[] for _ in range(n)]
    for i in range(n):
        rows.append([])
        others[i] = []
    return rows, others


def annotated_otherwise(n: int):
    rows: list[list[float]] = [[] for _ in range(n)]
    halves: list[list[int]] = [[] for _ in range(n)]
    rows[0].append(2**60 + n)
    halves[0].append(n * 0.5)
    return rows, halves


def annotated_if(n: int):
    found: list[float] = []
    if n > 3:
        found.append(n * 0.5)
    return found


def read_before(n: int):
    rows: list[list[int]] = [[] for _ in range(n)]
    seen = [0, 0, 0]
    for i in range(3 * n):
        for j in rows[i % n]:
            seen[j % 3] += 1
        rows[i % n].append(i)
    return seen, rows


def structures(n: int):
    rows = [[] for _ in range(n)]
    for i in range(n):
        rows[i].append(Point([i * 0.5], i))
    empty = [Point([], i) for i in range(n)]
    return sum([p.k + p.xs[0] for row in rows for p in row]), sum([p.k + len(p.xs) for p in empty]), len(Rows([[] for _ in range(n)]).rows)


def extended(n: int):
    a, b, c, d = [[] for _ in range(n)], [[] for _ in range(n)], [list() for _ in range(n)], [[] for _ in range(n)]
    for i in range(n):
        a[i].extend([i, i + 1])
        b[i] += [i * 0.5]
        c[i] = [i] * i
        d[i].insert(0, str(i))
    return a, b, c, d


def under_conditions(n: int):
    a, seen, few = [[] for _ in range(n)], [[] for _ in range(n)], [[] for _ in range(n)]
    for i in range(3 * n):
        if i % 2 == 0:
            a[i % n].append(i)
        else:
            a[0].append(-i)
        if i // 2 not in seen[i % n]:
            seen[i % n].append(i // 2)
        if len(few[i % n]) < 2:
            few[i % n].append(i)
    return a, seen, few


def monotone(n: int):
    stacks = [[] for _ in range(2)]
    for i in range(n):
        while stacks[i % 2] and stacks[i % 2][-1] > i * 7 % 5:
            stacks[i % 2].pop()
        stacks[i % 2].append(i * 7 % 5)
    return stacks


def rows_in_turn(n: int):
    rows = []
    for i in range(n):
        rows.append([])
        rows[i].append(i)
    late = []
    while len(late) < n:
        late.append([])
    for i in range(n):
        late[i].append(i * 0.5)
    return rows, late


def radix(n: int):
    xs = [i * 37 % 101 for i in range(n * 3)]
    for d in (1, 10, 100):
        buckets = [[] for _ in range(10)]
        for x in xs:
            buckets[x // d % 10].append(x)
        xs = []
        for bucket in buckets:
            xs.extend(bucket)
    return xs


def in_a_dict(n: int):
    d = {"a": [[] for _ in range(n)], "b": [[], []], "c": []}
    for i in range(n):
        d["a"][i].append(i)
        d["b"][i % 2].append(i * 0.5)
        d["c"].append(i)
    return d["a"], d["b"], d["c"]


def made(n):
    return [[] for _ in range(n)]


def filled(rows, n):
    for i in range(n):
        rows[i].append(i)


def two_callers(n: int):
    a, b, c = made(n), made(n), made(n)
    b[0].append(2.5)
    a[0].append(2**60 + n)
    filled(c, n)
    return a[0][0] // 2, a, b, c


def two_branches(n: int):
    rows = [[] for _ in range(n)]
    if n > 3:
        rows[0].append(2**60 + 1)
        half = rows[0][0] // 2
    else:
        rows[0].append(2.5)
        half = 1
    return half


def levels(depth, rows):
    if depth >= 0:
        rows[depth].append(depth)
        levels(depth - 1, rows)


def recursive(n: int):
    rows = [[] for _ in range(n + 1)]
    levels(n, rows)
    levels(n, rows)
    return rows


def reached(adj, u, seen):
    seen[u] = True
    total = u
    for v in adj[u]:
        if not seen[v]:
            total += reached(adj, v, seen)
    return total


def depth_first(n: int):
    adj = [[] for _ in range(n)]
    for i in range(1, n):
        adj[(i - 1) // 2].append(i)
        adj[i].append((i - 1) // 2)
    return reached(adj, 0, [False] * n)


class Graph:
    def __init__(self, n):
        self.adj: list[list[int]] = [[] for _ in range(n)]

    def add(self, i, j):
        self.adj[i].append(j)


def of_an_object(n: int):
    graph = Graph(n)
    for i in range(n - 1):
        graph.add(i, i + 1)
    return graph.adj


def reduced(stack, k):
    if k % 3 < 2:
        stack.append(k * 0.5)
    else:
        right = stack.pop()
        stack.append(stack.pop() - 2 * right)


def shift_reduce(n: int):
    stack = []
    for k in range(n):
        reduced(stack, k)
    return stack


def taken(stack, depth):
    if depth == 0:
        return stack.pop()
    return 2 * taken(stack, depth - 1) + stack.pop()


def taken_by_a_recursion(n: int):
    stack, total = [], 0
    for k in range(n):
        stack.append(k)
        if k % 3 == 2:
            total += taken(stack, k % 2 + 1)
    return stack, total


def loss(x: float, n: int):
    groups = [[], []]
    for i in range(n):
        groups[i % 2].append(x * x * i)
    edges = [[] for _ in range(n)]
    for i in range(n):
        edges[i % 3].append((i, groups[i % 2][i // 2] * x))
    total = 0.0
    for row in edges:
        for j, w in row:
            total += w * j
    return total + sum(groups[0])


def slope(x: float, n: int):
    return lt.grad(loss, wrt="x")(x, n)


def slope_along(x: float, n: int):
    return lt.jvp(lambda y: loss(y, n), (x,), (1.0,))
"""
NUMBERS = (1, 2, 3, 4, 7)
OF_ONE = ["graph", "beside_texts", "groups", "annotated", "annotated_before", "annotated_otherwise", "annotated_if", "read_before", "structures", "extended",
          "under_conditions", "monotone", "rows_in_turn", "radix", "in_a_dict", "two_callers", "two_branches", "recursive", "depth_first", "of_an_object",
          "shift_reduce", "taken_by_a_recursion"]
ROWS = ([[(1, (0.5, "a")), (2, (1.5, "b"))], []], [[]], [[], [(3, (2.0, "c"))]])
DIFFERENTIATED = {name: ((1.5, 4), (0.5, 7)) for name in ("loss", "slope", "slope_along")}
CALLS = {**{name: NUMBERS for name in OF_ONE}, **DIFFERENTIATED, "grown_tree": (0, 1, 6), "weighted": (2, 3, 7), "given": tuple((rows, 4) for rows in ROWS)}


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, list(CALLS))


def kinds(value):
    """A value with the types of its numbers: 1 and 1.0 differ."""
    return type(value)(map(kinds, value)) if isinstance(value, (list, tuple)) else (type(value), value)


@pytest.mark.parametrize("name, arguments", cases_of(CALLS))
def test_a_list_of_empty_lists_gives_what_it_gives_in_python(table, name, arguments):
    assert kinds(outcome(table.compiled[name], arguments)) == kinds(outcome(table.plain[name], arguments))


@pytest.mark.parametrize("x, n", [(1.5, 4), (0.5, 7)])
def test_a_gradient_through_such_lists_is_the_difference_quotient(table, x, n):
    difference = (table.plain["loss"](x + 1e-6, n) - table.plain["loss"](x - 1e-6, n)) / 2e-6
    assert table.compiled["slope"](x, n) == pytest.approx(difference, rel=1e-6)


@pytest.mark.parametrize("body, where, words", [
    ("""
        adj = [[] for _ in range(n)]
        return len(adj)
    """, (2, 12), ["the empty lists in 'adj'", "annotate the variable: adj: list[list[float]] = …"]),
    ("""
        found = []
        return len(found) * n, found
    """, (2, 5), ["the list 'found'", "found: list[float] = …"]),
    ("""
        pairs = [([], i) for i in range(n)]
        return len(pairs)
    """, (2, 14), ["pairs: list[tuple[list[float], int]] = …"]),
    ("""
        rows = made(n)
        rows[0].append("text")
        other = made(n)
        other[0].append(n)
        return len(rows)
    """, (9, 13), ["str in one place, and int in another"]),
])
def test_what_nothing_says_is_an_error_that_shows_the_annotation(body, where, words):
    with pytest.raises(StagingError) as caught:
        Table("    def f(n: int):" + body + "\n    def made(n):\n        return [[] for _ in range(n)]\n", ["f"])
    error = caught.value
    assert error.code == "LT0314" and all(word in str(error) for word in words), str(error)
    assert (error.place.line, error.place.column) == where, str(error)


def test_a_counter_is_annotated_by_its_keys():
    with pytest.raises(StagingError, match=r"annotate the variable: name: Counter\[int\] = …"):
        Table("import collections\n\ndef f(words: list[str]):\n    return len(collections.Counter(w for d in [words] for w in set(d)))\n", ["f"])


def test_an_attribute_is_annotated_where_it_is_set():
    with pytest.raises(StagingError, match=r"annotate the variable: self.xs: list\[float\] = …"):
        Table("class A:\n    def __init__(self):\n        self.xs = []\n\ndef f(n: int):\n    q = [A() for _ in range(n)]\n    return sum(1 for a in q for x in a.xs)\n", ["f"])
    assert Table("class A:\n    def __init__(self):\n        self.xs: list[int] = []\n\ndef f(n: int):\n    q = [A() for _ in range(n)]\n    return len(q) + sum(1 for a in q for x in a.xs)\n",
                 ["f"]).compiled["f"](3) == 3
