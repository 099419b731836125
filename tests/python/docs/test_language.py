"""The operator tables of docs/language.md name the operators that the compiler has, and no others."""
import pathlib
import re

import pytest

from lantern import core
from lantern.exceptions import CoreError

LANGUAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "language.md"


def documented():
    """The operators in the first columns of the tables: the heads of `(+ a b) (- a b)`."""
    section = LANGUAGE.read_text("utf-8").split("\n## Operators\n")[1].split("\n## ")[0]
    forms = [form for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for form in re.findall(r"`([^`]+)`", row)]
    return {name for form in forms for name in re.findall(r"\(([^\s()]+)", form)}


def in_the_table():
    """The operators of the compiler's table, those left out that only derivatives use."""
    try:
        rows = core.operators().splitlines()
    except CoreError as error:
        pytest.skip(f"no compiler: {error}")
    return {row.split()[1].rstrip(")") for row in rows if row.strip() and "(internal)" not in row}


def test_every_operator_is_documented():
    assert sorted(in_the_table() - documented()) == []


def test_every_documented_operator_exists():
    assert sorted(documented() - in_the_table()) == []
