"""What training takes of memory beyond what the process has before: ours without Python and compiler."""
from peers import Roster
from workloads import treebank

TITLE = "Peak memory, TreeLSTM, batch 1"
UNIT = "MiB"
CASES = [f"batch 1, Adagrad, embedding {embedding}" for embedding in ("frozen", "trained")]


def data(arguments):
    return treebank.lines_of("memory", arguments)


def prepare(lines, arguments, folder):
    roster = Roster(arguments, folder, of_memory=True)
    trees, _, _ = treebank.files(lines, folder)
    for case in roster.chosen(CASES):
        roster.loaded("train", trees, case, case=case, note="model of `examples/tree_lstm.py`, its shared object")
        roster.by_hand("treelstm_handwritten.cpp", "depth", trees, case, case=case, name="by hand, depth first", note="on the same runtime")
        roster.library("torch", "eager", "trees.py", "eager", "treelstm", trees, case, case=case, trials=1)
        roster.plain("needed", "memory_needed.py", trees, case, case=case, note="parameters, optimiser state, and what the reverse sweep of the largest tree reads")
        roster.plain("needed, with the data", "memory_needed.py", trees, case, "data", case=case, note="the same, the trees and their words")
    return roster


def settings(lines, arguments):
    return (f"Most memory in use, less that before the data were read, the fewer the better; {len(lines)} trees of {treebank.nodes(lines):.1f} nodes on average. "
            "Beside what is needed, code, trees and their words are in it; the aim is 1.3 of what is needed. Code apart: without pages of the program's and its "
            "libraries' files, which processes share and the system takes back where it must.")
