"""Random programs over dicts and sets whose keys are known only when they run: what is put in, taken out, looked for, gone through, copied, given to
functions and reached by two names, under conditions and in loops."""
import random

HEAD = """
import collections


def counted(d, k):
    d[k] = d.get(k, 0) + 1
    return len(d)


def cut(d, k):
    if k in d and len(d) > 3:
        return d.pop(k)
    return d.setdefault(k, k * 2)


def deep(d, k):
    if k < 1 or k in d:
        return d.get(k, 1)
    d[k] = (deep(d, k - 1) + deep(d, k // 2)) % 1009
    return d[k]

"""


def program(seed, called="program"):
    """The text of a function of two numbers, which gives a number and what its dicts hold."""
    return Author(seed).program(called)


class Author:
    def __init__(self, seed):
        self.random, self.number = random.Random(seed), 0

    def program(self, called):
        self.lines, self.depth, self.loops = [f"def {called}(n: int, m: int):"], 1, []
        self.dicts, self.sets, self.numbers = ["a", "b"], ["s", "t"], ["n", "m", "total"]
        self.line("total = 0")
        self.line(f"a, b = {self.choice(['{}', '{1: 2, 3: 4}', '{n: 1}', 'dict()'])}, {self.choice(['{}', '{0: m}', 'collections.Counter()', 'collections.defaultdict(int)'])}")
        self.line(f"s, t = {self.choice(['set()', '{1, 2}', '{m, n}'])}, {self.choice(['set()', 'set(range(4))'])}")
        for _ in range(self.random.randint(3, 7)):
            self.statement()
        self.line("return total, str(list(a.items())), str(sorted(b.items())), str(sorted(s)), len(t)")
        return "\n".join(self.lines) + "\n"

    def choice(self, values):
        return self.random.choice(values)

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def value(self):
        kind = self.random.randrange(6)
        if kind == 0:
            return str(self.random.randint(-3, 9))
        if kind == 1:
            return f"({self.choice(self.numbers)} * {self.random.randint(1, 7)} + {self.choice(self.numbers)}) % {self.random.randint(3, 23)}"
        if kind == 2:
            return f"len({self.choice(self.dicts + self.sets)})"
        if kind == 3:
            return f"{self.choice(self.dicts)}.get({self.key()}, {self.choice(self.numbers)} % 50)"
        return f"{self.choice(self.numbers)} % 97"

    def key(self):
        return self.choice([f"{self.choice(self.numbers)} % {self.random.randint(2, 40)}", f"{self.choice(self.numbers)} * 1024 % 9000",
                            str(self.random.randint(-2, 5)), f"-{self.choice(self.numbers)} % 11 - 5"])

    def condition(self):
        kind = self.random.randrange(4)
        if kind == 0:
            return f"{self.key()} {self.choice(['in', 'not in'])} {self.choice(self.dicts + self.sets)}"
        if kind == 1:
            return f"{self.choice(['', 'not '])}{self.choice(self.dicts + self.sets)}"
        if kind == 2:
            return f"{self.value()} {self.choice(['<', '==', '>='])} {self.value()}"
        return f"{self.choice(self.sets)} {self.choice(['<=', '==', '>'])} {self.choice(self.sets)}"

    def statement(self):
        kinds = [self.store] * 4 + [self.take] * 2 + [self.of_set] * 3 + [self.call, self.read]
        if self.depth < 4:
            kinds += [self.branch] * 2 + [self.loop] * 2 + [self.through]
        self.choice(kinds)()

    def store(self):
        d = self.choice(self.dicts)
        self.line(self.choice([f"{d}[{self.key()}] = {self.value()}", f"{d}[{self.key()}] = {self.value()}", f"{d}.setdefault({self.key()}, {self.value()})",
                               f"{d}.update({{{self.key()}: {self.value()}, {self.key()}: 7}})"]))

    def take(self):
        d = self.choice(self.dicts)
        if self.random.randrange(8) == 0:
            self.line(f"{d}.clear()")
        elif self.random.randrange(4) == 0:
            key = self.choice([f"{d}.popitem()[0]", f"{d}.pop(next(iter({d})))", f"next(reversed({d}))"])
            self.line(f"if {d}: total += {key}")
        elif self.random.randrange(3) == 0:
            key = self.key()
            self.line(f"k{self.depth} = {key}")
            self.line(f"if k{self.depth} in {d}: del {d}[k{self.depth}]")
        else:
            self.line(f"total += {d}.pop({self.key()}, {self.random.randint(0, 5)})")

    def of_set(self):
        s, t = self.choice(self.sets), self.choice(self.sets)
        self.line(self.choice([f"{s}.add({self.key()})", f"{s}.add({self.key()})", f"{s}.discard({self.key()})", f"{s} |= {t}", f"{s} -= {{{self.key()}}}",
                               f"{s} = {s} ^ {{{self.key()}}}", f"{s} = {{k % 17 for k in sorted({t})}}", f"{s}.update({self.choice(self.dicts)})"]))

    def call(self):
        self.line(f"total += {self.choice(['counted', 'cut', 'deep'])}({self.choice(self.dicts)}, ({self.key()}) % 60)")

    def read(self):
        d = self.choice(self.dicts)
        self.line(self.choice([f"total += sum({d}.values()) % 1000", f"total += max({d}, default=3)", f"total += len({{**{d}, {self.key()}: 1}})",
                               f"total += sum({self.choice(self.sets)})", f"total += len({d}.copy())", f"total += {d} == {self.choice(self.dicts)}",
                               f"total += sum([k * v % 7 for k, v in zip({d}, {self.choice(self.dicts)}.values())])", f"total += len({d}.keys() & {self.choice(self.sets)})",
                               f"for k, v in reversed({d}.items()): total = total * 3 % 10007 + k - v"]))

    def block(self):
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            self.statement()
        self.depth -= 1

    def branch(self):
        self.line(f"if {self.condition()}:")
        self.block()
        if self.random.randrange(2):
            self.line("else:")
            self.block()

    def loop(self):
        self.number += 1
        name = f"i{self.number}"
        self.line(f"for {name} in range({self.choice(['n', 'm', 'n + m', '3'])}):")
        self.numbers.append(name)
        self.block()
        self.numbers.remove(name)

    def through(self):
        self.number += 1
        name = f"k{self.number}_"
        d = self.choice(self.dicts)
        self.line(self.choice([f"for {name} in list({d}):", f"for {name} in {d}:", f"for {name} in sorted({self.choice(self.sets)}):"]))
        self.numbers.append(name)
        self.block()
        self.numbers.remove(name)
