"""Functions of NumPy's, each by itself."""
from peers import Roster

TITLE = "NumPy's functions, one by one"
UNIT = "calls/s"


def data(arguments):
    """Rows and columns of two matrices."""
    return 100 if arguments.small else 1000


def prepare(size, arguments, folder):
    roster = Roster(arguments, folder)
    roster.ours("functions.py", size, note="`benchmarks/trial/functions_of_numpy.py`, by `lt.function`")
    roster.plain("NumPy", "functions.py", size, note="the same, in Python")
    return roster


def settings(size, arguments):
    return f"Of matrices [{size}, {size}]; what a call gives is copied to an array of NumPy's; f32; one thread."
