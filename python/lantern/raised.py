"""What a compiled program raised, as a Python exception: its class, its message, and a traceback that ends in the user's line."""
from __future__ import annotations

import ast
import builtins
import linecache
import os

from lantern import exceptions

_USERS_OWN = ("LT0701", "LT0702")    # `raise` and `assert`: the message is the user's


def exception(code, kind, location, message, classes=None, files=()):
    """The exception of an error.

    location: "model.py:31:12", or "". classes: {name: class} of exceptions that the user defines. files: the paths of the user's
    files. In front of a message that is not the user's own stands the place.
    """
    text = f"{location}: {message}" if location and code not in _USERS_OWN else message
    error = _made((classes or {}).get(kind) or getattr(exceptions, kind, None) or getattr(builtins, kind, None), kind, text)
    error.code = code
    return _at(error, location, files)


def _made(cls, kind, text):
    if not (isinstance(cls, type) and issubclass(cls, BaseException)):
        return RuntimeError(text)
    if cls.__init__ in _PYTHONS_INIT:
        try:
            return cls(text) if text else cls()
        except TypeError:   # one that wants more than a message, such as UnicodeDecodeError
            return RuntimeError(f"{kind}: {text}")
    error = cls.__new__(cls, text)      # its constructor made the message, when the program was staged
    error.args = (text,)
    return error


_PYTHONS_INIT = frozenset(cls.__init__ for cls in vars(builtins).values() if isinstance(cls, type) and issubclass(cls, BaseException))


def _at(error, location, files):
    """The exception with a traceback whose frame is the user's line."""
    name, line, column = (location.rsplit(":", 2) + ["", ""])[:3]
    if not (line.isdigit() and column.isdigit() and int(line)):
        return error
    path = next((file for file in files if os.path.basename(file) == name), name)
    tree = ast.parse("raise error", path)
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = int(line)
            node.col_offset, node.end_col_offset = int(column) - 1, int(column)
    code = compile(tree, path, "exec")
    try:
        exec(code.replace(co_name=_function_at(path, int(line)) or code.co_name), {"error": error})
    except BaseException as raised:     # noqa: B036  the one that we raise
        raised.__traceback__ = raised.__traceback__.tb_next
    return error


def _function_at(path, line):
    """The name of the innermost function that a line is in, or None."""
    try:
        tree = ast.parse("".join(linecache.getlines(path)))
    except SyntaxError:
        return None
    found = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno <= line <= node.end_lineno]
    return max(found, key=lambda node: node.lineno).name if found else None
