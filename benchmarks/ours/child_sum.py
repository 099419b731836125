"""Training a child-sum TreeLSTM, tree by tree, the model of examples/child_sum_tree_lstm.py, compiled by lt.function.

    child_sum.py TREES HIDDEN
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples"))

import lantern as lt
from child_sum_tree_lstm import Majority, Node
from fixed import fixed
from shapes import made_up
from timing import Memory, rate_of_difference, sample, value


def main():
    count, hidden = map(int, sys.argv[1:])
    trees, labels = made_up(count, Node)
    memory = Memory()
    model = Majority(hidden)
    of_encoder = model.encoder
    for seed, parameter in enumerate([of_encoder.embedding, of_encoder.input, of_encoder.gates, of_encoder.forget, of_encoder.bias, model.head]):
        parameter.assign(fixed(seed, *parameter.shape, low=-0.1, high=0.1))
    optimizer = lt.optim.SGD(0.05)

    @lt.function
    def train(trees: "list[Node]", labels: "list[int]", passes: int):
        first = 0.0
        for i in range(passes):
            total = 0.0
            for place in range(len(trees)):
                loss, gradients = lt.value_and_grad(model.loss)(trees[place], labels[place])
                optimizer.step(gradients)
                total += float(loss)
            if i == 0:
                first = total / len(trees)
        return first

    value("mean loss of the first pass", train(trees, labels, 1))
    sample("head after a pass", model.head.value.ravel())
    rate_of_difference("", count, lambda number: train(trees, labels, number))
    memory.print()


if __name__ == "__main__":
    main()
