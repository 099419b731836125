"""Functions that go on with iterators where others have left them: (xs, n), plain Python's against the compiled one's."""
import itertools


def asked(xs: list[int], n: int):
    pairs, numbers, doubled = zip(xs, xs[1:]), enumerate(xs), map(lambda x: x * 2, xs)
    backwards, behind = reversed(xs), itertools.chain(xs, [n])
    first = next(pairs, (0, 0)), next(numbers, (0, 0)), next(doubled, 0), next(backwards, 0), next(behind)
    return first, list(pairs), [number + x for number, x in numbers], sum(doubled), list(backwards), max(behind, default=-1)


def first_of_collections(xs: list[int], n: int):
    counts, order = {"a": 2, "b": 4}, []
    for i in range(n + 3):
        arm = next((k for k in counts if counts[k] < 3), None)
        counts["b" if arm is None else arm] += i
        order.append(arm or "z")
    g, h = (k for k in counts if counts[k] > n), (v for v in counts.values())
    return order, next(g, "z"), next((k for k, v in {"a": 2, "b": 4}.items() if v > n), "z"), next(h), next(h, n), next(h, n), next((x for x in {1, 5} if x > n), -1)


def asked_in_a_loop(xs: list[int], n: int):
    pairs, total = zip(xs, xs), []
    while len(total) < n:
        a, b = next(pairs, (0, 7))
        total.append(a * b)
        if a > n:
            total.append(next(pairs, (9, 9))[1])
    return total, list(pairs)


def by_twos(xs: list[int], n: int):
    it, squares = iter(xs), (x * x for x in xs)
    first = next(it, n)
    return first, [a * 10 + b for a, b in zip(it, it)], list(zip(*[iter(xs)] * 3)), [a - b for a, b in zip(squares, squares)]


def by_threes(xs: list[int], n: int):
    it = iter(xs)
    return list(itertools.zip_longest(it, it, it, fillvalue=n)), list(map(lambda a, b: a - b, *[iter(xs)] * 2))


def behind_a_place(xs: list[int], n: int):
    it = iter(xs)
    head = [x for x in itertools.islice(it, 2)]
    for x in itertools.islice(it, n):
        head.append(x * 100)
        head.append(next(it, -1))
    return head, [p for p in zip(it, xs)]


def chunks(xs: list[int], n: int):
    it, found = iter(xs), []
    while True:
        chunk = list(itertools.islice(it, n + 1))
        if not chunk:
            return found
        found.append(chunk)


def cycled(xs: list[int], n: int):
    signs, names, own, taken = itertools.cycle([1, -1]), itertools.cycle("ab"), itertools.cycle(xs), 0
    for x in itertools.cycle(xs):
        taken += abs(x) + 1
        if taken > 20:
            break
    return ([x * next(signs) for x in xs], [name + str(x) for x, name in zip(xs, names)], next(signs), taken, [next(own, n) for _ in range(n)],
            list(itertools.islice(itertools.cycle([n, 2.5]), 3)))


def of_a_generator(xs: list[int], n: int):
    doubled = (x * 2 for x in xs)
    first = next(doubled, n)
    return first, [p for p in zip(doubled, [7, 8])]


def _numbers():
    k = 0
    while True:
        yield k
        k += 1


def _larger(xs, n):
    for x in xs:
        if x > n:
            yield x * 2


def first_of_generators(xs: list[int], n: int):
    log = []

    def noted():
        for x in xs:
            log.append(x)
            yield x

    g = _larger(xs, n)
    found = next(g, -1), next(k for k in _numbers() if k * k > n), next((x for x in noted() if x > n), -2)
    return found, log


def slices_of_generators(xs: list[int], n: int):
    log = []

    def noted():
        for x in xs:
            log.append(x)
            yield x

    some = list(itertools.islice(noted(), n)), list(itertools.islice(noted(), 1, 6, 2)), list(itertools.islice(noted(), n, 2)), list(itertools.islice(noted(), n, None))
    squares = list(itertools.islice((k * k for k in _numbers() if k % 3 == n % 3), 4))
    return some, log, squares, sum(itertools.islice(_larger(xs, n), n)), list(itertools.islice(map(lambda x: x + 1, _larger(xs, 0)), 2)), list(itertools.islice(itertools.accumulate(xs), n))


def numbered_generators(xs: list[int], n: int):
    place = -1
    for i, k in enumerate(_numbers()):
        if k * k > n * 10:
            place = i
            break
    return place, [(i, x) for i, x in enumerate(_larger(xs, n), 5)], dict(enumerate(_larger(xs, 0)))


def sieve(xs: list[int], n: int):
    primes = []

    def go():
        for k in _numbers():
            if k > 1 and all(k % p for p in primes):
                primes.append(k)
                yield k

    return list(itertools.islice(go(), n + len(xs))), primes


def given_to_recursions(xs: list[int], n: int):
    it = iter(xs)

    def build(it, depth):
        value = next(it, 0)
        if value <= n or depth > 3:
            return value
        return value + 10 * build(it, depth + 1) + build(it, depth + 1)

    return build(it, 0), next(it, -1)


def known_to_recursions(xs: list[int], n: int):
    it = iter([*xs, 1, 2, *xs, 2])

    def group():
        count = 0
        for x in it:
            if x == 1:
                count += 1 + 2 * group()
            elif x == 2:
                return count
        return count

    return group(), sum(it)


def columns_of_texts(xs: list[int], n: int):
    rows = [str(x) * n for x in xs]
    columns = ["".join(column) for column in zip(*rows)]
    return columns, [list(column) for column in zip(*rows)], [len(column) for column in zip(*rows)]
