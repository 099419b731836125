"""Random plain programs: nested control flow, early exits, closures, recursion, exceptions, state.

Every program ends (loops and recursions ask `tick()`) and is deterministic. PRELUDE is what the programs need; program N is
the function `program_N(i, j, x, p, xs, u, box)`, with functions and globals of its own that end in `_N`.
"""

from choices import Table
from plain_expressions import NAMES, Expressions
from program_blocks import Program

PRELUDE = '''\
FUEL = [0]


def tick():
    """False when the program has turned often enough."""
    FUEL[0] -= 1
    return FUEL[0] > 0


class Failure(Exception):
    pass


class Box:
    def __init__(self, a, b=0):
        self.a, self.b = a, b

    @property
    def c(self):
        print("c of", self.a)
        return self.a

    def step(self, by):
        while self.a < by and tick():
            self.a += 1
            if self.a == 3:
                continue
            self.b -= 1
            if self.b < -5:
                break
        else:
            self.b += 2
        return self.a

    def total(self, more):
        if more:
            return self.a + self.b + more
        return self.a

    def __repr__(self):
        return f"Box({vars(self)})"


class Manager:
    def __init__(self, name, swallows=False):
        self.name, self.swallows = name, swallows

    def __enter__(self):
        print("enter", self.name)
        return self.name

    def __exit__(self, kind, error, traceback):
        print("exit", self.name, kind and kind.__name__)
        return self.swallows and kind is not None and issubclass(kind, Exception)


def shown(value):
    print("evaluated", value)
    return value
'''

STATEMENT = Table("statement", assign=20, augmented=8, unpack=5, chained=2, conditional=16, loop_while=8, loop_for=10, jump=9,
                  returned=5, printed=6, expression_statement=4, deleted=2, item=4, attribute=4, listed=4, function=6, function_value=2, attempt=5,
                  raised=3, asserted=2, context=2, matched=2, global_state=3, passed=1, annotated=1, klass=1, generator=1)
AUGMENTED = Table("augmented", int=10, attribute=4, item=3, list=2, str=1, float=3, global_state=1)
UNPACK = Table("unpack", pair=4, swap=4, starred=2, nested=2, listed=1, item=1)
WHILE = Table("while", counted=6, condition=6, forever=2)
FOR = Table("for", range=6, list=5, enumerated=2, zipped=2, tuple=2, dict=1, pairs=2, live=1, attribute=1, generator=1)
DELETED = Table("del", name=5, item=2, attribute=1)
ATTEMPT = Table("try", handled=8, named=5, several=3, with_else=3, finally_=4, all=2)
RAISED = Table("raise", failure=5, builtin=3, from_=2, again=2, class_=1)
CAUGHT = ("Failure", "ValueError", "(TypeError, ValueError)", "ZeroDivisionError", "NameError", "Exception", "IndexError",
          "(Failure, ZeroDivisionError, IndexError)", "UnboundLocalError", "AssertionError", "KeyError", "AttributeError")
ERRORS = ("Failure", "ValueError", "ZeroDivisionError", "KeyError")


class Scope:
    """The names that probably have a value in a function, by kind; those of the functions around it are readable, too."""

    def __init__(self, outer=None):
        self.outer, self.names, self.own_functions = outer, {}, []

    def names_of(self, kind):
        names = self.names.get(kind, [])
        return names + self.outer.names_of(kind) if self.outer else names

    def functions(self):
        return self.own_functions + self.outer.functions() if self.outer else self.own_functions

    def give(self, kind, name):
        known = self.names.setdefault(kind, [])
        if name not in known:
            known.append(name)

    def forget(self, name):
        for known in self.names.values():
            if name in known:
                known.remove(name)


class PlainProgram(Program, Expressions):
    statements, attempts, caught = STATEMENT, ATTEMPT, CAUGHT
    nesting = frozenset(("loop_while", "loop_for", "attempt", "conditional", "function", "klass"))

    def __init__(self, seed, number):
        super().__init__(seed, number, 4, 26)
        self.scope = Scope()

    def source(self):
        """The program's text: its functions, and globals."""
        write, number = self.write, self.number
        write(f"g_{number} = {self.literal('int')}")
        if self.choices.chance(0.3):
            self.recursive(f"r_{number}")
        if self.choices.chance(0.08):
            self.mutual(number)
        self.define(f"program_{number}", ("i", "j", "x", "p", "xs", "u", "box"), ("int", "int", "float", "bool", "list", "tuple", "object"))
        return write.text()

    # Functions

    def define(self, name, formals, kinds, body=None, header=None):
        outer, self.scope = self.scope, Scope(self.scope)
        for formal, kind in zip(formals, kinds):
            self.scope.give(kind, formal)
        self.write(header or f"def {name}({', '.join(formals)}):")
        with self.write, self.own_frame():
            if self.choices.chance(0.15):
                self.choices.counts["function: global"] += 1
                self.write(f"global g_{self.number}")
            (body or self.block)()
            if self.choices.chance(0.6):
                self.write(f"return {self.result()}")
        self.scope = outer

    def result(self):
        kinds = ("int", "tuple", "list", "float", "str") if self.write.depth == 1 else ("int",)
        known = [name for kind in kinds for name in self.scope.names.get(kind, ())]
        if self.choices.chance(0.4) and len(known) > 1:
            return f"({', '.join(known)})" if self.write.depth == 1 else known[0]
        return self.expression(self.choices.one(kinds))

    def recursive(self, name):
        """A function that calls itself, while there is fuel and its first argument is positive."""
        self.choices.counts["function: recursive"] += 1

        def body():
            self.write(f"if i <= 0 or not tick(): return {self.expression('int')}")
            self.scope.own_functions.append((f"{name}", 2))
            self.block(most=5)
            self.write(f"return {self.expression('int')} + {name}(i - 1, {self.expression('int')})")
        self.define(name, ("i", "j"), ("int", "int"), body)
        self.scope.own_functions.append((name, 2))

    def mutual(self, number):
        self.choices.counts["function: mutual recursion"] += 1
        for one, other in (("e", "o"), ("o", "e")):
            def body(other=other):
                self.write("if i <= 0 or not tick(): return j")
                self.block(most=3)
                self.write(f"return {other}_{number}(i - 1, {self.expression('int')})")
            self.define(f"{one}_{number}", ("i", "j"), ("int", "int"), body)
        self.scope.own_functions.append((f"e_{number}", 2))

    def function(self):
        """A nested function: it may read, and by `nonlocal` write, what is around it."""
        if self.scope.outer and self.scope.outer.outer and self.scope.outer.outer.outer:
            return self.assign()
        name = self.fresh("f")
        formals = self.choices.random.sample(("i", "j", "k", "a"), self.choices.number(0, 2))
        header = ", ".join(f"{formal}={self.expression('int', 2)}" if self.choices.chance(0.2) and formal == formals[-1] else formal
                           for formal in formals)

        def body():
            outer = [name for name in self.scope.outer.names.get("int", ()) if name not in formals]
            if outer and self.scope.outer.outer and self.choices.chance(0.4):
                self.choices.counts["function: nonlocal"] += 1
                self.write(f"nonlocal {outer[-1]}")
                self.scope.give("int", outer[-1])
            self.write(f"if not tick(): return {self.literal('int')}")
            self.block(most=5)
        recursive = self.choices.chance(0.2)
        if recursive:
            self.scope.own_functions.append((name, len(formals)))
        self.define(name, formals, ["int"] * len(formals), body, f"def {name}({header}):")
        if not recursive:
            self.scope.own_functions.append((name, len(formals)))

    def function_value(self):
        name, arity = self.fresh("h"), self.choices.number(0, 2)
        formals = ("i", "e")[:arity]
        self.write(f"{name} = lambda {', '.join(formals)}: {self.expression('int', 1)}".replace("lambda :", "lambda:"))
        self.scope.own_functions.append((name, arity))

    def klass(self):
        name = self.fresh("K")
        self.write(f"class {name}(Box):")
        with self.write:
            self.define("step", ("self", "i"), ("object", "int"), lambda: self.block(most=3))
            if self.choices.chance(0.5):
                self.define("total", ("self", "j"), ("object", "int"),
                            lambda: self.write(f"self.a = super().total({self.expression('int')})"))
        self.write(f"o = {name}({self.expression('int')})")
        self.scope.give("object", "o")

    def generator(self):
        """A generator, which stays as it is, and a loop over it."""
        name = self.fresh("y")
        self.write(f"def {name}(k):")
        with self.write:
            self.write("for e in range(3):")
            with self.write:
                self.write(f"if {self.expression('bool')}: yield {self.expression('int')}")
                self.write("print('generated', e)")
        self.write(f"xs = list({name}({self.expression('int')}))")
        self.scope.give("list", "xs")

    # Statements

    def assigned(self, kind):
        """A name of that kind, which has a value from here on."""
        name = self.choices.one(NAMES[kind])
        self.scope.give(kind, name)
        return name

    def assign(self):
        kind = self.choices.one(("int", "int", "int", "float", "bool", "str", "list", "tuple", "dict", "object"))
        value = self.expression(kind)
        self.write(f"{self.assigned(kind)} = {value}")

    def annotated(self):
        value = self.expression("int")
        self.write(f"{self.choices.one(NAMES['int'])}: int" + (f" = {value}" if self.choices.chance(0.8) else ""))

    def augmented(self):
        sign = self.choices.one(("+=", "-="))
        match self.choices.construct(AUGMENTED):
            case "int": self.write(f"{self.name_to_change('int')} {sign} {self.expression('int')}")
            case "attribute": self.write(f"{self.name('object')}.{self.choices.one('ab')} {sign} {self.expression('int')}")
            case "item": self.write(f"{self.name('list')}[{self.choices.one(('0', '-1', self.expression('int', 2)))}] {sign} {self.expression('int')}")
            case "list": self.write(f"{self.name_to_change('list')} += [{self.ints(1)}]")
            case "str": self.write(f"{self.name_to_change('str')} += {self.literal('str')}")
            case "float": self.write(f"{self.name_to_change('float')} {self.choices.one(('+=', '*=', '/='))} {self.expression('float')}")
            case "global_state": self.write(f"g_{self.number} {sign} 1")

    def name_to_change(self, kind):
        known = self.scope.names.get(kind)
        return self.choices.one(known) if known else self.choices.one(NAMES[kind])

    def unpack(self):
        one, other = self.choices.random.sample(NAMES["int"], 2)
        match self.choices.construct(UNPACK):
            case "pair": line = f"{one}, {other} = {self.expression('int')}, {self.expression('int')}"
            case "swap": line = f"{one}, {other} = {other}, {one}"
            case "starred": line = f"{one}, *xs = {self.expression('list')}"
            case "nested": line = f"({one}, ({other}, u)) = {self.expression('int')}, ({self.expression('int')}, {self.expression('tuple')})"
            case "listed": line = f"[{one}, {other}] = {self.expression(self.choices.one(('tuple', 'list')))}"
            case "item": line = f"{one}, {self.name('list')}[0], {self.name('object')}.a = {self.ints(1, 3, 3)}"
        self.write(line)
        self.scope.give("int", one)
        self.scope.give("int", other)

    def chained(self):
        value = self.expression("int")
        other = self.choices.one(("k", self.name("object") + ".a", self.name("list") + "[0]"))
        self.write(f"i = {other} = {value}")
        self.scope.give("int", "i")

    def loop_while(self):
        match self.choices.construct(WHILE):
            case "counted":
                name = self.name_to_change("int")
                self.loop(f"while {name} < {self.choices.number(1, 6)} and tick():", (f"{name} += 1",))
            case "condition": self.loop(f"while {self.expression('bool')} and tick():")
            case "forever": self.loop("while True:", ("if not tick(): break",))

    def loop_for(self):
        sub = self.expression
        i = self.choices.one(("i", "k", "e"))
        first = ()
        match self.choices.construct(FOR):
            case "range": head = f"{i} in range({self.choices.one(('3', 'min(4, ' + sub('int') + ')', '1, 8, 3'))})"
            case "list": head = f"{i} in {sub('list')}[:4]"
            case "enumerated": head = f"{i}, j in enumerate({sub('list')}[:4])"
            case "zipped": head = f"{i}, j in zip({sub('list')}, range(4))"
            case "tuple": head = f"{i} in {sub('tuple')}[:4]"
            case "dict": head = f"{i} in list({sub('dict')})[:4]"
            case "pairs": head = f"(i, (j, k)) in [({sub('int')}, ({sub('int')}, 2)), (3, (4, 5))]"
            case "live": head, first = f"{i} in {self.name('list')}", ("if not tick(): break",)
            case "attribute": head = f"{self.name('object')}.a in range(3)"
            case "generator": head = f"{i} in (e for e in {sub('list')}[:4] if {sub('bool')})"
        if "(" not in head.split(" in ")[0] and "." not in head.split(" in ")[0] and i != "e":
            self.scope.give("int", i)
        self.loop(f"for {head}:", first)

    def returned(self):
        if self.frame.in_cleanup:
            return self.assign()
        return self.ending(f"return {self.result()}" if self.choices.chance(0.95) else "return", 0.6)

    def printed(self):
        kinds = [self.choices.one(("int", "float", "bool", "str", "list", "tuple", "object")) for _ in range(self.choices.number(1, 2))]
        self.write(f"print({', '.join(self.expression(kind, 2) for kind in kinds)})")

    def expression_statement(self):
        self.write(self.choices.one((self.call(1), f"shown({self.expression('int')})", f"{self.name('object')}.step({self.expression('int')})")))

    def deleted(self):
        match self.choices.construct(DELETED):
            case "name":
                kind = self.choices.one(("int", "int", "float", "list"))
                name = self.name_to_change(kind)
                self.write(f"del {name}")
                self.scope.forget(name)
            case "item": self.write(f"del {self.name('list')}[{self.choices.one(('0', '-1', ':1'))}]")
            case "attribute": self.write(f"del {self.name('object')}.b")

    def item(self):
        kind = self.choices.one(("list", "list", "dict"))
        self.write(f"{self.name(kind)}[{self.choices.one(('0', '-1', self.expression('int', 2)))}] = {self.expression('int')}")

    def attribute(self):
        self.write(f"{self.name('object')}.{self.choices.one(('a', 'b', 'b', 'new', 'c'))} = {self.expression('int')}")

    def listed(self):
        xs = self.name("list")
        self.write(self.choices.one((f"{xs}.append({self.expression('int')})", f"{xs}.append({self.expression('int')})",
                                     f"{self.assigned('int')} = {xs}.pop()", f"{xs}.extend(({self.ints(1)},))",
                                     f"{xs}.sort()", f"{xs}[1:2] = [{self.ints(1)}]")))

    def raised(self):
        match self.choices.construct(RAISED):
            case "failure": line = f"raise Failure({self.expression('int')})"
            case "builtin": line = f"raise {self.choices.one(ERRORS)}({self.expression('str')})"
            case "from_": line = f"raise Failure('again') from {self.choices.one(('None', 'ValueError(1)'))}"
            case "again": line = "raise"
            case "class_": line = f"raise {self.choices.one(ERRORS)}"
        return self.ending(line, 0.7)

    def asserted(self):
        self.write(f"assert {self.expression('bool')}" + (f", {self.expression('str')}" if self.choices.chance(0.5) else ""))

    def context(self):
        name = self.assigned("str")
        self.under(f"with Manager({self.literal('str')}, {self.expression('bool', 2)})" + self.choices.one((f" as {name}:", ":", f" as {name}, Manager('inner'):")))

    def matched(self):
        subject = self.expression(self.choices.one(("int", "tuple", "object", "list", "dict")))
        patterns = self.choices.random.sample(("0 | 1", "(i, j)", "[i, *xs]", "Box(a=i)", f"k if {self.expression('bool')}", "{1: n}", "int()"),
                                              self.choices.number(1, 3))
        self.cases(subject, patterns + ["_"] * self.choices.chance(0.5), most=3)

    def global_state(self):
        name, value = f"g_{self.number}", self.expression("int")
        self.write(self.choices.one((f"{self.assigned('int')} = {name} + {value}", f"globals()['{name}'] = {value}", f"print({name})",
                                     f"{name} = {value}")))

    def passed(self):
        self.write("pass")
