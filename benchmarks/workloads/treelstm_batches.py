"""Training a TreeLSTM on minibatches of trees."""
from peers import Roster
from workloads import treebank

TITLE = "TreeLSTM, minibatches"
UNIT = "trees/s"
CASES = [f"batch {batch}, {optimizer}, embedding {embedding}" for batch in (25, 256) for embedding in ("frozen", "trained")
         for optimizer in ("SGD", "Adagrad", "Adam")]


def data(arguments):
    return treebank.lines_of("treelstm_batches", arguments)


def prepare(lines, arguments, folder):
    roster = Roster(arguments, folder)
    trees, _, _ = treebank.files(lines, folder)
    cases = roster.chosen(CASES)
    roster.ours("trees.py", "treelstm", trees, *cases, note="model of `examples/tree_lstm.py`, a loop over the batch, by `lt.function`")
    roster.by_hand("treelstm_handwritten.cpp", "levels", trees, *cases, name="by hand, level by level", note="on the same runtime")
    roster.library("torch", "by hand, level by level", "levels.py", trees, *cases, trials=1)
    roster.library("dynet", "autobatching", "trees.py", trees, *cases, trials=1)
    return roster


def settings(lines, arguments):
    return (f"{len(lines)} trees of {treebank.nodes(lines):.1f} nodes on average, a step for each batch of 25 or 256; embedding 300; hidden 150; loss at "
            f"every node; f32; one thread. What PyTorch needs to know of levels is worked out before, and not timed.")
