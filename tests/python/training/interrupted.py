"""A training that the tests interrupt: python interrupted.py FOLDER STEPS. It keeps its checkpoint, its logs and its best weights there."""
import pathlib
import sys

import numpy as np

import lantern as lt

folder, epochs = pathlib.Path(sys.argv[1]), int(sys.argv[2])


class Model(lt.Module):
    def __init__(self):
        self.weight = lt.Parameter((4, 3), lt.init.normal(0, 1))
        self.bias = lt.Parameter(4, lt.init.zeros())
        self.seen = lt.Variable(0)

    def loss(self, x, label: int, key: int):
        self.seen.assign(self.seen + 1)
        noise = lt.normal(0.0, 0.1, (4,))       # from the program's stream
        return lt.cross_entropy(self.weight @ lt.dropout(x, 0.25, key) + self.bias + noise, label)


lt.seed(3)
model = Model()
draw = np.random.default_rng(0)
x = draw.normal(size=(20, 3)).astype(np.float32)
data = [(row, int(np.argmax(row))) for row in x]
lt.fit(model, model.loss, data, lt.optim.Adam(lt.optim.cosine(0.05, 400)), epochs=epochs, seed=5,
       validate=lambda: {"norm": float(np.square(model.weight.read()).sum())}, monitor="norm", mode="max",
       on_best=lambda: lt.save(folder / "best.safetensors", model), checkpoint=folder / "run.ckpt", checkpoint_every=1,
       log=[folder / "run.jsonl", folder / "run.csv"], progress=False)
