"""What is a text on one path and a number on another can be shown, and nothing else."""
import pytest
from compiled_table import Table, cases_of, outcome
from staged_source import Staged

from lantern.staging.errors import StagingError

SOURCE = """
class Reading:
    def __init__(self, value): self.value = value
    def __str__(self): return f"Reading({self.value})"


def fizz_buzz(n: int):
    for i in range(1, 3 * n):
        print("FizzBuzz" if i % 15 == 0 else "Fizz" if i % 3 == 0 else "Buzz" if i % 5 == 0 else i)


def word(k):
    if k % 3 == 0:
        return "Fizz"
    elif k % 5 == 0:
        return "Buzz"
    return k


def by_a_call(n: int):
    for i in range(n):
        print(word(i), end=";")
    return ", ".join([str(word(i)) for i in range(n)])


def by_or(n: int):
    for i in range(n):
        w = ""
        if i % 3 == 0: w += "Fizz"
        print(w or i)


def carried(n: int):
    w = 0
    for i in range(n):
        if i % 2: w = "odd"
        else: w = i
        print(w)
    print(w)


def shown(n: int):
    label, half = n, n / 2
    if n > 3:
        label, half = "many", "none"
    print(label, f"{label}{label!s}", str(half), Reading(label), sep="|")
    return f"{'even' if n % 2 == 0 else n}", (lambda: f"<{label}>")(), label is None


def raised(n: int):
    if n > 2:
        raise ValueError(f"bad {'six' if n == 6 else n}")
    return n
"""
CALLS = {name: (0, 1, 3, 6) for name in ("fizz_buzz", "by_a_call", "by_or", "carried", "shown", "raised")}


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, list(CALLS))


@pytest.mark.parametrize("name, arguments", cases_of(CALLS))
def test_as_plain(table, name, arguments, capfd):
    found = outcome(table.compiled[name], arguments), capfd.readouterr().out
    assert found == (outcome(table.plain[name], arguments), capfd.readouterr().out)


@pytest.mark.parametrize("use", [
    "label", "label + 1", "n + label", "2 == label", "label is n", "len(label)", "label.upper()", "label[0]", "not label", "label and 3", "[label]", "{'a': label}", "{label: 1}", "f'{label!r}'", "f'{label:>8}'",
    "print([label])", "type(label) is str", "isinstance(label, str)", "label in (2, 3)", "','.join([label])", "'%s' % label", "-label", "max(label, 2)", "[1, 2][label]", "sorted([label, 2])", "hash(label)",
    "(label, 1) == (2, 1)", "1 if label else 2", "format(label, '>8')", "[n for n in label]", "lt.sin(label)",
])
def test_anything_else_is_refused(use):
    with pytest.raises(StagingError, match="(?s)LT0306.*'label' is str on one path of the if statement and int on another.*values of one type"):
        Staged(f"import lantern as lt\ndef f(n: int):\n    label = n\n    if n > 3: label = 'many'\n    return {use}\n", "f")
