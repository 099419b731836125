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


CASES = [
    *((matching, v) for v in ([1, 2], [0, 2], [2, 1], {"k": 1, "j": 2}, "abxc", "abc", 5)),
    *((matching_values, v) for v in (0, True, 1.0, -2, None, "t", 11, 3, 4, 9)),
    *((matching_in_a_loop, xs) for xs in ([0, 1, 2, 5], [1, 0], [5], [])),
]
