"""The printer of S-expressions."""
import pytest

from interpreter import read
from lantern.staging.text import Symbol, literal, one_line, pretty, quoted


@pytest.mark.parametrize("value, text", [
    (None, "none"), (True, "true"), (False, "false"), (3, "3"), (-3, "-3"), (0.5, "0.5"), (1e300, "1e+300"), (-0.0, "-0.0"),
    (float("inf"), "inf"), (float("-inf"), "-inf"), (float("nan"), "nan"), ("a", '"a"'),
])
def test_a_literal(value, text):
    assert literal(value) == text


def test_a_string_escapes_what_the_reader_would_take_otherwise():
    assert quoted('a"b\\c\n\t\r\x01é') == '"a\\"b\\\\c\\n\\t\\r\\x01é"'


def test_a_chain_of_lets_stays_at_one_indentation():
    name = Symbol("a" * 40)
    node = (Symbol("let"), Symbol("x"), (Symbol("f"), name, name), (Symbol("let"), Symbol("y"), (Symbol("g"), name), Symbol("y")))
    assert pretty(node) == f"(let x (f {name} {name})\n(let y (g {name})\ny))\n"


def test_depth_costs_no_recursion():
    node = Symbol("x")
    for _ in range(100_000):
        node = (Symbol("let"), Symbol("x"), (Symbol("+"), Symbol("x"), 1), node)
    text = pretty(node)
    assert text.count("(let x (+ x 1)") == 100_000
    nested = Symbol("x")
    for _ in range(100_000):
        nested = (Symbol("neg"), nested)
    assert one_line(nested).count("(neg") == 100_000


def test_pretty_and_one_line_read_the_same():
    node = (Symbol("define"), Symbol("f"), ((Symbol("x"), Symbol("f64")),), Symbol("->"), Symbol("f64"),
            (Symbol("if"), Symbol("c" * 100), (Symbol("begin"), (Symbol("print"), "a b"), Symbol("x")), (Symbol("neg"), Symbol("x"))))
    assert read(pretty(node)) == read(one_line(node))
