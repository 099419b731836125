"""Comprehensions, generators and `:=`, in plain Python: converted, each function gives what it gave before, or raises what it raised (CASES)."""
from plain_log import note

LAST = 0


def generator_expressions(xs, k):
    if k > 1:
        k = k + 1
    lazy = (x * k for x in xs if x)
    if k:
        k = 10
    return list(lazy), sum(x for x in xs), {x: k for x in xs}, {k for _ in xs}


def yields(n):
    for i in range(n):
        if i % 2:
            yield i


def collects(n):
    return [x for x in yields(n)]


def walrus(xs):
    out = []
    while (n := len(xs)) and (last := xs.pop()) is not None:
        out.append((n, last))
    if (m := len(out)) > 1:
        out.append(m)
    return out, n, [y := v for v in (1, 2)], y


def delayed_walrus(a, b):
    if note(a) and (y := note(b)) > 1:
        return y
    z = (y := note("x")) if b else (w := note("w"))
    out = [z]
    while a < 5 and (a := a + 1) and (last := a) != 4:
        out.append((a, last))
    if 0 < (m := note(a)) < (k := note(b)) < 9:
        out.append((m, k))
    assert b or (message := "no b"), message
    return y, out, m


def comprehensions(xs, k):
    pairs = [(note(x), y) for x in note(xs) if note(x, x) for y in range(note(x, x)) if y != k]
    nested = [[x * y for y in xs if y] for x in [z + 1 for z in xs]]
    return pairs, nested, {note(x): note(y) for x, y in zip(xs, "abc")}, {x % 2 for x in xs}, [*(x for x in xs)]


def scopes(x):
    xs = [x for x in (1, 2)]
    functions = [lambda: (x, y) for y in (1, 2)]
    later = [y for f in functions for y in f()]
    repeated = [(_, i) for _, i, _ in [(1, 2, 3)]], [i for i in range(3) for i in range(i)]
    return x, xs, later, repeated


def bound_outside(xs):
    total = 0
    sums = [total := total + x for x in xs]
    found = any((hit := x) > 1 for x in xs)
    return sums, total, found, hit


def bound_globally(xs):
    global LAST
    return [LAST := x for x in xs], LAST


def in_lambdas(k):
    scaled = lambda xs, n=[i for i in (2, 3)]: [x * k * m for x in xs for m in n]   # noqa: E731
    binds = lambda xs: ([y := x for x in xs], y)    # noqa: E731
    return scaled([1, 2]), binds([4, 5]), sorted([3, 1], key=lambda x: sum(x - y for y in (x, 1)))


def lazily(xs):
    log = []
    squares = (log.append(x) or x * x for x in xs if log.append("?") or x)
    log.append("made")
    first = next(squares, None)
    log.append(any(s > 3 for s in squares))
    return first, log, list(squares), squares.gi_frame is None


def unbound(c, xs):
    if c:
        y = 1
    return [x + y for x in xs]


def unbound_in_a_generator(c, xs):
    if c:
        y = 1
    return list(x + y for x in xs)


def errors_in_them(case, xs):
    try:
        if case == 0:
            return [x for x in 5]
        if case == 1:
            return (x for x in 5)
        if case == 2:
            return [a + b for a, b in xs]
        if case == 3:
            return list(next(iter(())) for x in xs)
        if case == 4:
            return {x: 1 for x in [[]]}
        return [1 // x for x in xs]
    except Exception as error:
        note(type(error).__name__)
        raise


def names_of_theirs():
    generator = (x for x in ())
    return generator.__name__, generator.__qualname__.split(".")[-1], type(generator).__name__


def targets(rows, box):
    return [(first, rest) for first, *rest in rows], [box[0] for box[0] in (1, 2)], box, [a for (a, *_), *_ in [rows]]


class Methods:
    names = [n for n in ("a", "b")]
    lengths = [len(n) for n in names]

    def __init__(self, k):
        self.k = k
        self.__own = [i * self.k for i in range(3)]

    def hidden(self):
        return [self.__own[i] + x for i in range(2) for x in self.__own], sum(self.k for _ in self.__own)


def methods(k):
    def local(n, seen=[x for x in (1, 2)]):
        return [n + k + s for s in seen]
    return Methods(k).hidden(), Methods.lengths, local(k)


def in_statements(xs):
    while any(x for x in xs):
        xs = [x - 1 for x in xs if x > 1]
        note(len(xs))
    with_else = [x for x in xs] or [None for _ in range(2)]
    assert all(x is None for x in with_else), [x for x in with_else]
    for i in [x for x in (1, 2)]:
        if [y for y in (i,)] == [2]:
            break
    return f"{[x for x in with_else]!r} {sum(x for x in (1, i)):>{len([1 for _ in range(3)])}}", i


CASES = [
    *((generator_expressions, [1, 0, 2], k) for k in (0, 1, 2)),
    (collects, 5),
    *((walrus, list(xs)) for xs in ((), (1,), (1, None, 2), (1, 2, 3))),
    *((delayed_walrus, a, b) for a in (0, 1, 4) for b in (0, 1, 2, 7)),
    *((comprehensions, [1, 0, 2], k) for k in (0, 1)),
    (scopes, 5),
    *((bound_outside, xs) for xs in ([], [1], [1, 2, 3])),
    *((bound_globally, xs) for xs in ([1, 2], [])),
    (in_lambdas, 3),
    *((lazily, xs) for xs in ([], [0, 1, 2, 3, 4])),
    *((f, c, xs) for f in (unbound, unbound_in_a_generator) for c in (0, 1) for xs in ([], [1])),
    *((errors_in_them, case, [1, 0]) for case in range(6)),
    (names_of_theirs,),
    (targets, [[1, 2, 3], [4]], [0]),
    (methods, 2),
    *((in_statements, xs) for xs in ([], [1, 3, 2])),
]
