"""`while` and `for`: dispatch on the condition and on what is iterated over; `break`, `continue`, `else`, `return` in loops."""
import numpy as np

import lantern as lt
from programs import runs, stops

VECTOR = np.array([1.0, -2.0, 3.5])
MATRIX = np.array([[1.0, 2.0], [3.0, 4.0]])


@runs((0,), (5,))
def while_counts(n):
    i = 0
    total = 0
    while i < n:
        total += i
        i += 1
    return total


@runs((10.0,), (0.5,))
def while_promotes_its_state(x):
    y = 1
    while y < x:
        y = y * 1.5
    return y + 0.0


@runs((3,),)
def while_over_python_values_unrolls(n):
    i = 0
    xs = []
    while i < 3:
        xs.append(n * i)
        i += 1
    return xs[0] + xs[1] * xs[2]


@runs((12, 18), (7, 0), (0, 3))
def while_with_tuple_assignment(a, b):
    while b:
        a, b = b, a % b
    return a


@runs((3,), (0,))
def defined_in_a_loop_that_may_not_run(n):
    i = 0
    while i < n:
        y = i * 2
        i += 1
    return y


@runs((3,), (0,))
def defined_in_a_for_that_may_not_run(n):
    for i in range(n):
        y = i
    return y


@runs((0,), (3,))
def a_loops_own_variable_costs_nothing(n):
    total = 0
    for i in range(n):
        square = i * i
        total += square
    return total


@stops("LT0306", "'y'", at=(3, 1.0))
def state_changes_its_type(n, x):
    y = "a"
    while n > 0:  # error
        y = x
        n -= 1
    return y


@runs((3, 1.0), (0, 1.0))
def state_begins_as_none(n, x):
    y = None
    while n > 0:
        y = x
        n -= 1
    return y


@stops("LT0306", "'y'", at=(3,))
def state_changes_its_rank(n):
    y = lt.zeros(3)
    for i in range(n):  # error
        y = lt.zeros((3, 3))
    return y


@runs((0,), (3,))
def state_of_fixed_structure(n):
    pair = (0, (1.0, 2))
    for i in range(n):
        pair = (i, (pair[1][0] * 2, pair[0] + i))
    return pair


@stops("LT0306", "'pair'", at=(3,))
def state_changes_its_structure(n):
    pair = (0, 1)
    for i in range(n):  # error
        pair = (i, i, i)
    return pair[0]


@runs((0,), (4,))
def a_dict_as_state(n):
    d = {"a": 0, "b": 1.0}
    for i in range(n):
        d = {"a": d["a"] + i, "b": d["b"] * 2}
    return d["a"], d["b"]


class Counter:
    def __init__(self):
        self.count = 0
        self.total = 0.0

    def add(self, x):
        self.count += 1
        self.total += x


@runs((0,), (4,))
def attributes_as_state(n):
    counter = Counter()
    for i in range(n):
        counter.count += 1
        counter.total = counter.total + i
    return counter.count, counter.total


@runs((0,), (4,), (9,))
def for_range(n):
    total = 0
    for i in range(n):
        total += i
    return total


@runs((0, 10, 3), (5, 5, 1), (2, 9, 2))
def for_range_with_bounds(a, b, step):
    total = 0
    for i in range(a, b, step):
        total = total * 2 + i
    return total


@runs((10, 0), (3, 3))
def for_range_downwards(a, b):
    total = 0
    for i in range(a, b, -3):
        total = total * 2 + i
    return total


@runs((2,), (0,))
def for_python_range_unrolls(n):
    total = 0
    for i in range(3):
        total += i * n
    return total


@runs((VECTOR,), (VECTOR[:1],))
def for_over_an_array(v):
    total = 0.0
    for x in v:
        total = total * 2 + x
    return total


@runs((MATRIX,))
def for_over_rows(m):
    total = 0.0
    for row in m:
        total = total * 2 + lt.sum(row)
    return total


@runs(([1.0, 2.0, 3.5],), ([],))
def for_over_a_list(xs: list[float]):
    total = 0.0
    for x in xs:
        total = total * 2 + x
    return total


@runs((1.0, 2.0))
def for_over_a_python_tuple_of_staged_values(a, b):
    total = 0.0
    for x in (a, b, a):
        total = total * 2 + x
    return total


@runs(([1.0, -2.0, 3.0],), ([],))
def for_enumerate(xs: list[float]):
    total = 0.0
    for i, x in enumerate(xs):
        total += i * x
    return total


@runs((3,))
def for_over_python_pairs(n):
    total = 0
    for name, (a, b) in [("x", (1, n)), ("y", (n, 2))]:
        total = total * 10 + a * b if name == "x" else total + a
    return total


@runs((3,), (0,))
def loop_variable_after_the_loop(n):
    i = -1
    for i in range(n):
        pass
    return i


@runs((3, 2), (0, 2), (3, 0))
def nested_loops(n, m):
    total = 0
    for i in range(n):
        for j in range(m):
            total = total * 2 + i * j
        total += 1
    return total


@runs((3,), (0,))
def print_in_a_loop(n):
    for i in range(n):
        print("turn", i)
    return n


@runs((3,), (6,))
def assert_in_a_loop(n):
    for i in range(n):
        assert i < 5, "too many"
    return n


@runs((3, 0), (5, 2))
def conditions_in_loops(n, k):
    odd = even = 0
    for i in range(n):
        if i % 2:
            odd += i
        elif i > k:
            even += i
    return odd, even


@runs((3,), (1,))
def a_comprehension_over_python_values(n):
    return sum([i * n for i in range(4) if i != 2])


@runs((5,), (0,))
def walrus_in_a_condition(n):
    total = 0
    while (n := n - 1) > 0:
        total += n
    return total


@runs((0.1,), (0.0,))
def condition_that_becomes_staged(x):
    i = 0
    done = False
    while not done:
        i += 1
        done = x * i < 5 or i > 3
    return i


@runs((MATRIX, 2), (MATRIX, 0))
def rows_put_into_a_list_that_each_turn_makes(m, n):
    for _ in range(n):
        inbox, degree = [np.zeros(2) for _ in range(2)], [0] * 2
        for i in range(n):
            inbox[i] = inbox[i] + m[1 - i]
            degree[i] += 1
        m = np.stack([inbox[i] / max(degree[i], 1) for i in range(2)])
    return m


@stops("LT0317", "an array in the list 'kept' may share memory", at=(MATRIX, 2))
def an_array_of_the_turn_before_that_a_list_keeps(m, n):
    kept, v = [], m[0].copy()
    for i in range(n):
        v[0] = i
        v = np.zeros(2)
        kept.append(v)     # error
    return kept
