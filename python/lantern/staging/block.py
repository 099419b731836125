"""Blocks: straight-line code being emitted, and frames: functions being traced.

A block knows what holds where it runs, by the conditions around it and those that it has come past. Structures are immutable in
staged code, so `tree.left` read twice is one value: what a condition on the first reading proved holds for the second.
"""
from __future__ import annotations

import contextlib

from lantern.staging.keys import Reads
from lantern.staging.repeats import Repeats, as_emitted
from lantern.staging.text import Symbol

LET, BEGIN = Symbol("let"), Symbol("begin")


def path_of(staged):
    """What identifies a value across blocks: itself, or the value and the fields that lead to it."""
    if staged.origin is not None:
        value, field = staged.origin
        return (*path_of(value), field)
    return (id(staged),)


class Block:
    """A sequence of bindings and effects, with a result.

    conditional: whether it runs perhaps never, or more than once, where the block around it runs once.
    """

    def __init__(self, frame, parent=None, conditional=False, holds=True, state_names=()):
        self.frame = frame
        self.parent = parent
        self.conditional = conditional   # may run never, or several times
        self.is_conditional = conditional or parent is not None and parent.is_conditional     # it, or one around it in the function
        self.holds = holds               # a Boolean function of the function's conditions (truths.py)
        self.state_names = state_names   # of the statement that the block is part of
        self.entries = []                # (Staged, node) or (None, node) for an effect
        self.fields = {}                 # path → Staged: fields read here
        self.items = {}                  # id of a list's contents → what is known of its elements here (none_in_lists.py)
        self.found = {}                  # which keys of dicts and sets are known to be there, and where (hash_tables.py)
        self.cannot_fail = {}            # what does not fail here, as ways have parted behind which it does (partings.py)
        self.places = {}                 # variable → where it was last assigned here
        self.done = []                   # the entries that have been emitted where this code has run, here or in the blocks around
        self.repeats = None if parent is None or parent.repeats is None else Repeats(self)     # of a statement that runs again, or is around it
        self.result = ()
        self.since = frame.trace.memories.now()     # when it began (memories.py)
        self.decisions = []              # what statements and calls did, where that is noted (decisions.py)

    def known(self):
        """What is known here now: of what has been read, of conditions, and how much has been decided."""
        return dict(self.fields), {key: dict(items) for key, items in self.items.items()}, dict(self.found), dict(self.cannot_fail), self.holds, len(self.decisions), len(self.done), self.repeats

    def know(self, known):
        """Is as it was then."""
        fields, items, found, cannot_fail, self.holds, decisions, done, self.repeats = known
        self.fields, self.items, self.found = dict(fields), {key: dict(each) for key, each in items.items()}, dict(found)
        self.cannot_fail = dict(cannot_fail)
        del self.decisions[decisions:]
        del self.done[done:]

    def append(self, staged, node):
        if self.repeats is None:
            entry = staged, node
            self.entries.append(entry)
        else:
            entry = self._repeated(staged, as_emitted(node))
        self.done.append(entry)

    def _repeated(self, staged, node):
        """The same in a statement that runs again: what has been emitted before is that, by another name."""
        position = self.repeats.find(node)
        if position is None:
            self.repeats.check_effect(node)
            self.entries.append((staged, node))
            return staged, node
        entry = self.repeats.entries[position]
        self.repeats = self.repeats.at(position + 1)
        if staged is not None:
            staged.binding, staged.truth = entry[0], entry[0].truth
        return entry

    def chain(self):
        """This block and those around it, within one function."""
        block = self
        while block is not None:
            yield block
            block = block.parent

    def parts(self):
        """The block as a node."""
        node = self.result
        for staged, expression in reversed(self.entries):
            if staged is not None:
                node = (LET, staged, expression, node)
            elif isinstance(node, tuple) and node and node[0] is BEGIN:
                node = (BEGIN, expression, *node[1:])
            else:
                node = (BEGIN, expression, node)
        return node


class Frame:
    """A function being traced: its blocks, what it captures and what it has read of Python's objects."""

    def __init__(self, trace, specialisation, outer):
        self.trace = trace
        self.specialisation = specialisation
        self.outer = outer               # the frame that was active when this one began
        self.root = Block(self)
        self.block = self.root
        self.captures = {}               # id(outer Staged) → (outer Staged, Staged of this frame)
        self.reads = Reads()
        self.entered = None              # the lists and dicts of functions around that are its own meanwhile (carried.py)
        self.objects = None              # of a function that has lists of the objects that it makes: these (numbered.py)

    def is_conditional(self):
        return self.block.is_conditional


@contextlib.contextmanager
def within(block):
    """While more is emitted into a block whose trace has ended."""
    frame = block.frame
    before, frame.block = frame.block, block
    try:
        yield
    finally:
        frame.block = before
