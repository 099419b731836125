"""Python's built-in functions that go through a sequence, on staged ones and on Python's of staged elements."""
from __future__ import annotations

import operator
import sys
import types as python_types

from lantern import dispatch, types
from lantern.staging import iterables, library, list_methods, perhaps_arrays, perhaps_none, perhaps_numbers, special_methods, strings
from lantern.staging.conditions import as_condition
from lantern.staging.errors import StagingError
from lantern.staging.generators import Generator, is_python
from lantern.staging.memory import holds_lists
from lantern.staging.perhaps_arrays import PerhapsArray
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.zipped_generators import drives, zipped
from lantern.staging.values import Staged, StagedEnumerate, StagedRange

MISSING = object()
_OF_NOTHING = "{}() iterable argument is empty" if sys.version_info >= (3, 12) else "{}() arg is an empty sequence"


def materialised(trace, values):
    """A list, or a staged list, of what an iterable gives: what a function that needs it all, or twice, works on."""
    values = trace.lists.value(values)
    if isinstance(values, Staged) and isinstance(values.type, types.List):
        return values
    if iterables.is_staged(values):
        result = trace.lists.new([])
        library.extend(trace, result, values)
        return trace.lists.value(result)
    return list(values)


def _array(value):
    """Whether a value is an array; a Parameter is one."""
    return dispatch.is_global(value) or isinstance(value, Staged) and isinstance(value.type, types.TensorType)


def _is_list_of_arrays(contents):
    """Or of instances of a class that has a sum with 0: what `sum` gives is no number, where there is anything to add."""
    if not isinstance(contents, Staged) or not isinstance(contents.type, types.List):
        return False
    return bool(getattr(contents.type.element, "dims", ())) or isinstance(getattr(_class_of_elements(contents), "__radd__", None), python_types.FunctionType)


def _class_of_elements(contents):
    element = contents.type.element
    return element.of.cls if isinstance(element, types.Tuple) and element.of is not None else getattr(element, "declaration", None)


def _total_of_arrays(trace, contents):
    cls = _class_of_elements(contents)
    needed = "of no arrays is the number 0, and an array is needed: give it a start, sum(xs, lt.zeros(…))" if cls is None else \
        f"of nothing is the number 0, and an instance of {cls.__name__} is needed: give it a start, sum(xs, start)"
    return library.total_of_arrays(trace, contents, f"sum() {needed}")


def sum_(trace, values, start=0):
    total = _sum(trace, values, start)
    if type(start) is int and isinstance(total, (int, Staged)) and trace.type_of(total) == types.i64:
        trace.specialisations.presume_total()
    return total


def _sum(trace, values, start):
    if _array(values) and isinstance(start, (int, float)) and start == 0:
        type_ = trace.type_of(values)
        total = trace.emit("sum", (values,) if type_.rank == 1 else (values, 0))
        total = trace.emit("cast", (types.i32, total)) if type_.dtype == "i32" else total     # of what Python adds up, unlike NumPy's sum
        may_be_empty = type_.rank == 1 and (not isinstance(type_.dims[0], int) or type_.dims[0] == 0)
        return total.as_element(True) if may_be_empty else total     # of nothing it is Python's 0
    if iterables.is_staged(values):
        begins_with_0 = type(start) is int and start == 0
        contents = trace.lists.value(values)
        if begins_with_0 and _is_list_of_arrays(contents):
            return _total_of_arrays(trace, contents)
        checkpoint, at = trace.checkpoint(), trace.at

        def of_list():
            """The same of a list that is made first, and has arrays in it; None, where there are none, or it cannot be made."""
            if not begins_with_0 or not isinstance(values, Generator) or not values.begins_again():
                return None
            trace.rollback(checkpoint)
            trace.at = at
            contents = materialised(trace, values)
            return _total_of_arrays(trace, contents) if _is_list_of_arrays(contents) else None
        try:
            total = library.total(trace, values, start)
            if type(total) is not PerhapsArray:
                return total
            found = of_list()
            return perhaps_arrays.because(total, "sum() may have had nothing to add") if found is None else found
        except StagingError as error:
            if error.code != "LT0306" or not error.message.startswith("'start' is "):
                raise
            found = of_list()
            if found is not None:
                return found
            error.message = f"sum() begins with {'a start' if isinstance(start, Staged) else repr(start)}, and adds what does not fit it: {error.message}"
            error.notes, error.hint = [], "give it a start like what it adds up, sum(xs, lt.zeros(…))"
            raise
    from lantern.operators_expressions import binary
    for value in values:
        start = binary("+", start, value, trace.at)
    return start


def extreme(larger):
    """`max`, or `min`."""
    name = "max" if larger else "min"
    nothing = _OF_NOTHING.format(name)

    def better(trace, value, best):
        """Whichever Python would keep, of two numbers."""
        if PerhapsNone in (type(value), type(best)):
            value, best = perhaps_none.operands(trace, operator.gt if larger else operator.lt, (value, best), trace.at)
        if isinstance(value, Staged) or isinstance(best, Staged):
            kinds = [trace.type_of(v) for v in (value, best)]
            if all(isinstance(kind, (types.Scalar, types.TensorType)) and kind != types.string and not getattr(kind, "dims", ())
                   for kind in kinds):
                chosen = trace.emit("where", (trace.emit(">" if larger else "<", (value, best)), value, best))
                is_either = isinstance(chosen.type, types.TensorType) and any(map(perhaps_numbers.may_be_number, kinds))
                return chosen.as_element(True) if is_either else chosen
        return library.better(trace, value, best, larger)

    def run(trace, *values, key=None, default=MISSING):
        if len(values) == 1 and _array(values[0]) and key is None:
            if trace.type_of(values[0]).rank != 1:
                raise StagingError("LT0310", f"{name}() of an array of several axes", trace.place(), f"use lt.{name}(x), or a loop")
            values = values[0]      # one element after the other: where there is a NaN, Python's result depends on their order, and NumPy's is NaN
        elif len(values) == 1:
            values = materialised(trace, values[0])
        if isinstance(values, Staged) or dispatch.is_global(values):
            if key is None:
                return library.extreme(trace, values, larger, default is not MISSING, None if default is MISSING else default, nothing)
            return library.extreme_by(trace, values, key, larger, default is not MISSING, None if default is MISSING else default, nothing)
        if not values:
            if default is not MISSING:
                return default
            raise ValueError(nothing)
        if key is not None:
            return library.extreme_of_known(trace, list(values), key, larger)
        best = values[0]
        for value in values[1:]:
            best = better(trace, value, best)
        return best
    return run


def any_all(name):
    def combine(trace, values):
        values = values if iterables.is_staged(values) else list(values)
        if iterables.is_staged(values) or any(special_methods.has(trace, value, "__bool__", "__len__") for value in values):
            return (library.any_ if name == "any" else library.all_)(trace, values)
        result = name == "all"
        for value in values:
            value = trace.lists.value(value)
            if type(value) is PerhapsNone:
                value = perhaps_none.as_condition(trace, value, trace.at)
            condition = as_condition(trace, value) if isinstance(value, Staged) else bool(value)
            if not isinstance(condition, Staged) and not isinstance(result, Staged):
                result = (result and condition) if name == "all" else (result or condition)
            else:
                result = trace.emit("and" if name == "all" else "or", (result, condition))
        return result
    return combine


def sorted_(trace, values, *, key=None, reverse=False):
    return trace.lists.new(in_order(trace, materialised(trace, values), key, reverse))


def in_order(trace, contents, key, reverse):
    """The contents of a list, sorted: staged, unless neither they nor their keys are."""
    if not isinstance(contents, Staged) and not isinstance(reverse, Staged):
        from lantern.staging.calls import call
        keys = contents if key is None else [call(trace, key, (value,), {}, trace.at) for value in contents]
        order = None if list_methods.holds_staged(keys) else _known_order(trace, keys, reverse)
        if order is not None:
            return [contents[place] for place in order]
    return trace.lists.contents(library.sorted_(trace, list_methods.readable(trace, contents), key, reverse))


def _known_order(trace, keys, reverse):
    """The places of keys in their order; None where a `<` of the user's says that by what is known only when the program runs."""
    checkpoint, refused = trace.checkpoint(), len(trace.refusals)
    try:
        return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)
    except StagingError as error:
        if error.code != "LT0303" or not any(_has_own_order(trace, key) for key in keys):
            raise
    trace.rollback(checkpoint)
    del trace.refusals[refused:]
    return None


def _has_own_order(trace, key):
    return any(_has_own_order(trace, part) for part in key) if type(key) is tuple else special_methods.has(trace, key, "__lt__")


def elements(trace, value):
    """A list of the function's own, one by one: where it becomes staged meanwhile, that is an error."""
    own = type(value) is list and trace.lists.is_own(value) and not iterables.is_staged(value)
    return trace.lists.elements(value) if own else value


def enumerate_(trace, iterable, start=0):
    if is_python(iterable) and not (isinstance(iterable, Generator) and iterable.is_of_function() and not iterable.has_begun()):
        iterable = elements(trace, iterable)
        return ((start + place, value) for place, value in enumerate(iterable)) if isinstance(start, Staged) else enumerate(iterable, start)
    return StagedEnumerate(iterable, start)


def zip_(trace, *values, **options):
    zip(**options)      # a keyword that this Python's does not know is its own error
    values = iterables.beside(trace, values)
    if all(map(is_python, values)):
        return zip(*(elements(trace, value) for value in values), **options)
    place = None if options else drives(values)
    if place is not None:
        return zipped(trace, values, place)
    return iterables.zipped(trace, *values, **options)


def map_(trace, function, *values):
    values = iterables.beside(trace, values)
    if not all(map(is_python, values)):
        return iterables.mapped(trace, function, *values)
    from lantern.staging.calls import call
    return map(lambda *arguments: call(trace, function, arguments, {}, trace.at), *(elements(trace, value) for value in values))


def filter_(trace, function, values):
    test = bool if function is None else function
    if not is_python(values):
        return iterables.Filtered(values, test)
    result = trace.lists.new([])
    library.filtered(trace, list(values), test, result)
    return result


def reversed_(trace, value):
    if strings.is_staged_text(value):
        value = strings.characters(trace, value)
    if not iterables.is_staged(value):
        return trace.lists.elements(value, backwards=True) if elements(trace, value) is not value else reversed(value)
    return iterables.reversed_(trace, value)


def list_(trace, value=()):
    if isinstance(value, Staged) and isinstance(value.type, types.List):
        return trace.lists.shared.copied(value, value)
    result = trace.lists.new([])
    list_methods.extend(trace, result, value)
    return result


def tuple_(trace, value=()):
    is_iterator = isinstance(value, iterables.KINDS) and not is_python(value)
    if is_iterator and iterables.known_length(trace, value) is not None:
        return tuple(iterables.elements(trace, value))
    count = trace.lists.spans.get(id(value), (value, None))[1]
    if count is not None:
        size = trace.emit("length", (value,))
        trace.emit("assert", (trace.emit("==", (size, count)), f"compiled code takes this tuple of a slice to have {count} element{'s' if count > 1 else ''}, and the list ends before"))
        return tuple(trace.lists.element(value, place) if holds_lists(value.type.element) else trace.emit("index", (value, place)) for place in range(count))
    if is_iterator or isinstance(value, Staged) and not isinstance(value.type, (types.Tuple, types.TensorType)):
        shown = value.shown() if isinstance(value, Staged) else "a range" if isinstance(value, StagedRange) else "what is gone through"
        raise StagingError("LT0310", f"tuple(…) of {shown}, whose length is known only when the program runs", trace.place(),
                           "a tuple's length is known while staging: use a list, name its elements, (xs[i], xs[i + 1]), or have a slice of so many, tuple(xs[i:i + 2])")
    return tuple(iter(value))


def fromkeys(trace, keys, value=None):
    """`dict.fromkeys(…)`."""
    from lantern.staging.calls import call
    made = trace.lists.remade.new_staged(dict, trace.at)
    call(trace, made.set_all, (keys, value), {}, trace.at)
    return made


def iter_(trace, value):
    if isinstance(value, (iterables.StagedIterator, Generator)):
        return value
    return iterables.StagedIterator(trace, iterables.Live(trace, value) if type(value) is list else iterables.indexed(trace, value))


def next_(trace, iterator, default=MISSING):
    if isinstance(iterator, Generator):
        return iterator.next() if default is MISSING else iterator.next(default)
    if hasattr(type(iterator), "__next__"):     # one of Python's, and a default that the program knows
        return next(iterator) if default is MISSING else next(iterator, default)
    iterator = iterables.asked(trace, iterator)
    if not isinstance(iterator, iterables.StagedIterator):
        shown = iterator.shown() if isinstance(iterator, Staged) else f"a {type(iterator).__name__}"
        raise TypeError(f"{shown} is not an iterator")
    if default is MISSING:
        return library.next_(trace, iterator.sequence.get, iterator.sequence.length, iterator.place)
    return library.next_or(trace, iterator.sequence.get, iterator.sequence.length, iterator.place, default)
