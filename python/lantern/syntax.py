"""Python's parser, for threads: up to 3.11.4 it counts how deep the trees of all threads are together, and gives SystemError where two make one at once
(github.com/python/cpython/issues/106905)."""
from __future__ import annotations

import ast
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
