"""Several names of one array, written to through one of them: what NumPy gives, or an error that names both."""
import numpy as np
import pytest
from compiled_table import Table, module_of, outcome

import lantern as lt
from lantern import types
from lantern.staging import entry
from lantern.staging.errors import StagingError

KINDS = {"v": types.TensorType("f64", (4,)), "m": types.TensorType("f64", (2, 3)), "n": types.i64}
PRELUDE = '''import copy
import numpy as np

WEIGHTS = np.ones(4)


@lt.struct
class Pair:
    one: lt.Tensor[lt.f64, 4]
    number: float


class Box:
    pass


def filled(a, i, n):
    if i < n:
        a[i] = i * 2.0
        return filled(a, i + 1, n)
    return a


def fill(a, i, n):
    if i < n:
        a[i] = i * 2.0
        fill(a, i + 1, n)


def either(a, b, n):
    if n > 1:
        return a
    return b * 2


def changed_first(a, b, n):
    if n > 1:
        a[0] = 1.0
    return b


def put(xs, a, n):
    if n > 1:
        xs.append(a)


def alternating(a, b, n):
    if n < 1:
        return a, b
    a[n] = 1.0
    return alternating(b, a, n - 1)


def table(n):
    if n == 0:
        return v_of(4.0)
    out = table(n - 1)
    out[n] = n
    return out


def v_of(x):
    return lt.full((4,), x, dtype=lt.f64).copy()


def scaled(w, x):
    if x > 0:
        return x * w[0]
    return x


'''

SAME = {
    "a_view_of_its_own_change": "b = v.copy()\nc = b[1:]\nc[0] = 5.0\nreturn c",
    "in_place": "b = v.copy()\nb += 1.0\nb[1:] += b[:-1]\nb[0] *= n\nreturn b",
    "rows": "m = m.copy()\nm[0] += 1.0\nm[:, 1] *= 2.0\nr = m[1].copy()\nr[0] = 9.0\nreturn m, r",
    "a_loop": "out = v_of(0.0)\nfor i in range(n): out[i] = v[i] + i\nreturn out",
    "two_loops": "out, s = (m * 0.0), v.copy()\nfor i in range(n - 1):\n    for j in range(n):\n        out[i, j] = s[i] * j\n"
                 "        s[j] = out[i, j] + 1\n    s += 1.0\nreturn out, s",
    "swapped_in_a_loop": "a, b = v.copy(), v * 2\nfor i in range(n):\n    a[i] = b[0] + 1\n    b[i] = a[0]\n    a, b = b, a\nreturn a, b",
    "in_a_while": "a, i = v.copy(), 0\nwhile i < n:\n    a[i] += a[i] * 2\n    i += 1\nreturn a",
    "in_one_branch": "a = v.copy()\nb = a\nif n > 1: a[0] = 3.0\nreturn a",
    "own_in_one_branch": "a = v\nif n > 1:\n    a = v.copy()\n    a[0] = 4.0\nreturn a",
    "the_last_of_each_turn": "p, c = v.copy(), v.copy()\nfor i in range(n):\n    c[i] = p[i] + 1\n    p = c\nreturn p",
    "kept_by_a_list_in_each_turn": "xs = []\nfor i in range(n):\n    out = v.copy()\n    out[i] = 7.0\n    xs.append(out)\nreturn lt.stack(xs)",
    "recursion_that_returns_it": "a = filled(v.copy(), 0, n)\na[0] += 1\nreturn a",
    "recursion_that_makes_it": "return table(n)",
    "two_arguments_in_turn": "return alternating(v.copy(), v * 2, n)",
    "a_result_of_its_own": "a = v.copy()\nb = either(a * 1, a, n)\nb[0] = 9.0\nreturn a, b",
    "a_closure_sees_it": "a = v.copy()\ndef g(k): return a[0] + g(k - 1) if k > 0 else 0.0\ns = g(n)\na[0] = 7.0\nreturn s + g(n)",
    "copies": "a, b, c = np.copy(v), copy.copy(v), +v\na[0], b[0], c[0] = 1.0, 2.0, 3.0\nreturn a, b, c, v",
    "an_attribute": "box = Box()\nbox.a = v.copy()\nbox.a += 1.0\nb = box.a\nb[0] = 3.0\nbox.a = b\nreturn box.a",
    "elements_of_a_known_list": "xs = [v.copy(), v.copy()]\nxs[0] += 1.0\nreturn xs[0], xs[1]",
    "numpys_own_that_changes": "w = np.zeros(4)\ny = v + w\nw[1] = 2.0\nreturn y + w",
    "numpys_own_as_an_argument": "w = np.ones(4)\ny = scaled(w, v[0])\nw[0] = 2.0\nreturn y + scaled(w, v[0])",
    "numpys_own_in_a_closure": "w = np.ones(4)\ndef g(x): return scaled(w, x) if x > 0 else x\ny = g(v[0])\nw[0] = 2.0\nreturn y + g(v[0])",
    "numpys_own_in_each_turn": "a, b = v, v\nfor i in range(n):\n    b = a\n    a = np.sqrt(np.ones(4) + 3.0)[::-1]\nreturn a, b",
    "numpys_own_in_a_while": "a, i = v, 0\nwhile i < n:\n    a = lt.tanh(np.arange(4.0))\n    i += 1\nreturn a",
    "numpys_filled": "w, k = np.zeros((2, 4)), 0\nwhile k < n:\n    w[k % 2] += v * k\n    k += 1\nreturn w, w[0]",
    "numpys_in_place": "w = np.zeros(4)\nfor i in range(n): w += v * i\nreturn w",
    "numpys_at_a_place": "w, k = np.zeros(4, dtype=int), np.ones(4, np.float32)\nw[n] = 2\nk[1:] = v[0]\nreturn w, k",
    "numpys_in_one_branch": "w = np.array([1.0, 2.0, 3.0])\nif n > 2: w[1] = v[0]\nreturn w",
    "numpys_through_a_call": "w = np.zeros(4)\nw = filled(w, 0, n)\nreturn w + filled(np.arange(4.0), 0, n)",
    "numpys_swapped": "a, b = np.zeros(4), np.full(4, 2.0)\na[0], b[0] = v[0], n\na, b = b, a\na[1] = 5.0\nreturn a, b",
    "numpys_known_and_filled": "t, w = np.array([2, 0, 1]), np.empty(4)\nw[:] = v\nfor i in t: w[i] = v[i] * 2\nreturn w if t[0] == 2 else v",
    "numpys_of_a_staged_size": "w = np.empty((n + 1, 2))\nfor i in range(n + 1): w[i, 0], w[i, 1] = v[0] * i, i\nreturn w",
    "numpys_like_another": "w = np.empty_like(v)\nfor i in range(4): w[i] = v[-i]\nreturn w",
    "numpys_in_a_recursion": "def g(k, w):\n    if k == 0: return w\n    w = w.copy()\n    w[k] += v[0]\n    return g(k - 1, w)\nreturn g(n, np.zeros(4))",
    "in_a_closure": "a = v.copy()\ndef g(k):\n    b = a\n    b[0] = k * 1.0\n    return b[0] if k > 0 else 0.0\nreturn g(n)",
    "the_first_rows_copy": "a = m[0].copy()\na[0] = 5.0\nreturn a, m",
    "written_two_names": "a = v.copy()\nb = a\na[0] = 5.0\nreturn b",
    "written_two_names_read": "a = v.copy()\nb = a\na[0] = 5.0\nreturn b[0] + n",
    "written_a_view": "a = v.copy()\nb = a[1:]\na[1] = 5.0\nreturn b",
    "written_of_a_view": "a = v.copy()\nb = a[1:]\nb[0] = 5.0\nreturn a",
    "written_of_a_row": "m = m.copy()\nr = m[0]\nr[1] = 2.0\nreturn m",
    "written_a_turned_view": "m = m.copy()\nt = m.T\nm[0, 1] = 2.0\nreturn t",
    "written_in_place": "a = v.copy()\nb = a\nb += 1.0\nreturn a",
    "written_an_element_of_a_list": "a = v.copy()\nxs = [a]\na[0] = 1.0\nreturn xs[0]",
    "written_in_a_loop": "a = v.copy()\nb = a\nfor i in range(n): a[i] = b[0]\nreturn a",
    "written_while_it_is_gone_through": "a, s = v.copy(), 0.0\nfor x in a:\n    a[3] = 9.0\n    s += x\nreturn s",
    "written_in_one_branch": "a = v.copy()\nb = a\nif n > 1: a[0] = 5.0\nreturn b",
    "written_in_a_closure": "a = v.copy()\ndef g(k):\n    b = a\n    b[0] = k * 1.0\n    return b[0] if k > 0 else 0.0\nreturn g(n) + a[0]",
    "written_an_attribute": "box = Box()\nbox.a = v.copy()\nb = box.a\nb[0] = 3.0\nreturn box.a",
    "written_numpys_filled": "a = np.zeros(4)\nb = a\na += v\nreturn b",
    "written_a_row_of_numpys": "a = np.zeros((2, 4))\nb = a[0]\nb[1] = v[0]\nreturn a",
    "written_numpys_in_one_list": "xs = [np.zeros(4)] * 2\na = xs[0]\na[0] = v[0]\nreturn xs[1]",
    "turned_in_place": "w = np.zeros((2, 3)) * v[0]\nw.T[0] = n\nw.T[n % 3, 1] += 2.0\nreturn w",
    "a_row_that_is_unpacked": "m = m.copy()\nx, y = m\nx += y\ny[0] = x[1]\nreturn m",
    "an_element_of_a_display": "a, b = v.copy(), v * 2\nxs = [a, b]\nxs[0][1] = 5.0\nfor x in xs: x += n\nreturn a, b, xs[0]",
    "rows_backwards": "m = m.copy()\nfor r in reversed(m): r *= n\nreturn m",
    "rows_and_a_break": "m = m.copy()\nfor r in m:\n    if r[0] > 1.0: break\n    r += v[:3]\n    if r[1] > 4.0: continue\n    r[2] = 0.0\nreturn m",
    "rows_and_a_return": "m = m.copy()\nfor i, r in enumerate(m):\n    r += v[1:]\n    if i + 1 == n: return m, r.sum()\nreturn m, 0.0",
    "rows_of_two_that_swap": "a, b = m.copy(), m * 2\nfor i in range(n):\n    r = a[0]\n    r += 1.0\n    a, b = b, a\nreturn a, b",
    "what_is_no_view": "m = m.copy()\nr = m[n - 2]\nr[r > 1.0] = 7.0\nb, c, d = m[[0, 1]], m[m > 2.0], m[0].astype(float)\nb += 1.0\nc += 1.0\nd += 1.0\nreturn m, b, c, d",
    "turned_and_flattened": "w = np.zeros((2, 3))\nw += m\nf = w.T.copy().reshape(-1)\nf[n] = 9.0\ng = w.reshape(3, 2)\ng[1] = v[:2]\nreturn w, f, g",
    "the_array_itself_again": "a = v.copy()\nb = np.asarray(a)\nb[n] = 9.0\nreturn a",
    "a_closure_reads_before_and_behind": "m = m.copy()\ndef g(k): return m.sum() + k\nr = m[1]\ns = g(n)\nr += 1.0\ns += g(n)\nr[0] = v[0]\nreturn s + g(n), m",
    "all_of_another": "a = np.zeros(4)\na[0] = v[0]\nb = v.copy()\nb[:] = a\na[0] = 1.0\nc = b\nc[:] = a\na[1] = 3.0\nreturn a, b, c",
    "by_a_callee": "def g(r, x):\n    r[1] = x\n    r += x\nm = m.copy()\ng(m[1], v[0])\ng(m[n - 2], v[1])\nreturn m",
    "another_name_in_a_closure": "m = m.copy()\ndef g(k):\n    b = m\n    c, d = b[1], b.copy()\n    return b[0, 0] + c[1] + d[1, 1] + k\ns, r = g(n), m[0]\nr += 1.0\ns += g(n)\nm[1] = v[1:]\nreturn s + g(n), m",
    "by_a_callee_that_goes_through_it": "def g(a, x):\n    for r in a: r *= x\n    return a\nm = m.copy()\nb = g(m, n + 1.0)\nb[0, 0] = 9.0\nreturn m, b",
    "by_a_callee_that_returns_a_number": "def g(a):\n    left = a[:2]\n    left *= 0.5\n    return a.sum()\na = v.copy()\ns = g(a) + g(v * 2.0)\nreturn a, s",
    "three_axes": "a = np.zeros((2, 3, 4))\np = a[n % 2]\nr = p[1]\nr += v\np[2, 1] = 5.0\nfor q in a:\n    for r in q: r[0] += 1.0\nc = a[:, 1]\nc *= 2.0\nt = a.transpose(2, 0, 1)\nt[3] = 9.0\nreturn a",
    "views_in_a_list_and_a_dict": "m = m.copy()\nxs = [m[i] for i in range(2)]\nxs[1] += 1.0\nxs[0][2] = 5.0\nd = {'w': m, 'b': m[0]}\nd['w'] += 1.0\nd['b'][0] = 3.0\nfor part in [m[:1], m[1:]]: part *= 2.0\nreturn m, xs[1], d['w']",
    "a_view_of_an_attribute": "box = Box()\nbox.a = m.copy()\nw = box.a\nw[0] += 1.0\nbox.a[1, 1] = 4.0\nreturn box.a, w",
    "whole_numbers": "a = np.zeros((3, 4), dtype=int)\nr = a[n - 1]\nr[1] = n\nr += 2\nreturn a, r",
    "what_lt_makes": "a = lt.zeros(3, 4, dtype=lt.f64)\nf = a.reshape(2, 6)\nf[1] = n\ng, h = lt.cast(a, lt.f64), v.copy()\nk = lt.cast(h, lt.f64)\nh[0] = 5.0\nreturn a, f, g, h",
    "of_a_place_out_of_range_of_a_view": "a = v.copy()\ntop = a[:n + 1]\ntop[n] = 9.0\ntop += 1.0\nreturn a, top",
    "in_a_closure_that_calls_itself": "a = v.copy()\ndef g(k):\n    b = a\n    b[0] = k * 1.0\n    return b[0] if k <= 0 else g(k - 1)\nreturn g(n), a",
    "a_table_of_a_recursion": "t = np.full((n + 2, n + 2), -1.0)\ndef g(i, j):\n    if i == 0 or j == 0: return v[i]\n    if t[i, j] < 0.0: t[i, j] = g(i - 1, j) + g(i, j - 1)\n    return t[i, j]\na = g(n, n), t[n], t[n].copy()\nt[1] = 0.5\nreturn *a, g(n, n), g(n, 1), t",
    "views_in_a_recursion": "m = m.copy()\nr, w = m[1], v.copy()\ndef g(k):\n    w[k] += r[0]\n    for i in range(k): r[i] *= 2.0\n    for q in m: q += w[0]\n    if k > 0: g(k - 1)\n    m[0][1] = w[k]\n    w[:k] *= 0.5\ng(n - 1)\nif n > 1: g(0)\nreturn m, r, w",
    "arrays_of_a_recursion_in_a_list": "xs = [np.zeros(4), v.copy()]\ndef see(k): return xs[1][k] + 1.0\ndef g(k):\n    xs[0][k] = see(k)\n    xs[1][0] += xs[0][k]\n    if k > 0: g(k - 1)\n    xs[0][0] += see(0)\ng(n)\nreturn xs[0], xs[1]",
    "an_attribute_in_a_recursion": "box = Box()\nbox.a = v.copy()\nw = box.a\ndef g(o, k):\n    o.a[k] *= 2.0\n    if k > 0: g(o, k - 1)\n    o.a[0] += k\ng(box, n)\ng(box, 1)\nreturn box.a, w",
    "each_by_the_other": "a = v.copy()\ndef even(k):\n    if k == 0: return 1.0\n    a[k] = odd(k - 1) * 2.0\n    return a[k]\ndef odd(k):\n    if k == 0: return 0.5\n    a[k] = a[k] + even(k - 1)\n    return a[k]\nreturn even(n), a",
    "numpys_own_in_a_recursion": "a, k, label = np.zeros(3), np.zeros((2, 2), dtype=int), -np.ones(4, dtype=int)\ndef g(i):\n    a[1] += 5.0\n    k[1, 0] -= 3\n    if label[i] < 0: label[i] = 7\n    if i > 0: g(i - 1)\ng(n)\nreturn a, k, label",
    "numpys_own_where_it_may_not_come": "a, b, c = np.zeros(3), 2 * np.ones(3), np.arange(3)\ndef g(): a[1] += 5.0\nif n > 1:\n    a[0] = 1.0\n    g()\nfor i in range(n):\n    b[0] = 4.0\n    g()\nwhile c[0] < n:\n    c[0] += 1\n    c[1] = 7\nreturn a, b, c",
    "given_to_a_recursion": "a = np.zeros(4)\ndef g(out, k):\n    out[k] += v[k]\n    if k > 0:\n        g(out, k - 1)\n        out[0] += out[k]\n    if k > 1: g(out, k - 2)\ng(a, n)\ng(a, 1)\nb = v.copy()\ng(b, n)\nreturn a, b",
    "given_to_recursions_of_each_other": "a = np.zeros(4)\ndef even(out, k):\n    out[k] += v[0]\n    if k > 0: odd(out, k - 1)\n    out[0] += 1.0\ndef odd(out, k):\n    out[k] *= 2.0\n    if k > 0: even(out, k - 1)\n    out[1] += out[0]\neven(a, n)\nreturn a",
    "a_table_given_to_a_recursion": "def g(k, memo):\n    if k < 2: return 1.0\n    if memo[k] == 0.0: memo[k] = g(k - 1, memo) + v[0] * g(k - 2, memo)\n    return memo[k]\nm = np.zeros(9)\nreturn g(n, m), m",
    "given_within_a_function_and_loops": "def rec(k, out, x):\n    if k > 0:\n        out[k] += x * k\n        rec(k - 1, out, x)\n        out[0] += out[k]\ndef fill(out, x): rec(n, out, x)\ntotal = 0.0\nfor x in v:\n    a, b = np.zeros(4), np.ones(4)\n    fill(a, x)\n    rec(n, b, x)\n    total += a[0] * b[0]\nreturn total",
    "a_callees": "a = v.copy()\nfill(a, 0, n)\nreturn a",
    "a_callees_argument": "a = v.copy()\nb = filled(a, 0, n)\nreturn a, b",
    "given_to_a_recursion_of_its_own": "a = v.copy()\ndef g(k, a):\n    a[0] = k * 1.0\n    if k > 0: g(k - 1, a)\ng(n, a)\nreturn a",
    "perhaps_given_to_a_recursion": "def g(a, k):\n    a[k] += 1.0\n    if k > 0: g(a, k - 1)\nb = v.copy() if n > 1 else v * 2\ng(b, n)\nreturn b, v",
    "of_other_sizes_in_a_list": "xs, a, total = [], v.copy(), 0.0\nfor i in range(n):\n    xs.append(a)\n    a = a[1:] * 2.0\nfor x in xs: total += x.sum()\nreturn total, len(xs)",
    "of_other_sizes_in_a_while": "xs, a, k = [], v.copy(), n\nwhile k > 0:\n    xs.insert(0, np.concatenate([a, a]))\n    a = a[::2]\n    k -= 1\nreturn [x for x in xs][-1].sum() if xs else 0.0, len(xs)",
    "numpys_own_of_an_operator": "a = v.copy()\nfor i in range(n): a = np.ones(4) * 2.0\na[0] = 1.0\nreturn a",
    "numpys_own_in_place_on_a_path": "a, c = np.zeros(4), -np.ones(4)\nfor i in range(n):\n    if v[i] > 0: a += 1.0\n    c += a * v\n    c *= 2\n    a[1:3] -= 0.5\nreturn a, c",
    "in_turns_and_branches": "total = 0.0\nfor i in range(n):\n    a = np.full(4, float(i))\n    def g(k):\n        if k > 0:\n            if k % 2 == 0: a[k] = k * 1.0 + g(k - 1)\n            else: a[k - 1] += g(k - 1)\n        return a[k]\n    if i > 0: total += g(i)\n    total += a.sum()\nreturn total",
}

REFUSED = {     # program → (the line where the error stands, what it says)
    "of_the_callers": ("v[0] = 1.0\nreturn v", 1, "the caller's argument 'v'"),
    "in_place_of_the_callers": ("v += 1.0\nreturn v", 1, "the caller's argument 'v'"),
    "a_row_of_the_callers": ("r = m[0]\nr[1] = 2.0\nreturn r", 2, "the caller's argument 'm'"),
    "perhaps_the_callers": ("a = v.copy()\nb = a if n > 5 else v\nb[0] = 1.0\nreturn b", 3, "the caller's argument 'v'"),
    "kept_by_a_list": ("a = v.copy()\nxs = []\nfor i in range(n):\n    a[i] = 7.0\n    xs.append(a)\nreturn xs[0]", 5, "an array in the list 'xs' may share memory that has changed: an item of 'a' is set"),
    "read_from_a_list": ("xs = []\nfor i in range(n): xs.append((v * i, i))\na = xs[0][0]\na[0] = 1.0\nreturn a", 4, "an element of a list"),
    "kept_by_a_structure": ("a = v.copy()\np = Pair(a, 1.0)\na[0] = 1.0\nreturn p.one", 3, "what was put into a Pair"),
    "read_from_a_field": ("p = Pair(v.copy(), 1.0)\na = p.one\na[0] = 1.0\nreturn a", 3, "the field 'one'"),
    "a_callees_of_the_callers": ("return filled(v, 0, n)", 1, "'v' is changed by 'filled'"),
    "a_callees_other_argument": ("a = v.copy()\nreturn changed_first(a, a, n)", 2, "another argument, 'a'"),
    "a_callees_result": ("a = v.copy()\nb = either(a, a, n)\nb[0] = 9.0\nreturn a", 3, "'b' is set, and 'a'"),
    "a_callees_list": ("a, xs = v.copy(), []\nput(xs, a, n)\na[0] = 2.0\nreturn a, xs", 3, "'a' is set, and an array in the list 'xs'"),
    "perhaps_in_a_recursion": ("a = v.copy()\nb = a if n > 1 else v\ndef g(k):\n    a[0] = 5.0\n    return b[0] if k <= 0 else g(k - 1)\nreturn g(n)", 5, "an item of 'a' is set"),
    "perhaps_behind_a_recursion": ("a = v.copy()\nb = a if n > 1 else v\ndef g(k):\n    a[0] = 5.0\n    return k if k <= 0 else g(k - 1)\nreturn g(n), b", 4, "'a' is changed by 'g'"),
    "a_recursions_result": ("a = v.copy()\ndef g(k):\n    a[0] += 5.0\n    return a if k <= 0 else g(k - 1)\nb = g(n)\na[1] = 2.0\nreturn b", 6, "'a' is set, and 'b'"),
    "a_recursions_list": ("a, xs = v.copy(), []\ndef g(k):\n    a[0] += 5.0\n    if k <= 0: return\n    xs.append(a)\n    g(k - 1)\ng(n)\nreturn xs", 6, "put into the list 'xs'"),
    "of_the_caller_in_a_recursion": ("def g(k):\n    v[0] = 5.0\n    if k > 0: g(k - 1)\ng(n)\nreturn v", 2, "the caller's argument 'v'"),
    "in_a_recursion": ("def g(a, k):\n    if k <= 0: return a\n    r = a[1:]\n    r += 1.0\n    return g(a, k - 1)\nreturn g(v.copy(), n)", 5, "'a' may share memory that has changed: 'r'"),
    "one_of_two_rows": ("m = m.copy()\nr = m[0] if n > 1 else m[1]\nr += 1.0\nreturn m", 3, "'r' is changed by +=, and 'm'"),
    "turned_and_in_another_order": ("w = (m * v[0]).T + 1.0\nf = w.reshape(-1)\nf[0] = 9.0\nreturn w", 3, "'f' is set, and 'w'"),
    "behind_the_loop": ("m = m.copy()\nr = v[1:].copy()\nfor r in m: r += 1.0\nr[0] = 5.0\nreturn m", 4, "'r' is set, and 'm'"),
    "of_a_closures": ("a = v.copy()\ndef g(k): return a[1:] if k > 0 else a[:3]\nb = g(n)\nb[0] = 9.0\nreturn a", 4, "'b' is set, and 'a'"),
    "captured_by_a_closure": ("a = v.copy()\ndef g(k): return a if k > 0 else v * 2\na[0] = 1.0\nb = g(n)\na[1] = 2.0\nreturn b", 5, "'a' is set, and 'b'"),
    "perhaps_numpys_own": ("a, b = np.zeros(4), np.zeros(4)\nw = a if n > 5 else b\nw[0] = 1.0\nreturn a + v, b + v", 4, "'a' may share memory that has changed: an item of 'w'"),
    "made_of_numpys_own": ("a = np.zeros(4)\nb = a if n > 1 else v\na[0] = 2.0\nreturn b", 3, "a NumPy array is changed, and 'b'"),
    "numpys_own_in_a_list": ("a = np.zeros(4)\nxs = [a]\nfor i in range(n): xs.append(a)\na[0] = 1.0\nreturn xs[1]", 4, "put into the list 'xs'"),
}


def text_of(name, body):
    return f"def {name}(v: lt.Tensor[lt.f64, 4], m: lt.Tensor[lt.f64, 2, 3], n: int):\n    " + body.replace("\n", "\n    ") + "\n\n\n"


def arguments(n):
    return np.array([1.0, 2.0, 3.0, 4.0]), np.arange(6.0).reshape(2, 3), n


@pytest.fixture(scope="module")
def table():
    return Table(PRELUDE + "".join(text_of(name, body) for name, body in SAME.items()), list(SAME))


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("name", SAME)
def test_same(table, name, n):
    expected, actual = outcome(table.plain[name], arguments(n)), outcome(table.compiled[name], arguments(n))
    for one, other in zip(*[(x if isinstance(x, tuple) else (x,)) for x in (expected, actual)]):
        assert not isinstance(one, str) and np.array_equal(one, other), (expected, actual)


def refusal(body):
    with pytest.raises(StagingError) as caught:
        entry.stage_function(module_of(PRELUDE + text_of("f", body)).f, KINDS)
    return caught.value


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    body, line, words = REFUSED[name]
    error = refusal(body)
    assert error.code == "LT0317" and words in error.message and error.hint.startswith("NumPy would change both"), str(error)
    assert error.place.line == PRELUDE.count("\n") + 1 + line, str(error)


def test_the_whole_text():
    first = PRELUDE.count("\n") + 1
    error = refusal("a = v.copy()\nb = a if n > 1 else v * 2\na[0] = 5.0\nreturn b[0] + n")
    file = error.place.file
    assert str(error) == (
        f"{file}:{first + 4}:12: error LT0317: 'b' may share memory that has changed: an item of 'a' is set at {file}:{first + 3}:5\n"
        "      return b[0] + n\n"
        "             ^\n"
        f"  note: {file}:{first + 2}:9: 'b' has been this array since here\n"
        "  hint: NumPy would change both: make a copy where they part, b = b.copy()")


def test_what_python_would_change_itself():
    """A NumPy array that is known while staging cannot hold what is not, where nothing in the function has made it."""
    for body in ("a = WEIGHTS\na[0] = v[1]\nreturn a", "a = WEIGHTS[1:]\na[n] = 1.0\nreturn a", "a = np.zeros(4, complex)\na += v\nreturn a"):
        error = refusal(body)
        assert error.code == "LT0310" and error.hint == "go on with a staged copy: a = lt.constant(a).copy()"


def test_the_derivative_through_one_of_numpys():
    function = module_of("""
    import numpy as np

    def root(a):
        # of a positive definite matrix, by Cholesky
        n = len(a)
        l = np.zeros((n, n))
        for i in range(n):
            for j in range(i + 1):
                s = a[i, j] - l[i, :j] @ l[j, :j]
                l[i, j] = s ** 0.5 if i == j else s / l[j, j]
        return np.sum(l * np.cos(l))
    """).root
    a, step = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -0.2], [0.5, -0.2, 2.0]]), 1e-6
    moved = [np.array([[step * (k == (i, j)) for j in range(3)] for i in range(3)]) for k in np.ndindex(3, 3)]
    expected = [(function(a + d) - function(a - d)) / (2 * step) for d in moved]
    value, gradient = lt.value_and_grad(lt.function(function), wrt="a")(a)
    assert value == pytest.approx(function(a)) and gradient.ravel() == pytest.approx(np.array(expected), abs=1e-7)


def test_code_that_is_not_converted():
    for body, words in (("def g(a): a += 1.0", "in place"), ("def g(a): a[0] = 1.0", "an item of it is set")):
        with pytest.raises(StagingError) as caught:
            entry.stage_function(module_of(
                f"@ag.do_not_convert\n{body}\n\ndef f(v, m, n):\n    a = v.copy()\n    g(a)\n    return a\n").f, KINDS)
        assert caught.value.code == "LT0303" and words in caught.value.message
