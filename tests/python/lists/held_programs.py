"""Random programs that change arrays where they stand in lists, and have other names for them, other lists, and other places.

Each is a function of `v` (4 floats), `m` (3 rows of 4) and a number `n`. NumPy is the judge of what it gives.
"""
from array_programs import Lines

PRELUDE = '''
def put(xs, x):
    xs.append(x)
    return x


def raised(xs, i, x):
    xs[i] += x


def raised_again(xs, i, x):
    if i > 0:
        xs[i - 1] += x
        raised_again(xs, i - 1, x * 0.5)


def grown(xs, i, x):
    if i > 0:
        xs.append(x * 2.0)
        xs[-1] += 1.0
        grown(xs, i - 1, x + 1.0)


def of(xs, i):
    return xs[i]


def one_of(xs, i, x):
    if i > 2:
        return one_of(xs, i - 1, x)
    return xs[i] if i > 0 else x


def copied(xs):
    return [x for x in xs]


def fresh(n, v):
    return [v * i for i in range(n)]


def poke(row, x):
    row[1] = x
'''


class HeldAuthor(Lines):
    """Writes one program. Names `f g` hold lists of arrays [4], `a b c` such arrays, `t` a list of such lists, `p` a list of pairs of a number and an array, `s` a number."""

    def program(self, name):
        self.lines = [f"def {name}(v, m, n):",
                      f"    a, b, c = {self.one('v.copy(), m[0].copy(), v * 2.0', 'np.zeros(4), np.ones(4), v + 1.0', 'v.copy(), v.copy(), v.copy()')}",
                      f"    f = {self.made()}", f"    g = {self.made()}", "    t, p, s = [[v * 7.0]], [(0.5, v * 7.0)], 1.5"]
        if self.random.random() < 0.5:
            self.lines.append("    f += [v * 3.0, v * 4.0]")
        self.closures, self.goes_over = self.random.random() < 0.15, False
        if self.closures:
            self.lines += ["    def looked_at(k):", f"        if k > 0: {self.lists()}.append(v * 5.0); {self.lists()}[k - 1] += 1.0; looked_at(k - 1)",
                           f"        return {self.lists()}[0][1] + {self.array()}[1]"]
        for _ in range(self.random.randint(3, 8)):
            self.statement()
        self.line(f"return {self.one('a, b, c, f, g, s', 'f, s', 'f, g', 'g, b', 'f, [y[0] for x in t for y in x], [x for _, x in p]', 'a, f')}")
        return "\n".join(self.lines) + "\n"

    def made(self):
        return self.weighted({"[np.zeros(4) for _ in range(n)]": 3, "[np.zeros(4) for _ in range(3)]": 3, "[a, b]": 1, "[v * 1.0, v * 2.0]": 2, "[np.zeros(4)] * n": 1,
                              "[v * i for i in range(n)]": 3, "[a] + [v * 2.0 for _ in range(n)]": 1, "fresh(n, v)": 2, "[row.copy() for row in m]": 2, "[row for row in m]": 1,
                              "[a.copy(), b]": 1})

    def lists(self):
        return self.one("f", "f", "g")

    def array(self):
        return self.one("a", "b", "c")

    def place(self):
        return self.one("0", "1", "-1", "n - 1", "n - 2", *(["i", "i", "i"] if self.loops else []))

    def item(self):
        return f"{self.lists()}[{self.place()}]"

    def value(self):
        f, a = self.lists(), self.array()
        return self.weighted({self.item(): 2, f"{self.item()}.copy()": 2, f"{a} * 1.0": 5, f"{self.item()} + 1.0": 3, a: 2, "v.copy()": 4, "np.zeros(4)": 3, f"of({f}, {self.place()})": 1,
                              f"one_of({f}, n, {a})": 1, f"({a} if s > 1.0 else {self.item()})": 1, f"{f}.pop()": 1, f"{self.item()}[:]": 1, f"{a}[::-1]": 1, "m[1]": 1})

    def number(self):
        return self.one("1.5", "s", "v[1]", "float(n)", f"{self.item()}[1]", f"{self.array()}[2]", f"len({self.lists()}) * 0.5", f"{self.item()}.sum()")

    def statement(self):
        f, a, g = self.lists(), self.array(), self.lists()
        simple = {
            f"{self.item()} {self.one('+', '*', '-')}= {self.one('0.5', 's', a, 'v', self.item())}": 12,
            f"{self.item()}[{self.one('0', '1', '-1')}] {self.one('', '+', '*')}= {self.number()}": 4,
            f"{self.item()}[{self.one(':2', ':', '1:3')}] {self.one('', '+', '*')}= {self.number()}": 2,
            f"{a} {self.one('+', '*')}= {self.one('0.5', self.array(), 's', self.item())}": 4,
            f"{a}[1] = {self.number()}": 2,
            f"{a} = {self.value()}": 6,
            f"{f}.append({self.value()})": 5,
            f"{f}[{self.place()}] = {self.value()}": 4,
            f"{f}.insert(0, {self.value()})": 1,
            f"{f} = {g}{self.one('', '[:]', '[1:]', '.copy()', '[::-1]')}": 2,
            f"{f} = {self.one(f'list({g})', f'[x for x in {g}]', f'[x * 2.0 for x in {g}]', f'[x.copy() for x in {g}]', f'{f} + {g}', f'copied({g})', f'({f} if s > 1.0 else {g})', 'fresh(n, v)')}": 3,
            f"{f}.extend({self.one(g, f'[{a}]', f'[{a} * 2.0, v.copy()]', 'fresh(2, v)')})": 1,
            f"{f}.{self.one('reverse()', 'pop()', 'pop(0)')}": 1,
            f"{f}[0], {f}[-1] = {f}[-1], {f}[0]": 1,
            "f, g = g, f": 1,
            f"t.append({self.one(f, f'{f}[:]', f'[{a}]', f'list({f})')})": 1,
            f"p.append((s, {self.one(a, self.item())}))": 1,
            f"s = {self.number()}": 3,
            f"s += {self.number()}": 1,
            f"raised({f}, {self.place()}, {self.one('0.5', a)})": 3,
            f"raised_again({f}, {self.one('n', '2', 'n - 1')}, {self.one('0.5', 's')})": 2,
            f"grown({f}, n, {self.array()})": 1,
            f"poke({self.item()}, {self.number()})": 2,
            f"{a} = put({f}, {self.value()})": 1,
            **({"s += looked_at(n)": 3} if self.closures else {}),
        }
        compound = {self.branch: 5, self.loop: 5, self.rows: 3} if self.depth < 3 else {}
        chosen = self.weighted({statement: weight for statement, weight in {**simple, **compound}.items() if not (self.goes_over and _may_grow(statement))})
        self.line(chosen) if isinstance(chosen, str) else chosen()

    def branch(self):
        self.line(f"if {self.one('s > 1.0', 'n > 1', self.array() + '[0] < s', f'len({self.lists()}) > 2', self.item() + '[1] > 2.0')}:")
        self.branches()

    def loop(self):
        self.line(f"for i in range({self.one('n', '3', 'n - 1', '2', f'len({self.lists()})')}):")
        self.loops += 1
        self.block(4)
        self.loops -= 1

    def rows(self):
        f, a, known, self.goes_over = self.lists(), self.array(), self.loops, True
        self.line(self.one(f"for {a} in {f}:", f"for i, {a} in enumerate({f}):", "for a, b in zip(f, g):", f"for {a} in {f}[:2]:", f"for {a} in m:"))
        self.loops += "i, " in self.lines[-1]
        self.block(3)
        self.loops, self.goes_over = known, False


def _may_grow(statement):
    """Whether a statement may make a list longer that a loop goes over, without end."""
    return isinstance(statement, str) and any(word in statement for word in ("append", "insert", "extend", "put(", "grown", "looked_at", "f = ", "g = "))
