"""The minibatched RNN in TensorFlow, the peer of benchmarks/ours/dynamic_rnn.py: a loop over time under tf.function, which AutoGraph converts.

    dynamic_rnn.py HIDDEN BATCHES LENGTHS        numbers with commas between them
"""
import itertools
import sys

from fixed import fixed
from one_core import tf
from timing import Memory, rate, sample

NAMES = ("input", "recurrent", "bias")


@tf.function
def state(weights, sequences):
    h = tf.zeros((sequences.shape[1], weights["bias"].shape[0]))
    for x in sequences:
        h = tf.tanh(x @ weights["input"] + h @ weights["recurrent"] + weights["bias"])
    return h


@tf.function
def both(weights, sequences):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(state(weights, sequences))
    return loss, tape.gradient(loss, weights)


def main():
    (hidden,), batches, lengths = (list(map(int, word.split(","))) for word in sys.argv[1:])
    bound = hidden**-0.5
    shapes = ((hidden, hidden), (hidden, hidden), (hidden,))
    weights = {name: tf.Variable(fixed(seed, *shape, low=-bound, high=bound)) for seed, (name, shape) in enumerate(zip(NAMES, shapes), 1)}
    memory = Memory()
    for batch, length in itertools.product(batches, lengths):
        sequences = tf.constant(fixed(4, length, batch, hidden))
        case = f"batch {batch}, length {length}"
        sample(f"{case}: state", state(weights, sequences).numpy().ravel())
        _, gradients = both(weights, sequences)
        for name in NAMES:
            sample(f"{case}: d {name}", gradients[name].numpy().ravel())
        rate(f"{case}, forward", batch, lambda: state(weights, sequences).numpy())
        rate(f"{case}, forward and backward", batch, lambda: both(weights, sequences)[0].numpy())
    memory.print()


if __name__ == "__main__":
    main()
