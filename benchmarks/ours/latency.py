"""The loss of a tree, a call from Python each, compiled by lt.function: how long a call takes.

    latency.py TREEBANK CASE        case: trial/cases.py
"""
import sys

import lantern as lt
from cases import parse, value_of_loss
from timing import Memory, latencies
from trees import made


def main():
    treebank, case = sys.argv[1:]
    words = lt.vocabulary(treebank)
    memory = Memory()
    model, Tree = made("treelstm", len(words))
    trees = lt.treebank(treebank, words, Tree)
    loss = lt.function(model.loss)
    value_of_loss(parse(case), sum(float(loss(tree)) for tree in trees) / len(trees), len(trees))
    latencies(case, [lambda tree=tree: loss(tree) for tree in trees])
    memory.print()


if __name__ == "__main__":
    main()
