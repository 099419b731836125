"""Data sets of arrays, and batches of any data, in a trace: sequences whose elements are computed where they are read."""
from __future__ import annotations

from lantern import data as eager
from lantern import ops
from lantern.dispatch import dispatch
from lantern.staging import iterables, library
from lantern.staging.builtins import length
from lantern.staging.errors import StagingError


class Arrays(iterables.Sequence, eager.ArrayDataSet):
    """`lt.dataset` of staged arrays. It always has an order, so that a variable may hold it now shuffled, now not."""

    def __init__(self, arrays, size, order, label=None):
        eager.ArrayDataSet.__init__(self, arrays, size, order, label)
        iterables.Sequence.__init__(self, size, self.row)

    def __lantern_parts__(self):
        return (lambda parts: Arrays(tuple(parts[2:]), *parts[:2])), [self.size, self.order, *self.arrays]

    def __getitem__(self, place):
        if not isinstance(place, slice):
            return super().__getitem__(place)
        if place.step not in (None, 1):
            raise ValueError("a data set of arrays is sliced without a step")
        taken = ops.getitem(self.order, place)
        return Arrays(self.arrays, ops.shape(taken, 0), taken)


class Batches(iterables.Sequence):
    """`lt.batch` of a staged iterable."""

    def __init__(self, trace, data, size, drop_last):
        self.data, self.size, self.drop_last = data, size, drop_last
        self.elements = iterables.indexed(trace, data)
        super().__init__(eager.count_of_batches(self.elements.length, size, drop_last), self._batch, self.elements.sources)

    def __lantern_parts__(self):
        from lantern.staging.trace import active
        return (lambda parts: Batches(active(), *parts)), [self.data, self.size, self.drop_last]

    def _batch(self, i):
        start = i * self.size
        stop = ops.minimum(start + self.size, self.elements.length)
        if isinstance(self.data, Arrays):
            return self.data.rows(start, stop)
        return iterables.Sequence(stop - start, lambda j: self.elements.get(start + j), self.sources)


def of_arrays(trace, arrays):
    sizes = [length(trace, array) for array in arrays]
    for size in sizes[1:]:
        library.check_lengths(trace, sizes[0], size)
    return Arrays(tuple(arrays), sizes[0], dispatch("arange", (sizes[0],)))


def batches(trace, data, size, drop_last):
    """`lt.batch`."""
    library.check_batch(trace, size)
    if not iterables.is_staged(data) and not isinstance(data, (list, eager.ArrayDataSet, eager.DataSet)):
        raise StagingError("LT0310", f"batches of a {type(data).__name__}", trace.place(), "of a data set or a list there are")
    if isinstance(data, (eager.ArrayDataSet, eager.DataSet)) and not isinstance(data, Arrays):
        return eager.Batches(data, size, drop_last)
    return Batches(trace, data, size, drop_last)
