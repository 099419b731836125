"""`*` in targets, displays and calls: with a staged sequence, the rest is a list, and a number of elements that must be known is."""
import lantern as lt
from programs import runs, stops

LISTS = (([3.0, -1.0, 2.5],), ([],), ([2.0],))


def counted(a, b=2.0, *more):
    return a * b + len(more)


@runs(*LISTS)
def first_and_rest(xs: list[float]):
    first, *rest = xs
    return first, rest, len(rest)


@runs(*LISTS)
def rest_and_last(xs: list[float]):
    *rest, last = xs
    rest.append(last * 2)
    return rest, last, xs


@runs(([3.0, -1.0, 2.5, 4.0], 2), ([1.0], 1))
def both_ends(xs: list[float], n):
    (first, *rest, last), k = xs, n
    return first, [*rest], last, k


@runs(*LISTS)
def nested(xs: list[float]):
    [a, *(b, *c)], d = [xs, 1.0]
    return a, b, c, d


@runs((4,), (0,))
def of_a_range(n):
    first, *rest = range(n)
    return first, rest


@runs((4,), (1,))
def of_a_generator(n):
    first, *rest = (i * i for i in range(n) if i != 1)
    return first, rest


@runs((4,), (1,))
def of_a_generator_of_python_values(n):
    first, *rest = (k for k in (0, 1, 2, 3) if k < n)
    return first, rest, [*(k for k in (1, 2) if k < n), n]


@runs((lt.constant([1.0, 2.0, 3.0]),))
def of_an_array(v):
    first, *rest = v
    return first + sum(rest), [*v, first]


@runs((2.0,))
def of_known_sequences(x):
    first, *rest = (x, x + 1, x + 2)
    other, *none = [x]
    return first, rest, other, len(none)


@runs(([1.0, 2.0], 2), ([], 0))
def in_for_targets(xs: list[float], n):
    total = 0.0
    for a, *b in [(x, x + 1, x * 2) for x in xs]:
        total += a + b[0] * b[1]
    return total, [first + len(rest) for first, *rest in [[j for j in range(i + 1)] for i in range(n)]]


@runs(([1.0, 2.0],))
def to_attributes_and_items(xs: list[float]):
    parts = {"a": [0.0], "b": [0.0]}
    parts["a"], *parts["b"] = xs
    return parts["a"], parts["b"]


@runs(*LISTS)
def in_lists(xs: list[float]):
    return [*xs, 1.0], [0.5, *xs, *xs[1:], 2.5], [*xs], [*(x * 2 for x in xs), *range(2)]


@runs(*LISTS)
def a_list_of_its_own(xs: list[float]):
    ys = [*xs]
    ys.append(5.0)
    return xs, ys


@runs((4,), (0,))
def of_iterables(n):
    return [*range(n)], [*map(lambda i: i * 2, range(n)), n], [*zip(range(n), range(3))]


@runs((2.0,))
def in_calls(x):
    known = (x, x + 1, x + 2)
    return counted(*known), counted(*[x]), max(*known), (*known, 1.0), [*known, *known[1:]], counted(*(x * k for k in (1, 2)))


@runs((1.0, 2.0), (2.0, 1.0))
def in_calls_of_the_same_function(x, y):
    def swapped(a, b):
        return b - a
    pair = swapped(*(x, y)), swapped(*[y, x])
    return pair if x < y else (*reversed(pair),)


@stops("LT0310", "how many elements the list 'ys' puts into a tuple", at=([1.0],))
def in_a_tuple(xs: list[float]):
    ys = [x + 1 for x in xs]
    return (*ys, 1.0)  # error


@stops("LT0310", "how many arguments the list 'ys' gives to the call", at=([1.0],))
def unknown_in_a_call(xs: list[float]):
    ys = [x + 1 for x in xs]
    return counted(*ys)  # error


def weighed(k, a, b):
    return k * a - b if k > 0 else a


class Span:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def part(self, a, b, *, of=2.0):
        return self.low * a + self.high * b * of


@runs(([1.0, 4.0],), ([],), ([1.0],), ([1.0, 2.0, 3.0],))
def as_many_as_are_taken(xs: list[float]):
    ys = [x + 1 for x in xs]
    return weighed(0.5, *ys), weighed(*ys, 3.0), weighed(*ys, b=2.0), Span(*ys).part(*xs, of=1.0)


@runs(([1.0, 4.0, 2.0],), ([1.0],))
def as_many_are_missing(xs: list[float]):
    return (lambda a, b, c: a - b * c)(*xs)


@stops("LT0310", "how many arguments 'xs' gives to the call", at=([1.0],))
def as_many_as_there_may_be(xs: list[float]):
    def scaled(a, b=2.0):
        return a * b
    return scaled(*xs)  # error


@stops("LT0310", "is unpacked, and has no elements", at=(1.0,))
def of_a_number(x):
    first, *rest = x  # error
    return first


# zip(*rows), print(*xs)

ROWS = ([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]], 2.0), ([[1.0, 2.0, 3.0], [3.0, 4.0]], 0.5)


@runs(*ROWS)
def columns(rows: list[list[float]], x):
    total = 0.0
    for j, column in enumerate(zip(*rows)):
        total = total * x + sum(column) * j + max(column) - column[0] + column[-1] / len(column)
        for i, v in enumerate(column):
            total += v * i
    return total, [list(column)[::-1] for column in zip(*rows)], list(map(sum, zip(*rows))), any(all(v > x for v in c) for c in zip(*rows))


@runs(([[1.0, 2.0], [3.0, 4.0]],), ([[1.0, 0.5], [0.0, 4.0]],))
def products_of_lists(rows: list[list[float]]):
    square = [[sum(x * y for x, y in zip(row, column)) for column in zip(*rows)] for row in rows]
    return square, [sum(column) for column in zip(*square)]


@runs((3, 1.5), (0, 1.0))
def unzipped(n, x):
    pairs = [(i * x, i) for i in range(n)]
    xs, ys = zip(*pairs)
    return sum(xs) / len(xs), max(ys), [a * b for a, b in zip(xs, ys)], sorted(ys, reverse=True)


@runs(([[1.0, 2.0], [3.0, 4.0]],), ([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]],))
def columns_taken_apart(rows: list[list[float]]):
    total = 0.0
    for a, b in zip(*rows):
        total += a - b
    return total


@runs((3, 1.5), (1, 2.0), (0, 1.0))
def columns_of_pairs(n, x):
    pairs, inner = [(i * x, i + x, 1.0) for i in range(n)], [((i, x), (n, x * i)) for i in range(n)]
    means, total = [sum(column) / len(column) for column in zip(*pairs)], 0.0
    for j, column in enumerate(zip(*pairs)):
        total = total * x + max(column) * j - column[0]
    return means, total, [[k * v for k, v in column] for column in zip(*inner)]


@stops("LT0310", "rows are tuples of several types", "take the columns by names", at=(3, 1.5))
def columns_of_several_types(n, x):
    pairs = [(i * x, i) for i in range(n)]
    return [sum(column) for column in zip(*pairs)]  # error


@runs(([1.0, 2.5], 3), ([0.5], 0))
def printed(xs: list[float], n):
    print(*xs)
    print("row", *xs, n, sep=", ", end="!\n")
    print(*[i * i for i in range(n)])
    return n


@stops("LT0310", "a tuple that zip(*…) gives", "make a list of it first", at=([[1.0, 2.0]],))
def a_column_compared(rows: list[list[float]]):
    return [column == (1.0,) for column in zip(*rows)]  # error


@stops("LT0310", "a tuple that zip(*…) gives", at=([[1.0, 2.0]],))
def the_class_of_a_column(rows: list[list[float]]):
    return [isinstance(column, tuple) for column in zip(*rows)]  # error


@stops("LT0312", "make a list of it", at=([[1.0, 2.0]],))
def columns_kept(rows: list[list[float]]):
    return [column for column in zip(*rows)]  # error


@stops("LT0305", "the list 'rows', or a list in it, has changed since its columns were taken", at=(3, 1.5))
def rows_that_change(n, x):
    rows = [[i * x, 1.0] for i in range(n)]
    xs, ys = zip(*rows)
    rows[0][0] = 99.0
    return sum(xs)  # error
