"""`lt.fit`: what it learns, in what order, what it says, where it stops and goes on."""
import csv
import json
import os
import pty
import subprocess
import sys

import numpy as np
import pytest

import lantern as lt

X = np.random.default_rng(0).normal(size=(12, 3)).astype(np.float32)
Y = (X @ np.array([1.0, -2.0, 0.5], np.float32)).astype(np.float32)


class Line(lt.Module):
    def __init__(self):
        self.weight = lt.Parameter(3, lt.init.zeros())

    def loss(self, x, y):
        return lt.sum(lt.square(x @ self.weight - y))


def fit(model, data, **more):
    return lt.fit(model, model.loss, data, more.pop("optimizer", lt.optim.SGD(0.05)), **{"epochs": 3, "progress": False, **more})


def without_seconds(rows):
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


def test_it_does_what_a_loop_does_in_order():
    one, other = Line(), Line()
    rows = fit(one, list(zip(X, Y)), shuffle=False)
    optimizer = lt.optim.SGD(0.05)
    for epoch in range(3):
        total = 0.0
        for x, y in zip(X, Y):
            loss, gradients = lt.value_and_grad(other.loss)(x, y)
            optimizer.step(gradients)
            total += float(loss)
        assert rows[epoch]["loss"] == pytest.approx(total / 12) and rows[epoch]["step"] == 12 * (epoch + 1) and rows[epoch]["epoch"] == epoch + 1
    np.testing.assert_allclose(one.weight.value, other.weight.value, rtol=1e-5)


def test_plainly_it_does_the_same():
    one, other = Line(), Line()
    rows = fit(one, lt.dataset(X, Y), seed=4)
    lt.seed(9)
    with lt.eager():
        plain = fit(other, lt.dataset(X, Y), seed=4)
    after = lt.uniform(0.0, 1.0, (3,)).tolist()
    lt.seed(9)
    assert lt.uniform(0.0, 1.0, (3,)).tolist() == after     # whose stream is left as it was
    np.testing.assert_allclose(one.weight.value, other.weight.value, rtol=1e-5)
    assert [row["loss"] for row in plain] == pytest.approx([row["loss"] for row in rows])


def test_an_epochs_order_is_decided_by_the_seed():
    seen = []

    class Model(lt.Module):
        def __init__(self):
            self.weight = lt.Parameter(1)

        def loss(self, x):
            seen.append(int(x))
            return lt.sum(self.weight) * x

    def order(data, **more):
        del seen[:]
        with lt.eager():
            fit(Model(), data, **{"epochs": 2, **more})
        return seen[:]
    first = order([float(i) for i in range(9)], seed=1)
    assert sorted(first[:9]) == sorted(first[9:]) == list(range(9)) and first[:9] != first[9:]
    lt.seed(99)
    assert order([float(i) for i in range(9)], seed=1) == first != order([float(i) for i in range(9)], seed=2)
    assert order(lt.dataset(np.arange(9.0)), seed=1) == first
    assert order([float(i) for i in range(9)], shuffle=False) == [*range(9), *range(9)]


def test_batches():
    shapes = []

    class Model(Line):
        def loss(self, x, y):
            lt.py_function(lambda n: shapes.append(n), (lt.shape(x, 0),), None)
            return lt.mean(lt.square(x @ self.weight - y))
    rows = fit(Model(), lt.dataset(X, Y), batch_size=5, epochs=1)
    assert shapes == [5, 5, 2] and rows[0]["step"] == 3
    del shapes[:]
    assert fit(Model(), lt.dataset(X, Y), batch_size=5, drop_last=True, epochs=1)[0]["step"] == 2 and shapes == [5, 5]
    with pytest.raises(ValueError, match="there is no batch of 13 in 12 examples"):
        fit(Model(), lt.dataset(X, Y), batch_size=13, drop_last=True)


def test_gradients_may_be_changed():
    model = Line()
    fit(model, lt.dataset(X, Y), gradients=lambda gradients: lt.optim.clip_by_global_norm(gradients, 1e-3), epochs=1)
    assert 0 < np.abs(model.weight.value).max() < 12 * 0.05 * 1e-3


def test_it_stops_early_and_tells_of_the_best(tmp_path):
    scores, best = iter([1.0, 3.0, 2.0, float("nan"), 2.5, 9.0]), []
    rows = fit(Line(), lt.dataset(X, Y), epochs=6, validate=lambda: {"score": np.float32(next(scores))}, monitor="score", mode="max", patience=3,
               on_best=lambda: best.append(1), log=tmp_path / "run.jsonl")
    assert [row["score"] for row in rows[:3]] == [1.0, 3.0, 2.0] and len(rows) == 5 and best == [1, 1]
    logged = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text().splitlines()]
    assert logged[3]["score"] is None and logged[:3] == rows[:3] and list(logged[0]) == ["epoch", "step", "loss", "score", "seconds"]


def test_logs_and_checkpoints_of_one_training(tmp_path):
    def train(epochs, **more):
        model = Line()
        rows = fit(model, lt.dataset(X, Y), epochs=epochs, optimizer=lt.optim.Adam(0.1), checkpoint=tmp_path / "run.ckpt", log=[tmp_path / "run.jsonl", tmp_path / "run.csv"],
                   **more)
        return rows, model.state_dict()["weight"].tolist()
    first, _ = train(2)
    resumed, weight = train(4)
    assert resumed[:2] == first
    assert [json.loads(line) for line in (tmp_path / "run.jsonl").read_text().splitlines()] == resumed
    with open(tmp_path / "run.csv", newline="") as file:
        assert [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)] == resumed
    assert train(4) == (resumed, weight) == train(2)      # there is nothing left to do
    (tmp_path / "run.ckpt").unlink()
    unbroken, whole = train(4, seed=np.int64(0), shuffle=np.bool_(True))
    assert without_seconds(unbroken) == without_seconds(resumed) and whole == weight
    with pytest.raises(lt.DataError, match="run.ckpt: it is of a training with seed=0, and this one has 1: name another checkpoint"):
        train(5, seed=1)
    with pytest.raises(lt.DataError, match="run.ckpt: lacks weight.momentum"):
        fit(Line(), lt.dataset(X, Y), optimizer=lt.optim.SGD(0.1, momentum=0.5), checkpoint=tmp_path / "run.ckpt")
    whole = (tmp_path / "run.ckpt").read_bytes()
    for old, new in ((rb'\"waited\": 0', rb'\"waited\": null'), (rb'\"waited\"', rb'\"weighed\"')):
        assert old in whole
        header = int.from_bytes(whole[:8], "little")
        text = whole[8:8 + header].replace(old, new, 1)
        (tmp_path / "broken.ckpt").write_bytes(len(text).to_bytes(8, "little") + text + whole[8 + header:])
        with pytest.raises(lt.DataError, match="broken.ckpt: what lt.fit wrote in it is malformed"):
            fit(Line(), lt.dataset(X, Y), optimizer=lt.optim.Adam(0.1), checkpoint=tmp_path / "broken.ckpt")
    lt.save_checkpoint(tmp_path / "other.ckpt", Line())
    with pytest.raises(lt.DataError, match="other.ckpt: it is no checkpoint of lt.fit"):
        fit(Line(), lt.dataset(X, Y), checkpoint=tmp_path / "other.ckpt")


def test_what_makes_no_sense_is_said():
    model, data = Line(), lt.dataset(X, Y)
    for more, message in (({"epochs": 0}, "epochs is at least 1"), ({"mode": "least"}, "mode is 'min' or 'max'"), ({"checkpoint_every": 5}, "needs a checkpoint"),
                          ({"monitor": "accuracy"}, "the row of an epoch has no 'accuracy', but epoch, step, loss, seconds"),
                          ({"log": "run.txt"}, "a log's name ends in .jsonl or .csv, and 'run.txt' does not")):
        with pytest.raises(ValueError, match=message):
            fit(model, data, **more)
    for found, message in (({"loss": 1.0}, "validate: 'loss' is a name of lt.fit's own"), ({"score": "high"}, "validate: 'score' is a number, not a str"),
                           (None, "validate gives a dict, {name: number}, not a NoneType")):
        with pytest.raises((ValueError, TypeError), match=message):
            fit(model, data, validate=lambda found=found: found)
    with pytest.raises(ValueError, match="the data are empty"):
        fit(model, [])
    with pytest.raises(TypeError, match="the loss takes 2 arguments, and an example of the data has 3"):
        fit(model, lt.dataset(X, Y, Y))
    with pytest.raises(Exception, match="LT0310.*lt.fit trains from Python, and has no staged meaning"):
        lt.function(lambda x: lt.fit(model, model.loss, data, None, epochs=1) or x)(1.0)


def test_a_line_an_epoch_where_there_is_no_terminal(capsys):
    fit(Line(), lt.dataset(X, Y), epochs=2, progress=True)
    said = capsys.readouterr()
    assert [line.split(": loss ")[0] for line in said.err.splitlines()] == ["epoch 1/2", "epoch 2/2"] and said.out == ""


def test_a_bar_on_a_terminal():
    program = """
import os, pty, sys
import numpy as np
import lantern as lt
class Model(lt.Module):
    def __init__(self):
        self.w = lt.Parameter(2)
    def loss(self, x):
        return lt.sum(self.w * x)
model = Model()
with lt.eager():
    lt.fit(model, model.loss, lt.dataset(np.ones((7, 2), np.float32)), lt.optim.SGD(0.1), epochs=1)
"""
    leader, follower = pty.openpty()
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, stderr=follower, timeout=60)
    os.close(follower)
    shown = os.read(leader, 1 << 16).decode()
    os.close(leader)
    assert done.returncode == 0 and f"epoch 1/1 |{'█' * 30}| 7/7 " in shown and "loss " in shown and shown.rstrip().splitlines()[-1].startswith("epoch 1/1: loss ")
