"""Operators of converted Python: calls, attributes, arithmetic, items, names, text."""
from __future__ import annotations

import collections
import operator
import sys

from lantern import dispatch, items, numpy_functions, types
from lantern.annotations import evaluate_annotation, from_annotation
from lantern.lazy_numpy import np
from lantern.staging import array_stores, attributes, calls, chosen_keys, elementwise, families, instances, iterables, library, list_methods, merge, perhaps_arrays, perhaps_none, special_methods, strings, tables, text_methods
from lantern.staging import text_formatting
from lantern.staging.arguments import holds_staged
from lantern.staging.builtins import part_of_range
from lantern.staging.chosen_functions import ChosenFunction, by_operator
from lantern.staging.convert import mark
from lantern.staging.debugging import is_debugger
from lantern.staging.enumerations import Member
from lantern.staging.shown_values import Shown
from lantern.staging.errors import StagingError
from lantern.staging.generators import Generator
from lantern.staging.memory import holds_lists
from lantern.staging.numbered_classes import is_numbered, user_class
from lantern.staging.perhaps_arrays import PerhapsArray
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.trace import active
from lantern.staging.values import Staged, StagedRange, Undefined, opened

_BINARY = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
           "%": operator.mod, "**": operator.pow, "@": operator.matmul, "<<": operator.lshift, ">>": operator.rshift,
           "&": operator.and_, "|": operator.or_, "^": operator.xor}
_UNARY = {"-": operator.neg, "+": operator.pos, "~": operator.invert}


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
    trace = None if dispatch.tracing is None else active()
    if trace is not None:
        trace.ages.held_as_defaults(function)
    return mark(function)


def getattr_(value, name, at=None):
    if dispatch.tracing is None:
        return getattr(value, name)
    if type(value) is PerhapsNone:
        value, = perhaps_none.operands(active(), lambda value: getattr(value, name), (value,), at)
    perhaps_arrays.refuse((value,), at)
    if type(value) is ChosenFunction:
        return value.attribute(name, at)
    if isinstance(value, Staged):
        value.trace.at = at
        return attributes.read(value, name, at)
    trace = active()
    if isinstance(value, Undefined):
        raise value.error(trace and trace.place(at))
    if trace is not None and trace.frame is not None:
        trace.at = at
        if type(value) is Member:
            return getattr(value, name)
        if families.is_mixed(value) and (found := families.read(trace, value, name, at)) is not families.NONE:
            return found
        if is_numbered(value):
            if trace.numbered.has(value, name):
                return trace.numbered.read(value, name, at)
            if name == "__class__":
                return user_class(type(value))
            if name == "__dict__":
                trace.numbered.refuse_dict(value)
    getter = None if trace is None or trace.frame is None else attributes.getter(trace, value, name)
    try:
        result = getattr(value, name) if getter is None else getter()
    except AttributeError:
        if trace is not None and trace.frame is not None and getter is None:
            attributes.note_presence(trace, value, name)
        raise
    if isinstance(result, Undefined):
        missing = AttributeError(f"'{type(value).__name__}' object has no attribute '{name}'")
        if trace is None:
            raise missing
        result = trace.unbound.read(result, missing, trace.place(at))
    if trace is not None and trace.frame is not None and getter is None:
        attributes.note(trace, value, name, result)
        if name == "__dict__":
            trace.lists.boxes.check_handed((value,), "__dict__")
        if trace.lists.boxes.is_box(result):
            return getitem(result, 0, at)
    return result


def asked(question, *operands_and_at):
    """What a special method of the user's says (special_methods.py)."""
    *operands, at = operands_and_at
    trace = active()
    if trace is None or trace.frame is None:
        return special_methods.NONE
    trace.at = at
    return question(trace, *operands)


def touches(*values):
    """The trace, if some operand is staged."""
    for value in values:
        if isinstance(value, (Staged, Undefined)) or dispatch.is_global(value) or merge.staged_list(value) is not None:
            return active()
    return None


def defined(trace, values, at):
    for value in values:
        if isinstance(value, Undefined):
            raise value.error(trace.place(at))


def _numpys(result, at):
    """What an operator gives: where that is an array of NumPy's, known while staging, as a call gives it."""
    trace = active() if type(result) is np.ndarray else None
    return result if trace is None else trace.numpys.made(None, result, at)


def binary(symbol, a, b, at=None):
    if dispatch.tracing is None:
        if symbol == "+":
            return a + b
        if symbol == "-":
            return a - b
        if symbol == "*":
            return a * b
        return _BINARY[symbol](a, b)
    if (type(a) is PerhapsNone or type(b) is PerhapsNone) and not (symbol == "%" and perhaps_none.takes_none(a)):
        a, b = perhaps_none.operands(active(), _BINARY[symbol], (a, b), at)
    if perhaps_arrays.is_among((a, b)):
        return elementwise.binary(active(), symbol, _BINARY[symbol], (a, b), at, lambda a, b: binary(symbol, a, b, at))
    if type(a) is ChosenFunction or type(b) is ChosenFunction:
        if (result := by_operator(lambda a, b: binary(symbol, a, b, at), (a, b), at)) is not NotImplemented:
            return result
    result = asked(special_methods.binary, symbol, a, b, at)
    if result is not special_methods.NONE:
        return result
    trace = active()
    if trace is not None:
        (trace.contents.note_handed if symbol == "%" and isinstance(a, str) else trace.contents.note)(a, b)
        if symbol == "%" and isinstance(a, str) and strings.holds(trace, b):
            trace.at = at
            return text_formatting.percent(trace, a, b)
    if symbol in "+*":
        a, b = opened(a), opened(b)
    trace = touches(a, b)
    if trace is not None:
        trace.at = at
        defined(trace, (a, b), at)
        if symbol == "*" and (strings.is_staged_text(a) or strings.is_staged_text(b) or isinstance(a, str) or isinstance(b, str)):
            text, times = (a, b) if _is_string(a) else (b, a)
            if trace.type_of(times) not in (types.i64, types.bool_):
                raise TypeError("can't multiply sequence by non-int")
            return library.repeated_text(trace, text, times)
        if symbol == "+" and _is_string(a) and _is_string(b):
            return trace.emit("join-strings", (a, b), at=at)
        if symbol == "**" and isinstance(b, int) and b < 0 and isinstance(a, Staged) and a.type == types.i64:
            a = trace.emit("cast", (types.f64, a), at=at)       # Python's int ** negative int is a float
        if symbol in ("+", "*") and (is_list(a) or is_list(b)) and not _is_array(a, b):
            return list_methods.joined(trace, a, b) if symbol == "+" else list_methods.repeated(trace, a, b)
        if symbol in ("+", "*") and (isinstance(a, (list, tuple)) or isinstance(b, (list, tuple))) and not _is_array(a, b):
            raise StagingError("LT0310", f"a Python {type(a).__name__} and a {type(b).__name__} are joined by {symbol} where one is known "
                               "only when the program runs", trace.place(at), "use lt.constant(...) for an array of the elements")
    result = _numpys(_BINARY[symbol](a, b), at)
    return _container(result, at) if type(result) in _CONTAINERS else result


_CONTAINERS = (dict, set)


def _container(result, at):
    """A new dict or set of Python's."""
    trace = active()
    if trace is None or trace.frame is None:
        return result
    trace.ages.young(result)
    return trace.lists.remade.given(result, at)


def _is_array(*values):
    return any(isinstance(v, Staged) and isinstance(v.type, types.TensorType) for v in values) or any(map(dispatch.is_global, values))


def is_list(value):
    return type(value) is list or (isinstance(value, Staged) and isinstance(value.type, types.List))


def _is_string(value):
    return isinstance(value, str) or (isinstance(value, Staged) and value.type == types.string)


def unary(symbol, value, at=None):
    if dispatch.tracing is None:
        return _UNARY[symbol](value)
    if type(value) is PerhapsNone:
        value, = perhaps_none.operands(active(), _UNARY[symbol], (value,), at)
    if perhaps_arrays.is_among((value,)):
        return elementwise.applied(active(), _UNARY[symbol], (value,), at, lambda value: unary(symbol, value, at))
    if type(value) is ChosenFunction and (result := by_operator(lambda value: unary(symbol, value, at), (value,), at)) is not NotImplemented:
        return result
    result = asked(special_methods.unary, symbol, value, at)
    if result is not special_methods.NONE:
        return result
    trace = touches(value)
    if trace is not None:
        trace.at = at
        defined(trace, (value,), at)
    return _numpys(_UNARY[symbol](value), at)


def getitem(value, key, at=None):
    if dispatch.tracing is None:
        return value[key]
    trace = active()
    if trace is not None:
        trace.at = at
        if type(value) is PerhapsNone or type(key) is PerhapsNone:
            value, key = perhaps_none.operands(trace, operator.getitem, (value, key), at)
        elif type(key) is slice or type(key) is tuple:
            key, value = _narrowed_key(trace, key), opened(value)
        perhaps_arrays.refuse((value, *parts_of_key(key)), at)
        defined(trace, (value, key), at)
        if type(value) is ChosenFunction and (result := by_operator(lambda value: getitem(value, key, at), (value,), at)) is not NotImplemented:
            return result
        result = asked(special_methods.item, "__getitem__", value, key, at)
        if result is not special_methods.NONE:
            return result
        key = special_methods.index(trace, key)
        if strings.is_staged_text(value) or isinstance(value, str) and is_staged_key(key):
            return text_methods.item(trace, value, key)
        if isinstance(value, StagedRange):
            return part_of_range(trace, value, key)
        if type(value) is list:
            contents = trace.lists.contents(value)
            if not list_methods.is_python(contents, *list_methods.bounds(key)):
                return list_methods.getitem(trace, value, key)
            try:
                contents[key]
            except IndexError as error:
                trace.lists.missing(value, error)
        elif isinstance(value, Staged) and isinstance(value.type, types.List):
            key = list_methods.counted(trace, key)
            if isinstance(key, slice) or value.element_of is not None:
                return list_methods.getitem(trace, value, key)
        if isinstance(value, np.ndarray) and is_staged_key(key):
            return items.get(value, key)
        if isinstance(key, Staged) and isinstance(value, Staged) and isinstance(value.type, types.Tuple):
            value = tuple(value)
        if numpy_functions.is_joiner(value):
            return numpy_functions.call_index(value, key) if numpy_functions.holds_operators(key) else value[key]
        if (isinstance(key, Staged) or isinstance(value, dict) and tables.is_staged_key(key)) and not isinstance(value, (Staged, iterables.Sequence)) \
                and not dispatch.is_global(value):
            return chosen_keys.item_of_python(trace, value, key, at)
        if type(value) is dict:
            trace.lists.check_stale(value)
        is_new = isinstance(value, collections.defaultdict) and trace.ages.is_young(value) and key not in value
        try:
            result = value[key]
            if array_stores.is_array(value):
                return trace.views.item(value, key, result)
        except LookupError:
            trace.contents.note_key(value, key)
            raise
        if type(value) is list and isinstance(key, slice) or is_new:
            trace.ages.young(result)    # a list of its own
        if trace.frame is not None and isinstance(value, (list, dict)) and not isinstance(key, slice) \
                and not trace.ages.is_young(value):
            trace.frame.reads.note("item", value, key, result)
            trace.ages.old(result)
        else:
            trace.contents.note(value)
            if not trace.ages.is_made_here(value) and not isinstance(result, np.ndarray):
                trace.ages.old(result)
        return result
    return value[key]


def _narrowed_key(trace, key):
    """A key whose parts are what they are here, where they may be None elsewhere."""
    if type(key) is tuple:
        return tuple(_narrowed_key(trace, part) for part in key)
    return slice(*map(trace.narrowed, (key.start, key.stop, key.step))) if type(key) is slice else trace.narrowed(key)


def parts_of_key(key):
    """The numbers that a key is made of."""
    if isinstance(key, tuple):
        return [part for element in key for part in parts_of_key(element)]
    return list_methods.bounds(key)


def is_staged_key(key):
    """Whether something in a key of an array is known only when the program runs: a number, an array, what a list of numbers holds."""
    return any(merge.staged_list(part) is not None or holds_staged(part) for part in parts_of_key(key))


def bind(name, value, at=None):
    """`name = value`: a staged value carries the user's name."""
    if dispatch.tracing is None:
        return value
    trace = active()
    place = None
    if type(value) is PerhapsNone:
        value = perhaps_none.named(trace, trace.narrowed(value), name)
    elif type(value) is PerhapsArray:
        value = perhaps_arrays.named(value, name)
    if trace is not None and trace.frame is not None:
        place = trace.block.places[name] = trace.place(at)
    if isinstance(value, Staged):
        if value.hint is None and (value.place is not None or value.memory is None):
            value.hint = name
            trace.views.named(value, name)
        elif value.memory is not None and value.hint != name and not trace.views.is_others(value):
            value = value.named(name, trace.place(at), value.memory)
    else:
        if trace is not None:
            trace.ages.young(value)
            if type(value) in (list, dict):
                trace.lists.named(name, value, place)
            elif isinstance(value, Generator) and value.name is None:
                value.name = name
            elif isinstance(value, tables.Table):
                value.called(name, place)
    return value


def declared(value, annotation, at=None):
    """`name: annotation = value`: what empty lists in the value hold. Python does not evaluate the annotation of a local variable."""
    trace = None if dispatch.tracing is None else active()
    if trace is not None and trace.frame is not None and (isinstance(value, (list, tuple, tables.Table)) or isinstance(value, Staged) and holds_lists(value.type)):
        trace.at = at
        frame = sys._getframe(1)
        said = evaluate_annotation(annotation, frame.f_globals, frame.f_locals)
        if isinstance(value, tables.Table):
            value.declare(said)
        else:
            trace.empties.declare(value, from_annotation(said, instances.annotated))
    return value


_CONVERSIONS = {"r": repr, "a": ascii, "s": str}


def field(value, conversion=None, spec=""):
    """A replacement field of an f-string: its text now, as Python formats one value before it evaluates the next."""
    if type(value) is PerhapsNone:
        trace = active()
        value = trace.narrowed(value)
        if type(value) is PerhapsNone and not spec:
            value, conversion = perhaps_none.text(trace, value, str if conversion in (None, "s") else repr, trace.at), None
        elif type(value) is PerhapsNone and type(spec) is str:
            value, = perhaps_none.operands(trace, lambda value: format(value, spec), (value,), trace.at)
    perhaps_arrays.refuse((value, spec))
    if type(value) is Shown and conversion in (None, "s") and not spec:
        value = value.text
    if dispatch.tracing is not None and (isinstance(value, (Staged, Undefined)) or isinstance(spec, Staged)):
        return strings.Field(value, conversion, spec)
    trace = None if dispatch.tracing is None else active()
    if trace is not None and trace.frame is not None and not isinstance(value, (int, float, str)):
        trace.contents.note(value)
        return strings.formatted(trace, value, conversion, spec)
    return format(_CONVERSIONS[conversion](value) if conversion else value, spec)


def fstring(*parts_and_at):
    """An f-string: text, and the fields of staged values."""
    *parts, at = parts_and_at
    if dispatch.tracing is not None:
        trace = active()
        if trace is not None:
            trace.at = at
        if any(isinstance(part, (strings.Field, Staged)) for part in parts):
            return strings.fstring(trace, parts)
    return "".join(parts)
