"""What a staged loop goes over, besides arrays, lists, data sets and ranges: `zip`, `map`, `reversed`, `filter`, and iterators."""
from __future__ import annotations

import contextlib
import copy
import math

from lantern import dispatch, types
from lantern.staging import held_arrays, library, merge
from lantern.staging.errors import NeedsInlining, StagingError
from lantern.staging.generators import Generator
from lantern.staging.memory import holds_lists, is_of_arrays
from lantern.staging.text_methods import characters, is_text
from lantern.staging.values import Staged, StagedEnumerate, StagedRange, class_in_python


class Indexed:
    """A sequence of a staged length; `get` gives its element at a place. `sources`: the lists that it reads, each with what it held then, and True
    behind that where all of it has been read."""

    def __init__(self, length, get, sources=()):
        self.length, self.get, self.sources = length, get, tuple(sources)

    __iter__ = StagedRange.__iter__

    def at(self, trace, place):
        """Its element where a loop goes over it, which asks behind it whether what it reads has changed."""
        with trace.memories.carrying() if self.sources else contextlib.nullcontext():
            return self.get(place)

    def changed(self, lists):
        """One of the lists that does not hold any more what it held, or None."""
        for list_, held, *is_read in self.sources:
            depth = lists.kept_depth(lists.raw(list_), held)
            if depth == 0 or is_read and depth < math.inf:
                return list_
        return None


def sources_of(trace, value):
    """What an `Indexed` of a list, or of a list that stands in another one, reads."""
    if type(value) is not list:
        value = container_of(value)
    contents = None if value is None else trace.lists.raw(value)
    return () if value is None else ((value, contents if isinstance(contents, Staged) else list(contents)),)


def container_of(value):
    """The list that a staged value, a list itself, was read from, or that such a one was read from; None if it is none of those."""
    return value.outermost() if isinstance(value, Staged) else None


def changes(trace, list_, at):
    shown = list_.shown() if isinstance(list_, Staged) else trace.lists.shown(list_)
    return StagingError("LT0305", f"{shown} changes while a staged loop goes over it, or over a part of it", trace.place(at),
                       "go over a copy: list(…)")


class Sequence(Indexed):
    """One that has a length and items for the user, too."""

    def __getitem__(self, place):
        return self.get(library.place_of_item(dispatch.active_trace(), place, self.length))


def element_of(trace, source, contents, place):
    """Element `place` of what a list holds, or of another sequence; a list, or an array, that stands in it can be changed there."""
    kind = getattr(contents, "type", None)
    if isinstance(kind, types.List) and holds_lists(kind.element) and (type(source) is list or isinstance(source, Staged) and source.element_of is not None):
        return trace.lists.element(source, place)
    return held_arrays.gone_to(trace, source, contents, place) if is_of_arrays(kind) else trace.views.element(contents, place)


class Live:
    """A list that may change while it is gone through: its length and elements as they are when they are asked for."""

    def __init__(self, trace, list_):
        self.trace, self.list, self.sources = trace, list_, ()

    @property
    def length(self):
        return self.trace.emit("length", (self._contents(),))

    def get(self, place):
        return element_of(self.trace, self.list, self._contents(), place)

    def _contents(self):
        return self.trace.lists.become_staged(self.list) if type(self.list) is list else self.list


class Filtered:
    """The elements of `sequence`, a staged iterable, for which `test` holds."""

    def __init__(self, sequence, test):
        self.sequence, self.test = sequence, test

    __iter__ = StagedRange.__iter__


class Mapped:
    """`function` of each element of `sequence`, a staged iterable that has no places."""

    def __init__(self, sequence, function):
        self.sequence, self.function = sequence, function

    __iter__ = StagedRange.__iter__


class StagedIterator:
    """`iter(x)` of a staged x: a sequence, and the place of the next element, held in a list since it changes."""

    __lantern_reaches__ = ("place",)        # for a recursion that it is given to (carried.py)

    def __init__(self, trace, sequence, made=None):
        self.sequence, self.of = sequence, Made(trace, iter) if made is None else made
        self.place = self.of.next_place

    def take(self, trace):
        """What is left of it, for somebody who goes through it by places. Nobody else can go on from there, for how far that is remains open."""
        self.of.go_through(trace)
        sequence = indexed(trace, self.sequence.list) if isinstance(self.sequence, Live) else self.sequence
        first = library.element(trace, self.place, 0)
        return Indexed(library.at_least_none(trace, sequence.length - first), lambda i: sequence.get(first + i), sequence.sources)

    __iter__ = StagedRange.__iter__


class Made:
    """Where an iterator of Python's was made, `zip(…)` and the like, and whether it has been gone through: nothing is left of it then.

    next_place: of the element that `next` gives, held in a list since it changes. asked: whether somebody has called `next`.
    """

    def __init__(self, trace, function):
        self.function, self.block, self.place, self.is_spent = function, trace.block, trace.place(), False
        self.next_place, self.asked = trace.lists.new([0]), False

    def error(self, what, hint):
        return StagingError("LT0305", f"what {self.function.__name__}(…) gave at {self.place} is gone through {what}", dispatch.active_trace().place(), hint)

    def check_rest(self):
        if self.is_spent:
            raise self.error("once more, when Python has nothing left of it", "make a list of it first: list(…)")

    def go_through(self, trace):
        """Somebody goes through it: an error where Python finds it gone through already, or where that may happen."""
        self.check_rest()
        frames = [trace.frame]
        while frames[-1] is not None and frames[-1] is not self.block.frame:
            frames.append(frames[-1].outer)
        if frames[-1] is not None and trace.block is not self.block:
            error = self.error("where that may happen never, or more than once", "make it where it is gone through, or make a list of it first: list(…)")
            if trace.frame is not self.block.frame and not trace.frame.is_conditional():
                raise NeedsInlining(trace.frame.specialisation, error)
            if trace.frame is not self.block.frame or trace.conditional_since(self.block):
                raise error
        self.is_spent = True


def made(trace, function, iterator):
    """What a function of Python's gives that makes an iterator."""
    if trace.frame is not None and isinstance(iterator, KINDS) and not isinstance(iterator, (*NO_ITERATORS, StagedIterator, Generator)):
        iterator.made = Made(trace, function)
    return iterator


def asked(trace, iterator):
    """The same of what `zip(…)` and the like gave, whose elements are asked for one by one from here on; any other value as it is."""
    made = iterator.__dict__.get("made") if isinstance(iterator, KINDS) else None
    if made is not None:
        made.check_rest()
        made.asked = True
    return rest(trace, iterator)


def rest(trace, iterator):
    """What is left of an iterator of which `next` has been asked; any other value as it is."""
    if isinstance(iterator, StagedIterator):
        iterator.of.check_rest()
    made = iterator.__dict__.get("made") if isinstance(iterator, KINDS) else None
    if made is None or not made.asked:
        return iterator
    made.check_rest()
    return StagedIterator(trace, _sequence_of(trace, iterator, iterator), made)


def name_in_python(value):
    """What Python calls the class of a value: of an iterator of the program, that of the function which has made it."""
    if isinstance(value, (StagedRange, StagedEnumerate)):
        return "range" if isinstance(value, StagedRange) else "enumerate"
    return value.made.function.__name__ if isinstance(value, KINDS) and hasattr(value, "made") else class_in_python(value).__name__


def has_elements(iterable):
    """Whether what a loop goes over, a range or an array, is known to have elements."""
    if isinstance(iterable, StagedRange):
        return iterable.has_elements()
    dims = iterable.type.dims if isinstance(iterable, Staged) and isinstance(iterable.type, types.TensorType) else ()
    return bool(dims) and type(dims[0]) is int and dims[0] > 0


def begin(trace, iterator):
    """Somebody goes through an iterator."""
    made = iterator.__dict__.get("made") if isinstance(iterator, KINDS) else None
    if made is None or made.asked:
        return
    made.go_through(trace)


def taken_over(trace, iterator):
    """What goes through an iterator from now on, once or never, as part of something that is itself gone through once: nobody else can."""
    if isinstance(iterator, Generator):
        return iterator.taken_over()
    if isinstance(iterator, StagedIterator):
        return iterator
    begin(trace, iterator)
    other = copy.copy(iterator)
    other.__dict__.pop("made", None)
    return other


def begin_again(iterator):
    """What has gone through it is undone, and through what it goes through itself."""
    while isinstance(iterator, KINDS):
        if "made" in iterator.__dict__:
            iterator.made.is_spent = False
        iterator = getattr(iterator, "values", None) if isinstance(iterator, StagedEnumerate) else getattr(iterator, "sequence", None)


NO_ITERATORS = (Staged, StagedRange, Sequence)     # of these, what Python has no iterators for
KINDS = (StagedRange, StagedEnumerate, Indexed, Filtered, Mapped, StagedIterator, Generator)


def is_staged(value):
    """Whether a loop over a value is staged: not over a tuple, whose elements are known one by one."""
    if isinstance(value, Staged):
        return not isinstance(value.type, types.Tuple)
    return isinstance(value, KINDS) or dispatch.is_global(value) or merge.staged_list(value) is not None


def can_be_indexed(trace, values):
    """Whether a list of Python's has a staged form."""
    return _list_type(trace, values) is not None


def beside(trace, values):
    """What is gone through together: where one of the values is Python's alone (modules, functions, pairs of a dict), arrays of a known length are
    taken element by element, so that Python goes through it all."""
    if all(is_staged(value) or isinstance(value, range) or _list_type(trace, value) is not None for value in values):
        return values
    lengths = [_known_length(trace, value) for value in values]
    return [value if length is None else tuple(value[place] for place in range(length)) for value, length in zip(values, lengths)]


def _list_type(trace, value):
    """The type of the staged list that a list or tuple of Python's can be, or None."""
    if type(value) not in (list, tuple, str) or not all(map(merge.is_stageable, _leaves(value))):
        return None
    refused = len(trace.refusals)
    try:
        return trace.lists.type_of(list(value))
    except StagingError:    # of several types, or of one that only Python has
        del trace.refusals[refused:]
        return None


def _leaves(value):
    pending = [value]
    while pending:
        value = pending.pop()
        parts = None if merge.is_stageable(value) else merge.parts_of(value)
        if parts is None:
            yield value
        else:
            pending.extend(parts[1])


def _known_length(trace, value):
    """The length of an array, where the program need not run to know it; else None."""
    is_array = dispatch.is_global(value) or isinstance(value, Staged) and isinstance(value.type, types.TensorType)
    dims = trace.type_of(value).dims if is_array else ()
    return dims[0] if dims and isinstance(dims[0], int) else None


def known_length(trace, value):
    """How many elements a staged loop goes over, where the program need not run to know it, as of arrays that are zipped; else None."""
    if isinstance(value, StagedEnumerate):
        return known_length(trace, value.values)
    if isinstance(value, Indexed):
        return value.length if type(value.length) is int else None
    return _known_length(trace, value)


def elements(trace, value):
    """The elements that a staged loop goes over, one by one, as it comes to them: a loop of Python's goes over them."""
    sequence = indexed(trace, value)
    return (sequence.at(trace, place) for place in range(sequence.length))


def indexed(trace, value):
    """A staged iterable as an `Indexed`, or a Python sequence beside one."""
    if is_text(value):
        value = list(value) if isinstance(value, str) else characters(trace, value)
    source, value = value, trace.lists.value(value)
    begin(trace, value)
    return _sequence_of(trace, source, rest(trace, value))


def _sequence_of(trace, source, value):
    if isinstance(value, Indexed):
        return value
    if isinstance(value, (StagedIterator, Generator)):
        return value.take(trace)
    if isinstance(value, (StagedRange, range)):
        start, stop, step = value.start, value.stop, value.step
        return Indexed(len(value) if isinstance(value, range) else trace.emit("range-length", (start, stop, step)), lambda i: start + i * step)
    if isinstance(value, StagedEnumerate):
        inner = indexed(trace, value.values)
        return Indexed(inner.length, lambda i: (value.start + i, inner.get(i)), inner.sources)
    if isinstance(value, (list, tuple)):
        own = list(value)
        element = _list_type(trace, own)
        if element is None:
            raise StagingError("LT0310", f"{_written(own)} is gone through together with something whose length is known only when the program runs, and has "
                               "no staged form", trace.place(), "go through it alone, for i, x in enumerate(…), and take element i of the other one")
        if element.element is None:
            return Indexed(0, None)
        staged = trace.lists.staged_contents(own, element)
        return Indexed(len(own), lambda i: element_of(trace, source, staged, i) if is_of_arrays(element) else trace.emit("index", (staged, i)), sources_of(trace, source))
    if dispatch.is_global(value) or isinstance(value, Staged) and isinstance(value.type, (types.List, types.DatasetType, types.TensorType)):
        from lantern.staging.builtins import length
        value = trace.lists.as_it_is(value) if isinstance(value, Staged) else value
        return Indexed(length(trace, value), lambda i: element_of(trace, source, value, i), sources_of(trace, source))
    shown = value.shown() if isinstance(value, Staged) else f"a {class_in_python(value).__name__}"
    raise StagingError("LT0310", f"{shown} is gone through together with something whose length is known only when the program runs",
                       trace.place(), "ranges, arrays, lists and data sets can be: make a list of it first, list(…)")


def _written(values):
    """What a list of Python's is called in messages."""
    kinds = dict.fromkeys(type(value).__name__ for value in values)
    return f"a list of {' and '.join(kinds)}"


def together(trace, values):
    """What is gone through together, as sequences. `zip(it, it)` has the elements of an iterator by twos."""
    first, size = values[0], len(values)
    if size == 1 or not isinstance(first, KINDS) or isinstance(first, NO_ITERATORS) or any(value is not first for value in values):
        return [indexed(trace, value) for value in values]
    sequence = indexed(trace, asked(trace, first))
    return [Indexed((sequence.length + (size - 1 - own)) // size, lambda i, own=own: sequence.get(i * size + own), sequence.sources) for own in range(size)]


def zipped(trace, *values, strict=False):
    """`zip(…)`, of which something is staged."""
    sequences = together(trace, values)
    length = sequences[0].length
    for number, sequence in enumerate(sequences[1:], 2):
        if strict:
            library.check_zip(trace, length, sequence.length, number)
        length = 0 if 0 in (each for each in (length, sequence.length) if type(each) is int) else library.shorter(trace, length, sequence.length)
    return Indexed(length, lambda i: tuple(sequence.get(i) for sequence in sequences), [s for q in sequences for s in q.sources])


def mapped(trace, function, *values):
    """`map(function, …)`, of which something is staged."""
    from lantern.staging.calls import call
    if len(values) == 1 and isinstance(values[0], (Generator, Filtered, Mapped, StagedIterator)):
        return Mapped(values[0], function)
    together = zipped(trace, *values)

    def called(elements):
        with trace.memories.carrying(False):
            return call(trace, function, elements, {}, trace.at)

    return Indexed(together.length, lambda i: called(together.get(i)), together.sources)


def reversed_(trace, value):
    sequence = indexed(trace, value)
    return Indexed(sequence.length, lambda i: sequence.get(sequence.length - 1 - i), sequence.sources)
