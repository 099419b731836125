"""Random skeletons of control flow, and whether a path through one reads a variable that has no value there.

Conditions on parameters are taken to be independent of each other; those on the globals YES and NO are what they are.
"""
import random

NAMES = ("y", "z")
STAGED = ("a", "b", "not b", "m > 2", "(m + t) % 2 == 0", "a and m > 1", "b or t > 3")
PYTHON = {"YES": True, "NO": False, "not NO": True}
HEAD = "def program_{}(a: bool, b: bool, m: int, n: int):"
CALLS = [(a, b, m, n) for a in (False, True) for b in (False, True) for m in (0, 3) for n in (0, 3)]


class Skeleton:
    """One random program: its text, and `unbound`: whether some path reads a variable without a value."""

    def __init__(self, seed, number):
        self.random, self.number, self.loops = random.Random(f"{seed}-{number}"), number, 0
        self.statements = [*self._block(0, None), ("use", self._name())]
        self.unbound = False
        self._paths(self.statements, {frozenset()})
        self.text = "\n".join([HEAD.format(number), "    t = 0", *self._lines(self.statements, 1), "    return t"]) + "\n"

    # Choosing

    def _name(self):
        return self.random.choice(NAMES)

    def _block(self, depth, loop):
        """Statements; loop: whether there is one to leave. What follows a jump is left out."""
        block = []
        for _ in range(self.random.randint(1, 3 if depth < 2 else 2)):
            block.append(self._statement(depth, loop))
            if block[-1][0] in ("break", "continue", "return", "raise"):
                break
        return block

    def _statement(self, depth, loop):
        kinds = {"set": 5, "use": 1, "return": depth > 0, "raise": depth > 0 and 0.5, "del": 0.2, "if": depth < 4 and 5,
                 "for": depth < 3 and 1.5, "while": depth < 3 and 1, "break": loop and depth and 3, "continue": loop and depth and 2}
        kind = self.random.choices(list(kinds), [float(weight or 0) for weight in kinds.values()])[0]
        if kind in ("set", "use", "del"):
            return kind, self._name()
        if kind == "return":
            return kind, self.random.choice((None, *NAMES))
        if kind == "if":
            condition = self.random.choice(list(PYTHON) if self.random.random() < 0.2 else STAGED)
            return kind, condition, self._block(depth + 1, loop), self.random.random() < 0.6 and self._block(depth + 1, loop)
        if kind in ("for", "while"):
            self.loops += 1
            over = self.random.choice(("range(n)", "range(n)", "(1, 2)") if kind == "for" else ("j{0} < n", "j{0} < n and m < 9", "True"))
            number = self.loops
            last = self.random.choice((None, *NAMES))
            return kind, over.format(number), number, self._block(depth + 1, True), \
                self.random.random() < 0.5 and self._block(depth + 1, loop), last
        return kind,

    # Writing

    def _lines(self, block, depth):
        lines = [line for statement in block for line in self._of(statement)]
        return ["    " * depth + line for line in lines]

    def _of(self, statement):
        kind, *rest = statement
        if kind == "set":
            yield f"{rest[0]} = t * 3 + {self.random.randint(1, 9)}"
        elif kind == "use":
            yield f"t += {rest[0]}"
        elif kind == "del":
            yield f"del {rest[0]}"
        elif kind == "return":
            yield f"return {rest[0] or 't'}"
        elif kind == "raise":
            yield "raise ValueError('no')"
        elif kind == "if":
            yield f"if {rest[0]}:"
            yield from self._lines(rest[1], 1)
            if rest[2]:
                yield "else:"
                yield from self._lines(rest[2], 1)
        elif kind in ("for", "while"):
            over, number, body, orelse, last = rest
            if kind == "for":
                yield f"for i{number} in {over}:"
                yield f"    t += i{number}"
            else:
                yield f"j{number} = 0"
                yield f"while {over}:"
                yield f"    j{number} += 1"
                if over == "True":
                    yield f"    if j{number} > n:"
                    if last:
                        yield f"        {last} = j{number}"
                    yield "        break"
            yield from self._lines(body, 1)
            if orelse:
                yield "else:"
                yield from self._lines(orelse, 1)
        else:
            yield kind

    # Paths: a state is the set of variables that have a value

    def _read(self, name, states):
        self.unbound = self.unbound or any(name not in state for state in states)
        return {state for state in states if name in state}

    def _paths(self, block, states):
        """(the states behind the block, those at a `break`, those at a `continue`)."""
        breaks, continues = set(), set()
        for kind, *rest in block:
            if kind == "set":
                states = {state | {rest[0]} for state in states}
            elif kind in ("use", "del"):
                states = self._read(rest[0], states)
                states = {state - {rest[0]} for state in states} if kind == "del" else states
            elif kind == "return" and rest[0]:
                self._read(rest[0], states)
                states = set()
            elif kind in ("return", "raise"):
                states = set()
            elif kind == "break":
                breaks, states = breaks | states, set()
            elif kind == "continue":
                continues, states = continues | states, set()
            elif kind == "if":
                known, after = PYTHON.get(rest[0]), set()
                for taken, branch in ((True, rest[1]), (False, rest[2] or [])):
                    if known in (None, taken):
                        ends = self._paths(branch, states)
                        after, breaks, continues = after | ends[0], breaks | ends[1], continues | ends[2]
                states = after
            else:
                states, *out = self._loop(rest, states)
                breaks, continues = breaks | out[0], continues | out[1]
        return states, breaks, continues

    def _loop(self, loop, states):
        over, _, body, orelse, last = loop
        left, ended = set(), set(states)
        turns = [None] * 2 if over == "(1, 2)" else iter(int, 1)
        for _ in turns:
            if over == "True":
                left |= {state | {last} if last else state for state in ended}
            ends = self._paths(body, ended)
            left |= ends[1]
            after = ends[0] | ends[2]
            if over == "(1, 2)":
                ended = after
            elif after <= ended:
                break
            else:
                ended |= after
        behind, breaks, continues = self._paths(orelse or [], set() if over == "True" else ended)
        return behind | left, breaks, continues
