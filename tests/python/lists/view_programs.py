"""Random programs that write to arrays by several names and through views of them, more densely than `array_programs`.

Each is a function of `v` (4 floats), `m` (3 rows of 4) and a number `n`. NumPy is the judge of what it gives.
"""
from array_programs import Lines

PRELUDE = '''
def poke(row, x):
    row[1] = x
    row *= 1.5


def raised(rows, i):
    rows[i] += 1.0
    return rows


def middle(a):
    return a[1:3]


def total(a):
    return a.sum()


def scaled(a, x):
    for row in a:
        row *= x
    return a[0]


def halved(a):
    left = a[:2]
    left *= 0.5
    return a[0] + left[1]
'''


class ViewAuthor(Lines):
    """Writes one program. Names `a b` hold arrays [3, 4], `c d` rows [4], `p q` arrays [2], `s` a number. Some have a function within that looks at them."""

    def program(self, name):
        self.lines = [f"def {name}(v, m, n):", f"    a = {self.one('m.copy()', 'm * 2.0', 'np.zeros((3, 4))')}", f"    b = {self.one('m + 1.0', 'm.copy()', 'a')}",
                      f"    c, d = {self.one('a[1], b[0]', 'v.copy(), a[0]', 'v * 2.0, v.copy()', 'a[n - 1], a[1]')}",
                      f"    p, q, s = {self.one('c[:2], d[2:]', 'v[:2].copy(), c[1:3]', 'v[:2] * 1.0, v[2:] * 2.0')}, 1.5"]
        self.closures = self.random.random() < 0.3
        if self.closures:
            self.lines += ["    def looked_at(k):", f"        e = {self.table()}", f"        return e[1, 2] + {self.row()}[1] + {self.pair()}[k - k]"]
        for _ in range(self.random.randint(3, 8)):
            self.statement()
        self.line("return a, b, c, d, p, q, s")
        return "\n".join(self.lines) + "\n"

    def table(self):
        return self.one("a", "b")

    def row(self):
        return self.one("c", "d")

    def pair(self):
        return self.one("p", "q")

    def place(self):
        return self.one("0", "1", "2", "-1", "n", "n - 1", *(["i", "i"] if self.loops else []))

    def number(self):
        return self.one("1.5", "s", "v[1]", "float(n)", f"{self.table()}[{self.place()}, 1]", f"{self.row()}[{self.place()}]", f"{self.pair()}[0] * 0.5",
                        f"total({self.one('a', 'b', 'c', 'd', 'p', 'q')})")

    def row_value(self):
        t, r = self.table(), self.row()
        return self.weighted({f"{t}[{self.place()}]": 6, f"{t}[{self.place()}].copy()": 2, f"{r}.copy()": 1, r: 2, "v.copy()": 1,
                              f"{t}[1, :]": 2, f"{t}[:, ::-1][{self.place()}]": 1, f"{t}.reshape(-1)[4:8]": 2, f"{t}.ravel()[2:6]": 1, f"{r}[::-1]": 1,
                              f"{r} + {self.row()}": 2, f"{t}.T.reshape(-1)[:4]": 1, f"({r} if s > 1.0 else {self.row()})": 1, f"{t}.flatten()[:4]": 1})

    def pair_value(self):
        r, t = self.row(), self.table()
        return self.weighted({f"{r}[:2]": 4, f"{r}[2:]": 3, f"{r}[1:3]": 2, f"{r}[::2]": 2, f"middle({r})": 2, f"{t}[1:, 1]": 2, f"{t}[{self.place()}, 1:3]": 2,
                              f"{self.pair()}[::-1]": 1, f"{r}[:2] * 2.0": 2, f"{t}.T[{self.place()}, :2]": 2, f"{r}.reshape(2, 2)[1]": 2, f"{r}[1:3].copy()": 1})

    def table_value(self):
        t = self.table()
        return self.weighted({t: 3, f"{t}.copy()": 2, f"{t} * 0.5": 2, f"raised({t}, {self.place()})": 1, f"{t}[::-1]": 1, "m.copy()": 1, f"{t}[:]": 1})

    def statement(self):
        r, p, t = self.row(), self.pair(), self.table()
        simple = {
            f"{r} {self.one('+', '*', '-')}= {self.one('0.5', 's', self.row(), 'v')}": 6,
            f"{r}[{self.place()}] {self.one('', '+', '*')}= {self.number()}": 6,
            f"{p} {self.one('+', '*')}= {self.one('0.5', self.pair(), 's')}": 4,
            f"{p}[{self.one('0', '1', '-1')}] {self.one('', '+')}= {self.number()}": 4,
            f"{t} {self.one('+', '*')}= {self.one('0.5', self.table(), 's', 'v')}": 2,
            f"{t}[{self.place()}, {self.place()}] {self.one('', '+')}= {self.number()}": 3,
            f"{t}[{self.place()}] {self.one('', '+')}= {self.one(self.row(), 's')}": 3,
            f"{t}[{self.one('1:', ':2')}, {self.place()}] = {self.one(self.pair(), 's')}": 1,
            f"{r}[:] = {self.one(self.row(), '0.25', 'v')}": 2,
            f"{t}.T[{self.place()}] {self.one('', '+')}= {self.one('0.25', 's')}": 1,
            f"{r} = {self.row_value()}": 7,
            f"{p} = {self.pair_value()}": 6,
            f"{t} = {self.table_value()}": 2,
            "{0}, {1} = {1}, {0}".format(*self.one("ab", "cd", "pq")): 1,
            f"poke({self.one(r, f'{t}[{self.place()}]')}, {self.number()})": 2,
            f"s = {self.number()}": 4,
            f"s += {self.number()}": 2,
            f"s = halved({r})": 1,
            f"{r} = scaled({t}, 2.0)": 1,
            **({"s += looked_at(n)": 3} if self.closures else {}),
        }
        compound = {self.branch: 5, self.loop: 4, self.rows: 4} if self.depth < 3 else {}
        chosen = self.weighted({**simple, **compound})
        self.line(chosen) if isinstance(chosen, str) else chosen()

    def branch(self):
        self.line(f"if {self.one('s > 1.0', 'n > 1', self.row() + '[0] < s', self.table() + '[1, 1] > 2.0')}:")
        self.branches()

    def loop(self):
        self.line(f"for i in range({self.one('n', '3', 'n - 1', '2')}):")
        self.loops += 1
        self.block(4)
        self.loops -= 1

    def rows(self):
        t, r = self.table(), self.row()
        known = self.loops
        self.line(self.one(f"for {r} in {t}:", f"for i, {r} in enumerate({t}):", "for c, d in zip(a, b):", f"for {r} in {t}[:2]:", f"for {r} in {t}[:n]:", f"for {self.pair()} in {t}[:, 1:3]:"))
        self.loops += "i, " in self.lines[-1]
        self.block(3)
        self.loops = known
