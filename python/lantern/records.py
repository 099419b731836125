"""Values that have fields, as frozen dataclasses are, which take a millisecond each where a program is imported."""
from __future__ import annotations


class Record:
    """Its fields are the names that the class annotates, those of the class that it is derived from first; what they are equal to there is
    their default. Two are equal where they are of one class and their fields are."""

    _fields = ()
    _defaults = {}

    def __init_subclass__(cls):
        own = cls.__dict__.get("__annotations__", ())
        cls._fields = (*cls._fields, *own)
        cls._defaults = {**cls._defaults, **{name: cls.__dict__[name] for name in own if name in cls.__dict__}}

    def __init__(self, *values, **named):
        fields = self._fields
        if len(values) != len(fields):
            given = {**self._defaults, **dict(zip(fields, values)), **named}
            if given.keys() != set(fields) or len(values) > len(fields):
                raise TypeError(f"{type(self).__name__} has the fields {', '.join(fields)}")
            values = [given[name] for name in fields]
        self.__dict__.update(zip(fields, values))

    def replaced(self, **changes):
        """One that has other values for some fields."""
        return type(self)(**{**self.__dict__, **changes})

    def __setattr__(self, name, value):
        raise AttributeError(f"{type(self).__name__} is immutable, and '{name}' is set")

    def __eq__(self, other):
        return self.__dict__ == other.__dict__ if type(other) is type(self) else NotImplemented

    def __hash__(self):
        return hash(tuple([self.__dict__[name] for name in self._fields]))

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={self.__dict__[name]!r}' for name in self._fields)})"
