"""What the converter says of its work: a warning for a function that stays plain Python; the rest only where it is asked for.

LANTERN_VERBOSITY, or `ag.set_verbosity`: 0 warnings alone; 1 also each function that is converted or called as it is; 2 also
the converted source.
"""
from __future__ import annotations

import os
import sys
import warnings

from lantern import dispatch
from lantern.exceptions import UnconvertedWarning

_level = None       # None: as the environment says
_to_stdout = False


def set_verbosity(level, alsologtostdout=False):
    """How much the converter says on standard error; with `alsologtostdout`, on standard output, too."""
    global _level, _to_stdout
    if isinstance(level, bool) or not isinstance(level, int) or level < 0:
        raise ValueError(f"a verbosity is 0, 1 or 2, not {level!r}")
    _level, _to_stdout = level, alsologtostdout


def verbosity():
    """The level that is set, or that LANTERN_VERBOSITY asks for."""
    if _level is not None:
        return _level
    text = os.environ.get("LANTERN_VERBOSITY", "")
    return int(text) if text.isdecimal() else 0


def say(level, text):
    """Writes a line where the verbosity is `level` or more."""
    if verbosity() >= level:
        print(f"lantern: {text}", file=sys.stderr)
        if _to_stdout:
            print(f"lantern: {text}")


def warn_unconverted(function, reason):
    """Says that a function stays plain Python, and why."""
    code = function.__code__
    warnings.warn_explicit(f"'{function.__qualname__}' runs as plain Python: {reason}", UnconvertedWarning, code.co_filename,
                           code.co_firstlineno)


def trace(*values):
    """Prints values while the program is staged (once), where `print` of staged values prints while it runs."""
    print(*(value.description() if dispatch.is_staged(value) else value for value in values))
