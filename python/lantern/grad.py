"""`lt.value_and_grad` and `lt.grad`: derivatives of functions, eager, compiled or inside a staged function."""
from __future__ import annotations

import dataclasses
import functools
import inspect
import types as python_types
import weakref

from lantern import dispatch, tracebacks, types
from lantern.lazy_numpy import np
from lantern.module import Global, Module, Parameter
from lantern.levels import LevelValue, is_floating, is_number, primal
from lantern.signatures import signature_of
from lantern.struct import is_struct
from lantern.tape import RowSum, Tape


class Gradients:
    """Parameter → gradient, in the order in which the function reads the parameters; what an optimiser takes."""

    __lantern_hint__ = "each parameter has its own, g[parameter]; a gradient with respect to an argument is asked for by name, lt.grad(f, wrt='x')"

    def __init__(self, gradients, late=()):
        self._gradients = dict(gradients)
        self.late = frozenset(late)     # the parameters that earlier calls of the function have not read

    def __getitem__(self, parameter):
        gradient = self._gradients[parameter]
        return gradient.dense() if isinstance(gradient, RowSum) else gradient

    def __len__(self):
        return len(self._gradients)

    def __iter__(self):
        return iter(self._gradients)

    def __contains__(self, parameter):
        return parameter in self._gradients

    def keys(self):
        return self._gradients.keys()

    def values(self):
        return [self[parameter] for parameter in self._gradients]

    def items(self):
        return [(parameter, self[parameter]) for parameter in self._gradients]

    def sparse_items(self):
        """(parameter, gradient) pairs, where the gradient of a table may be a RowSum."""
        return list(self._gradients.items())

    def map(self, function):
        """The Gradients that `function`, which gives an array of the same shape, makes of each."""
        return Gradients({parameter: function(gradient) for parameter, gradient in self.items()}, self.late)

    def __array__(self, dtype=None, copy=None):
        """NumPy would make an array of the parameters, as it does of what is gone through."""
        raise TypeError(f"gradients with respect to parameters are no array: {self.__lantern_hint__}")

    def __repr__(self):
        return "Gradients(" + ", ".join(str(parameter.name) for parameter in self._gradients) + ")"


def value_and_grad(f, wrt=None):
    """A function that gives the value of f, one number, and its gradient.

    f: a function, a method, or an `lt.function`, which is then compiled.
    wrt: with respect to what: the name of an argument, a Parameter, or a tuple of such. By default it is the
        trainable parameters that f reaches, or, where it reaches none, f's first argument.
    Gradient: `Gradients` for the default parameters; else of the structure of the argument, with what is no floating
        number in it as it is there, and a tuple for a tuple.

    Raises TypeError where f does not give one number, has no such argument, or nothing in it is a floating number, and
    ValueError where wrt names something twice.
    """
    return ValueAndGrad(f, wrt)


def grad(f, wrt=None):
    """As `value_and_grad`, without the value."""
    both = value_and_grad(f, wrt)

    @dispatch.taking_lists
    @functools.wraps(f, updated=())
    def gradient(*arguments, **keywords):
        return both(*arguments, **keywords)[1]
    return gradient


@dispatch.taking_lists
class ValueAndGrad:
    """What `value_and_grad` returns; callable as f is."""

    def __init__(self, function, wrt):
        self.function = function
        self.wrt = wrt
        self._compiled = None

    def __call__(self, *arguments, **keywords):
        trace = dispatch.active_trace()
        if trace is not None:
            bound = self._bind(arguments, keywords)
            return trace.value_and_grad(self.function, self.wrt, bound.args, bound.kwargs)
        if hasattr(self.function, "value_and_grad"):  # an lt.function
            if self._compiled is None:
                references_of(self.wrt, inspect.signature(self.function).parameters)
                self._compiled = self.function.value_and_grad(self.wrt)
            try:
                return self._compiled(*arguments, **keywords)
            except BaseException as error:
                tracebacks.keep_users_frames(error)
                raise
        return self._eager(self._bind(arguments, keywords))

    def _bind(self, arguments, keywords):
        bound = signature_of(self.function).bind(*arguments, **keywords)
        if not _is_numpys_or_of_c(self.function):
            bound.apply_defaults()
        return bound

    def _is_of_parameters(self, tape, watched):
        """Whether a call that has read no parameter, of an empty batch say, is still of a function of parameters: of a module that has some,
        and of no floating number."""
        found = []
        for value in watched.values():
            map_leaves(lambda x: found.append(x) if tape.owns(x) else None, value)
        owner = getattr(self.function, "__self__", None)
        return not found and isinstance(owner, Module) and any(parameter.trainable for parameter in owner.parameters().values())

    def _eager(self, bound):
        references = references_of(self.wrt, bound.arguments)
        by_default = self.wrt is None
        if by_default:
            references = tuple(bound.arguments)[:1]
            wants = lambda parameter: isinstance(parameter, Parameter) and parameter.trainable  # noqa: E731
        else:
            chosen = {reference for reference in references if isinstance(reference, Global)}
            wants = chosen.__contains__
        absent = tuple(name for name, value in bound.arguments.items() if value is None)
        tape = Tape(wants)
        watched = {}
        for reference in references:
            if isinstance(reference, str):
                watched[reference] = bound.arguments[reference] = _watch(tape, bound.arguments[reference])
        with tape:
            result = self.function(*bound.args, **bound.kwargs)
        value, adjoints = _adjoints(tape, result)
        reached = _reached_by(self.function, absent) if by_default else {}
        if by_default and (tape.leaves or reached or self._is_of_parameters(tape, watched)):
            late = tape.leaves.keys() - reached.keys() if reached else ()
            reached.update(dict.fromkeys(tape.leaves))
            return value, Gradients({p: adjoints(tape.leaves[p]) if p in tape.leaves else _zero(p.read()) for p in reached}, late)
        gradients = []
        for reference in references:
            if isinstance(reference, str):
                gradients.append(_gradient_of(tape, reference, watched[reference], adjoints))
            elif reference in tape.leaves:
                gradients.append(_dense(adjoints(tape.leaves[reference])))
            else:
                gradients.append(np.zeros_like(reference.read()))
        return value, tuple(gradients) if isinstance(self.wrt, (tuple, list)) else gradients[0] if gradients else ()


def _is_numpys_or_of_c(function):
    """Whether its defaults, `dtype=None`, are its own affair."""
    return isinstance(function, (np.ufunc, python_types.BuiltinFunctionType)) or (getattr(function, "__module__", None) or "").partition(".")[0] == "numpy"


def references_of(wrt, names):
    """What `wrt` says, as a tuple. names: of the function's arguments."""
    references = tuple(wrt) if isinstance(wrt, (tuple, list)) else () if wrt is None else (wrt,)
    for number, reference in enumerate(references):
        if isinstance(reference, str) and reference not in names:
            raise TypeError(f"wrt: the function has no argument '{reference}' (it has {', '.join(names) or 'none'})")
        if not isinstance(reference, (str, Global)):
            named = list(names)[reference:reference + 1] if type(reference) is int and reference >= 0 else []
            whole = isinstance(reference, (Module, dict))
            what = f"a {type(reference).__name__}" if whole else repr(reference)
            better = ": leave wrt out, and the gradients are those of every Parameter that is read and trained" if whole else "".join(f": write wrt={name!r}" for name in named)
            raise TypeError(f"wrt: {what} is neither the name of an argument nor a Parameter{better}")
        if any(other is reference or isinstance(other, str) and isinstance(reference, str) and other == reference for other in references[:number]):
            raise ValueError(f"wrt: '{reference if isinstance(reference, str) else reference.name}' is named twice")
    return references


_reached = weakref.WeakKeyDictionary()  # object whose method it is, or function → {(its code, names): {Parameter: None}}


def _reached_by(function, absent):
    """The parameters that earlier calls of a function, with None for the same arguments, have read: those that this one does not read have a
    gradient, zero, as in a compiled function, where a gradient is of all that the function may read. An optimiser with a memory sees
    the difference."""
    function = getattr(function, "python_function", function)
    owner = getattr(function, "__self__", function)
    try:
        return _reached.setdefault(owner, {}).setdefault((getattr(function, "__code__", None), absent), {})
    except TypeError:       # it cannot be referred to weakly
        return {}


def _zero(array):
    return RowSum(array.shape, array.dtype) if array.ndim else np.zeros_like(array)


def _dense(gradient):
    return gradient.dense() if isinstance(gradient, RowSum) else gradient


def _adjoints(tape, result):
    if np.shape(result) != ():
        raise TypeError(f"a gradient is that of one number, and the function gives an array of shape {np.shape(result)}")
    if not tape.owns(result):
        if not isinstance(result, (bool, int, float, np.generic, LevelValue)):
            raise TypeError(f"a gradient is that of one number, and the function gives a {type(result).__name__}")
        return result, lambda leaf: 0.0 if is_number(leaf.value) else np.zeros_like(primal(leaf.value))
    adjoints = tape.adjoints(result)

    def adjoint(leaf):
        value = adjoints[leaf.number].value
        return float(value) if is_number(leaf.value) and not isinstance(value, LevelValue) else value
    return result.value, adjoint


@functools.lru_cache(maxsize=None)
def holds_floats(type_):
    """Whether a type, or one within it, is one that a derivative can be taken with respect to."""
    return any(map(types.is_floating, types.within(type_)))


def _watch(tape, value):
    def leaf(x):
        return tape.watch(x) if is_floating(x) else x
    if is_struct(value) and not holds_floats(types.type_of(value)):
        return value
    return map_leaves(leaf, value)


def _gradient_of(tape, name, watched, adjoints):
    owned, others = [], []

    def gradient(x):
        (owned if tape.owns(x) else others).append(x)
        return _dense(adjoints(x)) if tape.owns(x) else x
    gradients = map_leaves(gradient, watched)
    if not owned and any(x is not None for x in others):
        raise TypeError(f"there is no gradient with respect to '{name}': nothing in it is a floating number")
    return gradients


def map_leaves(function, value):
    """`function` of every leaf of structures, tuples, lists and dicts, in the same form. Any depth; a part that stands at several places once, but for
    tuples: those are values, and which of them are one object is nobody's concern."""
    if _parts(value) is None:
        return function(value)
    done, around_it = {}, {id(value)}      # id of a composite → its image; the ids of those that are open
    open_ = [(value, iter(_parts(value).items()), {})]
    while True:
        current, rest, images = open_[-1]
        for key, part in rest:
            parts = _parts(part)
            if parts is None:
                images[key] = function(part)
            elif id(part) in done:
                images[key] = done[id(part)]
            elif id(part) in around_it:
                raise ValueError(f"a {type(part).__name__} that holds itself has no gradient")
            else:
                around_it.add(id(part))
                open_.append((part, iter(parts.items()), {}))
                images[key] = part      # in whose place its image comes
                break
        else:
            image = _rebuilt(current, images)
            if not isinstance(current, tuple):
                done[id(current)] = image
            open_.pop()
            around_it.discard(id(current))
            if not open_:
                return image
            around = open_[-1][2]
            around[next(reversed(around))] = image


def _parts(value):
    """{key: part} of a composite value; None for a leaf."""
    names = _fields_of(type(value))
    if names is not None:
        return {name: getattr(value, name) for name in names}
    if isinstance(value, (list, tuple)):
        return dict(enumerate(value))
    if isinstance(value, dict):
        return value
    return None


def _fields_of(cls):
    """The names of the fields of a structure's class, or a frozen dataclass; None of another."""
    if hasattr(cls, "__lantern_struct__"):
        return cls.__lantern_struct__.field_names
    parameters = vars(cls).get("__dataclass_params__")
    return [field.name for field in dataclasses.fields(cls)] if parameters is not None and parameters.frozen else None


def _rebuilt(value, images):
    if _fields_of(type(value)) is not None:
        image = object.__new__(type(value))
        for name, part in images.items():
            object.__setattr__(image, name, part)
        return image
    if isinstance(value, dict):
        return images
    if hasattr(value, "_fields"):  # a named tuple
        return type(value)(*images.values())
    return type(value)(images.values())
