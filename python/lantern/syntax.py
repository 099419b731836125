"""Python's parser, for threads: up to 3.11.4 it counts how deep the trees of all threads are together, and gives SystemError where two make one at once
(github.com/python/cpython/issues/106905)."""
from __future__ import annotations

import ast
import functools
import threading

one_at_a_time = threading.RLock()    # also for who changes a tree that is kept


def parse(source, filename="<unknown>", mode="exec"):
    """As ast.parse."""
    for _ in range(20):
        try:
            with one_at_a_time:
                return ast.parse(source, filename, mode)
        except SystemError:     # another thread parses, and not by this
            pass
    return ast.parse(source, filename, mode)


def parse_converted(text, position_map):
    """The syntax tree of converted text, with the original's positions."""
    tree = parse(text)
    lines = [None if line.isascii() else line.encode() for line in text.split("\n")]  # columns are of bytes, the map's of characters
    originals = {(row[0], row[1]): row[2:] for row in position_map}
    pending = [(tree, None)]
    while pending:
        node, around = pending.pop()
        if "lineno" in node._attributes:
            line = lines[node.lineno - 1]
            column = (node.col_offset if line is None else len(line[:node.col_offset].decode())) + 1
            own = originals.get((node.lineno, column)) or around
            if own is not None:
                node.lineno, node.end_lineno = own[0], max(own[2], own[0])
                node.col_offset, node.end_col_offset = own[1] - 1, max(own[3] - 1, 0)
            around = own
        for name in _fields_of_nodes(type(node)):       # as ast.iter_child_nodes, for what has a place or holds what has one
            value = getattr(node, name)
            if type(value) is list:
                pending.extend([(child, around) for child in value if child is not None and type(child) is not str])
            elif value is not None and type(value) is not str:
                pending.append((value, around))
    return tree


# The fields of nodes that hold none, or one without a place and children.
_FIELDS_WITHOUT_NODES = frozenset("arg asname attr conversion ctx id is_async kind kwd_attrs level lineno module op ops rest simple tag "
                                  "type_comment type_ignores".split())


@functools.lru_cache(maxsize=None)
def _fields_of_nodes(kind):
    return [] if kind.__name__ in ("Constant", "MatchSingleton") else [name for name in kind._fields if name not in _FIELDS_WITHOUT_NODES]
