"""Lists in converted code: their methods, items and slices, on contents that are known or staged.

What is known stays Python's own business, to the text of its errors. A staged key, a staged length or staged contents make an
operator of the language.
"""
from __future__ import annotations

import contextlib
import math

from lantern import dispatch, slices, types
from lantern.staging import chosen_functions, enumerations, families, held_arrays, instances, merge, none_in_lists, numbered_classes, perhaps_none
from lantern.staging.errors import StagingError
from lantern.staging.memory import holds_lists, is_of_arrays
from lantern.staging.shared_elements import has_lists
from lantern.staging.text import Symbol
from lantern.staging.values import Staged


def is_python(contents, *others):
    """Whether Python itself can do something to contents, given the other operands."""
    return not isinstance(contents, Staged) and not any(isinstance(other, Staged) for other in others)


def bounds(key):
    """What a key or slice is made of."""
    return (key.start, key.stop, key.step) if isinstance(key, slice) else (key,)


def counted(trace, key):
    """A place in a list, or a slice, of which a bool that is known only when the program runs is a number, as Python has it."""
    if isinstance(key, slice):
        return slice(*(counted(trace, bound) for bound in bounds(key)))
    return trace.emit("cast", (types.i64, key)) if isinstance(key, Staged) and key.type == types.bool_ else key


def holds_staged(contents):
    """Whether an element is staged, or a part of a tuple or list that is one."""
    return any(isinstance(value, Staged) or merge.staged_list(value) is not None or holds_staged(value if type(value) is list else instances.parts(value) or ())
               for value in contents)


def operate(trace, name, contents, operands=(), fails=False):
    """A list operator whose result is of the type of `contents`."""
    node = (Symbol(name), trace.resolve(contents), *map(trace.node, operands))
    return trace.bind(node, contents.type, pure=not fails, memory=trace.memories.of_result(name, (contents,), contents.type))


def with_element(trace, list_, contents, value):
    """(staged contents whose elements `value` joins, the node of `value` among them, the type of both). Contents whose elements need no conversion
    are as they were: to the core, a list with arrays of an unknown size takes some of known ones."""
    enumerations.refuse_lost(trace, value)
    own, element = none_in_lists.type_of(trace, value, ()), contents.type.element
    joined = none_in_lists.join_elements(element, own) if own is not None and element is not None else own
    if joined is None and (isinstance(element, types.Unknown) or own is None and trace.empties.is_met()):
        joined = element        # neither is known so far, or what the value is made of is not
    if joined is None:
        is_of_table, (one, other) = id(list_) in trace.lists.of_tables, map(types.annotation, (element, own))
        problem = f"are {one}, and {other} is one of them" if is_of_table else f"holds {one}, and {other} is put into it"
        hint = _remedy(own) if isinstance(element, types.NoneType) else "give all of them one type; of what is known by names, make a named tuple or a dataclass" if is_of_table else \
            "give its elements one type, or use a tuple or an lt.struct"
        raise families.noted(trace, StagingError("LT0306", f"{trace.lists.shown(list_)} {problem}", trace.place(), hint), element, own)
    if joined != element:
        converted = trace.lists.staged_contents(contents, types.List(joined))
        if converted.binding is not contents.binding:
            trace.lists.note_places(converted, contents, math.inf)
            contents = converted
    node = trace.coerce(value, joined)
    trace.lists.shared.put(list_, value)
    return contents, node, types.List(joined)


def _remedy(type_):
    """Instead of `[None] * n`, where a `type_` is put into it."""
    return f"begin with {'[[] for _ in range(n)]' if isinstance(type_, types.List) else 'an empty list, and append to it'}"


def put(trace, name, list_, contents, leading, value):
    """`append`, `insert` and `write`: `value` into staged contents, behind the operands `leading`."""
    trace.empties.declare_element(list_, value)
    contents, node, type_ = with_element(trace, list_, contents, value)
    memory = held_arrays.put(trace.memories, name, contents, value, type_, trace.lists.shown(list_))
    bound = trace.bind((Symbol(name), trace.resolve(contents), *map(trace.node, leading), node), type_, pure=name != "write", memory=memory)
    trace.lists.change(list_, bound)
    if name == "write":
        none_in_lists.written(trace, trace.lists.raw(list_), leading[0], value)
    if name != "insert":
        trace.lists.note_stand(trace.lists.raw(list_), value, leading[0] if leading else None, contents)


def append(trace, list_, value):
    contents = trace.lists.contents(list_)
    if isinstance(contents, Staged):
        put(trace, "append", list_, contents, (), value)
    else:
        trace.empties.declare_element(list_, value)
        trace.lists.change(list_, [*contents, value])


def extend(trace, list_, values):
    if isinstance(values, Staged) and values.type == types.string:
        values = trace.emit("characters", (values,))
    value = trace.lists.value(values)
    if isinstance(value, Staged) and isinstance(value.type, types.List):
        own, contents = value.type, trace.lists.contents(list_)
        type_ = merge.join_types(trace.lists.type_of(contents), own)
        if type_ is None:
            raise families.noted(trace, StagingError("LT0306", f"{trace.lists.shown(list_)} is {types.annotation(trace.lists.type_of(contents))}, and {types.annotation(own)} is put behind it",
                                                     trace.place(), "give their elements one type"), trace.lists.type_of(contents), own)
        trace.lists.change(list_, concat(trace, contents, value, type_))
        if holds_lists(type_.element):
            trace.lists.shared.extended(list_, values)
        return
    if not isinstance(values, (list, tuple, dict, set, frozenset, str, range)) and is_staged_iterable(values):
        from lantern.staging import library
        library.extend(trace, list_, values)
        return
    for element in list(values):
        append(trace, list_, element)


def is_staged_iterable(values):
    from lantern.staging.iterables import KINDS
    return isinstance(values, (Staged, *KINDS)) or dispatch.is_global(values)


def concat(trace, first, second, type_):
    nodes = [trace.lists.node(contents, type_, not is_of_arrays(type_)) for contents in (first, second)]
    return trace.bind((Symbol("concat"), *nodes), type_, pure=True, memory=trace.memories.of_result("concat", (first, second), type_))


@contextlib.contextmanager
def missed(trace, list_):
    """What Python itself does to a list, which may be longer in a later turn of a loop (`Lists.missing`)."""
    try:
        yield
    except (IndexError, ValueError) as error:
        trace.lists.missing(list_, error)


def insert(trace, list_, place, value):
    contents, place = trace.lists.contents(list_), counted(trace, place)
    if is_python(contents, place):
        contents.insert(place, value)
        trace.lists.change(list_, contents)
    else:
        put(trace, "insert", list_, trace.lists.become_staged(list_), (place,), value)


def pop(trace, list_, place=-1):
    contents, place = trace.lists.contents(list_), counted(trace, place)
    if is_python(contents, place):
        with missed(trace, list_):
            value = contents.pop(place)
        trace.lists.change(list_, contents)
        return value
    if not isinstance(contents, Staged):
        contents = trace.lists.become_staged(list_)
    if not isinstance(place, Staged) and place == -1:
        rest = operate(trace, "pop", contents, fails=True)      # first: it is what fails
        value = trace.applied("index", (contents, place))
    else:
        value = trace.applied("index", (contents, place))
        rest = operate(trace, "remove", contents, (place,), fails=True)
    value = trace.lists.take(list_, contents, value, rest)
    trace.lists.change(list_, rest)
    return value


def clear(trace, list_):
    trace.lists.change(list_, [])


def reverse(trace, list_):
    contents = trace.lists.contents(list_)
    trace.lists.change(list_, reversed_(trace, contents) if isinstance(contents, Staged) else contents[::-1])


def reversed_(trace, contents):
    size = trace.emit("length", (contents,))
    return operate(trace, "strided", contents, (size - 1, -1, size), fails=True)


def copy(trace, list_):
    return trace.lists.shared.copied(trace.lists.contents(list_), list_)


def remove(trace, list_, value):
    contents = trace.lists.contents(list_)
    if type(contents) is list and not contents:
        with missed(trace, list_):
            contents.remove(value)
    if is_python(contents, value) and not holds_staged((*contents, value)):
        with missed(trace, list_):
            contents.remove(value)
        trace.lists.change(list_, contents)
    else:
        from lantern.staging import library
        delitem(trace, list_, library.place_of(trace, trace.lists.become_staged(list_), value, "list.remove(x): x not in list"))


def index(trace, list_, value, *bounds):
    contents = trace.lists.contents(list_)
    if is_python(contents, value, *bounds) and not holds_staged((*contents, value)):
        with missed(trace, list_):
            return contents.index(value, *bounds)
    from lantern.staging import library
    if type(contents) is list and not contents:
        with missed(trace, list_):
            library.is_not_in_list(trace, value)
    missing = None
    if getattr(getattr(value, "type", None), "perhaps_number", False):      # which has two texts
        missing = "list.index(x): x not in list"
    if numbered_classes.is_numbered(value) and type(value).__repr__ is object.__repr__:     # whose text says where it is in memory
        missing = f"the {type(value).__name__} is not in list"
    if bounds:
        return library.place_between(trace, readable(trace, contents), value, missing, *bounds)
    return library.index_of(trace, readable(trace, contents), value) if missing is None else library.place_of(trace, readable(trace, contents), value, missing)


def count(trace, list_, value):
    contents = trace.lists.contents(list_)
    if is_python(contents, value) and not holds_staged((*contents, value)):
        return contents.count(value)
    from lantern.staging import library
    return library.count(trace, readable(trace, contents), value)


def of_tuple(trace, tuple_, name, value, *bounds):
    """`tuple_.index(value)` and `tuple_.count(value)`, where an element, or the value, is staged."""
    from lantern.staging import library
    values = readable(trace, list(tuple_))
    if bounds:
        return library.place_between(trace, values, value, "tuple.index(x): x not in tuple", *bounds)
    return library.count(trace, values, value) if name == "count" else library.place_of(trace, values, value, "tuple.index(x): x not in tuple")


def sort(trace, list_, key=None, reverse=False):
    contents = trace.lists.contents(list_)
    from lantern.staging.builtins_sequences import in_order
    trace.lists.change(list_, in_order(trace, contents, key, reverse))


def _item(_trace, list_, key):
    from lantern import operators_expressions
    return operators_expressions.getitem(list_, key)


METHODS = {"__getitem__": _item, "append": append, "extend": extend, "insert": insert, "pop": pop, "clear": clear, "reverse": reverse, "copy": copy,
           "remove": remove, "index": index, "count": count, "sort": sort}
CHANGING = frozenset(("append", "extend", "insert", "pop", "clear", "reverse", "remove", "sort"))


def call(trace, list_, name, arguments, keywords, at):
    """`list_.name(…)`."""
    if name in CHANGING:
        trace.lists.check_change(list_, at)
        for value in arguments:
            trace.ages.young(value)
            if name in ("append", "insert"):
                trace.lists.check_held(list_, value)
    return METHODS[name](trace, list_, *arguments, **keywords)


def readable(trace, contents):
    """Contents as a staged value, the list itself staying as it is."""
    return contents if isinstance(contents, Staged) else trace.lists.staged_contents(contents, trace.lists.type_of(contents))


# Items and slices

def to_choose(values):
    """What to do where a number that is known when the program runs would choose among values of Python's."""
    if values and all(isinstance(value, dict) and value and all(isinstance(key, str) for key in value) for value in values):
        return "keep a list for each key, or tuples or frozen dataclasses, of which one may be chosen"
    if values and all(isinstance(value, (dict, set)) for value in values):
        return "keep one whose keys are pairs: d[i, k]" if isinstance(values[0], dict) else "keep one of pairs: seen.add((i, k))"
    return "choose by comparisons, and use what is chosen there: a(x) if i == 0 else b(x)"


def is_choosable(value, within=(tuple,)):
    """Whether a value may be one of those of which a number that is known when the program runs chooses: it has a counterpart then, or is a tuple,
    an instance of a class that is as one, or whatever is asked for, of such."""
    value = value.value if type(value) is perhaps_none.PerhapsNone else value
    parts = value if type(value) in within else instances.parts(value)
    return merge.is_stageable(value) or parts is not None and all(is_choosable(part, within) for part in parts)


def getitem(trace, list_, key):
    """`l[key]`, where what the list holds or the key is staged."""
    contents, key = trace.lists.contents(list_) if type(list_) is list else list_, counted(trace, key)
    if not isinstance(key, slice):
        if type(contents) is list and not contents:
            trace.lists.missing(list_, trace.lists.unknown_elements(list_))
        if type(contents) is list and isinstance(key, Staged) and not is_choosable(contents, (tuple, list)):
            error = StagingError("LT0310", f"an element of {trace.lists.shown(list_)} is chosen by {key.shown()}, which is known only "
                                 "when the program runs", trace.place(), to_choose(contents))
            if chosen_functions.are(trace, contents, key):
                return chosen_functions.in_sequence(trace, contents, key, error)
            error.of_class = perhaps_none.users_class_in(*(each for each in contents if not numbered_classes.is_numbered(each)))
            raise trace.lists.remade.chosen(error, contents)
        if holds_lists(trace.lists.type_of(contents).element) and (type(list_) is list or list_.element_of is not None):
            return trace.lists.element(list_, key)
        contents = none_in_lists.known_list(trace, list_, contents) if type(contents) is list else contents
        contents = contents if isinstance(contents, Staged) else held_arrays.readable(trace, list_, contents)
        return held_arrays.read(trace, list_, key, contents, trace.emit("index", (contents, key)))
    contents = readable(trace, contents)
    size = trace.emit("length", (contents,))
    if isinstance(key.step, Staged):
        return trace.lists.shared.copied(operate(trace, "strided", contents, strided_places(trace, key, size), fails=True), list_)
    if slices.step_of(key) == 1:
        made = trace.lists.shared.copied(operate(trace, "slice", contents, slices.span(key, size), fails=True), list_)
        trace.lists.spans[id(trace.lists.raw(made))] = trace.lists.raw(made), slices.known_count(key)
        return made
    return trace.lists.shared.copied(operate(trace, "strided", contents, slices.places(key, size), fails=True), list_)


def strided_places(trace, key, size):
    """(first, step, count) of a slice whose step is known only when the program runs."""
    from lantern.staging import library
    first, count = library.strided_places(trace, size, key.start, key.stop, key.step)
    return first, key.step, count


def setitem(trace, list_, key, value, at):
    """`l[key] = value`, of a list."""
    trace.lists.check_change(list_, at)
    contents, key = trace.lists.contents(list_), counted(trace, key)
    if is_python(contents, *bounds(key)) and not (isinstance(key, slice) and (merge.staged_list(value) is not None or is_staged_iterable(value))):
        with missed(trace, list_):
            contents[key] = value
        trace.lists.change(list_, contents)
    elif not isinstance(key, slice):
        before, doubtful = trace.lists.become_staged(list_), trace.lists.shared.is_doubtful(list_)
        put(trace, "write", list_, before, (key,), value)
        trace.lists.shared.note_stored(list_, before, key, value, doubtful)
    else:
        if isinstance(key.step, Staged) or key.step not in (None, 1):
            from lantern.staging import library
            return library.set_strided(trace, list_, key.start, key.stop, key.step, value)
        value = copy(trace, value) if value is list_ else value
        if (key.start is None or type(key.start) is int and key.start == 0) and key.stop is None and not has_lists(contents) and not (isinstance(value, (list, tuple)) and not value):
            from lantern.staging.calls import call
            trace.lists.change(list_, trace.lists.contents(call(trace, list, (value,), {}, at)))     # all of it
            return
        before, behind = _around(trace, list_, key)
        trace.lists.change(list_, before)
        extend(trace, list_, value)
        extend(trace, list_, behind)


def delitem(trace, list_, key, at=None):
    trace.lists.check_change(list_, at)
    contents, key = trace.lists.contents(list_), counted(trace, key)
    if is_python(contents, *bounds(key)):
        with missed(trace, list_):
            del contents[key]
        trace.lists.change(list_, contents)
    elif not isinstance(key, slice):
        trace.lists.change(list_, operate(trace, "remove", trace.lists.become_staged(list_), (key,), fails=True))
    else:
        if isinstance(key.step, Staged) or key.step not in (None, 1):
            from lantern.staging import library
            left = library.without_strided(trace, trace.lists.become_staged(list_), *bounds(key), trace.lists.new([]))
            trace.lists.change(list_, trace.lists.contents(left))
            return
        before, behind = _around(trace, list_, key)
        trace.lists.change(list_, before)
        extend(trace, list_, behind)


def _around(trace, list_, key):
    """(the contents in front of a slice, a list of what is behind it)."""
    contents = trace.lists.become_staged(list_)
    size = trace.emit("length", (contents,))
    start, stop = slices.span(key, size)
    before = operate(trace, "slice", contents, (0, start), fails=True)
    return before, trace.lists.new(operate(trace, "slice", contents, (stop, size), fails=True))


# Operators

def joined(trace, a, b):
    """`a + b` of lists, of which one is staged."""
    if not all(type(v) is list or isinstance(v.type, types.List) for v in (a, b) if isinstance(v, (list, Staged))) \
            or not all(isinstance(v, (list, Staged)) for v in (a, b)):
        raise TypeError(f'can only concatenate list (not "{type(b).__name__}") to list')
    first = trace.lists.shared.copied(trace.lists.contents(a) if type(a) is list else a, a)
    extend(trace, first, b)
    return first


def repeated(trace, a, b):
    """`a * b` of a list and a number."""
    list_, times = (a, b) if type(a) is list or isinstance(getattr(a, "type", None), types.List) else (b, a)
    if isinstance(times, Staged):
        from lantern.staging import library
        contents = trace.lists.contents(list_) if type(list_) is list else list_
        result = trace.lists.new([])
        if isinstance(contents, Staged) or len(contents) != 1:
            library.repeat(trace, result, trace.lists.shared.copied(contents, list_), times)
        else:
            library.repeat_one(trace, result, contents[0], times)
        return result
    contents = trace.lists.value(list_)
    result = trace.lists.new([])
    for _ in range(times):
        extend(trace, result, contents)
    return result


def compare(trace, symbol, a, b):
    """`a == b`, `a < b` and the like of lists."""
    from lantern.operators_comparisons import compare as compare_elements
    from lantern.staging import library
    a, b = (trace.lists.contents(v) if type(v) is list else v for v in (a, b))
    empty = [isinstance(v, list) and not v for v in (a, b)]
    if symbol not in ("==", "!="):
        for type_ in (trace.lists.type_of(v) for v, is_empty in zip((a, b), empty) if not is_empty):
            if none_in_lists.is_in(type_) or isinstance(type_.element, types.NoneType):
                raise StagingError("LT0310", f"lists are compared by {symbol}, and one may hold None", trace.place(), "compare their elements in a loop")
        if any(empty):
            return compare_elements(symbol, *(0 if is_empty else trace.emit("length", (readable(trace, v),)) for v, is_empty in zip((a, b), empty)), trace.at)
        return library.ordered(trace, readable(trace, a), readable(trace, b), lambda x, y: compare_elements(symbol, x, y, trace.at))
    if any(empty):
        equal = trace.emit("==", (trace.emit("length", (b if empty[0] else a,)), 0))
    else:
        equal = library.equal(trace, readable(trace, a), readable(trace, b))
    return equal if symbol == "==" else trace.negate(equal)


def contains(trace, values, wanted):
    from lantern.staging import library
    return library.contains(trace, values, wanted)
