"""Generator functions: run by whoever goes through them, in Python's order; those that call themselves are functions of the program."""
import lantern as lt
from programs import runs, stops
from reference_comprehensions import LISTS


@lt.struct
class Node:
    value: float
    left: "Node | None"
    right: "Node | None"


TREES = [(1.5, Node(2.0, Node(1.0, None, None), Node(5.0, Node(4.0, None, None), Node(7.0, None, None)))), (4.5, Node(0.5, None, None))]


def squares(n):
    print("begin")
    for i in range(n):
        print("before", i)
        yield i * i
        print("after", i)
    print("end")


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


def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


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


def multiples(values, x):
    for value in values:
        if value % 2 == 0:
            yield value * x


def noted(x):
    print("asked", x)
    return x


# One after the other


@runs((3,), (0,))
def effects_in_order(n):
    total = 0
    for v in squares(n):
        print("got", v)
        total += v
    else:
        print("else")
    return total


@runs((5, 3), (5, 100), (0, 1))
def left_early(n, limit):
    for v in squares(n):
        if v > limit:
            break
        print("got", v)
    else:
        return -1
    return v


@runs((5, 3), (2, 3))
def returned_from(n, limit):
    for v in squares(n):
        if v > limit:
            return v
    return -1


@runs((50,), (0,))
def without_end(limit):
    total = 0
    for v in fibonacci():
        if v > limit:
            break
        total += v
    return total


@runs(*LISTS)
def in_a_row(xs: list[float]):
    def some(x):
        if x > 0:
            yield noted(x)
            yield noted(x * 2)

    return sum(some(xs[0])), list(some(xs[0])), any(v > 1.5 for v in some(xs[0])), max(some(xs[0]), default=0.5)


@runs((7, 1.5), (0, 2.0))
def one_goes_through_another(n, x):
    return sum(multiples(squares(n), x), 0.0), [v for v in multiples(range(n), x)], list(enumerate(multiples(range(n), x), 1))


@runs((2.5,), (-1.0,))
def several_yields(x):
    def some():
        if x > 0:
            yield x
        yield 1.0
        if x < 0:
            return x
        yield from (2.0, x)

    return list(some()), sorted(some(), reverse=True)


@runs((4, 1.5))
def variables_of_the_function_around(n, x):
    seen = 0.0

    def counted(k, *, scale=x):
        nonlocal seen
        for i in range(k):
            seen += 1
            yield i * scale + total

    total = 0.0
    for v in counted(n):
        total += v * seen
    return total, seen, sum(counted(2, scale=3.0))


@runs((3, 1.5))
def methods(n, x):
    class Bag:
        def __init__(self, items):
            self.items = items

        def __iter__(self):
            for item in self.items:
                yield item * n

    class Doubled(Bag):
        def __iter__(self):
            yield from super().__iter__()
            yield 1.0

    return sum(Bag([x, 2.0])), [v for v in Bag([x])], list(Doubled([x]))


@runs((3,), (5,))
def errors_come_when_they_are_reached(n):
    def some():
        for i in range(n):
            yield 12 // (3 - i)

    for v in some():
        print("got", v)
    return n


@runs((3, 1.5), (1, 2.0))
def arrays_and_lists_change_meanwhile(n, x):
    def items(values, held):
        for i in range(n):
            yield values[i] + len(held)

    import numpy as np
    values, held, total = np.ones(3), [x], 0.0
    for v in items(values, held):
        values[2] = v + x
        held.append(v)
        total = total * 2 + v
    return total


@runs((2.5,))
def next_of_what_is_known(x):
    def some():
        yield x
        yield x * x

    it = some()
    return next(it) + next(it), next(it, -1.0)


@runs((2.0,))
def given_and_returned(x):
    def some(k):
        for i in range(k):
            yield i * x

    def made(k):
        return some(k)

    def total(values):
        result = 0.0
        for value in values:
            result += value
        return result

    a, b = some(2)
    return total(made(3)), a - b


# Recursion


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


@stops("LT0305", "the generator 'it' is gone through once more", at=(5, 3))
def gone_on_with(n, limit):
    it = squares(n)
    for v in it:
        if v > limit:
            break
    return sum(it)  # error


@stops("LT0310", "a generator raises StopIteration", "end the generator by return", at=(5,))
def ends_by_stop_iteration(n):
    def some():
        for i in range(n):
            if i > 3:
                raise StopIteration  # error
            yield i

    return sum(some())
