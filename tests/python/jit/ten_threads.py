"""Ten threads that call the same compiled functions at once: a recursion over trees, its gradient, and a step that changes parameters.

    python ten_threads.py       prints how many answers are wrong
"""
import threading

import numpy as np

import lantern as lt


@lt.struct
class Tree:
    value: float
    left: "Tree | None"
    right: "Tree | None"


class Model(lt.Module):
    def __init__(self, width=12):
        lt.seed(2)
        self.weight = lt.Parameter((width, 2 * width), lt.init.uniform(-0.3, 0.3))
        self.counts = lt.Variable(np.zeros(10, np.int64))

    def encode(self, tree):
        if tree.left is None:
            return lt.full((12,), tree.value)
        return lt.tanh(self.weight @ lt.concat(self.encode(tree.left), self.encode(tree.right)))

    def loss(self, tree: Tree):
        return lt.sum(self.encode(tree))

    def count(self, thread: int):
        self.counts.assign(self.counts + lt.one_hot(thread, 10, dtype="i64"))
        return lt.sum(self.counts)


def tree(leaves, seed):
    if leaves == 1:
        return Tree(np.sin(seed), None, None)
    left = 1 + (seed * 7 + leaves) % (leaves - 1)
    return Tree(0.0, tree(left, seed), tree(leaves - left, seed + left))


def wrong_answers(rounds=3):
    model = Model()
    trees = [tree(2 + i % 9, i) for i in range(20)]
    expected = [float(model.loss(one)) for one in trees]
    loss, count = lt.function(model.loss), lt.function(model.count)
    both = lt.value_and_grad(loss)
    gradient = [both(one)[1][model.weight] for one in trees]
    wrong, together = [], threading.Barrier(10)

    def run(thread):
        together.wait()
        for i in range(rounds * len(trees)):
            place = (i + thread) % len(trees)
            value, gradients = both(trees[place])
            if not np.allclose([loss(trees[place]), value], expected[place], rtol=1e-4, atol=1e-6) or not np.array_equal(gradients[model.weight], gradient[place]):
                wrong.append((thread, place))
            count(thread)
    threads = [threading.Thread(target=run, args=(thread,)) for thread in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if model.counts.value.tolist() != [rounds * len(trees)] * 10:
        wrong.append(model.counts.value.tolist())
    return wrong


if __name__ == "__main__":
    print("wrong:", wrong_answers())
