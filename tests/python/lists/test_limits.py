"""Arrays and numbers at the limits of their dtypes: integers that wrap around or do not fit, sums of many elements, large logits; and
what is known of sizes, numbers and texts only when the program runs."""
import numpy as np
import pytest
from compiled_table import Table, outcome

import lantern as lt

HEAD = "import lantern as lt\nimport math\nimport numpy as np\n\n\n"
WHOLE = "a: lt.Tensor[lt.i64, None], b: lt.Tensor[lt.i32, None]"
LONG, INT = np.array([2**63 - 1, -2**63, 5]), np.array([2**31 - 1, -2**31, 46341], np.int32)
WRAPS = ["a + 1 > a", "a - 1 < a", "-a < 0", "abs(a) >= 0", "lt.abs(b) < 0", "a * 2 // 2 == a", "a[0] + 1 > a[0]", "a[1] - 1", "-a[1]", "abs(a[1])", "b[0] + 1",
         "b[2] * b[2]", "-b[1]", "abs(b[1]) >= 0", "lt.square(b)", "b * b", "lt.sum(a)", "lt.prod(a)", "lt.cumsum(a)", "a[0] + b[0]", "sum(b)"]
# A number that has to fit beside an array of 32 bits; one that is of an array makes 64 bits of it.
BESIDE = "b: lt.Tensor[lt.i32, None], n: int, x: float, c: lt.Tensor[lt.i64, None], s: lt.Tensor[lt.f32, None], d: lt.Tensor[lt.f64, None]"
FITS = ["x / float(c[0] - c[0])", "x / float(d[0] - d[0]) > 0", "x / float(d[1]) > n", "n // int(c[0] - c[0])", "b + n", "n - b", "b * n", "b // n", "b[0] + n", "b[0] % n", "lt.maximum(b, n)", "lt.clip(b, 0, n)", "b == n", "b < n", "b[0] >= n", "b / n", "b + 3000000000", "b & n",
        "lt.cast(n, 'i32')", "lt.constant(n, 'i32')", "np.int32(n)", "np.array([n, 1], np.int32)", "lt.cast(x, 'i32')", "lt.cast(x, 'i64')", "lt.full((2,), n, 'i32')", "b + c[0]", "c[0] - b", "b < c[0]",
        "lt.maximum(b, c[0])", "lt.where(b > 0, b, c[0])", "s + d[0]", "s < d[0]", "lt.clip(s, d[0], d[1])", "lt.elu(s, d[1])",
        "a = b.copy()\na[0] = n\nreturn a", "a = b.copy()\na[0] = x\nreturn a", "a = b.copy()\na[0] = c[0]\nreturn a", "a = b.copy()\na[0] += c[0]\nreturn a"]
BESIDES = [(np.array([5, -7], np.int32), n, x, np.array([n, 3]), np.array([0.1, 3e38], np.float32), np.array([y, 0.3]))
           for n, x, y in ((3, 2.5, 0.1), (2**40 + 1, 3e10, 1e300), (-2**31, -2.0**31, -1e300), (2**31, np.inf, 0.1 + 1e-9), (-2**62, 1e300, 3e38), (7, np.nan, np.nan))]
MANY = "s: lt.Tensor[lt.f32, None]"
SUMS = ["lt.sum(s)", "lt.sum(s, 0)", "lt.mean(s)", "lt.mean(s, 0)", "lt.norm(s)", "lt.norm(s, 0)", "lt.logsumexp(s)", "lt.sum(lt.reshape(s, 2, len(s) // 2), 1)",
        "lt.mean(lt.reshape(s, 2, len(s) // 2), -1)", "lt.sum(lt.exp(s))"]
LOGITS = ["lt.log_softmax(s)", "lt.cross_entropy(s, 1)", "lt.cross_entropy(lt.reshape(s, 1, 3), lt.constant([2]))", "lt.softmax(s)"]
TEXTS = ["f'{s[0]} {s[1]}'", "str(s[0])", "f'{s[0]!s}'", "f'{s[0]:.3f}'", "f'{lt.sum(s)}'", "f'{lt.cast(0.1 + n, lt.f32)}'",
         *(f"t = s[0]\nfor i in range(n):\n    t = t {op}\nreturn f'{{t}}'" for op in ("* 0.1", "+ 0.1", "- (0.3 - i)", "/ 0.7"))]
SINGLE = np.array([0.1, 3e10, -5e-7], np.float32)
# Of sizes that are known only when the program runs, and of numbers that are.
PARTS = "v: lt.Tensor[lt.f64, None], x: float, n: int"
SPLITS = ["lt.split(v, 2)[1]", "lt.split(v, 3)[2]", "lt.squeeze(v, 0)", "lt.constant(x)", "lt.constant(x) * 3", "lt.constant(n)", "lt.constant([x, 1.0])", "lt.constant([[n, 1], [2, n]])",
          "lt.constant((v[0], x), 'f64')", "lt.constant([v, v])", "lt.constant([n > 2, x > 1])", "lt.constant(x, 'i64')", "lt.stack(x, n)", "lt.stack([x, 1])", "lt.stack(v[0], 2)"]
GROUPS = [("parts", PARTS, SPLITS, [(np.arange(n) + 0.25, 0.1, n) for n in (1, 2, 3, 6)]),
          ("wraps", WHOLE, WRAPS, [(LONG, INT)]), ("fits", BESIDE, FITS, BESIDES), ("sums", MANY, SUMS, [(np.full(1 << 20, 0.1, np.float32),), (np.zeros(0, np.float32),)]),
          ("logits", MANY, LOGITS, [(np.array(each, np.float32),) for each in ([1e6, 1e6, 1e6 - 1], [-1e8, -1e8, 0], [3.0, 1.0, 2.0])]),
          ("rounds", "x: float", ["round(x)", "int(x)", "math.floor(x)"], [(2.5,), (-3.5,), (-0.5,), (np.inf,), (-np.inf,), (np.nan,)]),
          ("searches", "t: str, n: int", ["t in 'abcd'", "t not in 'abcd'", "t in ('a', 'bc')", "1 if t in 'aeiou' else n"],
           [(text, 3) for text in ("", "a", "bc", "ac", "abcd", "abcde", "é")]),
          ("texts", MANY + ", n: int", TEXTS, [(SINGLE, 0), (SINGLE, 3)])]
CASES = {f"{group}_{number}": (formals, text, runs) for group, formals, texts, runs in GROUPS for number, text in enumerate(texts)}


@pytest.fixture(scope="module")
def table():
    bodies = {name: text if "return" in text else f"return {text}" for name, (_, text, _) in CASES.items()}
    return Table(HEAD + "".join(f"def {name}({CASES[name][0]}):\n    " + body.replace("\n", "\n    ") + "\n\n\n" for name, body in bodies.items()), list(CASES))


@pytest.mark.parametrize("name", CASES, ids=[f"{name.partition('_')[0]}: {text}" for name, (_, text, _) in CASES.items()])
def test_result_is_numpys(table, name):
    for arguments in CASES[name][2]:
        with np.errstate(all="ignore"):
            expected, actual = (outcome(of[name], arguments) for of in (table.plain, table.compiled))
        if name.startswith("sums") and len(arguments[0]):
            with np.errstate(all="ignore"):
                expected = table.plain[name](arguments[0].astype(np.float64)).astype(np.float32)
        assert type(expected) is type(actual), (arguments, expected, actual)
        if isinstance(expected, (str, int)):
            assert expected == actual, arguments
            continue
        assert expected.dtype == actual.dtype
        assert np.allclose(expected, actual, rtol=2e-6 if expected.dtype == np.float32 else 1e-15, atol=0, equal_nan=True), (arguments, expected, actual)


def test_sums_are_as_close_with_shorter_packets(processor):
    """Rounding errors of equal elements go one way: the shorter packets are, the more of them each number of a packet would take."""
    @lt.function
    def f(s: lt.Tensor[lt.f32, None]):
        return lt.sum(s), lt.mean(lt.exp(s)), lt.sum(lt.reshape(s, len(s) // 2, 2), 0)

    s = np.full(1 << 20, 0.1, np.float32)
    for expected, actual in zip(f.python_function(s.astype(np.float64)), f(s)):
        assert np.allclose(expected, actual, rtol=2e-6, atol=0)


def test_gradients_go_through_arrays_of_two_dtypes():
    formals = "a: lt.Tensor[lt.f32, None], b: lt.Tensor[lt.f64, None], m: lt.Tensor[lt.f32, None, None]"
    texts = ["lt.exp(a) * b", "lt.exp(m) @ b", "b @ lt.exp(m)", "lt.outer(lt.exp(a), b)", "lt.exp(m) * b", "lt.exp(a) * b[0] * b", "lt.concat(lt.exp(a), b)",
             "lt.where(a > 0, lt.exp(a), b)", "lt.einsum('ij,j->i', lt.exp(m), b)", "lt.stack(lt.exp(a), b)"]
    source = HEAD + "".join(f"def loss_{n}({formals}):\n    return lt.item(lt.sum({text}))\n\n\ndef f_{n}({formals}):\n"
                            f"    return lt.grad(loss_{n}, ('a', 'b', 'm'))(a, b, m)\n\n\n" for n, text in enumerate(texts))
    table = Table(source, [f"f_{n}" for n in range(len(texts))])
    arguments = np.array([0.5, -1, 2], np.float32), np.array([0.25, 2, 3]), np.arange(9, dtype=np.float32).reshape(3, 3) / 8
    for name, text in zip(table.compiled, texts):
        for expected, actual in zip(table.plain[name](*arguments), table.compiled[name](*arguments)):
            assert expected.dtype == actual.dtype and np.allclose(expected, actual, rtol=1e-6, atol=0), text


@pytest.mark.optimised
def test_integers_wrap_around_in_optimised_code():
    @lt.function
    def f(a: lt.Tensor[lt.i64, None], b: lt.Tensor[lt.i32, None]):
        return a + 1 > a, -a < 0, abs(a) >= 0, a[0] + 1 > a[0], b - 1 < b, -b < 0, abs(b) < 0, b[1] - 1 < b[1], abs(b[1]) < 0, b[2] * b[2] >= 0

    with np.errstate(all="ignore"):
        expected = f.python_function(LONG, INT)
    assert all(map(np.array_equal, expected, f(LONG, INT)))


def test_states_that_are_numbers():
    """Their sums wrap around, as those of arrays."""
    count, small = lt.Variable(4, name="count"), lt.Variable(np.array(3, np.int32), name="small")

    def f(n: int):
        before = count - 2
        count.assign(count * 2 + n)
        small.assign(small + 5)
        return before, -count, abs(count), count + 1, 3 - count, small * small, small + n, -small, abs(small - 100)

    compiled = [value.item() for value in lt.function(f)(3)]
    count.assign(4)
    small.assign(np.int32(3))
    assert compiled == [value.item() for value in f(3)] == [2, -11, 11, 12, -8, 64, 11, -8, 92]
