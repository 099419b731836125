"""Keys of dicts that are known to be there, as those that a loop goes through, or that were looked for just now: nobody looks for them again. And where that is
no longer so, somebody does."""
import re

import pytest
from compiled_table import Table, outcome

from lantern import core

# name: the body of a function (xs: list[int], n: int), how often its C++ looks for a key
PROGRAMS = {
    "counts": ("""
    d = collections.defaultdict(int)
    for x in xs:
        d[x] += n
    return d
""", 1),
    "counts_of_pairs": ("""
    d = collections.defaultdict(lambda: collections.defaultdict(int))
    for a, b in zip(xs, xs[1:]):
        d[a][b] += 1
    best = 0
    for a in d:
        for b in d[a]:
            best = max(best, d[a][b])
            d[a][b] = best + n
    return best, [len(each) for each in d.values()], [list(each.values()) for each in d.values()]
""", 2),
    "buckets": ("""
    d = {}
    for i, x in enumerate(xs):
        d.setdefault(x, []).append(i)
        d[x][0] += n
    return d
""", 1),
    "gone_through": ("""
    d = collections.defaultdict(int)
    for x in xs:
        d[x] += 1
    total = 0
    for k in d:
        d[k] *= 2
        total += d[k] * (k in d) + d.get(k, 100)
    for k in reversed(d):
        total = 3 * total + d[k]
    for k, v in d.items():
        d[k] = v + k
    return d, total, [d[k] for k in d if d[k] > n]
""", 1),
    "behind_other_conditions": ("""
    seen, pairs, taken = {n}, set(), []
    for i, x in enumerate(xs):
        if x < 4 and x not in seen:
            seen.add(x)
            taken.append(x)
        if i > 0 and (x, xs[i - 1]) not in pairs and x > 0:
            pairs.add((x, xs[i - 1]))
            taken.append(-x)
    return sorted(seen), len(pairs), taken
""", 3),
    "changed_meanwhile": ("""
    seen = set()
    for x in xs:
        if x < 4 and x not in seen:
            seen.add(n)
            seen.add(x)
            if x not in seen:
                return [-1]
    return sorted(seen)
""", None),
    "tuples": ("""
    d = {}
    for a, b in zip(xs, xs[1:]):
        d[a, b] = d.get((a, b), 0) + 1
    out = []
    for a, b in d:
        out.append(d[a, b])
        if (b, a) in d:
            d[b, a] += 10
    for key in d:
        out.append(d[key])
    return out
""", 2),
    "taken_out": ("""
    d = {n: 0}
    for x in xs:
        d[x] = 10 * x
    seen = [d[n]]
    del d[n]
    d[n] = 7
    seen.append(d[n])
    d[xs[0]] += 1
    d.pop(xs[0])
    seen.append(d.get(xs[0], -1))
    seen.append(d[n])
    d.clear()
    return seen, d.get(n, 5), n in d, d
""", None),
    "on_one_way_only": ("""
    d = {}
    for x in xs:
        d[x] = 10 * x
    total = 0
    if n > 3:
        total += d[n]
    total += d.get(n, 5)
    if n in d:
        total += 1000
    for i in range(n):
        if i in xs:
            total += d[i]
        total += d.get(i, 7)
    return total, d.get(n, 6), d
""", None),
    "a_turn_changes_it": ("""
    d = {}
    for x in xs:
        d[x] = 1
    seen = []
    for k in d:
        d[k] += 1
        if k == n:
            del d[k]
            d[k] = 5
        seen.append(d[k])
    return seen
""", None),
    "a_turn_inserts": ("""
    d = collections.defaultdict(int)
    for x in xs:
        d[x] += 1
    for k in d:
        d[k] += 1
        d[k + 1] += 1
    return d
""", None),
    "a_function_changes_it": ("""
    def bump(d, k):
        d[k] += 1
        if d[k] > n:
            del d[k]
    d = {}
    for x in xs:
        if x not in d:
            d[x] = 0
        bump(d, x)
        d[x] = d.get(x, 100) + d.get(x, 10)
    return d
""", None),
    "of_the_same_shape": ("""
    a, b = collections.defaultdict(int), collections.defaultdict(int)
    for x in xs:
        a[x] += 1
        b[x + 1] += a[x]
        c = a if x % 2 else b
        a[x] += c.get(x, -1)
    e = a.copy()
    for k in a:
        e[k] += 1
        e[k + n] += a[k]
    return a, b, e
""", None),
    "loops": ("""
    d = {0: 0}
    for x in xs:
        d[x] = x
    i = 0
    while i < 3 * n:
        k = xs[i % len(xs)]
        d[k] += 1
        while d[k] % 3 != 0:
            d[k] += 1
            if d[k] > 50:
                d.pop(k)
                break
        else:
            d[k] -= 1
        i += 1
    return d
""", None),
    "counters": ("""
    c = collections.Counter(xs)
    for k in c:
        c[k] -= 1
    o = collections.OrderedDict()
    for x in xs:
        o[x] = c[x]
        o.move_to_end(x)
        o[x] += n
    for k, v in o.items():
        o[k] = v + c[k]
    return c, o
""", None),
    "another_key": ("""
    d = {}
    for x in xs:
        d[x] = d.get(x, 0) + 1
    k = xs[0]
    total = d[k]
    while k != n and k in d:
        k = d[k] + k
        total += d.get(k, 0)
        if k in d:
            d.pop(k)
    return total, d
""", None),
}
CALLS = [([1, 2, 0, 2, 1, 1, 3], 3), ([0, 4, 2, 4, 3, 2], 4), ([5, 1, 2, 1, 5], 2), ([3], 3), ([2, 2], 1), ([2, 3, 3, 2, 3, 2, 2], 5)]


@pytest.fixture(scope="module")
def table():
    return Table("import collections\n\n\n" + "\n\n".join(f"def {name}(xs: list[int], n: int):{body}" for name, (body, _) in PROGRAMS.items()), list(PROGRAMS))


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_what_python_does(table, name):
    for arguments in CALLS:
        actual, expected = (outcome(those[name], arguments) for those in (table.compiled, table.plain))
        assert actual == expected and repr(actual) == repr(expected), arguments


@pytest.mark.parametrize("name", [name for name, (_, times) in PROGRAMS.items() if times is not None])
def test_a_key_is_looked_for_once(table, name):
    text = core.compile(table.text, "table.sexpr", {"emit": "cpp"})
    body = re.search(rf"^\S[^\n]* {name}(_on_stack)?\([^;]*?\{{\n.*?^\}}", text, re.MULTILINE | re.DOTALL).group()
    assert len(re.findall(r"\bfind_key\(", body)) == PROGRAMS[name][1], body
