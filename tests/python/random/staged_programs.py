"""Random programs that can be staged: their arguments are staged values, every variable keeps its type, and no integer grows
past 64 bits.

Program N is the function `program_N(i: int, j: int, x: float, p: bool, t: Node, xs: list[int])`; its functions end in `_N`.
"""

from choices import Table
from program_blocks import Program
from staged_expressions import NAMES, Expressions

PRELUDE = '''\
import math

import numpy as np

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

STATEMENT = Table("staged statement", assign=22, augmented=9, unpack=5, conditional=18, loop_while=8, loop_for=10, jump=9, returned=6,
                  printed=7, function=5, function_value=3, node_statement=4, narrowed=5, object=5, collection=4, raised=3, asserted=2, deleted=0.5,
                  chained=1, expression_statement=2, attempt=0.6, matched=0.5)
ATTEMPT = Table("staged try", handled=6, several=1, with_else=1, finally_=4, all=1)
FOR = Table("staged for", range_staged=8, range_known=5, range_both=3, steps=2, list=4, tuple=3, enumerated=1, pairs=1)


class StagedProgram(Program, Expressions):
    statements, attempts = STATEMENT, ATTEMPT
    caught = ("ValueError", "ZeroDivisionError", "Exception", "IndexError")
    nesting = frozenset(("loop_while", "loop_for", "function", "attempt"))
    deepest, longest = 5, 5

    def __init__(self, seed, number):
        super().__init__(seed, number, 3, 18)
        self.variables = {}         # name → type, of those that have a value here
        self.functions = []         # (name, types of the parameters behind the fuel, result type, needs fuel)
        self.fuel, self.inside = None, 0
        self.result, self.nonlocals, self.in_lambda = "int", [], False

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
        outer = self.variables, self.fuel, self.depth, self.nonlocals
        free = dict(self.variables) if self.inside else {}
        self.variables = {**free, **dict(formals)}
        self.fuel, self.depth = fuel, 0 if not self.inside else 2
        self.inside += 1
        self.nonlocals = []
        head = ", ".join(([fuel] if fuel else []) + [f"{formal}: {kinds[kind]}" if annotated else formal for formal, kind in formals])
        self.write(f"def {name}({head}):")
        with self.write, self.own_frame():
            if fuel:
                functions, self.functions = self.functions, []
                self.under(f"if {fuel} <= 0:", lambda: self.write(f"return {self.value(self.result, 2)}"))
                self.functions = functions
            if more:
                more()
            self.block()
            self.write(f"return {self.value(self.result)}")
        self.inside -= 1
        self.variables, self.fuel, self.depth, self.nonlocals = outer

    def top_function(self):
        name = f"{self.fresh('r')}_{self.number}"
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
        name = f"{self.fresh('f')}_{self.number}"
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
        name, kind = f"{self.fresh('h')}_{self.number}", self.choices.one(("int", "float", "bool"))
        variables, self.variables = self.variables, {**self.variables, "k": "int"}
        self.in_lambda = True
        self.write(f"{name} = lambda k: {self.expression(kind, 1)}")
        self.variables, self.in_lambda = variables, False
        self.functions.append((name, ["int"], kind, False))

    # Statements

    def block(self, most=None, first=None):
        """What it binds has no value behind it."""
        before, functions = dict(self.variables), len(self.functions)
        super().block(most, first)
        if self.depth:
            self.variables = before
            del self.functions[functions:]

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
            def child_read(present=present):
                if present:
                    kind = self.choices.one(("node", "float", "float"))
                    name = self.own(kind)[0]
                    self.write(f"{name} = {child}" + (".value" if kind == "float" else ""))
                    self.variables[name] = kind
            self.under(branch, lambda: self.block(first=child_read))  # noqa: B023  at once

    def loop_while(self):
        counter = self.fresh("c")
        self.write(f"{counter} = {self.choices.one((str(self.choices.number(1, 5)), self.name('int') + ' % 5'))}")
        if self.choices.chance(0.15):
            return self.loop("while True:", (f"{counter} -= 1", f"if {counter} < 0: break"))
        condition = f" and {self.expression('bool')}" if self.choices.chance(0.6) else ""
        self.loop(f"while {counter} > 0{condition}:", (f"{counter} -= 1",))

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

        def turn():
            before = dict(self.variables)
            self.variables.update(variables)
            self.block()
            self.variables = before
        self.loop(f"for {head}:", body=turn)

    def returned(self):
        return self.ending(f"return {self.value(self.result)}", self.guarded(0.6))

    def guarded(self, probability):
        """A function's own block goes on."""
        return 1 if self.depth < 2 else probability

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
        return self.ending(line, self.guarded(0.8))

    def asserted(self):
        self.write(f"assert {self.expression('bool')}" + self.choices.one(("", ", 'asserted'", f", {self.name('int')}")))

    def deleted(self):
        name = self.choices.one(self.own_known("int") or ["i"])
        if name in self.variables:
            self.write(f"del {name}")
            del self.variables[name]

    def handler(self):
        """What an exception holds is not known when a program is staged."""
        self.block()

    def matched(self):
        by_parts = self.choices.chance(0.6)
        subject = f"{self.expression('int')}, {self.expression('int')}" if by_parts else self.expression("int")
        guard = f" if {self.expression('bool', 2)}" if by_parts else ""
        name = self.choices.one(self.own_known("int") or ["_"])
        self.cases(subject, (f"(0 | 1, {name}){guard}", f"[{name}, 2 | 3]", "_") if by_parts else ("0", "1 | 2", "_"), most=2)
