"""The training loop of examples/tree_lstm.py and nothing else: what count/ counts, and the `compile` workload compiles.

    lantern compile benchmarks/ours/treelstm.py --emit so
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples"))

import lantern as lt
from tree_lstm import Tree, TreeLSTM


@lt.export
def train(treebank: str, passes: int = 1):
    """The mean loss in the last of some passes over a treebank, each tree a step; in file order, embedding frozen.

    Args:
        treebank: file of labelled trees
        passes: over all of them
    """
    lt.seed(1)
    words = lt.vocabulary(treebank)
    trees = lt.treebank(treebank, words, Tree)
    model = TreeLSTM(len(words), frozen=True)
    optimizer = lt.optim.Adagrad(0.05)
    loss_and_gradients = lt.value_and_grad(model.loss)
    total = 0.0
    for number in range(passes):
        total = 0.0
        for tree in trees:
            loss, gradients = loss_and_gradients(tree)
            optimizer.step(gradients)
            total += float(loss)
    return total / len(trees)
