"""`match`, in plain Python: converted, each function gives what it gave before, or raises what it raised (CASES)."""
from plain_log import note


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


class Keeper:
    def private(self, value):
        match value:
            case [__first, *__rest] if __first:
                return __first, __rest
            case {"k": __k, **__others}:
                return __k, __others
            case __other:
                return __other


def private_names(value):
    return Keeper().private(value)


def captures_what_it_reads(value):
    class node:
        kind = 3

    match value:
        case [node.kind, node]:
            return node
        case [kind, node] if kind == node.kind:
            return kind
    return node.kind


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


class Spot:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self._x, self.y = x, y

    @property
    def x(self):
        return note("x", self._x)


class Wrong:
    __match_args__ = ["x"]
    x = 1


def made(value):
    """A value whose `Spot`s and `Wrong`s are described by tuples, so that they are of this module."""
    if isinstance(value, tuple) and value[:1] in (("Spot",), ("Wrong",)):
        return globals()[value[0]](*map(made, value[1:]))
    return value


def every_kind(value):
    value = made(value)
    match note(type(value).__name__, value):
        case Spot(0, y) | Spot(y, 0) if note("guard", y) != 7:
            return "axis", y
        case Spot(x=Spot(a, b), y=[c, *d]):
            return a, b, c, d
        case Spot():
            return "spot"
        case {"k": [1, x], "j": _, **rest}:
            return "mapping", x, rest
        case {"k": None | True as x}:
            return "single", x
        case [] | () | [[]]:
            return "empty"
        case [int() | float() as x, *_, str(y)] if x or y:
            return "ends", x, y
        case ("a" | "b") as letter:
            return "letter", letter
        case [*both]:
            return "sequence", both
        case 1.5 | -2 | 3j:
            return "number"
        case float(z) | int(z):
            return "other number", z
    return "none"


def wrong_classes(value):
    value = made(value)
    try:
        match value:
            case Wrong(1):
                return "wrong"
            case int(1, 2):
                return "two"
            case value.missing:
                return "missing"
    except (TypeError, AttributeError) as error:
        return type(error).__name__, str(error)


FOUND = 0


def bound_elsewhere(value):
    count = 0

    def inner():
        nonlocal count
        global FOUND
        match value:
            case [count, FOUND] if FOUND > 1:
                return "guarded"
            case [count, 5 as five]:
                return five
            case _:
                return "neither"
    return inner(), count, FOUND


def bound_though_the_guard_fails(value):
    match value:
        case [x, y] if x > y:
            pass
        case [z, 1]:
            pass
    try:
        return x, z
    except UnboundLocalError as error:
        return str(error)


def in_a_try(values):
    out = []
    for value in values:
        try:
            match value:
                case [x] if 1 / x > 0.4:
                    out.append(x)
                case [0]:
                    break
                case {"stop": True}:
                    continue
                case _ if out:
                    return out
        except ZeroDivisionError:
            out.append("zero")
        finally:
            out.append("end")
    else:
        out.append("through")
    return out


def of_lists(x, y):
    match [x]:
        case [1]:
            result = 1
        case _:
            result = 2
    match [x, y] :   # a comment
        case [_, z]:
            result += z
    match [*(x, y), [
            x]]:
        case [_, _, [z]]:
            result *= z
    match [i for i in (x, y)]:
        case [1, _]:
            result += 100
    match[x][0]:
        case 1:
            result += 1000
    match [x], y:
        case [[z], w]:
            result += z * w
    match = {}
    match [x] = y
    return result, match [x], match


CASES = [
    *((matching, v) for v in ([1, 2], [0, 2], [2, 1], {"k": 1, "j": 2}, "abxc", "abc", 5)),
    *((private_names, v) for v in ([1, 2], [0], {'k': 1, 'l': 2}, 7)),
    *((captures_what_it_reads, v) for v in ([3, 4], [1, 3], 5)),
    *((matching_values, v) for v in (0, True, 1.0, -2, None, "t", 11, 3, 4, 9)),
    *((matching_in_a_loop, xs) for xs in ([0, 1, 2, 5], [1, 0], [5], [])),
    *((every_kind, v) for v in (("Spot", 0, 3), ("Spot", 3, 0), ("Spot", 7, 0), ("Spot", ("Spot", 1, 2), [3, 4]), ("Spot", 1, 2), {"k": [1, 2], "j": 3, "i": 4}, {"k": None}, {"k": 1},
                                [], (), [[]], [1, 2, "z"], [0, ""], "b", "c", b"ab", range(3), [1], 1.5, -2, 3j, 4, True, 2.5, None)),
    *((wrong_classes, v) for v in (("Wrong",), 3, "x")),
    *((bound_elsewhere, v) for v in ([1, 2], [1, 0], [1, 5], [2, 1], 3)),
    *((bound_though_the_guard_fails, v) for v in ([2, 1], [1, 2], [0, 1], 3)),
    *((in_a_try, vs) for vs in ([], [[1], [2]], [[0], [5]], [[3], {"stop": True}, [1], 4], [[1], [0], [1]])),
    *((of_lists, x, y) for x, y in ((1, 2), (3, 4))),
]
