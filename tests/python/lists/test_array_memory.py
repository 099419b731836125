"""Random programs with several names of one array: each gives what NumPy gives, or is refused."""
import collections
import inspect

import numpy as np
import pytest
from array_programs import PRELUDE, Author
from compiled_table import Table, module_of, outcome
from held_programs import PRELUDE as PRELUDE_OF_LISTS
from held_programs import HeldAuthor
from thorough import THOROUGH, many
from view_programs import PRELUDE as PRELUDE_OF_VIEWS
from view_programs import ViewAuthor

from lantern import types
from lantern.staging import entry
from lantern.staging.errors import StagingError

KINDS = {"v": types.TensorType("f64", (4,)), "m": types.TensorType("f64", (3, 4)), "n": types.i64}
REFUSALS = {"LT0317", "LT0305", "LT0301", "LT0302", "LT0310", "LT0306"}    # of memory and lists; names without a value; NumPy's arrays that are known, one or another in each turn


def arguments(n):
    return np.array([1.0, 2.0, 3.0, 4.0]), np.arange(12.0).reshape(3, 4), n


def accepted_of(module, names):
    """(the names of functions that can be staged, how often which error code refused the others)."""
    accepted, refused = [], collections.Counter()
    for name in names:
        try:
            entry.stage_function(vars(module)[name], KINDS)
            accepted.append(name)
        except StagingError as error:
            refused[error.code] += 1
            pythons = error.code == "LT0309" and any(isinstance(outcome(vars(module)[name], arguments(n)), str) for n in (0, 1, 2, 3))  # an index that a list has not
            assert pythons or error.code in REFUSALS, f"{inspect.getsource(vars(module)[name])}\n{error}"
    return accepted, refused


def same(one, other):
    """Whether two outcomes are one; a number may be NumPy's or Python's."""
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return len(one) == len(other) and all(np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-12, equal_nan=True) for a, b in zip(one, other))


def differences(seeds, prelude=PRELUDE, author=Author):
    """(the programs that give another result than NumPy, how many are accepted, what refused the others)."""
    source = "import numpy as np\n" + prelude + "\n\n".join(author(seed).program(f"program_{seed}") for seed in seeds)
    annotated = source.replace("(v, m, n):", "(v: lt.Tensor[lt.f64, 4], m: lt.Tensor[lt.f64, 3, 4], n: int):")
    module = module_of(annotated)
    accepted, refused = accepted_of(module, [f"program_{seed}" for seed in seeds])
    table, wrong = Table(module, accepted), []     # whose functions are converted already
    for name in accepted:
        for n in (0, 1, 2, 3):
            expected, actual = outcome(table.plain[name], arguments(n)), outcome(table.compiled[name], arguments(n))
            if not same(expected, actual):
                wrong.append(f"{inspect.getsource(table.plain[name])}\nof {n}: NumPy gives {expected}, compiled {actual}")
    return wrong, len(accepted), refused


def test_each_program_is_numpys_or_refused():
    seeds = range(50 if THOROUGH == 1 else 80)
    wrong, accepted, refused = differences(seeds)
    assert not wrong, "\n".join(wrong)
    assert accepted >= len(seeds) * 3 // 8, refused


def test_each_program_of_views_is_numpys_or_refused():
    seeds = range(40 if THOROUGH == 1 else 60)
    wrong, accepted, refused = differences(seeds, PRELUDE_OF_VIEWS, ViewAuthor)
    assert not wrong, "\n".join(wrong)
    assert accepted >= len(seeds) // 2, refused


def test_each_program_of_arrays_in_lists_is_numpys_or_refused():
    seeds = range(40 if THOROUGH == 1 else 60)
    wrong, accepted, refused = differences(seeds, PRELUDE_OF_LISTS, HeldAuthor)
    assert not wrong, "\n".join(wrong)
    assert accepted >= len(seeds) // 4, refused


@pytest.mark.slow
@pytest.mark.parametrize("prelude, author", [(PRELUDE, Author), (PRELUDE_OF_VIEWS, ViewAuthor), (PRELUDE_OF_LISTS, HeldAuthor)], ids=["names", "views", "lists"])
def test_many_programs(prelude, author):
    for first in range(1000, 1000 + many(30), 30):
        wrong, accepted, refused = differences(range(first, first + 30), prelude, author)
        print(f"{accepted} accepted, refused: {dict(refused)}")
        assert not wrong, "\n".join(wrong)
