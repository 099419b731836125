"""A recurrent network over minibatches of sequences: table 1 of the AutoGraph paper (Moldovan et al. 2019)."""
from peers import Roster

TITLE = "dynamic_rnn"
UNIT = "sequences/s"
SIZES = ("256", "32,64,128", "64,128")
SMALL = ("20", "3", "5")


def data(arguments):
    """Hidden size, batch sizes and lengths, as the programs take them."""
    return SMALL if arguments.small else SIZES


def prepare(sizes, arguments, folder):
    roster = Roster(arguments, folder)
    roster.ours("dynamic_rnn.py", *sizes, note="`benchmarks/ours/dynamic_rnn.py`, by `lt.function`")
    roster.by_hand("dynamic_rnn_handwritten.cpp", *sizes, note="the inputs' product of all steps at once")
    roster.plain("NumPy", "dynamic_rnn.py", *sizes, trials=1)
    roster.library("torch", "eager", "dynamic_rnn.py", "eager", *sizes)
    roster.library("torch", "torch.compile", "dynamic_rnn.py", "compile", *sizes, note="of one step, in a Python loop", trials=1)
    roster.library("torch", "TorchScript", "dynamic_rnn.py", "script", *sizes, trials=1)
    roster.library("jax", "jit", "dynamic_rnn.py", *sizes, note="`lax.scan` over time")
    roster.library("tensorflow", "tf.function", "dynamic_rnn.py", *sizes, note="a loop over time, by its AutoGraph", trials=1)
    return roster


def settings(sizes, arguments):
    hidden, batches, lengths = sizes
    return (f"Inputs and state of {hidden}, tanh; batches of {batches.replace(',', ', ')} sequences of the length {lengths.replace(',', ', ')}; the "
            "last state, and the gradients of its sum with respect to the weights; f32; one thread.")
