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

import contextlib
import dataclasses
import re

from lantern import types
from lantern.staging import families
from lantern.staging.errors import StagingError
from lantern.staging.frozen import is_frozen
from lantern.staging.numbered_classes import Home, can_be, derived, is_home_of, is_numbered, key_of, user_class
from lantern.staging.numbered_families import OfFamilies, key_of_family
from lantern.staging.shared_elements import has_lists
from lantern.staging.values import Staged

_OF_VALUES = "LT0305", "LT0306", "LT0307", "LT0310", "LT0312", "LT0314", "LT0317"     # errors that instances which are values may be the reason of
_NOTHING = ""       # the attribute of objects that have none: 0, so that there are as many as have been made
_IN_INIT = "give it a value in __init__"


class Objects:
    """Those of a class that a function makes. columns: attribute → list. members: attribute → the enum.Enum whose members' numbers the list has, or None. known: number → the
    object that has it, of numbers that are known."""

    def __init__(self, columns):
        self.columns, self.members, self.known = columns, {}, {}
        self.cls = None     # the class of the numbered ones, once there is one


class Numbered(OfFamilies):
    """Those of one trace."""

    def __init__(self, trace):
        self._trace = trace
        self._classes = {}      # (module, name) of a class → the names of its objects' attributes
        self._families = {}     # (module, name) of a class → those of all that are of its family, in one order, which they share
        self._made = {}         # the same of a class whose objects are Python's so far
        self._held = {}         # (the same, attribute) → type of the elements of the lists that it is
        self._rings = set()     # those of which one has held itself when it was made, which no value does
        self._numbers = {}      # id → (object, its number)
        self._places = {}       # id → (object of a family, its place in the lists of its class)
        self._views = {}        # id → (object of a family, what it is as one of each class)
        self._asked = {}        # id → (object of a family, {number of a class: whether it is of it})
        self.is_at_work = False # while an attribute is read or stored, which is certainly there
        self.refusal = None     # the error that there was before the last classes were numbered whose instances had been values

    def learn(self, error):
        """Whether an error is not there any more once the objects of the class that it is of are numbered, or have an attribute more."""
        if getattr(error, "more_attributes", None) is not None:
            key, names = error.more_attributes
            self._classes[key] = [*self._classes[key], *names]
            return True
        if self._learn_family(getattr(error, "classes", ())):
            return True
        cls = error.of_class
        if cls is None or key_of(cls) in self._classes or key_of(cls) not in self._made or not can_be(cls):
            return False
        self._classes[key_of(cls)] = self._made[key_of(cls)]
        self._trace.unchanged.forget(cls)
        return True

    def replace_values(self, error):
        """Whether objects are numbered now whose classes have been taken for those of values, where that has led to an error."""
        classes = [cls for cls in self._trace.unchanged.classes() if key_of(cls) in self._made and can_be(cls)]
        if error.code not in _OF_VALUES or not classes:
            return False
        for cls in classes:
            self._classes[key_of(cls)] = self._made[key_of(cls)]
            self._trace.unchanged.forget(cls)
        self.refusal = self.refusal or error
        return True

    def is_learned(self, cls):
        return key_of(cls) in self._classes

    def is_ring(self, cls):
        return key_of(cls) in self._rings

    def ring(self, cls):
        """The class, of which an instance holds what it stands in."""
        self._rings.add(key_of(cls))
        return cls

    def begin(self, frame):
        """The function of a frame, which is not part of another one, has lists of its own, of all the objects that it makes."""
        frame.objects = {}
        for key, names in self._classes.items():
            word = _word(key[1].rsplit(".", 1)[-1])
            frame.objects[key] = Objects({name: self._trace.lists.count_from_front(self._trace.lists.new([])) for name in names or [_NOTHING]})
            for name, column in frame.objects[key].columns.items():
                self._trace.lists.named(f"{word}_{name.strip('_')}", column)
        for keys in {id(family): family for family in self._families.values()}.values():
            frame.objects[key_of_family(keys)] = own = Objects({name: self._trace.lists.count_from_front(self._trace.lists.new([])) for name in (families.CLASS, families.PLACE)})
            common = families.in_common(list(map(families.of_key, keys)))
            word = _word(common.__name__ if common is not object else "_or_".join(key[1].rsplit(".", 1)[-1] for key in keys))
            for name, column in own.columns.items():
                self._trace.lists.named(f"{word}_{name}", column)

    def columns(self):
        """{(how, name): list} of all that there are where the trace is, for routes to them (carried.py)."""
        found = {}
        for objects in self._scopes() if self._trace.frame is not None and self._classes else ():
            for own in objects.values():
                for column in own.columns.values():
                    name = self._trace.lists.name_of(column)
                    found["objects", name if ("objects", name) not in found else f"{name}_{len(found)}"] = column
        return found

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
        if key_of(cls) in self._classes:
            if key_of(cls) in self._scopes()[-1]:     # else it has been learned just now
                self._number(value, cls, names)
        elif not self._trace.unchanged.is_value(value):
            known = self._made.setdefault(key_of(cls), [])
            if _reaches(value, value):
                self._rings.add(key_of(cls))
            known.extend(name for name in _in_order(value, names) if name not in known)
        return value

    def _number(self, value, cls, names):
        from lantern.operators_expressions import getattr_
        from lantern.staging import enumerations, instances, list_methods
        from lantern.staging.snapshots import slots_of
        trace, key, scopes = self._trace, key_of(cls), self._scopes()
        own = scopes[-1][key]
        columns = own.columns
        self._check_names(value, key, names, columns)
        self._derive(own, cls, key, len(scopes) - 1)
        if user_class(own.cls) is not cls:
            raise self._error(key, f"two classes are called {cls.__name__}", "define the class once, outside of functions")
        parts = {name: getattr_(value, name, trace.at) if name else 0 for name in columns}
        instances.declare(trace, cls, parts)
        number = self._count(next(iter(columns.values())))
        for name in slots_of(value):
            object.__delattr__(value, name)
        getattr(value, "__dict__", {}).clear()
        object.__setattr__(value, "__class__", own.cls)
        place, registry = number, own
        if key in self._families:
            registry = scopes[-1][key_of_family(self._families[key])]
            number = self._count(registry.columns[families.PLACE])
            for name, part in ((families.CLASS, self._families[key].index(key)), (families.PLACE, place)):
                list_methods.call(trace, registry.columns[name], "append", (part,), {}, trace.at)
        self._numbers[id(value)] = value, number
        self._places[id(value)] = value, place
        if type(number) is int:
            own.known[number] = value
        for name, part in parts.items():
            own.members.setdefault(name, enumerations.class_of(part) if enumerations.is_member(part) else None)
            part = self._as_element(own, key, name, part)
            if type(part) is list and type(held := trace.lists.raw(part)) is list and not held:
                trace.empties.of_attribute(part, key, name)
            self._with_name(key, name, lambda part=part, column=columns[name]: list_methods.call(trace, column, "append", (part,), {}, trace.at))
            if type(part) is list:
                self._held[key, name] = trace.lists.type_of(trace.lists.contents(part)).element
            if has_lists([part]) and not isinstance(trace.lists.raw(columns[name]), Staged):      # which are then read by the number alone
                trace.lists.become_staged(columns[name])

    def _derive(self, own, cls, key, depth):
        """The class of the numbered objects of a class of the user's, which may be of a family."""
        if own.cls is None:
            more = {"__lantern_family__": Home(key_of_family(self._families[key]), depth)} if key in self._families else {}
            own.cls = derived(self._trace, cls, Home(key, depth), self._classes[key], **more)
        return own.cls

    def is_needed(self, value):
        """Whether an object is numbered now, since its own constructor has put it somewhere, `parent.children.append(self)`, behind all that it stores."""
        cls, trace = type(value), self._trace
        if not self._classes or key_of(cls) not in self._classes or not trace.unchanged.is_being_made(value):
            return False
        objects = self._scopes()[-1].get(key_of(cls))
        names = trace.unchanged.names_of(value)
        if objects is None or trace.ages.home(value) is not trace.block or not set(objects.columns) <= {_NOTHING, *names}:
            return False
        self._number(value, cls, names)
        return True

    def _as_element(self, own, key, name, part):
        """What the list of an attribute gets for a value: an object that plain code has made for it is numbered, too, and a member of an enumeration is its number."""
        from lantern.staging import enumerations
        members = own.members[name]
        if members is not None:
            if not enumerations.is_member(part) or enumerations.class_of(part) is not members:
                raise self._error(key, f"the attribute '{name}', a member of {members.__name__}, gets another value", "give it values of one type", "LT0306")
            return enumerations.number_of(part)
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
        lacking = [name for name in columns if name and not hasattr(value, name)]
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
        own = self.objects_of(cls.__lantern_home__)
        if type(number) is int and hasattr(cls, "__lantern_classes__"):
            held = self._trace.lists.raw(own.columns[families.CLASS])
            if type(held) is list and number < len(held) and type(held[number]) is int:
                return self.together(self.class_of_number(cls, held[number]), number)
        is_known = type(number) is int and not hasattr(cls, "__lantern_family__")     # there two paths may have made others of that number
        if is_known and number in own.known:
            return own.known[number]
        made = object.__new__(own.cls or cls)       # a class that the function makes is another one each time that it is traced
        self._numbers[id(made)] = made, number
        self._trace.ages.made(made)
        if is_known:
            own.known[number] = made
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
        from lantern.staging import enumerations
        if families.is_mixed(value):
            return families.read(self._trace, value, name, at)
        own = self.objects_of(type(value).__lantern_home__)
        self._trace.contents.note(own.columns[name])
        with self._at_work():
            found = getitem(own.columns[name], self._place_of(value), at or self._trace.at)
        if isinstance(found, Staged) and isinstance(found.type, types.NoneType):     # no object has anything else there so far
            return None
        return found if own.members.get(name) is None else enumerations.made(own.members[name], found)

    def store(self, value, name, now, at=None):
        from lantern.operators_exceptions import raise_
        from lantern.operators_stores import store_item
        if families.is_mixed(value):
            families.store(self._trace, value, name, now, at)
            return
        home = type(value).__lantern_home__
        if is_frozen(user_class(type(value))):
            return raise_(dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}"), at or self._trace.at)
        own = self.objects_of(home)
        if name not in own.columns:
            error = self._error(home.key, f"the attribute '{name}' is set behind its constructor", f"{_IN_INIT}: self.{name} = …")
            if hasattr(type(value), name):
                error.more_attributes = home.key, [name]
            raise error
        column, number = own.columns[name], self._place_of(value)
        place = now.stands_in if isinstance(now, Staged) else None
        if place is None or place.list is not column or place.key is not number or self._trace.lists.raw(column) is not place.contents:   # else `p.a += v` has changed the array where it stands
            with self._at_work():
                self._with_name(home.key, name, lambda: store_item(self._as_element(own, home.key, name, now), column, number, at or self._trace.at))

    @contextlib.contextmanager
    def _at_work(self):
        before, self.is_at_work = self.is_at_work, True
        try:
            yield
        finally:
            self.is_at_work = before

    def refuse(self, value, what, hint, code="LT0310"):
        raise self._error(type(value).__lantern_home__.key, what, hint, code)

    def refuse_dict(self, value):
        self.refuse(value, "its attributes are asked for as a dict", "name the attributes")

    def is_one(self, a, b, at=None):
        """Whether two objects are one, of which one is numbered."""
        from lantern.operators_comparisons import compare
        if getattr(type(a), "__lantern_family__", None) != getattr(type(b), "__lantern_family__", None) or not hasattr(type(a), "__lantern_family__") and not is_home_of(type(a), type(b)):
            return False
        return compare("==", self.number_of(a), self.number_of(b), at or self._trace.at)

    def copied(self, value):
        """`copy.copy` of one: another with the same attributes."""
        if families.is_mixed(value):
            return families.among(self._trace, value, self.copied, self._trace.at)
        made = object.__new__(user_class(type(value)))
        for name in filter(None, self._columns_of(value)):
            object.__setattr__(made, name, self.read(value, name))
        self._trace.ages.made(made)
        return self.made(made)


def _word(name):
    """What lists are called after a class."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


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


def _reaches(value, wanted):
    """Whether attributes of objects of the user's lead from one to another."""
    from lantern.staging.snapshots import is_users_class
    pending, seen = [value], set()
    while pending:
        held = [each for each in getattr(pending.pop(), "__dict__", {}).values() if not isinstance(each, type) and is_users_class(type(each))]
        if any(each is wanted for each in held):
            return True
        pending.extend(each for each in held if id(each) not in seen)
        seen.update(map(id, held))
    return False


def _in_order(value, names):
    """The names in the order in which the constructor has stored them."""
    return [*(name for name in getattr(value, "__dict__", ()) if name in names), *(name for name in names if name not in getattr(value, "__dict__", ()))]
