"""Recursive models of trees in PyTorch, as a PyTorch user writes them, the peers of benchmarks/ours/trees.py.

    trees.py HOW MODEL TREEBANK CASE...        HOW: eager, compile, script; MODEL: treelstm, gates, rntn; cases: trial/cases.py

One thread, loss at every node; the gates of a TreeLSTM's node are one product, those of `gates` one each, and one for each child. compile: torch.compile of a tree's loss, script: TorchScript.
"""
import sys

import torch
from cases import parse, rate_of, value_of_loss
from fixed import fixed
from timing import Memory, latencies, rate, sample
from torch import nn
from torch.nn import functional as F

SIZE = 0.05


def read_treebank(path):
    """Nested tuples (label, word id) and (label, left, right), labels and words as tensors, and the size of the vocabulary."""
    vocabulary, trees = {"<unk>": 0}, []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            open_phrases = []
            for token in line.replace("(", " ( ").replace(")", " ) ").split():
                if token == "(":
                    open_phrases.append([])
                elif token != ")":
                    open_phrases[-1].append(token)
                else:
                    label, *rest = open_phrases.pop()
                    label = torch.tensor([int(label)])
                    node = (label, *rest) if len(rest) > 1 else (label, torch.tensor(vocabulary.setdefault(rest[0], len(vocabulary))))
                    if open_phrases:
                        open_phrases[-1].append(node)
                    else:
                        trees.append(node)
    return trees, len(vocabulary)


class Model(nn.Module):
    """Parameters with the numbers of fixed.py; shapes: {name: shape}, the seeds in order."""

    def __init__(self, shapes):
        super().__init__()
        for seed, (name, shape) in enumerate(shapes.items()):
            setattr(self, name, nn.Parameter(torch.from_numpy(fixed(seed, *shape, low=-SIZE, high=SIZE))))

    def forward(self, tree):
        return self.loss(tree)

    def node_loss(self, h, label):
        return F.cross_entropy(F.linear(h, self.head, self.head_bias).unsqueeze(0), label)


class TreeLSTM(Model):
    def __init__(self, words, embedding=300, n=150, classes=5):
        super().__init__({"embedding": (words, embedding), "leaf": (3 * n, embedding), "leaf_bias": (3 * n,), "inner": (5 * n, 2 * n),
                          "inner_bias": (5 * n,), "head": (classes, n), "head_bias": (classes,)})

    def encode(self, tree):
        """Hidden state, cell and the summed loss of a phrase."""
        if len(tree) == 2:
            i, o, u = F.linear(F.embedding(tree[1], self.embedding), self.leaf, self.leaf_bias).chunk(3)
            c = torch.sigmoid(i) * torch.tanh(u)
            below = 0.0
        else:
            h_left, c_left, loss_left = self.encode(tree[1])
            h_right, c_right, loss_right = self.encode(tree[2])
            i, f_left, f_right, o, u = F.linear(torch.cat([h_left, h_right]), self.inner, self.inner_bias).chunk(5)
            c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(f_left) * c_left + torch.sigmoid(f_right) * c_right
            below = loss_left + loss_right
        h = torch.sigmoid(o) * torch.tanh(c)
        return h, c, below + self.node_loss(h, tree[0])

    def loss(self, tree):
        return self.encode(tree)[2]


class GatedTreeLSTM(TreeLSTM):
    """The same function with a matrix for each gate, and each child."""

    def __init__(self, words, embedding=300, n=150, classes=5):
        super().__init__(words, embedding, n, classes)

        def linears(matrix, bias, columns):
            """For each gate one for each of the vectors, the bias in the first of them."""
            gates = nn.ModuleList()
            for block, own_bias in zip(matrix.split(n), bias.split(n)):
                gate = nn.ModuleList()
                for part in block.split(columns, 1):
                    gate.append(linear := nn.Linear(columns, n, bias=len(gate) == 0))
                    linear.weight.data.copy_(part)
                    if linear.bias is not None:
                        linear.bias.data.copy_(own_bias)
                gates.append(gate)
            return gates

        self.leaves, self.inners = linears(self.leaf.data, self.leaf_bias.data, embedding), linears(self.inner.data, self.inner_bias.data, n)
        del self.leaf, self.leaf_bias, self.inner, self.inner_bias

    def encode(self, tree):
        if len(tree) == 2:
            word = F.embedding(tree[1], self.embedding)
            (of_i,), (of_o,), (of_u,) = self.leaves
            i, o, u = torch.sigmoid(of_i(word)), torch.sigmoid(of_o(word)), torch.tanh(of_u(word))
            c = i * u
            below = 0.0
        else:
            h_left, c_left, loss_left = self.encode(tree[1])
            h_right, c_right, loss_right = self.encode(tree[2])
            i, f_left, f_right, o, u = (of_left(h_left) + of_right(h_right) for of_left, of_right in self.inners)
            i, f_left, f_right, o, u = torch.sigmoid(i), torch.sigmoid(f_left), torch.sigmoid(f_right), torch.sigmoid(o), torch.tanh(u)
            c = i * u + f_left * c_left + f_right * c_right
            below = loss_left + loss_right
        h = o * torch.tanh(c)
        return h, c, below + self.node_loss(h, tree[0])


class RNTN(Model):
    def __init__(self, words, n=25, classes=5):
        super().__init__({"embedding": (words, n), "tensor": (n, 2 * n, 2 * n), "weight": (n, 2 * n), "bias": (n,), "head": (classes, n),
                          "head_bias": (classes,)})

    def encode(self, tree):
        """The vector and the summed loss of a phrase."""
        if len(tree) == 2:
            phrase = torch.tanh(F.embedding(tree[1], self.embedding))
            below = 0.0
        else:
            left, loss_left = self.encode(tree[1])
            right, loss_right = self.encode(tree[2])
            parts = torch.cat([left, right])
            phrase = torch.tanh((self.tensor @ parts) @ parts + F.linear(parts, self.weight, self.bias))
            below = loss_left + loss_right
        return phrase, below + self.node_loss(phrase, tree[0])

    def loss(self, tree):
        return self.encode(tree)[1]


MODELS = {"treelstm": TreeLSTM, "gates": GatedTreeLSTM, "rntn": RNTN}
HOW = {"eager": lambda model: model, "compile": torch.compile, "script": torch.jit.script}


def run(case, model, batches, loss_of):
    """Trains or infers, a batch a step, and prints what came out. loss_of(batch): its trees' summed loss; batches: pairs of that and how many
    trees there are in it."""
    model.embedding.requires_grad_(not case.frozen)
    count, losses = sum(size for _, size in batches), []
    if case.optimizer:
        trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
        optimizer = getattr(torch.optim, case.optimizer)(trained, lr=rate_of(case))

    def infer():
        with torch.no_grad():
            losses.append(sum(loss_of(batch).item() for batch, _ in batches) / count)

    def train():
        total = 0.0
        for batch, _ in batches:
            optimizer.zero_grad(set_to_none=True)
            loss = loss_of(batch)
            loss.backward()
            optimizer.step()
            total += loss.item()
        losses.append(total / count)
        if len(losses) == 1 and case.optimizer == "SGD":
            sample(f"{case.name}: head after a pass over {count} trees", model.head.flatten().tolist())

    if case.optimizer or case.batch > 1:
        rate(case.name, count, train if case.optimizer else infer)
    else:
        infer()
        with torch.no_grad():
            latencies(case.name, [lambda batch=batch: loss_of(batch).item() for batch, _ in batches])
    value_of_loss(case, losses[0], count)


def in_batches(trees, batch):
    return [(trees[start:start + batch], len(trees[start:start + batch])) for start in range(0, len(trees), batch)]


def main():
    how, name, treebank, *cases = sys.argv[1:]
    sys.setrecursionlimit(100_000)
    torch.set_num_threads(1)
    memory = Memory()
    trees, words = read_treebank(treebank)
    for case in map(parse, cases):
        model = MODELS[name](words)
        loss = HOW[how](model)
        run(case, model, in_batches(trees, case.batch), lambda batch: sum(map(loss, batch)))
    memory.print()


if __name__ == "__main__":
    main()
