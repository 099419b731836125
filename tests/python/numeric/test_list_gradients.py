"""Gradients through lists: whatever is put in, read, replaced, taken out, passed on."""
import numpy as np
import pytest

import lantern as lt
from gradients import check


def appended(x: float):
    xs = [x]
    xs.append(x * x)
    xs.append(3.0)
    return xs[0] * xs[1] * xs[2] + xs[-1]


def grown_in_a_loop(x: float, n: int):
    xs = [x]
    for i in range(n):
        xs.append(xs[i] * x + i)
    s = 0.0
    for v in xs:
        s = s + v * v
    return s


def written(x: float, n: int):
    xs = [0.0 for _ in range(n)]
    for i in range(n):
        xs[i] = x * (i + 1)
    for i in range(1, n):
        xs[i] = xs[i] * xs[i - 1]
    return xs[n - 1] + xs[0]


def popped(x: float, n: int):
    xs = [1.0]
    for i in range(n):
        xs.append(x * i)
    s = 1.0
    while len(xs) > 2:
        s = s * 0.5 + xs.pop() * s
    return s + xs[0]


def removed_and_inserted(x: float, n: int):
    xs = [x * i for i in range(n)]
    xs.insert(2, x * x)
    xs.insert(-1, x * x * x)
    xs.insert(100, 7.0 * x)
    a = xs.pop(0)
    b = xs.pop(-2)
    s = a * 3.0 + b * 5.0
    for i in range(len(xs)):
        s = s + xs[i] * xs[i] * (i + 1)
    return s


def comprehension(x: float, n: int):
    return sum([x ** i for i in range(n) if i % 3 != 1])


def sliced(x: float, n: int):
    xs = [x * i * i for i in range(n)]
    ys = xs[1:n - 1]
    zs = xs[::-2]
    s = 0.0
    for i in range(len(ys)):
        s = s + ys[i] * (i + 1)
    for i in range(len(zs)):
        s = s * 0.9 + zs[i] * zs[i]
    return s


def joined(x: float, n: int):
    xs = [x * i for i in range(n)]
    ys = [x * x + i for i in range(n + 1)]
    zs = xs + ys + xs
    s = 1.0
    for z in zs:
        s = s + z * s * 0.01
    return s


def one_of_two(x: float, n: int):
    xs = [x]
    for i in range(n):
        if i % 2 == 0:
            xs.append(xs[-1] * x)
        else:
            xs[0] = xs[0] + x
    return xs[0] * xs[-1]


def early(x: float, n: int):
    xs = [x]
    for i in range(n):
        xs.append(xs[-1] * xs[0])
        if xs[-1] > 5.0:
            return xs[-2] * 2.0
    return sum(xs)


def table(x: float, n: int):
    rows = [[x * (i + j) for j in range(n)] for i in range(n)]
    for i in range(1, n):
        for j in range(1, n):
            rows[i][j] = rows[i - 1][j] * 0.5 + rows[i][j - 1] * x
    return rows[n - 1][n - 1] + rows[0][1]


def rows_of_many_lengths(x: float, n: int):
    rows = []
    for i in range(n):
        row = [x]
        for j in range(i):
            row.append(row[-1] * x + j)
        rows.append(row)
    s = 0.0
    for row in rows:
        for v in row:
            s = s + v * v
    return s


def changed_by_a_recursion(x: float, n: int):
    def collect(xs, k):
        if k > 0:
            collect(xs, k - 1)
            xs.append(x * k)
            collect(xs, k - 2)
    xs = [x]
    collect(xs, n)
    s = 1.0
    for v in xs:
        s = s * 0.9 + v * v
    return s


def made_by_recursion(x: float, n: int):
    def squares(k):
        if k == 0:
            return [x]
        xs = squares(k - 1)
        xs.append(xs[-1] * x + k)
        return xs
    xs = squares(n)
    return xs[0] + xs[-1] * xs[n // 2]


def calls_in_a_loop(x: float, n: int):
    def power(v, k):
        if k == 0:
            return v
        return power(v * x, k - 1)
    xs = []
    for i in range(n):
        xs.append(power(x, i % 3))
    s = 0.0
    for v in xs:
        s = s + power(v, 1)
    return s


def constants_among(x: float, n: int):
    xs = [1.0, 2.0, 3.0]
    s = 0.0
    for i in range(n):
        xs[i % 3] = xs[(i + 1) % 3] * x
        s = s + xs[0]
    return s


def by_builtins(x: float, n: int):
    xs = [x * ((i * 7) % 5) for i in range(n)]
    s = 0.0
    for i, v in enumerate(sorted(xs)):
        s = s + v * v * i
    for a, b in zip(xs, reversed(xs)):
        s = s + a * b * b
    return s + max(xs) * min(xs)


def of_tuples(x: float, n: int):
    pairs = []
    for i in range(n):
        pairs.append((x * i, i))
    s = 0.0
    for a, i in pairs:
        s = s + a * a * i
    return s + pairs[1][0]


def by_methods(x: float, n: int):
    xs = [x, x * 2.0]
    ys = xs.copy()
    ys.append(x * x)
    xs.extend(ys)
    xs.reverse()
    ys.clear()
    return xs[0] * xs[1] + sum(ys) + xs[n % len(xs)] + (xs * 2)[5]


ALL = [(appended,), (grown_in_a_loop, 5), (grown_in_a_loop, 0), (grown_in_a_loop, 20), (written, 6), (popped, 7), (removed_and_inserted, 6), (comprehension, 7),
       (sliced, 8), (joined, 4), (one_of_two, 6), (early, 9), (early, 1), (table, 4), (rows_of_many_lengths, 5), (changed_by_a_recursion, 4), (changed_by_a_recursion, 0), (made_by_recursion, 6),
       (calls_in_a_loop, 6), (constants_among, 7),
       (by_builtins, 5), (of_tuples, 4), (by_methods, 3)]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("f, n", [(case[0], case[1:]) for case in ALL], ids=lambda x: getattr(x, "__name__", "-".join(map(str, x)) if isinstance(x, tuple) else x))
def test_a_list_made_of_what_a_gradient_is_asked_of(f, n):
    check(f, 1.1, *n)


def weighted(xs: list[float], w: float):
    s = 0.0
    for i in range(len(xs)):
        s = s + xs[i] * xs[i] * (i + 1) * w
    return s


def twice_over(xs: list[float], w: float):
    ys = [x * w for x in xs]
    ys.append(xs[0])
    total = 0.0
    for x in xs:
        for y in ys:
            total = total + x * y
    return total


def product(xs: list[float], w: float):
    def of(i):
        if i == len(xs):
            return 1.0
        return xs[i] * of(i + 1)
    return of(0) * w


def square_of(x, scale=None):
    if x < 0:
        return None
    return x * x if scale is None else x * x * scale


def accumulated(xs, i, total=None):
    if i == len(xs):
        return total
    if xs[i] < 0:
        return accumulated(xs, i + 1, total)
    return accumulated(xs, i + 1, xs[i] if total is None else total * xs[i] + 1.0)


def perhaps_none(xs: list[float], w: float):
    best = previous = pair = row = scale = None
    steps = 0.0
    for v in xs:
        if best is None or v * w > best:
            best = v * w
        if previous is not None:
            steps += (v - previous) ** 2
        previous = v if v > 0 else None
        if pair is None or v < pair[0]:
            pair = (v, steps)
        row = v * np.array([1.0, w]) if row is None else row * v
        square = square_of(v, scale)
        if square is None:
            scale = w
        else:
            steps += square
    total = accumulated(xs, 0)
    return best * steps + pair[0] * pair[1] + np.sum(row) + (total or w) * (scale or 2.0)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("f", [weighted, twice_over, product, perhaps_none], ids=lambda f: f.__name__)
def test_a_gradient_with_respect_to_a_list_is_a_list(f):
    check(f, [1.5, -0.5, 2.0, 0.25], 0.7)
    check(f, [1.5, -0.5, 2.0, 0.25], 0.7, wrt="w")


def of_rows(rows: list[list[float]]):
    s = 0.0
    for row in rows:
        p = 1.0
        for v in row:
            p = p * v
        s = s + p * p
    return s


def test_a_gradient_with_respect_to_a_list_of_lists():
    check(of_rows, [[1.0, 2.0], [0.5], [], [0.3, -0.2, 4.0]])


def rnn(w: lt.Tensor[float, 3, 3], xs: list[lt.Tensor[float, 3]]):
    h = xs[0]
    hs = []
    for x in xs:
        h = lt.tanh(w @ h + x)
        hs.append(h)
    return lt.sum(lt.stack(hs) * lt.stack(xs)) + lt.sum(hs[-1])


def arrays_at_places(w: lt.Tensor[float, 3], n: int):
    xs = [w * i for i in range(n)]
    xs[1] = xs[2] * w
    last = xs.pop()
    xs.insert(1, last * xs[0] + w)
    s = lt.sum(xs[0] * 2.0)
    for x in xs:
        s = s + lt.sum(x * x)
    return s


@pytest.mark.parametrize("length", [1, 4])
def test_a_list_of_arrays(length):
    draw = np.random.default_rng(3)
    w, xs = draw.normal(size=(3, 3)), [draw.normal(size=3) for _ in range(length)]
    check(rnn, w, xs)
    check(rnn, w, xs, wrt="xs")


def test_arrays_at_places():
    check(arrays_at_places, np.array([0.5, -1.0, 2.0]), 5)


def test_appending_costs_the_same_whatever_the_length():
    gradient_of = lt.value_and_grad(lt.function(grown_in_a_loop))
    x, n = 0.5, 30_000      # with a list of adjoints for each turn this would be gigabytes
    value, gradient = gradient_of(x, n)
    y, dy = [x], [1.0]
    for i in range(n):
        y.append(y[i] * x + i)
        dy.append(dy[i] * x + y[i])
    assert value == pytest.approx(sum(v * v for v in y), rel=1e-12)
    assert gradient == pytest.approx(sum(2 * v * d for v, d in zip(y, dy)), rel=1e-12)
