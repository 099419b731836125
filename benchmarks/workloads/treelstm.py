"""Training a TreeLSTM tree by tree, its embedding frozen or trained."""
from peers import Roster
from workloads import treebank

TITLE = "TreeLSTM, batch 1"
UNIT = "trees/s"
CASES = [f"batch 1, {optimizer}, embedding {embedding}" for embedding in ("frozen", "trained") for optimizer in ("SGD", "Adagrad", "Adam")]
LAZY = ["batch 1, LazyAdam, embedding trained"]     # a rule that peers do not have


def data(arguments):
    return treebank.lines_of("treelstm", arguments)


def prepare(lines, arguments, folder):
    roster = Roster(arguments, folder)
    trees, share, note = treebank.files(lines, folder)
    cases, lazy = roster.chosen(CASES, LAZY)
    roster.ours("trees.py", "treelstm", trees, *cases, *lazy, note="model of `examples/tree_lstm.py`, by `lt.function`")
    if not cases:
        return roster
    roster.ours("trees.py", "treelstm", trees, *cases, name="lantern, depth first", note="the same, `LANTERN_SCHEDULE=depth-first`",
                LANTERN_SCHEDULE="depth-first")
    roster.by_hand("treelstm_handwritten.cpp", "depth", trees, *cases, name="by hand, depth first", note="on the same runtime")
    roster.by_hand("treelstm_handwritten.cpp", "levels", trees, *cases, name="by hand, level by level", note="on the same runtime")
    roster.library("torch", "eager", "trees.py", "eager", "gates", share, *cases, note=f"a product for each gate and child; {note}")
    roster.library("torch", "eager, gates as one product", "trees.py", "eager", "treelstm", share, *cases, note=note)
    roster.library("torch", "by hand, level by level", "levels.py", share, *cases, note=note)
    for how, name in (("script", "TorchScript"), ("compile", "torch.compile")):
        roster.library("torch", name, "trees.py", how, "treelstm", share, cases[0], trials=1, limit=8)
    roster.library("dynet", "autobatching", "trees.py", share, *cases, note=note, trials=1)
    return roster


def settings(lines, arguments):
    return (f"{len(lines)} trees of {treebank.nodes(lines):.1f} nodes on average, each a step; embedding 300; hidden 150; loss at every node; f32; "
            "one thread.")
