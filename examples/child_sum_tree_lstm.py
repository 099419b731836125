"""The child-sum TreeLSTM of Tai, Socher and Manning (2015), https://arxiv.org/abs/1503.00075: nodes with any number of children.

    lantern run examples/child_sum_tree_lstm.py train           as C++ that Lantern generates
    python examples/child_sum_tree_lstm.py train                the same, on NumPy

The task is one of counting: does a random tree have more leaves of one kind than of the other?
"""
import lantern as lt


@lt.struct
class Node:
    word: int
    children: "list[Node]"


class ChildSumTreeLSTM(lt.Module):
    def __init__(self, words, embedding, hidden):
        bound = hidden**-0.5
        self.hidden = hidden
        self.embedding = lt.Parameter((words, embedding), lt.init.uniform(-0.1, 0.1))
        self.input = lt.Parameter((4 * hidden, embedding), lt.init.uniform(-bound, bound))
        self.gates = lt.Parameter((3 * hidden, hidden), lt.init.uniform(-bound, bound))
        self.forget = lt.Parameter((hidden, hidden), lt.init.uniform(-bound, bound))
        self.bias = lt.Parameter(4 * hidden, lt.init.zeros())

    def encode(self, node):
        """State h and cell c, each [hidden], of a node. Children add up, each through a forget gate of its own."""
        x = self.input @ self.embedding[node.word] + self.bias
        x_i, x_o, x_u, x_f = lt.split(x, 4)
        h_sum, c_sum = lt.zeros(self.hidden), lt.zeros(self.hidden)
        for child in node.children:
            h, c = self.encode(child)
            h_sum = h_sum + h
            c_sum = c_sum + lt.sigmoid(self.forget @ h + x_f) * c
        h_i, h_o, h_u = lt.split(self.gates @ h_sum, 3)
        c = lt.sigmoid(x_i + h_i) * lt.tanh(x_u + h_u) + c_sum
        return lt.sigmoid(x_o + h_o) * lt.tanh(c), c


class Majority(lt.Module):
    """Whether leaves of kind 1 outnumber those of kind 0."""

    def __init__(self, hidden):
        self.encoder = ChildSumTreeLSTM(3, 8, hidden)
        self.head = lt.Parameter((2, hidden), lt.init.uniform(-0.1, 0.1))

    def scores(self, node):
        h, c = self.encoder.encode(node)
        return self.head @ h

    def loss(self, node: Node, label: int):
        return lt.cross_entropy(self.scores(node), label)


def random_tree(depth):
    """A tree of leaves, 0 or 1, and inner nodes, 2, of one to four children."""
    if depth == 0 or lt.item(lt.uniform(0.0, 1.0)) < 0.2:
        return Node(int(lt.item(lt.uniform(0.0, 2.0))), [])
    children = []
    for _ in range(1 + int(lt.item(lt.uniform(0.0, 4.0)))):
        children.append(random_tree(depth - 1))
    return Node(2, children)


def lead(node: Node):
    """How many leaves of kind 1 there are more than of kind 0."""
    if node.word < 2:
        return 2 * node.word - 1
    total = 0
    for child in node.children:
        total += lead(child)
    return total


@lt.export
def train(steps: int = 4000, depth: int = 3, hidden: lt.static[int] = 24, learning_rate: float = 0.005, seed: int = 1,
          every: int = 500):
    """Learns from one new tree a step, and prints how many of the last `every` were right before it learnt from them.

    Args:
        steps: how many trees to learn from
        depth: of the trees, at most
        hidden: length of a node's state
        learning_rate: of Adam
        seed: of the random numbers
        every: so many steps it prints a line
    """
    lt.seed(seed)
    model = Majority(hidden)
    optimizer = lt.optim.Adam(learning_rate)
    total, right = 0.0, 0
    for step in range(1, steps + 1):
        tree = random_tree(depth)
        label = 1 if lead(tree) > 0 else 0
        right += lt.argmax(model.scores(tree)) == label
        loss, gradients = lt.value_and_grad(model.loss)(tree, label)
        optimizer.step(gradients)
        total += float(loss)
        if step % every == 0:
            print(f"step {step}: mean loss {total / every:.4f}, right {right / every:.3f}")
            total, right = 0.0, 0


if __name__ == "__main__":
    lt.main()
