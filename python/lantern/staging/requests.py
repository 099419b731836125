"""What `lantern.dispatch` asks of a trace besides operators, each of which has a file of its own."""
from __future__ import annotations

from lantern import types
from lantern.host import name_of
from lantern.staging.iterables import Sequence, is_staged
from lantern.staging.snapshots import attributes_of
from lantern.staging.text import Symbol
from lantern.staging.values import Staged


class Requests:
    """Part of a Trace."""

    def create(self, parameter):
        self.globals.create(parameter)

    def dataset(self, arrays):
        from lantern.staging import datasets
        return datasets.of_arrays(self, arrays)

    def batches(self, data, size, drop_last):
        from lantern.staging import datasets
        return datasets.batches(self, data, size, drop_last)

    def here(self):
        return self.globals.here()

    def call(self, function, arguments):
        from lantern.staging.calls import call
        return call(self, function, arguments, {}, self.at)

    def relies_on(self, owner, functions):
        """Code of Lantern's, which is not converted, reads what users set of an object: no other is as good; and it calls functions of theirs, of that object."""
        from lantern.staging import attributes, plain_code
        for name, value in attributes_of(owner).items():
            if not name.startswith("_"):
                attributes.note(self, owner, name, value)
                self.contents.note_handed(value)
        for function in functions:
            plain_code.note_function(self, function, (owner,))

    def update(self, pairs):
        for target, value in pairs:
            self.globals.check_shape(target, self.type_of(value))
        changed = [(self.globals.reference(target), self.coerce(value, self.globals.type_of(target))) for target, value in pairs]
        self.bind((Symbol("update"), *changed), types.Tuple(()))    # bound, so that it has a place
        for target, _ in pairs:
            reference = self.globals.reference(target)
            if reference.may_be_shared:
                self.memories.written(reference.memory, f"'{target.name or type(target).__name__}' gets another value")

    def custom_vjp(self, custom, arguments):
        from lantern.staging.custom import call
        result = call(self, custom, arguments)
        if self.observe is not None:
            self.observe(self, name_of(custom.function), lambda operands: custom(*operands), arguments, result, own=True)
        return result

    def vmap(self, function, parts, keywords, axes):
        from lantern.staging.rows import mapped
        return mapped(self, function, parts, keywords, axes)

    def has_elements(self, value):
        """Whether a value is a list, a data set or a batch of one, whose elements may be staged."""
        return isinstance(value, (list, Sequence)) or (isinstance(value, Staged) and isinstance(value.type, (types.List, types.DatasetType)))

    def getter(self, value):
        """What gives an element of a batch, its place not being checked, or of a list of Python's; None for other values."""
        from lantern.operators_expressions import getitem
        if type(value) is list:
            return lambda i: getitem(value, i)
        return value.get if isinstance(value, Sequence) else None

    def length(self, value):
        """How many elements or rows there are, known when the program runs where they are."""
        from lantern.staging.builtins import length
        contents = self.lists.value(value) if isinstance(value, list) else value
        return length(self, contents) if is_staged(contents) else len(contents)

    def jvp(self, function, primals, tangents):
        from lantern.staging.tangents import jvp
        return jvp(self, function, primals, tangents)

    def value_and_grad(self, function, wrt, arguments, keywords):
        from lantern.staging.gradients import value_and_grad
        return value_and_grad(self, function, wrt, arguments, keywords)

    def foreign(self, function, arguments, of_result):
        """A call of a function of C++'s, as `lt.extern` says."""
        from lantern.staging import foreign_calls
        result = foreign_calls.call(self, function, arguments, of_result)
        if self.observe is not None and function.python is not None:
            self.observe(self, function.name, lambda operands: function(operands, of_result), arguments, result, own=True)
        return result

    def py_function(self, function, arguments, result):
        """A call of a function of Python's, as `lt.py_function` says."""
        from lantern.staging import host_calls
        return host_calls.call(self, function, arguments, result)
