"""The compiler, by its C API (api/lantern.h): text in, text out.

The library is $LANTERN_LIBRARY, else that of the wheel, the prefix or the source tree that the package lies in.
"""
from __future__ import annotations

import ctypes
import functools
import json
import os

from lantern.exceptions import CoreError

_PACKAGE = os.path.dirname(os.path.realpath(__file__))


@functools.lru_cache(maxsize=None)
def library_path():
    """Where the library is. Raises CoreError if it is nowhere."""
    named = os.environ.get("LANTERN_LIBRARY")
    # A wheel's package has it inside; PREFIX/share/lantern/python/lantern in PREFIX; a source tree in its build.
    candidates = [named] if named else _candidates()
    for path in candidates:
        if os.path.exists(path):
            return path
    raise CoreError("the compiler, liblantern.so, is not to be found: build it (make), or name it by LANTERN_LIBRARY; "
                    f"looked for {', '.join(map(str, candidates))}")


def _candidates():
    import pathlib
    package = pathlib.Path(_PACKAGE)
    return [folder / "liblantern.so" for prefix in (package, package / "../../../..", package / "../../build")
            for folder in (prefix / "lib", *sorted(prefix.glob("lib64")), *sorted(prefix.glob("lib/*-linux-*")))]


@functools.lru_cache(maxsize=None)
def _library():
    try:
        library = ctypes.CDLL(str(library_path()))
    except OSError as error:
        raise CoreError(f"the compiler cannot be loaded: {error}") from None
    result, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
    signatures = {
        "lantern_convert": (result, text, size, text, text), "lantern_compile": (result, text, size, text, text),
        "lantern_infer": (result, text, size), "lantern_operators": (result,), "lantern_version": (text,),
        "lantern_result_outcome": (ctypes.c_int, result),
        "lantern_result_text": (ctypes.c_void_p, result, ctypes.POINTER(size)),
        "lantern_result_diagnostics_json": (text, result), "lantern_result_free": (None, result),
    }
    for name, (returns, *takes) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = returns, takes
    return library


def _text_of(result):
    """The text of a result, which is freed. Raises CoreError with its diagnostics where the outcome is not fine."""
    library = _library()
    try:
        if library.lantern_result_outcome(result) != 0:
            diagnostics = json.loads(library.lantern_result_diagnostics_json(result).decode("utf-8", "replace"))
            shown = "\n".join(d.get("rendered") or d.get("message", "") for d in diagnostics).strip()
            raise CoreError(shown or "the compiler failed", diagnostics)
        length = ctypes.c_size_t()
        pointer = library.lantern_result_text(result, ctypes.byref(length))
        return ctypes.string_at(pointer, length.value).decode("utf-8", "surrogateescape")
    finally:
        library.lantern_result_free(result)


def _bytes(text):
    return text.encode("utf-8", "surrogateescape")


def convert(source, filename, options=None):
    """Converted Python of a file, or of the one function at {"line", "name", "column"}.

    → {"code": text, "map": [[out_line, out_column, line, column, end_line, end_column], …]} or {"unconverted": reason}
    """
    source = _bytes(source)
    return json.loads(_text_of(_library().lantern_convert(source, len(source), _bytes(filename), _options(options))))


@functools.lru_cache(maxsize=16)
def comments(source, filename):
    """What the comments of a file say of its logical lines: [line, last line, text] of each."""
    source = _bytes(source)
    return json.loads(_text_of(_library().lantern_convert(source, len(source), _bytes(filename), _options({"emit": "comments"}))))


def compile(sexpr, filename, options=None):  # noqa: A001
    """A program's S-expressions to the text of the stage that options["emit"] names."""
    sexpr = _bytes(sexpr)
    return _text_of(_library().lantern_compile(sexpr, len(sexpr), _bytes(filename), _options(options)))


@functools.lru_cache(maxsize=4096)
def infer(operation):
    """The type of `(matmul (tensor f32 5 3) (tensor f32 3))`: "(tensor f32 5)". Raises CoreError where it has none."""
    operation = _bytes(operation)
    return _text_of(_library().lantern_infer(operation, len(operation)))


@functools.lru_cache(maxsize=None)
def operators():
    """The operator table, an S-expression a row."""
    return _text_of(_library().lantern_operators())


def version():
    return _library().lantern_version().decode()


def _options(options):
    return json.dumps(options).encode() if options else None
