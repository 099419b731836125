"""Operators of converted Python: calls, attributes, arithmetic, comparisons, names."""
from __future__ import annotations

import inspect
import operator

import numpy as np

from lantern import dispatch, items, types
from lantern.operators_control import is_staged_condition, staged_lazy
from lantern.staging import attributes, calls, iterables, library, list_methods, merge, strings
from lantern.staging.arguments import holds_staged
from lantern.staging.convert import mark
from lantern.staging.debugging import is_debugger
from lantern.staging.errors import StagingError
from lantern.staging.generators import Generator
from lantern.staging.trace import active
from lantern.staging.values import Staged, StagedRange, Undefined

_BINARY = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
           "%": operator.mod, "**": operator.pow, "@": operator.matmul, "<<": operator.lshift, ">>": operator.rshift,
           "&": operator.and_, "|": operator.or_, "^": operator.xor}
_UNARY = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
_COMPARE = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


# Plain code runs at the speed of what stands first in each operator: the question whether anything is being traced at all.


def callee(function, at=None, recursive=True):
    """What `function(…)` calls: the function itself, so that it sees its caller's frame, or what stages the call.

    Not recursive: a function of the user's is called as it is.
    """
    if dispatch.tracing is None:
        return function
    trace = active()
    if trace is None or is_debugger(function):
        return function

    def staged_call(*arguments, **keywords):
        return calls.call(trace, function, arguments, keywords, at, recursive)
    return staged_call


def method(value, name, at=None, recursive=True):
    """What `value.name(…)` calls."""
    if dispatch.tracing is None:
        return getattr(value, name)
    return callee(getattr_(value, name, at), at, recursive)


def converted_lambda(function):
    return mark(function)


def getattr_(value, name, at=None):
    if dispatch.tracing is None:
        return getattr(value, name)
    if isinstance(value, Staged):
        value.trace.at = at
        return attributes.read(value, name, at)
    trace = active()
    if isinstance(value, Undefined):
        raise value.error(trace and trace.place(at))
    getter = _getter(value, name) if trace is not None else None
    result = calls.call(trace, getter, (value,), {}, at) if getter is not None else getattr(value, name)
    if isinstance(result, Undefined) and trace is not None:
        result = trace.simplified(result)
    if isinstance(result, Undefined):
        if trace is None:
            raise AttributeError(f"'{type(value).__name__}' object has no attribute '{name}'")
        raise result.error(trace.place(at))
    if trace is not None and trace.frame is not None and getter is None and not trace.ages.is_young(value) \
            and (not callable(result) or _is_state(value, name)):
        trace.frame.reads.note("attribute", value, name, result)
        trace.ages.old(result)
    return result


def _is_state(value, name):
    """Whether an attribute is an object's own: what a class or a module has is taken to stay."""
    return name in getattr(value, "__dict__", ()) and not inspect.isclass(value) and not inspect.ismodule(value)


def _getter(value, name):
    """The user's function behind a property, which is converted; None for other attributes."""
    found = inspect.getattr_static(type(value), name, None)
    return found.fget if isinstance(found, property) and found.fget is not None and calls.is_users(found.fget) else None


def _touches(*values):
    """The trace, if some operand is staged."""
    for value in values:
        if isinstance(value, (Staged, Undefined)) or dispatch.is_global(value) or merge.staged_list(value) is not None:
            return active()
    return None


def _defined(trace, values, at):
    for value in values:
        if isinstance(value, Undefined):
            raise value.error(trace.place(at))


def binary(symbol, a, b, at=None):
    if dispatch.tracing is None:
        if symbol == "+":
            return a + b
        if symbol == "-":
            return a - b
        if symbol == "*":
            return a * b
        return _BINARY[symbol](a, b)
    trace = _touches(a, b)
    if trace is not None:
        trace.at = at
        _defined(trace, (a, b), at)
        if symbol == "+" and _is_string(a) and _is_string(b):
            return trace.emit("join-strings", (a, b), at=at)
        if symbol == "**" and isinstance(b, int) and b < 0 and isinstance(a, Staged) and a.type == types.i64:
            a = trace.emit("cast", (types.f64, a), at=at)       # Python's int ** negative int is a float
        if symbol == "%" and isinstance(a, str):
            raise StagingError("LT0310", "text is not formatted by % in staged code", trace.place(at), "use an f-string")
        if symbol in ("+", "*") and (_is_list(a) or _is_list(b)) and not _is_array(a, b):
            return list_methods.joined(trace, a, b) if symbol == "+" else list_methods.repeated(trace, a, b)
        if symbol in ("+", "*") and (isinstance(a, (list, tuple)) or isinstance(b, (list, tuple))) and not _is_array(a, b):
            raise StagingError("LT0310", f"a Python {type(a).__name__} and a {type(b).__name__} are joined by {symbol} where one is known "
                               "only when the program runs", trace.place(at), "use lt.constant(...) for an array of the elements")
    return _BINARY[symbol](a, b)


def _is_array(*values):
    return any(isinstance(v, Staged) and isinstance(v.type, types.TensorType) for v in values) or any(map(dispatch.is_global, values))


def _is_list(value):
    return type(value) is list or (isinstance(value, Staged) and isinstance(value.type, types.List))


def _is_string(value):
    return isinstance(value, str) or (isinstance(value, Staged) and value.type == types.string)


def unary(symbol, value, at=None):
    if dispatch.tracing is None:
        return _UNARY[symbol](value)
    trace = _touches(value)
    if trace is not None:
        trace.at = at
        _defined(trace, (value,), at)
    return _UNARY[symbol](value)


def compare(symbol, a, b, at=None):
    if dispatch.tracing is None:
        if symbol == "==":
            return a == b
        if symbol == "<":
            return a < b
        if symbol == "!=":
            return a != b
        return _COMPARE[symbol](a, b)
    trace = _touches(a, b)
    if trace is None and isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)) and active() is not None \
            and (holds_staged(a) or holds_staged(b)):
        trace = active()
    if trace is not None:
        trace.at = at
        _defined(trace, (a, b), at)
        if symbol in ("==", "!=") and (a is None or b is None):
            return (is_ if symbol == "==" else is_not)(a, b, at)
        if _is_list(a) and _is_list(b) and any(isinstance(trace.lists.value(v), Staged) for v in (a, b)):
            return list_methods.compare(trace, symbol, a, b)
        if isinstance(a, (tuple, list)) or isinstance(b, (tuple, list)):
            return _compare_sequences(trace, symbol, a, b, at)
        for value in (a, b):
            if isinstance(value, Staged) and isinstance(value.type, (types.StructType, types.Optional)):
                raise StagingError("LT0310", f"{value.shown()}, of type {value.type}, is compared by {symbol}", trace.place(at),
                                   "compare fields of it, or ask `is None`")
    return _COMPARE[symbol](a, b)


def _compare_sequences(trace, symbol, a, b, at):
    if symbol not in ("==", "!=") or not isinstance(a, (tuple, list)) or not isinstance(b, type(a)):
        raise StagingError("LT0310", f"sequences with staged elements are compared by {symbol}", trace.place(at), "compare the elements")
    if len(a) != len(b):
        return symbol == "!="
    result = True
    for x, y in zip(a, b):
        result = trace.emit("and", (result, compare("==", x, y, at)), at=at)
    return trace.negate(result) if symbol == "!=" and isinstance(result, Staged) else result if symbol == "==" else not result


def compare_chain(left, symbol, right, *links_and_at):
    """`a < b < c`: each operand once, and only as far as Python would go."""
    *links, at = links_and_at
    result = _any_comparison(symbol, left, right, at)
    for position, (symbol, operand) in enumerate(links):
        if is_staged_condition(result):
            def rest(left=right, links=links[position:]):
                (symbol, operand), *others = links
                return compare_chain(left, symbol, operand(), *others, at)
            return staged_lazy(result, (rest,), at, True)
        if not result:
            return result
        left, right = right, operand()
        result = _any_comparison(symbol, left, right, at)
    return result


def _any_comparison(symbol, a, b, at):
    other = _IDENTITY.get(symbol)
    return compare(symbol, a, b, at) if other is None else other(a, b, at)


def is_(a, b, at=None):
    if dispatch.tracing is None:
        return a is b
    trace = active()
    if trace is not None and (isinstance(a, (Staged, Undefined)) or isinstance(b, (Staged, Undefined))):
        trace.at = at
        _defined(trace, (a, b), at)
        if b is None and isinstance(a, Staged):
            return trace.is_none(a)
        if a is None and isinstance(b, Staged):
            return trace.is_none(b)
        if isinstance(a, Staged) and isinstance(b, Staged) and isinstance(a.type, types.NoneType):
            return trace.is_none(b)
        staged = a if isinstance(a, Staged) else b
        raise StagingError("LT0310", f"`is` asks about the identity of {staged.shown()}, and a staged value has none", trace.place(at),
                           "compare with ==; only `is None` has a staged meaning")
    return a is b


def is_not(a, b, at=None):
    if dispatch.tracing is None:
        return a is not b
    result = is_(a, b, at)
    return result.trace.negate(result) if isinstance(result, Staged) else not result


def in_(a, b, at=None):
    if dispatch.tracing is None:
        return a in b
    trace = active()
    if trace is not None and isinstance(b, Generator):
        return library.contains(trace, b, a)
    if trace is None or not _mentions_staged(a, b):
        return a in b
    trace.at = at
    b = trace.lists.value(b)
    if isinstance(b, Staged) and isinstance(b.type, (types.List, types.TensorType)):
        return list_methods.contains(trace, b, a)
    if isinstance(b, Staged):
        raise StagingError("LT0310", f"`in` searches {b.shown()}, which is known only when the program runs", trace.place(at),
                           "write the search as a loop")
    if isinstance(b, (StagedRange, range)):
        low, high, step = b.start, b.stop, b.step
        if not isinstance(step, int) or step != 1:
            raise StagingError("LT0310", "`in` searches a range with a step for a staged value", trace.place(at))
        return trace.emit("and", (compare("<=", low, a, at), compare("<", a, high, at)), at=at)
    result = False
    for element in b:
        equal = compare("==", a, element, at)
        result = equal if result is False else result if equal is False else trace.emit("or", (result, equal), at=at)
    return result


def _mentions_staged(a, b):
    if isinstance(a, Staged) or isinstance(b, (Staged, StagedRange)) or merge.staged_list(b) is not None:
        return True
    return isinstance(b, (tuple, list)) and any(isinstance(element, Staged) for element in b)


def not_in(a, b, at=None):
    if dispatch.tracing is None:
        return a not in b
    result = in_(a, b, at)
    return result.trace.negate(result) if isinstance(result, Staged) else not result


def getitem(value, key, at=None):
    if dispatch.tracing is None:
        return value[key]
    trace = active()
    if trace is not None:
        trace.at = at
        _defined(trace, (value, key), at)
        if type(value) is list:
            contents = trace.lists.contents(value)
            if not list_methods.is_python(contents, *list_methods.bounds(key)):
                return list_methods.getitem(trace, value, key)
            try:
                contents[key]
            except IndexError as error:
                trace.lists.missing(value, error)
        elif isinstance(value, Staged) and isinstance(value.type, types.List) and isinstance(key, slice):
            return list_methods.getitem(trace, value, key)
        if isinstance(value, np.ndarray) and any(isinstance(part, Staged) for part in parts_of_key(key)):
            return items.get(value, key)
        if isinstance(key, Staged) and not isinstance(value, (Staged, iterables.Sequence)) and not dispatch.is_global(value):
            return _item_of_python(trace, value, key, at)
        result = value[key]
        if trace.frame is not None and isinstance(value, (list, dict)) and not isinstance(key, slice) \
                and not trace.ages.is_young(value):
            trace.frame.reads.note("item", value, key, result)
            trace.ages.old(result)
        return result
    return value[key]


def parts_of_key(key):
    """The numbers that a key is made of."""
    if isinstance(key, tuple):
        return [part for element in key for part in parts_of_key(element)]
    return list_methods.bounds(key)


def _item_of_python(trace, value, key, at):
    """`value[key]` where the key is staged, and the container a Python value."""
    if isinstance(value, (tuple, list)) and value and all(merge.is_stageable(v) for v in value):
        return list_methods.getitem(trace, trace.lists.new(list(value)), key)
    raise StagingError("LT0310", f"an element of a Python {type(value).__name__} is chosen by {key.shown()}, which is known only when the "
                       "program runs", trace.place(at), "use lt.constant(...) or lt.stack(...) for an array")


def bind(name, value, at=None):
    """`name = value`: a staged value carries the user's name."""
    if dispatch.tracing is None:
        return value
    trace = active()
    if trace is not None and trace.frame is not None:
        trace.block.places[name] = trace.place(at)
    if isinstance(value, Staged):
        if value.hint is None and value.place is not None:
            value.hint = name
        elif value.memory is not None and value.hint != name:
            value = value.named(name, trace.place(at), value.memory)
    else:
        if trace is not None:
            trace.ages.young(value)
            if type(value) in (list, dict):
                trace.lists.named(name, value)
            elif isinstance(value, Generator) and value.name is None:
                value.name = name
    return value


_IDENTITY = {"is": is_, "is not": is_not, "in": in_, "not in": not_in}
_CONVERSIONS = {"r": repr, "a": ascii, "s": str}


def field(value, conversion=None, spec=""):
    """A replacement field of an f-string: its text now, as Python formats one value before it evaluates the next."""
    if dispatch.tracing is not None and (isinstance(value, (Staged, Undefined)) or isinstance(spec, Staged)):
        return strings.Field(value, conversion, spec)
    return format(_CONVERSIONS[conversion](value) if conversion else value, spec)


def fstring(*parts_and_at):
    """An f-string: text, and the fields of staged values."""
    *parts, at = parts_and_at
    if dispatch.tracing is not None:
        trace = active()
        if trace is not None:
            trace.at = at
        if any(isinstance(part, strings.Field) for part in parts):
            return strings.fstring(trace, parts)
    return "".join(parts)
