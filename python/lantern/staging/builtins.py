"""Python's built-in functions on staged values."""
from __future__ import annotations

import builtins
import enum
import functools
import itertools
import math

from lantern import dispatch, slices, types
from lantern.lazy_numpy import np
from lantern.staging import builtins_sequences as sequences
from lantern.staging import families, itertools_functions, library, library_functions, list_methods, math_functions, merge, numbered_classes, special_methods, strings, text_formatting, text_methods
from lantern.staging.conditions import as_condition
from lantern.staging.contents import VIEWS
from lantern.staging.deques import StagedDeque, watched
from lantern.staging.dict_views import View, in_places
from lantern.staging.enumerations import Member
from lantern.staging.errors import StagingError
from lantern.staging.generators import Generator
from lantern.staging.iterables import Filtered, Indexed, Live, Sequence, StagedIterator, indexed, is_staged
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.remade import STAGED
from lantern.staging.sets import StagedSet
from lantern.staging.standard_output import is_redirected
from lantern.staging.tables import Table
from lantern.staging.text import Symbol
from lantern.staging.values import Staged, StagedEnumerate, StagedRange, class_in_python, opened


def counterpart(function, arguments, keywords):
    """The staged counterpart of a built-in for these arguments, or None."""
    try:
        staged = COUNTERPARTS.get(function)
    except TypeError:   # not hashable
        return None
    if staged is None:
        return None
    if function in (builtins.print, builtins.setattr, builtins.delattr):     # effects, whatever their operands
        return staged
    if function is itertools.cycle:     # which may be gone through together with what is staged
        return staged
    if function in _LAZY and any(type(value) is list and dispatch.active_trace().lists.is_own(value) for value in arguments):
        return staged       # which may change, and become staged, while it is gone through
    if function in library_functions.CHANGING and arguments and type(arguments[0]) is list and dispatch.active_trace().lists.is_of_trace(arguments[0]):
        return staged
    if function is builtins.sum and arguments and type(arguments[0]) is list and not arguments[0]:
        return staged       # which may be empty for want of the type of what recursive calls give
    if function in (builtins.isinstance, builtins.type) and arguments and type(arguments[0]) is Staged:
        return staged       # of a tuple, too, which has its elements for Python
    values = (*arguments, *keywords.values())
    if function not in _OF_GENERATORS:      # to the others, a generator is a Python object
        values = [value for value in values if not isinstance(value, Generator)]
    if any(merge.staged_list(v) is not None for v in values):
        return staged if function in _LAZY or function in library_functions.CHANGING or function is builtins.iter else _reading_lists(staged)
    if function in OF_ELEMENTS:
        if function in CALLING:
            return staged
        parts = [part for value in values if isinstance(value, (tuple, set, frozenset)) or type(value) in (list, *VIEWS) for part in value]
        if function is not builtins.tuple and function is not builtins.list:
            values = (*values, *parts)
        if function in _ORDERING and (keywords.get("key") is not None and arguments or list_methods.holds_staged(values)):
            return staged       # what the key gives may be staged, whatever the elements are
        if function in _ORDERING:       # of tuples, what they hold is compared
            values = (*values, *(part for value in parts if type(value) is tuple for part in value))
        if any(special_methods.has(dispatch.active_trace(), part, *_ASKING.get(function, ())) for part in values):
            return staged
        if function in _OF_NONE and any(type(part) is PerhapsNone for part in parts):
            return staged
    if any(is_staged(v) and (not dispatch.is_global(v) or function is not builtins.isinstance) for v in values):
        return staged
    return None


_OF_NONE = builtins.any, builtins.all, builtins.min, builtins.max     # which ask each element whether it is None, where it may be


def of_users(trace, function, arguments, keywords):
    """(the arguments, an iterator for each object of the user's that the function goes through; what a special method of the first one's class gives)."""
    of_arguments = function in (builtins.min, builtins.max) and len(arguments) > 1
    if function in OF_ELEMENTS and function is not builtins.reversed and not of_arguments:
        first = 1 if function in _OF_FUNCTIONS else 0
        together = function in (builtins.zip, builtins.map) and sum(isinstance(value, (Generator, Table, View)) for value in arguments) > 1
        through = [in_places(trace, v) if together and isinstance(v, (Table, View)) else _gone_through(trace, function, v, keywords) for v in arguments[first:]]
        return (*arguments[:first], *through), special_methods.NONE
    if function is builtins.range:
        return tuple(special_methods.index(trace, value) for value in arguments), special_methods.NONE
    asked = _OF_USERS.get(function)
    return arguments, special_methods.of_builtin(trace, function, arguments) if asked is None else asked(trace, *arguments)


def _gone_through(trace, function, value, keywords):
    """What a function goes through for an object of the user's, or a set, whose order is nobody's business but Python's."""
    from lantern.staging.calls import call
    is_set = isinstance(value, StagedSet) and function in _WITHOUT_ORDER and not keywords.get("key") and not (function is builtins.sum and value.adds_in_order())
    if isinstance(value, StagedSet) and function in _ORDERING and keywords.get("key"):
        value.refuse(f"{function.__name__} by a key goes through a set", f"elements whose keys are equal stay in that order: {function.__name__}(sorted(s), key=…)")
    found = call(trace, value.members, (), {}, trace.at) if is_set else iterated(trace, value, function is builtins.enumerate)
    if function in _TOGETHER and isinstance(value := opened(value), StagedDeque) and is_staged(found):
        return watched(indexed(trace, found), value.items)
    return list(found) if function in _ORDERING and type(found) in _LAZY else found


def iterated(trace, value, in_loop=False):
    """What goes through an object of the user's, which nobody else has; any other value as it is."""
    if strings.is_staged_text(value):
        return text_methods.characters(trace, value)
    found = special_methods.elements(trace, value := opened(value), in_loop)
    if type(found) is not StagedIterator:
        return value if found is special_methods.NONE else found
    return found.sequence.list if isinstance(found.sequence, Live) else found.sequence


def _truth_of_users(trace, value):
    found = special_methods.truth(trace, value)
    return found if found is special_methods.NONE or isinstance(found, bool) else _cast_to("bool")(trace, found)


def _text_of_users(trace, *arguments, make=strings.text_of):
    return make(trace, *arguments) if len(arguments) == 1 and strings.holds(trace, *arguments) else special_methods.NONE


def _isinstance_of_users(trace, *arguments):
    if len(arguments) == 2 and numbered_classes.is_numbered(arguments[0]):
        return (families if families.is_mixed(arguments[0]) else numbered_classes).is_instance(trace, *arguments)
    return issubclass(class_in_python(arguments[0]), arguments[1]) if len(arguments) == 2 and type(arguments[0]) in STAGED.values() else special_methods.NONE


def _hasattr_of_users(trace, *arguments):
    is_mixed = len(arguments) == 2 and families.is_mixed(arguments[0]) and isinstance(arguments[1], str)
    return families.has_attribute(trace, *arguments, trace.at) if is_mixed else special_methods.NONE


def _type_of_users(trace, *arguments):
    if len(arguments) == 1 and families.is_mixed(arguments[0]):
        return families.read(trace, arguments[0], "__class__", trace.at)
    if len(arguments) == 1 and type(arguments[0]) in STAGED.values():
        return class_in_python(arguments[0])
    if len(arguments) == 1 and numbered_classes.is_numbered(arguments[0]):
        return numbered_classes.user_class(type(arguments[0]))
    return arguments[0].of_class if len(arguments) == 1 and type(arguments[0]) is Member else special_methods.NONE


_repr_of_users = functools.partial(_text_of_users, make=strings.repr_of)

_TOGETHER = (builtins.zip, builtins.map, builtins.filter)
_OF_USERS = {builtins.len: special_methods.length, builtins.bool: _truth_of_users, builtins.iter: special_methods.iterator, builtins.next: special_methods.next_,
             builtins.str: _text_of_users, builtins.repr: _repr_of_users, builtins.type: _type_of_users, builtins.isinstance: _isinstance_of_users, builtins.hasattr: _hasattr_of_users}

# The methods of elements that a function asks.
_ASKING = {builtins.sum: ("__add__", "__radd__"), builtins.min: ("__lt__", "__gt__"), builtins.max: ("__lt__", "__gt__"),
           builtins.sorted: ("__lt__", "__gt__"), builtins.any: ("__bool__", "__len__"), builtins.all: ("__bool__", "__len__")}


def _to_base(layout):
    """`bin`, `oct` or `hex`: a whole number's text in another base."""
    def text(trace, number):
        type_ = trace.type_of(number)
        if type_ not in (types.bool_, types.i64, types.i32):
            raise TypeError(f"'{types.annotation(type_)}' object cannot be interpreted as an integer")
        return trace.emit("format", (layout, number))
    return text


def _reading_lists(function):
    """The same function, of what staged lists hold."""
    def run(trace, *arguments, **keywords):
        value = trace.lists.value
        return function(trace, *map(value, arguments), **{name: value(x) for name, x in keywords.items()})
    return run


def _print(trace, *values, sep=" ", end="\n", file=None, flush=False):
    if file is not None:
        raise StagingError("LT0310", "a staged print writes to standard output", trace.place(), "leave out `file`")
    if is_redirected():
        raise StagingError("LT0310", "this print is to go where sys.stdout is redirected while the program is staged, not when it runs",
                           trace.place(), "redirect standard output around the call of the compiled function")
    sep, end = " " if sep is None else sep, "\n" if end is None else end
    is_line = isinstance(end, str) and end == "\n"
    if not is_line or len(values) > 1 and not (isinstance(sep, str) and sep == " "):
        parts = [part for value in values for part in (sep, strings.text_of(trace, value))][1:]
        values = (strings.joined(trace, parts if is_line else [*parts, end]),)
    trace.effect((Symbol("print" if is_line else "print-part"), *(_printed(trace, value) for value in values)))


def _printed(trace, value):
    if value is not None and merge.is_stageable(value) and not hasattr(type(value), "__lantern_struct__") and not _is_of_parts(trace.type_of(value)):
        strings.check_text(trace, value)
        return trace.node(value)
    return trace.node(strings.text_of(trace, value))


def _is_of_parts(type_):
    return isinstance(type_, (types.Tuple, types.List))


def range_(trace, *bounds):
    """`range(…)` as what a staged loop goes over, whatever is known of its bounds."""
    bounds = tuple(special_methods.index(trace, bound) for bound in bounds)
    bounds = tuple(int(bound) if isinstance(bound, np.integer) else _number_of(trace, bound) if isinstance(bound, Staged) else bound for bound in bounds)
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    for bound in (start, stop, step):
        type_ = trace.type_of(bound)
        if type_ not in (None, types.i64, types.i32, types.bool_):
            raise TypeError(f"'{'float' if type_ in (types.f64, types.f32) else types.annotation(type_)}' object cannot be interpreted as an integer")
    return StagedRange(start, stop, step)


def part_of_range(trace, value, key):
    """`range(…)[key]`."""
    if not isinstance(key, slice):
        raise StagingError("LT0310", "one of the numbers of a range is asked for, whose bounds are known only when the program runs", trace.place(),
                           "compute it, start + i * step, or make a list of it: list(range(…))[i]")
    first, step, count = slices.places(key, length(trace, value))
    if step not in (1, -1):
        raise StagingError("LT0310", f"a range whose bounds are known only when the program runs is taken in steps of {step}", trace.place(),
                           "give the range that step: range(start, stop, step)")
    begin = value.start + first * value.step
    return StagedRange(begin, begin + count * step * value.step, step * value.step)


def length(trace, value):
    """`len(value)`."""
    if isinstance(value, Sequence):
        return value.length
    if isinstance(value, (Indexed, Filtered, StagedEnumerate, StagedIterator)):
        raise TypeError("an iterator has no len()")
    if isinstance(value, StagedRange):
        return trace.emit("range-length", (value.start, value.stop, value.step))
    if dispatch.is_global(value):
        return value.shape[0]
    if isinstance(value.type, types.Tuple):
        return len(value.type.elements)
    if isinstance(value.type, types.TensorType):
        if not value.type.dims:
            raise TypeError("len() of a rank-0 array")
        if isinstance(value.type.dims[0], int):
            return value.type.dims[0]
        return trace.emit("shape", (value, 0))
    result = trace.emit("length", (value,))
    result.length_of = value
    return result


def _number_of(trace, value):
    """The number in an array of rank 0, or in a parameter or state of that."""
    type_ = trace.type_of(value)
    return trace.emit("item", (value,)) if isinstance(type_, types.TensorType) and not type_.dims else value


def _cast_to(name):
    def cast(trace, value=0, *rest, **base):
        if strings.is_text(value) and name != "bool":
            return text_methods.parsed_int(trace, value, *rest, **base) if name == "i64" else text_methods.parsed_float(trace, value)
        if rest or base:
            raise StagingError("LT0310", "a staged conversion takes one number", trace.place())
        if isinstance(value, Staged) and value.type == types.Scalar(name):
            return value
        if isinstance(value, Staged) and name == "bool":
            value = as_condition(trace, value)
            return trace.emit("item", (value,)) if isinstance(value, Staged) and isinstance(value.type, types.TensorType) else value
        value = _number_of(trace, value)
        if isinstance(value, Staged) and value.type == types.Scalar(name):
            return value
        if isinstance(trace.type_of(value), types.TensorType):
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return trace.emit("cast", (types.Scalar(name), value))
    return cast


def _str(trace, value=""):
    return strings.text_of(trace, value)


def _repr(trace, value):
    return strings.repr_of(trace, value)


def _abs(trace, value):
    return trace.emit("abs", (value,))


def _isinstance(trace, value, classes):
    """A number's class is known by its type; the class of a structure, too."""
    if not isinstance(value, Staged):       # what is gone through
        made = getattr(value.__dict__.get("made"), "function", None)
        return issubclass(range if isinstance(value, StagedRange) else made if isinstance(made, type) else object, classes)
    found = {issubclass(cls, classes) for cls in classes_of(trace, value, "isinstance")}
    for cls in classes if isinstance(classes, tuple) else (classes,):
        if isinstance(cls, type) and issubclass(cls, enum.Enum) and isinstance(value.type, types.Scalar):
            raise StagingError("LT0310", f"whether {value.shown()}, of type {types.annotation(value.type)}, is a member of {cls.__name__}, whose members are numbers or "
                               "strings in the program, is not known: isinstance cannot tell", trace.place(), f"leave the question out; {cls.__name__}(x) fails where it is none")
    if len(found) > 1:
        raise StagingError("LT0310", f"whether {value.shown()}, of type {types.annotation(value.type)}, is an array, NumPy's number or Python's is not known while "
                           "staging: isinstance cannot tell", trace.place(), "make a number of it first, float(…) or int(…), or leave the question out")
    return found == {True}


def classes_of(trace, value, asks):
    """The class that a staged value has in Python; of an array of rank 0 those that it may have: NumPy's number, an array without axes, or, where a path gave
    one, Python's number. asks: who wants to know."""
    type_ = value.type
    if type_ is None:
        raise StagingError("LT0310", f"the type of {value.shown()} is not known while staging: {asks} cannot tell", trace.place(),
                           "annotate the entry's parameters")
    if isinstance(type_, types.Optional):
        raise StagingError("LT0310", f"whether {value.shown()} is None is known only when the program runs: {asks} cannot tell",
                           trace.place(), "ask `is None` first")
    if isinstance(type_, types.TensorType) and not type_.dims:
        number = np.dtype(types.numpy_dtype(type_.dtype)).type
        return (number, np.ndarray, type(number().item())) if type_.perhaps_number else (number, np.ndarray)
    python_class = _class_of(type_)
    return () if python_class is None else (python_class,)


def _class_of(type_):
    """The class of a type's values in Python; None if there is none."""
    if isinstance(type_, types.StructType):
        return type_.declaration
    known = ((types.Tuple, tuple), (types.List, list), (types.TensorType, np.ndarray), (types.NoneType, type(None)))
    numbers = {"bool": bool, "i64": int, "i32": int, "f64": float, "f32": float, "string": str}
    return next((cls for kind, cls in known if isinstance(type_, kind)), None) or numbers.get(getattr(type_, "name", None))


def _type(trace, value):
    raise StagingError("LT0310", f"type(…) of {value.shown()} is asked while staging", trace.place(), "use isinstance(…)")


_NOTHING = object()
_OF_NAMES = {
    "getattr": "choose by a dict of what is meant: {'a': self.visit_a, 'b': self.visit_b}[name]",
    "hasattr": "ask whether it is one of those that are meant: name in ('a', 'b')",
    "setattr": "keep what the names lead to in a dict: self.values[name] = x", "delattr": "keep what the names lead to in a dict: del self.values[name]",
}


def _check_name(trace, function, name):
    if isinstance(name, Staged):
        raise StagingError("LT0310", f"{function}() of an attribute whose name is known only when the program runs", trace.place(), _OF_NAMES[function])


def _getattr(trace, value, name, default=_NOTHING):
    from lantern.staging import attributes
    _check_name(trace, "getattr", name)
    if dispatch.is_global(value):
        from lantern.operators_expressions import getattr_
        return getattr_(value, name, trace.at) if default is _NOTHING or hasattr(value, name) else default
    has = default is _NOTHING or _hasattr(trace, value, name)
    if isinstance(has, Staged):
        from lantern.operators_control import if_exp
        return if_exp(has, lambda: attributes.read(value, name, trace.at), lambda: default, trace.at)()
    return attributes.read(value, name, trace.at) if has else default


def _hasattr(trace, value, name):
    _check_name(trace, "hasattr", name)
    if dispatch.is_global(value):
        return hasattr(value, name)
    is_optional = isinstance(value.type, types.Optional)
    type_ = value.type.element if is_optional else value.type
    cls = _class_of(type_)
    if cls is None:
        what, hint = ("the type", "annotate the entry's parameters") if type_ is None else ("the class", "ask what it is by isinstance, or leave the question out")
        raise StagingError("LT0310", f"{what} of {value.shown()} is not known while staging: hasattr cannot tell", trace.place(), hint)
    has = hasattr(cls, name) or isinstance(type_, types.StructType) and name in type_.fields
    if not is_optional or hasattr(None, name) is has:
        return has
    missing = trace.is_none(value)
    return missing if not has else trace.negate(missing)


def _setattr(trace, target, name, value):
    from lantern.operators_stores import setattr_
    _check_name(trace, "setattr", name)
    setattr_(value, target, name, trace.at)


def _delattr(trace, target, name):
    from lantern.operators_stores import delattr_
    _check_name(trace, "delattr", name)
    delattr_(target, name, trace.at)


def _divmod(trace, a, b):
    return trace.emit("//", (a, b)), trace.emit("%", (a, b))


def _round(trace, value, digits=None):
    value = _number_of(trace, value)
    type_ = trace.type_of(value)
    if not isinstance(type_, types.Scalar):
        raise StagingError("LT0310", f"round() of {types.annotation(type_)}", trace.place(), "np.round(x) rounds the elements of an array")
    if isinstance(digits, Staged) and type_ in (types.i64, types.i32, types.bool_):
        raise StagingError("LT0310", "to how many digits a whole number is rounded is known only when the program runs", trace.place(), "give a number that is known while staging")
    if type_ in (types.i64, types.i32, types.bool_):
        return value if digits is None or digits >= 0 else library.rounded_to(trace, value, 10 ** -digits)
    return library.rounded(trace, value) if digits is None else trace.emit("round-digits", (value, digits))


def _pow(trace, base, exponent, modulus=None):
    if modulus is not None:
        if not all(trace.type_of(value) in (types.i64, types.i32, types.bool_, None) for value in (base, exponent, modulus)):
            raise TypeError("pow() 3rd argument not allowed unless all arguments are integers")
        return library.power_modulo(trace, base, exponent, modulus)
    return trace.emit("**", (base, exponent))


def _hash(trace, value):
    return hash(value)      # which says why there is none


COUNTERPARTS = {
    builtins.print: _print, builtins.range: range_, builtins.len: length, builtins.float: _cast_to("f64"),
    builtins.int: _cast_to("i64"), builtins.bool: _cast_to("bool"), builtins.str: _str, builtins.repr: _repr, builtins.abs: _abs,
    builtins.max: sequences.extreme(True), builtins.min: sequences.extreme(False), builtins.sum: sequences.sum_, builtins.isinstance: _isinstance,
    builtins.type: _type, builtins.enumerate: sequences.enumerate_, builtins.pow: _pow, builtins.round: _round,
    builtins.any: sequences.any_all("any"), builtins.all: sequences.any_all("all"), builtins.hash: _hash, builtins.bin: _to_base("#b"), builtins.oct: _to_base("#o"), builtins.hex: _to_base("#x"), builtins.ord: text_methods.code_of, builtins.chr: text_methods.character_of,
    builtins.getattr: _getattr, builtins.hasattr: _hasattr, builtins.setattr: _setattr, builtins.delattr: _delattr,
    builtins.divmod: _divmod, builtins.tuple: sequences.tuple_, builtins.list: sequences.list_,
    builtins.sorted: sequences.sorted_, builtins.zip: sequences.zip_, builtins.map: sequences.map_, builtins.filter: sequences.filter_,
    builtins.reversed: sequences.reversed_,
    builtins.iter: sequences.iter_, builtins.next: sequences.next_, builtins.format: text_formatting.format_,
    dict.fromkeys: sequences.fromkeys, **math_functions.COUNTERPARTS, **itertools_functions.COUNTERPARTS, **library_functions.COUNTERPARTS,
}

# What these give reads a list as it is gone through itself; so does an iterator.
_LAZY = frozenset((builtins.enumerate, builtins.zip, builtins.map, builtins.filter, builtins.reversed, *itertools_functions.LAZY))

# Those that go through what they are given, so that staged elements count.
OF_ELEMENTS = {builtins.sum, builtins.min, builtins.max, builtins.any, builtins.all, builtins.sorted, builtins.zip, builtins.map,
               builtins.filter, builtins.reversed, builtins.list, builtins.tuple, builtins.set, builtins.enumerate, math.prod, math.dist,
               *library_functions.OF_ELEMENTS, *(set(itertools_functions.COUNTERPARTS) - {itertools.count, itertools.repeat})}

# Those that do not tell in which order the elements come, which are all different.
_WITHOUT_ORDER = frozenset((builtins.sum, builtins.min, builtins.max, builtins.any, builtins.all, builtins.sorted, builtins.set))

# Those that call what they are given with elements, whatever they are.
CALLING = frozenset((builtins.map, builtins.filter, *itertools_functions.CALLING))
_OF_FUNCTIONS = CALLING - {itertools.accumulate}      # which stands first

_ORDERING = frozenset((builtins.sorted, builtins.min, builtins.max))

# Those that go through a generator as far as they need it.
_OF_GENERATORS = frozenset((builtins.sum, builtins.any, builtins.all, builtins.zip, builtins.map, builtins.filter, builtins.enumerate, builtins.iter, builtins.next,
                            functools.reduce, math.prod, itertools.accumulate, itertools.islice, itertools.groupby, itertools.chain, itertools.starmap, itertools.product, itertools.combinations, itertools.permutations))

# Those that need all elements of one: they are given a list.
OF_LISTS = {builtins.min, builtins.max, builtins.sorted, builtins.list, builtins.tuple, builtins.set, builtins.frozenset, builtins.dict, *library_functions.OF_ELEMENTS}
