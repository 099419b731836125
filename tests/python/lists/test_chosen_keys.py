"""Items of dicts at keys that only the running program knows, compiled: what Python gives, or an error where it would add a key."""
import pytest
from compiled_table import Table, cases_of, outcome
from staged_source import Staged

from lantern.staging.errors import StagingError

SOURCE = """
import enum
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


class State(enum.Enum):
    GREEN, YELLOW, RED = "green", "yellow", "red"


NEXT = {State.GREEN: State.YELLOW, State.YELLOW: State.RED, State.RED: State.GREEN}


class Light:
    TURNS = {State.GREEN: 3, State.YELLOW: 1, State.RED: 2}

    def __init__(self):
        self.state, self.turns = State.GREEN, 0

    def tick(self):
        self.turns += 1
        if self.turns >= self.TURNS[self.state]:
            self.turns, self.state = 0, NEXT[self.state]


def light(n: int):
    own, seen, last = Light(), {state: 0 for state in State}, []
    for i in range(n):
        own.tick()
        seen[own.state] += i
    return own.state.value, seen[State.RED], {State.RED: 2.0}.get(own.state, -1.0), own.state in {State.RED, State.GREEN}, [State.RED, State.GREEN][n % 2].name


MOVES = {(State.GREEN, "go"): State.YELLOW, (State.YELLOW, "stop"): State.RED, (State.RED, "go"): State.GREEN}
COSTS = {(State.GREEN, State.YELLOW): 1.0, (State.YELLOW, State.RED): 2.5}


def moved(n: int):
    state, before, seen, cost = State.GREEN, State.RED, [], 0.0
    counts = {(each, late): 0 for each in State for late in (0, 1)}
    for i in range(n):
        word = "stop" if i % 3 == 1 else "go"
        before, state = state, MOVES.get((state, word), state)
        if (state, word) in MOVES:
            seen.append(MOVES[state, word].name)
        cost += COSTS.get((before, state), 0.0)
        counts[state, i % 2] += i
    return seen, cost, counts[State.RED, 1], counts[State.GREEN, 0]


def missing_move(n: int):
    return MOVES[State.GREEN if n < 2 else State.RED, "go" if n < 4 else "stop"].name


def missing_state(n: int):
    state = State.GREEN if n < 2 else State.RED
    return {State.GREEN: 1, State.YELLOW: 2}[state]


def perhaps_price(n: int):
    found = PRICES.get(name_of(n))
    return -1.0 if found is None else found


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


def searched(n: int):
    losses = {(rate, by): (rate - 0.2 * n) ** 2 + 0.1 * by for rate in (0.1, 0.3, 1.0) for by in (0.0, 0.9)}
    best = min(losses, key=losses.get)
    losses[best] += 1.0
    rates = {rate: losses[rate, 0.0] for rate in (0.1, 0.3, 1.0)}
    rates[best[0]] *= 2
    return best, losses[best], best in losses, losses.get((best[0], 0.5), -1.0), rates


def at_a_pair(n: int):
    return {(0, "apple"): 1.5, (3, "pear"): 2.5, (1, "apple"): -1.0}[n, name_of(n)]


def at_a_float(n: int):
    return {0.0: "none", 1.5: "some"}[n * 0.5]


def at_a_state(n: int):
    return {(State.GREEN, 0): 1.0, (State.RED, 3): 2.0}[State.GREEN if n < 2 else State.RED, n]


def a_new_key(n: int):
    table = {"apple": 1, "pear": 2}
    table[name_of(n)] = 5
    return table, len(table)


def a_new_key_beside_none(n: int):
    table = {"apple": 1, "pear": None}
    table[name_of(n)] = 5
    return table["apple"], table["pear"] is None


def vocabulary(n: int):
    numbers = {"<unknown>": 0}
    for i in range(n):
        if name_of(i) not in numbers:
            numbers[name_of(i)] = len(numbers)
    return numbers


def counted(n: int):
    counts = {word: 0 for word in ("apple", "plum")}
    for i in range(n):
        try:
            counts[name_of(i)] += 1
        except KeyError:
            counts[name_of(i)] = 1
    return counts
"""

CALLS = {name: (0, 1, 3, 6) for name in ("price", "numeral", "histogram", "of_arrays", "of_tuples", "slope", "grown", "grouped", "light", "moved", "missing_move", "missing_state", "perhaps_price", "searched", "at_a_pair", "at_a_float", "at_a_state")} | {"a_new_key": (0, 3, 6), "a_new_key_beside_none": (0, 3), "vocabulary": (0, 3, 9), "counted": (0, 3, 9)}


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, list(CALLS))


@pytest.mark.parametrize("name, arguments", cases_of(CALLS))
def test_as_plain(table, name, arguments):
    assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments)


def test_a_key_that_the_dict_does_not_have(table):
    with pytest.raises(RuntimeError, match="gives a dict no new key"):
        table.compiled["a_new_key_beside_none"](6)


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


READ = ["a['x']", "a.get('x', 0)", "list(a.values())", "max(a.values())", "f'{a}'", "str([a])", "a == {'x': 2}", "[v for v in a.values()]", "max(a, key=a.get)", "(lambda: a['x'])()", "[a, b][0]['x']", "g(a)",
        "print([a])", "'z' in a", "len(a)", "copy.deepcopy(a)['x']"]


@pytest.mark.parametrize("change", ["d['x'] += 10", "d['z'] = 5", "for i in range(n): d['x'] += i"])
def test_a_dict_that_may_be_the_one_that_has_changed(change):
    """A branch, or a call, has chosen `d`: what a and b hold is what Python's do."""
    choices = ["d = a if n > 2 else b", "if n > 2: d = a\n    else: d = b", "d = one(a, b, n)"]
    bodies = [f"a, b = {{'x': 1, 'y': 5}}, {{'x': 2, 'y': 6}}\n    {choices[number % 3]}\n    {change}\n    return {read}" for number, read in enumerate(READ)]
    head = "import copy\ndef g(q): return q['x']\ndef one(p, q, n):\n    if n > 2: return p\n    return q\n"
    table = Table(head + "".join(f"def f{number}(n: int):\n    {body}\n" for number, body in enumerate(bodies)), [f"f{number}" for number in range(len(bodies))])
    for number, body in enumerate(bodies):
        for n in (1, 3):
            assert outcome(table.compiled[f"f{number}"], (n,)) == outcome(table.plain[f"f{number}"], (n,)), body


def test_known_keys_of_a_display_are_not_looked_for():
    body = "d = {1: 0, 2: 5, 3: 0, 1: 7}\n    e = {i: 0 for i in range(3)}\n    d[n] = d.get(n, 1) + 2\n    e[n] = 5\n    return d, list(e.items())"
    table = Table(f"def f(n: int):\n    d = {{1: 0, 2: 5, 3: 0, 1: 7}}\n    d[n] = 1\n    return len(d)\n\n\ndef g(n: int):\n    {body}\n", ["f", "g"])
    assert table.text.partition("(define g")[0].count("find-key") == 1
    for n in (1, 3, 4, -1):
        assert repr(table.compiled["g"](n)) == repr(table.plain["g"](n)) and table.compiled["f"](n) == table.plain["f"](n)


def test_a_dict_of_dicts_from_outside():
    text = "G = {'a': {'b': 1}, 'b': {}}\ndef f(s: str):\n    return len(G[s])\n"
    with pytest.raises(StagingError, match=r"(?s)LT0310.*make one of the program's own.*dict\(value\)"):
        Table(text, ["f"])
    own = text.replace("return len(G[s])", "g = {key: dict(value) for key, value in G.items()}\n    return len(g[s])")
    assert Table(own, ["f"]).compiled["f"]("a") == 1
