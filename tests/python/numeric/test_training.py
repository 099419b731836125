"""The whole training program of the TreeLSTM example, compiled, against the eager run of the same file."""
import numpy as np
import pytest

import lantern as lt
from lantern.files import read_arrays

import tree_lstm_cases as cases

pytestmark = pytest.mark.optimised

TRAIN = """(3 (2 It) (4 (2 's) (4 good)))
(1 (2 It) (0 (2 's) (0 bad)))
(1 (2 not) (4 (4 very) (3 good)))
(4 (4 good) (2 .))
(3 (2 not) (1 bad))
(0 bad)
"""
TEST = """(3 (2 Not) (1 (1 bad) (2 .)))
(4 (2 very) (4 good))
"""


def test_loop_and_model_compile_together(tmp_path, capfd):
    train, test = tmp_path / "train.txt", tmp_path / "test.txt"
    train.write_text(TRAIN)
    test.write_text(TEST)
    runs = {}
    for name, program in (("eager", cases.example.train), ("compiled", lt.function(cases.example.train))):
        weights = str(tmp_path / name)
        program(str(train), str(test), str(test), epochs=5, seed=3, learning_rate=0.1, embedding=6, hidden=4, mlp=3, save=weights)
        runs[name] = capfd.readouterr().out, *read_arrays(weights)
    (eager_text, eager_arrays, eager_words), (text, arrays, words) = runs["eager"], runs["compiled"]
    assert text == eager_text and len(text.splitlines()) == 11
    assert words["vocabulary"] == eager_words["vocabulary"]
    assert arrays.keys() == eager_arrays.keys()
    for name, array in arrays.items():
        np.testing.assert_allclose(array, eager_arrays[name], rtol=1e-4, atol=1e-6, err_msg=name)
