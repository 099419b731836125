"""`breakpoint()` in converted code: it stops in a frame that looks like the user's own, with the user's names.

A branch or a loop's body is a function in converted code. It bears the name of the user's function, and where it stops, every
variable of the functions around it is its variable, too.
"""
from __future__ import annotations

import ast
import builtins
import types as python_types

from lantern.staging.errors import is_librarys

_MODULES = frozenset(("pdb", "ipdb", "pudb"))
_SHOWING = _MODULES | frozenset(("bdb", "code", "traceback", "IPython", "debugpy", "pydevd", "_pydevd_bundle", "pydev_ipython", "_pytest"))
_STOPS = ("breakpoint", "set_trace")


def is_debugger(function):
    """Whether a call stops the program in its caller's frame: it must be called from there."""
    return function is builtins.breakpoint or getattr(function, "__name__", None) == "set_trace" \
        and is_debuggers(getattr(function, "__module__", ""))


def is_debuggers(module):
    """Whether a module, by its name, is of a debugger."""
    return isinstance(module, str) and module.partition(".")[0] in _MODULES


def is_shown(frame):
    """Whether the text of a value is for a person's eyes: a debugger or a traceback asks for it, or a library's function that they call. What
    other code makes of it would be part of the program."""
    while frame is not None and is_librarys(frame.f_code.co_filename):
        if str(frame.f_globals.get("__name__")).partition(".")[0] in _SHOWING:
            return True
        frame = frame.f_back
    return False


def codes_within(code):
    """A code object and those of the functions within it."""
    found, pending = [], [code]
    while pending:
        found.append(pending.pop())
        pending.extend(constant for constant in found[-1].co_consts if isinstance(constant, python_types.CodeType))
    return found


def may_stop(text):
    """Whether converted code mentions what stops a program."""
    return any(name in text for name in _STOPS)


def show_names(tree, original):
    """In front of each `breakpoint()` of a factory's tree puts a lambda, never called, that mentions the user's variables.

    So they are variables of the frame that stops there. original: the user's code object.
    """
    names = sorted({name for code in codes_within(original) for name in (*code.co_varnames, *code.co_freevars, *code.co_cellvars)
                    if name.isidentifier()})
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                for place in reversed([i for i, stmt in enumerate(block) if _stops(stmt)]):
                    mention = ast.Expr(ast.Lambda(ast.arguments([], [], None, [], [], None, []), ast.Tuple(
                        [ast.Name(name, ast.Load()) for name in names], ast.Load())))
                    for part in ast.walk(mention):
                        ast.copy_location(part, block[place])
                    block.insert(place, mention)


def _stops(stmt):
    """Whether a statement of converted code is `breakpoint()` or `pdb.set_trace()`."""
    if not (isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Call) and isinstance(stmt.value.func, ast.Call)):
        return False
    return any(isinstance(part, ast.Name) and part.id in _STOPS or
               isinstance(part, ast.Constant) and part.value == "set_trace" for part in stmt.value.func.args)
