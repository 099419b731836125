"""A child-sum TreeLSTM in eager PyTorch, the peer of benchmarks/ours/child_sum.py.

    child_sum.py TREES HIDDEN
"""
import collections
import sys

import torch
from fixed import fixed
from shapes import made_up
from timing import Memory, rate, sample, value
from torch import nn
from torch.nn import functional as F

Node = collections.namedtuple("Node", ["word", "children"])


class Majority(nn.Module):
    def __init__(self, words, embedding, n):
        super().__init__()
        self.hidden = n
        shapes = {"embedding": (words, embedding), "input": (4 * n, embedding), "gates": (3 * n, n), "forget": (n, n), "bias": (4 * n,),
                  "head": (2, n)}
        for seed, (name, shape) in enumerate(shapes.items()):
            setattr(self, name, nn.Parameter(torch.from_numpy(fixed(seed, *shape, low=-0.1, high=0.1))))

    def encode(self, node):
        x_i, x_o, x_u, x_f = (self.input @ self.embedding[node.word] + self.bias).chunk(4)
        h_sum, c_sum = torch.zeros(self.hidden), torch.zeros(self.hidden)
        for child in node.children:
            h, c = self.encode(child)
            h_sum = h_sum + h
            c_sum = c_sum + torch.sigmoid(self.forget @ h + x_f) * c
        h_i, h_o, h_u = (self.gates @ h_sum).chunk(3)
        c = torch.sigmoid(x_i + h_i) * torch.tanh(x_u + h_u) + c_sum
        return torch.sigmoid(x_o + h_o) * torch.tanh(c), c

    def loss(self, node, label):
        return F.cross_entropy((self.head @ self.encode(node)[0]).unsqueeze(0), label)


def main():
    count, hidden = map(int, sys.argv[1:])
    torch.set_num_threads(1)
    trees, labels = made_up(count, Node)
    labels = [torch.tensor([label]) for label in labels]
    memory = Memory()
    model = Majority(3, 8, hidden)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    losses = []

    def train():
        total = 0.0
        for tree, label in zip(trees, labels):
            optimizer.zero_grad(set_to_none=True)
            loss = model.loss(tree, label)
            loss.backward()
            optimizer.step()
            total += loss.item()
        losses.append(total / count)
        if len(losses) == 1:
            sample("head after a pass", model.head.flatten().tolist())

    rate("", count, train)
    value("mean loss of the first pass", losses[0])
    memory.print()


if __name__ == "__main__":
    main()
