"""A training loop: table 2 of the AutoGraph paper (Moldovan et al. 2019), on images made up, which cost what MNIST's do."""
from peers import Roster

TITLE = "Training loop, softmax regression"
UNIT = "steps/s"


def data(arguments):
    """How many images there are, in a batch, and steps in a run."""
    return (400, 20, 30) if arguments.small else (20_000, 200, 1000)


def prepare(sizes, arguments, folder):
    roster = Roster(arguments, folder)
    roster.ours("mnist.py", "inside", *sizes, name="lantern, loop inside", note="model of `examples/mnist_linear.py`, by `lt.function`")
    roster.ours("mnist.py", "outside", *sizes, name="lantern, loop outside", note="a step compiled, the loop Python's")
    roster.by_hand("mnist_handwritten.cpp", *sizes, note="the step fused into the gradient's product")
    roster.plain("NumPy", "mnist.py", *sizes, note="the gradient derived by hand")
    roster.library("torch", "eager", "mnist.py", "eager", *sizes)
    roster.library("torch", "torch.compile", "mnist.py", "compile", *sizes, note="of the loss and its gradient", trials=1)
    roster.library("jax", "jit, loop inside", "mnist.py", "inside", *sizes, note="`lax.fori_loop` over the steps")
    roster.library("jax", "jit, loop outside", "mnist.py", "outside", *sizes, note="a step under `jit`, the loop Python's")
    roster.library("tensorflow", "tf.function, loop inside", "mnist.py", "inside", *sizes, note="by its AutoGraph", trials=2)
    roster.library("tensorflow", "tf.function, loop outside", "mnist.py", "outside", *sizes, note="a step, the loop Python's", trials=2)
    return roster


def settings(sizes, arguments):
    images, batch, steps = sizes
    return f"784 to 10, batches of {batch} of {images} images, {steps} steps of gradient descent in a run; f32; one thread."
