"""What the Python objects that running code can reach hold, before and after a path of it is traced.

Known stores and mutators are refused where they stand (effects.py). Whatever else changes an object, an iterator, a
method that C implements, a property, a function that is not converted, is found here: after the path, and after the
statement's state is set back, every object must be as it was.
"""
from __future__ import annotations

import array
import collections
import enum
import functools
import inspect
import io
import itertools
import operator
import sys
import types as python_types

from lantern import dispatch
from lantern.lazy_numpy import np
from lantern.staging.convert import REQUESTED, is_made_by_converted_code
from lantern.staging.errors import StagingError, is_plain
from lantern.staging.keys import array_state, cells_of, global_names_of
from lantern.staging.merge import is_same
from lantern.staging.numbered_classes import user_class
from lantern.staging.values import Staged, Undefined

MOST_OBJECTS = 100_000      # visited by one snapshot; what is farther away is not watched

_LEAVES = (Staged, bool, int, float, complex, str, bytes, type(None), range, Undefined, python_types.CodeType,
           python_types.BuiltinFunctionType, np.generic)
_PLAIN = frozenset((bool, int, float, complex, str, bytes, type(None), Staged))
_DEFAULTS = frozenset((bool, int, float, str, type(None)))
_COPIED = (type(iter({})), type(iter({}.values())), type(iter({}.items())), type(iter(set())))
_ITERATORS = (*_COPIED, type(iter([])), type(iter(())), type(iter("")), type(iter(range(0))), type(reversed([])), zip, enumerate, map,
              filter, itertools.count, itertools.cycle, itertools.chain, itertools.islice, itertools.repeat)


class _Content:
    """What an object holds: `values`, named by `keys` (".name" of an attribute, else an index), and `state`, compared as a whole."""

    def __init__(self, value=None, keys=(), values=(), state=None):
        self.keys, self.values, self.state = list(keys), list(values), state
        if value is not None and is_users_class(type(value)):
            self._add(attributes_of(value))

    @classmethod
    def named(cls, members):
        """The content of a namespace."""
        content = cls()
        content._add(members)
        return content

    def _add(self, members):
        for name in sorted(members, key=str):
            if not isinstance(members[name], Undefined) and not name.startswith("__"):   # an Undefined is as good as absent
                self.keys.append(f".{name}")
                self.values.append(members[name])

    def differences(self, now):
        """(key, what was there) of the parts that are not what they were; (None, None) of the object itself."""
        if self.state != now.state or self.keys != now.keys:
            return [(None, None)]
        if all(map(operator.is_, self.values, now.values)):
            return ()
        return [(key, old) for key, old, new in zip(self.keys, self.values, now.values) if not is_same(old, new)]

    def children(self):
        """(key, value) of what may change itself."""
        if set(map(type, self.values)) <= _PLAIN:
            return ()
        return zip(self.keys, self.values)


def _shown(key):
    if isinstance(key, str) and key.startswith("."):
        return key
    return "" if key is None else f"[{key!r}]"


def _content(value):
    """The _Content of an object that may change; None for what cannot, or is nobody's business but its own."""
    read = _reader(type(value))
    return None if read is None else read(value)


@functools.lru_cache(maxsize=1 << 12)
def _reader(cls):
    """What gives the _Content of an object of a class; None for what has none."""
    if issubclass(cls, (*_LEAVES, dispatch.GlobalValue)) or hasattr(cls, "__lantern_struct__"):
        return None
    return next((read for classes, read in _READERS if issubclass(cls, classes)), _users_object)


def _users_object(value):
    return _Content(value) if is_users_class(type(value)) else None


class _Key:
    """A key of a dictionary: the same if it is one object, or one text."""

    def __init__(self, key):
        self.key = key

    def __eq__(self, other):
        return isinstance(other, _Key) and (self.key is other.key or isinstance(self.key, str) and self.key == other.key)

    __hash__ = None

    def __repr__(self):
        return repr(self.key) if isinstance(self.key, str) else "…"


def _parts(*values):
    return _Content(keys=[None] * len(values), values=values)


def defaults_of(cls):
    """The numbers and the like that objects have by their class, as long as none is stored: an attribute that is stored takes the place of one."""
    is_enum = issubclass(cls, enum.Enum)
    return {name: held for each in reversed(cls.__mro__) if each is not object     # which has special names alone
            for name, held in vars(each).items() if _is_default(type(held), is_enum) and not name.startswith("__")}


@functools.lru_cache(maxsize=1 << 12)
def _is_default(kind, of_enum):
    """Whether what a class has, of some type, is a default of its objects."""
    if kind in _DEFAULTS or issubclass(kind, tuple):
        return True
    return issubclass(kind, enum.Enum) and not of_enum or getattr(getattr(kind, "__dataclass_params__", None), "frozen", False)


def attributes_of(value):
    found, own, classes = defaults_of(type(value)), getattr(value, "__dict__", {}), type(value).__mro__
    of_class = set().union(*(own.keys() & vars(cls).keys() for cls in classes))
    found |= {name: held for name, held in own.items()
              if name not in of_class or getattr(type(value), name, _LEAVES) is not held}      # what hides nothing of the class's: it was set back
    return found | {slot: getattr(value, slot) for slot in slots_of(value)}


def slots_of(value):
    """The names of `__slots__` that have a value."""
    return [name for cls in type(value).__mro__ if "__slots__" in vars(cls) for name, held in vars(cls).items()
            if type(held) is python_types.MemberDescriptorType and inspect.getattr_static(type(value), name) is held and hasattr(value, name)]


def _function(function):
    if is_plain(function.__code__.co_filename):
        return None
    cells = {} if is_made_by_converted_code(function) else cells_of(function)
    content = _Content.named({**cells, **function.__dict__})
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    content.keys += [None] * len(defaults)
    content.values += defaults
    return content


def _iterator(value):
    """Where an iterator stands, by what it would be pickled as."""
    try:
        _, arguments, *state = value.__reduce__()
    except (TypeError, AttributeError):
        return None
    if isinstance(value, _COPIED):
        return _Content(state=len(arguments[0]))    # a copy of what is left
    content = _parts(*arguments)
    content.state = repr(state)
    return content


def _array(value):
    return _Content(state=array_state(value)) if value.flags.writeable else None


def _generator(value):
    return _Content(state=(value.gi_frame is None, value.gi_frame and value.gi_frame.f_lasti))


_READERS = (
    ((list, tuple, collections.deque), lambda value: _Content(value, range(len(value)), value)),
    ((dict, python_types.MappingProxyType), lambda value: _Content(value, [k if isinstance(k, int) else _Key(k) for k in value], value.values())),
    (np.ndarray, _array),
    ((set, frozenset), lambda value: _Content(value, state=frozenset(map(id, value)))),
    ((bytearray, array.array), lambda value: _Content(value, state=bytes(value))),
    (io.StringIO, lambda value: _users_object(value) if value.closed else _Content(state=(value.tell(), value.getvalue()))),
    (_ITERATORS, _iterator),
    (python_types.GeneratorType, _generator),
    (python_types.FunctionType, _function),
    (python_types.MethodType, lambda value: _parts(value.__self__, value.__func__)),
    ((staticmethod, classmethod), lambda value: _parts(value.__func__)),
    (property, lambda value: _parts(value.fget, value.fset)),
    (python_types.ModuleType, lambda value: _Content.named(vars(value)) if is_users(value) else None),
    (type, lambda value: _Content.named(dict(vars(value))) if is_users_class(value) else None),
)


def is_users_class(cls):
    """Whether objects of the class have attributes that the user's code gives them."""
    if REQUESTED in vars(cls):
        return True
    if cls.__module__ in sys.builtin_module_names or cls.__module__.split(".")[0] == "lantern":
        return False
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return file is None or not is_plain(file)


def is_users(owner):
    """Whether the user's code gives a class, or a module, its attributes."""
    if isinstance(owner, type):
        return is_users_class(owner)
    file = getattr(owner, "__file__", None)
    return file is not None and not is_plain(file)


def _running():
    """(name, value) of what the user's innermost running function sees: what runs below it can reach nothing else."""
    frame = sys._getframe(2)
    while frame is not None and is_plain(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return []
    users, ours = [], []
    for name, value in frame.f_locals.items():
        made = isinstance(value, python_types.FunctionType) and value.__name__ != name and name.endswith("__")   # a branch of a statement
        if not made:
            (ours if name.endswith("_") else users).append((name, value))
    return [*users, *_globals_of(frame.f_code, frame.f_globals), *ours, *_gone_through()]


def _gone_through():
    """The iterators of the user's that loops go through, which no variable need have."""
    trace = dispatch.active_trace()
    return [] if trace is None else [(user_class(type(value)).__name__.lower(), value) for value in trace.generators.gone_through]


def _globals_of(code, namespace):
    return [(name, namespace[name]) for name in global_names_of(code) if name in namespace]


class Snapshot:
    """The objects that can be reached now, and what they hold.

    roots: (name, value) of where to begin; None: what the function that is running sees.
    """

    def __init__(self, roots=None):
        self.known = {}     # id → (object, the id of what it was found in, its key there, its content)
        pending = collections.deque((None, name, value) for name, value in (_running() if roots is None else roots))
        while pending and len(self.known) < MOST_OBJECTS:
            around, key, value = pending.popleft()
            if id(value) in self.known:
                continue
            content = _content(value)
            if content is None:
                continue
            self.known[id(value)] = (value, around, key, content)
            if isinstance(value, python_types.FunctionType):    # its variables have the names that it knows them by
                pending.extend((None, name, held) for name, held in (*cells_of(value).items(),
                                                                     *_globals_of(value.__code__, value.__globals__)))
            pending.extend((id(value), part, held) for part, held in content.children())

    def changes(self):
        """(object, key of its part, what that was, name) of all that is not as it was; no key: the object as a whole."""
        for value, _, _, content in self.known.values():
            for key, before in content.differences(_content(value)):
                yield value, key, before, (self._name(value) + _shown(key)).lstrip(".")

    def renew(self, containers):
        """What these hold has changed in front of what the snapshot is for."""
        for container in containers:
            if id(container) in self.known:
                self.known[id(container)] = (*self.known[id(container)][:3], _content(container))

    def name_of(self, value):
        """How the user's code reaches an object; None if it is not known."""
        return self._name(value) if id(value) in self.known else None

    def _name(self, value):
        name, around = "", id(value)
        while around is not None:
            value, around, key, _ = self.known[around]
            if isinstance(value, python_types.FunctionType):
                return name.lstrip(".")
            name = (_shown(key) if around is not None else key) + name
        return name

    def check(self, trace, what, at=None, place=None, state=()):
        """An error if something is not as it was: `what` is the statement that was traced, and `state` what it may change."""
        for value, _, _, name in ((value, *rest) for value, *rest in self.changes() if value not in state):
            hint = "change a copy, c = list(…), and put that in its place" if type(value) is list else "return the new value instead, keep it in a local variable, or use lt.Variable for state"
            raise trace.lists.remade.of(StagingError(
                "LT0305", f"'{name}' ({_kind(value)}) is changed in {what}, and is not part of its state: the change would not be part of the program",
                place or trace.place(at), hint), value)


def _kind(value):
    if isinstance(value, (python_types.FunctionType, python_types.ModuleType, type)):
        return f"of {type(value).__name__} {value.__name__}"
    return type(value).__name__
