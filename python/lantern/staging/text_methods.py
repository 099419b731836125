"""Characters, slices and methods of texts that only the program knows, or that are asked for what only it knows."""
from __future__ import annotations

import types as python_types

from lantern import slices, types
from lantern.staging import list_methods, text_definitions
from lantern.staging.arguments import holds_staged
from lantern.staging.errors import StagingError
from lantern.staging.library import define
from lantern.staging.values import Staged

# Instead of what such a text does not have.
REMEDY = "a text that is known only when the program runs has characters, slices, and the methods that docs/language.md lists; do the rest before the call"


def is_text(value):
    return isinstance(value, str) or isinstance(value, Staged) and value.type == types.string


def characters(trace, text):
    """The characters of a text, as what a list holds."""
    return trace.emit("characters", (text,))


def _check_places(key):
    """Python's TypeError, if a place is no number."""
    for place in list_methods.bounds(key):
        if isinstance(place, Staged):
            is_place, like = place.type in (types.i64, types.i32), "" if place.type == types.string else 0.5
        else:
            is_place, like = hasattr(type(place), "__index__") or place is None and isinstance(key, slice), place
        if not is_place:
            "a"[slice(like) if isinstance(key, slice) else like]


def item(trace, text, key):
    """`text[key]`."""
    key = list_methods.counted(trace, key)
    _check_places(key)
    if not isinstance(key, slice):
        return trace.emit("character", (text, key))
    size = len(text) if isinstance(text, str) else trace.emit("length", (text,))
    if isinstance(key.step, Staged):
        return trace.emit("every", (text, *list_methods.strided_places(trace, key, size)))
    if slices.step_of(key) == 1:
        return trace.emit("substring", (text, *slices.span(key, size)))
    return trace.emit("every", (text, *slices.places(key, size)))


def contains(trace, text, part):
    """`part in text`."""
    if not is_text(part):
        raise TypeError(f"'in <string>' requires string as left operand, not {_kind(part)}")
    return trace.emit("contains", (text, part))


def code_of(trace, text):
    """`ord(text)`."""
    if not is_text(text):
        raise TypeError(f"ord() expected string of length 1, but {_kind(text)} found")
    return trace.emit("code-of", (text,))


def character_of(trace, code):
    """`chr(code)`."""
    if trace.type_of(code) not in (types.i64, types.i32, types.bool_):
        raise TypeError(f"'{_kind(code)}' object cannot be interpreted as an integer")
    return trace.emit("character-of", (code,))


def parsed_int(trace, text, base=10):
    """`int(text, base)`."""
    return trace.emit("parse-int", (text, base))


def parsed_float(trace, text):
    """`float(text)`."""
    return trace.emit("parse-float", (text,))


def _kind(value):
    return types.annotation(value.type) if isinstance(value, Staged) else type(value).__name__


def _check_text(*values):
    for value in values:
        if not is_text(value):
            raise TypeError(f"must be str, not {_kind(value)}")


_first_place = define(text_definitions.first_place)
_found = define(text_definitions.found)
_find_last = define(text_definitions.find)
_count = define(text_definitions.count)
_starts = define(text_definitions.starts)
_ends = define(text_definitions.ends)


def _within(trace, text, start, stop):
    """(the text up to `stop`, where a search in it begins)."""
    within = text if stop is None else item(trace, text, slice(None, stop))
    if start is None or isinstance(start, int) and start >= 0:
        return within, start or 0
    return within, _first_place(trace, start, len(text) if isinstance(text, str) else trace.emit("length", (text,)))


def _find(trace, text, part, start=None, stop=None, /):
    _check_text(part)
    text, first = _within(trace, text, start, stop)
    return trace.emit("find-from", (text, part, first))


def _rfind(trace, text, part, start=None, stop=None, /):
    _check_text(part)
    text, first = _within(trace, text, start, stop)
    return trace.emit("find-last", (text, part)) if isinstance(first, int) and first == 0 else _find_last(trace, text, part, first)


def _counted(trace, text, part, start=None, stop=None, /):
    _check_text(part)
    text, first = _within(trace, text, start, stop)
    return trace.emit("count-of", (text, part)) if isinstance(first, int) and first == 0 else _count(trace, text, part, first)


def _asks(operator, behind):
    """`startswith`, `endswith`."""
    def ask(trace, text, parts, start=None, stop=None, /):
        if isinstance(parts, Staged) and isinstance(parts.type, types.Tuple):
            parts = tuple(parts)
        _check_text(*(parts if isinstance(parts, tuple) else (parts,)))
        text, first = _within(trace, text, start, stop)
        result = False
        for part in parts if isinstance(parts, tuple) else (parts,):
            is_one = trace.emit(operator, (text, part)) if isinstance(first, int) and first == 0 else behind(trace, text, part, first)
            result = is_one if result is False else trace.emit("or", (result, is_one))
        return result
    return ask


def _consists_of(what):
    return lambda trace, text: trace.emit("consists-of", (what, text))


def _in_case(which):
    return lambda trace, text: trace.emit("in-case", (which, text))


def _stripped(*sides):
    def strip(trace, text, characters=None, /):
        for side in sides:
            text = trace.emit(side, (text,) if characters is None else (text, characters))
        return text
    return strip


def _list(trace, operator, operands):
    return trace.lists.new(trace.emit(operator, operands))


def _split(trace, text, sep=None, maxsplit=-1):
    if sep is not None:
        _check_text(sep)
    return _list(trace, "split", (text, maxsplit) if sep is None else (text, sep, maxsplit))


def _rsplit(trace, text, sep=None, maxsplit=-1):
    if not isinstance(maxsplit, Staged) and maxsplit < 0:
        return _split(trace, text, sep)
    if sep is None:
        return _split_words_from_the_end(trace, text, maxsplit)
    _check_text(sep)
    return _split_from_the_end(trace, text, sep, maxsplit)


def _split_lines(trace, text, keepends=False):
    return _list(trace, "split-lines", (text, keepends if isinstance(keepends, Staged) else bool(keepends)))


def _replace(trace, text, old, new, count=-1, /):
    _check_text(old, new)
    return trace.emit("replaced", (text, old, new, count))


_split_from_the_end, _split_words_from_the_end = define(text_definitions.split_from_the_end), define(text_definitions.split_words_from_the_end)


def _defined(definition, *more):
    """A method that is a definition; `more`: what it is given last, where it is not said."""
    run, count = define(definition), definition.__code__.co_argcount - 1

    def method(trace, text, *arguments):
        if not count - len(more) <= len(arguments) <= count:
            raise TypeError(f"expected {count} arguments, got {len(arguments)}")
        return run(trace, text, *arguments, *more[len(more) - count + len(arguments):] if len(arguments) < count else ())
    return method


def _index(find):
    return lambda trace, text, *arguments: _found(trace, find(trace, text, *arguments))


def _join(trace, text, values):
    from lantern.staging import strings
    return strings.join(trace, text, values)


_translated, _letters_for = define(text_definitions.translated), define(text_definitions.letters_for)


def _translate(trace, text, table):
    if type(table) is not dict or not all(type(key) is int for key in table):
        raise StagingError("LT0310", "translate is given a table whose characters are not known while staging", trace.place(), "give it what str.maketrans gives of a known text")
    letters = {chr(key): "" if value is None else chr(value) if type(value) is int else value for key, value in table.items()}
    return _translated(trace, text, letters) if letters else text


def make_table(trace, letters, others, none=""):
    """`str.maketrans` of known characters, and of others that only the program knows."""
    if not isinstance(letters, str) or not isinstance(none, str):
        raise StagingError("LT0310", "str.maketrans is given characters that are known only when the program runs", trace.place(), "build the text in a loop, with a dict")
    values = _letters_for(trace, others, len(letters))
    return {**{ord(letter): list_methods.getitem(trace, values, place) for place, letter in enumerate(letters)}, **dict.fromkeys(map(ord, none))}


METHODS = {
    "translate": _translate,
    "find": _find, "rfind": _rfind, "index": _index(_find), "rindex": _index(_rfind), "count": _counted, "join": _join,
    "startswith": _asks("starts-with", _starts), "endswith": _asks("ends-with", _ends),
    **{f"is{what}": _consists_of(what) for what in ("alpha", "digit", "decimal", "alnum", "space", "upper", "lower")},
    **{which: _in_case(which) for which in ("upper", "lower", "title", "capitalize", "swapcase")},
    "strip": _stripped("strip-left", "strip-right"), "lstrip": _stripped("strip-left"), "rstrip": _stripped("strip-right"),
    "split": _split, "rsplit": _rsplit, "splitlines": _split_lines, "replace": _replace,
    "partition": _defined(text_definitions.partition), "rpartition": _defined(text_definitions.partition_last),
    "removeprefix": _defined(text_definitions.without_prefix), "removesuffix": _defined(text_definitions.without_suffix),
    "ljust": _defined(text_definitions.to_the_left, " "), "rjust": _defined(text_definitions.to_the_right, " "),
    "center": _defined(text_definitions.to_the_centre, " "), "zfill": _defined(text_definitions.filled_with_zeros),
}


def method(trace, text, name):
    """`text.name`, to be called."""
    return lambda *arguments, **keywords: METHODS[name](trace, text, *arguments, **keywords)


def makes_table(function, arguments):
    """Whether a function is `str.maketrans`, and is given a text that only the program knows."""
    return function is str.maketrans and len(arguments) in (2, 3) and holds_staged(arguments)


def is_asked(function, arguments, keywords):
    """Whether a function is a method of texts, of one that is known (`"abc".find`) or of the class (`str.lower`), and is asked for what only the program knows."""
    is_bound = isinstance(function, python_types.BuiltinMethodType) and type(function.__self__) is str
    is_of_class = isinstance(function, python_types.MethodDescriptorType) and function.__objclass__ is str and bool(arguments) and is_text(arguments[0])
    return (is_bound or is_of_class) and function.__name__ in METHODS and (function.__name__ == "join" or holds_staged((arguments, keywords)))


def called(trace, function, arguments, keywords):
    """What such a method gives."""
    text, *arguments = arguments if isinstance(function, python_types.MethodDescriptorType) else (function.__self__, *arguments)
    return METHODS[function.__name__](trace, text, *arguments, **keywords)
