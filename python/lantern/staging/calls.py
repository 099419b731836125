"""What a call in converted code does: convert, specialise, stage a built-in, or simply call."""
from __future__ import annotations

import copy
import enum
import functools
import inspect
import operator
import os
import types as python_types
from collections.abc import Hashable

from lantern import habits, numpy_functions, ops, rearranging, types
from lantern.custom import CustomVjp
from lantern.function import _PLAIN, Function
from lantern.lazy_numpy import np
from lantern.letters import in_ascii
from lantern.staging import array_stores, attributes, builtins, caches, chosen_keys, chosen_functions, comparison_keys, contents, dataclass_constructors, deep_copies, effects, elementwise, enumerations, families, generator_functions, instances, iterables, library, library_functions, list_methods, math_functions, merge, none_in_lists, none_keys, numbered_classes, perhaps_arrays, perhaps_none, plain_code, shown_values, single_dispatch, special_methods, spread, strings, text_formatting, text_methods
from lantern.staging.arguments import holds_staged
from lantern.staging.convert import DO_NOT_CONVERT, REQUESTED, converted, is_converted, is_of_plain_module, leave_alone
from lantern.staging.errors import StagingError, is_ours, is_plain
from lantern.staging.generators import Generator, as_list
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.remade import STAGED
from lantern.staging.snapshots import is_users_class
from lantern.staging.specialise import joined_types
from lantern.staging.text import Symbol
from lantern.staging.values import MaybeBound, Staged, Undefined, class_in_python

_PYTHONS = (python_types.FunctionType, python_types.BuiltinFunctionType, python_types.MethodType)


def is_users(function):
    """Whether a function is to be converted: written in Python, and not of the standard library, a package, or ours."""
    if not isinstance(function, python_types.FunctionType):
        return False
    if getattr(function, DO_NOT_CONVERT, False) or is_of_plain_module(function):
        leave_alone(function, "it is marked ag.do_not_convert")
        return False
    return is_converted(function) or getattr(function, REQUESTED, False) or not is_plain(function.__code__.co_filename)


def underlying(function):
    """(the plain Python function that a callable stands for, its first arguments)."""
    first = ()
    while True:
        if isinstance(function, python_types.MethodType):
            first = (function.__self__, *first)
            function = function.__func__
        elif hasattr(function, "__lantern_function__"):     # what ag.convert() made
            function = function.__lantern_function__
        elif isinstance(function, Function) and function._wrt is _PLAIN:
            function = function.python_function
        elif isinstance(function, CustomVjp):
            return function.as_function, first
        elif isinstance(function, functools.partial) and not function.keywords:
            first = (*function.args, *first)
            function = function.func
        elif not isinstance(function, (python_types.FunctionType, type)) and _is_users_callable(function):
            function = python_types.MethodType(type(function).__call__, function)
        else:
            return function, first


def opened(function):
    """(the plain Python function that a callable stands for, its first arguments, its keywords, which partials have)."""
    first, keywords = (), {}
    while True:
        function, before = underlying(function)
        first = (*before, *first)
        if not isinstance(function, functools.partial):
            return function, first, keywords
        first, keywords, function = (*function.args, *first), {**function.keywords, **keywords}, function.func


def _is_users_callable(value):
    call_method = getattr(type(value), "__call__", None)
    return isinstance(call_method, python_types.FunctionType) and is_users(call_method)


def call(trace, function, arguments, keywords, at, recursive=True):
    """Calls `function` where the trace is active; not recursive: one of the user's as it is."""
    if isinstance(function, Staged):
        if trace.lessons.are_new or function.type is None and trace.empties.is_open():     # a method of an element of a list that is empty so far
            return trace.lessons.anything()
        raise StagingError("LT0310", f"{function.shown()} is called, but is known only when the program runs", trace.place(at),
                           "functions are Python values: they are known while staging")
    if isinstance(function, Undefined):
        raise function.error(trace.place(at))
    if any(type(value) is shown_values.Shown for value in (*arguments, *keywords.values())):
        arguments = shown_values.shown(function, arguments, keywords)
        shown_values.refuse(() if _is_of_users(function) else (*arguments, *keywords.values()))
    if type(function) is chosen_functions.ChosenFunction:
        return function.call(lambda own: call(trace, own, arguments, keywords, at, recursive), at)
    if (chosen := chosen_functions.among(function, (*arguments, *keywords.values()))) is not None:
        def called(own):
            given = tuple(own if value is chosen else value for value in arguments)
            return call(trace, function, given, {name: own if value is chosen else value for name, value in keywords.items()}, at, recursive)
        return chosen.call(called, at)
    if families.is_mixed(function):
        return families.called(trace, function, lambda view: call(trace, view, arguments, keywords, at, recursive), at)
    if isinstance(function, functools.partial):
        return call(trace, function.func, (*function.args, *arguments), {**function.keywords, **keywords}, at, recursive)
    trace.at = at
    if any(type(value) in spread.KINDS for value in arguments):
        function, arguments, keywords = spread.called(trace, function, arguments, keywords, at)
        if function is None:
            return arguments
    if (replaced := instances.replaced(function, arguments, keywords, at)) is not None:
        return call(trace, *replaced, at, recursive)
    if function is functools.cmp_to_key and trace.frame is not None:
        function = comparison_keys.cmp_to_key
    if getattr(function, "__module__", None) == "statistics":
        library_functions.take_statistics()
    if isinstance(function, python_types.MethodDescriptorType) and arguments and type(arguments[0]) in STAGED.values():
        function, arguments = getattr(arguments[0], function.__name__), arguments[1:]
    dispatched = single_dispatch.implementation(trace, function, arguments)
    if dispatched is not None:
        return call(trace, dispatched, arguments, keywords, at, recursive)
    if not isinstance(function, (*_PYTHONS, type)) and _is_users_callable(function):      # which may have a hash of its own
        if trace.frame is not None:
            attributes.note_of_class(trace, type(function), "__call__")
        function = python_types.MethodType(type(function).__call__, function)
    if any(type(value) is PerhapsNone for value in (*arguments, *keywords.values())):
        arguments, keywords = tuple(map(trace.narrowed, arguments)), {name: trace.narrowed(value) for name, value in keywords.items()}
        if none_keys.is_looked_up(function, arguments) and not keywords:
            return none_keys.look_up(trace, function, *arguments, at=at)
        if any(type(value) is PerhapsNone for value in (*arguments, *keywords.values())) and not _is_of_users(function) and not _is_of_text(function, "format"):
            if function is isinstance and len(arguments) == 2:
                return perhaps_none.is_instance(trace, *arguments, at)
            if (function is str or function is repr) and len(arguments) == 1 and not keywords:
                return perhaps_none.text(trace, *arguments, function, at)
            if function is bool and len(arguments) == 1 and not keywords:
                return perhaps_none.as_condition(trace, *arguments, at)
            if not none_in_lists.takes_element(function, arguments):
                arguments = perhaps_none.arguments(trace, function, arguments, keywords, at)
    if perhaps_arrays.is_given(function, (*arguments, *keywords.values())):
        return elementwise.called(trace, function, arguments, keywords, at, lambda *given: call(trace, function, given, {}, at))
    arguments = _with_lists(trace, function, arguments, at)
    _note_read(trace, function, (*arguments, *keywords.values()))
    if isinstance(function, (python_types.BuiltinFunctionType, type)) and arguments and trace.frame is not None:
        arguments, result = builtins.of_users(trace, function, arguments, keywords)
        if result is not special_methods.NONE:
            return result
        arguments = _with_lists(trace, function, arguments, at)     # which their `__iter__` has given
    staged_builtin = builtins.counterpart(function, arguments, keywords)
    if staged_builtin is not None:
        return iterables.made(trace, function, staged_builtin(trace, *arguments, **keywords))
    if numpy_functions.takes(function, (*arguments, *keywords.values())):
        return numpy_functions.call_function(function, arguments, keywords)
    math_functions.refuse_others(trace, function, arguments)
    name = numpy_functions.by_elements(function)
    if name is not None and holds_staged(arguments):
        raise StagingError("LT0310", f"np.{name} goes through what is known only when the program runs", trace.place(at), habits.OF_NUMPY[name])
    if isinstance(function, type):
        return _construct(trace, function, arguments, keywords, at)
    if isinstance(function, python_types.BuiltinMethodType) and function.__name__ in list_methods.METHODS:
        own, name = function.__self__, function.__name__
        if type(own) is list:
            return list_methods.call(trace, own, name, arguments, keywords, at)
        if isinstance(own, tuple) and list_methods.holds_staged((*own, *arguments)):
            return list_methods.of_tuple(trace, own, name, *arguments)
    if text_methods.makes_table(function, arguments):
        return text_methods.make_table(trace, *arguments)
    if text_methods.is_asked(function, arguments, keywords):
        return text_methods.called(trace, function, arguments, keywords)
    if _is_of_text(function, "format") and any(strings.holds(trace, value) for value in (*arguments, *keywords.values())):
        return text_formatting.format_text(trace, function.__self__, arguments, keywords)
    adds = getattr(function, "__self__", None)
    if isinstance(adds, np.ufunc) and adds in (np.add, np.subtract) and function.__name__ == "at" and len(arguments) == 3 and holds_staged(arguments):
        if isinstance(arguments[0], np.ndarray):
            trace.numpys.changed(arguments[0], at)
        if array_stores.is_array(arguments[0]):
            return array_stores.add_at(trace, adds, *arguments)
    if chosen_keys.is_get(trace, function, arguments) and not keywords:
        return chosen_keys.get(trace, function.__self__, *arguments)
    trace.lists.remade.check_call(function, arguments, at)
    if trace.lists.remade.is_unsettled(own := getattr(function, "__self__", None)):
        return trace.lessons.asked(own, function.__name__)
    changed = effects.changed_by(function, arguments)
    if type(changed) is dict and trace.lists.is_own(changed) and changed is getattr(function, "__self__", None):
        trace.lists.check_change(changed, at)
        changing = dict(changed)
        for value in (*arguments, *keywords.values()):
            trace.ages.young(value)
        result = getattr(changing, function.__name__)(*arguments, **keywords)
        trace.lists.change(changed, changing)
        return result
    if isinstance(function, CustomVjp) and not keywords:
        return function(*arguments)
    plain, first = underlying(function)
    if isinstance(plain, caches.KIND) and holds_staged((arguments, keywords)):
        cached = trace.caches.find(plain, first, StagingError(
            "LT0303", f"'{plain.__name__}' looks for its arguments in a cache, and they are known only when the program runs",
            trace.place(at), "define it, with its cache, in the function that is compiled; or keep what takes long in a dict: memo = {}"))
        return trace.lessons.anything() if cached is None else call(trace, cached, arguments, keywords, at)
    if not is_users(plain):
        wrapped = getattr(plain, "__wrapped__", None)
        if inspect.isgeneratorfunction(wrapped) and is_users(wrapped):
            leave_alone(wrapped, "it is a generator", "LT0151")      # contextlib.contextmanager runs it
        effects.check_call(trace, function, arguments, at)
        if trace.lists.remade.is_unsettled(own):
            return trace.lessons.asked(own, function.__name__)
        plain_code.note_function(trace, plain, (*first, *arguments, *keywords.values()))
        if function is rearranging.stack:
            element = None if keywords else rearranging.declared_element(arguments)
            arguments = tuple(map(trace.lists.value, arguments))
            if element is not None and isinstance(arguments[0], Staged):
                return library.stacked(trace, arguments[0], element)
        elif getattr(function, "__lantern_vmap__", False):
            arguments = tuple(map(trace.lists.value, arguments))
        if function is copy.deepcopy and len(arguments) == 1 and not keywords and trace.frame is not None:
            result = deep_copies.made(trace, *arguments)
            trace.ages.copied(*arguments, result)
            return result
        _refuse_staged_lists(trace, function, (*arguments, *keywords.values()))
        result = _called_plainly(trace, function, arguments, keywords)
        if type(result) is caches.KIND and all(result is not each for each in arguments) and trace.frame is not None:
            return caches.stand_in(trace, result, at)
        return trace.numpys.made(function, result, at) if type(result) is np.ndarray else trace.lists.remade.given(result, at)
    if not recursive:
        leave_alone(plain, "its caller is converted with recursive=False")
        plain_code.note_function(trace, plain, (*first, *arguments, *keywords.values()))
        return _called_plainly(trace, function, arguments, keywords)
    arguments = (*first, *arguments)
    if inspect.isgeneratorfunction(plain):
        result = generator_functions.called(trace, plain, arguments, keywords, at)
        if result is not None:
            return result
    twin = converted(plain)
    if twin is plain and not is_converted(plain):
        trace.at = None     # a function that stays as it is: places come from its frames
        plain_code.note_function(trace, plain, (*arguments, *keywords.values()))
        return _called_plainly(trace, plain, arguments, keywords)
    result = trace.specialisations.call(plain, twin, arguments, keywords)
    trace.at = at
    return result


def _is_of_users(function):
    """Whether a function is the user's, or a class of the user's with such functions."""
    plain, _ = underlying(function)
    return is_users(plain) or isinstance(plain, type) and is_users_class(plain) and not hasattr(plain, "__lantern_struct__")


def _called_plainly(trace, function, arguments, keywords):
    """What a function gives that is not converted."""
    if function is getattr and len(arguments) > 1 and trace.lists.boxes.box_of(*arguments[:2]) is not None:
        from lantern.operators_expressions import getattr_
        return getattr_(*arguments[:2], trace.at)
    if not any(function is each for each in (*_OF_IDENTITY, hasattr)):
        handed = (getattr(function, "__self__", None), *arguments, *keywords.values())
        trace.lists.boxes.check_handed(handed, getattr(function, "__qualname__", type(function).__name__))
    instances.note_parts(trace, function, (*arguments, *keywords.values()))
    result = function(*arguments, **keywords)
    if isinstance(result, Staged) and str(getattr(function, "__module__", "")).startswith("lantern."):
        return trace.views.given((*arguments, *keywords.values()), result, function)
    if not isinstance(result, Staged):
        trace.ages.received(result)
    return result


_OF_ITEMS = (operator.getitem, dict.get, dict.__getitem__, dict.__contains__)
_COMPARING = frozenset(("index", "count", "remove", "__contains__"))     # what the elements are is the user's to say
_OF_IDENTITY = (isinstance, issubclass, type, id, callable, super)
# Those that go through what they are given, or keep it, and ask no more of the elements than converted code does.
_OF_ELEMENTS = (list, tuple, set, frozenset, dict, iter, next, enumerate, zip, map, filter, reversed, sum, any, all, min, max, range)
_OF_OBJECTS = (python_types.BuiltinMethodType, python_types.MethodWrapperType, python_types.MethodType)


def _note_read(trace, function, arguments):
    """What a function that is not converted reads of Python's state: all of the containers that it is given, but where a name says which part."""
    code = getattr(function, "__code__", None)
    if code is not None and not is_plain(code.co_filename) or trace.frame is None:
        return      # the user's
    owner = function.__self__ if isinstance(function, _OF_OBJECTS) else None
    arguments = (os.environ,) if function is os.getenv else arguments
    if isinstance(owner, dict):
        function, arguments = getattr(dict, function.__name__, function), (owner, *arguments)
    if any(function is each for each in _OF_ITEMS) and len(arguments) > 1:
        trace.contents.note_key(*arguments[:2])
    elif (function is getattr or function is hasattr) and len(arguments) > 1:
        value, name = arguments[:2]
        _check_has(trace, value, name)
        attributes.note_presence(trace, value, name)
    elif function is len and len(arguments) == 1:
        trace.contents.note_length(*arguments)
    elif any(function is each for each in _OF_ELEMENTS) or isinstance(owner, contents.KINDS) and function.__name__ not in _COMPARING \
            or code is not None and is_ours(code.co_filename) or isinstance(function, type) and is_users_class(function):
        trace.contents.note(owner, *arguments)
    elif not any(function is each for each in _OF_IDENTITY):
        trace.contents.note_handed(owner, *arguments)
        for value in arguments:
            value, first = underlying(value) if callable(value) else (None, ())
            plain_code.note_function(trace, value, first)


def _check_has(trace, value, name):
    """An error if a condition decides whether an attribute is there. One that has no value is none: a statement has set it back."""
    held = getattr(value, "__dict__", {}).get(name) if isinstance(name, str) and not isinstance(value, Staged) else None
    if isinstance(held, MaybeBound):
        raise held.error(trace.place())
    if isinstance(held, Undefined) and type(value.__dict__) is dict:
        del value.__dict__[name]


def _with_lists(trace, function, arguments, at):
    """The arguments, with lists for generators where the function needs all of what they give."""
    if not any(isinstance(value, Generator) for value in arguments):
        return arguments
    needs_all = isinstance(function, Hashable) and function in builtins.OF_LISTS or _is_of_text(function, "join") \
        or getattr(function, "__module__", None) in (ops.__name__, rearranging.__name__)
    return tuple(as_list(trace, value, at) for value in arguments) if needs_all else arguments


def _is_of_text(function, name):
    """Whether a function is that method of a text which is known."""
    return isinstance(function, python_types.BuiltinMethodType) and type(function.__self__) is str and function.__name__ == name


def _refuse_staged_lists(trace, function, values):
    """Code that is not converted would not see what a staged list holds."""
    pending = [] if function in (isinstance, type, id, len, hasattr, getattr) or getattr(function, "__lantern_takes_lists__", False) or instances.is_replacing(function) else list(values)
    while pending:
        value = pending.pop()
        if merge.staged_list(value) is not None or type(value) in STAGED.values():
            name = getattr(function, "__qualname__", type(function).__name__)
            shown = trace.lists.shown(value) if type(value) is list else f"a {class_in_python(value).__name__}"
            raise StagingError("LT0310", f"{name} is not converted, and takes {shown}, whose elements are known only when the program runs", trace.place(),
                               "write it as a loop")
        parts = merge.parts_of(value)
        if parts is not None and len(parts[1]) <= 1000:
            pending.extend(parts[1])


def _construct(trace, cls, arguments, keywords, at):
    """Makes an instance."""
    made = _constructed(trace, numbered_classes.user_class(cls), arguments, keywords, at)
    trace.at = at
    return trace.numbered.made(made)


def _constructed(trace, cls, arguments, keywords, at):
    """The same, where the constructor has run, converted, as part of the code that calls it."""
    if hasattr(cls, "__lantern_struct__"):
        return _make(trace, cls, arguments, keywords, at)
    if cls in STAGED and trace.frame is not None:
        return trace.lists.remade.new(cls, at, *arguments, **keywords)
    if issubclass(cls, enum.Enum) and len(arguments) == 1 and isinstance(arguments[0], Staged):
        return enumerations.looked_up(trace, cls, *arguments)
    init = cls.__init__
    if type(cls).__call__ is type.__call__ and is_users(init) and cls.__new__ is object.__new__ \
            and not dataclass_constructors.is_generated(cls, init):
        result = cls.__new__(cls)
        return _initialized(trace, result, init, arguments, keywords)
    if issubclass(cls, BaseException) and is_users(init) and isinstance(cls.__new__, python_types.BuiltinFunctionType):
        return _initialized(trace, cls.__new__(cls, *arguments, **keywords), init, arguments, keywords)
    if is_users_class(cls):
        plain_code.note_construction(trace, cls)
    effects.check_call(trace, cls, (*arguments, *keywords.values()), at)
    if is_users(cls.__new__) or is_users(type(cls).__call__):
        return _called_plainly(trace, cls, arguments, keywords)     # which may have made it before
    if dataclass_constructors.is_generated(cls, init):
        keywords = {**keywords, **dataclass_constructors.from_factories(trace, cls, arguments, keywords, at)}
        for value in (*arguments, *keywords.values()):      # as what a function of the user's is given
            trace.ages.young(value)
    behind = getattr(cls, "__post_init__", None)
    if is_users(behind) and dataclass_constructors.is_generated(cls, init) and cls.__new__ is object.__new__ and cls.__dictoffset__:
        return dataclass_constructors.run(trace, cls, behind, arguments, keywords, at)
    result = cls(*arguments, **keywords)
    trace.ages.made(result)
    if dataclass_constructors.is_generated(cls, init):
        trace.ages.held(getattr(result, "__dict__", {}).values())
    trace.lists.boxes.box_all(result)
    return result


def _initialized(trace, result, init, arguments, keywords):
    """A new object whose constructor has run, converted."""
    trace.ages.made(result)
    trace.lists.boxes.box_all(result)
    attributes.note_of_class(trace, type(result), "__init__")
    trace.frame.reads.note_function(init)
    with trace.unchanged.making(result):
        converted(init)(result, *arguments, **keywords)
    return result


def _conversion(own, wanted):
    """How an array of rank 0 becomes the number that is wanted; None for any other type."""
    word = {types.f64: "float", types.i64: "int", types.bool_: "bool"}.get(wanted)
    return f"{word}(…) makes a number of it" if word and isinstance(own, types.TensorType) and not own.rank else None


def _make(trace, cls, arguments, keywords, at):
    """A structure: staged, in a trace."""
    declaration = cls.__lantern_struct__
    bound = inspect.signature(cls).bind(*arguments, **keywords)
    bound.apply_defaults()
    fields = declaration.field_types()
    nodes = []
    for name in declaration.field_names:
        value = bound.arguments[name]
        field = fields[name]
        if isinstance(field, types.Enumeration):
            value, field = enumerations.stored(value, field, f"field '{name}' of structure '{cls.__name__}'"), types.i64
        own = trace.type_of(value)
        if own is not None and joined_types(field, own) != field \
                and not (isinstance(own, types.Optional) and own.element == field) \
                and not (isinstance(own, types.TensorType) and isinstance(field, types.TensorType)):
            raise StagingError("LT0306", f"field '{name}' of structure '{cls.__name__}' is {types.annotation(field)}, and gets {types.annotation(own)}",
                               trace.place(at), _conversion(own, field) or f"annotate '{name}' as what it is to hold")
        trace.memories.keep(value, f"a {cls.__name__}")
        trace.lists.kept.keep(value, f"a {cls.__name__}")
        nodes.append(trace.coerce(value, field))
    return trace.bind((Symbol("make"), Symbol(in_ascii(cls.__name__)), *nodes), types.struct_type(cls))
