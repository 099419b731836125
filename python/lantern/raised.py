"""What a compiled program raised, as a Python exception: its class, its message, and a traceback that ends in the user's line."""
from __future__ import annotations

import ast
import builtins
import functools
import linecache
import os

from lantern import exceptions, syntax

_USERS_OWN = ("LT0701", "LT0702")    # `raise` and `assert`: the message is the user's


def exception(code, kind, location, message, classes=None, files=()):
    """The exception of an error.

    location: "model.py:31:12", or "". classes: {name: class} of exceptions that the user defines. files: the paths of the user's
    files. In front of a message that is not the user's own stands the place.
    """
    text = f"{location}: {message}" if location and code not in _USERS_OWN else message
    cls = (classes or {}).get(kind) or getattr(exceptions, kind, None) or getattr(builtins, kind, None)
    error = _made(cls, text) if can_be_made(cls) else RuntimeError(f"{kind}: {text}")
    error.code = code
    return _at(error, location, files)


def can_be_made(cls):
    """Whether there is an exception of a class that is made of a message alone."""
    try:
        return isinstance(_made(cls, ""), cls)
    except Exception:   # UnicodeDecodeError wants more
        return False


def _made(cls, text):
    """An exception whose text is the program's; what else the user's constructor has noted stays in the program."""
    if cls.__str__ not in PYTHONS_STR:      # its text was made when the program was staged
        names = {"__str__": lambda self: text, "__module__": cls.__module__, "__qualname__": cls.__qualname__}
        cls = type(cls)(cls.__name__, (cls,), names)
    error = cls.__new__(cls, text)
    if cls.__init__ in _PYTHONS_INIT:
        error.__init__(*[text] if text else [])
    error.args = () if not text else (_key(text),) if cls.__str__ is KeyError.__str__ else (text,)
    return error


def _key(text):
    """What a KeyError was made of, whose text is what Python shows of it in code: a string in quotes, a number."""
    if text[0] == text[-1] == "'" and len(text) > 1:
        return text[1:-1]
    try:
        return ast.literal_eval(syntax.parse(text.lstrip(" \t"), mode="eval"))
    except (SyntaxError, ValueError):
        return _Shown(text)


class _Shown(str):
    """What is known by its text alone."""

    __repr__ = str.__str__


_EXCEPTIONS = [cls for cls in vars(builtins).values() if isinstance(cls, type) and issubclass(cls, BaseException)]
_PYTHONS_INIT = frozenset(cls.__init__ for cls in _EXCEPTIONS)
PYTHONS_STR = frozenset(cls.__str__ for cls in _EXCEPTIONS)


def _at(error, location, files):
    """The exception with a traceback whose frame is the user's line."""
    name, line, column = (location.rsplit(":", 2) + ["", ""])[:3]
    if not (line.isdigit() and column.isdigit() and int(line)):
        return error
    path = next((file for file in files if os.path.basename(file) == name), name)
    tree = syntax.parse("raise error", path)
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
    found = [(first, name) for first, last, name in _functions_of("".join(linecache.getlines(path))) if first <= line <= last]
    return max(found, key=lambda function: function[0])[1] if found else None


@functools.lru_cache(maxsize=16)
def _functions_of(source):
    """(first line, last line, name) of each function of a file."""
    try:
        tree = syntax.parse(source)
    except SyntaxError:
        return []
    return [(node.lineno, node.end_lineno, node.name) for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
