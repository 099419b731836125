"""Recursions that change lists, arrays, dicts and sets which they are given: each gives what it gives in Python."""
import numpy as np


def memo_given(x: float, n: int):
    def go(k, memo):
        if k in memo:
            return memo[k]
        r = x if k < 2 else go(k - 1, memo) * 0.5 + go(k - 2, memo) * x
        memo[k] = r
        return r
    memo = {}
    return go(n, memo) + sum(memo.values()) * x + len(memo)


def memo_of_pairs(x: float, n: int):
    memo = {}
    def paths(i, j):
        if i == 0 or j == 0:
            return x
        if (i, j) not in memo:
            memo[i, j] = paths(i - 1, j) * x + paths(i, j - 1) * 0.5
        return memo[i, j]
    return paths(n, n) + paths(n + 1, 2)


def memo_of_arrays(x: float, n: int):
    def go(k, memo):
        if k in memo:
            return memo[k]
        r = np.array([x, 1.0, x * x]) if k < 2 else go(k - 1, memo) * x + go(k - 2, memo)[::-1] * 0.5
        memo[k] = r
        return r
    memo = {}
    return np.sum(go(n, memo) * go(n // 2, memo))


def memo_overwritten(x: float, n: int):
    def go(k, memo):
        if k < 1:
            memo[0] = memo.get(0, 1.0) * x
            return memo[0]
        memo[k % 3] = go(k - 1, memo) * x + memo.get(k % 3, x)
        return memo[k % 3] + go(k - 2, memo)
    memo = {}
    return go(n, memo) + sum(memo.values())


def memo_in_list(x: float, n: int):
    memo, known = [0.0] * (n + 1), [False] * (n + 1)
    def go(k):
        if k < 2:
            return x
        if not known[k]:
            memo[k] = go(k - 1) * x + go(k - 2)
            known[k] = True
        return memo[k]
    return go(n) + sum(memo)


def visited(x: float, n: int):
    graph = [[(i * 3 + 1) % (n + 1), (i + 2) % (n + 1)] for i in range(n + 1)]
    def visit(i, seen, out):
        if i in seen:
            return
        seen.add(i)
        out.append(x * i)
        for j in graph[i]:
            visit(j, seen, out)
    seen, out = set(), []
    for i in range(n + 1):
        visit(i, seen, out)
    t = 0.0
    for k, v in enumerate(out):
        t += v * v * (k + 1)
    return t + len(seen)


def visited_in_list(x: float, n: int):
    def visit(i, seen):
        if seen[i]:
            return 0.0
        seen[i] = True
        return x * i + visit((i * 3 + 1) % len(seen), seen) + visit((i + 2) % len(seen), seen) * x
    seen = [False] * (n + 1)
    t = visit(0, seen)
    return t + sum(seen)


def begun_anew(x: float, n: int):
    def visit(i, seen):
        if seen[i]:
            return 0.0
        seen[i] = True
        return x * i + visit((i * 3 + 1) % len(seen), seen)
    nothing = [False] * (n + 1)
    t = 0.0
    for i in range(n + 1):
        t = t * 0.5 + visit(i, nothing[:])
    return t + sum(nothing)


def backtracking(x: float, n: int):
    def go(k, path, out):
        if k == 0:
            s = 0.0
            for i, v in enumerate(path):
                s += v * x * (i + 1)
            out.append(s)
            return
        for c in range(2):
            path.append(c + 1)
            go(k - 1, path, out)
            path.pop()
    out = []
    go(n, [], out)
    t = 0.0
    for i, v in enumerate(out):
        t += v * v * (i + 1)
    return t


def queens(x: float, n: int):
    def place(row, columns, ups, downs):
        if row == n:
            return 1
        count = 0
        for c in range(n):
            if c not in columns and row + c not in ups and row - c not in downs:
                columns.add(c)
                ups.add(row + c)
                downs.add(row - c)
                count += place(row + 1, columns, ups, downs)
                columns.discard(c)
                ups.discard(row + c)
                downs.discard(row - c)
        return count
    return x * place(0, set(), set(), set())


def flood(x: float, n: int):
    grid = np.zeros((n + 2, n + 2))
    def fill(g, i, j):
        if i < 0 or j < 0 or i >= n + 2 or j >= n + 2 or g[i, j] != 0.0 or (i * j) % 3 == 2:
            return g
        g[i, j] = x * (i + 1)
        g = fill(g, i + 1, j)
        g = fill(g, i, j + 1)
        return fill(g, i - 1, j)
    return np.sum(fill(grid, 0, 0) ** 2)


def joined(x: float, n: int):
    def find(parent, a):
        if parent[a] != a:
            parent[a] = find(parent, parent[a])
        return parent[a]
    parent = list(range(n + 3))
    t = 0.0
    for i in range(n):
        a, b = find(parent, i), find(parent, (i * 2 + 1) % (n + 3))
        if a != b:
            parent[a] = b
        else:
            t += x * i
    return t + sum(parent) * x


def mutual(x: float, n: int):
    def even(k, log):
        log[k % len(log)] += x
        return x if k == 0 else odd(k - 1, log) * 0.5
    def odd(k, log):
        log[0], log[-1] = log[-1], log[0] * x
        return 2.0 if k == 0 else even(k - 1, log) + log[0]
    log = [1.0, 2.0, 3.0]
    return even(n, log) + log[0] * log[1] * log[2]


def twice_the_same(x: float, n: int):
    def go(k, a, b):
        if k < 1:
            return a[0]
        a[0] = a[0] + x * k
        return go(k - 1, b, a) * 0.5 + b[0]
    xs, ys = [1.0], [x]
    return go(n, xs, ys) + xs[0] + ys[0] * 2


def kept_before(x: float, n: int):
    def go(k, xs):
        if k < 1:
            return xs[0]
        before = xs[k % len(xs)]
        old = xs[:]
        xs[k % len(xs)] = before * x + k
        return go(k - 1, xs) + before * old[0] + xs[0]
    xs = [x, 1.0, 2.0]
    copy = list(xs)
    return go(n, xs) + xs[0] + copy[0] * copy[1]


def heap(x: float, n: int):
    def push(h, v):
        h.append(v)
        i = len(h) - 1
        while i > 0 and h[(i - 1) // 2] > h[i]:
            p = (i - 1) // 2
            h[i], h[p] = h[p], h[i]
            i = p
    def pop(h):
        h[0], h[-1] = h[-1], h[0]
        v = h.pop()
        i = 0
        while 2 * i + 1 < len(h):
            c = 2 * i + 1
            if c + 1 < len(h) and h[c + 1] < h[c]:
                c += 1
            if not h[c] < h[i]:
                break
            h[i], h[c] = h[c], h[i]
            i = c
        return v
    h = []
    for i in range(n + 3):
        push(h, x * ((i * 7) % 5) + i)
    t = 0.0
    for i in range(n):
        t = t * 0.5 + pop(h) * (i + 1)
    return t + len(h)


def raising(x: float, n: int):
    def go(k, xs):
        xs[0] += 1
        if xs[0] > 6:
            raise ValueError(xs[0])
        return x if k < 1 else go(k - 1, xs) * x + xs[0]
    return go(n, [0])


def sorting(x: float, n: int):
    def sort(xs, low, high):
        if low >= high:
            return
        pivot, i = xs[high], low
        for j in range(low, high):
            if xs[j] < pivot:
                xs[i], xs[j] = xs[j], xs[i]
                i += 1
        xs[i], xs[high] = xs[high], xs[i]
        sort(xs, low, i - 1)
        sort(xs, i + 1, high)
    xs = [x * ((i * 11) % 7) - i * 0.125 for i in range(n + 2)]
    sort(xs, 0, len(xs) - 1)
    t = 0.0
    for i, v in enumerate(xs):
        t += v * v * (i + 1)
    return t


def counted(x: float, n: int):
    def go(k, counts):
        counts[k % 4] = counts.get(k % 4, 0) + 1
        return x if k < 1 else go(k - 1, counts) * x + go(k // 2, counts)
    counts = {}
    return go(n, counts) + sum([k * v for k, v in counts.items()])


def within_a_branch(x: float, n: int):
    def go(k, xs):
        if k < 1:
            return x
        xs[k % 3] += 1
        return go(k - 1, xs) * x + xs[0]
    xs = [1, 2, 3]
    if n > 2:
        t = go(n, xs)
    elif n > 0:
        t = go(1, xs) + go(n, xs)
    else:
        t = x
    return t + xs[0] * x + xs[1] + xs[2]


def rows(x: float, n: int):
    def go(k, t):
        if k < 1:
            return t[0][0]
        t[k % 2][k % 3] = t[k % 2][(k + 1) % 3] * x + k
        return go(k - 1, t) + t[1][0]
    t = [[x, 1.0, 2.0], [3.0, 4.0, 5.0]]
    return go(n, t) + t[0][1] + t[1][2] * x


def grouped(x: float, n: int):
    def go(k, groups):
        if k < 1:
            return x
        groups.setdefault(k % 3, []).append(x * k)
        return go(k - 1, groups) + sum(groups[k % 3])
    groups = {}
    return go(n, groups) + sum([sum(g) * (k + 1) for k, g in groups.items()])


def called_back_in_a_loop(x: float, n: int):
    def go(k, xs, ys):
        r = x
        if k < 1:
            return r
        if xs[0] > 5:
            ys[0] = ys[0] * x
        for i in range(k % 3):
            if k % 2 == 0:
                ys[0], ys[-1] = ys[-1], ys[0] * x
            else:
                r += back(k - 1, xs, ys) * x
            ys[i % 2] = ys[i % 2] * 0.5 + r
        xs[k % 2] += k
        return r + ys[0]
    def back(k, xs, ys):
        if k < 1:
            return ys[0]
        return go(k // 2, xs, ys) * ys[1]
    xs, ys = [1, 2], [x, 2.0]
    return go(n, xs, ys) + xs[0] * ys[0] + xs[1] * ys[1]
