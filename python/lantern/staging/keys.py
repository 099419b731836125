"""When two Python values are one for the purposes of a trace."""
from __future__ import annotations

import collections
import dis
import operator
import sys
import types as python_types
import zlib

from lantern import dispatch
from lantern.lazy_numpy import np
from lantern.staging import instances
from lantern.staging.enumerations import Member
from lantern.staging.identity import cached_by_identity
from lantern.staging.perhaps_arrays import PerhapsArray
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.values import Staged

MOST_BYTES = 1 << 20        # of an array that is compared as a whole while staging; of a larger one, a sample is


def key_of(value, staged=None, _visiting=()):
    """A hashable key: equal for values that a trace cannot tell apart.

    staged: a list that gets the staged values within, in an order that equal keys share.
    """
    if isinstance(value, Staged):
        if staged is not None:
            staged.append(value)
        return ("staged", str(value.declared_type))
    if isinstance(value, float):
        return (float, repr(value))
    if value is None or isinstance(value, (bool, int, str, bytes, complex)):
        return (type(value), value)
    if isinstance(value, (tuple, frozenset)) and type(value) in (tuple, frozenset):
        return (type(value), *(key_of(element, staged, _visiting) for element in value))
    if isinstance(value, python_types.MethodType):
        return ("method", key_of(value.__func__, staged, _visiting), id(value.__self__))
    if isinstance(value, python_types.FunctionType):
        code = value.__code__
        if id(value) in _visiting:      # it closes over itself
            return ("recursive", _visiting.index(id(value)))
        held = {**cells_of(value), **dict(enumerate(value.__defaults__ or ())), **(value.__kwdefaults__ or {})}
        visiting = (*_visiting, id(value))
        return ("function", id(code), id(value.__globals__), *((name, key_of(content, staged, visiting)) for name, content in held.items()))
    if type(value) is Member:
        return ("member", value.of_class, key_of(value.number, staged))
    if type(value) is PerhapsNone:
        return ("perhaps", key_of(value.missing, staged), key_of(value.value, staged))
    if type(value) is PerhapsArray:
        return ("perhaps an array", key_of(value.array, staged), *value.key())
    if isinstance(value, np.generic):
        return ("number", value.dtype.str, value.tobytes())
    if isinstance(value, np.ndarray):
        return ("array", id(value), array_state(value))
    if (of := instances.of(value)) is not None:     # which is put together anew where it is read from a list
        return ("instance", of.cls, *(key_of(part, staged, _visiting) for part in instances.parts(value)))
    return ("object", id(value))


def staged_in(value):
    """The staged values that the key of a value is of."""
    found = []
    key_of(value, found)
    return found


def array_state(value, whole=False):
    """What an array holds: two states are equal where nothing has been written to it. whole: however large it is."""
    flat = value.reshape(-1) if value.flags.c_contiguous else value.flat
    if value.nbytes > MOST_BYTES and not whole:
        flat = flat[::max(value.size // 4096, 1)]
    if value.dtype.hasobject:
        return tuple(map(id, flat))
    return value.shape, zlib.crc32(np.ascontiguousarray(flat).view(np.uint8)) if value.size else 0


_EMPTY = object()
_GLOBAL_NAMES = {dis.opmap[name]: name for name in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS", "STORE_GLOBAL") if name in dis.opmap}
_FLAG_BITS = 1 if sys.version_info >= (3, 11) else 0      # of what LOAD_GLOBAL says, besides the number of its name


def cells_of(function):
    """{name: content} of a function's closure; what has no value yet is left out."""
    cells = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            cells[name] = cell.cell_contents
        except ValueError:
            pass
    return cells


def names_itself(code):
    """Whether a function, or one within it, names what is called as it is: it may call itself."""
    pending = [code]
    while pending:
        each = pending.pop()
        if code.co_name in each.co_names or code.co_name in each.co_freevars:
            return True
        pending += [constant for constant in each.co_consts if isinstance(constant, python_types.CodeType)]
    return False


def global_names_of(code, stored=False):
    """The names of globals that a code object, and those within it, read; or store to."""
    return _global_names(code)[stored]


@cached_by_identity
def _global_names(code):
    """The names of globals that a code object, and those within it, read, and of those that they store to."""
    within = [_own_global_names(code), *(_global_names(constant) for constant in code.co_consts if isinstance(constant, python_types.CodeType))]
    return [tuple(dict.fromkeys(name for names in within for name in names[stored])) for stored in (False, True)]


def _own_global_names(code):
    """The names of globals that are read, and of those that are stored to. The code of a class's body reads its own names by the same."""
    names, extended = ([], []), 0
    for operation, said in zip(code.co_code[::2], code.co_code[1::2]):     # as dis.get_instructions, which takes twenty times as long
        said |= extended
        extended = said << 8 if operation == dis.EXTENDED_ARG else 0
        opname = _GLOBAL_NAMES.get(operation)
        if opname is not None:
            names[opname == "STORE_GLOBAL"].append(code.co_names[said >> _FLAG_BITS if opname == "LOAD_GLOBAL" else said])
    return names


class Read:
    """What was read: the value, its key, the staged values within."""

    def __init__(self, owner, value, key, staged):
        self.owner, self.value, self.key, self.staged = owner, value, key, staged

    def still_holds(self, now):
        """Whether the value now is the one that was read; any staged value will do for a staged value."""
        return now is self.value and not _may_change(now) or key_of(now) == self.key


class Reads:
    """What a trace has read of Python's state: attributes, items, globals and cells, with the values they had."""

    def __init__(self):
        self.values = {}    # (kind, id(owner), name) → Read
        self.stores = {}    # (id of a module's names, name) → the value of a global that the trace may store to, in front of it

    def note(self, kind, owner, name, value):
        if (kind, id(owner), name) not in self.values:
            staged = []
            self.values[kind, id(owner), name] = Read(owner, value, key_of(_part_read(kind, value), staged), staged)

    def include(self, other, is_own, as_now=False):
        """What a function that was called has read; not of what `is_own`: made by the caller, so that another call of it has another one. as_now: it was
        traced for another call, and staged values that it has read then may be others now."""
        for (kind, id_, name), read in other.values.items():
            if is_own(read.owner):
                continue
            if as_now and read.staged:
                self.note(kind, read.owner, name, look_up(kind, read.owner, name))
            else:
                self.values.setdefault((kind, id_, name), read)

    def note_function(self, function):
        """A function's code, the globals that it reads, and its cells; not the first and the last of a function that converted code has made,
        which whatever holds that function is read with."""
        if not getattr(function, "__lantern_converted__", False):
            self.note("attribute", function, "__code__", function.__code__)
            cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
            for name, value in cells_of(function).items():
                self.note("attribute", cells[name], "cell_contents", value)
        for name in global_names_of(function.__code__, stored=True):
            self.stores.setdefault((id(function.__globals__), name), function.__globals__.get(name, _EMPTY))
        for name in global_names_of(function.__code__):
            self.note("global", function.__globals__, name, function.__globals__.get(name, _EMPTY))     # or one of Python's, until there is one

    def restore(self, names, name):
        """Gives a global back the value that it had; whether it is known."""
        value = self.stores.get((id(names), name), self)
        if value is _EMPTY:
            names.pop(name, None)
        elif value is not self:
            names[name] = value
        return value is not self

    def staged(self):
        """{place: the staged values that were read there}."""
        return {place: read.staged for place, read in self.values.items() if read.staged}

    def staged_now(self):
        """{place: the staged values that are there now}, in the same order, where everything still holds."""
        return {place: staged_in(_part_read(place[0], look_up(place[0], read.owner, place[2])))
                for place, read in self.values.items() if read.staged}

    def without_made(self, is_made):
        """The same for when the trace is over: without what it has read of its own objects, where it has changed them since."""
        reads = Reads()
        reads.values = {place: read for place, read in self.values.items() if not is_made(read.owner) or place[0] != "contents"
                        and read.still_holds(_part_read(place[0], look_up(place[0], read.owner, place[2])))}
        return reads

    def still_hold(self):
        """Whether everything read has the value that it had."""
        return all(read.still_holds(_part_read(kind, look_up(kind, read.owner, name))) for (kind, _, name), read in self.values.items())

    def holding(self):
        """A function that says the same before each call of a compiled function: what cannot change while it stays the same object is only fetched."""
        others, fetched, hidden = Reads(), [], {}
        for place, read in self.values.items():
            if place[0] == "own":
                hidden.setdefault(place[1], (read.owner, set()))[1].add(place[2])
                continue
            fetch = _FETCHES.get(place[0])
            if fetch is None or _may_change(read.value) or read.value is _EMPTY and place[0] != "global":
                others.values[place] = read
            else:
                fetched.append((fetch, read.owner, place[2], read))

        hidden = list(hidden.values())

        def hold():
            try:
                for fetch, owner, name, read in fetched:
                    now = fetch(owner, name)
                    if now is not read.value and key_of(now) != read.key:
                        return False
                for owner, names in hidden:
                    if not names.isdisjoint(owner.__dict__):
                        return False
            except (AttributeError, KeyError, IndexError, TypeError, ValueError):
                return False
            return others.still_hold()
        return hold

    def changed(self):
        """(kind, name) of what has not the value that it had."""
        return ((kind, name) for (kind, _, name), read in self.values.items()
                if not read.still_holds(_part_read(kind, look_up(kind, read.owner, name))))


_FETCHES = {"attribute": getattr, "item": operator.getitem, "global": lambda names, name: names.get(name, _EMPTY)}


def _may_change(value):
    """Whether the key of a value may change while it stays the same object."""
    return isinstance(value, (np.ndarray, tuple, python_types.MethodType)) or \
        isinstance(value, python_types.FunctionType) and bool(value.__closure__ or value.__defaults__ or value.__kwdefaults__)


def _part_read(kind, value):
    """What of a value a trace relies on: the contents of a container, if it has read these."""
    if kind == "contents" and isinstance(value, (list, dict, set, collections.deque)):
        return (type(value).__name__, *(value.items() if isinstance(value, dict) else value))
    return value


def look_up(kind, owner, name):
    """The value of an attribute, item or global now, the contents of a list, the length of a container, or whether an object has an attribute of its own,
    which hides its class's; a unique object if there is none."""
    if kind == "contents":
        return dispatch.active_trace().lists.raw(owner) if dispatch.active_trace() else _EMPTY
    try:
        if kind == "global":
            return owner.get(name, _EMPTY)
        if kind == "own":
            return name in owner.__dict__
        return getattr(owner, name) if kind == "attribute" else len(owner) if kind == "length" else owner[name]
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        return _EMPTY
