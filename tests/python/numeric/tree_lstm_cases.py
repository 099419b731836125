"""A small TreeLSTM and ten random trees, for the tests of its numbers."""
import importlib.util
import pathlib

import numpy as np

import lantern as lt

WORDS = 9


def load_example(name):
    path = pathlib.Path(__file__).resolve().parents[3] / "examples" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


example = load_example("tree_lstm")


def model(dtype, seed=1, words=WORDS, embedding=4, hidden=3, **options):
    """A TreeLSTM whose parameters, biases too, are random and large enough to matter."""
    before = lt.set_default_dtype(dtype)
    try:
        made = example.TreeLSTM(words, embedding, hidden, **options)
    finally:
        lt.set_default_dtype(before)
    rng = np.random.default_rng(seed)
    for parameter in made.parameters().values():
        parameter.assign(rng.uniform(-0.8, 0.8, parameter.shape))
    return made


def trees(words=WORDS):
    """Ten: a single leaf, a left-deep chain, a right-deep one, and seven of random form."""
    rng = np.random.default_rng(7)

    def leaf():
        return example.Tree(int(rng.integers(5)), int(rng.integers(words)), None, None)

    def node(left, right):
        return example.Tree(int(rng.integers(5)), -1, left, right)

    def random_tree(leaves):
        if leaves == 1:
            return leaf()
        left = int(rng.integers(1, leaves))
        return node(random_tree(left), random_tree(leaves - left))

    left_deep, right_deep = leaf(), leaf()
    for _ in range(6):
        left_deep, right_deep = node(left_deep, leaf()), node(leaf(), right_deep)
    return [leaf(), left_deep, right_deep, *(random_tree(leaves) for leaves in (2, 3, 4, 5, 6, 7, 9))]


def central_differences(loss, parameter, epsilon=1e-3):
    """The derivative of loss() with respect to every entry of a parameter, by the five-point formula.

    Two points are not enough: their error, of order epsilon² and of rounding, comes near what the test allows.
    """
    array = parameter.read()
    result = np.zeros_like(array)
    for at in np.ndindex(array.shape):
        before = array[at]

        def moved(by):
            array[at] = before + by
            return float(loss())
        result[at] = (8 * (moved(epsilon) - moved(-epsilon)) - (moved(2 * epsilon) - moved(-2 * epsilon))) / (12 * epsilon)
        array[at] = before
    return result


def assert_gradients_agree(gradients, loss, parameters):
    """|x - y| ≤ 1e-6 · max(|x| + |y|, 1e-3 · the largest entry of that parameter's gradient)."""
    for parameter in parameters:
        expected, found = central_differences(loss, parameter), np.asarray(gradients[parameter])
        largest = np.abs(expected).max()
        bound = 1e-6 * np.maximum(np.abs(expected) + np.abs(found), 1e-3 * largest)
        worst = np.max(np.abs(expected - found) - bound)
        assert worst <= 0, f"{parameter.name}: {np.abs(expected - found).max()} apart"
