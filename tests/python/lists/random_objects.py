"""Random programs over objects that change: they get other names, stand in lists, dicts, sets and one another, are chosen by conditions, made in loops, handed to
functions, some of which call themselves, and are compared."""
import random

HEAD = """
import dataclasses


class C:
    def __init__(self, a, next=None):
        self.a, self.b, self.next, self.rows = a, 1, next, [a]

    def add(self, k):
        self.a = (self.a + k) % 1009
        if k % 3 == 0:
            self.b += 1
        return self

    def last(self):
        at, turns = self, 0
        while at.next is not None and turns < 7:
            at, turns = at.next, turns + 1
        return at


@dataclasses.dataclass
class D:
    c: C
    k: int = 0

    def turn(self, other):
        self.c, other.c = other.c, self.c
        self.k += 1


def digest(c):
    total, turns = 0, 0
    while c is not None and turns < 9:
        total = (total * 31 + c.a * 7 + c.b + len(c.rows) * 3 + sum(c.rows)) % 1000003
        c, turns = c.next, turns + 1
    return total


def deep(c, k):
    if k > 0:
        c.a = (c.a + k) % 1009
        if c.next is None:
            c.next = C(k)
        else:
            deep(c.next, k - 1)


def one(cs, i):
    return cs[i % len(cs)]


def swapped(c, d):
    c.a, d.a = d.a, c.a
    return d


"""


def program(seed, called="program"):
    """The text of a function of two numbers, which gives what its objects hold."""
    return Author(seed).program(called)


class Author:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def program(self, called):
        self.lines, self.depth, self.numbers = [f"def {called}(n: int, m: int):"], 1, ["n", "m", "total"]
        self.line("total, p, q = 0, C(n), C(m)")
        self.line(f"cs = {self.choice(['[C(i) for i in range(n + 1)]', '[p, q]', '[C(1)] * (n + 1)', '[p] + [C(i, q) for i in range(n)]'])}")
        self.line(f"us = {self.choice(['[C(i * m) for i in range(2)]', 'cs[:]', 'cs', '[q, p, q]', '[c for c in cs if c.a % 2 == 0] + [p]'])}")
        self.line("ds, best, table = [D(p), D(q, 2)], None, {0: p}")
        self.line("ds += [D(c) for c in cs]")
        for _ in range(self.random.randint(2, 7)):
            self.statement()
        self.line("for k, c in enumerate(cs + us + [d.c for d in ds] + list(table.values())): total = (total * 3 + digest(c) * (k + 1)) % 1000003")
        self.line("return total, digest(p), digest(q), digest(best), [d.k for d in ds], [c is p for c in cs], len(us)")
        return "\n".join(self.lines) + "\n"

    def choice(self, values):
        return self.random.choice(values)

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def number(self):
        return self.choice([str(self.random.randint(0, 9)), f"{self.choice(self.numbers)} % 97", f"{self.object()}.a", f"len({self.list()})", f"{self.object()}.b"])

    def list(self):
        return self.choice(["cs", "us"])

    def object(self):
        list_ = self.list()
        return self.choice(["p", "q", f"{list_}[{self.choice(self.numbers)} % len({list_})]", f"{list_}[-1]", f"{list_}[0]", f"ds[{self.choice(self.numbers)} % len(ds)].c", f"one({list_}, {self.choice(self.numbers)})",
                            f"table.get({self.choice(self.numbers)} % 3, p)", "p.last()", f"max({list_}, key=lambda c: c.a)", f"({self.condition()} and p or q)" if self.random.random() < 0.1 else "q"])

    def condition(self):
        return self.choice([f"{self.choice(self.numbers)} % 3 == {self.random.randint(0, 2)}", f"{self.choice(['p', 'q', 'cs[0]', 'us[-1]'])} is {self.choice(['p', 'q', 'cs[-1]', 'us[0]'])}", "p.a > q.a", "p in us", "best is None"])

    def statement(self):
        kind, list_ = self.random.randint(0, 21), self.list()
        if kind == 0:
            self.line(f"{self.object()}.a = {self.number()}")
        elif kind == 1:
            self.line(f"{self.object()}.add({self.number()}).b += 1")
        elif kind == 2:
            self.line(f"{self.choice('pq')} = {self.object()}")
        elif kind == 3 and self.depth == 1:
            self.line(f"{list_}.append({self.choice([self.object(), f'C({self.number()})'])})")
        elif kind == 4:
            self.line(f"{self.object()}.next = {self.choice(['None', self.object(), f'C({self.number()})'])}")
        elif kind == 5:
            self.line(f"{self.object()}.rows.append({self.number()})")
        elif kind == 6:
            self.line(f"{list_}.{self.choice(['reverse()', 'sort(key=lambda c: c.a)', *([f'insert(0, {self.object()})'] if self.depth == 1 else [])])}")
        elif kind == 7:
            self.line(f"total += swapped({self.object()}, {self.object()}).a")
        elif kind == 8:
            self.line(f"deep({self.object()}, {self.random.randint(0, 3)})")
        elif kind == 9:
            self.line(f"ds[{self.choice(self.numbers)} % len(ds)].turn(ds[-1])")
        elif kind == 10:
            self.line(f"table[{self.choice(self.numbers)} % 3] = {self.object()}")
        elif kind == 11:
            self.line(f"{self.choice('pq')} = {self.object()} if {self.condition()} else {self.object()}")
        elif kind == 12:
            self.line(f"if len({list_}) > 2: total += {list_}.pop({self.choice(['', '0'])}).a")
        elif kind == 13:
            self.line(f"total += len(set({list_})) + (best == {self.object()}) + {list_}.count({self.object()})")
        elif kind == 14:
            self.line(f"if {self.object()} in {list_} and len({list_}) > 2: {list_}.remove({list_}[1])")
        elif self.depth < 3 and kind < 19:
            self.line(self.choice([f"for c in {list_}:", f"for i in range(m):", f"for c in {list_}[:]:", f"if {self.condition()}:", "for c in list(table.values()):"]))
            in_loop = self.lines[-1].strip().startswith("for c")
            self.depth += 1
            if in_loop:
                self.line(self.choice(["c.a += 1", f"c.add({self.number()})", "if best is None or c.a > best.a: best = c", "c.b += c is p", f"if c is not q: c.next = {self.choice(['q', 'None', 'C(c.a)'])}"]))
            for _ in range(self.random.randint(1, 2)):
                self.statement()
            self.depth -= 1
        else:
            self.line("if best is not None: best.a, best = best.a + 1, best.next")
