"""Softmax regression in JAX, the peer of benchmarks/ours/mnist.py, under jit.

    mnist.py inside|outside IMAGES BATCH STEPS        where the loop over the steps is: lax.fori_loop, or Python's
"""
import functools
import sys

import one_core  # noqa: F401  before jax
import jax
from fixed import fixed
from jax import numpy as jnp
from timing import Memory, rate, sample

PIXELS, CLASSES, RATE = 784, 10, 0.5


def loss(model, x, y):
    weight, bias = model
    likely = jax.nn.log_softmax(x @ weight + bias)
    return -jnp.take_along_axis(likely, y[:, None], axis=1).mean()


def step(model, x, y):
    gradients = jax.grad(loss)(model, x, y)
    return jax.tree.map(lambda parameter, gradient: parameter - RATE * gradient, model, gradients)


def batch_at(images, labels, i, batch):
    start = i % (len(images) // batch) * batch
    return jax.lax.dynamic_slice_in_dim(images, start, batch), jax.lax.dynamic_slice_in_dim(labels, start, batch)


@functools.partial(jax.jit, static_argnums=4, donate_argnums=0)
def train_inside(model, images, labels, steps, batch):
    return jax.lax.fori_loop(0, steps, lambda i, now: step(now, *batch_at(images, labels, i, batch)), model)


@functools.partial(jax.jit, static_argnums=4, donate_argnums=0)
def step_at(model, images, labels, i, batch):
    return step(model, *batch_at(images, labels, i, batch))


def train_outside(model, images, labels, steps, batch):
    for i in range(steps):
        model = step_at(model, images, labels, i, batch)
    return model


def main():
    where, (count, batch, steps) = sys.argv[1], map(int, sys.argv[2:])
    images = jnp.asarray(fixed(1, count, PIXELS, low=-0.5, high=0.5))
    labels = jnp.asarray(fixed(2, count, low=0, high=CLASSES).astype("int32"))
    train = train_inside if where == "inside" else train_outside
    model = jnp.zeros((PIXELS, CLASSES)), jnp.zeros(CLASSES)
    memory = Memory()
    model = train(model, images, labels, 10, batch)
    sample("weight after ten steps", model[0].ravel().tolist())

    def run():
        nonlocal model
        model = jax.block_until_ready(train(model, images, labels, steps, batch))

    rate("", steps, run)
    memory.print()


if __name__ == "__main__":
    main()
