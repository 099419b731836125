"""Sentiment of sentences by a recursive neural tensor network: Socher et al. (2013), https://aclanthology.org/D13-1170.

    lantern run examples/rntn.py train --train TRAIN --dev DEV --test TEST      as C++ that Lantern generates
    python examples/rntn.py train --train TRAIN --dev DEV --test TEST           the same, on NumPy

A phrase is a vector p = tanh(cᵀ V c + W c + b), where c is its two parts, one behind the other, and V a stack of matrices, one
for each entry of p: parts do not only add up, they change each other's meaning.
"""
import lantern as lt


@lt.struct
class Tree:
    label: int  # 0, very negative, to 4, very positive
    word: int  # of a leaf, its place in the vocabulary, where 0 stands for all unknown words; -1 elsewhere
    left: "Tree | None"
    right: "Tree | None"


class RNTN(lt.Module):
    def __init__(self, words, size=25, classes=5):
        bound = (2 * size)**-0.5
        self.size = size
        self.embedding = lt.Parameter((words, size), lt.init.normal(0.0, 0.1))
        self.tensor = lt.Parameter((size, 2 * size, 2 * size), lt.init.uniform(-bound * bound, bound * bound))
        self.weight = lt.Parameter((size, 2 * size), lt.init.uniform(-bound, bound))
        self.bias = lt.Parameter(size, lt.init.zeros())
        self.head = lt.Parameter((classes, size), lt.init.uniform(-bound, bound))
        self.head_bias = lt.Parameter(classes, lt.init.zeros())

    def scores(self, phrase):
        """What speaks for each class, before the softmax, shape [classes]."""
        return self.head @ phrase + self.head_bias

    def encode(self, tree):
        """The vector [size] of a phrase, its loss summed over every node, and how many of its nodes it gets right."""
        if tree.left is None:
            phrase = lt.tanh(self.embedding[tree.word])
            loss_below = lt.zeros()
            right_below = 0
        else:
            left, loss_left, right_left = self.encode(tree.left)
            right, loss_right, right_right = self.encode(tree.right)
            parts = lt.concat(left, right)
            phrase = lt.tanh((self.tensor @ parts) @ parts + self.weight @ parts + self.bias)
            loss_below = loss_left + loss_right
            right_below = right_left + right_right
        scores = self.scores(phrase)
        loss = lt.cross_entropy(scores, tree.label) + loss_below
        return phrase, loss, right_below + (lt.argmax(scores) == tree.label)

    def loss(self, tree: Tree):
        """Negative log likelihood of the labels, summed over every node."""
        phrase, loss, right = self.encode(tree)
        return loss


def accuracy(model, path, words):
    """Which share of the roots of the trees in a file is guessed right."""
    trees = lt.treebank(path, words, Tree)
    right = 0
    for tree in trees:
        phrase, loss, right_nodes = model.encode(tree)
        right += lt.argmax(model.scores(phrase)) == tree.label
    return right / len(trees)


@lt.export
def train(train: str, dev: str = "", test: str = "", epochs: int = 3, seed: int = 1, learning_rate: float = 0.01,
          size: lt.static[int] = 25):
    """Trains a model tree by tree, and prints the accuracy at the roots.

    Args:
        train: file of labelled trees to learn from, in the bracketed form of the Penn treebank
        dev: trees to look at after each epoch
        test: trees to judge the last epoch by
        epochs: how often each tree is learnt from
        seed: of the random numbers that parameters begin with and trees are shuffled by
        learning_rate: of Adagrad
        size: length of a phrase's vector
    """
    lt.seed(seed)
    words = lt.vocabulary(train)
    trees = lt.treebank(train, words, Tree)
    model = RNTN(len(words), size)
    optimizer = lt.optim.Adagrad(learning_rate)
    for epoch in range(epochs):
        total = 0.0
        for tree in lt.progress(lt.shuffle(trees), "training"):
            loss, gradients = lt.value_and_grad(model.loss)(tree)
            optimizer.step(gradients)
            total += float(loss)
        print(f"epoch {epoch + 1}: mean loss {total / len(trees):.4f}")
        if dev != "":
            print(f"  dev accuracy: {accuracy(model, dev, words):.4f}")
    if test != "":
        print(f"test accuracy: {accuracy(model, test, words):.4f}")


if __name__ == "__main__":
    lt.main()
