"""Lists that loops change: where they are if nobody sees it, and always what Python gives. Tables, that is lists of lists, too; and arrays
whose items are set as those of a table, `a[i][j] = x`, or of an attribute."""
import re

import list_programs
import numpy as np
import pytest
from compiled_table import Table, differences, outcome
from thorough import many

from lantern import core

# What each shows; which are changed in place is told by the calls in C++.
SOURCE = '''
def squares(n: int, m: int):
    xs = [0] * n
    for i in range(n):
        xs[i] = i * i
    return xs


def sieve(n: int, m: int):
    prime = [True] * (n * 9)
    found = []
    for i in range(2, n * 9):
        if prime[i]:
            found.append(i)
            for j in range(i * i, n * 9, i):
                prime[j] = False
    return found


def sorted_by_insertion(n: int, m: int):
    xs = [i * 7 % 11 for i in range(n * 3)]
    for i in range(1, len(xs)):
        x, j = xs[i], i - 1
        while j >= 0 and xs[j] > x:
            xs[j + 1] = xs[j]
            j -= 1
        xs[j + 1] = x
    return xs


def of_a_stack(n: int, m: int):
    stack, seen = [1], []
    while len(stack) > 0:
        x = stack.pop()
        seen.append(x)
        if x < n * 8:
            stack.append(x * 2)
            stack.append(x * 2 + 1)
    return seen


def of_a_stack_of_pairs(n: int, m: int):
    stack, total = [(1, 0.5)], 0.0
    while stack:
        x, y = stack.pop()
        total = total * 0.5 + x * y
        if x < n * 8:
            stack.append((x * 2, y + 1.0))
            stack.append((x * 2 + 1, -y))
    return total


def of_a_heap_of_pairs(n: int, m: int):
    heap, seen = [(0.0, 1)], []
    while heap:
        d, x = heapq.heappop(heap)
        if x in seen[-3:]:
            continue
        seen.append(x)
        for step in range(1, 3):
            if x + step < n * 4:
                heapq.heappush(heap, (d + (x * step) % 5, x + step))
    return seen


def of_a_queue(n: int, m: int):
    queue, total = [n], 0
    while queue:
        x = queue.pop(0)
        total = total * 3 + x
        if x > 0:
            queue.append(x - 1)
            queue.insert(0, x // 2 - 1)
    return total


def found_in_a_queue(n: int, m: int):
    queue, distance = [n], [-1] * n + [0]
    while queue:
        x = queue.pop(0)
        if x == m:
            return distance[x]
        for y in (x - 1, x // 2):
            if y >= 0 and distance[y] < 0:
                distance[y] = distance[x] + 1
                queue.append(y)
    return -1


def named_by_a_stack(n: int, m: int):
    stack, total = [n], 0
    while len(stack) > 0:
        x = stack.pop()
        if x > m:
            return "large"
        if x > 1:
            stack.append(x // 2)
            stack.append(x - x // 2)
        total += x
    return str(total)


def swaps(n: int, m: int):
    xs = list(range(n))
    for i in range(n // 2):
        xs[i], xs[-1 - i] = xs[-1 - i], xs[i]
        del xs[-1]
    return xs


def paths(n: int, m: int):
    t = [[1] * m for _ in range(n)]
    for i in range(1, n):
        for j in range(1, m):
            t[i][j] = t[i - 1][j] + t[i][j - 1]
    return t


def a_table_of_lists(n: int, m: int):
    near = [[0] for _ in range(n)]
    for i in range(n):
        for j in range(n):
            if (i + j) % m == 0:
                near[i].append(j)
                near[j][0] += 1
    return near


def two_tables(n: int, m: int):
    a, b = [[0] * n for _ in range(n)], [[i] * n for i in range(n)]
    for k in range(n):
        for i in range(n):
            a[k][i] = b[i][k] + k
            b[i][k] = a[i][k] - 1
    return a, b


def rows_that_are_new(n: int, m: int):
    t = [[i, i + 1] for i in range(n)]
    for i in range(n - 1):
        t[i] = [t[i + 1][0]] * m
        t[i][0] += 9
    return t


def a_copy_before(n: int, m: int):
    xs = [1] * n
    before = []
    for i in range(n):
        before.append(sum(xs))
        ys = list(xs)
        xs[i] = i
        before.append(ys[i])
    return xs, before


def a_copy_of_rows(n: int, m: int):
    t = [[1] * n for _ in range(n)]
    kept = []
    for i in range(n):
        kept.append(list(t[i]))
        t[i][0] = 5
    return t, kept


def what_was_made_before(n: int, m: int):
    xs = [0] * n
    ys = xs[:]
    for i in range(n):
        xs[i] = 1
    for i in range(n):
        ys[i] = xs[i] + ys[i - 1]
    return xs, ys


def given_to_a_function(n: int, m: int):
    xs = [3] * n
    for i in range(n):
        if is_larger(xs, i):
            xs[i] = total_of(xs, i)
    return xs


def is_larger(xs, i):
    return xs[i] > i


def total_of(xs, upto):
    total = 0
    for i in range(upto):
        total += xs[i]
    return total


def along_the_list(n: int, m: int):
    xs, total = [1] * n, 0
    for i in range(n):
        for x in xs:
            total += x
        xs[i] = total
    return xs


def out_of_range(n: int, m: int):
    xs = [0] * n
    for i in range(n + 1):
        xs[i] = 1
    return xs


def out_of_range_of_a_row(n: int, m: int):
    t = [[0] * m for _ in range(n)]
    for i in range(n):
        t[i][m - n + i] = 1
    return t


def popped_until_empty(n: int, m: int):
    xs = [0] * n
    for i in range(n * 2):
        xs.pop()
    return xs


def items_of_an_array(n: int, m: int):
    a = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            a[i][j] = i * 10 + j
            a[i][j] += a[i - 1][j]
        a[i][m - 1] *= 2.0
    return a


def of_three_axes(n: int, m: int):
    a = np.zeros((n, 2, m))
    for i in range(n):
        a[i][1][m - 1] = i
        a[i, 0][0] = 2.0
        a[i][1] += a[i][0]
    return a


class Net:
    def __init__(self, n, m):
        self.h = np.zeros((n, m))
        self.t = [[0] * n for _ in range(n)]

    def step(self, i, x):
        self.h[i] = x
        self.h[i][0] += 2.0
        self.h[:, -1] *= 1.5
        self.t[i][0] += i


def of_an_attribute(n: int, m: int):
    net = Net(n, m)
    for i in range(n):
        net.h[i, 0] = i
        net.h[i][m - 1] += net.h[i - 1][0]
    return net.h


def by_a_method(n: int, m: int):
    net = Net(n, m)
    for i in range(n):
        net.step(i, i * 0.5)
        if i == 1:
            net.h[i, 0] = 9.0
    return net.h, net.t


def of_an_arrays_numbers(n: int, m: int):
    v, t = np.ones(n + 1), [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            t[i][j] = t[i - 1][j] * v[i] + t[i][j - 1] + v[0]
    return t


def set_in_front_of_a_break(n: int, m: int):
    xs = [0] * (n + 1)
    for i in range(n):
        xs[i] += i
        if i == m:
            xs[n] = 77
            break
    else:
        xs.append(9)
    return xs


def beyond_the_rows(n: int, m: int):
    a = np.zeros((n, m))
    for i in range(n + 1):
        a[i][0] = 1.0
    return a
'''
NAMES = [name for name in re.findall(r"^def (\w+)", SOURCE, re.MULTILINE) if name not in ("is_larger", "total_of")]
COPIES = {"a_copy_before", "a_copy_of_rows"}     # where something is changed by a copy
SIZES = [(0, 2), (1, 1), (2, 3), (5, 4)]


@pytest.fixture(scope="module")
def table():
    return Table("import heapq\nimport numpy as np\n" + SOURCE, NAMES)


def is_same(one, other):
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    return one.dtype == other.dtype and np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other


@pytest.mark.parametrize("name", NAMES)
def test_they_are_pythons(table, name):
    for sizes in SIZES:
        expected, actual = outcome(table.plain[name], sizes), outcome(table.compiled[name], sizes)
        assert is_same(actual, expected), sizes


def body_of(listing, name):
    return re.search(rf"^\S[^\n]* {name}(_on_stack)?\([^;]*?\{{\n.*?^\}}", listing, re.MULTILINE | re.DOTALL)[0]


def test_where_nobody_sees_it_nothing_is_copied(table):
    listing = core.compile(table.text, "table.sexpr", {"emit": "cpp"})
    bodies = {name: body_of(listing, name) for name in NAMES}
    assert {name for name, body in bodies.items() if re.search(r"\b(write|pop|remove|insert|with_item)\(", body)} == COPIES
    assert {name for name, body in bodies.items() if re.search(r"\b(set_item|pop_from|remove_from|insert_into)\(|\] [-+*/]?= ", body)} >= set(NAMES) - COPIES


@pytest.mark.parametrize("name", ["found_in_a_queue", "named_by_a_stack"])
def test_a_loop_that_returns_begins_with_its_first_turn(table, name):
    body = body_of(core.compile(table.text, "table.sexpr", {"emit": "cpp"}), name)
    assert body.count("while (") == 1 and "copy(" not in body


@pytest.mark.slow
def test_random_programs():
    for first in range(0, many(16), 16):
        wrong, accepted, refused = differences(list_programs, range(first, first + 16), [(3, 2), (4, 5), (1, 1)])
        print(f"{accepted} accepted, refused: {dict(refused)}")
        assert not wrong, "\n".join(wrong)
        assert accepted >= 8, refused
