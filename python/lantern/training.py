"""Training from Python: `lt.fit`, which can be interrupted at any moment and goes on where its checkpoint stands.

    lt.seed(1)
    model = TreeLSTM(len(words))
    history = lt.fit(model, model.loss, trees, lt.optim.Adagrad(0.05), epochs=20,
                     validate=lambda: {"accuracy": accuracy(model, dev)}, monitor="accuracy", mode="max", patience=3,
                     on_best=lambda: lt.save("best.safetensors", model, words), checkpoint="run.ckpt", log="run.jsonl")

A step (loss, gradients, update) is one call of a compiled function. All that is random in it is decided by the seed, the epoch and the
step, so that a run that was interrupted and one that was not are the same to the bit, on one thread.
"""
from __future__ import annotations

import collections.abc
import inspect
import json
import math
import operator
import os
import sys
import time

from lantern import dispatch, files, ops, philox
from lantern.annotations import annotations_of
from lantern.bar import Bar, is_wanted
from lantern.data import batch, reordered
from lantern.exceptions import DataError
from lantern.function import Function
from lantern.grad import value_and_grad
from lantern.lazy_numpy import np
from lantern.logs import Log

_METADATA = "lantern.fit"      # of a checkpoint: JSON of how far the training is
_PROGRESS = {"epoch": (int,), "step": (int,), "waited": (int,), "total": (float,), "seconds": (float,), "history": (list,), "best": (float, int, type(None))}
_OWN = ("epoch", "step", "loss", "seconds")     # columns of a row


def fit(model, loss, data, optimizer, *, epochs, batch_size=None, drop_last=False, shuffle=True, seed=0, gradients=None,
        validate=None, monitor="loss", mode="min", patience=None, on_best=None,
        checkpoint=None, checkpoint_every=None, log=(), progress=True):
    """Trains a module's parameters on each element of the data, `epochs` times; the list of the epochs' rows.

    loss: a function of an element of `data` (of several arguments, if that is a tuple), or of a batch as `lt.batch` makes it, that gives
        one number. If it has a parameter `key`, it gets one of its own in each step, for lt.dropout and lt.random.
    data: a data set or a list; what has a length and elements.
    batch_size, drop_last: as of `lt.batch`; None learns from one element after another.
    shuffle: whether each epoch has an order of its own. seed: of that order and of all that the loss draws.
    gradients: a function of the Gradients that gives what the optimiser takes, such as their clipping.
    validate: a function without arguments, called behind each epoch; its {name: number} become part of the epoch's row.
    monitor, mode: which number of the row tells how good an epoch is, and whether "min" or "max" is better.
    patience: so many epochs that are not better than the best one end the training.
    on_best: a function without arguments, called behind each epoch that is better than those before.
    checkpoint: a file that is written behind each epoch, and `checkpoint_every` steps, complete or not at all. If it is there, the
        training goes on from it: call `fit` with the same model, data and numbers (epochs and patience may be others).
    log: a file for the rows, `.jsonl` or `.csv`, or several. It is begun anew, with the rows that a checkpoint remembers.
    progress: whether stderr shows how far it is: a bar on a terminal, a line an epoch elsewhere.

    A row has `epoch` (from 1), `step` (how many there were), `loss` (the mean of the epoch's steps), what `validate` gives, and
    `seconds` of training. The step is compiled, but within `with lt.eager():`. The program's stream of random numbers
    is left as it was; trainings in several threads, which share it, take turns step by step.
    Raises DataError for a checkpoint of another training, ValueError for numbers that make no sense, and what `loss` raises.
    """
    if dispatch.active_trace() is not None:
        dispatch.refuse("lt.fit trains from Python, and has no staged meaning", "in a function that is compiled, write the loop, as examples/tree_lstm.py does")
    if mode not in ("min", "max"):
        raise ValueError(f"mode is 'min' or 'max', not {mode!r}")
    for name, number in (("epochs", epochs), ("patience", patience), ("checkpoint_every", checkpoint_every)):
        if number is not None and number < 1:
            raise ValueError(f"{name} is at least 1, not {number}")
    if checkpoint_every is not None and checkpoint is None:
        raise ValueError("checkpoint_every needs a checkpoint: the file to write")
    if len(data) == 0:
        raise ValueError("there is nothing to learn from: the data are empty")
    seed, shuffle, drop_last = operator.index(seed), bool(shuffle), bool(drop_last)     # NumPy's have no place in a checkpoint
    batch_size = batch_size if batch_size is None else operator.index(batch_size)
    stream = philox.stream().state()
    run = _Run(model, optimizer, checkpoint, {"seed": seed, "examples": len(data), "batch_size": batch_size, "drop_last": drop_last, "shuffle": shuffle,
                                         "monitor": monitor, "mode": mode})
    run.resume()
    step = _step_of(loss, optimizer, gradients, data[0] if batch_size is None else batch(data, batch_size)[0])
    run.open_logs([log] if isinstance(log, (str, os.PathLike)) else log)
    try:
        while run.epoch < epochs and (patience is None or run.waited < patience):
            key = philox.fold_in(seed, run.epoch)
            examples = reordered(data, philox.Stream(key).permutation(len(data)) if shuffle else range(len(data)))
            if batch_size is not None:
                examples = batch(examples, batch_size, drop_last)
            if len(examples) == 0:
                raise ValueError(f"there is no batch of {batch_size} in {len(data)} examples, and smaller ones are dropped")
            _learn(run, step, examples, key, f"epoch {run.epoch + 1}/{epochs}" if progress and is_wanted() else None, checkpoint_every)
            row = run.end_epoch(_validated(validate()) if validate is not None else {})
            if monitor not in row:
                raise ValueError(f"monitor: the row of an epoch has no '{monitor}', but {', '.join(row)}")
            run.judge(row[monitor] if mode == "min" else -row[monitor], on_best)
            run.save()
            if progress:
                print(f"epoch {row['epoch']}/{epochs}: " + ", ".join(f"{name} {row[name]:.4g}" for name in row if name not in ("epoch", "step")),
                      file=sys.stderr, flush=True)
    finally:
        philox.stream().resume(*stream)
        run.close()
    return run.history


def _learn(run, step, examples, key, label, checkpoint_every):
    """What is left of an epoch. label: of a bar; None for no bar."""
    bar = Bar(label, len(examples), run.step) if label is not None else None
    keys = philox.split(key, len(examples))
    run.begin()
    try:
        for i in range(run.step, len(examples)):
            run.total += float(step(int(keys[i]), *_parts(examples[i])))
            run.step = i + 1
            if bar:
                bar.show(run.step, f"  loss {run.total / run.step:.4g}")
            if checkpoint_every is not None and run.step % checkpoint_every == 0 and run.step < len(examples):
                run.save()
    finally:
        if bar:
            bar.close()


class _Run:
    """How far a training has come: what a checkpoint holds."""

    def __init__(self, model, optimizer, checkpoint, same):
        """same: the numbers that make it the same training."""
        self._kept = files.kept_of((model, optimizer))
        self._checkpoint, self._same = os.fspath(checkpoint) if checkpoint is not None else None, same
        self.epoch = self.step = self.waited = 0    # finished, within the epoch, since the best one
        self.total = self.seconds = 0.0             # of the epoch's losses; of the training
        self.history, self.best, self._logs = [], None, []

    def resume(self):
        """Goes on from the checkpoint, if there is one."""
        if self._checkpoint is not None and os.path.exists(self._checkpoint):
            vars(self).update(files.read_checkpoint(self._checkpoint, self._kept, self._checked))

    def open_logs(self, paths):
        """Each has the rows so far."""
        for path in paths:
            self._logs.append(Log(path))
            for row in self.history:
                self._logs[-1].write(row)

    def _checked(self, metadata):
        if _METADATA not in metadata:
            raise DataError(f"{self._checkpoint}: it is no checkpoint of lt.fit; lt.load_checkpoint reads it")
        try:
            state = json.loads(metadata[_METADATA])
            before = {name: state["same"][name] for name in self._same}
            progress = {name: state[name] for name in _PROGRESS}
            if any(type(progress[name]) not in kinds for name, kinds in _PROGRESS.items()):
                raise TypeError
        except (ValueError, KeyError, TypeError):
            raise DataError(f"{self._checkpoint}: what lt.fit wrote in it is malformed") from None
        for name, value in self._same.items():
            if before[name] != value:
                raise DataError(f"{self._checkpoint}: it is of a training with {name}={before[name]}, and this one has {value}: "
                                "name another checkpoint, or remove it to begin anew")
        return progress

    def begin(self):
        """The clock runs."""
        self._since = time.monotonic() - self.seconds

    def end_epoch(self, more):
        """The row of the epoch, which the logs have now."""
        self.seconds = time.monotonic() - self._since
        steps = self.step + (self.history[-1]["step"] if self.history else 0)
        if taken := [name for name in _OWN if name in more]:
            raise ValueError(f"validate: '{taken[0]}' is a name of lt.fit's own")
        row = {"epoch": self.epoch + 1, "step": steps, "loss": self.total / self.step, **{name: _number(name, value) for name, value in more.items()},
               "seconds": round(self.seconds, 3)}
        self.history.append(row)
        for log in self._logs:
            log.write(row)
        self.epoch, self.step, self.total = self.epoch + 1, 0, 0.0
        return row

    def judge(self, value, on_best):
        """value: of the epoch, of which less is better."""
        self.waited += 1
        if not math.isnan(value) and (self.best is None or value < self.best):
            self.best, self.waited = float(value), 0
            if on_best is not None:
                on_best()

    def save(self):
        if self._checkpoint is None:
            return
        self.seconds = time.monotonic() - self._since
        state = {"same": self._same, **{name: getattr(self, name) for name in _PROGRESS}}
        files.write_checkpoint(self._checkpoint, self._kept, {_METADATA: json.dumps(state)})

    def close(self):
        for log in self._logs:
            log.close()


def _validated(found):
    if not isinstance(found, collections.abc.Mapping):
        raise TypeError(f"validate gives a dict, {{name: number}}, not a {type(found).__name__}")
    return found


def _number(name, value):
    """As JSON has it."""
    value = value.item() if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0 else value
    if not isinstance(value, (bool, int, float)):
        raise TypeError(f"validate: '{name}' is a number, not a {type(value).__name__}")
    return value


def _parts(example):
    return example if isinstance(example, tuple) else (example,)


def _step_of(loss, optimizer, gradients, example):
    """The compiled step(key, *parts of an example): it updates the parameters and gives the loss."""
    from lantern.staging.convert import mark
    parameters = inspect.signature(loss).parameters
    has_key = "key" in parameters
    formals = [name for name in parameters if name != "key"][:len(_parts(example))]
    if len(formals) < len(_parts(example)):
        raise TypeError(f"the loss takes {len(formals)} arguments, and an example of the data has {len(_parts(example))}")
    both = value_and_grad(loss)

    @mark
    def step(key, *parts):
        ops.seed(key)
        value, found = both(*parts, **({"key": key} if has_key else {}))
        optimizer.step(found if gradients is None else dispatch.call(gradients, found))
        return value

    annotations = annotations_of(loss)
    step.__annotations__ = {"key": int, **{name: annotations[name] for name in formals if name in annotations}}
    step.__signature__ = inspect.Signature([inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in ["key", *formals]])
    step.__name__ = f"step_of_{getattr(loss, '__name__', 'loss')}".replace("<lambda>", "lambda")
    return Function(step)
