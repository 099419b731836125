"""The TreeLSTM of examples/tree_lstm.py as people write it who do not think of products: a matrix for each gate, and each child."""
import lantern as lt
from tree_lstm import Tree

EMBEDDING, HIDDEN, CLASSES = 300, 150, 5
OF_LEAF, OF_INNER = ("i", "o", "u"), ("i", "f_left", "f_right", "o", "u")    # the gates, as they lie below each other in the example's matrices


class GatedTreeLSTM(lt.Module):
    def __init__(self, words, frozen=False):
        def weight(*shape, **how):
            return lt.Parameter(shape, lt.init.uniform(-0.05, 0.05), **how)

        self.embedding = weight(words, EMBEDDING, trainable=not frozen)
        self.w_i, self.w_o, self.w_u = (weight(HIDDEN, EMBEDDING) for _ in OF_LEAF)
        self.leaf_b_i, self.leaf_b_o, self.leaf_b_u = (weight(HIDDEN) for _ in OF_LEAF)
        self.left_i, self.left_f_left, self.left_f_right, self.left_o, self.left_u = (weight(HIDDEN, HIDDEN) for _ in OF_INNER)
        self.right_i, self.right_f_left, self.right_f_right, self.right_o, self.right_u = (weight(HIDDEN, HIDDEN) for _ in OF_INNER)
        self.b_i, self.b_f_left, self.b_f_right, self.b_o, self.b_u = (weight(HIDDEN) for _ in OF_INNER)
        self.head, self.head_bias = weight(CLASSES, HIDDEN), weight(CLASSES)

    def assign(self, name, numbers):
        """Gives the parameters the numbers that the example's of a name has."""
        if name == "leaf":
            for gate, block in zip(OF_LEAF, numbers.reshape(-1, HIDDEN, EMBEDDING)):
                getattr(self, f"w_{gate}").assign(block)
        elif name == "inner":
            for gate, block in zip(OF_INNER, numbers.reshape(-1, HIDDEN, 2 * HIDDEN)):
                getattr(self, f"left_{gate}").assign(block[:, :HIDDEN].copy())
                getattr(self, f"right_{gate}").assign(block[:, HIDDEN:].copy())
        elif name in ("leaf_bias", "inner_bias"):
            for gate, block in zip(OF_LEAF if name == "leaf_bias" else OF_INNER, numbers.reshape(-1, HIDDEN)):
                getattr(self, f"leaf_b_{gate}" if name == "leaf_bias" else f"b_{gate}").assign(block)
        else:
            getattr(self, name).assign(numbers)

    def encode(self, tree):
        """State and cell of a phrase, and the summed loss of its nodes."""
        if tree.left is None:
            word = self.embedding[tree.word]
            i = lt.sigmoid(self.w_i @ word + self.leaf_b_i)
            o = lt.sigmoid(self.w_o @ word + self.leaf_b_o)
            u = lt.tanh(self.w_u @ word + self.leaf_b_u)
            c = i * u
            below = lt.zeros()
        else:
            h_left, c_left, loss_left = self.encode(tree.left)
            h_right, c_right, loss_right = self.encode(tree.right)
            i = lt.sigmoid(self.left_i @ h_left + self.right_i @ h_right + self.b_i)
            f_left = lt.sigmoid(self.left_f_left @ h_left + self.right_f_left @ h_right + self.b_f_left)
            f_right = lt.sigmoid(self.left_f_right @ h_left + self.right_f_right @ h_right + self.b_f_right)
            o = lt.sigmoid(self.left_o @ h_left + self.right_o @ h_right + self.b_o)
            u = lt.tanh(self.left_u @ h_left + self.right_u @ h_right + self.b_u)
            c = i * u + f_left * c_left + f_right * c_right
            below = loss_left + loss_right
        h = o * lt.tanh(c)
        return h, c, below + lt.cross_entropy(self.head @ h + self.head_bias, tree.label)

    def loss(self, tree: Tree):
        h, c, loss = self.encode(tree)
        return loss
