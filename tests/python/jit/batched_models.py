"""Recursive models, and structures that they are asked about, for the tests of the batched schedule."""
from typing import List, Optional

import numpy as np

import lantern as lt

WIDTH = 72  # its square is worth a wait for other products


@lt.struct
class Tree:
    word: int
    left: "Optional[Tree]"
    right: "Optional[Tree]"


@lt.struct
class Node:
    word: int
    children: "List[Node]"


def tree(rng, leaves):
    if leaves == 1:
        return Tree(rng.randrange(9), None, None)
    split = rng.randrange(1, leaves)
    return Tree(rng.randrange(9), tree(rng, split), tree(rng, leaves - split))


def sparse_tree(rng, depth):
    """Some nodes have one child only."""
    if depth == 0:
        return Tree(rng.randrange(9), None, None)
    return Tree(rng.randrange(9), sparse_tree(rng, depth - 1) if rng.random() < 0.8 else None, sparse_tree(rng, depth - 1) if rng.random() < 0.8 else None)


def node(rng, depth):
    return Node(rng.randrange(9), [node(rng, depth - 1) for _ in range(rng.randrange(4) if depth else 0)])


def assert_same(one, other):
    (loss, gradients), (other_loss, other_gradients) = one, other
    np.testing.assert_allclose(loss, other_loss, rtol=1e-10)
    assert set(gradients) == set(other_gradients) and len(gradients) > 1
    for parameter in gradients:
        np.testing.assert_allclose(gradients[parameter], other_gradients[parameter], rtol=1e-8, atol=1e-10, err_msg=str(parameter.name))


class Recursive(lt.Module):
    def __init__(self):
        rng = np.random.default_rng(1)

        def parameter(scale, *shape):
            return lt.Parameter(shape, rng.normal(0, scale, shape), dtype="f64")
        self.words, self.bias = parameter(1, 9, WIDTH), parameter(1, WIDTH)
        self.inner, self.outer = parameter(0.1, WIDTH, WIDTH), parameter(0.1, WIDTH, WIDTH)


class Binary(Recursive):
    def encode(self, tree):
        if tree.left is None:
            return self.words[tree.word], 1.0
        left, left_size = self.encode(tree.left)
        right, right_size = self.encode(tree.right)
        return lt.tanh(self.inner @ left + right @ self.outer + self.bias), left_size * 0.5 + right_size

    def loss(self, tree: Tree):
        state, size = self.encode(tree)
        return lt.sum(state * state) * size


class Sparse(Recursive):
    """Children that may be missing: the calls are within branches."""

    def encode(self, tree):
        left = lt.zeros(WIDTH) if tree.left is None else self.encode(tree.left)
        if tree.right is None:
            right = self.words[0]
        else:
            right = self.inner @ self.encode(tree.right)
        return lt.tanh(self.outer @ (left + right) + self.words[tree.word])

    def loss(self, tree: Tree):
        return lt.sum(self.encode(tree) * self.bias)


class Children(Recursive):
    def encode(self, node):
        total = lt.zeros(WIDTH)
        gate = self.words[node.word]
        for place, child in enumerate(node.children):
            h, below = self.encode(child)
            gated = lt.sigmoid(self.outer @ h + gate) * h
            total = total * 0.9 + gated * (place + 1) + below
        return lt.tanh(self.inner @ total + gate), lt.sum(total) * 0.01

    def loss(self, node: Node):
        h, below = self.encode(node)
        return lt.sum(h * self.bias) + below


class Mutual(Recursive):
    def phrase(self, tree):
        if tree.left is None:
            return self.words[tree.word]
        return lt.tanh(self.inner @ self.clause(tree.left) + self.clause(tree.right))

    def clause(self, tree):
        if tree.left is None:
            return self.words[tree.word] * 2.0
        return lt.tanh(self.phrase(tree.left) - self.outer @ self.phrase(tree.right))

    def loss(self, tree: Tree):
        return lt.sum(self.phrase(tree) * self.bias)


class ByValue(Recursive):
    """Branches and loops that what is computed decides."""

    def encode(self, tree):
        if tree.left is None:
            return self.words[tree.word]
        left, right = self.encode(tree.left), self.encode(tree.right)
        h = lt.tanh(self.inner @ (left - right))
        turns = 0
        while lt.sum(h * h) > 4.0 and turns < 5:
            h = 0.8 * (self.outer @ h)
            turns += 1
        if lt.sum(h) > 0.0:
            h = h + lt.tanh(self.outer @ left)
        return h

    def loss(self, tree: Tree):
        return lt.sum(self.encode(tree) * self.bias)


class Bilinear(Recursive):
    """A parameter that is a stack of matrices."""

    def __init__(self):
        super().__init__()
        self.forms = lt.Parameter((WIDTH, 3, WIDTH), np.random.default_rng(2).normal(0, 0.1, (WIDTH, 3, WIDTH)), dtype="f64")

    def encode(self, tree):
        if tree.left is None:
            return self.words[tree.word]
        left, right = self.encode(tree.left), self.encode(tree.right)
        return lt.tanh(lt.max(self.forms @ left, -1) + (self.forms @ right) @ left[:3])

    def loss(self, tree: Tree):
        return lt.sum(self.encode(tree) * self.bias)


class Many(Recursive):
    """More results than anybody counts on."""

    def encode(self, tree):
        if tree.left is None:
            x = self.words[tree.word]
            return x, x * 2.0, x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], 1
        a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, size = self.encode(tree.left)
        p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc, dd, other = self.encode(tree.right)
        return lt.tanh(self.inner @ (a + q)), b * p, c + r, d * s, e, u, f * g, h, i + v * w, x, y, z, aa * j * k, l + m * bb, n * o * cc + dd, size + other

    def loss(self, tree: Tree):
        a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, size = self.encode(tree)
        return (lt.sum(a * b) + c + d + e * f + g * h + i * j + k + l + m * n + o) * size


class Given(Recursive):
    """One of two calls is given what depends on no parameter, and may fail to be found."""

    def __init__(self):
        super().__init__()
        self.table = lt.Variable(np.random.default_rng(3).normal(0, 1, (9, WIDTH)), dtype="f64")

    def encode(self, tree, x):
        if tree.left is None:
            return lt.tanh(self.inner @ x) + self.words[tree.word]
        left = self.encode(tree.left, self.bias * 2.0)
        right = self.encode(tree.right, self.table[tree.word])
        return lt.tanh(self.outer @ (left + right)) * x

    def loss(self, tree: Tree):
        return lt.sum(self.encode(tree, self.bias) * self.bias)


@lt.struct
class Pair:
    a: float
    b: float


class Collecting(Recursive):
    """What the turns of a loop make is collected, and handed on as it is."""

    def pair(self, word):
        h = lt.tanh(self.inner @ self.words[word])
        return Pair(lt.item(lt.sum(h)), 1.0) if word == 3 else Pair(lt.item(lt.sum(h * self.bias)), lt.item(lt.sum(h)))

    def products(self, pairs, n):
        return 0.0 if n == 0 else pairs[n - 1].a * pairs[n - 1].b + self.products(pairs, n - 1)

    def loss(self, node: Node):
        pairs = [self.pair(child.word) for child in node.children]
        return self.products(pairs, len(pairs))


CASES = [(Given, lambda rng: tree(rng, 9)), (Collecting, lambda rng: node(rng, 2)), (Binary, lambda rng: tree(rng, 12)), (Sparse, lambda rng: sparse_tree(rng, 5)), (Children, lambda rng: node(rng, 4)), (Mutual, lambda rng: tree(rng, 11)),
         (ByValue, lambda rng: tree(rng, 10)), (Bilinear, lambda rng: tree(rng, 10)), (Many, lambda rng: tree(rng, 4))]


class Broken(Binary):
    """Words from 100 on are errors."""

    def encode(self, tree):
        if tree.left is None:
            if tree.word >= 100:
                raise ValueError(f"word {tree.word}")
            return self.words[tree.word], 1.0
        left, left_size = self.encode(tree.left)
        right, right_size = self.encode(tree.right)
        return lt.tanh(self.inner @ (left + right)), left_size + right_size


class Remarking(Binary):
    """It prints in branches within those that the calls stand in."""

    def loss(self, tree: Tree):
        left = right = self.words[tree.word]
        if tree.left is not None:
            left = self.encode(tree.left)[0]
            if tree.word < 100:
                print("left of", tree.word)
        if tree.right is not None:
            right = self.encode(tree.right)[0]
            if tree.word < 100:
                print("right of", tree.word)
        return lt.sum(left * right)


class Talking(Binary):
    def encode(self, tree):
        print("word", tree.word)
        if tree.left is None:
            return self.words[tree.word], 1.0
        left, left_size = self.encode(tree.left)
        right, right_size = self.encode(tree.right)
        return lt.tanh(self.inner @ (left + right)), left_size + right_size
