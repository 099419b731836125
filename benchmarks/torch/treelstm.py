"""TreeLSTM in eager PyTorch, the peer of benchmarks/limit/treelstm_handwritten.cpp.

    treelstm.py TREEBANK [--trees N] [--passes P]

Batch 1, one thread, embedding 300 (frozen), hidden 150, Adagrad 0.05, loss at every node; the gates of a node are one
product. Prints trees per second over the first N trees, the median of P passes.
"""

import argparse
import sys

import torch
from timing import Memory, rate_of_passes
from torch import nn
from torch.nn import functional as F

EMBEDDING, HIDDEN, CLASSES = 300, 150, 5


def read_treebank(path):
    """Nested tuples (label, word id) and (label, left, right), labels and words as tensors, and the vocabulary."""
    vocabulary, trees = {"<unk>": 0}, []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            open_phrases = []
            tokens = line.replace("(", " ( ").replace(")", " ) ").split()
            for token in tokens:
                if token == "(":
                    open_phrases.append([])
                elif token != ")":
                    open_phrases[-1].append(token)
                else:
                    label, *rest = open_phrases.pop()
                    label = torch.tensor([int(label)])
                    if len(rest) == 1:
                        word = vocabulary.setdefault(rest[0], len(vocabulary))
                        node = (label, torch.tensor(word))
                    else:
                        node = (label, *rest)
                    if open_phrases:
                        open_phrases[-1].append(node)
                    else:
                        trees.append(node)
    return trees, vocabulary


class TreeLSTM(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.embedding = nn.Embedding(words, EMBEDDING)
        self.embedding.weight.requires_grad_(False)
        self.leaf = nn.Linear(EMBEDDING, 3 * HIDDEN)
        self.inner = nn.Linear(2 * HIDDEN, 5 * HIDDEN)
        self.output = nn.Linear(HIDDEN, CLASSES)

    def encode(self, tree):
        """Hidden state, cell and the summed loss of a phrase."""
        if len(tree) == 2:
            i, o, u = self.leaf(self.embedding(tree[1])).chunk(3)
            c = torch.sigmoid(i) * torch.tanh(u)
            below = 0.0
        else:
            h_left, c_left, loss_left = self.encode(tree[1])
            h_right, c_right, loss_right = self.encode(tree[2])
            i, f_left, f_right, o, u = self.inner(torch.cat([h_left, h_right])).chunk(5)
            c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(f_left) * c_left + torch.sigmoid(f_right) * c_right
            below = loss_left + loss_right
        h = torch.sigmoid(o) * torch.tanh(c)
        return h, c, below + F.cross_entropy(self.output(h).unsqueeze(0), tree[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("treebank")
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--passes", type=int, default=3)
    arguments = parser.parse_args()

    sys.setrecursionlimit(100_000)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    memory = Memory()
    trees, vocabulary = read_treebank(arguments.treebank)
    trees = trees[: arguments.trees]
    model = TreeLSTM(len(vocabulary))
    optimizer = torch.optim.Adagrad([p for p in model.parameters() if p.requires_grad], lr=0.05)

    def one_pass():
        total = 0.0
        for tree in trees:
            optimizer.zero_grad(set_to_none=True)
            loss = model.encode(tree)[2]
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"mean loss {total / len(trees):.4f}", file=sys.stderr)

    rate_of_passes("", len(trees), one_pass, arguments.passes)
    memory.print()


if __name__ == "__main__":
    main()
