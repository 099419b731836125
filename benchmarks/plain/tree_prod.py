"""The product of a tree's values in plain Python, the peer of benchmarks/ours/tree_prod.py.

    tree_prod.py NODES
"""
import sys
import threading

from timing import Memory, rate, value


class Tree:
    __slots__ = ("is_empty", "value", "left", "right")

    def __init__(self, is_empty, value, left, right):
        self.is_empty, self.value, self.left, self.right = is_empty, value, left, right


EMPTY = Tree(True, 0.0, None, None)


def tree_prod(base, tree):
    if not tree.is_empty:
        l = tree_prod(base, tree.left)  # noqa: E741
        r = tree_prod(base, tree.right)
        return l * r * tree.value
    else:
        return base


def balanced(first, last):
    if first == last:
        return EMPTY
    middle = (first + last) // 2
    return Tree(False, value_at(middle), balanced(first, middle), balanced(middle + 1, last))


def chain(first, last):
    tree = EMPTY
    for place in range(first, last):
        tree = Tree(False, value_at(place), tree, EMPTY)
    return tree


def value_at(place):
    return 1.0 + 0.001 * (place % 1000 - 499.5) / 500.0


def main():
    nodes = int(sys.argv[1])
    memory = Memory()
    for shape, make in {"balanced": balanced, "chain": chain}.items():
        tree = make(0, nodes // 2)
        value(f"{shape}, value", tree_prod(1.0, tree))
        rate(f"{shape}, value", nodes / 1e6, lambda: tree_prod(1.0, tree))
    memory.print()


if __name__ == "__main__":
    sys.setrecursionlimit(100_000_000)
    threading.stack_size(1 << 30)  # before Python 3.11 each call takes some of C's stack
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
