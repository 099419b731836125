"""Algorithms in plain Python, each by itself."""
from peers import Roster

TITLE = "Algorithms in plain Python"
UNIT = "calls/s"


def data(arguments):
    """How many words, numbers, edges or steps they are of."""
    return 200 if arguments.small else 20_000


def prepare(size, arguments, folder):
    roster = Roster(arguments, folder)
    roster.ours("algorithms.py", size, note="`benchmarks/trial/algorithms_in_python.py`, by `lt.function`")
    # In a small run a program is compiled whole rather than the runtime for these flags.
    whole = {"LANTERN_PREPARED": "none"} if arguments.small else {}
    roster.ours("algorithms.py", size, name="without integer-ranges", note="`LANTERN_DISABLE_PASS=integer-ranges`", LANTERN_DISABLE_PASS="integer-ranges")
    roster.ours("algorithms.py", size, name="neighbours as vectors", note="`LANTERN_CXXFLAGS=-ftree-slp-vectorize`", LANTERN_CXXFLAGS="-ftree-slp-vectorize", **whole)
    roster.plain("Python", "algorithms.py", size, note="the same, not compiled")
    return roster


def settings(size, arguments):
    return f"Of {size:,} words, numbers, edges or steps; each call is given its lists anew, and takes them from Python's; one thread."
