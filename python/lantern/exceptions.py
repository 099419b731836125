"""Errors of running programs that Python has no exception for. Others are Python's own, ZeroDivisionError, IndexError, …, or NumPy's."""
from __future__ import annotations


def __getattr__(name):
    if name == "LinAlgError":
        from numpy.linalg import LinAlgError
        return LinAlgError
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


class DataError(ValueError):
    """A file holds something else than it should; the message begins with file:line:column."""


class StackExhausted(RecursionError):
    """A compiled function recursed deeper than the stack limit (LANTERN_STACK) allows; the message names it."""


class OutOfMemory(MemoryError):
    """A compiled program needs more than the memory limit (LANTERN_MEMORY)."""


class CoreError(Exception):
    """The compiler refused something. `diagnostics`: a list of dicts with code, message, file, line, column, hint, …"""

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = list(diagnostics)


class UnconvertedWarning(UserWarning):
    """A function that staged values may reach stays plain Python; the message says why."""


class RecompiledWarning(UserWarning):
    """An lt.function is compiled time and again; the message says why, and what to do."""
