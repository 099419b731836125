"""Generator functions: run by whoever goes through them, in Python's order."""
from programs import runs, stops
from reference_comprehensions import LISTS


def squares(n):
    print("begin")
    for i in range(n):
        print("before", i)
        yield i * i
        print("after", i)
    print("end")


def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


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


# What is refused


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


class Ring:
    def __init__(self, most):
        self.most, self.items, self.start = most, [], 0

    def add(self, x):
        if len(self.items) < self.most:
            self.items.append(x)
        else:
            self.items[self.start] = x
            self.start = (self.start + 1) % self.most

    def __len__(self): return len(self.items)
    def __getitem__(self, place): return self.items[(self.start + place) % len(self.items)]

    def __iter__(self):
        for place in range(len(self)):
            yield self[place]


class Around:
    def __init__(self, items): self.items = items
    def __iter__(self): return iter(self.items)


def filled(n):
    ring = Ring(3)
    for i in range(n):
        ring.add(i * 0.5 + 1)
    return ring


def each_of(items):
    for place in range(len(items)):
        yield items[place]


@runs((0,), (2,), (5,))
def an_object_that_goes_through_itself(n):
    ring, around = filled(n), Around(filled(n).items)
    total = 0.0
    for k, value in enumerate(ring):
        total += k * value
    _, *rest = filled(n + 1)
    return (total, list(ring), sorted(ring, reverse=True), [a * b for a, b in zip(ring, [1.0, 2.0, 3.0])], max(ring, default=0.0), any(v > 2 for v in ring), 1.5 in ring,
            [2 * v for v in map(abs, ring)], rest, [k * v for k, v in enumerate(around)], [a * b for a, b in zip(around, around)], list(around), sum(ring, 0.0))


@runs((0,), (3,))
def a_list_that_grows_is_gone_through(n):
    items = []
    later = each_of(items)
    for i in range(n):
        items.append(i * 0.5)
    return [k * v for k, v in enumerate(each_of(items))], sorted(each_of(items)), list(later)
