"""`heapq`, `bisect`, `statistics`, `collections.deque`, and what `itertools` and `math` have of sequences and of special functions, on what is staged."""
import math
import random
import statistics

import numpy as np
import pytest
from compiled_table import Table, cases_of, outcome
from lantern.staging import entry, sequence_definitions
from lantern.staging.errors import StagingError
from staged_source import module_of

import lantern as lt

HEAD = """
import bisect
import collections
import heapq
import itertools
import math
import statistics
"""
SOURCE = HEAD + """

@lt.struct
class Tree:
    value: float
    left: "Tree | None"
    right: "Tree | None"


def heaped(xs: list[float]):
    heap = []
    for x in xs:
        heapq.heappush(heap, x)
    places, ordered = list(heap), []
    while heap:
        ordered.append(heapq.heappop(heap))
    return places, ordered


def heap_of_pairs(xs: list[float]):
    heap = [(x * x, i) for i, x in enumerate(xs)]
    heapq.heapify(heap)
    return heapq.heapreplace(heap, (0.5, 100)), heapq.heappushpop(heap, (0.25, 7)), heap, heapq.heappop(heap)


def ranked(xs: list[float], n: int):
    return heapq.nlargest(n, xs), heapq.nsmallest(2, xs), heapq.nlargest(2, xs, key=abs), heapq.nlargest(2, [n, 3, 5])


def bisected(xs: list[float], x: float):
    ys = sorted(xs)
    places = bisect.bisect_left(ys, x), bisect.bisect(ys, x), bisect.bisect_right(ys, x, 1), bisect.bisect_left(ys, x, 0, 2) if len(xs) > 2 else 0
    bisect.insort(ys, x)
    bisect.insort_left(ys, x + 1)
    return places, ys, bisect.bisect([1, 2, 5], x)


def gone_through(xs: list[float], n: int):
    return (list(itertools.takewhile(lambda x: x > 0, xs)), list(itertools.dropwhile(lambda x: x > 0, xs)), list(itertools.filterfalse(lambda x: x > 0, xs)),
            list(itertools.filterfalse(None, xs)), list(itertools.compress(xs, [x > 0 for x in xs])), [x for x in itertools.takewhile(lambda x: x < n, [1, n, 3])],
            list(itertools.zip_longest(xs, [1.0], [n * 1.0], fillvalue=0.0)), sum((a * b for a, b in itertools.zip_longest(xs, xs[1:], fillvalue=1.0)), 0.0))


def found_behind(xs: list[float], n: int):
    behind = [1, n, 3, n, 1, n]
    return behind.index(n, n), behind.index(n, -n), behind.index(1, n - 5, 5), (n, 2.5, *behind).index(n, 2), xs.index(2.0, n)


def grouped(xs: list[float], n: int):
    runs = [(key, len(list(group))) for key, group in itertools.groupby(xs)]
    told, firsts = [], 0.0
    for key, group in itertools.groupby(sorted(xs), lambda x: x // n):
        items = list(group)
        print(key, items)
        told.append(max(items) + len(list(group)))
    for above, group in itertools.groupby(xs, key=lambda x: x > 1.0):
        if above:
            firsts += next(group)
    text = "".join(letter + str(len(list(group))) for letter, group in itertools.groupby("aab" * n + str(n)))
    return runs, told, firsts, text, {key: [x for x in group] for key, group in itertools.groupby(xs, round)}


def chosen(xs: list[float]):
    return (list(itertools.combinations(xs, 3)), [a + b + c for a, b, c in itertools.combinations_with_replacement(xs, 3)], list(itertools.combinations(xs, 1)),
            len(list(itertools.combinations(xs, 4))), len(list(itertools.combinations(xs, 0))))


def summed(xs: list[float]):
    return math.fsum(xs), math.fsum([x * 0.1 for x in xs]), math.fsum(x / 3 for x in xs)


def split(x: float):
    return math.modf(x)


def averaged(xs: list[float]):
    return statistics.mean(xs), statistics.fmean(xs), statistics.median(xs), statistics.pstdev(xs), statistics.pvariance(xs), statistics.fmean([len(xs), 1])


def spread(xs: list[float]):
    return statistics.stdev(xs), statistics.variance(xs)


def logarithm_of_gamma(x: float):
    return math.lgamma(x)


def queued(n: int):
    queue, total = collections.deque([n]), 0
    while queue:
        k = queue.popleft()
        total += k
        if k > 1:
            queue.append(k - 1)
            queue.append(k - 2)
    return total


def breadth_first(tree: Tree):
    queue, order = collections.deque([tree]), []
    while len(queue) > 0:
        node = queue.popleft()
        order.append(node.value)
        if node.left is not None:
            queue.append(node.left)
        if node.right is not None:
            queue.append(node.right)
    return order


def bounded(xs: list[float], n: int):
    d, e = collections.deque(xs, maxlen=3), collections.deque(maxlen=2)
    for x in xs:
        d.append(x * 2)
        d.appendleft(x)
    for i in range(n):
        e.append(i)
    return (list(d), sum(d, 0.0), list(e), d[-1] if d else 0.0, 2.0 in d, len(e), f"{e}", [x for x in d], sorted(d), d.count(2.0), d.copy(), isinstance(d, collections.deque),
            isinstance(d, list))[:-3]


def from_both_ends(xs: list[float]):
    d, out = collections.deque(), []
    d.extend(xs)
    d.extendleft(xs)
    while d:
        out.append(d.pop())
        if d:
            out.append(d.popleft())
    d.append(1.0)
    d[len(xs) - len(xs)] = 3.0
    first = d[-1]
    d.clear()
    return out, first, len(d), d.popleft() if len(xs) > 3 else 0.0


def postfix(tokens: list[int]):
    stack = collections.deque()
    for token in tokens:
        if token >= 0:
            stack.append(token * 1.0)
        else:
            b, a = stack.pop(), stack.pop()
            stack.append(a + b if token == -1 else a * b)
    return stack[-1]


def of_an_empty_heap(n: int):
    heap = [i for i in range(n)]
    try:
        return f"{heapq.heappop(heap)} {heapq.heapreplace(heap, 5)}"
    except IndexError as e:
        return str(e)


def until_it_is_empty(xs: list[float], n: int):
    heap, found = [(x, i) for i, x in enumerate(xs)], []
    heapq.heapify(heap)
    while True:
        try:
            x, i = heapq.heappop(heap)
            heapq.heappushpop(heap, (x / (i - n), i + 1))
        except IndexError:
            return found
        except ZeroDivisionError as e:
            heapq.heappush(heap, (x, i + 10))
            found.append(-x)
        else:
            heapq.heapreplace(heap, (x, 0)) if i > n and len(heap) > 0 else found.append(x)


def through_a_recursion(n: int):
    stack = collections.deque([n])

    def go(k):
        if k > 0:
            stack.append(k)
            go(k - 1)
    go(n)
    return list(stack)
"""

LISTS = [([2.5, 1.0, 3.0, -1.0, 2.0, 0.5],), ([],), ([2.0, 2.0],), ([1.0, 2.0, 3.0, 4.0],)]
SUMS = [([1e16, 1.0, -1e16],), ([0.1] * 10,), ([],), ([math.inf, 1.0],), ([math.inf, -math.inf],), ([1e308, 1e308],), ([1.0, 2**-53, 2**-106],), ([1.0, 2**-53],), ([math.nan],)]
CASES = {
    **dict.fromkeys(("heaped", "heap_of_pairs", "chosen", "from_both_ends"), LISTS), "ranked": [([2.5, 1.0, -3.0], 2), ([], 0), ([1.0], -1)],
    "bisected": [([1.0, 2.0, 2.0, 4.0], 2.0), ([], 1.0), ([3.0, 1.0, 7.0], 9.0)], "gone_through": [(xs, 2) for xs, in LISTS], "grouped": [(xs, 2) for xs, in LISTS], "found_behind": [(xs, n) for xs, in LISTS for n in (1, 2, 4)], "summed": SUMS,
    "split": [2.5, -2.5, math.inf, -math.inf, -0.0, 3.0, -3.0, 1e300], "averaged": LISTS, "spread": LISTS,
    "logarithm_of_gamma": [2.5, 0.1, 100.0, -1.5, -2.0, 1.0, 2.0, math.inf, -math.inf, 1e-300, 3.7, 1.0 + 1e-9, 11.9, 1e10], "queued": [4, 0, 18], "breadth_first": [0], "bounded": [([1.0, 2.0, 3.0, 4.0], 5), ([], 0), ([2.0], 1)],
    "postfix": [([3, 4, -1, 5, -2],), ([-1],)], "through_a_recursion": [3, 0], "of_an_empty_heap": [0, 1, 2],
    "until_it_is_empty": [(xs, n) for xs, in LISTS for n in (0, 1, 3)],
}


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, list(CASES))


@pytest.mark.parametrize("name, arguments", cases_of(CASES))
def test_result_is_pythons(table, name, arguments):
    if name == "breadth_first":
        tree = table.module.Tree
        arguments = (tree(1.0, tree(2.0, tree(4.0, None, None), None), tree(3.0, tree(5.0, None, None), tree(6.0, None, None))),)
    plain, compiled = (outcome(of[name], arguments) for of in (table.plain, table.compiled))
    if plain == "StatisticsError":
        assert compiled == "RuntimeError"       # the table knows no classes of libraries, as lt.function does
    elif name in ("averaged", "spread", "logarithm_of_gamma") and not isinstance(plain, str):      # up to rounding
        assert np.allclose(plain, compiled, rtol=1e-13, atol=2e-15, equal_nan=True)
    else:
        assert repr(plain) == repr(compiled)


def test_the_logarithm_of_gamma_is_pythons_everywhere():
    draw = random.Random(1).uniform
    for x in [draw(0, 4) for _ in range(2000)] + [draw(0, 300) for _ in range(2000)] + [draw(-20, 0) for _ in range(500)]:
        assert sequence_definitions.log_gamma(x) == pytest.approx(math.lgamma(x), rel=5e-14, abs=5e-14)


def test_an_exception_is_the_modules():
    with pytest.raises(statistics.StatisticsError, match="mean requires at least one data point"):
        lt.function(module_of(f"{HEAD}\ndef f(xs: list[float]): return statistics.mean(xs)").f)([])


GRADIENTS = ["math.fsum(x * x for x in xs)", "statistics.stdev(xs) + statistics.fmean(xs) * statistics.median(xs)", "math.lgamma(xs[0]) + math.lgamma(xs[1]) * math.modf(xs[2])[0] + math.lgamma(xs[3] - 3.5)",
             "heapq.nlargest(2, xs)[1] * heapq.nsmallest(1, xs)[0]", "sum(a * b * c for a, b, c in itertools.combinations(xs, 3))"]


@pytest.mark.parametrize("text", GRADIENTS)
def test_gradients_are_those_of_differences(text):
    function, arguments = module_of(f"{HEAD}\ndef f(xs: list[float]): return {text}").f, [0.7, 2.25, 14.5, 3.125]
    value, gradient = lt.value_and_grad(lt.function(function))(arguments)
    assert value == pytest.approx(function(arguments))
    for place in range(len(arguments)):
        ends = [function([x + step * (i == place) for i, x in enumerate(arguments)]) for step in (-1e-6, 1e-6)]
        assert gradient[place] == pytest.approx((ends[1] - ends[0]) / 2e-6, rel=1e-6)


def test_where_all_are_equal_a_deviation_and_a_distance_have_the_derivative_zero():
    function = module_of(f"{HEAD}\ndef f(xs: list[float]): return statistics.stdev(xs) + statistics.pstdev(xs) + math.dist(xs, [2.0, 2.0]) + sum(xs, 0.0)").f
    assert lt.value_and_grad(lt.function(function))([2.0, 2.0]) == (4.0, [1.0, 1.0])


REFUSED = {
    "return statistics.mean([n, 1])": "LT0310.*statistics.fmean", "return statistics.fmean(xs, xs)": "LT0310.*sum\\(x \\* w", "heapq.heappush(xs, 1.0)\n    return n": "LT0305.*change a copy",
    "return list(itertools.permutations(xs, 3))": "LT0310.*gives pairs alone", "it = itertools.takewhile(bool, xs)\n    return list(it), list(it)": "LT0305.*list\\(…\\)",
    "groups = [group for _, group in itertools.groupby(xs)]\n    return len(groups)": "LT0312.*StagedIterator",
    "return math.gamma(xs[0])": "LT0310.*math.gamma has no counterpart",
}


@pytest.mark.parametrize("body", REFUSED)
def test_refusals_say_what_to_do(body):
    with pytest.raises(StagingError, match=f"(?s){REFUSED[body]}"):
        entry.stage_entries([module_of(f"{HEAD}\ndef f(xs: list[float], n: int):\n    {body}\n").f])
