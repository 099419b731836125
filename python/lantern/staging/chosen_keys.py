"""Items of a dict of Python's at a key that is known only when the program runs:

    counts = {"A": 0, "B": 0}
    for s in scores:
        counts[grade(s)] += 1

The keys are texts, or whole numbers, that are known: the program compares the key with one after the other. None is added.
"""
from __future__ import annotations

from lantern import types
from lantern.dispatch import active_trace
from lantern.staging.values import Staged

MOST_KEYS = 64
_KINDS = {types.string: str, types.i64: int}


def may_choose(trace, container, key):
    """Whether a staged key may be one of a container's. Where it is the number of a loop that can be unrolled, each turn has its own item."""
    is_number = trace.ranges.active and any(loop.number is key for loop in trace.loops)
    kind = _KINDS.get(key.type) if isinstance(key, Staged) and not is_number else None
    return isinstance(container, dict) and type(container).__getitem__ is dict.__getitem__ and not hasattr(type(container), "__missing__") \
        and kind is not None and 0 < len(container) <= MOST_KEYS and all(type(each) is kind for each in container)


def place_of(keys, key, missing, at):
    """The place of a key among these. missing: the exception where it is none of them."""
    from lantern.operators_comparisons import compare
    from lantern.operators_control import if_exp
    from lantern.operators_exceptions import raise_

    def among(first):
        if first == len(keys):
            raise_(missing, at)
        return if_exp(compare("==", key, keys[first], at), lambda: first, lambda: among(first + 1), at)()
    return among(0)


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
