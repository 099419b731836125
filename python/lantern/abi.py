"""Values across the C ABI of compiled functions: Python's to their images in memory, and back.

    bool, i32, i64, f32, f64    themselves              (tensor T d…)       {T* data; int64_t shape[rank];}, rank 0: T
    string                      {const char*; int64_t}  struct              pointer to its fields in order
      in a struct or a list     std::string_view, which is {size_t; const char*} in libstdc++
    (list T)                    {T* data; int64_t}      (optional struct)   the same, or null

Structures may be deep and shared: nothing here recurses over values.
"""
from __future__ import annotations

import array
import ctypes
import functools
import itertools
import operator
import struct as packing
import sys

from lantern import derived, long_lists, types
from lantern.dispatch import is_global
from lantern.lazy_numpy import np

FORMAT = {"bool": "?", "i32": "i", "i64": "q", "f32": "f", "f64": "d"}
_BITS = {"i32": 32, "i64": 64}
_FIRST, _CHUNK = 1 << 10, 1 << 16
_LISTS = frozenset((list, tuple))
_LARGEST = int(sys.float_info.max)


@functools.lru_cache(maxsize=None)
def size_and_alignment(type_):
    """Of a value's image, in bytes."""
    if isinstance(type_, types.Scalar) and type_.name != "string":
        size = packing.calcsize(FORMAT[type_.name])
        return size, size
    if isinstance(type_, types.TensorType):
        return size_and_alignment(types.Scalar(type_.dtype)) if type_.rank == 0 else (8 + 8 * type_.rank, 8)
    if isinstance(type_, (types.StructType, types.NoneType)) or is_optional_struct(type_):
        return 8, 8
    if type_ == types.string or isinstance(type_, types.List):
        return 16, 8
    raise TypeError(f"a value of type {types.annotation(type_)} cannot pass between Python and a compiled function")


@functools.lru_cache(maxsize=None)
def layout(struct_type):
    """((field, type, offset)…) of a structure, and its size."""
    fields, end, widest = [], 0, 1
    for name, type_ in struct_type.fields.items():
        size, alignment = size_and_alignment(type_)
        begin = -(-end // alignment) * alignment
        fields.append((name, type_, begin))
        end, widest = begin + size, max(widest, alignment)
    return tuple(fields), -(-end // widest) * widest


def is_optional_struct(type_):
    return isinstance(type_, types.Optional) and isinstance(type_.element, types.StructType)


class Memory:
    """The memory of the images of one call's arguments; lives as long as this object."""

    def __init__(self):
        self._kept = []
        self._chunk, self._room, self._used, self._base = None, 0, 0, 0
        self._structs = {}  # id of a Python structure → address of its image

    def allocate(self, size):
        """(buffer, offset, address) of `size` zero bytes."""
        begin = -(-self._used // 8) * 8
        if begin + size > self._room or self._chunk is None:
            if size > _CHUNK // 4:  # a block of its own
                block = self.keep(ctypes.create_string_buffer(max(size, 1)))
                return block, 0, ctypes.addressof(block)
            self._room = max(size, min(8 * self._room, _CHUNK) or _FIRST)
            self._chunk = self.keep(ctypes.create_string_buffer(self._room))
            self._base, begin = ctypes.addressof(self._chunk), 0
        self._used = begin + size
        return self._chunk, begin, self._base + begin

    def keep(self, value):
        self._kept.append(value)
        return value

    def image(self, type_, value, what):
        """The address of the image of `value`; `what` names it in errors."""
        buffer, offset, address = self.allocate(size_and_alignment(type_)[0])
        if type_ == types.string:
            text = self.keep(_string(value, what))
            packing.pack_into("Pq", buffer, offset, _address(text), len(text))
            return address
        self._write([(self._store, buffer, offset, type_, value, what)])
        return address

    def elements(self, type_, values, what, pending=None):
        """(address, count) of the images of a list's elements. Arrays stay where they are. pending: where to put what is written later; None: now."""
        values = list(values)       # whose elements stay, whatever another thread does to the caller's
        images = self._images(type_, values)
        if images is not None:
            self._kept.append(values)
            return self.keep(images).buffer_info()[0], len(values)
        size, _ = size_and_alignment(type_)     # one has to be looked at on its own, which also says what is wrong with it
        buffer, begin, address = self.allocate(size * len(values))
        each = [(self._store, buffer, begin + size * i, type_, element, f"{what}[{i}]") for i, element in enumerate(values)]
        if pending is None:
            self._write(each)
        else:
            pending += each
        return address, len(values)

    def _images(self, type_, values):
        """The images of values that are all as the program's are; None of others."""
        if isinstance(type_, types.TensorType):
            return _arrays(type_, values)
        if isinstance(type_, types.List):
            return self._lists(type_, values)
        return self._texts(values) if type_ == types.string else _numbers(type_, values)

    def _lists(self, type_, values):
        """The images of lists, whose elements are behind one another."""
        if not values or not _LISTS.issuperset(map(type, values)):
            return None
        elements, address = list(itertools.chain.from_iterable(values)), 0
        if elements:
            images = self._images(type_.element, elements)
            if images is None:
                return None
            self._kept.append(elements)
            address = self.keep(images).buffer_info()[0]
        images = np.empty((len(values), 2), np.int64)
        images[:, 1] = _lengths(values)
        images[:, 0] = (np.cumsum(images[:, 1]) - images[:, 1]) * size_and_alignment(type_.element)[0] + address
        return array.array("q", images.tobytes())

    def _texts(self, values):
        """The images of the texts of a list, behind one another."""
        if (images := long_lists.texts(values)) is not None:
            return images
        if not values or not {str}.issuperset(map(type, values)):
            return None
        text = "".join(values)
        if text.isascii():
            encoded, lengths = text.encode(), _lengths(values)
        else:
            each = [_string(value, "") for value in values]
            encoded, lengths = b"".join(each), _lengths(each)
        images = np.empty((len(values), 2), np.int64)
        images[:, 0] = lengths
        images[:, 1] = np.cumsum(images[:, 0]) - images[:, 0] + _address(self.keep(encoded))
        return array.array("q", images.tobytes())

    def structure(self, type_, value, what):
        """The address of a structure, and so the image of a link to it."""
        pending = []
        address = self._struct(type_, value, what, pending)
        self._write(pending)
        return address

    def _write(self, pending):
        while pending:
            write, *where = pending.pop()
            write(*where, pending)

    def _store(self, buffer, offset, type_, value, what, pending):
        if isinstance(type_, types.Scalar):
            if type_.name == "string":
                text = self.keep(_string(value, what))
                packing.pack_into("qP", buffer, offset, len(text), _address(text))
            else:
                packing.pack_into(FORMAT[type_.name], buffer, offset, _number(type_, value, what))
        elif isinstance(type_, types.TensorType):
            array = self.keep(_array(type_, value, what))
            if type_.rank == 0:
                packing.pack_into(FORMAT[type_.dtype], buffer, offset, array[()])
            else:
                packing.pack_into(f"P{type_.rank}q", buffer, offset, array.ctypes.data, *array.shape)
        elif isinstance(type_, types.List):
            if not isinstance(value, (list, tuple)):
                raise _mismatch(type_, value, what)
            packing.pack_into("Pq", buffer, offset, *self.elements(type_.element, value, what, pending))
        else:
            packing.pack_into("P", buffer, offset, self._struct(type_, value, what, pending))

    def _struct(self, type_, value, what, pending):
        if is_optional_struct(type_):
            if value is None:
                return 0
            type_ = type_.element
        if type(value) is not type_.declaration:
            raise _mismatch(type_, value, what)
        address = self._structs.get(id(value))
        if address is None:
            buffer, begin, address = self.allocate(layout(type_)[1])
            self._structs[id(value)] = address
            pending.append((_fields_writer(type_), self, buffer, begin, value))
        return address


_WRITER = """
def write(memory, buffer, offset, value, pending):
    nodes, structs = [(buffer, offset, value)], memory._structs
    known = structs.get
    while nodes:
        buffer, offset, value = nodes.pop()
        {takes}
        try:
            pack(buffer, offset, {packed})
        except failed:
            {checks}
            raise
"""
_NUMBER = """
        {field} = value.{name}
        if type({field}) is not {kind}:
            {field} = number(type_{field}, {field}, {what!r})
"""
_LINK = """
        {field} = value.{name}
        if type({field}) is struct:
            link, {field} = {field}, known(id({field}))
            if {field} is None:
                into, begin, {field} = memory.allocate({size})
                structs[id(link)] = {field}
                nodes.append((into, begin, link))
        elif {field} is None and {may_be_none}:
            {field} = 0
        else:
            {field} = memory._struct(type_{field}, {field}, {what!r}, pending)
"""
_OTHERS_LINK = """
        {field} = memory._struct(type_{field}, value.{name}, {what!r}, pending)
"""
_OTHER = """
        pending.append((memory._store, buffer, offset + {offset}, type_{field}, value.{name}, {what!r}))
        {field} = bytes({size_of_field})
"""


@functools.lru_cache(maxsize=None)
def _fields_writer(struct_type):
    """write(memory, buffer, offset, value, pending): stores the fields of a structure, and of those of its type that it leads to.
    It is Python that is made for the structure, of the texts above: trees have many nodes."""
    fields, size = layout(struct_type)
    scope = {"struct": struct_type.declaration, "number": _number, "failed": packing.error}
    form, end, takes, checks = "=", 0, "", []
    for place, (name, type_, offset) in enumerate(fields):
        scope[f"type_field{place}"] = type_
        size_of_field, _ = size_and_alignment(type_)
        text, code = _OTHER, f"{size_of_field}s"
        if isinstance(type_, types.Scalar) and type_.name != "string":
            text, code = _NUMBER, FORMAT[type_.name]
            checks.append(f"number(type_field{place}, value.{name}, {struct_type.name + '.' + name!r})")
        elif isinstance(type_, types.StructType) or is_optional_struct(type_):
            text, code = _LINK if struct_type in (type_, getattr(type_, "element", None)) else _OTHERS_LINK, "Q"
        takes += text.format(field=f"field{place}", name=name, what=f"{struct_type.name}.{name}", offset=offset, size=size, size_of_field=size_of_field,
                             kind="object" if isinstance(type_, types.Enumeration) else {"bool": "bool", "i32": "int", "i64": "int"}.get(getattr(type_, "name", ""), "float"), may_be_none=is_optional_struct(type_))
        form += f"{offset - end}x{code}"
        end = offset + size_of_field
    scope["pack"] = packing.Struct(form).pack_into
    packed = ", ".join(f"field{place}" for place in range(len(fields)))
    exec(_WRITER.format(takes=takes.strip(), packed=packed, checks="; ".join(checks) or "pass"), scope)
    return scope["write"]


def _mismatch(type_, value, what):
    given = type(value).__name__
    given = f"another class called {given}" if given == str(type_) else f"a {given}"
    return TypeError(f"{what} is {types.annotation(type_)}, and {given} was given"
                     + (f" ({value!r})" if isinstance(value, (int, float, str)) else ""))


def _string(value, what):
    if not isinstance(value, str):
        raise _mismatch(types.string, value, what)
    return value.encode("utf-8", "surrogateescape")


def _number(type_, value, what):
    if isinstance(type_, types.Enumeration):
        value, type_ = type_.number_of(value, what), types.i64
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    accepted = {"bool": (bool,), "i32": (int,), "i64": (int,)}.get(type_.name, (int, float))
    if not isinstance(value, accepted):
        raise _mismatch(type_, value, what)
    if type(value) not in (float, int, bool):
        derived.check(value, what)
    if type_.name == "f64" and isinstance(value, int) and not -_LARGEST <= value <= _LARGEST:
        raise OverflowError(f"{what}: a whole number of {value.bit_length()} bits does not fit in a float")
    if type_.name in _BITS and not -(1 << _BITS[type_.name] - 1) <= value < 1 << _BITS[type_.name] - 1:
        raise OverflowError(f"{what}: {value} does not fit in {_BITS[type_.name]} bits")
    return value


# What Python's numbers are packed as at once; of others, each is looked at.
@functools.lru_cache(maxsize=None)
def _packed():
    return {"f64": ("d", {float, int, bool, np.float64}), "i64": ("q", {int, bool}), "i32": ("i", {int, bool}), "bool": ("b", {bool})}


def _arrays(type_, values):
    """The images of arrays that are all as the program's are: of its dtype, their elements in order, and of its dimensions."""
    dtype, dims, fields = types.numpy_dtype(type_.dtype), type_.dims, []
    for value in values:
        if type(value) is not np.ndarray or value.dtype != dtype or value.ndim != len(dims) or not dims or not (value.flags.c_contiguous and value.flags.aligned):
            return None
        if value.shape != dims and any(isinstance(dim, int) and dim != size for dim, size in zip(dims, value.shape)):
            return None
        fields.append(value.ctypes.data)
        fields += value.shape
    return array.array("Q", fields) if fields else None


def _lengths(values):
    """An array of their lengths."""
    return np.frombuffer(packing.pack(f"{len(values)}q", *map(len, values)), np.int64)


def _numbers(type_, values):
    """The images of the numbers of a list."""
    code, kinds = _packed().get(type_.name, ("", ())) if isinstance(type_, types.Scalar) else ("", ())
    if code and (images := long_lists.numbers(code, values)) is not None:
        return images
    if not code or not values or not kinds.issuperset(map(type, values)):
        return None
    try:
        return array.array(code, values)
    except OverflowError:
        return None


def _array(type_, value, what):
    dtype = types.numpy_dtype(type_.dtype)
    derived.check(value, what)
    array = np.asarray(value.read() if is_global(value) else value)
    if array.ndim != type_.rank or not np.can_cast(array.dtype, dtype, "same_kind") or array.dtype.kind not in "biuf":
        raise TypeError(f"{what} is {types.annotation(type_)}, and an array of {array.dtype} with the shape {array.shape} was given")
    for axis, (size, dim) in enumerate(zip(array.shape, type_.dims)):
        if isinstance(dim, int) and dim != size:
            raise TypeError(f"{what} is {types.annotation(type_)}, and an array of the shape {array.shape} was given: its axis {axis} has the size {size}, "
                            f"not {dim}")
    if type_.dtype in _BITS and not np.can_cast(array.dtype, dtype) and array.size:
        for extreme in (array.min(), array.max()):
            _number(types.Scalar(type_.dtype), extreme, what)
    array = np.ascontiguousarray(array, dtype) if type_.rank else np.asarray(array, dtype)
    return array if array.flags.aligned else array.copy()


def check_dimensions(formals, values):
    """Raises TypeError unless each named dimension has one size wherever it stands. formals: (name, type) of each of the values."""
    sizes = {}      # name → (size, where it was found)
    for (formal, type_), value in zip(formals, values):
        shape = np.shape(value) if isinstance(type_, types.TensorType) else ()
        for axis, (dim, size) in enumerate(zip(getattr(type_, "dims", ()), shape)):
            if not isinstance(dim, str):
                continue
            known, where = sizes.setdefault(dim, (size, f"argument '{formal}'"))
            if known != size:
                raise TypeError(f"argument '{formal}' is {types.annotation(type_)}, and an array of the shape {shape} was given: its axis {axis}, '{dim}', "
                                f"has the size {size}, and in {where} the size {known}")


def _address(text):
    return ctypes.cast(ctypes.c_char_p(text), ctypes.c_void_p).value or 0


def flattened(type_, value, what):
    """A tuple's elements, and those of tuples within it: a compiled function takes them one by one; a list of tuples, by columns."""
    columns = _columns(type_, [value])
    return [column[0] for column in columns] if columns is not None else _flattened_one_by_one(type_, value, what)


def _columns(type_, values):
    """Of values of one type, for each leaf the list of theirs; None if some are of another type."""
    kinds = set(map(type, values))
    if isinstance(type_, types.Tuple) and type_.of is not None:     # instances of a class
        if not kinds <= {type_.of.cls}:
            return None
        found = [_columns(element, list(map(operator.attrgetter(name), values))) for element, name in zip(type_.elements, type_.of.names)]
        return None if None in found else list(itertools.chain.from_iterable(found))
    if isinstance(type_, types.Tuple):
        if not all(issubclass(kind, tuple) for kind in kinds) or not {len(type_.elements)}.issuperset(map(len, values)):
            return None
        found = [_columns(element, list(map(operator.itemgetter(number), values))) for number, element in enumerate(type_.elements)]
        return None if None in found else list(itertools.chain.from_iterable(found))
    if not types.is_list_of_tuples(type_):
        return [values]
    columns = _columns(type_.element, list(itertools.chain.from_iterable(values))) if all(issubclass(kind, (list, tuple)) for kind in kinds) else None
    if columns is None:
        return None
    ends = list(itertools.accumulate(map(len, values)))
    return [[column[begin:end] for begin, end in zip([0, *ends], ends)] for column in columns]


def _flattened_one_by_one(type_, value, what):
    """The same, which says what is wrong."""
    if types.is_list_of_tuples(type_):
        if not isinstance(value, (list, tuple)):
            raise _mismatch(type_, value, what)
        rows = [_flattened_one_by_one(type_.element, each, what) for each in value]
        return [[row[number] for row in rows] for number in range(len(types.leaves(type_)))]
    if not isinstance(type_, types.Tuple):
        return [value]
    if type_.of is not None:
        if type(value) is not type_.of.cls:
            raise _mismatch(type_, value, what)
        return [leaf for element, name in zip(type_.elements, type_.of.names) for leaf in _flattened_one_by_one(element, getattr(value, name), f"{what}.{name}")]
    if not isinstance(value, tuple) or len(value) != len(type_.elements):
        raise _mismatch(type_, value, what)
    return [leaf for number, (element, part) in enumerate(zip(type_.elements, value))
            for leaf in _flattened_one_by_one(element, part, f"{what}[{number}]")]
