"""The TreeLSTM in PyTorch rewritten by hand, level by level: the nodes of one height, of all trees in a batch, are one matrix. A peer of
benchmarks/ours/trees.py.

    levels.py TREEBANK CASE...        cases: trial/cases.py

One thread, loss at every node. Which nodes a level has is worked out beforehand, and not timed.
"""
import collections
import sys

import torch
from cases import parse
from timing import Memory
from torch.nn import functional as F
from trees import TreeLSTM, read_treebank, run

Level = collections.namedtuple("Level", ["left", "right"])                # places of the nodes' children, among all nodes so far
Plan = collections.namedtuple("Plan", ["words", "levels", "labels"])      # of the leaves, above them, of all nodes, level by level


def plan(trees):
    """The levels of some trees, the leaves the first."""
    nodes_at = collections.defaultdict(list)

    def enter(tree):
        height = 0 if len(tree) == 2 else 1 + max(enter(tree[1]), enter(tree[2]))
        nodes_at[height].append(tree)
        return height

    for tree in trees:
        enter(tree)
    place, levels, labels = {}, [], []
    for height in sorted(nodes_at):
        if height > 0:
            levels.append(Level(*(torch.tensor([place[id(node[side])] for node in nodes_at[height]]) for side in (1, 2))))
        for node in nodes_at[height]:
            place[id(node)] = len(place)
            labels.append(node[0])
    return Plan(torch.stack([node[1] for node in nodes_at[0]]), levels, torch.cat(labels))


class Levels(TreeLSTM):
    def loss(self, batch):
        i, o, u = F.linear(F.embedding(batch.words, self.embedding), self.leaf, self.leaf_bias).chunk(3, 1)
        c = torch.sigmoid(i) * torch.tanh(u)
        h = torch.sigmoid(o) * torch.tanh(c)
        for left, right in batch.levels:
            gates = F.linear(torch.cat([h[left], h[right]], 1), self.inner, self.inner_bias)
            i, f_left, f_right, o, u = gates.chunk(5, 1)
            c_now = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(f_left) * c[left] + torch.sigmoid(f_right) * c[right]
            h, c = torch.cat([h, torch.sigmoid(o) * torch.tanh(c_now)]), torch.cat([c, c_now])
        return F.cross_entropy(F.linear(h, self.head, self.head_bias), batch.labels, reduction="sum")


def main():
    treebank, *cases = sys.argv[1:]
    sys.setrecursionlimit(100_000)
    torch.set_num_threads(1)
    memory = Memory()
    trees, words = read_treebank(treebank)
    plans = {}
    for case in map(parse, cases):
        if case.batch not in plans:
            chosen = [trees[start:start + case.batch] for start in range(0, len(trees), case.batch)]
            plans[case.batch] = [(plan(batch), len(batch)) for batch in chosen]
        model = Levels(words)
        run(case, model, plans[case.batch], model)
    memory.print()


if __name__ == "__main__":
    main()
