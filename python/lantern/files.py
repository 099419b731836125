"""Parameters in files, in the safetensors format: an 8-byte length, a JSON header, the arrays.

`safetensors.torch.load_file` of the package of that name gives them to PyTorch, and its `save_file` writes what `load` reads. The
words of a vocabulary travel in the header's metadata. A file may come from a stranger: sizes are checked before they are believed,
and nothing in it is run.
"""
from __future__ import annotations

import json
import math
import os
import struct

from lantern import dispatch, philox, types
from lantern.dispatch import active_trace
from lantern.exceptions import DataError
from lantern.lazy_numpy import np
from lantern.module import assign_all
from lantern.outputs import written_whole
from lantern.readers import is_too_large

_NAMES = {"f32": "F32", "f64": "F64", "i32": "I32", "i64": "I64", "bool": "BOOL"}
_DTYPES = {name: dtype for dtype, name in _NAMES.items()}
_HEADER_LIMIT = 100_000_000


def save(path, model, words=None):
    """Writes the parameters of a module (staged: of one that holds all parameters of the program), and a vocabulary that has words, to a file.

    Raises ValueError for words with line ends in them.
    """
    if active_trace() is not None:
        lists = active_trace().lists
        words = lists.staged_contents([], types.List(types.string)) if words is None else words
        active_trace().globals.weights_file("save", (path, words), model)
        return
    if wrong := [word for word in words or () if "\n" in word]:
        raise ValueError(f"a word of a vocabulary has no line end in it: {wrong[0]!r}")
    arrays = {name: parameter.read() for name, parameter in model.parameters().items()}
    write_arrays(path, arrays, {"vocabulary": "\n".join(words)} if words else {})


def load(path, model):
    """Reads the parameters of a module from a file; names, dtypes and shapes have to be those of the file."""
    if active_trace() is not None:
        active_trace().globals.weights_file("load", (path,), model)
        return
    arrays, _ = read_arrays(path)
    _assign(path, arrays, model.parameters())


def _assign(path, arrays, parameters):
    assign_all(parameters, arrays, lambda what: DataError(f"{path}: {what}"))


def save_arrays(path, arrays):
    """Writes {name: NumPy array} to a safetensors file, which appears complete or not at all. Raises TypeError for other dtypes than
    Lantern's, and ValueError for the name `__metadata__`."""
    _refuse_staged("save_arrays")
    if "__metadata__" in arrays:
        raise ValueError("an array cannot be called '__metadata__': the format has another use for that name")
    write_arrays(path, {name: np.asarray(array) for name, array in arrays.items()}, {})


def load_arrays(path):
    """{name: NumPy array} of a safetensors file, Lantern's or another's; they cannot be written to. Raises DataError."""
    _refuse_staged("load_arrays")
    return read_arrays(path)[0]


def _refuse_staged(name):
    if active_trace() is not None:
        dispatch.refuse(f"lt.{name} is for Python, and has no staged meaning", "lt.load(path, model) and lt.save(path, model) have one")


def save_checkpoint(path, *of):
    """Writes what it takes to go on from here: the parameters and variables of modules, the memories of optimisers, single Parameters
    and Variables, and where the program's stream of random numbers has come to.

    of: an optimiser stands behind the modules whose parameters it trains. The file appears complete or not at all.
    """
    kept = kept_of(of)
    if active_trace() is not None:
        active_trace().emit("save-checkpoint", (path, *kept.values()))
        return
    write_checkpoint(path, kept, {})


def load_checkpoint(path, *of):
    """Goes on from where `save_checkpoint` was called with the same. Raises DataError, and changes nothing, if the file is of others."""
    kept = kept_of(of)
    if active_trace() is not None:
        active_trace().emit("load-checkpoint", (path, *kept.values()))
        return
    read_checkpoint(path, kept)


_STREAM = "lantern.stream"


def write_checkpoint(path, kept, metadata):
    """kept: {name: Parameter or Variable}; metadata: {name: string}."""
    arrays = {name: one.read() for name, one in kept.items()}
    write_arrays(path, {**arrays, _STREAM: np.array(philox.stream().state(), np.uint64).view(np.int64)}, metadata)


def read_checkpoint(path, kept, check=lambda metadata: metadata):
    """Gives each of {name: Parameter or Variable} its value, once `check` has found the metadata right; what `check` returns."""
    arrays, metadata = read_arrays(path)
    if _STREAM not in arrays or arrays[_STREAM].shape != (2,) or arrays[_STREAM].dtype != np.int64:
        raise DataError(f"{path}: it is no checkpoint")
    stream = arrays.pop(_STREAM)
    checked = check(metadata)
    _assign(path, arrays, kept)
    philox.stream().resume(*stream.view(np.uint64).tolist())
    return checked


def kept_of(of):
    """{name: Parameter or Variable} of modules, optimisers and such themselves."""
    kept, trained = {}, []
    for one in of:
        if hasattr(one, "named_globals"):
            found = one.named_globals()
            trained += [p for p in found.values() if getattr(p, "trainable", False)]
        elif hasattr(one, "state_for"):
            found = one.state_for(trained)
        else:
            found = {one.name: one}
        for name, value in found.items():
            if name is None or kept.setdefault(name, value) is not value:
                raise ValueError(f"two of what a checkpoint keeps are called '{name}'" if name else
                                 "what a checkpoint keeps has a name: hold it in a module, or give it one, lt.Variable(…, name=…)")
    return kept


def load_vocabulary(path):
    """The words that were saved with the parameters, a list of strings."""
    if active_trace() is not None:
        return active_trace().emit("load-vocabulary", (path,))
    _, metadata = read_arrays(path)
    if "vocabulary" not in metadata:
        raise DataError(f"{path}: no vocabulary was saved with these parameters")
    return metadata["vocabulary"].split("\n")


def write_arrays(path, arrays, metadata):
    """Writes a safetensors file, of which nothing half-written is left behind."""
    header, offset = ({"__metadata__": metadata} if metadata else {}), 0
    for name, array in arrays.items():
        header[name] = {"dtype": _NAMES[types.dtype_name(array.dtype)], "shape": list(array.shape),
                        "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
    text = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with written_whole(path) as temporary, open(temporary, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in arrays.values():
            file.write(array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes())
        file.flush()
        if os.path.isfile(temporary):
            os.fsync(file.fileno())


def read_arrays(path):
    """({name: array}, metadata) of a safetensors file."""
    def error(what):
        return DataError(f"{path}: {what}")

    size = os.path.getsize(path)
    with open(path, "rb") as file:
        start = file.read(8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else None
        if length is None or length > min(size - 8, _HEADER_LIMIT):
            raise error("not a safetensors file")
        try:
            header = json.loads(file.read(length))
        except (ValueError, RecursionError):
            header = None
        if not isinstance(header, dict):
            raise error("not a safetensors file: its header is not a JSON object")
        data = file.read()
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(text, str) for text in metadata.values()):
        raise error("its metadata is not a JSON object of strings")
    return {name: _array(data, name, entry, error) for name, entry in header.items()}, metadata


def _array(data, name, entry, error):
    if isinstance(entry, dict) and isinstance(entry.get("dtype"), str) and entry["dtype"] not in _DTYPES:
        raise error(f"'{name}' has elements of type {entry['dtype']}; Lantern's are {', '.join(_DTYPES)}")
    try:
        dtype, shape, (begin, end) = _DTYPES[entry["dtype"]], entry["shape"], entry["data_offsets"]
        numbers = [*shape, begin, end]
    except (KeyError, TypeError, ValueError):
        raise error(f"the header's entry of '{name}' is malformed") from None
    if not all(type(number) is int and number >= 0 for number in numbers) or not isinstance(shape, list):
        raise error(f"the header's entry of '{name}' is malformed")
    numpy_dtype, count = types.numpy_dtype(dtype), math.prod(shape)
    if is_too_large(shape, numpy_dtype) or not begin <= end <= len(data) or end - begin != count * numpy_dtype.itemsize:
        raise error(f"the header's entry of '{name}' does not fit the file")
    return np.frombuffer(data, numpy_dtype, count, begin).reshape(shape)
