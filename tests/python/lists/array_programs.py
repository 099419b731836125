"""Random programs in which several names may hold the same array, or views of it, and items of it are set.

Each is a function of `v` (4 floats), `m` (3 rows of 4) and a number `n`. NumPy is the judge of what it gives.
"""
import random

PRELUDE = '''
def other(a, b, n):
    if n > 1:
        return a
    return b


def poked(a, i):
    a[i] = a[i] + 1.0
    return a


def poke(a, i):
    a[i] += 2.0


def filled(a, i):
    if i < 3:
        a[i] = a[i + 1] + i
        return filled(a, i + 1)
    return a


def doubled(a):
    return a * 2.0


def first(xs):
    return xs[0]
'''


class Lines:
    """Writes a program's lines. Whoever derives from it says what a `statement` is."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.depth, self.loops = [], 1, 0

    def one(self, *options):
        return self.random.choice(options)

    def weighted(self, options):
        return self.random.choices(list(options), list(options.values()))[0]

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def block(self, most):
        self.depth += 1
        for _ in range(self.random.randint(1, most)):
            self.statement()
        self.depth -= 1

    def branches(self):
        self.block(3)
        if self.random.random() < 0.4:
            self.line("else:")
            self.block(2)


class Author(Lines):
    """Writes one program. Names `a b c` hold arrays of 4, `p` one of 3, `r` a row of `m`, `xs` a list of arrays, `s t` numbers."""

    def __init__(self, seed):
        super().__init__(seed)
        self.repeated, self.has_list = 0, False

    def program(self, name):
        """The text of a function `name`."""
        self.careful = self.random.random() < 0.7       # to make copies, mostly
        self.lines = [f"def {name}(v, m, n):", "    a = v.copy()", "    b = v * 2.0", "    m = m.copy()",
                      f"    c = {self.weighted({'v + b': 6, 'a': 1, 'b[:]': 1, 'v': 1})}",
                      f"    p, r, s, t = {'v[1:].copy(), m[0].copy()' if self.careful else 'a[1:], m[0]'}, 1.0, 2.0"]
        for _ in range(self.random.randint(2, 6)):
            self.statement()
        self.leave()
        return "\n".join(self.lines) + "\n"

    # Expressions

    def name(self):
        return self.one("a", "b", "c")

    def place(self):
        return self.one("0", "1", "2", "3", "-1", "n", *(["i"] if self.loops else []))

    def number(self):
        return self.one("1.5", "s", "t", "float(n)", f"{self.name()}[{self.place()}]", f"{self.name()}[{self.place()}] * 0.5", "p[1]")

    def array(self):
        name = self.name()
        if self.careful and self.random.random() < 0.8:
            return self.one(f"{name}.copy()", f"{name} + {self.name()}", f"{name} * 0.5", f"doubled({name})", f"m[{self.one('0', 'n - 1')}].copy()",
                            f"filled({name}.copy(), {self.one('0', '1')})", f"other({name}, {self.name()}, n) + {name}", f"{name}[::-1].copy()")
        return self.weighted({
            name: 3, f"{name}.copy()": 4, f"{name} + {self.name()}": 3, f"{name} * 0.5": 3, f"{name}[:]": 1, f"{name}[::-1]": 1,
            f"m[{self.one('0', '1', 'n - 1')}]": 1, f"other({name}, {self.name()}, n)": 2, f"poked({name}, {self.one('0', 'n')})": 1,
            f"doubled({name})": 1, f"filled({name}, {self.one('0', '1')})": 1, f"({name} if s > 1.0 else {self.name()})": 1,
            "v.copy()": 2, f"first([{name}])": 1, **({"xs[0]": 2} if self.has_list else {})})

    # Statements

    def statement(self):
        simple = {
            f"{self.name()}[{self.place()}] = {self.number()}": 8,
            f"{self.name()}[{self.place()}] {self.one('+', '*')}= {self.number()}": 3,
            f"{self.name()} = {self.array()}": 6,
            f"{self.name()} {self.one('+', '*')}= {self.one(self.name(), '0.5', 's')}": 2,
            f"{self.name()}[1:3] {self.one('', '+')}= {self.one(self.name() + '[:2]', '0.25', 's')}": 2,
            f"p = {self.name()}{self.one('[1:]', '[:3]', *['[1:].copy()', '[:3] * 1.5'] * (4 if self.careful else 1))}": 2,
            f"p[{self.one('0', '2')}] = {self.number()}": 2,
            f"{self.one('s', 't')} = {self.number()}": 4,
            f"poke({self.name()}, {self.one('0', 'n')})": 1,
            self.one("m = m * 0.5", f"m[1] = {self.name()}", f"m[n - 1, 2] = {self.number()}"): 1,
            self.one("r = m[0].copy()" if self.careful else "r = m[0]", "s += r[1]", f"r[2] = {self.number()}"): 1,
            "{0}, {1} = {1}, {0}".format(*self.random.sample("abc", 2)): 1,
        }
        if self.has_list:
            simple.update({f"xs.append({self.array()})": 1, f"s = xs[{self.one('0', '-1')}][{self.place()}]": 1, "xs = xs[:1]": 0.3})
        compound = {self.branch: 5, self.loop: 5, self.rows: 1} if self.depth < 3 else {}
        if self.depth == 1 and not self.has_list:
            compound[self.list_] = 2
        if self.depth == 2 and not self.repeated:     # an array that a loop returns has no value yet (LT0406)
            compound[self.leave] = 0.5
        chosen = self.weighted({**simple, **compound})
        self.line(chosen) if isinstance(chosen, str) else chosen()

    def branch(self):
        self.line(f"if {self.one('s > 1.0', 'n > 2', self.name() + '[0] < s')}:")
        self.branches()

    def loop(self):
        self.line(f"for i in range({self.one('n', '3', 'n - 1')}):")
        self.loops += 1
        self.turns(4)
        self.loops -= 1

    def rows(self):
        self.line("for r in m:")
        self.turns(3)

    def turns(self, most):
        self.repeated += 1
        self.block(most)
        self.repeated -= 1

    def list_(self):
        self.line(f"xs = [{self.array()}]")
        self.has_list = True

    def leave(self):
        self.line(f"return {self.name()}, {self.name()}, m, p, s, t")
