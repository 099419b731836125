"""Parts of models with their gradients in JAX, the peer of benchmarks/ours/parts.py, under jit.

    parts.py SHARE        of each axis, one part in so many
"""
import sys
import types

import one_core  # noqa: F401  before jax
import jax
import parts_of_models
from jax import numpy as jnp


def cross_entropy(x, labels):
    return -jnp.take_along_axis(jax.nn.log_softmax(x), labels[:, None], axis=1).mean()


if __name__ == "__main__":
    nn = types.SimpleNamespace(sigmoid=jax.nn.sigmoid, softmax=jax.nn.softmax, log_softmax=jax.nn.log_softmax, cross_entropy=cross_entropy)
    parts_of_models.measure(int(sys.argv[1]), jnp, nn, lambda part, count: jax.jit(jax.value_and_grad(part, argnums=tuple(range(count)))), jnp.asarray, jax.block_until_ready)
