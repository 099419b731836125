"""Annotations of parameters, results and fields, and the types that they stand for: lt.Tensor, lt.Dataset, lt.static, Python's own."""
from __future__ import annotations

import ast
import enum
import functools
import types as python_types
import typing

from lantern import syntax, types
from lantern.dtypes import DTYPES, default_dtype, dtype_name
from lantern.lazy_numpy import np


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

    Without a dtype in front, or the name of one, it is of the default dtype.
    """

    def __init__(self, dims, dtype=None):
        self.dims, self.dtype = dims, dtype

    def __class_getitem__(cls, items):
        items = items if isinstance(items, tuple) else (items,)
        dtype = None
        if items and (items[0] in DTYPES if isinstance(items[0], str) else not isinstance(items[0], (int, type(None)))):
            dtype, items = dtype_name(items[0]), items[1:]
        for item in items:
            if isinstance(item, bool) or not isinstance(item, (int, str, type(None))):
                raise TypeError(f"a dimension is an int, a name or None, not {item!r}")
            if isinstance(item, int) and item < 0:
                raise TypeError(f"a dimension is not negative, as {item} is: one of any size is None, or a name where two are to be equal")
        return cls(items, dtype)

    def __or__(self, other):
        return typing.Union[typing.Annotated[object, self], other]

    def type(self):
        return types.TensorType(self.dtype or default_dtype(), self.dims)

    def __repr__(self):
        return f"lt.Tensor[{', '.join(map(repr, self.dims))}]"


class Dataset:
    """`lt.Dataset[Tree]`, as an annotation: what `lt.treebank` gives."""

    def __init__(self, element):
        self.element = element

    def __class_getitem__(cls, element):
        return cls(element)


_SCALAR_OF_CLASS = {bool: types.bool_, int: types.i64, float: types.f64, str: types.string, type(None): types.none}


@functools.lru_cache(maxsize=None)
def _scalars_of_numpy():
    return {np.bool_: types.bool_, np.int32: types.i32, np.int64: types.i64, np.float32: types.f32, np.float64: types.f64}


def from_annotation(annotation, of_class=None):
    """The type that an annotation (not a string: see `annotations_of`) stands for, or None if it does not say.

    of_class: the type of a class that is none of ours, where that may be one. `lt.static[T]` is not a type: ask `isinstance(annotation, static)` first.
    """
    if isinstance(annotation, types.Type):
        return annotation
    if isinstance(annotation, Tensor):
        return annotation.type()
    if annotation is Tensor:
        return None
    if isinstance(annotation, Dataset):
        element = from_annotation(annotation.element, of_class)
        return element and types.DatasetType(element)
    if annotation is None:
        return types.none
    if isinstance(annotation, type) and annotation in _SCALAR_OF_CLASS:
        return _SCALAR_OF_CLASS[annotation]
    if isinstance(annotation, type) and issubclass(annotation, np.generic):
        return _scalars_of_numpy().get(annotation)
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum) and issubclass(annotation, (int, str)):
        return types.string if issubclass(annotation, str) else types.i64
    if hasattr(annotation, "__lantern_struct__"):
        return types.struct_type(annotation)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return from_annotation(arguments[1], of_class)
    if origin in _UNIONS:
        present = [a for a in arguments if a is not type(None)]
        if len(present) == 1 and len(arguments) == 2:
            element = from_annotation(present[0], of_class)
            return element and types.Optional(element)
        return None
    if origin is list and len(arguments) == 1:
        element = from_annotation(arguments[0], of_class)
        return element and types.List(element)
    if origin is tuple:
        elements = tuple(from_annotation(each, of_class) for each in arguments)
        return None if None in elements else types.Tuple(elements)
    return of_class(annotation) if of_class is not None and isinstance(annotation, type) else None


def of_parameter(annotation):
    """The type that a parameter's annotation says, or None. In a list, named tuples and frozen dataclasses are what their fields are annotated; alone they
    are known while staging."""
    declared = None if annotation is None else from_annotation(annotation)
    if declared is not None or typing.get_origin(annotation) is None:
        return declared
    from lantern.staging.instances import annotated
    declared = from_annotation(annotation, annotated)
    present = declared.element if isinstance(declared, types.Optional) else declared
    return declared if isinstance(present, types.List) else None


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
            return value if value is part or value is text else evaluated(value, (*within, text))    # quotes within quotes, too
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
