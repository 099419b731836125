"""Functions with floats as keys of dicts, and in sets: (xs, x), plain Python's against the compiled one's."""
import collections
import functools


def thresholds(xs: list[float], x: float):
    values = sorted(set(xs))
    return [(a + b) / 2 for a, b in zip(values, values[1:])]


def counted(xs: list[float], x: float):
    counts = {}
    for each in xs:
        counts[each] = counts.get(each, 0) + 1
    return counts, sum(each * n for each, n in counts.items()), x in counts


def pairs(xs: list[float], x: float):
    seen = set()
    for i, each in enumerate(xs):
        seen.add((each, i % 2, each > x))
    return len(seen), (x, 0, False) in seen, sorted(seen)[-1]


def grouped(xs: list[float], x: float):
    groups = collections.defaultdict(list)
    for i, each in enumerate(xs):
        groups[abs(each)].append(i)
    groups.pop(x, None)
    return dict(groups)


def common(xs: list[float], x: float):
    return collections.Counter(xs).most_common(2)


def of_sets(xs: list[float], x: float):
    a, b = set(xs), {x, 0.0, 0.5}
    return sorted(a & b), sorted(b & a), sorted(a | b), sorted(b | a), sorted(a - b), sorted(a ^ b), a <= b, a == b, max(a | b), len(a)


def narrowed(xs: list[float], x: float):
    a = set(xs)
    a &= {0.0, x, 1.0, 3.0, 0.5, 7.0, 9.0}
    b = set(xs)
    b.intersection_update(xs[::-1], [0.0, x])
    d = {each: i for i, each in enumerate(xs)}
    return sorted(a), sorted(b), sorted(d.keys() & {-0.0, 0.5, x}), sorted({-0.0, 0.5, x} & d.keys())


def taken_out(xs: list[float], x: float):
    d = {each: i for i, each in enumerate(xs)}
    for each in xs:
        if each != x and len(d) > 1:
            d.pop(each, None)
    d[x] = -1
    return d, d.popitem(), d.setdefault(x, 5), x in d


def missing(xs: list[float], x: float):
    try:
        return str({each: 1 for each in xs}[x])
    except KeyError as error:
        return f"no {error}"


def halves(xs: list[float], x: float):
    @functools.lru_cache(maxsize=None)
    def fib(n):
        return n if n < 2.0 else fib(n - 1.0) + fib(n - 2.0)
    return fib(abs(x) % 7 + 10.0)


def known(xs: list[float], x: float):
    names = {0.5: "half", 0.0: "none", 1.0: "whole"}
    return names.get(x, "other"), [names[each] if each in names else "?" for each in xs]


def tree(xs: list[float], x: float):
    """The split that leaves the smallest squares of differences."""
    best = (float("inf"), x)
    for t in sorted(set(xs)):
        low, high = [each for each in xs if each <= t], [each for each in xs if each > t]
        squares = sum((each - sum(side) / len(side)) ** 2 for side in (low, high) for each in side)
        if squares < best[0]:
            best = (squares, t)
    return best
