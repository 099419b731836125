"""Programs in which a list is reached by two names: how it is begun, how the other name comes about, and how one of the two changes it."""
import itertools
import textwrap

PRELUDE = '''
import dataclasses
import functools
import lantern as lt


@lt.struct
class Box:
    xs: list[NUMBER]
    k: int


@lt.struct
class Outer:
    box: Box
    k: int


@lt.struct
class Rows:
    rows: list[list[NUMBER]]
    k: int


class Holder:
    def __init__(self, xs): self.xs = xs
    def put(self, xs): self.xs = xs
    def add(self, v): self.xs.append(v)
    def boxed(self, k): return Box(self.xs, k)
    def one_of(self, k): return [self.xs, [7 * self.xs[0]]][k - k]


@dataclasses.dataclass
class Data:
    xs: list
    k: int = 0


def same(xs, k): return xs
def add(xs, v): xs.append(v)
def set_first(xs, v): xs[0] = v
def added(xs, v):
    xs.append(v)
    return xs
def boxed(xs, k): return Box(xs, k)
def outer(xs, k): return Outer(Box(xs, k), k)
def in_tuple(xs, k): return (xs, k)
def in_list(xs, k): return [xs, [1 * xs[0]]]
def in_dict(xs, k): return {"a": xs, "b": [k]}
def in_holder(xs, k): return Holder(xs)
def boxed_and_itself(xs, k): return Box(xs, k), xs
def new_and_boxed(x, k):
    xs = [x, 2 * x]
    return Box(xs, k), xs
def new_twice(x, k):
    xs = [x, 2 * x]
    return xs, xs
def new_in_rows(x, k):
    xs = [x, 2 * x]
    return [xs, xs], xs
def boxed_deeper(xs, k): return Box(xs, k) if k <= 0 else boxed_deeper(xs, k - 1)
def add_deeper(xs, v, k):
    if k > 0:
        xs.append(v)
        add_deeper(xs, v, k - 1)
def one_of(xs, ys, k): return xs if k > 2 else ys
def put_into(rows, xs, k): rows.append(xs)
def put_boxed(boxes, xs, k): boxes.append(Box(xs, k))
def of_holder(holder, k): return holder.xs
def first(rows, k): return rows[0]
def nth(rows, k): return rows[k - k]
def unnamed(xs, k): return [xs, [7 * xs[0]]][k - k]
def unnamed_deeper(xs, k): return [xs, [7 * xs[0]]][k - k] if k <= 0 else unnamed_deeper(xs, k - 1)
def held_deeper(holder, k): return [holder.xs, [7 * holder.xs[0]]][k - k] if k <= 0 else held_deeper(holder, k - 1)
def repeated(xs, k):
    rows = [[7 * xs[0]]] * k + [xs]
    return rows[-1]
def grown(xs, k):
    rows = []
    for i in range(k + 1): rows.append(xs)
    return rows[k]
def first_boxed(rows, k): return Box(rows[0], k)
def nth_boxed(rows, k): return Box(rows[k - k], k)
def rows_boxed(rows, k): return Rows(rows, k)
def popped(rows, k): return rows.pop()
def given(*values): return values[0]
def given_by_name(**values): return values["a"]
def one_by_one(xs, k):
    yield xs
    yield xs[:1]
'''

STARTS = {
    "known": "xs = [3 * x, 1 * x, 2 * x]",
    "grown": "xs = []\nfor i in range(n + 2): xs.append(i * 2 % 5 * x)",
    "changed in a branch": "xs = [3 * x, x]\nif n > 1: xs.append(5 * x)",
}

# The code, how the list is reached by it, and whether it may be changed by that.
WAYS = {
    "a structure": ("h = Box(xs, n)", "h.xs", False),
    "in a structure's": ("h = Outer(Box(xs, n), 1)", "h.box.xs", False),
    "by a call": ("h = boxed(xs, n)", "h.xs", False),
    "in a structure's by a call": ("h = outer(xs, n)", "h.box.xs", False),
    "by a recursion": ("h = boxed_deeper(xs, n)", "h.xs", False),
    "by a recursion of a closure": ("def go(k):\n    if k <= 0: return Box(xs, k)\n    return go(k - 1)\nh = go(n)", "h.xs", False),
    "given back": ("h, ys = boxed_and_itself(xs, n)", "h.xs", False),
    "given back by its name": ("h, xs = boxed_and_itself(xs, n)", "h.xs", False),
    "new": ("h, xs = new_and_boxed(x, n)", "h.xs", False),
    "new, twice": ("h, xs = new_twice(x, n)", "h", True),
    "new, in rows": ("rows, xs = new_in_rows(x, n)", "rows[1]", True),
    "new, of rows": ("rows, xs = new_in_rows(x, n)\nxs = rows[0]", "rows[1]", True),
    "in a branch": ("h = Box([7 * x], 0)\nif n > 1: h = boxed(xs, n)", "h.xs", False),
    "in a loop": ("h = Box([7 * x], 0)\nfor j in range(n): h = boxed(xs, j)", "h.xs", False),
    "in a while": ("h, k = Box([7 * x], 0), n\nwhile k > 0:\n    h = boxed(xs, k)\n    k -= 1", "h.xs", False),
    "many": ("hs = [Box([7 * x], 0)]\nfor j in range(n): hs.append(Box(xs, j))", "hs[-1].xs", False),
    "many, by a call": ("hs = [Box([7 * x], 0)]\nfor j in range(n): put_boxed(hs, xs, j)", "hs[-1].xs", False),
    "many, by a closure": ("hs = [Box([7 * x], 0)]\ndef g(k): hs.append(Box(xs, k))\nfor j in range(n): g(j)", "hs[-1].xs", False),
    "a comprehension": ("hs = [boxed(xs, j) for j in range(n + 1)]", "hs[-1].xs", False),
    "a generator": ("hs = list(boxed(xs, j) for j in range(n + 1))", "hs[0].xs", False),
    "a tuple's": ("hs = (boxed(xs, n), 1)", "hs[0].xs", False),
    "a method": ("h = Holder(xs).boxed(n)", "h.xs", False),
    "a lambda": ("g = lambda k: Box(xs, k)\nh = g(n)", "h.xs", False),
    "a default": ("def g(k, ys=xs): return Box(ys, k)\nh = g(n)", "h.xs", False),
    "another name": ("ys = xs\nh = Box(ys, n)", "h.xs", False),
    "one of two": ("zs = [9 * x, x]\nys = xs if n > 2 else zs\nh = Box(ys, n)", "h.xs", False),
    "one of two, behind it": ("h = Box(xs, n)\nzs = [9 * x, x]\nxs = xs if n > 2 else zs", "h.xs", False),
    "one of two, by a call": ("zs = [9 * x, x]\nys = one_of(xs, zs, n)\nh = Box(ys, n)", "h.xs", False),
    "a row": ("rows = [xs, [x]]\nh = Box(rows[n - n], n)", "h.xs", False),
    "a row, by a call": ("rows = [xs, [x]]\nh = first_boxed(rows, n)", "h.xs", False),
    "a row of many": ("rows = [[x]] * n + [xs]\nh = Box([0 * x], 0)\nfor r in rows: h = Box(r, n)", "h.xs", False),
    "a row that a call looks up": ("rows = [xs, [x]]\nh = nth_boxed(rows, n)", "h.xs", False),
    "a row that is taken out": ("rows = [[x]] * n + [xs]\nh = Box(rows.pop(), 0)", "h.xs", False),
    "rows": ("rows = [xs, [x]]\nh = Rows(rows, n)", "h.rows[0]", False),
    "rows by a call": ("rows = [xs, [x]]\nh = rows_boxed(rows, n)", "h.rows[0]", False),
    "tuple": ("h = (xs, n)", "h[0]", True),
    "tuple by a call": ("h = in_tuple(xs, n)", "h[0]", True),
    "list": ("h = [xs, [x]]", "h[0]", True),
    "list by a call": ("h = in_list(xs, n)", "h[0]", True),
    "dict by a call": ("h = in_dict(xs, n)", "h['a']", True),
    "dict in a branch": ("d = {'a': [x]}\nif n > 1: d['a'] = xs", "d['a']", True),
    "attribute": ("o = Holder([x])\no.put(xs)", "o.xs", True),
    "attribute by a call": ("o = in_holder(xs, n)", "o.xs", True),
    "attribute of a dataclass": ("o = Data(xs, n)", "o.xs", True),
    "attribute that a call reads": ("o = Holder(xs)\nh = of_holder(o, n)", "h", True),
    "closure": ("g = lambda k: xs\nh = g(n)", "h", True),
    "closure's one of two": ("zs = [9 * x, x]\ng = lambda k: xs if k > 2 else zs\nh = g(n)", "h", True),
    "closure's row": ("g = lambda k: [xs, [x]]\nh = g(n)", "h[0]", True),
    "closure's recursion": ("def g(k):\n    if k <= 0: return xs\n    return g(k - 1)\nh = g(n)", "h", True),
    "given": ("h = same(xs, n)", "h", True),
    "given as one of many": ("h = given(xs, n)", "h", True),
    "given by name": ("h = given_by_name(a=xs, b=n)", "h", True),
    "given to a part": ("h = functools.partial(same, xs)(n)", "h", True),
    "generated": ("h = list(one_by_one(xs, n))[0]", "h", True),
    "alias by a call": ("zs = [9 * x, x]\nh = one_of(xs, zs, n)", "h", True),
    "alias in a branch": ("h = [9 * x, x]\nif n > 2: h = xs", "h", True),
    "alias in a loop": ("h = [9 * x, x]\nfor j in range(n): h = xs", "h", True),
    "appended": ("h = [[8 * x]]\nfor j in range(n): h.append([j * x])\nh.append(xs)", "h[-1]", True),
    "appended in a loop": ("h = [[8 * x]]\nfor j in range(n): h.append(xs)", "h[-1]", True),
    "appended by a call": ("h = [[8 * x]]\nfor j in range(n): put_into(h, xs, j)", "h[-1]", True),
    "appended in a tuple": ("h = [([8 * x], 0)]\nfor j in range(n): h.append((xs, j))", "h[-1][0]", True),
    "repeated": ("h = [xs] * n + [[x]]", "h[0]", True),
    "nested": ("h = [[[4 * x], [x]]]\nfor j in range(n): h.append([[j * x]])\nh.append([xs, [x]])", "h[-1][0]", True),
    "a slice of rows": ("rows = [xs, [x], [2 * x]]\nh = rows[:n]", "h[0]", True),
    "a copy of rows": ("rows = [xs, [x]]\nh = list(rows)", "h[0]", True),
    "one of two rows": ("rows = [xs, [x]]\nh = rows[n - n] if n > 2 else rows[n - n + 1]", "h", True),
    "one of two rows, by a call": ("rows = [xs, [x]]\nh = one_of(rows[n - n], rows[1], n)", "h", True),
    "the last row": ("rows, h = [[x]] * n + [xs], [0 * x]\nfor r in rows: h = r", "h", True),
    "the last row by zip": ("rows, h = [[x]] * n + [xs], [0 * x]\nfor a, b in zip(rows, rows): h = a", "h", True),
    "the last row by enumerate": ("rows, h = [[x]] * n + [xs], [0 * x]\nfor j, a in enumerate(rows): h = a", "h", True),
    "popped": ("rows = [[x]] * n + [xs]\nh = rows.pop()", "h", True),
    "popped at": ("rows = [xs, [x]]\nh = rows.pop(n - n)", "h", True),
    "popped by a call": ("rows = [[x]] * n + [xs]\nh = popped(rows, n)", "h", True),
    "the longest": ("rows = [[x]] * n + [xs]\nh = max(rows, key=len)", "h", True),
    "sorted": ("rows = [[x]] * n + [xs]\nh = sorted(rows, key=len)[-1]", "h", True),
    "reversed": ("rows = [[x]] * n + [xs]\nh = list(reversed(rows))[0]", "h", True),
    "looked up by a call": ("rows = [xs, [x]]\nh = nth(rows, n)", "h", True),
    "looked up by a recursion": ("def g(k, r):\n    if k <= 0: return r[0]\n    return g(k - 1, r)\nh = g(n, [xs, [2 * x]])", "h", True),
    "a row of no name": ("h = [xs, [x]][n - n]", "h", True),
    "a row of no name, by a call": ("h = unnamed(xs, n)", "h", True),
    "a row of no name, by a recursion": ("h = unnamed_deeper(xs, n)", "h", True),
    "a row of no name, by a closure": ("g = lambda k: [xs, [x]][k - k]\nh = g(n)", "h", True),
    "a row of no name, by a closure's recursion": ("def g(k):\n    if k <= 0: return [xs, [x]][k]\n    return g(k - 1)\nh = g(n)", "h", True),
    "a row of no name, by a method": ("h = Holder(xs).one_of(n)", "h", True),
    "a row of no name, of what an object holds": ("o = Holder(xs)\nh = held_deeper(o, n)", "h", True),
    "a row of no name, boxed": ("h = Box([xs, [x]][n - n], n)", "h.xs", False),
    "a row of no name, boxed by a recursion": ("def g(k):\n    if k <= 0: return Box([xs, [x]][k], k)\n    return g(k - 1)\nh = g(n)", "h.xs", False),
    "a row of no name, in a loop": ("h = [9 * x, x]\nfor j in range(n): h = [xs, [x]][j - j]", "h", True),
    "a row of no name, in a branch": ("h = [9 * x, x]\nif n > 1: h = [xs, [x]][n - n]", "h", True),
    "a row of no name, deeper": ("h = [[xs], [[x]]][n - n][0]", "h", True),
    "a row of no name, the longest": ("h = max([[x]] * n + [xs], key=len)", "h", True),
    "a row of rows of a call": ("h = repeated(xs, n)", "h", True),
    "a row of rows that a call grows": ("h = grown(xs, n)", "h", True),
    "a row of rows that are cleared": ("rows = [xs, [x]]\nh = nth(rows, n)\nrows.clear()", "h", True),
    "a row of rows that are set": ("rows = [xs, [x]]\nh = rows[n - n]\nrows[:] = [[x]]", "h", True),
    "a row of rows of a turn": ("h = [9 * x, x]\nfor j in range(n):\n    rows = [xs, [x]]\n    h = rows[j - j]", "h", True),
    "a tuple's, taken out": ("rows = [(xs, 1), ([x], 2)]\nh, _ = rows.pop(n - n)", "h", True),
    "a tuple's, of a slice": ("rows = [(xs, 1), ([x], 2)]\nrows = rows[:n + 1]\nh = rows[n - n][0]", "h", True),
    "a tuple's, at a place": ("rows = [(xs, 1), ([x], 2)]\nh = rows[n - n][0]", "h", True),
    "a tuple's, in a loop": ("rows = [(xs, 1), ([x], 2)]\nh = [x]\nfor a, b in rows[:n]: h = a", "h", True),
    "a tuple's, copied": ("rows = [(xs, 1), ([x], 2)] * n + [(xs, 3)]\nh = list(rows)[-1][0]", "h", True),
    "a copy": ("h = list(xs)", "h", True),
    "a copy of a row": ("rows = [xs, [x]]\nh = [list(row) for row in rows][0]", "h", True),
}

CHANGES = {
    "append": "{0}.append(10 * x)", "pop": "{0}.pop()", "item": "{0}[0] = 20 * x", "item at": "{0}[n - n] = 30 * x", "extend": "{0}.extend([x, 4 * x])",
    "sort": "{0}.sort()", "+=": "{0} += [x]", "del": "del {0}[0]", "slice": "{0}[0:1] = [5 * x, x]", "insert": "{0}.insert(0, x)",
    "reverse": "{0}.reverse()", "remove": "{0}.remove({0}[0])", "item +=": "{0}[0] += x",
    "a call": "add({0}, x)", "a call sets": "set_first({0}, x)", "a call gives it back": "ys = added({0}, x)", "a recursion": "add_deeper({0}, x, n)",
    "a loop": "for j in range(n): {0}.append(j * x)", "a loop sets": "for j in range(n): {0}[0] += j * x", "calls in a loop": "for j in range(n): add({0}, j * x)",
    "a branch": "if n > 1: {0}.append(6 * x)", "a call in a branch": "if n > 1: add({0}, 6 * x)", "a method": "Holder({0}).add(x)",
    "a lambda": "(lambda v: {0}.append(v))(x)", "a closure": "def change(v): {0}.append(v)\nchange(x)",
    "a closure's recursion": "def change(k):\n    if k > 0:\n        {0}.append(k * x)\n        change(k - 1)\nchange(n)", "another name": "zs = {0}\nzs.append(x)",
    "one of two": "zs = [x]\nzs = {0} if n > 1 else zs\nzs.append(x)",
}
FEW = ("append", "item at", "a call", "a loop sets")
READ = "sum([i * v for i, v in enumerate({0})]) + 10 * sum({0})"


def bodies(way):
    """{name: the body of a program} of the programs whose other name comes about in that way."""
    code, held, changing = WAYS[way]
    found = {}
    for (start, begin), (change, by) in itertools.product(STARTS.items(), CHANGES.items()):
        for name in ("xs", held) if changing else ("xs",):
            found[f"{start}, {change} of {name}"] = f"{begin}\n{code}\n{by.format(name)}\nreturn 100 * ({READ.format('xs')}) + {READ.format(held)}"
        if change in FEW:
            turn = textwrap.indent(f"{code}\n{by.format('xs')}\ntotal += {READ.format(held)} * (turn + 1)", "    ")
            found[f"{start}, {change} in each turn"] = f"{begin}\ntotal = 0 * x\nfor turn in range(n):\n{turn}\nreturn total + 100 * sum(xs)"
            turn = textwrap.indent(f"{by.format('xs')}\n{code}\ntotal += {READ.format(held)} * (turn + 1)", "    ")
            found[f"{start}, {change} first in each turn"] = f"{begin}\ntotal = 0 * x\nfor turn in range(n):\n{turn}\nreturn total + 100 * sum(xs)"
            found[f"{start}, {change} before"] = f"{begin}\n{by.format('xs')}\n{code}\nreturn 100 * ({READ.format('xs')}) + {READ.format(held)}"
    return found


def source(bodies_, number):
    """(the source of functions of these bodies, of numbers of that type; their names)."""
    names = [f"f{i}" for i in range(len(bodies_))]
    functions = (f"def {name}(x: {number}, n: int):\n{textwrap.indent(body, '    ')}\n" for name, body in zip(names, bodies_))
    return PRELUDE.replace("NUMBER", number) + "\n\n" + "\n\n".join(functions), names
