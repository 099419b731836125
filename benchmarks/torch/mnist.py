"""Softmax regression in PyTorch, the peer of benchmarks/ours/mnist.py: a Python loop over steps.

    mnist.py HOW IMAGES BATCH STEPS        HOW: eager; compile (torch.compile of the loss and, with it, its gradient)
"""
import sys

import torch
from fixed import fixed
from timing import Memory, rate, sample
from torch.nn import functional as F

PIXELS, CLASSES = 784, 10


def main():
    how, (count, batch, steps) = sys.argv[1], map(int, sys.argv[2:])
    torch.set_num_threads(1)
    images = torch.from_numpy(fixed(1, count, PIXELS, low=-0.5, high=0.5))
    labels = torch.from_numpy(fixed(2, count, low=0, high=CLASSES).astype("int64"))
    weight = torch.zeros(PIXELS, CLASSES, requires_grad=True)
    bias = torch.zeros(CLASSES, requires_grad=True)
    optimizer = torch.optim.SGD([weight, bias], lr=0.5)

    def loss_of(x, y):
        return F.cross_entropy(x @ weight + bias, y)

    loss = torch.compile(loss_of) if how == "compile" else loss_of

    def train(steps):
        for i in range(steps):
            start = i % (count // batch) * batch
            optimizer.zero_grad(set_to_none=True)
            loss(images[start:start + batch], labels[start:start + batch]).backward()
            optimizer.step()

    memory = Memory()
    train(10)
    sample("weight after ten steps", weight.flatten().tolist())
    rate("", steps, lambda: train(steps))
    memory.print()


if __name__ == "__main__":
    main()
