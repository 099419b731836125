"""Programs that make trees and links of objects while they go on: those with a derivative, and others (test_grown_trees.py)."""
import sys

OF_TERMS = """
    match e:
        case Num(value=1.0): return Num(10.0)
        case Num(value=v): return Num(v / 2)
        case Product(left=Num(value=0.5), right=r): return r
        case Product(left=l, right=r): return Product(halved(r), halved(l))
        case Sum(left=l, right=r): return Sum(halved(l), halved(r))
""" if sys.version_info >= (3, 10) else """
    if isinstance(e, Num): return Num(10.0) if e.value == 1.0 else Num(e.value / 2)
    if isinstance(e, Product) and isinstance(e.left, Num) and e.left.value == 0.5: return e.right
    return Product(halved(e.right), halved(e.left)) if isinstance(e, Product) else Sum(halved(e.left), halved(e.right))
"""

HEAD = """
import dataclasses

import numpy as np
import lantern as lt


class Phrase:
    def __init__(self, label, parent=None):
        self.label, self.parent, self.parts = label, parent, []

    def add(self, part):
        part.parent = self
        self.parts.append(part)
        return part

    def size(self): return 1 + sum(part.size() for part in self.parts)
    def depth(self): return 0 if self.parent is None else 1 + self.parent.depth()


def read(words, i):
    phrase = Phrase(words[i + 1])
    i += 2
    while words[i] != ")":
        if words[i] == "(":
            part, i = read(words, i)
            phrase.parts.append(part)
        else:
            phrase.parts.append(Phrase(words[i]))
            i += 1
    return phrase, i + 1


class Reader:
    def __init__(self, words): self.words, self.at = words, 0
    def peek(self): return self.words[self.at] if self.at < len(self.words) else ""

    def next(self):
        self.at += 1
        return self.words[self.at - 1]

    def total(self):
        phrase = Phrase("sum")
        phrase.add(self.product())
        while self.peek() == "+":
            phrase.add(Phrase(self.next()))
            phrase.add(self.product())
        return phrase

    def product(self):
        phrase = Phrase("product")
        phrase.add(self.factor())
        while self.peek() == "*":
            self.next()
            phrase.add(self.factor())
        return phrase

    def factor(self):
        if self.peek() != "(": return Phrase(self.next())
        self.next()
        inner = self.total()
        if self.next() != ")": raise ValueError("expected )")
        return inner


@dataclasses.dataclass
class Branch:
    weight: float
    twigs: list = dataclasses.field(default_factory=list)

    def sway(self, by): return self.weight * by + sum(twig.sway(by * by) for twig in self.twigs)


def grown(x, n):
    branch = Branch(x * n)
    for k in range(n - 1): branch.twigs.append(grown(x, k))
    return branch


@dataclasses.dataclass(frozen=True)
class Num:
    value: float


@dataclasses.dataclass(frozen=True)
class Sum:
    left: "Num | Sum | Product"
    right: "Num | Sum | Product"


@dataclasses.dataclass(frozen=True)
class Product(Sum):
    def swapped(self): return Product(self.right, self.left)


def term(n):
    if n < 2: return Num(n * 0.5)
    return Product(term(n - 1), term(n - 2)) if n % 2 else Sum(term(n - 1), term(n // 2))


def value(e):
    if isinstance(e, Num): return e.value
    return value(e.left) * value(e.right) if isinstance(e, Product) else value(e.left) + value(e.right)


def halved(e):""" + OF_TERMS + """

@dataclasses.dataclass(frozen=True)
class Cell:
    head: float
    tail: "Cell | None" = None


def cells(n):
    cell = None
    for i in range(n): cell = Cell(0.5 * i, cell)
    return cell


@dataclasses.dataclass
class Link:
    v: float
    next: "Link | None" = None


def links(n):
    link = None
    for i in range(n): link = Link(0.5 * i, link)
    return link


class Span:
    def __init__(self, low, high): self.low, self.high, self.mass, self.halves = low, high, 0.0, []

    def insert(self, p, m):
        if self.mass > 0.0:
            if not self.halves:
                middle = (self.low + self.high) / 2
                self.halves = [Span(self.low, middle), Span(middle, self.high)]
            self.halves[0 if p < (self.low + self.high) / 2 else 1].insert(p, m)
        self.mass += m

    def depth(self): return 1 + max((half.depth() for half in self.halves), default=0)


class Value:
    def __init__(self, kind, text=""): self.kind, self.text, self.keys, self.items = kind, text, [], []

    def __str__(self):
        if self.kind == "atom": return self.text
        if self.kind == "list": return "[" + ", ".join(str(item) for item in self.items) + "]"
        return "{" + ", ".join(f"{key}={item}" for key, item in zip(self.keys, self.items)) + "}"


def read_value(s, i):
    if s[i] in "[{":
        found, close = Value("list" if s[i] == "[" else "dict"), "]" if s[i] == "[" else "}"
        i += 1
        while s[i] != close:
            item, i = read_value(s, i)
            if s[i] == ":":
                found.keys.append(item.text)
                item, i = read_value(s, i + 1)
            found.items.append(item)
            if s[i] == ",": i += 1
        return found, i + 1
    end = i
    while end < len(s) and s[end] not in ",:]}": end += 1
    return Value("atom", s[i:end]), end


class Ring:
    def __init__(self, most):
        self.most, self.at, self.first, self.last = most, {}, Knot(-1), Knot(-2)
        self.first.next, self.last.before = self.last, self.first

    def take(self, knot): knot.before.next, knot.next.before = knot.next, knot.before

    def put(self, knot):
        knot.next, knot.before = self.first.next, self.first
        self.first.next.before = knot
        self.first.next = knot

    def ask(self, key):
        if key in self.at:
            self.take(self.at[key])
            self.put(self.at[key])
            return True
        if len(self.at) >= self.most:
            oldest = self.last.before
            self.take(oldest)
            del self.at[oldest.key]
        self.at[key] = Knot(key)
        self.put(self.at[key])
        return False


class Knot:
    def __init__(self, key): self.key, self.before, self.next = key, None, None


class Part:
    def __init__(self, *parts): self.parts = list(parts)
    def count(self): return 1 + sum(part.count() for part in self.parts)


class Whole(Part):
    def total(self): return sum(part.total() * part.total() for part in self.parts)


class Piece(Part):
    def __init__(self, v):
        super().__init__()
        self.v = v

    def total(self): return self.v


class Coin:
    def flip(self): raise ValueError("a coin")


class Die:
    def __init__(self, n): self.n = n
    def flip(self):
        if self.n > 3: raise ValueError(f"a die of {self.n}")
        return self.n
"""

# name → body; each has x: float and n: int, and gives a float that has a derivative with respect to x.
DERIVED = {
    "wholes": """at = Piece(x)
    for i in range(n): at = Whole(at, Piece(x * i)) if i % 2 else Piece(0.1 * at.total())
    return at.total() + at.count()""",
    "branches": "return grown(x, n % 4).sway(x)",
    "frozen_cells": """
    cell, y = None, 0.0
    for i in range(n): cell = Cell(x * i, cell)
    while cell is not None: y, cell = y * 0.5 + cell.head * cell.head, cell.tail
    return y""",
}

# name → (parameters, body)
OTHERS = {
    "read_phrases": ("text: str", """
    phrase, end = read(text.split(), 0)
    return phrase.size(), end, [part.label for part in phrase.parts]"""),
    "read_sums": ("text: str", """
    phrase = Reader(text.split()).total()
    return phrase.size(), [part.label for part in phrase.parts], max(q.depth() for part in phrase.parts for q in part.parts), phrase.parent is None"""),
    "read_values": ("text: str", """
    found, end = read_value(text, 0)
    return f"{found}", len(found.items), end"""),
    "spans": ("n: int", """
    span = Span(0.0, 1.0)
    for i in range(n): span.insert((0.37 * i + 0.1) % 1.0, 0.5 * i + 1.0)
    return span.depth(), span.mass, [half.mass for half in span.halves]"""),
    "asked": ("n: int", """
    ring = Ring(n)
    hits, keys = sum(ring.ask(i * i % 5) for i in range(12)), []
    knot = ring.first.next
    while knot is not ring.last:
        keys.append(knot.key)
        knot = knot.next
    return hits, keys"""),
    "halved_terms": ("n: int", "return value(term(n)), value(halved(term(n))), halved(halved(term(n)))"),
    "compared_terms": ("n: int", "return [term(i) == term(n) for i in range(n)], term(n) != halved(term(n)), f'{term(n)}'"),
    "swapped_terms": ("n: int", """
    t = Product(term(n), Num(2.0))
    return t, dataclasses.replace(t.swapped(), right=Num(5.0)), t.swapped().swapped() == t"""),
    "compared_links": ("n: int", """
    a, b = links(n + 1), links(n + 1)
    same = a == b
    b.v += 1
    return same, a == b, a != b, f"{a} {b!r}", cells(n) == cells(3), f'{cells(n)}'"""),
    "frozen_fields": ("n: int", """
    t = term(n)
    try:
        if n > 1: t.left = Num(0.0)
    except AttributeError as e: print(e)
    return value(t)"""),
    "flipped": ("n: int", """
    o, y = Coin() if n % 2 else Die(n), 0
    try:
        if n > 0: y = o.flip()
    except ValueError as e: return f"{e}", y
    return "none", y"""),
}

SOURCE = HEAD + "".join(f"\n\ndef {name}(x: float, n: int) -> float:\n    {body}\n" for name, body in DERIVED.items()) \
    + "".join(f"\n\ndef {name}({parameters}):\n    {body}\n" for name, (parameters, body) in OTHERS.items())
