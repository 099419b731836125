"""Objects that change, and stand where only the program knows which one is meant: they are numbers, and their attributes are lists that the numbers index.

    ps = [Particle(i, 1.0) for i in range(n)]       particle_x, particle_v, and ps: which of them
    for p in ps:
        p.x += p.v                                  (write particle_x p (+ (index particle_x p) (index particle_v p)))

So two names of one object are one number, a list of objects may be sorted, and stand beside others, and what is linked is linked by numbers.

An object is Python's own as long as nothing staged decides which one a name means. Where something does, which is an error for objects, and nothing is
won by taking them for values (unchanged.py), the program is traced again with the objects of that class numbered. Their constructor runs as ever; behind it
what it has stored goes to the ends of the lists, and the object becomes one of a class derived from the user's, whose attributes are read there.
"""
from __future__ import annotations

import inspect
import re
import sys
import types as python_types
import weakref

from lantern import dispatch
from lantern.records import Record
from lantern.staging.errors import StagingError, is_converted_code

_NUMBER = "__lantern_number__"
_ASKED_AT_ATTRIBUTES = "__getattribute__", "__setattr__", "__delattr__"
_OF_VALUES = "LT0305", "LT0306", "LT0310", "LT0312", "LT0314"     # errors that instances which are values may be the reason of
_IN_INIT = "give it a value in __init__"


class Home(Record):
    """Which lists a class of numbered objects has: those of the user's class `key`, of the function that is `depth` deep among those that have some."""
    key: tuple
    depth: int


class Reference(Record):
    """A numbered object where its program has run."""
    home: Home
    number: int


class Objects:
    """Those of a class that a function makes. columns: attribute → list."""

    def __init__(self, columns):
        self.columns = columns
        self.cls = None     # the class of the numbered ones, once there is one


class Numbered:
    """Those of one trace."""

    def __init__(self, trace):
        self._trace = trace
        self._classes = {}      # (module, name) of a class → the names of its objects' attributes
        self._made = {}         # the same of a class whose objects are Python's so far
        self._rings = set()     # those of which one has held itself when it was made, which no value does
        self._numbers = {}      # id → (object, its number)
        self.refusal = None     # the error that there was before the last classes were numbered whose instances had been values

    def learn(self, error):
        """Whether an error is not there any more once the objects of the class that it is of are numbered, or have an attribute more."""
        if getattr(error, "more_attributes", None) is not None:
            key, names = error.more_attributes
            self._classes[key] = [*self._classes[key], *names]
            return True
        cls = error.of_class
        if cls is None or _key(cls) in self._classes or _key(cls) not in self._made or not _can_be(cls):
            return False
        self._classes[_key(cls)] = self._made[_key(cls)]
        self._trace.unchanged.forget(cls)
        return True

    def replace_values(self, error):
        """Whether objects are numbered now whose classes have been taken for those of values, where that has led to an error."""
        classes = [cls for cls in self._trace.unchanged.classes() if _key(cls) in self._made and _can_be(cls)]
        if error.code not in _OF_VALUES or not classes:
            return False
        for cls in classes:
            self._classes[_key(cls)] = self._made[_key(cls)]
            self._trace.unchanged.forget(cls)
        self.refusal = self.refusal or error
        return True

    def is_learned(self, cls):
        return _key(cls) in self._classes

    def is_ring(self, cls):
        return _key(cls) in self._rings

    def begin(self, frame):
        """The function of a frame, which is not part of another one, has lists of its own, of all the objects that it makes."""
        frame.objects = {}
        for key, names in self._classes.items():
            word = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key[1].rsplit(".", 1)[-1]).lower()
            frame.objects[key] = Objects({name: self._trace.lists.new([]) for name in names})
            for name, column in frame.objects[key].columns.items():
                self._trace.lists.named(f"{word}_{name.strip('_')}", column)

    def columns(self):
        """{name: list} of all that there are where the trace is."""
        frames = [] if self._trace.frame is None or not self._classes else self._scopes()
        return {("objects", f"{key[1]}.{name}.{depth}"): column for depth, objects in enumerate(frames) for key, own in objects.items()
                for name, column in own.columns.items()}

    def _scopes(self):
        """The lists of the functions that have some, outermost first."""
        found, frame = [], self._trace.frame
        while frame is not None:
            if frame.objects is not None:
                found.append(frame.objects)
            frame = frame.outer
        return found[::-1]

    def made(self, value):
        """The object of a call of a class, whose constructor has run: numbered, if those of its class are."""
        from lantern.staging.snapshots import is_users_class
        cls = type(value)
        if self._trace.frame is None or not is_users_class(cls) or is_numbered(value):
            return value
        names = self._trace.unchanged.names_of(value)
        if _key(cls) in self._classes:
            if _key(cls) in self._scopes()[-1]:     # else it has been learned just now
                self._number(value, cls, names)
        elif not self._trace.unchanged.is_value(value):
            known = self._made.setdefault(_key(cls), [])
            if _reaches(value, value):
                self._rings.add(_key(cls))
            known.extend(name for name in _in_order(value, names) if name not in known)
        return value

    def _number(self, value, cls, names):
        from lantern.operators_expressions import getattr_
        from lantern.staging import list_methods
        from lantern.staging.snapshots import slots_of
        trace, key, scopes = self._trace, _key(cls), self._scopes()
        own = scopes[-1][key]
        columns = own.columns
        self._check_names(value, key, names, columns)
        own.cls = own.cls or self._class_of(cls, Home(key, len(scopes) - 1))
        if user_class(own.cls) is not cls:
            raise self._error(key, f"two classes are called {cls.__name__}", "define the class once, outside of functions")
        parts, number = {name: getattr_(value, name, trace.at) for name in columns}, self._count(next(iter(columns.values())))
        for name in slots_of(value):
            object.__delattr__(value, name)
        getattr(value, "__dict__", {}).clear()
        value.__class__ = own.cls
        self._numbers[id(value)] = value, number
        for name, part in parts.items():
            part = self._nested(part)
            self._with_name(key, name, lambda part=part, column=columns[name]: list_methods.call(trace, column, "append", (part,), {}, trace.at))

    def is_needed(self, value):
        """Whether an object is numbered now, since its own constructor has put it somewhere, `parent.children.append(self)`, behind all that it stores."""
        cls, trace = type(value), self._trace
        if not self._classes or _key(cls) not in self._classes or not trace.unchanged.is_being_made(value):
            return False
        objects = self._scopes()[-1].get(_key(cls))
        names = trace.unchanged.names_of(value)
        if objects is None or trace.ages.home(value) is not trace.block or not set(objects.columns) <= set(names):
            return False
        self._number(value, cls, names)
        return True

    def _nested(self, part):
        """What an attribute holds: an object that plain code has made for it is numbered, too."""
        if self.is_learned(type(part)) and not is_numbered(part) and self._trace.ages.is_made_here(part):
            self.made(part)
        return part

    def _count(self, column):
        from lantern.staging import calls
        return calls.call(self._trace, len, (column,), {}, self._trace.at)

    def _check_names(self, value, key, names, columns):
        """All objects of a class have the same attributes."""
        more = [name for name in names if name not in columns]
        if more:
            error = self._error(key, f"one has an attribute '{more[0]}' that others have not", f"{_IN_INIT}: self.{more[0]} = …")
            error.more_attributes = key, more
            raise error
        lacking = [name for name in columns if not hasattr(value, name)]
        if lacking:
            raise self._error(key, f"one has no attribute '{lacking[0]}', which others have", f"{_IN_INIT}: self.{lacking[0]} = …")

    def _error(self, key, what, hint, code="LT0310"):
        name = key[1].rsplit(".", 1)[-1]
        return StagingError(code, f"{name}: {what}, and which {name} a name means is known only when the program runs", self._trace.place(), hint)

    def _with_name(self, key, name, store):
        """What `store` gives, which stores an attribute; an error says which one it is."""
        try:
            return store()
        except StagingError as error:
            error.notes.append(f"it is stored in the attribute '{name}' of a {key[1].rsplit('.', 1)[-1]}, of which all hold values of one type, since only the program knows which one a name means")
            raise

    # Attributes

    def number_of(self, value):
        return self._numbers[id(value)][1]

    def together(self, cls, number):
        """A numbered object of that class, which a branch, a loop or a list gives."""
        made = object.__new__(self.objects_of(cls.__lantern_home__).cls or cls)     # a class that the function makes is another one each time that it is traced
        self._numbers[id(made)] = made, number
        return made

    def objects_of(self, home):
        return self._scopes()[home.depth][home.key]

    def _columns_of(self, value):
        return self.objects_of(type(value).__lantern_home__).columns

    def has(self, value, name):
        return name in self._columns_of(value)

    def read(self, value, name, at=None):
        """An attribute of a numbered object."""
        from lantern.operators_expressions import getitem
        column = self._columns_of(value)[name]
        self._trace.contents.note(column)
        return getitem(column, self.number_of(value), at or self._trace.at)

    def store(self, value, name, now, at=None):
        from lantern.operators_stores import store_item
        columns, home = self._columns_of(value), type(value).__lantern_home__
        if name not in columns:
            error = self._error(home.key, f"the attribute '{name}' is set behind its constructor", f"{_IN_INIT}: self.{name} = …")
            if hasattr(type(value), name):
                error.more_attributes = home.key, [name]
            raise error
        self._with_name(home.key, name, lambda: store_item(self._nested(now), columns[name], self.number_of(value), at or self._trace.at))

    def refuse(self, value, what, hint, code="LT0310"):
        raise self._error(type(value).__lantern_home__.key, what, hint, code)

    def is_one(self, a, b, at=None):
        """Whether two objects are one, of which one is numbered."""
        from lantern.operators_comparisons import compare
        if not is_home_of(type(a), type(b)):
            return False
        return compare("==", self.number_of(a), self.number_of(b), at or self._trace.at)

    def copied(self, value):
        """`copy.copy` of one: another with the same attributes."""
        made = object.__new__(user_class(type(value)))
        for name in self._columns_of(value):
            object.__setattr__(made, name, self.read(value, name))
        self._trace.ages.made(made)
        return self.made(made)

    def _class_of(self, cls, home):
        """The class of numbered objects of a class of the user's."""
        members = {name: _attribute(name) for name in self._classes[home.key]}
        if cls.__hash__ is object.__hash__ and cls.__eq__ is object.__eq__:
            members["__hash__"] = _refuse_hash
        return type(cls)(cls.__name__, (cls,), {
            "__slots__": (), "__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": cls.__doc__, "__lantern_home__": home,
            "__lantern_trace__": weakref.ref(self._trace),
            _NUMBER: property(lambda self: dispatch.active_trace().numbered.number_of(self)), "__copy__": _copy, "__deepcopy__": _refuse_copy,
            "__reduce_ex__": _refuse_copy, **members})


def is_numbered(value):
    return hasattr(type(value), "__lantern_home__")


def together(cls, number):
    """An object of such a class by its number, in the trace that it is of; a Reference elsewhere."""
    trace = cls.__lantern_trace__()
    return trace.numbered.together(cls, number) if trace is not None and trace is dispatch.active_trace() else Reference(cls.__lantern_home__, number)


def is_home_of(a, b):
    """Whether two classes are of numbered objects whose attributes are in the same lists."""
    return getattr(a, "__lantern_home__", None) == getattr(b, "__lantern_home__", ...)


def is_instance(_trace, value, classes):
    """`isinstance(value, classes)` of a numbered object. Classes that the function makes are told apart by their names, since it makes them each time that it is traced."""
    pending = [classes]
    while pending:
        cls = pending.pop()
        if isinstance(cls, (tuple, getattr(python_types, "UnionType", tuple))):
            pending.extend(cls if isinstance(cls, tuple) else cls.__args__)
        elif isinstance(value, cls) or any(_key(base) == _key(cls) for base in type(value).__mro__):
            return True
    return False


def is_among(a, b):
    """Whether it may be asked of two values, which are there, whether they are one numbered object."""
    return a is not None and b is not None and any(is_numbered(_held(value)) for value in (a, b))


def _held(value):
    """What a value is where it is not None."""
    from lantern.staging.perhaps_none import PerhapsNone
    return value.value if type(value) is PerhapsNone else value


def is_same(trace, a, b, at):
    """`a is b` of such values, which may be None."""
    from lantern.operators_comparisons import is_, is_not
    from lantern.operators_control import all_true, any_true
    a, b = trace.narrowed(a), trace.narrowed(b)
    if a is None or b is None:
        return is_(a, b, at)
    return any_true(all_true(is_(a, None, at), lambda: is_(b, None, at), at),
                    lambda: all_true(is_not(a, None, at), lambda: is_not(b, None, at), lambda: trace.numbered.is_one(_held(a), _held(b), at), at), at)


def user_class(cls):
    """The user's class of a class of numbered objects; any other class as it is."""
    return cls.__mro__[1] if hasattr(cls, "__lantern_home__") else cls


def _attribute(name):
    """What reads and stores an attribute where code that is not converted does. The state of a statement, which converted code reads and stores by itself, has
    the lists, and not this."""
    def read(self):
        from lantern.operators_state import NOWHERE
        return NOWHERE if is_converted_code(sys._getframe(1).f_code) else dispatch.active_trace().numbered.read(self, name)

    def store(self, value):
        if not is_converted_code(sys._getframe(1).f_code):
            dispatch.active_trace().numbered.store(self, name, value)

    return property(read, store)


def _copy(self):
    return dispatch.active_trace().numbered.copied(self)


def _refuse_copy(self, *_):
    dispatch.active_trace().numbered.refuse(self, "Python's own code copies one with all that it holds", "make a new one of its attributes")


def is_by_identity(value):
    """Whether a value is a numbered object that is equal to itself alone, and may be a key, which its number is."""
    return is_class_by_identity(type(value))


def is_class_by_identity(cls):
    return getattr(cls, "__hash__", None) is _refuse_hash


def _refuse_hash(self):
    dispatch.active_trace().numbered.refuse(self, "one is a key, or in a set", "give each a number of its own, self.id = …, and use that as the key")


def _reaches(value, wanted, depth=4):
    """Whether attributes lead from an object to another one."""
    held = [each for each in getattr(value, "__dict__", {}).values() if hasattr(each, "__dict__")]
    return depth > 0 and any(each is wanted or _reaches(each, wanted, depth - 1) for each in held)


def _in_order(value, names):
    """The names in the order in which the constructor has stored them."""
    return [*(name for name in getattr(value, "__dict__", ()) if name in names), *(name for name in names if name not in getattr(value, "__dict__", ()))]


def _key(cls):
    return cls.__module__, cls.__qualname__


def _can_be(cls):
    """Whether a class derived from that one may stand for it: it has the user's classes as bases alone, and nothing that asks at each attribute."""
    from lantern.staging.snapshots import is_users_class
    from lantern.staging.frozen import is_frozen
    bases = cls.__mro__[:-1]
    return all(base.__module__ == "abc" or is_users_class(base) for base in bases) and cls.__new__ is object.__new__ and not hasattr(cls, "__del__") \
        and type(cls).__call__ is type.__call__ and type(cls).__module__ in ("builtins", "abc") and not hasattr(cls, "__lantern_struct__") \
        and all(getattr(cls, name) is getattr(object, name) for name in _ASKED_AT_ATTRIBUTES) \
        and not isinstance(inspect.getattr_static(cls, "__init_subclass__"), classmethod) and not is_frozen(cls)
