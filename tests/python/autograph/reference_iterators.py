"""Iterators of the user's, which raise StopIteration where only the program knows, `try` in generators, and what generators and their loops call by one name."""
from programs import runs, stops


class Down:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


class Batches:
    def __init__(self, values, size):
        self.values, self.size = values, size

    def __iter__(self):
        self.at = 0
        return self

    def __next__(self):
        if self.at >= len(self.values):
            raise StopIteration()
        batch = self.values[self.at:self.at + self.size]
        self.at += self.size
        return batch


class Items:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return ItemsIterator(self.items)


class ItemsIterator:
    def __init__(self, items):
        self.items, self.at = items, 0

    def __iter__(self):
        return self

    def __next__(self):
        print("next", self.at)
        try:
            item = self.items[self.at]
        except IndexError:
            raise StopIteration from None
        self.at += 1
        return item


class Tokens:
    def __init__(self, text):
        self.text, self.at = text, 0

    def __iter__(self):
        return self

    def __next__(self):
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        if self.at >= len(self.text):
            raise StopIteration
        start = self.at
        while self.at < len(self.text) and self.text[self.at].isalnum():
            self.at += 1
        self.at = max(self.at, start + 1)
        return self.text[start:self.at]


COUNTS = (0,), (1,), (3,), (8,)
LISTS = ([3, 1, 4],), ([2],), ([0, 5, 7, 0],)


@runs(*COUNTS)
def until_its_end(n):
    total = 0
    for k in Down(n):
        total = total * 2 + k
    return total


@runs(*COUNTS)
def left_and_not_left(n):
    total = 0
    for k in Down(n):
        if k == 2:
            continue
        if k < 1:
            return total
        if k > 5:
            break
        total += k
    else:
        total = -1
    return total


@runs(*COUNTS)
def what_is_left_of_one(n):
    down, found = Down(n), []
    for k in down:
        found.append(k)
        if k == 5:
            break
    for k in down:
        found.append(-k if k % 2 else next(down, -100))
    return found, down.n


@runs(*COUNTS)
def in_functions_that_take_all(n):
    return list(Down(n)), sum(Down(n)), max(Down(n), default=-1), 3 in Down(n), any(k > 2 for k in Down(n)), sorted(Down(n)), [k * k for k in iter(Down(n))], \
        [(i, k) for i, k in enumerate(Down(n))], [k + x for k, x in zip(Down(n), [1.5, 2.5])]


@runs(([1.0, 2.0, 3.0, 4.0, 5.0], 2), ([1.0], 3))
def by_batches(values: list[float], size):
    batches = Batches(values, size)
    return [sum(batch) for batch in batches], len(list(batches))


@runs(*LISTS)
def one_within_another(values: list[int]):
    total = 0
    for a in Items(values):
        for b in Items(values):
            total += a * b
    return total


@runs(("a1 + (bc*2)",), ("",), ("  ",))
def tokens(text: str):
    return [token for token in Tokens(text)], sum(1 for token in Tokens(text) if token.isalpha())


@runs(*COUNTS)
def asked_one_by_one(n):
    down, total = Down(n), 0
    while True:
        try:
            total += next(down)
        except StopIteration:
            break
    return total, next(down, None) is None


def taken_from(down):
    while True:
        try:
            k = next(down)
        except StopIteration:
            print("end")
            return
        yield k


def without_zeros(values):
    for value in values:
        try:
            inverse = 1 / value
        except ZeroDivisionError:
            continue
        yield inverse


@runs(*COUNTS)
def a_generator_that_tries(n):
    total, stop = 0, False
    for k in taken_from(Down(n)):
        if k == 4:
            stop = True
        total += k
    return total, stop


@runs(*LISTS)
def a_generator_that_leaves_some_out(values: list[int]):
    for inverse in without_zeros(values):
        if inverse < 0.2:
            break
    else:
        inverse = -1.0
    return [i * 2 for i in without_zeros(values)], inverse


def none_twice(values):
    found, i = False, 0
    while not found:
        if i >= len(values):
            found = True
        else:
            yield values[i]
        i += 1


@runs(*LISTS)
def flags_of_one_name(values: list[int]):
    found, i = False, 0
    for value in none_twice(values):
        if value == 0:
            found = True
        i += value
    if not found:
        i = -i
    return i, found


@runs(*LISTS)
def flags_of_one_name_in_three(values: list[int]):
    def odd(values):
        found = False
        for value in none_twice(values):
            if value % 2 == 1:
                found = True
                yield value
        if not found:
            yield -1
    found = False
    for value in odd(values):
        if value > 6:
            found = True
    return found


@stops("LT0310", "a generator raises StopIteration", at=(3,))
def a_generator_does_not_end_so(n):
    def some():
        for i in range(n):
            if i > 1:
                raise StopIteration  # error
            yield i
    return sum(some())


@stops("LT0310", "a generator raises StopIteration", at=(3,))
def nor_by_what_it_asks(n):
    def some():
        for i in range(n):
            if i > 1:
                yield next(iter({}))  # error
            yield i
    return sum(some())
