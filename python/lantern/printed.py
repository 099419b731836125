"""What compiled code prints goes to the process's standard output, and to Python's `sys.stdout` where that is another one: an io.StringIO, a file, pytest's.

    with contextlib.redirect_stdout(io.StringIO()) as out:
        f(x)                                        # out has what f prints
"""
from __future__ import annotations

import ctypes
import functools
import os
import sys
import tempfile
import threading

_STANDARD = 1       # the descriptor that compiled code prints to


@functools.lru_cache(maxsize=None)
def _c_library():
    return ctypes.CDLL(None)


def flush():
    """What a program printed stands before what Python prints next."""
    _c_library().fflush(None)
    _aside.hand_on()


class _Aside:
    """Has the descriptor be a file's while functions run that print. Those of several threads share one, as they share `sys.stdout`."""

    def __init__(self):
        self._lock, self._users = threading.Lock(), 0
        self._standard = self._file = self._stream = None

    def begin(self, stream):
        with self._lock:
            self._users += 1
            if self._users > 1:
                return
            _c_library().fflush(None)
            self._stream, self._standard, is_file = stream, os.dup(_STANDARD), _descriptor(stream) is not None
            self._file = None if is_file else tempfile.TemporaryFile(buffering=0)
            os.dup2(_descriptor(stream) if is_file else self._file.fileno(), _STANDARD)

    def end(self):
        flush()
        with self._lock:
            self._users -= 1
            if self._users == 0:
                os.dup2(self._standard, _STANDARD)
                os.close(self._standard)
                if self._file is not None:
                    self._file.close()
                self._standard = self._file = self._stream = None

    def hand_on(self):
        """Gives the stream what has been printed since."""
        with self._lock:
            if self._file is None:
                return
            self._file.seek(0)
            text = self._file.read().decode("utf-8", "surrogateescape")
            self._file.seek(0)
            self._file.truncate()
            stream = self._stream
        stream.write(text)


_aside = _Aside()


class Printing:
    """While a function runs that prints."""

    def __enter__(self):
        self._is_aside = sys.stdout is not None and sys.stdout is not sys.__stdout__ and _descriptor(sys.stdout) != _STANDARD
        if sys.stdout is not None:
            sys.stdout.flush()
        if self._is_aside:
            _aside.begin(sys.stdout)

    def __exit__(self, *_):
        if self._is_aside:
            _aside.end()
        else:
            flush()


def _descriptor(stream):
    """The descriptor of a stream; that of standard output of one which takes what is printed there by itself, as a notebook's does; None where it has none."""
    try:
        descriptor = stream.fileno()
    except (AttributeError, OSError, ValueError):
        return None
    return _STANDARD if type(stream).__module__.startswith("ipykernel.") else descriptor
