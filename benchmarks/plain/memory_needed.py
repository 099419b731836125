"""What training a TreeLSTM tree by tree cannot do without, worked out: the bound of the memory workload.

    memory_needed.py TREEBANK CASE [data]        case: trial/cases.py, with Adagrad

Parameters; the optimiser's state of those that are trained; and what the reverse sweep of the largest tree reads: of a leaf i, o, u, c, tanh c, h and
its scores, of an inner node the two forget gates, too. With `data`, also the trees, of two numbers and two references a node, and their words.
"""
import re
import sys

from cases import parse
from timing import line

EMBEDDING, HIDDEN, CLASSES = 300, 150, 5


def main():
    text = open(sys.argv[1], encoding="utf-8").read()
    frozen = parse(sys.argv[2]).frozen
    vocabulary = {"", *re.findall(r"([^\s()]+)\)", text)}
    words = len(vocabulary)
    trained = 3 * HIDDEN * (EMBEDDING + 1) + 5 * HIDDEN * (2 * HIDDEN + 1) + CLASSES * (HIDDEN + 1) + (0 if frozen else words * EMBEDDING)
    parameters = trained + (words * EMBEDDING if frozen else 0)

    def saved(tree):
        nodes = tree.count("(")
        return (nodes + 1) // 2 * (6 * HIDDEN + CLASSES) + nodes // 2 * (8 * HIDDEN + CLASSES)

    needed = 4 * (parameters + trained + max(map(saved, text.splitlines())))
    if sys.argv[3:] == ["data"]:
        needed += 8 * 4 * text.count("(") + sum(8 * 2 + len(word.encode()) for word in vocabulary)
    line("memory", 0, needed, 0)


if __name__ == "__main__":
    main()
