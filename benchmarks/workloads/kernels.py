"""What kernels for a processor's vectors are worth: a TreeLSTM's training with those for lesser ones."""
from peers import Roster
from workloads import passes, treebank

TITLE = "TreeLSTM, kernels of lesser processors"
UNIT = passes.UNIT


def data(arguments):
    return treebank.lines_of("kernels", arguments)


def prepare(lines, arguments, folder):
    roster = Roster(arguments, folder)
    trees, _, _ = treebank.files(lines, folder)
    cases = roster.chosen(passes.CASES)
    roster.ours("trees.py", "treelstm", trees, *cases, note="`-march=native`")
    if arguments.small:     # for each of the others the runtime is compiled
        return roster
    chosen = "-march=x86-64 -ULANTERN_PACKETS_AS_COMPILED"
    for name, flags in (("for AVX2", "-march=x86-64-v3"), ("portable", "-march=x86-64"), ("chosen when it runs", chosen),
                        ("chosen, as most C++ is built", f"{chosen} -O2 -fmath-errno")):
        roster.ours("trees.py", "treelstm", trees, *cases, name=f"lantern, kernels {name}", note=f"`LANTERN_CXXFLAGS={flags}`", LANTERN_CXXFLAGS=flags)
    return roster


settings = passes.settings
