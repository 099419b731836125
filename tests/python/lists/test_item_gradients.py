"""Loops that change arrays item by item, backwards: their derivatives are right, and they take time and memory as the loops do."""
import pathlib
import re
import shutil
import subprocess

import numpy as np
import pytest
from compiled_table import Table
from item_programs import SOURCE

from lantern import core
from thorough import one_of

RUNTIME = pathlib.Path(__file__).parents[3] / "runtime" / "include"

NAMES = re.findall(r"^def (\w+)\(v, m, n\)", SOURCE, re.MULTILINE)
HELD = {"new_ones_between", "the_one_before"}    # as they were, each turn
DERIVED = "".join(f'''

def slope_{name}(v, m, n):
    return lt.grad({name}, wrt=("v", "m"))(v, m, n)
''' for name in NAMES)
SECOND = ["running", "products", "paths", "twice", "rows", "between"]


def twice_derived(names):
    return "".join(f'''

def first_{name}(v, m, n):
    g = lt.grad({name}, wrt="v")(v, m, n)
    return lt.sum(g * g)


def second_{name}(v, m, n):
    return lt.grad(first_{name}, wrt="v")(v, m, n)


def along_{name}(v, m, n):
    return lt.jvp(lambda w: lt.grad({name}, wrt="v")(w, m, n), (v,), (v * 0.5,))
''' for name in names)


def annotated(text):
    text = re.sub(r"\(v, m, n\):", "(v: lt.Tensor[lt.f64, 'k'], m: lt.Tensor[lt.f64, 'r', 'k'], n: int):", text)
    text = text.replace("blended(a, i):", "blended(a: lt.Tensor[lt.f64, 'k'], i: int):")
    return text.replace("def deeper(a, v, n):", "def deeper(a: lt.Tensor[lt.f64, 'k'], v: lt.Tensor[lt.f64, 'k'], n: int) -> lt.f64:")


def arguments(n):
    return np.array([1.0, 0.7, 1.6, 1.3]) + 0.1 * n, np.sin(np.arange(12.0)).reshape(3, 4) + 1.2, n


def differences(function, values, wrt):
    """The derivatives of a number, each element changed by itself."""
    gradient = np.zeros_like(values[wrt])
    for place in np.ndindex(gradient.shape):
        ends = []
        for sign in (1.0, -1.0):
            changed = values[wrt].copy()
            changed[place] += sign * 1e-6
            ends.append(function(*values[:wrt], changed, *values[wrt + 1:]))
        gradient[place] = (ends[0] - ends[1]) / 2e-6
    return gradient


def check_gradients(table, name):
    """The value is plain Python's, and what `slope_name` gives are its differences."""
    for n in range(3):
        values = arguments(n)
        assert table.compiled[name](*values) == pytest.approx(table.plain[name](*values), rel=1e-12)
        for wrt, slope in enumerate(table.compiled[f"slope_{name}"](*values)):
            assert np.allclose(slope, differences(table.plain[name], values, wrt), rtol=1e-5, atol=1e-6)


@pytest.fixture(scope="module")
def table():
    return Table(annotated(SOURCE + DERIVED), [*NAMES, *(f"slope_{name}" for name in NAMES)])


@pytest.mark.parametrize("name", NAMES)
def test_they_are_those_of_differences(table, name):
    check_gradients(table, name)


def test_a_place_that_is_not_there(table):
    for function in table.plain["until"], table.compiled["slope_until"]:
        with pytest.raises(IndexError):
            function(*arguments(3))


@pytest.fixture(scope="module")
def listing(table):
    return core.compile(table.text, "table.sexpr", {"emit": "cpp"})


def warnings_of(listing, folder, compiler):
    """What a compiler says of C++; that is not installed: nothing, and the test is skipped."""
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    (folder / "table.cpp").write_text(listing)
    built = subprocess.run([compiler, "-std=c++17", "-DLANTERN_PACKETS_AS_COMPILED", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", RUNTIME,
                            "-isystem", "/usr/include/eigen3", folder / "table.cpp"], capture_output=True, text=True)
    return built.stderr


@pytest.mark.parametrize("compiler", one_of(["g++", "clang++-14"], 0))
def test_compilers_do_not_warn(listing, tmp_path, compiler):
    assert warnings_of(listing, tmp_path, compiler) == ""


def bodies_of(listing):
    return re.findall(r"^(?:void |(?:[^\n]* )?slope_)(\w+)\((?:[^;{]|\n)*\{\n(.*?)^\}", listing, re.MULTILINE | re.DOTALL)


def test_no_turn_copies_an_array(listing):
    bodies = bodies_of(listing)
    copying = {name for name, body in bodies if "with_item(" in body}
    assert len(bodies) > len(NAMES) and {name for name in NAMES for other in copying if other.startswith(name)} == HELD


@pytest.fixture(scope="module")
def second():
    return Table(annotated(SOURCE + twice_derived(SECOND)), [f"{kind}_{name}" for kind in ("first", "second", "along") for name in SECOND])


@pytest.mark.parametrize("name", SECOND)
def test_so_are_second_ones(second, name):
    values = arguments(1)
    expected = differences(second.compiled[f"first_{name}"], values, 0)
    assert np.allclose(second.compiled[f"second_{name}"](*values), expected, rtol=1e-5, atol=1e-5)
    gradient, tangent = second.compiled[f"along_{name}"](*values)
    assert gradient @ tangent * 2 == pytest.approx(expected @ (values[0] * 0.5), rel=1e-5)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name, shape", [("running", (1, 50_000)), ("only_linear", (1, 50_000)), ("products", (1, 50_000)), ("under_conditions", (1, 50_000)),
                                         ("distances", (300, 300)), ("paths", (300, 300)), ("rows", (2_000, 50))])
def test_memory_grows_as_the_loop_does(table, name, shape):
    """An array for each turn would be 20 gigabytes and more."""
    v, m = np.full(shape[1], 1e-3), np.full(shape, 1e-2)
    slopes = table.compiled[f"slope_{name}"](v, m, 1)
    assert all(np.isfinite(slope).all() for slope in slopes) and any(slope.any() for slope in slopes)
