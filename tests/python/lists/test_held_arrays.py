"""Arrays that are changed where they stand in lists: what NumPy gives, and its derivative, or an error that says who else has them."""
import numpy as np
import pytest
from compiled_table import Table, module_of, outcome
from test_array_memory import same
from test_item_gradients import differences

from lantern import types
from lantern.staging import entry
from lantern.staging.errors import StagingError

PRELUDE = '''import numpy as np


@lt.struct
class Kept:
    one: lt.Tensor[lt.f64, 4]


def raised(xs, i, x):
    xs[i] += x


def raise_row(row, x):
    row += x


def raised_again(xs, i, x):
    if i > 0:
        xs[i - 1] += x
        raised_again(xs, i - 1, x * 0.5)
        raised_again(xs, i - 2, x)


def put(xs, a, k):
    if k > 0:
        xs.append(a)
        put(xs, a, k - 1)


def of(xs, k):
    return xs[0] if k <= 0 else of(xs, k - 1)


def new(n, v):
    return [v * i for i in range(n)]


'''
ZEROS = "f = [np.zeros(4) for _ in range(n)]\n"

SAME = {
    "sums": ZEROS + "for i in range(n):\n    for j in range(i + 1): f[j] += v * v * i\nreturn f",
    "of_a_known_number": "f = [np.zeros(4) for _ in range(4)]\nf[n] += v\nf[n] *= v\nf[0] -= 1.0\nreturn f[0] + f[n], f[1]",
    "begun_by_names": "a, b = np.zeros(4), v * 2.0\nf = [a, b]\nfor i in range(n): f[i % 2] += v\nreturn f[0], f[1]",
    "items_and_slices": ZEROS + "for i in range(n):\n    f[i][0] = v[1]\n    f[i][1] += v[2]\n    f[i][2:] = v[0] * v[1]\n    f[i][:] *= 2.0\nreturn f",
    "a_name": ZEROS + "for i in range(n):\n    row = f[i]\n    row += v\n    row[2] = 5.0\n    row *= v\nreturn f",
    "each": "f = [v * i for i in range(n)]\nfor x in f: x *= v\nfor i, x in enumerate(f):\n    f[i] += x + v\nreturn f",
    "each_at_its_number": ZEROS + "s = 0.0\nfor i, x in enumerate(f):\n    x += v * i\n    f[i] *= v\n    s += f[i][0]\nreturn f, s",
    "in_branches": "f = new(n, v)\nfor i in range(n):\n    if i % 2 == 0: f[i] -= v * v\n    else: f[i] = f[i - 1] * 2.0\nf[n - 1] += 1.0\nreturn f",
    "functions": ZEROS + "for i in range(n):\n    raised(f, i, v)\n    raise_row(f[i], 2.0)\nreturn f",
    "recursion": ZEROS + "raised_again(f, n, v)\nraised_again(f, n, 2.0)\nf[0] += v\nreturn f",
    "recursion_within": ZEROS + "def g(k):\n    if k > 0:\n        f[k - 1] += v * k\n        g(k - 1)\ng(n)\nreturn f",
    "known_and_put_into": "f = [v * 1.0, v * 2.0]\nraised(f, n % 2, v)\nraised_again(f, 2, v)\nf.append(v * 3.0)\nraised(f, 2, v)\nreturn f",
    "grown": "f, g = [], []\nfor i in range(n):\n    f.append(v * i)\n    f[-1] += 1.0\n    g.append(f[i] * 1.0)\n    g[i] *= v\nf.extend(new(2, v))\nf[-1] += v\nreturn f, g",
    "copies": ZEROS + "g = [x.copy() for x in f]\nh = [np.ones(4)] + [x * 1.0 for x in f]\nfor i in range(n):\n    f[i] += v\n    h[i] += f[i]\nreturn f, g, h",
    "messages": "h, links = [v * (i + 1.0) for i in range(n)], [(0, n - 1), (n - 1, 0), (0, 0)]\nfor _ in range(2):\n    m = [np.zeros(4) for _ in range(n)]\n"
                "    for i, j in links:\n        m[j] += np.tanh(h[i])\n        m[i][0] += h[j][1] * 0.5\n    for i in range(n): h[i] = np.tanh(h[i] + m[i])\nreturn h",
    "steps": "f = new(n, v)\ndef loss(xs):\n    total = 0.0\n    for x in xs: total += (x * x * v).sum()\n    return total\n"
             "for _ in range(2):\n    g = lt.grad(loss)(f)\n    for x, d in zip(f, g): x -= 0.1 * d\nreturn f",
    "a_name_put_away": "f = [v * 2.0 for _ in range(n)]\na = f[0]\na[0] = 1.0\nreturn a",
    # a list that Python knows holds an array that changes by its own name
    "changed_before_a_branch": "a, b = v.copy(), v * 2.0\nf = [a, b]\nb *= 0.5\nif n > 2: f.append(a * 2.0)\nreturn f",
    "changed_before_a_loop": "a, b = v.copy(), v * 2.0\nf = [a, b]\nb *= 0.5\nfor i in range(n): f.append(a * 2.0)\nreturn f",
    "changed_in_a_tuple": "a, b = v.copy(), v * 2.0\nf = [(a, 1.0), (b, 2.0)]\nb *= 0.5\nif n > 2: f.append((a * 2.0, 3.0))\nreturn [x * y for x, y in f]",
    "none_beside_one": "f = []\nfor x, y in zip(f, [v, v]): f = [x]\nreturn v * n",
}

REFUSED = {     # program → (the line where the error stands, what it says)
    "put_at_two_places": ("a, f = np.zeros(4), []\nfor i in range(n): f.append(a)\nf[0] += v\nreturn f", 3, "may be that of what was put into the list 'f'"),
    "repeated": ("f = [np.zeros(4)] * n\nfor i in range(n): f[i] += v\nreturn f", 2, "what was put into a list"),
    "twice": ("f = [np.zeros(4), np.zeros(4)]\nf = f + f\nf[n - 1] += v\nreturn f", 3, "another place of the list"),
    "put_by_a_recursion": ("f = [v * 2.0]\nput(f, v.copy(), n)\nf[1] += v\nreturn f", 3, "what was put into the list 'f'"),
    "exchanged": ("f = new(n, v)\nf[0] = f[n - 1]\nf[0] += v\nreturn f", 3, "an element of a list"),
    "rows": ("f = [row for row in m]\nf[0] += 1.0\nreturn f", 2, "the caller's argument 'm'"),
    "a_name_of_it": (ZEROS + "a = f[0]\nf[n - 1] += v\nreturn a", 3, "and 'a', which 'f' returns, may share"),
    "what_was_put": ("a = np.zeros(4)\nf = [a, v * 1.0]\nfor i in range(n):\n    f[i % 2] += v\nreturn f, a", 4, "and 'a', which 'f' returns"),
    "the_same_in_another_list": (ZEROS + "g = f[:]\nf[n - 1] += v\nreturn g", 3, "an array in the list 'g', which 'f' returns"),
    "in_a_list_of_lists": (ZEROS + "g = []\ng.append(list(f))\nf[n - 1] += v\nreturn g", 4, "and an array in a list, which 'f' returns"),
    "in_a_list_of_pairs": (ZEROS + "g = []\nfor i in range(n): g.append((i, f[i]))\nf[n - 1] += v\nreturn g", 4, "what was put into the list 'g'"),
    "in_a_structure": (ZEROS + "s = Kept(f[0])\nf[n - 1] += v\nreturn s.one", 3, "what was put into a Kept"),
    "of_a_call": (ZEROS + "a = of(f, n)\nf[0] += v\nreturn a", 3, "and 'a', which 'f' returns"),
    "of_a_call_within_a_call": (ZEROS + "def outer(k):\n    def inner(j): return f[0] if j < 2 else inner(j - 1)\n    return inner(k) if k < 5 else outer(k - 1)\na = outer(n)\nf[0] += v\nreturn a",
                                6, "and 'a', which 'f' returns"),
    "an_array_within_a_call_within_a_call": ("a = v.copy()\ndef outer(k):\n    def inner(j): return a if j < 2 else inner(j - 1)\n    return inner(k) if k < 5 else outer(k - 1)\nb = outer(n)\n"
                                             "a[0] = 5.0\nreturn b", 6, "'a' is set, and 'b', which 'f' returns"),
    "gone_through_beside": ("f = new(n, v)\nfor x in f[:]:\n    last = f[n - 1]\n    last += x\nreturn f", 2, "an array in a list may share memory"),
    "two_arguments": (ZEROS + "a = f[0]\ndef g(k):\n    if k > 0:\n        f[k - 1] += v\n        return g(k - 1) + a[0]\n    return a[1]\nreturn g(n)", 8, "may be, or be in, another argument"),
    "a_row_of_a_table": ("t = [[np.zeros(4) for _ in range(n)] for _ in range(n)]\nt[n - 1][0] += v\nreturn t[0][0]", 2, "an element of a list"),
}


def text_of(name, body):
    return f"def {name}(v: lt.Tensor[lt.f64, 4], m: lt.Tensor[lt.f64, 3, 4], n: int):\n    " + body.replace("\n", "\n    ") + "\n\n\n"


def slope_of(name):
    """The derivative of the sum of the squares of all that a program gives."""
    return f'''def squares_{name}(v: lt.Tensor[lt.f64, 4], m: lt.Tensor[lt.f64, 3, 4], n: int):
    result, total = {name}(v, m, n), 0.0
    for part in result if isinstance(result, tuple) else (result,):
        for x in part if isinstance(part, list) else [part]:
            total += (x * x).sum()
    return total


def slope_{name}(v: lt.Tensor[lt.f64, 4], m: lt.Tensor[lt.f64, 3, 4], n: int):
    return lt.grad(squares_{name}, wrt="v")(v, m, n)


'''


def arguments(n):
    return np.array([1.0, 0.7, -1.2, 0.4]), np.arange(12.0).reshape(3, 4), n


@pytest.fixture(scope="module")
def table():
    source = PRELUDE + "".join(text_of(name, body) + slope_of(name) for name, body in SAME.items())
    return Table(source, [*SAME, *(f"slope_{name}" for name in SAME)])


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("name", SAME)
def test_same(table, name, n):
    expected, actual = outcome(table.plain[name], arguments(n)), outcome(table.compiled[name], arguments(n))
    parts = [x if isinstance(x, (tuple, str)) else (x,) for x in (expected, actual)]
    assert same(*parts) and not isinstance(expected, str), (expected, actual)


@pytest.mark.parametrize("name", SAME)
def test_derivative(table, name):
    expected = differences(lambda *values: vars(table.module)[f"squares_{name}"](*values), list(arguments(3)), 0)
    assert np.allclose(table.compiled[f"slope_{name}"](*arguments(3)), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    body, line, words = REFUSED[name]
    with pytest.raises(StagingError) as caught:
        entry.stage_function(module_of(PRELUDE + text_of("f", body)).f, {"v": types.TensorType("f64", (4,)), "m": types.TensorType("f64", (3, 4)), "n": types.i64})
    error = caught.value
    assert error.code == "LT0317" and words in error.message and error.hint.startswith("NumPy would change both"), str(error)
    assert error.place.line == PRELUDE.count("\n") + 1 + line, str(error)
