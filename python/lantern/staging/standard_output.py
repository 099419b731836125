"""What Python prints while a program is staged, out of code that is not converted, is no part of the program.

Converted code's `print` is staged. A `print` elsewhere (in the `__hash__` of a dict's key, which CPython calls, or in a library)
would show once, while the program is staged, and never when it runs: that is an error. Prints about the staging are let through:
those of functions that the user has asked not to convert, of a debugger, and of modules that are imported.
"""
from __future__ import annotations

import contextlib
import sys
import threading

from lantern.staging import convert
from lantern.staging.debugging import is_debuggers
from lantern.staging.errors import Signal, StagingError, is_ours


class StandardOutput:
    """Stands for sys.stdout while a trace runs, in the trace's thread."""

    def __init__(self, stream, trace):
        self._stream, self._thread = stream, threading.get_ident()
        self.trace = trace      # None: it is over

    def write(self, text):
        """Writes, or refuses what is not about the staging; nothing where a path is left that is no part of the program."""
        if self.trace is not None and self._thread == threading.get_ident():
            if isinstance(sys.exc_info()[1], (Signal, StagingError)):
                return len(text)    # of an `__exit__`, which may have something to undo
            printing = _no_part_of_the_program(sys._getframe(1))
            if printing is not None:
                self.trace.refuse("LT0310", f"'{printing}' prints while the program is staged, not when it runs",
                                  "print in code that is converted, or mark it ag.do_not_convert if what it prints is about the staging")
        return self._stream.write(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def __getattr__(self, name):
        return getattr(self._stream, name)


def is_redirected():
    """Whether code that is being staged has put something else in the place of standard output."""
    return not isinstance(sys.stdout, StandardOutput)


def _no_part_of_the_program(frame):
    """The name of the function of `frame`, which prints, or None if it may."""
    printing = frame.f_code
    if is_ours(printing.co_filename):
        return None
    while frame is not None and not is_ours(frame.f_code.co_filename):
        if convert.is_left_by_request(frame.f_code) or is_debuggers(frame.f_globals.get("__name__")):
            return None
        frame = frame.f_back
    is_import = frame is not None and "importlib" in frame.f_code.co_filename
    return None if is_import else printing.co_name


@contextlib.contextmanager
def refusing_prints(trace):
    """While code runs that is to be staged: what is printed by code that is not converted is an error."""
    own = sys.stdout = StandardOutput(sys.stdout, trace)
    try:
        yield
    finally:
        own.trace = None        # another thread that stages may go on with it
        while isinstance(sys.stdout, StandardOutput) and sys.stdout.trace is None:
            sys.stdout = sys.stdout._stream
