"""Attributes that a recursion sets, `self.pos += 1` in a parser's methods: of objects that the function has made."""
import pytest
from compiled_table import Table, cases_of, outcome
from staged_source import module_of

import lantern as lt
from lantern.staging.errors import StagingError

HEAD = """
import copy
import dataclasses

import numpy as np

import lantern.autograph as ag


@dataclasses.dataclass
class State:
    pos: int
    total: float = 0.0
    doubled: float = dataclasses.field(init=False, default=0.0)

    def __post_init__(self):
        self.doubled = self.total * 2.0


def walk(s, k):
    if k > 0:
        s.pos += k
        s.total = s.total * 2.0 + k
        walk(s, k - 1)
        s.doubled += 1.0


@ag.do_not_convert
def plain(values):
    return len(values)
"""
SOURCE = HEAD + """

@lt.struct
class Tree:
    value: float
    left: "Tree | None"
    right: "Tree | None"


class Parser:
    def __init__(self, tokens):
        self.tokens = tokens
        self.pos = 0
        self.depth, self.deepest = 0, 0

    def peek(self):
        return self.tokens[self.pos] if self.pos < len(self.tokens) else 0

    def sum(self, x):
        value = self.product(x)
        while self.peek() == -1:
            self.pos += 1
            value = value + self.product(x)
        return value

    def product(self, x):
        value = self.factor(x)
        while self.peek() == -4:
            self.pos += 1
            value = value * self.factor(x)
        return value

    def factor(self, x):
        token = self.tokens[self.pos]
        self.pos += 1
        if token == -2:
            self.depth += 1
            self.deepest = max(self.depth, self.deepest)
            value = self.sum(x)
            self.pos += 1
            self.depth -= 1
            return value
        return token * x


class Visitor:
    def __init__(self):
        self.count, self.log, self.best, self.is_deep = 0, [], -1.0, False

    def visit(self, k):
        self.count += 1
        self.log.append(self.count)
        if k > 1:
            self.visit(k - 1)
            self.visit(k - 2)

    def go(self, tree, depth):
        if tree is None:
            return 0.0
        self.count += 1
        self.is_deep = self.is_deep or depth > 1
        if tree.value > self.best:
            self.best = tree.value
        return self.go(tree.left, depth + 1) + self.go(tree.right, depth + 1) + tree.value * self.best


def parsed(tokens: list[int], x: float):
    parser = Parser(tokens)
    return parser.sum(x), parser.pos, parser.deepest


def value_of(tokens: list[int], x: float):
    return Parser(tokens).sum(x)


def walked(n: int, x: float):
    s = State(0, x)
    walk(s, n)
    s.pos *= 10
    walk(s, 2)
    return s.pos, s.total, s.doubled, f"{s.pos}", s == State(s.pos), getattr(s, "pos"), hasattr(s, "pos")


def in_a_loop(n: int, x: float):
    total = 0.0
    for i in range(n):
        s = State(i, x)
        walk(s, i)
        if s.pos > 2:
            s.pos = 0
        total += s.pos + s.total
    return total


def two_objects(n: int, x: float):
    a, b = Visitor(), Visitor()
    a.visit(n)
    b.visit(2)
    a.count += 10
    return a.count, b.count, a.log, b.log


def of_a_class_of_its_own(n: int, x: float):
    class Counter:
        count = 1

        def down(self, k):
            if k > 0:
                self.count += k
                self.down(k - 1)
    counter = Counter()
    counter.down(n)
    return counter.count, Counter.count, Counter().count


class Bounded:
    def __init__(self, tokens):
        self.tokens, self.pos = tokens, 0

    def total(self, depth):     # nothing that it is given is staged where it is called first
        total = 0.0
        while self.pos < len(self.tokens) and depth < 20:
            token = self.tokens[self.pos]
            self.pos += 1
            if token < 0:
                return total
            if token > 4:
                total += 2.0 * self.total(depth + 1)
            else:
                total += token
        return total


def bounded(tokens: list[int]):
    return Bounded(tokens).total(0)


class Signed:
    def __init__(self, tokens, x, scale):
        self.tokens, self.x, self.scale, self.pos = tokens, x, scale, 0

    def value(self):        # x is read where the recursion ends, and not in front of it
        if self.pos < len(self.tokens) and self.tokens[self.pos] < 0:
            self.pos += 1
            return -self.value()
        return self.x * self.scale

    def doubled(self):
        if self.pos < len(self.tokens):
            self.pos += 1
            self.x = self.x * 2.0
            return self.doubled() + self.x
        return self.x * self.scale


def signed(tokens: list[int], x: float):
    first, second = Signed(tokens, x, 1.5), Signed(tokens, 2.0, x)
    return first.value() + 10.0 * second.value(), first.doubled(), first.x, second.doubled()


def swapped(s, a, b):
    if s.pos < 3:
        s.pos += 1
        return -swapped(s, b, a)
    return a.x * 10.0 + b.x * s.x


def of_two_in_turn(tokens: list[int], x: float):
    a, b = Signed(tokens, x, 1.0), Signed(tokens, x + 1.0, 1.0)
    return swapped(Signed(tokens, 3.0, 1.0), a, b), swapped(Signed(tokens, x, 1.0), b, a)


class Walker:
    def __init__(self):
        self.seen, self.squares = np.zeros(9), np.zeros(9)

    def go(self, k, w):
        if k > 0:
            self.seen[k] += w
            if k > 1:
                self.squares[k - 1] += w * w
            self.go(k - 1, w * 0.5)


def two_arrays(n: int, x: float):
    walker = Walker()
    walker.go(n, x)
    return float(np.sum(walker.seen * np.arange(9))), float(np.sum(walker.squares))


class Ahead:
    def __init__(self, tokens):
        self.tokens, self.pos, self.next = tokens, 0, None
        self.advance()

    def advance(self):
        self.next = self.tokens[self.pos] if self.pos < len(self.tokens) else None
        self.pos += 1

    def difference(self):
        first = self.next
        if first is None:
            raise EOFError("no more")
        self.advance()
        return first if first > 0 else self.difference() - self.difference()


def perhaps_none(tokens: list[int]):
    ahead = Ahead(tokens)
    return ahead.difference(), ahead.next is None


def over_a_tree(tree: Tree):
    v = Visitor()
    sums, level = [], [tree]
    while level:
        sums.append(sum(node.value for node in level))
        level = [child for node in level for child in (node.left, node.right) if child is not None]
    return v.go(tree, 0), v.best, v.count, v.is_deep, sums
"""
NAMES = ["parsed", "walked", "in_a_loop", "two_objects", "of_a_class_of_its_own", "two_arrays", "over_a_tree", "bounded", "signed", "of_two_in_turn", "perhaps_none"]


@pytest.fixture(scope="module")
def module():
    return module_of(SOURCE)


@pytest.fixture(scope="module")
def table(module):
    return Table(module, NAMES)


TOKENS = [3, -1, -2, 4, -1, 5, -3, -4, 2]
CASES = {"parsed": [(TOKENS, 1.0), ([-2, -2, 7, -3, -3], 2.0), ([], 1.0), ([-2], 1.0)], **dict.fromkeys(NAMES[1:6], [(3, 2.0), (0, 1.5), (5, -1.0)]), "over_a_tree": [(0,), (1,), (2,)], "bounded": [([1, 5, 2, 3, -1, 7, 2],), ([],)],
         "perhaps_none": [([-1, 5, -1, 2, 3, 4],), ([],), ([7],), ([-1, 1],)],
         "signed": [([-4, -4, -4, 2], 1.25), ([], 1.5)], "of_two_in_turn": [([], 1.25)]}


@pytest.mark.parametrize("name, arguments", cases_of(CASES))
def test_result_is_pythons(module, table, name, arguments):
    if name == "over_a_tree":
        leaf = module.Tree(3.0, None, None)
        arguments = ((leaf, module.Tree(1.0, leaf, module.Tree(2.0, None, None)), module.Tree(1.0, module.Tree(4.0, leaf, None), leaf))[arguments[0]],)
    plain, compiled = (outcome(of[name], arguments) for of in (table.plain, table.compiled))
    assert repr(plain) == repr(compiled)


def test_the_derivative_goes_through(module):
    value, gradient = lt.value_and_grad(lt.function(module.value_of), wrt="x")(TOKENS, 1.5)
    assert value == module.value_of(TOKENS, 1.5) and gradient == pytest.approx(3 + 2 * 9 * 2 * 1.5)


REFUSED = {
    "return dataclasses.astuple(s)": "LT0305.*astuple reads a State, whose attribute 'pos' a recursion sets.*keep 'pos' in a list", "return copy.copy(s).pos": "LT0305.*copy reads a State",
    "return plain([s])": "LT0305.*plain reads a State",
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_would_find_the_list_is_refused(body):
    with pytest.raises(StagingError, match=f"(?s){REFUSED[body]}"):
        lt.function(module_of(f"{HEAD}\n\ndef f(n: int):\n    s = State(0)\n    walk(s, n)\n    {body}\n").f)(2)


@pytest.mark.parametrize("attribute, change, said", [
    ("rows = []", "rows = self.rows + [k]", r"LT0305.*change the list or dict that it holds: self.rows.append"),
    ("row = 0", "row = [k]", r"LT0305.*'row', which a recursion sets, gets a list"),
])
def test_an_attribute_that_is_a_list_is_changed_as_one(attribute, change, said):
    function = module_of(f"""
    class Rows:
        def __init__(self):
            self.{attribute}
        def walk(self, k):
            if k > 0:
                self.{change}
                self.walk(k - 1)

    def f(n: int):
        rows = Rows()
        rows.walk(n)
        return n
    """).f
    with pytest.raises(StagingError, match=f"(?s){said}"):
        lt.function(function)(2)


def test_an_object_with_slots_says_what_to_do():
    function = module_of("""
    class Slots:
        __slots__ = ("pos",)
        def __init__(self):
            self.pos = 0
        def walk(self, k):
            if k > 0:
                self.pos += k
                self.walk(k - 1)

    def f(n: int):
        slots = Slots()
        slots.walk(n)
        return slots.pos
    """).f
    with pytest.raises(StagingError, match=r"(?s)LT0305.*self.pos = \[0\], and self.pos\[0\] \+= 1"):
        lt.function(function)(2)
