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
    roster.plain("Python", "algorithms.py", size, note="the same, not compiled")
    return roster


def settings(size, arguments):
    return f"Of {size:,} words, numbers, edges or steps; each call is given its lists anew, and takes them from Python's; one thread."
