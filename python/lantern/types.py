"""The types of staged values, and their text in the S-expression language.

Shared by staging and by the calling of compiled functions. What type an operation gives is the core's business;
nothing here says so, except `join`, which merges what two branches or two elements of a list are.
"""
from __future__ import annotations

import ast
import dataclasses
import json
import re
import types as python_types
import typing

import numpy as np

from lantern import dtypes, syntax
from lantern.dtypes import DTYPES, default_dtype, default_dtype_of_staging, dtype_name, numpy_dtype, set_default_dtype  # noqa: F401


class Type:
    """Base of all types; `str(t)` is its text in the S-expression language."""


@dataclasses.dataclass(frozen=True)
class Scalar(Type):
    """A Python number, or a string: one of bool, i32, i64, f32, f64, string."""
    name: str

    def __str__(self):
        return self.name


@dataclasses.dataclass(frozen=True)
class TensorType(Type):
    """An array. A dimension is an int, a name (str), or None where it is not known; no dims: a rank-0 array."""
    dtype: str
    dims: tuple = ()

    @property
    def rank(self):
        return len(self.dims)

    def __str__(self):
        return " ".join(["(tensor " + self.dtype, *("?" if d is None else str(d) for d in self.dims)]) + ")"


@dataclasses.dataclass(frozen=True)
class StructType(Type):
    """A structure; `declaration` is the class that `lt.struct` made, if there is one. Two classes of one name differ."""
    name: str
    declaration: type | None = dataclasses.field(default=None, repr=False)

    @property
    def fields(self):
        """{field: type} in order of declaration."""
        if self.declaration is None:
            raise TypeError(f"the fields of structure '{self.name}' are not known here")
        return self.declaration.__lantern_struct__.field_types()

    def item(self):
        """The `(struct NAME (FIELD TYPE)…)` item."""
        return f"(struct {self.name}" + "".join(f" ({name} {type_})" for name, type_ in self.fields.items()) + ")"

    def __str__(self):
        return self.name


@dataclasses.dataclass(frozen=True)
class Optional(Type):
    element: Type

    def __str__(self):
        return f"(optional {self.element})"


@dataclasses.dataclass(frozen=True)
class Tuple(Type):
    elements: tuple

    def __str__(self):
        return " ".join(["(tuple", *map(str, self.elements)]) + ")"


@dataclasses.dataclass(frozen=True)
class List(Type):
    element: Type

    def __str__(self):
        return f"(list {self.element})"


@dataclasses.dataclass(frozen=True)
class DatasetType(Type):
    element: Type

    def __str__(self):
        return f"(dataset {self.element})"


@dataclasses.dataclass(frozen=True)
class NoneType(Type):
    """The type of the literal `none` before a structure joins it."""

    def __str__(self):
        return "none"


@dataclasses.dataclass(frozen=True)
class Known:
    """In the place of a parameter's type: the parameter is known when the function is staged, and this is its value."""
    value: object


bool_, i32, i64, f32, f64 = map(Scalar, DTYPES)
string = Scalar("string")
none = NoneType()


# Text → type

_TOKEN = re.compile(r"\s*([()]|[^\s()]+)")


def parse(text, structs=None):
    """Reads a TYPE. `structs` maps a name to the StructType it stands for; other names give one without fields."""
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
    if isinstance(type_, Scalar):
        return _CLASS_OF_SCALAR.get(type_.name, f"lt.{type_.name}")
    if isinstance(type_, Optional):
        return f"{annotation(type_.element)} | None"
    if isinstance(type_, Tuple):
        return f"tuple[{', '.join(map(annotation, type_.elements)) or '()'}]"
    if isinstance(type_, List):
        return f"list[{annotation(type_.element)}]"
    if isinstance(type_, DatasetType):
        return f"lt.Dataset[{annotation(type_.element)}]"
    if isinstance(type_, NoneType):
        return "None"
    return "unknown" if type_ is None else str(type_)


# Annotation → type

class static:
    """`lt.static[T]`: known when the program is staged. `str`, `int`, … as usual for T."""

    def __init__(self, annotation):
        self.annotation = annotation

    def __class_getitem__(cls, annotation):
        return cls(annotation)

    def __repr__(self):
        return f"lt.static[{getattr(self.annotation, '__name__', self.annotation)}]"


class Tensor:
    """`lt.Tensor[lt.f64, "batch", 784]`: a number is a known dimension, a string a named one, None any.

    Without a dtype in front it is of the default dtype.
    """

    def __init__(self, dims, dtype=None):
        self.dims, self.dtype = dims, dtype

    def __class_getitem__(cls, items):
        items = items if isinstance(items, tuple) else (items,)
        dtype = None
        if items and not isinstance(items[0], (int, str, type(None))):
            dtype, items = dtype_name(items[0]), items[1:]
        for item in items:
            if isinstance(item, bool) or not isinstance(item, (int, str, type(None))):
                raise TypeError(f"a dimension is an int, a name or None, not {item!r}")
        return cls(items, dtype)

    def __or__(self, other):
        return typing.Union[typing.Annotated[object, self], other]

    def type(self):
        return TensorType(self.dtype or default_dtype(), self.dims)

    def __repr__(self):
        return f"lt.Tensor[{', '.join(map(repr, self.dims))}]"


class Dataset:
    """`lt.Dataset[Tree]`, as an annotation: what `lt.treebank` gives."""

    def __init__(self, element):
        self.element = element

    def __class_getitem__(cls, element):
        return cls(element)


_SCALAR_OF_CLASS = {bool: bool_, int: i64, float: f64, str: string, type(None): none,
                    np.bool_: bool_, np.int32: i32, np.int64: i64, np.float32: f32, np.float64: f64}


def from_annotation(annotation):
    """The type that an annotation (not a string: see `annotations_of`) stands for, or None if it does not say.

    `lt.static[T]` is not a type: ask `isinstance(annotation, static)` first.
    """
    if isinstance(annotation, Type):
        return annotation
    if isinstance(annotation, Tensor):
        return annotation.type()
    if annotation is Tensor:
        return None
    if isinstance(annotation, Dataset):
        element = from_annotation(annotation.element)
        return element and DatasetType(element)
    if annotation is None:
        return none
    if isinstance(annotation, type) and annotation in _SCALAR_OF_CLASS:
        return _SCALAR_OF_CLASS[annotation]
    if hasattr(annotation, "__lantern_struct__"):
        return StructType(annotation.__name__, annotation)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return from_annotation(arguments[1])
    if origin in _UNIONS:
        present = [a for a in arguments if a is not type(None)]
        if len(present) == 1 and len(arguments) == 2:
            element = from_annotation(present[0])
            return element and Optional(element)
        return None
    if origin is list and len(arguments) == 1:
        element = from_annotation(arguments[0])
        return element and List(element)
    if origin is tuple:
        elements = tuple(map(from_annotation, arguments))
        return None if None in elements else Tuple(elements)
    return None


def can_be_missing(type_):
    """Whether a compiled program has None beside the values of a type."""
    return isinstance(type_, StructType)


def annotations_of(function, local_names=None):
    """{parameter: annotation} with strings evaluated where that is possible, as objects for `from_annotation`."""
    result = {}
    for name, annotation in getattr(function, "__annotations__", {}).items():
        result[name] = evaluate_annotation(annotation, getattr(function, "__globals__", {}), local_names)
    return result


def evaluate_annotation(annotation, global_names, local_names=None):
    """An annotation that is a string (a forward reference, or `from __future__ import annotations`) or has strings in it, evaluated.

    Names that are not found but that some `lt.struct` has stand for it. What cannot be evaluated stays a string.
    """
    from lantern.struct import declared_structs
    declared = {name: cls for name, cls in declared_structs().items() if name not in global_names}
    scope = {**declared, **(local_names or {})}

    def evaluated(part, within=()):
        text = part.__forward_arg__ if isinstance(part, typing.ForwardRef) else part
        if isinstance(text, str):
            value = part if text in within else _evaluate_text(text, global_names, scope)  # an alias may name itself
            return value if value is part or isinstance(value, str) else evaluated(value, (*within, text))
        if isinstance(part, Dataset):
            return Dataset(evaluated(part.element, within))
        origin, arguments = typing.get_origin(part), typing.get_args(part)
        if origin not in _COMPOSED or not arguments:
            return part
        try:
            return (typing.Union if origin not in (list, tuple) else origin)[tuple(evaluated(one, within) for one in arguments)]
        except TypeError:  # what is named is no type
            return part

    return evaluated(annotation)


_UNIONS = (typing.Union, getattr(python_types, "UnionType", typing.Union))      # `X | Y` of Python 3.10
_COMPOSED = (*_UNIONS, list, tuple)


def _evaluate_text(annotation, global_names, scope):
    try:
        try:
            return eval(annotation, global_names, scope)
        except TypeError:       # `Tree | None` before Python 3.10, and of a name in quotes
            tree = ast.fix_missing_locations(_Unions().visit(syntax.parse(annotation, mode="eval")))
            return eval(compile(tree, "<annotation>", "eval"), global_names, {**scope, "Union__": typing.Union})
    except Exception:  # an annotation may be any expression, and it is no error that it says nothing to us
        return annotation


class _Unions(ast.NodeTransformer):
    """`X | Y` → `Union[X, Y]`."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.BitOr):
            return node
        return ast.Subscript(ast.Name("Union__", ast.Load()), ast.Tuple([node.left, node.right], ast.Load()), ast.Load())


# Value → type

def type_of(value):
    """The type of a Python number, string, None, NumPy array or scalar, struct, tuple, list or data set.

    Dimensions are those the arrays have. Raises TypeError, with the place in the value, for anything else.
    """
    found = _type_of(value)
    if _holds_unknown(found):
        raise TypeError("an empty list does not say what its elements are: annotate the parameter, e.g. list[float]")
    return found


def _holds_unknown(type_):
    """Whether the elements of an empty list are not known from others beside it."""
    if isinstance(type_, Tuple):
        return any(map(_holds_unknown, type_.elements))
    return isinstance(type_, List) and (type_.element is None or _holds_unknown(type_.element))


_OF_PYTHON = {bool: bool_, int: i64, float: f64, str: string}


def _type_of(value):
    """The same; the element of an empty list is None."""
    if isinstance(value, (np.ndarray, np.generic)) and not isinstance(value, np.str_):
        if value.dtype not in dtypes.OF_NUMPY:
            raise TypeError(f"arrays of {value.dtype} have no staged counterpart: use one of {', '.join(DTYPES)}")
        return TensorType(dtypes.OF_NUMPY[value.dtype], value.shape)
    if isinstance(value, bool):
        return bool_
    if isinstance(value, int):
        return i64
    if isinstance(value, float):
        return f64
    if isinstance(value, str):
        return string
    if value is None:
        return none
    if hasattr(type(value), "__lantern_struct__"):
        return StructType(type(value).__name__, type(value))
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            raise TypeError(f"a named tuple, of class {type(value).__name__!r}, would lose its class: use an lt.struct, or pass tuple(…) of it")
        return Tuple(tuple(map(_type_of, value)))
    if isinstance(value, list):
        if not value:
            return List(None)
        kinds = set(map(type, value))
        if len(kinds) == 1 and kinds <= _OF_PYTHON.keys():
            return List(_OF_PYTHON[kinds.pop()])
        result = _type_of(value[0])
        for element in value[1:]:
            own = _type_of(element)
            merged = join(result, own)
            if merged is None:
                raise TypeError(f"the elements of a list have one type: {annotation(result)} and {annotation(own)} do not join")
            result = merged
        return List(result)
    if hasattr(value, "__lantern_type__"):  # Parameter, Variable, data sets, staged values
        return value.__lantern_type__()
    raise TypeError(f"a value of type {type(value).__name__!r} has no staged counterpart: "
                    "numbers, strings, arrays, lt.struct classes, tuples and lists have")


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
        if "string" in (a.name, b.name):
            return None
        return max(a, b, key=lambda t: _KIND[t.name])
    if isinstance(a, TensorType) and isinstance(b, TensorType):
        if a.dtype != b.dtype or a.rank != b.rank:
            return None
        return TensorType(a.dtype, tuple(m if m == n else None for m, n in zip(a.dims, b.dims)))
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.elements) == len(b.elements):
        elements = tuple(join(m, n) for m, n in zip(a.elements, b.elements))
        return None if None in elements else Tuple(elements)
    if isinstance(a, List) and isinstance(b, List) and None in (a.element, b.element):      # an empty one
        return a if b.element is None else b
    if type(a) is type(b) and isinstance(a, (List, DatasetType)):
        element = a.element and b.element and join(a.element, b.element)
        return element and type(a)(element)
    return None
