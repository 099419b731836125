"""Orders by a `<` of the user's: `__lt__` of a class, and the function of `functools.cmp_to_key`.

Which two are compared, how often, and in which order, is not what it is in Python. So nobody may see that: a comparison that prints, draws, or changes
what others see, gives no order here.
"""
from __future__ import annotations

import types as python_types

from lantern.staging.errors import Abandon, Raised
from lantern.staging.node_effects import has_effect
from lantern.staging.numbered_classes import user_class


def is_one(trace, keys):
    """Whether the elements of a list may be sorted by their `<`: it is traced, of two of them, and forgotten."""
    from lantern.operators_comparisons import compare
    from lantern.staging import list_methods
    if not isinstance(getattr(user_class(keys.type.element.of.cls), "__lt__", None), python_types.FunctionType):
        return False
    checkpoint, mark, variables, at = trace.checkpoint(), trace.lists.mark(), trace.closures.contents(), trace.at
    try:
        with trace.new_block(True) as block:
            compare("<", *(list_methods.getitem(trace, keys, place) for place in (0, 1)), at)
            now = trace.closures.contents()
            return trace.lists.mark() == mark and len(now) == len(variables) and all(a is b for one, other in zip(now, variables) for a, b in zip(one, other)) \
                and not has_effect(block)
    except (Abandon, Raised):
        return False
    finally:
        trace.rollback(checkpoint)
        trace.at = at
