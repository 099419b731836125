"""Training a TreeLSTM on minibatches that threads share."""
import os

from peers import Roster
from workloads import treebank

TITLE = "TreeLSTM, threads"
UNIT = "trees/s"
ON_ALL_CORES = True
CASES = [f"batch {batch}, Adagrad, embedding frozen" for batch in (25, 256)]


def data(arguments):
    return treebank.lines_of("treelstm_threads", arguments)


def prepare(lines, arguments, folder):
    roster = Roster(arguments, folder)
    trees, _, _ = treebank.files(lines, folder)
    for threads in _counts(len(os.sched_getaffinity(0))):
        roster.ours("trees.py", "treelstm", trees, *roster.chosen(CASES), name=f"lantern, {threads} threads" if threads > 1 else "lantern, one thread",
                    note=f"`LANTERN_THREADS={threads}`", LANTERN_THREADS=str(threads))
    return roster


def _counts(cores):
    """1, 2, 4 … and as many as there are cores."""
    return sorted({1, cores, *(1 << i for i in range(cores.bit_length()) if 1 << i < cores)})


def settings(lines, arguments):
    return (f"{len(lines)} trees of {treebank.nodes(lines):.1f} nodes on average, a step for each batch of 25 or 256, its turns shared by threads; embedding 300; "
            f"hidden 150; loss at every node; f32.")
