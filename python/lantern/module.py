"""Parameters, variables, and modules that hold them.

    class Linear(lt.Module):
        def __init__(self, inputs, outputs):
            self.weight = lt.Parameter((outputs, inputs), lt.init.uniform(-0.1, 0.1))

A parameter's name is its path from the outermost module: `head.weight`; an element of a list or a dict that a
module holds gets its key behind an underscore, `layers_0.weight`, what is no letter or digit in words: `gates_plus.weight`.
"""
from __future__ import annotations

import functools
import operator
import re
import types as python_types
import weakref

from lantern import dispatch, init, makers, types
from lantern.init import LARGEST
from lantern.lazy_numpy import np
from lantern.levels import LevelValue
from lantern.operand import ArrayOperand

LINE = 64   # bytes of a cache line


class _Owned:
    """What has a place in a tree of modules."""

    _owner = None       # weak reference to the module that holds this
    _attribute = None   # under which name


def _path(owned):
    """The dotted path from the outermost module, or None for what no module holds (yet)."""
    name = owned._attribute and _spelled(owned._attribute)
    if owned._owner is None or (owner := owned._owner()) is None:
        return name
    above = _path(owner)
    return f"{above}.{name}" if above else name


@functools.lru_cache(maxsize=None)
def _spelled(name):
    """A name in letters, digits and _, as programs have it: of `self.W = {"+": …}` it is W_plus."""
    def in_words(match):
        import unicodedata
        called = unicodedata.name(match[0], f"u{ord(match[0]):x}").replace(" SIGN", "")
        return f" {re.sub('[^A-Za-z0-9]+', '_', called).lower()} "
    return re.sub("_? +_?", "_", re.sub(r"[^A-Za-z0-9_.]|\.(?![A-Za-z_])", in_words, name).strip())


class _Path:
    """A module's path, unless it is given another name: `self.name = …` is the user's."""

    def __get__(self, module, _class=None):
        return self if module is None else _path(module)


class Global(_Owned, ArrayOperand, dispatch.GlobalValue):
    """Base of Parameter and Variable: storage that outlives a call. Operators read it, only updates change it."""

    name = property(_path)

    def __init__(self, shape, initializer, dtype, name, value=None):
        if isinstance(initializer, python_types.FunctionType) and initializer.__module__ == init.__name__:
            raise TypeError(f"init is the function lt.init.{initializer.__name__} itself: call it, lt.init.{initializer.__name__}(…)")
        trace = dispatch.active_trace()
        self.shape = tuple(shape) if trace is not None else makers.dimensions(shape, dtype)
        self.dtype = dtype
        self.init = initializer
        self._attribute = name
        self._value = value if value is None or dispatch.is_staged(value) else _from_a_line_on(value)
        # The elements of an array to begin with, or one for all, for programs that are to have it without Python.
        self.begins = _elements(value) if trace is None and value is not None else None
        if trace is not None:
            self._value = None
            trace.create(self)
            if initializer is None:
                trace.update([(self, value)])
        elif value is None:
            self.initialize()

    def initialize(self):
        """Runs the initialiser, now."""
        self._value = _from_a_line_on(self.init(self.shape, self.dtype))

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return functools.reduce(operator.mul, self.shape, 1)

    def read(self):
        """The storage itself, for operators; not to be written to."""
        level = dispatch.active_tape()
        while level is not None:
            if self in level.stored:
                raise TypeError(f"'{self.name or type(self).__name__}' is a constant to derivatives, and was given a value that one is being "
                                "taken through: assign lt.stop_gradient(x)")
            level = level.below
        return self._storage()

    def _storage(self):
        if self._value is None:
            raise RuntimeError(f"'{self.name or type(self).__name__}' was made while tracing and has no value outside "
                               "the compiled program")
        return self._value

    def changing(self):
        """The storage, to be written to. Where a derivative is being taken, what was read before stays as it was."""
        level = dispatch.active_tape()
        if level is None:
            return self._storage()
        while level is not None:
            if self in getattr(level, "leaves", ()):
                raise TypeError(f"'{self.name or type(self).__name__}' is changed within what is differentiated with respect to it: "
                                "update it before or after the gradient is taken")
            level = level.below
        self._value = _from_a_line_on(self._storage().copy())
        return self._value

    @property
    def value(self):
        """The value that it has now, as an array of its own that cannot be written to, and without a derivative."""
        if dispatch.active_trace() is not None:
            return dispatch.dispatch("stop-gradient", (self,))
        if not self.shape:
            return self.read()[()]
        value = self.read().copy()
        value.flags.writeable = False
        return value

    @value.setter
    def value(self, _):
        raise AttributeError(f"'{self.name or type(self).__name__}' is given another value by its method assign: x.assign(value)")

    def assign(self, value):
        """Replaces the value (all of it); staged: an update."""
        trace = dispatch.active_trace()
        if trace is not None:
            trace.update([(self, value)])
            return
        while isinstance(value, LevelValue):    # it has no derivative there: what reads it again is refused
            value.level.stored.add(self)
            value = value.value
        value = np.asarray(value)
        if value.shape != self.shape:
            raise ValueError(f"'{self.name or type(self).__name__}' has the shape {self.shape}, not {value.shape}")
        self.changing()[...] = value

    def __lantern_type__(self):
        return types.TensorType(self.dtype, tuple(d if isinstance(d, int) else None for d in self.shape))

    def __array__(self, dtype=None, copy=None):
        if dispatch.active_trace() is not None:
            dispatch.refuse(f"NumPy would make an array of '{self.name or type(self).__name__}' as it is while the program is staged, and the program has others",
                            "use lt's functions, or NumPy's in code that is converted")
        return np.array(self.read(), dtype)

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of a rank-0 value")
        return self.shape[0]

    def __int__(self):
        return int(dispatch.dispatch("item", (self,)))

    def __float__(self):
        return float(dispatch.dispatch("item", (self,)))

    def __bool__(self):
        return bool(dispatch.dispatch("item", (self,)))

    def __repr__(self):
        return f"{type(self).__name__}({self.name or '?'}, {self.__lantern_type__()})"


def _from_a_line_on(array):
    """An array that begins where a cache line does, as those of compiled programs do: this one, or a copy."""
    if array.ctypes.data % LINE == 0:
        return array
    room = np.empty(array.nbytes + LINE, np.uint8)
    begin = -room.ctypes.data % LINE
    result = room[begin:begin + array.nbytes].view(array.dtype).reshape(array.shape)
    result[...] = array
    return result


class Parameter(Global):
    """A trainable array.

    shape: ints, or numbers known when the program runs (a vocabulary's size). Others are a TypeError, negative ones a ValueError.
    init: an initialiser of `lt.init`, or an array to begin with (of that shape).
    trainable: whether gradients are taken with respect to it where nobody says with respect to what.
    """

    def __init__(self, shape, init=init.uniform(-0.05, 0.05), dtype=None, name=None, trainable=True):  # noqa: A002
        if isinstance(shape, np.ndarray) and shape.dtype.kind == "f":
            raise TypeError(f"a dimension is a whole number, not an array of {shape.dtype} with the shape {shape.shape}: a parameter takes its "
                            "shape first, and then what it begins with, lt.Parameter(x.shape, x)")
        shape = _as_tuple(shape)
        dtype = types.dtype_name(dtype) if dtype is not None else types.default_dtype()
        value, initializer = None, init
        if dispatch.is_staged(init):
            value, initializer = init, None
        elif not callable(init):
            value = np.array(init, types.numpy_dtype(dtype))
            if value.shape != shape:
                raise ValueError(f"the value has the shape {value.shape}, not {shape}")
            initializer = None
        self.trainable = trainable
        super().__init__(shape, initializer, dtype, name, value)


class Variable(Global):
    """State that is not trained and that any function may change: a counter, an optimiser's memory.

    value: a number or an array to begin with; or give `shape` and `init` as for a parameter.
    """

    def __init__(self, value=None, shape=None, init=init.zeros(), dtype=None, name=None):  # noqa: A002
        if shape is not None:
            dtype = types.dtype_name(dtype) if dtype is not None else types.default_dtype()
            super().__init__(_as_tuple(shape), init, dtype, name)
            return
        if value is None:
            raise TypeError("a Variable needs a value, or a shape")
        if dtype is None:
            of = types.type_of(value)
            if not isinstance(of, (types.TensorType, types.Scalar)):
                raise TypeError("a Variable begins with a number or an array: lt.constant(…) makes one of a list")
            dtype = of.dtype if isinstance(of, types.TensorType) else of.name
        array = np.array(value, types.numpy_dtype(types.dtype_name(dtype)))
        same = array.size > 0 and bool((array == array.flat[0]).all())
        initializer = _fill(array.flat[0].item()) if same else None
        super().__init__(array.shape, initializer, types.dtype_name(dtype), name, array)


def _as_tuple(shape):
    return tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)


def _elements(array):
    """What an array holds, as text can say it; None if that is too much."""
    if not array.size or array.size > LARGEST:
        return None
    return [array.flat[0].item()] if array.tobytes() == array.flat[0].tobytes() * array.size else array.ravel().tolist()


def _fill(value):
    return init.Initializer("fill", (value,))


class Module(_Owned):
    """A tree of parameters and the functions that use them. Assigning to an attribute gives the value its place."""

    name = _Path()

    def __setattr__(self, attribute, value):
        object.__setattr__(self, attribute, value)
        self._adopt(attribute, value)

    def _adopt(self, attribute, value):
        if attribute.startswith("_"):
            return
        if isinstance(value, _Owned):
            if value._owner is None and value is not self:
                object.__setattr__(value, "_owner", weakref.ref(self))
                object.__setattr__(value, "_attribute", attribute)
        elif isinstance(value, (list, tuple)):
            for number, element in enumerate(value):
                self._adopt(f"{attribute}_{number}", element)
        elif isinstance(value, dict):
            for key, element in value.items():
                self._adopt(f"{attribute}_{key}", element)

    def _held(self):
        """(its name here, Parameter, Variable or module) of all that this module holds itself."""
        def flat(attribute, value):
            if isinstance(value, _Owned):
                yield attribute, value
            elif isinstance(value, (list, tuple)):
                for number, element in enumerate(value):
                    yield from flat(f"{attribute}_{number}", element)
            elif isinstance(value, dict):
                for key, element in value.items():
                    yield from flat(f"{attribute}_{key}", element)

        return [pair for attribute, value in vars(self).items() if not attribute.startswith("_") for pair in flat(attribute, value)]

    def _children(self):
        held = self._held()
        places = dict(held)
        for attribute, value in held:
            owner = value._owner and value._owner()
            named = places if owner is self else dict(owner._held()) if owner is not None else {}
            if named.get(value._attribute) is not value and value is not self:      # a list has grown, or it lies elsewhere since
                object.__setattr__(value, "_owner", weakref.ref(self))
                object.__setattr__(value, "_attribute", attribute)
        return [value for _, value in held]

    def named_globals(self):
        """{name: Parameter or Variable} of this module and those within, in the order of their making.

        Raises ValueError where two have one name, such as those of `self.layers_0` and of `self.layers = [...]`.
        """
        result, seen, pending = {}, set(), [self]
        while pending:
            owned = pending.pop()
            if id(owned) in seen:
                continue
            seen.add(id(owned))
            if isinstance(owned, Global):
                if result.setdefault(owned.name, owned) is not owned:
                    raise ValueError(f"two of what the module holds are called '{owned.name}': hold one of them under another attribute")
            else:
                pending.extend(reversed(owned._children()))
        return result

    def parameters(self):
        """{name: Parameter}."""
        return {name: owned for name, owned in self.named_globals().items() if isinstance(owned, Parameter)}

    def state_dict(self):
        """{name: NumPy array} of the parameters and variables, copies that are the caller's own."""
        return state_of(self.named_globals())

    def load_state_dict(self, state, strict=True):
        """Gives parameters and variables the arrays of {name: array}, which `state_dict` gave, or another library's of that name.

        The arrays may be whatever NumPy makes one of (PyTorch's tensors). strict: the names have to be those of `state_dict`; else the
        others stay as they are. Raises ValueError where names, dtypes or shapes are not the model's; then nothing has changed.
        Returns the names that only the model has, and those that only `state` has.
        """
        own = self.named_globals()
        missing, unexpected = [n for n in own if n not in state], [n for n in state if n not in own]
        if not strict:
            own, state = ({name: of[name] for name in own if name in state} for of in (own, state))
        assign_all(own, state, ValueError)
        return missing, unexpected


def state_of(owned):
    """{name: NumPy array} of {name: Parameter or Variable}, as copies."""
    _refuse_staged("state_dict")
    return {name: one.read().copy() for name, one in owned.items()}


def assign_all(owned, arrays, error):
    """Gives each of {name: Parameter or Variable} its array, once all are found to fit. error: makes the exception of a text."""
    _refuse_staged("load_state_dict")
    for what, names in (("lacks", owned.keys() - arrays.keys()), ("has the unknown", arrays.keys() - owned.keys())):
        if names:
            raise error(f"{what} {', '.join(sorted(names))}")
    arrays = {name: np.asarray(array) for name, array in arrays.items()}
    for name, one in owned.items():
        found, wanted = arrays[name], types.TensorType(one.dtype, one.shape)
        if found.shape != wanted.dims or found.dtype.newbyteorder("=") != types.numpy_dtype(one.dtype):
            try:
                shown = types.annotation(types.type_of(found))
            except TypeError:
                shown = f"an array of {found.dtype} with the shape {found.shape}"
            raise error(f"'{name}' is {shown}, and the model's is {types.annotation(wanted)}")
    for name, one in owned.items():
        one.assign(arrays[name])


def _refuse_staged(name):
    if dispatch.active_trace() is not None:
        dispatch.refuse(f"{name} is for Python, and has no staged meaning", "lt.load(path, model) and lt.save(path, model) have one")
