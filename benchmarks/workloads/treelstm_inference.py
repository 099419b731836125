"""A TreeLSTM that is asked, not trained: trees by the second, and how long one tree takes."""
from peers import Roster
from workloads import treebank

TITLE = "TreeLSTM, inference"
UNIT = "trees/s"
CASES = [f"batch {batch}, inference" for batch in (1, 25, 256)]


def data(arguments):
    return treebank.lines_of("treelstm_inference", arguments)


def prepare(lines, arguments, folder):
    roster = Roster(arguments, folder)
    trees, share, note = treebank.files(lines, folder)
    cases = roster.chosen(CASES)
    together = [case for case in cases if case != CASES[0]]
    if CASES[0] in cases:
        roster.loaded("infer", trees, CASES[0], name="lantern, in C++", note="model of `examples/tree_lstm.py`, its shared object")
        roster.ours("latency.py", trees, CASES[0], name="lantern, from Python", note="by `lt.function`, a call from Python for each tree")
    if together:
        roster.ours("trees.py", "treelstm", trees, *together, name="lantern", note="a loop over the batch, by `lt.function`")
    roster.by_hand("treelstm_handwritten.cpp", "depth", trees, *cases, name="by hand, depth first", note="on the same runtime")
    roster.by_hand("treelstm_handwritten.cpp", "levels", trees, *cases, name="by hand, level by level", note="on the same runtime")
    if CASES[0] in cases:
        roster.library("torch", "eager", "trees.py", "eager", "treelstm", share, CASES[0], note=note)
    roster.library("torch", "by hand, level by level", "levels.py", trees, *cases)
    roster.library("dynet", "autobatching", "trees.py", trees, *cases)
    return roster


def settings(lines, arguments):
    return (f"{len(lines)} trees of {treebank.nodes(lines):.1f} nodes on average; scores and loss of every node; embedding 300; hidden 150; f32; one thread. "
            "At batch 1, how many microseconds a tree takes: 50 %, 95 % and 99 % of the trees take no longer.")
