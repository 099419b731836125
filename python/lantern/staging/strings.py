"""Text of staged values, and of what holds them: str(x), repr(x) and f-strings."""
from __future__ import annotations

import typing

from lantern import types
from lantern.lazy_numpy import np
from lantern.staging import families, list_methods, merge, numbered_classes, perhaps_none, shown_values, special_methods
from lantern.staging.arguments import holds_staged
from lantern.staging.enumerations import Member
from lantern.staging.errors import StagingError
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.text_methods import characters, is_text
from lantern.staging.values import Staged, StagedRange, Undefined


def is_staged_text(value):
    return isinstance(value, Staged) and value.type == types.string


def text_of(trace, value):
    """`str(value)`."""
    return _as_one_text(trace, pieces(trace, value))


def repr_of(trace, value):
    """`repr(value)`."""
    return _as_one_text(trace, pieces(trace, value, True))


def _as_one_text(trace, parts):
    return joined(trace, [_as_text(trace, part) for part in parts])


def _as_text(trace, piece):
    if is_text(piece):
        return piece
    return trace.emit("string", (_as_python_float(trace, piece) if piece.type == types.f32 else piece,))


def _as_python_float(trace, value):
    """A number of 32 bits with all the digits that it has as a Python float."""
    return trace.emit("cast", (types.f64, value))


def pieces(trace, value, shows_repr=False):
    """What `str(value)`, or `repr(value)`, is made of: text, and staged values."""
    value = trace.narrowed(value)
    if type(value) is PerhapsNone:
        return [perhaps_none.text(trace, value, repr if shows_repr else str, trace.at)]
    if isinstance(value, Staged) and not isinstance(value.type, types.Tuple):
        if shows_repr and value.type == types.string:
            return [trace.emit("quoted", (value,))]
        check_text(trace, value)
        if shows_repr and isinstance(value.type, types.TensorType):
            return _shown_element(trace, value)
        return [_text_of_list(trace, value) if isinstance(value.type, types.List) else value]
    if type(value) is Member:
        return [value.text(shows_repr)]
    if type(value) is shown_values.Shown:
        if shows_repr:
            raise value.error
        return [value.text]
    if families.is_mixed(value):
        return [families.among(trace, value, lambda view: repr_of(trace, view) if shows_repr else text_of(trace, view), trace.at)]
    own = special_methods.text(trace, value, shows_repr)
    if own is not special_methods.NONE:
        return [own]
    from lantern.staging import iterables
    if isinstance(value, StagedRange):
        bounds = [value.start, value.stop] if type(value.step) is int and value.step == 1 else [value.start, value.stop, value.step]
        return ["range(", *_separated(trace, bounds), ")"]
    if isinstance(value, iterables.KINDS):
        raise StagingError("LT0310", "the text of something to go through, whose elements are known only when the program runs, is made", trace.place(),
                           "make a list of it first: list(…)")
    if not isinstance(value, Staged) and not holds(trace, value):
        trace.contents.note_handed(value)
        return [repr(value) if shows_repr else str(value)]
    if isinstance(value, BaseException) and not shows_repr:
        from lantern.staging.raises import message
        return message(trace, value)
    if special_methods.is_shown_by_dataclasses(value) or hasattr(type(value), "_fields"):
        name = type(value).__name__ if hasattr(type(value), "_fields") else type(value).__qualname__
        if not numbered_classes.is_numbered(value):
            return [f"{name}(", *_named(trace, special_methods.shown_fields(value)), ")"]
        return [special_methods.called_if_numbered(trace, type(value).__repr__, lambda own: _as_one_text(
            trace, [f"{name}(", *_named(trace, special_methods.shown_fields(own)), ")"]), value)]
    if isinstance(value, Staged) or isinstance(value, tuple) and type(value).__repr__ is tuple.__repr__:
        elements = list(iter(value))
        return ["(", *_separated(trace, elements), ",)" if len(elements) == 1 else ")"]
    if type(value) is list:
        contents = merge.staged_list(value)
        return ["[", *_separated(trace, value), "]"] if contents is None else pieces(trace, contents, True)
    if type(value) is dict:
        trace.contents.note(value)
        found = ["{"]
        for number, (key, element) in enumerate(value.items()):
            found += [", " if number else "", f"{key!r}: ", *pieces(trace, element, True)]
        return [*found, "}"]
    if numbered_classes.is_numbered(value):
        raise StagingError("LT0310", f"the text of a {type(value).__name__} says where in memory it is, which no program shows", trace.place(),
                           f"give the class {type(value).__name__} a method __repr__, or show its attributes")
    raise StagingError("LT0310", f"the text of a {type(value).__name__} with staged elements is not staged", trace.place(),
                       "make text of its elements")


def _shown_element(trace, value):
    """What NumPy's number is made of in a tuple or list."""
    if value.type.perhaps_number:
        raise StagingError("LT0310", f"repr() of {value.shown()}, which is a number of Python's on one path and of NumPy's on another: they have two", trace.place(),
                           "print the value itself, or make a number of it: float(…), int(…)")
    if np.lib.NumpyVersion(np.__version__) < "2.0.0":
        return [value]
    return ["np.", value, "_"] if value.type.dtype == "bool" else [f"np.{types.numpy_dtype(value.type.dtype).name}(", value, ")"]


def check_text(trace, value):
    """An error if a staged value has no text when the program runs. An element of an array prints as Python's number does, but not in a list."""
    type_ = value.type if isinstance(value, Staged) else None
    element = type_
    while isinstance(element, types.List):
        element = element.element
    if not (element is None or isinstance(element, (types.Scalar, types.Tuple)) or element is type_ and isinstance(element, types.TensorType) and not element.dims):
        raise StagingError("LT0409", f"cannot print {value.shown()}, of type {types.annotation(type_)}, when the program runs", trace.place(),
                           "print numbers and strings: its elements, or what is computed from them")


def _text_of_list(trace, values):
    from lantern.staging import library
    return library.text_of_list(trace, values)


def holds(trace, value):
    """Whether text of what a value holds is made when the program runs."""
    if isinstance(value, BaseException):
        return holds_staged(value.args)
    if special_methods.is_shown_by_dataclasses(value):
        return numbered_classes.is_numbered(value) or any(holds(trace, part) for _, part in special_methods.shown_fields(value))
    if numbered_classes.is_numbered(value):     # whose number may be known, and not its attributes
        return True
    parts = merge.parts_of(value)
    return isinstance(value, Staged) or merge.staged_list(value) is not None \
        or (any(holds(trace, part) for part in parts[1]) if parts is not None else special_methods.has(trace, value, "__str__", "__repr__"))


def _named(trace, fields):
    found = []
    for number, (name, element) in enumerate(fields):
        found += [", " if number else "", f"{name}=", *pieces(trace, element, True)]
    return found


def _separated(trace, elements):
    found = []
    for number, element in enumerate(elements):
        found += [", " if number else "", *pieces(trace, element, True)]
    return found


def formatted(trace, value, conversion, spec):
    """A replacement field of an f-string whose value holds staged ones, perhaps: its text."""
    if not conversion and not isinstance(spec, Staged):
        own = special_methods.formatted(trace, value, spec)
        if own is not special_methods.NONE:
            return own
    if conversion or type(value) is Member or type(value).__format__ is object.__format__:
        value = repr_of(trace, value) if conversion in ("r", "a") else text_of(trace, value)
    if conversion == "a" and isinstance(value, str):
        value = value.encode("ascii", "backslashreplace").decode()
    return format(value, spec) if not isinstance(value, Staged) and not isinstance(spec, Staged) else Field(value, None, spec).text(trace)


class Field(typing.NamedTuple):
    """A staged value in an f-string."""
    value: object
    conversion: str | None
    spec: object

    def text(self, trace):
        value, conversion, spec = self
        if isinstance(value, Undefined):
            raise value.error(trace.place())
        if conversion in ("r", "a"):
            value = repr_of(trace, value)
        elif conversion == "s" or not isinstance(value, Staged):
            value = text_of(trace, value)
        if isinstance(spec, Staged):
            return self._laid_out(trace, value, spec)
        if not spec:
            is_single = isinstance(value, Staged) and str(value.type) == "(tensor f32)"     # which str() and format() write in two ways
            return text_of(trace, _as_python_float(trace, value) if is_single and conversion is None else value)
        if isinstance(value, str):
            return format(value, spec)
        if isinstance(value.type, types.TensorType) and value.type.dims:
            raise StagingError("LT0310", f"{value.shown()}, of type {types.annotation(value.type)}, is laid out as '{spec}', which is staged for numbers and text alone",
                               trace.place(), "leave the format out")
        if value.type == types.string:
            format("", spec)        # which this Python may refuse: before 3.10 a width that begins with 0 is of numbers alone
        return trace.emit("format", (spec, value))

    def _laid_out(self, trace, value, spec):
        """`f"{x:{width}}"`: by a text that is known only when the program runs."""
        if isinstance(value.type if isinstance(value, Staged) else None, types.TensorType) and value.type.dims:
            raise StagingError("LT0310", f"{value.shown()}, of type {types.annotation(value.type)}, is laid out by what is known only when the program runs", trace.place(),
                               "lay out its elements")
        return trace.emit("laid-out", (value, spec))


def fstring(trace, parts):
    """An f-string: text, and the fields of staged values."""
    return joined(trace, [part.text(trace) if isinstance(part, Field) else part for part in parts])


def joined(trace, parts):
    """Text, staged or not, one behind the other."""
    parts = in_one(parts)
    if len(parts) < 2:
        return parts[0] if parts else ""
    return trace.emit("join-strings", tuple(parts))


def in_one(parts):
    """The same, with text that is known in as few parts as there can be."""
    merged = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif isinstance(part, Staged) or part:
            merged.append(part)
    return merged


def join(trace, separator, values):
    """`separator.join(values)`."""
    if hasattr(type(values), "__lantern_class__"):      # a deque, or what a dict gives
        from lantern.staging.calls import call
        values = call(trace, list, (values,), {}, trace.at)
    values = characters(trace, values) if is_staged_text(values) else trace.lists.value(values)
    if not isinstance(values, (list, tuple)) and list_methods.is_staged_iterable(values):
        from lantern.staging import library
        return library.run_together(trace, values) if type(separator) is str and not separator else library.joined(trace, values, separator)
    values = list(values)
    shown_values.refuse(values)
    if not holds_staged(values) and isinstance(separator, str):
        return separator.join(values)
    found = []
    for number, value in enumerate(values):
        if not is_text(value):
            kind = value.type if isinstance(value, Staged) else type(value).__name__
            raise TypeError(f"sequence item {number}: expected str instance, {kind} found")
        found += [separator, value] if number else [value]
    return joined(trace, found)
