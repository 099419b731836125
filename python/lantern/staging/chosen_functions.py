"""Functions, modules and methods of which a number or a text that is known only when the program runs chooses one:

    k = int(lt.argmax(self.gate(x)))
    y = self.experts[k](x)              # if (k == 0) …; else if (k == 1) …

The program compares the place with one after the other, and each branch calls its own.
"""
from __future__ import annotations

from lantern import dispatch, types
from lantern.staging.values import Staged


MOST = 64


class ChosenFunction:
    """One of `values`, which stands at `place`. It is called, or something is read of it; whatever else meets it is refused. error: with that."""

    def __init__(self, values, place, error):
        self.values, self.place, self.error = values, place, error

    def call(self, call, at):
        """What `call(function)` gives of the one that is chosen."""
        from lantern.operators_comparisons import compare
        from lantern.operators_control import if_exp

        def among(first):
            own = self.values[first]
            if first + 1 == len(self.values):
                return call(own)
            return if_exp(compare("==", self.place, first, at), lambda: call(own), lambda: among(first + 1), at)()
        return among(0)

    def attribute(self, name, at):
        """`chosen.name`: of methods and functions the one that is meant."""
        from lantern.operators_expressions import getattr_
        found = [getattr_(each, name, at) for each in self.values]
        if _are_functions(found):
            return ChosenFunction(found, self.place, self.error)
        return self.call(lambda own: getattr_(own, name, at), at)

    def _refuse(self, *_, **__):
        raise self.error

    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __call__ = __hash__ = __str__ = __repr__ = __format__ = __eq__ = __ne__ = _refuse
    __copy__ = __deepcopy__ = __reduce_ex__ = _refuse


def are(trace, values, key):
    """Whether all values can be called, and none has a counterpart in the program by which it could be chosen itself."""
    return 0 < len(values) <= MOST and _are_functions(values) and not _is_counted(trace, key)


def _are_functions(values):
    return all(callable(each) and not isinstance(each, (type, Staged)) and not dispatch.is_global(each)
               and not hasattr(type(each), "__lantern_class__") for each in values)


def _is_counted(trace, key):
    """Whether loops alone decide a place, which is known then in each turn once they are unrolled."""
    if not trace.ranges.active:
        return False
    made = {id(staged): node for block in trace.block.chain() for staged, node in block.entries if staged is not None}
    pending = [key]
    while pending:
        part = pending.pop()
        if isinstance(part, Staged):
            node = made.pop(id(part.binding), None)
            if node is None and trace.frame.specialisation.formal_of(part.binding) is not None:
                return False
            pending.append(node)
        elif isinstance(part, (tuple, list)):
            pending.extend(part)
    return True


def in_sequence(trace, values, key, error):
    """The one that stands in a list or tuple at a staged place."""
    of = key.type
    dtype = of.dtype if isinstance(of, types.TensorType) and not of.dims else getattr(of, "name", None)
    if dtype not in ("i32", "i64", "bool"):
        raise error
    if of != types.i64:
        key = trace.emit("cast", (types.i64, trace.emit("item", (key,)) if isinstance(of, types.TensorType) else key))
    from lantern.staging import library
    place = library.place_in_sequence(trace, key, len(values), f"{'tuple' if isinstance(values, tuple) else 'list'} index out of range")
    return ChosenFunction(list(values), place, error)


def refuse(values):
    """Refuses what only calls and attributes have a meaning for."""
    for value in values:
        if type(value) is ChosenFunction:
            raise value.error
