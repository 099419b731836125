"""Whether nodes do something besides giving a value: print, draw, read files, change what outlives them."""
from __future__ import annotations

from lantern import pullbacks
from lantern.staging.define import Specialisation
from lantern.staging.program import nodes_of

# Forms of the language that are no operators of the table.
_FORMS = frozenset(("print", "print-part", "seed", "update", "initialize"))


def has_effect(node, calls=()):
    """calls: the functions whose bodies the node is in."""
    for each in nodes_of(node):
        head = each[0] if type(each) is tuple and each else None
        if isinstance(head, Specialisation):
            if head not in calls and (head.block is None or has_effect(head.block, (*calls, head))):
                return True
        elif isinstance(head, str) and (head in _FORMS or any(row.effect for row in pullbacks.rows(str(head)))):
            return True
    return False
