"""Values out of their images in memory (abi.py): what a compiled function gives."""
from __future__ import annotations

import ctypes
import struct as packing

from lantern import long_lists, types
from lantern.abi import FORMAT, layout, size_and_alignment
from lantern.lazy_numpy import np


class Reader:
    """Copies values out of images. Structures that share an image share an object."""

    def __init__(self):
        self._structs = {}
        self._pending = []

    def read(self, type_, address):
        if type_ == types.string:
            return _text(*_unpack("Pq", address))
        value = self._read(type_, address)
        while self._pending:
            image, fields, base = self._pending.pop()
            for name, field_type, offset in fields:
                object.__setattr__(image, name, self._read(field_type, base + offset))
        return value

    def _read(self, type_, address):
        if isinstance(type_, types.Scalar):
            if type_.name == "string":
                length, pointer = _unpack("qP", address)
                return _text(pointer, length)
            number = _unpack(FORMAT[type_.name], address)[0]
            return type_.member_of(number) if isinstance(type_, types.Enumeration) else number
        if isinstance(type_, types.TensorType):
            dtype = types.numpy_dtype(type_.dtype)
            if type_.rank == 0:
                return dtype.type(_unpack(FORMAT[type_.dtype], address)[0])
            pointer, *shape = _unpack(f"P{type_.rank}q", address)
            return array_at(pointer, dtype, shape)
        if isinstance(type_, types.List):
            return self._list(type_.element, *_unpack("Pq", address))
        if isinstance(type_, types.NoneType) or not (pointer := _unpack("P", address)[0]):
            return None
        struct_type = type_.element if isinstance(type_, types.Optional) else type_
        if pointer not in self._structs:
            image = self._structs[pointer] = object.__new__(struct_type.declaration)
            self._pending.append((image, layout(struct_type)[0], pointer))
        return self._structs[pointer]


    def _list(self, type_, pointer, length):
        """A list of so many elements."""
        size, _ = size_and_alignment(type_)
        if not length:
            return []
        if isinstance(type_, types.Enumeration) or not isinstance(type_, (types.Scalar, types.List)):
            return [self._read(type_, pointer + i * size) for i in range(length)]
        if type_ == types.string and (texts := long_lists.texts_at(pointer, length)) is not None:
            return texts
        images = bytes_at(pointer, size * length)
        if isinstance(type_, types.List):
            return [self._list(type_.element, *image) for image in packing.iter_unpack("Pq", images)]
        if type_ == types.string:
            return [_text(begin, count) for count, begin in packing.iter_unpack("qP", images)]
        return list(packing.unpack(f"{length}{FORMAT[type_.name]}", images))


MOST_OF_STRING_AT = 2**31 - 1      # its size is C's int


def array_at(pointer, dtype, shape):
    """A copy of the array at an address, which nobody can write to."""
    size = dtype.itemsize
    for length in shape:
        size *= length
    return np.frombuffer(bytes_at(pointer, size), dtype).reshape(shape)


def bytes_at(pointer, size):
    """A copy of so many bytes at an address."""
    if size > MOST_OF_STRING_AT:
        return bytes((ctypes.c_char * size).from_address(pointer))
    return ctypes.string_at(pointer, size) if size else b""


def _text(pointer, length):
    return ctypes.string_at(pointer, length).decode("utf-8", "surrogateescape") if length else ""


def _unpack(form, address):
    return packing.unpack(form, ctypes.string_at(address, packing.calcsize(form)))
