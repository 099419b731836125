"""Arrays out of files: IDX (MNIST), npy and npz, CSV, and word vectors. What these read, compiled programs read in a stream.

Each takes the type that the array is to have, with sizes where they are expected:

    images = lt.read_idx("train-images-idx3-ubyte.gz", lt.Tensor[None, 28, 28])
    labels = lt.read_idx("train-labels-idx1-ubyte.gz", lt.Tensor[lt.i64, None])

Whole numbers become floats, but floats no whole numbers. A file that is malformed, or holds something else than is expected,
raises DataError with its name, of a text with line and column; one that is not there, FileNotFoundError.
"""
from __future__ import annotations

import functools
import math
import os
import re
import struct
import sys
import zlib

from lantern import dispatch, types
from lantern.annotations import from_annotation
from lantern.exceptions import DataError
from lantern.lazy_numpy import np

_CHUNK = 1 << 16
_pattern = functools.lru_cache(maxsize=None)(re.compile)     # when one is needed: they take longer than all else that is imported here
MOST_DEFLATE_PACKS = 1032


def _array_type(type_):
    """The TensorType that an annotation names, without the names of dimensions."""
    found = from_annotation(type_)
    if not isinstance(found, types.TensorType) or not found.dims:
        raise TypeError(f"what is read is an array: give its type, such as lt.Tensor[lt.f32, None, 784], not {type_!r}")
    return types.TensorType(found.dtype, tuple(dim if isinstance(dim, int) else None for dim in found.dims))


def read_idx(path, type):  # noqa: A002
    """The array in an IDX file, gzipped or not. type: `lt.Tensor[…]`."""
    return dispatch.dispatch("read-idx", (_array_type(type), path))


def read_npy(path, type):  # noqa: A002
    """The array in a .npy file. type: `lt.Tensor[…]`."""
    return dispatch.dispatch("read-npy", (_array_type(type), path))


def read_npz(path, name, type):  # noqa: A002
    """The array called `name` in an .npz file. type: `lt.Tensor[…]`."""
    return dispatch.dispatch("read-npz", (_array_type(type), path, name))


def read_csv(path, type, header=False):  # noqa: A002
    """The numbers of a file of comma-separated values, a line a row. type: `lt.Tensor[…]` of two dimensions.

    header: whether the first line holds names. Empty lines are skipped.
    """
    table = _array_type(type)
    if len(table.dims) != 2 or table.dtype == "bool":
        raise TypeError(f"a CSV file gives a matrix of numbers, not {table}")
    return dispatch.dispatch("read-csv", (table, path, header))


def read_word_vectors(path, words, table):
    """A table [words, d] with the vectors that a file has for the words in their rows, else those of `table`.

    The file is of GloVe's format: lines of a word and its d numbers, separated by single spaces.
    words: a vocabulary, a list of strings. table: an array or Parameter of a row for each of them.
    """
    return dispatch.dispatch("read-word-vectors", (path, words, table))


# Sources: what a file gives from front to back. `most`: more bytes than this it cannot hold.

class File:
    def __init__(self, file, place):
        self._file, self.place = file, place
        self.most = os.fstat(file.fileno()).st_size

    def read(self, count):
        return self._file.read(count)

    def finish(self):
        pass

    def refuse(self, what):
        raise DataError(f"{self.place}: {what}")


class _Gzipped(File):
    def __init__(self, file, place):
        super().__init__(file, place)
        self.most *= MOST_DEFLATE_PACKS
        self._unpacked, self._packed, self._one = b"", b"", zlib.decompressobj(31)

    def read(self, count):
        try:
            while len(self._unpacked) < count and self._more():
                pass
        except zlib.error:
            self.refuse("its compressed data is damaged")
        result, self._unpacked = self._unpacked[:count], self._unpacked[count:]
        return result

    def _more(self):
        if self._one.eof:       # another one may follow
            self._packed = self._one.unused_data or self._packed
            if len(self._packed) < 2:
                self._packed += self._file.read(_CHUNK)
            if self._packed[:2] != b"\x1f\x8b":
                return False
            self._one = zlib.decompressobj(31)
        packed, self._packed = self._packed or self._file.read(_CHUNK), b""
        self._unpacked += self._one.decompress(packed)
        return bool(packed)

    def finish(self):
        if not self._one.eof:
            self.refuse("its compressed data is damaged")


# Elements

def is_too_large(shape, dtype):
    """Whether NumPy takes no array of a shape, though it is empty."""
    return math.prod(size for size in shape if size) * dtype.itemsize > sys.maxsize


_TEXT = {"b": "bool", "i": "int", "u": "uint", "f": "float"}


def _elements(source, file_dtype, shape, type_, columns_first=False):
    """The array of `type_` whose elements, of a NumPy dtype, follow."""
    if len(shape) != type_.rank:
        source.refuse(f"its array has rank {len(shape)}, and rank {type_.rank} is expected")
    for axis, (size, dim) in enumerate(zip(shape, type_.dims)):
        if dim is not None and dim != size:
            source.refuse(f"dimension {axis} of its array is {size}, and {dim} is expected")
    kind, wanted = file_dtype.kind, types.numpy_dtype(type_.dtype)
    if kind == "f" and wanted.kind != "f" or kind in "iu" and wanted.kind == "b":
        name = "bool" if kind == "b" else f"{_TEXT[kind]}{8 * file_dtype.itemsize}"
        source.refuse(f"its elements are {name}, which do not become {type_.dtype}")
    count = math.prod(shape)
    if not count and is_too_large(shape, wanted):
        source.refuse("its header is malformed")
    if count * file_dtype.itemsize > source.most:
        source.refuse("its header promises more elements than the file can hold")
    result, done = np.empty(count, wanted), 0
    room = _CHUNK // file_dtype.itemsize
    while done < count:
        expected = min(room, count - done)
        data = source.read(expected * file_dtype.itemsize)
        got = len(data) // file_dtype.itemsize
        part = np.frombuffer(data, file_dtype, got)
        if kind == "b":
            part = np.frombuffer(data, np.uint8, got) != 0
        converted = part.astype(wanted)
        if kind in "iu" and wanted.kind == "i":
            wrong = np.flatnonzero((converted.astype(part.dtype) != part) | ((converted < 0) != (part < 0)))
            if len(wrong):
                source.refuse(f"its element {done + wrong[0]} does not fit in {type_.dtype}")
        result[done:done + got] = converted
        done += got
        if got < expected:
            source.refuse(f"it ends after {done} of its {count} elements")
    if source.read(1):
        source.refuse("there are more bytes in it than its header promises")
    source.finish()
    return result.reshape(shape, order="F" if columns_first else "C")


_IDX_DTYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


def idx(type_, path):
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        source = (_Gzipped if packed else File)(file, path)
        start = source.read(4)
        if len(start) < 4 or start[:2] != b"\0\0":
            source.refuse("it is not an IDX file")
        if start[2] not in _IDX_DTYPES:
            source.refuse(f"its elements are of a type, {start[2]}, that IDX does not have")
        sizes = source.read(4 * start[3])
        if len(sizes) < 4 * start[3]:
            source.refuse("it ends inside its header")
        return _elements(source, np.dtype(_IDX_DTYPES[start[2]]), struct.unpack(f">{start[3]}I", sizes), type_)


_NPY_HEADER = rb"""[ \n]*\{(?:[ \n]*(?:
      'descr'[ \n]*:[ \n]*'(?P<descr>[^']*)'
    | 'fortran_order'[ \n]*:[ \n]*(?P<order>True|False)(?![A-Za-z])
    | 'shape'[ \n]*:[ \n]*\((?P<shape>[ \n]*(?:[0-9]+[ \n]*(?:,[ \n]*[0-9]+[ \n]*)*,?[ \n]*)?)\)
    )[ \n]*(?:,|(?=\})))*[ \n]*\}[ \n]*"""
_NPY_TYPES = ("b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")


def elements_of_npy(source, type_):
    start = source.read(8)
    if len(start) < 8 or start[:6] != b"\x93NUMPY":
        source.refuse("it is not in NumPy's format")
    if not 1 <= start[6] <= 3:
        source.refuse(f"it is in a version, {start[6]}, of NumPy's format that cannot be read")
    size = 2 if start[6] == 1 else 4
    length = source.read(size)
    if len(length) < size or int.from_bytes(length, "little") > min(source.most, 1 << 20):
        source.refuse("it ends inside its header")
    text = source.read(int.from_bytes(length, "little"))
    if len(text) < int.from_bytes(length, "little"):
        source.refuse("it ends inside its header")
    found = _pattern(_NPY_HEADER, re.VERBOSE).fullmatch(text)
    if found is None or text.count(b":") != 3 or None in found.groups():
        source.refuse("its header is malformed")
    shape = tuple(map(whole, re.findall("[0-9]+", found["shape"].decode())))
    if None in shape:
        source.refuse("its header is malformed")
    descr = found["descr"].decode("latin-1")
    if (descr[1:] if descr[:1] in ("<", ">", "|", "=") else descr) not in _NPY_TYPES:
        source.refuse(f"its elements are of the type {_quoted(found['descr'])}, which cannot be read")
    return _elements(source, np.dtype(descr), shape, type_, found["order"] == b"True")


def npy(type_, path):
    with open(path, "rb") as file:
        return elements_of_npy(File(file, path), type_)


def npz(type_, path, name):
    from lantern import archives        # and zipfile with it, which who reads none does without
    return archives.npz(type_, path, name)


# Text

def _quoted(text):
    """Text of a file as an error shows it: the beginning, and no control characters."""
    most = 40
    shown = re.sub(rb"[\0-\x1f\x7f]", b"?", text[:most]) + ("…".encode() if len(text) > most else b"")
    return f"'{shown.decode('utf-8', 'replace')}'"


_FLOAT = r"[+-]?(?:[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|inf|infinity|nan)"
_WHOLE = r"[+-]?[0-9]+"
_MOST_OF_A_LINE = 1_000_000


def whole(digits, bits=64):
    """The number that a sign and digits say; None if it does not fit. (Python's int refuses thousands of digits.)"""
    size = digits.lstrip("+-0")
    if len(size) > 19:
        return None
    number = int(size or "0") * (-1 if digits.startswith("-") else 1)
    return number if -(1 << bits - 1) <= number < 1 << bits - 1 else None


class _Lines:
    """The lines of a text, without what ends them; errors with line and column."""

    def __init__(self, file, path):
        self._file, self._path, self.number = file, path, 0

    def __iter__(self):
        while True:
            self.number += 1
            line = self._file.readline(_MOST_OF_A_LINE + 1)
            if not line:
                return
            if len(line) > _MOST_OF_A_LINE and not line.endswith(b"\n"):
                self.refuse(_MOST_OF_A_LINE, "the line is longer than a million bytes")
            yield line.removesuffix(b"\n").removesuffix(b"\r")

    def refuse(self, at, what):
        raise DataError(f"{self._path}:{self.number}:{at + 1}: {what}")

    def value(self, line, begin, end, dtype):
        """The number in line[begin:end], blanks around it left out."""
        field = line[begin:end]
        begin += len(field) - len(field.lstrip(b" \t"))
        field = field.strip(b" \t")
        text, shown = field.decode("latin-1"), _quoted(field)
        if not text:
            self.refuse(begin, "a number is missing")
        floating = dtype in ("f32", "f64")
        if not _pattern(_FLOAT if floating else _WHOLE, re.IGNORECASE).fullmatch(text):
            self.refuse(begin, f"{shown} is not a {'' if floating else 'whole '}number")
        if floating:
            return float(text)
        number = whole(text, 32 if dtype == "i32" else 64)
        if number is None:
            self.refuse(begin, f"{shown} does not fit in {dtype}")
        return number


def csv(type_, path, header):
    rows, columns = type_.dims
    found = []
    with open(path, "rb") as file:
        lines = _Lines(file, path)
        for line in lines:
            if header and lines.number == 1 or not line.strip(b" \t"):
                continue
            row, begin = [], 0
            for field in line.split(b","):
                if columns is not None and len(row) == columns:
                    lines.refuse(begin, f"the line has more than {columns} fields")
                row.append(lines.value(line, begin, begin + len(field), type_.dtype))
                begin += len(field) + 1
            columns = len(row) if columns is None else columns
            if len(row) < columns:
                lines.refuse(len(line), f"the line has {len(row)} of {columns} fields")
            found.append(row)
    if rows is not None and len(found) != rows:
        raise DataError(f"{path}: dimension 0 of its array is {len(found)}, and {rows} is expected")
    with np.errstate(over="ignore"):
        return np.array(found, np.float64 if type_.dtype in ("f32", "f64") else np.int64).astype(types.numpy_dtype(type_.dtype)).reshape(
            len(found), columns or 0)


def word_vectors(path, words, table):
    if len(words) != len(table):
        raise DataError(f"{path}: there are {len(words)} words, and the table has {len(table)} rows")
    result, width, rows = np.array(table), table.shape[1], {}
    for number, word in enumerate(words):
        rows.setdefault(word.encode("utf-8", "surrogateescape"), number)
    with open(path, "rb") as file, np.errstate(over="ignore"):
        lines = _Lines(file, path)
        for line in lines:
            if not line:
                continue
            word, *numbers = line.rsplit(b" ", width)
            if len(numbers) < width or not word:
                lines.refuse(0, f"the line does not have a word and {width} numbers")
            row = rows.pop(word, None)
            if row is None:
                continue
            begin = len(word) + 1
            for place, number in enumerate(numbers):
                result[row, place] = lines.value(line, begin, begin + len(number), types.dtype_name(result.dtype))
                begin += len(number) + 1
    return result
