"""Which loops over a `range` that is known while staging are staged all the same.

    for t in range(len(xs)):            # xs: an array of a known length
        h = step(h, xs[t])

Unrolled, a loop over known numbers is always right, but the program has the body as often as the loop has turns, and takes as long to compile.
So such a loop is staged first. Where an error comes of that (an element of a list of Python's, at a place that is known only when the program
runs), the function is traced again (`Ranges.settle`), and the loop's first turn stands in front of it, which settles what its variables are; where
an error comes of that, too, it is unrolled. Unrolled are also loops whose turns are few, whose turns all together are a short program, and
those that compute of nothing but what is known: these are Python's, and leave nothing in the program. Loops of few turns within each other
count together: they are staged once their turns are many, and come to a long program.

A loop over arrays of a known length, `[Body(m, p) for m, p in zip(masses, positions)]`, is staged where it can be. Where it is short, and an error
comes of it, such as of objects that the program does not have, it is unrolled, too.

A `while` over what is known says only by its turns how many there are: it is unrolled until they come to a long program, and then staged, as
a loop over a range is.
"""
from __future__ import annotations

import collections
import contextlib
import copy
import math

from lantern.staging.block import Block
from lantern.staging.define import Specialisation
from lantern.staging.errors import Signal
from lantern.staging.globals import Reference
from lantern.staging.identity import IdentityDict
from lantern.staging.program import blocks_of
from lantern.staging.text import Symbol
from lantern.staging.values import Staged, StagedRange

FEW_TURNS = 8           # are unrolled
MOST_ROWS = 64          # of arrays, are unrolled where that helps
SHORT_PROGRAM = 100     # bindings that the turns of a loop come to, which is unrolled, too
MOST_ERRORS = 12        # that one loop after the other is blamed for; behind that, all are unrolled

_TURNS_WITHIN = 4       # of a loop over what its own loop decides

STAGED, PEELED, UNROLLED = range(3)

_OF_RANGE = type(iter(range(0)))
_FROM_OUTSIDE = frozenset(map(Symbol, (
    "uniform", "normal", "truncated-normal", "seed", "permutation", "shuffle", "print", "print-part", "progress", "py-function", "extern", "update",
    "read-vocabulary", "load-vocabulary", "read-treebank", "read-idx", "read-npy", "read-npz", "read-csv", "read-word-vectors",
    "save-parameters", "load-parameters", "save-checkpoint", "load-checkpoint")))


class Ranges:
    """How the loops over known ranges of one trace are staged, each known by the code of its body."""

    def __init__(self, trace):
        self.trace = trace
        self.how = IdentityDict()   # code → STAGED, PEELED or UNROLLED
        self.errors = 0
        self.active = []        # loops that are being staged
        self._done, self._failed = [], []      # loops, in the order in which they have ended
        self._nest = []         # loops of few turns that are being traced, within each other

    def settle(self, run):
        """What `run` gives, which traces, once the loops are staged in ways that it takes."""
        specialisations, refusals = self.trace.specialisations, self.trace.refusals
        first, refused = len(specialisations.all), len(refusals)
        while True:
            self._done, self._failed, self._nest = [], [], []
            self.trace.lists.remade.forget()        # keys may be known where a loop is unrolled
            try:
                result = run()
            except _Staged as signal:
                self.how[signal.code] = STAGED
            except (Exception, Signal):
                if not self._learn():
                    raise
            else:
                if not self._unroll_short():
                    return result
            specialisations.begin_again(first)
            del refusals[refused:]

    def loop(self, iterable, body):
        """The loop over a known range as one that is to be staged; None of any other."""
        range_ = _left(iterable) if type(iterable) is _OF_RANGE and self.trace.ages.is_made_here(iterable) else iterable
        if type(range_) is not range or self.trace.frame is None or self.errors > MOST_ERRORS:
            return None
        how = self.how.get(body.__code__, UNROLLED if len(range_) <= FEW_TURNS else STAGED)
        if how == UNROLLED:
            return None
        if range_ is not iterable:
            collections.deque(iterable, 0)      # it has come to its end
        return Loop(self, body.__code__, how == PEELED, range_)

    def rows(self, length, body):
        """What a staged loop over arrays is staged in: a short one of a known length may be unrolled instead."""
        is_short = length is not None and length <= MOST_ROWS and self.trace.frame is not None and self.errors <= MOST_ERRORS
        return Rows(self, body.__code__, is_peeled=True) if is_short else contextlib.nullcontext()

    def unrolls(self, length, body):
        """Whether such a loop is unrolled."""
        return length is not None and length <= MOST_ROWS and self.how.get(body.__code__) == UNROLLED

    def while_loop(self, body):
        """A `while` whose turns have come to a long program, as a loop that is to be staged; None of any other."""
        how = self.how.get(body.__code__, UNROLLED)
        return None if how == UNROLLED or self.errors > MOST_ERRORS else Loop(self, body.__code__, how == PEELED)

    def check_while(self, body, turns):
        """Has a `while` staged from its beginning once what its turns put into the program comes to a long one."""
        if turns.number > FEW_TURNS and turns.bindings() > SHORT_PROGRAM and body.__code__ not in self.how and self.errors <= MOST_ERRORS:
            raise _Staged(body.__code__)

    def stage_while(self, codes):
        """Has one of the `while`s of these bodies staged from its beginning, if one is not yet."""
        code = next((code for code in codes if code not in self.how), None)
        if code is not None and self.errors <= MOST_ERRORS:
            self.trace.left_branches.begin()        # there may be less of them then
            raise _Staged(code)

    def few(self, iterable, body):
        """Where a loop is unrolled: counts it with those that it is nested in."""
        is_few = type(iterable) is range and 1 < len(iterable) <= FEW_TURNS and self.trace.frame is not None
        return Few(self, body.__code__, iterable) if is_few else contextlib.nullcontext()

    def may_peel(self, code):
        """Whether the loop of this body is over a known range, and its first turn does not stand in front of it yet: it may make sure of variables."""
        return self.errors <= MOST_ERRORS and any(loop.code is code and loop.range is not None and not loop.is_peeled for loop in (*self._done, *self._failed))

    def _learn(self):
        """Behind an error: whether loops are staged in another way from now on, so that it may not be there any more."""
        self.errors += 1
        blamed = self._failed[:1] or self._done
        for loop in blamed:
            self.how[loop.code] = UNROLLED if loop.is_peeled else PEELED
        return bool(blamed) and self.errors <= MOST_ERRORS + 1

    def _unroll_short(self):
        """Behind a trace without an error: whether it has staged loops that are to be unrolled."""
        long = _Lengths([loop for loop in self._done if loop.node is not None and len(loop.range) > FEW_TURNS])
        staged = {id(loop.code) for loop in long.loops if long.is_long(loop)}
        short = [loop.code for loop in long.loops if id(loop.code) not in staged]
        for code in short:
            self.how[code] = UNROLLED
        return bool(short)


class _Staged(Signal):
    """The `while` whose body has this code is to be staged."""

    def __init__(self, code):
        super().__init__()
        self.code = code


class Few:
    """A loop of few turns, staged or not, among those that it is nested in."""

    def __init__(self, ranges, code, range_):
        self.ranges, self.code, self.range = ranges, code, range_
        trace = ranges.trace
        self.block, self.frame = trace.block, trace.frame
        self._first, self._callees = len(self.block.entries), len(trace.specialisations.all)
        self.within = 1         # turns of what it nests, at most

    def __enter__(self):
        self.around = math.prod(len(few.range) for few in self.ranges._nest if few.frame is self.frame)
        self.ranges._nest.append(self)
        return self

    def __exit__(self, kind, error, traceback):
        nest = self.ranges._nest
        nest.remove(self)
        if kind is None and nest and nest[-1].frame is self.frame:
            nest[-1].within = max(nest[-1].within, self.within * len(self.range))

    def check(self, turns):
        """Behind that many turns: has the loop staged if those of its nest are many, and come to a long program."""
        ranges = self.ranges
        if self.around * len(self.range) * self.within <= FEW_TURNS or self.code in ranges.how or ranges.errors > MOST_ERRORS:
            return
        if self.around * _bindings(self.block.entries[self._first:], ranges.trace.specialisations.all[self._callees:]) * len(self.range) > SHORT_PROGRAM * turns:
            raise _Staged(self.code)


def _bindings(entries, callees):
    """How many there are in entries and in functions, where a loop of few turns counts with each of them."""
    size, pending = 0, [(entries, 1)] + [(callee.block, 1) for callee in callees if callee.block is not None]
    while pending:
        node, times = pending.pop()
        if isinstance(node, Block):
            pending += [(node.entries, times), (node.result, times)]
        elif isinstance(node, list):
            size += len(node) * times
            pending += [(expression, times) for _, expression in node]
        elif isinstance(node, tuple):
            turns = _turns(node[2]) if _is_loop(node, "for") else 1
            pending += [(part, times * turns) for part in node]
    return size


def _turns(sequence):
    """Of the loop over that: how many, if they are few; else 1."""
    bounds = sequence[1:] if _is_loop(sequence, "range") else ()
    turns = len(range(*bounds)) if len(bounds) == 3 and all(type(bound) is int for bound in bounds) else 1
    return turns if 1 < turns <= FEW_TURNS else 1


class Loop:
    """A loop that is being staged: over a known range, or a `while`."""

    def __init__(self, ranges, code, is_peeled, range_=None):
        self.ranges, self.code, self.is_peeled, self.range = ranges, code, is_peeled, range_
        self.node = None        # (for element sequence variables head block)
        self._few = Few(ranges, code, range_) if range_ is not None and 1 < len(range_) <= FEW_TURNS else None

    def __enter__(self):
        if self._few is not None:
            self._few.__enter__()
        self.ranges._failed.clear()
        self.ranges.active.append(self)
        self.block = self.ranges.trace.block
        self._first = len(self.block.entries)
        return self

    def __exit__(self, kind, error, traceback):
        if self._few is not None:
            self._few.__exit__(kind, error, traceback)
        self.ranges.active.pop()
        if kind is not None:
            self.ranges._failed.append(self)
            return
        self.ranges._failed.clear()
        self.ranges._done.append(self)
        if self.range is None:
            return
        loops = [node for _, node in self.block.entries[self._first:] if _is_loop(node, "for")]
        self.node = loops[-1] if loops else None

    def rest(self):
        """What is left to be staged."""
        rest = self.range[1:] if self.is_peeled else self.range
        return StagedRange(rest.start, rest.stop, rest.step)


class Rows(Loop):
    """A staged loop over arrays of a known length, whose first turn never stands in front: where an error comes of it, it is unrolled."""

    def __exit__(self, kind, error, traceback):
        self.ranges.active.pop()
        if kind is not None:
            self.ranges._failed.append(self)


def _left(iterator):
    """What is left of the iterator of a range, such as `reversed(range(n))`, as a range."""
    rest = list(copy.copy(iterator))
    return range(0) if not rest else range(rest[0], rest[-1] + (step := rest[1] - rest[0] if len(rest) > 1 else 1), step)


def _is_loop(node, *kinds):
    return isinstance(node, tuple) and len(node) > 0 and isinstance(node[0], Symbol) and node[0] in kinds


class _Lengths:
    """What the loops of a trace come to, unrolled."""

    def __init__(self, loops):
        self.loops = loops
        self._by_block = {id(loop.node[5]): loop for loop in loops}
        roots = {id(block): block for loop in loops for block in [list(loop.block.chain())[-1]]}
        self._definitions = {id(staged): node for root in roots.values() for block in blocks_of(root) for staged, node in block.entries if staged is not None}
        self._known = set()     # ids of values that are computed of what is known alone
        self._long = {}         # id of a loop → whether it is long
        self._sizes = {}        # id of a loop's node → its size; nothing, while that is being found: a turn that calls the function that the loop is in leads to it again

    def is_long(self, loop):
        if id(loop) not in self._long:
            self._long[id(loop)] = True     # where its turns call the function that it is in
            self._long[id(loop)] = len(loop.range) * self._size(loop.node) > SHORT_PROGRAM and self._uses_outside(loop.node)
        return self._long[id(loop)]

    def _size(self, node):
        """How many bindings are in a node and the functions that it calls, where the loops that are to be unrolled are."""
        size, pending, seen = 0, [node], set()
        while pending:
            node = pending.pop()
            if isinstance(node, Block):
                pending.append(node.result)
                for _, expression in node.entries:
                    size += 1
                    inner = self._by_block.get(id(expression[5])) if _is_loop(expression, "for") else None
                    if inner is not None and not self.is_long(inner):
                        size += len(inner.range) * self._size_of_loop(expression)
                    elif inner is None and _is_loop(expression, "for"):     # unrolled, too, if its range is then known
                        size += _TURNS_WITHIN * self._size_of_loop(expression)
                    else:
                        pending.append(expression)
            elif isinstance(node, Specialisation):      # unrolled, it may be another one in each turn, since the loop's number is then known
                if node not in seen and node.block is not None:
                    seen.add(node)
                    pending.append(node.block)
            elif isinstance(node, tuple):
                pending.extend(node)
        return size

    def _size_of_loop(self, node):
        if id(node) not in self._sizes:
            self._sizes[id(node)] = 0
            self._sizes[id(node)] = self._size(node)
        return self._sizes[id(node)]

    def _uses_outside(self, node):
        """Whether anything of a loop is known only when the program runs, but for its own number and what it computes of that."""
        inside, seen, found = set(), set(), set()
        pending = [(node, True)]
        while pending:
            node, is_here = pending.pop()
            if isinstance(node, Reference) or isinstance(node, Symbol) and node in _FROM_OUTSIDE:
                return True
            if isinstance(node, Staged):
                if is_here and id(node.block) not in inside and id(node) not in found and id(node) not in self._known:
                    if id(node) not in self._definitions:
                        return True
                    found.add(id(node))
                    pending.append((self._definitions[id(node)], True))
            elif isinstance(node, Block):
                inside.add(id(node))
                pending.append((node.result, is_here))
                pending.extend((expression, is_here) for _, expression in node.entries)
            elif isinstance(node, Specialisation):
                if node not in seen and node.block is not None:
                    seen.add(node)
                    pending.append((node.block, False))
            elif isinstance(node, tuple):
                if _is_loop(node, "for", "while"):
                    inside.add(id(node[-1].parent))     # of its variables
                pending.extend((part, is_here) for part in node)
        self._known |= found
        return False
