"""Data: treebanks, vocabularies, data sets of arrays, their order and batches, a bar that shows how far a loop over one is.

A treebank is a text file of trees in the brackets of the Penn treebank, each node with an integer label:

    (3 (2 It) (4 (2 is) (4 good)))

Inner nodes have two children. Most files have a tree a line; lines end where other space may stand.
"""
from __future__ import annotations

import re

from lantern import ops, philox, readers, rearranging, types
from lantern.bar import is_wanted, with_bar
from lantern.dispatch import active_trace, dispatch, is_global, is_staged, taking_lists
from lantern.exceptions import DataError
from lantern.lazy_numpy import np

UNKNOWN = "<unk>"
_TOKEN = r"[()]|[^() \t\r\n]+"
_INTEGER = r"-?[0-9]+\Z"
_FIELDS = ("label", "word", "left", "right")


class DataSet:
    """A sequence of structures. `label`: of the bar on stderr that iterating over it shows, if that is a terminal."""

    def __init__(self, items, element, label=None):
        self.items = items
        self.element = element  # the class of the structures
        self.label = label

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return DataSet(self.items[i], self.element) if isinstance(i, slice) else self.items[i]

    def __iter__(self):
        if self.label is None or not is_wanted():
            return iter(self.items)
        return with_bar(self.items, self.label)

    def __lantern_type__(self):
        return types.DatasetType(types.struct_type(self.element))

    def __repr__(self):
        return f"<data set of {len(self.items)} {self.element.__name__}s>"


def vocabulary(path):
    """The words of a treebank by first appearance, a list of strings. Element 0, `<unk>`, stands for unknown words."""
    return dispatch("read-vocabulary", (path,))


def treebank(path, words, struct):
    """The trees in a file, a data set of `struct`s.

    words: a vocabulary. struct: an `lt.struct` with the fields label (int), word (int: its place in `words`, 0 if it
    is not there; -1 for an inner node), left and right (of the same structure, or None).
    Raises DataError with file:line:column where the file is malformed.
    """
    names = struct.__lantern_struct__.field_names
    if sorted(names) != sorted(_FIELDS):
        raise TypeError(f"a treebank gives structures with the fields {', '.join(_FIELDS)}; "
                        f"{struct.__name__} has {', '.join(names)}")
    return dispatch("read-treebank", (types.struct_type(struct), path, words))


class ArrayDataSet:
    """What `dataset` gives: element i is row i of each array, in an order. Read by operators, so that it may be staged."""

    def __init__(self, arrays, size, order=None, label=None):
        self.arrays, self.size, self.order, self.label = arrays, size, order, label

    def __len__(self):
        return self.size

    def __getitem__(self, i):
        if isinstance(i, slice):
            start, stop, step = i.indices(self.size)
            if step != 1:
                raise ValueError("a data set of arrays is sliced without a step")
            order = rearranging.arange(self.size) if self.order is None else self.order
            return ArrayDataSet(self.arrays, max(stop - start, 0), ops.getitem(order, slice(start, stop)))
        if not -self.size <= i < self.size:
            raise IndexError("data set index out of range")
        return self.row(i % self.size)

    def __iter__(self):
        rows = _Rows(self)
        return iter(rows) if self.label is None or not is_wanted() else with_bar(rows, self.label)

    def row(self, i):
        """Element i, which is not negative."""
        return self._each(lambda array: ops.getitem(array, i if self.order is None else ops.getitem(self.order, i)))

    def rows(self, start, stop):
        """The elements from start to stop, one below the other."""
        if self.order is None:
            return self._each(lambda array: ops.getitem(array, slice(start, stop)))
        places = ops.getitem(self.order, slice(start, stop))
        return self._each(lambda array: rearranging.take(array, places))

    def _each(self, take):
        parts = tuple(map(take, self.arrays))
        return parts if len(parts) > 1 else parts[0]

    def shuffled(self):
        drawn = dispatch("permutation", (self.size,))
        return type(self)(self.arrays, self.size, drawn if self.order is None else rearranging.take(self.order, drawn))

    def __repr__(self):
        return f"<data set of {self.size} rows of {len(self.arrays)} arrays>"


class _Rows:
    def __init__(self, data):
        self.data = data

    def __len__(self):
        return self.data.size

    def __iter__(self):
        return map(self.data.row, range(self.data.size))


class Batches:
    """What `batch` gives."""

    def __init__(self, data, size, drop_last):
        if size < 1:
            raise ValueError(f"a batch has at least one element, not {size}")
        self.data, self.size, self.drop_last = data, size, drop_last

    def __len__(self):
        return count_of_batches(len(self.data), self.size, self.drop_last)

    def __getitem__(self, i):
        if not -len(self) <= i < len(self):
            raise IndexError("data set index out of range")
        start = i % len(self) * self.size
        stop = min(start + self.size, len(self.data))
        return self.data.rows(start, stop) if isinstance(self.data, ArrayDataSet) else self.data[start:stop]

    def __iter__(self):
        return map(self.__getitem__, range(len(self)))


def count_of_batches(count, size, drop_last):
    return count // size if drop_last else -(-count // size)


def dataset(*arrays):
    """A data set whose element i is row i of each array, a tuple if there are several.

    arrays: of any rank from 1 on, and of one length (else ValueError). `len`, indexing, loops, `lt.shuffle` and `lt.batch` take it.
    """
    if not arrays:
        raise TypeError("a data set of arrays needs an array")
    trace = active_trace()
    if trace is not None and any(is_staged(array) or is_global(array) for array in arrays):
        return trace.dataset(arrays)
    for array in arrays:
        if len(array) != len(arrays[0]):
            raise ValueError(f"the arrays of a data set have one length, not {len(arrays[0])} and {len(array)}")
    return ArrayDataSet(tuple(array if is_global(array) else np.asarray(array) for array in arrays) if trace is None else arrays, len(arrays[0]))


@taking_lists
def batch(data, size, drop_last=False):
    """The data set, `size` elements at a time, the last time perhaps fewer, unless those are dropped.

    data: of arrays (`lt.dataset`; a batch is then an array [size, …], or a tuple of them), of structures, or a list (a batch is
        then a shorter one).
    Raises ValueError for a size below 1.
    """
    trace = active_trace()
    if trace is not None:
        return trace.batches(data, size, drop_last)
    return Batches(data, size, drop_last)


@taking_lists
def shuffle(data):
    """The elements of a data set, or of a list as a new list, in a new order, drawn from the program's stream. Those of arrays stay where they are."""
    trace = active_trace()
    if trace is not None and not isinstance(data, (ArrayDataSet, DataSet)) and not (is_staged(data) and isinstance(data.type, types.DatasetType)):
        from lantern.staging import library
        return library.shuffled(trace, data)
    return data.shuffled() if isinstance(data, ArrayDataSet) else dispatch("shuffle", (data,))


def progress(data, label=""):
    """The same data set; a loop over it shows a bar on stderr, if that is a terminal (compiled, of structures alone)."""
    if isinstance(data, ArrayDataSet):
        return type(data)(data.arrays, data.size, data.order, label)
    return dispatch("progress", (data, label))


def read_vocabulary(path):
    words = {UNKNOWN: None}
    for _, word, _ in _nodes(path):
        if word is not None:
            words.setdefault(word)
    return list(words)


def read_treebank(type_, path, words):
    place = {word: number for number, word in enumerate(words)}
    struct, trees, finished = type_.declaration, [], []
    for label, word, is_root in _nodes(path):
        if word is None:
            right, left = finished.pop(), finished.pop()
            tree = struct(label=label, word=-1, left=left, right=right)
        else:
            tree = struct(label=label, word=place.get(word, 0), left=None, right=None)
        (trees if is_root else finished).append(tree)
    return DataSet(trees, struct)


def shuffled(data):
    return reordered(data, philox.permutation(len(data)))


def reordered(data, order):
    """The elements of a data set, or of anything that has a length and elements, in an order: a list of their places."""
    if isinstance(data, ArrayDataSet):
        order = np.asarray(order, np.int64)
        return ArrayDataSet(data.arrays, data.size, order if data.order is None else data.order[order])
    items = [data[i] for i in order]
    return DataSet(items, data.element) if isinstance(data, DataSet) else items


def with_progress(data, label):
    items, element = (data.items, data.element) if isinstance(data, DataSet) else (list(data), type(None))
    return DataSet(items, element, label)


def _nodes(path):
    """The nodes of all trees of a file in post-order: (label, word or None, whether it is a root)."""
    pending = []
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as lines:
        for number, line in enumerate(lines, 1):
            yield from _nodes_in(path, number, line, pending)
    if pending:
        raise _error(path, *pending[0].begin, "the file ends inside a tree that begins here")


class _Open:
    """A node whose bracket is open: its place (number of the line, the line, where in it), its label, and what came after it so far."""
    __slots__ = ("begin", "label", "word", "children")

    def __init__(self, begin):
        self.begin, self.label, self.word, self.children = begin, None, None, 0


def _error(path, number, line, begin, what):
    column = len(line[:begin].encode("utf-8", "surrogateescape")) + 1  # of bytes, as the compiled program counts
    return DataError(f"{path}:{number}:{column}: {what}")


def _nodes_in(path, number, line, pending):
    """The nodes that end in a line. pending: those that are open, outside in."""
    for match in re.finditer(_TOKEN, line):
        token, place = match.group(), (number, line, match.start())
        node = pending[-1] if pending else None
        if token == "(":
            if node is not None and node.label is None:
                raise _error(path, *place, "a label is missing: expected an integer after '('")
            if node is not None and node.word is not None:
                raise _error(path, *place, f"a node has either a word or two children; this one has the word '{node.word}'")
            pending.append(_Open(place))
        elif node is None:
            raise _error(path, *place, f"expected '(', found '{token}'")
        elif token == ")":
            if node.label is None:
                raise _error(path, *place, "a label is missing: expected an integer after '('")
            if node.word is None and node.children == 0:
                raise _error(path, *place, "a word is missing")
            if node.word is None and node.children != 2:
                raise _error(path, *node.begin, f"an inner node has two children, this one has {node.children}")
            pending.pop()
            if pending:
                pending[-1].children += 1
            yield node.label, node.word, not pending
        elif node.label is None:
            node.label = readers.whole(token) if re.match(_INTEGER, token) else None
            if node.label is None:
                raise _error(path, *place, f"the label '{token}' is not an integer")
        elif node.word is not None or node.children:
            raise _error(path, *place, f"unexpected word '{token}': a node has either one word or two children")
        else:
            node.word = token
