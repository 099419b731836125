"""Dicts, sets, Counters and deques that stand in lists and in dicts, and are changed there."""
import collections


def graph(xs: list[int], n: int) -> tuple[int, list[int]]:
    graph = [set() for _ in range(n)]
    for x in xs:
        graph[x % n].add(x // n)
        graph[(x + 1) % n].discard(x // n)
        graph[x % n] |= {x % 3, 1}
    total = 0
    for i in range(n):
        for b in sorted(graph[i]):
            total = total * 3 % 1000003 + b
    return total, [len(each) for each in graph]


def tables(xs: list[int], n: int):
    tables = [{} for _ in range(n)]
    for x in xs:
        i, k = x % n, x // n % 5
        tables[i][k] = tables[i].get(k, 0) + x
        if (k + 1) in tables[i]:
            del tables[i][k + 1]
        if x % 7 == 0:
            tables[i].pop(k, 0)
        elif x % 11 == 0:
            tables[-1].clear()
    return tables


def counts(xs: list[int], n: int) -> int:
    counts = collections.defaultdict(lambda: collections.defaultdict(int))
    for x in xs:
        counts[x % n][x % 5] += x
    total = 0
    for a, inner in counts.items():
        for b, v in inner.items():
            total = total * 3 % 1000003 + a + 7 * b + v
    return total


def index(xs: list[int], n: int):
    index, by_class, nested = {}, {}, {}
    for i, x in enumerate(xs):
        index.setdefault(x % n, set()).add(i % 5)
        by_class.setdefault(x % 3, {})[i % 4] = x
        if x % 2 not in nested:
            nested[x % 2] = {}
        nested[x % 2][x] = i
        nested[2] = {x: i}
    return [sorted(index[k]) for k in index], by_class, nested


def counters(xs: list[int], n: int):
    counters = [collections.Counter() for _ in range(n)]
    for x in xs:
        counters[x % n][x % 7] += 1
        counters[0] += collections.Counter([x % 2])
    return counters, [c.most_common(2) for c in counters]


def queues(xs: list[int], n: int):
    queues, last = [collections.deque() for _ in range(n)], [collections.deque(maxlen=2) for _ in range(n)]
    total = 0
    for x in xs:
        i = x % n
        queues[i].append(x)
        last[i].appendleft(x)
        total += sum(last[i]) + max(reversed(queues[i]))
        for y in queues[0]:
            total = total * 3 % 1000003 + y
        if x % 3 == 0:
            total = total * 3 % 1000003 + queues[i].popleft()
    return total, queues, last


def each(xs: list[int], n: int):
    tables, sets = [{} for _ in range(n)], {0: set(), n: {1}}
    for x in xs:
        for table in tables:
            table[x % 4] = table.get(x % 5, 1) + x % n
        for i, table in enumerate(tables):
            table.setdefault(i, x)
        for s in sets.values():
            s.add(x)
    return tables, [sorted(s) for s in sets.values()]


def by_name(xs: list[int], n: int):
    tables, total = [{} for _ in range(n)], 0
    for x in xs:
        table, other = tables[x % n], tables[0]
        table[x % 4] = x
        if x % 2 == 0:
            table[x % 3] = 5
            other[x] = 1
        total += table[x % 4] + len(tables[(x + 1) % n]) + len(other)
    return total, tables


def chosen(xs: list[int], n: int):
    counts, named = [{}, {}], {"even": {}, "odd": {}}
    for x in xs:
        counts[x % 2][x // 2 % n] = x
        named["even" if x % 2 == 0 else "odd"][x] = n
    return counts, named


def put_in(xs: list[int], n: int):
    d, tables = {}, [{} for _ in range(n)]
    tables.append(d)
    for x in xs:
        d[x] = len(tables[-1])
        d[x % n] = len(tables[-1]) + len(tables[0])
    return tables, d, len(tables[0])


def moved(xs: list[int], n: int):
    old, new = [{} for _ in range(n)], [{} for _ in range(n)]
    for x in xs:
        t = old.pop()
        t[x] = 1
        new.append(t)
        old.append({})
        new[0], new[-1] = new[-1], new[0]
    new[-1][3] = 4
    return old, new


def put(table, k):
    table[k] = table.get(k, 0) + 1
    return len(table)


def called(xs: list[int], n: int):
    tables, total = [{} for _ in range(n)], 0
    for x in xs:
        total += put(tables[x % n], x % 4)
        if x % 2 == 0:
            total += put(tables[0], x % 4)
    return total, tables


def in_while(xs: list[int], n: int):
    tables, i = [{} for _ in range(n)], 0
    while i < len(xs) and len(tables[0]) < 3:
        t = tables[xs[i] % n]
        if xs[i] % 2 == 0:
            t[xs[i]] = i
        else:
            t.pop(xs[i] - 1, None)
        i += 1
    return i, tables


def deep(xs: list[int], n: int):
    d, many = {}, [{} for _ in range(n)]
    for x in xs:
        d.setdefault(x % n, []).append({})
        d[x % n][-1][x] = x
        d[x % n][0][x % 5] = 1
        many[x % n].setdefault(x % 3, {})[x] = x
        many[0].setdefault(x % 2, {}).pop(x, None)
    return d, many


def in_tuples(xs: list[int], n: int):
    edges, kept = collections.defaultdict(list), {}
    for x in xs:
        edges[x % n].append((x * 3 % n, {x: 1}, [x]))
        if x % 3 not in kept:
            kept[x % 3] = ([x], 0)
        kept[x % 3][0].append(x)
    for k, of in edges.items():
        for b, d, row in of:
            d[b] = k
            row.append(len(d))
    return [edges[k] for k in edges], kept


class Graph:
    def __init__(self, n):
        self.graph = [set() for _ in range(n)]
        self.weights = collections.defaultdict(dict)

    def add(self, a, b, w):
        self.graph[a].add(b)
        self.weights[a][b] = w


def attributes(xs: list[int], n: int):
    g, total = Graph(n), 0
    for x in xs:
        g.add(x % n, x * 3 % n, x)
    for i in range(n):
        for b in sorted(g.graph[i]):
            total = total * 3 % 100003 + b * g.weights[i][b]
    return total


def memo_of_memos(xs: list[int], n: int):
    memo = {}

    def ways(i, j):
        if i not in memo:
            memo[i] = {}
        if j in memo[i]:
            return memo[i][j]
        v = 1 if i <= 0 or j <= 0 else (ways(i - 1, j) + ways(i, j - 1) * xs[0]) % 1000003
        memo[i][j] = v
        return v

    return ways(n, n + len(xs)), [len(memo[k]) for k in memo]


def of_texts(words: list[str], n: int):
    follows, children = collections.defaultdict(collections.Counter), [{}]
    for a, b in zip(words, words[1:]):
        follows[a][b] += 1
    for w in words:
        node = 0
        for i in range(n):
            if (w, i) not in children[node]:
                children[node][w, i] = len(children)
                children.append({})
            node = children[node][w, i]
    return follows, len(children)


def shown_and_compared(xs: list[int], n: int):
    tables, of_lists, halves = {}, {n: {1: [n, 2]}, n + 1: {2: []}}, collections.defaultdict(dict)
    for x in xs:
        tables[x] = {x: {x * n: str(x)}}
        halves[x % 2][x] = [x]
    one, other = {n: {n: 1}}, {n: {len(xs): 1}}
    texts = [f"{k}: {v}" for k, v in halves.items()]
    return str(tables), f"{of_lists}", len(tables), of_lists[n][1][0], texts, one == other, one != {n: {n: 1}}, str([one]), str({n: {}})


def shown_before_typed(xs: list[int], n: int):
    last, waiting = {}, []
    for x in xs:
        if waiting:
            last[x] = waiting.pop()
        waiting.append(n)
    return f"{last}", str(waiting)


NUMBERS = ([5, 3, 8, 13, 21, 1, 0, 4, 9, 33, 12, 6, 6, 7, 18, 25, 30, 2, 11, 14], 3), ([7], 1), ([22, 22, 11, 0, 5], 2)
WORDS = (["a", "b", "a", "c", "b", "a", "a"], 3), (["x"], 1)
