"""The TreeLSTM in DyNet, a peer of benchmarks/ours/trees.py: written for one tree, batched by DyNet (Neubig, Goldberg and Dyer 2017).

    trees.py TREEBANK CASE...        cases: trial/cases.py

One thread, loss at every node; the gates of a node are one product.
"""
import re
import sys

import dynet_config

dynet_config.set(mem=1024, autobatch=1, random_seed=1)

import dynet
from cases import parse, rate_of, value_of_loss
from fixed import fixed
from timing import Memory, latencies, rate, sample

EMBEDDING, N, CLASSES, SIZE = 300, 150, 5, 0.05
TRAINERS = {"SGD": dynet.SimpleSGDTrainer, "Adagrad": lambda model, rate: dynet.AdagradTrainer(model, rate, eps=1e-20), "Adam": dynet.AdamTrainer}


def read_treebank(path):
    """Nested tuples (label, word id) and (label, left, right), and the size of the vocabulary."""
    vocabulary, trees = {"<unk>": 0}, []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            open_phrases = [[]]
            for token in re.findall(r"[()]|[^\s()]+", line):
                if token == "(":
                    open_phrases.append([])
                elif token != ")":
                    open_phrases[-1].append(token)
                else:
                    label, *rest = open_phrases.pop()
                    node = (int(label), *rest) if len(rest) > 1 else (int(label), vocabulary.setdefault(rest[0], len(vocabulary)))
                    open_phrases[-1].append(node)
            trees += open_phrases[0]
    return trees, len(vocabulary)


class TreeLSTM:
    def __init__(self, words, frozen):
        self.parameters, self.frozen = dynet.ParameterCollection(), frozen
        seeds = iter(range(7))

        def parameter(*shape):
            return self.parameters.parameters_from_numpy(fixed(next(seeds), *shape, low=-SIZE, high=SIZE))

        self.embedding = self.parameters.lookup_parameters_from_numpy(fixed(next(seeds), words, EMBEDDING, low=-SIZE, high=SIZE))
        self.leaf, self.leaf_bias = parameter(3 * N, EMBEDDING), parameter(3 * N)
        self.inner, self.inner_bias = parameter(5 * N, 2 * N), parameter(5 * N)
        self.head, self.head_bias = parameter(CLASSES, N), parameter(CLASSES)

    def encode(self, tree, losses):
        """Hidden state and cell of a phrase; its nodes' losses are added to the list."""
        if len(tree) == 2:
            word = dynet.lookup(self.embedding, tree[1], update=not self.frozen)
            gates = dynet.affine_transform([self.leaf_bias, self.leaf, word])
            i, o, u = (dynet.pick_range(gates, at * N, (at + 1) * N) for at in range(3))
            c = dynet.cmult(dynet.logistic(i), dynet.tanh(u))
        else:
            (h_left, c_left), (h_right, c_right) = (self.encode(child, losses) for child in tree[1:])
            gates = dynet.affine_transform([self.inner_bias, self.inner, dynet.concatenate([h_left, h_right])])
            i, f_left, f_right, o, u = (dynet.pick_range(gates, at * N, (at + 1) * N) for at in range(5))
            c = (dynet.cmult(dynet.logistic(i), dynet.tanh(u)) + dynet.cmult(dynet.logistic(f_left), c_left)
                 + dynet.cmult(dynet.logistic(f_right), c_right))
        h = dynet.cmult(dynet.logistic(o), dynet.tanh(c))
        losses.append(dynet.pickneglogsoftmax(dynet.affine_transform([self.head_bias, self.head, h]), tree[0]))
        return h, c

    def loss(self, trees):
        """The summed loss of some trees."""
        dynet.renew_cg()
        losses = []
        for tree in trees:
            self.encode(tree, losses)
        return dynet.esum(losses)


def run(case, trees, words):
    model, losses = TreeLSTM(words, case.frozen), []
    batches = [trees[start:start + case.batch] for start in range(0, len(trees), case.batch)]
    if case.optimizer:
        trainer = TRAINERS[case.optimizer](model.parameters, rate_of(case))
        trainer.set_clip_threshold(0)
        trainer.set_sparse_updates(case.optimizer != "Adam")  # Adam moves words that a step does not touch, too

    def train():
        total = 0.0
        for batch in batches:
            loss = model.loss(batch)
            total += loss.value()
            loss.backward()
            trainer.update()
        losses.append(total / len(trees))
        if len(losses) == 1 and case.optimizer == "SGD":
            sample(f"{case.name}: head after a pass over {len(trees)} trees", model.head.as_array().ravel())

    def infer():
        losses.append(sum(model.loss(batch).value() for batch in batches) / len(trees))

    if case.optimizer:
        rate(case.name, len(trees), train)
    elif case.batch > 1:
        rate(case.name, len(trees), infer)
    else:
        infer()
        latencies(case.name, [lambda batch=batch: model.loss(batch).value() for batch in batches])
    value_of_loss(case, losses[0], len(trees))


def main():
    treebank, *cases = sys.argv[1:]
    sys.setrecursionlimit(100_000)
    memory = Memory()
    trees, words = read_treebank(treebank)
    for case in map(parse, cases):
        run(case, trees, words)
    memory.print()


if __name__ == "__main__":
    main()
