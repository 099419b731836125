"""Lists that stand in a list and change places, `rows[i], rows[k] = rows[k], rows[i]`: each still stands in one place, and is changed there."""
import pytest
from compiled_table import Table, outcome
from lantern.staging.errors import StagingError
from staged_source import module_of

import lantern as lt
from lantern.staging import entry

SOURCE = """
def rows_of(n, x):
    return [[i * x + j for j in range(n)] for i in range(n)]


def solved(n: int, x: float):
    m = [[1.0 / (1.0 + i + j) if i != j else 0.0 for j in range(n)] + [x * i + 1.0] for i in range(n)]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(m[r][i]))
        if abs(m[p][i]) < 1e-9:
            raise ValueError("singular")
        m[i], m[p] = m[p], m[i]
        for r in range(i + 1, n):
            f = m[r][i] / m[i][i]
            for c in range(i, n + 1):
                m[r][c] -= f * m[i][c]
    return m


def in_turns(n: int, x: float):
    m = rows_of(n, x)
    for i in range(n):
        p = i * 2 % n
        m[i], m[p] = m[p], m[i]
        m[i][0] += 1.0
        m[p].append(x)
    return m


def by_a_third_name(n: int, x: float):
    m, i, p = rows_of(n, x), 0, n - 1
    held = m[i]
    m[i] = m[p]
    m[p] = held
    m[i][0] = 3.0
    return m


def under_a_condition(n: int, x: float):
    m, i, p = rows_of(n, x), 0, n - 1
    if n > 2:
        m[i], m[p] = m[p], m[i]
    m[i][0] = 3.0
    return m


def within_a_list(n: int, x: float):
    ms, i, p = [rows_of(n, x), rows_of(n, 2 * x)], 0, n - 1
    ms[1][i], ms[1][p] = ms[1][p], ms[1][i]
    ms[1][i][0] = 3.0
    ms[1][i], ms[1][p] = ms[1][p], ms[1][i]
    ms[1][-1][0] = 4.0
    return ms
"""
NAMES = ["solved", "in_turns", "by_a_third_name", "under_a_condition", "within_a_list"]


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, NAMES)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arguments", [(1, 1.5), (2, 0.5), (3, 1.5), (4, -1.0)])
def test_rows_that_change_places(table, name, arguments):
    assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments)


REFUSED = {
    "one row in two places": "m[i] = m[p]\nm[i][0] = 3.0",
    "with a third": "m[i], m[p] = m[p], m[q]\nm[i][0] = 3.0",
    "with a third, the other way": "m[i], m[p] = m[q], m[i]\nm[p][0] = 3.0",
    "behind one that stands twice": "m[q] = m[p]\nm[i], m[p] = m[p], m[i]\nm[p][0] = 3.0",
    "changed between the two": "held = m[i]\nm[i] = m[p]\nm[i][0] = 7.0\nm[p] = held",
    "read before": "row = m[i]\nm[i], m[p] = m[p], m[i]\nrow[0] = 9.0",
    "put there by name": "row = [x]\nm.append(row)\nm[i], m[n] = m[n], m[i]\nrow.append(7.0)",
    "rows of another list": "o = m[:]\nm[i], m[p] = m[p], m[i]\nm[i][0] = 3.0\nm = m + o",
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_stands_in_two_places_is_refused(body):
    lines = "\n".join(f"    {line}" for line in REFUSED[body].split("\n"))
    module = module_of(f"{SOURCE}\n\ndef f(n: int, x: float):\n    m, i, p, q = rows_of(n, x), 0, n - 1, 1\n{lines}\n    return m\n")
    with pytest.raises(StagingError) as caught:
        entry.stage_entries([module.f])
    assert caught.value.code == "LT0305"


def test_the_gradient_of_a_solution():
    def largest(a, b):
        m = [row[:] + [v] for row, v in zip(a, b)]
        n = len(m)
        for i in range(n):
            p = max(range(i, n), key=lambda r: abs(m[r][i]))
            m[i], m[p] = m[p], m[i]
            for r in range(i + 1, n):
                f = m[r][i] / m[i][i]
                for c in range(i, n + 1):
                    m[r][c] -= f * m[i][c]
        return m[n - 1][n] / m[n - 1][n - 1]

    a, b, step = [[2.0, 1.0, -1.0], [-3.0, -1.0, 2.0], [-2.0, 1.0, 2.0]], [8.0, -11.0, -3.0], 1e-6
    value, (da, db) = lt.value_and_grad(lt.function(largest), wrt=("a", "b"))(a, b)
    assert value == pytest.approx(largest(a, b), rel=1e-12)
    for i in range(3):
        for j in range(3):
            up, down = ([[v + d * (r == i and c == j) for c, v in enumerate(row)] for r, row in enumerate(a)] for d in (step, -step))
            assert da[i][j] == pytest.approx((largest(up, b) - largest(down, b)) / (2 * step), rel=1e-5, abs=1e-7)
        up, down = ([v + d * (r == i) for r, v in enumerate(b)] for d in (step, -step))
        assert db[i] == pytest.approx((largest(a, up) - largest(a, down)) / (2 * step), rel=1e-5, abs=1e-7)
