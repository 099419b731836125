"""The whole training program of the TreeLSTM example, compiled, against the eager run of the same file. In f64: after
thirty steps in f32, roundings are 3e-6, which is more than a ten-thousandth of a weight that is almost 0."""
import numpy as np
import pytest

import lantern as lt
from lantern.files import read_arrays

import tree_lstm_cases as cases

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


@pytest.fixture
def f64():
    before = lt.set_default_dtype("f64")
    yield
    lt.set_default_dtype(before)


def check_training(tmp_path, capfd):
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
        np.testing.assert_allclose(array, eager_arrays[name], rtol=1e-9, atol=1e-12, err_msg=name)


@pytest.mark.optimised
def test_loop_and_model_compile_together(tmp_path, capfd, f64):
    check_training(tmp_path, capfd)


def test_so_they_do_with_shorter_packets(tmp_path, capfd, f64, processor):
    check_training(tmp_path, capfd)
