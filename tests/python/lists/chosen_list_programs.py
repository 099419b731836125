"""Programs in which a condition has chosen one of several lists, or dicts, which is changed then; for test_chosen_lists.py."""


def push(t, x):
    t.append(x)


def pick(a, b, c):
    return a if c else b


def early(a, b, k):
    if k > 3:
        return a
    for i in range(k):
        if i > 1:
            return b
    return [7]


class Groups:
    def __init__(self):
        self.small, self.large = [], []

    def of(self, k):
        return self.small if k < 3 else self.large


def by_a_call(n: int, c: bool):
    a, b, d, e, groups = [1], [2], {1: 2}, {3: 4}, Groups()
    t = pick(a, b, c)
    t.append(n)
    a.append(5)
    early(a, b, n).append(t[0])
    pick(d, e, c)[n] = 5
    for i in range(n):
        groups.of(i).append(i)
        pick(a, b, i > 2)[0] += 1
    return a, b, t, d, e, groups.small, groups.large


def buckets(n: int, c: bool):
    evens, odds = [], []
    for x in range(n):
        t = evens if x % 2 == 0 else odds
        t.append(x)
    return evens, odds


def by_either_name(n: int, c: bool):
    a, b = [1], [2, 3]
    t = a if c else b
    a.append(n)
    t.append(7)
    b[0] = 9
    u = t
    u.pop()
    return a, b, t, u


def one_of_three(n: int, c: bool):
    low, middle, high = [], [], []
    for x in range(n):
        if x < 2:
            t = low
        elif x < 4:
            t = middle
        else:
            t = high
        t.append(x)
        if len(t) > 1:
            t[0] += 10
    return low, middle, high


def without_a_name(n: int, c: bool):
    a, b, e = [1], [2, 3], [4]
    (a if c else b if n > 2 else e).append(n)
    return a, b, e


def under_conditions(n: int, c: bool):
    a, b = [1], [2, 3]
    t = a if c else b
    if n > 2:
        t.append(n)
    for i in range(n):
        t.append(i)
        if a[-1] > 1:
            a.append(100)
    return a, b, t


def two_choices(n: int, c: bool):
    a, b = [1], [2, 3]
    t = a if c else b
    u = b if n > 2 else a
    t.append(n)
    u.append(5)
    t.append(7)
    u.pop(0)
    return a, b, t, u


def exchanged(n: int, c: bool):
    a, b = [1], [2, 3]
    a, b = (b, a) if c else (a, b)
    for i in range(n):
        a.append(i)
        b.append(a[0])
    return a, b


def or_a_new_one(n: int, c: bool):
    a = [1]
    t = a if c else [5, 6]
    t.append(n)
    return a, t


def by_a_function(n: int, c: bool):
    a, b = [1], [2, 3]
    t = a if c else b

    def add(k):
        t.append(k)
    add(n)
    push(t, 8)
    return a, b


def in_a_recursion(n: int, c: bool):
    small, large = [], []

    def visit(k):
        if k == 0:
            return 0
        t = small if k < 3 else large
        t.append(k)
        return visit(k - 1) + len(t)
    return visit(n), small, large


def rows(n: int, c: bool):
    x, y = [1], [2]
    a, b = [x], [y]
    t = a if c else b
    t.append([n])
    return a, b, t, len(t[0])


def in_a_list(n: int, c: bool):
    a, b = [1], [2]
    both = [a, b]
    t = a if c else b
    t.append(5)
    more = [a, t]
    t.append(6)
    return both, more, t


def known_keys(n: int, c: bool):
    a, b = {"x": 1, "y": 5}, {"x": 2, "y": 6}
    d = a if c else b
    d["x"] += 10
    a["y"] = 7
    d["y"] += n
    return a, b, d


def new_keys(n: int, c: bool):
    a, b = {"x": 1}, {"x": 2}
    d = a if c else b
    d["z"] = n
    return a, b, d


def keys_of_the_program(n: int, c: bool):
    first, second, seen = {}, {}, set()
    for i in range(n):
        d = first if i % 2 == 0 else second
        d[i // 3] = d.get(i // 3, 0) + 1
        (seen if c else {7}).add(i)
    return first, second, sorted(seen)


def scaled(x: float, n: int):
    a, b = [0.5, x], [x, 2.0]
    for i in range(n):
        t = a if i % 2 == 0 else b
        t[0] += x * t[1]
        t.append(t[0] * x)
    return a[0] * b[0] + sum(a) - b[-1]
