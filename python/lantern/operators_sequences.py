"""Operators of converted Python: sequences taken apart into variables, and put together from `*` in displays."""
from __future__ import annotations

import itertools

from lantern import dispatch, types
from lantern.operators_expressions import bind, getitem
from lantern.staging import iterables, library, list_methods, perhaps_arrays, perhaps_none
from lantern.staging.builtins import iterated, length
from lantern.staging.builtins_sequences import materialised
from lantern.staging.errors import StagingError
from lantern.staging.generators import as_list, is_python
from lantern.staging.memory import holds_lists
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.shared_elements import has_lists
from lantern.staging.spread import Columns, Spread
from lantern.staging.trace import active
from lantern.staging.values import Staged, Undefined


class Rest:
    """Stands in a Python list for the elements of a list whose length is known only when the program runs. source: of which they are elements."""

    def __init__(self, contents, source):
        self.contents, self.source = contents, source


def unpack(value, count, names=(), at=None):
    """What `a, b = …` unpacks: as many elements as it wants, where the value has them, and Python says so where not."""
    if dispatch.tracing is None:
        return value
    if isinstance(value, Columns):
        iterables.begin(value.trace, value)
        value = value.taken_apart(count)
    source, value = value, _contents(value, at)
    if isinstance(value, Staged):
        value = _elements(value.trace, source, value, count, at)
    elif isinstance(value, Undefined) or not hasattr(type(value), "__iter__"):
        return value
    else:
        value = tuple(itertools.islice(value, count + 1))
    elements = [bind(name, element, at) if name else element for name, element in zip(names, value)]
    return (*elements, *value[len(elements):])


def unpack_starred(value, before, after, names=(), at=None):
    """What `a, *b, c = …` unpacks, `before` and `after` being how many names stand around the star."""
    if dispatch.tracing is None:
        return value
    value = _contents(value, at, whole=True)
    if isinstance(value, Undefined) or not isinstance(value, Staged) and not hasattr(type(value), "__iter__"):
        return value
    if isinstance(value, Staged) and _known_length(value.type) is None:
        value = _around(value.trace, value, before, after, at)
    else:
        value = list(iter(value))
    if len(value) < before + after:
        return value        # Python says so
    ends = [*range(before), *range(len(value) - after, len(value))]
    for place, name in zip(ends, (*names[:before], *names[before + 1:])):
        value[place] = bind(name, value[place], at) if name else value[place]
    return value


def _taken_apart(value):
    _, *_ = value


def _contents(value, at, whole=False):
    """What holds the elements: the contents of a list, a list of what a staged iterable gives, else the value itself.

    whole: all the elements are wanted, so that a generator is gone through.
    """
    trace = active()
    if trace is None:
        return value
    trace.at = at
    if type(value) is PerhapsNone:
        value, = perhaps_none.operands(trace, _taken_apart, (value,), at)
    perhaps_arrays.refuse((value,), at)
    trace.contents.note(value)
    value = iterated(trace, value)
    if dispatch.is_global(value) and value.ndim and isinstance(value.shape[0], int):
        return [trace.emit("index", (value, place), at=at) for place in range(value.shape[0])]
    if whole:
        value = as_list(trace, value)
    value = trace.lists.value(value)
    return materialised(trace, value) if isinstance(value, iterables.KINDS) and not is_python(value) else value


def _known_length(type_):
    """How many elements a value of the type has; None if it is not known, or the type is not."""
    if isinstance(type_, types.Tuple):
        return len(type_.elements)
    if isinstance(type_, types.TensorType) and type_.dims and isinstance(type_.dims[0], int):
        return type_.dims[0]
    return None


def _elements(trace, source, value, count, at):
    if value.type is None:
        return tuple(trace.element(value, number) for number in range(count))
    size = _known_length(value.type)
    if size is None:
        size = _length(trace, value, at)
        library.check_count(trace, size, count)
        if holds_lists(value.type) and holds_lists(value.type.element):      # which can be changed where they stand
            return tuple(getitem(source if type(source) is list else value, place, at) for place in range(count))
        return tuple(trace.emit("index", (value, place)) for place in range(count))
    if size != count:
        raise ValueError(f"too many values to unpack (expected {count})" if size > count else
                         f"not enough values to unpack (expected {count}, got {size})")
    return tuple(trace.views.item(value, place, value[place]) for place in range(size))


def _around(trace, value, before, after, at):
    """(elements…, Rest, elements…) of a staged sequence."""
    size = _length(trace, value, at)
    library.check_least(trace, size, before + after)
    value = _as_list(trace, value)
    rest = list_methods.operate(trace, "slice", value, (before, size - after), fails=True)
    first = [trace.emit("index", (value, place)) for place in range(before)]
    last = [trace.emit("index", (value, size - (after - place))) for place in range(after)]
    return [*first, Rest(rest, value), *last]


def _as_list(trace, value):
    """The elements of a staged sequence as a staged list."""
    if isinstance(value.type, types.List):
        return value
    elements = trace.lists.new([])
    library.extend(trace, elements, value)
    return trace.lists.become_staged(elements)


def _length(trace, value, at):
    if isinstance(value.type, types.List) or isinstance(value.type, types.TensorType) and value.type.dims:
        return length(trace, value)
    raise StagingError("LT0310", f"{value.shown()}, of type {types.annotation(value.type)}, is unpacked, and has no elements", trace.place(at))


def spread(value, display, at=None):
    """The `*value` of a list, tuple or set display, or of a call."""
    if dispatch.tracing is None or active() is None:
        return value
    trace = active()
    if type(value) is PerhapsNone:
        value = trace.narrowed(value)
        if type(value) is PerhapsNone and display == "call":
            raise value.error("it gives arguments to a call", trace.place(at))
        value, = perhaps_none.operands(trace, lambda value: [*value], (value,), at)
    spread_out = value
    value = _contents(value, at, whole=True)
    if not isinstance(value, Staged):
        return value
    if _known_length(value.type) is not None:
        return tuple(iter(value))
    if display == "list":
        return (Rest(_as_list(trace, value), value),)
    shown = trace.lists.shown(spread_out) if type(spread_out) is list else value.shown()
    if display == "call":
        return (Spread(spread_out, value, shown, trace.place(at)),)
    raise StagingError("LT0310", f"how many elements {shown} puts into a {display} is known only when the program runs", trace.place(at), "use a list")


def spread_mapping(value, at=None):
    """The `**value` of a call or a dict display."""
    trace = None if dispatch.tracing is None else active()
    if trace is None:
        return value
    trace.at = at
    trace.contents.note(value)
    return trace.lists.contents(value) if type(value) is dict else value


def gathered(elements, at=None):
    """A list that Python has put together, or collected for a `*name`: a staged one, if something stands for several elements."""
    if dispatch.tracing is None or not any(type(element) is Rest for element in elements):
        return elements
    trace = active()
    trace.at = at
    result = trace.lists.new([])
    for number, element in enumerate(elements):
        if type(element) is not Rest:
            list_methods.append(trace, result, element)
            continue
        if number == 0:
            trace.lists.change(result, element.contents.copied())
        else:
            list_methods.extend(trace, result, element.contents)
        if has_lists(element.contents):
            trace.lists.shared.extended(result, element.source)
    return result
