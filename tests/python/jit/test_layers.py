"""Convolutions, pools and normalisation: against loops of NumPy's, eager and compiled, with their derivatives against differences."""
import numpy as np
import pytest

import lantern as lt

RNG = np.random.default_rng(5)


def convolved(x, w, strides, margins):
    (top, bottom), (left, right) = margins
    x = np.pad(x, ((0, 0), (top, bottom), (left, right), (0, 0)))
    height, width = w.shape[:2]
    rows, columns = (x.shape[1] - height) // strides[0] + 1, (x.shape[2] - width) // strides[1] + 1
    result = np.zeros((x.shape[0], rows, columns, w.shape[3]))
    for i in range(rows):
        for j in range(columns):
            window = x[:, i * strides[0]:, j * strides[1]:][:, :height, :width]
            result[:, i, j] = np.einsum("nhwc,hwcd->nd", window, w)
    return result


def pooled(x, window, strides, margins, reduce):
    (top, bottom), (left, right) = margins
    x = np.pad(x, ((0, 0), (top, bottom), (left, right), (0, 0)), constant_values=np.nan)
    rows, columns = (x.shape[1] - window[0]) // strides[0] + 1, (x.shape[2] - window[1]) // strides[1] + 1
    parts = [[reduce(x[:, i * strides[0]:, j * strides[1]:][:, :window[0], :window[1]], axis=(1, 2)) for j in range(columns)] for i in range(rows)]
    return np.array(parts).transpose(2, 0, 1, 3)


CONVOLUTIONS = {   # strides, padding, the margins that it means for images of 6 by 5 and weights of 3 by 2
    "valid": (1, "valid", ((0, 0), (0, 0))), "same": (1, "same", ((1, 1), (0, 1))), "strides": ((2, 1), "valid", ((0, 0), (0, 0))),
    "same_strides": (2, "same", ((0, 1), (0, 1))), "number": (1, 1, ((1, 1), (1, 1))), "explicit": ((1, 3), ((2, 0), (1, 2)), ((2, 0), (1, 2))),
}
POOLS = {"pairs": (2, None, "valid", ((0, 0), (0, 0))), "overlapping": ((3, 2), 1, "valid", ((0, 0), (0, 0))), "same": (2, 2, "same", ((0, 0), (0, 1))),
         "explicit": (3, 2, (1, (0, 1)), ((1, 1), (0, 1)))}


def pair(n):
    return n if isinstance(n, tuple) else (n, n)


def check(functions, references, arguments, staged_types):
    """The values of functions, eager and compiled, are those of references; the gradients of their sum with weights those of differences."""
    wanted = [reference(*arguments) for reference in references]
    weights = [RNG.normal(size=w.shape) for w in wanted]

    def values(*arguments):
        return tuple(function(*arguments) for function in functions)

    def loss(*arguments):
        total = 0.0
        for function, weight in zip(functions, weights):
            total = total + lt.sum(weight * function(*arguments))
        return total
    names = tuple("abcd"[:len(arguments)])
    scope, listed = {"loss": loss, "values": values, "names": names, "lt": lt}, ", ".join(names)
    exec(f"def named_loss({listed}): return loss({listed})\ndef both({listed}): return values({listed}), lt.grad(named_loss, wrt=names)({listed})", scope)
    scope["both"].__annotations__.update(dict(zip(names, staged_types)))
    (plain, eager), (found, compiled) = scope["both"](*arguments), lt.function(scope["both"])(*arguments)
    for values_of in (plain, found):
        for value, expected in zip(values_of, wanted):
            np.testing.assert_allclose(value, expected, rtol=1e-10, atol=1e-12)
    for position, (one, other) in enumerate(zip(eager, compiled)):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-10)
        for _ in range(4):
            direction = RNG.normal(size=np.shape(arguments[position]))
            moved = [[*arguments[:position], arguments[position] + sign * 1e-6 * direction, *arguments[position + 1:]] for sign in (1, -1)]
            difference = sum(sign * np.sum(weight * reference(*m)) for weight, reference in zip(weights, references)
                             for sign, m in zip((1, -1), moved)) / 2e-6
            np.testing.assert_allclose(np.sum(one * direction), difference, rtol=1e-5, atol=1e-5)


IMAGES = [lt.Tensor[lt.f64, None, 6, 5, 2], lt.Tensor[lt.f64, 2, None, None, None]]     # sizes that are known, and that are not


@pytest.mark.filterwarnings("ignore::lantern.UnconvertedWarning")
@pytest.mark.parametrize("type_", IMAGES, ids=["known", "unknown"])
def test_conv2d(type_):
    x, w = RNG.normal(size=(2, 6, 5, 2)), RNG.normal(size=(3, 2, 2, 3))
    functions = [lambda x, w, c=c: lt.conv2d(x, w, c[0], c[1]) for c in CONVOLUTIONS.values()]
    references = [lambda x, w, c=c: convolved(x, w, pair(c[0]), c[2]) for c in CONVOLUTIONS.values()]
    check(functions, references, (x, w), (type_, lt.Tensor[lt.f64, 3, 2, 2, 3]))


@pytest.mark.filterwarnings("ignore::lantern.UnconvertedWarning")
@pytest.mark.parametrize("type_", IMAGES, ids=["known", "unknown"])
def test_pools(type_):
    x = RNG.permutation(2 * 6 * 5 * 2).reshape(2, 6, 5, 2) / 7.0
    functions, references = [], []
    for window, strides, padding, margins in POOLS.values():
        for ours, reduce in ((lt.max_pool, np.nanmax), (lt.avg_pool, np.nanmean)):
            functions.append(lambda x, f=ours, c=(window, strides, padding): f(x, *c))
            references.append(lambda x, c=(pair(window), pair(window if strides is None else strides), margins, reduce): pooled(x, *c))
    check(functions, references, (x,), (type_,))


@pytest.mark.filterwarnings("ignore::lantern.UnconvertedWarning")
def test_layer_norm_and_means_over_several_axes():
    x, scale, shift = RNG.normal(size=(3, 4, 5)), RNG.normal(size=5), RNG.normal(size=5)

    def reference(x, scale, shift):
        return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * scale + shift
    vector = lt.Tensor[lt.f64, None]
    check([lt.layer_norm, lambda x, scale, shift: lt.mean(x, (0, -1)) + lt.max(x, (0, 2))], [reference, lambda x, scale, shift: x.mean((0, 2)) + x.max((0, 2))],
          (x, scale, shift), (lt.Tensor[lt.f64, None, None, 5], vector, vector))
    check([lt.layer_norm], [reference], (x[0, 0], scale, shift), (vector, vector, vector))
    for axes in ((), (0, 3), (1, -2)):
        with pytest.raises(ValueError, match="are not one or several different axes of an array that has 3"):
            lt.sum(x, axes)


class Model(lt.Module):
    def __init__(self):
        self.norm = lt.BatchNorm(3, momentum=0.8, dtype="f64")

    def loss(self, x: lt.Tensor[lt.f64, None, None, 3]):
        return lt.sum(lt.square(self.norm(x, training=True)) * x)

    def apply(self, x: lt.Tensor[lt.f64, None, None, 3]):
        return self.norm(x, training=False)


def test_batch_norm_trains_by_its_batch_and_keeps_running_statistics():
    models = [Model(), Model()]
    for model in models:
        model.norm.scale.assign(np.array([1.0, 2.0, -1.0]))
    steps = [lt.value_and_grad(models[0].loss), lt.value_and_grad(lt.function(models[1].loss))]
    applies = [models[0].apply, lt.function(models[1].apply)]
    mean, variance = np.zeros(3), np.ones(3)
    for seed in range(3):
        x = np.random.default_rng(seed).normal(2, 3, (4, 5, 3))
        mean, variance = 0.8 * mean + 0.2 * x.mean((0, 1)), 0.8 * variance + 0.2 * x.var((0, 1))
        normal = (x - x.mean((0, 1))) / np.sqrt(x.var((0, 1)) + 1e-5)
        scale = models[0].norm.scale.value
        for model, step, apply in zip(models, steps, applies):
            loss, gradients = step(x)
            assert loss == pytest.approx(np.sum((normal * scale) ** 2 * x), rel=1e-9)
            np.testing.assert_allclose(gradients[model.norm.scale], np.sum(2 * normal**2 * scale * x, (0, 1)), rtol=1e-8)
            np.testing.assert_allclose(gradients[model.norm.shift], np.sum(2 * normal * scale * x, (0, 1)), rtol=1e-8)
            assert len(gradients) == 2
            np.testing.assert_allclose(model.norm.mean.value, mean, rtol=1e-9)
            np.testing.assert_allclose(model.norm.variance.value, variance, rtol=1e-9)
            np.testing.assert_allclose(apply(x), (x - mean) / np.sqrt(variance + 1e-5) * scale, rtol=1e-9)


def test_windows_that_do_not_fit_are_an_error():
    def pool(x: lt.Tensor[lt.f64, None, None, None, None], n: int):
        return lt.max_pool(x, n)
    for function in (pool, lt.function(pool)):
        with pytest.raises(ValueError, match="windows of 4 by 4, 4 and 4 apart, do not fit into images of 3 by 6"):
            function(np.zeros((1, 3, 6, 1)), 4)
        with pytest.raises(ValueError, match="windows of 0 by 0"):
            function(np.zeros((1, 3, 6, 1)), 0)

    def known(x: lt.Tensor[lt.f64, 1, 3, 6, 1]):
        return lt.max_pool(x, 4)
    with pytest.raises(Exception, match="'patches' has windows of 4 that do not fit into 3"):
        lt.function(known)(np.zeros((1, 3, 6, 1)))
