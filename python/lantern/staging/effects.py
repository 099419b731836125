"""No Python effect may escape a trace: every path is traced, some several times.

An object may be changed where it was made, in straight-line code. What is older than the trace, or than the branch, the
loop or the function that runs now, may not, unless it is state of the statement (which the converter lists).
"""
from __future__ import annotations

import array
import bisect
import builtins
import collections
import functools
import heapq
import io
import operator
import sys
import types as python_types
from collections.abc import Hashable

from lantern import dispatch, types
from lantern.lazy_numpy import np
from lantern.staging import numbered_classes, object_state
from lantern.staging.arguments import holds_staged
from lantern.staging.errors import NeedsInlining, StagingError
from lantern.staging.frozen import parts_of_frozen
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.snapshots import Snapshot, defaults_of, is_users
from lantern.staging.standard_output import StandardOutput

_OPERATORS = ("__setitem__", "__delitem__", "__iadd__", "__imul__", "__ior__", "__iand__", "__isub__", "__ixor__")
_SEQUENCE = ("append", "extend", "insert", "pop", "remove", "clear", "reverse", *_OPERATORS)

# The methods, written in C, that change their object.
_MUTATORS = (
    (list, frozenset((*_SEQUENCE, "sort"))),
    (dict, frozenset(("update", "pop", "popitem", "setdefault", "clear", "move_to_end", *_OPERATORS))),
    (set, frozenset(("add", "discard", "remove", "pop", "update", "clear", "difference_update", "intersection_update",
                     "symmetric_difference_update", *_OPERATORS))),
    (bytearray, frozenset(_SEQUENCE)),
    (array.array, frozenset((*_SEQUENCE, "frombytes", "fromlist", "byteswap"))),
    (collections.deque, frozenset((*_SEQUENCE, "appendleft", "extendleft", "popleft", "rotate"))),
    (np.ndarray, frozenset(("fill", "sort", "partition", "put", "itemset", "resize", *_OPERATORS))),
    (io.IOBase, frozenset(("write", "writelines", "truncate"))),
    (StandardOutput, frozenset(("write", "writelines"))),
)
# Of what has no staged form, what does the same and has one.
_INSTEAD = (
    (set, "make it in the function that is compiled: seen = set()"),
    (np.ndarray, "change a copy that the function makes: a = a.copy()"),
    (collections.deque, "a deque is plain Python: use a list, with append and pop(0)"),
    ((collections.defaultdict, collections.Counter, collections.OrderedDict),
     "make it in the function that is compiled"),
)
# The functions that change their first argument.
_CHANGE_THEIR_FIRST = frozenset((
    heapq.heappush, heapq.heappop, heapq.heapify, heapq.heapreplace, heapq.heappushpop, bisect.insort, bisect.insort_left,
    operator.setitem, operator.delitem, operator.iadd, operator.imul, operator.ior, operator.iconcat, builtins.next,
))
# What is in a module that is not loaded nobody has: these are looked up, by their names, in those that are.
_OF_NUMPY = {"numpy": ("copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis")}     # these change their first, too
_GENERATORS = {"random": ("Random",), "numpy.random": ("RandomState", "Generator")}
_OF_ORDERS = dict.fromkeys(("shuffle", "permutation", "permuted", "sample"), "use lt.shuffle, which gives a new list, xs = lt.shuffle(xs), and seed by lt.seed")
_ASK_THE_MACHINE = {
    "time": ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "sleep"),
    "datetime": ("datetime.now", "datetime.utcnow", "datetime.today", "date.today"), "uuid": ("uuid1", "uuid4"), "os": ("urandom",),
    "secrets": ("token_bytes", "token_hex", "token_urlsafe", "randbelow", "randbits", "choice"), "builtins": ("input",),
}
# These do where nothing, or None, says which time, or which seed.
_ASK_IT_IF_NOT_TOLD = {
    "time": ("localtime", "gmtime", "ctime"), "random": ("Random",), "numpy.random": ("default_rng", "RandomState", "SeedSequence"),
}
# These look into what they are given.
_WANT_THE_VALUES = {"json": ("dumps", "dump"), "pickle": ("dumps", "dump")}
_OF_EXPRESSIONS = {"re": ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")}
_LOG = {"logging": tuple(owner + name for owner in ("", "Logger.", "LoggerAdapter.")
                         for name in ("debug", "info", "warning", "error", "exception", "critical", "log"))}
_METHODS = (python_types.BuiltinMethodType, python_types.MethodWrapperType, python_types.MethodType)
_UNBOUND = (python_types.MethodDescriptorType, python_types.WrapperDescriptorType)


def _loaded(table):
    """What there is of a table's functions and classes."""
    return _found(tuple((module, names) for module, names in table.items() if sys.modules.get(module)))


@functools.lru_cache(maxsize=None)
def _found(names_of):
    missing = object()
    found = {functools.reduce(lambda owner, part: getattr(owner, part, missing), name.split("."), sys.modules[module])
             for module, names in names_of if not is_users(sys.modules[module]) for name in names}      # the user's may be called like one of Python's
    return frozenset(found - {missing})


def changed_by(function, arguments):
    """The object that a call of a function of Python's or of a library is known to change, or None."""
    if isinstance(function, _METHODS) and not isinstance(function.__self__, python_types.ModuleType):
        owner = function.__self__
        if isinstance(owner, tuple(_loaded(_GENERATORS))):
            return owner
        if function.__name__ == "shuffle" and arguments:
            return arguments[0]
        return owner if _mutates(owner, function.__name__) else None
    if not arguments:
        return None
    if isinstance(function, _UNBOUND):
        return arguments[0] if _mutates(arguments[0], function.__name__) else None
    return arguments[0] if isinstance(function, Hashable) and (function in _CHANGE_THEIR_FIRST or function in _loaded(_OF_NUMPY)) else None


def _mutates(owner, method):
    return any(isinstance(owner, kind) and method in names for kind, names in _MUTATORS)


def instead_of(value):
    """What does the same as a container that has no staged form; None of others."""
    return next((instead for kind, instead in _INSTEAD if isinstance(value, kind)), None)


def check_call(trace, function, arguments, at):
    """An error if a call of a function that is not the user's has an effect which would not be part of the program."""
    changed = changed_by(function, arguments)
    if isinstance(changed, np.ndarray) and any(map(dispatch.is_staged, arguments)):
        trace.numpys.become_staged(changed)
    if changed is not None and isinstance(changed, tuple(_loaded(_GENERATORS))):
        trace.ages.check_change(changed, "the state of a random generator of Python's or NumPy's", at,
                                hint=_OF_ORDERS.get(getattr(function, "__name__", None), "draw by lt.uniform, lt.normal or lt.random, and seed by lt.seed"))
    elif isinstance(changed, (io.IOBase, StandardOutput)) and not isinstance(changed, (io.StringIO, io.BytesIO)):
        raise StagingError("LT0310", "a file is written to while the program is staged, not when it runs", trace.place(at),
                           "use print, or return what is to be written")
    elif function is vars and arguments:
        trace.ages.check_own_attributes(arguments[0], at)
    elif function is id and arguments:
        trace.unchanged.check_identity(arguments[0])
        if numbered_classes.is_numbered(arguments[0]):
            trace.numbered.refuse(arguments[0], "it is asked where in memory one is", "compare with `is`")
    elif function is object.__setattr__ and parts_of_frozen(arguments[0]) is not None:
        trace.unchanged.check_change(arguments[0], "an attribute of it is set", at)
        raise StagingError("LT0305", f"a field of a frozen dataclass, {type(arguments[0]).__name__}, is set behind its back", trace.place(at),
                           "make a new one: dataclasses.replace(…)")
    elif changed is not None and not (dispatch.is_staged(changed) and isinstance(changed.type, types.TensorType)):     # which refuses it by name
        trace.ages.check_change(changed, f"a {type(changed).__name__}", at, hint=instead_of(changed))
        trace.lists.changed_by_python(changed, at)
    elif isinstance(function, _METHODS + (python_types.FunctionType,)) and getattr(function, "__func__", function) in _loaded(_LOG):
        raise StagingError("LT0310", "a message is logged while the program is staged, not when it runs", trace.place(at),
                           "use print, or log it in a function marked ag.do_not_convert if it is about the staging")
    elif isinstance(function, Hashable) and (function in _loaded(_ASK_THE_MACHINE)
                                             or function in _loaded(_ASK_IT_IF_NOT_TOLD) and all(each is None for each in arguments[:1])):
        owner = getattr(function, "__self__", None)
        name = f"{(owner if isinstance(owner, type) else function).__module__}.{function.__qualname__}"
        hint = "give it a seed" if function in _loaded(_ASK_IT_IF_NOT_TOLD) and function.__module__ != "time" else "call it outside, and pass its result as an argument"
        raise StagingError("LT0310", f"{name}() is called while the program is staged, not when it runs", trace.place(at), hint)
    elif isinstance(function, Hashable) and function in _loaded(_WANT_THE_VALUES) and holds_staged(arguments):
        raise StagingError("LT0310", f"{function.__module__}.{function.__name__} is given what is known only when the program runs", trace.place(at),
                           "return what it is to be given, and call it then; or have its text by f-strings and join")
    elif _is_of_expressions(function) and holds_staged(arguments):
        raise StagingError("LT0310", f"{function.__name__} of a regular expression looks at a text that is known only when the program runs", trace.place(at),
                           "use the methods of texts, split, find, isalnum, …, or do it before the call")
    elif isinstance(function, Hashable) and function in _loaded(_ASK_IT_IF_NOT_TOLD) and function.__module__ != "time" and holds_staged(arguments):
        raise StagingError("LT0310", "a random generator is made while the program is staged, and its seed is known only when the program runs", trace.place(at),
                           "draw by lt.random, from a key, lt.random.key(seed), or by lt.uniform and lt.normal behind lt.seed(seed)")


def _is_of_expressions(function):
    """Whether a function looks through a text by a regular expression."""
    return type(getattr(function, "__self__", None)).__module__ == "re" or isinstance(function, python_types.FunctionType) and function in _loaded(_OF_EXPRESSIONS)


class Ages:
    """Which Python objects were made in the trace, and in which block."""

    def __init__(self, trace):
        self.trace = trace
        self.known = {}     # id → (object, Block or None for what is older than the trace)

    def young(self, value):
        """`value` has just been made."""
        if self.trace.frame is None:
            return
        pending = [value]
        while pending:
            value = pending.pop()
            value = value.value if type(value) is PerhapsNone else value
            if _has_state(value) and id(value) not in self.known:
                self.known[id(value)] = (value, self.trace.block)
                pending.extend(value.values() if type(value) is dict else value if type(value) is list else ())
            elif isinstance(value, tuple):
                pending.extend(value)

    def made(self, value):
        """`value` has certainly just been made (by a constructor)."""
        if _has_state(value) and self.trace.frame is not None:
            self.known[id(value)] = (value, self.trace.block)

    def copied(self, source, copy_):
        """`copy_` is a deep copy: all that it holds has just been made, but what the two have in common."""
        from lantern.staging.deep_copies import held_by
        known = {id(value) for value in held_by(source)}
        for value in held_by(copy_):
            if id(value) not in known and id(value) not in self.known:
                self.made(value)

    def made_class(self, cls):
        """The same of a class. One that is not made by the user's function is older than the trace."""
        self.known[id(cls)] = (cls, self.trace.block)
        self.held(vars(cls).values())

    def held(self, values):
        """What a new object holds, which plain code has given it: that has just been made, too, if nobody else holds it."""
        for each in values:
            if sys.getrefcount(each) <= _OF_ELEMENT:
                self.young(each)

    def held_as_defaults(self, function):
        """The same of a function that converted code has just made: lists that its parameters have by default."""
        self.held(function.__defaults__ or ())
        self.held((function.__kwdefaults__ or {}).values())

    def received(self, value):
        """`value` came from code that is not converted, which has just made it, if nobody else holds it."""
        if self.trace.frame is None:
            return
        if sys.getrefcount(value) > _OF_NEW:
            self.old(value)
            return
        pending = [value]
        while pending:
            for each in elements_of(pending.pop()):
                if not (_has_state(each) or isinstance(each, tuple)):
                    continue
                if sys.getrefcount(each) > _OF_ELEMENT:
                    self.old(each)
                else:
                    pending.append(each)
        self.young(value)

    def old(self, value):
        """`value` came from outside, and what it holds, unless we know better."""
        pending = [value]
        while pending:
            value = pending.pop()
            if id(value) not in self.known:
                if _has_state(value):
                    self.known[id(value)] = (value, None)
                pending.extend(elements_of(value))

    def home(self, value):
        """The block that `value` was made in, or None."""
        return self.known.get(id(value), (value, None))[1]

    def check_own_attributes(self, value, at):
        """An error if it is asked which attributes an object has of its own, and one takes the place of its class's: a statement that stores it on one
        path has stored it on all."""
        if numbered_classes.is_numbered(value):
            self.trace.numbered.refuse_dict(value)
        self.trace.unchanged.check_change(value, "its attributes are asked for as a dict", at)
        hidden = sorted(set(defaults_of(type(value))) & set(getattr(value, "__dict__", ())))
        if hidden and self.home(value) is not None:
            raise StagingError("LT0305", f"it is asked which attributes of its own a {type(value).__name__} has, and '{hidden[0]}' may be its class's",
                               self.trace.place(at), f"give it the attribute in __init__: self.{hidden[0]} = …")

    def is_young(self, value):
        """Whether `value` was made in the function that is being traced."""
        block = self.home(value)
        return block is not None and block.frame is self.trace.frame

    def is_old(self, value):
        """Whether `value` is known to be older than the trace; what nobody has a name for yet is not."""
        return id(value) in self.known and self.home(value) is None

    def is_made_here(self, value):
        """Whether `value` was made in the trace."""
        return self.home(value) is not None

    def check_change(self, value, what, at, state_ending=None, hint=None):
        """An error unless `value` may be changed here. state_ending: how state that the change would be is called (`.attribute`)."""
        try:
            self._check_change(value, what, at, state_ending, hint)
        except (NeedsInlining, StagingError):
            if isinstance(value, np.ndarray):
                self.trace.numpys.become_staged(value)
            raise

    def _check_change(self, value, what, at, state_ending, hint):
        trace = self.trace
        if trace.frame is None:
            return
        home = self.home(value)
        frame, block = trace.frame, trace.block
        if home is not None and home.frame is not frame and frame.outer is not None:    # of a function around: within that it may be changed
            error = self._error(value, what, at, _REACHED, home, hint)
            if frame.specialisation.function.__code__ not in trace.specialisations.not_inlined or not trace.lists.boxes.may_learn(error):
                raise NeedsInlining(frame.specialisation, error, value if type(value) in (list, dict) else None)
            trace.lessons.take(error)
            return
        while block is not None and block is not home:
            if state_ending is not None and any(name.endswith(state_ending) for name in block.state_names):
                return
            if block.conditional:
                if state_ending is not None and state_ending.startswith("."):
                    object_state.carry(trace, value, state_ending[1:])
                trace.lessons.take(self._error(value, what, at, _INSIDE, home, hint))
                return
            block = block.parent
        if block is home is not None:
            return
        if frame.outer is not None:
            error = self._error(value, what, at, _REACHED, hint=hint)
            error.of_class = type(value)      # a recursive call gives none that staging knows, unless they are numbered
            raise NeedsInlining(frame.specialisation, error)
        raise self._error(value, what, at, "while the program is staged", home, hint)

    def _error(self, value, what, at, where, home=None, hint=None):
        age = "made before" if home is not None else "older than the trace"
        name = Snapshot().name_of(value)
        attribute = what.split("'")[1] if what.startswith("attribute '") and home is not None and where in (_REACHED, _INSIDE) else None
        boxes, others = self.trace.lists.boxes, "return the new value instead, keep it in a local variable, or use lt.Variable for state"
        error = StagingError("LT0305", f"{what}{f', {name!r},' if name and repr(name) not in what else ''} is changed {where}, but is {age}: the change would not be "
                            "part of the program", self.trace.place(at),
                            "give it another value by its method assign" if dispatch.is_global(value) else
                            hint or (others if attribute is None or where == _INSIDE else boxes.remedy(value, attribute)))
        if attribute is not None and boxes.can_hold(getattr(value, attribute, None)):
            error.attribute = type(value), attribute
        return self.trace.lists.remade.of(error, value)


_REACHED, _INSIDE = "in a function that staged values reach", "inside a staged condition or loop"
_ELEMENTS = ((list, list.__iter__), (tuple, tuple.__iter__), (dict, dict.values), (set, set.__iter__), (frozenset, frozenset.__iter__),
             (collections.deque, collections.deque.__iter__), (python_types.MethodType, lambda method: (method.__self__,)),
             (functools.partial, lambda partial: (partial.func, *partial.args, *partial.keywords.values())))


def elements_of(value):
    """What one of Python's containers holds, and what a method or a partial is called with, no code of the user's being run; nothing of other values."""
    return next((elements(value) for cls, elements in _ELEMENTS if isinstance(value, cls)), ())


def _count_new(value):
    """How many references to a new object there are where `received` counts them, and to one that only a container holds."""
    return sys.getrefcount(value), next(sys.getrefcount(each) for each in elements_of([object()]))


def _has_state(value):
    return not isinstance(value, (int, float, str, bytes, tuple, type(None), type)) and not callable(value) \
        or (hasattr(value, "__dict__") or hasattr(type(value), "__slots__")) and not isinstance(value, type)


def _counted():
    result = object()
    return _count_new(result)


_OF_NEW, _OF_ELEMENT = _counted()
