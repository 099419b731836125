"""The minibatched RNN in JAX, the peer of benchmarks/ours/dynamic_rnn.py: lax.scan over time, under jit.

    dynamic_rnn.py HIDDEN BATCHES LENGTHS        numbers with commas between them
"""
import itertools
import sys

import one_core  # noqa: F401  before jax
import jax
from fixed import fixed
from jax import numpy as jnp
from timing import Memory, rate, sample

NAMES = ("input", "recurrent", "bias")


@jax.jit
def state(weights, sequences):
    def step(h, x):
        return jnp.tanh(x @ weights["input"] + h @ weights["recurrent"] + weights["bias"]), None
    return jax.lax.scan(step, jnp.zeros((sequences.shape[1], weights["bias"].shape[0])), sequences)[0]


both = jax.jit(jax.value_and_grad(lambda weights, sequences: state(weights, sequences).sum()))


def main():
    (hidden,), batches, lengths = (list(map(int, word.split(","))) for word in sys.argv[1:])
    bound = hidden**-0.5
    shapes = ((hidden, hidden), (hidden, hidden), (hidden,))
    weights = {name: jnp.asarray(fixed(seed, *shape, low=-bound, high=bound)) for seed, (name, shape) in enumerate(zip(NAMES, shapes), 1)}
    memory = Memory()
    for batch, length in itertools.product(batches, lengths):
        sequences = jnp.asarray(fixed(4, length, batch, hidden))
        case = f"batch {batch}, length {length}"
        sample(f"{case}: state", state(weights, sequences).ravel().tolist())
        _, gradients = both(weights, sequences)
        for name in NAMES:
            sample(f"{case}: d {name}", gradients[name].ravel().tolist())
        rate(f"{case}, forward", batch, lambda: jax.block_until_ready(state(weights, sequences)))
        rate(f"{case}, forward and backward", batch, lambda: jax.block_until_ready(both(weights, sequences)))
    memory.print()


if __name__ == "__main__":
    main()
