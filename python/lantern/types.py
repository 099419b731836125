"""The types of staged values, and their text in the S-expression language.

Shared by staging and by the calling of compiled functions. What type an operation gives is the core's business;
nothing here says so, except `join`, which merges what two branches or two elements of a list are. annotations.py reads them from annotations.
"""
from __future__ import annotations

import functools
import json
import re

from lantern import derived, dtypes
from lantern.dtypes import DTYPES, default_dtype, default_dtype_of_staging, dtype_name, numpy_dtype, set_default_dtype  # noqa: F401
from lantern.lazy_numpy import np
from lantern.letters import in_ascii
from lantern.records import Record


class Type(Record):
    """Base of all types; `str(t)` is its text in the S-expression language."""


class Scalar(Type):
    """A Python number, or a string: one of bool, i32, i64, f32, f64, string."""
    name: str

    def __str__(self):
        return self.name

    def __getitem__(self, dims):
        dims = ", ".join(map(repr, dims if isinstance(dims, tuple) else (dims,)))
        raise TypeError(f"lt.{self.name} is one number's type: an array of these is lt.Tensor[lt.{self.name}, {dims}]")


def place_of(member):
    """Which one of its enumeration a member is: equal ones may be others."""
    return next(number for number, each in enumerate(type(member)) if each is member)


class Enumeration(Scalar):
    """Of a structure's field: a member of an enumeration, which in the program is its number, or its place among the members where these are none."""
    members: type = None

    @property
    def is_of_numbers(self):
        return issubclass(self.members, int)

    def number_of(self, value, what):
        if type(value) is not self.members and not (self.is_of_numbers and type(value) is int):
            raise TypeError(f"{what} is {self.members.__name__}, and a {type(value).__name__} was given ({value!r})")
        return int(value) if self.is_of_numbers else place_of(value)

    def member_of(self, number):
        if self.is_of_numbers:
            return next((member for member in self.members if member == number), number)
        return list(self.members)[number]


class TensorType(Type):
    """An array. A dimension is an int, a name (str), or None where it is not known; no dims: a rank-0 array.

    perhaps_number: of rank 0, and one of Python's numbers on another path (staging/perhaps_numbers.py)."""
    dtype: str
    dims: tuple = ()
    perhaps_number: bool = False

    @property
    def rank(self):
        return len(self.dims)

    def __str__(self):
        return " ".join(["(tensor " + self.dtype, *("?" if d is None else str(d) for d in self.dims)]) + ")"


class StructType(Type):
    """A structure; `declaration` is the class that `lt.struct` made, if there is one. Two classes of one name differ."""
    name: str
    declaration: type | None = None

    @property
    def fields(self):
        """{field: type} in order of declaration."""
        if self.declaration is None:
            raise TypeError(f"the fields of structure '{self.name}' are not known here")
        return self.declaration.__lantern_struct__.field_types()

    def item(self):
        """The `(struct NAME (FIELD TYPE)…)` item."""
        return f"(struct {self.name}" + "".join(f" ({in_ascii(name)} {type_})" for name, type_ in self.fields.items()) + ")"

    def __str__(self):
        return self.name


def struct_type(cls):
    """That of a class that `lt.struct` made."""
    return StructType(in_ascii(cls.__name__), cls)


class Optional(Type):
    element: Type

    def __str__(self):
        return f"(optional {self.element})"


class Tuple(Type):
    elements: tuple
    of: object = None       # the class of a named tuple, or of what is as one, and the names of its parts (staging/instances.py)

    def __str__(self):
        return " ".join(["(tuple", *(map(str, self.elements) if self.of is None else self.of.labelled(self.elements))]) + ")"


class List(Type):
    element: Type

    def __str__(self):
        return f"(list {self.element})"


class DatasetType(Type):
    element: Type

    def __str__(self):
        return f"(dataset {self.element})"


class NoneType(Type):
    """The type of the literal `none` before a structure joins it."""

    def __str__(self):
        return "none"


class Unknown(Type):
    """In the place of the type of a list's elements: nothing that has been traced says what they are. number: of which lists (staging/empties.py)."""
    number: int

    def __str__(self):
        return f"unknown.n{self.number}"


class Known:
    """In the place of a parameter's type: the parameter is known when the function is staged, and this is its value.

    Two are equal where a program that was staged for the one serves the other: numbers, texts and tuples of them by type and value, an empty dict
    (`**options` of no options) as such, everything else by identity."""

    def __init__(self, value):
        self.value = value
        self._key = dict if type(value) is dict and not value else _key_of(value)

    def __eq__(self, other):
        return isinstance(other, Known) and self._key == other._key

    def __hash__(self):
        return hash(self._key)

    def __repr__(self):
        return f"Known({self.value!r})"


def _key_of(value):
    if type(value) is tuple:
        return (tuple, *map(_key_of, value))
    if isinstance(value, (float, np.generic)):      # -0.0 is not 0.0
        return type(value), repr(value)
    return (type(value), value) if isinstance(value, (bool, int, str, bytes, type(None))) else id(value)


bool_, i32, i64, f32, f64 = map(Scalar, DTYPES)
string = Scalar("string")
none = NoneType()


# Text → type

_TOKEN = re.compile(r"\s*([()]|[^\s()]+)")


def parse(text, structs=None):
    """Reads a TYPE. `structs` maps a name to the StructType it stands for; other names give one without fields."""
    return _read(text) if not structs or not any(name in text for name in structs) else _read.__wrapped__(text, structs)


@functools.lru_cache(maxsize=4096)
def _read(text, structs=None):
    tokens = _TOKEN.findall(text)
    position = 0

    def error(what):
        return ValueError(f"{what} in the type {text!r}")

    def next_token():
        nonlocal position
        if position == len(tokens):
            raise error("missing ')'")
        position += 1
        return tokens[position - 1]

    def dim(token):
        if token == "?":
            return None
        if token.isdigit():
            return int(token)
        if token[0].isalpha() or token[0] == "_":
            return token
        raise error(f"'{token}' is not a dimension")

    def one(token):
        if token == "(":
            head, rest = next_token(), []
            while (token := next_token()) != ")":
                if token[0] != ":":     # what a tuple's element is called: `Tuple.of` knows
                    rest.append(token if head == "tensor" else one(token))
            if head == "tensor" and rest and rest[0] in DTYPES:
                return TensorType(rest[0], tuple(map(dim, rest[1:])))
            if head == "tuple":
                return Tuple(tuple(rest))
            if head in _UNARY and len(rest) == 1:
                return _UNARY[head](rest[0])
            raise error(f"'({head} …)' is not a type")
        if token == ")":
            raise error("unexpected ')'")
        if token in DTYPES or token == "string":
            return Scalar(token)
        if token == "none":
            return none
        if token.startswith("unknown.n"):
            return Unknown(int(token[len("unknown.n"):]))
        return (structs or {}).get(token) or StructType(token)

    result = one(next_token())
    if position != len(tokens):
        raise error(f"unexpected '{tokens[position]}'")
    return result


_UNARY = {"optional": Optional, "list": List, "dataset": DatasetType}


# Type → annotation

_CLASS_OF_SCALAR = {"bool": "bool", "i64": "int", "f64": "float", "string": "str"}


def annotation(type_):
    """A type as an annotation says it, for messages: `lt.Tensor[lt.f32, "batch", 3]`, `list[float]`, `Tree | None`."""
    if isinstance(type_, TensorType):
        dtype = "bool" if type_.dtype == "bool" else f"lt.{type_.dtype}"
        return f"lt.Tensor[{', '.join([dtype, *(json.dumps(dim) if isinstance(dim, str) else str(dim) for dim in type_.dims)])}]"
    if isinstance(type_, Enumeration):
        return type_.members.__name__
    if isinstance(type_, Scalar):
        return _CLASS_OF_SCALAR.get(type_.name, f"lt.{type_.name}")
    if isinstance(type_, Optional):
        return f"{annotation(type_.element)} | None"
    if isinstance(type_, Tuple) and type_.of is not None:
        return type_.of.annotation(type_.elements)
    if isinstance(type_, Tuple):
        return f"tuple[{', '.join(map(annotation, type_.elements)) or '()'}]"
    if isinstance(type_, List):
        return f"list[{annotation(type_.element)}]"
    if isinstance(type_, DatasetType):
        return f"lt.Dataset[{annotation(type_.element)}]"
    if isinstance(type_, NoneType):
        return "None"
    return "unknown" if type_ is None or isinstance(type_, Unknown) else str(type_)


def is_list_of_tuples(type_):
    """Or of lists of tuples, and so on: in a compiled program it is as many lists as its elements have leaves."""
    return isinstance(type_, List) and (isinstance(type_.element, Tuple) or is_list_of_tuples(type_.element))


def leaves(type_):
    """The types of what a compiled program has for a value, in order: of a tuple's elements, and those of tuples within it."""
    if isinstance(type_, Tuple):
        return [leaf for element in type_.elements for leaf in leaves(element)]
    return list(map(List, leaves(type_.element))) if is_list_of_tuples(type_) else [type_]


def within(type_):
    """The type, and all that it is made of: fields, elements, and theirs. Each structure once."""
    pending, seen = [type_], set()
    while pending:
        type_ = pending.pop()
        if isinstance(type_, StructType):
            if type_ in seen:
                continue
            seen.add(type_)
            pending.extend(type_.fields.values())
        elif isinstance(type_, Tuple):
            pending.extend(type_.elements)
        elif hasattr(type_, "element"):
            pending.append(type_.element)
        yield type_


def is_floating(type_):
    """Whether a derivative is taken with respect to such numbers or arrays."""
    return type_ in (f32, f64) or isinstance(type_, TensorType) and type_.dtype in ("f32", "f64")


def can_be_missing(type_):
    """Whether a compiled program has None beside the values of a type."""
    return isinstance(type_, StructType)


# Value → type

def type_of(value):
    """The type of a Python number, string, None, NumPy array or scalar, struct, tuple, list or data set.

    Dimensions are those the arrays have. Raises TypeError, with the place in the value, for anything else.
    """
    found = _type_of(value)
    held = _held(found)
    if None in held:
        raise TypeError("an empty list does not say what its elements are: annotate the parameter, e.g. list[float]")
    if found is not none and any(each is none or isinstance(each, Optional) and not isinstance(each.element, StructType) for each in held):
        raise TypeError(f"a {type(value).__name__} that is given has no None among its elements, but of structures: give it without, or NaN in its place")
    return found


def _held(type_):
    """What lists and tuples, and those within them, hold; None: that is not known of an empty list."""
    if isinstance(type_, Tuple):
        return [each for element in type_.elements for each in _held(element)]
    return _held(type_.element) if isinstance(type_, List) else [type_]


_OF_PYTHON = {bool: bool_, int: i64, float: f64, str: string}


def _type_of(value):
    """The same; the element of an empty list is None."""
    if type(value) in _OF_PYTHON:
        return _OF_PYTHON[type(value)]
    derived.check(value)
    if isinstance(value, (np.ndarray, np.generic)) and not isinstance(value, np.str_):
        if dtypes.name_of_numpys(value.dtype) is None:
            raise TypeError(f"arrays of {value.dtype} have no staged counterpart: use one of {', '.join(DTYPES)}")
        return TensorType(dtypes.name_of_numpys(value.dtype), value.shape)
    for cls, type_ in _OF_PYTHON.items():
        if isinstance(value, cls):
            return type_
    if value is None:
        return none
    if hasattr(type(value), "__lantern_struct__"):
        return struct_type(type(value))
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            raise TypeError(f"a named tuple, of class {type(value).__name__!r}, would lose its class: annotate a list of such (list[{type(value).__name__}]), use an lt.struct, or pass tuple(…) of it")
        return Tuple(tuple(map(_type_of, value)))
    if isinstance(value, list):
        if not value:
            return List(None)
        kinds = set(map(type, value))
        if len(kinds) == 1 and kinds <= _OF_PYTHON.keys():
            return List(_OF_PYTHON[kinds.pop()])
        unlike = kinds == {tuple} and {tuple(map(type, each)): each for each in value}
        if unlike and all(_OF_PYTHON.keys() >= set(each) for each in unlike):
            value = list(unlike.values())       # of thousands of pairs of numbers, one
        result = _type_of(value[0])
        for own in map(_type_of, value[1:]):
            if (merged := join(result, own)) is None:
                raise TypeError(f"the elements of a list have one type: {annotation(result)} and {annotation(own)} do not join")
            result = merged
        return List(result)
    if hasattr(value, "__lantern_type__"):  # Parameter, Variable, data sets, staged values
        return value.__lantern_type__()
    name = value.__class__.__name__
    raise TypeError(f"a value of type {name!r} has no staged counterpart: numbers, strings, arrays, lt.struct classes, tuples and lists have"
                    + (f"; so has a list of frozen dataclasses whose fields are annotated, list[{name}]" if hasattr(value, "__dataclass_fields__") else ""))


def join_tuples(a, b, join_elements):
    """The type of a tuple that is an `a` or a `b`, of one class; None if there is none."""
    if len(a.elements) != len(b.elements) or a.of != b.of:
        return None
    elements = tuple(map(join_elements, a.elements, b.elements))
    return None if None in elements else b.replaced(elements=elements)


_KIND = {"bool": 0, "i32": 1, "i64": 2, "f32": 3, "f64": 4}


def join(a, b):
    """The type of a value that is an `a` or a `b`; None if there is none.

    Scalars promote bool → i64 → f64, unequal dimensions widen to ?, a structure and None make an optional.
    """
    if a == b:
        return a
    if isinstance(a, NoneType) or isinstance(b, NoneType):
        other = b if isinstance(a, NoneType) else a
        return other if isinstance(other, Optional) else Optional(other)
    if isinstance(a, Optional) or isinstance(b, Optional):
        inner = join(a.element if isinstance(a, Optional) else a, b.element if isinstance(b, Optional) else b)
        return inner and Optional(inner)
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        return None if "string" in (a.name, b.name) else max(a, b, key=lambda t: _KIND[t.name])
    if isinstance(a, TensorType) and isinstance(b, TensorType):
        if a.dtype != b.dtype or a.rank != b.rank:
            return None
        return TensorType(a.dtype, tuple(m if m == n else None for m, n in zip(a.dims, b.dims)), a.perhaps_number or b.perhaps_number)
    if isinstance(a, Tuple) and isinstance(b, Tuple):
        return join_tuples(a, b, join)
    if isinstance(a, Unknown) and isinstance(b, Unknown) and a.number >= 0 and b.number >= 0:
        return a if a.number < b.number else b      # the one that was there first: a recursive call makes lists of its own
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return b if isinstance(a, Unknown) else a
    if isinstance(a, List) and isinstance(b, List) and None in (a.element, b.element):      # an empty one
        return a if b.element is None else b
    if type(a) is type(b) and isinstance(a, (List, DatasetType)):
        element = a.element and b.element and join(a.element, b.element)
        return element and type(a)(element)
    return None
