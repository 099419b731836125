"""`try` and `with` statements of code that stays plain Python, as of a generator that yields in one: where they would go on behind what fails when the
program runs, that is refused, since such code runs while the program is staged, and not again."""
from __future__ import annotations

import ast
import builtins
import contextlib
import dis
import functools
import linecache
import sys

from lantern.staging.convert import why_plain
from lantern.staging.errors import StagingError, is_converted_code, is_ours, is_plain, place_of_instruction, traced_by

_OF_MANAGERS = contextlib.__file__      # it hands on what our own managers throw
_HANDLING = {"SETUP_FINALLY", "SETUP_WITH", "PUSH_EXC_INFO"}     # before Python 3.11, and from then on
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_TRIES = tuple(vars(ast)[name] for name in ("Try", "TryStar") if name in vars(ast))


def check(trace, classes, what):
    """An error where plain code around would go on after an exception of these classes. what: says what raises it."""
    frame = sys._getframe(1)
    while frame is not None and traced_by(frame) is None:
        code = frame.f_code
        if not is_ours(code.co_filename) and code.co_filename != _OF_MANAGERS and not is_converted_code(code) and _handles(code):
            found = _going_on(frame, classes)
            if found is not None:
                by, line = found
                error = StagingError("LT0313", f"{what}, and the '{by}' in '{code.co_name}', line {line}, would catch it, which is code that is not converted",
                                     place_of_instruction(code, frame.f_lasti, frame.f_lineno),
                                     "test for it with an `if` before, or handle it in code that is converted", why_plain())
                trace.refusals.append(error)        # which the code may swallow
                raise error
        frame = frame.f_back


@functools.lru_cache(maxsize=1000)
def _handles(code):
    return any(instruction.opname in _HANDLING for instruction in dis.get_instructions(code))


def _going_on(frame, classes):
    """(what handles the exception, its line) of a function that is running; None if nothing does. Where the source is not there, the function does."""
    code = frame.f_code
    statements = _statements(code.co_filename)
    if statements is None:
        return None if is_plain(code.co_filename) else ("except", code.co_firstlineno)
    for statement in statements.get(code.co_firstlineno, ()):
        if not _is_in(frame, [statement]):
            continue
        if not isinstance(statement, _TRIES):
            if any(_may_suppress(frame, item.context_expr) for item in statement.items):
                return "with", statement.lineno
            continue
        for handler in statement.handlers if _is_in(frame, statement.body) else ():
            if _is_for(frame, handler.type, classes):
                return "except", handler.lineno
        if not _is_in(frame, statement.finalbody) and any(isinstance(node, (ast.Return, ast.Break, ast.Continue)) for part in statement.finalbody for node in ast.walk(part)):
            return "finally", statement.finalbody[0].lineno
    return None


def _is_in(frame, body):
    return bool(body) and body[0].lineno <= frame.f_lineno <= body[-1].end_lineno


@functools.lru_cache(maxsize=100)
def _statements(filename):
    """The `try` and `with` statements of a file's functions: {the first line of a function: its own}. None if the source is not there."""
    try:
        tree = ast.parse("".join(linecache.getlines(filename)) or "?")
    except SyntaxError:
        return None
    found = {}

    def visit(node, first):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (*_TRIES, ast.With)):
                found.setdefault(first, []).append(child)
            of = min([child.lineno, *[decorator.lineno for decorator in getattr(child, "decorator_list", ())]]) if isinstance(child, _FUNCTIONS) else first
            visit(child, of)

    visit(tree, 1)
    return found


def _is_for(frame, handled, classes):
    """Whether an `except` may be for one of the classes."""
    if isinstance(handled, ast.Tuple):
        return any(_is_for(frame, each, classes) for each in handled.elts)
    cls = BaseException if handled is None else _named(frame, handled)
    return not isinstance(cls, type) or any(issubclass(cls, each) or issubclass(each, cls) for each in classes)


def _may_suppress(frame, manager):
    """Whether a `with` of this expression may suppress an exception: those that libraries and Lantern have do not, but for one."""
    made = _named(frame, manager.func) if isinstance(manager, ast.Call) else None
    module = sys.modules.get(getattr(made, "__module__", None))
    return made is contextlib.suppress or module is None or not is_plain(getattr(module, "__file__", None) or __file__)


def _named(frame, expression):
    """What `name` or `module.name` is there; None if it is not found."""
    if isinstance(expression, ast.Attribute):
        return getattr(_named(frame, expression.value), expression.attr, None)
    name = getattr(expression, "id", None)
    return next((names[name] for names in (frame.f_locals, frame.f_globals, vars(builtins)) if name in names), None)
