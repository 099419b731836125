"""Random expressions for plain programs: mostly of the kind asked for, now and then of another, or of a name without a value."""

from choices import Table

KINDS = ("int", "float", "bool", "str", "list", "tuple", "dict", "object")
NAMES = {"int": ("i", "j", "k", "n"), "float": ("x", "y", "z"), "bool": ("p", "q"), "str": ("s", "t"), "list": ("xs", "ys"),
         "tuple": ("u", "v"), "dict": ("d",), "object": ("box", "o")}
WRONG_KIND = 0.01        # an operand of another kind: a TypeError, usually
ANY_NAME = 0.015         # a name that perhaps has no value

INT = Table("int", literal=12, name=22, add=8, subtract=6, multiply=4, floor=1, modulo=2, negate=2, length=2, item=3, attribute=4,
            conditional=4, walrus=2, call=5, aggregate=2, logical=2, bits=1, comprehension=2, lambda_call=1, dictionary=2, cast=1,
            method=2)
FLOAT = Table("float", literal=8, name=16, add=5, multiply=5, divide=2, power=1, conditional=2, cast=2, negate=1)
BOOL = Table("bool", literal=1, name=5, compare=12, chain=4, negation=5, both=5, either=5, contains=3, is_none=2, truth=2, any_all=2,
             isinstance=1, identity=1)
STR = Table("str", literal=5, name=6, fstring=5, concatenate=2, slice=2, conditional=1, cast=1)
LIST = Table("list", literal=8, name=8, comprehension=5, slice=3, sorted=1, starred=2, mapped=1, nested=1)
TUPLE = Table("tuple", literal=8, name=5, call=1, slice=1, starred=1, reversed=1)
DICT = Table("dict", literal=5, name=5, comprehension=2, starred=1)
OBJECT = Table("object", name=12, new=3)

DEEPEST = 4


class Expressions:
    """Needs `choices`, `scope` (names with values, by kind) and `functions` (names with their arity)."""

    def expression(self, kind, depth=0):
        choices = self.choices
        if choices.chance(WRONG_KIND):
            kind = choices.one(KINDS)
        if choices.chance(ANY_NAME):
            self.choices.counts["name perhaps without a value"] += 1
            return choices.one(NAMES[kind])
        if depth >= DEEPEST:
            return self.name(kind)
        return getattr(self, kind)(depth + 1)

    def name(self, kind):
        """A variable of that kind that probably has a value, or else a literal."""
        known = self.scope.names_of(kind)
        return self.choices.one(known) if known else self.literal(kind)

    def literal(self, kind):
        choices = self.choices
        if kind == "int":
            return str(choices.number(-3, 7))
        if kind == "float":
            return choices.one(("0.5", "1.5", "-2.25", "0.0", "3.0", "1e10"))
        if kind == "bool":
            return choices.one(("True", "False"))
        if kind == "str":
            return choices.one(("'a'", "'bc'", "''"))
        return {"list": "[1, 2]", "tuple": "(1, 2)", "dict": "{1: 2}", "object": "Box(1)"}[kind]

    def ints(self, depth, fewest=1, most=3):
        return ", ".join(self.expression("int", depth) for _ in range(self.choices.number(fewest, most)))

    def call(self, depth):
        """A call of a function in scope, or of a method."""
        functions = self.scope.functions()
        if not functions:
            return self.name("int")
        name, arity = self.choices.one(functions)
        if self.choices.chance(0.01):
            arity += 1
        arguments = [self.expression("int", depth) for _ in range(arity)]
        if arguments and self.choices.chance(0.05):
            return f"{name}(*[{', '.join(arguments)}])"
        return f"{name}({', '.join(arguments)})"

    def int(self, depth):
        sub = lambda kind="int": self.expression(kind, depth)  # noqa: E731
        what = self.choices.construct(INT)
        match what:
            case "literal": return self.literal("int")
            case "name": return self.name("int")
            case "add": return f"({sub()} + {sub()})"
            case "subtract": return f"({sub()} - {sub()})"
            case "multiply": return f"({sub()} * {sub()} % {self.choices.number(5, 99)})"
            case "floor": return f"({sub()} // {sub()})"
            case "modulo": return f"({sub()} % {sub()})"
            case "negate": return f"-{sub()}"
            case "length": return f"len({sub(self.choices.one(('list', 'tuple', 'str', 'dict')))})"
            case "item": return f"{self.name(self.choices.one(('list', 'tuple')))}[{self.choices.one(('0', '-1', sub()))}]"
            case "attribute": return f"{self.name('object')}.{self.choices.one(('a', 'a', 'b', 'c'))}"
            case "conditional": return f"({sub()} if {sub('bool')} else {sub()})"
            case "walrus": return f"({self.assigned('int')} := {sub()})"
            case "call": return self.call(depth)
            case "aggregate": return f"{self.choices.one(('sum', 'max', 'min'))}({sub('list')})"
            case "logical": return f"({sub()} {self.choices.one(('and', 'or'))} {sub()})"
            case "bits": return f"({sub()} {self.choices.one('&|^')} {sub()})"
            case "comprehension": return f"sum({sub()} for {self.bound('e')} in {sub('list')}{self.comprehension_if(depth)})"
            case "lambda_call": return f"(lambda {self.choices.one('ij')}: {sub()})({sub()})"
            case "dictionary": return f"{self.name('dict')}{self.choices.one(('[%s]', '.get(%s, 0)')) % sub()}"
            case "cast": return f"int({sub(self.choices.one(('bool', 'float')))})"
            case "method": return f"{self.name('object')}.{self.choices.one(('step', 'total'))}({sub()})"

    def bound(self, name):
        """The variable of a comprehension: `e`, or a name that is also a variable outside."""
        return self.choices.one((name, "i"))

    def comprehension_if(self, depth):
        return f" if {self.expression('bool', depth)}" if self.choices.chance(0.4) else ""

    def float(self, depth):
        sub = lambda kind="float": self.expression(kind, depth)  # noqa: E731
        match self.choices.construct(FLOAT):
            case "literal": return self.literal("float")
            case "name": return self.name("float")
            case "add": return f"({sub()} {self.choices.one('+-')} {sub(self.choices.one(('int', 'float')))})"
            case "multiply": return f"({sub()} * {sub()})"
            case "divide": return f"({sub()} / {sub()})"
            case "power": return f"{self.name('float')} ** {self.choices.number(0, 3)}"
            case "conditional": return f"({sub()} if {sub('bool')} else {sub()})"
            case "cast": return f"float({sub('int')})"
            case "negate": return f"-{sub()}"

    def bool(self, depth):
        sub = lambda kind="int": self.expression(kind, depth)  # noqa: E731
        sign = lambda: self.choices.one(("<", "<=", ">", ">=", "==", "!="))  # noqa: E731
        match self.choices.construct(BOOL):
            case "literal": return self.literal("bool")
            case "name": return self.name("bool")
            case "compare":
                kind = self.choices.one(("int", "int", "float", "tuple"))
                return f"{sub(kind)} {sign()} {sub(kind)}" if depth > 2 else f"({sub(kind)} {sign()} {sub(kind)})"
            case "chain": return f"({sub()} {sign()} {sub()} {sign()} {sub()})"
            case "negation": return f"(not {sub('bool')})"
            case "both": return f"({sub('bool')} and {sub('bool')})"
            case "either": return f"({sub('bool')} or {sub('bool')})"
            case "contains": return f"({sub()} {self.choices.one(('in', 'not in'))} {sub(self.choices.one(('list', 'tuple', 'dict')))})"
            case "is_none": return f"({self.name(self.choices.one(('int', 'object')))} {self.choices.one(('is', 'is not'))} None)"
            case "truth": return f"bool({sub(self.choices.one(('int', 'list', 'str')))})"
            case "any_all": return f"{self.choices.one(('any', 'all'))}({sub('bool')} for {self.bound('e')} in {sub('list')})"
            case "isinstance": return f"isinstance({sub()}, {self.choices.one(('int', 'str', '(int, float)'))})"
            case "identity": return f"({self.name('object')} {self.choices.one(('is', 'is not'))} {self.name('object')})"

    def str(self, depth):
        sub = lambda kind="str": self.expression(kind, depth)  # noqa: E731
        match self.choices.construct(STR):
            case "literal": return self.literal("str")
            case "name": return self.name("str")
            case "fstring":
                kind = self.choices.one(("int", "float", "bool", "tuple"))
                return f"f\"{{{self.name(kind)}{self.choices.one(('', '!r', '=', '!s:>4'))}}}-{{{self.name('int')}}}\""
            case "concatenate": return f"({sub()} + {sub()})[:9]"
            case "slice": return f"{sub()}[{sub('int')}:]"
            case "conditional": return f"({sub()} if {sub('bool')} else {sub()})"
            case "cast": return f"str({sub(self.choices.one(('int', 'bool', 'list')))})"

    def list(self, depth):
        match self.choices.construct(LIST):
            case "literal": return f"[{self.ints(depth, 0)}]"
            case "name": return self.name("list")
            case "comprehension":
                element, sequence = self.expression("int", depth), self.expression(self.choices.one(("list", "tuple")), depth)
                return f"[{element} for {self.bound('e')} in {sequence}{self.comprehension_if(depth)}]"
            case "slice": return f"{self.name('list')}[{self.choices.one(('1:', ':2', '::-1', ':', '-2:'))}]"
            case "sorted": return f"sorted({self.expression('list', depth)})"
            case "starred": return f"[*{self.name('list')}[:3], {self.ints(depth)}]"
            case "mapped": return f"list(map(lambda e: {self.expression('int', depth)}, {self.name('list')}))"
            case "nested": return f"[{self.ints(depth)} for i in range(2) for j in range({self.choices.number(0, 2)})]"

    def tuple(self, depth):
        match self.choices.construct(TUPLE):
            case "literal": return f"({self.ints(depth, 0)},)".replace("(,)", "()")
            case "name": return self.name("tuple")
            case "call": return f"divmod({self.expression('int', depth)}, {self.expression('int', depth)})"
            case "slice": return f"{self.name('tuple')}[{self.choices.one(('1:', ':2', '::-1'))}]"
            case "starred": return f"(*{self.name('tuple')}[:3], {self.ints(depth)})"
            case "reversed": return f"tuple(reversed({self.name('list')}[:3]))"

    def dict(self, depth):
        match self.choices.construct(DICT):
            case "literal": return "{%s: %s}" % (self.expression("int", depth), self.expression("int", depth))
            case "name": return self.name("dict")
            case "comprehension": return "{e: %s for e in %s}" % (self.expression("int", depth), self.expression("list", depth))
            case "starred": return "{**%s, %s: %s}" % (self.name("dict"), self.expression("int", depth), self.expression("int", depth))

    def object(self, depth):
        match self.choices.construct(OBJECT):
            case "name": return self.name("object")
            case "new": return f"Box({self.ints(depth, 1, 2)})"
