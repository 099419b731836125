"""Softmax regression on images of 784 pixels: table 2 of the AutoGraph paper. The model is that of examples/mnist_linear.py.

    mnist.py inside|outside IMAGES BATCH STEPS        where the loop over the steps is: in the compiled function, or in Python
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples"))

import lantern as lt
from fixed import fixed
from mnist_linear import CLASSES, PIXELS, Linear
from timing import Memory, rate, sample

model = Linear()
optimizer = lt.optim.SGD(0.5)


def train_step(x, y):
    loss, gradients = lt.value_and_grad(model.loss)(x, y)
    optimizer.step(gradients)


def train(images, labels, batch: int, steps: int):
    done = 0
    while done < steps:
        for x, y in lt.batch(lt.dataset(images, labels), batch, drop_last=True):
            if done == steps:
                break
            train_step(x, y)
            done += 1


compiled_step = lt.function(train_step)


def train_outside(images, labels, batch, steps):
    for i in range(steps):
        start = i % (len(images) // batch) * batch
        compiled_step(images[start:start + batch], labels[start:start + batch])


def main():
    where, (count, batch, steps) = sys.argv[1], map(int, sys.argv[2:])
    images = fixed(1, count, PIXELS, low=-0.5, high=0.5)
    labels = fixed(2, count, low=0, high=CLASSES).astype("int64")
    run = lt.function(train) if where == "inside" else train_outside
    memory = Memory()
    run(images, labels, batch, 10)
    sample("weight after ten steps", model.weight.value.ravel())
    rate("", steps, lambda: run(images, labels, batch, steps))
    memory.print()


if __name__ == "__main__":
    main()
