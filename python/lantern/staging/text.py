"""S-expressions as Python objects, and their text.

A node is a bool, int, float, str (a string literal) or None (`none`); a Symbol; a tuple of nodes (a list); or an object with a
`spelling` (a staged value, a global, a define: its name is given late) or with `parts` (a block: what it prints as).
Nothing here recurses: a program's depth grows with its length.
"""
from __future__ import annotations

import functools

from lantern.staging.errors import StagingError

WIDTH = 120


class Symbol(str):
    """A bare token."""


# Words that, like the operators' names, no define may have, since they mean something else at the head of a list …
FORMS = frozenset("""lantern struct parameter state define export fill uniform normal undefined let begin if while for
    getattr make tuple get wrt jvp derivative update initialize print print-part assert raise required locations tensor optional list dataset
    range""".split())
# … and those that no name may be at all.
TOKENS = frozenset("true false none inf nan bool i32 i64 f32 f64".split())


def literal(value):
    """The text of a literal."""
    if value is None:
        return "none"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, float):
        return float.__repr__(value)    # nan and inf are called so, too
    if isinstance(value, int):
        return int.__repr__(value)      # of a member of an IntEnum, too, whose text is its name before Python 3.11
    return quoted(value)


def check_characters(value, place=None):
    """A string, which UTF-8 must be able to write."""
    if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
        raise StagingError("LT0312", f"the string {value!a} has half a character (a surrogate), which UTF-8 has none of", place, "write the character itself")
    return value


_LITERALS = frozenset((bool, int, float, str, type(None)))
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def quoted(value):
    check_characters(value)
    return '"' + "".join(_ESCAPES.get(c) or (f"\\x{ord(c):02X}" if ord(c) < 32 or ord(c) == 127 else c) for c in value) + '"'


@functools.lru_cache(maxsize=None)
def has_parts(kind):
    """Whether nodes of a class print as their `parts()`. Each answer is kept: there are thousands of nodes, and few classes of them."""
    return hasattr(kind, "parts")


def _leaf(node):
    """The text of a node without parts, or None."""
    kind = type(node)
    if kind is Symbol:
        return node
    if kind in _LITERALS:
        return literal(node)
    if issubclass(kind, tuple) or has_parts(kind):
        return None
    return node.spelling if hasattr(node, "spelling") else literal(node)


def children(node):
    """The nodes within a node; () for a leaf."""
    if issubclass(type(node), tuple):
        return node
    return (node.parts(),) if has_parts(type(node)) else ()


def flat_tokens(node):
    """The tokens of a node, parentheses with them, in order."""
    pending = [node]
    while pending:
        node = pending.pop()
        if node is _CLOSE:
            yield ")"
            continue
        text = _leaf(node)
        if text is not None:
            yield text
        elif isinstance(node, tuple):
            yield "("
            pending.append(_CLOSE)
            pending.extend(reversed(node))
        else:
            pending.append(node.parts())


_CLOSE = object()


def one_line(node, limit=None):
    """The node's text in one line; None if that is longer than `limit`."""
    pieces, length, previous = [], 0, "("
    for token in flat_tokens(node):
        if token != ")" and previous != "(":
            pieces.append(" ")
            length += 1
        pieces.append(token)
        length += len(token)
        previous = token
        if limit is not None and length > limit:
            return None
    return "".join(pieces)


def pretty(node):
    """The node's text, ended by a line feed: what fits stands in one line, a chain of lets at one indentation."""
    out, column = [], 0
    pending = [(node, 0, "")]       # a node, its indentation, and what stands before it: nothing, a space, or a line feed
    while pending:
        node, indent, before = pending.pop()
        if before == "\n":
            out.append("\n" + " " * indent)
            column = indent
        elif before:
            out.append(before)
            column += 1
        while has_parts(type(node)):
            node = node.parts()
        text = _leaf(node)
        is_chain = text is None and _is_chain(node)
        if text is None and not is_chain and not _is_define(node):
            text = one_line(node, WIDTH - column)
        if text is not None:
            out.append(text)
            column += len(text)
            continue
        out.append("(")
        column += 1
        head = len(_head(node))
        parts = [(part, column, " ") for part in node[:head]] + [(part, indent + 2, "\n") for part in node[head:]]
        if head:
            parts[0] = (node[0], column, "")
        if is_chain:
            parts[head] = (node[head], indent + 2, " ")
            parts[-1] = (node[-1], indent, "\n")
        pending.append(_CLOSING)
        pending.extend(reversed(parts))
    out.append("\n")
    return "".join(out)


_CLOSING = (Symbol(")"), 0, "")


def _is_define(node):
    return issubclass(type(node), tuple) and len(node) > 2 and isinstance(node[0], Symbol) and node[0] == "define"


def _is_chain(node):
    """Whether the last part of a list goes on at the list's own indentation: (let x E …), (begin E …)."""
    return issubclass(type(node), tuple) and len(node) > 2 and isinstance(node[0], Symbol) \
        and (node[0] == "begin" or (node[0] == "let" and len(node) == 4))


def _head(node):
    """The parts of a list that stay on its first line."""
    if not isinstance(node[0], Symbol):
        return node[:0 if isinstance(node[0], tuple) else 1]
    has_result = node[0] == "define" and len(node) > 3 and isinstance(node[3], Symbol) and node[3] == "->"
    counts = {"let": 2, "define": 5 if has_result else 3, "for": 2, "begin": 1}
    return node[:counts.get(node[0], 2 if len(node) > 2 and not isinstance(node[1], tuple) else 1)]
