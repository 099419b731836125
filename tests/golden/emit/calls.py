"""What a call gives is an operand of what is next, a flag returns at once, loops within each other stay loops, a training step assigns in place."""
import lantern as lt


@lt.struct
class Tree:
    left: "Tree | None"
    right: "Tree | None"
    value: float


@lt.export
def total(tree: "Tree | None") -> float:
    if tree is None:
        return 0.0
    return tree.value + total(tree.left) + total(tree.right)


@lt.export
def is_prime(n: int) -> bool:
    i = 2
    while i * i <= n:
        if n % i == 0:
            return False
        i += 1
    return n > 1


@lt.export
def has_no_pair(board: "list[list[int]]", wanted: int) -> bool:
    for i in range(6):
        for j in range(5):
            if board[i][j] + board[i][j + 1] == wanted:
                return False
    return True


def loss(w: lt.Tensor[lt.f64, 2], b: float, x: lt.Tensor[lt.f64, 2], y: float):
    return (w @ x + b - y) ** 2


@lt.export
def fitted(w: lt.Tensor[lt.f64, 2], b: float, x: lt.Tensor[lt.f64, 2], y: float, rate: float):
    for _ in range(100):
        dw, db = lt.grad(loss, wrt=("w", "b"))(w, b, x, y)
        w = w - rate * dw
        b = b - rate * db
    return w, b


@lt.export
def dice(n: int, p: float):
    lt.seed(n)
    throws = [1 + int(6 * lt.uniform()) for _ in range(n)]
    if n == 0 or lt.uniform() < p:
        return throws
    return throws[1:]
