"""Special methods of the user's classes, which converted code calls by an operator or a built-in function.

CPython would call them as plain code. So what it would find is called here as any function of the user's is. Each question has NONE
for an answer where no method of the user's is asked.
"""
from __future__ import annotations

import builtins
import dataclasses
import functools
import inspect
import types as python_types

from lantern import types
from lantern.staging import failures, families
from lantern.staging.numbered_classes import is_numbered, user_class
from lantern.staging.unchanged import is_by_identity
from lantern.staging.values import Staged

_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
               "<<": "lshift", ">>": "rshift", "&": "and", "|": "or", "^": "xor"}
_BINARY = {symbol: (f"__{name}__", f"__r{name}__") for symbol, name in _ARITHMETIC.items()}
_INPLACE = {symbol: f"__i{name}__" for symbol, name in _ARITHMETIC.items()}
_COMPARE = {"==": ("__eq__", "__eq__"), "!=": ("__ne__", "__ne__"), "<": ("__lt__", "__gt__"), ">": ("__gt__", "__lt__"),
            "<=": ("__le__", "__ge__"), ">=": ("__ge__", "__le__")}
_UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
SYMBOLS = {name: symbol for symbol, (name, _) in _COMPARE.items()}

# What a built-in function calls, and the class of what that must give.
_OF_BUILTINS = {builtins.abs: ("__abs__", None), builtins.int: ("__int__", int), builtins.float: ("__float__", float),
                builtins.round: ("__round__", None), builtins.reversed: ("__reversed__", None), builtins.divmod: ("__divmod__", None)}
_WITHOUT = frozenset((int, float, bool, str, bytes, complex, type(None), tuple, list, dict, set, range, type))     # the classes in short
NONE = object()


def method(trace, value, name):
    """A special method of the user's, to be called with its other operands; None if the value's class has none, or one of Python's."""
    cls = type(value)
    if families.is_mixed(value) and trace is not None:
        return families.method(trace, value, name)
    if trace is not None and trace.lists.remade.is_unsettled(value) and hasattr(cls, name):
        return lambda *_: trace.lessons.asked(value, name)
    if cls in _WITHOUT:
        return None
    cls = _class_of(value)
    if cls is Staged:
        return None
    found = getattr(cls, name, None)
    if name == "__eq__" and is_numbered(value) and is_by_identity(cls):
        return lambda other: trace.numbered.is_one(value, other)
    if not isinstance(found, python_types.FunctionType):
        return None
    if is_dataclasses(cls, found):
        return functools.partial(_compared, trace, value, name) if name in SYMBOLS and cls is user_class(type(value)) else None
    from lantern.staging import attributes, calls, convert
    if calls.is_users(found):
        if trace.frame is not None:
            attributes.note_of_class(trace, cls, name)
        return lambda *operands: calls.call(trace, python_types.MethodType(found, value), operands, {}, trace.at)
    if found.__code__.co_filename == functools.__file__:    # functools.total_ordering's, which ask the user's
        return lambda *operands: trace.specialisations.call(found, convert.converted(found), (value, *operands), {})
    return None


def _class_of(value):
    """The class whose methods are asked: of a staged structure its own."""
    return value.type.declaration if type(value) is Staged and isinstance(value.type, types.StructType) else user_class(type(value))


def has(trace, value, *names):
    """Whether a value's class has one of these methods, and it is the user's."""
    return any(method(trace, value, name) is not None for name in names)


def is_dataclasses(cls, function):
    """Whether `dataclasses` wrote a method."""
    return dataclasses.is_dataclass(cls) and isinstance(function, python_types.FunctionType) and inspect.unwrap(function).__code__.co_filename == "<string>"


def _owner(cls, name):
    """The class that has a method that another may have from it."""
    return next(each for each in cls.__mro__ if name in vars(each))


def compared_by(cls, name):
    """The names of the fields that a comparison compares which `dataclasses` wrote, maybe for a class that this one is derived from; None of another."""
    owner = _owner(cls, name)
    return [field.name for field in dataclasses.fields(owner) if field.compare] if is_dataclasses(owner, getattr(cls, name)) else None


def _compared(trace, value, name, other):
    """What the comparison of a dataclass does, which was written for the class that has it."""
    from lantern.operators_comparisons import compare as compare_values
    from lantern.operators_expressions import getattr_
    cls = user_class(type(value))
    if user_class(type(other)) is not cls:
        return NotImplemented
    names = compared_by(cls, name)

    def compared(*values):
        return compare_values(SYMBOLS[name], *(tuple(getattr_(each, field, trace.at) for field in names) for each in values), trace.at)
    return called_if_numbered(trace, getattr(cls, name), compared, value, other)


def called_if_numbered(trace, function, run, *values):
    """What `run` gives, which stands for a function that `dataclasses` has written: of numbered objects, which may hold others of their class, by a call."""
    return trace.specialisations.call(inspect.unwrap(function), run, values, {}) if all(map(is_numbered, values)) else run(*values)


def binary(trace, symbol, a, b):
    """`a + b`."""
    result = _either(trace, symbol, a, b, *_BINARY[symbol], _class_of(a) is not _class_of(b))
    return _unless_numbered(result, symbol, a, b)


def _unless_numbered(result, symbol, *values):
    """What an operator gives; of numbered objects, which are tuples to the program, Python's error where no method is asked."""
    if result is not NONE or not any(map(is_numbered, values)):
        return result
    problem = f"'{symbol}' not supported between instances of" if symbol in _COMPARE else f"unsupported operand type(s) for {symbol}:"
    raise TypeError(f"{problem} {' and '.join(repr(_class_name(value)) for value in values)}" if len(values) > 1 else f"bad operand type for unary {symbol}: '{_class_name(*values)}'")


def compare(trace, symbol, a, b):
    """`a < b`."""
    result = _either(trace, symbol, a, b, *_COMPARE[symbol], True)
    if result is NONE and symbol == "!=":       # which object's own method gets from `==`
        result = compare(trace, "==", a, b)
        if result is not NONE:
            from lantern.operators_control import not_
            return not_(result, trace.at)
    return result if symbol in ("==", "!=") else _unless_numbered(result, symbol, a, b)


def _either(trace, symbol, a, b, name, reflected, asks_both):
    attempts = [(a, method(trace, a, name), name, b), (b, method(trace, b, reflected) if asks_both else None, reflected, a)]
    if all(found is None for _, found, _, _ in attempts):
        return NONE
    if _class_of(b) is not _class_of(a) and issubclass(_class_of(b), _class_of(a)):
        attempts.reverse()
    for own, found, which, other in attempts if asks_both else attempts[:1]:
        result = _pythons(trace, own, which, other) if found is None else found(other)
        if result is not NotImplemented:
            return result
    if symbol in ("==", "!="):
        return (a is b) is (symbol == "==")
    problem = f"'{symbol}' not supported between instances of" if symbol in _COMPARE else f"unsupported operand type(s) for {symbol}:"
    raise TypeError(f"{problem} '{_class_name(a)}' and '{_class_name(b)}'")


def _pythons(trace, own, name, other):
    """What a method gives that is not the user's."""
    found = None if isinstance(own, Staged) else getattr(type(own), name, None)
    if isinstance(own, tuple) and name in SYMBOLS and found is getattr(tuple, name):
        from lantern.operators_comparisons import compare as compare_values
        return compare_values(SYMBOLS[name], tuple(own), tuple(other), trace.at) if isinstance(other, tuple) else NotImplemented
    return NotImplemented if found is None else found(own, other)


_CLASSES = {types.bool_: bool, types.i64: int, types.i32: int, types.f64: float, types.f32: float, types.string: str}


def _class_name(value):
    return _CLASSES.get(value.type, Staged).__name__ if isinstance(value, Staged) else type(value).__name__


def unary(trace, symbol, value):
    """`-a`."""
    found = method(trace, value, _UNARY[symbol])
    return _unless_numbered(NONE, symbol, value) if found is None else found()


def inplace(trace, symbol, target, value):
    """`a += b`."""
    found = method(trace, target, _INPLACE[symbol])
    if found is None and not isinstance(target, Staged) and hasattr(type(target), _INPLACE[symbol]):
        return NONE     # Python's own
    result = NotImplemented if found is None else found(value)
    return binary(trace, symbol, target, value) if result is NotImplemented else result


def item(trace, name, target, *operands):
    """`a[i]`, `a[i] = v`, `del a[i]` and `v in a`, by name."""
    found = method(trace, target, name)
    return NONE if found is None else found(*operands)


def truth(trace, value):
    """What tells the truth of a user's object: what its __bool__ gives, or its length."""
    found = method(trace, value, "__bool__")
    if found is not None:
        return _of_class(found(), bool, "__bool__ should return bool, returned {}")
    return NONE if isinstance(value, Staged) or hasattr(type(value), "__bool__") else length(trace, value)


def length(trace, value):
    """`len(a)`."""
    found = method(trace, value, "__len__")
    if found is None:
        return NONE
    from lantern.staging import library
    result = _of_class(found(), int, "'{}' object cannot be interpreted as an integer")
    if not (isinstance(result, Staged) and result.length_of is not None or hasattr(type(value), "__lantern_class__")):
        library.check_length(trace, result)
    return result


def iterator(trace, value, in_loop=False):
    """`iter(a)`. in_loop: as a loop asks for it, which may change what it goes over."""
    from lantern.staging import iterables
    found = method(trace, value, getattr(type(value), "__lantern_loop__", "__iter__") if in_loop else "__iter__")
    if found is None:
        return NONE
    result = found()
    if isinstance(result, iterables.KINDS) and not isinstance(result, iterables.NO_ITERATORS) or hasattr(type(result), "__next__") \
            or trace.lists.remade.is_unsettled(value):
        return result
    raise TypeError(f"iter() returned non-iterator of type '{_class_name(result)}'")


def elements(trace, value, in_loop=False):
    """What goes through all that `iter(a)` gives."""
    from lantern.staging import user_iterators
    result = iterator(trace, value, in_loop)
    if result is NONE or method(trace, result, "__next__") is None:
        return result
    return user_iterators.elements(trace, result) or _Iterator(trace, result)


class _Iterator:
    """An iterator of the user's, to Python."""

    def __init__(self, trace, value):
        self.trace, self.next = trace, method(trace, value, "__next__")

    def __iter__(self):
        return self

    def __next__(self):
        with failures.Guard(self.trace, "for", lambda: StopIteration, self.trace.place()):
            return self.next()


def next_(trace, value, *default):
    """`next(a)`, `next(a, default)`."""
    from lantern.staging import user_iterators
    found = method(trace, value, "__next__")
    return NONE if found is None else user_iterators.element_or(trace, value, *default) if default else found()


def text(trace, value, shows_repr=False):
    """`str(a)`, `repr(a)`."""
    name = "__repr__" if shows_repr else "__str__"
    found = method(trace, value, name)
    if found is None:
        if shows_repr or isinstance(value, Staged) or type(value).__str__ is not object.__str__:
            return NONE
        return text(trace, value, True)
    return _of_class(found(), str, f"{name} returned non-string (type {{}})")


def is_shown_by_dataclasses(value):
    """Whether `dataclasses` wrote what makes text of a value."""
    cls = type(value)
    return dataclasses.is_dataclass(cls) and isinstance(cls.__repr__, python_types.FunctionType) and is_dataclasses(cls, cls.__repr__) \
        and cls.__str__ is object.__str__


def shown_fields(value):
    """[(name, value)] of what a dataclass or a named tuple shows."""
    if isinstance(value, tuple):
        return list(zip(value._fields, value))
    from lantern.operators_expressions import getattr_
    return [(field.name, getattr_(value, field.name)) for field in dataclasses.fields(value) if field.repr]


def formatted(trace, value, spec):
    """`format(a, spec)`."""
    found = method(trace, value, "__format__")
    return NONE if found is None else _of_class(found(spec), str, "__format__ must return a str, not {}")


def index(trace, value):
    """`operator.index(a)`; the value itself if no method of the user's is asked."""
    found = method(trace, value, "__index__")
    return value if found is None else _of_class(found(), int, "__index__ returned non-int (type {})")


def of_builtin(trace, function, arguments):
    """What one of Python's functions of an object gives, if that is a method's to say."""
    if function not in _OF_BUILTINS or not arguments:
        return NONE
    name, cls = _OF_BUILTINS[function]
    found = method(trace, arguments[0], name)
    if found is None:
        return NONE
    owner = f"{type(arguments[0]).__name__}." if cls is float else ""
    result = found(*arguments[1:])
    return result if cls is None else _of_class(result, cls, f"{owner}{name} returned non-{cls.__name__} (type {{}})")


def _of_class(result, cls, message):
    """What a method gives, if that is of the class that Python wants; what is not known so far may be."""
    if isinstance(result, Staged) and result.type is None:
        return result
    if not issubclass(_CLASSES.get(result.type, Staged) if isinstance(result, Staged) else type(result), cls):
        raise TypeError(message.format(_class_name(result)))
    return result
