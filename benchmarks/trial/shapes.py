"""Trees of any number of children, the same in every peer."""
from fixed import fixed


def made_up(count, Node, depth=4):
    """So many trees and their labels. Node(word, children): leaves are 0 or 1, inner nodes 2, of one to four children."""
    numbers = iter(fixed(9, 200_000, low=0, high=1).tolist())

    def tree(below):
        if below == 0 or next(numbers) < 0.2:
            return Node(int(2 * next(numbers)), [])
        return Node(2, [tree(below - 1) for _ in range(1 + int(4 * next(numbers)))])

    trees = [tree(depth) for _ in range(count)]
    return trees, [int(2 * next(numbers)) for _ in range(count)]
