"""Programs with sets whose elements are known only when they run: each gives what it gives in Python."""


def sets(xs: list[int], n: int):
    s = set()
    for x in xs:
        s.add(x % 11)
    t = {x % 13 for x in xs}
    return len(s), sorted(s), sum(t), min(t), len(s & t), sorted(s | t), sorted(s - t), 3 in s, n in t, s <= t


def sets2(xs: list[int], n: int):
    s = set(xs)
    for x in xs:
        s.discard(x + 1)
    return sorted(s), len(s)


def set_known(xs: list[int], n: int):
    s = {1, 2} | {3}
    s.add(n)
    return s


def frontier(xs: list[int], n: int):
    seen, front = {n}, {n}
    for _ in range(n):
        nxt = set()
        for x in sorted(front):
            for y in (x + 1, 2 * x):
                if y not in seen:
                    seen.add(y)
                    nxt.add(y)
        front = nxt
    return sorted(seen)


def r_set(xs: list[int], n: int):
    d = set()
    for x in xs:
        d.add(x)
    return d, n


def boolset(xs: list[int], n: int):
    s = set()
    for x in xs:
        s.add(x > 3)
    return s


def of_several(xs: list[int], n: int):
    s = set(xs)
    return sorted(s.difference([n], (k for k in xs if k > 7))), sorted(set.union(set(), xs, [n])), sorted(set.intersection({1, 2, n}, s, range(9))), sorted(s.intersection())


def of_what_is_gone_through_once(xs: list[int], n: int):
    s = set(xs)
    return s.issubset(x for x in xs), sorted(s.intersection(x * 2 for x in xs))


def less_of_several(xs: list[int], n: int):
    s, t = set(xs), set(xs)
    s.intersection_update(range(10), [n, 3, 5, 9])
    t.difference_update([n], range(3))
    t.difference_update(t)
    return sorted(s), sorted(t)
