"""What is known where code is being traced: of conditions, and of variables and optionals by them."""
from __future__ import annotations

import contextlib

from lantern import types
from lantern.staging.block import path_of
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.text import Symbol
from lantern.staging.truths import TooLarge, Truths
from lantern.staging.unbound import Unbound
from lantern.staging.values import MaybeBound, Staged, Undefined


class Known:
    """The part of a trace that answers for conditions."""

    def __init__(self):
        self.truths = Truths()
        self.unbound = Unbound(self)
        self.missing = {}        # path of an optional → (the optional, the truth of its being None)

    def truth(self, value):
        """A condition, or Python's bool, as a Boolean function; what has no value may be either."""
        if isinstance(value, Undefined):
            return self.truths.atom()
        if not isinstance(value, Staged):
            return bool(value)
        if self.frame is not None and value.block is not None and value.block.frame is not self.frame:
            value = self.resolve(value)
        if value.truth is None:
            of = value.binding      # in a statement that runs again, it is what it was
            if of.truth is None:
                try:
                    of.truth = self.truths.atom() if value.negates is None else self.truths.negation(self.truth(value.negates))
                except TooLarge:
                    of.truth = self.truths.atom()
            value.truth = of.truth
        return value.truth

    def decided(self, truth):
        """What a Boolean function is where the current block runs: True, False, or None where it may be either."""
        return self.truths.decided(self.block.holds, truth)

    def simplified(self, value):
        """A condition that is decided here, as a bool, and a variable that has a value here for certain, as that; else the value."""
        if isinstance(value, Staged) and value.declared_type == types.bool_:
            known = self.decided(self.truth(value))
            return value if known is None else known
        if isinstance(value, MaybeBound):
            known = self.decided(value.bound)
            return value if known is None else value.value if known else Undefined(value.name, value.why)
        return self.narrowed(value)

    def narrowed(self, value):
        """What may be None as what it is here: None, or its value, where that is known."""
        if type(value) is not PerhapsNone:
            return value
        known = self.decided(self.truth(value.missing)) if self.frame is not None else None
        return value if known is None else None if known else value.value

    def known_missing(self, staged):
        """Whether an optional is None here; None where it may be, and may not be."""
        if self.frame is None or not self.missing:
            return None
        _, truth = self.missing.get(path_of(staged), (None, None))
        frame = self.frame
        while frame is not None and truth is not None:
            known = self.truths.decided(frame.block.holds, truth)
            if known is not None:
                return known
            frame = frame.outer
        return None

    def is_none(self, value):
        """The staged condition `value is None`; a bool where it is known."""
        type_ = value.type
        if isinstance(type_, types.NoneType):
            return True
        if type_ is not None and not isinstance(type_, types.Optional):
            formal = self.frame.specialisation.formal_of(value)
            if formal is not None:
                formal.asked = True
            return False
        known = self.known_missing(value)
        if known is not None:
            return known
        result = self.bind((Symbol("none?"), self.resolve(value)), types.bool_, pure=True)
        result.truth = self.missing.setdefault(path_of(value), (value, self.truths.atom()))[1]
        return result

    def note_comparison(self, name, operands, result):
        """What follows from whether a number is one of the few that it may be (`Staged.few_numbers`)."""
        a, b = operands if isinstance(operands[0], Staged) else operands[::-1]
        if type(b) is not int or not isinstance(a, Staged) or a.few_numbers is None or a.block.frame is not self.frame:
            return
        with contextlib.suppress(TooLarge):
            is_it = a.few_numbers.get(b, False)
            result.truth = is_it if name == "==" else self.truths.negation(is_it)

    def negate(self, condition):
        result = self.bind((Symbol("not"), self.resolve(condition)), types.bool_, pure=True)
        result.negates = condition
        return result
