"""Two paths, one value: what a variable is behind an `if`, around a loop, behind a recursive call.

A plan says how the values that a variable has on several paths become one:

    Keep       the same Python value on every path
    Join       a staged value, to which each path's own is coerced
    Compound   a tuple, list or dict of plans
    Poison     no value on any path, or none that they share: an error where it is read
"""
from __future__ import annotations

import types as python_types

from lantern import dispatch, types
from lantern.lazy_numpy import np
from lantern.staging import chosen_functions, enumerations, families, instances, none_in_lists, perhaps_arrays, perhaps_none, shown_values
from lantern.staging.errors import StagingError
from lantern.staging.frozen import is_frozen, parts_of_frozen
from lantern.staging.numbered_classes import is_numbered, user_class
from lantern.staging.plans import Again, Compound, Contents, Join, Keep, Made, Once, Poison, called, binding_of, is_result
from lantern.staging.text import Symbol
from lantern.staging.values import MaybeBound, Staged, Undefined, UndefinedReturnValue, class_in_python
from lantern.staging.views import is_boxed


def staged_list(value):
    """The staged contents of a list that has such, or None."""
    trace = dispatch.active_trace()
    if type(value) is not list or trace is None:
        return None
    contents = trace.lists.value(value)
    return contents if isinstance(contents, Staged) else None


def is_staged_list(value):
    """Whether a value is a list of the program that no Python list stands for: an argument, or an element of one."""
    return isinstance(value, Staged) and isinstance(value.type, types.List)


def parts_of(value):
    """(a function that puts such a value together again, its parts) of a tuple, list, dict, staged data set or member of an enumeration; None for a leaf."""
    if isinstance(value, tuple):
        return (lambda parts: tuple.__new__(type(value), parts)), list(value)
    if type(value) is list:
        return None if staged_list(value) is not None else (list, list(value))
    if type(value) is dict:
        keys = list(value)
        return (lambda parts: dict(zip(keys, parts))), list(value.values())
    return value.__lantern_parts__() if hasattr(type(value), "__lantern_parts__") else perhaps_none.parts_of(value) or parts_of_frozen(value) or enumerations.parts_of_member(value)


def is_put_together(value):
    """Whether a value is one of Python's that does not change and has parts: what it is behind a statement is another one of the same parts."""
    return isinstance(value, tuple) and len(value) > 0 or parts_of_frozen(value) is not None


def is_by_parts(value):
    """Whether a value is put together again by its parts, there being a dict in it, what may be None, an argument that is given back, a named tuple, a frozen dataclass or a member: the program's tuples have no class."""
    if type(value) in (dict, perhaps_none.PerhapsNone) or hasattr(type(value), "__lantern_argument__") or enumerations.is_member(value) or isinstance(value, tuple) and hasattr(value, "_fields") or parts_of_frozen(value) is not None:
        return True
    parts = parts_of(value)
    return parts is not None and any(map(is_by_parts, parts[1]))


def form(value):
    """What two values must agree in to be merged part by part; None of a leaf."""
    return None if parts_of(value) is None else (getattr(type(value), "__lantern_home__", None) or enumerations.class_of(value), tuple(value) if isinstance(value, dict) else len(parts_of(value)[1]))


def is_stageable(value):
    """Whether a leaf has a counterpart in the S-expression language."""
    return isinstance(value, (Staged, bool, int, float, str, type(None))) or isinstance(value, (np.ndarray, np.generic)) or staged_list(value) is not None \
        or dispatch.is_global(value) or hasattr(type(value), "__lantern_struct__")


def is_same(a, b):
    """Whether two leaves are one Python value."""
    if a is b or is_boxed(a) and is_boxed(b) and a.part_of is b.part_of:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return repr(a) == repr(b)
    if isinstance(a, (bool, int, str, bytes, complex)):
        return a == b
    if isinstance(a, python_types.MethodType):
        return a.__self__ is b.__self__ and a.__func__ is b.__func__
    if isinstance(a, np.ndarray) and (a.flags.writeable or b.flags.writeable):
        return False        # the one may change without the other
    if isinstance(a, (np.ndarray, np.generic)):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    return False


def join_types(a, b):
    """`lantern.types.join`, and a scalar with an array of rank 0 is that array. None stands for not known."""
    if isinstance(a, types.List) and isinstance(b, types.List) and None not in (a.element, b.element):
        element = none_in_lists.join_elements(a.element, b.element)
        return element and types.List(element)
    joined = types.join(a, b)
    if isinstance(joined, types.Optional) and not isinstance(joined.element, types.StructType):
        return None         # only structures can be missing
    if joined is not None:
        return joined
    if isinstance(a, types.Tuple) and isinstance(b, types.Tuple):
        return families.joined(dispatch.active_trace(), a, b) if a.of != b.of else types.join_tuples(a, b, join_types)
    scalar, tensor = (a, b) if isinstance(a, types.Scalar) else (b, a)
    if isinstance(scalar, types.Scalar) and isinstance(tensor, types.TensorType) and not tensor.dims and scalar != types.string:
        kinds = {"bool": 0, "i32": 1, "i64": 1, "f32": 2, "f64": 2}
        wider = tensor.dtype if kinds[scalar.name] <= kinds[tensor.dtype] else "f64" if kinds[scalar.name] == 2 else scalar.name
        return types.TensorType(wider, (), True)
    return None


def _plan_containers(trace, name, values, what, force, stage_all, seen):
    """The plan for what is a list, or a dict, on every path."""
    if all(v is values[0] for v in values) and not stage_all and trace.lists.in_scope(values[0]):
        return Keep(values[0])       # its contents are the statement's business (`plan_contents`)
    key = tuple(map(id, values))
    if key in seen:
        return Again(seen[key])
    contents = plan_contents(trace, name, [trace.lists.contents(v) for v in values], what, force, stage_all, seen, values)
    seen[key] = Once(Made(trace, name, contents, values, [] if stage_all else values))
    return seen[key]


def plan(trace, name, values, what, force=False, stage_all=False, seen=None):
    """The plan for a variable's values on several paths. `what` is the statement, for messages.

    force: numbers are staged even if they are the same on every path. stage_all: staged values are never kept.
    """
    seen = {} if seen is None else seen
    if any(isinstance(v, Undefined) for v in values):
        return _plan_of_some(trace, name, values, what, force, stage_all, seen)
    if not stage_all and any(type(v) is list for v in values):
        values = [trace.lists.of_outside(v) if is_staged_list(v) else v for v in values]
    if perhaps_arrays.is_mixed(values):
        found = perhaps_arrays.plan(trace, name, values, what)
        if found is not None:
            return found
    if perhaps_none.is_mixed(values):
        return perhaps_none.plan(trace, name, values, what, force, stage_all, seen)
    first = values[0]
    if type(first) in (list, dict) and all(type(v) is type(first) for v in values):
        return _plan_containers(trace, name, values, what, force, stage_all, seen)
    if any(type(value) is shown_values.Shown for value in values):
        return _plan_of_shown(trace, name, values, next(value.error for value in values if type(value) is shown_values.Shown))
    if enumerations.is_enumeration(type(first)) and all(v is first for v in values):
        return Keep(first)
    compounds = [parts_of(v) for v in values]
    if all(compounds) and all(form(v) == form(first) for v in values):
        parts, fields = zip(*(c[1] for c in compounds)), instances.names_of_all(first)
        names = [name] if enumerations.is_member(first) or is_numbered(first) else [f"{name}.{field}" for field in fields] if fields else [f"{name}[{number}]" for number in range(len(compounds[0][1]))]
        return Compound(compounds[0][0], [plan(trace, part, list(column), what, force, stage_all, seen) for part, column in zip(names, parts)],
                        form(first), names)
    if all(map(is_numbered, values)) and (cls := families.together(trace, list(map(type, values)))) is not None:
        return families.plan(cls, plan(trace, name, [trace.numbered.number_of(v) for v in values], what, force, stage_all, seen), name)
    if all(is_same(v, first) for v in values) and not (force and _is_number(first)) and not (stage_all and chosen_functions.are_of_one(values)):
        if not isinstance(first, Staged) or (trace.in_scope(first) and not stage_all):
            return Keep(first)
    values = chosen_functions.of_one(trace, name, values, what)
    if chosen_functions.are_of_one(values):
        return chosen_functions.plan(trace, name, values, what, force, stage_all, seen)
    chosen_functions.refuse(values)
    for value in values:
        enumerations.refuse_lost(trace, value)
        if hasattr(type(value), "__lantern_argument__"):
            raise value.error(what, trace.place())
        if trace.lists.remade.is_unsettled(value):
            return Keep(value)
        if not is_stageable(value) and not _is_plain_tuple(value) and not (is_numbered(value) and any(isinstance(each, Staged) and each.type is None for each in values)) and not (type(value) is list and not any(map(is_staged_list, values)) and trace.type_of(value)):
            error = error_of_objects(trace, name, values, value, what)
            families.noted(trace, error, *values)
            trace.lessons.take(trace.lists.remade.of(error, *values))
            return plan(trace, name, values, what, force, stage_all, seen)
    type_ = trace.type_of(first)
    for value in values[1:]:
        other = trace.type_of(value)
        if type_ is None or other is None:
            learn(trace, values)
            type_ = None
            continue
        joined = join_types(type_, other)
        if joined is None:
            return _plan_of_shown(trace, name, values, families.noted(trace, StagingError(
                "LT0306", f"{called(name)} is {types.annotation(type_)} on one path of {what} and {types.annotation(other)} on another",
                trace.place(), perhaps_arrays.remedy(name, [type_, other], values) or _remedy(name, type_, other)), type_, other))
        type_ = joined
    if isinstance(type_, types.NoneType):
        return Keep(None)
    if type_ is None:
        type_ = next((value.unknown for value in values if isinstance(value, Staged) and value.unknown is not None), None)
    return Join(name, type_, values)


def error_of_objects(trace, name, values, value, what):
    """Of one of the values of a variable on several paths, which the program has not."""
    error = StagingError("LT0306", f"{called(name)} is {_of_classes(trace, values, value)} of {what}, whose condition is known only when the program runs", trace.place(),
                         "only numbers, strings, arrays, structures and tuples of them may depend on staged conditions: "
                         + ", or ".join([*_remedies(trace, values, value, what), "have the condition known, by parameters that are annotated lt.static[…]"]))
    error.of_class = type(value)
    return error


def _classes_of(trace, values):
    """What Python calls the classes of values that are there, as far as they are known, each once."""
    from lantern.staging.iterables import name_in_python
    known = (value for value in values if value is not None and not isinstance(value, Undefined) and not (isinstance(value, Staged) and value.type is None))
    return list(dict.fromkeys(types.annotation(value.type) if isinstance(value, Staged) else name_in_python(value) for value in known))


def _of_classes(trace, values, value):
    from lantern.staging.iterables import name_in_python
    several = _classes_of(trace, values)
    if len(several) > 1:
        return f"of type '{several[0]}' on one path, and '{several[1]}' on another,"
    return f"a Python value of type '{name_in_python(value)}' that differs between the paths"


def _remedies(trace, values, value, what):
    """What to do where a variable is on one path a value that no staged variable can be."""
    from lantern.staging.iterables import name_in_python
    is_missing = any(each is None for each in values)
    classes = sorted({user_class(type(each)).__name__ for each in values if perhaps_none.users_class_in(each) is not None and not hasattr(type(each), "__lantern_class__")})
    if len(classes) > 1:
        together = f"make one class of {' and '.join(classes)}, with an attribute that says which it is, or define them in the module, outside of functions"
    elif len(several := _classes_of(trace, values)) > 1 and all(issubclass(class_in_python(each), dict) for each in values if each is not None):
        together = "make a dict of each: dict(…)"
    else:
        together = remedy(value, is_missing) or ("give it values of one type on every path" if len(several) > 1 else None)
    before = f"give it its {name_in_python(value)} before {what}" if is_missing else None
    return [each for each in (together, before) if each]


def _plan_of_shown(trace, name, values, error):
    """The plan for what has no type in common on all paths: that of its text, where it has one on each, or the error."""
    if not all(shown_values.can_be(trace, value) for value in values):
        raise error
    return shown_values.Plan(name, values, error)


def remedy(value, is_missing=False):
    """What makes a value of the user's class one that staged code has, and that may be None, where it is missing on a path; None of others."""
    from lantern.staging import iterables
    from lantern.staging.snapshots import is_users_class
    cls, trace = type(value), dispatch.active_trace()
    if is_numbered(value):
        return f"give it a {cls.__name__} on every path"
    if trace is not None and trace.numbered.is_learned(cls):
        return f"make each {cls.__name__} by a call of its class, in the function that is compiled: this one was there before, or other code has made it"
    if hasattr(cls, "state_dict") and is_users_class(cls):      # an lt.Module
        return f"let each branch, or a call of its own, do by itself what is done with the {cls.__name__}: f(a) if … else f(b)"
    as_structure = f"mark the class {cls.__name__} @lt.struct, and annotate its fields"
    if hasattr(cls, "__dataclass_fields__") and not is_missing and not is_frozen(cls):
        as_structure = f"mark the class {cls.__name__} @dataclass(frozen=True), whose instances are values, or @lt.struct"
    if isinstance(value, iterables.Sequence) or isinstance(value, iterables.KINDS) and hasattr(value, "made"):
        return "make a list of it: list(…); of columns, [list(column) for column in zip(*rows)]"
    if cls is python_types.FunctionType:
        return "keep in its place what the function is made of, a number or a tuple, and call one function with that"
    if cls is complex:
        from lantern.staging.math_functions import OF_COMPLEX
        return OF_COMPLEX
    if type(value) is dict or hasattr(cls, "__lantern_class__"):
        return "keep an empty one there" if is_missing else "keep a named tuple or a frozen dataclass there, or several lists"
    return enumerations.remedy(value) or (as_structure if is_users_class(cls) and not isinstance(value, type) else None)


def learn(trace, values):
    """What an element of a list may be, of whose elements nothing is known so far: what the value on another path is."""
    known = next((type_ for type_ in map(trace.type_of, values) if type_ is not None and not isinstance(type_, types.NoneType)), None)
    for value in values:
        if isinstance(value, Staged) and value.unknown is not None:
            trace.empties.learn(value.unknown, known)


def _plan_of_some(trace, name, values, what, force, stage_all, seen):
    """The plan where some paths give no value: that of the others, which stand for any value where it has none.

    What the others give may have nothing in common; that is an error only where the variable is read.
    """
    has = [not isinstance(v, Undefined) or isinstance(v, MaybeBound) for v in values]
    if not any(has):
        return Poison(values[0])
    missing = next(v for v in values if isinstance(v, Undefined))
    given, refused = [carried(v) for v, there in zip(values, has) if there], len(trace.refusals)
    try:
        with trace.lessons.left():
            made = plan(trace, name, given, what, force, stage_all, seen.setdefault(tuple(has), {}))     # of these paths alone
    except StagingError as error:
        if isinstance(missing, UndefinedReturnValue):
            raise
        del trace.refusals[refused:]
        return Poison(Undefined(name, cause=error))
    for join in made.joins():
        rest = iter(join.values)
        join.values = [next(rest) if there else missing for there in has]
    for list_ in made.lists():
        rest = iter(list_.values)
        list_.values = [next(rest) if there else missing for there in has]
    return made


def carried(value):
    """What a statement carries for a variable: its value where it has one."""
    return value.value if isinstance(value, MaybeBound) else value


def remedy_of_missing(result):
    """What to return instead of None, of the plan of what may be."""
    holds_list = result.lists() or any(isinstance(join.type, types.List) for join in result.joins())
    return "return a list on every path: an empty one instead of None, or a bool beside it" if holds_list else "return a value on every path"


def _remedy(name, type_, other):
    if isinstance(type_, types.NoneType) or isinstance(other, types.NoneType):
        if is_result(name):
            return "return a value on every path"
        return "give it a value of that type instead of None, and keep whether there is one in a bool; numbers, strings, arrays, tuples of them and structures can be None"
    return instances.remedy_of_lengths(type_, other) or "give it values of one type on every path"


def plan_contents(trace, name, contents, what, force=False, stage_all=False, seen=None, of=()):
    """The plan for what a list (or dict) holds on several paths: each is a Staged, a list of elements, or a dict. of: the lists, or dicts."""
    seen = {} if seen is None else seen
    first = contents[0]
    if isinstance(first, dict):
        _check_keys(trace, name, contents, what, of)
        if any(map(trace.lists.remade.is_unsettled, of)):
            return Contents([], [])
        return Contents([plan(trace, f"{name}[{key!r}]", [c[key] for c in contents], what, force, stage_all, seen) for key in first], list(first))
    if all(isinstance(c, list) and len(c) == len(first) for c in contents):
        return Contents([plan(trace, f"{name}[{i}]", list(column), what, force, stage_all, seen) for i, column in enumerate(zip(*contents))])
    type_ = trace.lists.type_of(first)
    for other in contents[1:]:
        other = trace.lists.type_of(other)
        joined = join_types(type_, other)
        if joined is None:
            raise families.noted(trace, StagingError("LT0306", f"{called(name)} is {types.annotation(type_)} on one path of {what} and {types.annotation(other)} on another", trace.place(),
                                                     instances.remedy_of_lengths(type_.element, other.element) or "give its elements one type on every path"), type_, other)
        type_ = joined
    return Contents(join=Join(name, type_, contents))


def _check_keys(trace, name, contents, what, of):
    for other in contents[1:] if not any(map(trace.lists.remade.is_unsettled, of)) else ():
        differing = next((key for key in (*contents[0], *other) if key not in other or key not in contents[0]), _NONE)
        if differing is not _NONE:
            trace.lessons.take(trace.lists.remade.of(StagingError(
                "LT0306", f"{called(name)} has the key {differing!r} on one path of {what} and not on another", trace.place(),
                "give the dict all its keys before, or on every path"), *of))
        elif list(other) != list(contents[0]):
            trace.lessons.take(trace.lists.remade.of(StagingError(
                "LT0306", f"{called(name)} has its keys in another order on one path of {what}: {', '.join(map(repr, contents[0]))}, and "
                f"{', '.join(map(repr, other))}", trace.place(), "give the dict its keys in the same order on every path"), *of))


_NONE = object()


def signature(plan):
    """What of a plan others have relied on: equal for plans that give values of equal types."""
    if isinstance(plan, Join):
        return ("shown" if isinstance(plan, shown_values.Plan) else "join", plan.type)
    if isinstance(plan, Again):
        return ("again",)
    if isinstance(plan, Once):
        return signature(plan.plan)
    if isinstance(plan, Made):
        return signature(plan.planned)
    if isinstance(plan, Contents):
        return signature(plan.join) if plan.join else ("contents", tuple(plan.keys or ()), *map(signature, plan.elements))
    if isinstance(plan, perhaps_arrays.Plan):
        return ("perhaps an array", signature(plan.plans[0]), *plan.key())
    if isinstance(plan, Compound):
        return ("compound", *map(signature, plan.plans))
    from lantern.staging.keys import key_of
    return ("keep", key_of(plan.value))


def _is_number(value):
    return isinstance(value, (bool, int, float))


def _is_plain_tuple(value):
    return isinstance(value, tuple) and all(is_stageable(v) or _is_plain_tuple(v) for v in value)


def result_node(nodes):
    """One value for itself, none or several as a tuple."""
    return nodes[0] if len(nodes) == 1 else (Symbol("tuple"), *nodes)


def bind_results(trace, node, joins, memories, hints=None):
    """Emits `node`, which gives a value for each of `joins`, in these memories; an iterator over the staged values."""
    hints = hints or [binding_of(join.name) for join in joins]
    if not joins:
        trace.effect(node)
        return iter(())
    if len(joins) == 1:
        return iter([trace.views.joined(trace.bind(node, joins[0].type, hints[0], memory=memories[0]), joins[0].values)])
    known = [join.type for join in joins]
    whole = trace.bind(node, None if None in known else types.Tuple(tuple(known)))
    results = []
    for number, (join, hint, memory) in enumerate(zip(joins, hints, memories)):
        result = trace.bind((Symbol("get"), whole, number), join.type, hint, pure=True, memory=memory)
        results.append(trace.views.joined(result, join.values))
    return iter(results)


