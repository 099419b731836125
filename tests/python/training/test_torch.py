"""PyTorch reads our weights and computes what we do, and writes what we read. Skipped where there is no PyTorch:
another Python runs it by `PYTHON -m pytest tests/python/training/test_torch.py`."""
import os
import pathlib
import sys

import numpy as np
import pytest

import lantern as lt

pytest.importorskip("torch.nn")     # a folder of that name is no package
import torch  # noqa: E402
safetensors = pytest.importorskip("safetensors.torch")

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "examples"))
from tree_lstm import Tree, TreeLSTM  # noqa: E402

SAMPLE = ROOT / "examples" / "data" / "sample"
SST = pathlib.Path(os.environ["LANTERN_DATA"], "sst") if "LANTERN_DATA" in os.environ else None


class TorchTreeLSTM(torch.nn.Module):
    """The model of examples/tree_lstm.py, written in PyTorch."""

    def __init__(self, words, embedding, hidden, classes=5):
        super().__init__()
        for name, shape in {"embedding": (words, embedding), "leaf": (3 * hidden, embedding), "leaf_bias": (3 * hidden,), "inner": (5 * hidden, 2 * hidden),
                            "inner_bias": (5 * hidden,), "head": (classes, hidden), "head_bias": (classes,)}.items():
            self.register_parameter(name, torch.nn.Parameter(torch.empty(shape)))

    def forward(self, tree):
        """h of a phrase, c, its loss, the scores of its classes, and how many of its nodes it gets right."""
        if tree.left is None:
            i, o, u = (self.leaf @ self.embedding[tree.word] + self.leaf_bias).chunk(3)
            c, below, right = i.sigmoid() * u.tanh(), 0.0, 0
        else:
            h_left, c_left, loss_left, _, right_left = self(tree.left)
            h_right, c_right, loss_right, _, right_right = self(tree.right)
            i, f_left, f_right, o, u = (self.inner @ torch.cat([h_left, h_right]) + self.inner_bias).chunk(5)
            c = i.sigmoid() * u.tanh() + f_left.sigmoid() * c_left + f_right.sigmoid() * c_right
            below, right = loss_left + loss_right, right_left + right_right
        h = o.sigmoid() * c.tanh()
        scores = self.head @ h + self.head_bias
        return h, c, below + torch.nn.functional.cross_entropy(scores, torch.tensor(tree.label)), scores, right + int(scores.argmax() == tree.label)


def compare(folder, train, dev, embedding, hidden, tmp_path):
    """How many trees of a file both gave the same for, and the largest difference in h, c and the scores: of numbers
    above 1 (cells have up to 40), relative to them."""
    words = lt.vocabulary(str(folder / train))
    lt.seed(1)
    model = TreeLSTM(len(words), embedding, hidden)
    lt.fit(model, model.loss, lt.treebank(str(folder / train), words, Tree)[:400], lt.optim.Adagrad(0.05), epochs=1, progress=False)
    ours, theirs = str(tmp_path / "ours"), str(tmp_path / "theirs")
    lt.save(ours, model, words)

    peer = TorchTreeLSTM(len(words), embedding, hidden)
    peer.load_state_dict(safetensors.load_file(ours))
    safetensors.save_file(peer.state_dict(), theirs)
    other = TreeLSTM(len(words), embedding, hidden)
    lt.load(theirs, other)
    direct = TreeLSTM(len(words), embedding, hidden)
    direct.load_state_dict(peer.state_dict())
    for name, array in model.state_dict().items():
        assert array.tobytes() == other.state_dict()[name].tobytes() == direct.state_dict()[name].tobytes()

    @lt.function
    def outputs(tree: Tree):
        h, c, loss, right = model.encode(tree)
        return h, c, loss, model.scores(h), right
    trees, worst = lt.treebank(str(folder / dev), words, Tree), 0.0
    with torch.no_grad():
        for tree in trees:
            h, c, loss, scores, right = outputs(tree)
            peers = [np.asarray(value) for value in peer(tree)]
            worst = max(worst, *(float((np.abs(one - two) / np.maximum(np.abs(one), 1)).max()) for one, two in zip((h, c, scores), (peers[0], peers[1], peers[3]))))
            assert loss == pytest.approx(float(peers[2]), rel=1e-5) and right == peers[4]
    return len(trees), worst


def test_pytorch_gives_the_same_on_the_sample(tmp_path):
    trees, worst = compare(SAMPLE, "train.txt", "dev.txt", 20, 12, tmp_path)
    assert trees > 50 and worst < 1e-5


@pytest.mark.optimised
@pytest.mark.skipif(SST is None or not SST.exists(), reason="no $LANTERN_DATA/sst")
def test_pytorch_gives_the_same_on_all_of_sst_dev(tmp_path, capsys):
    trees, worst = compare(SST, "train.txt", "dev.txt", 300, 150, tmp_path)
    with capsys.disabled():
        print(f"\n{trees} trees, the largest difference {worst:.1e}")
    assert trees == 1101 and worst < 1e-5
