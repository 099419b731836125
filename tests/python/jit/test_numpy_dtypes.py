"""What NumPy's functions give of whole numbers of 32 bits, of bools and f32, and of -0.0: the dtype, and the value where it does not fit in the next smaller one."""
import pathlib
import sys
import warnings

import numpy as np
import pytest

import lantern as lt
from lantern.staging.errors import StagingError

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "staging"))
from staged_source import module_of  # noqa: E402

LARGE = 2**31 - 1
OF_I32 = (np.array([LARGE, -2, LARGE], np.int32), np.array([2, LARGE, 1], np.int32), np.array([[LARGE, 0, 2], [3, LARGE, 5]], np.int32), -2.5, 3)
OF_I64 = (np.array([2**63 - 1, 2, 3]), np.array([2, -1, 1]), np.array([[1, 0, 2], [3, 4, 5]]), -2.5, 3)
OF_BOOL = (np.array([True, False, True]), np.array([True, True, True]), np.array([[True, False, True], [True, True, True]]), -2.5, 3)
OF_F32 = (np.array([1.5, -0.0, 4], np.float32), np.array([2, -1.5, 1], np.float32), np.array([[1.5, 0, 2], [3, 4, 5]], np.float32), -2.5, 3)
OF_F64 = (np.array([1.5, -0.0, 4]), np.array([2, -1.5, 1]), np.array([[1.5, 0, 2], [3, 4, 5]]), -2.5, 3)
OF_NANS = (np.array([np.nan, -0.0, np.inf]), np.array([0.5, -1.0, np.inf]), np.array([[np.nan, np.nan, -1.0], [np.nan, -np.inf, 1e-300]]), -2.5, 3)
ZEROS = np.array([-0.0, 0.0, 1.0, -1.0, np.nan] * 4)
OF_ZEROS = (ZEROS, -ZEROS, np.outer(ZEROS[:3], ZEROS[:4]), -2.5, 3)

GROUPS = {
    "reductions": ([*(f"np.{name}({x})" for name in ("sum", "prod", "cumsum", "cumprod") for x in ("v", "v, dtype=np.int32", "v, dtype=np.float32", "v, dtype=bool")),
                    *(f"m.{name}(axis=0, dtype=np.int32, keepdims=True)" for name in ("sum", "prod")), "np.cumprod(m, axis=1)", "np.add.reduce(v, dtype=np.int32)",
                    "np.sum(m, where=m > 1, dtype=np.int32)", "np.mean(v, dtype=np.float32)", "np.var(m, axis=0, dtype=np.float32)", "np.trace(m, dtype=np.int32)", "m.trace()",
                    "np.nanmean(v)", "np.mean(m, axis=1, where=m > 0)"],
                   {"i32": OF_I32, "i64": OF_I64, "bool": OF_BOOL, "f32": OF_F32}),
    "products": (["np.einsum('i->', v)", "np.einsum('ij->j', m)", "np.einsum('i,i', v, w)", "np.einsum('i,i', v, v > 0)", "np.einsum('i,j->', v, np.arange(3))", "np.einsum('ij,kj->ik', m, m)",
                  "np.tensordot(m, m)", "lt.einsum('ij->i', m)"],
                 {"i32": OF_I32, "bool": OF_BOOL, "f32": OF_F32}),
    "samples": (["np.convolve(v, w)", "np.convolve(v, w[:2], 'same')", "np.correlate(v, w[:2], 'full')", "np.convolve(v, [1, 2])", "np.convolve(v, [1.0, 2])", "np.quantile(v, 0.3)", "np.percentile(v, 80)"],
                {"i32": OF_I32, "f32": OF_F32}),
    "ellipses": (["np.einsum('...i,...i', m, m)", "np.einsum('...i,...i->...', m, v)", "np.einsum('...,...->...', m, v)", "np.einsum('i...->...i', m)", "np.einsum('...->...', v)",
                  "np.einsum('...ij,jk->...ik', np.stack([m, m]), m.T)", "np.einsum('...ij,...jk', np.stack([m, m]), m.T)", "np.einsum('...i,...i->...', m, m[:1])",
                  "np.einsum('...i,...j->...ij', m, m[:1])", "np.einsum('i,...', v, n)", "np.einsum('a...,...->...a', m, v)"],
                 {"i64": OF_I64, "f64": OF_F64}),
    "of_floats": ([*(f"np.copysign({x})" for x in ("v, w", "v, 2", "v, -2.0", "v, np.array([-2.0, 1.0, 0.0])", "v, np.array([-2, 1, 0])", "2, v", "-2.0, v", "v[0], w[1]", "n, s", "np.array([0, 1]), w[:2]")),
                   *(f"np.linspace({x})" for x in ("v[0], 1, 3", "v[0], v[2], n", "0, v[2], 3", "v[0], s, 3", "v[0], 1.5, 1", "v[0], 1, 3, dtype=np.float32", "v[0], s, 5, dtype=int", "v[0], w[2], 4, endpoint=False", "s, n, 4"))],
                  {"i32": OF_I32, "f32": OF_F32, "f64": OF_F64}),
    "zeros": (["np.clip(v, 0.0, 1.0)", "np.clip(v, -1, 0)", "np.clip(v, 0 * w, 1)", "np.clip(v[0], 0.0, 1.0)", "np.clip(v, 0.0, None)", "np.clip(v, 0.0, -0.0)", "np.clip(v, v[1], v[2])",
               "np.clip(v, 0.0, v[4])", "lt.clip(v, 0.0, 1.0)", "np.outer(v[:4], w[:4])", "np.kron(v[:4], w[:4])", "np.kron(m, m)", "np.einsum('i,j->ij', v[:4], w[:4])", "np.median(v[:1])", "np.median(v[:2])", "np.median(v)",
               "np.trunc(v)", "np.ceil(v * 0.5)", "np.copysign(v[:4], w[:4])"],
              {"f64": OF_ZEROS, "f32": tuple(x.astype(np.float32) if isinstance(x, np.ndarray) else x for x in OF_ZEROS)}),
    "spreads": (["np.std(v)", "np.std(m, axis=0)", "np.std(m, axis=(0, 1), ddof=1, keepdims=True)", "np.std(v[:1])", "np.std(v[:1], ddof=1)", "np.std(v[:0])", "np.std(v[v > 100])", "np.std(n)",
                 "np.std(v, dtype=np.float32)", "np.var(v[:1], ddof=1)", "m.std(axis=1, ddof=1)"],
                {"i32": OF_I32, "bool": OF_BOOL, "f32": OF_F32, "f64": OF_F64}),
    "whole": ([f"np.{name}({x})" for name in ("floor", "ceil", "trunc", "fix") for x in ("v", "v / 2", "v[0]", "s", "n", "v > 0")], {"i32": OF_I32, "f32": OF_F32, "f64": OF_F64}),
    "averages": (["np.average(v)", "np.average(m, axis=0)", "np.average(v, weights=w)", "np.average(m, axis=1, weights=w)", "np.average(m, weights=m)", "np.average(m, axis=0, weights=m + 1, keepdims=True)",
                  "np.average(m, axis=-1, weights=np.array([1.0, 2, 3], np.float32))", "np.average([s, n], weights=[1, 2])", "np.nanmax(v)", "np.nanmin(m, axis=1, keepdims=True)", "np.nanmax(m, axis=(0, 1))",
                  "np.argmax(m, axis=1, keepdims=True)", "m.argmin(axis=0, keepdims=True)", "np.argmax(m, keepdims=True)"],
                 {"i32": OF_I32, "bool": OF_BOOL, "f32": OF_F32, "f64": OF_NANS}),
    "equality": (["np.array_equal(v, w)", "np.array_equal(v, v)", "np.array_equal(v, m)", "np.array_equal(v, v[v > 1])", "np.array_equal(v[v > 1], v[v > 1])", "np.array_equal(m[m[:, 0] > 0], m)", "np.array_equal(s, n)",
                  "np.array_equal(v, [1, 2, 3])", "np.isin(v, w)", "np.isin(m, v)", "np.isin(m, [0, 4.0], invert=True)", "np.isin(n, v)", "np.isin(v, [])", "np.isin([n, 2], v)", "np.isin(v, m)"],
                 {"i32": OF_I32, "bool": OF_BOOL, "f64": OF_NANS}),
    "remainders": (["np.fmod(v, w)", "np.fmod(v, 2)", "np.fmod(v, s)", "np.fmod(s, n)", "np.fmod(v, -2)", "np.fmod(n, -2)", "np.fmod(v[0], w[0])", "np.signbit(v)", "np.signbit(s)", "np.signbit(w[1])", "np.float_power(v, 2)", "np.float_power(n, 2.5)",
                    "np.logaddexp.reduce(v)", "np.logaddexp.reduce(m, axis=1, keepdims=True)", "np.logaddexp.reduce(m)"],
                   {"i64": OF_I64, "f32": OF_F32, "f64": OF_NANS}),
    "places": (["np.tile(v, (2, 3))", "np.tile(m, (2,))", "np.tile(m, (2, 1, n))", "np.tile(v[0], (2, 3))", "np.tile(v, ())", "np.tile(m, [1, 1])", "np.repeat(v, [1, 0, 2])", "np.repeat(m, (2, 0, 1), axis=1)", "v.repeat([1, 2, 1])",
                "np.repeat(m, np.arange(6))", "np.tril(np.stack([m, m]))", "np.triu(np.stack([m, m]), 1)", "np.meshgrid(v, w)", "np.meshgrid(v, m[0], m[:, 0], indexing='ij')", "np.meshgrid(v, n)", "np.meshgrid(v[v > 1], [1, 2])",
                "np.diff(v, 2)", "np.diff(m, axis=0)", "np.diff(v, n=4)", "np.diag(v, 1)", "np.diag(v, -2)", "np.diag(m, 1)", "m.diagonal(-1)", "np.diag(v[v > 1], 1)"],
               {"i32": OF_I32, "bool": OF_BOOL, "f32": OF_F32}),
    "of_one_element": (["np.sum(v).reshape(1)", "v[0].reshape(-1)", "np.reshape(np.max(v), (1, 1))", "np.reshape(s, 1)", "np.reshape(n, (1, -1))", "v[1].reshape(1, 1) + m", "lt.reshape(v[0], 1)", "v[0].reshape(())",
                        "v.item(0)", "v.item(-1)", "v.item(n - 1)", "m.item(1, 2)", "m.item((0, 1))", "m.item(4)", "m.item(n)", "v[0].item()", "v[0].item(0)", "v[:1].item()", "m[:1, :1].item()",
                        "np.where(v[0] > 0, v[0] > 1, 0)", "lt.where(v[0] > 0, v[0] > 1, 0)"],
                       {"i32": OF_I32, "bool": OF_BOOL, "f32": OF_F32}),
}


def plainly(function, arguments):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments)


def check(call, dtype, expected, result):
    if isinstance(expected, (tuple, list)):
        assert type(result) is type(expected) and len(result) == len(expected), call
        for pair in zip(expected, result):
            check(call, dtype, *pair)
        return
    expected, result = np.asarray(expected), np.asarray(result)
    where = f"{call} of {dtype} gives {result!r}, not {expected!r}"
    assert (result.dtype, result.shape) == (expected.dtype, expected.shape), where
    if result.dtype.kind != "f":
        assert np.array_equal(result, expected), where
        return
    tolerance = 1e-5 if result.dtype == np.float32 else 1e-12
    assert np.allclose(result, expected, rtol=tolerance, atol=tolerance, equal_nan=True), where
    assert np.array_equal(np.signbit(result[result == result]), np.signbit(expected[expected == expected])), where


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_dtypes_and_values_are_numpys(group):
    calls, arguments = GROUPS[group]
    text = "import numpy as np\nimport lantern as lt\n" + "".join(f"def f{number}(v, w, m, s, n): return {call}\n" for number, call in enumerate(calls))
    module = module_of(text + f"def together(v, w, m, s, n): return {', '.join(f'f{number}(v, w, m, s, n)' for number in range(len(calls)))}\n")
    for dtype, of_dtype in arguments.items():
        for number, (call, result) in enumerate(zip(calls, lt.function(module.together)(*of_dtype))):
            check(call, dtype, plainly(getattr(module, f"f{number}"), of_dtype), result)


@pytest.mark.parametrize("call, words", [
    ("np.mean(v, dtype=int)", "dtype=<class 'int'>, in which the quotient would be cut"), ("np.std(v, dtype=np.int32)", "in which the quotient would be cut"),
    ("np.einsum('ii', m)", "'ii' names an axis twice, which would take a diagonal"), ("np.einsum('...i,...i->', m, m)", r"the axes that '\.\.\.' stands for are the result's, too"),
    ("np.average(v, weights=v - 1)", "the weights of np.average sum to zero"), ("np.average(v, weights=[1, 2])", "the size of its axis"),
    ("np.repeat(v, v.astype(int))", "known only when the program runs"), ("np.trace(np.stack([m, m]))", "more or fewer than two axes"),
    ("m.item()", "what may have more than one element"), ("v.item(0, 0)", "2 places, where the array has 1 axes"), ("v.reshape(())", r"no axes: x\.item\(\) is the element"),
])
def test_what_is_refused_says_why(call, words):
    with pytest.raises((StagingError, ValueError, AssertionError), match=words):
        lt.function(module_of(f"import numpy as np\ndef f(v, m): return {call}\n").f)(np.ones(3), np.ones((3, 3)))


def spread(v):
    return np.sum(np.maximum(5.0, np.std(v)) + v) + np.std(v, ddof=1) + np.std(v[:1]) + np.sum(np.std(np.outer(v, v), axis=0)) + np.var(v)


def test_a_standard_deviation_of_equal_elements_has_the_derivative_zero():
    """As a norm at 0 has, where half of the derivative is lost, and not all of it."""
    for derivative in (lt.grad(spread), lt.function(lt.grad(spread))):
        np.testing.assert_array_equal(derivative(np.array([2.0, 2.0, 2.0])), [1.0, 1.0, 1.0])
    v, step = np.array([1.0, 2.5, -0.5]), 1e-6
    differences = [(spread(v + e) - spread(v - e)) / (2 * step) for e in np.eye(3) * step]
    np.testing.assert_allclose(lt.grad(spread)(v), differences, rtol=1e-6)
    np.testing.assert_allclose(lt.function(lt.grad(spread))(v), differences, rtol=1e-6)


def test_derivatives_go_through_them():
    def weighed(v):
        x, y = np.meshgrid(v, v[:2])
        return (np.sum(np.average(v, weights=v * v)) + np.sum(np.average(np.outer(v, v), axis=0, weights=v)) + 2 * np.nanmax(np.where(v > 1.0, np.nan, v)) + np.nanmin(v) + np.sum(np.fmod(v, 0.7)) + np.sum(np.fmod(2.3, v))
                + np.sum(np.tile(v, (2, 2)) ** 2) + np.sum(np.repeat(v * v, [2, 0, 3])) + np.sum(np.tril(np.stack([np.outer(v, v), np.outer(v, v) ** 2]))) + np.sum(x * y) + np.logaddexp.reduce(v))

    def moved(v):
        return (np.sum(np.diff(v ** 3, 2)) + np.sum(np.diag(v, 1) ** 2) + np.sum(np.diagonal(np.outer(v, v), -1)) + np.sum(np.float_power(v, 3)) + np.sum(np.einsum("...i,...i->...", np.outer(v, v), v)) + np.sum(v * v).reshape(1)[0]
                + np.sum(np.kron(v, v)) + np.sum(np.copysign(v, -v)) + np.sum(np.linspace(v[0], v[1], 4) ** 2) + np.sum(np.clip(v, v[1], 0.75)) + v.item(1) * v[0])
    v, step = np.array([0.9, 0.25, 1.6]), 1e-6
    for f in (weighed, moved):
        differences = [(f(v + e) - f(v - e)) / (2 * step) for e in np.eye(3) * step]
        np.testing.assert_allclose(lt.grad(f)(v), differences, rtol=1e-6)
        np.testing.assert_allclose(lt.function(lt.grad(f))(v), differences, rtol=1e-6)
