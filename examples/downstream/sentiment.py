"""The TreeLSTM of ../tree_lstm.py as part of a C++ product, which holds the model and calls it tree by tree.

    lantern compile examples/downstream/sentiment.py --standalone -o generated
"""
import pathlib
import sys

import lantern as lt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from tree_lstm import Tree, TreeLSTM  # noqa: E402

EMBEDDING, HIDDEN = 300, 150
model = TreeLSTM(2, EMBEDDING, HIDDEN)  # how many words there are is in the weights (load)
optimizer = lt.optim.Adagrad(0.05)


@lt.export
def load(weights: str):
    """Reads the parameters, as many words as there are.

    Args:
        weights: file that `tree_lstm.py train --save` or save wrote
    """
    lt.load(weights, TreeLSTM(len(lt.load_vocabulary(weights)), EMBEDDING, HIDDEN))


@lt.export
def labels(tree: Tree):
    """The likeliest label of each phrase, 0 (very negative) to 4 (very positive), a phrase behind its two parts.

    Args:
        tree: its labels are not looked at, but are to be 0 to 4
    """
    return labels_below(tree)


def labels_below(tree):
    h, c, loss, right = model.encode(tree)
    own = [lt.argmax(model.scores(h))]
    if tree.left is None:
        return own
    return labels_below(tree.left) + labels_below(tree.right) + own


@lt.export
def learn(tree: Tree) -> float:
    """One step of Adagrad; the loss before it, summed over all phrases.

    Args:
        tree: each phrase with its label
    """
    loss, gradients = lt.value_and_grad(model.loss)(tree)
    optimizer.step(gradients)
    return loss
