"""What holds wherever a turn of a staged loop begins: which of its variables have a value when which of its flags are true.

    for x in xs:                  break_ = False
        if x > limit:             for x in xs, while not break_:
            y = x                     if x > limit: y = x; break_ = True
            break                 if not break_: y = 0
    else:
        y = 0                     `y` has no value before the loop. Where a turn begins, it has one if `break_` is true: that holds
    return y                      before the first turn, and each turn keeps it. So the `return` needs no test.

Flags are whatever bools the loop carries, the converter's and the user's. What holds is found as the types of the variables
are: it begins as what holds before the loop, each traced turn adds what holds behind it, until it adds nothing.
"""
from __future__ import annotations

from lantern.staging.truths import TooLarge

MOST_BITS = 8       # flags and variables of one loop whose relation is followed
MOST_TURNS = 10     # that may add something


class Invariant:
    def __init__(self, trace):
        self.trace, self.truths = trace, trace.truths
        self.first = trace.truths.count + 1     # what is known of earlier atoms holds in every turn
        self.atoms = {}                         # bit → the atom that stands for it where a turn begins
        self.holds = self._before = trace.block.holds
        self._bits, self._turns = None, 0

    def begin(self, bits):
        """Before a turn is traced. bits: {what they are of: the Boolean function that they are before the loop}."""
        bits = dict(list(bits.items())[:MOST_BITS])
        if self._bits is None or list(bits) != list(self._bits):
            self._bits = bits
            for bit in bits:
                self.atoms.setdefault(bit, self.truths.atom())
            self.holds = self._image(self._before, bits)

    def __contains__(self, bit):
        return bit in self._bits

    def atom(self, bit):
        """The condition that a bit is where a turn begins, and behind the loop."""
        return self.atoms[bit]

    def turn(self, holds, bits):
        """Adds what holds behind a turn; whether that is more than held before it."""
        try:
            wider = self.truths.either(self.holds, self._image(holds, bits))
        except TooLarge:
            wider = self._before
        self._turns += 1
        if self._turns > MOST_TURNS:
            wider = self._before
        changed, self.holds = wider is not self.holds, wider
        return changed

    def _image(self, holds, bits):
        try:
            return self.truths.image(holds, [bits[bit] for bit in self._bits], [self.atoms[bit] for bit in self._bits], self.first)
        except TooLarge:
            return self._before
