"""Dicts and sets whose keys are known only when the program runs: what they give, their derivatives, and what is refused."""
import collections
import random
import re
import sys
import types

import counter_programs
import dataclass_keys
import dict_programs
import dicts_gone_through
import dicts_handed_on
import numpy as np
import pytest
import random_dicts
import set_programs
from compiled_table import Table, cases_of, differences, outcome
from staged_source import Staged, module_of
from thorough import many, one_in

import lantern as lt
from lantern import core
from lantern.staging.errors import StagingError

LISTS = ([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, -1, -9, 12, 15, 30], 4), ([1], 2), ([15, 3, 3, 6], 7)
MODULES = dict_programs, dicts_gone_through, dicts_handed_on, set_programs, counter_programs, dataclass_keys
PROGRAMS = types.SimpleNamespace(**{name: function for module in MODULES for name, function in vars(module).items()
                                    if isinstance(function, types.FunctionType) and function.__annotations__ and function.__module__ == module.__name__})
CALLS = {name: LISTS for number, name in enumerate(vars(PROGRAMS)) if number % one_in(2) == 0 or name in ("comp", "made_of_views")}


@pytest.fixture(scope="module")
def table():
    return Table(PROGRAMS, list(CALLS))


@pytest.mark.parametrize("name, arguments", cases_of(CALLS))
def test_as_plain(table, name, arguments):
    expected, actual = (outcome(those[name], arguments) for those in (table.plain, table.compiled))
    assert actual == expected and type(actual) is type(expected)
    if isinstance(expected, dict):
        assert list(actual.items()) == list(expected.items())


def test_a_key_is_found_by_its_hash(table):
    assert "find-key" in table.text and "grow" not in table.text
    ks = [random.Random(3).randrange(-10**18, 10**18) * 2**k for k in range(3) for _ in range(2000)]
    ks = [k % (2**63 - 1) - 2**62 for k in ks] + list(range(0, 2**40, 2**28)) + [-2**63, 2**63 - 1]
    assert table.compiled["comp"](ks, 0) == dict_programs.comp(ks, 0)


def test_so_is_a_text():
    """20,000 texts of one length: found by that, each would be compared with half of the others."""
    def count(words: list[str]):
        found = {}
        for word in words:
            found[word] = found.get(word, 0) + 1
        return found
    words = [f"{number:05}" for number in range(20_000)] * 2 + ["", "é", "日本"]
    assert lt.function(count)(words) == count(words)
    assert "(find-key " in lt.function(count).text(words[:1])


def test_any_number_of_dicts_may_be_learned_of():
    lines = "".join(f"    d{number} = {{}}\n    d{number}[n + {number}] = {number}\n" for number in range(24))
    f = Staged(f"def f(n: int):\n{lines}    return d0[n] + d23[n + 23]\n")
    assert f(5) == 23


DERIVED = '''
import collections
import numpy as np


def memoised(x, n):
    memo = {}
    def go(k):
        if k in memo:
            return memo[k]
        memo[k] = x * k if k < 2 else go(k - 1) * go(k - 2) * 0.3 + x
        return memo[k]
    return go(n)


def summed(x, n):
    d = {}
    for i in range(n):
        d[i * i % 7] = d.get(i * i % 7, 0.0) * x + x * i
    t = 0.0
    for k, v in d.items():
        t += v * v * (k + 1)
    return t


def overwritten(x, n):
    d = {3: x, 5: x * x}
    for i in range(n):
        d[i % 6] = d.get(i % 6, x) * x
        if i % 5 == 0:
            d.pop(i % 4, 0.0)
        d.update({n: x})
    return sum(d.values()) + max(d.values(), default=x)


def by_default(x, n):
    d = collections.defaultdict(float)
    for i in range(n):
        d[i % 4] += x ** (i % 3)
        d[i % 3] *= x
    return d[0] * d[1] + d[2] + d[99]


def arrays(x, n):
    d = {}
    a = np.ones(3) * x
    for i in range(n):
        if i % 3 not in d:
            d[i % 3] = a
        d[i % 3] = d[i % 3] * x + i
    t = 0.0
    for v in d.values():
        t += np.sum(v * v)
    return t


def lists(x, n):
    d = collections.defaultdict(list)
    for i in range(n):
        d[i % 3].append(x * i)
        d[i % 3][0] = d[i % 3][0] * x
    return sum([v * x * (k + 1) for k in d for v in d[k]])


def tuples(x, n):
    d = {}
    for i in range(n):
        for j in range(i):
            d[i, j] = (x * i, x * j)
    t = 0.0
    for (i, j), (a, b) in d.items():
        t += a * b * (i - j)
    return t


def taken_out(x, n):
    d = {}
    for i in range(n * 10):
        d[i] = x * i
        if i > 3:
            x = x + d.pop(i - 3) * 0.001
    return sum(d.values())


def from_both_ends(x, n):
    d, t = collections.OrderedDict(), 0.0
    for i in range(n * 3):
        d[i % 5] = x * i + d.get(i % 5, x) * x
        if len(d) > 3:
            k, v = d.popitem(last=i % 2 == 0)
            t = t * 0.5 + v * v * (k + 1)
    for k, (a, b) in zip(reversed(d), zip(d.values(), d.values())):
        t += a * b * k
    return t + next(iter(d.values()))


def ranked(x, n):
    c = collections.Counter()
    for i in range(n * 2):
        c[i % 3] += x * (i % 4) + 0.125 * i
    e = c - collections.Counter({1: 0.75 * x, n: 0.5})
    return sum([v * v * (i + 1) for i, (k, v) in enumerate(c.most_common(2))]) + sum([v * (k + 1) for k, v in e.items()])


def chosen(x, n):
    d, e = {0: x}, {0: 2 * x, 1: x * x}
    for i in range(n):
        d[i] = x * i
    c = d if n % 2 else e
    return sum(c.values()) + c[0]


def given(x, n):
    def fill(d, k, y):
        if k == 0:
            return 0.0
        d[k] = d.get(k + 1, y) * x
        return fill(d, k - 1, y) + d[k]
    d = {}
    return fill(d, n, x) + sum(d.values())


def total(x: float, n: int):
    return memoised(x, n) + summed(x, n) + 2 * overwritten(x, n) + 3 * by_default(x, n) + arrays(x, n) + 5 * lists(x, n) + 7 * tuples(x, n) \\
        + taken_out(x, n) + from_both_ends(x, n) + 5 * ranked(x, n) + 11 * chosen(x, n) + 13 * given(x, n)
'''


@pytest.fixture(scope="module")
def derived():
    plain = module_of(DERIVED).total
    function = lt.function(plain)
    return plain, lt.value_and_grad(function, wrt="x"), function


@pytest.mark.slow
def filled(x, ks):
    found = {}
    for k in ks:
        found[k] = found.get(k, 0.0) + x * k
    return sum(found.values())


def both_ways(x: float, ks: list[int]):
    return filled(x, ks), lt.value_and_grad(filled, wrt="x")(x, ks)


def test_a_loop_that_runs_backwards_takes_back_each_change():
    """Were keys put in by a function there, as they are where no derivative is taken, their lists would be copied in each turn."""
    compiled, ks = lt.function(both_ways), [k * 7919 % 1009 for k in range(30)] * 2
    assert compiled(0.5, ks) == both_ways(0.5, ks)
    listing = core.compile(compiled.text(0.5, ks), "program.sexpr", {"emit": "cpp"})
    plain, backwards = (re.search(rf"^\S[^\n]* {name}\([^;]*?\{{\n.*?^\}}", listing, re.MULTILINE | re.DOTALL)[0] for name in ("filled", "both_ways_on_stack"))
    assert "put_slot(" in plain and "put_slot(" not in backwards and "_changes" in backwards and " copy(" not in plain + backwards


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_derivatives_are_those_of_differences(derived, n):
    plain, value_and_slope, function = derived
    value, slope = value_and_slope(0.7, n)
    assert value == pytest.approx(plain(0.7, n), rel=1e-12)
    assert slope == pytest.approx((plain(0.7 + 1e-5, n) - plain(0.7 - 1e-5, n)) / 2e-5, rel=1e-6)
    assert np.allclose(lt.jvp(function, (0.7, n), (1.0, None)), (value, slope), rtol=1e-9)


def test_a_memoised_recursion_is_thousands_deep():
    def go_up(n: int, x: float):
        memo = {}
        def go(k):
            if k < 1:
                return x
            if k not in memo:
                memo[k] = go(k - 1) * 0.5 + 1.0
            return memo[k]
        return go(n)
    assert lt.value_and_grad(lt.function(go_up), wrt="x")(3000, 4.0) == pytest.approx((2.0, 0.0), abs=1e-12)


def test_a_missing_key_has_a_place():
    def find(n: int):
        d = {}
        d[n] = 1
        return d[n + 1]
    with pytest.raises(KeyError) as caught:
        lt.function(find)(7)
    assert caught.value.args == (8,) and any("d[n + 1]" in str(each.statement) for each in caught.traceback)


def test_each_example_of_a_batch_has_its_own():
    def kinds(xs: lt.Tensor[lt.f64, 4]):
        seen = {}
        for x in xs:
            seen[int(x)] = seen.get(int(x), 0.0) + x
        return max(seen.values())
    xs = np.array([[1.0, 2.0, 1.5, 3.0], [4.0, 4.5, 4.25, 0.0]])
    assert np.allclose(lt.vmap(lt.function(kinds))(xs), [kinds(row) for row in xs])


REFUSED = {
    "for k in set(xs): n += k\nreturn n": ("LT0310", "whose order is that of Python's hash table", "sorted"),
    "return list(set(xs))": ("LT0310", "whose order", "sorted"),
    "return str({n})": ("LT0310", "whose order", "sorted"),
    "return min({n, 3}, key=lambda k: k % 2)": ("LT0310", "min by a key goes through a set, whose order", "min(sorted(s), key=…)"),
    "d = {}\nd[lt.ones(3)[n]] = 1\nreturn d": ("LT0310", "is a key of a dict", "float(…)"),
    "d = {0: n}\nreturn d[n / 2]": ("LT0310", "whose keys are int", "one type"),
    "return sum({n / 2, 0.1})": ("LT0310", "whose order is that of Python's hash table", "sorted"),
    "d = {}\nd[n] = 1\nd[n > 2] = 5\nreturn d": ("LT0310", "whose keys are int", "one type"),
    "d = {}\nd[n, 1] = 1\nd[n, 1, 2] = 5\nreturn d": ("LT0310", "whose keys are tuple", "a tuple's length"),
    "d, last = {}, None\nfor x in xs:\n    d[last] = x\n    last = x\nreturn d": ("LT0310", "None, of type None, is a key", "can be"),
    "d, last = collections.Counter(xs), None\nfor x in xs:\n    if x > n: last = x\nreturn d[last]": ("LT0310", "'last' may be None here, and Python takes None", "ask"),
    "d = {n: 1}\nd[n] = 'a'\nreturn d[n]": ("LT0306", "the values of the dict 'd' are int, and str is one of them", "one type"),
    "d = collections.defaultdict(int)\nd[n] += 1\nreturn str(d)": ("LT0310", "the text of a defaultdict", "loop"),
    "d = collections.OrderedDict()\nd[n] = 1\nd.move_to_end(n, last=False)\nreturn list(d)": ("LT0310", "moved to the begin of an OrderedDict", "another dict"),
    "s = {n}\nreturn s.pop()": ("LT0310", "'pop' of a set", "loop"),
    "c = collections.Counter(xs)\nreturn str(c)": ("LT0310", "the text of a Counter", "loop"),
    "return collections.Counter(xs) <= collections.Counter([n])": ("LT0310", "<= of a Counter", "loop"),
    "d = {x: 1 for x in xs}\nfor k, v in zip(d, d.values()): d[k] = v + n\nreturn 0": ("LT0305", "changes while a staged loop goes over it", "list(…)"),
    "d = {x: 1 for x in xs}\nit = iter(d)\nreturn next(it) + next(it)": ("LT0305", "the generator 'it' is gone through once more", "list"),
    "d = {x: 1 for x in xs}\nks, vs = zip(*d.items())\nreturn ks": ("LT0310", "a dict_items is gone through together", "list(…)"),
    "d = {n: 1}\nreturn d.items() != {}.items()": ("LT0310", "== of a dict_items", "loop"),
    "d = {n: 1}\nreturn str(d.values())": ("LT0310", "the text of a dict_values", "loop"),
    "d = {n: 1}\nmatch d:\n  case {2: x}: return x\nreturn 0": ("LT0310", "a pattern asks what is in the dict 'd'", "k in d"),
    "d = collections.deque()\nfor x in xs: d.append(x)\nmatch d:\n  case [a, b]: return a\nreturn 0": ("LT0310", "a pattern asks what is in a deque", "len(d)"),
    "d = {n: 1}\nimport json\nreturn json.dumps(d)": ("LT0310", "dumps is not converted, and takes a dict", "loop"),
    "rows = [{'a': n, 'b': 'x'}, {'a': 2, 'b': 'y'}]\nreturn rows[n]['a']": ("LT0310", "an element of the list 'rows' is chosen", "a list for each key"),
    "GLOBAL[n] = 1\nreturn 1": ("LT0310", "an item of a Python dict is set at 'n'", "memo = {}"),
    "d = {'a': 1, 'b': 'x'}\nif n > 2: d['c'] = 1\nreturn len(d)": ("LT0306", "has the key 'c' on one path", "all its keys"),
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_refused(body):
    if "match " in body and sys.version_info < (3, 10):
        pytest.skip("a match statement is Python 3.10's")
    text = "\n".join("    " + line for line in body.splitlines())
    with pytest.raises(StagingError) as caught:
        Staged(f"import collections\nimport lantern as lt\nGLOBAL = {{}}\ndef f(xs: list[int], n: int):\n{text}\n")
    code, message, hint = REFUSED[body]
    assert caught.value.code == code and message in caught.value.message and hint in caught.value.hint


@pytest.mark.slow
def test_random_programs():
    for first in range(0, many(3), 3):
        wrong, accepted, refused = differences(random_dicts, range(first, first + 3), [(0, 0), (3, 2), (4, 5)])
        assert not wrong, "\n".join(wrong)
        assert accepted >= 1, refused
