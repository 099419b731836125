"""Lists that stand in lists, by names of their own: `row = rows[i]` is changed where it stands, and read as it is then."""
import numpy as np
import pytest
from compiled_table import Table, outcome
from staged_source import Staged

import lantern as lt
from gradients import check
from lantern.staging.errors import StagingError

HEAD = """
def add(row, v):
    row.append(v)


def add_twice(row, v):
    add(row, v)
    add(row, row[-1])


def add_some(row, k):
    if k > 0:
        row.append(k)
        add_some(row, k - 1)


def total(row, k):
    return sum(row) if k <= 0 else total(row, k - 1)


def first_set(rows, row):
    rows[0].append(4)
    return sum(row)
"""
ROWS = "rows = [[x + i] for i in range(n + 2)]\n"
CUBE = "g = [[[x], [2]], [[3], [x]]]\nfor i in range(n):\n    g.append([[i], [i]])\n"
DEEP = "return sum([sum([sum(q) * (j + 1) for j, q in enumerate(r)]) * (i + 1) for i, r in enumerate(g)])"
ALL = "return sum([sum(r) * (i + 1) for i, r in enumerate(rows)])"

GIVES_PYTHONS = {
    "changed twice": f"{ROWS}row = rows[n]\nrow.append(7)\nrow.append(8)\n{ALL} + sum(row)",
    "item by item": f"{ROWS}row = rows[n]\nrow[0] = 5\nrow[0] += 5\nrow.append(row[0])\n{ALL}",
    "another one is changed": f"{ROWS}row = rows[n - n]\nrows[0].append(5)\n{ALL} + sum(row)",
    "two of them": f"{ROWS}a, b = rows[n - n], rows[1]\na.append(b[0])\nb.append(a[0])\na.append(b[-1])\n{ALL} + 3 * sum(a) + 5 * sum(b)",
    "two of them that are one": f"{ROWS}a, b = rows[n - n], rows[0]\na.append(b[0])\nb.append(a[0])\na.append(b[-1])\n{ALL} + 3 * sum(a) + 5 * sum(b)",
    "in a loop": f"{ROWS}a, b = rows[n - n], rows[0]\nfor i in range(n):\n    a.append(b[0])\n    b.append(a[0])\na.append(b[-1])\n{ALL} + 3 * sum(a) + 5 * sum(b)",
    "in a branch": f"{ROWS}a, b = rows[n - n], rows[0]\nif n > 1:\n    a.append(b[0])\n    b.append(a[0])\na.append(b[-1])\n{ALL} + 3 * sum(a) + 5 * sum(b)",
    "until it is long": f"{ROWS}row = rows[n]\nwhile len(row) < 5:\n    row.append(len(row))\n{ALL} + sum(row)",
    "in a loop within a loop": f"{ROWS}for i in range(n):\n    row = rows[i]\n    for j in range(i):\n        row.append(j)\n        row[0] += row[-1]\n{ALL}",
    "a loop over them": f"{ROWS}for row in rows:\n    row.append(7)\n{ALL}",
    "a loop over them, by conditions": f"{ROWS}for row in rows:\n    if len(row) < 2:\n        row.append(7)\n    row[0] += 1\n{ALL}",
    "a loop over them that changes others": f"{ROWS}for row in rows:\n    row.append(7)\n    rows[0].append(1)\n{ALL}",
    "a loop over them that makes them more": f"{ROWS}for row in rows:\n    row.append(7)\n    if len(rows) < 4:\n        rows.append([1])\n{ALL}",
    "a loop over them that ends": f"{ROWS}for row in rows:\n    row.append(7)\n    if sum(row) > 11:\n        break\nelse:\n    rows[0].append(3)\n{ALL}",
    "enumerated": f"{ROWS}for i, row in enumerate(rows):\n    row.append(i)\n    row[0] += i\n{ALL}",
    "zipped": f"{ROWS}for row, v in zip(rows, range(n)):\n    row.append(v)\n{ALL}",
    "extended by another": f"{ROWS}rows[n - n].extend(rows[1])\n{ALL}",
    "exchanged": f"{ROWS}rows[0], rows[n] = rows[n], rows[0]\n{ALL}",
    "exchanged by hand": f"{ROWS}t = rows[0]\nrows[0] = rows[n]\nrows[n] = t\n{ALL} + sum(t)",
    "behind more of them": f"{ROWS}row = rows[n]\nrows.append([4])\nrows.insert(0, [5])\n{ALL} + sum(row)",
    "in a tuple": f"{ROWS}pair = (rows[n - n], 1)\nrows[0].append(5)\nreturn sum(pair[0])",
    "given to a function": f"{ROWS}row = rows[n - n]\nrows[0].append(5)\nreturn total(row, n)",
    "of a closure": f"{ROWS}row = rows[n - n]\n\ndef g():\n    return sum(row)\n\nrows[0].append(5)\nreturn g()",
    "the length of a list of such": "a = [x]\nfor i in range(n):\n    a.append(i)\nrows = [a, [2]]\nreturn len(rows) * sum(rows[0])",
    "changed by a function": f"{ROWS}row = rows[n]\nadd(row, 1)\nadd(row, 2)\nadd(rows[n - n], x)\n{ALL} + sum(row)",
    "changed by a function that is given a list, too": f"{ROWS}a = [2]\nfor i in range(n):\n    add(a, i)\nadd(rows[n], x)\n{ALL} + sum(a)",
    "changed by a function that a function calls": f"{ROWS}add_twice(rows[n], 5)\nfor row in rows:\n    add_twice(row, 7)\n{ALL}",
    "deeper, a loop within a loop": f"{CUBE}for r in g:\n    for q in r:\n        q.append(5)\n        add(q, q[0])\n{DEEP}",
    "deeper, enumerated": f"{CUBE}for i, r in enumerate(g):\n    for j, q in enumerate(r):\n        q[0] = 3 * i + j\n{DEEP}",
    "deeper, by conditions": f"{CUBE}for r in g:\n    for q in r:\n        if len(q) < 2 and q[0] > 0:\n            q.append(5)\n        elif n > 1:\n            break\n{DEEP}",
    "deeper, a loop over one of them": f"{CUBE}for q in g[n]:\n    q.append(5)\n{DEEP}",
    "four deep": "h = [[[[x]], [[2], [x]]]]\nfor i in range(n):\n    h.append([[[i]]])\nfor g in h:\n    for r in g:\n        for q in r:\n            q.append(5)\n"
                 "return sum([sum([sum([sum(q) * 2 for q in r]) * 3 for r in g]) * (i + 1) for i, g in enumerate(h)])",
    "deeper": f"{CUBE}g[n][1].append(5)\ng[n][0][0] = 7\nreturn sum(g[n][1]) + 3 * sum(g[n][0])",
    "deeper, by names": f"{CUBE}r = g[n]\nq = r[1]\nq.append(5)\nr[0][0] = 7\nreturn sum(g[n][1]) + 3 * sum(r[0])",
}

REFUSED = {
    "moved": f"{ROWS}row = rows[n]\nrows.insert(0, [4])\nrow.append(1)\n{ALL}",
    "moved, and changed there": f"{ROWS}row = rows[n - n]\nrows.insert(0, [4])\nrows[1].append(1)\nreturn sum(row)",
    "moved on one path": f"{ROWS}row = rows[n - n]\nif n > 1:\n    rows.insert(0, [4])\nrow.append(1)\n{ALL}",
    "moved in a turn": f"{ROWS}row = rows[n - n]\nfor i in range(n):\n    row.append(i)\n    rows.insert(0, [4])\n{ALL}",
    "one of two": f"{ROWS}row = rows[n] if n > 1 else rows[0]\nrow.append(1)\n{ALL}",
    "changed by a recursion": f"{ROWS}add_some(rows[n], n)\n{ALL}",
    "kept": f"{ROWS}kept = [rows[n - n], [1]][n - n]\nrows[0].append(5)\nreturn sum(kept)",
    "the same in two places": f"{ROWS}rows[0] = rows[n]\nrows[0].append(1)\n{ALL}",
    "given with its list": f"{ROWS}return first_set(rows, rows[n - n])",
    "deeper, moved": f"{CUBE}r = g[n]\nq = r[1]\nr.insert(0, [9])\nq.append(5)\nreturn sum(g[n][1])",
    "deeper, the same in two places": "g = [[[x]] * (n + 2) for _ in range(n + 2)]\ng[n][0].append(1)\nreturn sum(g[n][1])",
    "deeper, read behind a change": f"{CUBE}q = g[n][1]\ng[n].insert(0, [9])\ng[n][2].append(1)\nreturn sum(q)",
}


def source(body, number="int"):
    return f"{HEAD}\n\ndef f(x: {number}, n: int):\n" + "".join(f"    {line}\n" for line in body.split("\n"))


@pytest.mark.parametrize("name", GIVES_PYTHONS)
def test_is_what_python_gives(name):
    program = Staged(source(GIVES_PYTHONS[name]), "f")
    for n in range(5):
        assert outcome(program, (2, n)) == outcome(program.module.f, (2, n)), n


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused(name):
    with pytest.raises(StagingError) as caught:
        Staged(source(REFUSED[name]), "f")
    assert caught.value.code == "LT0305" and caught.value.hint


def test_compiled_it_is_the_same():
    text = HEAD + "".join(source(body).replace(HEAD, "").replace("def f(", f"def f{number}(") for number, body in enumerate(GIVES_PYTHONS.values()))
    table = Table(text, [f"f{number}" for number in range(len(GIVES_PYTHONS))])
    for name in table.plain:
        for n in range(5):
            assert outcome(table.compiled[name], (2, n)) == outcome(table.plain[name], (2, n)), (name, n)


def grown(x: float, n: int):
    rows = [[x * i] for i in range(n + 2)]
    for i in range(len(rows)):
        rows[i].append(x)
        rows[i][0] += 1.0
    return sum([sum(r) * sum(r) for r in rows])


def shortened(x: float, n: int):
    rows = [[x * i, x, x * x] for i in range(n + 2)]
    for i in range(n):
        x = x + rows[i].pop(0)
    return sum([sum(r) * sum(r) for r in rows]) + x


def gone_over(x: float, n: int):
    rows = [[x * i] for i in range(n + 2)]
    for row in rows:
        row.append(x * row[0])
        row[0] *= x
    row = rows[n]
    while len(row) < 5:
        row.append(row[-1] * x)
    return sum([sum(r) * sum(r) for r in rows])


def deeper(x: float, n: int):
    g = [[[x], [2.0 * x]], [[3.0], [x]]]
    for i in range(n):
        g.append([[x * i], [x, x]])
    for i in range(n):
        g[i][i % 2].append(g[i][0][0] * x)
        g[i][0] = [x]
    return sum([sum([sum(q) * sum(q) for q in r]) for r in g])


def by_loops_and_functions(x: float, n: int):
    g = [[[x], [2.0 * x]], [[3.0], [x]]]
    for i in range(n):
        g.append([[x * i], [x, x]])
    for r in g:
        for q in r:
            q.append(q[0] * x)
            squared(q)
    squared(g[n][0])
    return sum([sum([sum(q) * (j + 1) for j, q in enumerate(r)]) for r in g])


def squared(row):
    row[0] *= row[-1]


def arrays_of_several_lengths(v: lt.Tensor[lt.f64, "k"], n: int):
    rows = [v * i for i in range(n + 2)]
    for i in range(n):
        rows[i] = lt.concat(rows[i], v)
    return sum([lt.sum(r * r) for r in rows])


@pytest.mark.parametrize("f", [grown, shortened, gone_over, deeper, by_loops_and_functions], ids=lambda f: f.__name__)
def test_its_derivatives_are_right(f):
    for n in (0, 1, 3):
        check(f, 1.3, n)


def test_so_are_those_of_arrays():
    check(arrays_of_several_lengths, np.array([0.5, -1.0]), 3)
