"""Random recursions over two lists that they are given, of whole numbers and of floats: items are set, put in and taken out, in branches and loops, in front of
calls and behind them, of the lists themselves and of copies, by one function or by two that call one another. Another function, which changes nothing, reads
them going backwards."""
import random

HEAD = ""


def program(seed, called="program"):
    """The text of functions, and of one of a whole number and a float that calls them."""
    return Author(seed, called).program()


class Author:
    def __init__(self, seed, called):
        self.random, self.called, self.loops, self.lines, self.depth = random.Random(seed), called, 0, [], 0
        self.names = [f"{called}_{name}" for name in "fg"[:self.random.choice([1, 1, 2])]]

    def program(self):
        self.reader()
        for name in self.names:
            self.function(name)
        self.entry()
        return "\n".join(self.lines) + "\n"

    def choice(self, values):
        return self.random.choice(values)

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def function(self, name):
        self.depth = 0
        self.line(f"def {name}(k, xs, ys, x):")
        self.depth = 1
        self.line("r = 0.0")
        self.line("if k < 1:")
        if self.random.randrange(3) == 0:
            self.depth += 1
            self.change()
            self.depth -= 1
        self.line(f"    return {self.choice(['1.0', 'x', 'ys[0]', 'ys[-1] * x + xs[0]'])}")
        if self.random.randrange(3) == 0:
            self.line("if xs[0] > 5:")
            self.line(f"    return {self.choice(['ys[0] * x', 'x'])}")
        for _ in range(self.random.randint(2, 4)):
            self.statement(True)
        self.line(f"return r + {self.choice(['ys[0]', 'ys[-1]', 'x', '0.0'])}")
        self.line("")

    def reader(self):
        """Calls itself, so that it stays a call; of x * i the reverse sweep wants i."""
        name = f"{self.called}_read"
        reads = ["    r += i * x", "    r = r * x + i", "    if i > 1:\n            r += x * i"]
        for text in (f"def {name}(k, xs, x):", "    if k > 99:", f"        return {name}(k - 1, xs, x)", "    r = 0.0", "    for i in xs:", "    " + self.choice(reads),
                     "    return r", ""):
            self.lines.append(text)

    def entry(self):
        self.depth = 0
        self.line(f"def {self.called}(n: int, x: float):")
        self.depth = 1
        self.line(f"xs = {self.choice(['[1, 2, 3]', '[n, 1]', '[0] * 3', 'list(range(n + 1))'])}")
        self.line(f"ys = {self.choice(['[x, 2.0]', '[1.0, 2.0, 3.0]', '[x] * 2', '[0.0] * 3'])}")
        f = self.names[0]
        for text in self.choice([[f"t = {f}(n, xs, ys, x)"],
                                 ["t = 0.0", "for i in range(n):", f"    t += {f}(i, xs, ys, x)"],
                                 ["zs = xs[:]", f"t = {f}(n, zs, ys, x)", "t += sum(zs) * x"],
                                 ["zs = ys[:]", f"t = {f}(n, xs, zs, x) + {f}(n - 1, xs, ys, x)", "t += sum(zs) * x + len(zs)"],
                                 [f"t = {f}(n, xs, ys, x)", "if n > 2:", f"    t += {f}(2, xs, ys, x)", "else:", "    xs.append(3)"]]):
            self.line(text)
        self.line("return t + sum(xs) * x + sum(ys) * len(xs) + len(ys)")

    def statement(self, calls):
        kind = self.random.randrange(11)
        if kind == 10:
            self.line(f"r += {self.called}_read(k, {self.choice(['xs', 'xs', 'xs[1:]', 'xs[:]'])}, x)" if calls else "r += xs[0] * x")
        elif kind == 4:
            self.line(self.choice(["r += ys[k % len(ys)] * x", "r += xs[k % len(xs)]", "r = r * 0.5 + len(xs)", "r += sum(ys) * 0.125", "r += max(xs)"]))
        elif kind in (5, 6) and calls:
            self.call()
        elif 6 < kind < 10 and self.depth < 3:
            self.around()
        else:
            self.change()

    def around(self):
        if self.random.randrange(3) == 0:
            self.loops += 1
            self.line(f"for i{self.loops} in range({self.choice(['2', 'k % 3'])}):")
            return self.block(self.random.randrange(2))
        self.line(self.choice(["if k % 2 == 0:", "if xs[0] > k:", "if len(xs) < 6:", "if r > 1.0:"]))
        self.block(True)
        if self.random.randrange(2):
            self.line("else:")
            self.block(True)

    def block(self, calls):
        self.depth += 1
        for _ in range(self.random.randint(1, 2)):
            self.statement(calls)
        self.depth -= 1

    def call(self):
        lists = self.choice(["xs, ys", "xs, ys", "xs, ys", "xs, ys", "xs[:], ys", "xs, ys[:]", "list(xs), list(ys)"])
        text = f"{self.choice(self.names)}({self.choice(['k - 1', 'k - 2', 'k // 2'])}, {lists}, x)"
        self.line(text if self.random.randrange(4) == 0 else f"r += {text} * {self.choice(['0.5', 'x', '1.0'])}")

    def change(self):
        xs = self.choice(["xs", "ys"])
        place = self.choice(["k % len({0})", "0", "-1", "(k * 3 + 1) % len({0})"]).format(xs)
        values = ["k", "k * 2", "xs[k % len(xs)] + 1", "len(xs)", "len(ys)", "7"] if xs == "xs" else ["x * k", "r", "ys[k % len(ys)] * x", "x + r", "0.5"]
        kind, value = self.random.randrange(9), self.choice(values)
        if kind == 6:
            self.line(f"if len({xs}) > 2:")
        self.line({3: f"{xs}[{place}] += {value}", 4: f"{xs}.append({value})", 5: f"{xs}.append({value})", 6: f"    r += {xs}.pop() * 0.25",
                   7: f"{xs}.insert({place}, {value})", 8: f"{xs}[0], {xs}[-1] = {xs}[-1], {xs}[0]"}.get(kind, f"{xs}[{place}] = {value}"))
