"""Data: treebanks, vocabularies, the order of a data set, a bar that shows how far a loop over it is.

A treebank is a text file of one tree a line in the brackets of the Penn treebank, each node with an integer label:

    (3 (2 It) (4 (2 is) (4 good)))

Inner nodes have two children. Blank lines are skipped.
"""
from __future__ import annotations

import re
import sys
import time

from lantern import philox, types
from lantern.dispatch import dispatch
from lantern.exceptions import DataError

UNKNOWN = "<unk>"
_TOKEN = re.compile(r"[()]|[^() \t]+")
_INTEGER = re.compile(r"[+-]?[0-9]+\Z")
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
        if self.label is None or not sys.stderr.isatty():
            return iter(self.items)
        return _with_bar(self.items, self.label)

    def __lantern_type__(self):
        return types.DatasetType(types.StructType(self.element.__name__, self.element))

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
    return dispatch("read-treebank", (types.StructType(struct.__name__, struct), path, words))


def shuffle(data):
    """The elements of a data set or a list in a new order, drawn from the program's stream."""
    return dispatch("shuffle", (data,))


def progress(data, label=""):
    """The same data set; a loop over it shows a bar on stderr, if that is a terminal."""
    return dispatch("progress", (data, label))


def read_vocabulary(path):
    words = {UNKNOWN: None}
    for _, word, _, _ in _nodes(path):
        if word is not None:
            words.setdefault(word)
    return list(words)


def read_treebank(type_, path, words):
    place = {word: number for number, word in enumerate(words)}
    struct, trees, finished = type_.declaration, [], []
    for label, word, is_root, _ in _nodes(path):
        if word is None:
            right, left = finished.pop(), finished.pop()
            tree = struct(label=label, word=-1, left=left, right=right)
        else:
            tree = struct(label=label, word=place.get(word, 0), left=None, right=None)
        (trees if is_root else finished).append(tree)
    return DataSet(trees, struct)


def shuffled(data):
    items = list(data.items if isinstance(data, DataSet) else data)
    items = [items[i] for i in philox.permutation(len(items))]
    return DataSet(items, data.element) if isinstance(data, DataSet) else items


def with_progress(data, label):
    items, element = (data.items, data.element) if isinstance(data, DataSet) else (list(data), type(None))
    return DataSet(items, element, label)


def _nodes(path):
    """The nodes of all trees of a file in post-order: (label, word or None, whether it is a root, line number)."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip("\r\n")
            if line.strip(" \t"):
                yield from _tree(path, number, line)


class _Open:
    """A node whose bracket is open: its label, and what came after it so far."""
    __slots__ = ("begin", "label", "word", "children")

    def __init__(self, begin):
        self.begin, self.label, self.word, self.children = begin, None, None, 0


def _tree(path, number, line):
    def error(begin, what):
        column = len(line[:begin].encode("utf-8", "surrogateescape")) + 1  # of bytes, as the compiled program counts
        return DataError(f"{path}:{number}:{column}: {what}")

    pending, finished = [], False
    for match in _TOKEN.finditer(line):
        token, begin = match.group(), match.start()
        if finished:
            raise error(begin, f"'{token}' after the end of the tree")
        node = pending[-1] if pending else None
        if token == "(":
            if node is not None and node.label is None:
                raise error(begin, "a label is missing: expected an integer after '('")
            if node is not None and node.word is not None:
                raise error(begin, f"a node has either a word or two children; this one has the word '{node.word}'")
            pending.append(_Open(begin))
        elif node is None:
            raise error(begin, f"expected '(', found '{token}'")
        elif token == ")":
            if node.label is None:
                raise error(begin, "a label is missing: expected an integer after '('")
            if node.word is None and node.children == 0:
                raise error(begin, "a word is missing")
            if node.word is None and node.children != 2:
                raise error(node.begin, f"an inner node has two children, this one has {node.children}")
            pending.pop()
            finished = not pending
            if pending:
                pending[-1].children += 1
            yield node.label, node.word, finished, number
        elif node.label is None:
            if not _INTEGER.match(token):
                raise error(begin, f"the label '{token}' is not an integer")
            node.label = int(token)
        elif node.word is not None or node.children:
            raise error(begin, f"unexpected word '{token}': a node has either one word or two children")
        else:
            node.word = token
    if not finished:
        raise error(len(line), f"{len(pending)} bracket{'s are' if len(pending) > 1 else ' is'} not closed")


def _with_bar(items, label):
    """The items, with a bar redrawn at most ten times a second: count, rate, time to go."""
    begin = drawn = time.monotonic()
    try:
        for done, item in enumerate(items, 1):
            yield item
            now = time.monotonic()
            if now - drawn >= 0.1 or done == len(items):
                drawn, rate = now, done / max(now - begin, 1e-9)
                filled = 30 * done // len(items)
                sys.stderr.write(f"\r{label} |{'█' * filled}{' ' * (30 - filled)}| {done}/{len(items)} "
                                 f"{rate:.0f}/s {(len(items) - done) / rate:.0f} s left\x1b[K")
                sys.stderr.flush()
    finally:
        sys.stderr.write("\n")
