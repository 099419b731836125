"""What each pass that a program can do without is worth: a TreeLSTM's training without it."""
from peers import Roster
from workloads import treebank

TITLE = "TreeLSTM, each optimisation left out"
UNIT = "trees/s"
CASES = [f"batch {batch}, Adagrad, embedding frozen" for batch in (1, 25, 256)]
OF_STEPS = ["batch 1, Adam, embedding trained"]  # what defer-steps is for
PASSES = ["accumulate-gradients", "batch", "defer-values", "tidy", "fuse-adjoints", "join-adjoints", "defer-adjoints", "overwrite-values"]


def data(arguments):
    return treebank.lines_of("passes", arguments)


def prepare(lines, arguments, folder):
    roster = Roster(arguments, folder)
    trees, _, _ = treebank.files(lines, folder)
    cases, of_steps = roster.chosen(CASES, OF_STEPS)

    def trained(cases, name, note, **environment):
        if cases:
            roster.ours("trees.py", "treelstm", trees, *cases, name=name, note=note, **environment)
    trained(cases + of_steps, "lantern", "model of `examples/tree_lstm.py`, by `lt.function`")
    for name in PASSES:
        trained(cases, f"without {name}", f"`LANTERN_DISABLE_PASS={name}`", LANTERN_DISABLE_PASS=name)
    trained(of_steps, "without defer-steps", "`LANTERN_DISABLE_PASS=defer-steps`", LANTERN_DISABLE_PASS="defer-steps")
    # In a small run a program is compiled whole rather than the runtime for these flags.
    whole = {"LANTERN_PREPARED": "none"} if arguments.small else {}
    trained(cases, "each product", "the same vector is multiplied again: `LANTERN_CXXFLAGS=-DLANTERN_EACH_PRODUCT`", LANTERN_CXXFLAGS="-DLANTERN_EACH_PRODUCT", **whole)
    trained(cases, "gradients in memory", "a step reads them there: `LANTERN_CXXFLAGS=-DLANTERN_GRADIENTS_IN_MEMORY`",
            LANTERN_CXXFLAGS="-DLANTERN_GRADIENTS_IN_MEMORY", **whole)
    trained(cases, "without all of them", "", LANTERN_DISABLE_PASS=",".join(PASSES))
    return roster


def settings(lines, arguments):
    return f"{len(lines)} trees of {treebank.nodes(lines):.1f} nodes on average; embedding 300; hidden 150; loss at every node; f32; one thread."
