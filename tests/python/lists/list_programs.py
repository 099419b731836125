"""Random programs over lists and lists of lists that loops change: items set, appended, popped, inserted, deleted, rows under another name; lists of
pairs, and lists that functions and structures are given."""
import random

HEAD = """
import lantern as lt


@lt.struct
class Box:
    xs: list[int]
    k: int


def changed(xs, k):
    if len(xs) > 0:
        xs[k % len(xs)] += k
    xs.append(k)
    return sum(xs)


def grown(xs, k):
    ys = list(xs)
    for i in range(len(ys)):
        ys[i] = (ys[i - 1] + k) % 101
    return ys + [k]


def first_of(xs, k):
    for i in range(len(xs)):
        if xs[i] > k:
            return i
    return -1

"""

def program(seed, called="program"):
    """The text of a function of two numbers, which gives a number and all its lists."""
    return Author(seed).program(called)


class Author:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lists = [f"xs{i}" for i in range(self.random.randint(1, 3))]
        self.tables = [f"t{i}" for i in range(self.random.randint(0, 2))]
        self.pairs = [f"ps{i}" for i in range(self.random.randint(0, 1))]
        self.numbered = 0

    def one_of(self, *choices):
        return self.random.choice(choices)

    def program(self, called="program"):
        lines = [f"def {called}(n: int, m: int):", "    total = 0"]
        for name in self.lists:
            lines.append(f"    {name} = " + self.one_of("[0] * n", "[i * 3 % 7 for i in range(n)]", "list(range(m))", "[1, 2, 3, 4]", "[5] * m"))
        for name in self.tables:
            lines.append(f"    {name} = " + self.one_of("[[0] * m for _ in range(n)]", "[[i + j for j in range(m)] for i in range(n)]", "[[1, 2], [3, 4], [5, 6]]"))
        for name in self.pairs:
            lines.append(f"    {name} = " + self.one_of("[(i, i * 2) for i in range(n)]", "[(1, 2), (m, n)]", "[(0, 0)] * m"))
        for _ in range(self.random.randint(1, 3)):
            lines += self.loop("    ", [], 1)
        return "\n".join([*lines, "    return total, " + ", ".join(self.lists + self.tables + self.pairs), ""])

    def number(self, names):
        which = self.random.random()
        if which < .25 or not names:
            return str(self.random.randint(-2, 6))
        if which < .55:
            return self.random.choice(names)
        if which < .8:
            return self.item(names)
        if which < .9:
            return f"len({self.random.choice(self.lists)})"
        return f"({self.number(names)} {self.one_of('+', '-', '*')} {self.number(names)}) % 11"

    def item(self, names):
        if self.tables and self.random.random() < .4:
            return self.cell(names)
        name = self.random.choice(self.lists)
        return f"{name}[{self.place(name, names)}]"

    def cell(self, names):
        name = self.random.choice(self.tables)
        return f"{name}[{self.place(name, names)}][{self.place(name + '[0]', names)}]"

    def place(self, name, names):
        at = self.random.choice(names) if names and self.random.random() < .8 else str(self.random.randint(0, 2))
        return f"{at} % max(len({name}), 1)" if self.random.random() < .93 else self.one_of("-1", "0")

    def loop(self, indent, names, depth):
        self.numbered += 1
        i, inner = f"i{self.numbered}", indent + "    "
        if self.random.random() < .75:
            bound = self.one_of("n", "m", "3", f"min(len({self.random.choice(self.lists)}), 6)") if names else self.one_of("n", "m")
            return [f"{indent}for {i} in range({bound}):", *self.block(inner, [*names, i], depth)]
        return [f"{indent}{i} = 0", f"{indent}while {i} < {self.one_of('n', 'm', '4')}:", *self.block(inner, [*names, i], depth), f"{inner}{i} += 1"]

    def block(self, indent, names, depth):
        kinds, weights = zip(*self.statements.items())
        lines = []
        for _ in range(self.random.randint(1, 4)):
            kind = self.random.choices(kinds, weights)[0]
            lines += [indent + line for line in kind(self, names, depth)]
        return lines

    def set_item(self, names, depth):
        return [f"{self.item(names)} {self.one_of('=', '=', '=', '+=')} {self.number(names)}"]

    def grow(self, names, depth):
        name = self.random.choice(self.lists)
        return [self.one_of(f"{name}.append({self.number(names)})", f"{name}.insert({self.one_of('0', '1', '-1', '100', self.number(names))}, {self.number(names)})")]

    def shrink(self, names, depth):
        name = self.random.choice(self.lists)
        return [f"if len({name}) > 1:", "    " + self.one_of(f"total += {name}.pop()", f"total += {name}.pop({self.one_of('0', '-1', '1')})", f"del {name}[{self.one_of('0', '-1', '1')}]")]

    def swap(self, names, depth):
        if self.tables and self.random.random() < .5:
            name = self.random.choice(self.tables)
            return [f"if len({name}) > 0:", f"    at, by = {self.place(name, names)}, {self.place(name, names)}", f"    {name}[at], {name}[by] = {name}[by], {name}[at]"]
        name = self.random.choice(self.lists)
        return [f"if len({name}) > 1:", f"    {name}[0], {name}[-1] = {name}[-1], {name}[0]"]

    def replace(self, names, depth):
        name, other = self.random.choice(self.lists), self.random.choice(self.lists)
        return [f"{name} = " + self.one_of(f"{name}[::-1]", f"{name}[1:] + {name}[:1]", f"list({other})", f"sorted({name})", f"{other}[:]", f"{other}.copy()", f"{other} + {name}[:1]")]

    def row(self, names, depth):
        if not self.tables:
            return self.sum(names, depth)
        name = self.random.choice(self.tables)
        place, other = self.place(name, names), self.place(name, names)
        new = self.one_of("[0] * m", f"[x * 2 for x in {name}[{other}]]", f"{name}[{other}][:]", f"list({self.random.choice(self.lists)})")
        return [self.one_of(f"{name}[{place}].append({self.number(names)})", f"{name}[{place}] = {new}")]

    def another_name(self, names, depth):
        if not self.tables:
            return self.sum(names, depth)
        self.numbered += 1
        name, row = self.random.choice(self.tables), f"row{self.numbered}"
        between = self.one_of([], [f"{name}[0][0] = {self.number(names)}"], [f"{row}[0] = {self.number(names)}"])
        return [f"{row} = {name}[{self.place(name, names)}]", f"total += {row}[0]", *between, f"total += {row}[0] + {name}[0][0]"]

    def along(self, names, depth):
        name, other = self.random.choice(self.lists), self.random.choice(self.lists)
        head = self.one_of(f"for v in {name}:", f"for k, v in enumerate({name}):", f"for v in list({name}):", f"for v, k in zip({name}, range(n)):")
        place = self.one_of("0", "-1", "total") if "k" not in head else self.one_of("0", "k + 1", "k")
        return [head, "    total = total * 3 % 1009 + v"] + self.one_of([], [], [f"    if len({other}) > 0:", f"        {other}[({place}) % len({other})] = v"])

    def along_row(self, names, depth):
        if not self.tables:
            return self.sum(names, depth)
        name = self.random.choice(self.tables)
        return [f"for v in {name}[{self.place(name, names)}]:", "    total = total * 3 % 1009 + v"] + self.one_of([], [f"    {self.random.choice(self.lists)}.append(v)"])

    def of_pairs(self, names, depth):
        if not self.pairs:
            return self.sum(names, depth)
        name = self.random.choice(self.pairs)
        pair, place = f"({self.number(names)}, {self.number(names)})", self.place(name, names)
        return self.one_of([f"{name}[{place}] = {pair}"], [f"{name}.append({pair})"], [f"a, b = {name}[{place}]", "total += a - b"], [f"{name}[{place}] = {name}[{self.place(name, names)}]"],
                           [f"if len({name}) > 1:", f"    a, b = {name}.pop({self.one_of('', '0')})", f"    {name}.insert(0, (b, a + 1))"],
                           [f"for a, b in {name}:", "    total = total * 3 % 1009 + a * b"])

    def given(self, names, depth):
        name, number = self.random.choice(self.lists), self.number(names)
        return [self.one_of(f"total += changed({name}, {number})", f"{name} = grown({name}, {number})", f"total += first_of({name}, {number})",
                            f"total += first_of(grown({name}, {number}), 3)", f"{self.random.choice(self.lists)} = grown({name}, {number})[:5]")]

    def held(self, names, depth):
        self.numbered += 1
        name, box = self.random.choice(self.lists), f"box{self.numbered}"
        return [f"{box} = Box({self.one_of(f'list({name})', f'{name}[:]', f'{name} + [1]')}, {self.number(names)})", *self.set_item(names, depth), f"total += {box}.k + sum({box}.xs)"]

    def sum(self, names, depth):
        return [f"total = total * 3 % 1009 + {self.number(names)} + sum({self.random.choice(self.lists)})"]

    def choose(self, names, depth):
        if depth > 3:
            return self.sum(names, depth)
        lines = [f"if {self.number(names)} {self.one_of('<', '==', '>')} {self.number(names)}:", *self.block("    ", names, depth + 1)]
        return lines + self.one_of([], ["else:", *self.block("    ", names, depth + 1)])

    def repeat(self, names, depth):
        return self.sum(names, depth) if depth > 2 else self.loop("", names, depth + 1)

    def leave(self, names, depth):
        return ["if total % 5 == 0:", "    break"]

    statements = {set_item: 30, grow: 12, shrink: 8, swap: 3, replace: 4, row: 6, another_name: 4, along: 4, along_row: 2, of_pairs: 5, given: 5, held: 2, sum: 5, choose: 8, repeat: 12, leave: 2}
