"""Parameters in files, in the safetensors format: an 8-byte length, a JSON header, the arrays.

The words of a vocabulary travel in the header's metadata. A file may come from a stranger: sizes are checked before they are
believed, and nothing in it is run.
"""
from __future__ import annotations

import json
import os
import struct
import tempfile

import numpy as np

from lantern import philox, types
from lantern.dispatch import active_trace
from lantern.exceptions import DataError

_NAMES = {"f32": "F32", "f64": "F64", "i32": "I32", "i64": "I64", "bool": "BOOL"}
_DTYPES = {name: dtype for dtype, name in _NAMES.items()}
_HEADER_LIMIT = 100_000_000


def save(path, model, words=None):
    """Writes the parameters of a module (staged: all parameters of the program), and a vocabulary, to a file."""
    if active_trace() is not None:
        lists = active_trace().lists
        active_trace().emit("save-parameters", (path, lists.staged_contents([], types.List(types.string)) if words is None else words))
        return
    arrays = {name: parameter.read() for name, parameter in model.parameters().items()}
    write_arrays(path, arrays, {"vocabulary": "\n".join(words)} if words is not None else {})


def load(path, model):
    """Reads the parameters of a module from a file; names, dtypes and shapes have to be those of the file."""
    if active_trace() is not None:
        active_trace().emit("load-parameters", (path,))
        return
    arrays, _ = read_arrays(path)
    _assign(path, arrays, model.parameters())


def _assign(path, arrays, parameters):
    """Gives each parameter its array, once all are found to fit."""
    for what, names in (("lacks", parameters.keys() - arrays.keys()), ("has the unknown", arrays.keys() - parameters.keys())):
        if names:
            raise DataError(f"{path}: {what} {', '.join(sorted(names))}")
    for name, parameter in parameters.items():
        found, wanted = types.type_of(arrays[name][...]), types.TensorType(parameter.dtype, parameter.shape)
        if found != wanted:
            raise DataError(f"{path}: '{name}' is {types.annotation(found)}, and the model's is {types.annotation(wanted)}")
    for name, parameter in parameters.items():
        parameter.assign(arrays[name])


def save_checkpoint(path, *of):
    """Writes what it takes to go on from here: the parameters and variables of modules, the memories of optimisers, single Parameters
    and Variables, and where the program's stream of random numbers has come to.

    of: an optimiser stands behind the modules whose parameters it trains. The file appears complete or not at all.
    """
    kept = _kept(of)
    if active_trace() is not None:
        active_trace().emit("save-checkpoint", (path, *kept.values()))
        return
    arrays = {name: one.read() for name, one in kept.items()}
    write_arrays(path, {**arrays, _STREAM: np.array(philox.stream().state(), np.uint64).view(np.int64)}, {})


def load_checkpoint(path, *of):
    """Goes on from where `save_checkpoint` was called with the same. Raises DataError, and changes nothing, if the file is of others."""
    kept = _kept(of)
    if active_trace() is not None:
        active_trace().emit("load-checkpoint", (path, *kept.values()))
        return
    arrays, _ = read_arrays(path)
    if _STREAM not in arrays or arrays[_STREAM].shape != (2,) or arrays[_STREAM].dtype != np.int64:
        raise DataError(f"{path}: it is no checkpoint")
    stream = arrays.pop(_STREAM)
    _assign(path, arrays, kept)
    philox.stream().resume(*stream.view(np.uint64).tolist())


_STREAM = "lantern.stream"


def _kept(of):
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
    """Writes a safetensors file: to a temporary name first, so that nothing half-written is left behind."""
    header, offset = ({"__metadata__": metadata} if metadata else {}), 0
    for name, array in arrays.items():
        header[name] = {"dtype": _NAMES[types.dtype_name(array.dtype)], "shape": list(array.shape),
                        "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
    text = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    folder, name = os.path.split(os.path.abspath(path))
    descriptor, temporary = tempfile.mkstemp(prefix=name, dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text)
            for array in arrays.values():
                file.write(np.ascontiguousarray(array).tobytes())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


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
    if not isinstance(metadata, dict):
        raise error("its metadata is not a JSON object")
    return {name: _array(data, name, entry, error) for name, entry in header.items()}, metadata


def _array(data, name, entry, error):
    try:
        dtype, shape, (begin, end) = _DTYPES[entry["dtype"]], entry["shape"], entry["data_offsets"]
        numbers = [*shape, begin, end]
    except (KeyError, TypeError, ValueError):
        raise error(f"the header's entry of '{name}' is malformed") from None
    if not all(isinstance(number, int) and number >= 0 for number in numbers):
        raise error(f"the header's entry of '{name}' is malformed")
    numpy_dtype, count = types.numpy_dtype(dtype), 1
    for dim in shape:
        count *= dim
    if not begin <= end <= len(data) or end - begin != count * numpy_dtype.itemsize:
        raise error(f"the header's entry of '{name}' does not fit the file")
    return np.frombuffer(data, numpy_dtype, count, begin).reshape(shape)
