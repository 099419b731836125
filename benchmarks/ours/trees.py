"""Training on a treebank, tree by tree, the loop and the model compiled together by lt.function; and inference.

    trees.py MODEL TREEBANK PASSES [--optimizer Adagrad] [--frozen] [--infer]        MODEL: treelstm, rntn

The models are those of examples/; they begin with the numbers of fixed.py, as their peers do.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples"))

import lantern as lt
import rntn
import tree_lstm
from fixed import fixed
from timing import Memory, rate_of_difference, sample, value

# The parameters of each model, in the order of fixed.py's seeds.
MODELS = {
    "treelstm": (tree_lstm.TreeLSTM, tree_lstm.Tree, "embedding leaf leaf_bias inner inner_bias head head_bias"),
    "rntn": (rntn.RNTN, rntn.Tree, "embedding tensor weight bias head head_bias"),
}
RATE = {"SGD": 0.01, "Adagrad": 0.05, "Adam": 0.001}
SIZE = 0.05  # of the numbers that parameters begin with


def training(model, Tree, optimizer):
    def train(treebank: str, passes: int):
        """The mean loss in the first of some passes over a treebank, each tree a step."""
        trees = lt.treebank(treebank, lt.vocabulary(treebank), Tree)
        first = 0.0
        for i in range(passes):
            total = 0.0
            for tree in trees:
                loss, gradients = lt.value_and_grad(model.loss)(tree)
                optimizer.step(gradients)
                total += float(loss)
            if i == 0:
                first = total / len(trees)
        return first
    return train


def inference(model, Tree):
    def infer(treebank: str, passes: int):
        """The mean loss over the trees of a treebank."""
        trees = lt.treebank(treebank, lt.vocabulary(treebank), Tree)
        mean = 0.0
        for _ in range(passes):
            total = 0.0
            for tree in trees:
                total += float(model.loss(tree))
            mean = total / len(trees)
        return mean
    return infer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("treebank")
    parser.add_argument("passes", type=int)
    parser.add_argument("--optimizer", choices=RATE)
    parser.add_argument("--frozen", action="store_true")
    parser.add_argument("--infer", action="store_true")
    arguments = parser.parse_args()

    Model, Tree, names = MODELS[arguments.model]
    words = lt.vocabulary(arguments.treebank)
    trees = len(lt.treebank(arguments.treebank, words, Tree))
    memory = Memory()
    model = Model(len(words), **({"frozen": True} if arguments.frozen else {}))
    for seed, name in enumerate(names.split()):
        parameter = getattr(model, name)
        parameter.assign(fixed(seed, *parameter.shape, low=-SIZE, high=SIZE))
    if arguments.infer:
        run = lt.function(inference(model, Tree))
    else:
        optimizer = getattr(lt.optim, arguments.optimizer)(RATE[arguments.optimizer])
        run = lt.function(training(model, Tree, optimizer))
    value(f"mean loss of the first pass over {trees} trees", run(arguments.treebank, 1))
    if arguments.optimizer == "SGD":  # Adagrad's and Adam's first steps make the sign of nearly nothing a step like any other
        sample(f"head after a pass over {trees} trees", model.head.value.ravel())
    rate_of_difference("", trees, lambda passes: run(arguments.treebank, passes), arguments.passes)
    memory.print()


if __name__ == "__main__":
    main()
