"""Generator functions that call themselves: they are functions of the program."""
import lantern as lt
from programs import runs, stops


@lt.struct
class Node:
    value: float
    left: "Node | None"
    right: "Node | None"


TREES = [(1.5, Node(2.0, Node(1.0, None, None), Node(5.0, Node(4.0, None, None), Node(7.0, None, None)))), (4.5, Node(0.5, None, None))]


def walk(tree):
    if tree is not None:
        print("at", tree.value)
        yield from walk(tree.left)
        yield tree.value
        yield from walk(tree.right)


def walk_by_loops(tree, depth):
    if tree is None:
        return
    for pair in walk_by_loops(tree.left, depth + 1):
        yield pair
    yield tree.value, depth
    for pair in walk_by_loops(tree.right, depth + 1):
        yield pair


def orders(items):
    if len(items) <= 1:
        yield items
    else:
        for i in range(len(items)):
            for rest in list(orders(items[:i] + items[i + 1:])):
                yield [items[i]] + rest


def leaves(tree):
    if tree.left is not None:
        yield from leaves(tree.left)
    yield tree.value


@runs(*TREES)
def tree_in_order(x: float, tree: Node):
    total, count = 0.0, 0
    for v in walk(tree):
        print("got", v)
        total = total * x + v
        count += 1
    return total, count


@runs(*TREES)
def tree_by_loops(x: float, tree: Node):
    total = 0.0
    for v, depth in walk_by_loops(tree, 0):
        total += v * x ** depth
    return total


@runs(*TREES)
def tree_gathered(x: float, tree: Node):
    return list(walk(tree)), [v * x for v in walk(tree) if v > x], max(walk(tree)), sum(walk(tree))


@runs(*TREES)
def tree_left_early(x: float, tree: Node):
    total = 0.0
    for v in walk(tree):
        total += v
        if total > x:
            break
    return total


@runs(*TREES)
def tree_returned_from(x: float, tree: Node):
    for v in walk(tree):
        if v > x:
            return v
    return -1.0


@runs(*TREES)
def best_of_a_tree(x: float, tree: Node):
    best = None
    for v in walk(tree):
        last = v
        if best is None or v * x > best:
            best = v * x
    return best, last


@runs(*TREES)
def lists_of_the_loop(x: float, tree: Node):
    seen, total = [], [0.0]

    def counted(tree):
        if tree is not None:
            yield from counted(tree.left)
            yield tree.value + len(seen)
            yield from counted(tree.right)

    for v in counted(tree):
        seen.append(v)
        total[0] += v * x
    return seen, total


@runs(*TREES)
def pairs_of_a_tree(x: float, tree: Node):
    total = 0.0
    for a in walk(tree):
        for b in walk(tree):
            if a < b:
                total += a * b * x
    return total


@runs(*TREES)
def states_of_several_types(x: float, tree: Node):
    import numpy as np
    count, text, array, pair = 0, "", np.zeros(2), (0, 0.0)
    for v in walk(tree):
        count += 1
        text += "a"
        array = array + v * x
        pair = pair[0] + 1, pair[1] + v
    total = 0
    for v in walk(tree):
        total += v * count
    return total, count, text, float(array[1]), pair


@runs(*TREES)
def through_what_the_recursion_gives(x: float, tree: Node):
    def pairs(values):
        held, count = 0.0, 0
        for value in values:
            held, count = held + value, count + 1
            if count == 2:
                yield held
                held, count = 0.0, 0
        if count > 0:
            yield held

    total = 0.0
    for v in pairs(walk(tree)):
        total = total * x + v
    return total


@runs(([1, 2, 3],), ([5],))
def orders_of_a_list(items: list[int]):
    return list(orders(items))


# What is refused


@stops("LT0305", "is gone through by itself, in a loop that does more", "list(scaled(…))", at=TREES[0])
def a_loop_over_itself_that_does_more(x: float, tree: Node):
    def scaled(tree):
        if tree is not None:
            for v in scaled(tree.left):  # error
                yield v * x
            yield tree.value

    return list(v for v in scaled(tree))


@stops("LT0305", "the generator 'shifted', which calls itself, reads 'total', which the loop over it changes", at=TREES[0])
def a_recursion_that_reads_what_the_loop_changes(x: float, tree: Node):
    total = x

    def shifted(tree):
        if tree is not None:
            yield from shifted(tree.left)
            yield tree.value + total
            yield from shifted(tree.right)

    for v in shifted(tree):  # error
        total += v
    return total


@stops("LT0306", "'s' gets another list", "go over a list", at=TREES[0])
def a_recursion_whose_loop_makes_lists(x: float, tree: Node):
    s = []
    for v in leaves(tree):  # error
        s = s + [v]
    return s
