"""Training a TreeLSTM that is written with a matrix for each gate and child, which share their vectors: what join-products is for."""
from peers import Roster
from workloads import treebank

TITLE = "TreeLSTM, a matrix for each gate"
UNIT = "trees/s"
CASES = [f"batch {batch}, {optimizer}, embedding frozen" for batch in (1, 25) for optimizer in ("SGD", "Adagrad")]


def data(arguments):
    return treebank.lines_of("treelstm_gates", arguments)


def prepare(lines, arguments, folder):
    roster = Roster(arguments, folder)
    trees, share, note = treebank.files(lines, folder)
    cases = roster.chosen(CASES)
    one_by_one = [case for case in cases if case.startswith("batch 1,")]
    roster.ours("trees.py", "gates", trees, *cases, note="`benchmarks/ours/gates.py`, by `lt.function`")
    roster.ours("trees.py", "gates", trees, *cases, name="without join-products", note="`LANTERN_DISABLE_PASS=join-products`", LANTERN_DISABLE_PASS="join-products")
    roster.ours("trees.py", "treelstm", trees, *cases, name="gates as one product", note="model of `examples/tree_lstm.py`, by `lt.function`")
    if one_by_one:
        roster.library("torch", "eager", "trees.py", "eager", "gates", share, *one_by_one, note=note)
    return roster


def settings(lines, arguments):
    return f"{len(lines)} trees of {treebank.nodes(lines):.1f} nodes on average; embedding 300; hidden 150; loss at every node; f32; one thread."
