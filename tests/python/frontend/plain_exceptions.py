"""Exceptions, `with` and assertions, in plain Python: converted, each function gives what it gave before, or raises what it raised (CASES)."""
from plain_log import note


def handler_name(c):
    try:
        if c:
            raise ValueError("v")
    except ValueError as e:
        message = str(e)
    else:
        message = "none"
    try:
        e
    except NameError as missing:
        return message, type(missing).__name__
    return message


def try_finally(c):
    out = []
    for i in range(4):
        try:
            out.append(i)
            if i == c:
                return out
            if i == 2:
                continue
        finally:
            out.append("finally")
    return out


def try_else_return(c):
    try:
        if c == 1:
            return "body"
        if c == 2:
            raise KeyError(c)
    except KeyError:
        if c:
            return "handler"
    else:
        if c == 0:
            return "else"
    finally:
        note("finally")
    return "end"


def nested_try(c):
    try:
        try:
            if c:
                raise ValueError(c)
            y = "fine"
        except KeyError:
            y = "key"
    except ValueError as error:
        y = f"value {error}"
    return y


class Manager:
    def __init__(self, name, swallows=False):
        self.name, self.swallows = name, swallows

    def __enter__(self):
        note(f"enter {self.name}")
        return self

    def __exit__(self, kind, value, trace):
        note(f"exit {self.name} {kind.__name__ if kind else None}")
        return self.swallows


def with_return(c):
    with Manager("a") as a, Manager("b", True):
        if c == 1:
            return a.name
        if c == 2:
            raise ValueError
        x = "end"
    return x if c == 0 else "swallowed"


def unpack_errors(value):
    try:
        a, b = value
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return a, b


def asserts(x):
    assert x > 0, f"x is {note(x)}"
    assert x
    return x


def raises(c):
    if c == 1:
        raise ValueError("one")
    if c == 2:
        raise KeyError from None
    try:
        [][0]
    except IndexError as error:
        if c == 3:
            raise
        if c == 4:
            raise RuntimeError("from") from error
    return "none"


def raises_from(c):
    try:
        try:
            raise KeyError("k")
        except KeyError as error:
            if c == 1:
                raise ValueError("v") from error
            if c == 2:
                raise ValueError from None
            if c == 3:
                raise
            raise note(TypeError)("t") from note(None)
    except (ValueError, KeyError, TypeError) as error:
        return type(error).__name__, repr(error.__cause__), repr(error.__context__), error.__suppress_context__


def raises_nothing(c):
    if c:
        raise
    return c


CASES = [
    *((f, c) for f in (handler_name, nested_try,) for c in (True, False)),
    *((try_finally, c) for c in (1, 2, 9)),
    *((try_else_return, c) for c in (0, 1, 2, 3)),
    *((with_return, c) for c in (0, 1, 2)),
    *((unpack_errors, v) for v in (1, (1,), (1, 2), (1, 2, 3), "ab")),
    *((asserts, x) for x in (1, -1)),
    *((raises, c) for c in range(5)),
    *((raises_from, c) for c in range(4)),
    *((raises_nothing, c) for c in (0, 1)),
]
