"""Programs that go through dicts whose keys are known only when they run, or take out one after the other: each gives what it gives in Python."""
import collections
from collections import OrderedDict


def items(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = d.get(x, 0) + 1
    out = []
    for k, v in d.items():
        out.append(k * 1000 + v)
    return out, sum(d.values()), max(d.values()), sorted(d), max(d, key=d.get), list(d.keys()), sorted(d.items(), key=lambda kv: -kv[1])


def shown(xs: list[int], n: int):
    d = {}
    for x in xs[:3]:
        d[x] = x / 2
    return str(d), f"{d}"


def change(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    for k in d:
        d[k] *= 2
    return list(d.values())


def change_size(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    for k in d:
        d[k + n] = 1
    return list(d.values())


def change_copy(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    for k in list(d):
        if k % 2:
            del d[k]
    return list(d.values())


def for_else(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    for k, v in d.items():
        if k == n:
            break
    else:
        return -1
    for k in d:
        if k > 3:
            return k
        if k == 1:
            continue
    return 0


def nested_loops(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    t = 0
    for k in d:
        for j in d:
            t += k * j
    return t


def del_in_loop(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    for k in d:
        if k == n:
            del d[k]
    return list(d)


def del_in_loop_break(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    for k in d:
        if k == n:
            del d[k]
            break
    return list(d)


def starred(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    return [*d], {**d, 1: 5, n: 6}


def walrus(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = x
    if (v := d.get(n)) is not None:
        return v
    return -1


def ordered(xs: list[int], n: int):
    d = OrderedDict()
    for x in xs:
        d[x] = 1
    d.move_to_end(xs[0])
    return list(d)


def side_by_side(xs: list[int], n: int):
    d, e = {x: i for i, x in enumerate(xs)}, {x % 3: x for x in xs}
    t = 0
    for k, v in zip(d.keys(), d.values()):
        t = t * 3 % 1009 + k * v
    return t, list(zip(d, e.items(), range(n))), list(map(lambda a, b: a - b, d.values(), e)), list(zip(reversed(d), d)), [k + i for i, k in enumerate(d)]


def set_while_going(xs: list[int], n: int):
    d = {x: i for i, x in enumerate(xs)}
    for k, v in zip(d, xs):
        d[k] = v + n
    return list(d.items())


def put_in_while_going(xs: list[int], n: int):
    d = {x: i for i, x in enumerate(xs)}
    for k, v in zip(d, xs):
        d[k + 100] = v
    return len(d)


def first(xs: list[int], n: int):
    d = {x: n + i for i, x in enumerate(xs)}
    k, v = next(iter(d.items()))
    return next(iter(d)), next(iter(d.values())), k - v, next(iter({n: 1}), 5)


def oldest_goes(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = n
        if len(d) > 3:
            d.pop(next(iter(d)))
    del d[next(iter(d))]
    return list(d.items())


def last_goes(xs: list[int], n: int):
    d, t = {}, 0
    for x in xs:
        d[x] = n + x
        if len(d) > 2 and x % 2:
            k, v = d.popitem()
            t = t * 7 % 10007 + k + v
        if x % 3 == 0 and x in d:
            del d[x]
    return t, list(d.items()), len(d), list(reversed(d)), list(reversed(d.items()))


def comes_and_goes(xs: list[int], n: int):
    d, found = {}, 0
    for r in range(60):
        d[n * r % 1000003] = r
        d[r] = n
        found += d.popitem()[1]
        if r % 7 == 0:
            d.pop(r // 2, 0)
    return list(d.items()), len(d), n in d, found


def none_left(xs: list[int], n: int):
    d = {n: 1}
    d.popitem()
    return d.popitem()


def all_go(xs: list[int], n: int):
    d = {x: n for x in xs}
    t = 0
    while d:
        k, v = d.popitem()
        t = t * 3 % 1009 + k - v
    return t, len(d), list(d)


def first_of_ordered(xs: list[int], n: int):
    d = OrderedDict()
    for x in xs:
        d[x] = n
    k, v = d.popitem(last=False)
    while len(d) > 1:
        d.popitem(last=False)
    return k, v, list(d)


def as_sets(xs: list[int], n: int):
    d, s = {x: 1 for x in xs}, {n, 3, 4}
    return sorted(d.keys() | s), sorted(s - d.keys()), d.keys() & [n, 3], d.keys() == set(xs), d.keys() >= {3}, d.keys().isdisjoint([n])


def members(xs: list[int], n: int):
    d = {x: x % 3 for x in xs}
    return (n, 1) in d.items(), (3, 0) in d.items(), 2 in d.values(), "-".join({n: "x", n + 1: "y"}.values())


def by_values(xs: list[int], n: int):
    d = {x: x % 3 for x in xs}
    return (sorted(d.items(), key=lambda kv: kv[1]), sorted(d.items(), key=lambda kv: kv[1], reverse=True), sorted(d, key=d.get, reverse=True), max(d, key=d.get),
            min(d, key=d.get), max(d.items(), key=lambda kv: kv[1]), sum(d.values()), min(d.values()), {v: k for k, v in d.items() if k > 2})


def made_of_views(xs: list[int], n: int):
    d = {}
    for x in xs:
        d[x] = d.get(x, 0) + 1
    often, ordered, later = collections.Counter(d.values()), collections.OrderedDict(d.items()), collections.deque(d.values())
    copied, counted, keys = dict(d.items()), collections.defaultdict(int, d.items()), collections.Counter(d.keys())
    copied[100] = n
    ordered[100] = 2
    counted[5] += 3
    later.append(n)
    return often, copied, ordered, list(later), counted, keys, sorted(set(d.values()) | set(d.keys())), d, len(set(d.items())), len(set(d.values())) == len(d)
