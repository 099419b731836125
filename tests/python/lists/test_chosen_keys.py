"""Items of dicts at keys that only the running program knows, compiled: what Python gives, or an error where it would add a key."""
import pytest
from compiled_table import Table, cases_of, outcome

from lantern.staging.errors import StagingError

SOURCE = """
import numpy as np

PRICES = {"apple": 1.5, "pear": 2.0, "fig": 0.25}


def name_of(n: int):
    return "apple" if n < 2 else "pear" if n < 4 else "kiwi"


def price(n: int):
    return PRICES[name_of(n)] * n


def numeral(n: int):
    return {0: "zero", 1: "one", 6: "six"}[n]


def histogram(n: int):
    counts = {"small": 0, "large": 0, "none": 0}
    for i in lt.range(n):
        counts["large" if i > 2 else "small"] += i
    return counts["small"], counts["large"], counts["none"]


def of_arrays(n: int):
    table = {"apple": np.ones(2), "pear": np.zeros(2) + n}
    table[name_of(n)] = table[name_of(n + 1)] * 3.0
    return table["apple"].sum().item() + table["pear"][0].item()


def of_tuples(n: int):
    number, text = {"apple": (n, "a"), "pear": (2, "p")}[name_of(n)]
    return f"{number}{text}"


def scaled(x: float, n: int):
    return {"apple": x * x, "pear": 3.0 * x}[name_of(n)] * PRICES[name_of(n)]


def slope(n: int):
    return lt.value_and_grad(scaled)(1.5, n)


RULES = {"apple": [0, 1], "pear": [], "fig": [2]}


def grown(n: int):
    names = ["apple", "fig"]
    for _ in range(n % 3):
        names = ["pear" if k == 1 else "apple" if k else "fig" for name in names for k in RULES[name]]
    return names


def grouped(n: int):
    groups, stacks, both = {"apple": [], "pear": [0.5]}, {0: [1.0, 2.0, 3.0], 1: [4.0, 5.0, 6.0]}, [1]
    total = 0.0
    for i in lt.range(n):
        groups["apple" if i % 3 == 0 else "pear"].append(2.0 * i)
        total += stacks[i % 2].pop() * (i + 1)
        row = {0: both, 1: both}[i % 2]
        row.append(row[-1] * 2)
        stacks[i % 2][0] += 1.5
    return groups["apple"], groups["pear"], total, stacks[0], stacks[1], both


def a_new_key(n: int):
    table = {"apple": 1, "pear": 2}
    table[name_of(n)] = 5
    return table["apple"] + 10 * table["pear"]
"""

CALLS = {name: (0, 1, 3, 6) for name in ("price", "numeral", "histogram", "of_arrays", "of_tuples", "slope", "grown", "grouped")} | {"a_new_key": (0, 3)}


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, list(CALLS))


@pytest.mark.parametrize("name, arguments", cases_of(CALLS))
def test_as_plain(table, name, arguments):
    assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments)


def test_a_key_that_the_dict_does_not_have(table):
    with pytest.raises(RuntimeError, match="gives a dict no new key"):
        table.compiled["a_new_key"](6)


@pytest.mark.parametrize("body", ["row.append(1)\n    return d[0], row", "d[0].append(1)\n    return d[0], row"])
def test_a_list_that_a_dict_holds_by_another_name(body):
    with pytest.raises(StagingError, match="(?s)LT0305.*return a copy"):
        Table(f"def f(n: int):\n    d = {{0: [1], 1: [2]}}\n    row = d[n]\n    {body}\n", ["f"])


@pytest.mark.parametrize("change", ["row += 1.0", "row[0] = 2.0"])
def test_an_array_that_a_dict_holds_by_another_name(change):
    with pytest.raises(StagingError, match="LT0317"):
        Table(f"""
import numpy as np
def f(n: int):
    table = {{0: np.ones(2), 1: np.zeros(2)}}
    row = table[n]
    {change}
    return table[0][0].item()
""", ["f"]).compiled["f"](0)
