"""Numbers, strings and arrays that are None on some path: what is known of them where, and what Python raises of None."""
import math

import numpy as np

import lantern as lt
from programs import runs, stops


@runs(([1.0, 3.0],), ([],), ([-2.0, 0.0, -1.0],))
def the_largest(xs: list[float]):
    best = None
    for v in xs:
        if best is None or v > best:
            best = v
    return -1.0 if best is None else best


@runs(([1.0, 3.0], 1), ([], 1), ([0.0], -1))
def truth_and_equality(xs: list[float], n: int):
    best = number = None
    for v in xs:
        best = v
    if n > 0:
        number = 3
    answers = best == None, best == 3.0, best != 3.0, None != best, best == best, best == number  # noqa: E711
    more = best in (1.0, None), best in xs, best not in xs, bool(best), not best, isinstance(best, float), isinstance(best, type(None))
    return answers, more, (2.0 if best else 1.0), (best or 0.5) * 2.0, best and 5.0


@runs(([1.0, 3.0],), ([],))
def text_of_it(xs: list[float]):
    last = word = None
    for v in xs:
        last, word = v, "big" if v > 2 else "small"
    print(last, word, f"{last}", f"<{word!r}>")
    return str(last) + ("none" if word is None else word + "!")


@runs(([1.0, 3.0], 1), ([], 1), ([1.0], -1), ([], -1))
def arithmetic_of_two(xs: list[float], n: int):
    a = b = None
    for v in xs:
        a = v
    if n > 0:
        b = 3
    return a + b


@runs(([1.0, 3.0], 1), ([], 1), ([1.0], -1), ([], -1))
def comparison_of_two(xs: list[float], n: int):
    a = b = None
    for v in xs:
        a = v
    if n > 0:
        b = 3
    return a < b


@runs((0, [1.0]), (13, [1.5]), *((which, []) for which in range(15)))
def what_python_raises(which: lt.static[int], xs: list[float]):
    x = i = None
    for v in xs:
        x, i = v, 0
    if which == 0:
        return -x
    if which == 1:
        x += 1.0
        return x
    if which == 2:
        return f"{x:.2f}"
    if which == 3:
        return 1.0 < x < 4
    if which == 4:
        return float(x)
    if which == 5:
        return int(x)
    if which == 6:
        return math.sqrt(x)
    if which == 7:
        return np.sqrt(x)
    if which == 8:
        return max(x, 2.0)
    if which == 9:
        return abs(x)
    if which == 10:
        return xs[i]
    if which == 11:
        return round(x)
    if which == 12:
        return x.real
    if which == 13:
        return x * x + x
    total = 0
    for k in range(i):
        total += k
    return total


@runs(([1.0, 3.0],), ([],), ([1.0],))
def a_number_becomes_none(xs: list[float]):
    a = 1.0
    for v in xs:
        if v > 2:
            a = None
        else:
            a = 2.0
    return 0.0 if a is None else a


@runs(([1.0, 3.0],), ([],))
def in_tuples_lists_and_dicts(xs: list[float]):
    p, d, last = (None, 0), {"best": None, "n": 0}, None
    for i, v in enumerate(xs):
        if p[0] is None or v > p[0]:
            p = (v, i)
        if d["best"] is None or v > d["best"]:
            d["best"] = v
        d["n"] += 1
        last = v
    a, b = p
    values = [last, 1]
    return (a + b if a is not None else -1.0), (d["best"] or 0.0) + d["n"], 0.0 if values[0] is None else values[0]


@runs(([1.0, 3.0],), ([],), ([1.0],))
def left_by_break(xs: list[float]):
    found = None
    for v in xs:
        if v > 2:
            found = v
            break
    if found is not None and found > 5:
        return found
    return found * 2 if found is not None else 7.0


@runs(([1.0, 3.0],), ([],), ([1.0],))
def conditions_of_while(xs: list[float]):
    found, other, i, n = None, None, 0, 0
    while found is None and i < len(xs):
        if xs[i] > 2:
            found = i
        i += 1
    while other is None:
        n += 1
        if n > 3:
            other = n * 1.5
    return (-1 if found is None else found), other * 2


@runs(([1.0, 3.0, -2.0],), ([],))
def two_at_once(xs: list[float]):
    lo = hi = previous = None
    steps = 0.0
    for v in xs:
        if lo is None:
            lo = hi = v
        else:
            if v < lo:
                lo = v
            if v > hi:
                hi = v
        if previous is not None:
            steps += (v - previous) ** 2
        previous = v
    return (0.0 if lo is None or hi is None else hi - lo), steps


def scaled(x, scale=None):
    if scale is None:
        scale = 2.0
    return x * scale


def positive_square(x):
    if x > 0:
        return x * x


def first_above(xs, least):
    for v in xs:
        if v > least:
            return v
    return None


@runs(([1.0, 3.0], 1), ([], 0), ([-1.0], 1))
def parameters_and_results(xs: list[float], n: int):
    scale = None
    if n > 0:
        scale = 5.0
    total = scaled(1.0) + scaled(2.0, 3.0) + scaled(3.0, scale)
    for v in xs:
        square = positive_square(v)
        if square is not None:
            total += scaled(square, scale)
    found = first_above(xs, 2.0)
    return total, first_above(xs, 0.5) or 4.0, found, (found, [found, n])


@runs(([1.0, 3.0],), ([-1.0],))
def a_result_is_not_there(xs: list[float]):
    total = 0.0
    for v in xs:
        total += positive_square(v)
    return total


def odd_sum(n, total=None):
    if n <= 0:
        return total
    if n % 2 == 0:
        return odd_sum(n - 1, total)
    return odd_sum(n - 1, n if total is None else total + n)


def halved(n):
    if n < 0:
        return None
    if n == 0:
        return 1.0
    result = halved(n - 2)
    if result is None:
        return None
    return result * 2


@runs((7,), (6,), (0,), (-1,))
def recursions(n: int):
    total, result = odd_sum(n), halved(n)
    return (-1 if total is None else total), 0.0 if result is None else result


class Tracker:
    def __init__(self):
        self.best = None

    def add(self, v):
        if self.best is None or v > self.best:
            self.best = v


@runs(([1.0, 3.0],), ([],))
def attributes_and_closures(xs: list[float]):
    tracker, best = Tracker(), None

    def add(v):
        nonlocal best
        tracker.add(v)
        if best is None or v > best:
            best = v
    for v in xs:
        add(v)
    shifted = lambda t: t if best is None else t + best  # noqa: E731
    return tracker.best, shifted(1.0) + sum([shifted(v) for v in xs], 0.0)


@runs(([1.0, 3.0],), ([],))
def raise_and_assert(xs: list[float]):
    last = None
    for v in xs:
        last = v
    if last is None:
        raise ValueError("empty")
    assert last is not None
    return last + 1


@runs((1, 1.0), (0, 1.0), (7, -1.0))
def conditional_expressions(n: int, x: float):
    a = n if n > 0 else None
    b = None if a is None else a * 2
    c = (a or None) if x > 0 else None
    return 0 if b is None else b + a, c, (a if n > 3 else 1) or 9


@runs((1,), (0,), (7,))
def match_statements(n: int):
    y = None
    if n > 0:
        y = n
    match y:
        case None:
            a = -1
        case 1:
            a = 10
        case _:
            a = y
    match y:
        case int(z):
            return a + z
        case _:
            return a


V = np.array([1.0, 2.0])


@runs(([1.0, 3.0], V), ([], V), ([4.0], V))
def arrays(xs: list[float], v: lt.Tensor[lt.f64, None]):
    total = best = score = kept = None
    for x in xs:
        total = x * v if total is None else total + x * v
        if score is None or x > score:
            score, best = x, v * x
        if kept is None:
            kept = np.zeros(2)
        kept += x * v
        kept[0] = x
    first = 0.0
    for x in (v if best is None else best):
        first += x
    return (v if total is None else total), first, (v if kept is None else kept.copy()), best


@runs(([1.0, 3.0], V), ([], V))
def an_item_is_set(xs: list[float], v: lt.Tensor[lt.f64, None]):
    r = None
    for x in xs:
        r = v * x
    r[0] = 5.0
    return r


@stops("LT0317", "'w' may share memory", at=([1.0], V))
def an_array_has_two_names(xs: list[float], v: lt.Tensor[lt.f64, None]):
    w = v * 2
    b = None
    if len(xs) > 0:
        b = w
    if b is not None:
        b[0] = 7.0
    return w[0]  # error


@runs(([],), ([1.0],), ([1.0, 2.0],))
def a_list_holds_none(xs: list[float]):
    values, last = [], None
    for v in xs:
        values.append(last)
        last = v
    return len(values), [-1.0 if v is None else v for v in values]


@runs(([1.0],), ([2.0, 3.0],))
def none_under_try(xs: list[float]):
    last = None
    for v in xs:
        last = v
    try:
        return last + 1.0
    except TypeError:
        return 0.0


@stops("LT0306", "'y' is list[float] on one path of the if statement and float on another", "one type on every path", at=(1.0,))
def none_or_number_or_list(x):
    y = None
    if x > 1:
        y = x
    if x > 2:  # error
        y = [x]
    return y


@runs(([1.0, 3.0], 1), ([], 0))
def found_by_pythons_functions(xs: list[float], n: int):
    first, largest = next((v for v in xs if v > 2), None), max(xs, default=None)
    given = [v for v in (first, largest, n if n > 0 else None) if v is not None]
    return first, 0.0 if largest is None else largest, len(given), str((largest, 1)), "%s, %d" % (largest, n)


def roots(a, b, c):
    d = b * b - 4 * a * c
    if d < 0:
        return None
    return (-b - d ** 0.5) / (2 * a), (-b + d ** 0.5) / (2 * a)


@runs(([1.0, 3.0],), ([],), ([-1.0],))
def tuples(xs: list[float]):
    best = None
    for i, v in enumerate(xs):
        if best is None or (v, i) > best:
            best = v, i
    v, i = best
    pair = roots(1.0, 0.0, -v)
    if pair is not None:
        low, high = pair
        v += high - low
    return v + i, pair, len(best), best == (3.0, 1)


@lt.struct
class Node:
    value: float
    next: "Node | None"


def best_of(node, best=None):
    if node is None:
        return best
    if best is None or node.value > best[0]:
        best = node.value, node
    return best_of(node.next, best)


@runs(([1.0, 3.0, 2.0],), ([],))
def structures_in_tuples(xs: list[float]):
    node = found = None
    for v in xs:
        node = Node(v, node)
        if found is None or v < found[0]:
            found = v, node
    best = best_of(node)
    return 0.0 if found is None else found[1].value, 0.0 if best is None else best[0] * best[1].value


@runs((1.0, 2), (0.0, 5), (3.0, 7))
def any_and_all_of_elements_that_may_be_none(x, n):
    a = x if n > 3 else None
    return any([a, n > 5]), all([a, True]), all((1.0, a)), any([a, None])


@runs((1.0, 2), (3.0, 7), (1.0, 5))
def the_largest_of_elements_that_may_be_none(x, n):
    a = x if n > 3 else None
    return max([a, 2.0]), min((2.0, a))
