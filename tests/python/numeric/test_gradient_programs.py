"""Gradients of random programs, compiled, against the eager tape."""
import linecache

import numpy as np
import pytest

import lantern as lt
from gradient_programs import program


def function_of(path, seed):
    text = program(seed)
    path.write_text(text)
    scope = {"lt": lt}
    exec(compile(text, str(path), "exec"), scope)
    linecache.checkcache(str(path))
    return scope["f"]


SOME = [pytest.param(seed, marks=pytest.mark.optimised) for seed in range(8)]
MORE = [pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 100)]


@pytest.mark.parametrize("seed", [*SOME, *MORE])
def test_a_random_program(tmp_path, seed):
    f = function_of(tmp_path / f"program_{seed}.py", seed)
    compiled, eager = lt.value_and_grad(lt.function(f)), lt.value_and_grad(f)
    for x in (0.6, 1.2):
        for n in (0, 2, 5):
            np.testing.assert_allclose([float(part) for part in compiled(x, n)], [float(part) for part in eager(x, n)], rtol=1e-9, atol=1e-12)
