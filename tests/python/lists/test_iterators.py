"""Iterators that are asked for their elements one by one, gone through by twos, and without end."""
import re
import types

import iterator_programs
import pytest
from compiled_table import Table, cases_of, outcome
from staged_source import Staged, module_of

from lantern.staging.errors import StagingError

PROGRAMS = types.SimpleNamespace(**{name: function for name, function in vars(iterator_programs).items() if isinstance(function, types.FunctionType) and name[0] != "_"})
CALLS = dict.fromkeys(vars(PROGRAMS), (([1, 2, 3, 4, 5, 6, 7], 2), ([5, 1, 1], 1), ([4], 3), ([], 0)))


@pytest.fixture(scope="module")
def table():
    return Table(PROGRAMS, list(CALLS))


@pytest.mark.parametrize("name, arguments", cases_of(CALLS))
def test_as_plain(table, name, arguments):
    assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments)


REFUSED = {     # how far others have come is not known
    "it = iter(xs)\npairs = [p for p in zip(it, [1])]\nreturn len(pairs) + next(it, 0)": "iter.* once more",
    "it = iter(xs)\nreturn len([p for p in zip(it, xs)]) + sum(it)": "iter.* once more",
    "it, t = iter(xs), 0\nfor _ in xs: t += len([p for p in zip(it, it)])\nreturn t": "never, or more than once",
    "it = zip(xs, xs)\npairs = [p for p in itertools.islice(it, 2)]\nreturn len(pairs) + len(list(it))": "zip.* once more",
    "it = zip(xs, xs)\nfirst = next(it)\npairs = [p for p in zip(it, xs)]\nreturn len(pairs) + next(it)[0]": "zip.* once more",
    "g = (x * 2 for x in xs)\npairs = [p for p in zip(g, [1])]\nreturn len(pairs) + sum(g)": "once more: what is left of it",
    "rows, t = [list(xs) for _ in xs], 0\nfor x in itertools.chain.from_iterable(rows):\n    t += x\n    rows[1][0] = 7\nreturn t": "changes while",
    "rows, t = [list(xs) for _ in xs], 0\nfor x, y in zip(itertools.chain.from_iterable(rows), xs):\n    t += x * y\n    rows[1][0] = 7\nreturn t": "changes while",
    "ys = [1, 2]\nit = itertools.cycle(ys)\nfirst = next(it)\nys.append(3)\nreturn first + next(it)": "has changed",
    "ys = [1, 2]\nit, t = itertools.cycle(ys), 0\nfor x, y in zip(xs, it):\n    t += x * y\n    ys[1] = 5\nreturn t": "changes while",
    "it = iter(xs)\nreturn len([p for p in zip(it, xs, it)])": "iter.* once more",
}

CHANGED = {     # what Python reads as it comes to it
    "ys = list(xs)": "ys[2] = 7", "ys = [1, xs[0], 2]": "ys.append(7)", "rows = [list(xs), [1]]\nys = rows[0]": "rows[0][2] = 7",
}


@pytest.mark.parametrize("made", CHANGED)
def test_what_is_grouped_does_not_change(made):
    body = f"{made}\ntotal = 0\nfor key, group in itertools.groupby(ys):\n    total += key * sum(group)\n    {{}}\nreturn total"
    texts = ["\n".join("    " + line for line in body.format(change).splitlines()) for change in ("total += 1", CHANGED[made])]
    Staged(f"import itertools\ndef f(xs: list[int]):\n{texts[0]}\n")
    with pytest.raises(StagingError, match="LT0305.* changes? while|LT0305.* has changed|LT0305.* is changed"):
        Staged(f"import itertools\ndef f(xs: list[int]):\n{texts[1]}\n")


@pytest.mark.parametrize("through", ["itertools.takewhile(lambda y: y < 100, ys)", "itertools.dropwhile(lambda y: y > 100, ys)", "itertools.filterfalse(lambda y: y > 100, ys)",
                                     "itertools.islice(itertools.cycle(ys), 5)", "itertools.compress(ys, [True] * 9)", "itertools.compress([1] * 9, ys)"])
def test_nor_does_what_is_chosen_from(through):
    text = f"import itertools\ndef f(xs: list[int]):\n    ys, total = list(xs), 0\n    for y in {through}:\n        total = 2 * total + y\n        {{}}\n    return total\n"
    assert Staged(text.format("total += 1"))([1, 2, 3]) == module_of(text.format("total += 1")).f([1, 2, 3])
    with pytest.raises(StagingError, match="LT0305.*changes while"):
        Staged(text.format("ys[2] = 7"))


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_left_is_known(body):
    text = "\n".join("    " + line for line in body.splitlines())
    with pytest.raises(StagingError, match=REFUSED[body]) as caught:
        Staged(f"import itertools\ndef f(xs: list[int]):\n{text}\n")
    assert caught.value.code == "LT0305" and re.search("make a list of it first|copy", caught.value.hint)
