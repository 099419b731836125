"""Long lists of numbers and texts as their images (abi.py), and back, by the compiler's library (api/python_lists.h), where an element takes a few nanoseconds.
None of what it does not do: of a short list, of other elements, without the library."""
from __future__ import annotations

import array
import ctypes
import functools

from lantern import core
from lantern.exceptions import CoreError

_LONG = 64      # from so many elements on it pays


@functools.lru_cache(maxsize=None)
def _library():
    """By what keeps Python's lock; None: it is not there."""
    try:
        library = ctypes.PyDLL(str(core.library_path()))
        library.lantern_python_type.restype, library.lantern_python_type.argtypes = ctypes.c_void_p, [ctypes.py_object]
        library.lantern_python_elements.restype, library.lantern_python_elements.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char, ctypes.c_void_p]
        library.lantern_python_texts.restype, library.lantern_python_texts.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_size_t]
    except (CoreError, OSError, AttributeError):
        return None
    return library


def _library_for(count):
    return _library() if count >= _LONG else None


def types_of(values):
    """The set of the types of a list's elements; of several, two at least."""
    library = _library_for(len(values))
    one = library and library.lantern_python_type(values)
    return {ctypes.cast(one, ctypes.py_object).value} if one else set(map(type, values))


def numbers(code, values):
    """An array of that typecode of the numbers of a list, where they fit, and none is of a class of its own."""
    library = _library_for(len(values))
    if library is None:
        return None
    images = array.array(code, bytes(array.array(code).itemsize * len(values)))
    return images if library.lantern_python_elements(values, code.encode(), images.buffer_info()[0]) else None


def texts(values):
    """An array of the length and the address of each text of a list, as UTF-8, which lives as long as they do."""
    library = _library_for(len(values))
    if library is None:
        return None
    images = array.array("q", bytes(16 * len(values)))
    return images if library.lantern_python_elements(values, b"s", images.buffer_info()[0]) else None


def texts_at(address, count):
    """A list of so many texts, whose lengths and addresses lie there."""
    library = _library_for(count)
    try:
        return library and library.lantern_python_texts(address, count)
    except ValueError:      # no room
        return None
