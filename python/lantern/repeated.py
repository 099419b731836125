"""Calls whose arguments are numbers, structures, objects that the program knows, arrays of kinds and shapes that a version of the function has been
called with before, and lists, dicts and tuples of numbers and arrays.

Then nothing is left to find out: the images of the arguments lie in one piece of memory, which is written at once, and so do the
results'. Any other call goes the long way round (function.py, compiled.py).
"""
from __future__ import annotations

import ctypes
import itertools
import struct as packing

from lantern import abi, abi_reader, long_lists, types
from lantern.lazy_numpy import np

_IMAGE = {"bool": "?7x", "i32": "i4x", "i64": "q", "f32": "f4x", "f64": "d"}
_NUMBERS = frozenset((bool, int, float))
_KEYS = frozenset((str, int))
_KNOWN = frozenset((bool, str, type(None)))     # in a dict
_address, _byte_of = ctypes.addressof, ctypes.c_char.from_buffer


def kind_of(arguments):
    """(what such arguments have in common, as a key, or None if they are others; what a compiled function takes for them, one by one)."""
    kinds = []
    for value in arguments:
        kind = type(value)
        if kind is np.ndarray:
            kinds.append(value.dtype)
            kinds.append(value.shape)
        elif kind in _NUMBERS or hasattr(kind, "__lantern_struct__"):
            kinds.append(kind)
        else:
            return _kind_of_parts(arguments)
    return tuple(kinds), arguments


def _kind_of_parts(arguments):
    """The same where dicts, tuples and lists of dicts are among them, which are taken apart (kinds.py)."""
    kinds, leaves, containers = [], [], set()
    pending = [(value, False) for value in reversed(arguments)]
    while pending:
        value, is_in_dict = pending.pop()
        kind = type(value)
        if kind is dict or kind is list:
            if id(value) in containers:     # one in two places: which these are is known
                return None, arguments
            containers.add(id(value))
        if kind is np.ndarray:
            kinds += value.dtype, value.shape
            leaves.append(value)
        elif is_in_dict and kind in _KNOWN:
            kinds.append((kind, value))
        elif kind in _NUMBERS or hasattr(kind, "__lantern_struct__"):
            kinds.append(kind)
            leaves.append(value)
        elif kind is dict and _KEYS.issuperset(map(type, value)):
            kinds += dict, tuple(value)
            pending.extend([(part, True) for part in reversed(value.values())])
        elif issubclass(kind, tuple) or kind is list and value and type(value[0]) is dict:
            kinds += kind, len(value)
            pending.extend([(part, is_in_dict) for part in reversed(value)])
        elif kind is list and value and (elements := _kind_of_elements(value)) is not None:
            kinds += list, elements
            leaves.append(value)
        elif issubclass(kind, (dict, list, tuple)):
            return None, arguments
        else:
            kinds += kind, id(value)    # of an object that the program knows, if it comes to that: its version holds it
    return tuple(kinds), leaves


def _kind_of_elements(values):
    """What a list of numbers or texts of one kind, of structures, of arrays, or of such lists has for elements, whatever its length where these are
    alike; None of other lists."""
    kinds = long_lists.types_of(values)
    kind = kinds.pop()
    if kinds:
        return None
    if kind is np.ndarray:
        found = [(value.dtype, value.shape) for value in values]
        return found[0] if len(set(found)) == 1 else tuple(found)
    if kind is list:
        elements = list(itertools.chain.from_iterable(values))
        found = _kind_of_elements(elements) if elements else None
        return (list, found) if found is not None and not _differ(found) else None
    return kind if kind in _NUMBERS or kind is str or hasattr(kind, "__lantern_struct__") else None


def _differ(kind):
    """Whether it is that of arrays which differ."""
    return isinstance(kind, tuple) and isinstance(kind[0], tuple)


class Layout:
    """The images of values of given types, one behind the other, each at a place that any of them can have."""

    def __init__(self, types_):
        self._types = types_
        self._arrays = [(types.numpy_dtype(type_.dtype), len(type_.dims)) if isinstance(type_, types.TensorType) else None for type_ in types_]
        self.has_pointers = any(isinstance(type_, (types.StructType, types.List)) for type_ in types_)
        self.numbers_only = all(isinstance(type_, types.Scalar) for type_ in types_)
        image = packing.Struct("@" + "".join(map(_format, types_)))
        self._pack, self._unpack = image.pack_into, image.unpack_from
        self._memory = ctypes.create_string_buffer(max(image.size, 1))
        places, begin = [], ctypes.addressof(self._memory)
        for type_ in types_:
            places.append(begin)
            begin += packing.calcsize("@" + _format(type_))
        self.addresses = (ctypes.c_void_p * max(len(places), 1))(*places)

    def write(self, fields):
        """Whether every number fits."""
        try:
            self._pack(self._memory, 0, *fields)
        except packing.error:
            return False
        return True

    def read(self):
        """The values, a sequence; arrays as copies that nobody can write to."""
        if self.has_pointers:
            reader = abi_reader.Reader()
            return [reader.read(type_, address) for type_, address in zip(self._types, self.addresses)]
        fields = self._unpack(self._memory)
        if self.numbers_only:
            return fields
        values, at = [], 0
        for array in self._arrays:
            value, at = fields[at], at + 1
            if array is not None:
                dtype, rank = array
                shape, at = fields[at:at + rank], at + rank
                value = abi_reader.array_at(value, dtype, shape) if rank else dtype.type(value)
            values.append(value)
        return values


def _format(type_):
    """Of an image; None if it holds pointers to more than an array's elements, or a structure."""
    if isinstance(type_, types.Scalar):
        return _IMAGE.get(type_.name)
    if isinstance(type_, types.TensorType):
        return f"P{len(type_.dims)}q" if type_.dims else _IMAGE[type_.dtype]
    return "P" if isinstance(type_, types.StructType) else "Pq" if isinstance(type_, types.List) else None


def has_layout(types_):
    return all(map(_format, types_))


def fields_of(formals, arguments, memory):
    """What `Layout.write` writes of arguments of kinds that passed for these types; None where an array's elements do not lie in order, or not where the processor wants them.
    memory: an abi.Memory, which keeps structures and lists until the call is over; None where no formal is one."""
    fields = []
    for type_, value in zip(formals, arguments):
        if type(value) is np.ndarray:
            flags = value.flags
            if flags.carray and value.size:     # in order, and may be written to: the quicker way to its address
                fields.append(_address(_byte_of(value)))
            elif flags.c_contiguous and flags.aligned:
                fields.append(value.ctypes.data)
            else:
                return None
            fields += value.shape
        elif memory is not None and isinstance(type_, types.StructType):
            fields.append(memory.structure(type_, value, type_.name))
        elif memory is not None and isinstance(type_, types.List):
            try:
                fields += memory.elements(type_.element, value, "")
            except (TypeError, OverflowError):      # the long way says of which argument
                return None
        else:
            fields.append(value)
    return fields


def takes(formals, arguments):
    """Whether a short call passes on arguments of such types, which a long call has just taken, as that did."""
    return len(formals) == len(arguments) and has_layout(formals) and all(map(_takes, formals, arguments))


def _takes(type_, value):
    if type(value) is np.ndarray:
        return isinstance(type_, types.TensorType) and value.dtype == types.numpy_dtype(type_.dtype) and value.ndim == len(type_.dims) > 0
    if isinstance(type_, types.List):
        return type(value) is list
    return type_.declaration is type(value) if isinstance(type_, types.StructType) else isinstance(type_, types.Scalar) and type(value) is not list
