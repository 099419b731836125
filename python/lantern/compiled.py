"""Compiled programs in this process: built, loaded, called."""
from __future__ import annotations

import contextlib
import ctypes
import json
import linecache
import os
import re
import threading

from lantern import abi, abi_reader, core, exceptions, host, philox, printed, raised, repeated, types

ABI_VERSION = 1
_this_thread = threading.get_ident


class _Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_char * 16), ("kind", ctypes.c_char * 64), ("location", ctypes.c_char * 512),
                ("message", ctypes.c_char * 2048)]

    def exception(self, classes, files):
        """The Python exception of the error (raised.py)."""
        texts = (field.decode("utf-8", "replace") for field in (self.code, self.kind, self.location, self.message))
        return raised.exception(*texts, classes, files)


def build(text, filename, name, header_folders=(), files=()):
    """The path of the shared object of a program; one that was built before is found again in the compiler's cache.
    header_folders: where the headers of the C++ that it calls are. files: the paths of the user's files, which errors show."""
    try:
        return core.compile(text, filename, {"emit": "so", "name": name, "folders": list(header_folders)})
    except exceptions.CoreError as error:
        raise exceptions.CoreError(_with_lines(str(error), files), error.diagnostics) from None


_PLACE = re.compile(r"([^:\n]+):(\d+):(\d+): (?:error|note): ")


def _with_lines(message, files):
    """A message of the compiler, which knows files by their names alone, with their paths and the lines that it speaks of."""
    shown, lines = [], message.split("\n")
    for number, line in enumerate(lines):
        place = _PLACE.match(line)
        paths = [path for path in files if place and os.path.basename(path) == place[1]]
        if len(paths) != 1:
            shown.append(line)
            continue
        shown.append(paths[0] + line[place.end(1):])
        source = linecache.getline(paths[0], int(place[2])).rstrip("\r\n")
        if source and lines[number + 1:number + 2] != [f"  {source}"]:
            before = source[:int(place[3]) - 1]
            shown += [f"  {source}", "  " + "".join(c if c == "\t" else " " for c in before) + "^"]
    return "\n".join(shown)


class _Stream:
    """Python's stream of random numbers (philox.py), for a program that draws: as long as it runs the stream is its, and other threads wait."""

    def __init__(self, library):
        self._place, self._is_lent = (ctypes.c_uint64 * 2)(), False
        self._read, self._resume = library.lantern_stream, library.lantern_resume_stream
        self._read.argtypes, self._read.restype = [ctypes.POINTER(ctypes.c_uint64)], None
        self._resume.argtypes, self._resume.restype = [ctypes.c_uint64, ctypes.c_uint64], None

    def call_with(self, function, *arguments):
        """function(*arguments), the call of a program, which has the stream meanwhile."""
        with philox.stream().lock:
            try:
                self._lend()
                return function(*arguments)
            finally:
                _hold(philox.stream().lock)     # a function that the program called may have been interrupted as it gave it back
                self._take_back()

    # `with stream:` within such a call, around a function that the program calls: Python has it again, and other threads.

    def __enter__(self):
        self._take_back()
        philox.stream().lock.release()

    def __exit__(self, *_):
        try:
            _hold(philox.stream().lock)
        finally:
            self._lend()

    def _lend(self):
        self._resume(*philox.stream().state())
        self._is_lent = True

    def _take_back(self):
        """If it is lent: where an interrupt has kept it here, Python has come further."""
        if self._is_lent:
            self._is_lent = False
            self._read(self._place)
            philox.stream().resume(*self._place)


def _hold(lock):
    """Until this thread has it: an interrupt meanwhile is raised then."""
    interrupt = None
    while not lock._is_owned():
        try:
            lock.acquire()
        except BaseException as error:      # noqa: B036  it is raised below
            interrupt = error
    if interrupt:
        raise interrupt


def _load(path):
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise exceptions.CoreError(f"cannot load the built program: {error}; it is built anew once that file is deleted") from None


class Program:
    """A loaded program and one instance of it. Parameters stay where Python keeps them; updates happen there."""

    def __init__(self, path, structs, classes=None, files=(), callbacks=None, speaks=True, storages=None):
        """structs, classes: {name: class} of the user's structures and exceptions; files: the paths of the user's files;
        callbacks: {name: host.Callback} of the functions of Python's that it calls; speaks: it may write to standard output;
        storages: {name: Parameter or Variable} that it reads and changes where Python keeps them."""
        self._classes, self._files = classes, files
        self._library = library = _load(path)
        version = library.lantern_abi_version()
        if version != ABI_VERSION:
            raise exceptions.CoreError(f"{path} has version {version} of the interface, this package version {ABI_VERSION}")
        library.lantern_create.restype = ctypes.c_void_p
        library.lantern_destroy.argtypes = [ctypes.c_void_p]
        library.lantern_bind.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int64)]
        library.lantern_manifest.restype = ctypes.c_char_p
        self.manifest = json.loads(library.lantern_manifest().decode())
        self._structs = structs
        self._speaks = speaks
        self._error = _Error()      # of the call under way
        self._error_address = ctypes.byref(self._error)
        self.storages, self._bound = storages or {}, {}
        self._lock = threading.Lock()
        self._caller = None     # the thread that is in the program
        self._instance = library.lantern_create()
        self._stream = _Stream(library) if hasattr(library, "lantern_stream") else None
        self._host = None
        if callbacks:
            self._host = host.Host(callbacks, self._stream, speaks)
            library.lantern_host.argtypes = [ctypes.c_void_p, type(self._host.address)]
            library.lantern_host(self._instance, self._host.address)

    def __del__(self):
        if getattr(self, "_instance", None):
            self._library.lantern_destroy(self._instance)
            self._instance = None

    def bind(self, name, array):
        """Makes an array (C-contiguous, writable) the memory of a parameter or state."""
        bound, shape = self._bound.get(name, (None, None))
        if bound is array and shape == array.shape:
            return
        dims = (ctypes.c_int64 * max(array.ndim, 1))(*array.shape)
        if self._library.lantern_bind(self._instance, name.encode(), array.ctypes.data, dims):
            raise exceptions.CoreError(f"the program has no parameter '{name}' of the shape {array.shape}")
        self._bound[name] = array, array.shape     # and the array stays: its memory is in use

    def entry(self, name):
        """A Python function that calls an entry, with its arguments in order; it gives the list of its results."""
        signature = next(entry for entry in self.manifest["entries"] if entry["name"] == name)
        formals = [(formal["name"], types.parse(formal["type"], self._structs)) for formal in signature["arguments"]]
        slots = [types.parse(text, self._structs) for text in signature["results"]]
        function = getattr(self._library, f"lantern_entry_{name}")
        function.restype = ctypes.c_int32
        function.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_void_p),
                             ctypes.POINTER(_Error)]

        def call(*values):
            abi.check_dimensions(formals, values)
            memory = abi.Memory()
            arguments = [memory.image(type_, value, f"argument '{formal}'") for (formal, type_), value in zip(formals, values)]
            results = [memory.allocate(abi.size_and_alignment(type_)[0])[2] for type_ in slots]
            self._require_other_caller(name)
            with self._lock:
                self._run(function, _pointers(arguments), _pointers(results))
                reader = abi_reader.Reader()
                return [reader.read(type_, address) for type_, address in zip(slots, results)]
        return call

    def repeated_entry(self, name):
        """As `entry`, for arguments that `repeated.takes`; of arguments that it cannot pass on it gives None. None where there are texts among the
        arguments or the results."""
        signature = next(entry for entry in self.manifest["entries"] if entry["name"] == name)
        formals = [types.parse(formal["type"], self._structs) for formal in signature["arguments"]]
        slots = [types.parse(text, self._structs) for text in signature["results"]]
        if not repeated.has_layout(formals) or not repeated.has_layout(slots):
            return None
        function = getattr(self._library, f"lantern_entry_{name}")
        images, results = repeated.Layout(formals), repeated.Layout(slots)
        numbers_only, has_pointers, write, read = images.numbers_only, images.has_pointers, images.write, results.read
        lock, run, images_at, results_at = self._lock, self._run, images.addresses, results.addresses

        def call(values):
            fields = values
            if not numbers_only:
                memory = abi.Memory() if has_pointers else None
                fields = repeated.fields_of(formals, values, memory)
            if self._caller is not None:
                self._require_other_caller(name)
            with lock:
                if fields is None or not write(fields):
                    return None
                run(function, images_at, results_at)
                return read()
        call.formals = formals
        return call

    def _run(self, function, arguments, results):
        for name, storage in self.storages.items():    # one thread at a time: a call that runs has what was bound before it
            if storage._value is not None:
                self.bind(name, storage._value)
        call = (function, self._instance, arguments, results, self._error_address)
        try:
            self._caller = _this_thread()
            with printed.Printing() if self._speaks else contextlib.nullcontext():
                failed = self._stream.call_with(*call) if self._stream else function(*call[1:])
        finally:
            self._caller = None
        if failed:
            error, self._error = self._error, _Error()
            self._error_address = ctypes.byref(self._error)
            raise self._exception(error)
        if self._host and self._host.has_error:     # an interrupt behind the last call of a function
            self._host.raise_error()

    def _require_other_caller(self, name):
        """One call at a time: another thread waits for its turn, and the program's own caller could wait for ever."""
        if self._caller == _this_thread():
            raise RuntimeError(f"'{name}' is called by a Python function that it has itself called (lt.py_function)")

    def _exception(self, error):
        """The exception of a call that failed."""
        wrong = self._host.raise_error() if self._host else None    # an interrupt goes before what else has failed
        if wrong:
            error.kind, error.message = (text.encode("utf-8", "replace")[:size - 1] for text, size in zip(wrong, (64, 2048)))
        return error.exception(self._classes, self._files)


def _pointers(addresses):
    return (ctypes.c_void_p * max(len(addresses), 1))(*addresses)
