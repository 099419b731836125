"""Staged values: what stands, while tracing, for something known only when the program runs."""
from __future__ import annotations

import sys
import types as python_types

from lantern import dispatch, types
from lantern.operand import Operand
from lantern.staging.debugging import is_shown
from lantern.staging.errors import StagingError, is_converted_code, is_ours, place_of_name, user_place
from lantern.staging.convert import plain_generator, why_plain
from lantern.staging.memory import holds_lists


def class_in_python(value):
    """The class of Python's that a deque, dict or set of the program stands for; any other value's own."""
    return getattr(type(value), "__lantern_class__", type(value))


def opened(value):
    """The elements of a tuple of the program, as Python's tuple; any other value as it is."""
    return tuple(value) if type(value) is Staged and isinstance(value.type, types.Tuple) and value.type.of is None else value


class Staged(Operand, dispatch.StagedValue):
    """A bound name of the program. Python's operators on it, and `lt`'s functions, emit code.

    Its type is None where it is not known: that of an unannotated parameter, and of whatever is made from it.
    """

    def __init__(self, type_, block, hint=None, place=None):
        vars(self).update(      # at once: there are thousands of them
            _type=None if isinstance(type_, types.Unknown) else type_,
            unknown=type_ if isinstance(type_, types.Unknown) else None,    # of an element of a list of whose elements nothing is known so far: their type
            block=block,        # where it is bound
            hint=hint,          # the user's name for it
            place=place,        # where the user's program makes it
            origin=None,        # (value, field) if it is a field of a value, so that two readings are one
            spelling=None,      # the name in the S-expression, given when the program is printed
            truth=None,         # of a condition, once somebody has asked: a Boolean function (truths.py)
            negates=None,       # of a `not`: its operand
            few_numbers=None,        # of a whole number that is one of a few: each with the Boolean function of when it is that
            length_of=None,     # of a length: the value that is so long
            made_of=None,       # of a whole number that is computed of others: (the operator, its operands)
            element_of=None,    # of a list that was read from a list: (that list, the place, what it held then; None: it is another function's); of a part of a tuple that was: (the tuple, its number, …)
            row_of=None,        # of a list that a loop has read from a list: that list, or that staged value
            columns=None,       # of an instance that was read from a list: (what that held, the place), of which each part is read alone
            memory=None,        # of an array: what it may share with others (see memories.py)
            part_of=None,       # of an array: which part of which one it is (see views.py)
            stands_in=None,     # of an array that was read from a list: where it stands (see held_arrays.py)
            pure=False,         # whether nobody misses the binding where nobody reads it
            binding=self)       # what stands for it in the program: another name of a binding has none of its own

    @property
    def type(self):
        """The type where we are now: an optional that a condition proved present is not optional."""
        if isinstance(self._type, types.Optional) and self.block is not None:
            missing = self.block.frame.trace.known_missing(self)
            if missing is not None:
                return types.none if missing else self._type.element
        return self._type

    @property
    def declared_type(self):
        """The type where it was bound."""
        return self._type

    @property
    def trace(self):
        return self.block.frame.trace

    @property
    def name(self):
        return self.hint

    def _class_in_python(self):
        """What isinstance goes by in code that is not converted: the class that the value has in Python. To us it is Staged."""
        frame = sys._getframe(1)
        if is_ours(frame.f_code.co_filename):   # mostly
            return Staged
        while frame.f_globals.get("__name__") == "abc":
            frame = frame.f_back
        if is_ours(frame.f_code.co_filename) or self.block is None or dispatch.active_trace() is not self.trace:
            return Staged
        from lantern.staging.builtins import classes_of
        classes = classes_of(self.trace, self, "isinstance")
        if len(classes) > 1:
            self._refuse("Python asks for its class, which may be that of an array or of a number", "make a number of it first, float(…) or int(…)")
        return classes[0] if classes else Staged

    __class__ = property(_class_in_python)

    def __lantern_type__(self):
        return self.type

    def shown(self):
        """How a message speaks of it."""
        if self.hint:
            return f"'{self.hint}'"
        if self.origin is not None:
            return f"'{self._path()}'"
        return "this value"

    def _path(self):
        names, value = [], self
        while value.origin is not None and not value.hint:
            value, field = value.origin
            names.append(field)
        return ".".join([value.hint or "…", *reversed(names)])

    def _refuse(self, what, hint):
        message = f"{self.shown()} is known only when the program runs, and {what}"
        if self.block is not None:
            self.trace.refuse("LT0303", message, hint)
        raise StagingError("LT0303", message, user_place(), hint, why_plain())

    def refuse_outside(self):
        """An error: an operator of Python's meets it where its program is not being staged."""
        raise StagingError("LT0304", f"{self.shown()} is known only when its program runs, and is used after the program was staged, or in "
                           "another thread", user_place(), "return it from the function that makes it")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        from lantern.staging import attributes
        return attributes.read(self, name, None)

    def __setattr__(self, name, value):
        if name not in _OWN:
            if is_converted_code(sys._getframe(1).f_code):
                return      # the state of a statement; where the user's code stores, an operator refuses it
            self._refuse(f"its field '{name}' cannot be set: structures are immutable in staged code",
                         "make a new structure with the changed field")
        object.__setattr__(self, name, value)

    def __eq__(self, other):
        return dispatch.dispatch("==", (self, other)) if dispatch.active_trace() is not None else self is other

    def __ne__(self, other):
        return dispatch.dispatch("!=", (self, other)) if dispatch.active_trace() is not None else self is not other

    def __hash__(self):
        self._refuse("Python needs its hash now", "a dict or set that the function makes, memo = {}, can have such keys, or tuples of them; one from outside, a "
                     "frozenset and an object with a hash of its own cannot: a chain of comparisons does"
                     + (", or annotate the parameter lt.static[str] to have it known when staging" if self.type == types.string else ""))

    def __bool__(self):
        generator = plain_generator()
        self._refuse("Python asks whether it is true",
                     f"have '{generator}' return a list: append to it where it yields" if generator else
                     "a condition on a staged value must stand in converted code: is the function that asks reached by a call from converted code, "
                     "or marked do_not_convert?")

    def __int__(self):
        self._refuse("Python needs its number now", "use lt.cast(x, lt.i64) for a staged conversion, or lt.static[...] for a "
                     "parameter that is to be known when staging")

    def __float__(self):
        self._refuse("Python needs its number now", "use lt.cast(x, lt.f64) for a staged conversion, or lt.static[...] for a "
                     "parameter that is to be known when staging")

    def __index__(self):
        self._refuse("Python needs it as an index or a count now",
                     "annotate the parameter lt.static[int] to have it known when staging")

    def __len__(self):
        if isinstance(self.type, types.Tuple):
            return len(self.type.elements)
        if isinstance(self.type, types.TensorType) and self.type.dims and isinstance(self.type.dims[0], int):
            return self.type.dims[0]
        self._refuse("Python needs its length now", "len(x) is staged where converted code calls it")

    def __iter__(self):
        if isinstance(self.type, types.Tuple):
            return iter([self.trace.element(self, i) for i in range(len(self.type.elements))])
        if isinstance(self.type, types.TensorType) and self.type.dims and isinstance(self.type.dims[0], int):
            return iter([self[i] for i in range(self.type.dims[0])])
        self._refuse("Python iterates over it", "a `for` statement and a comprehension over it are staged")

    def __contains__(self, item):
        self._refuse("Python searches it", "write the search as a loop")

    def __getitem__(self, key):
        if isinstance(self.type, types.Tuple) and isinstance(key, int):
            return self.trace.element(self, range(len(self.type.elements))[key])
        result = Operand.__getitem__(self, key)
        if self.row_of is not None and isinstance(result, Staged) and holds_lists(result.type):
            result.row_of = self.row_of     # it stands in that list, too
        return result

    def __repr__(self):
        """For debuggers; text that would end up in the program is refused."""
        if self.block is not None and dispatch.active_trace() is not None and not is_shown(sys._getframe(1)):
            self._refuse("Python makes text of it", "print(x), str(x) and f-strings are staged where converted code uses them on the "
                         "value itself")
        return self.description()

    __str__ = __repr__

    def description(self):
        """What it is, for people."""
        return f"<staged {self.hint or 'value'}: {self._type or 'of unknown type'}>"

    def __format__(self, spec):
        self._refuse("Python makes text of it", "print(...) and f-strings are staged where converted code uses them")

    def named(self, hint, place, memory):
        """The same value under another name, or in memory of its own: in the program, it is one binding."""
        other = Staged(self._type, self.trace.block, hint, place)
        other.memory, other.binding = memory, self.binding
        other.element_of, other.row_of = self.element_of, self.row_of
        if memory is self.memory:
            other.part_of, other.stands_in = self.part_of, self.stands_in
        return other

    def as_element(self, perhaps_number=False):
        """An array of rank 0 as NumPy's number alone; or, on another path, Python's (perhaps_numbers.py)."""
        other = self.named(self.hint, self.place, self.memory)
        other._type = types.TensorType(self._type.dtype, (), perhaps_number)
        return other

    def outermost(self):
        """The list that it was read from, or that such a list was; None if it is none."""
        value = self
        while isinstance(value, Staged):
            value = value.row_of if value.element_of is None else value.element_of[0]
        return value

    def is_same(self, other):
        """Whether another value is this one, in the same memory."""
        return isinstance(other, Staged) and other.binding is self.binding and other.memory is self.memory

    def copied(self):
        """An array, or a list, in memory of its own. In the program they do not change, so that it is the same one."""
        if self.memory is None:
            return self
        self.trace.memories.read(self)
        now = self.trace.views.now(self)
        other = now.named(None, user_place(self.trace.at), self.trace.memories.of_copy(self))
        other.element_of = other.row_of = None
        return self.trace.views.begin(other)

    def __pos__(self):
        """Of a number or an array of them a copy; a bool is counted, and what has no sign is refused, as by `-`."""
        type_ = self.type
        if isinstance(type_, types.Scalar) and type_ not in (types.bool_, types.string) or isinstance(type_, types.TensorType) and type_.dtype != "bool":
            return self.copied()
        return -(-self)

    def __setitem__(self, key, value):
        self._refuse("an item of it is set in code that is not converted", "items are set in converted code")

    def _in_place(self, _other):
        """`x += v` in code that is not converted: a number's variable gets a new one, an array would have to change."""
        if self.memory is not None:
            self._refuse("it is changed in place in code that is not converted", "write a = a + b, which makes a new array")
        return NotImplemented

    __iadd__ = __isub__ = __imul__ = __itruediv__ = __ifloordiv__ = __imod__ = __ipow__ = __imatmul__ = _in_place
    __iand__ = __ior__ = __ixor__ = __ilshift__ = __irshift__ = _in_place

    def __copy__(self):
        return self.copied()

    def __deepcopy__(self, memo):
        return self.copied()


_OWN = frozenset(("_type", "block", "hint", "place", "origin", "spelling", "truth", "negates", "length_of", "few_numbers", "made_of", "element_of", "row_of", "columns", "memory",
                  "part_of", "stands_in", "pure", "binding"))


class StagedRange:
    """`range(…)` of which some bound is staged: what a `for` iterates over."""

    def __init__(self, start, stop, step):
        self.start, self.stop, self.step = start, stop, step

    def has_elements(self):
        """Whether it is known to have elements."""
        bounds = self.start, self.stop, self.step
        return all(type(bound) is int for bound in bounds) and len(range(*bounds)) > 0

    def __iter__(self):
        raise StagingError("LT0303", "the range's bounds are known only when the program runs, and Python iterates over it",
                           user_place(), "a `for` statement and a comprehension over it are staged")


class StagedEnumerate:
    """`enumerate(x, start)` of a staged x."""

    def __init__(self, values, start):
        self.values, self.start = values, start

    __iter__ = StagedRange.__iter__


class Undefined:
    """A variable without a value. `why` says how that came about, where it had one on some path.

    cause: the error, where its values on several paths have nothing in common. loop: that gives it one in a turn, of which nothing is known yet.
    """

    loop, makers = None, python_types.MappingProxyType({})

    def __init__(self, name, why=None, cause=None):
        self.name, self.why, self.cause = name, why, cause

    def error(self, place):
        if self.cause is not None:
            return self.cause
        if self.why is None:
            return StagingError("LT0301", f"'{self.name}' has no value here", place, f"give '{self.name}' a value before this line")
        known = ", or have the turns known, by parameters that are annotated lt.static[int]" if self.why.startswith("the for loop may make no turn") else ""
        error = StagingError("LT0302", f"'{self.name}' may have no value here: {self.why}", place,
                             f"give '{self.name}' a value before the statement, or on every path of it{known}")
        error.makers = tuple(self.makers.values())
        return error

    def _use(self, *_, **__):
        raise self.error(place_of_name(self.name))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self._use()

    __call__ = __bool__ = __iter__ = __len__ = __getitem__ = __setitem__ = _use
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _use
    __lt__ = __gt__ = __le__ = __ge__ = __neg__ = _use

    def __repr__(self):
        return f"<undefined {self.name}>"


class MaybeBound(Undefined):
    """A variable that has a value on some of the paths that lead here: `value`, where `bound` (a Boolean function) holds.

    flag: a staged bool that says the same, if there is one. makers: the statements that have left it so (unbound.py): (key, name), by the id of the key and the name.
    """

    def __init__(self, name, value, bound, why, flag=None, makers=()):
        super().__init__(name, why)
        self.value, self.bound, self.flag, self.makers = value, bound, flag, dict(makers)

    def with_value(self, value):
        return MaybeBound(self.name, value, self.bound, self.why, self.flag, self.makers)


class UndefinedReturnValue(Undefined):
    """The result of a function that has not returned yet; Python's None if it never does."""

    name, why, cause = "the result", None, None
    __init__ = object.__init__
