"""Functions, modules and other objects of Python's of which a number or a text that is known only when the program runs chooses one:

    k = int(lt.argmax(self.gate(x)))
    y = self.experts[k](x)              # if (k == 0) …; else if (k == 1) …

The program compares the place with one after the other, and each branch calls its own.
"""
from __future__ import annotations

import inspect

from lantern import dispatch, types
from lantern.dispatch import active_trace
from lantern.staging import enumerations
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.values import Staged


MOST = 64


class ChosenFunction:
    """One of `values`, which stands at `place`. It is called, or something is read of it; whatever else meets it is refused. error: with that. is_at: the
    condition that it is the one of that number, where no place says so."""

    def __init__(self, values, place, error, is_at=None):
        vars(self).update(values=values, place=place, error=error, is_at=is_at)

    def call(self, call, at):
        """What `call(function)` gives of the one that is chosen."""
        from lantern.operators_comparisons import compare
        from lantern.operators_control import if_exp

        def among(first):
            own = self.values[first]
            if first + 1 == len(self.values):
                return call(own)
            return if_exp(compare("==", self.place, first, at) if self.is_at is None else self.is_at(first), lambda: call(own), lambda: among(first + 1), at)()
        return among(0)

    def attribute(self, name, at):
        """`chosen.name`: of methods and objects the one that is meant; anything else, which a property may compute, is read in the branches."""
        from lantern.operators_expressions import getattr_
        known = [inspect.getattr_static(each, name, None) for each in self.values]
        known = [each.__func__ if isinstance(each, (staticmethod, classmethod)) else each for each in known]
        if _are_objects(active_trace(), known):
            return ChosenFunction([getattr_(each, name, at) for each in self.values], self.place, self.error, self.is_at)
        return self.call(lambda own: getattr_(own, name, at), at)

    def _refuse(self, *_, **__):
        raise self.error

    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __call__ = __hash__ = __str__ = __repr__ = __format__ = __eq__ = __ne__ = _refuse
    __setattr__ = __delattr__ = __setitem__ = __delitem__ = __enter__ = __exit__ = _refuse
    __copy__ = __deepcopy__ = __reduce_ex__ = _refuse


ChosenFunction.__name__ = "function"       # as messages have it


def are(trace, values, key):
    """Whether all values are functions, or objects that were there before the trace, of which the program has none, or tuples of such and of what it has."""
    if not 0 < len(values) <= MOST:
        return False
    return enumerations.are_of_one(values) or (_are_objects(trace, values) or _are_rows(trace, values)) and not _is_counted(trace, key)


def _are_objects(trace, values):
    from lantern.staging.snapshots import is_users_class
    return all((callable(each) or is_users_class(type(each)) and not trace.ages.is_made_here(each)) and not isinstance(each, (type, Staged, PerhapsNone))
               and not dispatch.is_global(each) and not hasattr(type(each), "__lantern_class__") and not hasattr(each, "__lantern_struct__") for each in values)


def _are_rows(trace, values):
    if not all(type(each) is tuple and len(each) == len(values[0]) for each in values):
        return False
    columns = list(zip(*values))
    objects = [_are_objects(trace, column) for column in columns]
    return any(objects) and all(is_one or _is_choosable(column) for is_one, column in zip(objects, columns))


def _is_choosable(column):
    from lantern.staging import list_methods
    return list_methods.is_choosable(column)


def chosen(trace, values, place, error):
    """The one that stands at a place. Of tuples, one that has each part of it."""
    from lantern.staging import list_methods

    def one(of):
        if enumerations.are_of_one(of):
            numbers = trace.lists.new([enumerations.number_of(each) for each in of])
            return enumerations.made(enumerations.class_of(of[0]), list_methods.getitem(trace, numbers, place))
        return ChosenFunction(list(of), place, error) if _are_objects(trace, of) else list_methods.getitem(trace, trace.lists.new(list(of)), place)
    return tuple(map(one, zip(*values))) if type(values[0]) is tuple else one(values)


def _is_counted(trace, key):
    """Whether loops alone decide a place, which is known then in each turn once they are unrolled."""
    if not trace.ranges.active:
        return False
    made = {id(staged): node for block in trace.block.chain() for staged, node in block.entries if staged is not None}
    pending = [key.number if type(key) is enumerations.Member else key]
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
    return chosen(trace, values, place, error)


def compared(a, b):
    """`a is b` of a class, and one of several that the program chooses; NotImplemented of anything else."""
    chosen, other = (a, b) if type(a) is ChosenFunction else (b, a)
    if type(chosen) is not ChosenFunction or not isinstance(other, type) or not all(isinstance(each, type) for each in chosen.values):
        return NotImplemented
    return next((chosen.is_at(number) for number, each in enumerate(chosen.values) if each is other), False)


def refuse(values):
    """Refuses what only calls and attributes have a meaning for."""
    for value in values:
        if type(value) is ChosenFunction:
            raise value.error
