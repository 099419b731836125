"""Lists and arrays that are known and large: data in front of the functions, read where it lies, and copied only where something may change it."""
import lantern as lt
import numpy as np

NEAR = [[(i + 1) % 8, (i * i) % 8, (3 * i) % 8][:1 + i % 3] for i in range(8)]
COST = [0.25 * i for i in range(20)]
WEIGHTS = (np.arange(80) / 8).reshape(10, 8)


def reach(node: int, depth: int, x: float) -> float:
    if depth == 0:
        return x * COST[node] + COST[depth]
    total = 0.0
    for near in NEAR[node]:
        total += np.tanh(reach(near, depth - 1, x * 0.5))
    return total


@lt.export
def slope(node: int, x: float):
    return lt.grad(reach, wrt="x")(node, 3, x)


@lt.export
def scores(x: lt.Tensor[lt.f64, 8]):
    return WEIGHTS @ x


@lt.export
def dearer(node: int, by: float):
    cost = list(COST)
    cost[node] += by
    return cost
