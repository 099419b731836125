"""Loops that set items of lists, and of lists of lists, backwards: their derivatives are right, and they take time and memory as the loops do."""
import re

import numpy as np
import pytest
import table_programs
import tables_elsewhere
from compiled_table import Table
from test_item_gradients import annotated, arguments, bodies_of, check_gradients, differences, twice_derived, warnings_of

from lantern import core
from thorough import one_of

SOURCE = table_programs.SOURCE + tables_elsewhere.SOURCE
NAMES = re.findall(r"^def (\w+)\(v, m, n\)", SOURCE, re.MULTILINE)
DERIVED = "".join(f'''

def slope_{name}(v, m, n):
    return lt.grad({name}, wrt=("v", "m"))(v, m, n)
''' for name in NAMES)


def derived(names):
    return annotated("import math\n" + SOURCE + DERIVED), [*names, *(f"slope_{name}" for name in names)]


@pytest.fixture(scope="module")
def table():
    return Table(*derived(NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_they_are_those_of_differences(table, name):
    check_gradients(table, name)


@pytest.fixture(scope="module")
def listing(table):
    return core.compile(table.text, "table.sexpr", {"emit": "cpp"})


COPYING = {"longer_and_shorter", "queued", "rows_put_twice"}     # read behind what takes out an item, or otherwise behind a change


def test_no_item_copies_a_list(listing):
    copying = {name for name, body in bodies_of(listing) if re.search(r"\bwrite\(", body)}
    assert {name for name in NAMES for other in copying if other.startswith(name)} == COPYING and any(name.startswith("span_") for name in copying)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", ["distances", "rows_put_and_set", "rows_by_names", "tuples", "three_deep", "until", "rows_built_and_put", "of_an_argument"])
def test_memory_grows_as_the_table_does(table, name):
    """A row for each item would be seventy gigabytes and more."""
    shape = (10, 30_000)
    v, m = np.full(shape[1], 1e-3), np.full(shape, 1e-2)
    slopes = table.compiled[f"slope_{name}"](v, m, 1)
    assert all(np.isfinite(slope).all() for slope in slopes) and any(slope.any() for slope in slopes)


SECOND = ["distances", "again_and_again", "whole_rows", "three_deep_by_names", "tuples", "vectors", "under_conditions"]


@pytest.fixture(scope="module")
def second():
    return Table(annotated("import math\n" + SOURCE + twice_derived(SECOND)), [f"{kind}_{name}" for kind in ("first", "second", "along") for name in SECOND])


@pytest.mark.parametrize("name", SECOND)
def test_so_are_second_ones(second, name):
    values = arguments(1)
    expected = differences(second.compiled[f"first_{name}"], values, 0)
    assert np.allclose(second.compiled[f"second_{name}"](*values), expected, rtol=1e-5, atol=1e-5)
    gradient, tangent = second.compiled[f"along_{name}"](*values)
    assert gradient @ tangent * 2 == pytest.approx(expected @ (values[0] * 0.5), rel=1e-5)


@pytest.mark.parametrize("compiler", one_of(["g++", "clang++-14"], 1))
def test_compilers_do_not_warn(listing, tmp_path, compiler):
    assert warnings_of(listing, tmp_path, compiler) == ""
