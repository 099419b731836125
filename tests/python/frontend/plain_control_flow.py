"""Branches, loops and expressions, in plain Python: converted, each function gives what it gave before, or raises what it raised (CASES)."""
from plain_log import note


def early_returns(x):
    if x < 0:
        return "negative"
    if x == 0:
        return "zero"
    for i in range(x):
        if i == 3:
            return f"three of {x}"
        elif i > 10:
            break
    else:
        return "exhausted"
    return "broken"


def falls_off(x):
    if x:
        return x


def bare_returns(xs, out):
    if not xs:
        return
    for x in xs:
        if x is None:
            return
        out.append(x)
    out.append("end")


def loops_with_else(rows):
    seen = []
    for row in rows:
        for x in row:
            if x == 0:
                continue
            if x < 0:
                break
            seen.append(x)
        else:
            seen.append("row done")
            continue
        seen.append("row broken")
        if len(row) > 3:
            break
    else:
        seen.append("all done")
    return seen


def while_with_else(n):
    i, out = 0, []
    while i < n:
        i += 1
        if i % 2:
            continue
        if i == 8:
            break
        out.append(i)
    else:
        out.append("else")
    return out, i


def while_true(n):
    while True:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        if n == 1:
            return "one"
        if n > 1000:
            break
    return n


def chained(a, b, c):
    return note(a) < note(b) < note(c), a == b == c, a is None is not b, a in (b, c) and b not in (c,)


def lazy_logic(a, b):
    return note(a) and note(b) or note("c"), not note(a), (note(1) if a else note(2))


class Asked:
    """Tells when its truth is asked."""

    def __init__(self, name, truth):
        self.name, self.truth = name, truth

    def __bool__(self):
        return note(self.name, self.truth)


def asked_once(*truths):
    a, b, c = map(Asked, "abc", truths)
    seen = []
    if a and b or c:
        seen.append("if")
    elif a or not (b and c):
        seen.append("elif")
    while a and not (b or c):
        seen.append("while")
        break
    if a and (found := b):
        seen.append(found.name)
    assert a or b or not c
    return seen, ("x" if a and (b or c) else "y"), not (a or b), [i for i in "ij" if a or b]


def unpacking(pair, deep):
    a, b = pair
    (c, [d, *e]), f = deep
    g = h = note([a, b])
    first, *rest = pair
    return a, b, c, d, e, f, g is h, first, rest


class Box:
    def __init__(self, **fields):
        self.__dict__.update(fields)
        self.__hidden = 1

    def hidden(self):
        if self.__hidden:
            self.__hidden += 1
        return self.__hidden

    def __repr__(self):
        return f"Box({', '.join(f'{k}={v!r}' for k, v in sorted(self.__dict__.items()))})"


class Child(Box):
    kind = "child"

    def __init__(self, **fields):
        if fields:
            super().__init__(**fields)
        else:
            super().__init__(empty=True)

    def me(self):
        return [super().hidden() if c else __class__.__name__ for c in (0,)] if False else __class__.kind


def attributes(c):
    box = Child(n=1, items=[1, 2, 3], inner=Box(v=0))
    if c:
        box.n += 2
        box.items[note(0)] += note(5)
        box.inner.v = box.n
        del box.items[1]
    else:
        del box.n
        box.items[0], box.inner.v = 7, 8
    for box.inner.v in range(2):
        box.items.append(box.inner.v)
    return box, Child().hidden(), box.me()


def order_of_stores():
    rows = {}
    note("target", rows)[note("key")] = note("value")
    note("t2", rows)[note("k2")] = rows["twice"] = note("v2")
    note("t3", rows)[note("k2")] += note("w")
    items = [0, 0]
    i = 0
    i, items[i] = 1, 9
    return rows, items


def slices(xs):
    ys = xs[1:3] + xs[::-1] + xs[-1:]
    xs[1:2] = [8, 9]
    del xs[0], xs[:1]
    return ys, xs


def keywords(*args, k=1, **more):
    if k > 1:
        return keywords(*args, *args, k=k - 1, **more, z=2) if "z" not in more else (args, k, more)
    return args, k, more


def formatted(x, y):
    width = 8
    log = []
    text = f"{x!r:>{width}}|{y:.2f}|{{}}|{x=}" f" and {log}{log.append(1)}{log}" "plain {"
    return text, f"{'nested ' + f'{x}'}"


def recursion(n):
    def even(n):
        if n == 0:
            return True
        return odd(n - 1)

    def odd(n):
        if n == 0:
            return False
        return even(n - 1)

    return even(n), odd(n)


def fibonacci(n, memo={}):
    if n in memo:
        return memo[n]
    if n < 2:
        result = n
    else:
        result = fibonacci(n - 1) + fibonacci(n - 2)
    memo[n] = result
    return result


def ternary_in_lambda(xs):
    key = lambda x, sign=-1: sign * x if x > 1 else x  # noqa: E731
    return sorted(xs, key=key), [(lambda: a + b)() for a, b in zip(xs, xs) if a]


def long_chain(x):
    if x == 0: return "a"
    elif x == 1: return "b"
    elif x == 2: y = "c"
    elif x == 3: y = "d"
    elif x == 4: raise ValueError(x)
    else:
        y = "e"
        while x > 5:
            x -= 1
            if x == 7: return y
    return y + str(x)


def many_early_returns(x):
    if x == 0: return 0
    if x == 1: return 1
    if x == 2: return 2
    if x == 3: return 3
    if x == 4: return 4
    if x == 5: return 5
    if x == 6: return 6
    if x == 7: return 7
    if x == 8: return 8
    if x == 9: return 9
    if x == 10: return 10
    if x == 11: return 11
    if x == 12: return 12
    if x == 13: return 13
    if x == 14: return 14
    if x == 15: return 15
    if x == 16: return 16
    return "many"


def stops_iterator(n):
    it = iter(range(n))
    for x in it:
        if x == 1:
            break
    return list(it)


class Numbered:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return iter([note(i) for i in range(self.n)])

    def __getitem__(self, key):
        raise KeyError(key)


def stars(n):
    values = Numbered(n)
    try:
        first, *rest, last = values
        (a, *b), *c = [values, *values]
        rows = {}
        rows["first"], *rows[note("rest")] = values
        *rest, = rest
        note("listed")
        return first, rest, last, a, b, c, rows, [*values, *"ab"], (*values, 1), {*values}, max(*values, *b)
    except Exception as error:
        return type(error).__name__, str(error)


def star_of_a_number(x):
    first, *rest = x


CASES = [
    *((early_returns, x) for x in (-1, 0, 2, 4, 12)),
    *((falls_off, x) for x in (0, 1)),
    *((bare_returns, xs, []) for xs in ([], [1, None, 2], [1, 2])),
    *((loops_with_else, rows) for rows in ([[1, 0, 2], [3]], [[1, -1], [2]], [[1, 2, 3, -4], [5]], [])),
    *((while_with_else, n) for n in (0, 5, 20)),
    *((while_true, n) for n in (6, 27)),
    *((chained, *abc) for abc in ((1, 2, 3), (2, 1, 3), (1, 1, 1), (None, 1, 2))),
    *((lazy_logic, a, b) for a in (0, 1) for b in (0, 1)),
    *((asked_once, a, b, c) for a in (False, True) for b in (False, True) for c in (False, True)),
    (unpacking, (1, 2), ((3, (4, 5, 6)), 7)),
    *((attributes, c) for c in (0, 1)),
    (order_of_stores,),
    (slices, [1, 2, 3, 4]),
    (keywords, 1, 2),
    (formatted, "x", 2.5),
    (recursion, 7),
    (fibonacci, 15),
    (ternary_in_lambda, [3, 1, 2]),
    *((long_chain, x) for x in range(10)),
    *((many_early_returns, x) for x in range(19)),
    *((stops_iterator, n) for n in (1, 4)),
    *((stars, n) for n in range(4)),
    (star_of_a_number, 5),
]
