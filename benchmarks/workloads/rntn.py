"""A recursive neural tensor network (Socher et al. 2013), trained tree by tree."""
from peers import Roster
from workloads import treebank

TITLE = "RNTN, batch 1"
UNIT = "trees/s"


def data(arguments):
    return treebank.lines_of("rntn", arguments)


def prepare(lines, arguments, folder):
    roster = Roster(arguments, folder)
    trees, share, note = treebank.files(lines, folder)
    case = "batch 1, SGD, embedding trained"
    roster.ours("trees.py", "rntn", trees, case, note="model of `examples/rntn.py`, by `lt.function`")
    roster.by_hand("rntn_handwritten.cpp", trees, case, note="on Eigen, the tensor's gradient as one product a tree")
    roster.library("torch", "eager", "trees.py", "eager", "rntn", share, case, note=note)
    return roster


def settings(lines, arguments):
    return (f"{len(lines)} trees of {treebank.nodes(lines):.1f} nodes on average, each a step of SGD; vectors of 25, trained embedding; loss at "
            f"every node; f32; one thread.")
