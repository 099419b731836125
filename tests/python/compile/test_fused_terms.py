"""Gradients of arrays: terms are one expression, what is stretched is read where it lies, and nothing is kept for its shape."""
import re

import numpy as np
import pytest

import lantern as lt


@pytest.fixture
def code(lantern, tmp_path):
    """code(source) is the C++ of a file that exports `run`, from the reverse sweep of `f` on."""

    def of(source):
        (tmp_path / "model.py").write_text("import lantern as lt\nimport numpy as np\n\n\n" + source, "utf-8")
        done = lantern("compile", "model.py", "--emit", "cpp")
        assert (done.returncode, done.stderr) == (0, "")
        return re.sub(r"\s+", " ", done.stdout.split("// reverse sweep")[1].split("return")[0])

    return of


RUN = """

@lt.export
def run(x: lt.Tensor[{0}], y: lt.Tensor[{0}]):
    return lt.value_and_grad(f, wrt=("x", "y"))(x, y)
"""


def test_a_square_is_not_kept_for_its_shape(code):
    text = code("def f(x: lt.Tensor[4, 5], y: lt.Tensor[4, 5]):\n    z = x - y\n    return np.sum(z * z)\n" + RUN.format("4, 5"))
    assert "const auto z_adj_i = 2.0f * z_i;" in text and "broadcast_to" not in text


def test_terms_are_added_up_at_once(code):
    text = code("def f(x: lt.Tensor[7], y: lt.Tensor[7]):\n    return np.sum(x * np.exp(y) + np.tanh(x) * y + x)\n" + RUN.format("7"))
    assert re.search(r"const auto \[x_adj, y_adj, \w+\] = in_one_loop", text) and "_adj" not in text.split("in_one_loop")[1]


def test_a_number_that_is_stretched_is_a_number(code):
    text = code("def f(x: lt.Tensor[4, 5], y: lt.Tensor[4, 5]):\n    return -0.5 * np.sum(1.0 + x - y ** 2 - np.exp(x))\n" + RUN.format("4, 5"))
    assert text.count("broadcast_to") <= 1 and "y_adj = 0.5f * (2 * y);" in text


def layer_norm(x, g, b):
    z = (x - np.mean(x, axis=1, keepdims=True)) / np.sqrt(np.var(x, axis=1, keepdims=True) + 1e-5) * g + b
    return np.sum(z * z)


def batch_norm(x, g, b):
    z = (x - np.mean(x, axis=0)) / np.sqrt(np.var(x, axis=0) + 1e-5) * g + b
    return np.sum(np.maximum(z, 0.0) ** 2)


def likely(x, g, b):
    labels = np.argsort(g)[: x.shape[0]] % x.shape[1]
    return lt.mean(lt.cross_entropy(x * g, labels)) + np.sum(lt.softmax(x + b) * lt.log_softmax(x)) + np.sum(lt.softmax(x)[0] * b)


def huber(x, g, b):
    d = x - g
    a = np.abs(d)
    return np.sum(np.where(a < 0.1, 0.5 * d * d, 0.1 * (a - 0.05)) * b)


def norms(x, g, b):
    return np.sum(np.sum(x * b, axis=1) / (np.linalg.norm(x, axis=1) * np.linalg.norm(g))) + np.linalg.norm(x)


def polynomial(x, g, b):
    return np.sum(g[0] + x * (g[1] + x * (g[2] + x * b)))


def entropies(x, g, b):
    chances = lt.softmax(x * g)
    return np.sum(np.sum(chances * chances, axis=1) * np.sum(x, axis=1)) - np.mean(np.log(chances + b * b)) + np.sum(np.max(x, axis=0) * g)


def in_turns(x, g, b):
    """Adjoints that are carried from turn to turn are read between what is added to them."""
    total, n = 0.0, 0
    while n < 2.0 + g[0] * 0.0:
        apart = x - np.mean(x, axis=1, keepdims=True)
        x = x * np.tanh(apart * g) + apart * apart
        b = b * b + np.sum(x, axis=0)
        total += np.sum(b * b) * 0.01 + np.sum(x * apart)
        n += 1
    return total


@pytest.mark.sampled(3)
@pytest.mark.parametrize("f", [layer_norm, batch_norm, likely, huber, norms, polynomial, entropies, in_turns], ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gradients_are_the_eager_ones(f, dtype):
    draw = np.random.default_rng(5)
    arguments = [(draw.normal(size=shape) + 0.1).astype(dtype) for shape in ((6, 19), (19,), (19,))]
    value, gradients = lt.value_and_grad(lt.function(f), wrt=("x", "g", "b"))(*arguments)
    expected, eager = lt.value_and_grad(f, wrt=("x", "g", "b"))(*(a.astype(np.float64) for a in arguments))
    close = dict(rtol=2e-4, atol=2e-4) if dtype == np.float32 else dict(rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(value, expected, **close)
    for of, should in zip(gradients, eager):
        assert of.dtype == dtype
        np.testing.assert_allclose(of, should, **close)


def test_a_sum_of_bools_and_a_number_of_f32_is_f32():
    def f(c, s):
        return np.mean((c > 1.0) * (2.0 - s) + 0.0 * c, axis=0)

    arguments = np.arange(6, dtype=np.float32).reshape(2, 3), np.float32(0.5)
    found = lt.function(f)(*arguments)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, f(*arguments))
