"""Displays and repetitions of lists are one call, a condition is asked once, what is read for its check alone is read once, and a loop that a flag leaves
has one condition."""
import lantern as lt


@lt.export
def table(n: int, i: int, j: int):
    rows = [[False, True] for _ in range(n)]
    rows[i][j] = True
    return rows, [n, 0], [0.5] * n


@lt.export
def bubbles(values: "list[float]", most: int):
    a = lt.stack(values).copy()
    for _ in range(most):
        changed = False
        for i in range(1, len(a)):
            if a[i - 1] > a[i]:
                a[i] += a[i - 1]
                changed = True
        if not changed:
            break
        a[0] += 1.0
    return a


def step(x: float) -> float:
    return x * x if x > 0.5 else x


def settled(x: float, limits: "list[float]") -> float:
    for limit in limits:
        x = step(x)
        if x > limit:
            break
    return x


@lt.export
def slope(x: float, limits: "list[float]"):
    return lt.grad(settled, wrt="x")(x, limits)


@lt.export
def ranked(scores: "list[float]", names: "list[str]"):
    return sorted(zip(scores, names))


@lt.export
def windows(xs: "list[float]", most: float) -> int:
    total, count = 0.0, 0
    for x in xs:
        total += x
        if total > most:
            print(total)
            total = 0.0
            count += 1
    return count


@lt.export
def row_of(board: "list[int]", a: int) -> int:
    if board[a] != 0 and board[a] == board[a + 1] and board[a + 1] == board[a + 2]:
        return board[a]
    return 0
