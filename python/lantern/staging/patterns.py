"""Patterns of `match` where something is traced: whether a value, of which any part may be staged, fits, and what it captures.

A pattern is a tuple, its kind first:

    ("value", v)  ("is", v)  ("capture", name)  ("star", name)  ("as", pattern, name)  ("or", patterns)
    ("sequence", patterns)  ("mapping", keys, patterns, rest)  ("class", class, patterns, ((attribute, pattern), …))

What is asked, and in which order, is PEP 634's. A test is evaluated only where those before it hold, so that no element is read
of a list that is too short. What a pattern captures is read again behind the test: it runs on that path alone.
"""
from __future__ import annotations

from lantern import dispatch, types
from lantern.lazy_numpy import np
from lantern.staging import families, iterables, list_methods
from lantern.staging.builtins import length
from lantern.staging.builtins_sequences import list_, materialised
from lantern.staging.errors import StagingError
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.spread import Column
from lantern.staging.values import Staged, Undefined, class_in_python

# CPython's flags of classes: what patterns take for a sequence or a mapping, and which give themselves to `int(x)`.
_SEQUENCE, _MAPPING, _MATCH_SELF = 1 << 5, 1 << 6, 1 << 22
_MISSING = object()


class Found:
    """The answers for the cases of a `match`."""

    def __init__(self, trace, subject, patterns):
        if isinstance(subject, Undefined):
            raise subject.error(trace.place())
        self.trace, self.subject, self.patterns = trace, subject, patterns
        self.parts = {}     # (id of a value, key) → (the value, its part): what has been read of Python's objects

    def fits(self, number):
        """Whether a case fits, those before it not having done so: the last one of those that together fit any sequence does."""
        if _fit_every_length(self.patterns[:number + 1]) and self._sequence(self.subject) is not None:
            return True
        return self._fits(self.patterns[number], self.subject)

    def captured(self, number):
        return tuple(self._captured(self.patterns[number], self.subject))

    def _fits(self, pattern, value):
        """A bool, or a staged condition."""
        kind = pattern[0]
        if kind in ("capture", "star"):
            return True
        if kind == "as":
            return self._fits(pattern[1], value)
        if kind == "or":
            return self._either([lambda each=each: self._fits(each, value) for each in pattern[1]])
        if kind == "value":
            return self._equal(value, pattern[1])
        if kind == "is":
            return self._is(value, pattern[1])
        if kind == "sequence":
            return self._fits_sequence(pattern[1], value)
        if kind == "mapping":
            return self._fits_mapping(pattern, value)
        return self._fits_class(pattern, value)

    def _captured(self, pattern, value):
        """What the pattern gives its names, from left to right."""
        kind = pattern[0]
        if kind == "capture":
            return [value] if pattern[1] else []
        if kind == "as":
            return [*self._captured(pattern[1], value), value]
        if kind == "or":
            return self._captured_by_either(pattern[1], value)
        if kind == "sequence":
            return self._captured_of_sequence(pattern[1], self.trace.narrowed(value))
        value = self.trace.narrowed(value)
        if kind == "mapping":
            _, keys, patterns, rest = pattern
            found = [name for key, part in zip(keys, patterns) for name in self._captured(part, self._item(value, key))]
            return found + [self._without(value, keys)] if rest else found
        if kind == "class":
            value = families.as_one_of(self.trace, value, pattern[1]) if families.is_mixed(value) else value
            return [name for attribute, part in self._attributes(pattern, value)
                    for name in self._captured(part, self._attribute(value, attribute))]
        return []

    # Tests one after the other

    def _all(self, tests):
        from lantern.operators_control import and_
        first, *rest = tests
        return and_(first(), *rest, self.trace.at)

    def _either(self, tests):
        from lantern.operators_control import or_
        first, *rest = tests
        return or_(first(), *rest, self.trace.at)

    def _captured_by_either(self, patterns, value):
        first, *rest = patterns
        found = self._captured(first, value) if not rest else None
        if found is not None or not _names_of(first):
            return found or []
        from lantern.operators_control import if_exp
        names, others = sorted(_names_of(first)), ("or", rest)

        def of(pattern):
            return lambda: tuple(dict(zip(_names_of(pattern), self._captured(pattern, value)))[name] for name in names)

        chosen = dict(zip(names, if_exp(self._fits(first, value), of(first), of(others), self.trace.at)()))
        return [chosen[name] for name in _names_of(first)]

    # Values

    def _equal(self, value, wanted):
        from lantern.operators_comparisons import compare
        kinds = [_kind(self.trace, each) for each in (value, wanted)]
        if None not in kinds and kinds[0] != kinds[1]:
            return False
        return compare("==", value, wanted, self.trace.at)

    def _is(self, value, wanted):
        from lantern.operators_comparisons import is_
        if wanted is None or not isinstance(value, Staged):
            return is_(value, wanted, self.trace.at)
        self._check_known(value, "it is a bool")
        if value.type != types.bool_:
            return False
        return value if wanted else self.trace.negate(value)

    def _check_known(self, value, what):
        if value.type is None:
            raise StagingError("LT0310", f"the type of {value.shown()} is not known while staging: `match` cannot tell whether {what}",
                               self.trace.place(), "annotate the entry's parameters")

    # Sequences

    def _sequence(self, value):
        """(its length, a function that gives an element, one that gives a list of those from a place to another); None if it is none."""
        trace = self.trace
        trace.contents.note(value)
        held = trace.lists.value(value)
        if isinstance(held, Column):
            raise held.error()
        if isinstance(held, iterables.StagedRange):
            held = materialised(trace, held)
        if isinstance(held, Staged) and isinstance(held.type, types.List):
            own = value if type(value) is list else trace.lists.new(held)
            return length(trace, held), lambda place: list_methods.getitem(trace, own, place), \
                lambda begin, end: list_methods.getitem(trace, own, slice(begin, end))
        if isinstance(held, Staged):
            self._check_known(held, "it is a sequence")
            if isinstance(held.type, types.TensorType) and held.type.dims and np.ndarray.__flags__ & _SEQUENCE:     # since NumPy 2.5
                return length(trace, held), held.__getitem__, lambda begin, end: list_(trace, held[begin:end])
            if not isinstance(held.type, types.Tuple):
                return None
            elements = self._read(held, "elements", lambda: list(iter(held)))
        elif self._is_of(held, _SEQUENCE):
            elements = trace.lists.contents(held) if type(held) is list else self._read(held, "elements", lambda: list(held))
        else:
            return None
        return len(elements), elements.__getitem__, lambda begin, end: trace.lists.new(elements[begin:end])

    def _is_of(self, value, kind):
        """Whether Python takes a value for a sequence, or a mapping."""
        cls = class_in_python(value)
        if cls is not type(value) and cls.__flags__ & kind:
            raise StagingError("LT0310", f"a pattern asks what is in {self.trace.lists.shown(value)}, which is known only when the program runs", self.trace.place(),
                               "ask by conditions: if k in d, if len(d) == 2")
        return bool(cls.__flags__ & kind)

    def _read(self, value, key, read):
        """A part of a value, read once: unless what was read is out of reach here."""
        known = self.parts.get((id(value), key))
        if known is None or not self.trace.lists.in_scope(known[1]):
            known = self.parts[id(value), key] = (value, read())
        return known[1]

    def _fits_sequence(self, patterns, value):
        from lantern.operators_comparisons import compare, is_not
        value = self.trace.narrowed(value)
        if type(value) is PerhapsNone:
            return self._all([lambda: is_not(value, None, self.trace.at), lambda: self._fits_sequence(patterns, value)])
        sequence = self._sequence(value)
        if sequence is None:
            return False
        size, element, _ = sequence
        star = _star(patterns)
        least = len(patterns) - (star is not None)
        enough = star is not None and least == 0
        tests = [lambda: enough or compare("==" if star is None else ">=", size, least, self.trace.at)]
        for place, part in _places(patterns, star, size):
            if part[0] not in ("capture", "star"):
                tests.append(lambda place=place, part=part: self._fits(part, element(place())))
        return self._all(tests)

    def _captured_of_sequence(self, patterns, value):
        size, element, between = self._sequence(value)
        star, found = _star(patterns), []
        for place, part in _places(patterns, star, size):
            if part[0] != "star":
                found += self._captured(part, element(place())) if _names_of(part) else []
            elif part[1]:
                found.append(between(place(), size - (len(patterns) - star - 1)))
        return found

    # Mappings

    def _fits_mapping(self, pattern, value):
        from lantern.operators_comparisons import is_not
        _, keys, patterns, _ = pattern
        value = self.trace.narrowed(value)
        if type(value) is PerhapsNone:
            return self._all([lambda: is_not(value, None, self.trace.at), lambda: self._fits_mapping(pattern, value)])
        if isinstance(value, Staged):
            self._check_known(value, "it is a mapping")
            return False
        if isinstance(value, iterables.KINDS) or not self._is_of(value, _MAPPING) or len(value) < len(keys):
            return False
        self.trace.contents.note(value)
        if any(self._item(value, key) is _MISSING for key in keys):
            return False
        tests = [lambda key=key, part=part: self._fits(part, self._item(value, key)) for key, part in zip(keys, patterns)]
        return self._all(tests) if tests else True

    def _item(self, value, key):
        if type(value) is dict:
            return self.trace.lists.contents(value).get(key, _MISSING)
        return self._read(value, ("item", key), lambda: value.get(key, _MISSING))

    def _without(self, value, keys):
        return self.trace.lists.new({key: item for key, item in dict(value).items() if key not in keys})

    # Classes

    def _fits_class(self, pattern, value):
        cls = pattern[1]
        if not isinstance(cls, type):
            raise TypeError("called match pattern must be a class")
        value = self.trace.narrowed(value)
        if isinstance(value, Staged) and isinstance(value.type, types.Optional) or type(value) is PerhapsNone and not isinstance(None, cls):
            from lantern.operators_comparisons import is_not
            return self._all([lambda: is_not(value, None, self.trace.at), lambda: self._fits_class(pattern, value)])
        if type(value) is PerhapsNone:
            raise value.error(f"whether it is a {cls.__name__} is not known", self.trace.place())
        if isinstance(value, Staged):
            self._check_known(value, f"it is a {cls.__name__}")
        if families.is_mixed(value):
            is_one = families.is_instance(self.trace, value, cls, self.trace.at)
            if is_one is not True:
                return self._all([lambda: is_one, lambda: self._fits_attributes(pattern, families.as_one_of(self.trace, value, cls))]) if isinstance(is_one, Staged) else False
        from lantern.staging.calls import call
        if not call(self.trace, isinstance, (value, cls), {}, self.trace.at):
            return False
        return self._fits_attributes(pattern, value)

    def _fits_attributes(self, pattern, value):
        attributes = self._attributes(pattern, value)
        if any(self._attribute(value, name) is _MISSING for name, _ in attributes):
            return False
        tests = [lambda name=name, part=part: self._fits(part, self._attribute(value, name)) for name, part in attributes]
        return self._all(tests) if tests else True

    def _attributes(self, pattern, value):
        """[(attribute, pattern)]; the attribute None is the value itself."""
        _, cls, positional, named = pattern
        if not positional:
            return list(named)
        names = getattr(cls, "__match_args__", None)
        allowed = 1 if names is None and cls.__flags__ & _MATCH_SELF else len(names or ())
        if names is not None and type(names) is not tuple:
            raise TypeError(f"{cls.__name__}.__match_args__ must be a tuple (got {type(names).__name__})")
        if len(positional) > allowed:
            raise TypeError(f"{cls.__name__}() accepts {allowed} positional sub-pattern{'' if allowed == 1 else 's'} ({len(positional)} given)")
        found = [*zip((None,) if names is None else names, positional), *named]
        for place, (name, _) in enumerate(found):
            if not isinstance(name, (str, type(None))):
                raise TypeError(f"__match_args__ elements must be strings (got {type(name).__name__})")
            if name is not None and any(name == other for other, _ in found[:place]):
                raise TypeError(f"{cls.__name__}() got multiple sub-patterns for attribute '{name}'")
        return found

    def _attribute(self, value, name):
        if name is None:
            return value
        from lantern.operators_expressions import getattr_
        from lantern.staging.calls import call
        if isinstance(value, Staged):
            return getattr_(value, name, self.trace.at) if call(self.trace, hasattr, (value, name), {}, self.trace.at) else _MISSING

        def read():
            try:
                return getattr_(value, name, self.trace.at)
            except AttributeError:
                return _MISSING
        return self._read(value, ("attribute", name), read)


def _fit_every_length(patterns):
    """Whether each sequence fits one of the patterns, whatever its elements are."""
    lengths, least = _lengths_of(("or", patterns))
    return least is not None and all(length in lengths for length in range(least))


def _lengths_of(pattern):
    """(lengths, a length or None) of the sequences that fit whatever their elements are: those, and from there on all."""
    if pattern[0] == "as":
        return _lengths_of(pattern[1])
    if pattern[0] == "or":
        parts = [_lengths_of(part) for part in pattern[1]]
        return set().union(*(lengths for lengths, _ in parts)), min((least for _, least in parts if least is not None), default=None)
    if pattern[0] != "sequence" or not all(map(_fits_anything, pattern[1])):
        return set(), None
    size = len(pattern[1])
    return ({size}, None) if _star(pattern[1]) is None else (set(), size - 1)


def _fits_anything(pattern):
    if pattern[0] == "as":
        return _fits_anything(pattern[1])
    return pattern[0] in ("capture", "star") or pattern[0] == "or" and any(map(_fits_anything, pattern[1]))


def _star(patterns):
    """The place of the star among a sequence's patterns, or None."""
    return next((place for place, part in enumerate(patterns) if part[0] == "star"), None)


def _places(patterns, star, size):
    """[(a function that gives the place of an element, its pattern)]; those behind a star count from the end."""
    return [((lambda place=place: place) if star is None or place <= star else (lambda behind=len(patterns) - place: size - behind), part)
            for place, part in enumerate(patterns)]


def _names_of(pattern):
    """The names that a pattern captures, in the order of `captured`."""
    kind = pattern[0]
    if kind in ("capture", "star"):
        return [pattern[1]] if pattern[1] else []
    if kind == "as":
        return [*_names_of(pattern[1]), pattern[2]]
    if kind == "or":
        return _names_of(pattern[1][0])
    if kind == "sequence":
        return [name for part in pattern[1] for name in _names_of(part)]
    if kind == "mapping":
        return [name for part in pattern[2] for name in _names_of(part)] + ([pattern[3]] if pattern[3] else [])
    if kind == "class":
        return [name for part in (*pattern[2], *(part for _, part in pattern[3])) for name in _names_of(part)]
    return []


def _kind(trace, value):
    """What a value is, where values of different kinds are never equal; None where that is not known."""
    if dispatch.is_global(value):
        return None
    type_ = value.type if isinstance(value, Staged) else None
    if isinstance(value, (bool, int, float, complex)) or isinstance(type_, types.Scalar) and type_ != types.string \
            or isinstance(type_, types.TensorType) and not type_.dims:
        return "number"
    if isinstance(value, str) or type_ == types.string:
        return "text"
    if isinstance(type_, (types.StructType, types.Tuple, types.List)) or type(value) in (tuple, list):
        return "structure" if isinstance(type_, types.StructType) else "sequence"
    return None
