"""`lt.value_and_grad` while tracing: the function becomes a define, its derivative one expression."""
from __future__ import annotations

import collections
import operator

from lantern import dispatch, types
from lantern.lazy_numpy import np
from lantern.staging import attributes, calls, held_arrays, merge, perhaps_none
from lantern.staging.errors import StagingError
from lantern.staging.program import nodes_of
from lantern.staging.arguments import bind, containers_of
from lantern.staging.convert import mark
from lantern.staging.define import Specialisation
from lantern.staging.globals import Reference
from lantern.staging.memory import shares
from lantern.staging.text import Symbol
from lantern.staging.values import Staged


def value_and_grad(trace, function, wrt, arguments, keywords):
    """(value, gradients) as `lantern.grad.value_and_grad` says."""
    from lantern.grad import Gradients, holds_floats, references_of
    plain, first, given = _opened(trace, function, wrt, arguments, keywords)
    bound = _apart(trace, bind(plain, (*first, *arguments), {**given, **keywords}))
    names = [name for name in bound.arguments][len(first):]
    references = references_of(wrt, names)
    _force(trace, plain, bound, [r for r in references if isinstance(r, str)])
    made, values = _define(trace, plain, bound)
    reached = []
    if wrt is None:
        reached = [r for r in parameters_of(made) if _is_trainable(trace, r.target)]
        if not reached and names:
            references = (names[0],)
            _force(trace, plain, bound, references)
            made, values = _define(trace, plain, bound)
    targets, result_types, formals_of = [], [], []
    for reference in references:
        if dispatch.is_global(reference):
            targets.append(trace.globals.reference(reference))
            result_types.append(trace.globals.type_of(reference))
            formals_of.append([None])
            continue
        formals = [formal for formal in made.formals if formal.path[0] == reference]
        floating = [formal for formal in formals if formal.type is None or holds_floats(formal.type)]
        formals = floating if len(formals) > 1 and floating else formals    # of a tuple, what is no floating number in it comes back as it is
        if not formals:
            raise StagingError("LT0310", f"'{reference}' is known while staging: there is no gradient with respect to it", trace.place())
        targets += [formal.staged for formal in formals]
        result_types += [formal.type for formal in formals]
        formals_of.append(formals)
    if wrt is None and reached:
        targets, result_types = list(reached), [r.type for r in reached]
    _refuse_changes(trace, made)
    _refuse_parameters(trace, targets, [*values, *(capture.origin for capture in made.captures)])
    joins = made.result.joins()
    if isinstance(made.result, merge.Keep) and isinstance(made.result.value, (bool, int, float)):
        raise StagingError("LT0310", f"the gradient of '{made.name}' is zero: it gives {made.result.value!r}, whatever its arguments are", trace.place(),
                           "leave the gradient out, or return what depends on an argument")
    if isinstance(made.result, perhaps_none.Plan):
        raise StagingError("LT0310", f"a gradient is that of one number, and '{made.name}' may give None", trace.place(),
                           "return a number on every path: return 0.0 if loss is None else loss")
    if len(joins) != 1 or type(made.result) is not merge.Join:
        shown = f"{len(joins) or 'no'} staged values" if len(joins) != 1 else "more than that"
        raise StagingError("LT0310", f"a gradient is that of one number, and '{made.name}' gives {shown}", trace.place(),
                           "return the loss alone from the function")
    node = (Symbol("value-and-grad"), made, (Symbol("wrt"), *targets), *trace.specialisations.operands(made, values))
    trace.specialisations.memories_of_call(made, values, containers_of(bound))
    known = (joins[0].type, *result_types)
    whole = trace.bind(node, None if None in known else types.Tuple(known))
    parts = [trace.bind((Symbol("get"), whole, number), type_, pure=True, memory=held_arrays.own(trace.memories, type_)) for number, type_ in enumerate(known)]
    parts = [trace.lists.new(part) if merge.is_staged_list(part) else part for part in parts]
    value = made.result.rebuild(iter(parts[:1]))
    if wrt is None and reached:
        return value, Gradients({r.target: part for r, part in zip(reached, parts[1:])})
    remaining, gradients = iter(parts[1:]), []
    for reference, formals in zip(references, formals_of):
        taken = [next(remaining) for _ in formals]
        if isinstance(reference, str) and merge.parts_of(bound.arguments[reference]) is not None:
            gradients.append(_rebuilt(bound.arguments[reference], (reference,), {
                formal.path: part for formal, part in zip(formals, taken)}, {}))
        else:
            gradients.append(taken[0])
    return value, tuple(gradients) if isinstance(wrt, (tuple, list)) else gradients[0] if gradients else ()


def _refuse_parameters(trace, targets, values):
    """What is handed to a function, or around it, and may be a parameter, has its gradient in Python, and is another array here."""
    for value in values:
        for target in targets:
            memory = value.memory if isinstance(value, Staged) and isinstance(target, Reference) else None
            if memory is not None and shares(memory, target.memory):
                name = target.target.name or "a parameter"
                raise StagingError("LT0317", f"{value.shown()} may be '{name}', with respect to which a gradient is taken", trace.place(),
                                   "where it is a constant, hand on a copy, .copy(); else have the function choose between the two")


def define_differentiated(trace, function, arguments, varied):
    """(the define, the values for its formals, its arguments, the names of those that are given); the numbers in the arguments numbered `varied` are staged."""
    plain, first, given = _opened(trace, function, None, arguments, {})
    bound = _apart(trace, bind(plain, (*first, *arguments), given), by_place=True)
    names = list(bound.arguments)[len(first):]
    _force(trace, plain, bound, [names[number] for number in varied])
    made, values = _define(trace, plain, bound)
    _refuse_changes(trace, made)
    return made, values, bound, names


def _opened(trace, function, wrt, arguments, keywords):
    """The Python that a callable stands for, its first arguments, its keywords. One of NumPy's, or of Python's own, is called by a function of one argument."""
    plain, first, given = calls.opened(function)
    if hasattr(plain, "__code__"):
        return plain, first, given
    name = getattr(plain, "__name__", type(plain).__name__)
    if not callable(plain) or isinstance(plain, type) or wrt is not None or given or keywords or len((*first, *arguments)) != 1:
        raise StagingError("LT0310", f"a derivative is taken of '{name}', which is no function that is written in Python", trace.place(),
                           f"write one: lambda x: {name}(x)" if callable(plain) else "")

    @mark
    def of_one(x):
        return calls.call(trace, plain, (x,), {}, trace.at)
    of_one.__name__ = name
    return of_one, first, given


def _apart(trace, bound, by_place=False):
    """The arguments, of which no two hold the same list or dict: it has a derivative for each. (What is differentiated changes none.) One that
    an argument holds twice has one derivative, as it has in Python; by_place: a tangent for each of its places."""
    taken = set()

    def apart(value, own, repeated):
        if id(value) in own and not by_place:
            return own[id(value)]
        parts = merge.parts_of(value)
        found = value if parts is None else [apart(part, own, repeated) for part in parts[1]]
        if parts is not None:
            found = value if all(map(operator.is_, found, parts[1])) and id(value) not in taken else parts[0](found)
        elif id(value) in taken and type(value) is list:
            found = trace.lists.new(trace.lists.contents(value))
        elif id(value) in repeated:
            found = trace.lists.new(value)
        if type(value) in (list, dict) or id(value) in repeated:
            own[id(value)] = found
            if by_place:
                taken.add(id(value))
        return found

    for name, value in bound.arguments.items():
        own = {}
        bound.arguments[name] = apart(value, own, () if by_place else _repeated_lists(trace, value))
        taken.update(own)
    return bound


def _is_trainable(trace, parameter):
    attributes.note(trace, parameter, "trainable", parameter.trainable)
    return parameter.trainable


def _repeated_lists(trace, value):
    """The ids of the staged lists that a value holds more than once. An error where that is a structure, whose gradients would be two."""
    counts, pending = collections.Counter(), [value]
    while pending:
        value = pending.pop()
        parts = merge.parts_of(value)
        if parts is not None:
            pending.extend(parts[1])
        elif merge.is_staged_list(value) or isinstance(value, Staged) and isinstance(value.type, types.StructType):
            counts[id(value)] += 1
            if counts[id(value)] > 1 and not merge.is_staged_list(value):
                raise StagingError("LT0310", f"{value.shown()} stands at two places of an argument whose gradient is taken, and has one for each", trace.place(),
                                   "give it to the function once, as an argument of its own")
    return {each for each, count in counts.items() if count > 1}


def _refuse_changes(trace, made):
    if made.changes:
        raise StagingError("LT0310", f"'{made.name}' changes a list that it is given, and is differentiated", trace.place(),
                           "return the list instead of changing it")


def _rebuilt(value, path, by_path, made):
    """A gradient of the structure of `value`; what has none is as it is there. made: {id of a list or dict: its gradient}."""
    is_container = type(value) in (list, dict)
    if is_container and id(value) in made:
        return made[id(value)]
    parts = merge.parts_of(value)
    if path in by_path:
        result = by_path[path]
    elif parts is None:
        result = value
    else:
        keys = list(value) if isinstance(value, dict) else range(len(parts[1]))
        result = parts[0]([_rebuilt(part, (*path, key), by_path, made) for key, part in zip(keys, parts[1])])
    if is_container:
        made[id(value)] = result
    return result


def _force(trace, function, bound, names):
    """The numbers among the arguments `names` are staged; which there are, and what they are, is read now."""
    for name in names:
        trace.contents.note(bound.arguments[name])
        pending = [((name,), bound.arguments[name])]
        while pending:
            path, value = pending.pop()
            parts = merge.parts_of(value)
            if parts is not None:
                keys = list(value) if isinstance(value, dict) else range(len(parts[1]))
                pending.extend(((*path, key), part) for key, part in zip(keys, parts[1]))
            elif isinstance(value, (float, np.ndarray, np.generic)):
                trace.specialisations.statics.forced.setdefault(function.__code__, set()).add(path)


def _define(trace, function, bound):
    from lantern.staging.convert import converted
    return trace.specialisations.differentiated(function, converted(function), bound)


def parameters_of(specialisation):
    """The references to parameters in a define and those that it calls, in the order of their first use."""
    found, seen, pending = {}, {id(specialisation)}, [nodes_of(specialisation.block)]
    while pending:
        node = next(pending[-1], pending)
        if node is pending:
            pending.pop()
        elif isinstance(node, Specialisation):
            if id(node) not in seen and node.block is not None:
                seen.add(id(node))
                pending.append(nodes_of(node.block))
        elif isinstance(node, Reference) and node.is_parameter:
            found[id(node)] = node
    return list(found.values())
