"""Programs with Counters whose keys are known only when they run: each gives what it gives in Python."""
import sys
from collections import Counter


def counter(xs: list[int], n: int):
    c = Counter(xs)
    c[n] += 5
    return list(c.items()), c[12345], len(c)


def counter2(xs: list[int], n: int):
    c = Counter()
    for x in xs:
        c[x] += 1
    return list(c.values())


def counter_deletes(xs: list[int], n: int):
    c = Counter(xs)
    del c[n]
    del c[-12345]
    return list(c.items())


def r_counter(xs: list[int], n: int):
    return Counter(xs)


def most_common(xs: list[int], n: int):
    c = Counter(xs)
    return c.most_common(3), c.most_common(), c.most_common(n), c.most_common(0), c.most_common(-1), c.most_common(1)[0][0], [k for k, _ in c.most_common(2)]


def sums(xs: list[int], n: int):
    a, b = Counter(xs), Counter(xs[:3] + [n])
    return list((a + b).items()), list((a - b).items()), list((a & b).items()), list((a | b).items())


def sums_in_place(xs: list[int], n: int):
    a, other = Counter(xs), Counter(xs[2:] + [n])
    a += other
    b = a.copy()
    a -= other
    b &= other
    c = a.copy()
    c |= b
    return list(a.items()), list(b.items()), list(c.items())


def of_known_ones(xs: list[int], n: int):
    c = Counter(xs)
    known, d = Counter({3: 2, 5: -1}), {3: 7}
    return list((known + c).items()), list((known - c).items()), list((d | c).items()), list((c | known).items())


def below_zero(xs: list[int], n: int):
    c = Counter()
    for x in xs:
        c[x] -= 1
    c[n] += 3
    return list((+c).items()), list((-c).items()), list((Counter() - c).items())


def subtracted(xs: list[int], n: int):
    c = Counter(xs)
    c.subtract({n: 5})
    c.subtract([3, 3])
    return list(c.items()), sum(c.values())


def one_by_one(xs: list[int], n: int):
    c = Counter(xs)
    c[n] = -2
    return list(c.elements()), len(list(c.elements())), sum(Counter(c.elements()).values())


def floats(xs: list[int], n: int):
    c = Counter()
    for x in xs:
        c[x % 4] += x * 0.5
    return c.most_common(2), list((c - Counter({1: 2.25, n: 0.5})).items())


if sys.version_info >= (3, 10):

    def alike(xs: list[int], n: int):
        c = Counter(xs)
        c[99] = 0
        return c == Counter(xs), Counter(xs) == {7: 2}, Counter(xs) != Counter(xs + [n]), Counter(xs) == Counter(xs[::-1]), c.total()
