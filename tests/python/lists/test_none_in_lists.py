"""Lists whose elements may be None, numbers, strings, arrays or tuples on others' places."""
import none_in_lists_programs
import numpy as np
import pytest
from compiled_table import Table, cases_of, outcome
from staged_source import module_of

import lantern as lt
from lantern.staging.errors import StagingError

CALLS = {
    "comprehension": [(9, 1.5), (0, 1.0)],
    "recursion_with_a_memory": [(11, 0.3), (1, 0.5), (0, 0.5)],
    "coins": [([1, 5, 7], 23), ([5, 7], 3), ([2], 0), ([3, 4], 25)],
    "known_list": [(3,), (5,)],
    "sum_with_none": [(3,), (5,)],
    "methods": [(4,), (6,)],
    "tuples": [(4,), (6,)],
    "part_of_a_tuple": [(4,), (6,)],
    "truth": [(4,), (6,)],
    "ordered_by_a_key": [(4,), (6,)],
    "maxes": [(4,), (6,)],
    "compared": [(4,), (6,)],
    "values_of_what_is_missing": [(4,), (6,)],
    "stacked": [(4,), (6,)],
    "taken_from_the_end": [(4,), (6,)],
    "copies": [(4,), (6,)],
    "gone_through": [(4,), (6,)],
    "field_of_a_named_tuple": [(4,), (6,)],
    "deques": [(4,), (6,)],
    "yields": [(4,), (6,)],
    "grid": [(4,), (6,)],
    "added_to": [(4,), (6,)],
    "two_names": [(4, 1), (6, 3), (3, 2)],
    "changed_by_a_function": [(4, 1), (6, 3), (3, 2)],
    "branchy": [(4, 1), (6, 3), (3, 2)],
    "loopy": [(4, 1), (6, 3), (3, 2)],
    "left_early": [(4, 1), (6, 3), (3, 2)],
    "swaps": [(4, 1), (6, 3), (3, 2)],
    "set_elsewhere": [(4, 1), (6, 3)],
    "none_as_a_place": [(4, 1), (6, 3)],
    "shown": [(4, 1), (6, 3)],
    "of_no_numbers": [(4, 1), (6, 3)],
    "both_kinds": [(4, 1), (6, 3)],
    "no_turns": [(0, 1), (1, 3)],
    "row_that_has_changed": [(2, 0), (3, 1)],
    "nested_none": [(4, 1), (6, 3)],
    "chosen_among_known": [(4, 1), (6, 3)],
    "chosen_among_what_may_be_none": [(4, 1), (6, 3), (4, 0), (5, 2)],
    "tuples_and_none": [(4, 1), (6, 3)],
    "objects": [(4,), (6,)],
}


@pytest.fixture(scope="module")
def table():
    return Table(none_in_lists_programs, list(CALLS))


@pytest.mark.parametrize("name, arguments", cases_of(CALLS))
def test_as_in_python(table, name, arguments):
    got, expected = outcome(table.compiled[name], arguments), outcome(table.plain[name], arguments)
    assert repr(got) == repr(expected)


DIFFERENTIATED = '''
import numpy as np


def recur(n, k, x):
    memo = [None] * (n + 1)
    def f(i):
        if i <= 0:
            return x
        if memo[i] is None:
            a = f(i - 1)
            b = f(i - 2)
            memo[i] = a * x + b
            return memo[i]
        return memo[i] * 1.0
    return f(n) + f(k)


def mutual(n, k, x):
    even_memo = [None] * (n + 1)
    odd_memo = [None] * (n + 1)
    def even(i):
        if i == 0: return x
        v = even_memo[i]
        if v is not None: return v
        v = odd(i - 1) * 1.5 + x
        even_memo[i] = v
        return v
    def odd(i):
        if i == 0: return 0.5
        if odd_memo[i] is not None: return odd_memo[i]
        odd_memo[i] = even(i - 1) * x
        return odd_memo[i]
    return even(n) + odd(n) + even(k)


def reused(n, k, x):
    a = [None] * n
    for i in range(n):
        if i == 0 or a[i - 1] is None:
            a[i] = x * i
        else:
            a[i] = a[i - 1] * x
        if i == k:
            a[i] = None
    t = 0.0
    for i in range(n):
        v = a[i]
        if v is None:
            v = x
        t += v * v
    return t


def arrays(n, k, x):
    hs = [None] * n
    w = np.array([[0.5, 0.2], [0.1, -0.3]])
    for i in range(n):
        left = hs[i - 1] if i > 0 else None
        h = np.array([x, 1.0])
        if left is not None:
            h = h + w @ left
        if i != k:
            hs[i] = np.tanh(h)
    t = 0.0
    for h in hs:
        if h is not None:
            t = t + np.sum(h * h)
    return t


def stackpop(n, k, x):
    stack = [None]
    t = x
    for i in range(n):
        if i % 3 == 2:
            top = stack.pop()
            if top is not None:
                t = t + top * x
        else:
            stack.append(x * i if i != k else None)
    while stack:
        v = stack.pop()
        if v is not None:
            t = t * 0.5 + v
    return t


def all_of_them(n, k, x):
    return recur(n, k, x) + mutual(n, k, x) + reused(n, k, x) + arrays(n, k, x) + stackpop(n, k, x)
'''


def test_gradients():
    f = module_of(DIFFERENTIATED).all_of_them
    compiled = lt.value_and_grad(lt.function(f), wrt="x")
    for n, k, x in [(4, 1, 2.0), (6, 3, 0.5), (1, 0, 1.5), (0, 0, 0.5)]:
        value, gradient = compiled(n, k, x)
        difference = (f(n, k, x + 1e-6) - f(n, k, x - 1e-6)) / 2e-6
        np.testing.assert_allclose(float(value), f(n, k, x), rtol=1e-12)
        np.testing.assert_allclose(float(gradient), difference, rtol=1e-6, atol=1e-6)


def test_what_has_been_asked_of_an_element_is_known():
    """Nothing raises a TypeError any more: neither behind `is None`, nor behind a value that has been put there."""
    text = Table("""
    def f(n: int, k: int):
        a = [None] * n
        if a[k] is None:
            a[k] = n * 1.0
        rows = [[None] * n for _ in range(n)]
        if rows[k][n - 1] is None:
            rows[k][k] = 2.0
        return a[k] + 1.0 if rows[k][k] is None else a[k] * rows[k][k]
    """, ["f"]).text
    assert "TypeError" not in text


@pytest.mark.parametrize("body, code, words", [
    ("a = [None] * n\nfor i in range(n): a[i] = [i]\nreturn a", "LT0306", "begin with [[] for _ in range(n)]"),
    ("a = [(None, i) for i in range(n)]\na[0] = (1.0, n)\nreturn sorted(a)", "LT0310", "key=lambda x"),
    ("a = [None] * n\na[0] = 1.0\nb = [None] * n\nreturn a < b", "LT0310", "compare their elements"),
    ("w = np.ones(2)\nv = w if n > 3 else None\na = [None] * n\na[0] = v\nw[0] = 7.0\nreturn a", "LT0317", "put into the list 'a'"),
    ("w = np.ones(2)\nv = w if n > 3 else None\na = []\nfor i in range(n): a.append((i, v))\nw[0] = 7.0\nreturn a", "LT0317", "put into the list 'a'"),
])
def test_what_is_refused(body, code, words):
    with pytest.raises(StagingError) as caught:
        Table("import numpy as np\n\n\ndef f(n: int):\n" + "".join(f"    {line}\n" for line in body.split("\n")), ["f"])
    assert caught.value.code == code and words in str(caught.value)


def test_a_list_that_is_given_has_no_none():
    def f(xs):
        return len(xs)
    for xs in ([1.0, None], [None, None], [(1, None), (2, None)], [(1, 2.0), (1, None)], (1, None), ((1, 2), (None, 3)), [[None]]):
        with pytest.raises(TypeError, match=f"^argument 'xs': a {type(xs).__name__} that is given has no None among its elements"):
            lt.function(f)(xs)
    def annotated(xs: "list[None | float]"):
        return sum(x for x in xs if x is not None)
    assert lt.function(annotated)([1.5, 2.0]) == 3.5
    with pytest.raises(TypeError, match="^argument 'xs': a list that is given has no None among its elements"):
        lt.function(annotated)([1.5, None])
    with pytest.raises(StagingError) as caught:
        Table("def f(xs: 'list[float | None]', n: int):\n    return n\n", ["f"])
    assert caught.value.code == "LT0311" and "list[float | None]" in str(caught.value)


def test_a_structure_has_no_none_but_where_its_fields_say_so():
    """Python has an error where it computes with that, and the program where the structure is made."""
    table = Table("""
@lt.struct
class Split:
    at: float
    feature: int
    below: "Split | None"


def f(n: int):
    at, feature = None, None
    for i in range(n):
        if i > 1: at, feature = i * 0.5, i
    split = Split(1.5, 2, Split(at, feature, None))
    return split.below.at + split.below.feature
""", ["f"])
    assert table.compiled["f"](4) == table.plain["f"](4) == 4.5
    with pytest.raises(TypeError, match="field 'at' of Split is float, and is given None"):
        table.compiled["f"](2)


def test_a_row_is_gone_through_as_it_stands_there():
    def f(n):
        a = [[None] * n for _ in range(n)]
        row = a[1]
        for i in range(n):
            a[1][i // 2] = 5.0 * i
        return [v is None for v in row], sum(0 if v is None else v for v in row)
    compiled = lt.function(f)
    for n in (2, 3, 5):
        assert compiled(n) == f(n)
