"""A TreeLSTM tree by tree: training by several optimisers, its embedding frozen or trained, and inference."""
from peers import Roster
from workloads import treebank

TITLE = "TreeLSTM, batch 1"
UNIT = "trees/s"
CASES = {
    "training, Adagrad, embedding frozen": ["--optimizer", "Adagrad", "--frozen"],
    "training, Adagrad, embedding trained": ["--optimizer", "Adagrad"],
    "training, SGD, embedding frozen": ["--optimizer", "SGD", "--frozen"],
    "training, Adam, embedding frozen": ["--optimizer", "Adam", "--frozen"],
    "inference": ["--infer"],
}


def data(arguments):
    return treebank.lines_of("treelstm", arguments)


def prepare(lines, arguments, folder):
    roster = Roster(arguments, folder)
    trees, share, note = treebank.files(lines, folder)
    for case, words in CASES.items():
        if not roster.chosen(case):
            continue
        roster.ours("trees.py", "treelstm", trees, arguments.passes, *words, case=case, note="model of `examples/tree_lstm.py`, by `lt.function`")
        if case.startswith("training, Adagrad"):
            roster.by_hand("treelstm_handwritten.cpp", trees, arguments.passes, 0, *words[2:], case=case, note="on the same runtime")
        roster.library("torch", "eager", "trees.py", "treelstm", share, 1, *words, case=case, note=note)
    return roster


def settings(lines, arguments):
    return (f"{len(lines)} trees of {treebank.nodes(lines):.1f} nodes on average, in training each a step; embedding 300; hidden 150; loss at "
            f"every node; f32; one thread; {arguments.passes} timed passes in a trial.")
