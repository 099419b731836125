"""Recursions over numbers, to be differentiated with respect to `x`; and random ones."""
import random

import lantern as lt


@lt.struct
class Tree:
    value: float
    left: "Tree | None"
    right: "Tree | None"


def tree_of(depth, value=0.7):
    return Tree(value, tree_of(depth - 1, value * 0.8), tree_of(depth - 1, value * 1.1) if depth % 2 else None) if depth > 0 else None


def product(x: float, n: int):
    """A call's result that the way back reads, and one that it does not."""
    if n <= 0:
        return x
    l = product(x * 0.9, n - 1)
    r = product(x, n - 2)
    return l * r + l


def over_a_tree(x: float, tree: "Tree | None"):
    if tree is None:
        return x
    l = over_a_tree(x, tree.left)
    if tree.right is None:
        return l * tree.value
    return lt.tanh(l * over_a_tree(x * tree.value, tree.right))


def pair(x: float, n: int):
    """Two results, of which one may go unread."""
    if n == 0:
        return x, 1.0
    a, b = pair(x * 0.5, n - 1)
    c, _ = pair(b, n - 1)
    return a * b, b + a * c


def of_pairs(x: float, n: int):
    a, b = pair(x, n)
    return a + b * b


def even(x: float, n: int):
    if n == 0:
        return x
    return odd(x * x, n - 1) * 1.5


def odd(x: float, n: int):
    if n == 0:
        return 2.0 * x
    y = even(lt.sin(x), n - 1)
    return y * y


def asks(x: float, n: int):
    """A condition on what a call gives, branches that give what later ones read, and effects that happen once."""
    assert n >= 0, "it counts down"
    if n == 0:
        return lt.exp(-x)
    y = asks(x * 0.7, n - 1)
    if y > 0.6:
        z = asks(y, n - 1) * x
        w = lt.exp(z)
    elif n % 3 == 0:
        z = y * y
        w = x
    else:
        z = 1.0
        w = asks(x, n - 2) if n > 1 else y
    return z * w * y


def counts(n: int):
    return 0 if n < 3 else 1 + counts(n // 2)


def beside(x: float, n: int):
    """A recursion of integers in one that is differentiated, and a number that is changed step by step."""
    k = counts(n)
    if n < 2:
        return x * (k + 1)
    s = beside(x, n // 2)
    s = s * k + x
    s = s * s * 0.1
    return s + beside(x * 0.3, n // 3)


def raises(x: float, n: int):
    if n > 6:
        raise ValueError("too deep")
    if n == 0:
        return x * x
    return raises(x, n - 1) * x + raises(x, n - 1)


def unread(x: float, n: int):
    """A call whose result nobody reads."""
    if n == 0:
        return x
    y = unread(x, n - 1)
    y = unread(x * 2.0, n - 1)
    return y * x


def ackermann_like(x: float, n: int):
    """A call as another one's argument."""
    if n == 0:
        return lt.cos(x)
    return ackermann_like(ackermann_like(x, n - 1) * x, n - 1)


def itself(x: float, n: int):
    """One variable as two arguments."""
    return two(x, x, n)


def two(a: float, b: float, n: int):
    if n == 0:
        return a * b
    return two(b, a + 0.1, n - 1) * two(a, a, n - 1) + b


def constant_argument(x: float, n: int):
    return two(x, 0.5, n) + two(2.0, x, n)


def sums(x: float, n: int):
    """Turns that call the function."""
    s = x
    for i in range(n):
        s = s * 0.5 + sums(x * 0.9, i)
    return s


def until(x: float, n: int):
    """A loop that may end early."""
    s, k = x, n
    while k > 0:
        s = lt.sin(s) + until(s, k - 2) * 0.3
        if s > 2.0:
            break
        k -= 1
    else:
        s = s * x
    return s


def with_a_loop(x: float, n: int):
    """It has turns that call nothing, and keeps its continuation."""
    s = x
    for i in range(n):
        s = s * x + 0.5
    return s if n == 0 else s + with_a_loop(x * 0.9, n - 1)


PROGRAMS = [sums, until, with_a_loop, product, of_pairs, even, asks, beside, raises, unread, ackermann_like, itself, constant_argument]


class Writer:
    """`count` functions f0 … that call each other, each of a depth less."""

    def __init__(self, seed, count=3):
        self.draw, self.count, self.names = random.Random(seed), count, 0

    def program(self, name):
        return "\n\n".join(self.function(name, i) for i in range(self.count))

    def function(self, name, i):
        self.names, self.lines = 0, []
        self.block(1, ["x", "y"], 2)
        return f"def {name}_{i}(x: float, y: float, n: int):\n    if n <= 0:\n        return {self.number(['x', 'y'])}\n" + "\n".join(self.lines).replace("CALL", name)

    def number(self, floats):
        return self.draw.choice([*floats, *floats, f"{self.draw.uniform(-1, 1):.2f}"])

    def call(self, floats):
        return f"CALL_{self.draw.randrange(self.count)}({self.expression(floats, 0)}, {self.number(floats)}, n - {self.draw.choice([1, 1, 2])})"

    def expression(self, floats, calls=0.35):
        if self.draw.random() < calls:
            return self.call(floats)
        a, b = self.number(floats), self.number(floats)
        return self.draw.choice(["{a} * {b}", "{a} + {b}", "{a} - {b} * 0.5", "lt.sin({a})", "lt.tanh({a} * {b})", "lt.exp(-{a} * {a})", "{a} * 0.9", "n * {a} * 0.2", "{a}"]).format(a=a, b=b)

    def condition(self, floats):
        return self.draw.choice([f"{self.draw.choice(floats)} > {self.draw.uniform(-0.5, 0.8):.2f}", "n % 2 == 0", "n % 3 == 1", f"{self.draw.choice(floats)} < {self.draw.choice(floats)}"])

    def block(self, indent, floats, depth):
        """Ends with a return."""
        floats, pad = list(floats), "    " * indent
        for _ in range(self.draw.randint(1, 3)):
            floats = self.statement(indent, floats, depth)
        if depth > 0 and self.draw.random() < 0.4:
            self.lines.append(f"{pad}if {self.condition(floats)}:")
            self.block(indent + 1, floats, depth - 1)
        self.lines.append(f"{pad}return lt.tanh({self.expression(floats)})" if self.draw.random() < 0.5 else f"{pad}return {self.expression(floats)} * 0.5")

    def statement(self, indent, floats, depth):
        pad = "    " * indent
        if depth > 0 and self.draw.random() < 0.35:
            changed = self.draw.choice(floats)
            self.lines.append(f"{pad}if {self.condition(floats)}:")
            inner = floats
            for _ in range(self.draw.randint(1, 2)):
                inner = self.statement(indent + 1, inner, depth - 1)
            self.lines.append(f"{pad}    {changed} = {self.expression(inner)}")
            if self.draw.random() < 0.5:
                self.lines.append(f"{pad}else:\n{pad}    {changed} = {self.expression(floats)}")
            return floats
        if self.draw.random() < 0.3:
            changed = self.draw.choice(floats)
            self.lines.append(f"{pad}{changed} = {self.expression(floats)}")
            return floats
        self.names += 1
        self.lines.append(f"{pad}v{self.names} = {self.expression(floats)}")
        return [*floats, f"v{self.names}"]
