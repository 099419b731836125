"""`f(*xs)` where how many elements there are is known only when the program runs: `zip(*rows)`, whose columns are sequences, `print(*xs)`, and a function of
the user's that takes so many arguments and no other number: as many are taken, and a list of another length is the TypeError that it is in Python.
"""
from __future__ import annotations

import builtins
import inspect
import sys
import types as python_types

from lantern import numpy_functions, rearranging, types
from lantern.staging import iterables, library, spread_definitions
from lantern.staging.builtins_sequences import materialised
from lantern.staging.errors import StagingError, user_place
from lantern.staging.snapshots import is_users_class
from lantern.staging.values import Staged

_check_columns, _check_count, _shortest, _texts, _of_any = map(library.define, (
    spread_definitions.check_columns, spread_definitions.check_count, spread_definitions.shortest, spread_definitions.texts, spread_definitions.of_any))


class Spread:
    """Stands among the arguments of a call for the elements of `value`. source: the list of the user's that it is what is in."""

    def __init__(self, source, value, shown, place):
        self.source, self.value, self.shown, self.place = source, value, shown, place

    def error(self):
        return StagingError("LT0310", f"how many arguments {self.shown} gives to the call is known only when the program runs", self.place,
                            "hand on the list itself")


def called(trace, function, arguments, keywords, at):
    """(function, arguments, keywords) with which a call can be made that has one among its arguments, or a column; or (None, its result, None)."""
    one = next((value for value in arguments if type(value) is Spread), None)
    if one is None:
        column = next(value for value in arguments if type(value) is Column)
        if function is isinstance or function is type:
            raise column.error()
        if numpy_functions.is_one(function):
            arguments = tuple(materialised(trace, value) if type(value) is Column else value for value in arguments)
        return function, arguments, keywords
    if len(arguments) == 1 and function in (rearranging.concat, rearranging.stack):     # which take a list of what they take one by one
        return function, (one.source,), keywords
    if function is builtins.zip and len(arguments) == 1 and not keywords:
        return None, _columns(trace, one), None
    if function is builtins.print:
        texts = trace.lists.new([])
        for value in arguments:
            _texts(trace, texts, one_by_one(value))
        separator = keywords.get("sep")
        from lantern.staging import strings
        return function, (strings.join(trace, " " if separator is None else separator, texts),), {name: v for name, v in keywords.items() if name != "sep"}
    names = _named_by(function, one, arguments, keywords)
    if names is None:
        raise one.error()
    return function, _taken(trace, function, names, one, arguments), keywords


def _named_by(function, one, arguments, keywords):
    """The parameters of a function of the user's that get what a Spread gives, and what stands behind it; None where how many these are may differ."""
    from lantern.staging.calls import is_users, underlying
    plain = underlying(function)[0]
    if not (is_users(plain) or isinstance(plain, type) and is_users_class(plain)) or sum(type(value) in KINDS for value in arguments) > 1:
        return None
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:
        return None
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return None
    by_place = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    while by_place and by_place[-1].name in keywords:
        by_place.pop()
    before = _place_of(one, arguments)
    if len(arguments) - 1 > len(by_place) or any(each.name in keywords or each.default is not each.empty for each in by_place):
        return None
    return [each.name for each in by_place[before:]]


def _taken(trace, function, names, one, arguments):
    """The arguments of a call whose list is for these parameters, but for those that the arguments behind it are for."""
    from lantern.operators_expressions import getitem
    plain = function if isinstance(function, type) else getattr(function, "__func__", function)
    if isinstance(plain, type):
        plain = plain.__init__ if isinstance(plain.__init__, python_types.FunctionType) else plain.__new__
    own = plain is not function     # Python counts the object, or the class, too
    place = _place_of(one, arguments)
    behind, takes = len(arguments) - place - 1, place + len(names) + own
    count = len(names) - behind
    name = plain.__qualname__ if sys.version_info >= (3, 10) else plain.__name__
    missing = tuple(_missing(name, names[given + behind:]) for given in range(count))
    _check_count(trace, one.source, missing, f"{name}() takes {takes} positional argument{'' if takes == 1 else 's'} but ", takes - count)
    return *arguments[:place], *(getitem(one.source, number, trace.at) for number in range(count)), *arguments[place + 1:]


def _missing(name, names):
    """What Python says of arguments that a call lacks."""
    names = [f"'{each}'" for each in names]
    listed = names[0] if len(names) == 1 else f"{names[0]} and {names[1]}" if len(names) == 2 else f"{', '.join(names[:-1])}, and {names[-1]}"
    return f"{name}() missing {len(names)} required positional argument{'' if len(names) == 1 else 's'}: {listed}"


def _place_of(one, arguments):
    return next(number for number, value in enumerate(arguments) if value is one)


def one_by_one(value):
    return value.value if type(value) is Spread else (value,)


class Column(iterables.Sequence):
    """A tuple of Python's whose length is known only when the program runs: it has a length and elements, and nothing else of a tuple's."""

    @staticmethod
    def error():
        return StagingError("LT0310", "a tuple that zip(*…) gives, whose length is known only when the program runs, has its length and its elements, and no more",
                            user_place(), "make a list of it first: list(…)")

    def _refuse(self, *_, **__):
        raise self.error()

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _refuse
    __add__ = __radd__ = __mul__ = __rmul__ = __repr__ = __str__ = __format__ = count = index = _refuse


KINDS = (Spread, Column)


class Columns(iterables.Indexed):
    """What `zip(*rows)` gives. count: how many there are if there is a row, where that is known."""

    def __init__(self, trace, length, get, sources, count):
        super().__init__(length, get, sources)
        self.trace, self.count = trace, count

    def taken_apart(self, count):
        """The columns, where as many variables take them."""
        _check_columns(self.trace, self.length, count)
        return tuple(map(self.get, range(count)))


def _columns(trace, one):
    from lantern.operators_expressions import getitem
    rows = iterables.indexed(trace, one.source)
    element = one.value.type.element if isinstance(one.value.type, types.List) else None
    if isinstance(element, types.Tuple):
        count, length = len(element.elements), None
        length = _of_any(trace, rows.length, count)
    elif isinstance(element, types.List) or element == types.string:
        count, length = None, _shortest(trace, one.value)
    else:
        raise one.error()

    def column(number):
        if count is not None and isinstance(number, Staged) and len(set(element.elements)) > 1:
            raise StagingError("LT0310", f"a column of {one.shown}, whose rows are tuples of several types, is chosen by {number.shown()}, which is known only when the program runs",
                               trace.place(), "take the columns by names: xs, ys = zip(*rows)")
        def get(place):
            changed = next((list_ for list_, held in rows.sources if trace.lists.raw(list_) is not held), None)
            if changed is not None:     # what stands in it is read as it is now
                raise StagingError("LT0305", f"{trace.lists.shown(changed)}, or a list in it, has changed since its columns were taken", trace.place(),
                                   "make lists of them: [list(column) for column in zip(*rows)]")
            if element == types.string:
                return getitem(rows.get(place), number, trace.at)
            if count is None:
                return iterables.element_of(trace, None, rows.get(place), number)
            return getitem(tuple(rows.get(place)), number, trace.at) if isinstance(number, Staged) else rows.get(place)[number]

        return Column(rows.length, get, rows.sources)

    return iterables.made(trace, builtins.zip, Columns(trace, length, column, rows.sources, count))
