"""A hidden Markov model: a loop over time that computes the same of the transitions in each turn, as one writes it down."""
from peers import Roster

TITLE = "Hidden Markov model"
UNIT = "sequences/s"


def data(arguments):
    """The number of states, and lengths of sequences, as the programs take them."""
    return ("8", "5") if arguments.small else ("64", "20,200")


def prepare(sizes, arguments, folder):
    roster = Roster(arguments, folder)
    roster.ours("hmm.py", *sizes, note="`benchmarks/ours/hmm.py`, by `lt.function`")
    roster.ours("hmm.py", *sizes, name="without hoist", note="`LANTERN_DISABLE_PASS=hoist`", LANTERN_DISABLE_PASS="hoist")
    roster.library("torch", "eager", "hmm.py", *sizes, note="softmax in front of the loop, by hand")
    return roster


def settings(sizes, arguments):
    return f"The likelihood and its gradients; {sizes[0]} states, softmax of the transitions in each turn; f32; one thread."
