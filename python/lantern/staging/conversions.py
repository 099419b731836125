"""What functions have been converted to, kept from one run to the next beside compiled programs, as `__pycache__` keeps what Python compiles.

A function has one file, which its next conversion replaces. In it is also what it has been made from, in short: it is read where that is still the same.
"""
from __future__ import annotations

import contextlib
import marshal
import os
import sys
import threading
import types as python_types
import zlib

from lantern import core
from lantern.records import Record

# The Python files that make conversions, along with the core.
_CONVERTER = tuple(os.path.join(os.path.dirname(os.path.dirname(__file__)), *name) for name in (("staging", "convert.py"), ("syntax.py",)))


class Conversion(Record):
    text: str                           # converted Python
    comments: tuple                     # (line, last line, text) of the original's logical lines
    own_name: str                       # what the function is called within
    module: python_types.CodeType       # makes the factory of the function


def find(function, made_from):
    """The conversion of a function, if one is kept that has been made from the same texts and numbers."""
    path = _path_of(function)
    if path is None:
        return None
    try:
        with open(path, "rb") as file:
            origin, *parts = marshal.loads(file.read())
        return Conversion(*parts) if origin == _origin(made_from) else None
    except (OSError, EOFError, ValueError, TypeError):      # there is none yet, or another's file
        return None


def keep(conversion, function, made_from):
    """Keeps a conversion, if there is a place for it; else it is made once more in the next run."""
    path = _path_of(function)
    if path is None:
        return
    unfinished = f"{path}.{os.getpid()}.{threading.get_ident()}"
    try:
        content = marshal.dumps((_origin(made_from), conversion.text, conversion.comments, conversion.own_name, conversion.module))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(unfinished, "wb") as file:
            file.write(content)
        os.replace(unfinished, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)


def _folder():
    """Where compiled programs are (codegen/build.cpp), for conversions; None: nowhere."""
    named, caches, home = (os.environ.get(name) for name in ("LANTERN_CACHE", "XDG_CACHE_HOME", "HOME"))
    if not named and not caches and not home:
        return None
    return os.path.join(named or os.path.join(caches or os.path.join(home, ".cache"), "lantern"), "converted")


def _path_of(function):
    """The file for a function; None of one whose source is in no file."""
    file, folder = function.__code__.co_filename, _folder()
    if folder is None or not os.path.isabs(file):
        return None
    return os.path.join(folder, f"{zlib.crc32(repr((file, function.__qualname__)).encode('utf-8', 'surrogatepass')):08x}")


def _origin(made_from):
    """A digest of texts and numbers, of the converter and of Python. Raises OSError if the converter is in no files."""
    import hashlib  # 3 ms, which a program of plain Python need not wait for
    files = [(file, status.st_mtime_ns, status.st_size) for file in (os.fspath(core.library_path()), *_CONVERTER) for status in (os.stat(file),)]
    python = (sys.implementation.cache_tag, sys.hexversion, sys.flags.optimize)
    return hashlib.blake2b(repr((files, python, made_from)).encode("utf-8", "surrogatepass"), digest_size=32).digest()
