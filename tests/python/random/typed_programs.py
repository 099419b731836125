"""Random programs over floats, arrays, structures and lists: all operators, all control flow, recursion. Each has a gradient."""

from choices import Choices, Table, Writer
from typed_expressions import Expressions

PRELUDE = '''import lantern as lt


@lt.struct
class Tree:
    value: float
    weight: lt.Tensor[lt.f64, 3]
    left: "Tree | None"
    right: "Tree | None"


@lt.struct
class Bush:
    value: float
    children: "list[Bush]"


def applied(function, first, second):
    return function(first, second)
'''
HEADING = 'x: float, v: lt.Tensor[lt.f64, 3], m: lt.Tensor[lt.f64, 3, 3], n: int, t: Tree, bush: Bush, xs: "list[float]"'
STATEMENTS = Table("statement", assign=8, change=6, augmented=4, both=3, only_if=2, counted=3, looped=2, over_list=2, over_rows=2, over_places=1,
                   grown=3, comprehension=2, written=2, items=3, popped=1, tree=3, mutual=1, countdown=2, children=2, several=2, structure=2, closure=2,
                   argument=1, early=1, unpacked=1, asserted=1, nested_function=1, slope=1, along=1, mapped=1, gathered=1)
FLOATS = ("f", "v", "m")


class TypedProgram:
    """One program: a function `program_N` of a number, a vector, a matrix, an int, two trees and a list, that gives a float."""

    def __init__(self, seed, number):
        self.choices = Choices(seed)
        self.expressions = Expressions(self.choices)
        self.number = number
        self.names = 0
        self.helpers = []       # texts of the functions in front

    def source(self):
        scope = {"x": "f", "v": "v", "m": "m", "n": "i", "t.value": "f", "t.weight": "v"}
        write = Writer()
        write(f"def program_{self.number}({HEADING}):")
        with write:
            self.statements(write, scope, self.choices.number(3, 7), levels=2, loops=0)
            results = [self.expressions.of("f", scope, 1)] + [name if of == "f" else f"lt.sum({name})"
                                                              for name, of in list(scope.items())[-3:] if of in FLOATS]
            write(f"return {' + '.join(results)}")
        return "\n\n".join([*self.helpers, write.text()])

    def new_name(self, scope, type_):
        self.names += 1
        name = f"{type_.lower()}{self.names}"
        scope[name] = type_
        return name

    def expression(self, type_, scope, depth=2):
        text = self.expressions.bounded(type_, scope, depth)
        return f"{text} % 7" if type_ == "i" else text

    def assigned(self, scope):
        """A variable of the program's own that may change, or None."""
        names = [name for name, of in scope.items() if of in (*FLOATS, "i") and name.isidentifier() and name not in scope.get("fixed", ())]
        return self.choices.one(names) if names else None

    def statements(self, write, scope, count, levels, loops):
        for _ in range(count):
            kind = self.choices.construct(STATEMENTS)
            getattr(self, kind)(write, scope, levels, loops)

    def block(self, write, scope, levels, loops):
        """What a branch or a loop does: it ends with a change of something around it, if there is anything."""
        with write:
            inner = dict(scope)
            if levels > 0:
                self.statements(write, inner, self.choices.number(0, 2), levels - 1, loops)
            name = self.assigned(scope)
            write(f"{name} = {self.expression(scope[name], inner)}" if name else "pass")

    # Statements

    def assign(self, write, scope, levels, loops):
        type_ = self.choices.one((*FLOATS, "f", "v", "i", "b"))
        text = self.expression(type_, scope, 3)
        write(f"{self.new_name(scope, type_)} = {text}")

    def change(self, write, scope, levels, loops):
        name = self.assigned(scope)
        write(f"{name} = {self.expression(scope[name], scope, 3)}")

    def augmented(self, write, scope, levels, loops):
        name = self.assigned(scope)
        if name in "vm":    # the caller's
            return self.change(write, scope, levels, loops)
        if scope[name] == "i":
            write(f"{name} = ({name} + {self.expression('i', scope, 1)}) % 5")
        else:
            write(f"{name} {self.choices.one(('+=', '-=', '*='))} {self.expression(self.choices.one(('f', scope[name])), scope)}")

    def both(self, write, scope, levels, loops):
        condition, new = self.expressions.of("b", scope, 2), self.choices.one(FLOATS)
        before = dict(scope)
        name = self.new_name(scope, new)
        write(f"if {condition}:")
        with write:
            inner = dict(before)
            if levels > 0:
                self.statements(write, inner, self.choices.number(0, 1), levels - 1, loops)
            write(f"{name} = {self.expression(new, inner)}")
        write("else:")
        with write:
            write(f"{name} = {self.expression(new, before)}")

    def only_if(self, write, scope, levels, loops):
        write(f"if {self.expressions.of('b', scope, 2)}:")
        self.block(write, scope, levels, loops)

    def early(self, write, scope, levels, loops):
        write(f"if {self.expressions.of('b', scope, 1)}:")
        with write:
            write(f"return {self.expression('f', scope)}")

    def leaving(self, write, scope):
        """Perhaps the end of a turn, or of the loop, where a condition holds."""
        if self.choices.chance(0.4):
            with write:
                write(f"if {self.expressions.of('b', scope, 1)}:")
                with write:
                    write(self.choices.one(("break", "continue")))

    def counted(self, write, scope, levels, loops):
        if loops > 1:
            return self.change(write, scope, levels, loops)
        inner = dict(scope)
        name = self.new_name(inner, "i")
        inner["fixed"] = (*scope.get("fixed", ()), name)
        stop = self.choices.one(("3", "n", "n + 1", "2", f"{self.expressions.of('i', scope, 1)} % 4"))
        write(f"for {name} in range({stop}):")
        self.leaving(write, inner)
        self.block(write, inner, levels, loops + 1)

    def looped(self, write, scope, levels, loops):
        if loops > 1:
            return self.change(write, scope, levels, loops)
        counter = self.new_name(scope, "i")
        scope["fixed"] = (*scope.get("fixed", ()), counter)
        write(f"{counter} = 0")
        write(f"while {counter} < {self.choices.one(('3', 'n', '2'))}{self.choices.one(('', ' and ' + self.expressions.of('b', scope, 1)))}:")
        with write:
            write(f"{counter} += 1")
        self.leaving(write, scope)
        self.block(write, scope, levels, loops + 1)

    def over_list(self, write, scope, levels, loops):
        self.over(write, scope, levels, loops, "f", self.choices.one(["xs", *(name for name, of in scope.items() if of == "l")]))

    def over_rows(self, write, scope, levels, loops):
        self.over(write, scope, levels, loops, "v", self.choices.one([name for name, of in scope.items() if of == "m"]))

    def over_places(self, write, scope, levels, loops):
        self.over(write, scope, levels, loops, "i", "range(len(xs))")

    def over(self, write, scope, levels, loops, type_, sequence):
        if loops > 1:
            return self.change(write, scope, levels, loops)
        inner = dict(scope)
        name = self.new_name(inner, type_)
        inner["fixed"] = (*scope.get("fixed", ()), name)
        write(f"for {name} in {sequence}:")
        self.leaving(write, inner)
        if type_ == "i":
            inner[f"xs[{name}]"] = "f"
        self.block(write, inner, levels, loops + 1)

    def grown(self, write, scope, levels, loops):
        """A list of floats, filled in a loop."""
        name = f"l{self.names + 1}"
        inner = dict(scope)
        write(f"{name} = [{self.expression('f', scope, 1)}]")
        element = self.new_name(inner, "f")
        write(f"for {element} in xs:")
        with write:
            write(f"{name}.append({self.expression('f', inner)})")
        scope[name] = "l"
        change = self.choices.one(("", f"{name}.pop()", f"{name}.insert({self.choices.one(('0', 'n', '-1'))}, {self.expression('f', scope, 1)})",
                                   f"del {name}[{self.choices.one(('0', '-1'))}]"))
        if change:
            write(change)
            write(f"{name}.append({self.expression('f', scope, 1)})")
        scope[f"{name}[-1]"] = "f"
        write(f"{self.new_name(scope, 'f')} = lt.sum(lt.stack({name}))")

    def comprehension(self, write, scope, levels, loops):
        inner = dict(scope)
        element = self.new_name(inner, "f")
        guard = f" if {self.expressions.of('b', inner, 1)}" if self.choices.chance(0.3) else ""
        text = f"[{self.expression('f', inner)} for {element} in xs{guard}]"
        if self.choices.chance(0.5):
            write(f"{self.new_name(scope, 'f')} = sum({text})")
        else:
            name = f"l{self.names + 1}"
            self.names += 1
            write(f"{name} = {text}")
            scope[name] = "l"

    def written(self, write, scope, levels, loops):
        self.names += 1
        name = f"l{self.names}"
        write(f"{name} = [{', '.join(self.expression('f', scope, 1) for _ in range(3))}]")
        write(f"{name}[{self.choices.one(('0', '1', '-1', 'n % 3'))}] = {self.expression('f', scope)}")
        scope[name] = "l"
        scope[f"{name}[{self.choices.one(('0', '1', '2', 'n % 3'))}]"] = "f"

    def items(self, write, scope, levels, loops):
        """An array of the program's own, of which items are set: one, or one in each turn of a loop."""
        type_ = self.choices.one(("v", "m"))
        text = self.expression(type_, scope, 1)
        name = self.new_name(scope, type_)
        write(f"{name} = {text} * 1.0")
        if loops > 1 or self.choices.one((True, False)):
            place = self.choices.one(("0", "-1", "n % 3", "1:", ":n % 3") + ((":, n % 3", ":, -1") if type_ == "m" else ()))
            item = self.expression("v" if type_ == "m" else "f", scope)
            write(f"{name}[{place}] = {item}")
            return
        inner = dict(scope)
        turn = self.new_name(inner, "i")
        inner["fixed"] = (*scope.get("fixed", ()), turn)
        write(f"for {turn} in range({self.choices.one(('3', 'n', 'n % 3 + 1'))}):")
        with write:
            row = type_ == "m" and self.choices.one((True, False))
            of_row = (f"{turn} % 3", f":, {turn} % 3", f"{turn} % 3:") if row else (f"{turn} % 3", f"{turn} % 3:", f":{turn} % 3")
            place = self.choices.one(of_row) if row or type_ == "v" else f"{turn} % 3{self.choices.one((', -1', ', n % 3', '][n % 3'))}"
            write(f"{name}[{place}] = {self.expression('v' if row else 'f', inner)}")

    def popped(self, write, scope, levels, loops):
        self.names += 1
        name = f"l{self.names}"
        write(f"{name} = [{', '.join(self.expression('f', scope, 1) for _ in range(3))}]")
        write(f"{self.new_name(scope, 'f')} = {name}.pop()")
        scope[name] = "l"

    def tree(self, write, scope, levels, loops):
        """A recursion over the binary tree; with one or two results."""
        helper = f"walk{len(self.helpers)}_{self.number}"
        inner = {"t.value": "f", "t.weight": "v", "a": "f", "d": "v"}
        two = self.choices.chance(0.4)
        below = {**inner, "below_left": "f", "below_right": "f"} | ({"v_left": "v", "v_right": "v"} if two else {})
        results = (lambda of: f"{self.expression('f', of)}, {self.expression('v', of)}") if two else (lambda of: self.expression("f", of))
        text = Writer()
        text(f"def {helper}(t: Tree, a, d):")
        with text:
            text("if t.left is None or t.right is None:")
            with text:
                text(f"return {results(inner)}")
            for side in ("left", "right"):
                targets = f"below_{side}, v_{side}" if two else f"below_{side}"
                text(f"{targets} = {helper}(t.{side}, {self.expression('f', inner, 1)}, {self.expression('v', inner, 1)})")
            if self.choices.chance(0.4):
                text(f"if {self.expressions.of('b', below, 1)}:")
                with text:
                    text(f"return {results(below)}")
            text(f"return {results(below)}")
        self.helpers.append(text.text())
        call = f"{helper}(t, {self.expression('f', scope, 1)}, {self.expression('v', scope, 1)})"
        if two:
            write(f"{self.new_name(scope, 'f')}, {self.new_name(scope, 'v')} = {call}")
        else:
            write(f"{self.new_name(scope, 'f')} = {call}")

    def mutual(self, write, scope, levels, loops):
        """Two functions that call one another, over an int."""
        one, other = (f"{name}{len(self.helpers)}_{self.number}" for name in ("even", "odd"))
        inner = {"a": "f", "k": "i"}
        self.helpers.append(f"def {one}(k: int, a):\n    if k <= 0:\n        return {self.expression('f', inner, 1)}\n"
                            f"    return {other}(k - 1, {self.expression('f', inner, 1)})\n\n\n"
                            f"def {other}(k: int, a):\n    if k <= 0:\n        return {self.expression('f', inner, 1)}\n"
                            f"    return {one}(k - 1, {self.expression('f', inner, 1)}) * a\n")
        text = f"{one}(n, {self.expression('f', scope, 1)})"
        write(f"{self.new_name(scope, 'f')} = {text}")

    def countdown(self, write, scope, levels, loops):
        helper = f"down{len(self.helpers)}_{self.number}"
        type_ = self.choices.one(("f", "v"))
        inner = {"a": type_, "k": "i"}
        self.helpers.append(f"def {helper}(k: int, a):\n    if k <= 0:\n        return a\n    b = {helper}(k - 1, {self.expression(type_, inner, 1)})\n"
                            f"    return {self.expression(type_, {**inner, 'b': type_})} + b\n")
        text = f"{helper}({self.choices.one(('n', '3', 'n + 1'))}, {self.expression(type_, scope, 1)})"
        write(f"{self.new_name(scope, type_)} = {text}")

    def children(self, write, scope, levels, loops):
        """A recursion over lists of children."""
        helper = f"sum{len(self.helpers)}_{self.number}"
        inner = {"s": "f", "a": "f", "bush.value": "f"}
        self.helpers.append(f"def {helper}(bush: Bush, a):\n    s = {self.expression('f', {'a': 'f', 'bush.value': 'f'}, 1)}\n"
                            f"    for child in bush.children:\n        s = {self.expression('f', inner, 1)} + {helper}(child, {self.expression('f', inner, 1)})\n"
                            f"    return {self.expression('f', inner, 1)}\n")
        text = f"{helper}(bush, {self.expression('f', scope, 1)})"
        write(f"{self.new_name(scope, 'f')} = {text}")

    def several(self, write, scope, levels, loops):
        """A function with several results, called twice."""
        helper = f"pair{len(self.helpers)}_{self.number}"
        inner = {"a": "f", "d": "v"}
        self.helpers.append(f"def {helper}(a, d):\n    return {self.expression('f', inner)}, {self.expression('v', inner)}\n")
        for _ in range(2):
            call = f"{helper}({self.expression('f', scope, 1)}, {self.expression('v', scope, 1)})"
            write(f"{self.new_name(scope, 'f')}, {self.new_name(scope, 'v')} = {call}")

    def structure(self, write, scope, levels, loops):
        self.names += 1
        name = f"s{self.names}"
        write(f"{name} = Tree(lt.item({self.expression('f', scope, 1)}), {self.expression('v', scope, 1)}, None, t)")
        scope[f"{name}.value"], scope[f"{name}.weight"] = "f", "v"

    def closure(self, write, scope, levels, loops):
        self.names += 1
        name, type_ = f"g{self.names}", self.choices.one(("f", "v"))
        write(f"{name} = lambda a: {self.expression(type_, {**scope, 'a': type_})}")
        text = f"{name}({self.expression(type_, scope, 1)}) + {name}({self.expression(type_, scope, 1)})"
        write(f"{self.new_name(scope, type_)} = {text}")

    def nested_function(self, write, scope, levels, loops):
        self.names += 1
        name = f"g{self.names}"
        inner = {**scope, "a": "f"}
        write(f"def {name}(a):")
        with write:
            write(f"if {self.expressions.of('b', inner, 1)}:")
            with write:
                write(f"return {self.expression('f', inner, 1)}")
            write(f"return {self.expression('f', inner)}")
        text = f"{name}({self.expression('f', scope, 1)})"
        write(f"{self.new_name(scope, 'f')} = {text}")

    def argument(self, write, scope, levels, loops):
        """A function that is passed on, known when it is staged."""
        inner = {**scope, "a": "f", "b": "f"}
        text = f"applied(lambda a, b: {self.expression('f', inner)}, {self.expression('f', scope, 1)}, {self.expression('f', scope, 1)})"
        write(f"{self.new_name(scope, 'f')} = {text}")

    def inner(self, scope, type_):
        """A name for a parameter, and the scope of a function that has it: another function is differentiated in it."""
        self.names += 1
        name = f"a{self.names}"
        return name, {**scope, name: type_}

    def slope(self, write, scope, levels, loops):
        """A gradient within what is differentiated."""
        type_ = self.choices.one(("f", "v"))
        name, inner = self.inner(scope, type_)
        text = f"lt.grad(lambda {name}: {self.expression('f', inner)})({self.expression(type_, scope, 1)})"
        write(f"{self.new_name(scope, type_)} = {text}")

    def along(self, write, scope, levels, loops):
        """A derivative along a direction."""
        type_, result = self.choices.one(("f", "v")), self.choices.one(("f", "v"))
        name, inner = self.inner(scope, type_)
        function = f"lambda {name}: {self.expression(result, inner)}"
        at, tangent = (f"lt.item({text})" if type_ == "f" else text for text in (self.expression(type_, scope, 1), self.expression(type_, scope, 1)))
        text = f"lt.jvp({function}, ({at},), ({tangent},))"
        write(f"{self.new_name(scope, result)}, {self.new_name(scope, result)} = {text}")

    def mapped(self, write, scope, levels, loops):
        """A function of each row of a matrix; a gradient, perhaps."""
        result = self.choices.one(("f", "v"))
        name, inner = self.inner(scope, "v")
        text = f"lambda {name}: {self.expression(result, inner)}"
        if self.choices.chance(0.3):
            result, text = "v", f"lt.grad(lambda {name}: {self.expression('f', inner)})"
        text = f"lt.vmap({text})({self.expression('m', scope, 1)})"
        write(f"{self.new_name(scope, 'v' if result == 'f' else 'm')} = {text}")

    def gathered(self, write, scope, levels, loops):
        """A list of structures that one loop fills and another goes over; both skip turns, or are left, where a condition holds."""
        if loops > 0:
            return self.structure(write, scope, levels, loops)
        self.names += 3
        trees, tree, place, total = (f"{letter}{self.names - 2}" for letter in ("trees", "tree", "i", "f"))
        write(f"{trees} = [t]")
        write(f"for {place} in range({self.choices.one(('3', 'n + 2'))}):")
        inner = {**scope, place: "i", f"{trees}[-1].value": "f", f"{trees}[-1].weight": "v"}
        self.leaving(write, inner)
        with write:
            write(f"{trees}.append(Tree(lt.item({self.expression('f', inner, 1)}), {self.expression('v', inner, 1)}, None, t))")
        write(f"{total} = 0.0")
        write(f"for {tree} in {trees}:")
        inner = {**scope, total: "f", f"{tree}.value": "f", f"{tree}.weight": "v"}
        self.leaving(write, inner)
        with write:
            write(f"{total} = {total} + {self.expression('f', inner, 1)}")
        scope[total] = "f"

    def unpacked(self, write, scope, levels, loops):
        text = ", ".join(self.expression("f", scope, 1) for _ in range(2))
        write(f"{self.new_name(scope, 'f')}, {self.new_name(scope, 'f')} = {text}")

    def asserted(self, write, scope, levels, loops):
        write(f"assert lt.sum(lt.abs({self.expression('v', scope, 1)})) >= 0, 'a sum of magnitudes'")
