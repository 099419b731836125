"""Items of a dict of Python's at a key that is known only when the program runs:

    counts = {"A": 0, "B": 0}
    for s in scores:
        counts[grade(s)] += 1

The keys are texts, numbers, members of an enumeration, or tuples with such members, that are known: the program compares the key with one after the other. None is added:
`counts[s] = 1` makes the dict the program's (remade.py).
"""
from __future__ import annotations

import enum

from lantern import types
from lantern.dispatch import active_trace
from lantern.staging import chosen_functions, enumerations, list_methods, tables
from lantern.staging.enumerations import Member
from lantern.staging.errors import StagingError
from lantern.staging.values import Staged

MOST_KEYS = 64
_KINDS = {types.string: str, types.i64: int, types.f64: float}


def may_choose(trace, container, key):
    """Whether a staged key may be one of a container's. Where it is the number of a loop that can be unrolled, each turn has its own item."""
    is_number = trace.ranges.active and any(loop.number is key for loop in trace.loops)
    is_one = isinstance(key, Staged) and not is_number or isinstance(key, (Member, tuple)) and tables.holds_member(key)
    kind = _kind_of(key) if is_one else None
    return isinstance(container, dict) and type(container).__getitem__ is dict.__getitem__ and not hasattr(type(container), "__missing__") \
        and kind is not None and 0 < len(container) <= MOST_KEYS and all(_is_of(kind, each) for each in container)


def _kind_of(key):
    """The class of the known keys that a key is compared with; of a tuple, those of its parts; None: it is not."""
    if isinstance(key, tuple):
        kinds = tuple(map(_kind_of, key))
        return None if None in kinds else kinds
    return key.of_class if type(key) is Member else _KINDS.get(key.type) if isinstance(key, Staged) else type(key)


def _is_of(kind, key):
    if isinstance(kind, tuple):
        return type(key) is tuple and len(key) == len(kind) and all(map(_is_of, kind, key))
    return type(key) is kind and key == key


def place_of(keys, key, missing, at):
    """The place of a key among these. missing: the exception where it is none of them."""
    return _chosen(keys, range(len(keys)), key, _raising(missing, at), at)


def _chosen(keys, items, key, otherwise, at):
    """Of the items, one of each key, that of a key; what `otherwise` gives where it is none of them."""
    from lantern.operators_comparisons import compare
    from lantern.operators_control import if_exp

    has_all = type(key) is Member and set(keys) == set(key.of_class)

    def among(first):
        if has_all and first + 1 == len(keys):
            return items[first]
        if first == len(keys):
            return otherwise()
        return if_exp(compare("==", key, keys[first], at), lambda: items[first], lambda: among(first + 1), at)()
    return among(0)


def _raising(exception, at):
    from lantern.operators_exceptions import raise_
    return lambda: raise_(exception, at)


def _are_constants(items):
    """Whether they are numbers, or texts, of one class of Python's: so many constants, which need no list to stand in."""
    return type(items[0]) in (int, float, bool, str) and {*map(type, items)} == {type(items[0])}


def item_of_python(trace, value, key, at):
    """`value[key]` where the key is staged, and the container a Python value."""
    from lantern.operators_expressions import getitem, is_list
    if isinstance(value, tuple) and value and all(map(list_methods.is_choosable, value)):
        return list_methods.getitem(trace, trace.lists.new(list(value)), key)
    if isinstance(value, type) and issubclass(value, enum.Enum) and not issubclass(value, enum.Flag) and trace.type_of(key) == types.string and 0 < len(value.__members__) <= MOST_KEYS:
        return _named(value, key, at)
    if may_choose(trace, value, key):
        trace.contents.note(value)
        found = [getitem(value, each, at) for each in value]
        if _are_constants(found):
            return _chosen(list(value), found, key, _raising(KeyError(key), at), at)
        if all(list_methods.is_choosable(each, (tuple, list)) for each in found):
            place = place_of(list(value), key, KeyError(key), at)
            trace.at = at
            return found[place] if type(place) is int else list_methods.getitem(trace, trace.lists.chosen_among(found), place)
        if chosen_functions.are(trace, found, key):
            place = place_of(list(value), key, KeyError(key), at)
            error = StagingError("LT0310", f"an element of a Python dict is chosen by {tables.shown(key)}, which is known only when the program runs",
                                 trace.place(at), list_methods.to_choose(found))
            return found[place] if type(place) is int else chosen_functions.chosen(trace, found, place, error)
    if isinstance(value, dict) and value and {type(each) for each in value.values()} in ({dict}, {set}):
        kind = "dict" if dict in map(type, value.values()) else "set"
        hint = f"make one of the program's own in front, by a comprehension: d = {{key: {kind}(value) for key, value in d.items()}}"
    elif isinstance(value, dict):
        hint = "choose by comparisons (x if key == 'a' else y), " + (
            "or annotate the parameter lt.static[str] to have it known when staging" if getattr(key, 'type', None) == types.string else
            "or use a list that is indexed by numbers")
    elif isinstance(value, tuple):
        hint = "make it a list, [a, b] for (a, b)" if any(map(is_list, value)) else list_methods.to_choose(value)
    else:
        hint = "use lt.constant(...) or lt.stack(...) for an array"
    error = StagingError("LT0310", f"an element of a Python {type(value).__name__} is chosen by {tables.shown(key)}, which is known only "
                         "when the program runs", trace.place(at), hint)
    if isinstance(value, tuple) and chosen_functions.are(trace, value, key):
        return chosen_functions.in_sequence(trace, value, key, error)
    trace.lists.remade.take(error, value, key)
    return trace.lessons.anything()


def _named(cls, name, at):
    """`Op[name]` of an enumeration."""
    is_enumeration = enumerations.is_enumeration(cls)
    found = [enumerations.number_of(member) if is_enumeration else member.value for member in cls.__members__.values()]
    number = _chosen(list(cls.__members__), found, name, _raising(KeyError(name), at), at)
    return enumerations.made(cls, number) if is_enumeration else number


def is_get(trace, function, arguments):
    """Whether it is `d.get(key)` of such a dict, which stays Python's."""
    own = getattr(function, "__self__", None)
    return isinstance(own, dict) and function.__name__ == "get" and 0 < len(arguments) < 3 and may_choose(trace, own, arguments[0]) and \
        (tables.holds_member(arguments[0]) or trace.lists.remade.place_of(own) is None)


def get(trace, container, key, default=None):
    from lantern.operators_comparisons import in_
    from lantern.operators_control import if_exp
    from lantern.operators_expressions import getitem
    at = trace.at
    trace.contents.note(container)
    found = [getitem(container, each, at) for each in container]
    if _are_constants([*found, default]):
        return _chosen(list(container), found, key, lambda: default, at)
    return if_exp(in_(key, container, at), lambda: getitem(container, key, at), lambda: default, at)()


def adds_none(trace, container, key, at):
    """Whether an item that is set at a staged key is taken to be one that a dict has: `d[k] += v` has found it there, and any other may be new where the
    program can have the dict."""
    remade = trace.lists.remade
    if remade.place_of(container) is None or type(key) is Member and set(container) == set(key.of_class):
        return True
    return getattr(key, "type", types.string) == types.string and (trace.item_updated_at == at or not remade.can_be_staged(container))


def changed(container, key, value, at):
    """What a dict holds once `value` stands at a key of its own."""
    from lantern.operators_comparisons import compare
    from lantern.operators_control import if_exp
    place = place_of(list(container), key, RuntimeError("a compiled program gives a dict no new key"), at)
    return {each: if_exp(compare("==", place, number, at), lambda: value, lambda held=held: held, at)()
            for number, (each, held) in enumerate(container.items())}


def change_chosen(lists, place, change, first=0):
    """Lets `change` change the one of these lists that stands at a place, the first or one behind it; what `change` gives."""
    from lantern.operators_comparisons import compare
    from lantern.operators_control import if_exp
    own, at = lists[first], active_trace().at
    if first + 1 == len(lists):
        return change(own)
    return if_exp(compare("==", place, first, at), lambda: change(own), lambda: change_chosen(lists, place, change, first + 1), at)()
