"""Random programs of numbers, lists, branches and loops within each other, to be differentiated with respect to `x`."""
import random


class Writer:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.lines = []
        self.names = 0

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def number(self, floats, lists, ints):
        kind = self.draw.randrange(8)
        if kind == 0:
            return f"{self.draw.choice(ints)} * 0.3"
        if kind == 1 and lists:
            xs = self.draw.choice(lists)
            return f"{xs}[{self.draw.choice(ints)} % len({xs})]"
        if kind == 2:
            return f"{self.draw.uniform(-1, 1):.2f}"
        return self.draw.choice(floats)

    def expression(self, floats, lists, ints):
        a, b = self.number(floats, lists, ints), self.number(floats, lists, ints)
        form = self.draw.choice(["{a} * {b} * 0.5", "{a} + {b}", "{a} - {b} * 0.7", "lt.sin({a})", "lt.tanh({a} * {b})", "lt.cos({a}) * {b}", "{a} * 0.9"])
        return f"lt.tanh({form})".format(a=a, b=b) if self.draw.random() < 0.6 else form.format(a=a, b=b)

    def condition(self, floats, lists, ints):
        return self.draw.choice([f"{self.draw.choice(floats)} > {self.draw.uniform(-0.5, 0.8):.2f}", f"{self.draw.choice(ints)} % 2 == 0",
                                 f"{self.draw.choice(ints)} < {self.draw.choice(ints)} + 1"])

    def statements(self, depth, indent, floats, lists, ints, in_loop):
        pad = "    " * indent
        floats, lists, ints = list(floats), list(lists), list(ints)
        for _ in range(self.draw.randint(2, 4)):
            kind = self.draw.randrange(12)
            say = lambda text: self.lines.append(pad + text)  # noqa: E731
            if kind == 0 and depth > 0:
                i = self.fresh("i")
                say(f"for {i} in range({self.draw.choice(['n', '3', '1, n + 1', 'n, 0, -1', 'n % 3'])}):")
                self.statements(depth - 1, indent + 1, floats, lists, [*ints, i], True)
            elif kind == 1 and depth > 0:
                k = self.fresh("k")
                say(f"{k} = {self.draw.choice(['n', '2', 'n % 4'])}")
                say(f"while {k} > 0:")
                self.lines.append(f"{pad}    {k} = {k} - 1")
                self.statements(depth - 1, indent + 1, floats, lists, [*ints, k], True)
            elif kind == 2 and depth > 0 and lists:
                v = self.fresh("v")
                say(f"for {v} in {self.draw.choice(lists)}[:]:")
                self.statements(depth - 1, indent + 1, [*floats, v], lists, ints, True)
            elif kind in (3, 4) and depth > 0:
                say(f"if {self.condition(floats, lists, ints)}:")
                self.statements(depth - 1, indent + 1, floats, lists, ints, in_loop)
                if self.draw.random() < 0.6:
                    say("else:")
                    self.statements(depth - 1, indent + 1, floats, lists, ints, in_loop)
            elif kind == 5 and in_loop and self.draw.random() < 0.5:
                say(f"if {self.condition(floats, lists, ints)}:")
                self.lines.append(f"{pad}    {self.draw.choice(['break', 'continue'])}")
            elif kind == 6 and lists:
                say(f"{self.draw.choice(lists)}.append({self.expression(floats, lists, ints)})")
            elif kind == 7 and lists:
                xs = self.draw.choice(lists)
                say(f"{xs}[{self.draw.choice(ints)} % len({xs})] = {self.expression(floats, lists, ints)}")
            elif kind == 8 and lists:
                xs, target = self.draw.choice(lists), self.draw.choice([f for f in floats if f in ("a", "b", "c")])
                say(f"if len({xs}) > 1:")
                self.lines.append(f"{pad}    {target} = {xs}.pop({self.draw.choice(['', '0', '-2'])}) + {target} * 0.5")
            else:
                say(f"{self.draw.choice(['a', 'b', 'c'])} = {self.expression(floats, lists, ints)}")


def program(seed, depth=3):
    """The text of `def f(x: float, n: int)`."""
    writer = Writer(seed)
    writer.statements(depth, 1, ["x", "a", "b", "c"], ["xs", "ys"], ["n"], False)
    body = "\n".join(writer.lines)
    return ("def f(x: float, n: int):\n    a, b, c = x * 0.5, 0.25, x * x\n    xs = [x, 0.5, x * 2.0]\n    ys = [0.1]\n" + body +
            "\n    total = a + b * 0.7 + c * 0.3\n    for v in xs:\n        total = total * 0.9 + v\n    for v in ys:\n        total = total + v * v\n    return total\n")
