"""What is known of conditions that are known only when the program runs: Boolean functions, and what follows from them.

Each condition that a program computes is an atom, or a function of others: behind

    if c: found = True
    else: found = d

`found` is `c or d`, and what an `if found:` proves of an optional, or of a variable that one path leaves without a value, is
what `c or d` proves. A block knows what holds where it runs (`Block.holds`); whether that implies a condition, its contrary, or
neither decides which branches are traced at all, and which variables have a value.

Functions are reduced ordered binary decision diagrams (Bryant, 1986): equal functions are one object, so that implication is
cheap. Later atoms stand on top, since they are the ones that come and go. True and False are Python's.
"""
from __future__ import annotations

MOST_STEPS = 20_000     # of one question; what takes more is as good as unknown


class Choice:
    """`high` where the atom is true, else `low`."""

    __slots__ = ("atom", "high", "low")

    def __init__(self, atom, high, low):
        self.atom, self.high, self.low = atom, high, low


class TooLarge(Exception):
    """A function that is not worth its size."""


class Truths:
    def __init__(self):
        self.count = 0      # atoms made
        self._made = {}     # (atom, high, low) → Choice
        self._known = {}    # arguments of `choose` → its result
        self._steps = 0

    def atom(self):
        """A condition of which nothing is known."""
        self.count += 1
        return self._choice(self.count, True, False)

    def _choice(self, atom, high, low):
        if high is low:
            return high
        key = (atom, high, low)
        if key not in self._made:
            self._made[key] = Choice(*key)
        return self._made[key]

    def choose(self, condition, high, low):
        """`high if condition else low`."""
        self._steps = 0
        try:
            return self._choose(condition, high, low)
        except RecursionError:
            raise TooLarge from None

    def _choose(self, condition, high, low):
        if condition is True or high is low:
            return high
        if condition is False:
            return low
        if high is True and low is False:
            return condition
        key = (condition, high, low)
        result = self._known.get(key)
        if result is None:
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise TooLarge
            atom = condition.atom
            if type(high) is Choice and high.atom > atom:
                atom = high.atom
            if type(low) is Choice and low.atom > atom:
                atom = low.atom
            condition_1, condition_0 = (condition.high, condition.low) if condition.atom == atom else (condition, condition)
            high_1, high_0 = (high.high, high.low) if type(high) is Choice and high.atom == atom else (high, high)
            low_1, low_0 = (low.high, low.low) if type(low) is Choice and low.atom == atom else (low, low)
            result = self._known[key] = self._choice(atom, self._choose(condition_1, high_1, low_1), self._choose(condition_0, high_0, low_0))
        return result

    def negation(self, a):
        return self.choose(a, False, True)

    def both(self, a, b):
        return self.choose(a, b, False)

    def either(self, a, b):
        return self.choose(a, True, b)

    def decided(self, holds, truth):
        """What `truth` is where `holds` holds: True, False, or None where it may be either."""
        try:
            if self.both(holds, truth) is False:
                return False
            return True if self.both(holds, self.negation(truth)) is False else None
        except TooLarge:
            return None

    def before(self, a, first):
        """What `a` says of the atoms before `first`, whatever the others are."""
        known = {}

        def without(node):
            if type(node) is not Choice or node.atom < first:
                return node
            if node not in known:
                known[node] = self.either(without(node.high), without(node.low))
            return known[node]

        return without(a)

    def image(self, holds, values, atoms, first):
        """What holds of `atoms`, and of the atoms before `first`, if `atoms` have these `values` where `holds` holds."""
        if holds is False:
            return False
        if not atoms:
            return self.before(holds, first)
        return self.choose(atoms[0], self.image(self.both(holds, values[0]), values[1:], atoms[1:], first),
                           self.image(self.both(holds, self.negation(values[0])), values[1:], atoms[1:], first))
