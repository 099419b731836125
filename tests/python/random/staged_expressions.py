"""Random expressions for programs that can be staged: of the kind asked for, and small where they are whole numbers that are kept."""

from choices import Table

NAMES = {"int": ("i", "j", "k", "n"), "float": ("x", "y", "z"), "bool": ("p", "q"), "pair": ("u", "v"), "node": ("t",), "maybe": ("o",),
         "ints": ("xs",), "box": ("box",), "list": ("ys",), "dict": ("d",)}
DEEPEST = 3
MAYBE_UNDEFINED = 0.004

INT = Table("staged int", literal=10, name=24, add=8, subtract=6, multiply=5, floor=3, modulo=3, negate=2, label=3, length=2, item=3,
            conditional=5, walrus=1, call=8, extreme=3, absolute=2, logical=1, cast=3, global_=1, square=1, box=2, list=2, dict=1, pair=2,
            sum_of=1, comprehended=4)
FLOAT = Table("staged float", literal=8, name=18, add=6, subtract=5, multiply=6, divide=3, modulo=1, power=1, negate=2, value=4,
              conditional=4, cast=4, pair=3, function=2, extreme=2, global_=1, floor=1)
BOOL = Table("staged bool", literal=1, name=8, compare=16, float_compare=7, chain=4, negation=5, both=6, either=6, contains=2, is_none=4,
             flag=3, conditional=2, equal=1, truth=1, any_all=1, pairs=1, generated=3)


class Expressions:
    """Needs `choices`, `variables` (name → kind, of those with a value here), `functions`, and what a function's own names depend on."""

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
            if self.frame.loops and self.fuel:
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
