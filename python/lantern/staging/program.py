"""From traced functions to the text of a program: what is reachable, what is used, what everything is called."""
from __future__ import annotations

import os
import re

from lantern import pullbacks
from lantern.letters import in_ascii
from lantern.staging import comments, custom
from lantern.staging.block import Block
from lantern.staging.globals import Reference
from lantern.staging.define import Specialisation
from lantern.staging.global_names import check_weights, tell_apart
from lantern.staging.text import FORMS, TOKENS, Symbol, children, has_parts, pretty
from lantern.staging.values import Staged

DEFINE, ARROW, LOCATIONS = Symbol("define"), Symbol("->"), Symbol("locations")


def nodes_of(node):
    """A node and all within, in the order of the text."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        kind = type(node)
        if kind is tuple:
            pending.extend(node[::-1])
        elif has_parts(kind):
            pending.append(node.parts())


def blocks_of(block):
    """A block and all within it."""
    found, pending = [], [block]
    while pending:
        node = pending.pop()
        if type(node) is Block:
            found.append(node)
            pending.append(node.result)
            pending.extend(expression for _, expression in node.entries)
        elif type(node) is tuple:
            pending.extend(node)
    return found


def drop_unused(block):
    """Takes out the bindings of operators without an effect that nobody reads."""
    blocks = blocks_of(block)
    uses = {}
    for inner in blocks:
        for node in (inner.result, *(expression for _, expression in inner.entries)):
            _count(node, uses, 1)
    pending = [(inner, entry) for inner in blocks for entry in inner.entries
               if entry[0] is not None and entry[0].pure and not (entry[0].hint and entry[1][0] == "get")]
    changed = True
    while changed:
        changed, left = False, []
        for inner, entry in reversed(pending):
            if uses.get(id(entry[0]), 0):
                left.append((inner, entry))
                continue
            inner.entries = [other for other in inner.entries if other is not entry]
            _count(entry[1], uses, -1)
            changed = True
        pending = left[::-1]


def _count(node, uses, by):
    pending = [node]
    while pending:
        node = pending.pop()
        if type(node) is Staged:
            uses[id(node)] = uses.get(id(node), 0) + by
        elif type(node) is tuple:
            pending.extend(node)


class Names:
    """Gives names that are unique among those taken."""

    def __init__(self, taken=()):
        self.taken = set(taken)
        self.numbers = {}       # hint → the last number behind it
        self.temporaries = 0

    def named(self, hint):
        base = re.sub(r"[^A-Za-z0-9_]", "_", in_ascii(hint))
        if base[0].isdigit():
            base = "_" + base
        name = base
        while name in self.taken or name in TOKENS:
            self.numbers[base] = self.numbers.get(base, 0) + 1
            name = f"{base}_{self.numbers[base]}"
        self.taken.add(name)
        return name

    def temporary(self):
        while (name := f"x{self.temporaries}") in self.taken:
            self.temporaries += 1
        self.temporaries += 1
        self.taken.add(name)
        return name


class Program:
    """A traced program. `entries` are Specialisations."""

    def __init__(self, trace, entries):
        self.trace = trace
        self.entries = entries
        self._nodes = {}
        self.defines = self.reachable()
        for define in self.defines:
            drop_unused(define.block)
        self._nodes = {id(define): tuple(nodes_of(define.block)) for define in self.defines}     # nothing below changes a block
        self.references = self._references()
        tell_apart(self.entries, [self._references([entry]) for entry in self.entries])
        check_weights(self.trace.globals, [node for define in self.defines for node in self._nodes_of(define)], self.references)
        self.same = self._duplicates()
        self.defines = [define for define in self.defines if id(define) not in self.same]
        self._name_defines()
        duplicates = {}
        for each in self.trace.specialisations.all:
            duplicates.setdefault(id(self.same.get(id(each))), []).append(each)
        targets = self._targets()
        for define in self.defines:
            self._name_bindings(define, duplicates.get(id(define), ()), targets.get(id(define), ()))

    def _nodes_of(self, define):
        nodes = self._nodes.get(id(define))
        return nodes_of(define.block) if nodes is None else nodes

    def reachable(self, entries=None):
        """Every define that the entries, or some of them, need, callees first."""
        order, seen = [], set()
        pending = [(entry, False) for entry in reversed(self.entries if entries is None else entries)]
        while pending:
            define, visited = pending.pop()
            if visited:
                order.append(define)
                continue
            if id(define) in seen:
                continue
            seen.add(id(define))
            pending.append((define, True))
            callees = [node for node in self._nodes_of(define) if type(node) is Specialisation] + list(define.derivative or ())
            pending.extend((callee, False) for callee in reversed(callees))
        return order

    def _references(self, entries=None):
        """The globals that the program, or some of its entries, uses: what it initialises in that order, the others behind."""
        used = {}
        for define in self.defines if entries is None else self.reachable(entries):
            for node in self._nodes_of(define):
                for reference in self.trace.globals.used_by(node):
                    used.setdefault(id(reference), reference)
        return [r for r in self.trace.globals.all if id(r) in used]

    def _duplicates(self):
        """{id of a define: the earlier one that says the same}: entries that each make a model of their own share functions."""
        first, same = {}, {}
        for define in self.defines:
            text = self._canonical(define, same)
            other = first.setdefault(text, define)
            if other is not define and define not in self.entries:
                same[id(define)] = other
        return same

    @staticmethod
    def _canonical(define, same):
        """What a define says, whatever it and its bindings are called."""
        numbers = {}
        pieces = [define.name, str(define.result_type()), *(str(id(same.get(id(part), part))) for part in define.derivative or ())]
        for formal in (*define.formals, *define.captures):
            numbers[id(formal.staged)] = len(numbers)
            pieces += [formal.hint, str(formal.type)]
        pending = [define.block]
        while pending:
            node = pending.pop()
            parts = children(node)
            if type(node) is Staged:
                pieces.append(f"${numbers.setdefault(id(node), len(numbers))}:{node.hint or ''}")
            elif type(node) is Specialisation:
                pieces.append("self" if node is define else f"define {id(same.get(id(node), node))}")
            elif type(node) is Reference:
                pieces.append(f"global {node.spelling}")
            elif type(node) is tuple:
                pieces.append("(")
                pending.append(Symbol(")"))
            elif not parts:
                pieces.append(repr(node))
            pending.extend(reversed(parts))
        return "\0".join(pieces)

    def _targets(self):
        """{id of a define: the names of the globals that it is differentiated with respect to}: `(wrt w)` is a formal's where one is called w."""
        targets = {}
        for define in self.defines:
            for node in self._nodes_of(define):
                if type(node) is tuple and node and node[0] == "value-and-grad":
                    made = self.same.get(id(node[1]), node[1])
                    targets.setdefault(id(made), set()).update(t.spelling for t in node[2] if isinstance(t, Reference))
        return targets

    def _name_defines(self):
        names = Names(FORMS | pullbacks.names())
        names.taken.update(reference.spelling for reference in self.references)
        for define in (*self.entries, *self.defines):
            if define.spelling is None:
                define.spelling = names.named(define.name)
        for define in self.trace.specialisations.all:
            if id(define) in self.same:
                define.spelling = self.same[id(define)].spelling

    def _name_bindings(self, define, duplicates, targets):
        nodes = self._nodes_of(define)
        staged = [node for node in nodes if type(node) is Staged]
        names = Names({node.spelling for node in nodes if type(node) in (Reference, Specialisation)} | set(targets))
        for formal in (*define.formals, *define.captures):
            formal.staged.spelling = names.named(formal.hint)
        for duplicate in duplicates:
            for formal, own in zip((*duplicate.formals, *duplicate.captures), (*define.formals, *define.captures)):
                formal.staged.spelling = own.staged.spelling
        temporary_names = Names(names.taken | {node.hint for node in staged if node.hint})
        for node in staged:
            if node.spelling is None:
                node.spelling = names.named(node.hint) if node.hint else temporary_names.temporary()
                names.taken.add(node.spelling)

    # Items

    def text(self, locations=True, exports=()):
        """The program. exports: `(export …)` nodes."""
        return "".join(map(pretty, self.items(locations, exports)))

    def items(self, locations, exports):
        for struct in self.trace.structs.values():
            about, of_fields = comments.of_structure(struct.declaration) if locations else ("", {})
            fields = [(Symbol(in_ascii(name)), Symbol(type_)) for name, type_ in struct.fields.items()]
            yield (Symbol("struct"), Symbol(struct.name), *filter(None, [about]), *((*field, *filter(None, [of_fields.get(name)])) for name, field in zip(struct.fields, fields)))
        declared = {}
        for reference in self.references:
            item = reference.item()
            if declared.setdefault(reference.spelling, item) is item:
                yield item
        for define in self.defines:
            yield (self.listing(define, locations) if self.is_listing(define) else self.define(define, locations))
        yield from custom.items(self.defines)
        yield from exports

    def is_listing(self, define):
        """Whether a define is printed as the AutoGraph paper prints it: an entry whose parameters are not annotated."""
        return define.fixed and define.formals and all(formal.type is None for formal in define.formals) and not define.captures \
            and sum(define in nodes_of_heads(other.block) for other in self.defines) <= 1

    def listing(self, define, locations):
        arguments = tuple(Symbol(f"in{number}") for number in range(1, len(define.formals) + 1))
        result = Names({formal.staged.spelling for formal in define.formals}).named("x1")
        nested = (DEFINE, define, self._formals(define), define.block, (define, *arguments),
                  (Symbol("let"), Symbol(result), Symbol(result)))
        number = [d for d in self.defines if self.is_listing(d)].index(define)
        name = Symbol("runX" if number == 0 else f"runX_{number}")
        item = (DEFINE, name, arguments, nested)
        return (*item, self.locations(define)) if locations else item

    @staticmethod
    def _formals(define):
        return tuple(f.staged if f.type is None else (f.staged, Symbol(f.type)) for f in (*define.formals, *define.captures))

    def define(self, define, locations):
        type_ = define.result_type()
        arrow = () if type_ is None else (ARROW, Symbol(type_))
        item = (DEFINE, define, self._formals(define), *arrow, define.block)
        return (*item, self.locations(define)) if locations else item

    def locations(self, define):
        """Where the define and its bindings come from, and what the user says there."""
        places = [(define.spelling, define.place)]
        places += [(node.spelling, node.place) for node in nodes_of(define.block) if type(node) is Staged]
        rows, seen = [], set()
        for name, place in places:
            if place is not None and place.file == define.place.file and name not in seen:
                seen.add(name)
                rows.append((Symbol(name), place.line, place.column))
        lines = {place.line for _, place in places if place is not None and place.file == define.place.file}
        return (LOCATIONS, os.path.basename(define.place.file), *rows, *comments.rows(define.function, define.place, lines))


def nodes_of_heads(block):
    """The defines that a block calls."""
    return [node for node in nodes_of(block) if type(node) is Specialisation]


def export_node(spelling, parameters, doc="", name=None):
    """`(export NAME DOC (FORMAL DEFAULT DOC)…)`; parameters: (name, default or ..., doc). name: what callers know it by, where that is not its spelling."""
    what = Symbol(spelling) if name in (None, spelling) else (Symbol(name), Symbol(spelling))
    return (Symbol("export"), what, *([doc] if doc else []), *((Symbol(formal), (Symbol("required"),) if default is ... else default, doc)
                                              for formal, default, doc in parameters))
