"""A scalar recursion over a million nodes, balanced and in one chain: what graphs cannot hold, and a call costs."""
from peers import Roster

TITLE = "tree_prod, a scalar recursion"
UNIT = "million nodes/s"


def data(arguments):
    """How many nodes a tree has, and timed passes over it."""
    return (1000, 1) if arguments.small else (1_000_000, 5)


def prepare(sizes, arguments, folder):
    roster = Roster(arguments, folder)
    roster.ours("tree_prod.py", *sizes, note="`examples/tree_prod.py`, by `lt.function`")
    roster.ours("tree_prod.py", *sizes, name="lantern, by continuations", note="the same, `LANTERN_DISABLE_PASS=tape-recursions`", LANTERN_DISABLE_PASS="tape-recursions")
    roster.by_hand("tree_prod_handwritten.cpp", *sizes, note="recursive, on the runtime's stack")
    roster.plain("Python", "tree_prod.py", *sizes, note="with a raised recursion limit; no gradient")
    return roster


def settings(sizes, arguments):
    return f"{sizes[0]} nodes, half of them empty, balanced and in a chain; the product, and its derivative with respect to `base`; f64."
