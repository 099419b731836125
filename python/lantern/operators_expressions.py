"""Operators of converted Python: calls, attributes, arithmetic, comparisons, names."""
from __future__ import annotations

import operator

from lantern import dispatch, types
from lantern.staging import attributes, calls, merge, strings
from lantern.staging.convert import mark
from lantern.staging.errors import StagingError
from lantern.staging.trace import active
from lantern.staging.values import Staged, StagedRange, Undefined

_BINARY = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
           "%": operator.mod, "**": operator.pow, "@": operator.matmul, "<<": operator.lshift, ">>": operator.rshift,
           "&": operator.and_, "|": operator.or_, "^": operator.xor}
_UNARY = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
_COMPARE = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def call(function, arguments=(), keywords=None, at=None):
    trace = active()
    if trace is None:
        return function(*arguments, **keywords) if keywords else function(*arguments)
    return calls.call(trace, function, tuple(arguments), keywords or {}, at)


def call_unconverted(function, arguments=(), keywords=None, at=None):
    """`call` in a function that is converted with recursive=False: what it calls of the user's runs as it is."""
    trace = active()
    if trace is None:
        return call(function, arguments, keywords, at)
    return calls.call(trace, function, tuple(arguments), keywords or {}, at, recursive=False)


def converted_lambda(function):
    return mark(function)


def getattr_(value, name, at=None):
    if isinstance(value, Staged):
        value.trace.at = at
        return attributes.read(value, name, at)
    trace = active()
    if isinstance(value, Undefined):
        raise value.error(trace and trace.place(at))
    result = getattr(value, name)
    if isinstance(result, Undefined):
        if trace is None:
            raise AttributeError(f"'{type(value).__name__}' object has no attribute '{name}'")
        raise result.error(trace.place(at))
    if trace is not None and trace.frame is not None and not callable(result) and not trace.ages.is_young(value):
        trace.frame.reads.note("attribute", value, name, result)
        trace.ages.old(result)
    return result


def _touches(*values):
    """The trace, if some operand is staged."""
    if any(isinstance(v, (Staged, Undefined)) or dispatch.is_global(v) for v in values):
        return active()
    return None


def _defined(trace, values, at):
    for value in values:
        if isinstance(value, Undefined):
            raise value.error(trace.place(at))


def binary(symbol, a, b, at=None):
    trace = _touches(a, b)
    if trace is not None:
        trace.at = at
        _defined(trace, (a, b), at)
        if symbol == "+" and _is_string(a) and _is_string(b):
            return trace.emit("join-strings", (a, b), at=at)
        if symbol == "%" and isinstance(a, str):
            raise StagingError("LT0310", "text is not formatted by % in staged code", trace.place(at), "use an f-string")
        if symbol in ("+", "*") and (isinstance(a, (list, tuple)) or isinstance(b, (list, tuple))) and not _is_array(a, b):
            raise StagingError("LT0310", f"a Python {type(a).__name__} and a {type(b).__name__} are joined by {symbol} where one is known "
                               "only when the program runs", trace.place(at), "use lt.constant(...) for an array of the elements")
    return _BINARY[symbol](a, b)


def _is_array(*values):
    return any(isinstance(v, Staged) and isinstance(v.type, types.TensorType) for v in values) or any(map(dispatch.is_global, values))


def _is_string(value):
    return isinstance(value, str) or (isinstance(value, Staged) and value.type == types.string)


def unary(symbol, value, at=None):
    trace = _touches(value)
    if trace is not None:
        trace.at = at
        _defined(trace, (value,), at)
    return _UNARY[symbol](value)


def compare(symbol, a, b, at=None):
    trace = _touches(a, b)
    if trace is not None:
        trace.at = at
        _defined(trace, (a, b), at)
        if symbol in ("==", "!=") and (a is None or b is None):
            return (is_ if symbol == "==" else is_not)(a, b, at)
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


def compare_chain(first, *links_and_at):
    """`a < b < c`: each operand once, and only as far as Python would go."""
    from lantern.operators_control import _staged_lazy, is_staged_condition
    links, at = (links_and_at[:-1], links_and_at[-1]) if not _is_link(links_and_at[-1]) else (links_and_at, None)

    def rest(left, links):
        symbol, right = links[0]
        right = right()
        result = _any_comparison(symbol, left, right, at)
        if len(links) == 1:
            return result
        if is_staged_condition(result):
            return _staged_lazy(result, (lambda: rest(right, links[1:]),), at, True)
        return rest(right, links[1:]) if result else result

    return rest(first, links)


def _is_link(value):
    return isinstance(value, tuple) and len(value) == 2 and callable(value[1])


def _any_comparison(symbol, a, b, at):
    other = {"is": is_, "is not": is_not, "in": in_, "not in": not_in}.get(symbol)
    return other(a, b, at) if other else compare(symbol, a, b, at)


def is_(a, b, at=None):
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
    result = is_(a, b, at)
    return result.trace.negate(result) if isinstance(result, Staged) else not result


def in_(a, b, at=None):
    trace = active()
    if trace is None or not _mentions_staged(a, b):
        return a in b
    trace.at = at
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
    if isinstance(a, Staged) or isinstance(b, (Staged, StagedRange)):
        return True
    return isinstance(b, (tuple, list)) and any(isinstance(element, Staged) for element in b)


def not_in(a, b, at=None):
    result = in_(a, b, at)
    return result.trace.negate(result) if isinstance(result, Staged) else not result


def getitem(value, key, at=None):
    trace = active()
    if trace is not None:
        trace.at = at
        _defined(trace, (value, key), at)
        if isinstance(key, Staged) and not isinstance(value, Staged) and not dispatch.is_global(value):
            return _item_of_python(trace, value, key, at)
        result = value[key]
        if trace.frame is not None and isinstance(value, (list, dict)) and not isinstance(key, slice) \
                and not trace.ages.is_young(value):
            trace.frame.reads.note("item", value, key, result)
            trace.ages.old(result)
        return result
    return value[key]


def _item_of_python(trace, value, key, at):
    """`value[key]` where the key is staged, and the container a Python value."""
    import numpy as np
    if isinstance(value, np.ndarray):
        return trace.emit("index", (value, key), at=at)
    if isinstance(value, (tuple, list)) and value and all(merge.is_stageable(v) for v in value):
        stacked = [trace.type_of(v) for v in value]
        if all(isinstance(t, types.Scalar) and t != types.string for t in stacked):
            return trace.emit("index", (trace.emit("stack", tuple(value), at=at), key), at=at)
    raise StagingError("LT0310", f"an element of a Python {type(value).__name__} is chosen by {key.shown()}, which is known only when the "
                       "program runs", trace.place(at), "use lt.constant(...) or lt.stack(...) for an array")


def bind(name, value, at=None):
    """`name = value`: a staged value carries the user's name."""
    if isinstance(value, Staged):
        if value.hint is None and value.place is not None:
            value.hint = name
    else:
        trace = active()
        if trace is not None:
            trace.ages.young(value)
    return value


def unpack(value, count, names=(), at=None):
    """`a, b = value`."""
    if isinstance(value, Staged):
        trace = value.trace
        trace.at = at
        value = _elements(trace, value, count, at)
    else:
        value = tuple(value)
        if len(value) < count:
            raise ValueError(f"not enough values to unpack (expected {count}, got {len(value)})")
        if len(value) > count:
            raise ValueError(f"too many values to unpack (expected {count})")
    return tuple(bind(name, element, at) if isinstance(name, str) else element for name, element in zip(names, value)) \
        + value[len(names):]


def _elements(trace, value, count, at):
    type_ = value.type
    if type_ is None:
        return tuple(trace.element(value, number) for number in range(count))
    if isinstance(type_, types.Tuple):
        size = len(type_.elements)
    elif isinstance(type_, types.TensorType) and type_.dims and isinstance(type_.dims[0], int):
        size = type_.dims[0]
    else:
        raise StagingError("LT0310", f"{value.shown()}, of type {type_}, is unpacked, but how many elements it has is known only when the "
                           "program runs", trace.place(at))
    if size != count:
        raise ValueError(f"too many values to unpack (expected {count})" if size > count else
                         f"not enough values to unpack (expected {count}, got {size})")
    return tuple(iter(value))


def fstring(*parts_and_at):
    """An f-string: text, and (value, conversion, spec) for each replacement field."""
    parts, at = parts_and_at, None
    if parts and isinstance(parts[-1], tuple) and len(parts[-1]) == 2:
        parts, at = parts[:-1], parts[-1]
    trace = active()
    if trace is not None:
        trace.at = at
    if trace is not None and any(isinstance(p, tuple) and isinstance(p[0], Staged) for p in parts):
        return strings.fstring(trace, parts)
    pieces = []
    for part in parts:
        if isinstance(part, tuple):
            value, conversion, spec = part
            value = {"r": repr, "a": ascii, "s": str}[conversion](value) if conversion else value
            part = format(value, spec or "")
        pieces.append(part)
    return "".join(pieces)


