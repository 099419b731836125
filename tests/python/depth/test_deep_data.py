"""A chain of a million nodes trains; a stack or a memory that does not suffice ends in a clear error, never a crash."""
import os
import pathlib
import subprocess

import pytest

BUILD = pathlib.Path(os.environ.get("LANTERN_BUILD", pathlib.Path(__file__).parents[3] / "build")).resolve()
pytestmark = pytest.mark.optimised      # without optimisation, frames take twice as much

MODEL = '''
import lantern as lt

@lt.struct
class Tree:
    label: int
    word: int
    left: "Tree | None"
    right: "Tree | None"

class Model(lt.Module):
    def __init__(self):
        self.w = lt.Parameter((4, 4), init=lt.init.uniform(-0.5, 0.5))
        self.b = lt.Parameter((4,), init=lt.init.uniform(-0.5, 0.5))

    def encode(self, tree):
        if tree.left is None:
            return lt.tanh(self.b)
        else:
            return lt.tanh(self.w @ (self.encode(tree.left) + self.encode(tree.right)))

    def loss(self, tree: Tree):
        return lt.sum(self.encode(tree))

@lt.export
def train(path: str):
    model = Model()
    words = lt.vocabulary(path)
    data = lt.treebank(path, words, Tree)
    step = lt.value_and_grad(model.loss)
    optimizer = lt.optim.SGD(0.1)
    for tree in data:
        loss, gradients = step(tree)
        optimizer.step(gradients)
        print("loss", float(loss))
'''


def chain(nodes):
    """A left-deep tree in the treebank's form."""
    inner = nodes // 2
    return "(2 " * inner + "(1 a)" + " (3 b))" * inner + "\n"


@pytest.fixture
def train(tmp_path):
    (tmp_path / "deep.py").write_text(MODEL)

    def run(nodes, **environment):
        (tmp_path / "chain.txt").write_text(chain(nodes))
        return subprocess.run([BUILD / "bin" / "lantern", "run", "deep.py", "train", "--path", "chain.txt"], cwd=tmp_path, capture_output=True,
                              text=True, timeout=900, env={**os.environ, "NO_COLOR": "1", **environment})

    return run


@pytest.mark.slow
def test_a_million_nodes_train(train):
    done = train(1_000_000)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("loss ")


@pytest.mark.slow
@pytest.mark.parametrize("environment, name", [({"LANTERN_STACK": "100M"}, "StackExhausted"), ({"LANTERN_STACK": "10M"}, "StackExhausted"),
                                               ({"LANTERN_STACK": "37M"}, "StackExhausted"), ({"LANTERN_MEMORY": "300M"}, "OutOfMemory"),
                                               ({"LANTERN_MEMORY": "100M"}, "OutOfMemory")])
def test_too_deep_is_said(train, environment, name):
    done = train(1_000_000, **environment)
    assert done.returncode in (1, 4), (done.returncode, done.stderr[-2000:])
    assert name in done.stderr
