"""Softmax regression in NumPy, the peer of benchmarks/ours/mnist.py.

    mnist.py IMAGES BATCH STEPS
"""
import sys

import numpy as np
from fixed import fixed
from timing import Memory, rate, sample

PIXELS, CLASSES = 784, 10


def train(weight, bias, images, labels, batch, steps):
    """Steps of gradient descent; weight and bias change."""
    for i in range(steps):
        start = i % (len(images) // batch) * batch
        x, y = images[start:start + batch], labels[start:start + batch]
        scores = x @ weight + bias
        likely = np.exp(scores - scores.max(1, keepdims=True))
        likely /= likely.sum(1, keepdims=True)
        likely[np.arange(batch), y] -= 1
        likely *= np.float32(0.5 / batch)
        weight -= x.T @ likely
        bias -= likely.sum(0)


def main():
    count, batch, steps = map(int, sys.argv[1:])
    images = fixed(1, count, PIXELS, low=-0.5, high=0.5)
    labels = fixed(2, count, low=0, high=CLASSES).astype("int64")
    weight, bias = np.zeros((PIXELS, CLASSES), np.float32), np.zeros(CLASSES, np.float32)
    memory = Memory()
    train(weight, bias, images, labels, batch, 10)
    sample("weight after ten steps", weight.ravel())
    rate("", steps, lambda: train(weight, bias, images, labels, batch, steps))
    memory.print()


if __name__ == "__main__":
    main()
