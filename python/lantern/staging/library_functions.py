"""The functions of `heapq`, `bisect` and `statistics`, and `math.fsum`, on what is staged: what heaps.py and sequence_definitions.py say, converted."""
from __future__ import annotations

import bisect
import heapq
import math

from lantern import types
from lantern.staging import heaps, library, sequence_definitions
from lantern.staging.builtins_sequences import in_order, materialised
from lantern.staging.errors import StagingError


def _ranked(largest):
    def ranked(trace, n, iterable, key=None):
        from lantern.operators_expressions import getitem
        ordered = trace.lists.new(in_order(trace, materialised(trace, iterable), key, largest))
        return getitem(ordered, slice(library.at_least_none(trace, n)), trace.at)
    return ranked


def _search(definition):
    run = library.define(definition)

    def search(trace, a, x, lo=0, hi=None, *, key=None):
        return run(trace, a, x, lo, hi, key)
    return search


_mean = library.define(sequence_definitions.mean)
_variance = library.define(sequence_definitions.variance)
_median = library.define(sequence_definitions.median)
_sum = library.define(sequence_definitions.exact_sum)


def _data(trace, values, name, others=()):
    """What a function of statistics is given, as a list. It has floats in it, unless whole numbers are among `others`."""
    contents = materialised(trace, values)
    type_ = trace.type_of(contents)
    element = getattr(type_, "element", None)
    if element not in (types.f64, None, *others):
        of_integers = element in (types.i64, types.bool_)
        why = ", whose result is an int or a float, depending on the numbers" if of_integers else ""
        raise StagingError("LT0310", f"statistics.{name} of {types.annotation(type_)}{why}", trace.place(),
                           "make floats of them first, or use statistics.fmean" if of_integers else "it takes a list of floats; np.mean, np.var and np.std take arrays")
    return contents


def _mean_of(trace, data):
    return _mean(trace, _data(trace, data, "mean"), "mean", _error())


def _fmean(trace, data, weights=None):
    if weights is not None:
        raise StagingError("LT0310", "statistics.fmean with weights", trace.place(), "write sum(x * w for x, w in zip(xs, ws)) / sum(ws)")
    return _mean(trace, _data(trace, data, "fmean", (types.i64, types.bool_)), "fmean", _error())


def _spread(name, fewer, is_root):
    points = "two data points" if fewer else "one data point"

    def spread(trace, data, centre=None):
        found = _variance(trace, _data(trace, data, name), centre, fewer, name, points, _error())
        return _root(trace, found) if is_root else found
    return spread


def _root(trace, variance):
    """Its square root, which has the derivative 0 where all data are equal, as a norm has."""
    is_zero = trace.emit("==", (variance, 0.0))
    root = trace.emit("sqrt", (trace.emit("where", (is_zero, 1.0, variance)),))
    return trace.emit("where", (is_zero, 0.0, root))


def _median_of(trace, data):
    return _median(trace, trace.lists.new(in_order(trace, _data(trace, data, "median"), None, False)), _error())


def _fsum(trace, seq):
    return _sum(trace, materialised(trace, seq))


CHANGING = {
    heapq.heappush: library.define(heaps.push), heapq.heappop: library.define(heaps.pop),
    heapq.heapreplace: library.define(heaps.replace), heapq.heappushpop: library.define(heaps.push_and_pop),
    heapq.heapify: library.define(heaps.heapify),
    bisect.insort_left: _search(sequence_definitions.insert_left), bisect.insort_right: _search(sequence_definitions.insert_right),
}
COUNTERPARTS = {
    **CHANGING, heapq.nlargest: _ranked(True), heapq.nsmallest: _ranked(False), bisect.bisect_left: _search(sequence_definitions.place_left),
    bisect.bisect_right: _search(sequence_definitions.place_right), math.fsum: _fsum,
}
_OF_STATISTICS = {
    "mean": _mean_of, "fmean": _fmean, "median": _median_of, "variance": _spread("variance", 1, False), "pvariance": _spread("pvariance", 0, False),
    "stdev": _spread("stdev", 1, True), "pstdev": _spread("pstdev", 0, True),
}
# Those that go through what they are given, so that staged elements count.
OF_ELEMENTS = set(COUNTERPARTS) - set(CHANGING)


def take_statistics():
    """The functions of a module that is slow to load: once the user's program has it."""
    import statistics

    from lantern.staging import builtins
    known = {getattr(statistics, name): own for name, own in _OF_STATISTICS.items()}
    for table in (builtins.COUNTERPARTS, builtins.OF_ELEMENTS, builtins.OF_LISTS):
        table.update(known)


def _error():
    import statistics
    return statistics.StatisticsError
