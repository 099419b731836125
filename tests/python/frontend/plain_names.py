"""Names: closures, `nonlocal`, `global`, `del`, variables without a value, in plain Python: converted, each function gives what it gave before, or raises what it raised (CASES)."""
from plain_log import note


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


class Keeper:
    def private(self, __v):
        def keywords(**named):
            return named

        return keywords(__k=__v)


def private_names(v):
    return Keeper().private(v)


def names_of_one_normal_form(c):
    class Part:
        def ﬁt(self, µ=1):
            return µ

    part = Part()
    part.µ = 2  # the sign for a millionth, and the Greek letter: one name
    µ = 3
    if c:
        μ = part.fit(µ=part.μ)
    return µ, vars(part), part.fit(μ=5)


def unbound_in_a_class(c):
    try:
        class Local:
            read = (lambda: late)() if c else late
    except NameError as error:
        result = type(error), str(error)
    late = 1
    return result


def unbound_base_and_decorator(c):
    found = []
    for kind in range(2):
        try:
            if kind:
                class Local(late):
                    pass
            else:
                @late
                def local():
                    pass
        except UnboundLocalError as error:
            found.append(str(error))
    if c:
        late = 1
    return found


def stores_to_globals(c):
    global TOTAL, made
    if (TOTAL := c + 1) > 1:
        def made():
            return 5
    else:
        class made:
            pass
    return (TOTAL := TOTAL + made().__class__.__name__.count("int"))


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


def loop_variable_after(xs):
    for x in xs:
        pass
    return x


def frame_of_its_own(a):
    b = a
    return sorted(locals())


CASES = [
    *((f, c) for f in (maybe_undefined, undefined_in_branch, names_of_one_normal_form, unbound_in_a_class, unbound_base_and_decorator, stores_to_globals, deleted, uses_global, annotated, unreachable, unreachable_local, nested_classes, imports, dead_stores,) for c in (True, False)),
    *((deleted_twice, xs) for xs in ([], [1], [1, 2])),
    *((closures_over_loop, n) for n in (0, 4)),
    *((f, c) for f in (closure_of_a_branch, nonlocal_in_a_branch) for c in (0, 1)),
    *((counter, n) for n in (0, 1, 3)),
    *((names_of_ours, n) for n in (1, 5)),
    (builtins_shadowed, 0, 2),
    *((loop_variable_after, xs) for xs in ([], [1, 2])),
    (frame_of_its_own, 1),
    (private_names, 1),
]
