"""Random programs on lists of lists that several names mean: `f(x: float, n: int)` of statements that read, change, exchange, and put away rows."""
import random
import textwrap

PRELUDE = '''
def add(row, v):
    row.append(v)


def same(row, k):
    return row


def nth(rows, k):
    return rows[k % len(rows)]


def put(rows, row):
    rows.append(row)


def grow_one(rows, k):
    rows[k % len(rows)].append(1.5)


def grow_some(rows, k):
    if k > 0:
        rows[k % len(rows)].append(0.5)
        grow_some(rows, k - 1)


def longer(rows, v):
    return [row + [v] for row in rows]
'''
STARTS = ("rows = [[x], [2.0, x]]", "rows = [[x + i] for i in range(n + 2)]", "rows = [[x]]\nfor i in range(n + 1):\n    rows.append([i * x])", "rows = [xs, [2.0 * x], [5.0]]")
CONDITIONS = ("n > 1", "n % 2 == 0", "len(a) > 1", "len(rows) > 2")


class RowProgram:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def choose(self, *texts):
        return self.random.choice(texts)

    def number(self):
        return self.choose("x", "1.5", "x * x", "x * 0.5", "float(n)", "float(len(rows))")

    def place(self, turn):
        return self.choose("0", "-1", "n % len(rows)", "n - n", "1", *(["i % len(rows)"] if turn else []))

    def row(self, turn):
        return self.choose("a", "b", "c", "xs", f"rows[{self.place(turn)}]", f"rows[{self.place(turn)}]")

    def new_row(self, turn):
        return self.choose(f"[{self.number()}]", f"[{self.number()}, 2.0]", f"list({self.row(turn)})", f"{self.row(turn)} + [{self.number()}]", f"{self.row(turn)}[:1]",
                           f"[v * x for v in {self.row(turn)}]")

    def any_row(self, turn):
        return self.choose(self.row(turn), self.row(turn), self.new_row(turn), "nth(rows, n)", f"same({self.row(turn)}, 1)",
                           f"({self.row(turn)} if n > 2 else {self.row(turn)})", f"[{self.row(turn)}, {self.new_row(turn)}][n - n]")

    def change(self, turn):
        row, other = self.row(turn), self.row(turn)
        return self.choose(f"{row}.append({self.number()})", f"{row}[0] = {self.number()}", f"{row}[-1] += {self.number()}", f"{row} += [{self.number()}]",
                           f"add({row}, {self.number()})", f"{row}.extend({other})", f"{row}.pop(0)\n{row}.append(3.0)", f"{row}.insert(0, {self.number()})",
                           f"{row}.reverse()", f"{row}[0] = {other}[-1] * x", f"{row}.append({other}[0] * {other}[-1])", f"{row}[-1] *= x", f"{row}[0] += {other}[0] * 0.5")

    def change_of_rows(self, turn):
        name = self.choose("a", "b", "c")
        return self.choose(f"rows.append({self.any_row(turn)})", f"rows[{self.place(turn)}] = {self.any_row(turn)}", f"rows.insert(0, {self.any_row(turn)})",
                           f"{name} = rows.pop()\nrows.append([x])", f"{name} = rows.pop(0)\nrows.append([x])", "rows.reverse()", "rows.sort(key=len)",
                           f"put(rows, {self.any_row(turn)})", "rows = rows[::-1]", "rows = longer(rows, x)", "rows = [list(row) for row in rows]",
                           "rows[0], rows[-1] = rows[-1], rows[0]", "grow_one(rows, n)", "grow_some(rows, 2)", "rows = list(rows)", f"rows = rows + [{self.any_row(turn)}]",
                           f"rows.append({name})\n{name} = [x]")

    def statement(self, depth, turn):
        kind = self.random.random()
        if kind < 0.25:
            return self.change(turn)
        if kind < 0.45:
            return f"{self.choose('a', 'b', 'c', 'xs')} = {self.any_row(turn)}"
        if kind < 0.5:
            return self.choose("a, b = b, a", "b, c = c, b", "a, xs = xs, a", "a, b, c = c, a, b")
        if kind < 0.65:
            return self.change_of_rows(turn)
        if kind < 0.74 or depth == 0:
            return f"total += sum({self.any_row(turn)}) * {self.random.randint(1, 9)}"
        if kind < 0.84:
            other = f"\nelse:\n{self.block(depth - 1, turn)}" if self.random.random() < 0.5 else ""
            return f"if {self.choose(*CONDITIONS)}:\n{self.block(depth - 1, turn)}{other}"
        if kind < 0.92:
            return f"for i in range(n):\n{self.block(depth - 1, True)}"
        head = self.choose("for {} in rows:", "for {} in rows[:]:", "for {} in list(rows):", "for j, {} in enumerate(rows):")
        return f"{head.format(self.choose('a', 'b', 'c'))}\n{self.block(depth - 1, turn)}"

    def block(self, depth, turn):
        return textwrap.indent("\n".join(self.statement(depth, turn) for _ in range(self.random.randint(1, 3))), "    ")

    def body(self):
        statements = "\n".join(self.statement(2, False) for _ in range(self.random.randint(2, 6)))
        return (f"xs, i, total = [x, 3.0], 0, 0.0\n{self.choose(*STARTS)}\na, b, c = rows[0], [x], xs\n{statements}\n"
                "return total + sum([sum(row) * (k + 1) for k, row in enumerate(rows)]) + 7 * sum(a) + 11 * sum(b) + 13 * sum(c) + 17 * sum(xs)")


def program(seed, name):
    """The text of one, under that name."""
    return f"def {name}(x: float, n: int):\n{textwrap.indent(RowProgram(seed).body(), '    ')}\n"
