"""Operators of converted Python: comparisons, identity and `in`."""
from __future__ import annotations

import collections
import functools
import operator

from lantern import dispatch, types
from lantern.lazy_numpy import np
from lantern.operators_control import all_true, and_, condition, not_, or_, staged_lazy
from lantern.operators_expressions import asked, binary, defined, is_list, touches
from lantern.staging import array_stores, calls, chosen_functions, elementwise, enumerations, library, list_methods, merge, numbered, perhaps_arrays, perhaps_none, shown_values, special_methods, strings, text_methods
from lantern.staging.arguments import holds_staged
from lantern.staging.builtins import iterated
from lantern.staging.chosen_functions import ChosenFunction
from lantern.staging.errors import StagingError
from lantern.staging.tables import Table, is_staged_key
from lantern.staging.generators import Generator
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.trace import active
from lantern.staging.text import Symbol
from lantern.staging.values import Staged, StagedRange, Undefined, opened

_COMPARE = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def compare(symbol, a, b, at=None):
    if dispatch.tracing is None:
        if symbol == "==":
            return a == b
        if symbol == "<":
            return a < b
        if symbol == "!=":
            return a != b
        return _COMPARE[symbol](a, b)
    if type(a) is PerhapsNone or type(b) is PerhapsNone:
        trace = active()
        trace.at = at
        a, b = trace.narrowed(a), trace.narrowed(b)
        if symbol in ("==", "!=") and (type(a) is PerhapsNone or type(b) is PerhapsNone):
            return perhaps_none.equal(trace, a, b, at) if symbol == "==" else not_(perhaps_none.equal(trace, a, b, at), at)
        if symbol not in ("==", "!="):
            a, b = perhaps_none.operands(trace, _COMPARE[symbol], (a, b), at)
    if perhaps_arrays.is_among((a, b)):
        return elementwise.applied(active(), _COMPARE[symbol], (a, b), at, lambda a, b: compare(symbol, a, b, at))
    if symbol in ("==", "!=") and (result := chosen_functions.compared(a, b)) is not NotImplemented:
        return result if symbol == "==" else not_(result, at)
    if type(a) is ChosenFunction or type(b) is ChosenFunction:
        if (result := chosen_functions.by_operator(lambda a, b: compare(symbol, a, b, at), (a, b), at)) is not NotImplemented:
            return result
    result = asked(special_methods.compare, symbol, a, b, at)
    if result is not special_methods.NONE:
        return result
    _note_read(a, b)
    if isinstance(a, dict) and isinstance(b, dict) and symbol in ("==", "!=") and active() is not None \
            and any(holds_staged(value) or _has_equality(value) for value in (*a.values(), *b.values())):
        if a.keys() != b.keys():
            return symbol == "!="
        a, b = tuple(a.values()), tuple(b[key] for key in a)
    trace = touches(a, b)
    if trace is None and isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)) and active() is not None \
            and (holds_staged(a) or holds_staged(b) or _has_equality((a, b))):
        trace = active()
    if trace is not None:
        trace.at = at
        defined(trace, (a, b), at)
        if symbol in ("==", "!=") and (a is None or b is None):
            return (is_ if symbol == "==" else is_not)(a, b, at)
        if is_list(a) and is_list(b) and any(isinstance(trace.lists.value(v), Staged) for v in (a, b)):
            return list_methods.compare(trace, symbol, a, b)
        a, b = (tuple(v) if isinstance(v, Staged) and isinstance(v.type, types.Tuple) else v for v in (a, b))
        if trace.empties.is_met() and (isinstance(a, Staged) and a.type is None or isinstance(b, Staged) and b.type is None):
            return trace.bind((Symbol("undefined"), Symbol("bool")), types.bool_)       # of a trace that is no program
        if isinstance(a, (tuple, list)) or isinstance(b, (tuple, list)):
            return _compare_sequences(trace, symbol, a, b, at)
        for value in (a, b):
            if isinstance(value, Staged) and isinstance(value.type, (types.StructType, types.Optional)):
                raise StagingError("LT0310", f"{value.shown()}, of type {types.annotation(value.type)}, is compared by {symbol}", trace.place(at),
                                   "compare fields of it, or ask `is None`")
    return _COMPARE[symbol](a, b)


def _has_equality(value):
    """Whether a value, or something in it, has an `__eq__` of the user's, or is a container of the program's, which compares by one."""
    if isinstance(value, (tuple, list, dict)):
        return any(map(_has_equality, value.values() if isinstance(value, dict) else value))
    return special_methods.has(active(), value, "__eq__")


def _note_read(*values):
    trace = active()
    if trace is not None:
        for value in values:        # Python compares the elements of dicts; of lists, converted code does where the user has a method for that
            (trace.contents.note_handed if isinstance(value, (dict, collections.deque)) else trace.contents.note)(value)


def _compare_sequences(trace, symbol, a, b, at):
    if not any(isinstance(a, kind) and isinstance(b, kind) for kind in (tuple, list)):
        raise StagingError("LT0310", f"sequences with staged elements are compared by {symbol}", trace.place(at), "compare the elements")
    if symbol not in ("==", "!="):
        if (result := _in_order(trace, symbol, a, b, at)) is not None:
            return result
        try:
            return library.ordered(trace, a, b, lambda x, y: _compare_parts(trace, symbol, x, y, at))
        except StagingError as error:
            array = next((x for x in (*a, *b) if array_stores.is_array(x)), None)
            if error.code == "LT0310" and array is not None:
                error.message = f"sequences that hold an array, of type {types.annotation(array.type)}, are compared by {symbol}: where all before it is equal, arrays are compared, which have no order"
                error.hint = "compare what has one: key=lambda x: x[:2]; or have the number of the array stand there, (cost, i), and the arrays in a list, arrays[i]"
            raise
    if len(a) != len(b):
        return symbol == "!="
    result = True
    for x, y in zip(a, b):
        if any(special_methods.has(trace, element, "__eq__") for element in (x, y)):
            result = and_(result, lambda x=x, y=y: x is y or compare("==", x, y, at), at)
        else:
            result = _both(trace, result, compare("==", x, y, at), at)
    return trace.negate(result) if symbol == "!=" and isinstance(result, Staged) else result if symbol == "==" else not result


def _in_order(trace, symbol, a, b, at):
    """Of sequences of as many numbers and texts: `x < y or x == y and …`, which is false of a NaN, as in Python; None: they are others."""
    pairs = [*zip(a, b)]
    if len(a) != len(b) or not pairs or any(_kind(x) is None or _kind(x) != _kind(y) for x, y in pairs):
        return None
    result = compare(symbol, *pairs.pop(), at)
    for x, y in reversed(pairs):
        result = _either(trace, compare(symbol[0], x, y, at), _both(trace, compare("==", x, y, at), result, at), at)
    return result


def _kind(value):
    if type(value) is Staged and type(value.type) is types.Scalar:
        return "text" if value.type == types.string else "number"
    return "text" if type(value) is str else "number" if type(value) in (bool, int, float) else None


def _both(trace, a, b, at):
    known = [value for value in (a, b) if not isinstance(value, Staged)]
    return trace.emit("and", (a, b), at=at) if not known else (b if a is known[0] else a) if known[0] else False


def _either(trace, a, b, at):
    known = [value for value in (a, b) if not isinstance(value, Staged)]
    return trace.emit("or", (a, b), at=at) if not known else True if known[0] else b if a is known[0] else a


def _compare_parts(trace, symbol, x, y, at):
    """Those of two sequences that decide which is the smaller one: that they have no order is an error where it comes to that."""
    try:
        return compare(symbol, x, y, at)
    except TypeError as error:
        if not trace.under_condition():
            raise
        return library.without_order(trace, str(error))


def compare_chain(left, symbol, right, *links_and_at):
    """`a < b < c`: each operand once, and only as far as Python would go."""
    *links, at = links_and_at
    result = _any_comparison(symbol, left, right, at)
    for position, (symbol, operand) in enumerate(links):
        truth = condition(result, at)
        if isinstance(truth, Staged):
            def rest(left=right, links=links[position:]):
                (symbol, operand), *others = links
                return compare_chain(left, symbol, operand(), *others, at)
            return staged_lazy(result, truth, (rest,), at, True)
        if not truth:
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
    if (result := chosen_functions.compared(a, b)) is not NotImplemented:
        return result
    if trace is not None and numbered.is_among(a, b):
        return numbered.is_same(trace, a, b, at)
    if a is not None and b is not None:
        chosen_functions.refuse((a, b))
        shown_values.refuse((a, b))
    if trace is not None and (type(a) is PerhapsNone or type(b) is PerhapsNone):
        trace.at = at
        a, b = trace.narrowed(a), trace.narrowed(b)
        for value, other in ((a, b), (b, a)):
            if type(value) is PerhapsNone and other is None:
                return value.missing
            if type(value) is PerhapsNone and enumerations.is_member(value.value):
                return compare("==", a, b, at)
            if type(value) is PerhapsNone:
                error = StagingError("LT0310", f"`is` asks about the identity of {value.shown()}, which is a number or a string where it is not None", trace.place(at),
                                     "compare with ==; only `is None` has a staged meaning")
                error.of_class = perhaps_none.users_class_in(value)
                raise error
    if trace is not None and (type(a) is enumerations.Member or type(b) is enumerations.Member):
        trace.at = at
        return a.is_(b) if type(a) is enumerations.Member else b.is_(a)
    if perhaps_arrays.is_among((a, b)):
        if a is not None and b is not None:
            perhaps_arrays.refuse((a, b), at)
        return False
    if trace is not None and (isinstance(a, (Staged, Undefined)) or isinstance(b, (Staged, Undefined))):
        trace.at = at
        defined(trace, (a, b), at)
        if b is None and isinstance(a, Staged):
            return trace.is_none(a)
        if a is None and isinstance(b, Staged):
            return trace.is_none(b)
        if isinstance(a, Staged) and isinstance(b, Staged) and isinstance(a.type, types.NoneType):
            return trace.is_none(b)
        staged, other = (a, b) if isinstance(a, Staged) else (b, a)
        if not merge.is_stageable(other) and merge.parts_of(other) is None:
            return False    # an object that stands for nothing in the program
        raise StagingError("LT0310", f"`is` asks about the identity of {staged.shown()}, and a staged value has none", trace.place(at),
                           "compare with ==; only `is None` has a staged meaning")
    if trace is not None and isinstance(a, Table) and isinstance(b, Table):
        return is_(a.own_keys, b.own_keys, at)      # they are put together anew of the same lists
    if trace is not None and merge.is_put_together(a) and type(a) is type(b):
        trace.at = at
        error = StagingError("LT0310", f"`is` asks about the identity of a {type(a).__name__}, which calls, branches and loops put together anew",
                             trace.place(at), "compare with ==")
        error.of_class = type(a)
        raise error
    if trace is not None and a is not b and type(a) is type(b) and type(a) in (list, dict) and trace.lists.may_be_one(a, b):
        trace.at = at
        raise StagingError("LT0310", f"`is` asks whether {trace.lists.shown(a)} and {trace.lists.shown(b)} are one, which is not known while staging",
                           trace.place(at), "compare with ==")
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
    perhaps_arrays.refuse((a, b), at)
    if type(b) is PerhapsNone:
        b, = perhaps_none.operands(trace, lambda values: None in values, (b,), at)
    if type(a) is PerhapsNone and isinstance(b, Table) and type(a := trace.narrowed(a)) is PerhapsNone:     # which has no such key
        return all_true(is_not(a, None, at), lambda: in_(a, b, at), at)
    if trace is not None and isinstance(b, Generator):
        return library.contains(trace, b, a)
    if type(b) is ChosenFunction and (result := chosen_functions.by_operator(lambda b: in_(a, b, at), (b,), at)) is not NotImplemented:
        return result
    found = asked(special_methods.item, "__contains__", b, a, at)
    if found is not special_methods.NONE:
        return found if (truth := condition(found, at)) is found and isinstance(found, (bool, Staged)) else calls.call(trace, bool, (truth,), {}, at)
    if trace is not None and special_methods.has(trace, b, "__iter__"):
        return in_(a, iterated(trace, b), at)
    if trace is not None and trace.frame is not None:
        if is_staged_key(a) and isinstance(b, (dict, set)):
            trace.contents.note(b)
        else:
            trace.contents.note_key(b, a)
    if trace is None or not _mentions_staged(a, b):
        return a in b
    trace.at = at
    a, b = trace.narrowed(a), opened(trace.lists.value(b))
    if type(a) is PerhapsNone and strings.is_text(b):
        a, b = perhaps_none.operands(trace, lambda part, text: part in text, (a, b), at)
    if type(a) is PerhapsNone and isinstance(b, (Staged, StagedRange, range)):     # none of which holds None
        return all_true(is_not(a, None, at), lambda: in_(a, b, at), at)
    if isinstance(b, Staged) and isinstance(b.type, types.TensorType) and any(len(getattr(type_, "dims", ())) > n for type_, n in ((b.type, 1), (trace.type_of(a), 0))):
        return calls.call(trace, bool, (calls.call(trace, np.any, (compare("==", b, a, at),), {}, at),), {}, at)
    if isinstance(b, Staged) and isinstance(b.type, (types.List, types.TensorType)):
        return list_methods.contains(trace, b, a)
    if strings.is_text(b):
        return text_methods.contains(trace, b, a)
    if isinstance(b, Staged):
        raise StagingError("LT0310", f"`in` searches {b.shown()}, which is known only when the program runs", trace.place(at), "write the search as a loop")
    if isinstance(b, (StagedRange, range)):
        return _in_range(trace, a, b, at)
    result = False
    if any(special_methods.has(trace, element, "__eq__") for element in (a, *b)):
        for element in b:
            result = or_(result, lambda element=element: a is element or compare("==", a, element, at), at)
        return result if isinstance(result, (bool, Staged)) else bool(result)
    for element in b:
        equal = compare("==", a, element, at)
        result = equal if result is False else result if equal is False else trace.emit("or", (result, equal), at=at)
    return result


def _in_range(trace, a, numbers, at):
    """`a in range(…)`: between its bounds, and whole steps from where it starts, as a float need not be."""
    start, stop, step = numbers.start, numbers.stop, numbers.step
    if not isinstance(step, int):
        raise StagingError("LT0310", "`in` searches a range whose step is known only when the program runs", trace.place(at), "compare with its bounds")
    if step > 0:
        found = (compare("<=", start, a, at), compare("<", a, stop, at))
    else:
        found = (compare("<", stop, a, at), compare("<=", a, start, at))
    if abs(step) != 1 or trace.type_of(a) not in (types.bool_, types.i64):
        found += (compare("==", binary("%", binary("-", a, start, at), step, at), 0, at),)
    return functools.reduce(lambda x, y: trace.emit("and", (x, y), at=at), found)


def _mentions_staged(a, b):
    if isinstance(b, (Staged, StagedRange)) or merge.staged_list(b) is not None or holds_staged(a):
        return True
    return isinstance(b, (tuple, list)) and any(holds_staged(element) or special_methods.has(active(), element, "__eq__") for element in (a, *b))


def not_in(a, b, at=None):
    if dispatch.tracing is None:
        return a not in b
    result = in_(a, b, at)
    return result.trace.negate(result) if isinstance(result, Staged) else not result


_IDENTITY = {"is": is_, "is not": is_not, "in": in_, "not in": not_in}
