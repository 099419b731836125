"""Parts of models, each with its gradient."""
from peers import Roster

TITLE = "Parts of models, value and gradient"
UNIT = "calls/s"
PASSES = ["defer-values", "inline-gradients", "share-loops"]   # what is for such parts


def data(arguments):
    """Of each axis of the arrays, one part in so many."""
    return 16 if arguments.small else 1


def prepare(share, arguments, folder):
    roster = Roster(arguments, folder)
    roster.ours("parts.py", share, note="`benchmarks/trial/parts_of_models.py`, by `lt.function`")
    for name in PASSES:
        roster.ours("parts.py", share, name=f"without {name}", note=f"`LANTERN_DISABLE_PASS={name}`", LANTERN_DISABLE_PASS=name)
    roster.library("torch", "eager", "parts.py", share, note="the same lines", trials=1)
    roster.library("jax", "jit", "parts.py", share, note="the same lines", trials=1)
    return roster


def settings(share, arguments):
    return "Gradients with respect to all arrays; their shapes are in `benchmarks/trial/parts_of_models.py`; ours are copied to arrays of NumPy's; f32; one thread."
