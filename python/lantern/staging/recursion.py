"""Python's limit of recursion counts frames, and converted code nests several for one of the user's: the limit is scaled."""
from __future__ import annotations

import contextlib
import resource
import sys
import threading

PLAIN = 5       # frames of a converted call, for one of the user's, where nothing is staged: operators, branches, the function
STAGED = 15     # where it is traced

# Before Python 3.11 each Python frame is a C frame, too; since then only those that C calls are.
_BYTES_A_FRAME = 1024 if sys.version_info < (3, 11) else 400

_lock = threading.Lock()
_staging = 0        # how many threads trace: the limit is the process's
_before = None      # the limit that the last of them puts back
_own, _scaled = None, None      # the user's limit, and what we have made of it


def _limit(factor):
    """The user's limit, scaled as far as the C stack allows."""
    own = _own if sys.getrecursionlimit() == _scaled else sys.getrecursionlimit()
    stack = resource.getrlimit(resource.RLIMIT_STACK)[0]
    most = own * factor if stack == resource.RLIM_INFINITY else stack // _BYTES_A_FRAME
    return own, max(own, min(own * factor, most))


def allow_plain():
    """From now on converted code, run plainly, recurses as deep as the code that it was made from."""
    global _own, _scaled
    if sys.getrecursionlimit() != _scaled:
        _own, _scaled = _limit(PLAIN)
        sys.setrecursionlimit(_scaled)


@contextlib.contextmanager
def scaled_for_staging():
    """While code is traced."""
    global _staging, _before
    with _lock:
        if _staging == 0:
            _before = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_before, _limit(STAGED)[1]))
        _staging += 1
    try:
        yield
    finally:
        with _lock:
            _staging -= 1
            if _staging == 0:
                sys.setrecursionlimit(_before)
