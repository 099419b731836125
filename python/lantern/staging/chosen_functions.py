"""Functions, modules and other objects of Python's of which a number or a text that is known only when the program runs chooses one:

    k = int(lt.argmax(self.gate(x)))
    y = self.experts[k](x)              # if (k == 0) …; else if (k == 1) …

The program compares the place with one after the other, and each branch calls its own.
"""
from __future__ import annotations

import abc
import contextlib
import functools
import inspect
import sys
import types as python_types

from lantern import dispatch, types
from lantern.dispatch import active_trace
from lantern.staging import enumerations, plans
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.values import Staged, Undefined


MOST = 64


class ChosenFunction:
    """One of `values`, that whose number `place` is. It is called, or given to a call, or something is read of it; whatever else meets it is refused. error: with
    that. is_at: the condition that it is the one that stands there among the values, where no place says so. numbering: {number: what has it}, for others, too."""

    def __init__(self, values, place, error, is_at=None, numbers=None, numbering=None):
        numbers = range(len(values)) if numbers is None else numbers
        vars(self).update(values=values, place=place, error=error, is_at=is_at, numbers=numbers, numbering=dict(zip(numbers, values)) if numbering is None else numbering)

    def condition(self, number, at):
        """Whether it is the one that stands there among the values."""
        from lantern.operators_comparisons import compare
        return compare("==", self.place, self.numbers[number], at) if self.is_at is None else self.is_at(number)

    def call(self, call, at):
        """What `call(function)` gives of the one that is chosen."""
        from lantern.operators_control import if_exp

        def among(first):
            own = self.values[first]
            if first + 1 == len(self.values):
                return call(own)
            return if_exp(self.condition(first, at), lambda: call(own), lambda: among(first + 1), at)()
        return among(0)

    def attribute(self, name, at):
        """`chosen.name`: of methods and objects the one that is meant; anything else, which a property may compute, is read in the branches."""
        from lantern.operators_expressions import getattr_
        known = [inspect.getattr_static(each, name, None) for each in self.values]
        known = [each.__func__ if isinstance(each, (staticmethod, classmethod)) else each for each in known]
        if _are_objects(active_trace(), known):
            return ChosenFunction([getattr_(each, name, at) for each in self.values], self.place, self.error, self.is_at, self.numbers)
        return self.call(lambda own: getattr_(own, name, at), at)

    def _refuse(self, *_, **__):
        raise self.error

    def __call__(self, *arguments, **keywords):
        """By Python, which goes through something known."""
        from lantern.staging.calls import call
        trace = active_trace()
        return self.call(lambda own: call(trace, own, arguments, keywords, trace.at), trace.at)

    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __hash__ = __str__ = __repr__ = __format__ = __eq__ = __ne__ = _refuse
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
    return all((callable(each) or is_users_class(type(each)) and not trace.ages.is_made_here(each)) and not isinstance(each, (Staged, PerhapsNone)) and not enumerations.is_its_value(each)
               and (not isinstance(each, type) or is_users_class(each) and type(each) in (type, abc.ABCMeta))
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


@contextlib.contextmanager
def decided_by(trace, condition):
    """Meanwhile, of what differs between the paths of an `if`, functions and such objects are ones of which a number chooses, which says the path. condition:
    None of a loop, which is not unrolled."""
    trace.chooses = not (_is_counted(trace, condition) if isinstance(condition, Staged) else trace.ranges.active)
    try:
        yield
    finally:
        trace.chooses = False


def of_one(trace, name, values, what):
    """What a variable is on several paths: where these are several such, and a number can say which, the ones that it chooses."""
    if all(value is values[0] for value in values) or not (trace.chooses or any(type(value) is ChosenFunction for value in values)):
        return values
    chosen_ones = [value for value in values if type(value) is ChosenFunction]
    numbering = chosen_ones[0].numbering if chosen_ones else trace.choices
    if not all(value.place is not None and value.numbering is numbering for value in chosen_ones):
        return values
    numbers = set()
    for value in values:
        numbers.update(value.numbers if type(value) is ChosenFunction else [_number_of(value, numbering)])
    new = [value for value in values if type(value) is not ChosenFunction and _number_of(value, numbering) is None]
    of = [numbering[number] for number in numbers if number is not None]
    of = [*{id(each): each for each in (*of, *new)}.values()]
    codes = [code for each in of if (code := _code_of(each)) is not None]
    is_made_anew = len(set(map(id, codes))) < len(codes)        # by each turn of a loop, or each pass
    if not 1 < len(of) <= MOST or is_made_anew or not _are_objects(trace, of) or not all(_is_told(trace, each) for each in of):
        return values
    for value in new:
        if _number_of(value, numbering) is None:
            numbering[len(numbering)] = value
    places = [value.place if type(value) is ChosenFunction else _number_of(value, numbering) for value in values]
    numbers = sorted((numbers | {place for place in places if type(place) is int}) - {None})
    if chosen_ones:
        error = chosen_ones[0].error
    else:
        from lantern.staging import merge
        error = merge.error_of_objects(trace, name, values, of[0], what)
    among_them = [numbering[number] for number in numbers]
    return [ChosenFunction(among_them, place, error, None, numbers, numbering) for place in places]


def _code_of(value):
    """That of the function which a value is, or calls; None of those that a module has, and of methods, which are told apart by their objects."""
    while isinstance(value, functools.partial):
        value = value.func
    if not isinstance(value, python_types.FunctionType) or getattr(sys.modules.get(value.__module__), value.__name__, None) is value:
        return None
    return value.__code__


def _number_of(value, numbering):
    """The first number that a value has; None of others."""
    from lantern.staging import merge
    return next((number for number, each in numbering.items() if merge.is_same(value, each)), None)


def _is_told(trace, value):
    """Whether it is one function, or an object, whatever runs again: another object of its class may be one that the trace makes, and so may a cache."""
    from lantern.staging.snapshots import is_users_class
    if isinstance(value, type):
        return getattr(sys.modules.get(value.__module__), value.__name__, None) is value
    return isinstance(value, _FUNCTIONS) or type(value).__module__ == "numpy" or is_users_class(type(value)) and not trace.ages.is_made_here(value)


_FUNCTIONS = (python_types.FunctionType, python_types.MethodType, python_types.BuiltinFunctionType, python_types.MethodDescriptorType,
              python_types.WrapperDescriptorType, functools.partial)


class Plan(plans.Compound):
    """One of these on several paths: its number."""

    def __init__(self, one, number, name):
        def build(parts):
            place, = parts
            return ChosenFunction(one.values, place, one.error, None, one.numbers, one.numbering) if isinstance(place, Staged) else one.numbering[place]
        super().__init__(build, [number], (ChosenFunction, 1), [name])
        self.one = one

    def takes(self, value):
        return not isinstance(value, Undefined) and self.parts(value)[0] is not None

    def stand_in(self):
        """Any of them."""
        return ChosenFunction(self.one.values, Staged(types.i64, None), self.one.error, None, self.one.numbers, self.one.numbering)

    def numbers(self, paths):
        """Its number on these paths."""
        number, = self.plans
        return [number.values[path] for path in paths] if isinstance(number, plans.Join) else [None]

    def parts(self, value):
        """Its number; None where it may be another one."""
        if isinstance(value, Undefined):
            return [value]
        if type(value) is not ChosenFunction:
            number = _number_of(value, self.one.numbering)
            return [number if number in self.one.numbers else None]
        return [value.place if value.numbering is self.one.numbering and set(value.numbers) <= set(self.one.numbers) else None]


def plan(trace, name, values, what, force, stage_all, seen):
    """The plan for what a variable is on several paths, on each one of the same."""
    from lantern.staging import merge
    return Plan(values[0], merge.plan(trace, name, [value.place for value in values], what, force, stage_all, seen), name)


def note_condition(trace, value, condition, numbers):
    """Of two functions, the condition of the `if` says which it is. numbers: where it holds, and where it does not."""
    if type(value) is ChosenFunction and all(type(number) is int for number in numbers):
        is_first = [number == numbers[0] for number in value.numbers]
        vars(value).update(is_at=lambda number: condition if is_first[number] else trace.negate(condition))


def are_of_one(values):
    """Whether all of these are one of the same."""
    return all(type(value) is ChosenFunction and value.values is values[0].values and value.place is not None for value in values)


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
    trace = active_trace()
    conditions = [chosen.condition(number, trace.at) for number, each in enumerate(chosen.values) if each is other]
    return functools.reduce(lambda one, another: trace.emit("or", (one, another)), conditions) if conditions else False


def among(function, values):
    """The first of them among the arguments of a call, which is made in a branch for each that it may be; None if there is none, or the call keeps it."""
    from lantern.staging.builtins import CALLING
    chosen_one = next((value for value in values if type(value) is ChosenFunction), None)
    keeps = isinstance(function, python_types.BuiltinMethodType) and isinstance(function.__self__, (list, dict)) or any(function is each for each in CALLING)
    return None if keeps else chosen_one


def by_operator(operate, values, at):
    """What an operator gives of operands of which one is an object that the program chooses, whose class says it: in a branch for each that it may be. NotImplemented
    of others."""
    from lantern.staging.snapshots import is_users_class
    chosen_one = next((value for value in values if type(value) is ChosenFunction and all(is_users_class(type(each)) for each in value.values)), None)
    if chosen_one is None:
        return NotImplemented
    return chosen_one.call(lambda own: operate(*(own if value is chosen_one else value for value in values)), at)


def refuse(values):
    """Refuses what only calls and attributes have a meaning for."""
    for value in values:
        if type(value) is ChosenFunction:
            raise value.error
