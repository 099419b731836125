"""NumPy is imported when it is first used, and then plain NumPy everywhere (lantern/lazy_numpy.py)."""
import os
import subprocess
import sys

import pytest

from lantern.numpy_functions import calls
from lantern.numpy_functions.operands import METHODS, OF_METHODS

PROGRAM = """
import pickle, sys
import lantern as lt
from lantern import lazy_numpy, module
assert "numpy" not in sys.modules

np, kept = module.np, lazy_numpy.np.ndarray
assert not isinstance([1.0], (np.ndarray, np.generic)) and not issubclass(int, (np.integer, kept))
assert type(1) is not np.ndarray and kept != int
for keyed in (lambda: {kept}, lambda: {kept: 1}):
    try:
        keyed()
    except TypeError:
        continue
    assert False
assert "numpy" not in sys.modules

%s
import numpy
assert module.np.ndarray is lazy_numpy.np.ndarray is np.ndarray is numpy.ndarray
assert isinstance(numpy.zeros(1), kept) and isinstance(numpy.zeros(1), (int, kept)) and issubclass(numpy.ndarray, kept) and kept == numpy.ndarray
assert not isinstance(1.0, kept) and not issubclass(int, kept)
weight = lt.Parameter((2, 2), lt.init.zeros())
assert type(weight.read()) is numpy.ndarray and type(weight.sum()) is numpy.float32 and type(numpy.sum(weight)) is numpy.float32
assert isinstance(lt.exp(0.0), float) and lt.constant([1.0]).dtype == numpy.float32
assert module.np is lazy_numpy.np is numpy
assert (pickle.loads(pickle.dumps(lt.arange(3))) == numpy.arange(3)).all()
"""


@pytest.mark.parametrize("first", ["import numpy", "lt.arange(3)"], ids=["by-the-user", "by-us"])
def test_numpy_is_imported_once_and_is_itself(first):
    done = subprocess.run([sys.executable, "-c", PROGRAM % first], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert (done.returncode, done.stderr) == (0, "")


def test_names_of_methods_are_those_of_the_table():
    assert calls.FUNCTIONS and set(METHODS) == set(OF_METHODS)
