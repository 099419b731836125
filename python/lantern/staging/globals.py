"""Parameters and variables of the program being traced: their declarations, and where they are initialised."""
from __future__ import annotations

from lantern import types
from lantern.staging.errors import StagingError
from lantern.staging.text import Symbol
from lantern.staging.values import Staged


class Reference:
    """The name of a global in the program; its path is known only when the module that holds it is."""

    def __init__(self, target, type_):
        self.target, self.type = target, type_
        self.entry = None           # (block, node) of its (initialize …), if the program has one
        self.fallback = None        # what it is called if nothing else names it

    @property
    def spelling(self):
        return self.target.name or self.fallback

    @property
    def is_parameter(self):
        from lantern.module import Parameter
        return isinstance(self.target, Parameter)

    def item(self):
        init = self.target.init
        if init is None:    # an array to begin with; its storage is bound before the program runs
            init_node = (Symbol("fill"), 0.0)
        else:
            init_node = (Symbol(init.kind), *init.numbers)
        return (Symbol("parameter" if self.is_parameter else "state"), self, Symbol(self.type), init_node)


class Globals:
    def __init__(self, trace):
        self.trace = trace
        self.references = {}        # id(target) → Reference, in order of first use
        self.dims = {}              # name of a dimension → the staged length it was made for

    @property
    def all(self):
        return list(self.references.values())

    def reference(self, target):
        """The node of a Parameter or Variable."""
        known = self.references.get(id(target))
        if known is None:
            dims = tuple(d if isinstance(d, int) else self._dim(d) for d in target.shape)
            known = Reference(target, types.TensorType(target.dtype, dims))
            known.fallback = f"{'parameter' if known.is_parameter else 'state'}_{len(self.references)}"
            self.references[id(target)] = known
        return known

    def type_of(self, target):
        return self.reference(target).type

    def _dim(self, size):
        """The name of a dimension that the program learns when it runs."""
        if not isinstance(size, Staged):
            raise StagingError("LT0312", f"{size!r} is not a dimension", self.trace.place(), "a dimension is a whole number")
        source = size.length_of if size.length_of is not None else size
        base = name = source.hint or "n"
        number = 1
        while name in self.dims and not _same(self.dims[name], size):
            name, number = f"{base}_{number}", number + 1
        self.dims[name] = size
        return name

    def create(self, target):
        """A Parameter or Variable comes into being: its initialiser runs here when the program runs.

        What is created where the code may run several times (an optimiser's memory, at its first step) is initialised
        where the last parameter before it was.
        """
        reference = self.reference(target)
        if reference.entry is not None:
            return
        trace = self.trace
        home = trace.block
        position = len(home.entries)
        if trace.under_condition():
            earlier = [r.entry for r in self.references.values() if r.entry is not None]
            if not earlier:
                if any(isinstance(d, Staged) for d in target.shape):
                    raise StagingError("LT0310", "an array whose size is known at run time is made where the code may run several "
                                       "times", trace.place(), "make it before the loop or the condition")
                return
            home, node = earlier[-1]
            position = 1 + next(i for i, entry in enumerate(home.entries) if entry[1] is node)
        node = (Symbol("initialize"), reference, *(self._size(d) for d in target.shape))
        home.entries.insert(position, (None, node))
        reference.entry = (home, node)

    def _size(self, dim):
        return dim if isinstance(dim, (int, Staged)) else self.trace.node(dim)

    def forget(self, block):
        """The entries of `block` are dropped, to be traced again."""
        for key, reference in list(self.references.items()):
            if reference.entry is not None and block in reference.entry[0].chain():
                del self.references[key]

    def forget_node(self, node):
        for key, reference in list(self.references.items()):
            if reference.entry is not None and reference.entry[1] is node:
                del self.references[key]


def _same(a, b):
    return a is b or (a.length_of is not None and a.length_of is b.length_of)
