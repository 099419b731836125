"""Dicts, sets and deques that stand in lists and in dicts: what Python gives, and its derivative, or an error where one may have two names."""
import nested_tables
import numpy as np
import pytest
import random_nested
from compiled_table import Table, differences, outcome
from interpreter import Machine
from staged_source import Staged, module_of
from thorough import many, one_in

import lantern as lt
from lantern import core
from lantern.staging import entry
from lantern.staging.errors import StagingError

NAMES = [name for name, function in vars(nested_tables).items() if getattr(function, "__annotations__", None)][::one_in(2)]


@pytest.fixture(scope="module")
def table():
    return Table(nested_tables, NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_as_plain(table, name):
    for arguments in nested_tables.WORDS if name == "of_texts" else nested_tables.NUMBERS:
        assert table.compiled[name](*arguments) == table.plain[name](*arguments)


def total(x: float, n: int) -> float:
    import collections
    tables, known = [{} for _ in range(3)], [{0: x}, {1: x * x}]
    sums = collections.defaultdict(lambda: collections.defaultdict(float))
    queues, memo, s = [collections.deque() for _ in range(2)], {}, x
    for i in range(n):
        tables[i % 3][i % 4] = tables[i % 3].get(i % 4, x) * x + i
        sums[i % 3][i % 2] += x * i
        sums[i % 2][i % 3] *= x
        known[n % 2][i] = x * i
        queues[i % 2].append(s * x)
        if i % 3 == 2:
            s += queues[i % 2].popleft() * x
            known[0][i] = s * 0.1
    d = {5: x}
    known.append(d)
    d[6] = x * x
    known[-1][5] *= x

    def ways(i, j):
        if i not in memo:
            memo[i] = {}
        if j in memo[i]:
            return memo[i][j]
        v = x if i <= 0 or j <= 0 else ways(i - 1, j) * 0.5 + ways(i, j - 1) * x
        memo[i][j] = v
        return v

    for table in [*tables, *known]:
        for k, v in table.items():
            s += v * v * (k + 1)
    for a, inner in sums.items():
        for b, v in inner.items():
            s += v * v * (a + 2 * b + 1)
    return s + ways(n, n)


def test_derivatives():
    gradient = lt.value_and_grad(lt.function(total), wrt="x")
    for n in (0, 1, 5, 8):
        value, slope = gradient(1.1, n)
        assert np.isclose(value, total(1.1, n), rtol=1e-12)
        assert np.isclose(slope, (total(1.1 + 1e-6, n) - total(1.1 - 1e-6, n)) / 2e-6, rtol=1e-6)


# The two names, or places, and what the message and the hint say.
REFUSED = {
    "ts = [{}] * 3\nts[n][n] = 1\nreturn len(ts[0])": ("may be in another place, too", "anew"),
    "ts = [{} for _ in range(n)]\nus = ts[:]\nus[n - 1][n] = 1\nreturn len(ts[0])": ("'ts' may have changed through another name", "list(…)"),
    "ts = [{} for _ in range(n)]\na = ts[0]\nts.reverse()\na[1] = n\nreturn len(ts[-1])": ("is changed after that list has changed", "read it from the list again"),
    "ts = [{} for _ in range(n)]\nlast = ts[0]\nfor t in ts:\n  t[1] = 2\n  last = t\nlast[5] = 1\nreturn len(ts[-1])": ("that has changed", "where they part"),
    "ts = [set() for _ in range(n)]\nts.append(ts[0])\nts[0].add(n)\nreturn len(ts[-1])": ("may be in another place, too", "anew"),
    "ts = [{} for _ in range(n)]\nt = ts[0] if n > 2 else ts[-1]\nt[n] = 1\nreturn len(ts[0])": ("one of several", "change a copy"),
    "d, ts = {}, [{} for _ in range(n)]\nfor i in range(n): ts[i] = d\nd[n] = 1\nreturn len(ts[0])": ("'ts' may have changed through another name", "list(…)"),
    "def f(t, k):\n  if k > 0:\n    t[k] = 1\n    f(t, k - 1)\nts = [{} for _ in range(n)]\nf(ts[0], n)\nreturn len(ts[0])": ("from outside, or one of several", "return it"),
    "ts = [collections.defaultdict(int) for _ in range(n)]\nts.append(collections.defaultdict(float))\nts[n][n] += 1\nreturn len(ts)": ("holds defaultdict(int), and defaultdict(float)", "one type"),
    # What the two begin with is one number until one of them changes.
    """def make(k):
  def up():
    nonlocal k
    k += 10
  return collections.defaultdict(lambda: k), up
(a, up), (b, _) = make(1), make(1)
ts = [a, b]
ts[n % 2][n] += 5
up()
return ts[0][n + 1]""": ("of one type, and here are defaultdict(<lambda>) and defaultdict(<lambda>)", ""),
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_refused(body):
    text = "\n".join("    " + line for line in body.splitlines())
    with pytest.raises(StagingError) as caught:
        Staged(f"import collections\ndef f(n: int):\n{text}\n")
    message, hint = REFUSED[body]
    assert caught.value.code in ("LT0305", "LT0306") and message in caught.value.message and hint in caught.value.hint, caught.value


def test_a_place_to_which_a_whole_tuple_is_put_back_is_looked_for():
    text = "(define f ((l (list (tuple i64 f64))) (i i64)) (length (write l i (index l i))))\n(export f)"
    assert "index(l_0, i, " in core.compile(text, "program.sexpr", {"emit": "cpp"})


def cpp(turn):
    """The C++ of a loop whose turns do that with dicts in a list."""
    program = Staged(f"def f(xs: list[int], n: int):\n    ts = [{{}} for _ in range(n)]\n    for x in xs: {turn}\n    return len(ts[0])\n")
    text = core.compile(program.full_text, "program.sexpr", {"emit": "cpp"})
    return text[text.rindex("for (const int64_t x : xs)"):]


def test_they_are_changed_in_their_place():
    body = cpp("ts[x % n][x] = ts[x % n].get(x, 0) + 1")
    assert "set_item(index(ts_values, " in body and " write(" not in body and "static_cast<void>" not in body, body
    assert " write(" not in cpp("ts[x % n].setdefault(x % 3, {})[x] = x")


def staged_outcome(seed, all_sizes):
    """Whether a random program is accepted; it gives what Python gives."""
    module = module_of(random_nested.HEAD + random_nested.program(seed))
    try:
        program, entries = entry.stage_entries([module.program])
    except StagingError as error:
        assert error.code in ("LT0305", "LT0306", "LT0310", "LT0302"), error
        return False
    machine = Machine(entry.program_text(program, entries, locations=False))
    for sizes in all_sizes:
        expected, actual = outcome(module.program, sizes), outcome(lambda *of: machine.call(entries[0].specialisation.spelling, *of), sizes)
        assert as_tuples(actual) == as_tuples(expected) or isinstance(expected, str), f"{random_nested.program(seed)}\nof {sizes}"
    return True


def as_tuples(value):
    return tuple(map(as_tuples, value)) if isinstance(value, (list, tuple)) else value


def test_random_programs():
    assert sum(staged_outcome(seed, [(3, 2), (4, 5)]) for seed in range(100, 100 + many(3))) >= 1


@pytest.mark.slow
def test_random_programs_compiled():
    accepted = 0
    for first in range(0, many(3), 3):
        wrong, right, _ = differences(random_nested, range(first, first + 3), [(1, 1), (3, 2), (6, 11)])
        assert not wrong, "\n".join(wrong)
        accepted += right
    assert accepted >= 1
