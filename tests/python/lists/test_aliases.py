"""Lists that are reached by two names, of which one changes them: each program gives what Python gives, by either name, or is refused."""
import numpy as np
import pytest
from alias_programs import WAYS, bodies, source
from compiled_table import Table, module_of, outcome
from staged_source import Staged
from thorough import one_in

import lantern as lt
from lantern.staging import entry
from lantern.staging.errors import StagingError

REFUSALS = {"LT0305", "LT0306", "LT0302", "LT0301"}     # of lists; of names that have one type, and a value, on every path
SHOWN = ("known, append of", "known, a call of", "known, a closure's recursion of", "known, append before", "known, item at in each turn")
ALWAYS = ("tuple", "list", "list by a call", "attribute", "attribute that a call reads", "given", "closure", "closure's row", "a copy", "a copy of a row")
NEVER = ("a structure", "by a call", "by a recursion", "given back", "new", "many, by a call", "a row", "rows by a call")


def staged(body):
    """The program of a body; the error that refuses it."""
    try:
        return Staged(source([body], "int")[0], "f0")
    except StagingError as error:
        assert error.code in REFUSALS, f"{body}\n{error}"
        return error


@pytest.mark.parametrize("way", WAYS)
def test_each_is_pythons_or_refused(way):
    shown = [(name, body) for name, body in bodies(way).items() if name.startswith(SHOWN)]
    for name, body in shown[list(WAYS).index(way) % one_in(6)::one_in(6)]:
        program = staged(body)
        refused = isinstance(program, StagingError)
        assert not (refused and way in ALWAYS and "turn" not in name), f"{body}\n{program}"
        assert refused or way not in NEVER or "before" in name, body
        for n in range(0 if refused else 5):
            assert outcome(program, (2, n)) == outcome(program.module.f0, (2, n)), f"{name}\n{body}\nof {n}"


def accepted(number, step):
    """The text of the programs, every so many, and their module; the bodies of those that are not refused, by name."""
    chosen = [body for way in WAYS for body in bodies(way).values()][::step]
    text, names = source(chosen, number)
    module, kept = module_of(text), {}
    for name, body in zip(names, chosen):
        try:
            entry.stage_entries([vars(module)[name]])
            kept[name] = body
        except StagingError as error:
            assert error.code in REFUSALS, f"{body}\n{error}"
    return text, module, kept


@pytest.mark.slow
def test_compiled_they_are_pythons():
    _, module, kept = accepted("int", one_in(142))
    assert len(kept) > 40
    table = Table(module, list(kept))      # whose functions are converted already
    for name, body in kept.items():
        for n in range(5):
            expected, actual = (outcome(calls[name], (2, n)) for calls in (table.plain, table.compiled))
            assert actual == expected, f"{body}\nof {n}"


@pytest.mark.slow
def test_so_are_their_derivatives():
    text, _, kept = accepted("float", one_in(422))
    names = [name for name, body in kept.items() if ".pop()" not in body and "del " not in body]     # which a short list refuses to run
    assert len(names) > 12
    total = "def total(x: float, n: int):\n    return " + " + ".join(f"{place + 1} * {name}(x, n)" for place, name in enumerate(names))
    function = lt.function(module_of(f"{text}\n\n{total}\n").total)
    for n in (1, 3):
        value, slope = lt.value_and_grad(function, wrt="x")(2.0, n)
        assert value == function.python_function(2.0, n)
        steps = [function.python_function(2.0 + step, n) for step in (1e-4, -1e-4)]
        assert np.isclose(slope, (steps[0] - steps[1]) / 2e-4, rtol=1e-6)


# A list that an attribute held changes, and the attribute is set anew: behind the block `h.xs[0]` is another list's.
SET_ANEW = [
    "if n > 1:\n    h.xs[0] += x * x\n    h.xs = [x, 4]",
    "if n > 1:\n    h.xs[0] += x * x\n    other.xs = [x, 4]",
    "if n > 1:\n    h.xs[0] += x * x\n    h.put(list(zs))",
    "if n > 1:\n    h.xs[0] += x * x\n    h.xs = zs\nelse:\n    h.xs[0] += 1",
    "if n > 1:\n    h.xs = [x, 4]\n    h.xs[0] += x * x",
]


@pytest.mark.parametrize("block", SET_ANEW)
def test_an_attribute_that_is_set_anew(block):
    program = Staged(source([f"h = Holder([x])\nother = h\nxs = h.xs\nzs = [x, 7]\n{block}\nreturn sum(h.xs) + 100 * xs[0] + 10_000 * zs[0]"], "int")[0], "f0")
    for n in range(4):
        assert program(3, n) == program.module.f0(3, n), n
