"""Floats as keys of dicts, and in sets."""
import math
import types

import float_key_programs
import pytest
from compiled_table import Table, cases_of, outcome

import lantern as lt
from lantern.staging.errors import StagingError

XS = [0.5, 1.0, -0.0, 0.0, 0.5, 3.25, -2.0, 2.5e-300, 1e300, -math.inf]
LISTS = (XS, 1.0), (XS, 0.0), (XS, -0.0), ([0.0, 7.0, 0.5, 0.0], 0.5), ([-0.0], 2.0), (XS[4:7], 4.0)
PROGRAMS = types.SimpleNamespace(**{name: function for name, function in vars(float_key_programs).items() if isinstance(function, types.FunctionType)})
CALLS = dict.fromkeys(vars(PROGRAMS), LISTS)


@pytest.fixture(scope="module")
def table():
    return Table(PROGRAMS, list(CALLS))


@pytest.mark.parametrize("name, arguments", cases_of(CALLS))
def test_as_plain(table, name, arguments):
    expected, actual = (repr(outcome(those[name], arguments)) for those in (table.plain, table.compiled))
    assert actual == expected       # 0.0 and -0.0 are equal


def test_nan_is_no_key():
    """In Python it is one where it is the same object, of which a program has none. No `except` of the user's is for that."""
    def count(xs: list[float], x: float):
        try:
            counts = {each: 1 for each in xs}
            return counts.get(x, 0) + (x in {0.5, xs[0]}) + ((x, 1) in {(xs[0], 1)})
        except ValueError:
            return -1
    compiled = lt.function(count)
    assert compiled([1.0, 2.0], 1.0) == 3 and compiled([1.0], 0.5) == 1
    for xs, x in ([1.0, math.nan], 1.0), ([1.0], math.nan):
        with pytest.raises(ValueError, match="nan is a key of a dict, or an element of a set"):
            compiled(xs, x)


def test_derivatives_go_through_keys():
    def weighed(x: float, n: int):
        d = {}
        for i in range(n):
            d[x * i] = d.get(x * (i - 1), 1.0) * x
        return sum(key * value for key, value in d.items())
    value, slope = lt.value_and_grad(lt.function(weighed), wrt="x")(0.7, 5)
    assert value == pytest.approx(weighed(0.7, 5), rel=1e-12)
    assert slope == pytest.approx((weighed(0.7 + 1e-6, 5) - weighed(0.7 - 1e-6, 5)) / 2e-6, rel=1e-6)


def test_the_order_of_a_sum_is_not_known():
    def total(xs: list[float]):
        return sum(set(xs))
    with pytest.raises(StagingError, match="whose order is that of Python's hash table"):
        lt.function(total)([0.1, 0.2])
