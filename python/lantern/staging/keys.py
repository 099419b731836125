"""When two Python values are one for the purposes of a trace."""
from __future__ import annotations

import dis
import functools
import types as python_types
import zlib

import numpy as np

from lantern import dispatch
from lantern.staging.values import Staged

MOST_BYTES = 1 << 20        # of an array that is compared as a whole; of a larger one, a sample is


def key_of(value, _visiting=()):
    """A hashable key: equal for values that a trace cannot tell apart."""
    if isinstance(value, Staged):
        return ("staged", str(value.declared_type))
    if isinstance(value, float):
        return (float, repr(value))
    if value is None or isinstance(value, (bool, int, str, bytes, complex)):
        return (type(value), value)
    if isinstance(value, (tuple, frozenset)) and type(value) in (tuple, frozenset):
        return (type(value), *(key_of(element, _visiting) for element in value))
    if isinstance(value, python_types.MethodType):
        return ("method", key_of(value.__func__, _visiting), id(value.__self__))
    if isinstance(value, python_types.FunctionType):
        if not value.__closure__:
            return ("function", id(value.__code__), id(value.__globals__))
        if id(value.__code__) in _visiting:
            return ("recursive", id(value.__code__))
        visiting = (*_visiting, id(value.__code__))
        return ("closure", id(value.__code__), *(key_of(content, visiting) for content in cells_of(value).values()))
    if isinstance(value, np.generic):
        return ("number", value.dtype.str, value.tobytes())
    if isinstance(value, np.ndarray):
        return ("array", id(value), array_state(value))
    return ("object", id(value))


def array_state(value):
    """What an array holds: two states are equal where nothing has been written to it."""
    flat = value.reshape(-1) if value.flags.c_contiguous else value.flat
    if value.nbytes > MOST_BYTES:
        flat = flat[::max(value.size // 4096, 1)]
    if value.dtype.hasobject:
        return tuple(map(id, flat))
    return value.shape, zlib.crc32(np.ascontiguousarray(flat).view(np.uint8)) if value.size else 0


_EMPTY = object()


def cells_of(function):
    """{name: content} of a function's closure; what has no value yet is left out."""
    cells = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            cells[name] = cell.cell_contents
        except ValueError:
            pass
    return cells


@functools.lru_cache(maxsize=None)
def global_names_of(code, opname="LOAD_GLOBAL"):
    """The names of globals that a code object, and those within it, read; or store to, by STORE_GLOBAL."""
    names, pending = {}, [code]
    while pending:
        current = pending.pop()
        for instruction in dis.get_instructions(current):
            if instruction.opname == opname:
                names[instruction.argval] = None
        pending.extend(constant for constant in current.co_consts if isinstance(constant, python_types.CodeType))
    return tuple(names)


class Reads:
    """What a trace has read of Python's state: attributes, items, globals and cells, with the values they had."""

    def __init__(self):
        self.values = {}    # (kind, id(owner), name) → (owner, value)
        self.arrays = {}    # the same → the key that an array had, which may change while it stays the same object
        self.stores = {}    # (id of a module's names, name) → the value of a global that the trace may store to, in front of it

    def note(self, kind, owner, name, value):
        self.values.setdefault((kind, id(owner), name), (owner, value))
        if isinstance(value, np.ndarray):
            self.arrays.setdefault((kind, id(owner), name), key_of(value))

    def include(self, other):
        for key, read in other.values.items():
            self.values.setdefault(key, read)
        for key, state in other.arrays.items():
            self.arrays.setdefault(key, state)

    def note_function(self, function):
        """The globals that a function reads, and its cells; not those of a function that converted code has made."""
        if not getattr(function, "__lantern_converted__", False):
            cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
            for name, value in cells_of(function).items():
                self.note("attribute", cells[name], "cell_contents", value)
        for name in global_names_of(function.__code__, "STORE_GLOBAL"):
            self.stores.setdefault((id(function.__globals__), name), function.__globals__.get(name, _EMPTY))
        for name in global_names_of(function.__code__):
            if name in function.__globals__:
                self.note("global", function.__globals__, name, function.__globals__[name])

    def restore(self, names, name):
        """Gives a global back the value that it had; whether it is known."""
        value = self.stores.get((id(names), name), self)
        if value is _EMPTY:
            names.pop(name, None)
        elif value is not self:
            names[name] = value
        return value is not self

    def source_of(self, staged):
        """(kind, owner, name) of where a staged value was read, or None."""
        for (kind, _, name), (owner, value) in self.values.items():
            if staged.is_same(value):
                return kind, owner, name
        return None

    def still_hold(self):
        """Whether everything read has the value that it had; any staged value will do for a staged value."""
        for (kind, number, name), (owner, value) in self.values.items():
            now = look_up(kind, owner, name)
            if isinstance(value, np.ndarray):
                if key_of(now) != self.arrays[kind, number, name]:
                    return False
            elif now is not value and (kind == "contents" and _keys_of(now) != _keys_of(value) or kind != "contents" and key_of(now) != key_of(value)):
                return False
        return True


def _keys_of(contents):
    """What a trace relies on of the contents of a list or dict."""
    if isinstance(contents, (list, dict)):
        return (type(contents), *map(key_of, contents.items() if isinstance(contents, dict) else contents))
    return key_of(contents)


def look_up(kind, owner, name):
    """The value of an attribute, item or global now, or the contents of a list; a unique object if there is none."""
    if kind == "contents":
        return dispatch.active_trace().lists.raw(owner) if dispatch.active_trace() else _EMPTY
    try:
        return getattr(owner, name) if kind == "attribute" else owner[name]
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        return _EMPTY
