"""Checkpoints: training that was interrupted goes on as if it had not been, plainly, compiled, and from the one to the other."""
import os

import numpy as np
import pytest

import lantern as lt
from lantern.staging.errors import StagingError

X = np.linspace(-1, 1, 12).reshape(6, 2)


class Model(lt.Module):
    def __init__(self):
        self.weight = lt.Parameter((2, 3), lt.init.normal(0, 1), dtype="f64")
        self.unused = lt.Parameter((2,), lt.init.uniform(), dtype="f64")
        self.seen = lt.Variable(0.0)

    def loss(self, x):
        return lt.sum(lt.square(x @ self.weight - 1.0))


def train(path: str, begin: int, end: int, save: bool):
    lt.seed(7 + begin)
    model = Model()
    optimizer = lt.optim.Adam(lt.optim.stepwise(0.1, 2))
    if begin > 0:
        lt.load_checkpoint(path, model, optimizer)
    total = 0.0
    for step in range(begin, end):
        noise = lt.normal(0.0, 1.0, (2,), dtype="f64")
        loss, gradients = lt.value_and_grad(model.loss)(noise)
        optimizer.step(gradients)
        model.seen.assign(model.seen + 1.0)
        total = lt.item(loss)
    if save:
        lt.save_checkpoint(path, model, optimizer)
    return total, float(model.seen), model.weight * 1.0


compiled_train = lt.function(train)


@pytest.mark.parametrize("first", [train, compiled_train], ids=["plain", "compiled"])
@pytest.mark.parametrize("second", [train, compiled_train], ids=["plain", "compiled"])
def test_training_goes_on_where_it_stood(tmp_path, first, second):
    path = str(tmp_path / "run.ckpt")
    loss, seen, weight = train("", 0, 7, False)
    assert first(path, 0, 3, True)[1] == 3
    resumed = second(path, 3, 7, False)
    assert resumed[1] == seen == 7 and resumed[0] == pytest.approx(loss)
    np.testing.assert_allclose(resumed[2], weight, rtol=1e-10)
    assert os.listdir(tmp_path) == ["run.ckpt"]     # nothing half-written is left


def resume_other(path: str):
    other = lt.Variable(np.zeros(3), name="other")
    before = other * 1.0
    lt.load_checkpoint(path, other)
    return before


def test_what_is_no_checkpoint_of_these_is_refused(tmp_path):
    path = str(tmp_path / "run.ckpt")
    train(path, 0, 1, True)
    for form in (resume_other, lt.function(resume_other)):
        with pytest.raises(lt.DataError, match="run.ckpt: .*'?(other|weight)"):
            form(path)
        with pytest.raises(FileNotFoundError):
            form(path + ".missing")
    weights = str(tmp_path / "weights")
    lt.save(weights, Model())
    with pytest.raises(lt.DataError, match="it is no checkpoint"):
        lt.load_checkpoint(weights, Model())
    with pytest.raises(ValueError, match="two of what a checkpoint keeps are called 'weight'"):
        lt.save_checkpoint(path, Model(), Model())
    with pytest.raises(ValueError, match="what a checkpoint keeps has a name"):
        lt.save_checkpoint(path, lt.Variable(1.0))


class Weights(lt.Module):
    def __init__(self):
        self.weight = lt.Parameter((2, 3), lt.init.normal(0, 1), dtype="f64")


def test_weights_are_saved_without_words_too(tmp_path):
    model, other = Weights(), Weights()

    def save(path: str):
        lt.save(path, model)
        return lt.sum(model.weight)

    assert lt.function(save)(str(tmp_path / "compiled")) == save(str(tmp_path / "plain"))
    for name in ("compiled", "plain"):
        other.weight.assign(np.zeros_like(other.weight.read()))
        lt.load(str(tmp_path / name), other)
        np.testing.assert_array_equal(other.weight.read(), model.weight.read())


class Scale(lt.Module):
    def __init__(self):
        self.weight = lt.Parameter((2, 3), lt.init.fill(1.0), dtype="f64")


def scaled(path: str):
    model = Scale()
    lt.load(path, model)
    return lt.sum(model.weight * np.ones((2, 3)))


scale = Scale()


def scaled_of_the_module(path: str):
    lt.load(path, scale)
    return lt.sum(scale.weight * np.ones((2, 3)))


@pytest.mark.parametrize("function", [scaled, scaled_of_the_module])
def test_weights_of_another_shape_are_refused(tmp_path, function):
    good, other, compiled = str(tmp_path / "good"), str(tmp_path / "other"), lt.function(function)
    lt.save_arrays(good, {"weight": np.full((2, 3), 2.0)})
    lt.save_arrays(other, {"weight": np.full((1, 1), 2.0)})     # it would broadcast
    for form in (function, compiled):
        assert form(good) == 12
        with pytest.raises(lt.DataError, match="'weight' is"):
            form(other)
        assert scale.weight.read().shape == (2, 3)


class Pair(lt.Module):
    def __init__(self):
        self.one, self.other = Weights(), Weights()


def to_another(path: str):
    model = Pair()
    lt.save(path, model.one)
    return lt.sum(model.other.weight)


def from_another(path: str):
    one, other = Weights(), Weights()
    lt.load(path, other)
    return lt.sum(one.weight) + lt.sum(other.weight)


@pytest.mark.parametrize("function, names", [(to_another, "parameters one.weight, and .* one.weight, other.weight"),
                                             (from_another, "parameters weight, and .* weight, weight_2")])
def test_a_file_of_some_of_a_programs_parameters_is_a_checkpoint(tmp_path, function, names):
    with pytest.raises(StagingError, match=names):
        lt.function(function)(str(tmp_path / "weights"))


def metrics(scores: lt.Tensor[lt.f64, None, 3], labels: lt.Tensor[lt.i64, None], turns: int):
    mean = lt.metrics.Mean()
    nothing = mean.value()
    for turn in range(turns):
        mean.add(lt.sum(scores[turn]), turn)
        mean.add(0.5)
    value = mean.value()
    mean.reset()
    mean.add(3.0)
    return lt.metrics.accuracy(scores, labels), lt.metrics.confusion_matrix(labels, lt.argmax(scores, 1), 3), nothing, value, mean.value()


def test_metrics():
    scores = np.array([[1.0, 2, 0], [3, 1, 1], [0, 0, 1], [0, 5, 1]])
    labels = np.array([1, 0, 1, 2])
    for form in (metrics, lt.function(metrics)):
        accuracy, confusion, nothing, value, after = form(scores, labels, 3)
        assert accuracy == 0.5 and np.isnan(nothing) and after == 3 and confusion.dtype == np.int64
        assert confusion.tolist() == [[1, 0, 0], [0, 1, 1], [0, 1, 0]]
        assert value == pytest.approx((5 + 2 * 1 + 1.5) / 6)
