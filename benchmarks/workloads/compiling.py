"""What compiling costs: of Python, of S-expressions, and of the C++ that they become."""
from peers import Roster

TITLE = "Compile time"
UNIT = "s"


def data(arguments):
    """Lines of the long program."""
    return 200 if arguments.small else 10_000


def prepare(lines, arguments, folder):
    roster = Roster(arguments, folder)
    roster.ours("compiling.py", lines, *(["small"] if arguments.small else []), note="")
    return roster


def settings(lines, arguments):
    return ("Seconds, the fewer the better. Python to C++ is the command, from its start, for `examples/tree_lstm.py`; a shared object is that of "
            "`benchmarks/ours/treelstm.py`, its training alone. A first gradient is that of `lt.value_and_grad(lt.function(loss))`, staged, compiled and called.")
