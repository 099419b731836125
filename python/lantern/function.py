"""`lt.function`: a Python function that is staged, compiled and loaded when it is first called with arguments of a kind.

    fast = lt.function(model.loss)
    fast(tree)
"""
from __future__ import annotations

import contextlib
import functools
import inspect
import operator
import threading
import types as python_types
import weakref

from lantern import dispatch, kinds as kinds_, recompiled, repeated, shared_parts, tracebacks, types
from lantern.annotations import annotations_of, of_parameter, static
from lantern.host import name_of


class _Thread(threading.local):
    eager = False   # whether compiled functions run as Python in this thread


_thread = _Thread()


@contextlib.contextmanager
def eager():
    """Within `with lt.eager():` the compiled functions that this thread calls run as the Python that they are."""
    before = _thread.eager
    _thread.eager = True
    try:
        yield
    finally:
        _thread.eager = before


def function(f=None, *, dtype=None):
    """A compiled f; also a decorator, with or without arguments, of functions and of methods.

    Takes and returns Python numbers, strings, NumPy arrays, structures, and lists, tuples, named tuples and dicts of them.
    A dict that is an argument is not changed; its keys, and the texts and bools in it, are part of the program. Parameters that f
    reaches stay where they are. It is compiled anew for types of arguments that it has not seen, and where an
    attribute or a global that it read has changed, or a list, dict or array of Python's that it went through holds something else. `lt.static[T]` in an annotation, None, functions, modules and other
    Python values are known when it is staged.

    dtype: of arrays that do not state theirs, "f32" or "f64".
    Within a derivative that is taken of plain Python (`lt.grad(lambda x: fast(x) ** 2)`) it runs as the Python that it is, and the derivative goes
    through it; `lt.grad` of it, or of an `lt.function` around it, is compiled.
    Errors of the running program are raised as the Python exception of that kind, with the user's file and line.
    """
    if f is None:
        return functools.partial(function, dtype=dtype)
    from lantern.grad import ValueAndGrad
    if isinstance(f, ValueAndGrad):
        of = f.function if isinstance(f.function, Function) else Function(f.function, dtype)
        return of.value_and_grad(f.wrt)
    return Function(f, dtype)


_MOST_KINDS = 256  # of arguments that a function remembers: there is one for each shape
_MOST_STATES = 16  # of the Python state that a version has read, for arguments of one kind
_PLAIN = object()  # in the place of `wrt`: no gradient


class Function:
    """A function that is compiled when it is called."""

    def __init__(self, python_function, dtype=None, wrt=_PLAIN):
        compiled = inspect.unwrap(python_function, stop=lambda f: type(f).__module__ == "numpy")
        if isinstance(compiled, python_types.BuiltinFunctionType) or type(compiled).__module__ == "numpy":
            raise TypeError(f"lt.function compiles what is written in Python, and '{name_of(compiled)}' is not: lt.function(lambda x: {name_of(compiled)}(x))")
        functools.update_wrapper(self, python_function, updated=())
        self.python_function = python_function
        self.dtype = types.dtype_name(dtype) if dtype is not None else None
        self._wrt = wrt
        self._signature = inspect.signature(python_function)
        self._annotations = annotations_of(python_function)
        self._versions = {}
        self._compiled = 0      # how many times
        self._jvps = {}     # whether each argument has a tangent → the function that lt.jvp compiles
        self._repeated = {}     # (default dtype, repeated.kind_of the arguments) → the version that they were last passed to
        self._methods = weakref.WeakKeyDictionary()
        self._lock = threading.RLock()

    def value_and_grad(self, wrt=None):
        """The compiled function that gives (value, gradient); see `lt.value_and_grad`."""
        return Function(self.python_function, self.dtype, wrt)

    def jvp(self, primals, tangents):
        """`lt.jvp` of the function, compiled."""
        given = tuple(tangent is not None for tangent in tangents)
        with self._lock:
            if given not in self._jvps:
                self._jvps[given] = Function(self._along(given), self.dtype)
        return self._jvps[given](*primals, *(tangent for tangent in tangents if tangent is not None))

    def _along(self, given):
        """What `jvp` compiles: it takes the arguments, and tangents for those that have one."""
        from lantern.forward import jvp
        from lantern.staging.convert import mark
        function = self.python_function

        @mark
        def along(*values):
            tangents = iter(values[len(given):])
            return jvp(function, values[:len(given)], tuple(next(tangents) if has else None for has in given))
        parameters = [parameter.replace(default=parameter.empty) for parameter in self._signature.parameters.values()][:len(given)]
        if len(parameters) < len(given) or any(p.kind not in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters):
            raise TypeError(f"jvp: '{self.__name__}' does not take {len(given)} arguments by position")
        parameters = [parameter.replace(kind=parameter.POSITIONAL_ONLY) for parameter in parameters]
        along.__name__ = f"{name_of(function)}_jvp".replace("<lambda>", "lambda")
        along.__annotations__ = {parameter.name: self._annotations[parameter.name] for parameter in parameters if parameter.name in self._annotations}
        for parameter, has in zip(parameters[:len(given)], given):
            if has:
                parameters.append(parameter.replace(name=f"{parameter.name}_dot"))
                if parameter.name in along.__annotations__:
                    along.__annotations__[f"{parameter.name}_dot"] = along.__annotations__[parameter.name]
        along.__signature__ = inspect.Signature(parameters)
        return along

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        method = self._methods.get(instance)
        if method is None:
            method = self._methods[instance] = Function(self.python_function.__get__(instance, owner), self.dtype, self._wrt)
        return method

    def __call__(self, *arguments, **keywords):
        try:
            return self._call(arguments, keywords)
        except BaseException as error:
            tracebacks.keep_users_frames(error)
            raise

    def _call(self, arguments, keywords):
        if _thread.eager or dispatch.active_tape() is not None or dispatch.tracing is not None and dispatch.active_trace() is not None:
            return self._python()(*arguments, **keywords)
        kind, leaves = (None, ()) if keywords else repeated.kind_of(arguments)
        key = (self.dtype or types.default_dtype(), kind)
        version = self._repeated.get(key)
        if version is not None and version.valid():
            values = version.repeat(leaves)
            if values is not None:
                return version.arranged(values)
        result, version, taken = self._call_any(arguments, keywords)
        if kind is not None and version.can_repeat(taken, leaves):
            if len(self._repeated) >= _MOST_KINDS:
                self._repeated.clear()
            self._repeated[key] = version
        return result

    def _call_any(self, arguments, keywords):
        """The result, the version that gave it, and what that took of the arguments, one by one."""
        given = self._bind(arguments, keywords).arguments
        kinds = self.kinds(given)
        version = self._version(kinds)
        flat = [each for name, kind in kinds.items() for each in kinds_.flattened(kind, given[name], f"argument '{name}'")]
        return version(flat, given), version, flat

    def _bind(self, arguments, keywords):
        try:
            bound = self._signature.bind(*arguments, **keywords)
        except TypeError as error:
            raise TypeError(f"{getattr(self, '__name__', 'the function')}(): {error}") from None
        bound.apply_defaults()
        return bound

    def _python(self):
        if self._wrt is _PLAIN:
            return self.python_function
        from lantern.grad import ValueAndGrad
        return ValueAndGrad(self.python_function, self._wrt)

    def kinds(self, given):
        """{parameter: kind} of arguments by name (kinds.py)."""
        found = kinds_.Kinds()
        return {name: self._kind(name, value, found) for name, value in given.items()}

    def _kind(self, name, value, kinds):
        if self._signature.parameters[name].kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            if value:
                raise TypeError(f"{self.__name__}: '{name}' takes any number of arguments, which a compiled function cannot")
            return types.Known(value)
        annotation = self._annotations.get(name)
        if isinstance(annotation, static):
            return types.Known(value)
        declared = of_parameter(annotation)
        if isinstance(declared, types.Optional) and not types.can_be_missing(declared.element):
            return types.Known(None) if value is None else declared.element
        if declared is not None and not isinstance(declared, types.NoneType) and not _has_none_within(declared):    # which go by the value
            return declared
        if value is None or dispatch.is_global(value):
            return types.Known(value)
        try:
            return kinds.of(name, value)
        except TypeError as error:
            if isinstance(value, (list, tuple)) or hasattr(value, "dtype"):
                raise TypeError(f"argument '{name}': {error}") from None
            return types.Known(value)

    def _version(self, kinds):
        key = (*kinds.values(), self.dtype or types.default_dtype())
        with self._lock:
            for version in self._versions.get(key, ()):
                if version.valid():
                    return version
            version = _Version(self, kinds, key[-1])
            versions = self._versions.setdefault(key, [])
            versions.append(version)
            del versions[:-_MOST_STATES]
            self._compiled += 1
            if self._compiled == recompiled.MANY:
                recompiled.warn(self.python_function, tuple(kinds), self._versions)
            return version

    def staged(self, kinds, dtype):
        from lantern.staging.entry import stage_function
        more = {} if self._wrt is _PLAIN else {"wrt": self._wrt}
        return stage_function(self.python_function, kinds, dtype, **more)

    def text(self, *arguments, **keywords):
        """The S-expressions of the program that a call with such arguments compiles."""
        try:
            return self.staged(self.kinds(self._bind(arguments, keywords).arguments), self.dtype or types.default_dtype()).text
        except BaseException as error:
            tracebacks.keep_users_frames(error)
            raise

    def is_plain(self):
        """Whether it gives no gradient."""
        return self._wrt is _PLAIN

    def arranged(self, result, references):
        """The value and the gradient of a compiled call as the function's caller expects them."""
        from lantern.grad import Gradients
        value, *gradients = result
        if self._wrt is None and references and not isinstance(references[0], str):
            return value, Gradients(zip(references, gradients))
        if isinstance(self._wrt, (tuple, list)):
            return value, tuple(gradients)
        return value, gradients[0] if gradients else Gradients(())

    def __repr__(self):
        return f"<lt.function {getattr(self, '__qualname__', self.python_function)}>"


class _Version:
    """A function compiled for arguments of certain types."""

    def __init__(self, owner, kinds, dtype):
        from lantern import compiled
        staged = owner.staged(kinds, dtype)
        self.valid = staged.valid
        code = getattr(owner.python_function, "__code__", None)
        path = compiled.build(staged.text, code.co_filename if code else "<program>", "program", staged.header_folders, staged.files)
        structs = {name: types.StructType(name, declaration) for name, declaration in _structs_of(kinds, staged).items()}
        self.program = compiled.Program(path, structs, staged.exceptions, staged.files, staged.callbacks, staged.speaks, staged.globals)
        self._entry = self.program.entry(staged.entry)
        self.repeat = self.program.repeated_entry(staged.entry)    # the values of a call; None if it has to go the long way, or all have to
        rebuild, references = staged.rebuild, staged.wrt
        self._gives_back = staged.gives_back
        # (place, name, kind) of those arguments whose gradients are sums where a list or a structure stands at several places
        self._shared = [(place, name, kinds[name]) for place, name in enumerate(references) if isinstance(name, str) and shared_parts.may_stand_twice(kinds[name])]
        self._gives_several = isinstance(owner._wrt, (tuple, list))
        # the result, of the values that the entry gives
        self.arranged = rebuild if owner.is_plain() else lambda values: owner.arranged(rebuild(values), references)

    def __call__(self, values, given):
        """The result. values: of the arguments, one by one; given: the arguments by name."""
        result = self.arranged(self._entry(*values))
        for place, name, kind in self._shared:
            shared_parts.sum_gradients(kind, given[name], result[1][place] if self._gives_several else result[1])
        return self._gives_back(result, given) if self._gives_back else result

    def can_repeat(self, taken, leaves):
        """Whether arguments of which a call has just taken these may come as they are to `repeat`: they are the leaves that `repeated.kind_of` has found,
        and none is a default or, though it looks like one, known."""
        return len(taken) == len(leaves) and all(map(operator.is_, taken, leaves)) and self.repeat is not None and self._gives_back is None and not self._shared \
            and repeated.takes(self.repeat.formals, leaves)


def _structs_of(kinds, staged):
    """{name: class} of the structures that the arguments' types and the staged program speak of."""
    of_arguments = [type_ for kind in kinds.values() for part in kinds_.parts_within(kind) for type_ in types.within(part) if isinstance(type_, types.StructType)]
    return {**getattr(staged, "structs", {}), **{type_.name: type_.declaration for type_ in of_arguments}}


def _has_none_within(type_):
    """Whether it is that of a list or tuple which may have None among its elements, and a program does not: `list[float | None]`."""
    if not isinstance(type_, (types.List, types.Tuple)):
        return False
    from lantern.staging import none_in_lists
    return none_in_lists.annotated(type_) is not None
