"""Members of an `enum.Enum` that are known only when the program runs: `t.op` of a field that is annotated with the enumeration, `Op(n)`, and
`Op.ADD if x > 0 else Op.MUL`.

    if t.op is Op.ADD: …        # (== x1 0): a member is its place among the members

Members of an IntEnum are whole numbers, and those of a StrEnum are strings, in the program as in Python; others that are numbers or strings stay
Python's, since the program would not show them as Python does. Of a class of others a member that is known is Python's, and one that is not a Member,
which has no other operators than a member has.
"""
from __future__ import annotations

import enum
import inspect
import types as python_types

from lantern import types
from lantern.dispatch import active_trace
from lantern.staging.errors import StagingError, user_place
from lantern.staging.values import Staged
from lantern.struct import is_enumeration


def is_member(value):
    return type(value) is Member or is_enumeration(type(value))


def class_of(value):
    """The class of a value; of what stands for a member, the enumeration."""
    return value.of_class if type(value) is Member else type(value)


def are_of_one(values):
    """Whether all of these are members of one enumeration whose members are no numbers or strings."""
    return all(is_member(value) and class_of(value) is class_of(values[0]) for value in values)


def is_key(cls):
    """Whether the members of an enumeration are keys by which one they are: the class has not said when they are equal, or what their hash is."""
    return is_enumeration(cls) and cls.__eq__ is object.__eq__ and cls.__hash__ is enum.Enum.__hash__


def is_its_value(value):
    """Whether it is a member that is a number or a text, and is shown as that: one of an IntEnum or a StrEnum."""
    return isinstance(value, enum.IntEnum) or isinstance(value, enum.Enum) and isinstance(value, str) and str(value) == format(value) == str(value.value)


def is_shown_otherwise(value):
    """Whether it is a member that is a number or a text, and whose own text is another: one of `class Op(str, Enum)`."""
    return isinstance(value, enum.Enum) and isinstance(value, (int, str)) and not is_its_value(value) and not str(value) == format(value) == str(value.value)


def refuse_lost(trace, value):
    """Fails for such a member, where staged code would go on with its value, and show that."""
    if is_shown_otherwise(value):
        cls, kind = type(value).__name__, "Int" if isinstance(value, int) else "Str"
        trace.refuse("LT0312", f"staged code would have {value.value!r} for {value}",
                     f"write {cls}.{value.name}.value, or make {cls} an enum.{kind}Enum, whose members are shown as their values", trace.place(), value)


def number_of(value):
    """The place of a member, or what stands for one, among the members."""
    return value.number if type(value) is Member else types.place_of(value)


def remedy(value):
    """Instead of a member where staged code has none, such as in a list that grows; None for anything else."""
    cls = class_of(value)
    if not issubclass(cls, enum.Enum):
        return None
    return f"make {cls.__name__} an enum.IntEnum, whose members are numbers, or hold the member in a field of an lt.struct"


def placed(value):
    """The place of a member for it; anything else as it is."""
    return number_of(value) if is_member(value) else value


def stored(value, type_, what):
    """What a structure's field of such a type holds of a member."""
    if isinstance(value, Staged) and type_.is_of_numbers:
        return value
    if type(value) is Member and value.of_class is type_.members:
        return value.number
    return type_.number_of(value, what)


def made(cls, number):
    """The member of that number; of None, None: it has no tangent."""
    return Member(cls, number) if isinstance(number, Staged) else None if number is None else list(cls)[number]


def parts_of_member(value):
    """(a function that puts it together again, its parts) of a member; None of anything else."""
    if not is_member(value):
        return None
    cls = class_of(value)
    return (lambda parts: made(cls, *parts)), [number_of(value)]


class Member:
    """A member of `of_class` that is known only when the program runs; number: its place among the members."""

    def __init__(self, of_class, number):
        object.__setattr__(self, "of_class", of_class)
        object.__setattr__(self, "number", number)

    def __setattr__(self, name, value):
        raise AttributeError(f"attribute '{name}' of a member of {self.of_class.__name__} is set, which all of the program would share")

    @property
    def __class__(self):
        return self.of_class

    def is_(self, other):
        """Whether it is another member."""
        return self.number == number_of(other) if is_member(other) and class_of(other) is self.of_class else False

    def __eq__(self, other):
        if self.of_class.__eq__ is not object.__eq__:
            self._refuse(f"it is compared, and {self.of_class.__name__} has an __eq__ of its own", "ask `is`")
        return self.is_(other)

    def __ne__(self, other):
        equal = self == other
        return equal.trace.negate(equal) if isinstance(equal, Staged) else not equal

    def __lt__(self, other):
        return self._ordered("<", "__lt__", other, "__gt__")

    def __le__(self, other):
        return self._ordered("<=", "__le__", other, "__ge__")

    def __gt__(self, other):
        return self._ordered(">", "__gt__", other, "__lt__")

    def __ge__(self, other):
        return self._ordered(">=", "__ge__", other, "__le__")

    def _ordered(self, symbol, name, other, mirrored):
        """What the class's own method says, or that of what it is compared with; a TypeError where there is none."""
        for first, method, second in (self, name, other), (other, mirrored, self):
            own = inspect.getattr_static(class_of(first), method, None)
            if isinstance(own, python_types.FunctionType):
                return active_trace().call(own, (first, second))
        raise TypeError(f"'{symbol}' not supported between instances of '{self.of_class.__name__}' and '{class_of(other).__name__}'")

    def __hash__(self):
        self._refuse("Python needs its hash now", "a staged value can be neither a key of a dict nor an element of a set: use a chain of comparisons")

    def __bool__(self):
        if any(name in vars(cls) for cls in self.of_class.__mro__ for name in ("__bool__", "__len__")):
            self._refuse("Python asks whether it is true", "ask by comparisons")
        return True

    def __repr__(self):
        return f"<staged {self.of_class.__name__}>"

    def __str__(self):
        self._refuse("Python makes text of it", "its name, op.name, and its value, op.value, may be staged text")

    def __format__(self, spec):
        return str(self)

    def text(self, shows_repr):
        """`str(op)` or `repr(op)`, as `enum` writes them."""
        write, name = (repr, "__repr__") if shows_repr else (str, "__str__")
        own = inspect.getattr_static(self.of_class, name)
        if isinstance(own, python_types.FunctionType) and own is not getattr(enum.Enum, name):
            return active_trace().call(own, (self,))
        if getattr(self.of_class, name) is not getattr(enum.Enum, name) or self.of_class._member_type_ is not object:
            self.__str__()
        return self._of_each([write(member) for member in self.of_class], "text")

    def __getattr__(self, name):
        from lantern.operators_expressions import getattr_
        if name in ("value", "_value_"):
            return self._of_each([member.value for member in self.of_class], name)
        if name in ("name", "_name_"):
            return self._of_each([member.name for member in self.of_class], name)
        if not hasattr(self.of_class, name) and any(name in vars(member) for member in self.of_class):      # which its __init__ has set
            if not all(name in vars(member) for member in self.of_class):
                self._refuse(f"not all members of {self.of_class.__name__} have an attribute '{name}'", "give each one in __init__")
            return self._of_each([getattr_(member, name, active_trace().at) for member in self.of_class], name)
        static = inspect.getattr_static(self.of_class, name)
        if isinstance(static, property):
            return active_trace().call(static.fget, (self,))
        if isinstance(static, python_types.FunctionType):
            return python_types.MethodType(static, self)
        return getattr_(self.of_class, name, active_trace().at)

    def _of_each(self, values, name):
        kinds = {type(value) for value in values}
        if values == list(range(len(values))) and kinds == {int}:
            return self.number
        if kinds == {tuple} and len(set(map(len, values))) == 1:
            return tuple(self._of_each(list(column), name) for column in zip(*values))
        if len(kinds) > 1 or not kinds <= {bool, int, float, str}:
            self._refuse(f"the {name}s of {self.of_class.__name__} have no one type that staged code has",
                         "choose by comparisons: a if op is Op.A else b")
        from lantern.staging import list_methods
        trace = active_trace()
        return list_methods.getitem(trace, trace.lists.new(values), self.number)

    def _refuse(self, what, hint):
        raise StagingError("LT0303", f"a member of {self.of_class.__name__} is known only when the program runs, and {what}", user_place(), hint)


def looked_up(trace, cls, value):
    """`cls(value)` of a staged value."""
    from lantern.staging import library
    values = [member.value for member in cls]
    type_ = trace.type_of(value)
    kind = {types.i64: int, types.string: str}.get(type_)
    if kind is None or any(type(each) is not kind for each in values) or cls._missing_.__func__ is not enum.Enum._missing_.__func__:
        raise StagingError("LT0310", f"the member of {cls.__name__} for {value.shown()}, of type {types.annotation(type_)}", trace.place(),
                           "choose by comparisons: Op.A if x == 1 else Op.B")
    place = library.place_of_member(trace, value, tuple(values), cls.__qualname__, "'" if kind is str else "")
    return made(cls, place) if is_enumeration(cls) else value
