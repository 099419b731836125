"""Orders by a `<` of the user's: `__lt__` of a class, and the function of `functools.cmp_to_key`.

Which two are compared, how often, and in which order, is not what it is in Python. So nobody may see that: a comparison that prints, draws, or changes
what others see, gives no order here, nor one with a `raise`, which may be of another pair.
"""
from __future__ import annotations

import types as python_types

from lantern import types
from lantern.staging import instances
from lantern.staging.comparison_keys import cmp_to_key
from lantern.staging.define import Specialisation
from lantern.staging.errors import Abandon, Raised, StagingError
from lantern.staging.node_effects import has_effect
from lantern.staging.numbered_classes import user_class
from lantern.staging.program import nodes_of


def comparison(of_type):
    """`__lt__` of a class, which is the user's; None of another one."""
    less = getattr(user_class(of_type.cls), "__lt__", None)
    return less if isinstance(less, python_types.FunctionType) else None


def is_by_users(type_):
    """Whether values of a type are ordered by a `<` of the user's."""
    return isinstance(type_, types.Tuple) and type_.of is not None and instances.ordered_by(type_.of) is None and comparison(type_.of) is not None


def check(trace, keys):
    """An error if the elements of a list may not be sorted by their `<`: it is traced, of two of them, and forgotten."""
    from lantern.operators_comparisons import compare
    from lantern.staging import list_methods
    checkpoint, mark, variables, at = trace.checkpoint(), trace.lists.mark(), trace.closures.contents(), trace.at
    try:
        with trace.new_block(True) as block:
            compare("<", *(list_methods.getitem(trace, keys, place) for place in (0, 1)), at)
            now = trace.closures.contents()
            is_seen = trace.lists.mark() != mark or len(now) != len(variables) or any(a is not b for one, other in zip(now, variables) for a, b in zip(one, other)) \
                or has_effect(block) or _raises(block)
    except (Abandon, Raised):
        is_seen = True
    finally:
        trace.rollback(checkpoint)
        trace.at = at
    if is_seen:
        cls = user_class(keys.type.element.of.cls)
        by = "the function of cmp_to_key" if cls.__module__ == cmp_to_key.__module__ else f"the '<' of {cls.__name__}"
        raise StagingError("LT0310", f"an order by {by}, which prints, draws, raises, or changes what others see", trace.place(),
                           "give sorted() or sort() a key, key=lambda x: …, of numbers, strings, and tuples of them")


def _raises(block):
    heads = [node[0] if type(node) is tuple and node else None for node in nodes_of(block)]
    return any(head.failures if isinstance(head, Specialisation) else head == "raise" for head in heads)
