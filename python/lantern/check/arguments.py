"""Random arguments of given types."""
from __future__ import annotations

import numpy as np

from lantern import data, types

DEPTH = 4               # of a recursive structure
LARGEST_DIMENSION = 5
LONGEST_LIST = 4


class NoArguments(Exception):
    """There are no random values of a type; says why."""


class Arguments:
    """Draws arguments from a seeded stream; a named dimension has one size in all arguments of a call."""

    def __init__(self, seed):
        self._random = np.random.default_rng(seed)
        self._dims = {}

    def draw(self, kinds):
        """{parameter: value} for {parameter: Type, or Known(value)}."""
        self._dims = {}
        return {name: kind.value if isinstance(kind, types.Known) else self.value(kind) for name, kind in kinds.items()}

    def value(self, type_, depth=0):
        """A value of a type. Raises NoArguments for a text, and for a structure that never ends."""
        if isinstance(type_, types.Scalar):
            return self._scalar(type_)
        if isinstance(type_, types.TensorType):
            return self._array(type_)
        if isinstance(type_, types.Optional):
            return None if self._random.random() < depth / DEPTH else self.value(type_.element, depth)
        if isinstance(type_, types.StructType):
            if depth > 2 * DEPTH:
                raise NoArguments(f"a '{type_.name}' has no end: no field of it may be None")
            return type_.declaration(**{name: self.value(field, depth + 1) for name, field in type_.fields.items()})
        if isinstance(type_, types.Tuple):
            parts = tuple(self.value(element, depth) for element in type_.elements)
            return parts if type_.of is None else type_.of.together(parts, None)
        if isinstance(type_, (types.List, types.DatasetType)):
            longest = 0 if depth >= DEPTH else LONGEST_LIST
            items = [self.value(type_.element, depth + 1) for _ in range(self._random.integers(0, longest + 1))]
            return items if isinstance(type_, types.List) else data.DataSet(items, type_.element.declaration)
        if isinstance(type_, types.NoneType):
            return None
        raise NoArguments(f"there are no random values of the type {types.annotation(type_)}")

    def _scalar(self, type_):
        if type_ == types.string:
            raise NoArguments("a text has no random values: give it by its flag")
        if type_ == types.bool_:
            return bool(self._random.integers(2))
        if isinstance(type_, types.Enumeration):
            return list(type_.members)[self._random.integers(len(type_.members))]
        if type_ in (types.i64, types.i32):
            return types.numpy_dtype(type_.name).type(self._random.integers(-2, 6)).item()
        number = self._random.normal()
        return float(number) if type_ == types.f64 else np.float32(number)

    def _array(self, type_):
        shape = [self._dimension(dim) for dim in type_.dims]
        if type_.dtype == "bool":
            values = self._random.integers(2, size=shape)
        elif type_.dtype in ("i32", "i64"):
            values = self._random.integers(-2, 6, size=shape)
        else:
            values = self._random.normal(size=shape)
        return np.asarray(values).astype(types.numpy_dtype(type_.dtype))[()]

    def _dimension(self, dim):
        if isinstance(dim, int):
            return dim
        if dim is None:
            return int(self._random.integers(1, LARGEST_DIMENSION + 1))
        return self._dims.setdefault(dim, int(self._random.integers(1, LARGEST_DIMENSION + 1)))
