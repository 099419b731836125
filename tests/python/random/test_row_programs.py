"""Random programs on lists that several names mean give what Python gives, and the derivatives of that, or are refused while they are staged."""
import linecache
import os

import numpy as np
import pytest
from plain import OutOfTime, time_limit
from row_programs import PRELUDE, program
from thorough import many

import lantern as lt
from lantern.staging import entry
from lantern.staging.errors import StagingError

AT_ONCE = 26    # in one program
REFUSALS = {"LT0301", "LT0302", "LT0305", "LT0306", "LT0315"}


def module_of(text, name):
    file = f"{name}.py"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    module = type(os)(name)
    exec(compile(text, file, "exec", dont_inherit=True), vars(module))
    return module


def outcome(function, *arguments):
    try:
        with time_limit(3):
            return function(*arguments)
    except OutOfTime:
        return None
    except (IndexError, ValueError) as error:
        return type(error)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, many(AT_ONCE), AT_ONCE))
def test_they_are_pythons_and_so_are_their_derivatives(first):
    names = [f"f{seed}" for seed in range(first, first + AT_ONCE)]
    text = PRELUDE + "".join(f"\n\n{program(int(name[1:]), name)}" for name in names)
    module, kept = module_of(text, "rows"), []
    for name in names:
        function = vars(module)[name]
        if any(outcome(function, 1.3, n) is None for n in (0, 1, 3)):     # goes over what it makes longer
            continue
        try:
            with time_limit(20):
                entry.stage_entries([function])
        except StagingError as error:
            assert error.code in REFUSALS, f"{program(int(name[1:]), name)}\n{error}"
            continue
        if all(isinstance(outcome(function, 1.3, n), float) for n in (0, 1, 3)):
            kept.append(name)
    assert len(kept) > AT_ONCE / 4
    every = f"\n\ndef every(x: float, n: int):\n    return ({', '.join(f'lt.value_and_grad({name})(x, n)' for name in kept)},)\n"
    compiled = lt.function(module_of(f"import lantern as lt\n{text}{every}", "rows_and_derivatives").every)
    for n in (0, 1, 3):
        for name, (value, slope) in zip(kept, compiled(1.3, n)):
            function = vars(module)[name]
            assert np.isclose(value, function(1.3, n), rtol=1e-9), (n, program(int(name[1:]), name))
            differences = [(function(1.3 + step, n) - function(1.3 - step, n)) / (2 * step) for step in (1e-5, 1e-6)]
            assert np.isclose(slope, differences[0], rtol=1e-4, atol=1e-3) or not np.isclose(*differences, rtol=1e-4, atol=1e-4), \
                (n, slope, differences, program(int(name[1:]), name))
