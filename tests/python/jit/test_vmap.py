"""`lt.vmap`: what a function gives for each row, stacked; plain, compiled, and with gradients through it."""
import numpy as np
import pytest

import lantern as lt
from lantern.staging.errors import StagingError

A = np.arange(12.0).reshape(4, 3)
W = np.array([0.5, -1.0, 2.0])


def scaled(row, factor):
    return lt.sum(row * W) * factor, row * factor


def test_the_rows_of_arguments():
    f = lt.vmap(lambda row: lt.tanh(row) @ W)
    expected = np.stack([np.tanh(row) @ W for row in A])
    np.testing.assert_allclose(f(A), expected)
    np.testing.assert_allclose(lt.function(lambda a: f(a))(A), expected)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("in_axes, out_axes, arguments", [
    (0, 0, (A, np.arange(4.0))), ((0, None), (0, 1), (A, 2.0)), ((1, None), 0, (A.T, 3.0)), ((-1, 0), (0, -1), (A.T, np.arange(4.0))),
])
def test_axes(in_axes, out_axes, arguments):
    f = lt.vmap(scaled, in_axes, out_axes)
    axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * 2
    rows = [[argument if axis is None else np.moveaxis(np.asarray(argument), axis, 0)[i] for argument, axis in zip(arguments, axes)] for i in range(4)]
    outs = out_axes if isinstance(out_axes, tuple) else (out_axes,) * 2
    expected = [np.stack(part, axis) for part, axis in zip(zip(*[scaled(*row) for row in rows]), outs)]
    for found in (f(*arguments), lt.function(lambda a, b: f(a, b))(*arguments)):
        assert type(found) is tuple
        for ours, theirs in zip(found, expected):
            np.testing.assert_allclose(ours, theirs)


def test_tuples_closures_and_maps_in_maps():
    def distances(points, others):
        return lt.vmap(lambda p: lt.vmap(lambda q: lt.norm(p - q))(others))(points)
    expected = np.sqrt(((A[:, None] - A[None, :2]) ** 2).sum(-1))
    np.testing.assert_allclose(distances(A, A[:2]), expected)
    np.testing.assert_allclose(lt.function(distances)(A, A[:2]), expected)
    pairs = lt.vmap(lambda pair, n: pair[0] * pair[1] + n, in_axes=(0, None))
    np.testing.assert_allclose(pairs((A, A + 1), 2), A * (A + 1) + 2)
    np.testing.assert_allclose(lt.function(lambda a: pairs((a, a + 1), 2))(A), A * (A + 1) + 2)


@lt.struct
class Node:
    value: float
    left: "Node | None"


def depth_sum(node):
    if node is None:
        return 0.0
    return node.value + 2.0 * depth_sum(node.left)


def test_a_batch_of_structures():
    batch = [Node(1.0, None), Node(2.0, Node(3.0, None)), Node(0.5, None)]
    assert lt.vmap(depth_sum)(batch).tolist() == [1.0, 8.0, 0.5]

    @lt.function
    def mapped(batch: list[Node]):
        return lt.vmap(depth_sum)(batch)
    assert mapped(batch).tolist() == [1.0, 8.0, 0.5]


def loss(w, rows):
    return lt.sum(lt.vmap(lambda row: lt.tanh(row @ w) * row[0])(rows))


def test_lists_that_the_function_has_made():
    def mapped(n: int, v: lt.Tensor[2]):
        rows, weights = [], [1.0, 2.0, 3.0]
        for i in range(n):
            rows.append(v * i if i != 1 else v)
        sums = lt.vmap(lambda row, weight: lt.sum(row) * weight)(rows, weights)
        rows.append(-v)
        return sums, lt.vmap(lambda row: row * n)(rows), lt.vmap(lambda i: i * 0.5)([i for i in range(n) if i != 1])

    def loss(v: lt.Tensor[2], n: int):
        return lt.sum(lt.vmap(lambda x: lt.sum(x * x))([v * i for i in range(n)]))
    v = np.array([1.0, -2.0], np.float32)
    for ours, plain in zip(lt.function(mapped)(3, v), mapped(3, v)):
        np.testing.assert_allclose(ours, plain)
    with pytest.raises(ValueError, match="different numbers of rows"):
        lt.function(mapped)(4, v)
    np.testing.assert_allclose(lt.grad(lt.function(loss), wrt="v")(v, 3), lt.grad(loss, wrt="v")(v, 3))


def test_gradients_through_it():
    gradient = lt.grad(loss)(W, A)
    step = 1e-6
    differences = [(loss(W + step * e, A) - loss(W - step * e, A)) / (2 * step) for e in np.eye(3)]
    np.testing.assert_allclose(gradient, differences, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(lt.function(lambda w, a: lt.grad(loss)(w, a))(W, A), gradient)
    np.testing.assert_allclose(lt.function(lambda w, a, d: lt.jvp(lambda w: loss(w, a), (w,), (d,))[1])(W, A, W), gradient @ W)


def test_a_gradient_for_each_row():
    per_row = lt.vmap(lt.grad(lambda row: lt.sum(row**3)))
    np.testing.assert_allclose(per_row(A), 3 * A**2)
    np.testing.assert_allclose(lt.function(lambda a: per_row(a))(A), 3 * A**2)


WRONG = {
    "different": (lambda a: lt.vmap(lambda x, y: x * y)(a, a[:2]), ValueError, "different numbers of rows"),
    "number": (lambda a: lt.vmap(lambda x, y: x * y)(a, 2.0), TypeError, "is a number, which has no rows: give None in its place in in_axes"),
    "no axis": (lambda a: lt.vmap(lambda x: x, in_axes=2)(a), TypeError, "has no axis 2: it has 2 axes"),
    "nothing mapped": (lambda a: lt.vmap(lambda x: x, in_axes=None)(a), TypeError, "has rows"),
    "too few axes": (lambda a: lt.vmap(lambda x, y: x * y, in_axes=(0,))(a, a), TypeError, "in_axes has 1 axes, and '<lambda>' is given 2 arguments"),
    "no row": (lambda a: lt.vmap(lambda x: x)(a[:0]), ValueError, "is given no row"),
    "out axes": (lambda a: lt.vmap(lambda x: (x, x), out_axes=(0, 0, 0))(a), TypeError, "out_axes has 3 axes, and '<lambda>' gives 2 parts"),
    "none": (lambda a: lt.vmap(lambda x: None)(a), TypeError, "gives None"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_mapped(name):
    function, error, message = WRONG[name]
    with pytest.raises(error, match=message):
        function(A)
    with pytest.raises((StagingError, ValueError), match=message):
        lt.function(lambda a: function(a))(A)


@lt.struct
class Tree:
    label: int
    word: int
    left: "Tree | None"
    right: "Tree | None"


def weighed(tree, weights):
    if tree.left is None:
        return weights[tree.word]
    return lt.tanh(weighed(tree.left, weights) + 2.0 * weighed(tree.right, weights)) + tree.label


def test_the_elements_of_data_sets_and_batches(tmp_path):
    file = tmp_path / "trees.txt"
    file.write_text("(1 (0 a) (2 b))\n(3 c)\n(2 (1 (0 c) (1 a)) (0 b))\n", encoding="utf-8")
    weights = np.array([0.1, 0.3, -0.2, 0.7])

    def of_structures(path: str, weights):
        trees = lt.treebank(path, lt.vocabulary(path), Tree)
        whole = lt.sum(lt.vmap(weighed, in_axes=(0, None))(trees, weights))
        for batch in lt.batch(trees, 2):
            whole += 10.0 * lt.sum(lt.vmap(lambda tree: weighed(tree, weights))(batch))
        return whole

    def of_arrays(a, b):
        pairs = lt.dataset(a, b)
        return lt.vmap(lambda pair: lt.sum(pair[0]) * pair[1])(pairs)

    def of_a_list(xs: list[float]):
        return [float(lt.sum(lt.vmap(lambda x: x * x)(batch))) for batch in lt.batch(xs, 2)]
    for function, arguments in ((of_structures, (str(file), weights)), (of_arrays, (A, np.arange(4.0))), (of_a_list, ([1.0, 2.0, 3.0],))):
        np.testing.assert_allclose(lt.function(function)(*arguments), function(*arguments), rtol=1e-12)

    def loss(path: str, weights):
        return lt.sum(lt.vmap(lambda tree: weighed(tree, weights))(lt.treebank(path, lt.vocabulary(path), Tree)))
    found, expected = (make(loss)(str(file), weights) for make in (lambda f: lt.grad(lt.function(f), "weights"), lambda f: lt.grad(f, "weights")))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
