"""examples/tree_prod.py, the listing of the AutoGraph paper, on trees of a million nodes that the compiled program makes.

    tree_prod.py NODES
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples"))

import lantern as lt
from timing import Memory, rate_of_difference, value
from tree_prod import tree_prod


@lt.struct
class Tree:
    is_empty: bool
    value: float
    left: "Tree | None"
    right: "Tree | None"


def balanced(first: int, last: int):
    """A tree of the places from first on, before last."""
    if first == last:
        return Tree(True, 0.0, None, None)
    middle = (first + last) // 2
    return Tree(False, value_at(middle), balanced(first, middle), balanced(middle + 1, last))


def chain(first: int, last: int):
    """The same places, one below the other."""
    tree = Tree(True, 0.0, None, None)
    for place in range(first, last):
        tree = Tree(False, value_at(place), tree, Tree(True, 0.0, None, None))
    return tree


def value_at(place):
    return 1.0 + 0.001 * float(place % 1000 - 499.5) / 500.0


def program(make):
    def values(size: int, passes: int):
        tree = make(0, size)
        total = 0.0
        for i in range(passes):
            total += tree_prod(1.0 + 1e-9 * i, tree)
        return total

    def gradients(size: int, passes: int):
        tree = make(0, size)
        total = 0.0
        for i in range(passes):
            product, gradient = lt.value_and_grad(tree_prod)(1.0 + 1e-9 * i, tree)
            total += gradient
        return total

    return {"value": lt.function(values), "gradient": lt.function(gradients)}


def main():
    nodes = int(sys.argv[1])
    memory = Memory()
    for shape, make in {"balanced": balanced, "chain": chain}.items():
        for what, run in program(make).items():
            value(f"{shape}, {what}", run(nodes // 2, 1))
            rate_of_difference(f"{shape}, {what}", nodes / 1e6, lambda count: run(nodes // 2, count))
    memory.print()


if __name__ == "__main__":
    main()
