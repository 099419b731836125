"""Python's built-in functions on staged values."""
from __future__ import annotations

import builtins
import math

from lantern import dispatch, types
from lantern.staging import control, list_methods, merge
from lantern.staging.errors import StagingError
from lantern.staging.text import Symbol
from lantern.staging.values import Staged, StagedEnumerate, StagedRange


def counterpart(function, arguments, keywords):
    """The staged counterpart of a built-in for these arguments, or None."""
    try:
        staged = _COUNTERPARTS.get(function)
    except TypeError:   # not hashable
        return None
    if staged is None:
        return None
    if function in (builtins.print, builtins.setattr, builtins.delattr):     # effects, whatever their operands
        return staged
    values = (*arguments, *keywords.values())
    if any(merge.staged_list(v) is not None for v in values):
        return _reading_lists(staged)
    if function in (builtins.sum, builtins.min, builtins.max, builtins.any, builtins.all) and len(arguments) == 1:
        values = arguments[0] if isinstance(arguments[0], (list, tuple)) else values
    if any(isinstance(v, (Staged, StagedRange)) or (dispatch.is_global(v) and function is not builtins.isinstance) for v in values):
        return staged
    return None


def _reading_lists(function):
    """The same function, of what staged lists hold."""
    def run(trace, *arguments, **keywords):
        value = trace.lists.value
        return function(trace, *map(value, arguments), **{name: value(x) for name, x in keywords.items()})
    return run


def _print(trace, *values, sep=" ", end="\n", file=None, flush=False):
    if file is not None or end != "\n":
        raise StagingError("LT0310", "a staged print writes a line to standard output", trace.place(),
                           "leave out `file` and `end`, and join what belongs into one line")
    if sep != " " and len(values) > 1:
        from lantern.staging.strings import text_of
        parts = [text_of(trace, values[0])]
        for value in values[1:]:
            parts += [sep, text_of(trace, value)]
        values = (trace.emit("join-strings", tuple(parts)),)
    trace.effect((Symbol("print"), *(_printed(trace, value) for value in values)))


def _printed(trace, value):
    if isinstance(value, Staged) and not _has_text(value.type):
        raise StagingError("LT0409", f"cannot print {value.shown()}, of type {value.type}, when the program runs", trace.place(),
                           "print numbers and strings: its elements, or what is computed from them")
    if merge.is_stageable(value) and not hasattr(type(value), "__lantern_struct__"):
        return trace.node(value)
    if isinstance(value, tuple) and any(isinstance(v, Staged) for v in value):
        return trace.node(value)
    return str(value)


def _has_text(type_):
    return isinstance(type_, types.Scalar) or type_ is None or isinstance(type_, types.TensorType) and not type_.dims


def _range(trace, *bounds):
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    for bound in (start, stop, step):
        type_ = trace.type_of(bound)
        if type_ not in (None, types.i64, types.i32, types.bool_):
            raise TypeError(f"'{'float' if type_ in (types.f64, types.f32) else type_}' object cannot be interpreted as an integer")
    return StagedRange(start, stop, step)


def _len(trace, value):
    if isinstance(value, StagedRange):
        if value.step != 1:
            raise StagingError("LT0310", "the length of a staged range with a step is not staged in this release", trace.place())
        return trace.emit("maximum", (value.stop - value.start, 0))
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


def _cast_to(name):
    def cast(trace, value=0, *rest):
        if rest:
            raise StagingError("LT0310", "a staged conversion takes one number", trace.place())
        if isinstance(value, Staged) and value.type == types.Scalar(name):
            return value
        if isinstance(value, Staged) and name == "bool":
            return control.as_condition(trace, value)
        if isinstance(value, Staged) and isinstance(value.type, types.TensorType) and not value.type.dims:
            value = trace.emit("item", (value,))
            if value.type == types.Scalar(name):
                return value
        return trace.emit("cast", (types.Scalar(name), value))
    return cast


def _str(trace, value=""):
    from lantern.staging.strings import text_of
    return text_of(trace, value)


def _abs(trace, value):
    return trace.emit("abs", (value,))


def _extreme(name):
    def extreme(trace, *values, key=None, default=None):
        if key is not None:
            raise StagingError("LT0310", f"{name[:3]}(…, key=…) of staged values is not staged in this release", trace.place())
        if len(values) == 1:
            if isinstance(values[0], (Staged,)) or dispatch.is_global(values[0]):
                if name == "maximum":
                    return trace.emit("max", (values[0],))
                return trace.emit("neg", (trace.emit("max", (trace.emit("neg", (values[0],)),)),))
            values = tuple(values[0])
        result = values[0]
        for value in values[1:]:
            result = trace.emit(name, (result, value))
        return result
    return extreme


def _sum(trace, values, start=0):
    if isinstance(values, Staged) or dispatch.is_global(values):
        total = trace.emit("sum", (values,))
        return total if not isinstance(start, Staged) and start == 0 else total + start
    for value in values:
        start = start + value
    return start


def _isinstance(trace, value, classes):
    """A number's class is known by its type; the class of a structure, too."""
    type_ = value.type
    if type_ is None:
        raise StagingError("LT0310", f"the type of {value.shown()} is not known while staging: isinstance cannot tell", trace.place(),
                           "annotate the entry's parameters")
    if isinstance(type_, types.Optional):
        raise StagingError("LT0310", f"whether {value.shown()} is None is known only when the program runs: isinstance cannot tell",
                           trace.place(), "ask `is None` first")
    python_class = {"bool": bool, "i64": int, "i32": int, "f64": float, "f32": float, "string": str}.get(getattr(type_, "name", None))
    if isinstance(type_, types.StructType):
        python_class = type_.declaration
    elif isinstance(type_, types.Tuple):
        python_class = tuple
    elif isinstance(type_, types.List):
        python_class = list
    elif isinstance(type_, types.TensorType):
        import numpy
        python_class = numpy.ndarray
    elif isinstance(type_, types.NoneType):
        python_class = type(None)
    return python_class is not None and issubclass(python_class, classes)


def _type(trace, value):
    raise StagingError("LT0310", f"type(…) of {value.shown()} is asked while staging", trace.place(), "use isinstance(…)")


def _enumerate(trace, iterable, start=0):
    return StagedEnumerate(iterable, start)


_NOTHING = object()


def _getattr(trace, value, name, default=_NOTHING):
    if default is not _NOTHING and not _hasattr(trace, value, name):
        return default
    from lantern.staging import attributes
    return attributes.read(value, name, trace.at)


def _hasattr(trace, value, name):
    type_ = value.type.element if isinstance(value.type, types.Optional) else value.type
    if isinstance(type_, types.StructType):
        return name in type_.fields or hasattr(type_.declaration, name)
    if isinstance(type_, types.TensorType):
        import numpy
        return hasattr(numpy.ndarray, name)
    if type_ is None:
        raise StagingError("LT0310", f"the type of {value.shown()} is not known while staging: hasattr cannot tell", trace.place(),
                           "annotate the entry's parameters")
    return False


def _setattr(trace, target, name, value):
    from lantern.operators_stores import setattr_
    setattr_(target, name, value, trace.at)


def _delattr(trace, target, name):
    from lantern.operators_stores import delattr_
    delattr_(target, name, trace.at)


def _divmod(trace, a, b):
    return trace.emit("//", (a, b)), trace.emit("%", (a, b))


def _pow(trace, base, exponent):
    return trace.emit("**", (base, exponent))


def _round(trace, value, digits=None):
    raise StagingError("LT0310", "round() of a staged number is not staged in this release", trace.place(),
                       "f'{x:.2f}' rounds in text; lt.cast(x + 0.5, lt.i64) rounds a number that is not negative")


def _any_all(name):
    def combine(trace, values):
        if isinstance(values, Staged):
            raise StagingError("LT0310", f"{name}() of a staged value is not staged in this release", trace.place(), "write it as a loop")
        result = name == "all"
        for value in values:
            condition = control.as_condition(trace, value) if isinstance(value, Staged) else bool(value)
            result = trace.emit("and" if name == "all" else "or", (result, condition))
        return result
    return combine


def _hash(trace, value):
    raise StagingError("LT0303", f"{value.shown()} is known only when the program runs, and Python hashes it", trace.place())


def _math(name):
    return lambda trace, value: trace.emit(name, (value,))


def _list(trace, value=()):
    if isinstance(value, Staged) and isinstance(value.type, types.List):
        return trace.lists.new(value)
    result = trace.lists.new([])
    list_methods.extend(trace, result, value)
    return result


def _tuple(trace, value=()):
    if isinstance(value, Staged) and isinstance(value.type, types.List):
        raise StagingError("LT0310", f"tuple(…) of {value.shown()}, whose length is known only when the program runs", trace.place(),
                           "a tuple's length is known while staging: use a list")
    return tuple(iter(value))


_COUNTERPARTS = {
    builtins.print: _print, builtins.range: _range, builtins.len: _len, builtins.float: _cast_to("f64"),
    builtins.int: _cast_to("i64"), builtins.bool: _cast_to("bool"), builtins.str: _str, builtins.abs: _abs,
    builtins.max: _extreme("maximum"), builtins.min: _extreme("minimum"), builtins.sum: _sum, builtins.isinstance: _isinstance,
    builtins.type: _type, builtins.enumerate: _enumerate, builtins.pow: _pow, builtins.round: _round,
    builtins.any: _any_all("any"), builtins.all: _any_all("all"), builtins.hash: _hash,
    builtins.getattr: _getattr, builtins.hasattr: _hasattr, builtins.setattr: _setattr, builtins.delattr: _delattr,
    builtins.divmod: _divmod, builtins.tuple: _tuple, builtins.list: _list,
    math.exp: _math("exp"), math.log: _math("log"), math.sqrt: _math("sqrt"), math.tanh: _math("tanh"), math.sin: _math("sin"),
    math.cos: _math("cos"), math.pow: _pow, math.fabs: _abs,
}
