"""A scalar recursion over a million nodes, balanced and in one chain: what graphs cannot hold, and a call costs."""
from peers import Roster

TITLE = "tree_prod, a scalar recursion"
UNIT = "million nodes/s"


def data(arguments):
    """How many nodes a tree has."""
    return 1000 if arguments.small else 1_000_000


def prepare(nodes, arguments, folder):
    roster = Roster(arguments, folder)
    roster.ours("tree_prod.py", nodes, note="`examples/tree_prod.py`, by `lt.function`")
    roster.ours("tree_prod.py", nodes, name="lantern, by continuations", note="the same, `LANTERN_DISABLE_PASS=tape-recursions`", LANTERN_DISABLE_PASS="tape-recursions")
    roster.by_hand("tree_prod_handwritten.cpp", nodes, note="recursive, on the runtime's stack")
    roster.plain("Python", "tree_prod.py", nodes, note="with a raised recursion limit; no gradient")
    return roster


def settings(nodes, arguments):
    return f"{nodes} nodes, half of them empty, balanced and in a chain; the product, and its derivative with respect to `base`; f64."
