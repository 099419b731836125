"""Training on a treebank, the loop and the model compiled together by lt.function, and inference.

    trees.py MODEL TREEBANK CASE...        MODEL: treelstm, gates, rntn; cases: trial/cases.py

The models are those of examples/; they begin with the numbers of fixed.py, as their peers do.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples"))

import gates
import lantern as lt
import rntn
import tree_lstm
from cases import parse, rate_of, value_of_loss
from fixed import fixed
from timing import Memory, rate_of_difference, sample

# The parameters of each model, in the order of fixed.py's seeds.
OF_TREELSTM = "embedding leaf leaf_bias inner inner_bias head head_bias"
MODELS = {
    "treelstm": (tree_lstm.TreeLSTM, tree_lstm.Tree, OF_TREELSTM),
    "gates": (gates.GatedTreeLSTM, tree_lstm.Tree, OF_TREELSTM),
    "rntn": (rntn.RNTN, rntn.Tree, "embedding tensor weight bias head head_bias"),
}
SIZE = 0.05  # of the numbers that parameters begin with


def made(name, words, frozen=False):
    """A model, and the class of its trees."""
    Model, Tree, parameters = MODELS[name]
    model = Model(words, **({"frozen": True} if frozen else {}))
    # A matrix for each gate has the numbers that are its own of the matrix of all.
    shapes = tree_lstm.TreeLSTM(words) if isinstance(model, gates.GatedTreeLSTM) else model
    for seed, parameter in enumerate(parameters.split()):
        numbers = fixed(seed, *getattr(shapes, parameter).shape, low=-SIZE, high=SIZE)
        if shapes is model:
            getattr(model, parameter).assign(numbers)
        else:
            model.assign(parameter, numbers)
    return model, Tree


def tree_by_tree(model, Tree, optimizer):
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


def losses_of(model):
    def of_batch(trees, start: int, stop: int):
        """The summed loss of the trees from start on, before stop."""
        total = lt.zeros()
        for place in range(start, stop):
            total += model.loss(trees[place])
        return total
    return of_batch


def in_batches(model, Tree, optimizer):
    of_batch = losses_of(model)

    def train(treebank: str, passes: int, batch: int):
        """The mean loss in the first of some passes over a treebank, a step for so many trees."""
        trees = lt.treebank(treebank, lt.vocabulary(treebank), Tree)
        first = 0.0
        for i in range(passes):
            total = 0.0
            for start in range(0, len(trees), batch):
                loss, gradients = lt.value_and_grad(of_batch)(trees, start, min(start + batch, len(trees)))
                optimizer.step(gradients)
                total += float(loss)
            if i == 0:
                first = total / len(trees)
        return first
    return train


def inference(model, Tree):
    of_batch = losses_of(model)

    def infer(treebank: str, passes: int, batch: int):
        """The mean loss over the trees of a treebank."""
        trees = lt.treebank(treebank, lt.vocabulary(treebank), Tree)
        mean = 0.0
        for _ in range(passes):
            total = 0.0
            for start in range(0, len(trees), batch):
                total += float(of_batch(trees, start, min(start + batch, len(trees))))
            mean = total / len(trees)
        return mean
    return infer


def measure(name, case, treebank, words, count):
    model, Tree = made(name, words, case.frozen)
    sizes = () if case.optimizer and case.batch == 1 else (case.batch,)
    if not case.optimizer:
        run = lt.function(inference(model, Tree))
    else:
        optimizer = getattr(lt.optim, case.optimizer)(rate_of(case))
        run = lt.function((in_batches if sizes else tree_by_tree)(model, Tree, optimizer))
    value_of_loss(case, run(treebank, 1, *sizes), count)
    if case.optimizer == "SGD":  # Adam's steps, too, are of one size, whatever the gradient's
        sample(f"{case.name}: head after a pass over {count} trees", model.head.value.ravel())
    rate_of_difference(case.name, count, lambda number: run(treebank, number, *sizes))


def main():
    name, treebank, *cases = sys.argv[1:]
    words = lt.vocabulary(treebank)
    count = len(lt.treebank(treebank, words, MODELS[name][1]))
    memory = Memory()
    for case in map(parse, cases):
        measure(name, case, treebank, len(words), count)
    memory.print()


if __name__ == "__main__":
    main()
