"""The functions of `itertools`, and `functools.reduce`, on staged sequences and on Python's of staged elements.

What Python goes through alone it goes through as ever; where something is staged they give what a staged loop goes over (iterables.py).
"""
from __future__ import annotations

import functools
import itertools

from lantern import types
from lantern.dispatch import active_trace
from lantern.staging import iterables, library, list_methods
from lantern.staging.builtins_sequences import elements, materialised, zip_
from lantern.staging.convert import REQUESTED
from lantern.staging.errors import StagingError
from lantern.staging.generators import Generator, is_python
from lantern.staging.iterables import Indexed, Mapped
from lantern.staging.unrolling import counted
from lantern.staging.values import Staged, StagedEnumerate

_NOTHING = object()


def reduce(trace, function, values, initial=_NOTHING):
    if not is_python(values):
        if initial is not _NOTHING:
            return library.reduced(trace, function, values, initial)
        return library.reduced_from_first(trace, function, materialised(trace, values))
    from lantern.staging.calls import call
    return functools.reduce(lambda a, b: call(trace, function, (a, b), {}, trace.at), elements(trace, values), *(() if initial is _NOTHING else (initial,)))


def accumulate(trace, values, function=None, *, initial=None):
    from lantern.staging.calls import call
    if is_python(values):
        from lantern.operators_expressions import binary
        add = (lambda a, b: binary("+", a, b, trace.at)) if function is None else (lambda a, b: call(trace, function, (a, b), {}, trace.at))
        return itertools.accumulate(elements(trace, values), add, initial=initial)
    if initial is not None:
        values = chain(trace, trace.lists.new([initial]), values)
    total = trace.lists.new([])
    return Mapped(StagedEnumerate(values, 0), lambda pair: library.accumulated(trace, total, function, *pair))


def chain(trace, *values):
    if all(map(is_python, values)):
        return itertools.chain(*(elements(trace, value) for value in values))
    sequences = [iterables.indexed(trace, value) for value in values]
    return functools.reduce(lambda first, second: _behind(trace, first, second), sequences)


def chain_from_iterable(trace, values):
    if is_python(values):
        return chain(trace, *elements(trace, values))
    result = trace.lists.new([])
    library.flattened(trace, result, values)
    return _found(trace, result, values)


def _behind(trace, first, second):
    if isinstance(first.length, int) and first.length == 0:
        return second
    if isinstance(second.length, int) and second.length == 0:
        return first
    return Indexed(first.length + second.length, lambda place: library.of_either(trace, place, first.length, first.get, second.get),
                   (*first.sources, *second.sources))


def pairwise(trace, values):
    if is_python(values):
        return itertools.pairwise(elements(trace, values))
    sequence = iterables.indexed(trace, values)
    return Indexed(library.at_least_none(trace, sequence.length - 1), lambda place: (sequence.get(place), sequence.get(place + 1)), sequence.sources)


def islice(trace, values, *bounds):
    one_by_one = isinstance(values, (Generator, Mapped)) and not getattr(values, "simple", False)
    if is_python(values) and not any(isinstance(bound, Staged) for bound in bounds) and not (one_by_one and not values.is_of_function()):
        return itertools.islice(elements(trace, values), *bounds)
    start, stop, step = slice(*bounds).start, slice(*bounds).stop, slice(*bounds).step
    start, step = 0 if start is None else start, 1 if step is None else step
    for bound, least, message in ((start, 0, "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."),
                                  (0 if stop is None else stop, 0, "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."),
                                  (step, 1, "Step for islice() must be a positive integer or None.")):
        if not isinstance(bound, Staged) and (type(bound) is not int or bound < least):
            raise ValueError(message)
        library.check_bound(trace, bound, least, message)
    if isinstance(values, iterables.StagedIterator) and len(bounds) == 1 and stop is not None or one_by_one:
        from lantern.staging.calls import call      # of these something is left, or there is more than anybody wants
        return call(trace, _taken, (iterables.taken_over(trace, values), start, stop, step), {}, trace.at)
    sequence = iterables.indexed(trace, values)
    stop = sequence.length if stop is None else library.shorter(trace, stop, sequence.length)
    return Indexed(trace.emit("range-length", (start, stop, step)), lambda place: sequence.get(start + place * step), sequence.sources)


def starmap(trace, function, values):
    from lantern.staging.calls import call
    if is_python(values):
        return map(lambda arguments: call(trace, function, tuple(arguments), {}, trace.at), elements(trace, values))
    return iterables.mapped(trace, lambda arguments: call(trace, function, tuple(iter(arguments)), {}, trace.at), values)


def product(trace, *values, repeat=1):
    if all(map(is_python, values)) and not isinstance(repeat, Staged):
        return itertools.product(*(elements(trace, value) for value in values), repeat=repeat)
    if isinstance(repeat, Staged):
        raise StagingError("LT0310", "how many sequences itertools.product goes through is known only when the program runs", trace.place(),
                           "a tuple's length is known while staging: write the loops")
    sequences = [_now(trace, value) for value in values] * repeat
    sizes = [sequence.length for sequence in sequences]
    count = functools.reduce(lambda a, b: a * b, sizes, 1)

    def get(place):
        found = []
        for sequence, size in zip(reversed(sequences), reversed(sizes)):
            found.append(sequence.get(place % size))
            place = place // size
        return tuple(reversed(found))
    return Indexed(count, get)


def combinations(trace, values, r):
    return _chosen(trace, itertools.combinations, values, r)


def combinations_with_replacement(trace, values, r):
    return _chosen(trace, itertools.combinations_with_replacement, values, r)


def permutations(trace, values, r=None):
    return _chosen(trace, itertools.permutations, values, r)


def _chosen(trace, function, values, r):
    if is_python(values) and not isinstance(r, Staged):
        return function(elements(trace, values), r)
    if not isinstance(r, Staged) and r is not None and r < 1:
        return function((), r)
    if isinstance(r, Staged) or r is None or r > 2 and function is itertools.permutations:
        how_many = "gives pairs alone" if function is itertools.permutations else "takes a number of them that is known while staging"
        raise StagingError("LT0310", f"itertools.{function.__name__} of elements that are known only when the program runs {how_many}", trace.place(),
                           "write the loops, or give 2 as how many are taken")
    result = trace.lists.new([])
    if r != 2:
        pool, again = _now(trace, values), 0 if function is itertools.combinations_with_replacement else 1

        def choose(before, start, left):
            if left == 0:
                list_methods.append(trace, result, tuple(before))
                return
            library.for_each(trace, start, pool.length, lambda place: choose([*before, pool.get(place)], place + again, left - 1))
        choose([], 0, r)
        return result
    library.pairs(trace, result, materialised(trace, values), function is itertools.permutations, 0 if function is itertools.combinations_with_replacement else 1)
    return result


def _now(trace, value):
    """A sequence as it is now: Python's function reads all of it before it gives anything."""
    return iterables.indexed(trace, materialised(trace, value))


def repeat(trace, value, times=None):
    if times is None:
        return itertools.repeat(value)
    if not isinstance(times, Staged):
        return itertools.repeat(value, times)
    return Indexed(library.at_least_none(trace, times), lambda place: value)


def count(trace, start=0, step=1):
    if trace.type_of(start) not in (None, types.i64) or type(step) is not int or step == 0:
        raise StagingError("LT0310", "a staged itertools.count has a whole number to begin with, and a step that is known while staging", trace.place(),
                           "write the loop with `while`")
    return counted(start, step)


def cycle(trace, values):
    """As often as anybody asks, or never, of nothing."""
    if is_python(values):
        if type(values) not in (list, tuple, str, range) or not values or not iterables.can_be_indexed(trace, list(values)):
            return itertools.cycle(elements(trace, values))
        if type(values) is not list:
            values = trace.lists.new(list(values))
    if type(values) is list and trace.lists.is_own(values):     # Python reads it as it comes to its elements: it is not to change meanwhile
        trace.lists.become_staged(values)
        sequence = iterables.indexed(trace, values)
    else:
        sequence = _now(trace, values)
    return Indexed(library.often_or_never(trace, sequence.length), lambda place: sequence.get(place % sequence.length), sequence.sources)


def groupby(trace, values, key=None):
    from lantern.staging.calls import call
    return call(trace, _groups, (values, key), {}, trace.at)


def _groups(values, key):
    """What is behind a group finds nothing in it any more."""
    watch, items = _Watch(values), list(values)
    keys = items if key is None else [key(item) for item in items]
    start = 0
    while start < len(items):
        stop = start + 1
        while stop < len(items) and keys[stop] == keys[start]:
            stop += 1
        group = iter(items[start:stop])
        yield keys[start], group
        for _ in group:
            pass
        watch.check()
        start = stop


class _Watch:
    """Of a list that Python reads as it comes to its elements: an error if it changes meanwhile."""

    def __init__(self, values):
        self.values = values
        if type(values) is list:
            active_trace().lists.become_staged(values)
        self.before = self._held()

    def _held(self):
        lists = active_trace().lists
        return lists.raw(self.values) if type(self.values) is list else lists.as_it_is(self.values) if isinstance(self.values, Staged) else self.values

    def check(self):
        if self._held() is not self.before:
            raise iterables.changes(active_trace(), self.values, active_trace().at)


_Watch.__lantern_takes_lists__ = True


def _taken(iterator, start, stop, step):
    end = start if stop is None else max(start, stop)
    if stop is None or end > 0:
        number = 0
        for element in iterator:
            if number >= start and (stop is None or number < stop) and (number - start) % step == 0:
                yield element
            number += 1
            if stop is not None and number >= end:
                return


for _definition in (_groups, _taken):
    setattr(_definition, REQUESTED, True)


def _gone_through(definition):
    """What goes through a sequence when it is made, and gives a list of what it has found."""
    def run(trace, function, values):
        result = trace.lists.new([])
        definition(trace, result, (lambda value: value) if function is None else function, values)
        return _found(trace, result, values)
    return run


def _found(trace, result, *read):
    """What has been found in others, which do not change while somebody goes through it: Python reads them then."""
    sequence = iterables.indexed(trace, result)
    return Indexed(sequence.length, sequence.get, (*sequence.sources, *((*source, True) for each in read for source in iterables.sources_of(trace, each))))


def compress(trace, data, selectors):
    result = trace.lists.new([])
    library.compressed(trace, result, data, selectors)
    return _found(trace, result, data, selectors)


def zip_longest(trace, *values, fillvalue=None):
    if all(map(is_python, values)):
        return itertools.zip_longest(*(elements(trace, value) for value in values), fillvalue=fillvalue)
    sequences = iterables.together(trace, values)
    length = functools.reduce(lambda one, other: library.larger(trace, one, other), (sequence.length for sequence in sequences))

    def get(place):
        return tuple(library.or_fill(trace, place, sequence.length, sequence.get, fillvalue) for sequence in sequences)
    return Indexed(length, get, [source for sequence in sequences for source in sequence.sources])


def _refused(name, hint):
    def refuse(trace, *arguments, **keywords):
        raise StagingError("LT0310", f"itertools.{name} goes through what is known only when the program runs", trace.place(), hint)
    return refuse


COUNTERPARTS = {
    functools.reduce: reduce, itertools.accumulate: accumulate, itertools.chain: chain, itertools.chain.from_iterable: chain_from_iterable,
    itertools.islice: islice, itertools.starmap: starmap, itertools.product: product, itertools.combinations: combinations,
    itertools.combinations_with_replacement: combinations_with_replacement, itertools.permutations: permutations, itertools.repeat: repeat, itertools.count: count,
    itertools.takewhile: _gone_through(library.taken_while), itertools.dropwhile: _gone_through(library.dropped_while),
    itertools.filterfalse: _gone_through(library.filtered_false), itertools.compress: compress, itertools.zip_longest: zip_longest,
    itertools.groupby: groupby, itertools.cycle: cycle,
    itertools.tee: _refused("tee", "go through the list itself"),
}
if hasattr(itertools, "pairwise"):      # since Python 3.10
    COUNTERPARTS[itertools.pairwise] = pairwise

# Those whose result reads a list as it is gone through itself.
LAZY = frozenset((itertools.accumulate, itertools.chain, itertools.chain.from_iterable, itertools.compress, itertools.cycle, itertools.dropwhile, itertools.filterfalse, itertools.groupby, itertools.islice, itertools.starmap,
                  itertools.takewhile, *(each for each in COUNTERPARTS if each is getattr(itertools, "pairwise", None))))
# Those that call what they are given with elements.
CALLING = frozenset((functools.reduce, itertools.accumulate, itertools.starmap, itertools.takewhile, itertools.dropwhile, itertools.filterfalse))
