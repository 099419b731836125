"""Each example, small: compiled as plain, and its gradient as differences have it."""
import gzip
import importlib.util
import os
import pathlib
import re
import struct
import sys

import numpy as np
import pytest

import lantern as lt

ROOT = pathlib.Path(__file__).resolve().parents[3]
DATA = os.environ.get("LANTERN_DATA")


def example(name):
    """The module of an example, which may import others beside it."""
    if str(ROOT / "examples") not in sys.path:
        sys.path.append(str(ROOT / "examples"))
    spec = importlib.util.spec_from_file_location(f"example_{name}", ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed(capfd, entry, **flags):
    """What an entry prints, plainly and compiled: numbers apart, the same. (Plain text, its numbers, those of the compiled run.)"""
    texts = []
    for run in (entry, lt.function(entry)):
        run(**flags)
        texts.append(capfd.readouterr().out)
    numbers = [[float(n) for n in re.findall(r"-?[0-9]+\.[0-9]+", text)] for text in texts]
    words = [re.sub(r"-?[0-9]+\.[0-9]+", "#", text) for text in texts]
    assert words[0] == words[1] and numbers[0]
    return texts[0], *map(np.array, numbers)


def check_gradient(loss, *arguments, entries=3, rtol=1e-5):
    """The gradients of a loss in f64: compiled as plain, and by differences at some entries."""
    value, gradients = lt.value_and_grad(loss)(*arguments)
    compiled_value, compiled = lt.value_and_grad(lt.function(loss))(*arguments)
    assert float(compiled_value) == pytest.approx(float(value)) and set(compiled) == set(gradients) and len(gradients) > 0
    generator = np.random.default_rng(0)
    for parameter, gradient in gradients.items():
        np.testing.assert_allclose(compiled[parameter], gradient, rtol=1e-8, atol=1e-12, err_msg=parameter.name)
        value = np.array(parameter.value)
        for place in generator.choice(value.size, min(entries, value.size), replace=False):
            sides = []
            for step in (1e-6, -1e-6):
                moved = value.copy()
                moved.flat[place] += step
                parameter.assign(moved)
                sides.append(float(loss(*arguments)))
            parameter.assign(value)
            np.testing.assert_allclose(gradient.flat[place], (sides[0] - sides[1]) / 2e-6, rtol=rtol, atol=1e-7, err_msg=parameter.name)


@pytest.fixture
def f64():
    before = lt.set_default_dtype("f64")
    lt.seed(5)
    yield
    lt.set_default_dtype(before)


# power.py

def test_power(capfd):
    power = example("power")
    text, plain, compiled = printed(capfd, power.main, base=1.25, exponent=9)
    np.testing.assert_allclose(compiled, plain)
    assert text.startswith(f"1.25 to the 9 is {1.25**9:.6f}, and changes by {9 * 1.25**8:.6f} times")
    for form in (power.distance, lt.function(power.distance)):
        value, slope = lt.value_and_grad(form)(1.5, 7)
        assert value == pytest.approx(1.5**3.5) and slope == pytest.approx(3.5 * 1.5**2.5)
    for form in (power.root, lt.function(power.root)):
        with pytest.raises(ValueError, match="^-1.0 has no real root"):
            form(-1.0)


# rnn.py

@pytest.mark.parametrize("cell", ["RNNCell", "LSTMCell"])
def test_dynamic_rnn_agrees_with_plain_python(cell):
    rnn = example("rnn")
    lt.seed(4)
    cell = getattr(rnn, cell)(3, 5)

    def outputs(sequence: lt.Tensor[None, 3], length: int):
        return rnn.dynamic_rnn(cell, sequence, length)
    compiled = lt.function(outputs)
    for length in (0, 1, 64, 1000):
        sequence = np.random.default_rng(length).normal(size=(max(length, 1), 3)).astype(np.float32)
        (plain, plain_state), (found, state) = outputs(sequence, length), compiled(sequence, length)
        assert found.shape == (length, 5)
        np.testing.assert_allclose(found, plain, atol=1e-5)
        np.testing.assert_allclose(np.stack(state), np.stack(plain_state), atol=1e-5)


def test_rnn_learns_to_add(capfd, f64):
    for lstm in (True, False):
        _, plain, compiled = printed(capfd, example("rnn").train, length=3, steps=400 if lstm else 100, every=100, hidden=8, lstm=lstm, learning_rate=0.02)
        np.testing.assert_allclose(compiled, plain, atol=1e-4)
        assert compiled[-1] < compiled[0] / 2 or not lstm


def test_gradient_of_an_lstm(f64):
    rnn = example("rnn")
    model = rnn.Adder(rnn.LSTMCell(2, 4))
    check_gradient(model.loss, np.random.default_rng(1).normal(size=(6, 2)), 0.5)


# Trees

TREES = """(3 (2 It) (4 (2 's) (4 good)))
(1 (2 It) (0 (2 's) (0 bad)))
(1 (2 not) (4 (4 very) (3 good)))
(0 bad)
"""


def test_rntn(tmp_path, capfd, f64):
    rntn = example("rntn")
    path = tmp_path / "trees.txt"
    path.write_text(TREES)
    _, plain, compiled = printed(capfd, rntn.train, train=str(path), dev=str(path), test=str(path), epochs=4, size=3, learning_rate=0.1)
    np.testing.assert_allclose(compiled, plain, atol=1e-4)
    assert compiled[6] < compiled[0]    # the mean loss falls
    words = lt.vocabulary(str(path))
    model = rntn.RNTN(len(words), size=3)
    check_gradient(model.loss, lt.treebank(str(path), words, rntn.Tree)[2])


def test_child_sum_tree_lstm(capfd, f64):
    trees = example("child_sum_tree_lstm")
    _, plain, compiled = printed(capfd, trees.train, steps=100, every=100, depth=2, hidden=3)
    np.testing.assert_allclose(compiled, plain, atol=1e-4)
    leaf, other, none = trees.Node(1, []), trees.Node(0, []), trees.Node(2, [])
    tree = trees.Node(2, [leaf, trees.Node(2, [other, leaf, leaf]), none, trees.Node(2, [other])])
    assert trees.lead(tree) == lt.function(trees.lead)(tree) == 1
    check_gradient(trees.Majority(4).loss, tree, 1)


def test_list_ops(capfd, f64):
    ops = example("list_ops")
    _, plain, compiled = printed(capfd, ops.train, steps=200, every=100, depth=1, breadth=2, hidden=2)
    np.testing.assert_allclose(compiled, plain, atol=1e-4)
    digits = [ops.Node(digit, []) for digit in range(10)]
    tree = ops.Node(ops.SUM_MOD, [ops.Node(ops.MEDIAN, [digits[7], digits[1], digits[4]]), ops.Node(ops.MAX, [digits[3], digits[8]]),
                                  ops.Node(ops.MIN, [digits[9], digits[5]])])
    assert ops.value(tree) == lt.function(ops.value)(tree) == 7
    check_gradient(ops.Calculator(4).loss, tree, 7)


# char_rnn.py

def test_char_rnn(capfd, f64):
    rnn = example("char_rnn")
    text, plain, compiled = printed(capfd, rnn.train, steps=120, every=60, piece=6, hidden=8, length=30)
    np.testing.assert_allclose(compiled, plain, atol=1e-4)
    assert compiled[1] < compiled[0] < np.log(len(rnn.LETTERS)) and len(text.split("\n", 2)[2]) == 31
    check_gradient(rnn.GRU(len(rnn.LETTERS), 3).loss, np.array(rnn.CODES[:5]), np.zeros(3))


# mnist_linear.py

def write_idx(path, array):
    with gzip.open(path, "wb") as file:
        file.write(struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape) + array.astype(np.uint8).tobytes())


def made_up_digits(tmp_path):
    """A folder of small files like MNIST's."""
    generator = np.random.default_rng(0)
    bright = generator.uniform(0, 255, (10, 28, 28))
    for part, count in (("train", 60), ("t10k", 40)):
        labels = generator.integers(0, 10, count)
        write_idx(tmp_path / f"{part}-labels-idx1-ubyte.gz", labels)
        write_idx(tmp_path / f"{part}-images-idx3-ubyte.gz", np.clip(bright[labels] + generator.normal(0, 20, (count, 28, 28)), 0, 255))
    return str(tmp_path)


def test_mnist_linear_on_made_up_digits(tmp_path, capfd):
    text, plain, compiled = printed(capfd, example("mnist_linear").train, data=made_up_digits(tmp_path), steps=200, batch=25, learning_rate=0.05)
    np.testing.assert_allclose(compiled, plain, atol=2e-4)
    assert text.endswith("test accuracy: 1.0000\n") and text.startswith("step 100: loss ")


@pytest.mark.slow
@pytest.mark.optimised
@pytest.mark.skipif(not DATA, reason="LANTERN_DATA, a folder with mnist/ in it, is not set")
def test_a_thousand_steps_in_one_call_reach_over_90_percent_on_mnist(capfd):
    lt.function(example("mnist_linear").train)(data=f"{DATA}/mnist", steps=1000, batch=200)
    assert float(capfd.readouterr().out.split()[-1]) > 0.90


def test_lenet(tmp_path, capfd, f64):
    lenet = example("lenet")
    _, plain, compiled = printed(capfd, lenet.train, data=made_up_digits(tmp_path), epochs=2, batch=10, learning_rate=0.003)
    np.testing.assert_allclose(compiled, plain, atol=1e-4)
    assert compiled[2] < compiled[0]
    check_gradient(lenet.LeNet().loss, np.random.default_rng(2).uniform(0, 1, (2, 784)), np.array([3, 8]), entries=2, rtol=1e-4)
