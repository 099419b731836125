"""Nested operations on lists of digits, such as [MAX 2 9 [MIN 4 7] 0]: Nangia and Bowman (2018), https://arxiv.org/abs/1804.06028.

    lantern run examples/list_ops.py train           as C++ that Lantern generates
    python examples/list_ops.py train                the same, on NumPy

An expression is a tree with any number of children. The program makes expressions at random, and evaluates them by a recursive
function to know the right answer; a child-sum tree LSTM (child_sum_tree_lstm.py), trained on them, learns to give the answer.
"""
import lantern as lt

from child_sum_tree_lstm import ChildSumTreeLSTM, Node

MIN, MAX, MEDIAN, SUM_MOD = 10, 11, 12, 13  # the words behind the ten digits
WORDS = 14


def expression(depth, breadth):
    """A random expression: a digit, or an operation on 2 to `breadth` expressions."""
    if depth == 0 or lt.item(lt.uniform(0.0, 1.0)) < 0.25:
        return Node(int(lt.item(lt.uniform(0.0, 10.0))), [])
    operation = 10 + int(lt.item(lt.uniform(0.0, 4.0)))
    children = []
    for _ in range(2 + int(lt.item(lt.uniform(0.0, 1.0)) * (breadth - 1))):
        children.append(expression(depth - 1, breadth))
    return Node(operation, children)


def value(node: Node):
    """What an expression is, a digit."""
    if node.word < 10:
        return node.word
    values = [value(child) for child in node.children]
    if node.word == MIN:
        return min(values)
    if node.word == MAX:
        return max(values)
    if node.word == MEDIAN:
        return sorted(values)[len(values) // 2]
    return sum(values) % 10


class Calculator(lt.Module):
    def __init__(self, hidden):
        bound = hidden**-0.5
        self.encoder = ChildSumTreeLSTM(WORDS, 16, hidden)
        self.head = lt.Parameter((10, hidden), lt.init.uniform(-bound, bound))

    def scores(self, node):
        h, c = self.encoder.encode(node)
        return self.head @ h

    def loss(self, node: Node, answer: int):
        return lt.cross_entropy(self.scores(node), answer)


@lt.export
def train(steps: int = 10000, depth: int = 2, breadth: int = 4, hidden: lt.static[int] = 48, learning_rate: float = 0.003, seed: int = 1,
          every: int = 1000):
    """Learns from one new expression a step, and prints how many of the last `every` were right before it learnt from them.

    Args:
        steps: how many expressions to learn from
        depth: of the expressions
        breadth: most operands of an operation, at least 2
        hidden: length of an expression's state
        learning_rate: of Adam, which falls to zero along half a cosine
        seed: of the random numbers
        every: so many steps it prints a line
    """
    lt.seed(seed)
    model = Calculator(hidden)
    optimizer = lt.optim.Adam(lt.optim.cosine(learning_rate, steps))
    total, right = 0.0, 0
    for step in range(1, steps + 1):
        node = expression(depth, breadth)
        answer = value(node)
        right += lt.argmax(model.scores(node)) == answer
        loss, gradients = lt.value_and_grad(model.loss)(node, answer)
        optimizer.step(lt.optim.clip_by_global_norm(gradients, 5.0))
        total += float(loss)
        if step % every == 0:
            print(f"step {step}: mean loss {total / every:.4f}, right {right / every:.3f}")
            total, right = 0.0, 0


if __name__ == "__main__":
    lt.main()
