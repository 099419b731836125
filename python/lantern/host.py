"""Calling back into Python: `lt.py_function`, and the table of functions that a compiled program calls."""
from __future__ import annotations

import ctypes
import functools
import sys

from lantern import abi, abi_reader, dispatch, printed, types
from lantern.annotations import from_annotation
from lantern.lazy_numpy import np
from lantern.records import Record


def py_function(function, arguments, result_type):
    """`function(*arguments)`, called by Python itself where a compiled program comes to it, in program order.

    function: any callable; it is not converted, and what it does to Python's objects is real.
    arguments: a tuple or a list of numbers, strings and arrays. Arrays arrive as copies that cannot be written to.
    result_type: what it returns: `bool`, `int`, `float`, `str`, a NumPy scalar type, `lt.Tensor[…]` (its dtype, rank and
        known dimensions), or None where it returns None.

    Raises TypeError, which names the function, where it returns something else: nothing is converted. What the function
    raises, the caller of the compiled function gets as it is. No derivative goes through it: where one is needed, that is an
    error, and `lt.stop_gradient(x)` says that none is. A program that is compiled ahead of time (`lantern compile`,
    `lantern run`) has no Python to call: an error at the call (LT0316).
    """
    type_ = _result_type(result_type)
    if not callable(function):
        raise TypeError(f"py_function calls a function, not a {type(function).__name__}")
    if not isinstance(arguments, (tuple, list)):
        raise TypeError(f"py_function takes the arguments of '{name_of(function)}' as a tuple or a list, not as a {type(arguments).__name__}")
    trace = dispatch.active_trace()
    if trace is not None:
        return trace.py_function(function, tuple(arguments), type_)
    if dispatch.active_tape() is not None:
        return dispatch.dispatch("py-function", (type_, function, *arguments))
    return body(type_, function, *(x.read() if dispatch.is_global(x) else x for x in arguments))


def name_of(function):
    """How messages call a function of the user's."""
    return getattr(function, "__name__", None) or type(function).__name__


def _result_type(given):
    type_ = from_annotation(given)
    if isinstance(type_, types.TensorType):
        return type_.replaced(dims=tuple(dim if isinstance(dim, int) else None for dim in type_.dims))
    if isinstance(type_, (types.Scalar, types.NoneType)):
        return type_
    raise TypeError(f"py_function cannot give {given!r}: bool, int, float, str, a NumPy scalar type, lt.Tensor[…] or None")


def passes(type_):
    """Whether an argument of this type passes to a function of Python's."""
    return isinstance(type_, (types.Scalar, types.TensorType))


def body(type_, function, *arguments):
    """The call where nothing is compiled; arguments and result are as a compiled program would pass them."""
    values = []
    for number, argument in enumerate(arguments):
        if not passes(types.type_of(argument)):
            raise TypeError(f"argument {number} of '{name_of(function)}' is {types.annotation(types.type_of(argument))}, which py_function does not pass: "
                            "numbers, strings and arrays")
        values.append(freeze(argument) if isinstance(argument, np.ndarray) else argument)
    return checked(function, type_, function(*values))


def freeze(array):
    """A copy that cannot be written to; the number, of an array of rank 0."""
    if array.ndim == 0:
        return array[()]
    array = array.copy()
    array.flags.writeable = False
    return array


def checked(function, type_, value):
    """What `function` returned, as a `type_`. Raises TypeError if it is none."""
    if dispatch.is_global(value):
        value = value.read()
    if not is_a(type_, value):
        raise TypeError(f"'{name_of(function)}' returned {described(value)}, and py_function says that it gives {types.annotation(type_)}")
    if isinstance(type_, types.TensorType):
        return freeze(np.asarray(value))
    if type_ == types.i64 and not -2**63 <= value < 2**63:
        raise OverflowError(f"'{name_of(function)}' returned {value}, which does not fit in 64 bits")
    return value.item() if isinstance(value, np.generic) else value


def is_a(type_, value):
    """Whether a number or an array is of a type: nothing is converted."""
    if isinstance(type_, types.TensorType):
        return isinstance(value, (np.ndarray, np.generic)) and value.dtype == types.numpy_dtype(type_.dtype) and value.ndim == type_.rank \
            and all(dim in (None, size) for dim, size in zip(type_.dims, value.shape))
    return isinstance(value, _classes()[str(type_)]) and not (type_ == types.i64 and isinstance(value, bool))


@functools.lru_cache(maxsize=None)
def _classes():
    return {"bool": (bool, np.bool_), "i64": (int, np.int64), "f64": float, "i32": np.int32, "f32": np.float32, "string": str, "none": type(None)}


def described(value):
    """What a value is, for an error."""
    if isinstance(value, (np.ndarray, np.generic)) and not isinstance(value, float):
        return f"an array of {value.dtype} with the shape {value.shape}"
    return "None" if value is None else f"a {type(value).__name__}"


class Callback(Record):
    """A function of Python's that a program calls, and the types that pass."""
    function: object
    arguments: tuple
    result: types.Type

    @property
    def carried(self):
        """The type that the program receives: where there is no result, a bool that nobody reads."""
        return types.bool_ if isinstance(self.result, types.NoneType) else self.result


class _Request(ctypes.Structure):
    """A program's call: host.h has the same."""
    _fields_ = [("name", ctypes.c_char_p), ("arguments", ctypes.POINTER(ctypes.c_void_p)), ("result", ctypes.c_void_p), ("failed", ctypes.c_int32)]


_CALL = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Request))


class Host:
    """The functions of Python's that one loaded program calls, by name; one at a time."""

    def __init__(self, callbacks, stream, speaks):
        """stream: of random numbers (compiled.py), which the functions have while they run. speaks: whether the program prints."""
        self._callbacks, self._stream, self._speaks = callbacks, stream, speaks
        self._error = self._wrong = None    # what the last call raised; (kind, message), if it was we who found its result wrong
        self._kept = None                   # the memory of the last result
        answers = self._answers()
        next(answers)
        self.address = _CALL(answers.send)  # lives as long as the program may call it

    def _answers(self):
        """Takes requests, by `send`. What a signal's handler raises that came while the program ran is raised at the first step of what the program calls:
        in a function's, nobody would get it; this goes on within its `try`."""
        while True:
            try:
                while True:
                    request = None      # the last one is gone once this waits
                    request = (yield).contents
                    self._answer(request)
                    request.failed = 0      # as it comes, it has failed
            except GeneratorExit:
                return
            except BaseException as error:      # noqa: B036  the program's caller gets it
                self._error = error
                if request is not None:
                    request.failed = 1      # it may have come behind the answer

    def _answer(self, request):
        callback = self._callbacks[request.name.decode("utf-8", "surrogateescape")]
        reader = abi_reader.Reader()
        values = [reader.read(type_, request.arguments[i]) for i, type_ in enumerate(callback.arguments)]
        if self._speaks:
            printed.flush()
        with self._stream:
            value = callback.function(*values)
        if self._speaks:
            sys.stdout.flush()
        try:
            value = checked(callback.function, callback.result, value)
            memory = self._kept = abi.Memory()
            image = memory.image(callback.carried, True if value is None else value, "the result")
        except (TypeError, ValueError, OverflowError) as error:
            self._wrong = type(error).__name__, str(error)
            raise
        ctypes.memmove(request.result, image, abi.size_and_alignment(callback.carried)[0])

    @property
    def has_error(self):
        """Whether a call raised something that the program's caller has not got yet."""
        return self._error is not None

    def raise_error(self):
        """Raises what the last call of a function raised. → (kind, message) if it was we who found its result wrong, else None."""
        error, wrong, self._error, self._wrong, self._kept = self._error, self._wrong, None, None, None
        if error and not wrong:
            raise error
        return wrong
