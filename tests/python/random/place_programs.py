"""Random programs that look for places in lists and arrays: loops over ranges and lists, searches from both ends, lists that get longer and shorter,
rows of rows, and places a little beside what is there.

Program N is the function `program_N(i: int, j: int, x: float, p: bool, t: Node, xs: list[int])`.
"""
import contextlib

from choices import Choices, Table, Writer

STATEMENT = Table("place statement", read=24, written=14, over_range=14, over_list=5, up_to=6, down_to=5, halved=3, two_ends=3, condition=10, bound=12,
                  appended=8, popped=4, fresh=6, swapped=4, rows=5, in_rows=8, array=3, left=3, assured=2)
LISTS = ("xs", "ys", "zs")


class PlaceProgram:
    def __init__(self, seed, number):
        self.choices, self.number = Choices(seed), number
        self.write, self.turns, self.names, self.loops = Writer(), 0, ["a", "b", "i", "j"], 0

    def source(self):
        self.write(f"def program_{self.number}(i: int, j: int, x: float, p: bool, t: Node, xs: list[int]):")
        with self.write:
            self.write("s, a, b, xs = 0, 0, 1, list(xs)")
            self.write(f"ys, zs = {self.new_list()}, {self.new_list()}")
            self.write(f"rows = {self.new_rows()}")
            self.write(f"u = np.zeros({self.choices.number(1, 6)})")
            self.block(self.choices.number(3, 8))
            self.write("return s + sum(xs) * 3 + sum(ys) * 7 + sum(zs) * 11 + sum([sum(row) for row in rows]), a, b, len(ys), float(u.sum())")
        return self.write.text()

    def one(self, *options):
        return self.choices.one(options)

    def list(self):
        return self.one(*LISTS)

    def number_known(self):
        return self.one("0", "1", "2", "3", f"len({self.list()})", f"len({self.list()})", "len(rows)", "i", "j", "a", "b")

    def end(self):
        """What a range or a search goes to."""
        name = self.one(f"len({self.list()})", f"len({self.list()})", f"len({self.list()})", "len(rows)", "len(rows[0]) if rows else 0",
                        "a", "b", "4", "u.shape[0]", f"min(len({self.list()}), len({self.list()}))", "i", f"max(a, len({self.list()}))")
        return name + self.one("", "", "", "", " - 1", " - 2", " + 1", " // 2")

    def place(self):
        name = self.one(*self.names, *self.names[4:], *self.names[4:], *self.names[4:])
        return self.one(name, name, name, name, f"{name} + 1", f"{name} - 1", f"{name} - 2", f"{name} // 2", f"len({self.list()}) - 1 - {name}",
                        f"len({self.list()}) - 1", f"({name} + {self.one(*self.names)}) // 2", f"{name} % {self.choices.number(1, 4)}",
                        f"2 * {name} + 1", "0", "1", f"{name} - {self.one(*self.names)}", f"max({name}, 0)", f"min({name}, len({self.list()}) - 1)",
                        f"{name} % max(1, len({self.list()}))", f"({name} >> 1)", f"abs({name})", f"{name} % len({self.list()})")

    def guard(self, place, whole):
        """Most places are looked at where they are there, as far as the program says so."""
        size = f"len({whole})" if whole != "u" else "u.shape[0]"
        if self.choices.chance(0.25):
            self.write(self.one(f"if 0 <= {place} < {size}:", f"if {place} < {size}:", f"if {place} >= 0 and {place} < {size}:",
                                f"if {place} >= 0:", f"if 0 <= {place} and {size} > {place}:", f"if not ({place} < 0 or {place} >= {size}):"))
            return self.write
        return contextlib.nullcontext()

    def new_list(self):
        return self.one("[3, 1, 2]", f"[2] * {self.number_known()}" if self.turns else "[2] * i", "[v + 1 for v in xs]", "list(range(len(xs)))",
                        "list(range(i))", "[]",
                        "[5]", "xs + [1]", "list(xs)", "[k * 2 for k in range(4)]", "[k for k in range(len(xs) + 1)]")

    def new_rows(self):
        n, m = self.one("3", "i", "len(xs)", "2"), self.one("2", "j", "len(xs)", "len(ys)", "3", "i + 1")
        return self.one(f"[[0] * {m} for _ in range({n})]", f"[[r + c for c in range({m})] for r in range({n})]", f"[[1] * r for r in range({n})]", "[]", "[xs]",
                        "[[1, 2], [3]]", "[list(ys) for v in xs]")

    def block(self, count):
        for _ in range(count):
            getattr(self, self.choices.construct(STATEMENT))()

    def inner(self, name=None):
        known = list(self.names)
        if name:
            self.names.append(name)
        self.loops += 1
        with self.write:
            self.block(self.choices.number(1, 3 if self.loops < 3 else 1))
        self.loops -= 1
        self.names = known

    def turn(self):
        self.turns += 1
        return f"k{self.turns}"

    def deep(self):
        return self.loops >= 3

    def read(self):
        place, whole = self.place(), self.list()
        with self.guard(place, whole):
            self.write(f"s = (s * 3 + {whole}[{place}]) % 10007")

    def written(self):
        place, whole = self.place(), self.list()
        with self.guard(place, whole):
            self.write(f"{whole}[{place}] {self.one('=', '=', '+=')} {self.one('s % 17', *self.names)}")

    def over_range(self):
        if self.deep():
            return self.read()
        name, first, end = self.turn(), self.one("", "", "", "1", "a", "b", "2", "i", "-1"), self.end()
        plain = f"range({first + ', ' if first else ''}{end})"
        over = self.one(plain, f"range({first or '0'}, {end}, {self.choices.number(1, 3)})", f"range({end}, {first or '-1'}, -1)",
                        f"range({end} - 1, -1, -1)", f"reversed(range({end}))")
        self.write(f"for {name} in {over if self.choices.chance(0.4) else plain}:")
        return self.inner(name)

    def over_list(self):
        if self.deep():
            return self.written()
        name, whole = self.turn(), self.one(*LISTS)
        self.write(self.one(f"for {name}, v in enumerate({whole}[:]):", f"for {name} in list({whole}):",
                            f"for {name}, (v, w) in enumerate(zip({whole}[:], list({self.list()}))):"))
        return self.inner(name)

    def up_to(self):
        if self.deep():
            return self.read()
        name, whole = self.turn(), self.list()
        self.write(f"{name} = {self.one('0', '0', '1', 'a', 'b')}")
        self.write(f"while {name} < {self.one(self.end(), f'min({len(LISTS) + 3}, len({whole}))')}{self.one('', f' and {whole}[{name}] > 0')}:")
        self.inner(name)
        with self.write:
            self.write(f"{name} += {self.choices.number(1, 2)}")
        self.names.append(name)
        return None

    def down_to(self):
        if self.deep():
            return self.read()
        name, whole = self.turn(), self.list()
        self.write(f"{name} = {self.one(self.end(), f'len({whole}) - 1', f'len({whole})')}")
        self.write(f"while {name} {self.one('>= 0', '> 0')}{self.one('', f' and {whole}[{name}] < 5', f' and {whole}[{name} - 1] < 5')}:")
        self.inner(name)
        with self.write:
            self.write(f"{name} -= {self.choices.number(1, 2)}")
        self.names.append(name)
        return None

    def halved(self):
        low, high, middle, whole = self.turn(), self.turn(), self.turn(), self.list()
        end = self.one(f"len({whole})", f"len({whole})", f"len({whole}) - 1", self.end())
        self.write(f"{low}, {high} = {self.one('0', '0', 'a')}, {end}")
        self.write(f"while {low} {self.one('<', '<', '<=')} {high}:")
        with self.write:
            self.write(f"{middle} = {self.one(f'({low} + {high}) // 2', f'{low} + ({high} - {low}) // 2', f'({low} + {high}) >> 1')}")
            self.write(f"if {whole}[{middle}] < {self.one('2', 'a', 's % 5')}:")
            with self.write:
                self.write(f"{low} = {middle} + 1")
            self.write("else:")
            with self.write:
                self.write(f"{high} = {middle}{self.one('', '', ' - 1')}")
            self.write("s += 1")
            self.write("if s > 20000:")
            with self.write:
                self.write("break")
        self.names.append(low)

    def two_ends(self):
        left, right, whole = self.turn(), self.turn(), self.list()
        self.write(f"{left}, {right} = 0, len({whole}) - 1")
        self.write(f"while {left} < {right}:")
        with self.write:
            self.write(f"{whole}[{left}], {whole}[{right}] = {whole}[{right}], {whole}[{left}]")
            self.write(f"{left} += 1")
            self.write(f"{right} -= 1")

    def condition(self):
        if self.deep():
            return self.read()
        place = self.place()
        self.write(f"if {place} {self.one('<', '<=', '>', '>=', '==', '!=')} {self.number_known()}:")
        self.inner()
        if self.choices.chance(0.4):
            self.write("else:")
            self.inner()
        return None

    def bound(self):
        value = self.one(self.place(), self.place(), self.number_known(), f"min(a, {self.number_known()})", "max(a, b, 0)", "b if a > b else a", "a")
        self.write(f"{self.one('a', 'b')} = {value}")

    def appended(self):
        number = self.one(*self.names)
        self.write(self.one(f"{self.list()}.append({number} % 9)", f"ys = ys + [{number}]", f"zs.insert(0, {number} % 5)"))

    def popped(self):
        whole = self.list()
        self.write(f"if len({whole}) > {self.choices.number(0, 2)}:")
        with self.write:
            self.write(self.one(f"{whole}.pop()", f"s += {whole}.pop()", f"{whole}.pop(0)"))

    def fresh(self):
        self.write(f"{self.one('ys', 'zs')} = {self.one(self.new_list(), f'{self.list()}[1:]', f'{self.list()}[:2]', f'list({self.list()})')}")

    def swapped(self):
        whole, place = self.list(), self.place()
        with self.guard(f"{place}", whole):
            self.write(f"{whole}[{place}], {whole}[0] = {whole}[0], {whole}[{place}]")

    def rows(self):
        self.write(f"rows = {self.new_rows()}" if self.choices.chance(0.6) else f"rows.append({self.one('[1, 2]', 'list(xs)', '[0] * 3', '[a] * len(rows)')})")

    def in_rows(self):
        first, second = self.one(*self.names), self.place()
        inner = self.guard(second, f"rows[{first}]") if self.choices.chance(0.5) else contextlib.nullcontext()
        with self.guard(first, "rows"), inner:
            self.write(self.one(f"s = (s * 5 + rows[{first}][{second}]) % 10007", f"rows[{first}][{second}] = {self.one(*self.names)}"))

    def array(self):
        place = self.place()
        with self.guard(place, "u"):
            self.write(self.one(f"u[{place}] = x + {self.one(*self.names)}", f"x = x * 0.5 + u[{place}]"))

    def left(self):
        if self.loops and self.names[4:]:
            self.write(f"if {self.place()} > {self.number_known()}:")
            with self.write:
                self.write("return s, a, b, len(ys), x" if self.choices.chance(0.2) else "s += 2")

    def assured(self):
        place = self.place()
        self.write(f"assert {place} {self.one('<', '>=', '<=')} {self.number_known()} or s >= 0")
