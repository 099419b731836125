"""`--emit staging`, and `lantern explore`: what each `if`, loop and call of a file became, and the value that decided.

Functions are converted against operators that note, in the block that they run in, what they did. Of a path that is traced
twice only the last block is part of the program, so only its notes are shown.
"""
from __future__ import annotations

import ast
import dataclasses
import dis
import functools
import itertools
import linecache
import types as python_types

from lantern import dispatch, syntax
from lantern.staging.arguments import holds_staged
from lantern.staging.debugging import is_debugger
from lantern.staging.define import Specialisation
from lantern.staging.errors import user_place
from lantern.staging.generators import Generator
from lantern.staging.program import blocks_of
from lantern.staging.trace import active
from lantern.staging.values import Staged, StagedEnumerate, StagedRange

OUTCOMES = ("staged", "unrolled", "Python")


@dataclasses.dataclass(frozen=True)
class Decision:
    """What a statement or call did once. outcome: "Python", "staged" or "unrolled"; times: an unrolled loop's turns."""
    line: int
    column: int
    what: str        # "if", "for", "f()"
    outcome: str
    value: str = ""  # that decided
    times: int = 0
    file: str = ""


def _note(trace, at, *rest):
    place = user_place(at)
    if place is not None and trace.frame is not None and at == (place.line, place.column):      # else it is one of Python's functions, as they are defined here
        trace.block.decisions.append(Decision(*at, *rest, file=place.file))


# The values that decide


def _called(value):
    """How a staged value is called: its own name, or that of the first value with a name that it is made of."""
    pending, seen = [value], set()
    while pending:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Staged):
            if value.hint or value.origin is not None:
                return value.shown()
            if value.block is not None:
                pending.extend(node for made, node in value.block.entries if made is value)
        elif isinstance(value, Generator):
            return value.shown()
        elif isinstance(value, StagedRange):
            pending.extend((value.step, value.stop, value.start))
        elif isinstance(value, StagedEnumerate):
            pending.append(value.values)
        elif dispatch.is_global(value):
            return f"the {type(value).__name__} '{getattr(value, 'name', None) or type(value).__name__}'"
        elif isinstance(value, (tuple, list)):
            pending.extend(reversed(value))
        elif isinstance(value, dict):
            pending.extend(reversed(list(value.values())))
    return ""


def _shown(value):
    """A Python value, shortly."""
    if isinstance(value, (bool, int, float, str, type(None), range)):
        text = repr(value)
        return text if len(text) <= 40 else text[:37] + "..."
    return type(value).__name__


_RANGES = range, type(iter(range(0))), itertools.count


def _is_staged(value):
    return isinstance(value, (Staged, StagedRange, StagedEnumerate)) or dispatch.is_global(value)


# The operators that note


def _if(plain, test, body, orelse, *rest):
    trace, chosen = active(), plain(test, body, orelse, *rest)
    if trace is not None:
        staged = chosen is not body and chosen is not orelse
        value = _called(test) if _is_staged(test) else _shown(test)
        _note(trace, rest[-1], "if", "staged" if staged else "Python", value if staged else str(chosen is body))
    return chosen


class _Turns:
    """What is seen of a loop. The functions that note it are the same in each turn, to whoever compares what they hold (keys.py)."""

    def __init__(self):
        self.turns, self.test, self.is_staged = 0, None, False


def _while_stmt(plain, test, body, *rest):
    trace, seen = active(), _Turns()
    if trace is None:
        return plain(test, body, *rest)

    def noted_test():
        seen.test = test()
        return seen.test

    def noted_body():
        seen.turns, seen.is_staged = seen.turns + 1, len(trace.loops) > around
        return body()

    around = len(trace.loops)
    plain(noted_test, noted_body, *rest)
    if seen.is_staged or _is_staged(seen.test):
        _note(trace, rest[-1], "while", "staged", _called(seen.test))
    else:
        _note(trace, rest[-1], "while", "unrolled", "", seen.turns)


def _for_stmt(plain, iterable, extra_test, body, *rest):
    trace, seen = active(), _Turns()
    if trace is None:
        return plain(iterable, extra_test, body, *rest)
    seen.is_staged = _is_staged(iterable) or isinstance(iterable, Generator) and not iterable.is_python

    def noted_body(element):
        seen.turns += 1
        seen.is_staged = seen.is_staged or isinstance(iterable, _RANGES) and isinstance(element, Staged)     # the rest of a long one is
        return body(element)

    plain(iterable, extra_test, noted_body, *rest)
    if seen.is_staged:
        _note(trace, rest[-1], "for", "staged", _called(iterable))
    else:
        _note(trace, rest[-1], "for", "unrolled", _shown(iterable), seen.turns)


def _callee(plain, function, at=None, *rest):
    trace = active()
    if trace is None or is_debugger(function):
        return plain(function, at, *rest)

    def call(*arguments, **keywords):
        before = len(trace.block.entries)
        result = plain(function, at, *rest)(*arguments, **keywords)
        _note_call(trace, function, (*arguments, *keywords.values()), result, trace.block.entries[before:], at)
        return result
    return call


def _method(plain, value, name, at=None, *rest):
    from lantern import operators
    return _callee(operators.callee, operators.getattr_(value, name, at), at, *rest)


def _note_call(trace, function, arguments, result, entries, at):
    from lantern.staging.calls import is_users, underlying
    users, _ = underlying(function)
    what = f"{getattr(users, '__name__', type(users).__name__)}()"
    if not is_users(users):
        staged = holds_staged(result) or isinstance(result, (StagedRange, StagedEnumerate)) or bool(entries)
        _note(trace, at, what, "staged" if staged else "Python", _called(arguments) if staged else "")
        return
    called = next((node[0] for _, node in reversed(entries) if isinstance(node, tuple) and node
                   and isinstance(node[0], Specialisation) and node[0].function.__code__ is users.__code__), None)
    place = user_place(at)
    lines = [line for _, line in dis.findlinestarts(users.__code__) if line]
    calls_itself = place.file == users.__code__.co_filename and min(lines) <= place.line <= max(lines)
    if calls_itself and called not in trace.specialisations.stack:
        known = next((name for name, value in zip(users.__code__.co_varnames, arguments) if not holds_staged(value)), "")
        _note(trace, at, what, "unrolled", known and f"'{known}'", 1)
    elif called is not None:
        _note(trace, at, what, "staged", _called(arguments))
    else:
        _note(trace, at, what, "Python", "")


def noting_operators(operators):
    """The operators, of which those for `if`, loops and calls note what they do."""
    noting = {"if_stmt": _if, "if_exp": _if, "while_stmt": _while_stmt, "for_stmt": _for_stmt, "callee": _callee, "method": _method}
    return python_types.SimpleNamespace(**{**vars(operators), **{
        name: functools.partial(note, getattr(operators, name)) for name, note in noting.items()}})


# The annotated source


def listing(program, file):
    """The text of a file, each line with what the program made of its `if`s, loops and calls."""
    lines, by_line = _lines(file), {}
    for line, _, what, decisions in _places(program, file):
        by_line.setdefault(line, []).append(f"{what}: {_summary(decisions)}")
    width = min(max((len(lines[line - 1].rstrip()) for line in by_line), default=0), 80)
    return "".join(f"{text.rstrip():<{width}}  # {'; '.join(by_line[number])}\n" if number in by_line else f"{text}\n"
                   for number, text in enumerate(lines, 1))


def rows(program, file):
    """The same as data: [{"line", "column", "what", "outcome", "text"}]; outcome: that which compiles to most, "" for a place that
    staging did not come to."""
    return [{"line": line, "column": column, "what": what, "text": _summary(decisions),
             "outcome": next((each for each in OUTCOMES if any(decision.outcome == each for decision in decisions)), "")}
            for line, column, what, decisions in _places(program, file)]


def files(program):
    """The files that the program's functions stand in, each once."""
    return list(dict.fromkeys(define.place.file for define in program.reachable() if define.place is not None))


def _lines(file):
    return [line.rstrip("\n") for line in linecache.getlines(file)]


def _places(program, file):
    """[(line, column, what, its decisions)] of a file, in order. A statement that no path came to, in a function that was traced, has none."""
    marks = {}
    for define in program.reachable():
        for block in blocks_of(define.block):
            for decision in block.decisions:
                if decision.file == file:
                    marks.setdefault((decision.line, decision.column, decision.what), []).append(decision)
    source = "\n".join(_lines(file))
    for line, column, what in _statements(source):
        near = [key for key in marks if key[0] == line and key[1] == column and key[2] == what]
        if not near and any(_function_of(source, line) == _function_of(source, key[0]) for key in marks):
            marks[line, column, what] = []
    return [(*key, marks[key]) for key in sorted(marks, key=lambda key: (key[0], key[1], not marks[key]))]


def _summary(decisions):
    """What the decisions of one place come to: `staged by 'x'`, `Python, True`, `unrolled × 3 by range(0, 3)`."""
    if not decisions:
        return "not reached"
    texts = []
    for outcome in OUTCOMES:
        found = [decision for decision in decisions if decision.outcome == outcome]
        if not found:
            continue
        values = list(dict.fromkeys(decision.value for decision in found if decision.value))
        if outcome == "Python":
            texts.append(", ".join(["Python", *values]))
        else:
            turns = "" if outcome == "staged" else f" × {_turns(found)}"
            texts.append(f"{outcome}{turns}" + (f" by {', '.join(values)}" if values else ""))
    return " and ".join(texts)


def _turns(decisions):
    if decisions[0].what.endswith("()"):        # a recursion: every call of it is noted
        return str(sum(decision.times for decision in decisions))
    return ", ".join(dict.fromkeys(str(decision.times) for decision in decisions))


@functools.lru_cache(maxsize=8)
def _tree(source):
    return syntax.parse(source)


def _statements(source):
    """(line, column, "if", "while" or "for") of a file's statements."""
    kinds = {ast.If: "if", ast.While: "while", ast.For: "for"}
    lines = source.split("\n")
    return [(node.lineno, len(lines[node.lineno - 1].encode()[:node.col_offset].decode()) + 1, kinds[type(node)])
            for node in ast.walk(_tree(source)) if type(node) in kinds]


def _function_of(source, line):
    """The first line of the innermost function that a line is in, or None."""
    found = [node.lineno for node in ast.walk(_tree(source))
             if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno <= line <= node.end_lineno]
    return max(found, default=None)
