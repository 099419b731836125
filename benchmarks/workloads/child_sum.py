"""A child-sum TreeLSTM (Tai, Socher and Manning 2015): nodes with any number of children."""
from peers import Roster

TITLE = "Child-sum TreeLSTM, batch 1"
UNIT = "trees/s"


def data(arguments):
    """How many trees there are, and how long a state is."""
    return (3, 10) if arguments.small else (100, 150)


def prepare(sizes, arguments, folder):
    roster = Roster(arguments, folder)
    roster.ours("child_sum.py", *sizes, note="model of `examples/child_sum_tree_lstm.py`, by `lt.function`")
    roster.by_hand("child_sum_handwritten.cpp", *sizes, note="on Eigen, a weight's gradient as one product a tree")
    roster.library("torch", "eager", "child_sum.py", *sizes)
    return roster


def settings(sizes, arguments):
    return (f"{sizes[0]} made-up trees of up to four levels, one to four children a node, each a step of SGD; state of {sizes[1]}; f32; one thread.")
