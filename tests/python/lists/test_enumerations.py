"""Members of enumerations that are known only when the program runs: from fields, by a value, and from either path of a branch."""
import sys

import pytest
from compiled_table import Table, cases_of, outcome
from staged_source import module_of

import lantern as lt
from lantern.staging import entry
from lantern.staging.errors import StagingError

HEAD = """
import enum


class Op(enum.Enum):
    ADD = "+"
    MUL = "*"
    NEG = "-"
    PLUS = "+"

    def apply(self, a, b):
        if self is Op.ADD:
            return a + b
        return a * b if self == Op.MUL else -a

    @property
    def is_binary(self):
        return self is not Op.NEG


class Kind(enum.IntEnum):
    LEAF = 2
    INNER = 5


class Mixed(enum.Enum):
    A = 1
    B = "b"


class ByRest(enum.Enum):
    def __eq__(self, other):
        return self.value % 2 == other.value % 2

    def __hash__(self):
        return self.value % 2

    def __bool__(self):
        return self.value > 1


class Odd(ByRest):
    ONE = 1
    THREE = 3


class State(str, enum.Enum):
    OK = "ok"
    BAD = "bad"

    def __str__(self):
        return f"is {self.value}"

    __format__ = lambda self, spec: str(self)


@lt.struct
class Node:
    op: Op
    kind: Kind
    value: float
    left: "Node | None"
    right: "Node | None"
"""
# The statement is Python 3.10's.
MATCHED = """match t.op:
        case Op.ADD:
            return left + evaluated(t.right, x)
        case _:""" if sys.version_info >= (3, 10) else """if True:
        if True:"""
SOURCE = HEAD + """

CONSTANT = Node(Op.MUL, Kind.LEAF, 2.0, None, None)


def evaluated(t: Node, x: float):
    if t.kind == Kind.LEAF:
        return t.value * x
    left = evaluated(t.left, x)
    if t.op is Op.NEG:
        return -left
    {MATCHED}
            return t.op.apply(left, evaluated(t.right, x))


def asked(t: Node, x: float):
    return (t.op.value, t.op.name, t.op.is_binary, t.op in (Op.ADD, Op.NEG), t.op != Op.ADD, t.op is not Op.PLUS, isinstance(t.op, Op), type(t.op) is Op, t.op == "+", bool(t.op),
            t.op == Mixed.A, t.kind + 1, [1.5] * t.kind, t.kind < Kind.INNER, t.op, f"op {t.op} or {t.op!r}", str(t.op), repr(t.op), "%s" % t.op, "{}".format(t.op), f"{t.op:>9}")


def changing(x: float, n: int):
    op = Op.ADD if x > 0 else Op.MUL
    total = x
    for i in range(n):
        total = op.apply(total, x)
        op = Op.MUL if op is Op.ADD else Op.ADD
    return total, op, op.value


def unchanged(x: float, n: int):
    op, costs = Op.ADD, {Op.ADD: 1.0, Op.MUL: 2.0}
    for i in range(n):
        x += costs[op]      # known while staging: the loop leaves it as it is
    return x


def looked_up(s: str, n: int):
    return Op(s).apply(2.0, 3.0), Op(s) is Op.MUL, Op(s), Kind(n) == Kind.LEAF, Kind(n) * 2


def by_name(s: str):
    try:
        n = Op[s].value
    except KeyError:
        n = "none"
    return n, Op[s], Kind["LEAF" if s == "ADD" else "INNER"] + 1, [Op[each] for each in (s, s)]


def alternating(op, n, x):
    if n <= 0:
        return x, op
    return alternating(Op.MUL if op is Op.ADD else Op.ADD, n - 1, op.apply(x, x))


def recursive(n: int, x: float):
    return alternating(Op.ADD, n, x)


def made(n: int, x: float):
    t = Node(Op.ADD if n > 0 else Op.NEG, Kind.INNER, x, None, None)
    u = Node(t.op, t.kind, x * 2, t, CONSTANT)
    v = CONSTANT if x > 0 else u
    return u.op is Op.ADD, u.left.op, v, v.op


def closed_over(op, x):
    def inner(k):
        if k <= 0:
            return x
        return op.apply(inner(k - 1), x)
    return inner


def held(t: Node, n: int):
    several, table = [t.op, Op.ADD], {"op": t.op}
    a, b = several
    return a is b, table["op"] is Op.ADD, sum(1 for op in several if op is Op.ADD), (t.op, 1) == (Op.ADD, 1), closed_over(t.op, 3.0)(n)
""".replace("{MATCHED}", MATCHED)


@pytest.fixture(scope="module")
def module():
    return module_of(SOURCE)


@pytest.fixture(scope="module")
def table(module):
    return Table(module, ["evaluated", "asked", "changing", "unchanged", "looked_up", "by_name", "recursive", "made", "held"])


def trees(module):
    op, kind, node = module.Op, module.Kind, module.Node
    leaf = node(op.NEG, kind.LEAF, 3.0, None, None)
    product = node(op.MUL, kind.INNER, 0.0, leaf, node(op.ADD, kind.LEAF, 2.0, None, None))
    return leaf, product, node(op.ADD, kind.INNER, 1.0, product, node(op.NEG, kind.INNER, 0.0, leaf, None))


CASES = {"evaluated": [(0, 2.0), (1, 2.0), (2, -1.5)], "asked": [(0, 2.0), (1, 2.0), (2, 2.0)], "changing": [(2.0, 3), (-1.0, 2), (1.0, 0)], "unchanged": (1.0, 3),
         "looked_up": [("+", 2), ("*", 5), ("-", 3), ("?", 2)], "by_name": [("ADD",), ("PLUS",), ("MUL",), ("?",)], "recursive": [(0, 2.0), (1, 2.0), (4, 1.5)], "made": [(0, 2.0), (1, -2.0)], "held": [(0, 2), (2, 3)]}
CASES = {name: calls if isinstance(calls, list) else [calls] for name, calls in CASES.items()}


@pytest.mark.parametrize("name, arguments", cases_of(CASES))
def test_result_is_pythons(module, table, name, arguments):
    if name in ("evaluated", "asked", "held"):
        arguments = (trees(module)[arguments[0]], *arguments[1:])
    plain, compiled = (outcome(of[name], arguments) for of in (table.plain, table.compiled))
    assert repr(plain) == repr(compiled)


def test_a_member_has_no_derivative_and_is_in_its_place(module):
    tree = trees(module)[2]
    value, gradient = lt.value_and_grad(lt.function(module.evaluated), wrt=("t", "x"))(tree, 2.0)
    assert (value, *gradient) == pytest.approx((module.evaluated(tree, 2.0), *lt.value_and_grad(module.evaluated, wrt=("t", "x"))(tree, 2.0)[1]))
    assert gradient[0].op is module.Op.ADD and gradient[0].left.kind is module.Kind.INNER


def test_a_field_takes_members_of_its_own_enumeration(module):
    compiled = lt.function(module.evaluated)
    for op, kind, said in (1, 2, "Node.op is Op, and a int was given"), (module.Mixed.A, 2, "a Mixed was given"), (module.Op.ADD, 2.0, "Node.kind is Kind"):
        with pytest.raises(TypeError, match=said):
            compiled(module.Node(op, kind, 1.0, None, None), 1.0)
    assert compiled(module.Node(module.Op.ADD, 2, 1.5, None, None), 2.0) == 3.0
    with pytest.raises(StagingError, match="LT0309.*field 'op' of structure 'Node' is Op, and a Mixed was given"):
        lt.function(module_of(HEAD + "def f(x: float): return Node(Mixed.A, Kind.LEAF, x, None, None)").f)(1.0)


REFUSED = {
    "return t.op + 1": "LT0309.*TypeError",
    "return t.kind is Kind.LEAF": "LT0310.*compare with ==", "return isinstance(t.kind, Kind)": "LT0310.*isinstance cannot tell", "return t.kind.name": "LT0310.*its number in the program",
    "class C:\n        def __del__(self): pass\n    xs = []\n    for i in range(n): xs.append(C())\n    return len(xs)": "LT0312.*mark the class C @lt.struct",
    "m = Mixed.A if n else Mixed.B\n    return m.value": "LT0303.*no one type", "return Op.ADD if n else 1": "LT0306.*make Op an enum.IntEnum",
    "return (Odd.ONE if n else Odd.THREE) == Odd.ONE": "LT0303.*Odd has an __eq__ of its own", "return 1 if (Odd.ONE if n else Odd.THREE) else 2": "LT0303.*whether it is true",
    "return f'{[State.OK, State.BAD][n]}'": "LT0312.*'ok' for is ok.*State.OK.value, or make State an enum.StrEnum",
    "xs = ['a'] * n\n    xs[n] = State.OK\n    return xs": "LT0312.*'ok' for is ok", "xs = []\n    for i in range(n): xs.append(State.BAD)\n    return xs": "LT0312.*'bad'",
    "return f'{State.OK if n else \"x\"}'": "LT0312.*'ok' for is ok",
}


@pytest.mark.parametrize("body", REFUSED)
def test_refusals_say_what_to_do(body):
    with pytest.raises(StagingError, match=f"(?s){REFUSED[body]}"):
        entry.stage_entries([module_of(f"{HEAD}\n\ndef f(t: Node, n: int):\n    {body}\n").f])


def test_members_with_a_text_of_their_own_are_theirs_where_they_are_known():
    f = module_of(HEAD + """
def f(text: str, n: int):
    known = [State.OK, State.BAD]
    return text == State.OK, text + State.BAD, f"{State.OK} {n}", "".join(f"{each}" for each in known), text in known, [State.OK.value, "x"][n]
""").f
    for arguments in ("ok", 0), ("is ok", 1):
        assert lt.function(f)(*arguments) == f(*arguments)


def test_members_that_are_equal_are_two():
    module = module_of(HEAD + """
@lt.struct
class Held:
    odd: Odd

def chosen(n: int):
    return (Odd.ONE if n else Odd.THREE).name

def of_a_field(held: Held):
    return held.odd.name
""")
    assert [lt.function(module.chosen)(n) for n in (0, 1)] == ["THREE", "ONE"]
    assert [lt.function(module.of_a_field)(module.Held(odd)) for odd in module.Odd] == ["ONE", "THREE"]


def test_attributes_that_a_constructor_of_members_sets():
    table = Table('''
import enum

class Light(enum.Enum):
    RED = ("stop", 3)
    GREEN = ("go", 2)
    AMBER = ("slow", 1)

    def __init__(self, action, ticks):
        self.action, self.ticks = action, ticks

    @property
    def next(self):
        return {Light.RED: Light.GREEN, Light.GREEN: Light.AMBER, Light.AMBER: Light.RED}[self]

def f(n: int):
    light, left, seen = Light.RED, Light.RED.ticks, []
    for t in range(n):
        left -= 1
        if left == 0:
            light = light.next
            left = light.ticks
            seen.append((t, light.action))
    return light.action, light.value, light.value[1] + left, seen

class Some(enum.Enum):
    A = 1
    B = 2

    def __init__(self, x):
        if x == 1:
            self.only = x
''', ["f"])
    for n in (0, 4, 11):
        assert table.compiled["f"](n) == table.plain["f"](n)
    some = lt.function(lambda n: (table.module.Some.A if n > 1 else table.module.Some.B).only)
    with pytest.raises(StagingError, match="not all members of Some have an attribute 'only'"):
        some(2)
