"""What the numbered objects of one trace (numbered.py) know of families of classes (families.py): which there are, their lists, and objects as ones of a class."""
from __future__ import annotations

from lantern.staging import families
from lantern.staging.empties import unknowns_in
from lantern.staging.numbered_classes import Home, can_be, derived, homes_in, key_of, refuse_hash, user_class
from lantern.staging.unchanged import is_by_identity
from lantern.staging.values import Staged


def key_of_family(keys):
    """What a family is known by, as a class is by its module and its name (`key_of`)."""
    return " ".join(map(".".join, keys)), " or ".join(key[1].rsplit(".", 1)[-1] for key in keys)


class OfFamilies:
    """What `Numbered` does about families."""

    def _learn_family(self, classes):
        """Whether objects of these classes may stand together from now on."""
        keys = list(map(key_of, classes))
        if len(keys) < 2 or not all(key in self._made or key in self._classes for key in keys) or not all(can_be(cls) and families.of_key(key_of(cls)) is cls for cls in classes):
            return False
        family = list(dict.fromkeys(other for key in keys for other in self._families.get(key, [key])))
        if all(self._families.get(key) == family for key in keys):
            return False
        self._families.update((key, family) for key in family)
        self._trace.empties.forget(homes_in)        # of which a name is that of an object of fewer classes
        self._trace.specialisations.statics.forget(homes_in)
        for cls in classes:
            self._classes.setdefault(key_of(cls), self._made.get(key_of(cls), []))
            self._trace.unchanged.forget(cls)
        return True

    def held_by_relatives(self, key, name):
        """The type of the elements of the lists that an attribute is in other classes of a family; None where it is not known."""
        types_ = (self._held.get((other, name)) for other in self._families.get(key, ()))
        return next((type_ for type_ in types_ if type_ is not None and not unknowns_in(type_)), None)

    def class_of(self, home):
        """The class of the objects of a family of which only that is known."""
        own = self.objects_of(home)
        if own.cls is None:
            keys = next(family for family in self._families.values() if key_of_family(family) == home.key)
            names = dict.fromkeys(name for key in keys for name in self._classes[key] if name)
            classes = list(map(families.of_key, keys))
            names.update((name, None) for cls in classes for base in cls.__mro__ for name, member in vars(base).items() if isinstance(member, property))
            hashed = {} if all(map(is_by_identity, classes)) else {"__hash__": refuse_hash}
            own.cls = derived(self._trace, families.in_common(classes), home, names, __lantern_family__=home,
                              __lantern_classes__=tuple(Home(key, home.depth) for key in keys), **hashed)
            own.cls.__name__ = own.cls.__qualname__ = home.key[1]
            own.cls.__abstractmethods__ = frozenset()
        return own.cls

    def homes_with(self, home):
        """The homes that an object of one leads to: of the classes of its family, and the family."""
        keys = next((family for key, family in self._families.items() if home.key in (key, key_of_family(family))), ())
        return [home, *(Home(key, home.depth) for key in keys), *([Home(key_of_family(keys), home.depth)] if keys else ())]

    def family_of(self, home):
        """The homes of the classes of a family; None of another one."""
        keys = next((family for family in self._families.values() if key_of_family(family) == home.key), None)
        return keys and [Home(key, home.depth) for key in keys]

    def class_at(self, home):
        """The user's class of the objects that have their attributes there; None of a family."""
        own = self.objects_of(home)
        return user_class(own.cls) if own.cls is not None else families.of_key(home.key)

    def classes_of(self, cls):
        """The user's classes of which an object of a class of numbered ones may be."""
        homes = getattr(cls, "__lantern_classes__", None)
        return [user_class(cls)] if homes is None else [families.of_key(home.key) for home in homes]

    def has_some(self, cls):
        """Whether objects of a class of a family may have been made: a turn or call before which that is another one is traced for itself."""
        column = next(iter(self.objects_of(cls.__lantern_home__).columns.values()))
        self._trace.contents.note(column)
        contents = self._trace.lists.raw(column)
        return isinstance(contents, Staged) or len(contents) > 0

    def class_of_number(self, cls, number):
        """That of the classes of a family."""
        home = cls.__lantern_classes__[number]
        return self._derive(self.objects_of(home), families.of_key(home.key), home.key, home.depth)

    def views(self, value):
        """An object of a family as one of each of its classes."""
        if id(value) not in self._views:
            number, made = self.number_of(value), []
            for place in range(len(type(value).__lantern_classes__)):
                view = object.__new__(self.class_of_number(type(value), place))
                self._numbers[id(view)] = view, number
                self._trace.ages.made(view)
                made.append(view)
            self._views[id(value)] = value, made
        return self._views[id(value)][1]

    def asked_of(self, value):
        """{number of a class: what is known, or has been asked, of whether an object is of it}."""
        return self._asked.setdefault(id(value), (value, {}))[1]

    def column_of(self, value, name):
        """What a list of its family has of an object."""
        from lantern.operators_expressions import getitem
        column = self.objects_of(type(value).__lantern_family__).columns[name]
        self._trace.contents.note(column)
        with self._at_work():
            return getitem(column, self.number_of(value), self._trace.at)

    def _place_of(self, value):
        """Where the lists of its class have the attributes of an object."""
        if not hasattr(type(value), "__lantern_family__"):
            return self.number_of(value)
        _, place = self._places.get(id(value), (None, None))
        if place is None or isinstance(place, Staged) and not self._trace.is_there(place):
            place = self.column_of(value, families.PLACE)
            self._places[id(value)] = value, place
        return place
