"""`lt.extern`: functions of the user's own in C++, with their derivatives."""
from __future__ import annotations

import functools
import inspect
import os
import re
import sys

from lantern import dispatch, types
from lantern.annotations import from_annotation
from lantern.custom import CustomVjp
from lantern.host import freeze, is_a, described
from lantern.lazy_numpy import np
from lantern.levels import LevelValue


def extern(name, header, result, pullback=None, python=None, python_pullback=None):
    """A function that is written in C++, to be called in what is compiled.

    name: of the function, `name` or `space::name`.
    header: the file that declares or defines it; a path that is not absolute is taken from the folder of the file that calls
        `extern`. Generated C++ includes it by its name, and what is built in process finds it; C++ that `lantern compile` writes is
        compiled with that folder among those of quoted headers (`-iquote`).
    result: the type of what it gives, as an annotation (`float`, `lt.Tensor[lt.f64, None]`, a tuple of such), or a function of
        the arguments' types that gives one. Sizes of arrays are the function's affair: dimensions in it count for nothing.
    pullback: the name of its derivative, in the same header: it takes the arguments, what the function gave of them, and the
        adjoint of each floating part of that, and gives the adjoint of the floating argument, or a std::tuple of those of all of them.
        Without one, no derivative goes through the function.
    python, python_pullback: the same in Python, for runs that are not compiled.

    Numbers pass as C++'s (a float as double, an int as int64_t), arrays as lantern::Tensor<T, rank>, strings as std::string_view;
    lantern/tensor.h says how a new array is made. The function depends on its arguments alone, changes none of them and throws
    nothing (lantern::fail(…) ends the program's run with an error): it may be called twice, or not at all where nobody
    needs its value. A derivative of its derivative is not known. Raises FileNotFoundError where there is no such header, TypeError for what cannot pass.
    """
    for of, given in (("name", name), ("pullback", pullback)):
        if given is not None and not re.fullmatch(r"[A-Za-z_]\w*(::[A-Za-z_]\w*)*", given, re.ASCII):
            raise TypeError(f"extern: {of} is {given!r}: a function's name in C++ is `name` or `space::name`")
    path = os.path.join(os.path.dirname(os.path.abspath(sys._getframe(1).f_code.co_filename)), os.fspath(header))
    if not os.path.isfile(path):
        raise FileNotFoundError(f"extern: '{name}' is in '{header}', and there is no file '{path}'")
    if not re.fullmatch(r"[\w.+-]+", os.path.basename(path), re.ASCII):
        raise TypeError(f"extern: a header is named by letters, digits and _ . + -, not {os.path.basename(path)!r}")
    function = Foreign(name, path, python)
    of_result = functools.partial(_result_type, name, result)
    return Extern(function, None if pullback is None else Foreign(pullback, path, python_pullback), of_result)


class Foreign:
    """A function of C++'s; `python`: what computes the same in Python, or None."""

    def __init__(self, name, path, python):
        self.name, self.path, self.python = name, path, python
        self.folder, self.header = os.path.split(path)

    def __call__(self, arguments, of_result):
        trace = dispatch.active_trace()
        if trace is not None:
            return trace.foreign(self, arguments, of_result)
        if any(isinstance(argument, LevelValue) for argument in arguments):
            raise NotImplementedError(f"'{self.name}' cannot be differentiated through: it is in C++, and its derivative there is not known; "
                                      "use lt.stop_gradient(x) for its arguments where no derivative is wanted")
        if self.python is None:
            raise NotImplementedError(f"'{self.name}' is in C++: compile what calls it (lt.function), or give lt.extern the same in Python")
        values = [x.read() if dispatch.is_global(x) else x for x in arguments]
        found = [types.type_of(value) for value in values]
        for number, type_ in enumerate(found):
            if not passes(type_):
                raise TypeError(self.refusal(f"argument {number}", type_))
        wanted, given = of_result(found), self.python(*[freeze(x) if isinstance(x, np.ndarray) else x for x in values])
        if isinstance(wanted, types.Tuple):
            if not isinstance(given, tuple) or len(given) != len(wanted.elements):
                raise TypeError(f"'{self.name}' in Python gave {described(given)}, and lt.extern says that it gives {types.annotation(wanted)}")
            return tuple(map(self._checked, wanted.elements, given))
        return self._checked(wanted, given)

    def refusal(self, what, type_):
        return f"{what} is {types.annotation(type_)}, and is passed to '{self.name}' in C++: numbers, strings and arrays pass"

    def _checked(self, type_, value):
        if isinstance(type_, types.TensorType) and not type_.dims and isinstance(value, float):
            value = np.float64(value)       # a number by either name, if of f64
        if not is_a(type_, value):
            raise TypeError(f"'{self.name}' in Python gave {described(value)}, and lt.extern says that it gives {types.annotation(type_)}")
        return freeze(value) if isinstance(value, np.ndarray) else value


def passes(type_):
    """Whether an argument of this type passes to a function of C++'s."""
    return isinstance(type_, (types.Scalar, types.TensorType))


def _result_type(name, given, found):
    """What the function `name` gives of arguments of the types `found`."""
    if inspect.isroutine(given) or isinstance(given, functools.partial):
        given = given(*found)
    type_ = types.Tuple(tuple(map(_part, given))) if isinstance(given, (tuple, list)) else _part(given)
    parts = type_.elements if isinstance(type_, types.Tuple) else (type_,)
    if not parts or any(part is None or part == types.string for part in parts):
        raise TypeError(f"extern: '{name}' cannot give {given!r}: numbers, lt.Tensor[…] or a tuple of such")
    return type_


def _part(given):
    type_ = from_annotation(given)
    if isinstance(type_, types.TensorType):
        return types.TensorType(type_.dtype, (None,) * type_.rank)
    return type_ if isinstance(type_, types.Scalar) else None


def is_floating_type(type_):
    return type_ in (types.f32, types.f64) or (isinstance(type_, types.TensorType) and type_.dtype in ("f32", "f64"))


class Extern:
    """What `extern` returns; callable as a function is."""

    def __init__(self, function, back, of_result):
        self._function, self._back, self._of_result = function, back, of_result
        self._differentiable = functools.lru_cache(maxsize=None)(self._with_derivative)     # by the number of arguments
        self.__name__ = function.name.rpartition(":")[2]
        if function.python is not None:
            self.__signature__ = inspect.signature(function.python)

    def __call__(self, *arguments):
        if self._back is None:
            return self._function(arguments, self._of_result)
        return self._differentiable(len(arguments))(*arguments)

    def _with_derivative(self, count):
        return CustomVjp(self._staged(count, lambda *those: self._function(those, self._of_result), self.__name__),
                         self._staged(count, self._forward, f"{self.__name__}_forward"), self._backward)

    @staticmethod
    def _staged(count, function, name):
        from lantern.staging.convert import mark

        @mark
        def call(*arguments):
            return function(*arguments)
        call.__name__ = call.__qualname__ = name
        call.__signature__ = inspect.Signature([inspect.Parameter(f"x{i}" if count > 1 else "x", inspect.Parameter.POSITIONAL_ONLY) for i in range(count)])
        return call

    def _forward(self, *arguments):
        y = self._function(arguments, self._of_result)
        return y, (arguments, y)

    def _backward(self, saved, adjoint):
        arguments, y = saved
        given = self._back((*arguments, *_parts(y), *(part for part in _parts(adjoint) if part is not None)), self._adjoint_types(arguments))
        parts = iter(_parts(given))
        return tuple(next(parts) if floating else None for floating in self._floating(arguments))

    def _floating(self, arguments):
        trace = dispatch.active_trace()
        type_of = types.type_of if trace is None else trace.type_of
        return [is_floating_type(type_of(argument)) for argument in arguments]

    def _adjoint_types(self, arguments):
        floating = self._floating(arguments)

        def of(found):
            adjoints = [type_ for type_, has in zip(found, floating) if has]
            return _result_type(self._back.name, adjoints[0] if len(adjoints) == 1 else adjoints, found)
        return of


def _parts(value):
    return value if isinstance(value, tuple) else (value,)
