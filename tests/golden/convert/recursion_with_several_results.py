class Encoder:
    def encode(self, tree):
        if tree.left is None:
            h = c = self.leaf[tree.word]
        else:
            (h, c), self.nodes = self.encode(tree.left), self.nodes + 1
        return h, c
