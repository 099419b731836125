"""Random programs over dicts, sets and deques that stand in lists and in dicts: they are changed there, by names of their own, in loops over them and by
functions; they get other names, stand in several lists, change places and are taken out."""
import random

HEAD = """
import collections


def digest(ts):
    total = len(ts)
    for t in ts:
        for k, v in t.items():
            total = (total * 31 + k * 7 + v) % 1000003
        total = total * 3 % 1000003
    return total


def put(t, k, v):
    t[k] = v
    return len(t)


def moved(t, u, k):
    u[k] = t.pop(k, 5)
    t[k + 1] = u.get(k - 1, 2)
    return t


def deep(ts, k):
    if k > 0:
        ts[k % len(ts)][k] = len(ts[0])
        deep(ts, k - 1)


def one(ts, i):
    return ts[i % len(ts)]


"""


def program(seed, called="program"):
    """The text of a function of two numbers, which gives what its containers hold."""
    return Author(seed).program(called)


class Author:
    def __init__(self, seed):
        self.random, self.number = random.Random(seed), 0

    def program(self, called):
        self.lines, self.depth, self.numbers = [f"def {called}(n: int, m: int):"], 1, ["n", "m", "total"]
        self.lists, self.names, self.of_dicts = ["ts", "us"], ["d", "e"], ["dd", "ee"]
        self.line("total = 0")
        self.line("d, e = {}, {n: m}")
        self.line(f"ts = {self.choice(['[{} for _ in range(n)]', '[{i: n} for i in range(n + 1)]', '[{}, {1: 2}, {}]', '[d, e]', '[{}] * n'])}")
        self.line(f"us = {self.choice(['[{} for _ in range(n)]', '[{}, {n: 1}]', 'ts[:]', '[dict(t) for t in ts]', 'ts', '[]'])}")
        self.line(f"dd, ee = {{}}, {self.choice(['{}', '{1: {}}', 'collections.defaultdict(dict)'])}")
        self.line("gs, qs = [set() for _ in range(n + 1)], [collections.deque() for _ in range(2)]")
        self.line("ts.append({})")
        self.line("us.append({})")
        for _ in range(self.random.randint(2, 6)):
            self.statement()
        self.line("total = (total + digest(ts) * 3 + digest(us) * 5 + digest(list(dd.values())) * 7 + digest(list(ee.values())) * 11) % 1000003")
        self.line("return total, digest([d, e]), [len(g) for g in gs], [len(q) for q in qs]")
        return "\n".join(self.lines) + "\n"

    def choice(self, values):
        return self.random.choice(values)

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def value(self):
        return self.choice([str(self.random.randint(0, 9)), f"{self.choice(self.numbers)} % 97", f"len({self.table()})", f"{self.table()}.get({self.key()}, 4) % 50"])

    def key(self):
        return self.choice([f"{self.choice(self.numbers)} % {self.random.randint(2, 20)}", str(self.random.randint(0, 4))])

    def place(self, list_):
        return self.choice(["0", "-1", f"({self.key()}) % len({list_})"])

    def table(self):
        """A dict of numbers."""
        list_ = self.choice(self.lists)
        return self.choice([f"{list_}[{self.place(list_)}]"] * 4 + [self.choice(self.names)] * 3)

    def statement(self):
        kinds = [self.change] * 6 + [self.name, self.alias, self.alias, self.call, self.read, self.in_dict, self.in_dict, self.others]
        if self.depth < 4:
            kinds += [self.branch, self.loop, self.loop, self.through, self.through]
        self.choice(kinds)()

    def change(self, table=None):
        t = table or self.table()
        self.line(self.choice([f"{t}[{self.key()}] = {self.value()}"] * 4 + [
            f"{t}[{self.key()}] = {t}.get({self.key()}, 0) + 1", f"total += {t}.pop({self.key()}, 3)", f"{t}.setdefault({self.key()}, {self.value()})",
            f"{t}.update({{{self.key()}: {self.value()}, 3: 7}})", f"{t}.clear()", f"if {self.key()} in {t}: total += 1", f"if {t}: {t}.popitem()"]))

    def name(self):
        """A name gets another dict."""
        list_ = self.choice(self.lists)
        new = self.choice([f"{list_}[{self.place(list_)}]"] * 3 + [f"one({list_}, {self.key()})", "{}", "d", "e", f"dd.setdefault({self.key()}, {{}})", f"ee.get({self.key()}, {{}})"])
        name = self.choice(self.names)
        self.line(f"{name} = {new}")
        self.change(name)

    def alias(self):
        list_, other = self.choice(self.lists), self.choice(self.lists)
        self.line(self.choice([
            f"{list_}.append({self.table()})", f"{list_}[{self.place(list_)}] = {self.table()}", f"{list_}.append({{}})", f"{list_}.append(dict({self.table()}))",
            f"{list_} = {other}[:]", f"{list_} = [dict(t) for t in {other}]", f"{list_}.reverse()", f"{list_}.insert(0, {self.table()})", f"{list_}.insert(0, {{}})",
            f"{list_}[0], {list_}[-1] = {list_}[-1], {list_}[0]", f"if len({list_}) > 1: {other}.append({list_}.pop())", f"if len({list_}) > 1: d = {list_}.pop(0)",
            f"if len({list_}) > 1: del {list_}[0]", f"{list_} = {other}", "d, e = e, d", f"{list_} = {other} + {list_}", f"{list_}.extend({other})",
            f"{list_} = sorted({other}, key=len)", f"d = max({list_}, key=len)"]))

    def in_dict(self):
        d = self.choice(self.of_dicts)
        self.line(self.choice([
            f"{d}.setdefault({self.key()}, {{}})[{self.key()}] = {self.value()}", f"{d}[{self.key()}] = {{}}", f"{d}[{self.key()}] = {self.table()}",
            f"if 1 in {d}: {d}[1][{self.key()}] = {self.value()}", f"{d}[2] = {{{self.key()}: 1}}\n{'    ' * self.depth}{d}[2][{self.key()}] = {self.value()}",
            f"total += len({d}.pop({self.key()}, {{}}))", f"ee = collections.defaultdict(dict)\n{'    ' * self.depth}ee[{self.key()}][{self.key()}] = 3",
            f"{d}.setdefault({self.key()}, {self.table()})[3] = {self.value()}"]))

    def others(self):
        g, q = f"gs[{self.place('gs')}]", f"qs[{self.place('qs')}]"
        self.line(self.choice([f"{g}.add({self.key()})", f"{g} |= {{{self.key()}, 2}}", f"{g}.discard({self.key()})", f"{g}.update({self.table()})", f"{q}.append({self.key()})",
                               f"{q}.appendleft({self.key()})", f"if {q}: total += {q}.popleft()", f"{q}.extend([1, {self.key()}])", "gs.append(gs[0])", "q = qs[0]\n"
                               + "    " * self.depth + "q.append(n)", f"for g in gs: g.add({self.key()})", f"for q in qs: q.append({self.key()})"]))

    def call(self):
        list_ = self.choice(self.lists)
        self.line(self.choice([f"total += put({self.table()}, {self.key()}, {self.value()})", f"moved({self.table()}, {self.table()}, {self.key()})[5] = {self.value()}",
                               f"deep({list_}, {self.key()})", f"d = moved({self.table()}, {self.table()}, {self.key()})", f"total += len(one({list_}, {self.key()}))"]))

    def read(self):
        self.line(self.choice([f"total += sum({self.table()}.values()) % 1000", f"total = (total * 3 + digest({self.choice(self.lists)})) % 1000003", f"total += len({self.table()})",
                               f"total += {self.table()} == {self.table()}"]))

    def block(self, *tables):
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            self.change(self.choice(tables)) if tables and self.random.randrange(3) else self.statement()
        self.depth -= 1

    def branch(self):
        self.line(f"if {self.choice([f'{self.key()} in {self.table()}', f'{self.value()} < {self.value()}', f'len({self.table()}) > 1'])}:")
        self.block()
        if self.random.randrange(2):
            self.line("else:")
            self.block()

    def loop(self):
        self.number += 1
        name = f"i{self.number}"
        if self.random.randrange(4) == 0:
            self.line(f"{name} = {self.choice(['n', 'm', '3'])}")
            self.line(f"while {name} > 0:")
            self.depth += 1
            self.line(f"{name} -= 1")
            self.depth -= 1
        else:
            self.line(f"for {name} in range({self.choice(['n', 'm', '3'])}):")
        self.numbers.append(name)
        self.block()
        self.numbers.remove(name)

    def through(self):
        self.number += 1
        name = f"t{self.number}"
        list_, other = self.choice(self.lists), self.choice(self.lists)
        self.line(self.choice([f"for {name} in {list_}:"] * 3 + [f"for k, {name} in enumerate({list_}):", f"for {name}, {name}b in zip({list_}, {other}):",
                                                              f"for k, {name} in {self.choice(self.of_dicts)}.items():", f"for {name} in list({list_}):"]))
        self.block(name)
