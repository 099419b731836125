"""Random programs on lists of lists that several names mean: `f(x: float, n: int)` of statements that read, change, exchange, put away, give and take
rows, of a list, and in some programs of a dict, a tuple, and an object."""
import random
import textwrap

PRELUDE = '''
class Bag:
    def __init__(self, row):
        self.rows, self.row, self.count = [row], row, 0

    def put(self, row):
        self.rows.append(row)

    def keep(self, row):
        self.rows.append(self.row)
        self.row = row
        self.count += 1

    def last(self):
        return self.rows[-1]


def add(row, v):
    row.append(v)


def set_first(row, v):
    row[0] = v


def same(row, k):
    return row


def nth(rows, k):
    return rows[k % len(rows)]


def longer_one(row, other):
    return row if len(row) > len(other) else other


def swapped(row, other):
    return other, row


def both(row, other):
    return [row, other]


def deep(rows, k):
    return rows[0] if k <= 0 else deep(rows, k - 1)


def chosen(row, other, k):
    if k <= 0:
        return row
    return chosen(other, row, k - 1)


def first_long(rows, k):
    for row in rows:
        if len(row) > k:
            return row
    return rows[-1]


def taken(rows, k):
    return rows.pop(k % len(rows))


def put(rows, row):
    rows.append(row)


def put_and_add(rows, row, v):
    rows.append(row)
    row.append(v)


def put_deep(rows, row, k):
    if k <= 0:
        rows.append(row)
    else:
        put_deep(rows, row, k - 1)


def put_if(rows, row, k):
    if k > 1:
        rows.append(row)
        row = [0.5]
    row.append(1.5)
    return row


def set_row(rows, k, row):
    rows[k % len(rows)] = row


def grow_one(rows, k):
    rows[k % len(rows)].append(1.5)


def grow_some(rows, k):
    if k > 0:
        rows[k % len(rows)].append(0.5)
        grow_some(rows, k - 1)


def grow_row(row, k):
    if k > 0:
        row.append(0.25)
        grow_row(row, k - 1)


def exchange(rows):
    rows[0], rows[-1] = rows[-1], rows[0]


def exchange_entries(d):
    d['p'], d['q'] = d['q'], d['p']


def set_entry(d, row):
    d['p'] = row


def entry(d, k):
    return d['p'] if k > 1 else d['q']


def change_and_read(rows, row, v):
    row.append(v)
    return sum(rows[0]) + sum(rows[-1])


def change_one_and_read(rows, row, v):
    rows[0].append(v)
    return sum(row)


def change_one_of_two(row, other, v):
    row.append(v)
    other[0] += v
    return row[0]


def longer(rows, v):
    return [row + [v] for row in rows]
'''
STARTS = ("rows = [[x], [2.0, x]]", "rows = [[x + i] for i in range(n + 2)]", "rows = [[x]]\nfor i in range(n + 1):\n    rows.append([i * x])",
"rows = [xs, [2.0 * x], [5.0]]")
CONDITIONS = ("n > 1", "n % 2 == 0", "len(a) > 1", "len(rows) > 2")
OTHERS = {
    "d": ("d = {'p': a, 'q': [x, 0.5]}", ["d['p']", "d['q']"]),
    "t": ("t = (a, [x, 0.25])", ["t[0]", "t[1]"]),
    "bag": ("bag = Bag([x])", ["bag.rows[0]", "bag.rows[-1]", "bag.row", "bag.last()"]),
    "g": ("g = [[[x], [2.0, x]], [[x * x]]]\nfor i in range(n):\n    g.append([[x * i]])", ["g[0][0]", "g[-1][-1]", "g[n % len(g)][0]"]),
}


class RowProgram:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.others = [other for other in OTHERS if self.random.random() < 0.25]
        self.held = [row for other in self.others for row in OTHERS[other][1]]

    def choose(self, *texts):
        return self.random.choice(texts)

    def number(self):
        return self.choose("x", "1.5", "x * x", "x * 0.5", "float(n)", "float(len(rows))")

    def place(self, turn):
        return self.choose("0", "-1", "n % len(rows)", "n - n", "1", *(["i % len(rows)"] if turn else []))

    def row(self, turn):
        return self.choose("a", "b", "c", "xs", f"rows[{self.place(turn)}]", f"rows[{self.place(turn)}]", *self.held)

    def new_row(self, turn):
        return self.choose(f"[{self.number()}]", f"[{self.number()}, 2.0]", f"list({self.row(turn)})", f"{self.row(turn)} + [{self.number()}]",
                           f"{self.row(turn)}[:1]",
                           f"[v * x for v in {self.row(turn)}]")

    def given_row(self, turn):
        """A row that a call gives."""
        row, other = self.row(turn), self.row(turn)
        return self.choose("nth(rows, n)", f"same({row}, 1)", f"longer_one({row}, {other})", f"swapped({row}, {other})[0]", f"both({row}, {other})[1]",
                           "deep(rows, 2)",
                           f"chosen({row}, {other}, n)", "first_long(rows, 1)", *(["entry(d, n)"] if "d" in self.others else []))

    def any_row(self, turn):
        return self.choose(self.row(turn), self.row(turn), self.new_row(turn), self.new_row(turn), self.given_row(turn), self.given_row(turn),
                           f"({self.row(turn)} if n > 2 else {self.row(turn)})", f"[{self.row(turn)}, {self.new_row(turn)}][n - n]")

    def change(self, turn):
        row, other = self.row(turn), self.row(turn)
        return self.choose(f"{row}.append({self.number()})", f"{row}[0] = {self.number()}", f"{row}[-1] += {self.number()}",
                           f"{self.choose('a', 'b', 'c', 'xs', 'rows[0]')} += [{self.number()}]",
                           f"add({row}, {self.number()})", f"set_first({row}, {self.number()})", f"grow_row({row}, n)", f"{row}.extend({other})",
                           f"{row}.pop(0)\n{row}.append(3.0)",
                           f"{row}.insert(0, {self.number()})", f"{row}.reverse()", f"{row}[0] = {other}[-1] * x", f"{row}.append({other}[0] * {other}[-1])",
                           f"{row}[-1] *= x", f"{row}[0] += {other}[0] * 0.5")

    def change_of_rows(self, turn):
        name, row = self.choose("a", "b", "c"), self.any_row(turn)
        return self.choose(f"rows.append({row})", f"rows[{self.place(turn)}] = {row}", f"rows.insert(0, {row})",
                           f"{name} = rows.pop()\nrows.append([x])", f"{name} = rows.pop(0)\nrows.append([x])", "rows.reverse()", "rows.sort(key=len)",
                           f"put(rows, {row})", "rows = rows[::-1]", "rows = longer(rows, x)", "rows = [list(row) for row in rows]",
                           "rows[0], rows[-1] = rows[-1], rows[0]", "grow_one(rows, n)", "grow_some(rows, 2)", "rows = list(rows)", f"rows = rows + [{row}]",
                           f"rows.append({name})\n{name} = [x]", f"put(rows, {name})\n{name} = [x]",
                           f"{name} = taken(rows, n)\nrows.append([x])", f"put_and_add(rows, {name}, x)", f"put_deep(rows, {row}, n)",
                           f"{name} = put_if(rows, {name}, n)",
                           f"set_row(rows, n, {row})", "exchange(rows)")

    def change_of_others(self, turn):
        other, name, row = self.random.choice(self.others), self.choose("a", "b", "c"), self.any_row(turn)
        if other == "d":
            return self.choose("d['p'], d['q'] = d['q'], d['p']", f"d['p'] = {row}", f"d['q'] = {row}", "exchange_entries(d)", f"set_entry(d, {row})",
                               f"{name} = entry(d, n)",
                               f"{name}, d['q'] = d['q'], {name}", f"rows.append(d['p'])\nd['p'] = [x]", f"d = {{'p': {row}, 'q': {name}}}")
        if other == "t":
            return self.choose(f"t = ({row}, {name})", f"t = swapped({name}, {row})", "t = t[1], t[0]", f"{name}, t = t[0], (t[1], {name})", "a, b = t",
                               f"t = (t[0], {row})")
        if other == "g":
            inner, change = self.random.choice("abc"), self.choose("{}.append(x)", "{}[0] = x * {}[-1]", "add({}, x)", "{} = {}[:1]",
                                                                   "{}.pop()\n        {}.append({}[0] if {} else x)")
            return self.choose(f"g.append([{row}, [x]])", f"g[0] = [{row}]", f"g[-1].append({row})", "g.reverse()", f"{name} = g[0].pop()\ng[0].append([x])",
                               f"put(g[0], {row})",
                               f"for r in g:\n    for {inner} in r:\n        {change.replace('{}', inner)}", "g[0], g[-1] = g[-1], g[0]",
                               f"for i in range(len(g)):\n    for {inner} in g[i]:\n        {change.replace('{}', inner)}")
        return self.choose(f"bag.put({row})", f"bag.row = {row}", f"bag.keep({row})", f"{name} = bag.last()", f"bag.rows.append({row})",
                           f"bag.put({name})\n{name} = [x]",
                           f"bag.keep({name})\n{name} = [x]", f"bag.rows[-1] = {row}", f"bag.rows.pop()\nbag.rows.append({row})", "rows = bag.rows")

    def statement(self, depth, turn):
        kind = self.random.random()
        if kind < 0.25:
            return self.change(turn)
        if kind < 0.42:
            return f"{self.choose('a', 'b', 'c', 'xs')} = {self.any_row(turn)}"
        if kind < 0.5:
            return self.choose("a, b = b, a", "b, c = c, b", "a, xs = xs, a", "a, b, c = c, a, b", "a, b = swapped(a, c)",
                               "c, b = (a if n > 1 else b), (b if n > 1 else a)")
        if kind < 0.65:
            return self.change_of_others(turn) if self.others and self.random.random() < 0.5 else self.change_of_rows(turn)
        if kind < 0.74 or depth == 0:
            row, other = self.any_row(turn), self.row(turn)
            value = self.choose(*[f"sum({row})"] * 7, f"change_and_read(rows, {row}, x)", f"change_one_and_read(rows, {row}, x)",
                                f"change_one_of_two({row}, {other}, x)")
            return f"total += {value} * {self.random.randint(1, 9)}"
        if kind < 0.84:
            other = f"\nelse:\n{self.block(depth - 1, turn)}" if self.random.random() < 0.5 else ""
            return f"if {self.choose(*CONDITIONS)}:\n{self.block(depth - 1, turn)}{other}"
        if kind < 0.92:
            return f"for i in range(n):\n{self.block(depth - 1, True)}"
        head = self.choose("for {} in rows:", "for {} in rows[:]:", "for {} in list(rows):", "for j, {} in enumerate(rows):")
        return f"{head.format(self.choose('a', 'b', 'c'))}\n{self.block(depth - 1, turn)}"

    def block(self, depth, turn):
        return textwrap.indent("\n".join(self.statement(depth, turn) for _ in range(self.random.randint(1, 3))), "    ")

    def result(self):
        """What of the names is read at the end: what is not read is not missed where another list is it."""
        names = [*"abc", "xs", *self.held]
        read = [name for name in names if self.random.random() < 0.7]
        rows = ["sum([sum(row) * (k + 1) for k, row in enumerate(rows)])"] if self.random.random() < 0.8 else []
        return " + ".join(["total", *rows, *(f"{2 * number + 7} * sum({name})" for number, name in enumerate(read))])

    def body(self):
        statements = "\n".join(self.statement(2, False) for _ in range(self.random.randint(2, 6)))
        begin = f"xs, i, total = [x, 3.0], 0, 0.0\n{self.choose(*STARTS)}\na, b, c = rows[0], [x], xs"
        return "\n".join([begin, *(OTHERS[other][0] for other in self.others), statements, f"return {self.result()}"])


def program(seed, name):
    """The text of one, under that name."""
    return f"def {name}(x: float, n: int):\n{textwrap.indent(RowProgram(seed).body(), '    ')}\n"
