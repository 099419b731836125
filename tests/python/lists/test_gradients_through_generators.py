"""Derivatives through generator functions: what they yield, what who goes through them makes of it, and both through recursion."""
import numpy as np
import pytest
from compiled_table import module_of

import lantern as lt

SOURCE = '''
import numpy as np


@lt.struct
class Node:
    value: float
    left: "Node | None"
    right: "Node | None"


def powers(x, n):
    p = 1.0
    for i in range(n):
        yield p + i
        p = p * x


def newton(x):
    guess = 1.0
    while True:
        yield guess
        guess = (guess + x / guess) / 2


def weighted(values, x):
    for value in values:
        if value > 0.5:
            yield value * x


def walk(tree, weight):
    if tree is not None:
        yield from walk(tree.left, weight * 0.5)
        yield tree.value * weight
        yield from walk(tree.right, weight * weight)


def choices(k, product, x):
    if k == 0:
        yield product
    else:
        for c in range(2):
            yield from choices(k - 1, product * (x + c), x)


def rows(x, n):
    for i in range(n):
        yield x * i * np.arange(3.0) + i


def in_a_row(x, n):
    total = 0.0
    for i, v in enumerate(powers(x, n)):
        total = total * x + v * i
    for guess in newton(x + 1.0):
        if abs(guess * guess - x - 1.0) < 1e-7:
            break
    return total + guess * sum(weighted(powers(x, n), x), 0.0) + max(powers(x, n), default=x)


def of_a_tree(x, tree):
    total = x
    for v in walk(tree, x):
        total = total * 0.5 + v * total
    first = 0.0
    for v in walk(tree, x):
        if v > 1.0:
            first = v * v
            break
    squares = [v * v for v in walk(tree, x)]
    return total + first + sum(squares) * squares[0] + best(x, tree)


def best(x, tree):
    found = None
    for v in walk(tree, x):
        if found is None or v > found:
            found = v
    return 0.0 if found is None else found * x


def first_above(x, tree):
    for v in walk(tree, x):
        if v > 1.5:
            return v * v * x
    return x


def of_numbers(x, n):
    total = 0.0
    for p in choices(n, x, x):
        total += p * p
    products = list(choices(n, 1.0, x))
    s = np.zeros(3)
    for row in rows(x, n):
        s = s * x + row
    return total + products[0] * products[-1] + float(np.sum(s * s))


def total(x: float, n: int, tree: Node):
    return in_a_row(x, n) + of_a_tree(x, tree) * of_numbers(x, n) + first_above(x, tree)
'''


@pytest.fixture(scope="module")
def program():
    module = module_of(SOURCE)
    function = lt.function(module.total)
    return module, lt.value_and_grad(function, wrt="x"), function


@pytest.mark.parametrize("n", [1, 3])
def test_derivatives_are_those_of_differences(program, n):
    module, value_and_slope, function = program
    tree = module.Node(2.0, module.Node(1.0, None, None), module.Node(3.0, module.Node(4.0, None, None), None))
    value, slope = value_and_slope(0.7, n, tree)
    assert value == pytest.approx(module.total(0.7, n, tree), rel=1e-12)
    assert slope == pytest.approx((module.total(0.7 + 1e-6, n, tree) - module.total(0.7 - 1e-6, n, tree)) / 2e-6, rel=1e-6)
    assert np.allclose(lt.jvp(function, (0.7, n, tree), (1.0, None, None)), (value, slope), rtol=1e-9)
