"""Softmax regression in TensorFlow, the peer of benchmarks/ours/mnist.py.

    mnist.py inside|outside IMAGES BATCH STEPS        where the loop over the steps is: in the tf.function, by AutoGraph, or in Python
"""
import sys

from fixed import fixed
from one_core import tf
from timing import Memory, rate, sample

PIXELS, CLASSES, RATE = 784, 10, 0.5
weight = tf.Variable(tf.zeros((PIXELS, CLASSES)))
bias = tf.Variable(tf.zeros(CLASSES))


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, x @ weight + bias))
    for parameter, gradient in zip((weight, bias), tape.gradient(loss, (weight, bias))):
        parameter.assign_sub(RATE * gradient)


@tf.function
def train_inside(images, labels, batch, steps):
    for i in tf.range(steps):
        start = i % (len(images) // batch) * batch
        train_step(images[start:start + batch], labels[start:start + batch])


def train_outside(images, labels, batch, steps):
    for i in range(steps):
        start = i % (len(images) // batch) * batch
        train_step(images[start:start + batch], labels[start:start + batch])


def main():
    where, (count, batch, steps) = sys.argv[1], map(int, sys.argv[2:])
    images = tf.constant(fixed(1, count, PIXELS, low=-0.5, high=0.5))
    labels = tf.constant(fixed(2, count, low=0, high=CLASSES).astype("int64"))
    train = train_inside if where == "inside" else train_outside
    memory = Memory()
    train(images, labels, batch, tf.constant(10) if where == "inside" else 10)
    sample("weight after ten steps", weight.numpy().ravel())
    number = tf.constant(steps) if where == "inside" else steps

    def run():
        train(images, labels, batch, number)
        weight.numpy()

    rate("", steps, run)
    memory.print()


if __name__ == "__main__":
    main()
