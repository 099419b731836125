"""Tracebacks as the user's program has them: no frame of the package's, and a statement of converted code once.

LANTERN_TRACEBACK, in the environment, keeps them whole.
"""
from __future__ import annotations

import contextlib
import os
import sys
import types

# Since Python 3.11 an exception's traceback is what its attribute says. Before, a bare `raise` goes on with the one that it had,
# and another `raise` adds the frame that it stands in.
_ATTRIBUTE_COUNTS = sys.version_info >= (3, 11)


def keep_users_frames(error):
    """Leaves the user's frames in the traceback of `error`, and of the exceptions that it comes from.

    Called in the handler of a function that the user calls, with a bare `raise` behind it.
    """
    if not os.environ.get("LANTERN_TRACEBACK"):
        from lantern.staging.errors import StagingError
        pending, seen, tracebacks = [error], {}, []
        while pending:
            current = pending.pop()
            if current is None or id(current) in seen:
                continue
            seen[id(current)] = current
            pending += [current.__cause__, current.__context__]
        for current in seen.values():
            entries = _entries(current.__traceback__)
            if isinstance(current, StagingError) and current.__cause__ is not None:
                entries += _entries(current.__cause__.__traceback__)    # it goes on to where the user's exception was raised
            tracebacks.append((current, _users(entries)))
        for current, traceback in tracebacks:
            current.__traceback__ = traceback
    if not _ATTRIBUTE_COUNTS:
        raise error


def _entries(traceback):
    found = []
    while traceback is not None:
        found.append(traceback)
        traceback = traceback.tb_next
    return found


def _users(entries):
    """A traceback of the user's frames among these entries."""
    from lantern.staging.convert import is_made_by_conversion
    from lantern.staging.errors import is_ours
    kept, ours = [], False
    for entry in entries:
        code = entry.tb_frame.f_code
        ours = is_ours(code.co_filename) or ours and code.co_filename == contextlib.__file__     # which our `with` statements call
        if not ours:
            if kept and is_made_by_conversion(code) and _is_within(code, kept[-1].tb_frame.f_code):
                kept.pop()      # the statement around this branch, or body, of the same function
            kept.append(entry)
    result = None
    for entry in reversed(kept):
        result = types.TracebackType(result, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return result


def _is_within(code, outer):
    return any(constant is code or isinstance(constant, types.CodeType) and _is_within(code, constant) for constant in outer.co_consts)
