"""`lt.jvp` while tracing: the function becomes a define, its derivative along a direction one expression."""
from __future__ import annotations

from lantern import types
from lantern.lazy_numpy import np
from lantern.staging import merge
from lantern.staging.arguments import ArgumentReference, containers_of, put_back
from lantern.staging.errors import StagingError
from lantern.staging.gradients import define_differentiated
from lantern.staging.text import Symbol
from lantern.staging.values import Staged


def jvp(trace, function, primals, tangents):
    """(value, tangent) as `lantern.forward.jvp` says."""
    directions = Directions(trace, tangents)
    made, values, bound, names = define_differentiated(trace, function, primals, directions.varied)
    directions.named(names)
    along = [directions.of(formal) for formal in made.formals]
    directions.check_used(made)
    joins = made.result.joins()
    _refuse_without_tangent(trace, made, joins)
    if not any(_has_tangent(join.type) for join in joins):      # a call, with what it does
        result = made.result.rebuild(iter([Staged(join.type, None) for join in joins]))
        return trace.specialisations.emit(made, values, bound), _tangent_of(result, {}, directions)
    node = (Symbol("jvp"), made, tuple(trace.specialisations.operands(made, values)), (*along, *(None for _ in made.captures)))
    trace.specialisations.memories_of_call(made, values, containers_of(bound))
    known = [join.type for join in joins]
    tangent_types = [type_ if _has_tangent(type_) else types.none for type_ in known]
    whole = trace.bind(node, None if None in known else types.Tuple((_of(known), _of(tangent_types))))
    parts = [_parts(trace, whole, number, types_) for number, types_ in enumerate((known, tangent_types))]
    value = made.result.rebuild(iter(parts[0]))
    by_identity = {id(part): tangent for part, tangent, type_ in zip(*parts, tangent_types) if type_ is not types.none}
    return put_back(value, containers_of(bound)), _tangent_of(value, by_identity, directions)


def _refuse_without_tangent(trace, made, joins):
    """An error where a result holds floating numbers whose tangent would be lost."""
    from lantern.grad import holds_floats
    for join in joins:
        if not _has_tangent(join.type) and holds_floats(join.type):
            raise StagingError("LT0310", f"'{made.name}' gives {types.annotation(join.type)}, which has no tangent in compiled code", trace.place(),
                               "return the numbers and arrays that it holds, in a tuple or in lists of their own")


def _of(all_types):
    return all_types[0] if len(all_types) == 1 else types.Tuple(tuple(all_types))


def _has_tangent(type_):
    if isinstance(type_, types.List):
        return _has_tangent(type_.element)
    return type_ is None or type_ in (types.f32, types.f64) or (isinstance(type_, types.TensorType) and type_.dtype in ("f32", "f64"))


def _parts(trace, whole, number, all_types):
    """The values, or the tangents, of a jvp's result."""
    side = trace.bind((Symbol("get"), whole, number), _of(all_types), pure=True)
    if len(all_types) == 1:
        return [side]
    return [trace.bind((Symbol("get"), side, at), type_, pure=True) for at, type_ in enumerate(all_types)]


def _tangent_of(value, by_identity, directions):
    """The tangent of a result, in its form; None at what has none."""
    if isinstance(value, Staged):
        return by_identity.get(id(value))
    if isinstance(value, ArgumentReference):
        return directions.at(value.path)
    contents = merge.staged_list(value)
    if contents is not None:
        return directions.list_of(by_identity.get(id(contents)))
    parts = merge.parts_of(value)
    if parts is not None:
        return parts[0]([_tangent_of(part, by_identity, directions) for part in parts[1]])
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return np.zeros_like(value)
    return 0.0 if isinstance(value, float) else None


class Directions:
    """The tangents of a call's arguments, by the places of the arguments that they are of."""

    def __init__(self, trace, tangents):
        self._trace, self._tangents = trace, tangents
        self.varied = [number for number, tangent in enumerate(tangents) if tangent is not None]

    def named(self, names):
        self._by_name = dict(zip(names, self._tangents))

    def list_of(self, tangent):
        """The tangent of a list; None: it has none."""
        return tangent if tangent is None else self._trace.lists.new(tangent)

    def at(self, path):
        """The tangent at a path; None: a constant."""
        tangent = self._by_name.get(path[0])
        for depth, key in enumerate(path[1:], 1):
            if tangent is None:
                return None
            parts = merge.parts_of(tangent)
            if parts is None or (key not in tangent if isinstance(tangent, dict) else not 0 <= key < len(parts[1])):
                raise TypeError(f"the tangent of '{_shown(path[:depth])}' has no part {key!r}: give one of the same form")
            tangent = tangent[key]
        return tangent

    def of(self, formal):
        """The node of a formal's tangent."""
        tangent, name = self.at(formal.path), _shown(formal.path)
        if tangent is None:
            return None
        if isinstance(formal.type, (types.StructType, types.Optional)):
            raise TypeError(f"'{name}' is a structure, which has no tangent in compiled code: pass the numbers and arrays that it holds as "
                            "arguments, and give None in its place where it is a constant")
        if not _has_tangent(formal.type):
            raise TypeError(f"'{name}' is {types.annotation(formal.type)}, which has no tangent: give None in its place")
        own = self._trace.type_of(tangent)
        if not _fits(own, formal.type):
            raise TypeError(f"the tangent of '{name}' is {types.annotation(own)}, and '{name}' is {types.annotation(formal.type)}")
        return self._trace.coerce(tangent, formal.type)

    def check_used(self, made):
        """What is known while staging and is no number has no tangent."""
        formals = {formal.path for formal in made.formals}
        for path, value in made.statics:
            if path[-1] not in ("form", "same") and path not in formals and self.at(path) is not None:
                raise TypeError(f"'{_shown(path)}' is a {type(value).__name__}, which has no tangent: give None in its place")


def _fits(own, wanted):
    if own is None or wanted is None or isinstance(own, types.Unknown):
        return True
    if isinstance(wanted, types.TensorType):
        return isinstance(own, types.TensorType) and own.dtype == wanted.dtype and len(own.dims) == len(wanted.dims) and all(
            a == b or not isinstance(a, int) or not isinstance(b, int) for a, b in zip(own.dims, wanted.dims))
    if isinstance(wanted, types.List):
        return isinstance(own, types.List) and (own.element is None or _fits(own.element, wanted.element))
    return isinstance(own, types.Scalar) and own != types.bool_


def _shown(path):
    return str(path[0]) + "".join(f"[{key!r}]" for key in path[1:])
