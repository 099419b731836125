"""Gradients of random programs, compiled, against the eager tape."""
import functools
import linecache
import pathlib
import sys

import numpy as np
import pytest

import lantern as lt
from gradient_programs import program
from thorough import many

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "lists"))
from compiled_table import Table  # noqa: E402

GROUP = 23      # of so many programs that are compiled together


def function_of(path, seed):
    text = program(seed)
    path.write_text(text)
    scope = {"lt": lt}
    exec(compile(text, str(path), "exec"), scope)
    linecache.checkcache(str(path))
    return scope["f"]


@functools.lru_cache(maxsize=None)
def group_from(first):
    seeds = range(first, first + GROUP)
    return Table("\n\n".join(f"{program(seed).replace('def f(', f'def f_{seed}(')}\n\n"
                             f"def gradient_{seed}(x: float, n: int):\n    return lt.value_and_grad(f_{seed})(x, n)\n" for seed in seeds),
                 [f"gradient_{seed}" for seed in seeds])


def check(compiled, plain):
    for x in (0.6, 1.2):
        for n in (0, 2, 5):
            np.testing.assert_allclose([float(part) for part in compiled(x, n)], [float(part) for part in plain(x, n)], rtol=1e-9, atol=1e-12)


@pytest.mark.optimised
@pytest.mark.parametrize("seed", range(many(2)))
def test_of_a_function_that_is_compiled(tmp_path, seed):
    f = function_of(tmp_path / f"program_{seed}.py", seed)
    check(lt.value_and_grad(lt.function(f)), lt.value_and_grad(f))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8, 8 + many(1) * GROUP))
def test_taken_in_compiled_code(seed):
    group, name = group_from(8 + (seed - 8) // GROUP * GROUP), f"gradient_{seed}"
    check(group.compiled[name], group.plain[name])
