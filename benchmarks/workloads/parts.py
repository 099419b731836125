"""Parts of models, each with its gradient."""
from peers import Roster

TITLE = "Parts of models, value and gradient"
UNIT = "calls/s"


def data(arguments):
    """Of each axis of the arrays, one part in so many."""
    return 16 if arguments.small else 1


def prepare(share, arguments, folder):
    roster = Roster(arguments, folder)
    roster.ours("parts.py", share, note="`benchmarks/trial/parts_of_models.py`, by `lt.function`")
    roster.library("torch", "eager", "parts.py", share, note="the same lines", trials=1)
    roster.library("jax", "jit", "parts.py", share, note="the same lines", trials=1)
    return roster


def settings(share, arguments):
    return "Gradients with respect to all arrays; their shapes are in `benchmarks/trial/parts_of_models.py`; ours are copied to arrays of NumPy's; f32; one thread."
