"""Lists, arrays, dicts and sets that recursions change: where their callers have them if nobody sees it, and always what Python gives."""
import re

import numpy as np
import pytest
import random_recursions
import recursion_programs
from compiled_table import Table, differences
from staged_source import module_of
from thorough import THOROUGH, many, one_in

import lantern as lt
from lantern import core
from lantern.staging import entry

PROGRAMS = {name: function for name, function in vars(recursion_programs).items() if getattr(function, "__annotations__", None)}
SIZES = 0, 1, 2, 3, 4, 6, 9


@pytest.fixture(scope="module")
def table():
    return Table(recursion_programs, list(PROGRAMS))


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_plain(table, name):
    for n in SIZES if name != "raising" else SIZES[:5]:
        assert table.compiled[name](0.7, n) == pytest.approx(PROGRAMS[name](0.7, n), rel=1e-12)


def test_what_is_raised_on_the_way_is_pythons(table):
    with pytest.raises(ValueError, match="7"):
        table.compiled["raising"](0.7, 9)


@pytest.mark.slow
def test_derivatives_are_those_of_differences():
    names = [name for name in PROGRAMS if name != "raising"][::one_in(2)]
    terms = " + ".join(f"{i + 1} * {name}(x, n)" for i, name in enumerate(names))
    plain = module_of(f"from recursion_programs import {', '.join(names)}\n\n\ndef total(x: float, n: int):\n    return {terms}\n").total
    function = lt.function(plain)
    value_and_slope = lt.value_and_grad(function, wrt="x")
    for n in SIZES[:6]:
        value, slope = value_and_slope(0.7, n)
        assert value == pytest.approx(plain(0.7, n), rel=1e-12)
        assert slope == pytest.approx((plain(0.7 + 1e-5, n) - plain(0.7 - 1e-5, n)) / 2e-5, rel=1e-6)
        if THOROUGH > 1:
            assert lt.jvp(function, (0.7, n), (1.0, None)) == pytest.approx((value, slope), rel=1e-9)


def cpp_of(function):
    program, entries = entry.stage_entries([function])
    return core.compile(entry.program_text(program, entries), "program.sexpr", {"emit": "cpp"})


# What they are given is changed where it is.
@pytest.mark.parametrize("name", ["memo_given", "memo_of_pairs", "memo_of_arrays", "memo_overwritten", "memo_in_list", "visited", "begun_anew",
                                  "backtracking", "queens", "flood", "joined", "heap", "sorting", "counted"])
def test_in_place(name):
    text = cpp_of(PROGRAMS[name])
    assert ">& " in text and all(f" {made}(" not in text for made in ("write", "with_item", "pop", "insert", "remove"))


def test_a_list_that_is_read_again_is_copied_in_front_of_the_call():
    def visit(seen, i):
        if seen[i]:
            return 0
        seen[i] = True
        return 1 + visit(seen, (i * 3 + 1) % len(seen))

    def count(n: int):
        seen = [False] * n
        again = visit(list(seen), n // 2)
        return again * 100 + visit(seen, n // 3) * 10 + sum(seen)
    assert cpp_of(count).count("List<bool> seen = copy(") == 1 and lt.function(count)(5) == count(5)


def test_of_a_derivative_what_has_none_is_changed_in_place():
    def memoised(x: float, n: int):
        memo = {}
        def go(k):
            if k in memo:
                return memo[k]
            memo[k] = x if k < 2 else go(k - 1) * 0.5 + go(k - 2) * x
            return memo[k]
        return go(n)

    def both(x: float, n: int):
        return lt.value_and_grad(memoised, wrt="x")(x, n)
    text = " ".join(cpp_of(both).split())
    assert "List<double> own_values_adj, List<int64_t>& own_keys, List<int64_t>& slots" in text and "set_item(slots" in text
    value, slope = lt.function(both)(0.5, 20_000)    # the value is x (1 - (-x) ** n …) / (1 + x), of whatever n
    plain, _ = lt.function(both)(0.5, 100)
    assert value == pytest.approx(plain, rel=1e-9) and slope > 0


@pytest.mark.parametrize("size", [200_000])
def test_a_long_memo_takes_time_in_proportion(size):
    def go(n, memo):
        if n in memo:
            return memo[n]
        memo[n] = n if n < 2 else (go(n - 1, memo) + go(n - 2, memo)) % 1_000_007
        return memo[n]

    def fibonacci(n: int):
        return go(n, {})
    a, b = 0, 1
    for _ in range(size):
        a, b = b, (a + b) % 1_000_007
    assert lt.function(fibonacci)(size) == a        # which would take 400 GB of copies


def late(x, n, a):
    """Calls itself, so that it stays a call; its reverse sweep reads the array when whoever called it has gone on."""
    return late(x, n - 1, a) if n > 99 else np.sum(a * x * x)


def late_in_loop(x, n, numbers):
    if n > 99:
        return late_in_loop(x, n - 1, numbers)
    total = 0.0
    for number in numbers:
        total = total + np.sum(x * x) * number
    return total


def of_shape(x, n, a):
    return of_shape(x, n - 1, a) if n > 99 else np.sum(x * x) * a.shape[0]


def read_late(x, n, a):
    if n == 0:
        return 0.0
    read = late(x, n, a)
    a[n % 3] = a[n % 3] + 10.0
    return read + read_late(x, n - 1, a)


def view_read_late(x, n, a):
    if n == 0:
        return 0.0
    read = late(x, n, a[1:3])
    a[n % 3] = a[n % 3] + 10.0
    return read + view_read_late(x, n - 1, a)


def handed_on(x, n, a):
    return handed_on(x, n - 1, a) if n > 99 else 2.0 * late(x, n, a)


def read_later(x, n, a):
    if n == 0:
        return 0.0
    read = handed_on(x, n, a)
    a[n % 3] = a[n % 3] + 10.0
    return read + read_later(x, n - 1, a)


def list_read_late(x, n, numbers):
    if n == 0:
        return 0.0
    read = late_in_loop(x, n, numbers)
    numbers[n % 3] = numbers[n % 3] + 10
    return read + list_read_late(x, n - 1, numbers)


def shape_asked(x, n, a):
    if n == 0:
        return 0.0
    read = of_shape(x, n, a)
    a[n % 3] = a[n % 3] + 10.0
    return read + shape_asked(x, n - 1, a)


def late_in_dict(x, n, held):
    if n > 99:
        return late_in_dict(x, n - 1, held)
    total = 0.5
    for key in held:
        total = total * x[0] + held[key] * x[1]
    return total


def dict_read_late(x, n, held):
    if n == 0:
        return 0.0
    read = late_in_dict(x, n, held)
    held[n] = n * 2.0
    held[0] = held[0] + 1.0
    return read + dict_read_late(x, n - 1, held)


def ends_read_late(x, n, numbers):
    if n == 0:
        return 0.0
    read = late_in_loop(x, n, numbers)
    last = numbers.pop()
    numbers.insert(0, last + 1.0)
    numbers.append(n * 0.5)
    return read + ends_read_late(x, n - 1, numbers) * last


def late_in_rows(x, n, rows):
    if n > 99:
        return late_in_rows(x, n - 1, rows)
    total = 1.0
    for row in rows:
        total = total * np.sum(row * x)
    return total


def rows_read_late(x, n, rows):
    if n == 0:
        return 0.1
    read = late_in_rows(x, n, rows)
    rows[n % 2] = rows[n % 2] + 1.0
    rows.append(np.arange(3.0))
    return read + rows_read_late(x, n - 1, rows) * 0.5


def of_two(x, n, a):
    return of_two(x, n - 1, a) if n > 99 else late(x, n, a) + late(x * 2.0, n, a) * late(x * 3.0, n, a[::-1])


def read_late_in_tree(x, n, a):
    if n == 0:
        return 0.1
    read = of_two(x, n, a)
    a[n % 3] += 1.0
    return read + read_late_in_tree(x, n - 1, a) + read_late_in_tree(x * 0.5, n - 1, a)


def read_late_in_turns(x, n, a):
    if n == 0:
        return 0.0
    read, i = 0.1, 0
    while True:
        read = read * 0.5 + late(x, i, a)
        a[i % 3] += 1.0
        i += 1
        if read > 8.0 or i > n:
            break
    return read + read_late_in_turns(x, n - 1, a) * read


class Box:
    def __init__(self, a, weight):
        self.a = a
        self.weight = weight


def of_containers(number: float, n: int) -> float:
    x, held, numbers, rows = np.ones(3) * number, {}, [1.0, 2.0, 3.0], [np.ones(3), np.ones(3)]
    for key in lt.range(2):
        held[key] = key + 1.0
    total = dict_read_late(x, n, held) + 2 * ends_read_late(x, n, numbers) + 3 * rows_read_late(x, n, rows)
    return total + held[0] * numbers[0] * np.sum(rows[0])


def of_turns_and_trees(number: float, n: int) -> float:
    x, a, b = np.ones(3) * number, np.ones(3), np.ones(3)
    return 0.01 * read_late_in_tree(x, n, a) + read_late_in_turns(x, n, b) + a[0] * b[0]


def of_what_is_around(number: float, n: int) -> float:
    x, a, box, total = np.ones(3) * number, np.ones(3), Box(np.ones(3), number), 0.1

    def put(k):
        nonlocal total
        total = total * number + a[k % 3]
        a[k % 3] = a[k % 3] * 0.5 + 1.0

    def read(k):
        if k == 0:
            return 0.1
        value = late(x, k, box.a) * box.weight
        box.a[k % 3] += 1.0
        box.weight = box.weight * 0.5 + value * 0.01
        return value + read(k - 1) * box.weight
    for i in lt.range(n):
        put(i)
        total += late(x, i, a)
    return total + read(n) + box.weight * np.sum(box.a)


def of_recursions(number: float, n: int) -> float:
    x = np.ones(3) * number
    a, b, c, d, numbers = np.ones(3), np.ones(3), np.ones(3), np.ones(3), [1, 2, 3]
    total = (read_late(x, n, a) + 2 * view_read_late(x[1:], n, b) + 3 * read_later(x, n, c) + 4 * list_read_late(x, n, numbers) + 5 * shape_asked(x, n, d))
    return total + a[1] * b[1] * c[1] * numbers[1] * d[1]


def of_loops(number: float, n: int) -> float:
    x = np.ones(3) * number
    a, b, matrix, numbers, total = np.ones(3), np.ones(3), np.ones((3, 3)), [1, 2, 3], 0.0
    for i in lt.range(n):
        total += late(x, i, a) + 2 * handed_on(x, i, b) + 3 * late(x, i, matrix) + 4 * late_in_loop(x, i, numbers)
        a[i % 3] += 10.0
        b[:2] = b[:2] * 2.0
        matrix[i % 3, :] = i
        numbers[i % 3] += 10
    return total + np.sum(a) * np.sum(b) * np.sum(matrix) * numbers[1]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("program", [of_recursions, of_loops, of_containers, of_turns_and_trees, of_what_is_around])
def test_what_the_reverse_sweep_of_a_call_reads_stays_as_it_was(program):
    for n in (0, 1, 4):
        value, slope = lt.value_and_grad(lt.function(program), wrt="number")(0.7, n)
        assert value == pytest.approx(program(0.7, n), rel=1e-12)
        assert slope == pytest.approx((program(0.7 + 1e-5, n) - program(0.7 - 1e-5, n)) / 2e-5, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("program,in_place", [(shape_asked, True), (read_late, False)])
def test_what_is_asked_for_its_shape_is_changed_in_place(program, in_place):
    def changed(x, n):
        a = np.ones(3)
        return program(a * x, n, a) + a[1]

    def both(x: float, n: int):
        return lt.value_and_grad(changed, wrt="x")(x, n)
    text = cpp_of(both)
    assert (bool(re.search(r"  a\[.+\] [+]?= ", text)), "with_item(" in text) == (in_place, not in_place)


@pytest.mark.slow
def test_random_recursions():
    for first in range(0, many(8), 8):
        wrong, accepted, refused = differences(random_recursions, range(first, first + 8), [(0, 0.7), (1, 0.7), (3, 0.7), (5, 0.7)])
        assert not wrong, "\n".join(wrong)
        assert accepted == 8, refused


@pytest.mark.slow
def test_derivatives_of_random_recursions():
    for first in range(0, many(6), 6):
        names = [f"program_{seed}" for seed in range(first, first + 6)]
        text = "\n\n".join(random_recursions.program(seed, name) for seed, name in enumerate(names, first))
        terms = " + ".join(f"{i + 1} * {name}(n, x)" for i, name in enumerate(names))
        plain = module_of(f"{text}\n\ndef total(x: float, n: int):\n    return {terms}\n").total
        value_and_slope = lt.value_and_grad(lt.function(plain), wrt="x")
        for n in (0, 1, 3, 4):
            value, slope = value_and_slope(0.71, n)
            assert value == pytest.approx(plain(0.71, n), rel=1e-12)
            assert slope == pytest.approx((plain(0.71 + 1e-6, n) - plain(0.71 - 1e-6, n)) / 2e-6, rel=1e-5)
