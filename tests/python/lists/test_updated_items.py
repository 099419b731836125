"""How C++ says what tables are most often for: counting, collecting, remembering. The place is looked for once, the key too, and not at all where it is certainly there."""
import heapq
import re

import pytest
from compiled_table import Table, outcome

import lantern as lt
from lantern import compiled, core

# name: the body of a function (xs: list[int], n: int), what its C++ says, what it does not say
PROGRAMS = {
    "counts_in_a_list": ("""
    counts = [0] * n
    for x in xs:
        counts[x] += 1
    return counts
""", ['item_of(counts, x, "'], ["set_item", "index("]),
    "counts_in_a_dict": ("""
    counts = {}
    for x in xs:
        if x in counts:
            counts[x] += n
        else:
            counts[x] = 1
    return len(counts), list(counts.values())
""", ["counts_values[entry] = checked_add(counts_values[entry], n, ", "put_slot(counts_slots, counts_keys);"], ["index(", "raise_error"]),
    "counts_with_a_default": ("""
    counts = {}
    for x in xs:
        counts[x % n] = counts.get(x % n, 0) + 1
    return max(counts.values())
""", ["entry < 0 ? 0 : counts_values[entry]"], ["index("]),
    "counts_in_a_defaultdict": ("""
    counts = collections.defaultdict(int)
    for x in xs:
        counts[x] += n
    return counts
""", ["int64_t entry = find_key(", "entry = length(counts_keys);", "counts_values[entry] = checked_add(counts_values[entry], n, "], ["entry_1", "index(", "item_of("]),
    "counts_of_pairs": ("""
    counts = collections.defaultdict(lambda: collections.defaultdict(int))
    for a, b in zip(xs, xs[1:]):
        counts[a][b] += n
    return [list(each.items()) for each in counts.values()]
""", ["append_to(counts_values_keys, List<int64_t>{});", "item_of(counts_values_values[entry], entry_"], ["copy(", "set_item("]),
    "a_place_on_one_way": ("""
    ys, i = list(xs), n
    if n > 2:
        i = len(ys)
        ys.append(n)
    ys[i] += 1
    return ys
""", ["index(ys, i, "], []),
    "a_place_on_both_ways": ("""
    ys, i = list(xs), 0
    if n > 2 or not ys:
        i = len(ys)
        ys.append(n)
    ys[i] += 1
    return ys
""", ["checked_add(ys[i], 1, "], ["index("]),
    "found": ("""
    found = []
    for x in xs:
        if x > 1:
            found.append(x)
            for i in range(n):
                if i == x:
                    n += 1
    return found, n
""", ["found = append(found, x);"], ["const List<int64_t> x"]),
    "by_a_lambda": ("""
    pairs = [(x, i) for i, x in enumerate(xs)]
    return sorted(pairs, key=lambda p: (-p[0], p[1])), max(xs + [0], key=lambda x: x % 3)
""", [], ["lambda"]),
    "sums_in_a_table": ("""
    table = [[0.0] * n for _ in range(n)]
    for x in xs:
        table[x][0] += 0.5
        table[0][x] -= 1.5
        table[x][x] *= 3.0
    return table
""", [' += 0.5;', ' -= 1.5;', ' *= 3.0;'], ["set_item"]),
    "what_may_fail_stands_in_front": ("""
    counts = [0] * n
    for x in xs:
        counts[x] += xs[x + 1]
    return counts
""", ["set_item(counts, x,"], ["item_of"]),
    "another_place": ("""
    counts = [0] * n
    for x in xs:
        counts[x] = counts[x + 1] + 1
    return counts
""", ["set_item(counts, x,"], ["item_of"]),
    "buckets": ("""
    buckets = [[] for _ in range(n)]
    for x in xs:
        buckets[x].append(x)
    return [len(b) for b in buckets]
""", ['append_to_item(buckets, x, x, "'], ["set_item"]),
    "neighbours": ("""
    graph = [set() for _ in range(n)]
    for x in xs:
        graph[x].add(x)
    return sum(len(s) for s in graph)
""", ["append_to_item(graph_keys, x, x,", "find_key(index(graph_slots, x,"], ["append_to_item(x1_1", "set_item(x1_1"]),
    "a_memo": ("""
    memo = {}
    def f(k):
        if k < 2:
            return k
        if k not in memo:
            memo[k] = f(k - 1) + f(k - 2)
        return memo[k]
    return f(n)
""", ["List<int64_t>& own_keys, List<int64_t>& slots) {", "append_to(own_keys, k);", "put_slot(slots, own_keys);"], ["own_keys_"]),
    "a_search_by_breadth": ("""
    distance = {n: 0}
    queue = [n]
    while queue:
        x = queue.pop(0)
        for y in xs:
            if y not in distance and abs(y - x) < 3:
                distance[y] = distance[x] + 1
                queue.append(y)
    return max(distance.values()), sorted(distance.items())
""", ["distance_values[entry_"], ["index(distance_values"]),
}
CALLS = [([1, 2, 0, 2, 1, 1], 3), ([], 1), ([0, 4, 2], 2), ([2, -1, 1], 3), ([7, 9, 8, 5, 1], 10)]


@pytest.fixture(scope="module")
def table():
    return Table("import collections\n\n\n" + "\n\n".join(f"def {name}(xs: list[int], n: int):{body}" for name, (body, _, _) in PROGRAMS.items()), list(PROGRAMS))


@pytest.fixture(scope="module")
def bodies(table):
    """The C++ of each, and of what it calls, which stands in front of it."""
    text = core.compile(table.text, "table.sexpr", {"emit": "cpp"})
    ends = [re.search(rf"^\S[^\n]* {name}(_on_stack)?\([^;]*?\{{\n.*?^\}}", text, re.MULTILINE | re.DOTALL).end() for name in PROGRAMS]
    begins = [text.index("check_stack("), *ends]
    return {name: text[begin:end] for name, begin, end in zip(PROGRAMS, begins, ends)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_said_once(bodies, name):
    _, said, not_said = PROGRAMS[name]
    assert [each for each in said if each not in bodies[name]] == [] and [each for each in not_said if re.search(rf"\b{re.escape(each)}", bodies[name])] == [], bodies[name]


@pytest.mark.parametrize("name", PROGRAMS)
def test_places_are_the_users(table, bodies, name):
    first = table.plain[name].__code__.co_firstlineno
    last = first + PROGRAMS[name][0].count("\n")
    assert {int(line) for line in re.findall(r'\.py:(\d+):\d+"', bodies[name])} <= set(range(first, last + 1)), bodies[name]


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_what_python_does(table, name):
    for arguments in CALLS:
        assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments), arguments


def test_a_number_that_does_not_fit_is_an_error():
    def f(xs: list[int], i: int):
        counts = list(xs)
        counts[i] += 2**62
        counts[i] *= -2
        return counts
    g = lt.function(f)
    assert g([0, -2**62], 1) == [0, 0] and g([0, 0], 0) == [-2**63, 0]
    for xs, i in (([2**62], 0), ([2**62 + 1], -1)):
        with pytest.raises(OverflowError):
            g(xs, i)
    with pytest.raises(IndexError, match="list index out of range"):
        g([1], -2)


def test_parts_of_tuples_are_as_long_as_each_other():
    """Whoever calls the C++ is asked."""
    def degrees(edges: list[tuple[int, float]], n: int):
        def total(edges):
            found = 0.0
            for _, w in edges:
                found += w
            return found
        counts = [0] * n
        for a, w in edges:
            counts[a] += 1
        return counts, total(edges)
    edges = [(0, 0.5), (2, 1.5), (2, 3.0)]
    g = lt.function(degrees)
    assert g(edges, 3) == degrees(edges, 3)
    text = core.compile(g.text(edges, 3), "degrees.py", {"emit": "cpp"})
    assert 'check_column("edges_1", edges_1, edges_0);' in text and "edges_1[" in text and "index(" not in text, text
    alone = core.compile("(define f ((l (list (tuple i64 f64)))) -> f64 (for e l ((s 0.0)) true (+ s (get e 1))))", "f.sexpr", {"emit": "cpp"})
    assert "index(l_1, " in alone and "check_column" not in alone, alone    # which nobody looks at in front of it
    part = core.compile("(define f ((l (list (tuple i64 f64)))) -> f64 (let r (slice l 1 2) (for e r ((s 0.0)) true (+ s (get e 1)))))", "f.sexpr", {"emit": "cpp"})
    assert "index(r_1, " in part, part      # nor at what is made of it


def test_so_are_those_within_lists_and_those_that_are_made():
    def shortest(graph: list[list[tuple[int, float]]], n: int):
        distance, ordered = [1e9] * len(graph), []
        distance[0], heap = 0.0, [(0.0, 0)]
        while heap:
            d, u = heapq.heappop(heap)
            if d > distance[u]:
                continue
            ordered.append((d, u))
            for v, w in graph[u]:
                if d + w < distance[v]:
                    distance[v] = d + w
                    heapq.heappush(heap, (d + w, v))
        ordered = ordered[:n]
        total = 0.0
        for d, u in ordered:
            total += d * u
        return distance, total
    graph = [[(1, 2.0), (2, 0.5)], [(3, 1.0)], [(1, 0.25), (3, 5.0)], []]
    g = lt.function(shortest)
    for n in (0, 2, 9):
        assert g(graph, n) == shortest(graph, n)
    text = core.compile(g.text(graph, 3), "shortest.py", {"emit": "cpp"})
    assert 'check_column("graph_1", graph_1, graph_0);' in text and 'check_column<1>("graph_1", graph_1, graph_0);' in text
    assert len(re.findall(r"const double w = \w+\[\w+\];", text)) == 1 and re.search(r'd = x\d+_0\[', text), text


def test_callers_lists_within_lists_are_looked_at():
    text = "(define f ((l (list (list (tuple i64 f64))))) -> f64 (for r l ((s 0.0)) true (for e r ((s1 s)) true (+ s1 (get e 1))))) (export f)"
    loaded = compiled.Program(compiled.build(text, "f.sexpr", "f"), {}).entry("f")
    assert loaded([[1], [2, 3]], [[0.5], [1.5, 2.0]]) == [4.0]
    with pytest.raises(ValueError, match="'l_1' has 1 elements, and the first parts of the same tuples are 2"):
        loaded([[1], [2, 3]], [[0.5], [1.5]])
