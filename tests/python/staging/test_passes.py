"""How often a program is traced: no oftener where it has more dicts, classes or variables, and a loop once more for each one around it."""
import pytest

from lantern.staging import lessons, loops


def many(count, text):
    """A line, or lines, for each of so many numbers, which stand for N."""
    return "".join(text.replace("N", str(number)) for number in range(count))


DICTS = """
def f(ks: list[int]):
    total = 0
""", "    dN = {}\n    for k in ks:\n        dN[k] = dN.get(k, 0) + N\n    total += len(dN)\n"
MEMOS = """
def fibonacci(k: int, memo):
    if k < 2:
        return k
    if k not in memo:
        memo[k] = fibonacci(k - 1, memo) + fibonacci(k - 2, memo)
    return memo[k]


def f(ks: list[int]):
    total = 0
""", "    mN = {}\n    total += fibonacci(ks[0], mN) + len(mN)\n"
VISITED = """
def f(ks: list[int]):
    total = 0
""", """    def walkN(k, seen):
        if k <= 0 or k in seen:
            return 0
        seen.add(k)
        return 1 + walkN(k - 3, seen)
    total += walkN(ks[0], set())
"""
SETS = """
def f(ks: list[int]):
    total = 0
""", "    sN = set()\n    for k in ks:\n        sN.add(k * N)\n    if N in sN:\n        sN.discard(0)\n    total += len(sN) + sum(sN)\n"
DEQUES = """
import collections
def f(ks: list[int]):
    total = 0
""", "    qN = collections.deque()\n    for k in ks:\n        qN.append(k * N)\n    while qN:\n        total += qN.popleft()\n"
GONE_THROUGH = """
import collections
def f(ks: list[int]):
    total = 0
""", """    dN = collections.defaultdict(int)
    for k in ks:
        dN[k] += N
    for k, v in dN.items():
        total += k * v
    eN = dict(dN)
    eN |= {k: 1 for k in sorted(dN)}
    del eN[ks[0]]
    total += len(eN) + max(eN, default=0) + (eN == dN)
"""
OF_LISTS = """
def f(ks: list[int]):
    total = 0
""", """    dN = {}
    for k in ks:
        if k not in dN:
            dN[k] = []
        dN[k].append(k + N)
    total += len(dN) + len(dN[3])
"""
BRANCHES = """
def f(ks: list[int]):
    total = 0
""", "    dN = {}\n    if len(ks) > N:\n        dN[N] = len(ks)\n    total += dN.get(N, 1)\n"
CLASSES = """
def f(ks: list[int]):
    total = 0
""", """    class CN:
        def __init__(self, x):
            self.x = x
    cN = CN(1)
    if len(ks) > N:
        cN = CN(len(ks))
    total += cN.x
"""
UNBOUND = """
def f(ks: list[int]):
    total = 0
""", "    if len(ks) > N:\n        vN = ks[N]\n    if total < 100:\n        total += vN\n"


def passes(stage, monkeypatch, program, count):
    """How often it is traced; it gives what it gives in Python."""
    begun, begin = [], lessons.Lessons.begin
    monkeypatch.setattr(lessons.Lessons, "begin", lambda self: begun.append(self) or begin(self))
    head, text = program
    f = stage(head + many(count, text) + "    return total\n")
    assert f([8, 3, 8, 5, 13, 2, 0, 1, 3, 9, 4]) == f.module.f([8, 3, 8, 5, 13, 2, 0, 1, 3, 9, 4])
    return len(begun)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("program", [DICTS, MEMOS, VISITED, SETS, DEQUES, GONE_THROUGH, OF_LISTS, BRANCHES, CLASSES, UNBOUND],
                         ids=["dicts", "memos", "visited", "sets", "deques", "gone through", "of lists", "branches", "classes", "unbound"])
def test_a_trace_learns_all_that_it_can(stage, monkeypatch, program):
    assert passes(stage, monkeypatch, program, 4) == passes(stage, monkeypatch, program, 2) <= 5


def test_so_does_one_of_attributes_that_a_recursion_sets(stage, monkeypatch):
    counts = []
    for count in (2, 6):
        begun, begin = [], lessons.Lessons.begin
        monkeypatch.setattr(lessons.Lessons, "begin", lambda self, begun=begun, begin=begin: begun.append(self) or begin(self))
        f = stage(f"""class C:
    def __init__(self):
{many(count, "        self.aN = N" + chr(10))}
    def go(self, k):
        if k <= 0:
            return 0
{many(count, "        self.aN += k + self.a0" + chr(10))}
        return self.go(k - 2) + self.go(k - 3)


def f(k: int):
    c = C()
    return (c.go(k), {many(count, "c.aN, ")})
""")
        monkeypatch.setattr(lessons.Lessons, "begin", begin)
        assert f(9) == f.module.f(9)
        counts.append(len(begun))
    assert counts[0] == counts[1]


def test_a_dict_of_known_keys_is_pythons_beside_others(stage):
    """Nothing is learned of a dict by what an unsettled one gives where keys are known."""
    f = stage("""
    def f(ks: list[int]):
        names, found = {"a": 1}, {}
        for k in ks:
            found[k] = names["a"]
        names["b"] = 2
        total = len(found)
        for name in names:
            total += names[name] * 10
        return total
    """)
    assert "names" not in f.text and f([1, 2, 2]) == 32


def test_what_an_unsettled_dict_gives_teaches_nothing(stage):
    """The key of the other one is a whole number, one of its own keys, once it is known what the first one holds."""
    f = stage("""
    def f(ks: list[int]):
        found, prices = {1: 10, 2: 20}, {10: 5.0, 20: 7.0}
        found[ks[0]] = 20
        return prices[found[ks[1]]]
    """)
    assert "found_keys" in f.text and "prices_keys" not in f.text and f([3, 1]) == 5.0


def test_a_variable_that_nobody_reads_teaches_nothing(stage):
    """What it is on several paths has nothing in common, which would make a set of Python's one of the program."""
    f = stage("""
    def f(ks: list[int]):
        some, others = {1, 2}, {3}
        if ks[0] > 1:
            these = some
        elif ks[0] > 0:
            these = others
        return len(some) + len(others)
    """)
    assert "keys" not in f.text and f([2]) == 3


NESTS = {
    "appends": ("l = []", "l.append(iN)", "len(l)"),
    "items": ("l = [0.0, 1.0]", "l[0] += 0.5 * iN", "l[0]"),
    "arrays": ("l = np.zeros(2)", "l[0] += iN", "l[0]"),
    "rows": ("l = [[0], [1]]", "l[1].append(iN)", "len(l[1])"),
}


@pytest.mark.parametrize("what", NESTS)
def test_loops_within_each_other(stage, monkeypatch, what):
    made, change, result = NESTS[what]
    counts = []
    for depth in (2, 4, 6):
        traced, trace_turn = [], loops.trace_turn
        monkeypatch.setattr(loops, "trace_turn", lambda *turn, before=trace_turn, traced=traced: traced.append(turn) or before(*turn))
        nest = "".join("    " * (number + 1) + f"for i{number} in range(n + {number}):\n" for number in range(depth))
        body = "    " * (depth + 1) + change.replace("N", str(depth - 1))
        f = stage(f"import numpy as np\ndef f(n: int):\n    {made}\n{nest}{body}\n    return {result}\n")
        monkeypatch.setattr(loops, "trace_turn", trace_turn)
        assert f(2) == f.module.f(2) and f(0) == f.module.f(0)
        counts.append(len(traced))
    first, second, third = counts
    assert third - second <= second - first + 2 * 4, counts        # of all loops together: by one more for each loop around
    assert third <= 4 * 6 * 7 / 2


@pytest.mark.parametrize("end", ["return l", "break", "raise ValueError('here')"])
def test_a_loop_around_that_makes_one_turn(stage, end):
    """It is traced once, and so what is in it is to be as the program has it."""
    f = stage(f"""
    def f(n: int):
        l = []
        for i in range(n):
            for j in range(n):
                for k in range(j):
                    l.append(i + j * k)
            {end}
        return l
    """)
    if end.startswith("raise"):
        assert not f(0)
        with pytest.raises(Exception, match="here"):
            f(2)
    else:
        assert f(4) == f.module.f(4) and f(0) == []
