"""Named tuples, instances of frozen dataclasses and members of enumerations that the program holds, as elements of its lists: they are tuples there, whose
type knows the class; of a member, the tuple of its place among the members.

    beams = [Hyp(0.0, 0)]                       # (list (tuple :score f64 :last i64))
    for hyp in beams:
        new.append(hyp._replace(score=…))       # hyp is a Hyp of Python's, whose fields are staged

What is put into a list is taken apart, and what is read from one is put together (`opened`), so that methods, properties, comparisons and patterns
are Python's own. Fields that are annotated have whatever is given to them.
"""
from __future__ import annotations

import dataclasses
import functools
import inspect
import operator
import sys
import types as python_types

from lantern import types
from lantern.annotations import evaluate_annotation, from_annotation
from lantern.records import Record
from lantern.staging import enumerations
from lantern.staging.convert import mark
from lantern.staging.frozen import is_frozen, names_of_frozen, together
from lantern.staging.numbered_classes import is_home_of, user_class
from lantern.staging.values import Staged
from lantern.struct import is_enumeration


class Of(Record):
    """What a type of such instances knows besides their parts. fixed: (name, value) of attributes that are the same of all, such as what makes the values
    of a defaultdict."""
    cls: type
    names: tuple
    fixed: tuple = ()

    def labelled(self, elements):
        """The texts of the parts' types, with the parts' names if the program's text can have them."""
        can = all(name.isascii() and not name.startswith("__") for name in self.names)
        return [f":{name.removeprefix('own_')} {type_}" if can else str(type_) for name, type_ in zip(self.names, elements)]

    def annotation(self, _elements):
        made_by = "".join(f"({value.__name__})" for _, value in self.fixed if hasattr(value, "__name__"))
        return getattr(self.cls, "__lantern_class__", self.cls).__name__ + made_by

    def together(self, parts, _whole):
        """The instance of these parts that a staged value is."""
        if is_enumeration(self.cls):
            return enumerations.made(self.cls, *parts)
        names, values = zip(*self.fixed) if self.fixed else ((), ())
        return together(self.cls, (*self.names, *names), (*parts, *values))

    def __eq__(self, other):
        return type(other) is Of and self.names == other.names and (self.cls is other.cls or is_home_of(self.cls, other.cls) or _is_made_again(self.cls, other.cls)) \
            and len(self.fixed) == len(other.fixed) and all(name == of and _is_same_factory(a, b) for (name, a), (of, b) in zip(self.fixed, other.fixed))

    def __hash__(self):
        return hash((self.cls.__qualname__, self.names))


def of(value):
    """The Of of a named tuple, of an instance of a frozen dataclass, or of a member; None of anything else."""
    if enumerations.is_member(value):
        return Of(enumerations.class_of(value), ("place",))
    if isinstance(value, tuple):
        return Of(type(value), tuple(value._fields)) if hasattr(value, "_fields") else None
    names, fixed = _names_of(value)
    return None if not names else Of(type(value), tuple(names), tuple((name, getattr(value, name)) for name in fixed))


def _names_of(value):
    """The names of the parts of an instance, and of what is the same of all such: a function, or None, as a deque, dict or set of the program has it."""
    names, of_class = names_of_frozen(value) or (), getattr(type(value), "__lantern_fixed__", ())
    fixed = [name for name in names if name in of_class and (getattr(value, name) is None or callable(getattr(value, name)))]
    return [name for name in names if name not in fixed], fixed


def names_of_all(value):
    """The names of what an instance, or a named tuple, is made of, what is the same of all such included; None of anything else."""
    return getattr(value, "_fields", None) if isinstance(value, tuple) else names_of_frozen(value)


def fields_of(cls):
    """The names of the fields of a class of named tuples, or a frozen dataclass; none of others."""
    if issubclass(cls, tuple):
        return tuple(getattr(cls, "_fields", ()))
    return tuple(field.name for field in dataclasses.fields(cls)) if is_frozen(cls) else ()


def is_key_by_fields(cls):
    """Whether instances of a frozen dataclass are one key where their fields are: `dataclasses` has written how they are compared, and what their hash is."""
    return isinstance(cls, type) and dataclasses.is_dataclass(cls) and is_frozen(cls) and _compares_fields(cls)


@functools.lru_cache(maxsize=1000)
def _compares_fields(cls):
    from lantern.staging import special_methods
    return special_methods.compared_by(cls, "__eq__") == [field.name for field in dataclasses.fields(cls) if field.hash is not False] == list(fields_of(cls)) \
        and special_methods.is_dataclasses(cls, cls.__hash__)


def is_replacing(function):
    """Whether a function is the `_replace` of a named tuple, which keeps what it is given."""
    return getattr(function, "__name__", None) == "_replace" and of(getattr(function, "__self__", None)) is not None and isinstance(function.__self__, tuple)


def note_parts(trace, function, values):
    """Lists of its own that a call gives a new named tuple have been made in the trace."""
    if isinstance(function, type) and issubclass(function, tuple) or is_replacing(function):
        for value in values:
            trace.ages.young(value)


def replaced(function, arguments, keywords, at):
    """(class, its arguments, by name) of the instance that `dataclasses.replace` makes, whose constructor is the user's; None of another call, and where
    Python is to say what is wrong with it."""
    if function is not dataclasses.replace or len(arguments) != 1 or not dataclasses.is_dataclass(type(arguments[0])):
        return None
    from lantern.operators_expressions import getattr_
    value, fields = arguments[0], dataclasses.fields(arguments[0])
    taken = [field.name for field in fields if field.init]
    needs_more = any(field._field_type is dataclasses._FIELD_INITVAR and field.default is dataclasses.MISSING and name not in keywords
                     for name, field in type(value).__dataclass_fields__.items())
    if needs_more or not all(hasattr(value, name) for name in taken) or any(field.name in keywords for field in fields if not field.init):
        return None
    return user_class(type(value)), (), {**{name: getattr_(value, name, at) for name in taken if name not in keywords}, **keywords}


def ordered_by(of_type):
    """The numbers of the parts by which `<` compares such instances, as tuples are compared; None where code of the class's own does, or nothing."""
    cls, names = of_type.cls, of_type.names
    if hasattr(cls, "__lantern_home__"):
        return None
    if issubclass(cls, tuple):
        return range(len(names)) if cls.__lt__ is tuple.__lt__ else None
    from lantern.staging import special_methods
    compared = special_methods.compared_by(cls, "__lt__") if isinstance(cls.__lt__, python_types.FunctionType) else None
    return compared and [names.index(name) for name in compared]


def sorting_key(list_type):
    """The key by which a list of numbered objects is sorted whose class `dataclasses` has given an order: what it compares. None of other lists."""
    from lantern.operators_expressions import getattr_
    from lantern.staging import special_methods
    cls = getattr(getattr(getattr(list_type, "element", None), "of", None), "cls", None)
    less = getattr(cls, "__lt__", None) if hasattr(cls, "__lantern_home__") else None
    compared = special_methods.compared_by(cls, "__lt__") if isinstance(less, python_types.FunctionType) else None
    return compared and mark(lambda value: tuple(getattr_(value, name) for name in compared))


def called(path, classes):
    """What the parameter of a define is called that stands at a path of the arguments: `state_h` of `('state', 0)`. classes: those of what it stands in."""
    names = [str(path[0])]
    for depth in range(1, len(path)):
        cls = classes.get(path[:depth], object)
        fields = fields_of(cls)
        if is_enumeration(cls) or hasattr(cls, "__lantern_home__"):     # whose member, or object, is its number, and nothing else
            continue
        names.append(fields[path[depth]] if fields else str(path[depth]))
    return "_".join(names)


def annotated(cls, within=()):
    """The type of the instances of such a class by what its fields are annotated; None of others, and of one that holds itself."""
    names = fields_of(cls)
    if cls in within:
        return None
    elements = tuple(each and from_annotation(each, lambda inner: annotated(inner, (*within, cls))) for each in _annotations(cls, names))
    return None if not names or None in elements else types.Tuple(elements, Of(cls, names))


def declared(trace, value):
    """The same as `parts`, where empty lists among them hold what the class's annotations say, if nothing is put into them."""
    found = parts(value)
    if found is not None and any(type(part) is list and not part for part in found) and (of_value := of(value)) is not None:
        declare(trace, of_value.cls, dict(zip(of_value.names, found)))
    return found


def declare(trace, cls, values):
    """Empty lists among the attributes of an instance hold what the class's annotations say, if nothing is put into them."""
    names = [name for name, value in values.items() if type(value) is list and not value]
    for name, annotation in zip(names, _annotations(cls, names)):
        type_ = None if annotation is None else from_annotation(annotation, annotated)
        if type_ is not None:
            trace.empties.declare(values[name], type_)


def _annotations(cls, names):
    """What the fields of a class are annotated, evaluated; None of one that is not."""
    module = vars(sys.modules.get(cls.__module__, sys))
    given = {name: each for base in reversed(cls.__mro__) for name, each in vars(base).get("__annotations__", {}).items()}
    return [evaluate_annotation(given[name], module) if name in given else None for name in names]


def parts(value):
    """The parts of a tuple, or of an instance, which has some, or of a member; None of anything else."""
    if enumerations.is_member(value):
        return (enumerations.number_of(value),)
    if isinstance(value, tuple):
        return tuple(value)
    names, _ = _names_of(value)
    return None if not names else tuple(getattr(value, name) for name in names)


def opened(trace, value):
    """A staged value that is an instance of a class, as such an instance; any other value as it is."""
    if not isinstance(value, Staged) or not isinstance(value.type, types.Tuple) or value.type.of is None:
        return value
    return value.type.of.together([trace.element(value, number) for number in range(len(value.type.elements))], value)


def unpacked(trace, value):
    """A staged tuple as a Python tuple of its elements, or as an instance; any other value as it is."""
    value = opened(trace, value)
    if not isinstance(value, Staged) or not isinstance(value.type, types.Tuple):
        return value
    return tuple(unpacked(trace, trace.element(value, number)) for number in range(len(value.type.elements)))


def restored(trace, type_, operands):
    """A type that the core has inferred of these operands, with the classes that it knows nothing of: those of the operand of that type, or of its elements."""
    if not isinstance(type_, (types.Tuple, types.List)):
        return type_
    given = [operand for operand in map(trace.type_of, operands) if operand is not None]
    candidates = [*given, *(each.element for each in given if isinstance(each, types.List))]
    return next((_of_classes(type_, each) for each in candidates if str(_of_classes(each, None)) == str(type_)), type_)


def _of_classes(type_, like):
    """A type with the classes of another, which is as it but for them; None: of no classes."""
    if isinstance(type_, types.Tuple):
        likes = (None,) * len(type_.elements) if like is None else like.elements
        return types.Tuple(tuple(map(_of_classes, type_.elements, likes)), like and like.of)
    return types.List(_of_classes(type_.element, like and like.element)) if isinstance(type_, types.List) else type_


def _is_made_again(a, b):
    """Whether two classes are of one statement, which has run again: what it has put into them is the same."""
    if hasattr(a, "__lantern_home__") or hasattr(b, "__lantern_home__"):
        return False
    if (a.__module__, a.__qualname__, a.__bases__) != (b.__module__, b.__qualname__, b.__bases__) or _is_of_module(a) or _is_of_module(b):
        return False
    return vars(a).keys() == vars(b).keys() and all(_is_same_member(held, vars(b)[name]) for name, held in vars(a).items())


def _is_same_factory(a, b):
    """Whether two functions give the same whenever they are called: they read one set of variables, which may change."""
    if type(a) is not python_types.FunctionType or type(b) is not python_types.FunctionType:
        return a is b
    is_same = a.__code__ is b.__code__ and a.__globals__ is b.__globals__ and all(map(operator.is_, a.__closure__ or (), b.__closure__ or ()))
    return is_same and _is_same_member(a.__defaults__, b.__defaults__)


def _is_of_module(cls):
    return getattr(sys.modules.get(cls.__module__), cls.__name__, None) is cls


def _is_same_member(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, (staticmethod, classmethod)):
        a, b = a.__func__, b.__func__
    if isinstance(a, property):
        return all(map(_is_same_member, (a.fget, a.fset, a.fdel), (b.fget, b.fset, b.fdel)))
    if isinstance(a, python_types.FunctionType):
        is_generated = inspect.unwrap(a).__code__.co_filename.startswith("<")       # by collections or dataclasses, of the same fields
        is_same = a.__code__ is b.__code__ and all(map(_is_same_cell, a.__code__.co_freevars, a.__closure__ or (), b.__closure__ or ()))
        return (is_generated or is_same) and _is_same_member(a.__defaults__, b.__defaults__)
    if type(a) is tuple:
        return len(a) == len(b) and all(map(_is_same_member, a, b))
    if isinstance(a, (bool, int, float, str)):
        return repr(a) == repr(b)
    return a is b or isinstance(a, _OF_FIELDS) or type(a).__module__ in ("_collections", "dataclasses")


def _is_same_cell(name, a, b):
    try:
        return name == "__class__" or _is_same_member(a.cell_contents, b.cell_contents)
    except ValueError:      # it has no value yet
        return False


_OF_FIELDS = (dict, python_types.GetSetDescriptorType, python_types.MemberDescriptorType)       # which say what the fields are called, and what they are annotated


def remedy_of_lengths(*types_):
    """What to do where tuples of several lengths meet; None of other types."""
    tuples = [type_ for type_ in types_ if isinstance(type_, types.Tuple) and type_.of is None]
    if len(tuples) < 2 or len({len(each.elements) for each in tuples}) < 2:
        return None
    return OF_LENGTHS


OF_LENGTHS = "a tuple's length is known while staging: give it as many elements everywhere, or make a list of it, path + [x]; where it is a key, a text"
