"""What a call of a compiled function costs, beside its work: of a number, of ten arrays, of a method that reads a parameter, of a dict and a list."""
from peers import Roster

TITLE = "A call from Python"
UNIT = "µs"


def data(arguments):
    """How many calls are timed together."""
    return 100 if arguments.small else 10_000


def prepare(calls, arguments, folder):
    roster = Roster(arguments, folder)
    roster.ours("calls.py", calls, note="by `lt.function`")
    return roster


def settings(calls, arguments):
    return f"Microseconds a call, the fewer the better, of functions that do next to nothing; the quickest of 20 times {calls} calls."
