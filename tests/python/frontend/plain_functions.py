"""Functions full of control flow, in plain Python: converted, each gives what it gave before, or raises what it raised.

CASES lists (function, arguments…); the functions log what they do, so that evaluation order counts too.
"""

LOG = []


def note(value, *more):
    LOG.append(value)
    return more[0] if more else value


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


def maybe_undefined(c):
    if c:
        x = 1
    return x


def undefined_in_branch(c):
    if c:
        print(y)
    y = 1
    return y


def deleted(c):
    x = 1
    if c:
        del x
    try:
        return x
    except UnboundLocalError as error:
        return str(error)


def deleted_twice(xs):
    for i in xs:
        k = i
        if i == 2:
            del k
            del k
    return k


def handler_name(c):
    try:
        if c:
            raise ValueError("v")
    except ValueError as e:
        message = str(e)
    else:
        message = "none"
    try:
        e
    except NameError as missing:
        return message, type(missing).__name__
    return message


def try_finally(c):
    out = []
    for i in range(4):
        try:
            out.append(i)
            if i == c:
                return out
            if i == 2:
                continue
        finally:
            out.append("finally")
    return out


def try_else_return(c):
    try:
        if c == 1:
            return "body"
        if c == 2:
            raise KeyError(c)
    except KeyError:
        if c:
            return "handler"
    else:
        if c == 0:
            return "else"
    finally:
        note("finally")
    return "end"


def nested_try(c):
    try:
        try:
            if c:
                raise ValueError(c)
            y = "fine"
        except KeyError:
            y = "key"
    except ValueError as error:
        y = f"value {error}"
    return y


class Manager:
    def __init__(self, name, swallows=False):
        self.name, self.swallows = name, swallows

    def __enter__(self):
        note(f"enter {self.name}")
        return self

    def __exit__(self, kind, value, trace):
        note(f"exit {self.name} {kind.__name__ if kind else None}")
        return self.swallows


def with_return(c):
    with Manager("a") as a, Manager("b", True):
        if c == 1:
            return a.name
        if c == 2:
            raise ValueError
        x = "end"
    return x if c == 0 else "swallowed"


def closures_over_loop(n):
    makers = []
    for i in range(n):
        if i % 2:
            makers.append(lambda: i)
        square = i * i

        def inner():
            return square + i

        makers.append(inner)
    return [f() for f in makers]


def closure_of_a_branch(c):
    functions = []
    if c:
        x = 1
        functions.append(lambda: x)
    x = 2
    return [f() for f in functions], x


def nonlocal_in_a_branch(c):
    k = 1

    def change():
        nonlocal k
        k += 10
        return k

    def twice():
        return change() + change()

    if c:
        change()
    elif k:
        twice()
    before = k
    while k < 50:
        twice()
    k = k if c else 0
    return before, k, change()


def counter(start):
    count = start

    def step(by=1):
        nonlocal count
        if by > 0:
            count += by
        else:
            count = start
        return count

    step()
    if count > 1:
        step(5)
    return count, step(0), count


TOTAL = 0


def uses_global(c):
    if c:
        global TOTAL
        TOTAL = TOTAL + c
    return TOTAL


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


def chained(a, b, c):
    return note(a) < note(b) < note(c), a == b == c, a is None is not b, a in (b, c) and b not in (c,)


def lazy_logic(a, b):
    return note(a) and note(b) or note("c"), not note(a), (note(1) if a else note(2))


def walrus(xs):
    out = []
    while (n := len(xs)) and (last := xs.pop()) is not None:
        out.append((n, last))
    if (m := len(out)) > 1:
        out.append(m)
    return out, n, [y := v for v in (1, 2)], y


def unpacking(pair, deep):
    a, b = pair
    (c, [d, *e]), f = deep
    g = h = note([a, b])
    first, *rest = pair
    return a, b, c, d, e, f, g is h, first, rest


def unpack_errors(value):
    try:
        a, b = value
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return a, b


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


def asserts(x):
    assert x > 0, f"x is {note(x)}"
    assert x
    return x


def raises(c):
    if c == 1:
        raise ValueError("one")
    if c == 2:
        raise KeyError from None
    try:
        [][0]
    except IndexError as error:
        if c == 3:
            raise
        if c == 4:
            raise RuntimeError("from") from error
    return "none"


def annotated(c):
    x: int
    y: "not evaluated" + nonsense = 3  # noqa: F821
    if c:
        x: int = 5
    else:
        x = y
    return x


def unreachable(c):
    return 1
    never = c  # noqa: F841


def unreachable_local(c):
    if c:
        return 1
        secret = 2
    return secret


def matching(value):
    match value:
        case [a, b] if a < b:
            if a:
                return a, b
            result = "zero"
        case {"k": v, **rest}:
            result = v, rest
        case str() as s:
            for letter in s:
                if letter == "x":
                    break
            result = letter
        case _:
            return "other"
    return result


def matching_values(value):
    log = []
    match note(value):
        case 0 | 1:
            log.append("small")
        case -2:
            return "minus two"
        case None | True | "t":
            for letter in "ab":
                if letter == "b":
                    break
            log.append(letter)
        case str as kind if kind > 10:
            log.append(kind)
        case float.real:
            log.append("never")
        case 3 | 4 as some:
            log.append(some)
        case other:
            log.append(("other", other))
            try:
                return log, some
            except UnboundLocalError as error:
                return log, str(error)
    return log


def matching_in_a_loop(xs):
    for x in xs:
        match x:
            case 0:
                continue
            case 5:
                break
            case k if k % 2:
                odd = k
            case _:
                even = x
    else:
        return "through"
    return odd, even


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


def raises_from(c):
    try:
        try:
            raise KeyError("k")
        except KeyError as error:
            if c == 1:
                raise ValueError("v") from error
            if c == 2:
                raise ValueError from None
            if c == 3:
                raise
            raise note(TypeError)("t") from note(None)
    except (ValueError, KeyError, TypeError) as error:
        return type(error).__name__, repr(error.__cause__), repr(error.__context__), error.__suppress_context__


def raises_nothing(c):
    if c:
        raise
    return c


def nested_classes(c):
    x = "outer"
    if c:
        x = "changed"

    class Local:
        y = x
        x = "class"

        def see(self):
            if self:
                return x
            return self.x

    return Local.y, Local.x, Local().see()


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


def names_of_ours(n):
    if_body__ = get_state__ = ag__ = n
    element__ = break_ = 2
    for x in range(n):
        if x == break_:
            break
        if_body__ += element__
    else:
        return "else"
    return if_body__, get_state__, ag__


def builtins_shadowed(dict, slice):
    if dict:
        slice = note(k=1, value=2) if False else slice
    return [1, 2, 3][0:slice]


def imports(c):
    if c:
        import os.path as p
        from math import floor, sqrt as root
    else:
        import json
        return json.dumps(c)
    return p.basename("a/b"), floor(root(10))


def dead_stores(c):
    x = None
    if c:
        x = 1
    else:
        x = 2
    y = 0
    if c:
        y = x
    if not c:
        y = 5
        z = y
    return x, y


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


def loop_variable_after(xs):
    for x in xs:
        pass
    return x


def frame_of_its_own(a):
    b = a
    return sorted(locals())


CASES = [
    *((early_returns, x) for x in (-1, 0, 2, 4, 12)),
    *((falls_off, x) for x in (0, 1)),
    *((bare_returns, xs, []) for xs in ([], [1, None, 2], [1, 2])),
    *((loops_with_else, rows) for rows in ([[1, 0, 2], [3]], [[1, -1], [2]], [[1, 2, 3, -4], [5]], [])),
    *((while_with_else, n) for n in (0, 5, 20)),
    *((while_true, n) for n in (6, 27)),
    *((f, c) for f in (maybe_undefined, undefined_in_branch, deleted, handler_name, nested_try, uses_global, annotated,
                       unreachable, unreachable_local, nested_classes, imports, dead_stores) for c in (True, False)),
    *((deleted_twice, xs) for xs in ([], [1], [1, 2])),
    *((try_finally, c) for c in (1, 2, 9)),
    *((try_else_return, c) for c in (0, 1, 2, 3)),
    *((with_return, c) for c in (0, 1, 2)),
    *((closures_over_loop, n) for n in (0, 4)),
    *((f, c) for f in (closure_of_a_branch, nonlocal_in_a_branch) for c in (0, 1)),
    *((counter, n) for n in (0, 1, 3)),
    *((generator_expressions, [1, 0, 2], k) for k in (0, 1, 2)),
    (collects, 5),
    *((chained, *abc) for abc in ((1, 2, 3), (2, 1, 3), (1, 1, 1), (None, 1, 2))),
    *((lazy_logic, a, b) for a in (0, 1) for b in (0, 1)),
    *((walrus, list(xs)) for xs in ((), (1,), (1, None, 2), (1, 2, 3))),
    (unpacking, (1, 2), ((3, (4, 5, 6)), 7)),
    *((unpack_errors, v) for v in (1, (1,), (1, 2), (1, 2, 3), "ab")),
    *((attributes, c) for c in (0, 1)),
    (order_of_stores,),
    (slices, [1, 2, 3, 4]),
    (keywords, 1, 2),
    (formatted, "x", 2.5),
    *((asserts, x) for x in (1, -1)),
    *((raises, c) for c in range(5)),
    *((matching, v) for v in ([1, 2], [0, 2], [2, 1], {"k": 1, "j": 2}, "abxc", "abc", 5)),
    *((matching_values, v) for v in (0, True, 1.0, -2, None, "t", 11, 3, 4, 9)),
    *((matching_in_a_loop, xs) for xs in ([0, 1, 2, 5], [1, 0], [5], [])),
    *((delayed_walrus, a, b) for a in (0, 1, 4) for b in (0, 1, 2, 7)),
    *((raises_from, c) for c in range(4)),
    *((raises_nothing, c) for c in (0, 1)),
    (recursion, 7),
    (fibonacci, 15),
    *((names_of_ours, n) for n in (1, 5)),
    (builtins_shadowed, 0, 2),
    (ternary_in_lambda, [3, 1, 2]),
    *((long_chain, x) for x in range(10)),
    *((many_early_returns, x) for x in range(19)),
    *((stops_iterator, n) for n in (1, 4)),
    *((loop_variable_after, xs) for xs in ([], [1, 2])),
    (frame_of_its_own, 1),
]
