"""Parts of models with their gradients in PyTorch, the peer of benchmarks/ours/parts.py: eager, by its autograd.

    parts.py SHARE        of each axis, one part in so many
"""
import sys
import types

import parts_of_models
import torch
from torch.nn import functional as F


def gradient(part, count):
    def call(*arguments):
        value = part(*arguments)
        return value, torch.autograd.grad(value, arguments[:count])
    return call


def array(x):
    x = torch.from_numpy(x)
    return x.requires_grad_() if x.is_floating_point() else x


if __name__ == "__main__":
    torch.set_num_threads(1)
    nn = types.SimpleNamespace(sigmoid=torch.sigmoid, softmax=lambda x: torch.softmax(x, -1), log_softmax=lambda x: torch.log_softmax(x, -1), cross_entropy=F.cross_entropy)
    parts_of_models.measure(int(sys.argv[1]), torch, nn, gradient, array)
