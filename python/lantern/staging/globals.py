"""Parameters and variables of the program being traced: their declarations, and where they are initialised."""
from __future__ import annotations


from lantern import types
from lantern.lazy_numpy import np
from lantern.staging.constants import node_of_array
from lantern.staging.errors import StagingError
from lantern.staging.memory import Memory
from lantern.staging.text import Symbol
from lantern.staging.values import Staged


class Place:
    """Behind the entry `last` of a block (None: where it begins); `serial` orders places by when the trace came to them."""

    def __init__(self, block, last, serial):
        self.block, self.last, self.serial = block, last, serial


class Reference:
    """The name of a global in the program; its path is known only when the module that holds it is."""

    def __init__(self, target, type_):
        self.target, self.type = target, type_
        self._memory = None
        self.entry = None           # (block, node) of its (initialize …), if the program has one
        self.place = None           # behind that
        self.fallback = None        # what it is called if nothing else names it
        self.number = 1             # of those of an entry that have this name

    @property
    def memory(self):
        """That of a variable that may be this one, or another array; what is read of it is a copy."""
        if self._memory is None:
            self._memory = Memory(0, owner="a parameter")
        return self._memory

    @property
    def may_be_shared(self):
        """Whether a variable may be this one, or another array. What the program itself makes is another one each time that it is traced."""
        return self._memory is not None or self.target._value is not None

    @property
    def spelling(self):
        name = self.target.name or self.fallback
        return name if self.number == 1 else f"{name}_{self.number}"

    @property
    def is_parameter(self):
        from lantern.module import Parameter
        return isinstance(self.target, Parameter)

    def can_be(self, other):
        """Whether one declaration stands for both: of one kind, type and initialiser, but for lengths that the program learns when it runs,
        and for arrays, which are bound before it runs."""
        mine, theirs = self.target.init, other.target.init
        return (self.is_parameter == other.is_parameter and self.type.dtype == other.type.dtype and len(self.type.dims) == len(other.type.dims)
                and all(m == n or not isinstance(m, int) or not isinstance(n, int) for m, n in zip(self.type.dims, other.type.dims))
                and (mine is None or theirs is None or (mine.kind, mine.numbers) == (theirs.kind, theirs.numbers)))

    def item(self):
        init = self.target.init
        if self.target.begins is not None:
            init_node = (Symbol("values" if self.type.dims else "fill"), *self.target.begins)
        elif init is None:    # its storage is bound before the program runs, or given in it
            init_node = (Symbol("fill"), 0.0)
        else:
            init_node = (Symbol(init.kind), *init.numbers)
        return (Symbol("parameter" if self.is_parameter else "state"), self, Symbol(self.type), init_node)


class Globals:
    def __init__(self, trace):
        self.trace = trace
        self.references = {}        # id(target) → Reference, in order of first use
        self.serial = 0             # of the last place that was asked for
        self.dims = {}              # name of a dimension → the staged length it was made for
        self.weights = {}           # id(expression) → (expression, "save" or "load", the references that it is given by name, place)

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

    def used_by(self, node):
        """The references that a node of the program is, or speaks of."""
        if type(node) is Reference:
            return (node,)
        return self.weights[id(node)][2].values() if type(node) is tuple and id(node) in self.weights else ()

    def weights_file(self, what, operands, model):
        """Emits `(save-parameters …)` or `(load-parameters …)` of a module."""
        self.trace.emit(f"{what}-parameters", operands)
        _, expression = self.trace.block.entries[-1]
        kept = {name: self.reference(parameter) for name, parameter in model.parameters().items()}
        self.weights[id(expression)] = (expression, what, kept, self.trace.place())

    def type_of(self, target):
        return self.reference(target).type

    def check_shape(self, target, type_):
        """An error if a new value of this type cannot have the shape of a Parameter or Variable."""
        dims, expected = getattr(type_, "dims", ()), self.type_of(target).dims
        if type_ is not None and (len(dims) != len(expected) or any(m != n for m, n in zip(dims, expected) if {type(m), type(n)} == {int})):
            raise StagingError("LT0402", f"the new value of '{target.name or type(target).__name__}' has the shape {list(dims)}, and "
                               f"{list(expected)} is expected", self.trace.place())

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

    def here(self):
        """The place that the program has come to."""
        self.serial += 1
        block = self.trace.block
        return Place(block, block.entries[-1] if block.entries else None, self.serial)

    def create(self, target):
        """A Parameter or Variable comes into being: its initialiser runs here when the program runs; that of an optimiser's
        memory, which is made at the first step, where the optimiser or the parameter was made, whichever is later."""
        reference = self.reference(target)
        if reference.entry is not None:
            return
        place, shape = self.here(), target.shape
        if getattr(target, "place", None) is not None:
            made, parameter = target.place
            place = max((p for p in (made, self.reference(parameter).place) if p is not None), key=lambda p: p.serial)
            shape = [dim if isinstance(dim, int) or dim.block.frame is place.block.frame
                     else (Symbol("shape"), self.reference(parameter), axis) for axis, dim in enumerate(shape)]
        node = (Symbol("initialize"), reference, *shape)
        entry = (None, node)
        place.block.entries.insert(self._behind(place), entry)
        reference.entry, reference.place = (place.block, node), Place(place.block, entry, place.serial)

    def made_before(self, place):
        """The entries that give what was made when the file was loaded its value."""
        entries = []
        for reference in self.references.values():
            target = reference.target
            if reference.entry is not None or target._value is None:
                continue
            if target.init is not None and target.init.kind != "fill":
                raise StagingError("LT0312", f"'{reference.spelling}' begins with random numbers, and was made when the file was loaded", place,
                                   "make it in the entry, or in a function that the entry calls")
            entries.append((None, (Symbol("initialize"), reference, *target.shape)))
            if target.begins is None:
                begins = None if target.init is None else target.init(target.shape, target.dtype)
            else:
                begins = np.array(target.begins, target._value.dtype).reshape(target.shape if len(target.begins) > 1 else ())
            if begins is None or not (target._value == begins).all():
                entries.append((None, (Symbol("update"), (reference, node_of_array(target._value, place)))))
        return entries

    def _behind(self, place):
        """The position of what comes behind a place, and behind the memories that were put there before."""
        entries = place.block.entries
        position = next((1 + i for i, entry in enumerate(entries) if entry is place.last), 0 if place.last is None else len(entries))
        while position < len(entries) and _begins_memory(entries[position][1]):
            position += 1
        return position

    def forget(self, block):
        """The entries of `block` are dropped, to be traced again."""
        for key, reference in list(self.references.items()):
            if reference.entry is not None and block in reference.entry[0].chain():
                del self.references[key]

    def forget_node(self, node):
        for key, reference in list(self.references.items()):
            if reference.entry is not None and reference.entry[1] is node:
                del self.references[key]


def _begins_memory(node):
    return isinstance(node, tuple) and len(node) > 1 and isinstance(node[1], Reference) and hasattr(node[1].target, "place")


def _same(a, b):
    return a is b or (a.length_of is not None and a.length_of is b.length_of)
