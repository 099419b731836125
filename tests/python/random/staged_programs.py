"""Random programs that can be staged: their arguments are staged values, every variable keeps its type, and no integer grows
past 64 bits.

Program N is the function `program_N(i: int, j: int, x: float, p: bool, t: Node, xs: list[int])`; its functions end in `_N`.
"""

from choices import Choices, Table, Writer

PRELUDE = '''\
import math

import lantern as lt


@lt.struct
class Node:
    label: int
    value: float
    flag: bool
    left: "Node | None"
    right: "Node | None"


class Failure(Exception):
    pass


class Box:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def total(self, by):
        return self.a * by % 1009 + self.b if by > 2 else self.a


FACTOR, PAIR = 3, (2, 0.5)
'''

NAMES = {"int": ("i", "j", "k", "n"), "float": ("x", "y", "z"), "bool": ("p", "q"), "pair": ("u", "v"), "node": ("t",), "maybe": ("o",),
         "ints": ("xs",), "box": ("box",), "list": ("ys",), "dict": ("d",)}
DEEPEST = 3
MAYBE_UNDEFINED = 0.004

STATEMENT = Table("staged statement", assign=22, augmented=9, unpack=5, conditional=18, loop_while=8, loop_for=10, jump=9, returned=6,
                  printed=7, function=5, function_value=3, node_statement=4, narrowed=5, object=5, collection=4, raised=3, asserted=2, deleted=0.5,
                  chained=1, expression_statement=2, attempt=0.6, matched=0.5)
INT = Table("staged int", literal=10, name=24, add=8, subtract=6, multiply=5, floor=3, modulo=3, negate=2, label=3, length=2, item=3,
            conditional=5, walrus=1, call=8, extreme=3, absolute=2, logical=1, cast=3, global_=1, square=1, box=2, list=2, dict=1, pair=2,
            sum_of=1, comprehended=4)
FLOAT = Table("staged float", literal=8, name=18, add=6, subtract=5, multiply=6, divide=3, modulo=1, power=1, negate=2, value=4,
              conditional=4, cast=4, pair=3, function=2, extreme=2, global_=1, floor=1)
BOOL = Table("staged bool", literal=1, name=8, compare=16, float_compare=7, chain=4, negation=5, both=6, either=6, contains=2, is_none=4,
             flag=3, conditional=2, equal=1, truth=1, any_all=1, pairs=1, generated=3)
FOR = Table("staged for", range_staged=8, range_known=5, range_both=3, steps=2, list=4, tuple=3, enumerated=1, pairs=1)


class StagedProgram:
    def __init__(self, seed, number):
        self.choices, self.number, self.write = Choices(seed), number, Writer()
        self.variables = {}         # name → type, of those that have a value here
        self.functions = []         # (name, types of the parameters behind the fuel, result type, needs fuel)
        self.fuel, self.loops, self.depth, self.made, self.inside = None, 0, 0, 0, 0
        self.left = self.choices.number(3, 18)
        self.result, self.cleanup, self.nonlocals, self.in_lambda = "int", False, [], False

    def source(self):
        for _ in range(self.choices.one((0, 0, 1, 1, 2))):
            self.top_function()
        self.left = max(self.left, 4)
        self.result = self.choices.one(("int", "float", "bool", "pair", "mixed", "int"))
        self.define(f"program_{self.number}", (("i", "int"), ("j", "int"), ("x", "float"), ("p", "bool"), ("t", "node"), ("xs", "ints")),
                    annotated=True)
        return self.write.text()

    # Functions

    def define(self, name, formals, annotated=False, fuel=None, more=None):
        kinds = {"int": "int", "float": "float", "bool": "bool", "node": "Node", "ints": "list[int]", "pair": "tuple"}
        outer = self.variables, self.loops, self.fuel, self.depth, self.cleanup, self.nonlocals
        free = dict(self.variables) if self.inside else {}
        self.variables = {**free, **dict(formals)}
        self.loops, self.fuel, self.depth, self.cleanup = 0, fuel, 0 if not self.inside else 2, False
        self.inside += 1
        self.nonlocals = []
        head = ", ".join(([fuel] if fuel else []) + [f"{formal}: {kinds[kind]}" if annotated else formal for formal, kind in formals])
        self.write(f"def {name}({head}):")
        with self.write:
            if fuel:
                self.write(f"if {fuel} <= 0:")
                functions, self.functions = self.functions, []
                with self.write:
                    self.write(f"return {self.value(self.result, 2)}")
                self.functions = functions
            if more:
                more()
            self.block()
            self.write(f"return {self.value(self.result)}")
        self.inside -= 1
        self.variables, self.loops, self.fuel, self.depth, self.cleanup, self.nonlocals = outer

    def top_function(self):
        name = f"r{self.made}_{self.number}"
        self.made += 1
        recursive = self.choices.chance(0.7)
        formals = tuple(zip(("i", "x", "t", "p"), self.choices.one((("int",), ("int", "float"), ("int", "float", "node"), ("int", "float", "node", "bool")))))
        before, self.result = self.result, self.choices.one(("int", "float", "int", "pair", "bool"))
        if recursive:
            self.choices.counts["staged: recursive function"] += 1
            self.functions.append((name, [kind for _, kind in formals], self.result, True))
        self.define(name, formals, fuel="fuel" if recursive else None)
        if not recursive:
            self.functions.append((name, [kind for _, kind in formals], self.result, False))
        self.result = before

    def function(self):
        if self.inside > 2:
            return self.assign()
        name = f"f{self.made}_{self.number}"
        self.made += 1
        formals = tuple((f"{NAMES[kind][0]}{self.inside + 1}", kind) for kind in self.choices.one((("int",), ("int", "float"), ())))
        before, self.result = self.result, self.choices.one(("int", "float", "bool"))

        outer = self.own_known("int")

        def more():
            if outer and self.choices.chance(0.3):
                self.choices.counts["staged: nonlocal"] += 1
                self.nonlocals = [self.choices.one(outer)]
                self.write(f"nonlocal {self.nonlocals[0]}")
        functions = list(self.functions)
        self.define(name, formals, more=more)
        self.functions[:] = [*functions, (name, [kind for _, kind in formals], self.result, False)]
        self.result = before

    def function_value(self):
        name, kind = f"h{self.made}_{self.number}", self.choices.one(("int", "float", "bool"))
        self.made += 1
        variables, self.variables = self.variables, {**self.variables, "k": "int"}
        self.in_lambda = True
        self.write(f"{name} = lambda k: {self.expression(kind, 1)}")
        self.variables, self.in_lambda = variables, False
        self.functions.append((name, ["int"], kind, False))

    # Expressions

    def own(self, kind):
        """Names of that kind that the function itself binds; a nested one has others than those around it."""
        suffix = str(self.inside) if self.inside > 1 else ""
        return [name + suffix for name in NAMES[kind]] + [name for name in self.nonlocals if self.variables.get(name) == kind]

    def own_known(self, kind):
        return [name for name in self.own(kind) if self.variables.get(name) == kind]

    def expression(self, kind, depth=0):
        if depth >= DEEPEST:
            return self.name(kind)
        return getattr(self, kind)(depth + 1)

    def value(self, kind, depth=0):
        """A small integer, or any other value."""
        if kind == "mixed":
            return f"({self.value('int', 1)}, {self.expression('float', 1)}, {self.expression('bool', 1)})"
        text = self.expression(kind, depth)
        return f"{text} % 1009" if kind == "int" and not text.isidentifier() and not text.lstrip("-").isdigit() else text

    def name(self, kind):
        if self.choices.chance(MAYBE_UNDEFINED) and kind != "ints":
            self.choices.counts["staged: name perhaps without a value"] += 1
            return self.choices.one(self.own(kind))
        known = [name for name, each in self.variables.items() if each == kind]
        return self.choices.one(known) if known else self.literal(kind)

    def literal(self, kind):
        choices = self.choices
        match kind:
            case "int": return str(choices.number(-3, 9))
            case "float": return choices.one(("0.5", "1.5", "-2.25", "0.0", "3.0", "1e10", "0.1"))
            case "bool": return choices.one(("True", "False"))
            case "pair": return f"({choices.number(-3, 3)}, {self.literal('float')})"
            case "node": return f"Node({self.name('int')}, {self.name('float')}, {self.literal('bool')}, None, None)"
            case "maybe": return "None"
            case "ints": return "[1, 2]"
            case "box": return f"Box({self.name('int')}, {self.name('int')})"
            case "list": return f"[{self.name('int')}, {self.name('int')}]"
            case "dict": return f"{{'a': {self.name('int')}}}"

    def call(self, kind, depth):
        known = [each for each in self.functions if each[2] == kind]
        if not known:
            return self.name(kind)
        name, kinds, _, needs_fuel = self.choices.one(known)
        arguments = [self.value(each, depth) for each in kinds]
        if needs_fuel:
            if self.loops and self.fuel:
                return self.name(kind)
            arguments.insert(0, f"{self.fuel} - 1" if self.fuel else self.choices.one(("2", "3", f"{self.name('int')} % 4")))
        return f"{name}({', '.join(arguments)})"

    def int(self, depth):
        sub = lambda kind="int": self.expression(kind, depth)  # noqa: E731
        small = lambda: self.value("int", depth)  # noqa: E731
        match self.choices.construct(INT):
            case "literal": return self.literal("int")
            case "name": return self.name("int")
            case "add": return f"({sub()} + {sub()})"
            case "subtract": return f"({sub()} - {sub()})"
            case "multiply": return f"({small()} * {self.name('int')} % {self.choices.number(5, 99)})"
            case "floor": return f"({sub()} // {self.choices.one((sub(), '3', '-2'))})"
            case "modulo": return f"({sub()} % {self.choices.one((sub(), '7', '-4'))})"
            case "negate": return f"-{sub()}"
            case "label": return f"{self.name('node')}.label"
            case "length": return f"len({self.name('ints')})"
            case "item": return f"{self.name('ints')}[{self.choices.one(('0', '-1', sub()))}]"
            case "conditional": return f"({sub()} if {sub('bool')} else {sub()})"
            case "walrus":
                value = sub()
                known = self.own_known("int")
                return f"({self.choices.one(known)} := {value})" if known and not self.in_lambda else value
            case "call": return self.call("int", depth)
            case "extreme": return f"{self.choices.one(('max', 'min'))}({sub()}, {sub()})"
            case "absolute": return f"abs({sub()})"
            case "logical": return f"({self.name('int')} {self.choices.one(('and', 'or'))} {sub()})"
            case "cast": return f"int({sub('bool')})" if self.choices.chance(0.4) else f"int({sub('float')} % 50)"
            case "global_": return self.choices.one(("FACTOR", "PAIR[0]"))
            case "square": return f"({self.name('int')} ** 2 % 31)"
            case "box": return f"{self.name('box')}.{self.choices.one(('a', 'b', 'total(' + self.name('int') + ')'))}"
            case "list": return f"{self.name('list')}[{self.choices.one(('0', '-1'))}]"
            case "dict": return f"{self.name('dict')}['a']"
            case "pair": return f"{self.name('pair')}[0]"
            case "sum_of": return f"sum(({sub()}, {sub()}))"
            case "comprehended":
                element, loop = self.comprehension("int", depth)
                return self.choices.one((f"sum({element}{loop})", f"sum([{element}{loop}])", f"len([{element}{loop}])",
                                         f"max(({element}{loop}), default=-1)", f"next(({element}{loop}), 0)", f"sum([*({element}{loop}), 1])"))

    def float(self, depth):
        sub = lambda kind="float": self.expression(kind, depth)  # noqa: E731
        match self.choices.construct(FLOAT):
            case "literal": return self.literal("float")
            case "name": return self.name("float")
            case "add": return f"({sub()} + {sub()})"
            case "subtract": return f"({sub()} - {sub(self.choices.one(('int', 'float')))})"
            case "multiply": return f"({sub()} * {sub(self.choices.one(('int', 'float', 'float')))})"
            case "divide": return f"({sub()} / {sub(self.choices.one(('int', 'float')))})"
            case "modulo": return f"({sub()} % {self.choices.one(('3.5', '-0.75', sub()))})"
            case "power": return f"{self.name('float')} ** {self.choices.number(0, 3)}"
            case "negate": return f"-{sub()}"
            case "value": return f"{self.name('node')}.value"
            case "conditional": return f"({sub()} if {sub('bool')} else {sub()})"
            case "cast": return f"float({sub('int')})"
            case "pair": return f"{self.name('pair')}[1]"
            case "function": return f"math.{self.choices.one(('sin', 'tanh', 'fabs', 'exp', 'sqrt'))}({self.name('float')})"
            case "extreme": return f"{self.choices.one(('max', 'min'))}({sub()}, {sub()})"
            case "global_": return "PAIR[1]"
            case "floor": return f"({sub()} // {self.choices.one(('0.75', sub()))})"

    def bool(self, depth):
        sub = lambda kind="int": self.expression(kind, depth)  # noqa: E731
        sign = lambda: self.choices.one(("<", "<=", ">", ">=", "==", "!="))  # noqa: E731
        match self.choices.construct(BOOL):
            case "literal": return self.literal("bool")
            case "name": return self.name("bool")
            case "compare": return f"({sub()} {sign()} {sub()})"
            case "float_compare": return f"({sub('float')} {sign()} {sub(self.choices.one(('float', 'float', 'int')))})"
            case "chain": return f"({sub()} {sign()} {sub()} {sign()} {sub()})"
            case "negation": return f"(not {sub(self.choices.one(('bool', 'bool', 'int')))})"
            case "both": return f"({sub('bool')} and {sub('bool')})"
            case "either": return f"({sub('bool')} or {sub('bool')})"
            case "contains": return f"({sub()} {self.choices.one(('in', 'not in'))} ({sub()}, {sub()}, 2))"
            case "is_none": return f"({self.choices.one((self.name('node') + '.left', self.name('node') + '.right', self.name('maybe')))} {self.choices.one(('is', 'is not'))} None)"
            case "flag": return f"{self.name('node')}.flag"
            case "conditional": return f"({sub('bool')} if {sub('bool')} else {sub('bool')})"
            case "equal": return f"({sub('bool')} == {sub('bool')})"
            case "truth": return f"bool({sub(self.choices.one(('int', 'float')))})"
            case "any_all": return f"{self.choices.one(('any', 'all'))}([{sub('bool')}, {sub('bool')}])"
            case "generated":
                element, loop = self.comprehension("bool", depth)
                return f"{self.choices.one(('any', 'all'))}({element}{loop})"
            case "pairs": return f"({self.name('pair')} {self.choices.one(('==', '!='))} {self.name('pair')})"

    def comprehension(self, kind, depth):
        """(an element, the `for`s and `if`s behind it)."""
        outer, lambdas = self.variables, self.in_lambda
        self.in_lambda, loops = True, []
        for name in ("m", "w")[:self.choices.one((1, 1, 1, 2))]:
            known = self.choices.one((self.name("ints"), f"({self.name('int')}, {self.name('int')})", "range(3)"))
            staged = self.choices.one((self.name("ints"), f"range({self.name('int')} % 4)"))
            loops.append(f" for {name} in {self.choices.one((known, staged))}")
            self.variables = {**self.variables, name: "int"}
            if self.choices.chance(0.4):
                loops.append(f" if {self.expression('bool', depth + 1)}")
        self.in_lambda = lambdas
        element = self.value(kind, depth + 1) if kind == "int" else self.expression(kind, depth + 1)
        self.variables = outer
        return element, "".join(loops)

    def pair(self, depth):
        if self.choices.chance(0.2):
            return self.call("pair", depth)
        return self.name("pair") if self.choices.chance(0.3) else f"({self.value('int', depth)}, {self.expression('float', depth)})"

    def node(self, depth):
        return self.name("node")

    def ints(self, depth):
        return self.name("ints")

    def maybe(self, depth):
        return self.choices.one((f"{self.name('node')}.left", f"{self.name('node')}.right", self.name("node"), "None"))

    # Statements

    def block(self, most=5, more=None):
        """A block: what it binds has no value behind it."""
        before = dict(self.variables)
        functions = len(self.functions)
        self.depth += 1
        if more:
            more()
        for _ in range(self.choices.number(1, most)):
            if self.statement():
                break
        self.depth -= 1
        if self.depth:
            self.variables = before
            del self.functions[functions:]

    def statement(self):
        self.left -= 1
        if self.left < 0 or self.depth > 5:
            return self.assign()
        construct = self.choices.construct(STATEMENT)
        if self.depth > 3 and construct in ("loop_while", "loop_for", "function", "attempt"):
            construct = "jump"
        return getattr(self, construct)()

    def assign(self):
        kind = self.choices.one(("int", "int", "int", "float", "float", "bool", "pair", "maybe"))
        value, name = self.value(kind), self.choices.one(self.own(kind))
        self.write(f"{name} = {value}")
        self.variables[name] = kind

    def augmented(self):
        kind = self.choices.one(("int", "float"))
        if not self.own_known(kind):
            return self.assign()
        sign = self.choices.one(("+=", "-=", "*=")) if kind == "float" else self.choices.one(("+=", "-="))
        self.write(f"{self.choices.one(self.own_known(kind))} {sign} {self.value(kind, 1)}")

    def unpack(self):
        if self.choices.chance(0.4):
            one, other = self.choices.random.sample(self.own("int"), 2)
            if one in self.variables and other in self.variables and self.choices.chance(0.6):
                return self.write(f"{one}, {other} = {other}, {one}")
            self.write(f"{one}, {other} = {self.value('int', 1)}, {self.value('int', 1)}")
            self.variables.update({one: "int", other: "int"})
            return
        one, other = self.choices.one(self.own("int")), self.choices.one(self.own("float"))
        self.write(f"{one}, {other} = {self.expression('pair', 1)}")
        self.variables.update({one: "int", other: "float"})

    def chained(self):
        one, other = self.choices.random.sample(self.own("int"), 2)
        self.write(f"{one} = {other} = {self.value('int')}")
        self.variables.update({one: "int", other: "int"})

    def conditional(self):
        self.write(f"if {self.expression('bool')}:")
        with self.write:
            self.block()
        while self.choices.chance(0.25):
            self.write(f"elif {self.expression('bool')}:")
            with self.write:
                self.block()
        if self.choices.chance(0.45):
            self.write("else:")
            with self.write:
                self.block()

    def narrowed(self):
        """A child, where it is present."""
        child = f"{self.name('node')}.{self.choices.one(('left', 'right'))}"
        if "(" in child:
            return self.assign()
        forms = ((f"if {child} is not None:", True), (f"if {child} is None:", False), (f"if {child}:", True),
                 (f"if {child} is not None and {child}.label > 1:", True))
        head, there = self.choices.one(forms)
        other = self.choices.chance(0.5) or not there
        for branch, present in ((head, there), ("else:", not there))[:1 + other]:
            self.write(branch)
            with self.write:
                def more(present=present):
                    if present:
                        kind = self.choices.one(("node", "float", "float"))
                        name = self.own(kind)[0]
                        self.write(f"{name} = {child}" + (".value" if kind == "float" else ""))
                        self.variables[name] = kind
                self.block(more=more)

    def loop(self, head, variables=(), first=()):
        self.write(head)
        before = dict(self.variables)
        self.variables.update(variables)
        with self.write:
            for line in first:
                self.write(line)
            self.loops += 1
            self.block(most=4)
            self.loops -= 1
        self.variables = before
        if self.choices.chance(0.2):
            self.choices.counts["staged: loop else"] += 1
            self.write("else:")
            with self.write:
                self.block(most=2)

    def loop_while(self):
        counter = f"c{self.made}"
        self.made += 1
        self.write(f"{counter} = {self.choices.one((str(self.choices.number(1, 5)), self.name('int') + ' % 5'))}")
        if self.choices.chance(0.15):
            return self.loop("while True:", first=(f"{counter} -= 1", f"if {counter} < 0: break"))
        condition = f" and {self.expression('bool')}" if self.choices.chance(0.6) else ""
        self.loop(f"while {counter} > 0{condition}:", first=(f"{counter} -= 1",))

    def loop_for(self):
        e = f"e{self.inside}"
        name = self.choices.one((e, *self.own("int")[2:4]))
        sub = lambda: self.expression("int", 1)  # noqa: E731
        variables = {name: "int"}
        match self.choices.construct(FOR):
            case "range_staged": head = f"{name} in range(min(5, {sub()}))"
            case "range_known": head = f"{name} in range({self.choices.number(0, 3)})"
            case "range_both": head = f"{name} in range({sub()} % 3, {sub()} % 6)"
            case "steps": head = f"{name} in range({sub()} % 9, {self.choices.one(('2', '-3'))}, {self.choices.one(('-1', '2', '-2'))})"
            case "list": head = f"{name} in {self.name('ints')}"
            case "tuple": head = f"{name} in ({sub()}, {sub()})"
            case "enumerated": head, variables = f"{e}, {e}_ in enumerate({self.name('ints')})", {e: "int", e + "_": "int"}
            case "pairs": head, variables = f"{e}, w{e} in ({self.name('pair')}, (1, 2.5))", {e: "int", f"w{e}": "float"}
        self.loop(f"for {head}:", variables)

    def jump(self):
        if not self.loops or self.cleanup:
            return self.assign()
        line = self.choices.one(("break", "continue"))
        if self.choices.chance(0.5):
            self.write(f"if {self.expression('bool')}: {line}")
            return False
        self.write(line)
        return True

    def returned(self):
        if self.choices.chance(0.6) or self.depth < 2:
            self.write(f"if {self.expression('bool')}: return {self.value(self.result, 1)}")
            return False
        self.write(f"return {self.value(self.result)}")
        return True

    def printed(self):
        parts = [self.choices.one(("'a'", self.value("int", 1), self.expression("float", 1), self.expression("bool", 1), self.name("pair"),
                                   f"f\"{{{self.name('int')}}}:{{{self.name('float')}:.2f}}\"")) for _ in range(self.choices.number(1, 3))]
        self.write(f"print({', '.join(parts)})")

    def expression_statement(self):
        kind = self.choices.one(("int", "float"))
        self.write(self.call(kind, 1))

    def node_statement(self):
        name = self.own("node")[0]
        self.write(f"{name} = Node({self.value('int', 1)}, {self.expression('float', 1)}, {self.expression('bool', 1)}, "
                   f"{self.choices.one(('None', self.name('node'), self.name('node') + '.left'))}, {self.expression('maybe', 1)})")
        self.variables[name] = "node"

    def object(self):
        box = self.own("box")[0]
        if box in self.variables and self.choices.chance(0.7):
            return self.write(self.choices.one((f"{box}.a = {self.value('int', 1)}", f"{box}.b += {self.name('int')}",
                                                f"{box}.a = {box}.total({self.name('int')}) % 1009")))
        self.write(f"{box} = Box({self.value('int', 1)}, {self.value('int', 1)})")
        self.variables[box] = "box"

    def collection(self):
        kind = self.choices.one(("list", "dict"))
        name = self.own(kind)[0]
        place = f"{name}[0]" if kind == "list" else f"{name}['a']"
        if name in self.variables and self.choices.chance(0.7):
            more = f"{name}.append({self.name('int')})" if kind == "list" and self.choices.chance(0.3) else f"{place} = {self.value('int', 1)}"
            return self.write(self.choices.one((more, f"{place} += {self.name('int')}")))
        self.write(f"{name} = {self.literal(kind)}")
        self.variables[name] = kind

    def raised(self):
        line = self.choices.one((f"raise ValueError({self.name('int')})", "raise ValueError('no')", "raise KeyError('k')", "raise Failure('mine')",
                                 f"raise IndexError(f\"at {{{self.name('int')}}}\")", "raise ZeroDivisionError", f"raise Failure({self.name('int')}, 'x')"))
        if self.choices.chance(0.8) or self.depth < 2:
            self.write(f"if {self.expression('bool')}: {line}")
            return False
        self.write(line)
        return True

    def asserted(self):
        self.write(f"assert {self.expression('bool')}" + self.choices.one(("", ", 'asserted'", f", {self.name('int')}")))

    def deleted(self):
        name = self.choices.one(self.own_known("int") or ["i"])
        if name in self.variables:
            self.write(f"del {name}")
            del self.variables[name]

    def attempt(self):
        self.write("try:")
        with self.write:
            self.block(most=3)
        if self.choices.chance(0.6):
            self.write(f"except {self.choices.one(('ValueError', 'ZeroDivisionError', 'Exception', 'IndexError'))}:")
            with self.write:
                self.block(most=2)
        else:
            self.write("finally:")
            before, self.cleanup = self.cleanup, True
            with self.write:
                self.block(most=2)
            self.cleanup = before

    def matched(self):
        by_parts = self.choices.chance(0.6)
        self.write(f"match {self.expression('int')}, {self.expression('int')}:" if by_parts else f"match {self.expression('int')}:")
        guard = f" if {self.expression('bool', 2)}" if by_parts else ""
        name = self.choices.one(self.own_known("int") or ["_"])
        with self.write:
            for pattern in (f"(0 | 1, {name}){guard}", f"[{name}, 2 | 3]", "_") if by_parts else ("0", "1 | 2", "_"):
                self.write(f"case {pattern}:")
                with self.write:
                    self.block(most=2)
