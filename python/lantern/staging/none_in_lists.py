"""Lists whose elements may be None: `memo = [None] * n`, and numbers are put into it.

An element is a pair in the program, whether it is missing and its value, as a variable that may be None is two (perhaps_none.py): to the program the list
is two, `memo_missing` and `memo_value`. The type of the pair says what it stands for (`OF`, as `instances.Of` says it of named tuples), so that what
is read of the list is a `PerhapsNone`.
"""
from __future__ import annotations

import collections
import operator
import types as python_types

from lantern import types
from lantern.records import Record
from lantern.staging import instances
from lantern.staging.errors import StagingError
from lantern.staging.perhaps_none import PerhapsNone, can_be_of, is_of_arrays, made
from lantern.staging.text import Symbol
from lantern.staging.values import Staged


class _Of:
    """What the type of such a pair knows."""
    cls = PerhapsNone
    names = ("missing", "value")

    def labelled(self, elements):
        return [f":{name} {type_}" for name, type_ in zip(self.names, elements)]

    def annotation(self, elements):
        return f"{types.annotation(elements[1])} | None"

    def together(self, parts, whole):
        hint = getattr(whole, "hint", None)
        return made(hint or "an element", *parts)


OF = _Of()


def is_type(type_):
    """Whether values of a type may be None, in a list."""
    return isinstance(type_, types.Tuple) and type_.of is OF


def join_elements(a, b):
    """The type of an element of a list that is an `a` or a `b`; None if there is none."""
    from lantern.staging.merge import join_types
    if isinstance(a, types.Tuple) and isinstance(b, types.Tuple) and a.of == b.of:
        return types.join_tuples(a, b, join_elements)
    is_missing = [is_type(type_) or isinstance(type_, types.NoneType) for type_ in (a, b)]
    if a == b or not any(is_missing):
        return join_types(a, b)
    if isinstance(a, types.NoneType) or isinstance(b, types.NoneType):
        value = b if isinstance(a, types.NoneType) else a
    else:
        value = join_types(*(type_.elements[1] if is_type(type_) else type_ for type_ in (a, b)))
    if isinstance(value, (types.StructType, types.Optional)):
        return join_types(a, b)
    return value if value is None or is_type(value) else _with_none(value)


def _with_none(type_):
    return types.Tuple((types.bool_, type_), OF) if can_be_of(type_) else None


def type_of(trace, value, within):
    """The type of an element that a list holds; as `Trace.type_of`, and it may be None."""
    value = trace.narrowed(value)
    if type(value) is PerhapsNone:
        own = trace.type_of(value.value, within)
        if own is not None and not can_be_of(own):
            error = StagingError("LT0306", f"{value.shown()} may be None or {types.annotation(own)}, and lists do not stand beside None in a list, dict or set",
                                 trace.place(), "put an empty one there instead of None, and a bool beside it that says whether there is one")
            error.is_explained = True
            raise error
        return _with_none(own)
    parts = None if isinstance(value, Staged) else instances.declared(trace, value)
    if parts is None:
        return trace.type_of(value, within)
    elements = tuple(type_of(trace, each, (*within, number)) for number, each in enumerate(parts))
    return None if None in elements else types.Tuple(elements, instances.of(value))


def annotated(type_):
    """The type in an annotation beside which a program would have None, and has not, such as float in `list[float | None]`; None: it has none such."""
    if isinstance(type_, types.Optional) and not types.can_be_missing(type_.element):
        return type_.element
    parts = type_.elements if isinstance(type_, types.Tuple) else (type_.element,) if isinstance(type_, types.List) and type_.element is not None else ()
    return next(filter(None, map(annotated, parts)), None)


def is_in(type_):
    """Whether a type has such a one in it."""
    if isinstance(type_, types.List):
        return is_in(type_.element)
    return is_type(type_) or isinstance(type_, types.Tuple) and any(map(is_in, type_.elements))


def coerced(trace, value, type_):
    """The node of a value as an element of that type."""
    if isinstance(value, Staged) and is_type(value.type):
        value = type_.of.together([trace.element(value, number) for number in (0, 1)], value)
    if value is None or isinstance(value, Staged) and isinstance(value.type, types.NoneType):
        return (Symbol("tuple"), True, (Symbol("undefined"), Symbol(type_.elements[1])))
    missing, value = (value.missing, value.value) if type(value) is PerhapsNone else (False, value)
    return (Symbol("tuple"), trace.node(missing), trace.coerce(value, type_.elements[1]))


def of_none(trace, contents, type_):
    """Staged contents, all None so far, as a list of such elements."""
    from lantern.staging import library
    result = trace.lists.new(trace.bind((Symbol("empty"), Symbol(type_.element)), type_, pure=True))
    library.repeat_one(trace, result, None, trace.emit("length", (contents,)))
    return trace.resolve(trace.lists.value(result))


def present(trace, contents, message):
    """The contents of such a list without that: where an element is None, the program raises a TypeError."""
    from lantern.staging import library
    return trace.lists.become_staged(library.present(trace, contents, message, trace.lists.new([])))


def without(trace, name, operands):
    """The operands of an operator: an array is made of a list in which nothing is None."""
    if name != "stack" or not holds(operands[0]):
        return operands
    return present(trace, operands[0], "float() argument must be a string or a real number, not 'NoneType'"),


def has_no_order(type_):
    """What Python says where it compares None with what else a list has."""
    value = type_.elements[1]
    name = "tuple" if isinstance(value, types.Tuple) else "numpy.ndarray" if isinstance(value, types.TensorType) else types.annotation(value)
    return f"'<' not supported between instances of 'NoneType' and '{name}'"


def holds(value):
    """Whether a value is the staged contents of such a list."""
    return isinstance(value, Staged) and isinstance(value.type, types.List) and is_type(value.type.element)


# What is known of elements: whether they are missing, as a Boolean function (truths.py). Blocks have it, `Block.items`, by the staged contents of the
# outermost list and the places that lead to the element.

class _Item(Record):
    root: object        # and the places: kept, since it is their ids that the block has it by
    places: tuple
    found: object       # the element as it was read here, or None
    truth: object


def read(trace, operands, at):
    """The element at a place of such a list. That of the same list, at the same place, is the same."""
    root, places = _root(*operands)
    known = _known(trace.block, root).get(_key(places))
    if known is not None and known.found is not None:
        return known.found
    found = instances.opened(trace, trace.applied("index", operands, at))
    if known is not None:
        found.missing.truth = known.truth
    _note(trace, root, places, found, trace.truth(found.missing))
    return found


def as_before(row, now, place):
    """A row as it is now, that is used by what goes by its type; an error where None has come to stand beside its elements since it was read."""
    if isinstance(now.type, types.List) and is_in(now.type) and not is_in(row.type):
        raise StagingError("LT0305", f"elements of {row.shown()} may be other than None, or None, since it was read from its list", place, "read it from the list again")
    return now


def known_list(trace, list_, contents):
    """The staged contents of a list that Python knows, if elements of it may be None: the same, as long as it holds the same."""
    type_ = trace.lists.type_of(contents)
    if not is_type(type_.element):
        return contents
    for block in trace.block.chain():
        _, held, staged = block.items.get((id(list_),), {}).get((), (None, (), None))
        if staged is not None and len(held) == len(contents) and all(map(operator.is_, held, contents)):
            return staged
    staged = trace.lists.staged_contents(contents, type_)
    trace.block.items[(id(list_),)] = {(): (list_, list(contents), staged)}
    return staged


def written(trace, contents, place, value):
    """These are the contents of a list that has got a value at a place."""
    if holds(contents):
        value = trace.narrowed(value)
        _note(trace, contents, (place,), None, trace.truth(value.missing) if type(value) is PerhapsNone else value is None)


def put_back(trace, row, contents, places):
    """The contents of a list in which a list that holds `row` stands where these places lead."""
    for item in _known(trace.block, row).values():
        _note(trace, contents, (*places, *item.places), None, item.truth)


def joined_items(trace, contents, ends, merged):
    """The contents of a list behind an `if`. ends: [(its contents at the end of a path, the path's block)]; merged: of truths, one for each path."""
    if not all(isinstance(at_end, Staged) for at_end, _ in ends):
        return
    first, *others = (_known(block, at_end) for at_end, block in ends)
    for key, item in first.items():
        if all(key in other for other in others) and all(not isinstance(place, Staged) or trace.in_scope(place) for place in item.places):
            _note(trace, contents, item.places, None, merged([item.truth, *(other[key].truth for other in others)]))


def _note(trace, root, places, found, truth):
    trace.block.items.setdefault(id(root), {})[_key(places)] = _Item(root, places, found, truth)


def _known(block, root):
    """{key of places: _Item} of a list's contents, in a block and those around it."""
    known = {}
    for each in reversed(list(block.chain())):
        known.update(each.items.get(id(root), {}))
    return known


def _root(contents, *places):
    """(the outermost list that a list was read from, as it is now; the places that lead to one in it)."""
    while contents.element_of is not None and isinstance(contents.element_of[2], Staged):
        list_, place, held = contents.element_of
        places = (place, *places)
        contents = list_ if isinstance(list_, Staged) else held
    return contents, places


def _key(places):
    """Places, and numbers that are computed of the same numbers in the same way, are one."""
    return tuple(map(_key_of, places))


def _key_of(place):
    if not isinstance(place, Staged):
        return (place,)
    return id(place) if place.made_of is None else (place.made_of[0], *_key(place.made_of[1]))


def takes_element(function, arguments):
    """Whether a function is a list's or deque's method whose last argument is an element of it, and alone may be None."""
    if hasattr(function, "__lantern_takes_lists__") and not is_of_arrays(function):
        return True
    from lantern.staging.deques import StagedDeque
    own = getattr(function, "__self__", None) if isinstance(function, (python_types.BuiltinMethodType, python_types.MethodType)) else None
    return type(own) in (list, collections.deque, StagedDeque) and function.__name__ in _OF_ELEMENTS \
        and not any(type(value) is PerhapsNone for value in arguments[:-1])


_OF_ELEMENTS = frozenset(("append", "appendleft", "insert", "index", "count", "remove"))
