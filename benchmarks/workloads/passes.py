"""What each pass that a program can do without is worth: a TreeLSTM's training without it."""
from peers import Roster
from workloads import treebank

TITLE = "TreeLSTM, each optimisation left out"
UNIT = "trees/s"
CASES = [f"batch {batch}, Adagrad, embedding frozen" for batch in (1, 25, 256)]
PASSES = ["accumulate-gradients", "batch", "tidy", "fuse-adjoints", "join-adjoints"]


def data(arguments):
    return treebank.lines_of("passes", arguments)


def prepare(lines, arguments, folder):
    roster = Roster(arguments, folder)
    trees, _, _ = treebank.files(lines, folder)
    cases = roster.chosen(CASES)

    def trained(name, note, **environment):
        roster.ours("trees.py", "treelstm", trees, 1, *cases, name=name, note=note, **environment)
    trained("lantern", "model of `examples/tree_lstm.py`, by `lt.function`")
    for name in PASSES:
        trained(f"without {name}", f"`LANTERN_DISABLE_PASS={name}`", LANTERN_DISABLE_PASS=name)
    trained("each product", "the same vector is multiplied again: `LANTERN_CXXFLAGS=-DLANTERN_EACH_PRODUCT`", LANTERN_CXXFLAGS="-DLANTERN_EACH_PRODUCT")
    trained("without all of them", "", LANTERN_DISABLE_PASS=",".join(PASSES))
    return roster


def settings(lines, arguments):
    return f"{len(lines)} trees of {treebank.nodes(lines):.1f} nodes on average; embedding 300; hidden 150; loss at every node; f32; one thread."
