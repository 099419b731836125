"""Members of enumerations in lists, tuples, dicts and sets that the program fills, where there is None, too, and in what a recursion sets."""
import pytest
from compiled_table import Table, cases_of
from staged_source import module_of

import lantern as lt
from lantern.staging.errors import StagingError

HEAD = """
import collections
import dataclasses
import enum
import heapq
from typing import NamedTuple


class Kind(enum.Enum):
    NUMBER = 1
    SIGN = 2

    @property
    def letter(self):
        return self.name[0]


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 5


class Level(enum.Enum):
    LOW = 1
    HIGH = 2

    def __lt__(self, other):
        return self.value > other.value

    def __str__(self):
        return self.name.title()


@dataclasses.dataclass(frozen=True)
class Token:
    kind: Kind
    text: str


class Pair(NamedTuple):
    kind: Kind
    text: str


def kind_of(c):
    return Kind.NUMBER if c.isdigit() else Kind.SIGN


def kinds_of(s):
    return [kind_of(c) for c in s]


"""
SOURCE = HEAD + '''
def tokens(s: str):
    found = []
    for c in s:
        found.append((Kind.NUMBER if c.isdigit() else Kind.SIGN, c))
    return found, sum(int(c) for kind, c in found if kind is Kind.NUMBER)


def instances(s: str):
    first, second, out = [Token(kind_of(c), c) for c in s], [Pair(kind_of(c), c) for c in s], []
    for pair in second:
        match pair:
            case Pair(Kind.NUMBER, text): out.append(text)
            case Pair(kind=Kind.SIGN): out.append("sign")
    return first, second, out, [t.text for t in first if t.kind == Kind.SIGN]


def asked(s: str):
    kinds = kinds_of(s)
    return kinds.count(Kind.NUMBER), [k.letter for k in kinds], Kind.SIGN in kinds, kinds == kinds_of("1x"), kinds[::-1] + [Kind.SIGN], f"{kinds}", sorted(kinds, key=lambda k: k.name)


def changed(s: str):
    stack = [Kind.NUMBER]
    for c in s:
        if c == "x":
            stack.append(Kind.SIGN)
        elif len(stack) > 1:
            stack[0] = stack.pop()
    queue, order = collections.deque([(Kind.NUMBER, 0)]), []
    while queue:
        kind, i = queue.popleft()
        order.append(kind)
        if i < len(s):
            queue.append((Kind.SIGN if kind is Kind.NUMBER else Kind.NUMBER, i + 1))
    return stack, stack[-1] is Kind.SIGN, order


def keys(s: str):
    counts, seen, places, one = {}, {Kind.SIGN}, collections.defaultdict(list), {Kind.NUMBER: 0}
    for i, c in enumerate(s):
        kind = kind_of(c)
        counts[kind, i % 2] = counts.get((kind, i % 2), 0) + 1
        seen ^= {kind}
        places[kind].append(i)
        if kind not in one:
            one[kind] = 10
        one[kind] += 1
    return counts, Kind.NUMBER in seen, places, one, max(one, key=one.get), collections.Counter(kinds_of(s)).most_common(1)


def of_values(s: str):
    kinds = {}
    for c in s:
        kinds[c] = kind_of(c)
    return kinds, [k.value for k in kinds.values()]


def perhaps(s: str):
    last, seen, out = None, [], []
    for c in s:
        kind = None if c == " " else kind_of(c)
        out.append((kind is last, kind == last, last is Kind.NUMBER, Kind.SIGN != last, last in (Kind.NUMBER, Kind.SIGN), last is None))
        seen.append(last)
        last = kind
    return out, seen, f"{last}", [k.name for k in seen if k]


class Lexer:
    def __init__(self, text):
        self.text, self.pos, self.kind = text, 0, None
        self.advance()

    def advance(self):
        self.kind = kind_of(self.text[self.pos]) if self.pos < len(self.text) else None
        self.pos += 1

    def expression(self):
        if self.kind is Kind.NUMBER:
            value = int(self.text[self.pos - 1])
            self.advance()
            return value
        if self.kind is None:
            raise EOFError(f"at {self.pos}")
        self.advance()
        return self.expression() - self.expression()


def lexed(s: str):
    lexer = Lexer(s)
    return lexer.expression(), lexer.kind is None, lexer.kind is Kind.SIGN


def nonlocal_(s: str):
    last = Kind.NUMBER
    def go(i):
        nonlocal last
        if i < len(s):
            last = kind_of(s[i])
            go(i + 1)
    go(0)
    return last


def own_order(s: str):
    return max([Level.LOW if c.isdigit() else Level.HIGH for c in s])


def heap(s: str):
    found = []
    for c in s:
        heapq.heappush(found, (len(found) // 2, Level.LOW if c.isdigit() else Level.HIGH))
    return [heapq.heappop(found) for _ in s]


def of_numbers(s: str):
    sizes, counts, last = [Size.SMALL if c.isdigit() else Size.LARGE for c in s], {}, Size.SMALL
    for c in s:
        last = Size.LARGE if c == "x" else Size.SMALL
        counts[last] = counts.get(last, 0) + 1
    return sum(sizes), counts.get(5, 0), last * 2, last == Size.LARGE, f"{last + 1}"


def own_text(s: str):
    levels = [Level.LOW if c.isdigit() else Level.HIGH for c in s]
    return [str(level) for level in levels], " ".join(map(str, levels)), f"{levels[0]}, {levels[-1]!r}"
'''
TEXTS = "1+23", "", "xyx", "-1-23", "1 x", "--1"
CASES = dict.fromkeys(("tokens", "instances", "asked", "changed", "keys", "of_values", "perhaps", "lexed", "nonlocal_", "own_order", "heap", "of_numbers", "own_text"), TEXTS)


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, list(CASES))


def outcome(function, arguments):
    try:
        return repr(function(*arguments))
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("name, arguments", cases_of(CASES))
def test_result_is_pythons(table, name, arguments):
    assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments)


@pytest.mark.parametrize("expression, said", {
    "sorted(kinds_of(s))": "LT0310.*give sorted", "sorted([(k, 1) for k in kinds_of(s)])": "LT0310.*give sorted", "sum(kinds_of(s))": "LT0403",
    "max(kinds_of(s))": r"program_\d+.py:\d+:12: error LT0309: TypeError: '>' not supported between instances of 'Kind' and 'Kind'",
    "kinds_of(s) < kinds_of(s[1:])": r"program_\d+.py:\d+:12: error LT0309: TypeError: '<' not supported between instances of 'Kind' and 'Kind'"}.items())
def test_members_have_no_order(expression, said):
    with pytest.raises(StagingError, match=f"(?s){said}"):
        lt.function(module_of(f"{HEAD}def f(s: str):\n    return {expression}\n").f)("1x")
