"""Sentiment of sentences: the binary constituency TreeLSTM of Tai, Socher and Manning (2015), https://arxiv.org/abs/1503.00075.

    lantern run examples/tree_lstm.py train --train TRAIN --dev DEV --test TEST      as C++ that Lantern generates
    python examples/tree_lstm.py train --train TRAIN --dev DEV --test TEST           the same, on NumPy
"""
import lantern as lt


@lt.struct
class Tree:
    label: int  # 0, very negative, to 4, very positive
    word: int  # of a leaf, its place in the vocabulary, where 0 stands for all unknown words; -1 elsewhere
    left: "Tree | None"
    right: "Tree | None"


class TreeLSTM(lt.Module):
    def __init__(self, words, embedding=300, hidden=150, mlp=0, root_only=False, frozen=False, dropout=0.0,
                 classes=5):
        self.mlp, self.root_only, self.dropout = mlp, root_only, dropout
        self.embedding = lt.Parameter((words, embedding), lt.init.uniform(-0.05, 0.05), trainable=not frozen)
        self.leaf, self.leaf_bias = weights(embedding, 3 * hidden)
        self.inner, self.inner_bias = weights(2 * hidden, 5 * hidden)
        if mlp:
            self.layer, self.layer_bias = weights(hidden, mlp)
        self.head, self.head_bias = weights(mlp or hidden, classes)

    def scores(self, h):
        """What speaks for each class, before the softmax, shape [classes]."""
        if self.mlp:
            h = lt.relu(self.layer @ h + self.layer_bias)
        return self.head @ h + self.head_bias

    def encode(self, tree, key=None):
        """State h and cell c of a phrase, each of shape [hidden], its loss, and how many of its nodes it gets right.
        key: of what is dropped, None for nothing."""
        of_word, of_label, of_left, of_right = (None,) * 4 if key is None else lt.random.split(key, 4)
        if tree.left is None:
            word = self.embedding[tree.word]
            if key is not None:
                word = lt.dropout(word, self.dropout, of_word)
            i, o, u = lt.split(self.leaf @ word + self.leaf_bias, 3)
            c = lt.sigmoid(i) * lt.tanh(u)
            loss_below = lt.zeros()
            right_below = 0
        else:
            h_left, c_left, loss_left, right_left = self.encode(tree.left, of_left)
            h_right, c_right, loss_right, right_right = self.encode(tree.right, of_right)
            gates = self.inner @ lt.concat(h_left, h_right) + self.inner_bias
            i, f_left, f_right, o, u = lt.split(gates, 5)
            c = lt.sigmoid(i) * lt.tanh(u) + lt.sigmoid(f_left) * c_left + lt.sigmoid(f_right) * c_right
            loss_below = loss_left + loss_right
            right_below = right_left + right_right
        h = lt.sigmoid(o) * lt.tanh(c)
        scores = self.scores(h if key is None else lt.dropout(h, self.dropout, of_label))
        loss = lt.cross_entropy(scores, tree.label)
        if not self.root_only:
            loss = loss + loss_below
        right = right_below + (lt.argmax(scores) == tree.label)
        return h, c, loss, right

    def loss(self, tree: Tree, key=None):
        """Negative log likelihood of the label, at the root or summed over every node. key: of what is dropped, None for nothing."""
        h, c, loss, right = self.encode(tree, key)
        return loss

    def guess(self, tree: Tree):
        """The likeliest label of the whole phrase."""
        h, c, loss, right = self.encode(tree)
        return lt.argmax(self.scores(h))


def weights(inputs, outputs):
    """A weight matrix and a bias that keep the size of what they are applied to."""
    bound = inputs**-0.5
    return lt.Parameter((outputs, inputs), lt.init.uniform(-bound, bound)), lt.Parameter(outputs, lt.init.zeros())


def size(tree: Tree):
    if tree.left is None:
        return 1
    return 1 + size(tree.left) + size(tree.right)


def accuracy(model, path, words):
    """Which share of the roots, and of all nodes, of the trees in a file is guessed right. (0, 0) without a file."""
    if path == "":
        return 0.0, 0.0
    trees = lt.treebank(path, words, Tree)
    right_roots, right_nodes, nodes = 0, 0, 0
    for tree in trees:
        h, c, loss, right = model.encode(tree)
        right_roots += lt.argmax(model.scores(h)) == tree.label
        right_nodes += right
        nodes += size(tree)
    return right_roots / len(trees), right_nodes / nodes


@lt.export
def train(train: str, dev: str = "", test: str = "", epochs: int = 3, seed: int = 1, learning_rate: float = 0.05,
          embedding: lt.static[int] = 300, hidden: lt.static[int] = 150, mlp: lt.static[int] = 0,
          root_only: lt.static[bool] = False, frozen: lt.static[bool] = False, dropout: lt.static[float] = 0.0, anneal: lt.static[bool] = False,
          save: str = ""):
    """Trains a model tree by tree and keeps the epoch that does best on the dev trees.

    Args:
        train: file of labelled trees to learn from, in the bracketed form of the Penn treebank
        dev: trees that choose the epoch; without them it is the last
        test: trees that the chosen epoch is judged by
        epochs: how often each tree is learnt from
        seed: of the random numbers that parameters begin with and trees are shuffled by
        learning_rate: of Adagrad
        embedding: length of a word's vector
        hidden: length of a phrase's state
        mlp: width of a hidden layer between state and scores; 0 for none
        root_only: learn from the label of the whole sentence alone
        frozen: leave the words' vectors as they began
        dropout: share of a word's vector, and of what a node's label is read from, that is zero in a step
        anneal: let the learning rate fall to 0 along half a cosine
        save: file for the chosen epoch's parameters
    """
    lt.seed(seed)
    words = lt.vocabulary(train)
    trees = lt.treebank(train, words, Tree)
    model = TreeLSTM(len(words), embedding, hidden, mlp, root_only, frozen, dropout)
    optimizer = lt.optim.Adagrad(lt.optim.cosine(learning_rate, epochs * len(trees)) if anneal else learning_rate)
    loss_and_gradients = lt.value_and_grad(model.loss)
    best, test_roots, test_nodes = 0.0, 0.0, 0.0
    for epoch in range(epochs):
        total = 0.0
        for step, tree in enumerate(lt.progress(lt.shuffle(trees), "training")):
            key = lt.random.fold_in(lt.random.fold_in(seed, epoch), step) if dropout > 0.0 else None
            loss, gradients = loss_and_gradients(tree, key)
            optimizer.step(gradients)
            total += float(loss)
        print(f"epoch {epoch + 1}: mean loss {total / len(trees):.4f}")
        dev_roots, dev_nodes = accuracy(model, dev, words)
        if dev != "":
            print(f"  dev accuracy: roots {dev_roots:.4f}, all nodes {dev_nodes:.4f}")
        if dev_roots >= best:
            best = dev_roots
            test_roots, test_nodes = accuracy(model, test, words)
            if save != "":
                lt.save(save, model, words)
    if test != "":
        print(f"test accuracy: roots {test_roots:.4f}, all nodes {test_nodes:.4f}")


@lt.export
def evaluate(weights: str, data: str, embedding: lt.static[int] = 300, hidden: lt.static[int] = 150,
             mlp: lt.static[int] = 0):
    """Prints the accuracy of a saved model.

    Args:
        weights: file that `train --save` wrote
        data: file of labelled trees
        embedding: as it was for train
        hidden: as it was for train
        mlp: as it was for train
    """
    words = lt.load_vocabulary(weights)
    model = TreeLSTM(len(words), embedding, hidden, mlp)
    lt.load(weights, model)
    roots, nodes = accuracy(model, data, words)
    print(f"accuracy: roots {roots:.4f}, all nodes {nodes:.4f}")


@lt.export
def predict(weights: str, data: str, embedding: lt.static[int] = 300, hidden: lt.static[int] = 150,
            mlp: lt.static[int] = 0):
    """Prints the label that a saved model gives each sentence, one a line.

    Args:
        weights: file that `train --save` wrote
        data: file of trees; their labels are not looked at
        embedding: as it was for train
        hidden: as it was for train
        mlp: as it was for train
    """
    words = lt.load_vocabulary(weights)
    model = TreeLSTM(len(words), embedding, hidden, mlp)
    lt.load(weights, model)
    for tree in lt.treebank(data, words, Tree):
        print(model.guess(tree))


if __name__ == "__main__":
    lt.main()
