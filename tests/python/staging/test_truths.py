"""Boolean functions of conditions: against tables of their values."""
import itertools
import random

import pytest

from lantern.staging import truths
from lantern.staging.truths import TooLarge, Truths

ATOMS = 4


class Function:
    """A Boolean function twice: as `truths` has it, and as the set of the assignments that make it true."""

    def __init__(self, known, true):
        self.known, self.true = known, true


@pytest.fixture
def made():
    """Random functions of some atoms, made by `choose`."""
    own, draw = Truths(), random.Random(3)
    everywhere = frozenset(itertools.product((False, True), repeat=ATOMS))
    functions = [Function(own.atom(), frozenset(a for a in everywhere if a[i])) for i in range(ATOMS)]
    functions += [Function(True, everywhere), Function(False, frozenset())]
    for _ in range(200):
        c, a, b = draw.choices(functions, k=3)
        functions.append(Function(own.choose(c.known, a.known, b.known), c.true & a.true | (everywhere - c.true) & b.true))
    return own, everywhere, functions


def test_equal_functions_are_one_object(made):
    _, _, functions = made
    for a, b in itertools.combinations(functions, 2):
        assert (a.known is b.known) == (a.true == b.true)


def test_what_is_decided(made):
    own, _, functions = made
    for holds, asked in itertools.product(functions[::7], functions):
        if holds.true:
            answer = True if holds.true <= asked.true else False if not holds.true & asked.true else None
            assert own.decided(holds.known, asked.known) is answer


def test_what_is_said_of_earlier_atoms(made):
    own, everywhere, functions = made
    table = {each.known: each.true for each in functions}
    for each in functions:
        known = own.before(each.known, 3)        # the last two may be anything
        expected = frozenset(a for a in everywhere if any(b[:2] == a[:2] for b in each.true))
        assert known not in table or table[known] == expected


def test_an_image_says_which_values_are_possible(made):
    own, _, functions = made
    first = own.count + 1
    atoms = [own.atom(), own.atom()]
    for holds, a, b in zip(functions, functions[5:], functions[9:]):
        image = own.image(holds.known, [a.known, b.known], atoms, first=1)
        for value in itertools.product((False, True), repeat=2):
            at = image
            for atom, bit in zip(atoms, value):
                at = own.both(at, atom if bit else own.negation(atom))
            assert (at is not False) == any(((x in a.true), (x in b.true)) == value for x in holds.true), first


def test_what_is_too_large_is_not_known(monkeypatch):
    monkeypatch.setattr(truths, "MOST_STEPS", 200)
    own = Truths()
    pairs = [[own.atom() for _ in range(12)] for _ in range(2)]
    with pytest.raises(TooLarge):
        whole = False
        for a, b in zip(*pairs):
            whole = own.either(whole, own.both(a, b))
