"""Which functions are converted, and what they look like then: `convert`, `do_not_convert`, `to_graph`, `to_code`."""
from __future__ import annotations

import ast
import enum
import functools
import textwrap
import types as python_types

from lantern import syntax
from lantern.dispatch import active_trace
from lantern.staging.calls import call, underlying
from lantern.staging.convert import (DO_NOT_CONVERT, NOT_RECURSIVE, REQUESTED, convert_text, converted, options_of, plain_modules,
                                     source_of)


class Feature(enum.Enum):
    """What AutoGraph lets one choose. Here each is always on, since a program's meaning must not depend on it."""
    ALL = "ALL"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"


def convert(recursive=True, optional_features=None, user_requested=True):
    """`@ag.convert()`: a function that staged values may reach; an entry of a file that marks none by `@lt.export`.

    Called with Python values it does what the plain function does.

    recursive: whether the functions that it calls are converted, too.
    optional_features: a Feature, or several; accepted as AutoGraph does, all are always on.
    user_requested: convert it though it belongs to the standard library or to an installed package.
    Raises TypeError for a class: mark its methods.
    """
    _check_features(optional_features)

    def decorate(function):
        if isinstance(function, (staticmethod, classmethod)):
            return type(function)(decorate(function.__func__))
        _refuse_class(function, "convert")
        _mark(function, NOT_RECURSIVE, not recursive)
        _mark(function, REQUESTED, user_requested)

        @functools.wraps(function)
        def wrapper(*arguments, **keywords):
            trace = active_trace()
            if trace is None:
                return function(*arguments, **keywords)
            return call(trace, function, arguments, keywords, None)

        wrapper.__lantern_function__ = function
        wrapper.__lantern_ag_entry__ = True
        return wrapper
    return decorate


def do_not_convert(function=None):
    """`@ag.do_not_convert`, or with parentheses: a function that runs as it is, and what it calls, though staged values reach it.

    `ag.do_not_convert(module)`: all functions of a module, or of a package's modules.
    Raises TypeError for a class: mark its methods.
    """
    if function is None:
        return do_not_convert
    if isinstance(function, python_types.ModuleType):
        plain_modules.add(function.__name__)
        return function
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(do_not_convert(function.__func__))
    _refuse_class(function, "do_not_convert")
    if not isinstance(function, python_types.FunctionType):     # a method, a partial, a built-in: it takes no mark
        inner = function

        def function(*arguments, **keywords):
            return inner(*arguments, **keywords)
        functools.update_wrapper(function, inner, [name for name in functools.WRAPPER_ASSIGNMENTS if hasattr(inner, name)], ())
    _mark(function, DO_NOT_CONVERT, True)
    return function


def to_graph(function, recursive=True, optional_features=None):
    """The converted twin of a function, method, partial or callable object: it shares cells, globals and defaults with it.

    A function that stays plain Python is its own twin; a warning says why. Raises TypeError for what is no Python function.
    """
    _check_features(optional_features)
    plain, first = _python_function(function)
    twin = converted(plain, recursive)
    return functools.partial(twin, *first) if first else twin


def to_code(function, recursive=True, optional_features=None):
    """The converted source of a function, as `lantern compile --emit python` prints it within its file.

    Of a function that stays plain Python it is the source as it is. Raises TypeError for what is no Python function, OSError
    where there is no source.
    """
    del recursive       # it changes what `ag__.callee` does, not the text
    _check_features(optional_features)
    plain, _ = _python_function(function)
    code = plain.__code__
    source = source_of(plain)
    if not source:
        raise OSError(f"the source of '{plain.__name__}' is not available")
    reply = convert_text(source, code.co_filename, options_of(plain, source))
    if "unconverted" in reply:
        return _definition(source, syntax.parse(source), code, lambda node: (node.lineno, node.col_offset + 1))
    if code.co_name == "<lambda>":
        return reply["code"].split("return ", 1)[1]
    whole = convert_text(source, code.co_filename)
    originals = {(row[0], row[1]): tuple(row[2:4]) for row in reversed(whole["map"])}
    return _definition(whole["code"], syntax.parse(whole["code"]), code, lambda node: originals.get((node.lineno, node.col_offset + 1)))


def _definition(text, tree, code, place_of):
    """The text of the function of a code object: of its name, the first at or behind its line. place_of: of a node, originally."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == code.co_name:
            place = place_of(node)
            if place is not None and place[0] >= code.co_firstlineno:
                found.append((place, node))
    node = min(found, key=lambda pair: pair[0])[1]
    first = min([decorator.lineno for decorator in node.decorator_list] + [node.lineno])
    return textwrap.dedent("".join(text.splitlines(True)[first - 1:node.end_lineno]))


def _python_function(function):
    _refuse_class(function, "convert")
    plain, first = underlying(function)
    if not isinstance(plain, python_types.FunctionType):
        raise TypeError(f"{function!r} is not written in Python: there is nothing to convert")
    return plain, first


def _check_features(features):
    if features is None or isinstance(features, Feature):
        return
    for feature in features:
        if not isinstance(feature, Feature):
            raise TypeError(f"optional_features takes members of ag.Feature, not {feature!r}")


def _refuse_class(value, what):
    if isinstance(value, type):
        raise TypeError(f"{what} takes a function, and '{value.__name__}' is a class: mark its methods")


def _mark(function, name, value):
    """Sets or clears a mark of the plain function that a callable stands for; a built-in takes none."""
    plain, _ = underlying(function)
    if isinstance(plain, python_types.FunctionType) and (value or getattr(plain, name, False)):
        setattr(plain, name, value)
